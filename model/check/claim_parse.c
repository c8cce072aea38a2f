/* Recursive descent over the grammar in claims.h. Functions return FALSE where they added an error;
 * then everything stops. */
#include <string.h>

#include "model/check/claim_expr.h"

enum { NESTING_MAX = 64 };

typedef struct {
    ClaimLex lex;
    Scope *scope;
    guint nesting;
    gboolean percent; /* a '%' was read since this was last cleared */
    GArray *others;   /* of Value: what `rank` compares with; NULL: no rank was read */
} Parser;

static gboolean sum(Parser *p, Value *out);

/* ---- primaries ---- */

static gboolean eat(Parser *p, ClaimToken kind, const char *expected) {
    return p->lex.kind == kind ? claim_lex_next(&p->lex) : claim_lex_unexpected(&p->lex, expected);
}

/* Behind "run(...)" or "at(...)": the member's path without its dot. Makes the token's place *at.
 */
static char *member(Parser *p, AtlasSpan *at) {
    if (!claim_lex_next(&p->lex))
        return NULL;
    if (p->lex.kind != K_MEMBER) {
        claim_lex_unexpected(&p->lex, "'.' and a name");
        atlas_diags_hint(p->lex.diags, "write run(NAME).STAGE, at(SETTINGS).total");
        return NULL;
    }
    *at = claim_lex_span(&p->lex);
    return g_strndup(p->lex.text + p->lex.start + 1, p->lex.end - p->lex.start - 1);
}

static gboolean run(Parser *p, Value *out) {
    AtlasSpan at;
    g_autofree char *name = claim_lex_raw(&p->lex, &at);
    g_autofree char *path = name ? member(p, &at) : NULL;
    return path && claim_run(p->scope, name, path, at, out) && claim_lex_next(&p->lex);
}

static gboolean at_settings(Parser *p, Value *out) {
    AtlasSpan at, path_at;
    g_autofree char *settings = claim_lex_raw(&p->lex, &at);
    g_autofree char *path = settings ? member(p, &path_at) : NULL;
    if (!path)
        return FALSE;
    if (!g_str_equal(path, "pop")) {
        /* an unknown name and faulty settings are both shown where they stand */
        Value total;
        return claim_name(p->scope, "total", settings, at, &total) &&
               claim_name(p->scope, path, settings, path_at, out) && claim_lex_next(&p->lex);
    }
    if (!claim_lex_next(&p->lex))
        return FALSE;
    if (p->lex.kind != K_OPEN)
        return claim_lex_unexpected(&p->lex, "'('");
    g_autofree char *globs = claim_lex_raw(&p->lex, &path_at);
    return globs && claim_populations(p->scope, globs, settings, path_at, out) &&
           claim_lex_next(&p->lex);
}

static gboolean pop(Parser *p, Value *out) {
    AtlasSpan at;
    g_autofree char *globs = claim_lex_raw(&p->lex, &at);
    return globs && claim_populations(p->scope, globs, "", at, out) && claim_lex_next(&p->lex);
}

/* sum(LIST) and count(LIST) */
static gboolean over_list(Parser *p, gboolean counts, Value *out) {
    AtlasSpan at;
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(Value));
    g_autofree char *globs = claim_lex_raw(&p->lex, &at);
    if (!globs || !claim_list(p->scope, globs, at, list))
        return FALSE;
    *out = claim_constant(p->scope, atlas_rat(counts ? list->len : 0));
    for (guint i = 0; !counts && i < list->len; i++)
        if (!claim_add(p->scope, *out, g_array_index(list, Value, i), 1, out)) {
            atlas_diags_error(p->lex.diags, at, "a quotient cannot be added up here");
            return FALSE;
        }
    return claim_lex_next(&p->lex);
}

static gboolean sum_list(Parser *p, Value *out) {
    return over_list(p, FALSE, out);
}

static gboolean count_list(Parser *p, Value *out) {
    return over_list(p, TRUE, out);
}

static gboolean share(Parser *p, Value *out) {
    Value part, total;
    AtlasSpan at = claim_lex_span(&p->lex);
    if (!claim_lex_next(&p->lex) || !sum(p, &part) || !eat(p, K_CLOSE, "')'") ||
        !claim_name(p->scope, "total", "", at, &total))
        return FALSE;
    if (claim_divide(p->scope, part, total, out))
        return TRUE;
    atlas_diags_error(p->lex.diags, at, "a share is of a sum, not of a quotient");
    return FALSE;
}

/* rank(x in LIST): only as the left side of a comparison, which then takes the list. */
static gboolean rank(Parser *p, Value *out) {
    AtlasSpan at = claim_lex_span(&p->lex);
    if (p->others) {
        atlas_diags_error(p->lex.diags, at, "one rank in a comparison");
        return FALSE;
    }
    if (!claim_lex_next(&p->lex) || !sum(p, out))
        return FALSE;
    if (!claim_lex_is(&p->lex, "in"))
        return claim_lex_unexpected(&p->lex, "'in' and a list");
    g_autofree char *globs = claim_lex_raw(&p->lex, &at);
    p->others = g_array_new(FALSE, FALSE, sizeof(Value));
    return globs && claim_list(p->scope, globs, at, p->others) && claim_lex_next(&p->lex);
}

static const struct {
    const char *name;
    gboolean (*parse)(Parser *p, Value *out); /* the token is '(' */
} functions[] = {
    {"run", run},          {"at", at_settings}, {"pop", pop},   {"sum", sum_list},
    {"count", count_list}, {"share", share},    {"rank", rank},
};

static gboolean name(Parser *p, Value *out) {
    AtlasSpan at = claim_lex_span(&p->lex);
    g_autofree char *word = g_strndup(p->lex.text + p->lex.start, p->lex.end - p->lex.start);
    if (!claim_lex_next(&p->lex))
        return FALSE;
    if (p->lex.kind != K_OPEN)
        return claim_name(p->scope, word, "", at, out);
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        if (g_str_equal(functions[i].name, word))
            return functions[i].parse(p, out);
    const char *names[G_N_ELEMENTS(functions) + 1] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(functions); i++)
        names[i] = functions[i].name;
    atlas_diags_error(p->lex.diags, at, "no function is named '%s'", word);
    atlas_diags_suggest(p->lex.diags, word, "functions are", names);
    return FALSE;
}

/* primary := NUMBER | name | call | '(' sum ')' */
static gboolean primary(Parser *p, Value *out) {
    if (p->lex.kind == K_NAME)
        return name(p, out);
    if (p->lex.kind == K_NUMBER) {
        *out = claim_constant(p->scope, p->lex.number);
        return claim_lex_next(&p->lex);
    }
    if (p->lex.kind == K_OPEN)
        return claim_lex_next(&p->lex) && sum(p, out) && eat(p, K_CLOSE, "an operator or ')'");
    return claim_lex_unexpected(&p->lex, "a value");
}

/* ---- operators ---- */

/* factor := '-' factor | primary ['%'] */
static gboolean factor(Parser *p, Value *out) {
    gboolean ok;
    if (p->nesting++ == NESTING_MAX) {
        atlas_diags_error(p->lex.diags, claim_lex_span(&p->lex),
                          "claim nests deeper than %d levels", NESTING_MAX);
        return FALSE;
    }
    if (p->lex.kind == K_MINUS) {
        ok = claim_lex_next(&p->lex) && factor(p, out) &&
             claim_multiply(p->scope, *out, claim_constant(p->scope, atlas_rat(-1)), out);
    } else {
        ok = primary(p, out);
        if (ok && p->lex.kind == K_PERCENT) {
            p->percent = TRUE;
            ok = claim_divide(p->scope, *out, claim_constant(p->scope, atlas_rat(100)), out) &&
                 claim_lex_next(&p->lex);
        }
    }
    p->nesting--;
    return ok;
}

static gboolean combine(Parser *p, ClaimToken kind, AtlasSpan at, Value right, Value *out) {
    AtlasRat divisor = claim_number(right.num);
    if (kind == K_OVER && atlas_rat_ok(divisor) && divisor.num == 0) {
        atlas_diags_error(p->lex.diags, at, "this divides by zero");
        return FALSE;
    }
    gboolean ok = kind == K_TIMES  ? claim_multiply(p->scope, *out, right, out)
                  : kind == K_OVER ? claim_divide(p->scope, *out, right, out)
                                   : claim_add(p->scope, *out, right, kind == K_PLUS ? 1 : -1, out);
    if (!ok) {
        atlas_diags_error(p->lex.diags, at, "not linear in what is unknown");
        atlas_diags_hint(p->lex.diags,
                         "one sum of launches can be divided by another, and that be multiplied "
                         "by numbers; move other terms to the other side");
        return FALSE;
    }
    if (claim_form_ok(out->num) && (!out->den || claim_form_ok(out->den)))
        return TRUE;
    atlas_diags_error(p->lex.diags, at, "this does not fit 64 bits");
    return FALSE;
}

/* term := factor {('*' | '/') factor} */
static gboolean term(Parser *p, Value *out) {
    if (!factor(p, out))
        return FALSE;
    while (p->lex.kind == K_TIMES || p->lex.kind == K_OVER) {
        ClaimToken kind = p->lex.kind;
        AtlasSpan at = claim_lex_span(&p->lex);
        Value right;
        if (!claim_lex_next(&p->lex) || !factor(p, &right) || !combine(p, kind, at, right, out))
            return FALSE;
    }
    return TRUE;
}

/* sum := term {('+' | '-') term} */
static gboolean sum(Parser *p, Value *out) {
    if (!term(p, out))
        return FALSE;
    while (p->lex.kind == K_PLUS || p->lex.kind == K_MINUS) {
        ClaimToken kind = p->lex.kind;
        AtlasSpan at = claim_lex_span(&p->lex);
        Value right;
        if (!claim_lex_next(&p->lex) || !term(p, &right) || !combine(p, kind, at, right, out))
            return FALSE;
    }
    return TRUE;
}

/* ---- comparisons ---- */

static void comparison_clear(gpointer data) {
    Comparison *c = data;
    g_free(c->text);
    if (c->others)
        g_array_unref(c->others);
}

/* Behind the right side: a tolerance, in percent where the right side is. */
static gboolean tolerance(Parser *p, Comparison *c) {
    AtlasSpan at = claim_lex_span(&p->lex);
    Value value;
    c->tolerance = atlas_rat(0);
    c->percent = p->percent;
    if (p->lex.kind != K_WITHIN)
        return TRUE;
    p->percent = FALSE;
    if (!claim_lex_next(&p->lex) || !term(p, &value))
        return FALSE;
    c->tolerance = value.den ? ATLAS_RAT_NONE : claim_number(value.num);
    if (c->op != CMP_EQ && c->op != CMP_NE) {
        atlas_diags_error(p->lex.diags, at, "a tolerance goes with '==' and '!=' only");
        return FALSE;
    }
    if (!atlas_rat_ok(c->tolerance) || c->tolerance.num < 0) {
        atlas_diags_error(p->lex.diags, at, "a tolerance is a number >= 0");
        return FALSE;
    }
    if (c->percent && !p->percent)
        c->tolerance = atlas_rat_div(c->tolerance, atlas_rat(100));
    c->percent = c->percent || p->percent;
    return TRUE;
}

static char *text_of(const Parser *p, gsize start) {
    g_auto(GStrv) parts = NULL;
    gsize end = p->lex.kind == K_END ? p->lex.length : p->lex.start;
    g_autofree char *text = g_strstrip(g_strndup(p->lex.text + start, end - start));
    parts = g_strsplit(text, "+-", -1);
    return g_strjoinv("\xc2\xb1", parts);
}

/* comparison := sum OP sum ['+-' term] */
static gboolean comparison(Parser *p, Comparison *c) {
    if (!sum(p, &c->left))
        return FALSE;
    gsize start = p->lex.start;
    AtlasSpan at = claim_lex_span(&p->lex);
    c->others = g_steal_pointer(&p->others);
    c->op = p->lex.compare;
    p->percent = FALSE;
    if (!eat(p, K_COMPARE, "a comparison") || !sum(p, &c->right) || !tolerance(p, c))
        return FALSE;
    c->text = text_of(p, start);
    if (p->others || (c->others && (c->right.den || !atlas_rat_ok(claim_number(c->right.num))))) {
        atlas_diags_error(p->lex.diags, at, "a rank stands left, and a number right of it");
        return FALSE;
    }
    Value difference;
    if (!claim_add(p->scope, c->left, c->right, -1, &difference)) {
        atlas_diags_error(p->lex.diags, at, "the two sides divide by different sums");
        atlas_diags_hint(p->lex.diags, "for 'a / b == c / d' there is no linear form");
        return FALSE;
    }
    if (!claim_form_ok(difference.num)) {
        atlas_diags_error(p->lex.diags, at, "this does not fit 64 bits");
        return FALSE;
    }
    if (p->lex.kind != K_COMPARE)
        return TRUE;
    atlas_diags_error(p->lex.diags, claim_lex_span(&p->lex), "comparisons do not chain");
    atlas_diags_hint(p->lex.diags, "for 'a < b < c' write 'a < b and b < c'");
    return FALSE;
}

static gboolean comparisons(Parser *p, GArray *out) {
    for (;;) {
        Comparison c = {.text = NULL};
        gboolean ok = comparison(p, &c);
        g_array_append_val(out, c);
        if (!ok)
            return FALSE;
        if (p->lex.kind == K_END)
            return TRUE;
        if (!claim_lex_is(&p->lex, "and"))
            return claim_lex_unexpected(&p->lex, "'and' or the end");
        if (!claim_lex_next(&p->lex))
            return FALSE;
    }
}

GArray *claim_parse(Scope *scope, const AtlasText *text) {
    Parser p = {.scope = scope};
    GArray *out = g_array_new(FALSE, TRUE, sizeof(Comparison));
    g_array_set_clear_func(out, comparison_clear);
    gboolean ok = claim_lex_start(&p.lex, text, scope->diags) && comparisons(&p, out);
    if (p.others)
        g_array_unref(p.others);
    if (ok)
        return out;
    g_array_unref(out);
    return NULL;
}

gboolean claim_parse_value(Scope *scope, const AtlasText *text, Value *out) {
    Parser p = {.scope = scope};
    gboolean ok = claim_lex_start(&p.lex, text, scope->diags) && sum(&p, out) &&
                  (p.lex.kind == K_END || claim_lex_unexpected(&p.lex, "an operator or the end"));
    if (ok && p.others) {
        atlas_diags_error(scope->diags, text->at, "a rank is no number of launches");
        ok = FALSE;
    }
    if (p.others)
        g_array_unref(p.others);
    return ok;
}
