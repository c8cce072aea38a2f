/* Baselines: what is written reads back, whatever it is called; how sums and lags decide. */
#include <math.h>
#include <string.h>

#include "model/check/baseline.h"
#include "model/launch/model.h"
#include "tests/unit/suites.h"

static AtlasDiags *diags;
static AtlasSource *spec;
static AtlasModel *model;

static void open_model(const char *path) {
    diags = atlas_diags_new();
    spec = atlas_source_load(path, NULL);
    model = atlas_model_read(spec, diags);
    ck_assert_ptr_nonnull(model);
}

static void close_model(void) {
    g_clear_pointer(&model, atlas_model_free);
    g_clear_pointer(&spec, atlas_source_free);
    g_clear_pointer(&diags, atlas_diags_free);
}

/* A run over steps 20-29 with these sums; what is below 0 was not measured. */
static AtlasMeasurement *add_run(AtlasMeasurements *list, const char *name, gint64 fwd, gint64 bwd,
                                 const char *lag) {
    AtlasRun *run = atlas_runs_add(list->runs, name);
    run->window = (AtlasWindow){20, 29};
    run->window_known = TRUE;
    const gint64 sums[] = {fwd, bwd};
    for (guint i = 0; i < 2; i++)
        atlas_runs_add_stage(list->runs, run, i ? "bwd" : "fwd")->sum =
            (AtlasSum){sums[i] >= 0, sums[i], sums[i], {NULL, 0, 0}};
    if (lag)
        ck_assert_int_eq(atlas_provenance_say(&run->by, "lag", lag), ATLAS_SAID);
    return atlas_measurements_add(list, run, "log");
}

/* Nothing in the step's other stages. */
static AtlasMeasurement *complete(AtlasMeasurements *list, AtlasMeasurement *m) {
    static const char *const others[] = {"opt", "retr", "ema"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        atlas_runs_add_stage(list->runs, m->run, others[i])->sum =
            (AtlasSum){TRUE, 0, 0, {NULL, 0, 0}};
    return m;
}

static AtlasBaseline *write_and_read(const AtlasMeasurements *list, AtlasSource **source) {
    AtlasMeasured measured = {list, model, atlas_rat(0)};
    g_autofree char *text = atlas_baseline_write(&measured, diags);
    ck_assert_ptr_nonnull(text);
    *source = atlas_source_new("b.yaml", text, strlen(text), NULL);
    AtlasBaseline *baseline = atlas_baseline_read(*source, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    ck_assert_msg(baseline != NULL, "%s%s", errors, text);
    return baseline;
}

/* Names of files and devices may hold anything that is text. */
static const char *const names[] = {
    "plain",
    "with space",
    "quo\"te",
    "back\\slash",
    "# no comment",
    "- [a, {b: c}]",
    "~",
    "true",
    "K\xc3\xb6ln: 1",
    "'",
    "''",
    "&anchor",
    "*",
    "!tag",
    "%TAG",
    "\xf0\x9f\x90\xad",
    "@",
    "x\xe2\x80\xa8",
    "tab\there",
    "\x01\x7f",
};

START_TEST(any_name) {
    open_model("specs/minimouse.yaml");
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    AtlasMeasurement *m = add_run(list, names[_i], G_MAXINT64, 0, "0.5");
    gboolean printable = atlas_provenance_say(&m->run->by, "device", names[_i]) == ATLAS_SAID;
    ck_assert_int_eq(atlas_provenance_say(&m->run->by, "counted", "calls"), ATLAS_SAID);
    m->run->recipe.text = "precision=fp16";
    m->run->configuration.text = "kda=off,iters=2";
    AtlasSource *source;
    g_autoptr(AtlasBaseline) baseline = write_and_read(list, &source);
    const AtlasBaselineRun *run = g_ptr_array_index(baseline->runs, 0);
    ck_assert_str_eq(run->run.text, names[_i]);
    ck_assert_str_eq(run->configuration.text, "no-kda,iters-2"); /* as the spec calls them */
    ck_assert_str_eq(run->recipe.text, "precision=fp16");
    ck_assert_str_eq(run->steps.text, "20-29");
    ck_assert_str_eq(run->counted.text, "calls");
    ck_assert_str_eq(run->lag.text, "0.5");
    ck_assert_int_eq(run->about != NULL, printable);
    if (printable)
        ck_assert_str_eq(g_array_index(run->about, AtlasPair, 0).value.text, names[_i]);
    AtlasMeasured measured = {list, model, atlas_rat(0)};
    g_autoptr(AtlasResult) result = atlas_result_new();
    atlas_baseline_compare(baseline, &measured, result, diags);
    ck_assert_uint_eq(result->checks->len,
                      2); /* and no total: that of two stages of five is none */
    ck_assert_uint_eq(atlas_result_count(result, ATLAS_PASS), 2);
    atlas_source_free(source);
    close_model();
}
END_TEST

/* Sums over ten steps of two of several stages: a lag of L explains up to 10 L launches in a stage,
 * and up to L in the total. */
static const struct {
    gint64 then[2], now[2];
    const char *then_lag, *now_lag;
    int lost;
    AtlasVerdict verdicts[3]; /* fwd, bwd, total; ATLAS_VERDICTS: no such check */
} cases[] = {
    {{100, 50}, {100, 50}, "0", "0", 0, {ATLAS_PASS, ATLAS_PASS, ATLAS_VERDICTS}},
    {{100, 50}, {101, 49}, "0", "0", 0, {ATLAS_FAIL, ATLAS_PASS, ATLAS_VERDICTS}},
    {{100, 50}, {100, -1}, "0", "0", 0, {ATLAS_PASS, ATLAS_INCONCLUSIVE, ATLAS_VERDICTS}},
    {{-1, 50}, {100, 51}, "0", "0", 0, {ATLAS_INCONCLUSIVE, ATLAS_FAIL, ATLAS_VERDICTS}},
    {{100, 50}, {120, 30}, "1", "1", 0, {ATLAS_PASS, ATLAS_PASS, ATLAS_PASS}},
    {{100, 50}, {121, 29}, "1", "1", 0, {ATLAS_FAIL, ATLAS_PASS, ATLAS_PASS}},
    {{100, 50}, {102, 50}, "1", "1", 0, {ATLAS_PASS, ATLAS_PASS, ATLAS_PASS}},
    {{100, 50}, {102, 51}, "1", "1", 0, {ATLAS_PASS, ATLAS_PASS, ATLAS_FAIL}},
    {{100, 50}, {110, 40}, "0", "1", 0, {ATLAS_PASS, ATLAS_PASS, ATLAS_PASS}},
    {{100, 50}, {111, 40}, "0", "1", 0, {ATLAS_FAIL, ATLAS_PASS, ATLAS_PASS}},
    {{100, 50}, {105, 50}, "0.5", "0", 0, {ATLAS_PASS, ATLAS_PASS, ATLAS_FAIL}},
    {{100, 50}, {99, 51}, "0", "0", 1, {ATLAS_INCONCLUSIVE, ATLAS_FAIL, ATLAS_VERDICTS}},
    {{100, 50}, {100, 50}, "0", "0", 1, {ATLAS_INCONCLUSIVE, ATLAS_INCONCLUSIVE, ATLAS_VERDICTS}},
};

START_TEST(sums_and_lags) {
    open_model("specs/minimouse.yaml");
    g_autoptr(AtlasMeasurements) before = atlas_measurements_new(),
                                 after = atlas_measurements_new();
    complete(before,
             add_run(before, "x", cases[_i].then[0], cases[_i].then[1], cases[_i].then_lag));
    complete(after, add_run(after, "x", cases[_i].now[0], cases[_i].now[1], cases[_i].now_lag))
        ->run->by.lost = cases[_i].lost;
    AtlasSource *source;
    g_autoptr(AtlasBaseline) baseline = write_and_read(before, &source);
    AtlasMeasured measured = {after, model, atlas_rat(0)};
    g_autoptr(AtlasResult) result = atlas_result_new();
    atlas_baseline_compare(baseline, &measured, result, diags);
    gboolean total = cases[_i].verdicts[2] != ATLAS_VERDICTS;
    ck_assert_uint_eq(result->checks->len, total ? 6 : 5);
    for (guint i = 0; i < (total ? 3 : 2); i++) {
        static const char *const subjects[] = {"x fwd", "x bwd", "x total"};
        const AtlasCheck *check = atlas_result_get(result, i < 2 ? i : 5);
        ck_assert_str_eq(check->subject, subjects[i]);
        ck_assert_msg(check->verdict == cases[_i].verdicts[i], "%s: %s", check->subject,
                      check->why);
        ck_assert_int_eq(check->asked, check->verdict == ATLAS_PASS &&
                                           strstr(check->why, "a new baseline") != NULL);
    }
    atlas_source_free(source);
    close_model();
}
END_TEST

/* The only stage of a step sees its window's two ends alone: a lag of 1 explains one launch, not
 * ten. */
START_TEST(only_stage) {
    open_model("specs/first.yaml");
    for (gint64 more = 1; more <= 3; more++) {
        g_autoptr(AtlasMeasurements) before = atlas_measurements_new();
        g_autoptr(AtlasMeasurements) after = atlas_measurements_new();
        add_run(before, "x", 100, -1, "1");
        add_run(after, "x", 100 + more, -1, "1");
        AtlasSource *source;
        g_autoptr(AtlasBaseline) baseline = write_and_read(before, &source);
        AtlasMeasured measured = {after, model, atlas_rat(0)};
        g_autoptr(AtlasResult) result = atlas_result_new();
        atlas_baseline_compare(baseline, &measured, result, diags);
        ck_assert_int_eq(atlas_result_verdict(result), more <= 2 ? ATLAS_PASS : ATLAS_FAIL);
        atlas_source_free(source);
    }
    close_model();
}
END_TEST

static const struct {
    const char *text;
    gboolean known;
    gint64 lo, hi;
} sums[] = {
    {"0", TRUE, 0, 0},
    {"9223372036854775807", TRUE, G_MAXINT64, G_MAXINT64},
    {"5..5", TRUE, 5, 5},
    {"5..9", TRUE, 5, 9},
    {"9223372036854775808", FALSE, 0, 0},
    {"9..5", FALSE, 0, 0},
    {"-1", FALSE, 0, 0},
    {"+1", FALSE, 0, 0},
    {" 1", FALSE, 0, 0},
    {"1.5", FALSE, 0, 0},
    {"1..", FALSE, 0, 0},
    {"..1", FALSE, 0, 0},
    {"", FALSE, 0, 0},
    {"1...2", FALSE, 0, 0},
};

START_TEST(sum_texts) {
    AtlasSum sum = atlas_baseline_sum(sums[_i].text);
    ck_assert_int_eq(sum.known, sums[_i].known);
    if (sum.known) {
        ck_assert_int_eq(sum.lo, sums[_i].lo);
        ck_assert_int_eq(sum.hi, sums[_i].hi);
    }
}
END_TEST

Suite *baseline_suite(void) {
    Suite *suite = suite_create("baseline");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, any_name, 0, G_N_ELEMENTS(names));
    tcase_add_loop_test(all, sums_and_lags, 0, G_N_ELEMENTS(cases));
    tcase_add_test(all, only_stage);
    tcase_add_loop_test(all, sum_texts, 0, G_N_ELEMENTS(sums));
    suite_add_tcase(suite, all);
    return suite;
}
