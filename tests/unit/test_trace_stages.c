/* Stages and steps of traces: by the time and thread of the call, whatever the device does. */
#include <stdio.h>
#include <string.h>

#include "model/measure/trace_stages.h"
#include "tests/unit/suites.h"
#include "tests/unit/trace_kit.h"

/* Names of stages; what else ranges are called is none. */
static const char *const stages[] = {"fwd", "bwd", "opt"};
static const char *const arms[] = {"kda", "mlp"};

static guint32 index_of(const char *const *names, guint count, const char *name) {
    for (guint i = 0; i < count; i++)
        if (g_str_equal(names[i], name))
            return i;
    return ATLAS_TRACE_NONE;
}

/* "ProfilerStep#1..2: fwd 3 3 bwd 2 2; outside 1": launches of each step. */
static char *describe(const AtlasTraceRun *run) {
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, "%u from %" G_GINT64_FORMAT "%s:", run->steps, run->first,
                           run->numbered ? "" : "?");
    for (guint s = 0; s < run->stages; s++) {
        if (!run->seen[s])
            continue;
        g_string_append_printf(text, " %s", stages[s]);
        for (guint i = 0; i < run->steps; i++) {
            const AtlasStageCount *c = &run->counts[i * run->stages + s];
            g_string_append_printf(text, " %" G_GINT64_FORMAT, atlas_stage_launches(c));
            for (guint a = 0; a < run->arms; a++) {
                gint64 of = run->arm_launches[(i * run->stages + s) * run->arms + a];
                if (of)
                    g_string_append_printf(text, "(%s %" G_GINT64_FORMAT ")", arms[a], of);
            }
        }
    }
    if (run->outside)
        g_string_append_printf(text, "; outside %" G_GINT64_FORMAT, run->outside);
    return g_string_free(text, FALSE);
}

/* All runs, "|" between them; with `rest`, what is in no stage is of opt. */
static char *attribute_rest(const char *events, gboolean kernels, gboolean rest) {
    static const guint32 opt = 2;
    g_autofree char *text = g_strdup_printf(TRACE("%s"), events);
    TraceRead read = trace_read_text(text, strlen(text), ATLAS_TRACE_ALL);
    ck_assert_msg(read.trace != NULL, "%s", read.errors);
    guint names = read.trace->names->len;
    g_autofree guint32 *stage_of = g_new(guint32, names + 1), *arm_of = g_new(guint32, names + 1);
    for (guint32 i = 0; i < names; i++) {
        const char *name = atlas_trace_name(read.trace, i);
        stage_of[i] = index_of(stages, G_N_ELEMENTS(stages), name);
        arm_of[i] = index_of(arms, G_N_ELEMENTS(arms), name);
    }
    AtlasTraceMap stage_map = {stage_of, kernels ? stage_of : NULL, rest ? &opt : NULL,
                               G_N_ELEMENTS(stages)};
    AtlasTraceMap arm_map = {arm_of, kernels ? arm_of : NULL, NULL, G_N_ELEMENTS(arms)};
    g_autoptr(GPtrArray) runs = atlas_trace_stages(read.trace, &stage_map, &arm_map);
    GString *all = g_string_new(NULL);
    for (guint i = 0; i < runs->len; i++) {
        g_autofree char *one = describe(g_ptr_array_index(runs, i));
        g_string_append_printf(all, "%s%s", i ? " | " : "", one);
    }
    trace_read_clear(&read);
    return g_string_free(all, FALSE);
}

static char *attribute(const char *events, gboolean kernels) {
    return attribute_rest(events, kernels, FALSE);
}

#define STEP(n, ts, dur) RANGE("ProfilerStep#" #n, 1, ts, dur) ", "
#define FWD(ts, dur) RANGE("fwd", 1, ts, dur) ", "
#define BWD(ts, dur) RANGE("bwd", 1, ts, dur) ", "
#define OPT(ts, dur) RANGE("opt", 1, ts, dur) ", "
#define L(tid, ts) LAUNCH(tid, ts, 0) ", "
#define OTHER(name, ts, dur) RANGE(name, 1, ts, dur) ", "
#define END "null"

static const struct {
    const char *what, *events, *runs;
} cases[] = {
    {"numbered steps",
     STEP(4, 0, 100) FWD(10, 20) L(1, 12) L(1, 13) BWD(40, 20) L(1, 45) STEP(5, 100, 100)
         FWD(110, 20) L(1, 112) END,
     "2 from 4: fwd 2 1 bwd 1 0"},
    {"the end of a range is outside, its beginning inside",
     STEP(1, 0, 100) FWD(10, 20) L(1, 10) L(1, 29) L(1, 30) END, "1 from 1: fwd 2; outside 1"},
    {"the innermost range counts",
     STEP(1, 0, 100) FWD(10, 50) L(1, 12) OPT(20, 10) L(1, 25) L(1, 40) END,
     "1 from 1: fwd 2 opt 1"},
    {"a thread without ranges takes what is open in the process",
     STEP(1, 0, 100) FWD(10, 20) L(2, 15) BWD(40, 20) L(2, 45) L(2, 70) END,
     "1 from 1: fwd 1 bwd 1; outside 1"},
    {"a thread's own range is nearer than another's",
     STEP(1, 0, 100) BWD(10, 80) RANGE("fwd", 2, 20, 40) ", " L(2, 25) L(1, 30) L(3, 35) L(3, 65) //
     END,
     "1 from 1: fwd 2 bwd 2"},
    {"the device's time does not matter",
     STEP(1, 0, 50) FWD(10, 20) LAUNCH(1, 12, 7) ", " KERNEL("k", 90, 7) ", " STEP(2, 50, 50) //
     FWD(60, 20) END,
     "2 from 1: fwd 1 0"},
    {"numbers that do not count up",
     STEP(4, 0, 50) FWD(10, 20) L(1, 12) STEP(9, 50, 50) FWD(60, 20) L(1, 62) END,
     "2 from 0?: fwd 1 1"},
    {"two threads name a step once",
     STEP(1, 0, 50) RANGE("ProfilerStep#1", 2, 1, 40) ", " //
     FWD(10, 20) L(1, 12) STEP(2, 50, 50) END,
     "2 from 1: fwd 1 0"},
    {"launches between steps", STEP(1, 0, 50) FWD(10, 20) L(1, 12) FWD(60, 5) L(1, 61) L(1, 70) END,
     "1 from 1: fwd 1; outside 2"},
    {"ranges with numbers that enclose stages",
     OTHER("iteration 7", 0, 50) FWD(10, 20) L(1, 12) FWD(32, 3) L(1, 33)
         OTHER("iteration 8", 50, 50) FWD(60, 20) L(1, 62) END,
     "2 from 7: fwd 2 1"},
    {"steps that begin again in each epoch",
     OTHER("epoch 0 step 0", 0, 50) FWD(10, 20) L(1, 12) OTHER("epoch 0 step 1", 50, 50) FWD(60, 20)
         L(1, 62) OTHER("epoch 1 step 0", 100, 50) FWD(110, 20) L(1, 112) END,
     "3 from 0?: fwd 1 1 1"},
    {"parts of a step that begin again are none",
     OTHER("step 3", 0, 50) OTHER("micro batch 0", 1, 20) FWD(10, 5) L(1, 12)
         OTHER("micro batch 1", 21, 20) FWD(30, 5) L(1, 32) OTHER("step 4", 50, 50)
             OTHER("micro batch 0", 51, 20) FWD(60, 5) L(1, 62) END,
     "2 from 3: fwd 2 1"},
    {"a step inside of another is none", STEP(9, 0, 100) STEP(5, 10, 50) FWD(20, 5) L(1, 22) END,
     "1 from 9: fwd 1"},
    {"a range that repeats and encloses stages",
     OTHER("train", 0, 200) OTHER("step", 0, 50) FWD(10, 20) L(1, 12) FWD(32, 3) L(1, 33)
         OTHER("step", 50, 50) FWD(60, 20) L(1, 62) OTHER("other", 61, 2) OTHER("other", 64, 2) END,
     "2 from 0?: fwd 2 1"},
    {"returns of the first stage",
     FWD(10, 5) L(1, 12) FWD(16, 5) L(1, 17) BWD(30, 5) L(1, 32) OPT(40, 5) FWD(60, 5) L(1, 62)
         OPT(70, 5) L(1, 72) END,
     "2 from 0?: fwd 2 1 bwd 1 0 opt 0 1"},
    {"one stage only: each range is a step",
     FWD(10, 5) L(1, 12) FWD(20, 5) L(1, 21) L(1, 22) FWD(30, 5) END, "3 from 0?: fwd 1 2 0"},
    {"a range inside one of its stage is no new step", FWD(10, 20) L(1, 12) FWD(13, 5) L(1, 15) END,
     "1 from 0?: fwd 2"},
    {"graphs, captured calls and lost kernels",
     STEP(1, 0, 100) FWD(10, 80) CALL("cudaStreamBeginCapture", 1, 11, 1) ", " LAUNCH(1, 12, 2) //
     ", " LAUNCH(1, 13, 3) ", " CALL("cudaStreamEndCapture", 1, 14, 4) ", "                     //
     LAUNCH(1, 15, 5) ", " LAUNCH(1, 16, 6) ", " KERNEL("k", 17, 6) ", "                        //
     CALL("cudaGraphLaunch", 1, 18, 8) ", " KERNEL("k", 19, 8) ", " KERNEL("k", 20, 8) ", " END,
     "1 from 1: fwd 4"}, /* two outside the capture, two nodes */
    {"a kernel that ran was not captured",
     STEP(1, 0, 100) FWD(10, 80) CALL("cudaStreamBeginCapture", 1, 11, 1) ", " LAUNCH(2, 12, 2) //
     ", " KERNEL("k", 13, 2) ", " CALL("cudaStreamEndCapture", 1, 14, 4) ", " END,
     "1 from 1: fwd 1"},
    {"arms cross stages",
     STEP(1, 0, 100) FWD(10, 20) RANGE("kda", 1, 12, 40) ", " L(1, 11) L(1, 13) L(2, 14)
         BWD(40, 20) //
     L(1, 45) L(1, 55) END,
     "1 from 1: fwd 3(kda 2) bwd 2(kda 1)"},
    {"processes by themselves",
     STEP(1, 0, 100) FWD(10, 20) L(1, 12) //
     "{\"ph\": \"X\", \"cat\": \"user_annotation\", \"name\": \"fwd\", \"pid\": 10, \"tid\": 1, "
     "\"ts\": 50, \"dur\": 9}, {\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": "
     "\"cudaLaunchKernel\", \"pid\": 10, \"tid\": 2, \"ts\": 52, \"dur\": 1}",
     "1 from 1: fwd 1 | 1 from 0?: fwd 1"},
    {"no stage at all", OTHER("x", 1, 2) L(1, 1) END, ""},
};

START_TEST(attributes) {
    g_autofree char *runs = attribute(cases[_i].events, FALSE);
    ck_assert_msg(g_str_equal(runs, cases[_i].runs), "%s: '%s', not '%s'", cases[_i].what, runs,
                  cases[_i].runs);
}
END_TEST

/* Where no range says it, the kernel's name does. */
START_TEST(by_kernels) {
    g_autofree char *runs =
        attribute(STEP(1, 0, 50) LAUNCH(1, 5, 7) ", " KERNEL("bwd", 60, 7) ", " FWD(10, 20) //
                  LAUNCH(1, 12, 8) ", " KERNEL("opt", 62, 8) ", " LAUNCH(1, 40, 9) ", "     //
                  KERNEL("mlp", 64, 9) ", " LAUNCH(1, 13, 10) ", " KERNEL("mlp", 65, 10) ", " END,
                  TRUE);
    ck_assert_str_eq(runs, "1 from 1: fwd 2(mlp 1) bwd 1; outside 1");
}
END_TEST

/* A stage of the rest: where there is no step, all is one; returns of the first stage end with the
 * last range of its thread; a process with ranges and no launch has nothing to say. */
START_TEST(the_rest) {
    static const struct {
        const char *events, *runs;
    } rests[] = {
        {LAUNCH(1, 10, 1) ", " LAUNCH(2, 90, 2) ", " END, "1 from 0?: opt 2"},
        {LAUNCH(1, 10, 1) ", " FWD(20, 5) LAUNCH(1, 21, 2) ", " LAUNCH(1, 90, 3) ", " END,
         "1 from 0?: fwd 1 opt 2"},
        {LAUNCH(1, 5, 1) ", " FWD(10, 5) LAUNCH(1, 11, 2) ", " LAUNCH(1, 17, 3) ", " FWD(20, 5)
             BWD(26, 4) LAUNCH(1, 27, 4) ", " FWD(40, 5)
                 LAUNCH(1, 46, 5) ", " RANGE("log", 1, 45, 5) ", " LAUNCH(1, 60, 6) ", " END,
         "2 from 0?: fwd 1 0 bwd 1 0 opt 1 1; outside 2"},
        {STEP(1, 0, 10) LAUNCH(1, 3, 1) ", " STEP(2, 10, 10) LAUNCH(1, 12, 2) ", " END,
         "2 from 1: opt 1 1"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(rests); i++) {
        g_autofree char *runs = attribute_rest(rests[i].events, TRUE, TRUE);
        ck_assert_str_eq(runs, rests[i].runs);
    }
}
END_TEST

/* How long stages and steps last; what lies inside another range of the stage counts once. */
START_TEST(durations) {
    static const char text[] = TRACE(STEP(1, 0, 100) FWD(10, 20) FWD(12, 4) FWD(25, 10) END);
    TraceRead read = trace_read_text(text, strlen(text), ATLAS_TRACE_COUNTS);
    g_autofree guint32 *stage_of = g_new(guint32, read.trace->names->len + 1);
    for (guint32 i = 0; i < read.trace->names->len; i++)
        stage_of[i] = index_of(stages, G_N_ELEMENTS(stages), atlas_trace_name(read.trace, i));
    AtlasTraceMap map = {stage_of, NULL, NULL, G_N_ELEMENTS(stages)};
    g_autoptr(GPtrArray) runs = atlas_trace_stages(read.trace, &map, NULL);
    const AtlasTraceRun *run = g_ptr_array_index(runs, 0);
    ck_assert_int_eq(run->counts[0].ns, 25000);
    ck_assert_int_eq(run->step_ns[0], 100000);
    trace_read_clear(&read);
}
END_TEST

/* ---- minimouse, as it was counted without a profiler ---- */

static const struct {
    const char *path;
    guint steps;
    gint64 launches[5]; /* fwd, bwd, opt, retr, ema of each step; -1: it has no such range */
} mice[] = {
    {"tests/data/minimouse-no-kda.json.gz", 2, {233, 267, 192, 229, 20}},
    {"tests/data/minimouse-graph.json.gz", 4, {643, -1, -1, -1, -1}},
    {"../shared/traces/minimouse-base.json.gz", 2, {1297, 1517, 272, 229, 30}},
    {"../shared/traces/minimouse-nokda.json.gz", 2, {233, 267, 192, 229, 20}},
    {"../shared/traces/minimouse-iters2.json.gz", 2, {661, 761, 272, 229, 30}},
    {"../shared/traces/minimouse-graph.json.gz", 4, {643, -1, -1, -1, -1}},
};

START_TEST(minimouse) {
    static const char *const names[] = {"stage:fwd", "stage:bwd", "stage:opt", "stage:retr",
                                        "stage:ema"};
    if (!g_file_test(mice[_i].path, G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "skipped: there is no '%s'\n", mice[_i].path);
        return;
    }
    TraceRead read = trace_read_file(mice[_i].path, ATLAS_TRACE_COUNTS);
    g_autofree guint32 *stage_of = g_new(guint32, read.trace->names->len + 1);
    for (guint32 i = 0; i < read.trace->names->len; i++)
        stage_of[i] = index_of(names, G_N_ELEMENTS(names), atlas_trace_name(read.trace, i));
    AtlasTraceMap map = {stage_of, NULL, NULL, G_N_ELEMENTS(names)};
    g_autoptr(GPtrArray) runs = atlas_trace_stages(read.trace, &map, NULL);
    ck_assert_uint_eq(runs->len, 1);
    const AtlasTraceRun *run = g_ptr_array_index(runs, 0);
    ck_assert_uint_eq(run->steps, mice[_i].steps);
    for (guint i = 0; i < run->steps * run->stages; i++) {
        gint64 launches = mice[_i].launches[i % run->stages];
        ck_assert_int_eq(run->seen[i % run->stages], launches >= 0);
        ck_assert_int_eq(atlas_stage_launches(&run->counts[i]), MAX(launches, 0));
        ck_assert_int_eq(run->counts[i].kernels, MAX(launches, 0));
    }
    trace_read_clear(&read);
}
END_TEST

Suite *trace_stages_suite(void) {
    Suite *suite = suite_create("trace_stages");
    TCase *tc = tcase_create("trace_stages");
    tcase_add_loop_test(tc, attributes, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tc, by_kernels);
    tcase_add_test(tc, the_rest);
    tcase_add_test(tc, durations);
    tcase_add_loop_test(tc, minimouse, 0, G_N_ELEMENTS(mice));
    suite_add_tcase(suite, tc);
    return suite;
}
