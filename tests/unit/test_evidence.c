/* Evidence: which runs are compared, over which steps, and what is wrong with those that are not.
 */
#include <string.h>

#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

#define SPEC                                                                                       \
    "atlas: 1\nname: small\nrecipe: {precision: fp32, cards: 1}\n"                                 \
    "params: {p: {default: 2, min: 1, max: 9}, e: {default: 1, min: 1, max: 9}}\n"                 \
    "arms: {kda: {about: arm}, more: {needs: kda, default: off}}\n"                                \
    "toggles: {quick: {set: {p: 1}}, half: {set: {p: 3, e: 4}}}\n"                                 \
    "stages:\n"                                                                                    \
    "  - {stage: fwd, do: [{launch: x, count: u / (9 - p)}, {launch: y, when: more}]}\n"           \
    "  - {stage: bwd, do: [{launch: z, every: e, count: v - 1}]}\n"                                \
    "unknowns: {u: {}, v: {}}\n"
#define HEAD "run\tconfiguration\tsteps\tfwd\tbwd\ttotal\trecipe\n"

/* What is wrong with one run. */
static const struct {
    const char *runs, *expected; /* in what is reported; NULL: nothing is */
} problems[] = {
    {HEAD "r\t-\t20-29\t7.0\t3.0\t-\t-\n", NULL},
    {HEAD "r\tquick,e=2\t20-29\t7.0\t3.0\t-\tprecision=fp32\n", NULL},
    {HEAD "r\tquik\t1-1\t7\t3\t-\t-\n", "r.tsv:2:3: error: no toggle named 'quik'"},
    {HEAD "r\tquick,p=2\t1-1\t7\t3\t-\t-\n", "r.tsv:2:9: error: this sets p=2, which contradicts"},
    {HEAD "r\tp=10\t1-1\t7\t3\t-\t-\n", "expected a whole number from 1 to 9 for 'p', not '10'"},
    {HEAD "r\tkda=off,more=on\t1-1\t7\t3\t-\t-\n", "arm 'more' needs 'kda', which is off"},
    /* 9 - p is 0. */
    {HEAD "r\tp=9\t1-1\t7\t3\t-\t-\n", "s.yaml:8:42: error: this count is no number under 'p=9'"},
    /* Ten steps of which it is not known which hold two or three times four. */
    {HEAD "r\te=4\t10\t7.0\t3.0\t-\t-\n",
     "r.tsv:2:1: error: run 'r' must say which steps it was measured over: 'bwd.z' runs every 4"},
    {HEAD "r\te=4\t12\t7\t3\t-\t-\n", NULL},
    {HEAD "r\t-\t10\t7.0\t3.0\t-\t-\n", NULL},
    /* Stages of other models do no harm where nothing stands in them. */
    {"run\tconfiguration\tsteps\tfwd\topt\nr\t-\t1-1\t7\t-\n", NULL},
    {"run\tconfiguration\tsteps\tfwd\tbdw\nr\t-\t1-1\t7\t3\n",
     "r.tsv:2:11: error: run 'r' has a stage 'bdw', which 'small' does not"},
    {"run\tconfiguration\tsteps\tfwd\tbdw\nr\t-\t1-1\t7\t3\n", "hint: did you mean 'bwd'?"},
};

START_TEST(problem) {
    Kit kit = kit_new(SPEC, problems[_i].runs);
    g_autofree char *text = atlas_diags_render(kit.diags, FALSE);
    const char *expected = problems[_i].expected;
    ck_assert_msg(expected ? strstr(text, expected) != NULL : !*text, "%s", text);
    ck_assert_uint_eq(atlas_diags_errors(kit.diags), expected ? 1 : 0);
    ck_assert_uint_eq(kit.evidence->observations->len, expected ? 0 : 1);
    kit_clear(&kit);
}
END_TEST

static const struct {
    const char *recipe, *excluded; /* NULL: it is not */
} recipes[] = {
    {"-", NULL},
    {"precision=fp32", NULL},
    {" cards = 1 , precision=fp32", NULL},
    {"precision=fp16", "another recipe: precision=fp16, not fp32"},
    {"cards=1,precision=fp16", "another recipe: precision=fp16, not fp32"},
    {"cards = 8", "another recipe: cards=8, not 1"},
    {"speed =9", "another recipe: speed=9, which the spec does not state"},
    {"fast", "another recipe: fast=, which the spec does not state"},
};

START_TEST(recipe) {
    g_autofree char *runs = g_strdup_printf(HEAD "r\t-\t1-1\t7\t3\t-\t%s\n", recipes[_i].recipe);
    Kit kit = kit_new(SPEC, runs);
    const AtlasObservation *o = atlas_evidence_get(kit.evidence, 0);
    ck_assert_uint_eq(atlas_diags_errors(kit.diags), 0);
    ck_assert_pstr_eq(o->excluded, recipes[_i].excluded);
    ck_assert_int_eq(o->stages != NULL, !o->excluded);
    kit_clear(&kit);
}
END_TEST

/* Sums stand in the order of the model's stages, whatever the table's; so do the linear forms, over
 * the run's own steps: 20, 24 and 28 are multiples of 4. */
START_TEST(observation) {
    Kit kit = kit_new(SPEC, "run\tbwd\tfwd\ttotal\tconfiguration\tsteps\n"
                            "r\t1.5\t-\t20.1\thalf,more=on\t20-29\n");
    const AtlasObservation *o = atlas_evidence_get(kit.evidence, 0);
    ck_assert_ptr_eq(o->run, atlas_runs_get(kit.runs, 0));
    ck_assert_int_eq(o->steps, 10);
    ck_assert(!o->sums[0].known && o->sums[1].known && o->total.known);
    ck_assert_int_eq(o->sums[1].lo, 15);
    ck_assert_int_eq(o->sums[1].hi, 15);
    ck_assert_int_eq(o->total.lo, 201);
    kit_assert_rat(o->stages[0].constant, 10, 1);
    kit_assert_rat(o->stages[0].coefs[0], 5, 3);
    kit_assert_rat(o->stages[0].coefs[1], 0, 1);
    kit_assert_rat(o->stages[1].constant, -3, 1);
    kit_assert_rat(o->stages[1].coefs[0], 0, 1);
    kit_assert_rat(o->stages[1].coefs[1], 3, 1);
    kit_clear(&kit);
}
END_TEST

/* A supposed run shows exactly what is launched, if that can be shown. */
START_TEST(suppose) {
    static const struct {
        gint64 u, v, steps, fwd, bwd; /* fwd -1: not possible */
    } cases[] = {
        {14, 5, 1, 2, 4}, {13, 5, 1, -1, 0}, {13, 5, 7, 13, 28}, {14, 0, 1, -1, 0}, {0, 1, 3, 0, 0},
    };
    Kit kit = kit_new(SPEC, HEAD);
    g_autoptr(AtlasConfig) config = kit_config(kit.model, "base");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        AtlasRat unknowns[] = {atlas_rat(cases[i].u), atlas_rat(cases[i].v)};
        gboolean possible =
            atlas_evidence_suppose(kit.evidence, config, 3, cases[i].steps + 2, unknowns);
        ck_assert_int_eq(possible, cases[i].fwd >= 0);
        ck_assert_uint_eq(kit.evidence->observations->len, possible ? 1 : 0);
        if (!possible)
            continue;
        const AtlasObservation *o = atlas_evidence_get(kit.evidence, 0);
        ck_assert(!o->run && !o->excluded && !o->total.known);
        ck_assert(atlas_config_equal(o->config, config) && o->config != config);
        ck_assert_int_eq(o->steps, cases[i].steps);
        ck_assert_int_eq(o->sums[0].lo, cases[i].fwd);
        ck_assert_int_eq(o->sums[0].hi, cases[i].fwd);
        ck_assert_int_eq(o->sums[1].lo, cases[i].bwd);
        atlas_evidence_drop_last(kit.evidence);
    }
    atlas_config_put(config, FALSE, 0, 9); /* 9 - p is 0 */
    ck_assert(!atlas_evidence_suppose(kit.evidence, config, 0, 0,
                                      (const AtlasRat[]){atlas_rat(1), atlas_rat(1)}));
    ck_assert_uint_eq(kit.evidence->observations->len, 0);
    kit_clear(&kit);
}
END_TEST

Suite *evidence_suite(void) {
    Suite *suite = suite_create("evidence");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, problem, 0, G_N_ELEMENTS(problems));
    tcase_add_loop_test(all, recipe, 0, G_N_ELEMENTS(recipes));
    tcase_add_test(all, observation);
    tcase_add_test(all, suppose);
    suite_add_tcase(suite, all);
    return suite;
}
