/* Traces that people have: what is in them equals what an independent script counted; and what
 * calls are, by their names. */
#include <stdio.h>
#include <string.h>

#include "tests/unit/suites.h"
#include "tests/unit/trace_kit.h"

static const struct {
    const char *name;
    AtlasCallKind kind;
} calls[] = {
    {"cudaLaunchKernel", ATLAS_CALL_LAUNCH},
    {"cudaLaunchKernelExC", ATLAS_CALL_LAUNCH},
    {"cudaLaunchKernelExC_v11060", ATLAS_CALL_LAUNCH},
    {"__cudaLaunchKernel", ATLAS_CALL_LAUNCH},
    {"cudaLaunchCooperativeKernel", ATLAS_CALL_LAUNCH},
    {"cuLaunchKernel", ATLAS_CALL_LAUNCH},
    {"cuLaunchKernel_ptsz", ATLAS_CALL_LAUNCH},
    {"cuLaunchKernelEx", ATLAS_CALL_LAUNCH},
    {"cuLaunchCooperativeKernel", ATLAS_CALL_LAUNCH},
    {"hipLaunchKernel", ATLAS_CALL_LAUNCH},
    {"hipExtLaunchKernel", ATLAS_CALL_LAUNCH},
    {"hipModuleLaunchKernel", ATLAS_CALL_LAUNCH},
    {"hipExtModuleLaunchKernel", ATLAS_CALL_LAUNCH},
    {"cudaGraphLaunch_v10000", ATLAS_CALL_GRAPH_LAUNCH},
    {"cuGraphLaunch", ATLAS_CALL_GRAPH_LAUNCH},
    {"hipGraphLaunch", ATLAS_CALL_GRAPH_LAUNCH},
    {"cuMemcpyHtoDAsync_v2", ATLAS_CALL_COPY},
    {"hipMemcpyWithStream", ATLAS_CALL_COPY},
    {"cudaMemset", ATLAS_CALL_MEMSET},
    {"cuMemsetD8Async", ATLAS_CALL_MEMSET},
    {"cudaStreamSynchronize_v3020", ATLAS_CALL_SYNC},
    {"cuCtxSynchronize", ATLAS_CALL_SYNC},
    {"cudaMallocAsync_v11020", ATLAS_CALL_ALLOC},
    {"cudaHostAlloc", ATLAS_CALL_ALLOC},
    {"cudaFree", ATLAS_CALL_FREE},
    {"cudaEventRecordWithFlags", ATLAS_CALL_RECORD},
    {"cudaStreamWaitEvent", ATLAS_CALL_WAIT},
    {"cudaStreamBeginCapture_v10000", ATLAS_CALL_CAPTURE_BEGIN},
    {"hipStreamEndCapture", ATLAS_CALL_CAPTURE_END},
    {"cudaGraphInstantiateWithFlags", ATLAS_CALL_INSTANTIATE},
    {"cudaLaunchHostFunc", ATLAS_CALL_KINDS},
    {"cudaGraphAddMemcpyNode", ATLAS_CALL_KINDS},
    {"cudaStreamIsCapturing", ATLAS_CALL_KINDS},
    {"cudaEventQuery", ATLAS_CALL_KINDS},
    {"culaunchkernel", ATLAS_CALL_KINDS},
    {"LaunchKernel", ATLAS_CALL_KINDS},
    {"INVALID", ATLAS_CALL_KINDS},
    {"cuda", ATLAS_CALL_KINDS},
    {"", ATLAS_CALL_KINDS},
};

START_TEST(knows_calls) {
    AtlasCallKind kind = atlas_call_kind(calls[_i].name, strlen(calls[_i].name));
    ck_assert_msg(kind == calls[_i].kind, "%s is %d", calls[_i].name, (int)kind);
}
END_TEST

/* ---- ../shared/traces ---- */

#define TRACES "../shared/traces/"

/* A column of the script's table, and what we call it. */
typedef struct {
    const char *column;
    gsize offset; /* of the total */
} Column;

#define TOTAL(name) offsetof(AtlasTraceTotals, name)

static const Column columns[] = {{"launch_api", TOTAL(calls)},
                                 {"graph_launch", TOTAL(graph_launches)},
                                 {"memcpy_api", TOTAL(copies)},
                                 {"memset_api", TOTAL(memsets)},
                                 {"kernels", TOTAL(activities)},
                                 {"kernels_in_graph", TOTAL(graph_nodes)},
                                 {"gpu_no_launch", TOTAL(orphans)},
                                 {"launch_no_gpu", TOTAL(uncaused)},
                                 {"steps", TOTAL(steps)}};

/* Of databases the script counted kernels only. */
static const Column nsys_columns[] = {{"launch_api", TOTAL(calls)},
                                      {"graph_launch", TOTAL(graph_launches)},
                                      {"kernels", TOTAL(activities)},
                                      {"kernels_in_graph", TOTAL(graph_nodes)},
                                      {"gpu_no_launch", TOTAL(orphan_kernels)}};

static void check_file(const char *name, char **header, char **cells, const Column *known,
                       guint count, AtlasTraceWants wants) {
    g_autofree char *path = g_strdup_printf(TRACES "public/%s", name);
    TraceRead read = trace_read_file(path, wants);
    ck_assert_msg(read.trace != NULL, "%s", read.errors);
    guint compared = 0;
    for (guint i = 1; header[i]; i++)
        for (guint k = 0; k < count; k++) {
            if (!g_str_equal(header[i], known[k].column))
                continue;
            gint64 is = *(const gint64 *)((const char *)&read.trace->totals + known[k].offset);
            ck_assert_msg(is == g_ascii_strtoll(cells[i], NULL, 10),
                          "%s %s: %" G_GINT64_FORMAT ", not %s", name, header[i], is, cells[i]);
            compared++;
        }
    ck_assert_uint_eq(compared, count);
    ck_assert_ptr_null(read.trace->cut);
    trace_read_clear(&read);
}

static const struct {
    const char *table;
    const Column *columns;
    guint count, files;
} truths[] = {
    {"ground_truth.tsv", columns, G_N_ELEMENTS(columns), 13},
    {"ground_truth_nsys.tsv", nsys_columns, G_N_ELEMENTS(nsys_columns), 3},
};

START_TEST(equals_truth) {
    g_autofree char *path = g_strdup_printf(TRACES "public/%s", truths[_i].table), *text = NULL;
    if (!g_file_get_contents(path, &text, NULL, NULL)) {
        fprintf(stderr, "skipped: there is no '%s'\n", path);
        return;
    }
    g_auto(GStrv) lines = g_strsplit(g_strchomp(text), "\n", -1);
    g_auto(GStrv) header = g_strsplit(lines[0], "\t", -1);
    ck_assert_uint_eq(g_strv_length(lines), truths[_i].files + 1);
    for (guint i = 1; lines[i]; i++) {
        g_auto(GStrv) cells = g_strsplit(lines[i], "\t", -1);
        for (AtlasTraceWants wants = ATLAS_TRACE_COUNTS; wants <= ATLAS_TRACE_ALL; wants++)
            check_file(cells[0], header, cells, truths[_i].columns, truths[_i].count, wants);
    }
}
END_TEST

/* vLLM's pair: of 428 calls while capturing 7 ran; the graph has the other 421 kernels. */
START_TEST(vllm_pair) {
    static const char capture[] = TRACES "public/tracelens-traces_inference_vllm_decode_full_"
                                         "capture_traces_graph_capture_rank_0.1773709742341309550."
                                         "pt.trace.json.gz",
                      replay[] = TRACES "public/tracelens-traces_inference_vllm_decode_full_graph_"
                                        "execution.json.gz";
    if (!g_file_test(capture, G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "skipped: there is no '%s'\n", capture);
        return;
    }
    TraceRead captured = trace_read_file(capture, ATLAS_TRACE_COUNTS);
    TraceRead replayed = trace_read_file(replay, ATLAS_TRACE_COUNTS);
    const AtlasTraceTotals *c = &captured.trace->totals, *r = &replayed.trace->totals;
    ck_assert_int_eq(c->calls - c->activities, 421);
    ck_assert_int_eq(c->uncaused, 421);
    ck_assert_int_eq(r->graph_launches, 1);
    ck_assert_int_eq(r->graph_nodes, 421);
    trace_read_clear(&captured);
    trace_read_clear(&replayed);
}
END_TEST

Suite *traces_suite(void) {
    Suite *suite = suite_create("traces");
    TCase *tc = tcase_create("traces");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, knows_calls, 0, G_N_ELEMENTS(calls));
    tcase_add_loop_test(tc, equals_truth, 0, G_N_ELEMENTS(truths));
    tcase_add_test(tc, vllm_pair);
    suite_add_tcase(suite, tc);
    return suite;
}
