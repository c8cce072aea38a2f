/* Surveys of traces: where steps and stages are found, what is counted in them, why the GPU idles. */
#include <stdio.h>

#include "tests/unit/suites.h"
#include "tests/unit/survey_kit.h"
#include "tests/unit/trace_kit.h"

#define CALLED(thread, at, id) "call " thread " " #at " 1 " #id " cudaLaunchKernel\n"

/* ---- steps and stages ---- */

typedef struct {
    const char *what, *trace, *asked;
    AtlasStepsBy by;
    guint steps;
    gint64 first, ns; /* number of the first step, time of all */
    const char *stages;
    gint64 launches; /* in steps */
    gint64 between;
} StepsCase;

static const StepsCase steps_cases[] = {
    {"the profiler's own, with what is outside of them",
     "range 1/1 10 20 ProfilerStep#4\nrange 1/1 12 5 fwd\nrange 1/1 20 5 bwd\n"
     "range 1/1 40 20 ProfilerStep#5\nrange 1/1 42 5 fwd\nrange 1/1 50 5 bwd\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 21, 2) CALLED("1/1", 43, 3) CALLED("1/1", 51, 4)
         CALLED("1/1", 35, 5),
     NULL, ATLAS_STEPS_PROFILER, 2, 4, 40, "fwd, bwd", 4, 1},
    {"a number that counts up",
     "range 1/1 10 20 step 7\nrange 1/1 12 5 fwd\nrange 1/1 40 20 step 8\nrange 1/1 42 5 fwd\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 43, 3),
     NULL, ATLAS_STEPS_NUMBERED, 2, 7, 40, "fwd", 2, 0},
    {"steps in a range around them all",
     "range 1/1 0 90 training\nrange 1/1 10 20 iter 0\nrange 1/1 12 5 fwd\nrange 1/1 40 20 iter "
     "1\nrange 1/1 42 5 fwd\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 43, 3),
     NULL, ATLAS_STEPS_NUMBERED, 2, 0, 40, "fwd", 2, 0},
    {"steps that are counted by tens have no number",
     "range 1/1 10 20 step 10\nrange 1/1 12 5 fwd\nrange 1/1 40 20 step 20\nrange 1/1 42 5 fwd\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 43, 3),
     NULL, ATLAS_STEPS_NUMBERED, 2, -1, 40, "fwd", 2, 0},
    {"steps that begin again in each epoch",
     "range 1/1 10 10 epoch 0 step 0\nrange 1/1 30 10 epoch 0 step 1\n"
     "range 1/1 50 10 epoch 1 step 0\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 33, 2) CALLED("1/1", 53, 3),
     NULL, ATLAS_STEPS_NUMBERED, 3, -1, 30, "", 3, 0},
    {"parts of a step that begin again are none",
     "range 1/1 0 40 step 0\nrange 1/1 1 9 micro batch 0\nrange 1/1 11 9 micro batch 1\n"
     "range 1/1 50 40 step 1\nrange 1/1 51 9 micro batch 0\nrange 1/1 61 9 micro batch 1\n" //
     CALLED("1/1", 3, 1) CALLED("1/1", 13, 2) CALLED("1/1", 53, 3) CALLED("1/1", 63, 4),
     NULL, ATLAS_STEPS_NUMBERED, 2, 0, 80, "micro batch 0, micro batch 1", 4, 0},
    {"layers of a step are none",
     "range 1/1 0 50 forward\nrange 1/1 1 9 layer 0\nrange 1/1 11 9 layer 1\n" //
     CALLED("1/1", 3, 1) CALLED("1/1", 13, 2),
     NULL, ATLAS_STEPS_NONE, 1, -1, 11, "layer 0, layer 1", 2, 0},
    {"called a step, but few launches are in it: the next name",
     "range 1/1 0 9 load batch 0\nrange 1/1 10 9 part 1\nrange 1/1 20 9 load batch 1\n"
     "range 1/1 30 9 part 2\n" //
     CALLED("1/1", 3, 1) CALLED("1/1", 13, 2) CALLED("1/1", 14, 3) CALLED("1/1", 33, 4),
     NULL, ATLAS_STEPS_NUMBERED, 2, 1, 18, "", 3, 1},
    {"a step inside of another is none",
     "range 1/1 0 50 ProfilerStep#9\nrange 1/1 10 20 ProfilerStep#5\n" //
     CALLED("1/1", 13, 1),
     NULL, ATLAS_STEPS_PROFILER, 1, 9, 50, "", 1, 0},
    {"a number that does not: the first range's returns",
     "range 1/1 10 20 job 7\nrange 1/1 40 20 job 9\nrange 1/1 100 5 a\nrange 1/1 110 5 a\n" //
     CALLED("1/1", 101, 1) CALLED("1/1", 111, 3),
     NULL, ATLAS_STEPS_FIRST, 2, -1, 15, "a", 2, 0},
    {"numbered ranges that hold few launches are none",
     "range 1/1 10 20 op 1\nrange 1/1 40 20 op 2\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 70, 2) CALLED("1/1", 80, 3),
     NULL, ATLAS_STEPS_NONE, 1, -1, 68, "op 1", 3, 0},
    {"the only range that repeats, since it holds others",
     "range 1/1 10 20 iter\nrange 1/1 12 5 fwd\nrange 1/1 40 20 iter\nrange 1/1 42 5 fwd\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 43, 3),
     NULL, ATLAS_STEPS_OUTER, 2, -1, 40, "fwd", 2, 0},
    {"returns of the first stage; the last step ends with the last range",
     "range 1/1 10 5 fwd\nrange 1/1 20 5 bwd\nrange 1/1 30 5 fwd\nrange 1/1 40 5 bwd\n" //
     CALLED("1/1", 11, 1) CALLED("1/1", 22, 2) CALLED("1/1", 31, 3) CALLED("1/1", 60, 4),
     NULL, ATLAS_STEPS_FIRST, 2, -1, 35, "fwd, bwd", 3, 1},
    {"a range that a step has twice is no stage",
     "range 1/1 0 50 ProfilerStep#1\nrange 1/1 1 5 fwd\nrange 1/1 10 5 comm\nrange 1/1 20 5 "
     "comm\n" //
     CALLED("1/1", 2, 1) CALLED("1/1", 11, 2) CALLED("1/1", 21, 3),
     NULL, ATLAS_STEPS_PROFILER, 1, 1, 50, "fwd", 3, 0},
    {"one stage around two is these",
     "range 1/1 0 50 ProfilerStep#1\nrange 1/1 1 40 train\nrange 1/1 2 5 fwd\nrange 1/1 10 5 "
     "bwd\n" //
     CALLED("1/1", 3, 1) CALLED("1/1", 11, 2),
     NULL, ATLAS_STEPS_PROFILER, 1, 1, 50, "fwd, bwd", 2, 0},
    {"a stage in which nothing is called is none; nor is one inside of another",
     "range 1/1 0 50 ProfilerStep#1\nrange 1/1 1 5 load\nrange 1/1 10 20 opt\n"
     "range 1/1 12 5 adam\nrange 1/1 35 5 ema\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 36, 2),
     NULL, ATLAS_STEPS_PROFILER, 1, 1, 50, "opt, ema", 2, 0},
    {"no range at all", CALLED("1/1", 10, 1) CALLED("1/1", 30, 2), NULL, ATLAS_STEPS_NONE, 1, -1,
     21, "", 2, 0},
    {"nothing at all", "", NULL, ATLAS_STEPS_NONE, 0, -1, 0, "", 0, -1},
    {"a step that is open at the end is none",
     "range 1/1 10 20 step 7\nrange 1/1 40 20 step 8\nopen 1/1 70 0 step 9\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 43, 2) CALLED("1/1", 75, 3),
     NULL, ATLAS_STEPS_NUMBERED, 2, 7, 40, "", 2, 1},
    {"nor is a return in which a stage is open",
     "range 1/1 10 5 fwd\nrange 1/1 20 5 opt\nrange 1/1 30 5 fwd\nrange 1/1 40 5 opt\n"
     "range 1/1 50 5 fwd\nopen 1/1 60 0 opt\n" //
     CALLED("1/1", 11, 1) CALLED("1/1", 22, 2) CALLED("1/1", 31, 3) CALLED("1/1", 41, 4)
         CALLED("1/1", 51, 5) CALLED("1/1", 61, 6),
     NULL, ATLAS_STEPS_FIRST, 2, -1, 40, "fwd, opt", 4, 2},
    {"a range that somebody forgot to end hides none",
     "open 1/1 5 0 training\nrange 1/1 10 20 step 7\nrange 1/1 40 20 step 8\n" //
     CALLED("1/1", 13, 1) CALLED("1/1", 43, 2),
     NULL, ATLAS_STEPS_NUMBERED, 2, 7, 40, "", 2, 0},
    {"the range that is asked for",
     "range 1/1 0 50 ProfilerStep#1\nrange 1/1 1 5 micro 3\nrange 1/1 10 5 micro 4\n" //
     CALLED("1/1", 2, 1) CALLED("1/1", 11, 2) CALLED("1/1", 21, 3),
     "micro 0", ATLAS_STEPS_ASKED, 2, 3, 10, "", 2, 1},
    {"the process with most launches",
     "range 1/1 0 10 fwd\nrange 1/1 20 10 fwd\nrange 2/1 0 10 fwd\nrange 2/1 30 10 fwd\n" //
     CALLED("1/1", 2, 1) CALLED("2/1", 3, 2) CALLED("2/1", 31, 3),
     NULL, ATLAS_STEPS_FIRST, 2, -1, 40, "fwd", 2, 0},
};

START_TEST(test_steps) {
    const StepsCase *c = &steps_cases[_i];
    g_autoptr(AtlasSurvey) s = survey_kit(c->trace, c->asked);
    g_autofree char *stages = survey_kit_stages(s);
    ck_assert_msg(s->by == c->by && s->steps == c->steps && s->first == c->first, "%s: %d %u",
                  c->what, s->by, s->steps);
    ck_assert_msg(s->time.steps == c->ns, "%s: %" G_GINT64_FORMAT " ns", c->what, s->time.steps);
    ck_assert_str_eq(stages, c->stages);
    ck_assert_msg(s->step[ATLAS_TALLY_LAUNCHES].sum == c->launches && s->between == c->between,
                  "%s", c->what);
}
END_TEST

START_TEST(test_no_such_step) {
    g_autoptr(AtlasTrace) trace = survey_kit_trace("range 1/1 0 5 step 1\n" CALLED("1/1", 2, 1));
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    ck_assert_ptr_null(atlas_trace_parts_find(trace, "stop 1", diags));
    g_autofree char *text = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(text, "error: no range is called 'stop 1'\nhint: did you mean 'step 1'?\n");
}
END_TEST

/* Ranges of a thread that cross: what was opened last has the time, as it has the calls. */
START_TEST(test_crossing) {
    g_autoptr(AtlasSurvey) s = survey_kit(
        "range 1/1 0 100 ProfilerStep#1\nrange 1/1 10 30 fwd\nrange 1/1 25 30 bwd\n"
        "range 1/1 60 40 opt\n" //
        CALLED("1/1", 11, 1) CALLED("1/1", 30, 2) CALLED("1/1", 50, 3) CALLED("1/1", 70, 4),
        NULL);
    static const gint64 ns[] = {15, 30, 40, 15}, launches[] = {1, 2, 1, 0};
    for (guint i = 0; i < G_N_ELEMENTS(ns); i++) {
        ck_assert_int_eq(atlas_survey_stage(s, i)->host_ns, ns[i]);
        ck_assert_int_eq(atlas_survey_stage(s, i)->counts[ATLAS_TALLY_LAUNCHES].sum, launches[i]);
    }
}
END_TEST

/* ---- stages of calls ---- */

static gint64 launches_of(const AtlasSurvey *s, guint stage) {
    return atlas_survey_stage(s, stage)->counts[ATLAS_TALLY_LAUNCHES].sum;
}

/* The backward pass is on a thread without ranges; one with a stage of its own keeps it. */
START_TEST(test_threads) {
    g_autoptr(AtlasSurvey) s =
        survey_kit("range 1/1 0 100 ProfilerStep#1\nrange 1/1 10 20 fwd\nrange 1/1 40 20 bwd\n"
                   "range 1/3 45 10 fwd\n" //
                   CALLED("1/1", 11, 1) CALLED("1/1", 12, 2) CALLED("1/2", 41, 3)
                       CALLED("1/3", 46, 4) CALLED("1/2", 70, 5) CALLED("1/1", 60, 6),
                   NULL);
    ck_assert_uint_eq(s->stages->len, 3);
    ck_assert_int_eq(launches_of(s, 0), 3); /* 11, 12 and 46, of its own thread */
    ck_assert_int_eq(launches_of(s, 1), 1); /* 41: the one that is open */
    ck_assert_int_eq(launches_of(s, 2), 2); /* 60 is behind the end, 70 too */
    ck_assert_int_eq(atlas_survey_stage(s, 1)->host_ns, 20);
    ck_assert_int_eq(atlas_survey_stage(s, 2)->host_ns, 60);
}
END_TEST

/* Two steps that launch 1 and 3 kernels in b: means, least and most; none in a's second step. */
START_TEST(test_tallies) {
    g_autoptr(AtlasSurvey) s =
        survey_kit("range 1/1 0 10 a\nrange 1/1 10 10 b\nrange 1/1 20 10 a\nrange 1/1 30 10 b\n" //
                   CALLED("1/1", 1, 1) CALLED("1/1", 11, 2) CALLED("1/1", 31, 3)
                       CALLED("1/1", 32, 4) CALLED("1/1", 33, 5) "kernel 7 2 1 1 k\n"
                                                                 "kernel 7 12 1 2 void n::k(int)\n"
                                                                 "kernel 7 32 1 3 k\n",
                   NULL);
    const AtlasTally *a = &atlas_survey_stage(s, 0)->counts[ATLAS_TALLY_LAUNCHES];
    const AtlasTally *b = &atlas_survey_stage(s, 1)->counts[ATLAS_TALLY_LAUNCHES];
    ck_assert(a->sum == 1 && a->least == 0 && a->most == 1);
    ck_assert(b->sum == 4 && b->least == 1 && b->most == 3);
    ck_assert(s->step[ATLAS_TALLY_LAUNCHES].least == 2 && s->step[ATLAS_TALLY_LAUNCHES].most == 3);
    ck_assert_uint_eq(s->kernels->len, 2);
    ck_assert_str_eq(atlas_survey_kernel(s, 1)->brief, "k");
    ck_assert(atlas_survey_kernel(s, 0)->launches == 2 &&
              atlas_survey_kernel(s, 0)->by_stage[1] == 1 &&
              atlas_survey_kernel(s, 0)->gpu_ns == 2);
    ck_assert_int_eq(s->totals.uncaused, 2);
}
END_TEST

/* ---- reads and syncs ---- */

static const struct {
    const char *what, *calls;
    gint64 copies, reads, syncs;
    const char *parts; /* "kind: call" each, in order */
} read_cases[] = {
    {"a copy that is waited for", /* ns 3 + 9 */
     "call 1/1 10 3 1 cudaMemcpyAsync\ncall 1/1 20 9 2 cudaStreamSynchronize\n"
     "copy 7 15 1 1 Memcpy DtoH (Device -> Pinned)\n",
     1, 1, 0, "host read: cudaMemcpyAsync, cudaStreamSynchronize 12"},
    {"an event between them is for it",
     "call 1/1 10 3 1 cudaMemcpyAsync\ncall 1/1 14 1 2 cudaEventRecord\n"
     "call 1/1 20 9 3 cudaEventSynchronize\ncopy 7 15 1 1 Memcpy DtoH (Device -> Pinned)\n",
     1, 1, 0, "host read: cudaMemcpyAsync, cudaEventSynchronize 12"},
    {"a launch between them is not",
     "call 1/1 10 3 1 cudaMemcpyAsync\ncall 1/1 14 1 2 cudaLaunchKernel\n"
     "call 1/1 20 9 3 cudaStreamSynchronize\ncopy 7 15 1 1 Memcpy DtoH (Device -> Pinned)\n",
     1, 0, 1, "sync: cudaStreamSynchronize 9"},
    {"another thread's sync is not for it",
     "call 1/1 10 3 1 cudaMemcpyAsync\ncall 1/2 20 9 2 cudaStreamSynchronize\n"
     "copy 7 15 1 1 Memcpy DtoH (Device -> Pinned)\n",
     1, 0, 1, "sync: cudaStreamSynchronize 9"},
    {"pageable memory: the call waits, and the sync behind it is part of it",
     "call 1/1 10 3 1 cudaMemcpyAsync\ncall 1/1 20 9 2 cudaStreamSynchronize\n"
     "copy 7 11 1 1 Memcpy DtoH (Device -> Pageable)\n",
     1, 1, 0, "host read: cudaMemcpyAsync 12"},
    {"a blocking copy, whose version is left out",
     "call 1/1 10 3 1 cuMemcpyDtoH_v2\ncopy 7 11 1 1 Memcpy DtoH (Device -> Pinned)\n", 1, 1, 0,
     "host read: cuMemcpyDtoH 3"},
    {"a blocking copy to the device",
     "call 1/1 10 3 1 cudaMemcpy\ncopy 7 11 1 1 Memcpy HtoD (Pageable -> Device)\n", 1, 0, 0,
     "host copy: cudaMemcpy 3"},
    {"a copy on the device waits for nothing",
     "call 1/1 10 3 1 cudaMemcpy\ncopy 7 11 1 1 Memcpy DtoD (Device -> Device)\n"
     "call 1/1 20 9 2 cudaStreamSynchronize\n",
     1, 0, 1, "sync: cudaStreamSynchronize 9"},
    {"allocations, a capture", /* what is ordered by a stream parts nothing */
     "call 1/1 10 3 1 cudaMalloc\ncall 1/1 20 2 2 cudaFree\n"
     "call 1/1 30 1 3 cudaStreamBeginCapture\ncall 1/1 40 4 4 cudaMallocAsync\n",
     0, 0, 0, "allocation: cudaMalloc 3; free: cudaFree 2; capture: cudaStreamBeginCapture 1"},
};

START_TEST(test_reads) {
    g_autoptr(AtlasSurvey) s = survey_kit(read_cases[_i].calls, NULL);
    g_autoptr(GString) parts = g_string_new(NULL);
    for (guint i = 0; i < s->parts->len; i++) {
        const AtlasSurveyPart *p = &g_array_index(s->parts, AtlasSurveyPart, i);
        g_string_append_printf(parts, "%s%s: %s %" G_GINT64_FORMAT, i ? "; " : "",
                               atlas_part_name(p->kind), p->call, p->host_ns);
    }
    ck_assert_str_eq(parts->str, read_cases[_i].parts);
    ck_assert_int_eq(s->step[ATLAS_TALLY_COPIES].sum, read_cases[_i].copies);
    ck_assert_int_eq(s->step[ATLAS_TALLY_READS].sum, read_cases[_i].reads);
    ck_assert_int_eq(s->step[ATLAS_TALLY_SYNCS].sum, read_cases[_i].syncs);
}
END_TEST

/* ---- time ---- */

/* A step of 100 ns, by hand:
 *
 *      0..20  starved: a is launched at 10, runs 20..30
 *     30..35  queued: b was launched at 25, runs 35..45
 *     45..70  c is launched at 60, while the host waits 46..56: 10 waiting, 15 starved; 70..80
 *     80..85  untold: d, 85..90, has no call
 *     90..100 nothing follows: the host waits 95..110, so 5 starved, 5 waiting
 */
START_TEST(test_time) {
    g_autoptr(AtlasSurvey) s =
        survey_kit("range 1/1 0 100 ProfilerStep#1\nrange 1/1 1 48 x\nrange 1/1 58 4 y\n" //
                   CALLED("1/1", 10, 1) CALLED("1/1", 25, 2) CALLED("1/1", 60, 3)         //
                   "call 1/1 46 10 9 cudaStreamSynchronize\n"
                   "call 1/1 95 15 10 cudaDeviceSynchronize\n"
                   "kernel 7 20 10 1 a\nkernel 7 35 10 2 b\nkernel 8 38 5 2 b\nkernel 7 70 10 3 c\n"
                   "kernel 7 85 5 77 d\n",
                   NULL);
    ck_assert_int_eq(s->time.steps, 100);
    ck_assert_int_eq(s->time.starved, 20 + 15 + 5);
    ck_assert_int_eq(s->time.queued, 5);
    ck_assert_int_eq(s->time.waiting, 10 + 5);
    ck_assert_int_eq(s->time.untold, 5);
    ck_assert_int_eq(s->time.busy, 10 + 10 + 10 + 5);
    ck_assert_int_eq(s->time.host, 100 - 10 - 5);
    ck_assert_int_eq(atlas_survey_stage(s, 0)->starved_ns, 20);
    ck_assert_int_eq(atlas_survey_stage(s, 1)->starved_ns, 15);
    ck_assert_int_eq(atlas_survey_stage(s, 2)->starved_ns, 5);
    ck_assert_int_eq(s->time.launch, 15); /* 10 to 25; what is parted, or of two stages, is not */
}
END_TEST

/* Without activities of the device nothing is known of its time. */
START_TEST(test_no_device) {
    g_autoptr(AtlasSurvey) s = survey_kit(CALLED("1/1", 10, 1), NULL);
    ck_assert(s->time.busy < 0 && s->time.starved < 0 && s->time.host == 1);
}
END_TEST

/* ---- graphs and the typical step ---- */

/* Of three steps the second and third are alike; one graph's kernels are known, one's are not. */
START_TEST(test_typical) {
    g_autoptr(AtlasSurvey) s = survey_kit(
        "range 1/1 0 10 a\nrange 1/1 10 10 a\nrange 1/1 20 10 a\n" //
        CALLED("1/1", 1, 1) "call 1/1 2 1 2 cudaGraphLaunch\ncall 1/1 11 1 3 cudaGraphLaunch\n"
                            "call 1/1 21 1 4 cudaGraphLaunch\n"
                            "kernel 7 3 1 1 k\nkernel 7 12 1 3 k\nkernel 7 13 1 3 l\n"
                            "kernel 7 22 1 4 k\nkernel 7 23 1 4 l\n",
        NULL);
    ck_assert_uint_eq(s->steps, 3);
    ck_assert_uint_eq(s->alike, 2);
    ck_assert_uint_eq(s->sequence->len, 1);
    ck_assert_int_eq(g_array_index(s->sequence, AtlasSeen, 0).nodes, 2);
    ck_assert_uint_eq(s->graphs->len, 2);
    ck_assert_int_eq(g_array_index(s->graphs, AtlasSurveyGraph, 0).nodes, -1);
    ck_assert_int_eq(g_array_index(s->graphs, AtlasSurveyGraph, 1).launches.sum, 2);
    ck_assert(!s->step[ATLAS_TALLY_NODES].known && s->step[ATLAS_TALLY_NODES].sum == 4);
    ck_assert_int_eq(atlas_survey_kernel(s, 1)->nodes, 2);
}
END_TEST

/* ---- ../shared/traces ---- */

/* Launches a step as ../shared/runs has them; four steps of the last replay a graph of 643. */
static const struct {
    const char *file;
    guint steps;
    gint64 fwd, bwd, opt, retr, ema, nodes;
} recorded[] = {
    {"base", 2, 1297, 1517, 272, 229, 30, 0},
    {"iters2", 2, 661, 761, 272, 229, 30, 0},
    {"nokda", 2, 233, 267, 192, 229, 20, 0},
    {"graph", 4, 0, 1, 0, 0, 0, 643},
};

START_TEST(test_recorded) {
    g_autofree char *path =
        g_strdup_printf("../shared/traces/minimouse-%s.json.gz", recorded[_i].file);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "skipped: there is no '%s'\n", path);
        return;
    }
    TraceRead read = trace_read_file(path, ATLAS_TRACE_ALL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasTraceParts) parts = atlas_trace_parts_find(read.trace, NULL, diags);
    g_autoptr(AtlasSurvey) s = atlas_survey_trace(read.trace, parts, path, "kineto");
    const AtlasSurveyTime *t = &s->time;
    gint64 steps = recorded[_i].steps;
    gint64 launches[] = {recorded[_i].fwd, recorded[_i].bwd, recorded[_i].opt, recorded[_i].retr,
                         recorded[_i].ema};
    ck_assert_uint_eq(s->steps, recorded[_i].steps);
    for (guint i = 0; i + 1 < s->stages->len; i++)
        ck_assert_int_eq(launches_of(s, i), steps * launches[i]);
    ck_assert_int_eq(s->step[ATLAS_TALLY_NODES].sum, steps * recorded[_i].nodes);
    ck_assert_int_eq(s->step[ATLAS_TALLY_READS].sum, steps); /* loss.item() */
    ck_assert_int_eq(t->busy + t->starved + t->waiting + t->queued + t->untold, t->steps);
    trace_read_clear(&read);
}
END_TEST

Suite *survey_suite(void) {
    Suite *suite = suite_create("survey");
    TCase *tests = tcase_create("traces");
    tcase_add_loop_test(tests, test_steps, 0, G_N_ELEMENTS(steps_cases));
    tcase_add_test(tests, test_no_such_step);
    tcase_add_test(tests, test_crossing);
    tcase_add_test(tests, test_threads);
    tcase_add_test(tests, test_tallies);
    tcase_add_loop_test(tests, test_reads, 0, G_N_ELEMENTS(read_cases));
    tcase_add_test(tests, test_time);
    tcase_add_test(tests, test_no_device);
    tcase_add_test(tests, test_typical);
    tcase_add_loop_test(tests, test_recorded, 0, G_N_ELEMENTS(recorded));
    suite_add_tcase(suite, tests);
    return suite;
}
