/* The reader of Nsight Systems' traces: schemas of all times, processes, graphs, damage. */
#include <string.h>

#include <glib/gstdio.h>
#include <sqlite3.h>
#include <sys/stat.h>

#include "model/measure/nsys.h"
#include "model/measure/trace_parts.h"
#include "model/measure/trace_stages.h"
#include "tests/unit/suites.h"
#include "tests/unit/trace_kit.h"

/* Processes 1 and 2 of machine 1, and a thread of each. */
#define PID(p) "(281474976710656 + " #p " * 16777216)"
#define TID(p, t) "(281474976710656 + " #p " * 16777216 + " #t ")"

#define STRINGS                                                                                    \
    "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"                        \
    "INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'cuLaunchKernelEx'), "        \
    "(3, 'cudaGraphLaunch_v10000'), (4, 'cudaMemcpyAsync_v3020'), (5, 'cudaMemsetAsync_v3020'), "  \
    "(6, 'cudaEventQuery_v3020'), (7, 'kernel'), (8, 'ProfilerStep#1'), (9, 'fwd');"
#define RUNTIME                                                                                    \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER, "    \
    "correlationId INTEGER, nameId INTEGER);"
#define CALL_ROW(start, process, id, name)                                                         \
    "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (" #start ", " #start                          \
    " + 1, " TID(process, 5) ", " #id ", " #name ");"
#define KERNELS                                                                                    \
    "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, "      \
    "streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, "          \
    "shortName INTEGER, graphNodeId INTEGER);"
#define KERNEL_ROW(start, process, id, node)                                                       \
    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (" #start ", " #start " + 1, 0, 7, " #id        \
    ", " PID(process) ", 7, 7, " #node ");"
#define NVTX                                                                                       \
    "CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, globalTid INTEGER, " \
    "text TEXT, textId INTEGER);"

static const struct {
    const char *what, *sql;
    const char *totals, *error; /* one of them */
} bases[] = {
    {"strings alone", STRINGS,
     "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 0", NULL},
    {"calls of all kinds, the driver's too",
     STRINGS RUNTIME CALL_ROW(1, 1, 1, 1) CALL_ROW(2, 1, 2, 2) CALL_ROW(3, 1, 3, 3)
         CALL_ROW(4, 1, 4, 4) CALL_ROW(5, 1, 5, 5) CALL_ROW(6, 1, 6, 6),
     "calls 2 graphs 1 copies 1 memsets 1 kernels 0 nodes 0 orphans 0 uncaused 2 steps 0", NULL},
    {"ids that collide between processes",
     STRINGS RUNTIME KERNELS CALL_ROW(1, 1, 7, 1) CALL_ROW(2, 2, 8, 1) KERNEL_ROW(3, 1, 7, NULL)
         KERNEL_ROW(3, 1, 8, NULL) KERNEL_ROW(4, 2, 8, NULL),
     "calls 2 graphs 0 copies 0 memsets 0 kernels 3 nodes 0 orphans 1 uncaused 0 steps 0", NULL},
    {"a lost call is one between recorded ones of its process",
     STRINGS RUNTIME KERNELS CALL_ROW(1, 1, 5, 6) CALL_ROW(2, 1, 9, 6) CALL_ROW(2, 2, 1, 6)
         KERNEL_ROW(3, 1, 7, NULL) KERNEL_ROW(3, 1, 3, NULL) KERNEL_ROW(4, 2, 8, NULL),
     "calls 0 graphs 0 copies 0 memsets 0 kernels 3 nodes 0 orphans 3 uncaused 0 steps 0 lost 1",
     NULL},
    {"nodes of graphs",
     STRINGS RUNTIME KERNELS CALL_ROW(1, 1, 7, 3) KERNEL_ROW(2, 1, 7, 12) KERNEL_ROW(3, 1, 7, 13),
     "calls 0 graphs 1 copies 0 memsets 0 kernels 2 nodes 2 orphans 0 uncaused 0 steps 0", NULL},
    {"graphs as a whole",
     STRINGS RUNTIME CALL_ROW(
         1, 1, 7,
         3) "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER, streamId "
            "INTEGER, "
            "correlationId INTEGER, globalPid INTEGER, graphId INTEGER);"
            "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (2, 9, 7, 7, " PID(1) ", 1);",
     "calls 0 graphs 1 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 0 whole "
     "graphs",
     NULL},
    {"ranges by text and by textId, but for marks",
     STRINGS NVTX "INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, " TID(
         1, 5) ", 'ProfilerStep#7', "
               "NULL), (3, 4, 60, " TID(1, 5) ", NULL, 8), (5, NULL, 34, " TID(
                   1, 5) ", "
                         "'ProfilerStep#9', NULL);",
     "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 2", NULL},
    {"what the profiler says it lost",
     STRINGS "CREATE TABLE DIAGNOSTIC_EVENT (text TEXT); INSERT INTO DIAGNOSTIC_EVENT VALUES "
             "('Profiling has started.'), ('Not all CUDA events might have been collected.');",
     "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 0 cut",
     NULL},
    {"a view in a table's place is not run, and said",
     STRINGS "CREATE VIEW NVTX_EVENTS AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM "
             "n) SELECT i AS start, i AS end, 59 AS eventType, i AS globalTid, 'x' AS text FROM n;",
     NULL, "NVTX_EVENTS is no table but a view or a virtual one"},
    {"calls that failed are none, but for those that wait",
     STRINGS
     "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid "
     "INTEGER, correlationId INTEGER, nameId INTEGER, returnValue INTEGER);"
     "INSERT INTO StringIds VALUES (10, 'cudaStreamSynchronize_v3020');"
     "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, " TID(1, 5) ", 1, 1, 0), (3, 4, " TID(
         1, 5) ", 2, 1, 701), (5, 6, " TID(1, 5) ", 3, 10, 700), (7, 8, " TID(1, 5) ", 4, 6, 600);",
     "calls 1 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 1 steps 0 failed 1",
     NULL},
    {"one id of two calls of a process joins nothing",
     STRINGS RUNTIME KERNELS CALL_ROW(1, 1, 7, 1) CALL_ROW(2, 1, 7, 1) CALL_ROW(3, 2, 7, 1)
         KERNEL_ROW(4, 1, 7, NULL) KERNEL_ROW(5, 2, 7, NULL),
     "calls 3 graphs 0 copies 0 memsets 0 kernels 2 nodes 0 orphans 0 uncaused 0 steps 0 doubled 1",
     NULL},
    {"the driver's call of the runtime's is the same call",
     STRINGS RUNTIME KERNELS CALL_ROW(1, 1, 7, 1) CALL_ROW(2, 1, 7, 2) CALL_ROW(3, 1, 8, 2)
         KERNEL_ROW(4, 1, 7, NULL) KERNEL_ROW(5, 1, 8, NULL),
     "calls 2 graphs 0 copies 0 memsets 0 kernels 2 nodes 0 orphans 0 uncaused 0 steps 0", NULL},
    {"a range that has no end is no step",
     STRINGS NVTX "INSERT INTO NVTX_EVENTS VALUES (1, 5, 59, " TID(
         1, 5) ", 'ProfilerStep#1', NULL), (6, NULL, 59, " TID(1, 5) ", 'ProfilerStep#2', NULL);",
     "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 1 open 1",
     NULL},
    {"times that no sum has room for",
     STRINGS NVTX "INSERT INTO NVTX_EVENTS VALUES (-9223372036854775807, 9223372036854775807, 59, "
                  "1, 'a', NULL);",
     NULL, "its times lie more than 292 years apart, or last longer"},
    {"durations that add up to more",
     STRINGS NVTX "INSERT INTO NVTX_EVENTS VALUES (0, 6000000000000000000, 59, 1, 'a', NULL), "
                  "(0, 6000000000000000000, 59, 1, 'b', NULL);",
     NULL, "its times lie more than 292 years apart, or last longer"},
    {"a start that is missing", STRINGS RUNTIME CALL_ROW(NULL, 1, 1, 1), NULL,
     "table CUPTI_ACTIVITY_KIND_RUNTIME has a row whose 'start' is no whole number"},
    {"a start that is text", STRINGS KERNELS KERNEL_ROW('abc', 1, 1, NULL), NULL,
     "table CUPTI_ACTIVITY_KIND_KERNEL has a row whose 'start' is no whole number"},
    {"an id that is text", STRINGS RUNTIME CALL_ROW(1, 1, 'x', 1), NULL,
     "table CUPTI_ACTIVITY_KIND_RUNTIME has a row whose 'correlationId' is no whole number"},
    {"a text that is none",
     STRINGS NVTX "INSERT INTO NVTX_EVENTS VALUES (1, NULL, 60, 3, X'ff00', NULL);",
     "calls 0 graphs 0 copies 0 memsets 0 kernels 0 nodes 0 orphans 0 uncaused 0 steps 0 open 1",
     NULL},
    {"a column that is needed",
     STRINGS "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, nameId INTEGER);", NULL,
     "table CUPTI_ACTIVITY_KIND_RUNTIME has no column 'globalTid'"},
    {"no trace at all", "CREATE TABLE music (title TEXT);", NULL,
     "is a database without the table StringIds"},
};

static char *write_base(const char *sql) {
    char *path = NULL, *message = NULL;
    sqlite3 *db = NULL;
    g_close(g_file_open_tmp("atlas-nsys-XXXXXX.sqlite", &path, NULL), NULL);
    ck_assert_int_eq(sqlite3_open(path, &db), SQLITE_OK);
    int result = sqlite3_exec(db, sql, NULL, NULL, &message);
    ck_assert_msg(result == SQLITE_OK, "%s", message);
    sqlite3_close(db);
    return path;
}

START_TEST(reads_bases) {
    g_autofree char *path = write_base(bases[_i].sql);
    for (AtlasTraceWants wants = ATLAS_TRACE_COUNTS; wants <= ATLAS_TRACE_ALL; wants++) {
        TraceRead read = trace_read_file(path, wants);
        g_autofree char *totals = read.trace ? trace_totals(read.trace) : NULL;
        ck_assert_msg(g_strcmp0(totals, bases[_i].totals) == 0, "%s: %s\n%s", bases[_i].what,
                      totals, read.errors);
        ck_assert_msg(!bases[_i].error || strstr(read.errors, bases[_i].error), "%s: %s",
                      bases[_i].what, read.errors);
        trace_read_clear(&read);
    }
    g_unlink(path);
}
END_TEST

START_TEST(names_as_kineto) {
    g_autofree char *path = write_base(STRINGS KERNELS KERNEL_ROW(
        1, 1, 7,
        NULL) "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, streamId "
              "INTEGER, "
              "correlationId INTEGER, globalPid INTEGER, copyKind INTEGER, srcKind INTEGER, "
              "dstKind "
              "INTEGER); INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (2, 3, 7, 1, 0, 2, 2, 1), "
              "(3, 4, 7, 2, 0, 99, NULL, -5);"
              "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, correlationId "
              "INTEGER, globalPid INTEGER, memKind INTEGER);"
              "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (4, 5, 3, 0, 2);"
              "CREATE TABLE TARGET_INFO_GPU (id INTEGER, name TEXT);"
              "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA H200');");
    static const char *const names[] = {"kernel", "Memcpy DtoH (Device -> Pinned)",
                                        "Memcpy Unknown (Unknown -> Unknown)", "Memset (Device)"};
    TraceRead read = trace_read_file(path, ATLAS_TRACE_ALL);
    ck_assert_uint_eq(read.trace->activities->len, G_N_ELEMENTS(names));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        const AtlasTraceActivity *a = &g_array_index(read.trace->activities, AtlasTraceActivity, i);
        ck_assert_str_eq(atlas_trace_name(read.trace, a->name), names[i]);
        ck_assert_int_eq(a->duration, 1);
    }
    ck_assert_str_eq(g_array_index(read.trace->about, AtlasAbout, 0).value, "NVIDIA H200");
    trace_read_clear(&read);
    g_unlink(path);
}
END_TEST

/* A name of 10 MB is kept as any other. */
START_TEST(long_names) {
    g_autofree char *path = write_base(
        STRINGS NVTX "INSERT INTO StringIds VALUES (100, replace(hex(zeroblob(5000000)), '0', "
                     "'x')); INSERT INTO NVTX_EVENTS VALUES (1, 2, 59, " TID(1, 5) ", NULL, 100);");
    TraceRead read = trace_read_file(path, ATLAS_TRACE_ALL);
    const AtlasTraceRange *range = &g_array_index(read.trace->ranges, AtlasTraceRange, 0);
    ck_assert_uint_eq(strlen(atlas_trace_name(read.trace, range->name)), 10000000);
    trace_read_clear(&read);
    g_unlink(path);
}
END_TEST

/* A database that was cut is refused, whatever was cut off. */
START_TEST(cut_anywhere) {
    gsize length;
    g_autofree char *whole = NULL;
    g_autofree char *path =
        write_base(STRINGS RUNTIME KERNELS NVTX CALL_ROW(1, 1, 7, 1) KERNEL_ROW(2, 1, 7, NULL));
    ck_assert(g_file_get_contents(path, &whole, &length, NULL));
    for (gsize cut = 1000; cut < length; cut += 1000) {
        ck_assert(g_file_set_contents(path, whole, (gssize)cut, NULL));
        TraceRead read = trace_read_file(path, ATLAS_TRACE_COUNTS);
        ck_assert_msg(!read.trace && strstr(read.errors, "cannot read"), "%s", read.errors);
        trace_read_clear(&read);
    }
    g_unlink(path);
}
END_TEST

/* A kernel whose name is in no table has a row of its own. */
START_TEST(no_name) {
    g_autofree char *path = write_base(STRINGS RUNTIME KERNELS CALL_ROW(1, 1, 7, 1) KERNEL_ROW(
        2, 1, 7, NULL) "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET demangledName = 99, "
                       "shortName = 98;");
    TraceRead read = trace_read_file(path, ATLAS_TRACE_ALL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasTraceParts) parts = atlas_trace_parts_find(read.trace, NULL, diags);
    g_autoptr(AtlasSurvey) survey = atlas_survey_trace(read.trace, parts, path, "nsys");
    ck_assert_uint_eq(survey->kernels->len, 1);
    ck_assert_str_eq(atlas_survey_kernel(survey, 0)->brief, "(no name)");
    ck_assert_int_eq(atlas_survey_kernel(survey, 0)->launches, 1);
    trace_read_clear(&read);
    g_unlink(path);
}
END_TEST

#define NVTX_ROW(start, end, name)                                                                 \
    "INSERT INTO NVTX_EVENTS VALUES (" #start ", " #end ", 59, " TID(1, 5) ", '" name "', NULL);"

/* A step that was open when the recording ended is none, whether it has a range of its own or is
 * known by its first stage. */
static const struct {
    const char *what, *sql;
    guint steps;
} opens[] = {
    {"ranges around stages",
     NVTX_ROW(0, 9, "step 1") NVTX_ROW(1, 5, "fwd") NVTX_ROW(10, 19, "step 2")
         NVTX_ROW(11, 15, "fwd") NVTX_ROW(20, NULL, "step 3") NVTX_ROW(21, 25, "fwd"),
     2},
    {"returns of the first stage",
     NVTX_ROW(1, 5, "fwd") NVTX_ROW(6, 8, "bwd") NVTX_ROW(11, 15, "fwd") NVTX_ROW(16, 18, "bwd")
         NVTX_ROW(21, 25, "fwd") NVTX_ROW(26, NULL, "bwd"),
     2},
    {"ProfilerStep#N",
     NVTX_ROW(0, 9, "ProfilerStep#1") NVTX_ROW(1, 5, "fwd") NVTX_ROW(10, NULL, "ProfilerStep#2")
         NVTX_ROW(11, 15, "fwd"),
     1},
};

START_TEST(open_steps) {
    g_autofree char *sql =
        g_strconcat(STRINGS NVTX RUNTIME, opens[_i].sql,
                    CALL_ROW(2, 1, 1, 1) CALL_ROW(12, 1, 2, 1) CALL_ROW(22, 1, 3, 1), NULL);
    g_autofree char *path = write_base(sql);
    TraceRead read = trace_read_file(path, ATLAS_TRACE_COUNTS);
    g_autofree guint32 *stage_of = g_new(guint32, read.trace->names->len);
    for (guint32 i = 0; i < read.trace->names->len; i++) {
        const char *name = atlas_trace_name(read.trace, i);
        stage_of[i] = g_str_equal(name, "fwd")   ? 0
                      : g_str_equal(name, "bwd") ? 1
                                                 : ATLAS_TRACE_NONE;
    }
    AtlasTraceMap map = {stage_of, NULL, NULL, 2};
    g_autoptr(GPtrArray) runs = atlas_trace_stages(read.trace, &map, NULL);
    const AtlasTraceRun *run = g_ptr_array_index(runs, 0);
    ck_assert_msg(run->steps == opens[_i].steps, "%s: %u", opens[_i].what, run->steps);
    for (guint i = 0; i < run->steps; i++)
        ck_assert_int_eq(run->counts[i * 2].calls, 1);
    ck_assert_int_eq(run->outside, 3 - run->steps);
    trace_read_clear(&read);
    g_unlink(path);
}
END_TEST

static char *read_errors(const char *path) {
    g_autoptr(AtlasTraceBuilder) builder = atlas_trace_builder_new(ATLAS_TRACE_COUNTS);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    atlas_nsys_read(path, builder, diags);
    return atlas_diags_render(diags, FALSE);
}

/* SQLite opens a path again and again: no pipe is waited for, nothing compressed is a database. */
START_TEST(no_file) {
    g_autofree char *base = write_base(STRINGS), *pipe = g_strconcat(base, ".fifo", NULL);
    ck_assert_int_eq(mkfifo(pipe, 0600), 0);
    ck_assert(g_file_set_contents(base, "\x1f\x8b\x08", 3, NULL));
    g_autofree char *stream = read_errors(pipe), *in = read_errors("-"), *gzip = read_errors(base);
    ck_assert_msg(strstr(stream, "a database is no stream"), "%s", stream);
    ck_assert_msg(strstr(in, "a database is no stream"), "%s", in);
    ck_assert_msg(strstr(gzip, "it is compressed\nhint: decompress it first"), "%s", gzip);
    g_unlink(pipe);
    g_unlink(base);
}
END_TEST

/* Nothing is made beside a database of write-ahead logs; one that has more in its log is not read
 * without it. */
START_TEST(write_ahead) {
    g_autofree char *path = write_base("PRAGMA journal_mode = WAL;" STRINGS);
    g_autofree char *log = g_strconcat(path, "-wal", NULL),
                    *shared = g_strconcat(path, "-shm", NULL);
    g_autofree char *closed = read_errors(path);
    ck_assert_str_eq(closed, "");
    ck_assert(!g_file_test(log, G_FILE_TEST_EXISTS) && !g_file_test(shared, G_FILE_TEST_EXISTS));
    ck_assert(g_file_set_contents(log, "more", 4, NULL));
    g_autofree char *open = read_errors(path);
    ck_assert_msg(strstr(open, "a write-ahead log with more of it lies beside it"), "%s", open);
    ck_assert(!g_file_test(shared, G_FILE_TEST_EXISTS));
    g_unlink(log);
    g_unlink(path);
}
END_TEST

Suite *nsys_suite(void) {
    Suite *suite = suite_create("nsys");
    TCase *tc = tcase_create("nsys");
    tcase_add_loop_test(tc, reads_bases, 0, G_N_ELEMENTS(bases));
    tcase_add_test(tc, names_as_kineto);
    tcase_add_test(tc, long_names);
    tcase_add_test(tc, cut_anywhere);
    tcase_add_test(tc, no_name);
    tcase_add_loop_test(tc, open_steps, 0, G_N_ELEMENTS(opens));
    tcase_add_test(tc, no_file);
    tcase_add_test(tc, write_ahead);
    suite_add_tcase(suite, tc);
    return suite;
}
