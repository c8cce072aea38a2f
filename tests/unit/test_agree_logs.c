/* Verdicts on the measured logs of minimouse: each passes, and fails where a single warm row of it
 * is changed by one launch, or two of them by +1 and -1; runs whose counter's lag is their own.
 */
#include <stdio.h>
#include <string.h>

#include "model/check/agree.h"
#include "model/measure/log.h"
#include "tests/unit/suites.h"

static const char *const settings[] = {"base",    "no-kda", "jepa-0",   "experts-1",
                                       "iters-2", "cross",  "retract-4"};
static const char *const stages[] = {"fwd", "bwd", "opt", "retr", "ema"};
enum { STAGES = 5, FIRST = 20, LAST = 29 };

/* A log with `by` added to the launches of one row; NULL if that would be below 0. */
static char *change(const char *text, int step, const char *stage, int by) {
    g_autofree char *row = g_strdup_printf("ATLAS\t%d\t%s\t", step, stage);
    const char *at = strstr(text, row), *number = at + strlen(row);
    ck_assert_ptr_nonnull(at);
    char *rest;
    gint64 launches = g_ascii_strtoll(number, &rest, 10) + by;
    if (launches < 0)
        return NULL;
    return g_strdup_printf("%.*s%d%s", (int)(number - text), text, (int)launches, rest);
}

/* Judges a log; returns the checks that do not pass, one a line: "fwd: step 20: ...". */
static char *judge(AtlasStudy *study, AtlasDiags *diags, const char *configuration,
                   const char *text) {
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    AtlasRun *run = atlas_log_parse(list->runs, "x", text, strlen(text), NULL, diags);
    ck_assert_ptr_nonnull(run);
    run->configuration.text = configuration;
    atlas_agree_model(study, atlas_measurements_add(list, run, "log"), result, diags);
    ck_assert_uint_eq(result->checks->len, STAGES);
    GString *failing = g_string_new(NULL);
    for (guint i = 0; i < STAGES; i++) {
        const AtlasCheck *check = atlas_result_get(result, i);
        ck_assert_double_ge(check->ms, 0);
        if (check->verdict != ATLAS_PASS)
            g_string_append_printf(failing, "%s: %s\n", check->subject + strlen("x "), check->why);
    }
    return g_string_free(failing, FALSE);
}

START_TEST(measured_logs) {
    g_autofree char *path = g_strdup_printf("../shared/runs/minimouse/%s.log", settings[_i]);
    g_autofree char *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        fprintf(stderr, "skipped: there is no '%s'\n", path);
        return;
    }
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasStudy) study =
        atlas_study_load("specs/minimouse.yaml", NULL, ATLAS_RAT_NONE, diags);
    g_autofree char *untouched = judge(study, diags, settings[_i], text);
    ck_assert_str_eq(untouched, "");
    for (int row = 0; row < STAGES * (LAST - FIRST + 1); row++) {
        int step = FIRST + row / STAGES;
        const char *stage = stages[row % STAGES];
        g_autofree char *more = change(text, step, stage, 1);
        g_autofree char *why = judge(study, diags, settings[_i], more);
        g_autofree char *expected = g_strdup_printf("%s: step %d: the model allows ", stage, step);
        ck_assert_msg(g_str_has_prefix(why, expected), "expected %s, found %s", expected, why);
        ck_assert_ptr_eq(strchr(why, '\n'), why + strlen(why) - 1); /* that stage alone */
    }
    for (guint i = 0; i < STAGES; i++) {
        g_autofree char *more = change(text, FIRST + (int)i, stages[i], 1);
        g_autofree char *both = change(more, LAST, stages[i], -1);
        g_autofree char *why = both ? judge(study, diags, settings[_i], both) : NULL;
        g_autofree char *expected =
            g_strdup_printf("%s: step %d, %d: the sum agrees, single steps do not\n", stages[i],
                            FIRST + (int)i, LAST);
        if (both) /* a stage of no launches cannot have fewer */
            ck_assert_str_eq(why, expected);
    }
    g_autofree char *cold = change(text, FIRST - 1, "opt", 1);
    g_autofree char *why = judge(study, diags, settings[_i], cold);
    ck_assert_str_eq(why, "");
}
END_TEST

/* Sums over ten steps of the base of minimouse, whose runs are exact: 12970 and 15170 launches in
 * fwd and bwd. A counter that lags by `lag` can show up to 10 * lag of the one in the other, on the
 * short way or through all others. */
static const struct {
    const char *lag;
    gint64 moved;
    gboolean passes;
} lags[] = {
    {NULL, 0, TRUE},   {NULL, 1, FALSE},  {"0", 1, FALSE},    {"1", 10, TRUE},
    {"1", 11, FALSE},  {"1", -10, TRUE},  {"1", -11, FALSE},  {"0.5", 5, TRUE},
    {"0.5", 6, FALSE}, {"0.5", -5, TRUE}, {"0.5", -6, FALSE},
};

START_TEST(own_lag) {
    static const gint64 launches[] = {12970, 15170, 2720, 2290, 300};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasStudy) study =
        atlas_study_load("specs/minimouse.yaml", NULL, ATLAS_RAT_NONE, diags);
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    AtlasRun *run = atlas_runs_add(list->runs, "x");
    run->window = (AtlasWindow){20, 29};
    run->window_known = TRUE;
    for (guint i = 0; i < STAGES; i++) {
        gint64 sum = launches[i] + (i == 0 ? -lags[_i].moved : i == 1 ? lags[_i].moved : 0);
        atlas_runs_add_stage(list->runs, run, stages[i])->sum =
            (AtlasSum){TRUE, sum, sum, {NULL, 0, 0}};
    }
    if (lags[_i].lag)
        ck_assert_int_eq(atlas_provenance_say(&run->by, "lag", lags[_i].lag), ATLAS_SAID);
    atlas_agree_model(study, atlas_measurements_add(list, run, "log"), result, diags);
    ck_assert_int_eq(atlas_result_verdict(result), lags[_i].passes ? ATLAS_PASS : ATLAS_FAIL);
}
END_TEST

Suite *agree_logs_suite(void) {
    Suite *suite = suite_create("agree-logs");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, measured_logs, 0, G_N_ELEMENTS(settings));
    tcase_add_loop_test(all, own_lag, 0, G_N_ELEMENTS(lags));
    suite_add_tcase(suite, all);
    return suite;
}
