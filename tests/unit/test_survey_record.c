/* Surveys of recordings and of logs, which tell less than traces. */
#include <string.h>

#include "model/measure/log.h"
#include "model/measure/survey_log.h"
#include "model/measure/survey_record.h"
#include "tests/unit/suites.h"

#define HEAD(steps)                                                                                \
    "{\"schema\":\"atlas-record/1\",\"device\":\"D\",\"steps\":" #steps                            \
    ",\"stages\":[{\"name\":\"fwd\"}],\"ended\":true,\"lost_ranges\":0,"                           \
    "\"lost_activities\":null}\n"
#define LINE(step, stage, ms, calls, graphs, nodes, unknown, syncs)                                \
    "{\"step\":" step ",\"stage\":" stage ",\"ms\":" ms ",\"calls\":" #calls                       \
    ",\"graph_launches\":" #graphs ",\"graph_nodes\":" #nodes ",\"unknown_graphs\":" #unknown      \
    ",\"activities\":null,\"reads\":1,\"uploads\":2,\"copies\":3,\"memsets\":0,"                   \
    "\"stream_syncs\":" #syncs ",\"event_syncs\":0,\"context_syncs\":1,\"allocations\":0,"         \
    "\"frees\":0,\"captures\":0,\"instantiations\":0}\n"
#define FWD(step, calls, syncs) LINE(step, "\"fwd\"", "1.5", calls, 1, 4, 0, syncs)
#define OUTSIDE(step) LINE(step, "null", "0.5", 0, 0, 0, 0, 0)
#define ELSEWHERE(calls) LINE("null", "null", "null", calls, 0, 0, 0, 0)

static AtlasSurvey *survey(const char *text, AtlasDiags *diags) {
    g_autoptr(AtlasFile) file = atlas_file_memory("r.ndjson", text, strlen(text));
    ck_assert(atlas_survey_record_recognise(text, strlen(text)));
    return atlas_survey_record(file, diags);
}

/* Two steps; kernels in no stage are those outside, since nothing lies in no step. */
START_TEST(test_record) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSurvey) s = survey(
        HEAD(2) FWD("5", 10, 3) OUTSIDE("5") FWD("6", 12, 0) OUTSIDE("6") ELSEWHERE(
            0) "{\"kernel\":\"void n::gemm<4>(int)\",\"stage\":\"fwd\",\"stream\":\"legacy\","
               "\"calls\":20,\"captured\":0}\n"
               "{\"kernel\":\"gemm\",\"stage\":null,\"stream\":\"2\",\"calls\":2,\"captured\":0}\n",
        diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert(s->steps == 2 && s->first == 5 && s->last == 6);
    const AtlasSurveyStage *fwd = atlas_survey_stage(s, 0);
    const AtlasTally *launches = &fwd->counts[ATLAS_TALLY_LAUNCHES];
    ck_assert(launches->sum == 22 && launches->least == 10 && launches->most == 12);
    ck_assert(fwd->counts[ATLAS_TALLY_NODES].known && fwd->counts[ATLAS_TALLY_NODES].sum == 8);
    ck_assert_int_eq(fwd->counts[ATLAS_TALLY_COPIES].sum, 12);
    ck_assert_int_eq(fwd->counts[ATLAS_TALLY_SYNCS].sum, 3 + 1 + 0 + 1);
    ck_assert_int_eq(fwd->counts[ATLAS_TALLY_SYNCS].most, 4);
    ck_assert_int_eq(fwd->host_ns, 3000000);
    ck_assert_int_eq(s->time.steps, 4000000);
    ck_assert(s->time.busy < 0 && s->totals.activities < 0 && s->totals.orphans < 0);
    ck_assert_int_eq(s->totals.calls, 22);
    ck_assert_uint_eq(s->kernels->len, 2);
    ck_assert_str_eq(atlas_survey_kernel(s, 0)->brief, "gemm");
    ck_assert_int_eq(atlas_survey_kernel(s, 1)->by_stage[1], 2);
}
END_TEST

/* An editor's byte-order mark is none of the recording. */
START_TEST(test_mark) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSurvey) s = survey("\xef\xbb\xbf" HEAD(0) ELSEWHERE(7), diags);
    ck_assert(s && s->between == 7);
}
END_TEST

/* What a graph runs may be unknown, and so is then what all of them do. */
START_TEST(test_unknown_graphs) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSurvey) s = survey(
        HEAD(1) LINE("0", "\"fwd\"", "1", 1, 2, 3, 1, 0) OUTSIDE("0") ELSEWHERE(
            5) "{\"kernel\":\"k\",\"stage\":null,\"stream\":\"2\",\"calls\":5,\"captured\":0}\n",
        diags);
    ck_assert(!s->step[ATLAS_TALLY_NODES].known && s->totals.graph_nodes == -1);
    ck_assert(s->between == 5 && s->kernels->len == 0);
}
END_TEST

static const struct {
    const char *text, *said;
} faults[] = {
    {"{\"schema\":\"atlas-record/2\"}\n",
     "r.ndjson:1:1: error: the first line says another schema than atlas-record/1\n"},
    {"{\"schema\":\"atlas-record/1\"}\n",
     "r.ndjson:1:1: error: the first line says no stages and steps\n"},
    {HEAD(2) FWD("3", 1, 0) OUTSIDE("4"),
     "r.ndjson:3:1: error: a step's lines have several numbers\n"},
    {HEAD(2) FWD("3", 1, 0) OUTSIDE("3") FWD("3", 1, 0),
     "r.ndjson:4:1: error: a step's number is no greater than that of the step before it\n"},
    {HEAD(2) FWD("3", 1, 0) OUTSIDE("3") ELSEWHERE(0),
     "r.ndjson:4:1: error: the first line says another number of steps\n"},
    {"{\"schema\":\"atlas-record/1\",\"stages\":[1],\"steps\":1}\n",
     "r.ndjson:1:1: error: a stage has no name\n"},
    {HEAD(1) "[]\n", "r.ndjson:2:1: error: a line holds no object\n"},
    {HEAD(1) OUTSIDE("0"), "r.ndjson:2:1: error: another stage of the step comes next\n"},
    {HEAD(1) FWD("0", -1, 0), "r.ndjson:2:1: error: a count is missing, or none\n"},
    {HEAD(1) FWD("0", 1, 0) "{\"step\":0}\n", "r.ndjson:3:1: error: a count is missing, or none\n"},
    {HEAD(1) FWD("0", 1, 0) OUTSIDE("0"),
     "r.ndjson:3:1: error: the recording ends before its last step does\n"},
    {HEAD(0) ELSEWHERE(1) FWD("0", 1, 0),
     "r.ndjson:3:1: error: a step stands behind the last one\n"},
    {HEAD(0) ELSEWHERE(1) "{\"kernel\":\"k\",\"stage\":\"bwd\",\"calls\":1}\n",
     "r.ndjson:3:1: error: a kernel of no stage, or without launches\n"},
};

START_TEST(test_faults) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    ck_assert_ptr_null(survey(faults[_i].text, diags));
    g_autofree char *text = atlas_diags_render(diags, FALSE);
    ck_assert_msg(g_str_has_prefix(text, faults[_i].said), "%s", text);
}
END_TEST

/* Of six steps the last two: 3 + 5 launches in fwd, one ms each. */
START_TEST(test_log) {
    static const char text[] = "ATLAS-ABOUT\tdevice\tD\n"
                               "ATLAS\t0\tfwd\t9\t1\nATLAS\t1\tfwd\t9\t1\nATLAS\t2\tfwd\t9\t1\n"
                               "ATLAS\t3\tfwd\t9\t1\nATLAS\t4\tfwd\t3\t1\nATLAS\t5\tfwd\t5\t1\n";
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    const AtlasRun *run = atlas_log_parse(runs, "run.log", text, sizeof text - 1, NULL, diags);
    g_autoptr(AtlasSurvey) s = atlas_survey_log(run);
    ck_assert(s->steps == 2 && s->first == 4 && s->last == 5);
    ck_assert(s->step[ATLAS_TALLY_LAUNCHES].sum == 8 && s->step[ATLAS_TALLY_LAUNCHES].least == 3);
    ck_assert(!s->step[ATLAS_TALLY_COPIES].known && s->totals.calls < 0);
    ck_assert_int_eq(s->time.steps, 2000000);
    ck_assert_str_eq(g_array_index(s->about, AtlasAbout, 0).value, "D");
}
END_TEST

Suite *survey_record_suite(void) {
    Suite *suite = suite_create("survey_record");
    TCase *tests = tcase_create("recordings");
    tcase_add_test(tests, test_record);
    tcase_add_test(tests, test_mark);
    tcase_add_test(tests, test_unknown_graphs);
    tcase_add_loop_test(tests, test_faults, 0, G_N_ELEMENTS(faults));
    tcase_add_test(tests, test_log);
    suite_add_tcase(suite, tests);
    return suite;
}
