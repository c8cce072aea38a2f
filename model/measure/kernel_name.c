#include "model/measure/kernel_name.h"

#include <string.h>

/* A piece of a name. */
typedef struct {
    const char *start, *end;
} Piece;

static gboolean is_word(char c) {
    return g_ascii_isalnum(c) || c == '_' || c == '$';
}

/* Behind the bracket that closes the one at `at`; angle brackets mean nothing inside of others,
 * where they may compare: <((8) > (0))>. */
static const char *behind(const char *at) {
    guint round = 0, angle = 0;
    for (; *at; at++) {
        if (strchr("({[", *at))
            round++;
        else if (strchr(")}]", *at))
            round -= round > 0;
        else if (*at == '<' && round == 0)
            angle++;
        else if (*at == '>' && round == 0)
            angle -= angle > 0;
        if (round == 0 && angle == 0)
            return at + 1;
    }
    return at;
}

/* The last name of a qualified one, and the template arguments behind it, with their brackets. */
static Piece own_name(const char *name, Piece *arguments) {
    Piece own = {name, name};
    *arguments = (Piece){NULL, NULL};
    while (*name) {
        if (*name == ' ' || *name == ':') { /* a type, or a part of the path, was before it */
            own = (Piece){name + 1, name + 1};
            *arguments = (Piece){NULL, NULL};
            name++;
        } else if (*name == '(') {
            if (own.end > own.start) /* parameters; what stands alone is "(anonymous namespace)" */
                break;
            name = behind(name);
        } else if (*name == '<') {
            *arguments = (Piece){name, behind(name)};
            name = arguments->end;
        } else {
            own.end = arguments->start ? own.end : name + 1;
            name++;
        }
    }
    return own;
}

/* How well a word inside of template arguments says what the kernel does. */
static guint telling(Piece word, gboolean called) {
    static const char *const nothing[] = {"lambda", "operator", "anonymous", "decltype"};
    g_autofree char *text = g_strndup(word.start, (gsize)(word.end - word.start));
    for (guint i = 0; i < G_N_ELEMENTS(nothing); i++)
        if (g_str_equal(text, nothing[i]))
            return 0;
    if (strstr(text, "unctor") || g_str_has_suffix(text, "Ops"))
        return 2;
    return called || strstr(text, "_kernel") ? 1 : 0;
}

/* What a template is about; empty where nothing says so. */
static Piece subject(Piece arguments) {
    Piece best = {NULL, NULL};
    guint depth = 0, best_depth = 0, best_tells = 0;
    for (const char *at = arguments.start; at && at < arguments.end;) {
        depth += strchr("<({", *at) != NULL;
        depth -= depth > 0 && strchr(">)}", *at);
        if (!is_word(*at)) {
            at++;
            continue;
        }
        Piece word = {at, at};
        while (is_word(*word.end))
            word.end++;
        at = word.end;
        guint tells = g_ascii_isdigit(*word.start) ? 0 : telling(word, *at == '(');
        if (tells > best_tells || (tells && tells == best_tells && depth > best_depth)) {
            best = word;
            best_tells = tells;
            best_depth = depth;
        }
    }
    return best;
}

/* The last part of a path as the compiler mangles it: "kentry" of _ZN7ck_tile6kentryILi1E... */
static Piece mangled(const char *name) {
    Piece own = {NULL, NULL};
    name += g_str_has_prefix(name, "_ZN") ? 3 : 2;
    while (g_ascii_isdigit(*name)) {
        char *text;
        guint64 length = g_ascii_strtoull(name, &text, 10);
        if (length > strlen(text))
            break;
        own = (Piece){text, text + length};
        name = own.end;
    }
    return own;
}

static void append(GString *out, Piece piece) {
    if (piece.end > piece.start)
        g_string_append_len(out, piece.start, piece.end - piece.start);
}

char *atlas_name_cut(const char *text, guint longest) {
    if (g_utf8_strlen(text, -1) <= longest)
        return g_strdup(text);
    const char *end = g_utf8_offset_to_pointer(text, (glong)longest - 3);
    return g_strdup_printf("%.*s...", (int)(end - text), text);
}

char *atlas_kernel_short(const char *name) {
    g_autofree char *text = g_utf8_make_valid(name, -1);
    GString *out = g_string_new(NULL);
    Piece arguments = {NULL, NULL};
    if (g_str_has_prefix(text, "_Z"))
        append(out, mangled(text));
    else
        append(out, own_name(text, &arguments));
    Piece about = subject(arguments);
    if (out->len && about.start)
        g_string_append_c(out, ' ');
    append(out, about);
    if (!out->len)
        g_string_assign(out, *text ? text : "(no name)");
    char *brief = atlas_name_cut(out->str, ATLAS_KERNEL_LONGEST);
    g_string_free(out, TRUE);
    return brief;
}

char *atlas_kernel_identifier(const char *text) {
    GString *out = g_string_new(NULL);
    for (const char *at = text; *at && out->len < ATLAS_KERNEL_LONGEST; at++) {
        gboolean hump = at > text && g_ascii_isupper(*at) && g_ascii_islower(at[-1]);
        if ((hump || !g_ascii_isalnum(*at)) && out->len && out->str[out->len - 1] != '_')
            g_string_append_c(out, '_');
        if (!g_ascii_isalnum(*at))
            continue;
        if (!out->len && g_ascii_isdigit(*at))
            g_string_append_c(out, 'x');
        g_string_append_c(out, g_ascii_tolower(*at));
    }
    while (out->len && out->str[out->len - 1] == '_')
        g_string_truncate(out, out->len - 1);
    if (!out->len)
        g_string_append_c(out, 'x');
    return g_string_free(out, FALSE);
}
