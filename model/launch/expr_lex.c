#include "model/launch/expr_code.h"

#include <string.h>

static const Function functions[] = {
    {"min", "min(a, b, ...)", 2, G_MAXUINT, OP_MIN},
    {"max", "max(a, b, ...)", 2, G_MAXUINT, OP_MAX},
    {"if", "if(condition, a, b)", 3, 3, OP_JUMP_FALSE},
    {"ceil", "ceil(a)", 1, 1, OP_CEIL},
    {"floor", "floor(a)", 1, 1, OP_FLOOR},
    {"on", "on(arm)", 1, 1, OP_PUSH},
};

static const struct {
    const char *word;
    TokenKind kind;
} words[] = {{"or", T_OR}, {"and", T_AND}, {"not", T_NOT}};

/* The first one that fits is taken. T_FOREIGN marks signs of other languages. */
static const struct {
    const char *sign;
    TokenKind kind;
    const char *hint;
} signs[] = {
    {"==", T_EQ, NULL},
    {"<=", T_LE, NULL},
    {">=", T_GE, NULL},
    {"!=", T_FOREIGN, "for 'a != b' write 'not a == b'"},
    {"<>", T_FOREIGN, "for 'a <> b' write 'not a == b'"},
    {"=<", T_FOREIGN, "write '<='"},
    {"=>", T_FOREIGN, "write '>='"},
    {"=", T_FOREIGN, "to compare write '=='"},
    {"!", T_FOREIGN, "write 'not'"},
    {"&&", T_FOREIGN, "write 'and'"},
    {"&", T_FOREIGN, "write 'and'"},
    {"||", T_FOREIGN, "write 'or'"},
    {"|", T_FOREIGN, "write 'or'"},
    {"?", T_FOREIGN, "for 'c ? a : b' write 'if(c, a, b)'"},
    {":", T_FOREIGN, "for 'c ? a : b' write 'if(c, a, b)'"},
    {"%", T_FOREIGN, "for 'a % b' write 'a - b * floor(a / b)'"},
    {"//", T_FOREIGN, "for 'a // b' write 'floor(a / b)'"},
    {"**", T_FOREIGN, "there are no powers; for 'a ** 2' write 'a * a'"},
    {"^", T_FOREIGN, "there are no powers; for 'a ^ 2' write 'a * a'"},
    {"<", T_LT, NULL},
    {">", T_GT, NULL},
    {"(", T_OPEN, NULL},
    {")", T_CLOSE, NULL},
    {",", T_COMMA, NULL},
    {"+", T_ADD, NULL},
    {"-", T_SUB, NULL},
    {"*", T_MUL, NULL},
    {"/", T_DIV, NULL},
};

AtlasSpan atlas_lex_span(const Lex *lex, Range range) {
    if (!lex->exact)
        return lex->at;
    return (AtlasSpan){lex->at.source, lex->at.start + range.start, lex->at.start + range.end};
}

gboolean atlas_lex_unexpected(const Lex *lex, const char *expected) {
    AtlasSpan at = atlas_lex_span(lex, lex->token);
    if (lex->kind == T_END)
        atlas_diags_error(lex->diags, at, "expected %s, found the end", expected);
    else
        atlas_diags_error(lex->diags, at, "expected %s, found '%.*s'", expected,
                          LEX_QUOTE(lex, lex->token));
    return FALSE;
}

void atlas_lex_suggest(const Lex *lex, const char *word, const char *what,
                       const char *const *candidates, gboolean with_functions) {
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    for (; candidates && *candidates; candidates++)
        g_ptr_array_add(all, (gpointer)*candidates);
    for (guint i = 0; with_functions && i < G_N_ELEMENTS(functions); i++)
        g_ptr_array_add(all, (gpointer)functions[i].name);
    g_ptr_array_add(all, NULL);
    atlas_diags_suggest(lex->diags, word, what, (const char *const *)all->pdata);
}

static gboolean is_word(char c) {
    return g_ascii_isalnum(c) || c == '_';
}

/* Digits, and at most one point between them. */
static gboolean is_decimal(const char *text, gsize length) {
    guint points = 0;
    for (gsize i = 0; i < length; i++) {
        if (text[i] == '.' && i > 0 && i + 1 < length)
            points++;
        else if (!g_ascii_isdigit(text[i]))
            return FALSE;
    }
    return points <= 1;
}

static gboolean number(Lex *lex) {
    Range *at = &lex->token;
    while (at->end < lex->length && (is_word(lex->text[at->end]) || lex->text[at->end] == '.'))
        at->end++;
    lex->kind = T_NUMBER;
    lex->number = atlas_rat_parse(lex->text + at->start, at->end - at->start, NULL);
    if (atlas_rat_ok(lex->number))
        return TRUE;
    AtlasSpan span = atlas_lex_span(lex, *at);
    if (is_decimal(lex->text + at->start, at->end - at->start)) {
        atlas_diags_error(lex->diags, span, "number '%.*s' is too long", LEX_QUOTE(lex, *at));
        atlas_diags_hint(lex->diags, "numbers are exact, and have up to 18 digits");
    } else {
        atlas_diags_error(lex->diags, span, "'%.*s' is not a number", LEX_QUOTE(lex, *at));
        atlas_diags_hint(lex->diags, "write numbers like 4 or 0.5, and products like 2 * a");
    }
    return FALSE;
}

static void word(Lex *lex) {
    Range *at = &lex->token;
    while (at->end < lex->length && is_word(lex->text[at->end]))
        at->end++;
    const char *text = lex->text + at->start;
    gsize length = at->end - at->start;
    lex->kind = T_NAME;
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strlen(words[i].word) == length && memcmp(text, words[i].word, length) == 0)
            lex->kind = words[i].kind;
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++) {
        if (strlen(functions[i].name) == length && memcmp(text, functions[i].name, length) == 0) {
            lex->kind = T_FUNCTION;
            lex->function = &functions[i];
        }
    }
}

static gboolean sign(Lex *lex) {
    const char *from = lex->text + lex->token.start;
    gsize left = lex->length - lex->token.start;
    for (guint i = 0; i < G_N_ELEMENTS(signs); i++) {
        gsize length = strlen(signs[i].sign);
        if (length > left || memcmp(from, signs[i].sign, length) != 0)
            continue;
        lex->kind = signs[i].kind;
        lex->token.end += length;
        if (lex->kind != T_FOREIGN)
            return TRUE;
        atlas_diags_error(lex->diags, atlas_lex_span(lex, lex->token),
                          "'%s' means nothing in expressions", signs[i].sign);
        atlas_diags_hint(lex->diags, "%s", signs[i].hint);
        return FALSE;
    }
    const char *next = g_utf8_find_next_char(from, from + left);
    lex->token.end = next ? (gsize)(next - lex->text) : lex->length;
    return atlas_lex_unexpected(lex, "a number, a name or an operator");
}

static gsize behind_blanks(const Lex *lex) {
    gsize i = lex->token.end;
    while (i < lex->length && g_ascii_isspace(lex->text[i]))
        i++;
    return i;
}

gboolean atlas_lex_next(Lex *lex) {
    gsize start = behind_blanks(lex), last_end = lex->token.end;
    lex->token = (Range){start, start};
    if (start == lex->length) {
        lex->kind = T_END;
        lex->token = (Range){last_end, last_end};
        return TRUE;
    }
    if (g_ascii_isdigit(lex->text[start]) || lex->text[start] == '.')
        return number(lex);
    lex->kind = T_FOREIGN;
    if (!is_word(lex->text[start]))
        return sign(lex);
    word(lex);
    return TRUE;
}

gboolean atlas_lex_before_open(const Lex *lex) {
    gsize next = behind_blanks(lex);
    return next < lex->length && lex->text[next] == '(';
}

gboolean atlas_expr_reserved(const char *word) {
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].word, word) == 0)
            return TRUE;
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (strcmp(functions[i].name, word) == 0)
            return TRUE;
    return FALSE;
}
