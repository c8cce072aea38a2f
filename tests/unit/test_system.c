/* The system that runs make, against rows written down by hand. That it has the same solutions as
 * the textbook form, with a variable for every flow, is checked in test_lp.c.
 */
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

/* 3, 3+2L, -L */
static void append_affine(GString *out, AtlasAffine a) {
    char number[64];
    if (a.fixed.num != 0 || a.per_lag.num == 0)
        g_string_append(out, atlas_rat_format(a.fixed, 6, number, sizeof number));
    if (a.per_lag.num > 0 && a.fixed.num != 0)
        g_string_append_c(out, '+');
    if (a.per_lag.num != 0)
        g_string_append_printf(out, "%sL", atlas_rat_format(a.per_lag, 6, number, sizeof number));
}

/* Columns as "c2: 0 to 2L", where "c0: 0" has no upper bound and "c0: whole 0" is whole; rows as
 * "3 <= 2 c0 + 1 c2 <= 3+2L", with "flow:" before those that are flows. */
static char *system_text(const AtlasSystem *system) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < system->columns->len; i++) {
        const AtlasColumn *column = ATLAS_COLUMN(system, i);
        g_string_append_printf(out, "c%u: %s", i, column->whole ? "whole " : "");
        append_affine(out, column->lo);
        if (column->bounded) {
            g_string_append(out, " to ");
            append_affine(out, column->hi);
        }
        g_string_append_c(out, '\n');
    }
    for (guint i = 0; i < system->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(system, i);
        const char *before = " <= ";
        g_string_append(out, row->flow ? "flow: " : "");
        append_affine(out, row->lo);
        for (guint t = row->first; t < row->first + row->count; t++) {
            const AtlasTerm *term = ATLAS_TERM(system, t);
            if (term->coef == 0)
                continue;
            g_string_append_printf(out, "%s%d c%u", before, (int)term->coef, term->column);
            before = " + ";
        }
        g_string_append(out, " <= ");
        append_affine(out, row->hi);
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

#define SPEC                                                                                       \
    "atlas: 1\nname: small\ncounter: {lag: 1}\n"                                                   \
    "params: {p: {default: 1, min: 0, max: 9}}\n"                                                  \
    "stages:\n"                                                                                    \
    "  - {stage: a, do: [{launch: x, count: u * p}, {launch: y, count: 5}]}\n"                     \
    "  - {stage: b, do: [{launch: z, every: 2, count: 0.5 * v + u}]}\n"                            \
    "unknowns: {u: {min: 1}, v: {kind: real}}\n"
#define HEAD "run\tconfiguration\tsteps\ta\tb\ttotal\n"

/* u and v are c0 and c1; c2 is what flows into stage a. */
static const struct {
    const char *runs, *expected;
} systems[] = {
    {HEAD, "c0: whole 1\nc1: 0\n"},
    /* Two steps, of which one has z: 2 u + 10 in a, v / 2 + u in b; counted 16 and 5. What flows
     * out of a is c2 + 2 u + 10 - 16, out of b that + v / 2 + u - 5 (here doubled). */
    {HEAD "r\t-\t2-3\t8.0\t2.5\t-\n", "c0: whole 1\nc1: 0\nc2: 0 to 2L\n"
                                      "flow: 6 <= 2 c0 + 1 c2 <= 6+2L\n"
                                      "flow: 22 <= 6 c0 + 1 c1 + 2 c2 <= 22+4L\n"
                                      "-22-2L <= -6 c0 + -1 c1 <= -22+2L\n"},
    /* An exact total adds nothing to exact stages. */
    {HEAD "r\tp=0\t1-1\t8.0\t0.0\t8.0\n", "c0: whole 1\nc1: 0\nc2: 0 to 1L\n"
                                          "flow: 3 <= 1 c2 <= 3+1L\n"
                                          "flow: 3 <= 1 c2 <= 3+1L\n"
                                          "-3-1L <= -3+1L\n"},
    /* Behind a stage that was not measured, what flows is a column of its own. */
    {HEAD "r\t-\t1-1\t-\t3.0\t-\n", "c0: whole 1\nc1: 0\nc2: 0 to 1L\nc3: 0 to 1L\n"
                                    "flow: 3 <= 1 c3 <= 3+1L\n"
                                    "-3-1L <= 1 c2 + -1 c3 <= -3+1L\n"},
    /* A total alone: launches, and what flows in and not out. */
    {HEAD "r\t-\t1-1\t-\t-\t9.0\n", "c0: whole 1\nc1: 0\nc2: 0 to 1L\nc3: 0 to 1L\nc4: 0 to 1L\n"
                                    "-1L <= 1 c2 + -1 c4 <= 1L\n"
                                    "4 <= 1 c0 + 1 c2 + -1 c4 <= 4\n"},
    /* A mean of 8 over two steps stands for 15 to 17 launches, which is a column; a total of 11 for
     * 21 to 23, which then says more than the stages do. */
    {HEAD "r\t-\t2-3\t8\t2.5\t11\n", "c0: whole 1\nc1: 0\nc2: 0 to 2L\nc3: 15 to 17\n"
                                     "flow: -10 <= 2 c0 + 1 c2 + -1 c3 <= -10+2L\n"
                                     "flow: -10 <= 6 c0 + 1 c1 + 2 c2 + -2 c3 <= -10+4L\n"
                                     "10-2L <= -6 c0 + -1 c1 + 2 c3 <= 10+2L\n"
                                     "16 <= 1 c3 <= 18\n"},
};

START_TEST(rows) {
    Kit kit = kit_new(SPEC, systems[_i].runs);
    g_autofree char *text = system_text(kit.system);
    ck_assert_str_eq(text, systems[_i].expected);
    kit_clear(&kit);
}
END_TEST

/* Runs that are excluded or left out leave no trace; the others keep their numbers. */
START_TEST(left_out) {
    Kit kit = kit_new("recipe: {precision: fp32}\n" SPEC, "run\tconfiguration\tsteps\ta\trecipe\n"
                                                          "r\t-\t1-1\t8.0\t-\n"
                                                          "night\t-\t1-1\t9.0\tprecision=fp16\n"
                                                          "s\tp=2\t1-1\t9.0\tprecision=fp32\n");
    static const char expected[] = "c0: whole 1\nc1: 0\nc2: 0 to 1L\nc3: 0 to 1L\n"
                                   "flow: 4 <= 2 c0 + 1 c2 <= 4+1L\n"
                                   "-1L <= 1 c2 + -1 c3 <= 1L\n";
    g_autoptr(AtlasSystem) one = atlas_system_new(kit.evidence, 0);
    g_autofree char *text = system_text(one);
    ck_assert_str_eq(text, expected);
    ck_assert_uint_eq(ATLAS_ROW(one, 0)->observation, 2);
    ck_assert_uint_eq(kit.system->columns->len, 6);
    ck_assert_uint_eq(kit.system->rows->len, 4);
    kit_clear(&kit);
}
END_TEST

/* Coefficients are made whole; where that leaves 64 bits there is no system. The two denominators
 * are primes above 2^31 and have a product above 2^63. */
START_TEST(too_large) {
    Kit kit = kit_new("atlas: 1\nname: large\nstages:\n"
                      "  - {stage: a, do: [{launch: x, count: u / 3037000507},"
                      " {launch: y, count: v / 3037000493}]}\n"
                      "unknowns: {u: {}, v: {}}\n",
                      "run\tconfiguration\tsteps\ta\nr\t-\t1-1\t8.0\n");
    ck_assert_ptr_null(kit.system);
    kit_clear(&kit);
}
END_TEST

Suite *system_suite(void) {
    Suite *suite = suite_create("system");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, rows, 0, G_N_ELEMENTS(systems));
    tcase_add_test(all, left_out);
    tcase_add_test(all, too_large);
    suite_add_tcase(suite, all);
    return suite;
}
