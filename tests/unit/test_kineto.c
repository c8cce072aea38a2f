/* The reader of Kineto's traces: what profilers of all times write, what is damaged or endless. */
#include <string.h>
#include <unistd.h>

#include <glib/gstdio.h>
#include <sys/resource.h>
#include <zlib.h>

#include "model/measure/kineto.h"
#include "model/measure/scan.h"
#include "tests/unit/suites.h"
#include "tests/unit/trace_kit.h"

/* ---- scans ---- */

static const struct {
    const char *text;
    gboolean ok;
    gint64 ns;
} times[] = {
    {"0", TRUE, 0},
    {"12", TRUE, 12000},
    {"5112244662205.720", TRUE, 5112244662205720},
    {"1.5", TRUE, 1500},
    {"1.23456", TRUE, 1235},
    {"1.23449", TRUE, 1234},
    {"0.0004", TRUE, 0},
    {"-3", TRUE, -3000},
    {"1.5e3", TRUE, 1500000},
    {"9223372036854775", TRUE, 9223372036854775000},
    {"9223372036854776", FALSE, 0},
    {"99999999999999999999", FALSE, 0},
    {"1e300", FALSE, 0},
    {"nan", FALSE, 0},
    {"", FALSE, 0},
    {".", FALSE, 0},
    {"1.2.3", FALSE, 0},
    {"12us", FALSE, 0},
};

START_TEST(reads_times) {
    gint64 ns = 0;
    gboolean ok = atlas_scan_us((AtlasField){times[_i].text, strlen(times[_i].text)}, &ns);
    ck_assert_msg(ok == times[_i].ok, "'%s'", times[_i].text);
    ck_assert_int_eq(ok ? ns : 0, times[_i].ns);
}
END_TEST

static const struct {
    const char *text, *says;
} strings[] = {
    {"plain", "plain"},
    {"a\\\"b\\\\c\\/d", "a\"b\\c/d"},
    {"\\n\\t\\u0041", "\n\tA"},
    {"\\u00e9\\ud83d\\ude00", "\xc3\xa9\xf0\x9f\x98\x80"},
    {"\\ud83d", "\xef\xbf\xbd"},
    {"\\u0000", "\xef\xbf\xbd"},
    {"\\u12", "u12"},
    {"end\\", "end"},
};

START_TEST(reads_strings) {
    g_autoptr(GString) into = g_string_new(NULL);
    const char *text = strings[_i].text;
    AtlasField said = atlas_scan_unescape((AtlasField){text, strlen(text)}, into);
    g_autofree char *copy = g_strndup(said.text, said.length);
    ck_assert_str_eq(copy, strings[_i].says);
}
END_TEST

/* ---- what is written ---- */

/* One launch and its kernel, for traces about something else. */
#define PAIR LAUNCH(1, 10, 7) ", " KERNEL("k", 12, 7)
#define ONE "calls 1 graphs 0 copies 0 memsets 0 kernels 1 nodes 0 orphans 0 uncaused 0 steps 0"
#define NONE "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 0"

static const struct {
    const char *what, *text;
    const char *totals; /* or NULL, where it is an error */
    const char *error;  /* what it begins with */
} texts[] = {
    {"a trace", TRACE(PAIR), ONE, NULL},
    {"without events", TRACE(""), NONE, NULL},
    {"an array alone", "[" PAIR "]", ONE, NULL},
    {"an array that never ends", "[" PAIR, ONE " cut", NULL},
    {"behind a byte-order mark", "\xef\xbb\xbf\n " TRACE(PAIR), ONE, NULL},
    {"kernels first", TRACE(KERNEL("k", 12, 7) ", " LAUNCH(1, 10, 7)), ONE, NULL},
    {"no brace at the end", "{\"traceEvents\": [" PAIR "]", ONE, NULL},
    {"metadata behind", "{\"traceEvents\": [" PAIR "], \"a\": [{}], \"traceName\": \"x\"}", ONE,
     NULL},
    {"metadata cut", "{\"traceEvents\": [" PAIR "], \"deviceProperties\": [{\"na", ONE, NULL},
    {"cut between events", "{\"traceEvents\": [" PAIR ",", ONE " cut", NULL},
    {"cut inside an event", "{\"traceEvents\": [" PAIR ", {\"ph\": \"X\", \"ca", ONE " cut", NULL},
    {"another trace behind it", TRACE(PAIR) TRACE(PAIR), NULL,
     "x.json:1:317: error: expected nothing behind the trace's last bracket"},
    {"something behind an array", "[" PAIR "]\n x", NULL,
     "x.json:2:2: error: expected nothing behind the trace's last bracket"},
    {"halves of events are missing",
     TRACE(PAIR ", {\"ph\": \"B\", \"cat\": \"kernel\", \"name\": \"k\", \"ts\": 1}, "
                "{\"ph\": \"B\", \"cat\": \"python_function\", \"name\": \"f\", \"ts\": 1}"),
     ONE " cut", NULL},
    {"ids with a point", TRACE(LAUNCH(1, 10, 7.0) ", " KERNEL("k", 12, 7)), ONE, NULL},
    {"the driver's call inside of the runtime's",
     TRACE(PAIR ", " EVENT("cuda_driver", "cuLaunchKernel", 1, 10.2, 0.5, CORRELATION(7))), ONE,
     NULL},
    {"processes whose ids are the same",
     TRACE(PAIR ", {\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", "
                "\"pid\": 10, \"tid\": 1, \"ts\": 11, \"args\": {\"correlation\": 7}}"),
     "calls 2 graphs 0 copies 0 memsets 0 kernels 1 nodes 0 orphans 0 uncaused 0 steps 0 doubled 1",
     NULL},
    {"times that no sum has room for",
     TRACE(RANGE("a", 1, -8000000000000000, 1) ", " RANGE("b", 1, 8000000000000000, 1)), NULL,
     "x.json: error: its times lie more than 292 years apart, or last longer"},
    {"commas too many", TRACE(PAIR ",,"), ONE, NULL},
    {"old categories",
     TRACE(EVENT("Runtime", "cudaLaunchKernel", "1", 10, 1, CORRELATION(7)) ", "  //
           EVENT("Kernel", "k", "stream 7", 12, 1, CORRELATION(7)) ", "           //
           EVENT("Runtime", "cudaMemcpyAsync", "1", 13, 1, CORRELATION(8)) ", "   //
           EVENT("Memcpy", "Memcpy DtoH", "stream 7", 14, 1, CORRELATION(8)) ", " //
           EVENT("Memset", "Memset", "stream 7", 15, 1, CORRELATION(9)) ", "      //
           EVENT("Operator", "ProfilerStep#3", "1", 9, 9, "")),
     "calls 1 graphs 0 copies 1 memsets 0 kernels 1 nodes 0 orphans 1 uncaused 0 steps 1", NULL},
    {"the driver's and HIP's calls",
     TRACE(EVENT("cuda_driver", "cuLaunchKernelEx", 1, 1, 1, CORRELATION(1)) ", "         //
           EVENT("hip_runtime", "hipExtModuleLaunchKernel", 1, 2, 1, CORRELATION(2)) ", " //
           KERNEL("k", 3, 2)),
     "calls 2 graphs 0 copies 0 memsets 0 kernels 1 nodes 0 orphans 0 uncaused 1 steps 0", NULL},
    {"a call INVALID", TRACE(CALL("INVALID", 1, 9, 6) ", " PAIR), ONE, NULL},
    {"a function that the host runs", TRACE(CALL("cudaLaunchHostFunc", 1, 9, 6) ", " PAIR), ONE,
     NULL},
    {"a replay",
     TRACE(CALL("cudaGraphLaunch", 1, 10, 7) ", " KERNEL("a", 12, 7) ", " KERNEL("b", 13, 7)),
     "calls 0 graphs 1 copies 0 memsets 0 kernels 2 nodes 2 orphans 0 uncaused 0 steps 0", NULL},
    {"a node of a graph whose launch is missing",
     TRACE(EVENT("kernel", "k", 7, 3, 1, "\"graph node id\": 4, \"correlation\": 3")),
     "calls 0 graphs 0 copies 0 memsets 0 kernels 1 nodes 1 orphans 1 uncaused 0 steps 0", NULL},
    {"0 is no node",
     TRACE(LAUNCH(1, 2, 3) ", " EVENT("kernel", "k", 7, 3, 1,
                                      "\"graph node id\": 0, \"correlation\": 3")),
     ONE, NULL},
    {"an orphan from before, and a lost call",
     TRACE(KERNEL("a", 1, 1) ", " LAUNCH(1, 2, 4) ", " KERNEL("b", 3, 4) ", " KERNEL("c", 4, 5) //
           ", " CALL("cudaEventQuery", 1, 5, 6)),
     "calls 1 graphs 0 copies 0 memsets 0 kernels 3 nodes 0 orphans 2 uncaused 0 steps 0 lost 1",
     NULL},
    {"no correlation ids",
     TRACE(EVENT("cuda_runtime", "cudaLaunchKernel", 1, 1, 1, "") ", " //
           EVENT("kernel", "k", 7, 2, 1, "")),
     "calls 1 graphs 0 copies 0 memsets 0 kernels 1 nodes 0 orphans 1 uncaused 1 steps 0", NULL},
    {"steps of the device are not the host's",
     TRACE(EVENT("gpu_user_annotation", "ProfilerStep#1", 7, 1, 9, "") ", " //
           RANGE("ProfilerStep#1", 1, 1, 9) ", " RANGE("ProfilerStep#2", 1, 10, 9)),
     "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 2", NULL},
    {"flows, instants, metadata",
     TRACE("{\"ph\": \"s\", \"id\": 7, \"cat\": \"ac2g\", \"ts\": 1}, {\"ph\": \"M\", \"name\": "
           "\"process_name\", \"ts\": \"x\"}, {\"name\": \"Record Window End\", \"ph\": \"i\"}, "
           "null, 3, [1, [2]], " PAIR),
     ONE, NULL},
    {"numbers as strings",
     TRACE("{\"ph\": \"X\", \"cat\": \"cuda_runtime\", \"name\": \"cudaLaunchKernel\", \"pid\": "
           "\"9\", \"tid\": \"1\", \"ts\": \"10.5\", \"dur\": \"1\", \"args\": {\"correlation\": "
           "\"7\"}}, " KERNEL("k", 12, 7)),
     ONE, NULL},
    {"quotes in a name", TRACE(LAUNCH(1, 10, 7) ", " KERNEL("void k<\"a\", 3>(\"b\")", 12, 7)), ONE,
     NULL},
    {"a name that ends with a quote", TRACE(LAUNCH(1, 10, 7) ", " KERNEL("k\"", 12, 7)), ONE, NULL},
    {"escaped quotes", TRACE(LAUNCH(1, 10, 7) ", " KERNEL("k\\\"\\\\", 12, 7)), ONE, NULL},
    {"brackets in strings",
     TRACE(LAUNCH(1, 10, 7) ", " //
           EVENT("kernel", "k[{", 7, 3, 1, "\"a\": \"]}\", \"b\": [\"{\"], \"correlation\": 7")),
     ONE, NULL},
    {"bare words",
     TRACE(
         LAUNCH(1, 10, 7) ", " //
         EVENT("kernel", "k", 7, 3, 1, "\"occupancy\": -nan, \"x\": Infinity, \"correlation\": 7")),
     ONE, NULL},
    {"no UTF-8", TRACE(LAUNCH(1, 10, 7) ", " KERNEL("k\xff\x01", 12, 7)), ONE, NULL},
    {"empty", "", NULL, "error: x.json: error: the file is empty"},
    {"blank", " \n\n ", NULL, "error: x.json: error: the file is empty"},
    {"something else", "\nATLAS\t1", NULL, "x.json:2:1: error: a trace begins with '{' or '['"},
    {"JSON of something else", "{\"a\": 1}", NULL, "error: x.json: error: no traceEvents"},
    {"events that are none", "{\"traceEvents\": 3}", NULL, "error: x.json: error: no traceEvents"},
    {"cut before the events", "{\"a\": [1, 2", NULL, "error: x.json: error: no traceEvents"},
    {"a colon is missing", "{\"traceEvents\": [\n{\"ph\" \"X\"}]}", NULL,
     "x.json:2:7: error: expected ':'"},
    {"a comma is missing", "{\"traceEvents\": [\n{\"ph\": 1 \"cat\": \"x\"}]}", NULL,
     "x.json:2:10: error: expected ',' or a closing bracket"},
    {"no time", "{\"traceEvents\": [\n{\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"k\"}]}",
     NULL, "x.json:2:1: error: expected a time 'ts' in microseconds"},
    {"no time, but a word",
     "{\"traceEvents\": [\n{\"ph\": \"X\", \"cat\": \"kernel\", \"ts\": yesterday}]}", NULL,
     "x.json:2:36: error: expected a time 'ts' in microseconds"},
};

START_TEST(reads_texts) {
    gsize length = strlen(texts[_i].text);
    for (AtlasTraceWants wants = ATLAS_TRACE_COUNTS; wants <= ATLAS_TRACE_ALL; wants++) {
        TraceRead read = trace_read_text(texts[_i].text, length, wants);
        g_autofree char *totals = read.trace ? trace_totals(read.trace) : NULL;
        ck_assert_msg(g_strcmp0(totals, texts[_i].totals) == 0, "%s: %s\n%s", texts[_i].what,
                      totals, read.errors);
        ck_assert_msg(!texts[_i].error || g_str_has_prefix(read.errors, texts[_i].error) ||
                          g_str_has_prefix(read.errors, texts[_i].error + strlen("error: ")),
                      "%s: %s", texts[_i].what, read.errors);
        trace_read_clear(&read);
    }
}
END_TEST

/* Everything that a survey asks for. */
START_TEST(keeps_all) {
    static const char text[] =
        "{\"deviceProperties\": [{\"id\": 0, \"name\": \"NVIDIA H200\"}], "
        "\"cuda_driver_version\": 13000, \"distributedInfo\": {\"rank\": 3}, "
        "\"traceEvents\": ["                                                          //
        KERNEL("k\\u0041", 12.5, 7) ", " CALL("cudaStreamSynchronize", 2, 20, 9) ", " //
        EVENT("kernel", "b", 7, 30, 2.25,
              "\"device\": 1, \"stream\": 7, \"correlation\": 8") ", " //
        LAUNCH(1, 10, 7) ", " RANGE("inner", 1, 9, 2) ", " RANGE("outer", 1, 9, 4) "]}";
    TraceRead read = trace_read_text(text, strlen(text), ATLAS_TRACE_ALL);
    const AtlasTrace *t = read.trace;
    ck_assert_uint_eq(t->calls->len, 2);
    ck_assert_int_eq(atlas_trace_call(t, 0)->start, 10000);
    ck_assert_int_eq(atlas_trace_call(t, 1)->kind, ATLAS_CALL_SYNC);
    ck_assert_str_eq(atlas_trace_name(t, g_array_index(t->details, AtlasTraceDetail, 1).name),
                     "cudaStreamSynchronize");
    ck_assert_uint_eq(g_array_index(t->kernels, guint32, 0), 1);
    const AtlasTraceActivity *a = &g_array_index(t->activities, AtlasTraceActivity, 0);
    ck_assert_str_eq(atlas_trace_name(t, a[0].name), "kA");
    ck_assert_uint_eq(a[0].call, 0);
    ck_assert_int_eq(a[0].start, 12500);
    ck_assert_uint_eq(a[1].call, ATLAS_TRACE_NONE);
    ck_assert_int_eq(a[1].duration, 2250);
    ck_assert_int_eq(g_array_index(t->streams, AtlasTraceStream, a[1].stream).device, 1);
    ck_assert_int_eq(g_array_index(t->streams, AtlasTraceStream, a[1].stream).stream, 7);
    const AtlasTraceRange *r = &g_array_index(t->ranges, AtlasTraceRange, 0);
    ck_assert_str_eq(atlas_trace_name(t, r[0].name), "outer");
    ck_assert_str_eq(atlas_trace_name(t, r[1].name), "inner");
    ck_assert_str_eq(g_array_index(t->threads, AtlasTraceThread, r[0].thread).name, "9/1");
    static const char *const about[][2] = {
        {"device", "NVIDIA H200"}, {"cuda-driver", "13000"}, {"rank", "3"}};
    ck_assert_uint_eq(t->about->len, G_N_ELEMENTS(about));
    for (guint i = 0; i < G_N_ELEMENTS(about); i++) {
        ck_assert_str_eq(g_array_index(t->about, AtlasAbout, i).key, about[i][0]);
        ck_assert_str_eq(g_array_index(t->about, AtlasAbout, i).value, about[i][1]);
    }
    trace_read_clear(&read);
}
END_TEST

/* A file that was cut anywhere is read up to there, or refused with a place; never more than the
 * whole has. */
START_TEST(cut_anywhere) {
    g_autoptr(GString) text = g_string_new("{\"a\": \"b\", \"traceEvents\": [\n");
    for (int i = 1; i <= 100; i++)
        g_string_append_printf(text,
                               "%s" EVENT("cuda_runtime", "cudaLaunchKernel", 1, 1, 1,
                                          "\"correlation\": %d") ",\n" //
                               EVENT("kernel", "k<\\\"x\\\">", 7, 2, 1, "\"correlation\": %d"),
                               i > 1 ? ",\n" : "", i, i);
    g_string_append(text, "\n]}\n");
    gint64 before = 0;
    for (gsize length = 0; length <= text->len; length += length + 97 < text->len ? 97 : 1) {
        TraceRead read = trace_read_text(text->str, length, ATLAS_TRACE_COUNTS);
        gint64 now = read.trace ? read.trace->totals.calls : 0;
        ck_assert_int_ge(now, before);
        ck_assert_int_le(now, 100);
        ck_assert(read.trace || strstr(read.errors, "x.json"));
        ck_assert(!read.trace || (read.trace->cut != NULL) == (length + 2 < text->len));
        before = now;
        trace_read_clear(&read);
    }
    ck_assert_int_eq(before, 100);
}
END_TEST

/* ---- what is endless ---- */

/* Sanitizers have memory of their own. */
#if defined(__SANITIZE_ADDRESS__)
#define SANITIZED TRUE
#else
#define SANITIZED FALSE
#endif

/* Appends text as one compressed member. */
static void append_member(GByteArray *into, const char *text, gsize length) {
    z_stream z = {0};
    ck_assert_int_eq(deflateInit2(&z, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
    guint from = into->len;
    g_byte_array_set_size(into, from + (guint)deflateBound(&z, length) + 32);
    z.next_in = (Bytef *)text;
    z.avail_in = (uInt)length;
    z.next_out = into->data + from;
    z.avail_out = into->len - from;
    ck_assert_int_eq(deflate(&z, Z_FINISH), Z_STREAM_END);
    g_byte_array_set_size(into, from + (guint)z.total_out);
    deflateEnd(&z);
}

/* Writes `text` behind `head`, so often that it has `bytes`, and then `tail`, compressed. */
static char *write_bomb(const char *head, const char *text, guint64 bytes, const char *tail) {
    char *path = NULL;
    g_close(g_file_open_tmp("atlas-bomb-XXXXXX.gz", &path, NULL), NULL);
    g_autoptr(GString) block = g_string_new(NULL);
    g_autoptr(GByteArray) all = g_byte_array_new();
    while (block->len < 1000000)
        g_string_append(block, text);
    append_member(all, head, strlen(head));
    guint from = all->len;
    append_member(all, block->str, block->len);
    guint size = all->len - from;
    for (guint64 i = 1; i < bytes / block->len; i++) {
        g_byte_array_set_size(all, all->len + size);
        memcpy(all->data + all->len - size, all->data + from, size);
    }
    append_member(all, tail, strlen(tail));
    ck_assert(g_file_set_contents(path, (char *)all->data, all->len, NULL));
    return path;
}

static const struct {
    const char *head, *text;
    guint64 bytes;
    const char *tail;
    const char *totals, *error; /* what the error holds */
} bombs[] = {
    {"", "[", (guint64)4000000000, "", NULL, ":1:258: error: expected at most 256 brackets"},
    {"{\"a\": ", "{\"a\":", 50000000, "", NULL, "expected at most 256 brackets"},
    {"{\"traceEvents\": [", "[", 50000000, "", NULL, "expected at most 256 brackets"},
    {"{\"a\": \"", "x", 10000000, "\", \"traceEvents\": [" PAIR "]}", ONE, NULL},
    {"{\"a\": [", "1,", 30000000, "2], \"traceEvents\": [" PAIR "]}", ONE, NULL},
    {"{\"traceEvents\": [" LAUNCH(1, 10, 7) ", {\"ph\": \"X\", \"cat\": \"kernel\", \"name\": \"",
     "x", 10000000, "\", \"ts\": 1, \"args\": {\"correlation\": 7}}]}", ONE, NULL},
    {"{\"traceEvents\": [{\"ph\": \"", "x", 20000000, "\"}]}", NULL,
     "1:18: error: what begins here has more than 16 MiB"},
    {"{\"traceEvents\": [{\"ph\": ", " ", 20000000, "", NULL,
     "1:18: error: what begins here has more than 16 MiB"},
};

START_TEST(endless) {
    struct rusage before, after;
    g_autofree char *path =
        write_bomb(bombs[_i].head, bombs[_i].text, bombs[_i].bytes, bombs[_i].tail);
    getrusage(RUSAGE_SELF, &before);
    TraceRead read = trace_read_file(path, ATLAS_TRACE_ALL);
    getrusage(RUSAGE_SELF, &after);
    g_autofree char *totals = read.trace ? trace_totals(read.trace) : NULL;
    ck_assert_msg(g_strcmp0(totals, bombs[_i].totals) == 0, "%s\n%.300s", totals, read.errors);
    ck_assert_msg(!bombs[_i].error || strstr(read.errors, bombs[_i].error), "%s", read.errors);
    if (!SANITIZED)
        ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, 64 * 1024);
    trace_read_clear(&read);
    g_unlink(path);
}
END_TEST

Suite *kineto_suite(void) {
    Suite *suite = suite_create("kineto");
    TCase *tc = tcase_create("kineto");
    tcase_set_timeout(tc, 60);
    tcase_add_loop_test(tc, reads_times, 0, G_N_ELEMENTS(times));
    tcase_add_loop_test(tc, reads_strings, 0, G_N_ELEMENTS(strings));
    tcase_add_loop_test(tc, reads_texts, 0, G_N_ELEMENTS(texts));
    tcase_add_test(tc, keeps_all);
    tcase_add_test(tc, cut_anywhere);
    tcase_add_loop_test(tc, endless, 0, G_N_ELEMENTS(bombs));
    suite_add_tcase(suite, tc);
    return suite;
}
