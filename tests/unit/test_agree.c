/* Verdicts: what a measurement of the shipped models is found to be. Every number follows from
 * specs/first.yaml (25 + iters * (52 + 266) launches) or from the study's own tables.
 */
#include <string.h>

#include "model/check/agree.h"
#include "model/check/budget.h"
#include "model/measure/log.h"
#include "model/solve/reading.h"
#include "tests/unit/suites.h"

static AtlasStudy *study;
static AtlasDiags *diags;

static void open_study(const char *spec) {
    diags = atlas_diags_new();
    study = atlas_study_load(spec, NULL, ATLAS_RAT_NONE, diags);
    ck_assert(study && atlas_diags_errors(diags) == 0);
}

static void close_study(void) {
    g_clear_pointer(&study, atlas_study_free);
    g_clear_pointer(&diags, atlas_diags_free);
}

/* Four steps of one stage, of which the last two are warm; `configuration` as after '@'. */
static const struct {
    const char *configuration;
    int counts[4];
    AtlasVerdict verdict;
    const char *why; /* how the reason begins */
} logs[] = {
    {"", {1, 2, 1297, 1297}, ATLAS_PASS, "every warm step agrees"},
    {"no-kda", {233, 233, 233, 233}, ATLAS_PASS, "every warm step agrees"},
    {"iters=8", {2569, 2569, 2569, 2569}, ATLAS_PASS, "every warm step agrees"},
    {"", {1297, 1297, 1298, 1296}, ATLAS_FAIL, "step 2, 3: the sum agrees, single steps do not"},
    {"", {1297, 1297, 1297, 1298}, ATLAS_FAIL, "step 3: the model allows 1297"},
    /* One launch more in every step: one population that runs once, or none that runs four times.
     */
    {"",
     {0, 0, 1298, 1298},
     ATLAS_FAIL,
     "step 2, 3: the model allows 1297; +1 launches a step would pass, in fwd.once"},
    {"",
     {0, 0, 1301, 1301},
     ATLAS_FAIL,
     "step 2, 3: the model allows 1297; +4 launches a step would pass, in fwd.kda or fwd.rest or "
     "fwd.once"},
};

START_TEST(exact_logs) {
    open_study("specs/first.yaml");
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (int i = 0; i < 4; i++)
        g_string_append_printf(text, "ATLAS\t%d\tfwd\t%d\t1\n", i, logs[_i].counts[i]);
    AtlasRun *run = atlas_log_parse(list->runs, "log", text->str, text->len, NULL, diags);
    ck_assert_ptr_nonnull(run);
    run->configuration.text = logs[_i].configuration;
    atlas_agree_model(study, atlas_measurements_add(list, run, "log"), result, diags);
    ck_assert_uint_eq(result->checks->len, 1);
    const AtlasCheck *check = atlas_result_get(result, 0);
    ck_assert_int_eq(check->verdict, logs[_i].verdict);
    ck_assert_msg(g_str_has_prefix(check->why, logs[_i].why), "%s", check->why);
    /* Judging leaves the evidence as it was. */
    ck_assert_uint_eq(study->evidence->observations->len, 3);
    close_study();
}
END_TEST

/* A replay must agree in every step; a counter that lags may show flows, within its lag. */
static const struct {
    gint64 counts[4]; /* two stages of two steps: a, a, b, b */
    int lag;
    AtlasVerdict verdict;
} replays[] = {
    {{10, 10, 5, 5}, 0, ATLAS_PASS},
    {{11, 9, 5, 5}, 0, ATLAS_FAIL},
    {{8, 10, 7, 5}, 2, ATLAS_PASS}, /* two launches of a are counted in b */
    {{8, 10, 7, 5}, 1, ATLAS_FAIL},
    {{8, 12, 5, 5}, 2, ATLAS_PASS}, /* two of the first step in the second */
    {{7, 13, 5, 5}, 2, ATLAS_FAIL},
};

START_TEST(replayed_programs) {
    static const gint64 expected[] = {10, 10, 5, 5};
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    AtlasRun *run = atlas_runs_add(list->runs, "base");
    run->window = (AtlasWindow){0, 1};
    for (guint s = 0; s < 2; s++) {
        AtlasRunStage *stage = atlas_runs_add_stage(list->runs, run, s ? "b" : "a");
        stage->counts = g_array_new(FALSE, FALSE, sizeof(gint64));
        g_array_append_vals(stage->counts, &replays[_i].counts[2 * s], 2);
    }
    atlas_agree_program(atlas_measurements_add(list, run, "sim"), expected,
                        atlas_rat(replays[_i].lag), result);
    ck_assert_uint_eq(result->checks->len, 2);
    ck_assert_int_eq(atlas_result_verdict(result), replays[_i].verdict);
}
END_TEST

/* The study's runs hold together at 9.5; at half of it two rows contradict each other, whose
 * difference in retr is 1320.7 - 1307.1 = 13.6 > 2 * 4.75. */
START_TEST(runs_of_the_study) {
    open_study("specs/dormouse-small.yaml");
    g_autoptr(AtlasResult) good = atlas_result_new(), bad = atlas_result_new();
    atlas_agree_runs(study, study->lag, good);
    ck_assert_int_eq(atlas_result_verdict(good), ATLAS_PASS);
    ck_assert_uint_eq(atlas_result_count(good, ATLAS_EXTERNAL), 1); /* the night run */
    atlas_agree_runs(study, atlas_rat_make(19, 4), bad);
    ck_assert_uint_eq(atlas_result_count(bad, ATLAS_FAIL), 3); /* two rows, and the lag */
    close_study();
}
END_TEST

/* What the counter can have read in fwd of the base, beside all other rows: within two lags of what
 * it did read, and no less than that. */
START_TEST(readings_and_flows) {
    open_study("specs/dormouse-small.yaml");
    double lo, hi, flows[5];
    gboolean failing[5];
    atlas_reading_bounds(study->evidence, 0, 0, study->lag, &lo, &hi);
    ck_assert(lo <= 90025 && hi >= 90025);
    ck_assert(lo >= 90025 - 2 * 95 - 1 && hi <= 90025 + 2 * 95 + 1);
    ck_assert(atlas_reading_flows(study->evidence, 0, study->lag, flows));
    for (int i = 0; i < 5; i++)
        ck_assert(flows[i] >= -1e-6 && flows[i] <= 9.5 + 1e-6);
    ck_assert_uint_eq(atlas_reading_conflict(study->evidence, 0, study->lag, failing), 0);
    /* Forty launches a step more in one row cannot be explained, and it is among those to blame. */
    AtlasSum *bwd = &atlas_evidence_get(study->evidence, 0)->sums[1];
    bwd->lo = bwd->hi += 400;
    ck_assert_uint_ge(atlas_reading_conflict(study->evidence, 0, study->lag, failing), 1);
    ck_assert(failing[1]);
    close_study();
}
END_TEST

static const struct {
    const char *text;
    AtlasVerdict verdict;
} budgets[] = {
    {"fwd=1297", ATLAS_PASS},
    {"fwd=1296.9", ATLAS_FAIL},
    {"total=1297", ATLAS_PASS},
    {"total=1000", ATLAS_FAIL},
};

START_TEST(predicted_budgets) {
    open_study("specs/first.yaml");
    g_autoptr(AtlasConfig) base = atlas_config_new(study->model);
    g_autoptr(AtlasPrediction) p = atlas_predict(study, base, NULL, diags);
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(AtlasBudget));
    g_autoptr(AtlasResult) result = atlas_result_new();
    AtlasText text = {budgets[_i].text, {NULL, 0, 0}};
    atlas_budgets_parse(&text, study->model, list, diags);
    ck_assert_uint_eq(list->len, 1);
    atlas_budget_predicted(&g_array_index(list, AtlasBudget, 0), p, "base", result);
    ck_assert_int_eq(atlas_result_verdict(result), budgets[_i].verdict);
    close_study();
}
END_TEST

/* Ten steps of minimouse, 1297 and 1517 launches in fwd and bwd, and 531 in its other stages. */
static const struct {
    const char *budget;
    const char *stages; /* that were measured */
    const char *lag;
    AtlasVerdict verdict;
    const char *lo, *hi; /* launches a step; "": not bounded */
} measured_budgets[] = {
    {"total=3345", "fwd bwd opt retr ema", "0", ATLAS_PASS, "3345", "3345"},
    {"total=3344", "fwd bwd opt retr ema", "0", ATLAS_FAIL, "3345", "3345"},
    {"total=3345", "fwd bwd opt retr ema", "1", ATLAS_INCONCLUSIVE, "3344.9", "3345.1"},
    /* What was not measured is not 0. */
    {"total=3345", "fwd", "0", ATLAS_INCONCLUSIVE, "1297", ""},
    {"total=9000", "fwd bwd opt retr", "0", ATLAS_INCONCLUSIVE, "3315", ""},
    {"total=1296", "fwd", "0", ATLAS_FAIL, "1297", ""},
    /* fwd and bwd share what lags between them: one launch may have come in, or one may have left;
     * of fwd and opt, which do not, two. */
    {"total=2813", "fwd bwd", "1", ATLAS_INCONCLUSIVE, "2813", ""},
    {"total=2812", "fwd bwd", "1", ATLAS_FAIL, "2813", ""},
    {"total=1567", "fwd opt", "1", ATLAS_INCONCLUSIVE, "1567", ""},
    {"total=1566", "fwd opt", "1", ATLAS_FAIL, "1567", ""},
    {"fwd=1297", "fwd", "0", ATLAS_PASS, "1297", "1297"},
    {"bwd=9000", "fwd", "0", ATLAS_INCONCLUSIVE, "", ""},
    /* A step's only stage sees the window's two ends alone; the only one measured does not. */
    {"fwd=1297", "fwd", "1", ATLAS_INCONCLUSIVE, "1296", "1298"},
};

START_TEST(budgets_of_measurements) {
    static const char *const names[] = {"fwd", "bwd", "opt", "retr", "ema"};
    static const gint64 launches[] = {12970, 15170, 2720, 2290, 300};
    open_study("specs/minimouse.yaml");
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    g_autoptr(GArray) parsed = g_array_new(FALSE, FALSE, sizeof(AtlasBudget));
    g_auto(GStrv) stages = g_strsplit(measured_budgets[_i].stages, " ", -1);
    AtlasRun *run = atlas_runs_add(list->runs, "x");
    run->window = (AtlasWindow){20, 29};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        if (g_strv_contains((const char *const *)stages, names[i]))
            atlas_runs_add_stage(list->runs, run, names[i])->sum =
                (AtlasSum){TRUE, launches[i], launches[i], {NULL, 0, 0}};
    AtlasText text = {measured_budgets[_i].budget, {NULL, 0, 0}};
    atlas_budgets_parse(&text, study->model, parsed, diags);
    AtlasRat lag =
        atlas_rat_parse(measured_budgets[_i].lag, strlen(measured_budgets[_i].lag), NULL);
    atlas_budget_measured(&g_array_index(parsed, AtlasBudget, 0), study->model,
                          atlas_measurements_add(list, run, "log"), lag, result);
    const AtlasCheck *check = atlas_result_get(result, 0);
    char lo[32] = "", hi[32] = "";
    if (atlas_rat_ok(check->lo))
        atlas_rat_format(check->lo, 3, lo, sizeof lo);
    if (atlas_rat_ok(check->hi))
        atlas_rat_format(check->hi, 3, hi, sizeof hi);
    ck_assert_int_eq(check->verdict, measured_budgets[_i].verdict);
    ck_assert_str_eq(lo, measured_budgets[_i].lo);
    ck_assert_str_eq(hi, measured_budgets[_i].hi);
    close_study();
}
END_TEST

Suite *agree_suite(void) {
    Suite *suite = suite_create("agree");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, exact_logs, 0, G_N_ELEMENTS(logs));
    tcase_add_loop_test(all, replayed_programs, 0, G_N_ELEMENTS(replays));
    tcase_add_test(all, runs_of_the_study);
    tcase_add_test(all, readings_and_flows);
    tcase_add_loop_test(all, predicted_budgets, 0, G_N_ELEMENTS(budgets));
    tcase_add_loop_test(all, budgets_of_measurements, 0, G_N_ELEMENTS(measured_budgets));
    suite_add_tcase(suite, all);
    return suite;
}
