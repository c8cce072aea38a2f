/* Expressions: what they are worth, how they depend on unknowns, and their bounds. */
#include "tests/unit/expr_scope.h"

#include <string.h>

#include "tests/unit/suites.h"

static const char *const params[] = {"iters", "experts", "zero", "huge", "least", NULL};
static const char *const loops[] = {"i", "j", NULL};
static const char *const unknowns[] = {"u", "v", "w", "none", NULL};
const char *const expr_test_arms[] = {"kda", "jepa_off", "far", NULL};
const char *const expr_test_candidates[] = {"iters", "experts", "zero",     "huge", "least",
                                            "i",     "j",       "u",        "v",    "w",
                                            "none",  "kda",     "jepa_off", "far",  NULL};
static const guint arm_bits[] = {0, 1, 70};

static const AtlasEnv env = {
    .params = (const gint64[]){4, 3, 0, G_MAXINT64, G_MININT64},
    .arms = (const guint64[]){1, (guint64)1 << 6},
    .loops = (const gint64[]){2, 0},
    .unknowns = (const AtlasRat[]){{786, 1}, {20, 3}, {5, 1}, {0, 0}},
};

static gboolean find(const char *const *names, const char *name, guint *index) {
    for (*index = 0; names[*index]; (*index)++)
        if (strcmp(names[*index], name) == 0)
            return TRUE;
    return FALSE;
}

AtlasNameKind expr_test_lookup(const char *name, guint *index, gpointer data) {
    (void)data;
    if (find(params, name, index))
        return ATLAS_NAME_PARAM;
    if (find(loops, name, index))
        return ATLAS_NAME_LOOP;
    if (find(unknowns, name, index))
        return ATLAS_NAME_UNKNOWN;
    if (!find(expr_test_arms, name, index))
        return ATLAS_NAME_NONE;
    *index = arm_bits[*index];
    return ATLAS_NAME_ARM;
}

const AtlasScope expr_test_scope = {expr_test_lookup, expr_test_candidates, expr_test_arms, NULL,
                                    TRUE};

/* Parses a text that must be right. */
static AtlasExpr *parsed(const char *text) {
    g_autoptr(AtlasSource) source = atlas_source_new("s.yaml", text, strlen(text), NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasExpr *expr =
        atlas_expr_parse((AtlasSpan){source, 0, strlen(text)}, &expr_test_scope, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    ck_assert_msg(expr && atlas_diags_errors(diags) == 0, "%s: %s", text, errors);
    return expr;
}

static void assert_rat(const char *text, AtlasRat got, gint64 num, gint64 den) {
    ck_assert_msg(got.num == num && got.den == den,
                  "%s: %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT
                  "/%" G_GINT64_FORMAT,
                  text, got.num, got.den, num, den);
}

/* --- values --- */

static const struct {
    const char *text;
    gint64 num, den; /* den 0: no number */
} values[] = {
    /* numbers and names */
    {"0", 0, 1},
    {"007", 7, 1},
    {" \t 4 \r\n", 4, 1},
    {"0.5", 1, 2},
    {"2.50", 5, 2},
    {"9223372036854775807", G_MAXINT64, 1},
    {"iters", 4, 1},
    {"i", 2, 1},
    {"u", 786, 1},
    {"v", 20, 3},
    {"kda", 1, 1},
    {"jepa_off", 0, 1},
    {"far", 1, 1},
    {"on(kda)", 1, 1},
    {"on ( jepa_off )", 0, 1},
    {"on(far)", 1, 1},
    /* precedence and associativity */
    {"1 + 2 * 3", 7, 1},
    {"(1 + 2) * 3", 9, 1},
    {"10 - 4 - 3", 3, 1},
    {"10 - (4 - 3)", 9, 1},
    {"24 / 4 / 3", 2, 1},
    {"24 / (4 / 3)", 18, 1},
    {"24 / 4 * 3", 18, 1},
    {"-2 * 3", -6, 1},
    {"2 * -3", -6, 1},
    {"2 - -3", 5, 1},
    {"- - 3", 3, 1},
    {"-(1 + 2)", -3, 1},
    {"1 + 1 == 2", 1, 1},
    {"1 < 2 or 0 == 1", 1, 1},
    {"not 1 == 2", 1, 1},
    {"not 2 + 3", 0, 1},
    {"not not 5", 1, 1},
    {"not 1 or 1", 1, 1},
    {"not (1 or 1)", 0, 1},
    {"1 or 1 and 0", 1, 1},
    {"(1 or 1) and 0", 0, 1},
    {"0 and 0 or 1", 1, 1},
    {"1 and not 0", 1, 1},
    {"0 or 0 or 3", 1, 1},
    {"1 and 2 and 3", 1, 1},
    {"1 + (2 < 3)", 2, 1},
    {"2 * (not 0)", 2, 1},
    /* comparisons */
    {"2 == 2", 1, 1},
    {"2 < 2", 0, 1},
    {"2 <= 2", 1, 1},
    {"2 > 2", 0, 1},
    {"2 >= 2", 1, 1},
    {"1 < 2", 1, 1},
    {"1 > 2", 0, 1},
    {"1 >= 2", 0, 1},
    {"3 <= 2", 0, 1},
    {"1/3 < 0.34", 1, 1},
    {"1/3 > 0.33", 1, 1},
    {"1/3 == 2/6", 1, 1},
    {"0.1 + 0.2 == 0.3", 1, 1},
    {"-1 < 0", 1, 1},
    /* exact arithmetic */
    {"1/3", 1, 3},
    {"1/3 + 1/6", 1, 2},
    {"1/2 - 1/3", 1, 6},
    {"2/3 * 3/2", 1, 1},
    {"229 * 3 / 10", 687, 10},
    {"7 / -2", -7, 2},
    {"u / 4 * 4", 786, 1},
    {"v * experts", 20, 1},
    {"(u + v) * 0.5", 1189, 3},
    /* functions */
    {"min(3, 2)", 2, 1},
    {"min(3, 2, 5, 1 + 1)", 2, 1},
    {"max(3, 2)", 3, 1},
    {"max(1/3, 0.33, 0.3)", 1, 3},
    {"max(iters, experts) - min(iters, experts)", 1, 1},
    {"ceil(7/2)", 4, 1},
    {"ceil(-7/2)", -3, 1},
    {"ceil(4)", 4, 1},
    {"floor(7/2)", 3, 1},
    {"floor(-7/2)", -4, 1},
    {"floor(-4)", -4, 1},
    {"7 - 2 * floor(7 / 2)", 1, 1},
    {"if(1, 2, 3)", 2, 1},
    {"if(0, 2, 3)", 3, 1},
    {"if(0.1, 2, 3)", 2, 1},
    {"1 + if(iters > 3, if(kda, 10, 20), 30) * 2", 21, 1},
    {"if(if(0, 0, 1), if(jepa_off, 1, 2), 3)", 2, 1},
    {"min(if(kda, 1, 2), 5)", 1, 1},
    {"5 - if(jepa_off, 1, 2)", 3, 1},
    {"if(kda, 1, 2) - 5", -4, 1},
    /* as specs write them */
    {"u * experts + w * (iters - 1)", 2373, 1},
    {"i > 0 and kda", 1, 1},
    {"j > 0 and kda", 0, 1},
    {"if(i > 0, u, 2 * u)", 786, 1},
    {"if(j > 0, u, 2 * u)", 1572, 1},
    {"ceil(iters * experts / 5)", 3, 1},
    /* what is not taken is not looked at */
    {"if(zero, 1 / zero, 7)", 7, 1},
    {"if(iters, 7, 1 / zero)", 7, 1},
    {"zero and 1 / zero", 0, 1},
    {"iters or 1 / zero", 1, 1},
    {"zero > 0 and 1 / zero < 2 or kda", 1, 1},
    {"if(kda, u, none)", 786, 1},
    {"2 * if(jepa_off, none, 3) + 1", 7, 1},
    /* no number */
    {"1 / 0", 0, 0},
    {"1 / zero", 0, 0},
    {"0 * (1 / zero)", 0, 0},
    {"none", 0, 0},
    {"0 * none", 0, 0},
    {"1 + none", 0, 0},
    {"if(1 / zero, 1, 2)", 0, 0},
    {"if(kda, 1 / zero, 2)", 0, 0},
    {"1 / zero and 0", 0, 0},
    {"1 / zero or 1", 0, 0},
    {"1 and 1 / zero", 0, 0},
    {"not 1 / zero", 0, 0},
    {"min(1, 1 / zero)", 0, 0},
    {"1 / zero == 1 / zero", 0, 0},
    {"ceil(1 / zero)", 0, 0},
    {"-(1 / zero)", 0, 0},
    /* what does not fit */
    {"huge", G_MAXINT64, 1},
    {"-huge", -G_MAXINT64, 1},
    {"huge + 1", 0, 0},
    {"-huge - 1", 0, 0},
    {"-huge - 2", 0, 0},
    {"huge * 2", 0, 0},
    {"huge * huge", 0, 0},
    {"huge + 1 - 1", 0, 0},
    {"huge - 1 + 1", G_MAXINT64, 1},
    {"huge / 2 * 2", G_MAXINT64, 1},
    {"1 / huge / 2", 0, 0},
    {"1 / huge + 1 / (huge - 1)", 0, 0},
    {"-huge / -1", G_MAXINT64, 1},
    {"huge / huge", 1, 1},
    {"least", 0, 0},
    {"least + 1", 0, 0},
    {"0 - least", 0, 0},
    {"1/huge < 1/(huge - 1)", 1, 1},
};

START_TEST(test_values) {
    g_autoptr(AtlasExpr) expr = parsed(values[_i].text);
    assert_rat(values[_i].text, atlas_expr_value(expr, &env), values[_i].num, values[_i].den);
}
END_TEST

/* Text that stands in no source gives the same values. */
START_TEST(test_parse_text) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasExpr) expr =
        atlas_expr_parse_text("u *\n  experts", (AtlasSpan){NULL, 0, 0}, &expr_test_scope, diags);
    ck_assert_ptr_nonnull(expr);
    assert_rat("u * experts", atlas_expr_value(expr, &env), 2358, 1);
}
END_TEST

START_TEST(test_constant) {
    g_autoptr(AtlasExpr) expr = atlas_expr_constant((AtlasRat){7, 3});
    guint count = 1;
    assert_rat("constant", atlas_expr_value(expr, &env), 7, 3);
    assert_rat("constant", atlas_expr_value_at(expr, &env, 0), 7, 3);
    ck_assert(!atlas_expr_uses_loop(expr, 0));
    atlas_expr_unknowns(expr, &count);
    ck_assert_uint_eq(count, 0);
    g_autoptr(AtlasExpr) renamed = atlas_expr_rename(expr, (const guint[]){3, 2, 1, 0});
    assert_rat("constant", atlas_expr_value(renamed, &env), 7, 3);
}
END_TEST

START_TEST(test_uses_loop) {
    static const struct {
        const char *text;
        gboolean i, j;
    } cases[] = {
        {"4", FALSE, FALSE},       {"iters", FALSE, FALSE},         {"i", TRUE, FALSE},
        {"2 * j", FALSE, TRUE},    {"if(0, i, u) + j", TRUE, TRUE}, {"u + v", FALSE, FALSE},
        {"zero + i", TRUE, FALSE}, {"max(1, 2, j)", FALSE, TRUE},
    };
    for (guint k = 0; k < G_N_ELEMENTS(cases); k++) {
        g_autoptr(AtlasExpr) expr = parsed(cases[k].text);
        ck_assert_msg(atlas_expr_uses_loop(expr, 0) == cases[k].i, "%s", cases[k].text);
        ck_assert_msg(atlas_expr_uses_loop(expr, 1) == cases[k].j, "%s", cases[k].text);
    }
}
END_TEST

/* --- unknowns --- */

/* The value without unknowns, and the coefficients of u, v and w, times `by`. */
static const struct {
    const char *text;
    gint64 by, none, u, v, w;
} linear[] = {
    {"7", 1, 7, 0, 0, 0},
    {"u", 1, 0, 1, 0, 0},
    {"u - u", 1, 0, 0, 0, 0},
    {"-w", 1, 0, 0, 0, -1},
    {"u * experts + v", 1, 0, 3, 1, 0},
    {"experts * u + w * (iters - 1) + 5", 1, 5, 3, 0, 3},
    {"u / experts - 2 * (v + 0.5)", 3, -3, 1, -6, 0},
    {"if(i > 0, u, v)", 1, 0, 1, 0, 0},
    {"if(j > 0, u, v)", 1, 0, 0, 1, 0},
    {"2 * if(kda, u + v, w) + if(jepa_off, 1, w)", 1, 0, 2, 2, 1},
    {"(iters > 3) * u + kda * v + on(jepa_off) * w", 1, 0, 1, 1, 0},
    {"-(u - (v - (w - 1)))", 1, 1, -1, 1, -1},
};

START_TEST(test_linear) {
    const char *text = linear[_i].text;
    g_autoptr(AtlasExpr) expr = parsed(text);
    const gint64 expected[] = {linear[_i].u, linear[_i].v, linear[_i].w, 0};
    AtlasRat by = atlas_rat(linear[_i].by);
    AtlasRat none = atlas_expr_value_at(expr, &env, G_MAXUINT);
    assert_rat(text, atlas_rat_mul(none, by), linear[_i].none, 1);
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        AtlasRat one = atlas_expr_value_at(expr, &env, i);
        assert_rat(text, atlas_rat_mul(atlas_rat_sub(one, none), by), expected[i], 1);
    }
}
END_TEST

/* The unknowns of an expression as text, such as "0 2". */
static char *unknowns_of(const AtlasExpr *expr) {
    GString *text = g_string_new(NULL);
    guint count;
    const guint *list = atlas_expr_unknowns(expr, &count);
    for (guint i = 0; i < count; i++)
        g_string_append_printf(text, "%s%u", i ? " " : "", list[i]);
    return g_string_free(text, FALSE);
}

START_TEST(test_unknowns) {
    static const char *const cases[][2] = {
        {"4", ""},
        {"iters * i", ""},
        {"u", "0"},
        {"w + u", "0 2"},
        {"w + v + u + w + u * 3", "0 1 2"},
        {"if(jepa_off, v, none) - v", "1 3"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AtlasExpr) expr = parsed(cases[i][0]);
        g_autofree char *got = unknowns_of(expr);
        ck_assert_str_eq(got, cases[i][1]);
    }
}
END_TEST

START_TEST(test_rename) {
    g_autoptr(AtlasExpr) expr = parsed("2 * u + w * iters + 0.5");
    g_autoptr(AtlasExpr) swapped = atlas_expr_rename(expr, (const guint[]){2, 1, 0, 3});
    g_autoptr(AtlasExpr) merged = atlas_expr_rename(expr, (const guint[]){7, 1, 7, 3});
    g_autofree char *before = unknowns_of(expr), *after = unknowns_of(merged);
    assert_rat("original", atlas_expr_value(expr, &env), 3185, 2);
    assert_rat("swapped", atlas_expr_value(swapped, &env), 6309, 2);
    assert_rat("merged", atlas_expr_value_at(merged, &env, 7), 13, 2);
    ck_assert_str_eq(before, "0 2");
    ck_assert_str_eq(after, "7");
}
END_TEST

/* --- bounds --- */

/* `times` times `before`, the middle, `times` times `after`. */
static char *nested(guint times, const char *before, const char *middle, const char *after) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < times; i++)
        g_string_append(text, before);
    g_string_append(text, middle);
    for (guint i = 0; i < times; i++)
        g_string_append(text, after);
    return g_string_free(text, FALSE);
}

/* 64 levels are allowed whatever they are made of, and 65 are not. */
START_TEST(test_nesting) {
    static const struct {
        const char *before, *middle, *after;
        gint64 num, den;
    } cases[] = {
        {"(", "iters", ")", 4, 1},
        {"-", "iters", "", 4, 1},
        {"not ", "iters", "", 1, 1},
        {"floor(", "iters", ")", 4, 1},
        {"min(", "iters", ", 5)", 4, 1},
        {"if(", "iters", ", 1, 0)", 1, 1},
        {"if(kda, 1 + ", "iters", ", 0)", 68, 1},
        /* holds back as many values as can be: each level turns 1 into 0 and 0 into 1 */
        {"max(0, 0 == 0 + 1 * ", "kda", ")", 1, 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *most = nested(64, cases[i].before, cases[i].middle, cases[i].after);
        g_autofree char *more = nested(65, cases[i].before, cases[i].middle, cases[i].after);
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasExpr) expr = parsed(most);
        assert_rat(most, atlas_expr_value(expr, &env), cases[i].num, cases[i].den);
        ck_assert_ptr_null(
            atlas_expr_parse_text(more, (AtlasSpan){NULL, 0, 0}, &expr_test_scope, diags));
        g_autofree char *got = atlas_diags_render(diags, FALSE);
        ck_assert_str_eq(got, "error: expression nests deeper than 64 levels\n"
                              "hint: leave out parentheses and signs that change nothing\n");
    }
}
END_TEST

/* Length is not bounded. */
START_TEST(test_long) {
    g_autofree char *sum = nested(20000, "u + (1) * min(1, 1) - -", "0", "");
    g_autofree char *logic = nested(20000, "zero or (iters > 3) and ", "kda", "");
    g_autoptr(AtlasExpr) a = parsed(sum);
    g_autoptr(AtlasExpr) b = parsed(logic);
    guint count;
    const guint *first = atlas_expr_unknowns(a, &count);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(first[0], 0);
    /* each u is 1, and each product behind it, too */
    assert_rat("sum", atlas_expr_value_at(a, &env, 0), 40000, 1);
    assert_rat("logic", atlas_expr_value(b, &env), 1, 1);
}
END_TEST

START_TEST(test_reserved) {
    static const char *const words[] = {"min", "max", "if", "ceil", "floor",
                                        "on",  "and", "or", "not"};
    for (guint i = 0; i < G_N_ELEMENTS(words); i++)
        ck_assert_msg(atlas_expr_reserved(words[i]), "%s", words[i]);
    ck_assert(!atlas_expr_reserved("iters"));
    ck_assert(!atlas_expr_reserved("mins"));
    ck_assert(!atlas_expr_reserved("mi"));
    ck_assert(!atlas_expr_reserved(""));
}
END_TEST

static void add_case(Suite *suite, const char *name, const TTest *const *tests) {
    TCase *tcase = tcase_create(name);
    for (; *tests; tests++)
        tcase_add_test(tcase, *tests);
    suite_add_tcase(suite, tcase);
}

static void add_loop(Suite *suite, const char *name, const TTest *test, int count) {
    TCase *tcase = tcase_create(name);
    tcase_add_loop_test(tcase, test, 0, count);
    suite_add_tcase(suite, tcase);
}

Suite *expr_suite(void) {
    Suite *suite = suite_create("expr");
    add_loop(suite, "values", test_values, G_N_ELEMENTS(values));
    add_loop(suite, "linear", test_linear, G_N_ELEMENTS(linear));
    add_case(suite, "kinds",
             (const TTest *const[]){test_parse_text, test_constant, test_uses_loop, test_unknowns,
                                    test_rename, NULL});
    add_case(suite, "bounds", (const TTest *const[]){test_nesting, test_long, test_reserved, NULL});
    return suite;
}
