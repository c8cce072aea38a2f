/* The log reader: what it reads, what it refuses and where, and the tool's own logs. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "model/measure/log.h"
#include "tests/unit/suites.h"

typedef struct {
    AtlasRuns *runs;
    AtlasDiags *diags;
    AtlasRun *run;
    char *errors;
} Read;

static Read read_log(const char *text, gsize length, const char *window) {
    Read read = {.runs = atlas_runs_new(), .diags = atlas_diags_new()};
    AtlasWindow named;
    gboolean given = window && atlas_window_parse(window, &named);
    read.run =
        atlas_log_parse(read.runs, "dir/x.log", text, length, given ? &named : NULL, read.diags);
    read.errors = atlas_diags_render(read.diags, FALSE);
    return read;
}

static void read_clear(Read *read) {
    g_free(read->errors);
    atlas_diags_free(read->diags);
    atlas_runs_free(read->runs);
}

static const AtlasRunStage *stage_of(const Read *read, guint index) {
    return &g_array_index(read->run->stages, AtlasRunStage, index);
}

/* ---- the shipped measurements ---- */

static const struct {
    const char *name;
    gint64 sums[5]; /* fwd, bwd, opt, retr, ema over steps 20-29 */
} measured[] = {
    {"base", {12970, 15170, 2720, 2290, 300}},     {"no-kda", {2330, 2670, 1920, 2290, 200}},
    {"jepa-0", {6460, 15030, 2400, 2290, 0}},      {"experts-1", {11850, 14030, 2240, 1170, 240}},
    {"iters-2", {6610, 7610, 2720, 2290, 300}},    {"cross", {1140, 2530, 1600, 2290, 0}},
    {"retract-4", {12970, 15170, 2720, 687, 300}},
};

START_TEST(measured_logs) {
    g_autofree char *path = g_strdup_printf("../shared/runs/minimouse/%s.log", measured[_i].name);
    if (!g_file_test(path, G_FILE_TEST_EXISTS)) {
        fprintf(stderr, "skipped: there is no '%s'\n", path);
        return;
    }
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    const char *fault;
    g_autoptr(AtlasFile) file = atlas_file_open(path, &fault);
    const AtlasRun *run = atlas_log_read(runs, file, NULL, diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert_ptr_nonnull(run);
    ck_assert_str_eq(run->name, measured[_i].name);
    ck_assert_int_eq(run->window.first, 20);
    ck_assert_int_eq(run->window.last, 29);
    ck_assert_uint_eq(run->stages->len, 5);
    for (guint i = 0; i < 5; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        ck_assert_int_eq(stage->sum.lo, measured[_i].sums[i]);
        ck_assert_int_eq(stage->sum.hi, measured[_i].sums[i]);
        ck_assert_uint_eq(stage->counts->len, 30);
    }
    /* The retraction stands in every step, or in every fourth. */
    const GArray *retr = g_array_index(run->stages, AtlasRunStage, 3).counts;
    gboolean fourth = strcmp(run->name, "retract-4") == 0;
    for (guint i = 1; i < retr->len && run->stages->len == 5; i++)
        ck_assert_int_eq(g_array_index(retr, gint64, i),
                         fourth && i % 4 != 0 ? 0 : g_array_index(retr, gint64, 0));
}
END_TEST

/* ---- what is read ---- */

/* "a" launches 10 + step and takes 0.5 ms, "b" launches 3 in even steps and takes step ms. */
static GString *make_log(gint64 first, gint64 steps, const char *end) {
    GString *text = g_string_new(NULL);
    for (gint64 i = first; i < first + steps; i++) {
        g_string_append_printf(text, "loss of step %d: 0.5%s", (int)i, end);
        g_string_append_printf(text, "ATLAS\t%d\ta\t%d\t0.5%s", (int)i, (int)(10 + i), end);
        g_string_append_printf(text, "ATLAS\t%d\tb\t%d\t%d.0%s", (int)i, i % 2 ? 0 : 3, (int)i,
                               end);
    }
    return text;
}

/* Of N steps the last ceil(N / 3). */
START_TEST(last_third) {
    static const gint64 warm[] = {0, 0, 1, 1, 2, 2, 2, 3, 3, 3, 4};
    for (gint64 first = 0; first < 4; first++) {
        g_autoptr(GString) text = make_log(first, _i, "\n");
        Read read = read_log(text->str, text->len, NULL);
        ck_assert_str_eq(read.errors, "");
        ck_assert_int_eq(read.run->log_first, first);
        ck_assert_int_eq(read.run->window.last, first + _i - 1);
        ck_assert_int_eq(atlas_window_steps(read.run->window), warm[_i]);
        ck_assert_uint_eq(stage_of(&read, 0)->counts->len, (guint)_i);
        read_clear(&read);
    }
}
END_TEST

START_TEST(named_window) {
    static const char *const ends[] = {"\n", "\r\n"};
    for (gsize i = 0; i < G_N_ELEMENTS(ends); i++) {
        g_autoptr(GString) text = make_log(5, 10, ends[i]);
        Read read = read_log(text->str, text->len, "6-9");
        ck_assert_str_eq(read.errors, "");
        ck_assert_str_eq(read.run->name, "x");
        ck_assert(read.run->window_known && read.run->window.first == 6);
        ck_assert_str_eq(stage_of(&read, 1)->name, "b");
        ck_assert_int_eq(stage_of(&read, 0)->sum.lo, 16 + 17 + 18 + 19);
        ck_assert_int_eq(stage_of(&read, 1)->sum.hi, 3 + 0 + 3 + 0);
        ck_assert_double_eq(stage_of(&read, 0)->ms, 0.5);
        ck_assert_double_eq(stage_of(&read, 1)->ms, (6 + 7 + 8 + 9) / 4.0);
        ck_assert_int_eq(g_array_index(stage_of(&read, 0)->counts, gint64, 0), 15);
        ck_assert_int_eq(g_array_index(stage_of(&read, 0)->counts, gint64, 9), 24);
        read_clear(&read);
    }
}
END_TEST

/* Other lines may be anything: NUL, bytes that are no text, 10 MB, more than any buffer. */
START_TEST(other_lines) {
    g_autoptr(GString) text = g_string_new("ATLAS 0 a 1 1\n ATLAS\t0\ta\t1\t1\nATLASx\t\nATLAS");
    g_string_append_len(text, "\n\0\xff\xfe\t\0\n", 7);
    gsize length = text->len;
    g_string_set_size(text, length + 10000000);
    memset(text->str + length, 'A', 10000000);
    g_string_append(text, "\nATLAS\t0\ta\t7\t1\n");
    g_string_append(text, "ATLAS-WARM");
    Read read = read_log(text->str, text->len, "0-0");
    ck_assert_str_eq(read.errors, "");
    ck_assert_int_eq(stage_of(&read, 0)->sum.lo, 7);
    read_clear(&read);
}
END_TEST

START_TEST(run_names) {
    static const struct {
        const char *path, *name;
    } cases[] = {{"x.log", "x"},      {"a/b.log", "b"},       {"/a/b", "b"},
                 {".log", ".log"},    {"a.log.log", "a.log"}, {"\xff", "\xef\xbf\xbd"},
                 {"x.gz", "x"},       {"a/x.log.gz", "x"},    {".gz", ".gz"},
                 {"x.gz.log", "x.gz"}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AtlasRuns) runs = atlas_runs_new();
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        static const char text[] = "ATLAS\t0\ta\t1\t1\nATLAS\t1\ta\t1\t1\n";
        const AtlasRun *run = atlas_log_parse(runs, cases[i].path, text, strlen(text), NULL, diags);
        ck_assert_ptr_nonnull(run);
        ck_assert_str_eq(run->name, cases[i].name);
    }
}
END_TEST

/* A log of a million steps keeps its last 50,000 as warm ones, and memory for 65,536. In step i,
 * "a" launches i and takes i ms. */
START_TEST(long_log) {
    enum { STEPS = 1000000, WARM = 50000 };
    g_autoptr(GString) text = g_string_sized_new(1 << 25);
    for (int i = 0; i < STEPS; i++)
        g_string_append_printf(text, "ATLAS\t%d\ta\t%d\t%d\n", i, i, i);
    Read read = read_log(text->str, text->len, NULL);
    ck_assert_str_eq(read.errors, "");
    ck_assert_int_eq(read.run->window.first, STEPS - WARM);
    ck_assert_int_eq(read.run->window.last, STEPS - 1);
    gint64 sum = (gint64)WARM * (STEPS - 1) - (gint64)WARM * (WARM - 1) / 2;
    ck_assert_int_eq(stage_of(&read, 0)->sum.lo, sum);
    ck_assert_double_eq(stage_of(&read, 0)->ms, (double)sum / WARM);
    const GArray *counts = stage_of(&read, 0)->counts;
    ck_assert_int_eq(read.run->log_first, STEPS - 65535);
    ck_assert_uint_eq(counts->len, 65535);
    ck_assert_int_eq(g_array_index(counts, gint64, 0), STEPS - 65535);
    ck_assert_int_eq(g_array_index(counts, gint64, 65534), STEPS - 1);
    read_clear(&read);
    static const struct {
        const char *window, *expected;
    } cases[] = {{"934465-999999", ""},
                 {"934464-999999", "window 934464-999999 is not inside the last 65535 steps"},
                 {"0-9", "hint: of a longer log, only steps 934465-999999 are kept"},
                 {"0-1000000", "is not inside the last 65535 steps of the log"}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        read = read_log(text->str, text->len, cases[i].window);
        ck_assert_msg(strstr(read.errors, cases[i].expected), "%s", read.errors);
        ck_assert_int_eq(read.run != NULL, *cases[i].expected == '\0');
        read_clear(&read);
    }
}
END_TEST

/* What is expected comes in every form that is right, and is read alike by either way of reading.
 */
START_TEST(rows_alike) {
    static const char *const ms[] = {"0", "0.5", "12345678901234.5", "123456789.123456789",
                                     "00.50"};
    for (gsize i = 0; i < G_N_ELEMENTS(ms); i++) {
        g_autofree char *text =
            g_strdup_printf("ATLAS\t08\ta\t007\t%s\r\nATLAS\t9\ta\t000000000000000000012\t%s\n"
                            "ATLAS\t000000000000000000010\ta\t5\t%s\n",
                            ms[i], ms[i], ms[i]);
        Read read = read_log(text, strlen(text), "8-10");
        ck_assert_str_eq(read.errors, "");
        ck_assert_int_eq(stage_of(&read, 0)->sum.lo, 7 + 12 + 5);
        double right = g_ascii_strtod(ms[i], NULL);
        ck_assert_double_eq(stage_of(&read, 0)->ms, (right + right + right) / 3);
        read_clear(&read);
    }
}
END_TEST

START_TEST(recognise) {
    static const char *const logs[] = {"ATLAS\t", "x\nATLAS\t0\ta\t1\t1\n", "\n\nATLAS\t\n"};
    static const char *const others[] = {"", "ATLAS", "ATLAS 1", "x ATLAS\t",
                                         "ATLAS-WARM\ta\t1\t1\n"};
    for (gsize i = 0; i < G_N_ELEMENTS(logs); i++)
        ck_assert(atlas_log_recognise(logs[i], strlen(logs[i])));
    for (gsize i = 0; i < G_N_ELEMENTS(others); i++)
        ck_assert(!atlas_log_recognise(others[i], strlen(others[i])));
}
END_TEST

/* ---- what is refused ---- */

#define A(step) "ATLAS\t" step "\ta\t10\t0.5\n"
#define B(step) "ATLAS\t" step "\tb\t5\t0.5\n"
#define C(step) "ATLAS\t" step "\tc\t1\t0.5\n"
#define STEP(step) A(step) B(step) C(step)

static const struct {
    const char *text, *window;
    guint errors;
    const char *expected; /* in what is printed */
} logs[] = {
    {STEP("0"), "0-0", 0, ""},
    {STEP("7"), NULL, 1, "dir/x.log: error: no warm step: step 7 is the only one"},
    {STEP("0") A("1") B("1") "ATLAS\t1\tc\t1\t0.5", NULL, 1,
     "dir/x.log:6:1: error: the last line, 'ATLAS\\t1\\tc\\t1\\t0.5', has no line end"},
    {STEP("0") STEP("1") "ATLAS-WARM\ta\t10.0\t0.", NULL, 1, "ms '0.' is not"},
    {STEP("0") STEP("1") "ATLAS-ABOUT\tdevice\tH2", NULL, 1, "has no line end: it may be cut"},
    {STEP("0") STEP("1") "lr 0.1", NULL, 0, ""},
    {"", NULL, 1, "dir/x.log: error: log is empty"},
    {"hello\n", NULL, 1, "dir/x.log: error: no ATLAS row in the whole log, 1 lines"},
    {"ATLAS-WARM\ta\t1\t1\n", NULL, 1, "no ATLAS row"},
    {STEP("0") STEP("1"), "1-2", 1, "error: window 1-2 is not inside the steps of the log"},
    {STEP("5") STEP("6"), "4-6", 1, "hint: the log has steps 5-6"},
    /* Rows that are cut, or torn by another process. */
    {STEP("0") A("1") "ATLAS\t1\tb\n" C("1"), NULL, 1,
     "dir/x.log:5:1: error: row 'ATLAS\\t1\\tb' has 3 fields"},
    {STEP("0") A("1") "ATLAS\t1\n" C("1"), NULL, 1, "dir/x.log:5:1: error: row 'ATLAS\\t1' has"},
    {STEP("0") A("1") "ATLAS\t1\tb\t5", NULL, 1, "hint: the log ends within this line"},
    {STEP("0") A("1") B("1") "ATLAS\t1\tc\t1\t", NULL, 1, "hint: the log ends within this line"},
    {STEP("0") "ATLAS\t1\taATLAS\t1\ta\t10\t1\n" B("1") C("1"), NULL, 1, "hint: two processes"},
    {"ATLAS\t0\ta\t1\t1\t\n", NULL, 1, "has 6 fields"},
    /* A row that is cut behind its stage names it; within it, another one. */
    {"ATLAS\t0\ta\t1\n" B("0") C("0") STEP("1"), NULL, 1, "has 4 fields"},
    {A("0") "ATLAS\t0\tbc\n" C("0") STEP("1") STEP("2"), NULL, 2, "stage 'b' was not in the first"},
    /* Numbers. */
    {"ATLAS\t0\ta\t-1\t1\n", NULL, 1, "dir/x.log:1:11: error: launch count '-1' is not"},
    {"ATLAS\t0\ta\t1.5\t1\n", NULL, 1, "launch count '1.5' is not a whole number"},
    {"ATLAS\t0\ta\t\t1\n", NULL, 1, "launch count '' is not"},
    {"ATLAS\t0\ta\t9223372036854775808\t1\n", NULL, 1, "launch count '9223372036854775808' is not"},
    {"ATLAS\t0\ta\t9223372036854775807\t1\n", "0-0", 0, ""},
    {"ATLAS\t0\ta\t1\t1\nATLAS\t1\ta\t9999999999999999999\t1\n", NULL, 1,
     "launch count '9999999999999999999' is not"}, /* where the row before tells what to expect */
    {"ATLAS\t0\ta\t9223372036854775807\t1\nATLAS\t0\tb\t1\t1\n", NULL, 1,
     "dir/x.log:2:11: error: launch count '1' is not possible"},
    {"ATLAS\t0\ta\t1\tNaN\n", NULL, 1, "dir/x.log:1:13: error: ms 'NaN' is not a decimal number"},
    {"ATLAS\t0\ta\t1\t-0.1\n", NULL, 1, "ms '-0.1' is not"},
    {"ATLAS\t-1\ta\t1\t1\n", NULL, 1, "dir/x.log:1:7: error: step '-1' is not"},
    {"ATLAS\t9223372036854775807\ta\t1\t1\n", NULL, 1, "step '9223372036854775807' is not"},
    {"ATLAS\t9223372036854775806\ta\t1\t1\n", "9223372036854775806-9223372036854775806", 0, ""},
    {"ATLAS\tx\ty\tz\tw\n", NULL, 1, "step 'x' is not"}, /* one problem a line */
    /* Stages. */
    {"ATLAS\t0\tFwd\t1\t1\n", NULL, 1, "dir/x.log:1:9: error: stage 'Fwd' is not a name"},
    {"ATLAS\t0\ttotal\t1\t1\n", NULL, 1, "stage 'total' is not"},
    {STEP("0") A("1") C("1") STEP("2"), NULL, 1,
     "dir/x.log:5:9: error: stage 'c' of step 1 stands where stage 'b' was expected"},
    {STEP("0") C("1") STEP("2"), NULL, 1, "stands where stage 'a', 'b' was expected"},
    {STEP("0") A("1") B("1") STEP("2"), NULL, 1,
     "dir/x.log:6:7: error: step 1 ended without stage 'c'"},
    {STEP("0") B("1") A("1") C("1") STEP("2"), NULL, 1, "stands where stage 'a' was expected"},
    {A("0") B("0") STEP("1") STEP("2"), NULL, 1,
     "dir/x.log:5:9: error: stage 'c' was not in the first step"},
    {STEP("0") A("1") "ATLAS\t1\teval\t1\t1\n" C("1"), NULL, 1, "stages are: a, b, c"},
    {"ATLAS\t0\tfwd\t1\t1\nATLAS\t1\tfdw\t1\t1\n", NULL, 1, "hint: did you mean 'fwd'?"},
    {STEP("0") A("1") A("1") B("1") C("1"), NULL, 1,
     "dir/x.log:5:9: error: stage 'a' comes again in step 1, which has it in line 4"},
    {STEP("0") A("1") B("1"), NULL, 1, "dir/x.log:5:1: error: the last step, 1, ends here without"},
    /* Steps; two processes. */
    {STEP("0") STEP("2"), NULL, 1, "dir/x.log:4:7: error: step 2 follows step 0; expected step 1"},
    {STEP("0") A("1") STEP("3"), NULL, 1, "dir/x.log:5:7: error: step 3 follows step 1"},
    {STEP("0") STEP("1") STEP("0") STEP("1"), NULL, 1,
     "dir/x.log:7:7: error: step 0 comes after step 1\nhint: two processes wrote into this log"},
    {A("0") A("0") B("0") B("0") C("0") C("0"), NULL, 3, "hint: two processes wrote"},
    {"ATLAS\t9223372036854775806\ta\t1\t1\nATLAS\t0\ta\t1\t1\n", NULL, 1,
     "step 0 comes after step"},
    {"ATLAS\t0\ta\t1\t1\nATLAS\t9223372036854775806\ta\t1\t1\n", NULL, 1, "expected step 1"},
    /* Summaries: a has 10 a step, b 5, c 1; of four steps the last two are warm. */
    {STEP("0") STEP("1") "ATLAS-WARM\ta\t10.0\t0.5\nATLAS-WARM\t0-1\ttotal\t16\t9\n", NULL, 0, ""},
    {STEP("0") "ATLAS-WARM\ta\t10.1\t0.5\n", "0-0", 1,
     "dir/x.log:4:14: error: mean '10.1' of 'a' contradicts the rows of steps 0-0, which give 10"},
    {STEP("0") "ATLAS-WARM\ttotal\t15\t0.5\n", "0-0", 1, "mean '15' of 'total' contradicts"},
    {STEP("0") "ATLAS-WARM\t0-1\ta\t10\t0.5\n", "0-0", 1,
     "dir/x.log:4:12: error: window 0-1 is not inside the steps of the log"},
    {STEP("0") "ATLAS-WARM\t1-0\ta\t10\t0.5\n", "0-0", 1, "window '1-0' is not A-B"},
    {STEP("0") "ATLAS-WARM\td\t10\t0.5\n", "0-0", 1,
     "dir/x.log:4:12: error: stage 'd' has no rows"},
    {STEP("0") "ATLAS-WARM\ta\t10\n", "0-0", 1, "summary 'ATLAS-WARM\\ta\\t10' has 3 fields"},
    {STEP("0") "ATLAS-WARM\ta\t-1\t1\n", "0-0", 1, "mean '-1' is not"},
    {STEP("0") "ATLAS-WARM\ta\t10\tnan\n", "0-0", 1, "ms 'nan' is not"},
    {STEP("0") "ATLAS-WARM\tA\t10\t1\n", "0-0", 1, "stage 'A' is not a name"},
    /* What it was counted by. */
    {"ATLAS-ABOUT\tdevice\tH200\n" STEP("0") "ATLAS-ABOUT\tdevice\tH200\n", "0-0", 0, ""},
    {STEP("0") "ATLAS-ABOUT\tlost\t0\nATLAS-ABOUT\tlost\t2\n", "0-0", 0, ""},
    {"ATLAS-ABOUT\tdevice\tH200\n" STEP("0") "ATLAS-ABOUT\tdevice\tH100\n", "0-0", 1,
     "dir/x.log:5:20: error: device is 'H100' here, and was 'H200' before"},
    {STEP("0") "ATLAS-ABOUT\tlag\t0\nATLAS-ABOUT\tlag\t0.5\n", "0-0", 1,
     "error: lag is '0.5' here, and was '0' before"},
    {STEP("0") "ATLAS-ABOUT\tcounted\tkernels\n", "0-0", 1,
     "counted 'kernels' is not calls, submissions, activities or graph_nodes"},
    {STEP("0") "ATLAS-ABOUT\tlost\t-1\n", "0-0", 1, "dir/x.log:4:18: error: lost '-1' is not"},
    {STEP("0") "ATLAS-ABOUT\tlag\tfew\n", "0-0", 1, "lag 'few' is not a decimal number >= 0"},
    {STEP("0") "ATLAS-ABOUT\tDevice\tH200\n", "0-0", 1, "dir/x.log:4:13: error: key 'Device' is"},
    {STEP("0") "ATLAS-ABOUT\tdevice\t\n", "0-0", 1, "device '' is not text that can be printed"},
    {STEP("0") "ATLAS-ABOUT\tdevice\n", "0-0", 1, "line 'ATLAS-ABOUT\\tdevice' has 2 fields"},
};

START_TEST(refused) {
    Read read = read_log(logs[_i].text, strlen(logs[_i].text), logs[_i].window);
    ck_assert_msg(strstr(read.errors, logs[_i].expected), "of\n%sexpected '%s', found\n%s",
                  logs[_i].text, logs[_i].expected, read.errors);
    ck_assert_uint_eq(atlas_diags_errors(read.diags), logs[_i].errors);
    ck_assert_int_eq(read.run != NULL, logs[_i].errors == 0);
    ck_assert_uint_eq(atlas_runs_count(read.runs), logs[_i].errors == 0);
    read_clear(&read);
}
END_TEST

/* The means of 1 and 2 launches are 1.5: printed without decimals, either neighbour may stand. */
START_TEST(summary_rounding) {
    static const struct {
        const char *mean;
        gboolean right;
    } cases[] = {{"1.5", TRUE}, {"1.50", TRUE}, {"1", TRUE},    {"2", TRUE},
                 {"3", FALSE},  {"0", FALSE},   {"1.4", FALSE}, {"1.51", FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *text = g_strdup_printf("ATLAS-WARM\t0-1\ta\t%s\t1\n"
                                                "ATLAS\t0\ta\t1\t1\nATLAS\t1\ta\t2\t1\n",
                                                cases[i].mean);
        Read read = read_log(text, strlen(text), NULL);
        ck_assert_int_eq(read.run != NULL, cases[i].right);
        read_clear(&read);
    }
}
END_TEST

/* Bytes of a message come out readable; those of the log must not reach the terminal. */
START_TEST(hostile_bytes) {
    static const char text[] = "ATLAS\t0\t\x1b]0;x\x07\xff\0\t1\t1\n";
    Read read = read_log(text, sizeof text - 1, NULL);
    ck_assert_ptr_nonnull(strstr(read.errors, "stage '\\x1b]0;x\\x07\\xff\\x00' is not a name"));
    read_clear(&read);
    static const char zero[] = "ATLAS\t0\ta\0b\t1\t1\n";
    read = read_log(zero, sizeof zero - 1, NULL);
    ck_assert_ptr_nonnull(strstr(read.errors, "stage 'a\\x00b' is not a name"));
    read_clear(&read);
}
END_TEST

/* Where two processes write, every line may be a problem, but the cause is said once. */
START_TEST(cause_is_said_once) {
    static const char text[] = STEP("0") A("0") B("0") C("0") STEP("1") STEP("0");
    Read read = read_log(text, sizeof text - 1, NULL);
    const char *hint = strstr(read.errors, "hint: two processes");
    ck_assert_ptr_nonnull(hint);
    ck_assert_ptr_null(strstr(hint + 1, "hint: two processes"));
    read_clear(&read);
}
END_TEST

START_TEST(overlong_row) {
    g_autoptr(GString) text = g_string_new(STEP("0") "ATLAS\t1\t");
    gsize length = text->len;
    g_string_set_size(text, length + 2000000);
    memset(text->str + length, 'a', 2000000);
    g_string_append(text, "\t1\t1\n" B("1") C("1"));
    Read read = read_log(text->str, text->len, NULL);
    ck_assert_uint_eq(atlas_diags_errors(read.diags), 1);
    ck_assert_ptr_nonnull(strstr(read.errors, "dir/x.log:4:1: error: row"));
    ck_assert_uint_lt(strlen(read.errors), 500);
    read_clear(&read);
}
END_TEST

/* 10 MB of garbage: diagnostics stay few, and count the others. */
START_TEST(garbage) {
    g_autoptr(GString) text = g_string_sized_new(10000000);
    for (int i = 0; i < 1000000; i++)
        g_string_append(text, "ATLAS\tx\ty\n");
    Read read = read_log(text->str, text->len, NULL);
    ck_assert_uint_eq(atlas_diags_errors(read.diags), 11);
    ck_assert_ptr_nonnull(strstr(read.errors, "dir/x.log: error: 999990 more problems"));
    read_clear(&read);
}
END_TEST

START_TEST(unreadable_file) {
    static const char *const paths[] = {"tests/no/such.log", "tests"};
    static const char *const faults[] = {"No such file", "error: cannot read 'tests': Is a dir"};
    static const gboolean opens[] = {FALSE, TRUE};
    const char *fault;
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++) {
        g_autoptr(AtlasRuns) runs = atlas_runs_new();
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasFile) file = atlas_file_open(paths[i], &fault);
        ck_assert_int_eq(file != NULL, opens[i]);
        ck_assert_ptr_null(file ? atlas_log_read(runs, file, NULL, diags) : NULL);
        g_autofree char *errors = atlas_diags_render(diags, FALSE);
        ck_assert_ptr_nonnull(strstr(file ? errors : fault, faults[i]));
    }
}
END_TEST

Suite *log_suite(void) {
    Suite *suite = suite_create("log");
    TCase *good = tcase_create("read"), *bad = tcase_create("refused");
    tcase_add_loop_test(good, measured_logs, 0, G_N_ELEMENTS(measured));
    tcase_add_loop_test(good, last_third, 2, 11);
    tcase_add_test(good, named_window);
    tcase_add_test(good, other_lines);
    tcase_add_test(good, run_names);
    tcase_add_test(good, long_log);
    tcase_add_test(good, rows_alike);
    tcase_add_test(good, recognise);
    tcase_add_loop_test(bad, refused, 0, G_N_ELEMENTS(logs));
    tcase_add_test(bad, summary_rounding);
    tcase_add_test(bad, hostile_bytes);
    tcase_add_test(bad, cause_is_said_once);
    tcase_add_test(bad, overlong_row);
    tcase_add_test(bad, garbage);
    tcase_add_test(bad, unreadable_file);
    suite_add_tcase(suite, good);
    suite_add_tcase(suite, bad);
    return suite;
}
