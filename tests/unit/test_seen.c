/* The typical step of a survey as a program and as a spec: what is written, that it is one, and what
 * a plan of it says. */
#include "graphs/plan.h"
#include "graphs/seen_program.h"
#include "model/launch/spec.h"
#include "tests/unit/suites.h"
#include "tests/unit/survey_kit.h"

/* Two streams, a copy, a read, an allocation, a graph of two kernels, a sync outside of the stages.
 */
static const char trace[] = "range 1/1 0 100 ProfilerStep#1\n"
                            "range 1/1 1 40 stage:fwd\nrange 1/1 50 40 stage:opt step\n"
                            "call 1/1 2 1 1 cudaLaunchKernel\ncall 1/1 4 1 2 cudaLaunchKernel\n"
                            "call 1/1 6 1 3 cudaLaunchKernel\ncall 1/1 8 1 4 cudaMemsetAsync\n"
                            "call 1/1 10 1 5 cudaMemsetAsync\ncall 1/1 12 1 6 cudaMemcpyAsync\n"
                            "call 1/1 14 1 7 cudaStreamSynchronize\n"
                            "call 1/1 20 1 8 cudaLaunchKernel\n"
                            "call 1/1 45 1 9 cudaDeviceSynchronize\n"
                            "call 1/1 51 1 10 cudaMalloc\ncall 1/1 53 1 11 cudaGraphLaunch\n"
                            "call 1/1 60 1 12 cudaLaunchKernel\ncall 1/1 70 1 13 cudaFree\n"
                            "kernel 7 3 1 1 void n::gemm<4>(int)\nkernel 8 5 1 2 relu\n"
                            "kernel 7 7 1 3 void n::gemm<8>(int)\nmemset 7 9 1 4 Memset (Device)\n"
                            "memset 7 11 1 5 Memset (Device)\n"
                            "copy 7 13 1 6 Memcpy DtoH (Device -> Pinned)\n"
                            "kernel 7 21 1 8 relu\nkernel 7 54 1 11 a\nkernel 7 56 1 11 b\n"
                            "kernel 7 61 1 12 adamW\n";

static const char program[] = "stream s7 nonblocking\n"
                              "stream s8 nonblocking\n"
                              "buffer unknown\n"
                              "begin s7 global\n"
                              "launch s7 graph_2 x2\n"
                              "end s7 graph_2\n"
                              "instantiate graph_2 exec_2\n"
                              "step\n"
                              "  stage fwd\n"
                              "  launch s7 gemm x2 of:fwd.gemm us:0.001\n"
                              "  launch s8 relu of:fwd.relu us:0.001\n"
                              "  loop 2 as n\n"
                              "    memset_async s7\n"
                              "  end\n"
                              "  dtoh_async s7 pinned r:unknown\n"
                              "  sync_stream s7\n"
                              "  host_read r:unknown\n"
                              "  launch s7 relu of:fwd.relu us:0.001\n"
                              "  sync_ctx\n"
                              "  stage opt_step\n"
                              "  malloc m1\n"
                              "  graph_launch exec_2 s7\n"
                              "  launch s7 adam_w of:opt_step.adam_w us:0.001\n"
                              "  free m1\n"
                              "end\n\n";

START_TEST(test_program) {
    g_autoptr(AtlasSurvey) survey = survey_kit(trace, NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    const AtlasProgram *made = atlas_seen_program(survey, file, diags);
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_program_write(made, text);
    ck_assert(g_str_has_prefix(text->str, "# kit\n// the typical step of 1, of a kineto trace"));
    ck_assert(g_str_has_suffix(text->str, program));
    g_autoptr(AtlasSource) source = atlas_source_new("made", text->str, text->len, NULL);
    g_autoptr(AtlasProgramFile) read = atlas_program_read(source, diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert_ptr_nonnull(read);
}
END_TEST

/* Bytes of pageable memory are taken at the call: a graph would take what is there later. */
START_TEST(test_pageable) {
    static const struct {
        const char *memory, *copy;
        guint windows;
    } cases[] = {
        {"Pageable", "  htod_async s7 pageable r:pageable\n  host_write w:pageable\n", 2},
        {"Pinned", "  htod_async s7 pinned\n", 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *seen =
            g_strdup_printf("range 1/1 0 100 ProfilerStep#1\nrange 1/1 1 90 fwd\n"
                            "call 1/1 2 1 1 cudaLaunchKernel\ncall 1/1 4 1 2 cudaMemcpyAsync\n"
                            "call 1/1 6 1 3 cudaLaunchKernel\nkernel 7 3 1 1 a\n"
                            "copy 7 5 1 2 Memcpy HtoD (%s -> Device)\nkernel 7 7 1 3 b\n",
                            cases[i].memory);
        g_autoptr(AtlasSurvey) survey = survey_kit(seen, NULL);
        g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        const AtlasProgram *made = atlas_seen_program(survey, file, diags);
        AtlasPlanCosts costs = atlas_plan_costs();
        g_autoptr(AtlasPlan) plan = atlas_plan_make(file, made, 0, &costs, diags);
        g_autoptr(GString) text = g_string_new(NULL);
        atlas_program_write(made, text);
        ck_assert_ptr_nonnull(strstr(text->str, cases[i].copy));
        ck_assert_uint_eq(plan->windows->len, cases[i].windows);
    }
}
END_TEST

/* Two copies of different memory are not one that is repeated. */
START_TEST(test_both_memories) {
    g_autoptr(AtlasSurvey) survey =
        survey_kit("range 1/1 0 100 ProfilerStep#1\nrange 1/1 1 90 fwd\n"
                   "call 1/1 4 1 2 cudaMemcpyAsync\ncall 1/1 6 1 3 cudaMemcpyAsync\n"
                   "copy 7 5 1 2 Memcpy HtoD (Pageable -> Device)\n"
                   "copy 7 7 1 3 Memcpy HtoD (Pinned -> Device)\n",
                   NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_program_write(atlas_seen_program(survey, file, diags), text);
    ck_assert_ptr_nonnull(strstr(text->str, "  htod_async s7 pageable r:pageable\n"
                                            "  host_write w:pageable\n"
                                            "  htod_async s7 pinned\n"));
}
END_TEST

/* A name with an end of line in it cannot leave the comment that it stands in. */
START_TEST(test_names_in_comments) {
    g_autoptr(AtlasTrace) seen =
        survey_kit_trace("range 1/1 0 100 ProfilerStep#1\nrange 1/1 1 90 f@wd\n"
                         "call 1/1 2 1 1 cudaLaunchKernel\nkernel 7 3 1 1 a\n");
    for (guint i = 0; i < seen->names->len; i++)
        g_strdelimit(g_ptr_array_index(seen->names, i), "@", '\n');
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasTraceParts) parts = atlas_trace_parts_find(seen, NULL, diags);
    g_autoptr(AtlasSurvey) survey = atlas_survey_trace(seen, parts, "a\nb.json", "kineto");
    g_autofree char *spec = atlas_seen_spec(survey, diags);
    ck_assert_ptr_nonnull(spec);
    ck_assert(g_str_has_prefix(spec, "# atlas-check THIS --backend kineto $'a\\012b.json' "
                                     "--stage-map $'^f\\012wd$=f_wd'\natlas: 1\n"));
}
END_TEST

/* fwd: 2 launches and 2 memsets on s7, 1 launch on s8, the read, 1 more; opt: 1 beside the graph,
 * which is launched eagerly, too. */
START_TEST(test_plan) {
    static const struct {
        const char *stage;
        gint64 eager, calls, submissions, activities, nodes;
    } expected[] = {{"fwd", 4, 0, 3, 4, 4}, {"opt_step", 2, 0, 2, 3, 3}};
    g_autoptr(AtlasSurvey) survey = survey_kit(trace, NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    const AtlasProgram *made = atlas_seen_program(survey, file, diags);
    AtlasPlanCosts costs = atlas_plan_costs();
    costs.graph_ns = costs.node_ns = 0; /* so that a window of one launch pays */
    costs.clock.launch_ns = 24000;
    g_autoptr(AtlasPlan) plan = atlas_plan_make(file, made, 0, &costs, diags);
    ck_assert_ptr_nonnull(plan);
    ck_assert(plan->proved && !plan->assumed);
    atlas_plan_assume(plan, "all of it");
    ck_assert(!plan->proved);
    ck_assert_str_eq(plan->assumed, "all of it");
    ck_assert_uint_eq(plan->windows->len, 4);
    ck_assert_int_eq(plan->base_ns, 8 * 24000); /* 5 launches, 2 memsets, the copy that is read */
    ck_assert(plan->launches == 5 && plan->captured == 5 && plan->graph_launches == 4);
    ck_assert_int_eq(plan->given_graphs, 1);
    g_autoptr(GArray) promises = atlas_plan_promises(plan);
    ck_assert_uint_eq(promises->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < promises->len; i++) {
        const AtlasPlanPromise *p = &g_array_index(promises, AtlasPlanPromise, i);
        ck_assert_str_eq(p->stage, expected[i].stage);
        ck_assert_int_eq(p->eager, expected[i].eager);
        ck_assert_int_eq(p->calls, expected[i].calls);
        ck_assert_int_eq(p->submissions, expected[i].submissions);
        ck_assert_int_eq(p->activities, expected[i].activities);
        ck_assert_int_eq(p->graph_nodes, expected[i].nodes);
    }
}
END_TEST

START_TEST(test_spec) {
    g_autoptr(AtlasSurvey) survey = survey_kit(trace, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autofree char *text = atlas_seen_spec(survey, diags);
    static const char stages[] =
        "stages:\n"
        "  - stage: fwd\n"
        "    do:\n"
        "      - {launch: gemm, count: 2, cost_us: 0.001, stream: s7, source: measured}\n"
        "      - {launch: relu, count: 1, cost_us: 0.001, stream: s8, source: measured}\n"
        "      # memset x2 on s7\n"
        "      - {read: unknown}\n"
        "      - {launch: relu_2, count: 1, kernel: relu, cost_us: 0.001, stream: s7, source: "
        "measured}\n"
        "      - {sync: context}\n"
        "  - stage: opt_step\n"
        "    do:\n"
        "      # cudaMalloc\n"
        "      - {launch: graph_2, count: 2, stream: s7, source: measured}\n"
        "      - {launch: adam_w, count: 1, cost_us: 0.001, stream: s7, source: measured}\n"
        "      # cudaFree\n";
    ck_assert(g_str_has_prefix(text, "# atlas-check THIS --backend kineto kit.json --stage-map "
                                     "'^stage\\:opt\\ step$=opt_step'\n") ||
              g_str_has_prefix(text, "# atlas-check THIS --backend kineto kit.json --stage-map "
                                     "'^stage:opt step$=opt_step'\n"));
    ck_assert(g_str_has_suffix(text, stages));
    g_autoptr(AtlasSource) source = atlas_source_new("made", text, strlen(text), NULL);
    g_autoptr(AtlasSpec) spec = atlas_spec_read(source, diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert_uint_eq(spec->stages->len, 2);
}
END_TEST

/* What cannot be written says why. */
static const struct {
    const char *trace, *why;
} refused[] = {
    {"range 1/1 0 10 a\n", "error: 'kit.json' does not tell in which order a step launches what\n"},
    {"call 1/1 1 1 1 cudaStreamBeginCapture\ncall 1/1 3 1 2 cudaLaunchKernel\n",
     "error: the typical step of 'kit.json' captures graphs itself\n"},
};

START_TEST(test_refused) {
    g_autoptr(AtlasSurvey) survey = survey_kit(refused[_i].trace, NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    ck_assert_ptr_null(atlas_seen_program(survey, file, diags));
    g_autofree char *text = atlas_diags_render(diags, FALSE);
    ck_assert_msg(g_str_has_prefix(text, refused[_i].why), "%s", text);
    ck_assert_ptr_null(atlas_seen_spec(survey, diags));
}
END_TEST

Suite *seen_suite(void) {
    Suite *suite = suite_create("seen");
    TCase *tests = tcase_create("steps");
    tcase_add_test(tests, test_program);
    tcase_add_test(tests, test_plan);
    tcase_add_test(tests, test_spec);
    tcase_add_test(tests, test_pageable);
    tcase_add_test(tests, test_both_memories);
    tcase_add_test(tests, test_names_in_comments);
    tcase_add_loop_test(tests, test_refused, 0, G_N_ELEMENTS(refused));
    suite_add_tcase(suite, tests);
    return suite;
}
