/* Any text is an expression or an error, and what is an expression is linear in its unknowns. */
#include "model/launch/expr.h"

#include <stdint.h>
#include <string.h>

static AtlasNameKind lookup(const char *name, guint *index, gpointer data) {
    static const char names[] = "pqrijkuvwabc"; /* three of each kind */
    const char *at = name[0] && !name[1] ? strchr(names, name[0]) : NULL;
    (void)data;
    *index = at ? (guint)(at - names) % 3 : 0;
    return at ? (AtlasNameKind)((at - names) / 3 + ATLAS_NAME_PARAM) : ATLAS_NAME_NONE;
}

static gboolean same(AtlasRat a, AtlasRat b) {
    return a.num == b.num && a.den == b.den;
}

static void check(const AtlasExpr *expr) {
    AtlasRat unknowns[3] = {{0, 1}, {0, 1}, {0, 1}};
    const AtlasEnv env = {(const gint64[]){0, 3, G_MAXINT64}, (const guint64[]){5},
                          (const gint64[]){0, 1, -7}, unknowns};
    g_autoptr(AtlasExpr) copy = atlas_expr_rename(expr, (const guint[]){0, 1, 2});
    AtlasRat none = atlas_expr_value_at(expr, &env, G_MAXUINT);
    guint count, next = 0;
    const guint *list = atlas_expr_unknowns(expr, &count);
    g_assert(same(none, atlas_expr_value(expr, &env)) && same(none, atlas_expr_value(copy, &env)));
    for (guint i = 0; i < G_N_ELEMENTS(unknowns); i++) {
        AtlasRat one = atlas_expr_value_at(expr, &env, i);
        unknowns[i] = atlas_rat(1);
        g_assert(same(one, atlas_expr_value(expr, &env)));
        unknowns[i] = atlas_rat(2);
        AtlasRat twice = atlas_rat_mul(atlas_rat_sub(one, none), unknowns[i]);
        AtlasRat two = atlas_rat_sub(atlas_expr_value(expr, &env), none);
        g_assert(!atlas_rat_ok(twice) || !atlas_rat_ok(two) || same(twice, two));
        unknowns[i] = atlas_rat(0);
        gboolean listed = next < count && list[next] == i;
        next += listed;
        g_assert(listed || same(one, none));
    }
    g_assert(next == count);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const char *const candidates[] = {"p", "i", "u", "a", NULL}, *const arms[] = {"a", NULL};
    static const AtlasScope scope = {lookup, candidates, arms, NULL, TRUE};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("x", (const char *)data, size, NULL);
    if (!source)
        return 0;
    g_autoptr(AtlasExpr) expr = atlas_expr_parse((AtlasSpan){source, 0, size}, &scope, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_assert(expr ? errors[0] == '\0' : atlas_diags_errors(diags) == 1);
    if (expr)
        check(expr);
    return 0;
}
