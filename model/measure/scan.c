#include "model/measure/scan.h"

#include <math.h>
#include <string.h>

static gboolean is_blank(char c) {
    return c == ' ' || c == '\n' || c == '\r' || c == '\t';
}

static gboolean fail(AtlasScan *s, const char *at, const char *fault) {
    s->p = at;
    s->fault = fault;
    return FALSE;
}

gboolean atlas_scan_blank(AtlasScan *s) {
    while (s->p < s->end && is_blank(*s->p))
        s->p++;
    return s->p < s->end;
}

static const char *behind_blanks(const AtlasScan *s, const char *p) {
    while (p < s->end && is_blank(*p))
        p++;
    return p;
}

/* ---- strings ---- */

/* The next quote at or behind `p` that is not escaped; NULL where the text ends before. */
static const char *quote(const AtlasScan *s, const char *p) {
    for (const char *from = p; (p = memchr(p, '"', (gsize)(s->end - p))); p++) {
        const char *slash = p;
        while (slash > from && slash[-1] == '\\')
            slash--;
        if ((p - slash) % 2 == 0)
            return p;
    }
    return NULL;
}

/* Whether a key and its colon stand at `p`; -1: the text ends before that shows. */
static int is_key(const AtlasScan *s, const char *p) {
    if (p == s->end)
        return -1;
    const char *close = *p == '"' ? quote(s, p + 1) : NULL;
    if (*p != '"' || !close)
        return *p == '"' ? -1 : FALSE;
    close = behind_blanks(s, close + 1);
    return close == s->end ? -1 : *close == ':';
}

/* Whether a string that is a member of an object can end at the quote `q`. */
static int can_end(const AtlasScan *s, const char *q) {
    const char *next = behind_blanks(s, q + 1);
    if (next == s->end)
        return -1;
    return *next == ',' ? is_key(s, behind_blanks(s, next + 1)) : *next == '}' || *next == ']';
}

/* Moves from behind a string's first quote to its last one. `member`: it is one of an object. */
static gboolean find_end(AtlasScan *s, gboolean member) {
    const char *q = s->p;
    int ends = TRUE;
    while ((q = quote(s, q)) && s->lenient && member && (ends = can_end(s, q)) == FALSE)
        q++;
    if (!q || ends < 0)
        return FALSE;
    s->p = q;
    return TRUE;
}

/* ---- values ---- */

/* What may stand behind a member: where something else does, a string had a quote too many. */
static gboolean check_behind(AtlasScan *s) {
    const char *next = behind_blanks(s, s->p);
    if (next == s->end || *next == ',' || *next == '}' || *next == ']')
        return TRUE;
    return fail(s, next, "',' or a closing bracket");
}

static gboolean skip_word(AtlasScan *s) {
    const char *from = s->p;
    while (s->p < s->end && (g_ascii_isalnum(*s->p) || strchr("+-.", *s->p)) && *s->p)
        s->p++;
    return s->p > from || fail(s, from, "a value");
}

static const gboolean is_mark[256] = {
    ['{'] = TRUE, ['}'] = TRUE, ['['] = TRUE, [']'] = TRUE, ['"'] = TRUE};

/* One mark inside brackets: one more, one less, or a whole string. */
static gboolean skip_inside(AtlasScan *s, guint *depth) {
    switch (*s->p) {
    case '{':
    case '[':
        if (++*depth > ATLAS_SCAN_DEPTH)
            return fail(s, s->p, "at most 256 brackets inside each other");
        break;
    case '}':
    case ']':
        --*depth;
        break;
    default: {
        s->p++;
        if (!find_end(s, FALSE))
            return FALSE;
        const char *next = behind_blanks(s, s->p + 1);
        if (next < s->end && *next != ',' && *next != ':' && *next != '}' && *next != ']')
            return fail(s, next, "',', ':' or a closing bracket");
        break;
    }
    }
    s->p++;
    return TRUE;
}

gboolean atlas_scan_skip(AtlasScan *s) {
    guint depth = 0;
    if (!atlas_scan_blank(s))
        return FALSE;
    if (*s->p == '"') {
        s->p++;
        if (!find_end(s, TRUE))
            return FALSE;
        s->p++;
        return TRUE;
    }
    if (*s->p != '{' && *s->p != '[')
        return skip_word(s);
    do {
        while (s->p < s->end && !is_mark[(guchar)*s->p])
            s->p++;
        if (s->p == s->end || !skip_inside(s, &depth))
            return FALSE;
    } while (depth > 0);
    return TRUE;
}

gboolean atlas_scan_open(AtlasScan *s, char bracket) {
    if (!atlas_scan_blank(s))
        return FALSE;
    if (*s->p != bracket)
        return fail(s, s->p, bracket == '{' ? "'{'" : "'['");
    s->p++;
    return TRUE;
}

int atlas_scan_more(AtlasScan *s, char closing) {
    while (atlas_scan_blank(s) && *s->p == ',')
        s->p++;
    if (s->p == s->end)
        return -1;
    if (*s->p != closing)
        return TRUE;
    s->p++;
    return FALSE;
}

gboolean atlas_scan_key(AtlasScan *s, AtlasField *key) {
    if (!atlas_scan_blank(s))
        return FALSE;
    if (*s->p != '"')
        return fail(s, s->p, "a key in quotes");
    const char *from = ++s->p, *close = quote(s, from);
    if (!close)
        return FALSE;
    *key = (AtlasField){from, (gsize)(close - from)};
    s->p = close + 1;
    if (!atlas_scan_blank(s))
        return FALSE;
    if (*s->p != ':')
        return fail(s, s->p, "':'");
    s->p++;
    return atlas_scan_blank(s);
}

gboolean atlas_scan_value(AtlasScan *s, AtlasField *value, gboolean *string) {
    if (!atlas_scan_blank(s))
        return FALSE;
    const char *from = s->p;
    *string = *from == '"';
    if (!atlas_scan_skip(s) || !check_behind(s))
        return FALSE;
    *value = (AtlasField){from + *string, (gsize)(s->p - from) - (*string ? 2 : 0)};
    return s->p < s->end; /* a word may go on */
}

/* ---- what values say ---- */

/* Appends the character of four hex digits at `p`, and of four more where it is half of one;
 * returns what is behind them, NULL where they are none. */
static const char *unescape_unicode(const char *p, const char *end, GString *into) {
    gunichar c = 0, low = 0;
    for (int i = 0; i < 4; i++, p++) {
        if (p == end || !g_ascii_isxdigit(*p))
            return NULL;
        c = c * 16 + (gunichar)g_ascii_xdigit_value(*p);
    }
    if (c >= 0xd800 && c < 0xdc00 && end - p >= 6 && p[0] == '\\' && p[1] == 'u') {
        for (int i = 2; i < 6; i++)
            low = low * 16 + (gunichar)(g_ascii_isxdigit(p[i]) ? g_ascii_xdigit_value(p[i]) : 0);
        if (low >= 0xdc00 && low < 0xe000) {
            c = 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
            p += 6;
        }
    }
    g_string_append_unichar(into, c != 0 && g_unichar_validate(c) ? c : 0xfffd);
    return p;
}

AtlasField atlas_scan_unescape(AtlasField text, GString *into) {
    static const char from[] = "bfnrt", to[] = "\b\f\n\r\t";
    if (text.length == 0 || !memchr(text.text, '\\', text.length))
        return text;
    const char *p = text.text, *end = p + text.length;
    g_string_truncate(into, 0);
    while (p < end) {
        const char *slash = memchr(p, '\\', (gsize)(end - p)), *behind = NULL;
        g_string_append_len(into, p, (slash ? slash : end) - p);
        if (!slash || slash + 1 == end)
            break;
        p = slash + 2;
        const char *letter = slash[1] ? strchr(from, slash[1]) : NULL;
        if (slash[1] == 'u' && (behind = unescape_unicode(p, end, into)))
            p = behind;
        else
            g_string_append_c(into, letter ? to[letter - from] : slash[1]);
    }
    return (AtlasField){into->str, into->len};
}

gboolean atlas_scan_whole(AtlasField text, gint64 *number) {
    if (text.length == 0)
        return FALSE;
    gboolean negative = text.text[0] == '-';
    AtlasField digits = {text.text + negative, text.length - negative};
    const char *point = memchr(digits.text, '.', digits.length);
    if (point && point > digits.text) { /* "5.0" is as whole as 5 */
        const char *end = digits.text + digits.length, *behind = point + 1;
        while (behind < end && *behind == '0')
            behind++;
        if (behind < end || behind == point + 1)
            return FALSE;
        digits.length = (gsize)(point - digits.text);
    }
    if (!atlas_field_whole(digits, number))
        return FALSE;
    *number = negative ? -*number : *number;
    return TRUE;
}

/* Numbers with exponents, which no profiler is known to write. */
static gboolean us_of_double(AtlasField text, gint64 *ns) {
    char copy[64], *behind;
    if (text.length >= sizeof copy)
        return FALSE;
    memcpy(copy, text.text, text.length);
    copy[text.length] = '\0';
    double value = g_ascii_strtod(copy, &behind) * 1000;
    if (behind != copy + text.length || !(fabs(value) < 9e18))
        return FALSE;
    *ns = (gint64)llround(value);
    return TRUE;
}

gboolean atlas_scan_us(AtlasField text, gint64 *ns) {
    if (text.length == 0)
        return FALSE;
    const char *p = text.text, *end = p + text.length;
    gint64 value = 0, scale = 1000;
    gboolean up = FALSE, any = FALSE;
    for (; p < end && g_ascii_isdigit(*p); p++, any = TRUE)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *p - '0', &value))
            return FALSE;
    for (p += p < end && *p == '.'; p < end && g_ascii_isdigit(*p); p++, any = TRUE) {
        if (scale > 1 && __builtin_mul_overflow(value, 10, &value))
            return FALSE;
        if (scale > 1 && __builtin_add_overflow(value, *p - '0', &value))
            return FALSE;
        up = scale == 1 ? *p >= '5' : up;
        scale = scale > 1 ? scale / 10 : 0;
    }
    if (p < end || !any)
        return us_of_double(text, ns);
    if (scale > 1 && __builtin_mul_overflow(value, scale, &value))
        return FALSE;
    return !__builtin_add_overflow(value, up, ns);
}
