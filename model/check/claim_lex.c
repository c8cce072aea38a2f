#include <string.h>

#include "model/check/claim_expr.h"

static const struct {
    const char *sign;
    ClaimToken kind;
    Compare compare;
    const char *hint; /* a sign of other languages */
} signs[] = {
    {"==", K_COMPARE, CMP_EQ, NULL},
    {"!=", K_COMPARE, CMP_NE, NULL},
    {"<=", K_COMPARE, CMP_LE, NULL},
    {">=", K_COMPARE, CMP_GE, NULL},
    {"=", K_END, CMP_EQ, "to compare write '=='"},
    {"<", K_COMPARE, CMP_LT, NULL},
    {">", K_COMPARE, CMP_GT, NULL},
    {"+-", K_WITHIN, CMP_EQ, NULL},
    {"\xc2\xb1", K_WITHIN, CMP_EQ, NULL}, /* the sign for plus or minus */
    {"+", K_PLUS, CMP_EQ, NULL},
    {"-", K_MINUS, CMP_EQ, NULL},
    {"\xe2\x88\x92", K_MINUS, CMP_EQ, NULL}, /* the minus sign of typesetters */
    {"**", K_END, CMP_EQ, "there are no powers"},
    {"*", K_TIMES, CMP_EQ, NULL},
    {"/", K_OVER, CMP_EQ, NULL},
    {"%", K_PERCENT, CMP_EQ, NULL},
    {"(", K_OPEN, CMP_EQ, NULL},
    {")", K_CLOSE, CMP_EQ, NULL},
    {"&", K_END, CMP_EQ, "write 'and'"},
    {"|", K_END, CMP_EQ, "there is no 'or'; make two claims of it"},
};

static AtlasSpan span(const ClaimLex *lex, gsize start, gsize end) {
    if (!lex->exact)
        return lex->at;
    return (AtlasSpan){lex->at.source, lex->at.start + start, lex->at.start + end};
}

AtlasSpan claim_lex_span(const ClaimLex *lex) {
    return span(lex, lex->start, lex->end);
}

gboolean claim_lex_unexpected(const ClaimLex *lex, const char *expected) {
    if (lex->start == lex->end)
        atlas_diags_error(lex->diags, claim_lex_span(lex), "expected %s, found the end", expected);
    else
        atlas_diags_error(lex->diags, claim_lex_span(lex), "expected %s, found '%.*s'", expected,
                          (int)(lex->end - lex->start), lex->text + lex->start);
    return FALSE;
}

static gboolean is_word(char c) {
    return g_ascii_isalnum(c) || c == '_' || c == '.';
}

static void take_word(ClaimLex *lex) {
    while (lex->end < lex->length && is_word(lex->text[lex->end]))
        lex->end++;
}

static gboolean number(ClaimLex *lex) {
    take_word(lex);
    lex->kind = K_NUMBER;
    lex->number = atlas_rat_parse(lex->text + lex->start, lex->end - lex->start, NULL);
    if (atlas_rat_ok(lex->number))
        return TRUE;
    atlas_diags_error(lex->diags, claim_lex_span(lex), "'%.*s' is not a number",
                      (int)(lex->end - lex->start), lex->text + lex->start);
    atlas_diags_hint(lex->diags, "write numbers like 21434 or 0.5, of up to 18 digits");
    return FALSE;
}

static gboolean sign(ClaimLex *lex) {
    const char *from = lex->text + lex->start;
    gsize left = lex->length - lex->start;
    for (guint i = 0; i < G_N_ELEMENTS(signs); i++) {
        gsize length = strlen(signs[i].sign);
        if (length > left || memcmp(from, signs[i].sign, length) != 0)
            continue;
        lex->end += length;
        lex->kind = signs[i].kind;
        lex->compare = signs[i].compare;
        if (!signs[i].hint)
            return TRUE;
        atlas_diags_error(lex->diags, claim_lex_span(lex), "'%s' means nothing in claims",
                          signs[i].sign);
        atlas_diags_hint(lex->diags, "%s", signs[i].hint);
        return FALSE;
    }
    const char *next = g_utf8_find_next_char(from, from + left);
    lex->end = next ? (gsize)(next - lex->text) : lex->length;
    return claim_lex_unexpected(lex, "a number, a name or an operator");
}

gboolean claim_lex_next(ClaimLex *lex) {
    gboolean closed = lex->kind == K_CLOSE;
    gsize last = lex->end;
    lex->start = last;
    while (lex->start < lex->length && g_ascii_isspace(lex->text[lex->start]))
        lex->start++;
    lex->end = lex->start;
    if (lex->start == lex->length) {
        lex->kind = K_END;
        lex->start = lex->end = last;
        return TRUE;
    }
    char c = lex->text[lex->start];
    if (c == '.' && closed && lex->start == last) {
        lex->kind = K_MEMBER;
        take_word(lex);
        return TRUE;
    }
    if (g_ascii_isdigit(c) || c == '.')
        return number(lex);
    if (!is_word(c))
        return sign(lex);
    lex->kind = K_NAME;
    take_word(lex);
    return TRUE;
}

gboolean claim_lex_start(ClaimLex *lex, const AtlasText *text, AtlasDiags *diags) {
    gsize length = strlen(text->text);
    const AtlasSpan *at = &text->at;
    gboolean exact = at->source && at->end - at->start == length &&
                     memcmp(atlas_source_text(at->source) + at->start, text->text, length) == 0;
    *lex = (ClaimLex){.text = text->text,
                      .length = length,
                      .at = *at,
                      .exact = exact,
                      .diags = diags,
                      .kind = K_END};
    return claim_lex_next(lex);
}

gboolean claim_lex_is(const ClaimLex *lex, const char *word) {
    return lex->kind == K_NAME && strlen(word) == lex->end - lex->start &&
           memcmp(lex->text + lex->start, word, strlen(word)) == 0;
}

char *claim_lex_raw(ClaimLex *lex, AtlasSpan *at) {
    const char *from = lex->text + lex->end;
    const char *close = memchr(from, ')', lex->length - lex->end);
    if (!close) {
        lex->start = lex->end = lex->length;
        claim_lex_unexpected(lex, "')'");
        return NULL;
    }
    *at = span(lex, lex->end, (gsize)(close - lex->text));
    lex->start = (gsize)(close - lex->text);
    lex->end = lex->start + 1;
    lex->kind = K_CLOSE;
    return g_strstrip(g_strndup(from, (gsize)(close - from)));
}
