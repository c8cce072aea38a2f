/* Runs, tables of runs, and what both readers stand on: fields and lines. Logs: test_log.c. */
#include <errno.h>
#include <math.h>
#include <string.h>

#include "model/measure/field.h"
#include "model/measure/lines.h"
#include "model/measure/run.h"
#include "tests/unit/suites.h"

/* ---- sums and windows ---- */

enum { UNKNOWN = -1 };

static const struct {
    const char *mean;
    gint64 steps, lo, hi; /* lo UNKNOWN: no sum */
} means[] = {
    /* The study's base run: one decimal determines a sum over ten steps. */
    {"9002.5", 10, 90025, 90025},
    {"165.9", 10, 1659, 1659},
    {"21427.2", 10, 214272, 214272},
    {"0.0", 10, 0, 0},
    /* More decimals than needed; the same number. */
    {"9002.500", 10, 90025, 90025},
    {"0.333", 3, 1, 1},
    {"0.667", 3, 2, 2},
    /* Halves round either way: 214265 / 10 = 21426.5 may be printed as 21427 or as 21426. */
    {"21427", 10, 214265, 214275},
    {"21426", 10, 214255, 214265},
    {"1.2", 4, 5, 5}, /* 5 / 4 = 1.25 */
    {"1.3", 4, 5, 5},
    {"19300", 100, 1929950, 1930050},
    /* No sum is negative. */
    {"0", 10, 0, 5},
    /* No whole number: 90025.5 launches; thirds are no quarters. */
    {"9002.55", 10, UNKNOWN, 0},
    {"1.4", 4, UNKNOWN, 0},
    {"0.5", 1, UNKNOWN, 0},
    {"-1", 10, UNKNOWN, 0},
    /* One step: the mean is the sum. */
    {"7", 1, 7, 7},
    {"7.00", 1, 7, 7},
    {"9223372036854775807", 1, G_MAXINT64, G_MAXINT64},
    /* Many steps: 0.1 stands for 0.05 to 0.15. */
    {"0.1", G_GINT64_CONSTANT(1000000000000), G_GINT64_CONSTANT(50000000000),
     G_GINT64_CONSTANT(150000000000)},
    {"0", G_MAXINT64, 0, G_MAXINT64 / 2},
    {"0.000000000000000001", G_MAXINT64, 5, 13}, /* 9.2 * (0.5 to 1.5) */
    /* Sums that do not fit 64 bits. */
    {"1", G_MAXINT64, UNKNOWN, 0},
    {"9223372036854775807", 2, UNKNOWN, 0},
    {"9223372036854775807", G_MAXINT64, UNKNOWN, 0},
    /* No steps. */
    {"1", 0, UNKNOWN, 0},
    {"1", -10, UNKNOWN, 0},
};

START_TEST(sum_from_mean) {
    guint decimals = 0;
    AtlasRat mean = atlas_rat_parse(means[_i].mean, strlen(means[_i].mean), &decimals);
    ck_assert(atlas_rat_ok(mean));
    AtlasSum sum = atlas_sum_from_mean(mean, decimals, means[_i].steps);
    ck_assert_int_eq(sum.known, means[_i].lo != UNKNOWN);
    if (sum.known) {
        ck_assert_int_eq(sum.lo, means[_i].lo);
        ck_assert_int_eq(sum.hi, means[_i].hi);
    }
}
END_TEST

START_TEST(sum_from_no_mean) {
    ck_assert(!atlas_sum_from_mean(ATLAS_RAT_NONE, 0, 10).known);
    ck_assert(!atlas_sum_from_mean(atlas_rat(1), 19, 10).known);
    /* A third is printed by no number of decimals. */
    ck_assert(!atlas_sum_from_mean(atlas_rat_make(1, 3), 18, 3).known);
    /* Nor may a caller's mistake overflow. */
    ck_assert(!atlas_sum_from_mean(atlas_rat(G_MAXINT64), 18, G_MAXINT64).known);
}
END_TEST

/* A stated slack is all of it: nothing is added for rounding, and ends count. */
START_TEST(sum_from_range) {
    static const struct {
        AtlasRat mean, slack;
        gint64 steps;
        gboolean known;
        gint64 lo, hi;
    } ranges[] = {
        {{19300, 1}, {3, 1}, 100, TRUE, 1929700, 1930300},
        {{3, 2}, {1, 3}, 1, FALSE, 0, 0}, /* 1.16..1.83 */
        {{3, 2}, {1, 2}, 1, TRUE, 1, 2},
        {{1, 1}, {5, 1}, 10, TRUE, 0, 60}, /* none is below 0 */
        {{7, 1}, {0, 1}, 10, TRUE, 70, 70},
        {{G_MAXINT64, 1}, {1, 1}, 10, FALSE, 0, 0}, /* they do not fit */
        {{0, 0}, {1, 1}, 10, FALSE, 0, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(ranges); i++) {
        AtlasSum sum = atlas_sum_from_range(ranges[i].mean, ranges[i].slack, ranges[i].steps);
        ck_assert_int_eq(sum.known, ranges[i].known);
        ck_assert(!sum.known || (sum.lo == ranges[i].lo && sum.hi == ranges[i].hi));
    }
}
END_TEST

START_TEST(window_parse) {
    static const char *const bad[] = {
        "",     "20",    "20-", "-29",   "29-20", " 1-2",  "1-2 ",
        "1--2", "1-2-3", "a-b", "1.0-2", "+1-+2", "0x1-2", "0-9223372036854775807"};
    AtlasWindow window;
    ck_assert(atlas_window_parse("20-29", &window));
    ck_assert_int_eq(window.first, 20);
    ck_assert_int_eq(window.last, 29);
    ck_assert_int_eq(atlas_window_steps(window), 10);
    ck_assert(atlas_window_parse("7-7", &window));
    ck_assert_int_eq(atlas_window_steps(window), 1);
    ck_assert(atlas_window_parse("0-9223372036854775806", &window));
    ck_assert_int_eq(atlas_window_steps(window), G_MAXINT64);
    for (gsize i = 0; i < G_N_ELEMENTS(bad); i++)
        ck_assert_msg(!atlas_window_parse(bad[i], &window), "'%s' is no window", bad[i]);
}
END_TEST

START_TEST(runs_own_what_they_hold) {
    char name[] = "base", stage[] = "fwd";
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    AtlasRun *run = atlas_runs_add(runs, name);
    AtlasRunStage *added = atlas_runs_add_stage(runs, run, stage);
    name[0] = stage[0] = '?';
    added->counts = g_array_new(FALSE, FALSE, sizeof(gint64));
    ck_assert_str_eq(run->name, "base");
    ck_assert_str_eq(added->name, "fwd");
    ck_assert(!added->sum.known && isnan(added->ms));
    ck_assert_str_eq(run->configuration.text, "");
    ck_assert_str_eq(atlas_runs_string(runs, "abc", 2), "ab");
    ck_assert_uint_eq(atlas_runs_count(runs), 1);
    ck_assert_ptr_eq(atlas_runs_get(runs, 0), run);
}
END_TEST

/* ---- fields and lines ---- */

START_TEST(fields) {
    AtlasField field[3];
    gint64 whole;
    double decimal;
    ck_assert_uint_eq(atlas_fields_split("a\t\tb c\td", 8, field, 3), 4);
    ck_assert(atlas_field_is(field[0], "a"));
    ck_assert(atlas_field_is(field[1], ""));
    ck_assert(atlas_field_is(field[2], "b c"));
    ck_assert_uint_eq(atlas_fields_split("a", 1, field, 3), 1);
    ck_assert(field[2].length == 0);
    ck_assert(atlas_field_is(atlas_field_trim((AtlasField){"  a b ", 6}), "a b"));
    ck_assert(atlas_field_whole((AtlasField){"9223372036854775807x", 19}, &whole));
    ck_assert_int_eq(whole, G_MAXINT64);
    ck_assert(!atlas_field_whole((AtlasField){"9223372036854775808", 19}, &whole));
    ck_assert(!atlas_field_whole((AtlasField){"", 0}, &whole));
    ck_assert(atlas_field_decimal((AtlasField){"0.50x", 4}, &decimal));
    ck_assert_double_eq(decimal, 0.5);
    static const char *const none[] = {"",   ".",   ".5",  "5.",  "1.2.3",
                                       "-1", "1e3", "nan", "inf", " 1"};
    for (gsize i = 0; i < G_N_ELEMENTS(none); i++)
        ck_assert_msg(!atlas_field_decimal((AtlasField){none[i], strlen(none[i])}, &decimal),
                      "'%s' is no decimal number", none[i]);
}
END_TEST

START_TEST(quotes) {
    /* Of a terminal's control characters nothing may remain: ESC, and U+009B, which is one, too. */
    static const struct {
        const char *text, *quoted;
    } cases[] = {
        {"a\tb", "a\\tb"},          {"\x1b[31m", "\\x1b[31m"},  {"\xc3\xa4", "\xc3\xa4"},
        {"\xff\xc3", "\\xff\\xc3"}, {"\xc2\x9b", "\\xc2\\x9b"}, {"", ""},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *quoted =
            atlas_field_quote((AtlasField){cases[i].text, strlen(cases[i].text)});
        ck_assert_str_eq(quoted, cases[i].quoted);
    }
    g_autofree char *zero = atlas_field_quote((AtlasField){"a\0b", 3});
    ck_assert_str_eq(zero, "a\\x00b");
    g_autofree char *text = g_strnfill(1000, 'a');
    g_autofree char *quoted = atlas_field_quote((AtlasField){text, 1000});
    ck_assert_uint_lt(strlen(quoted), 80);
    ck_assert(g_str_has_suffix(quoted, "a..."));
}
END_TEST

/* An input that gives `step` bytes at a time, and fails at its end if it is told to. */
typedef struct {
    AtlasInput input;
    const char *text;
    gsize length, step;
    gboolean fails;
} Drip;

static gssize drip(AtlasInput *input, char *into, gsize size) {
    Drip *from = (Drip *)input;
    gsize got = MIN(MIN(size, from->length), from->step);
    memcpy(into, from->text, got);
    from->text += got;
    from->length -= got;
    errno = EIO;
    return got == 0 && from->fails ? -1 : (gssize)got;
}

/* Whatever the buffer's size and however the bytes come in, the lines are these. */
START_TEST(lines_of_any_buffer) {
    static const char text[] = "one\r\n\ntw\0\xff\nfour is a longer line\n\nlast";
    static const AtlasField expected[] = {
        {"one", 3}, {"", 0}, {"tw\0\xff", 4}, {"four is a longer line", 21}, {"", 0}, {"last", 4}};
    gsize size = (gsize)_i;
    for (gsize step = 1; step <= sizeof text; step++) {
        Drip from = {{drip, NULL}, text, sizeof text - 1, step, FALSE};
        g_autoptr(AtlasLines) lines = atlas_lines_new(&from.input, size);
        AtlasLine line;
        gsize count = 0;
        for (; atlas_lines_next(lines, &line); count++) {
            ck_assert_uint_lt(count, G_N_ELEMENTS(expected));
            const AtlasField *right = &expected[count];
            ck_assert_uint_eq(line.number, count + 1);
            ck_assert_uint_eq(line.length, MIN(right->length, size));
            ck_assert(line.length == 0 || memcmp(line.text, right->text, line.length) == 0);
            ck_assert_int_eq(line.ended, !line.overlong && count != 5);
            if (right->length > size)
                ck_assert(line.overlong);
            else if (right->length + 2 <= size) /* with CR and LF */
                ck_assert(!line.overlong);
        }
        ck_assert_uint_eq(count, G_N_ELEMENTS(expected));
        ck_assert_ptr_null(atlas_lines_fault(lines));
    }
}
END_TEST

START_TEST(lines_of_a_failing_input) {
    Drip from = {{drip, NULL}, "one\ntwo", 7, 7, TRUE};
    g_autoptr(AtlasLines) lines = atlas_lines_new(&from.input, 64);
    AtlasLine line;
    ck_assert(atlas_lines_next(lines, &line));
    ck_assert(!atlas_lines_next(lines, &line)); /* "two" may be half a line */
    ck_assert_str_eq(atlas_lines_fault(lines), g_strerror(EIO));
}
END_TEST

/* ---- tables ---- */

typedef struct {
    AtlasRuns *runs;
    AtlasSource *source;
    AtlasDiags *diags;
    gboolean ok;
    char *errors;
} Read;

static Read read_table(const char *text) {
    Read read = {.runs = atlas_runs_new(), .diags = atlas_diags_new()};
    read.source = atlas_source_new("t.tsv", text, strlen(text), NULL);
    read.ok = atlas_runs_read_table(read.runs, read.source, read.diags);
    read.errors = atlas_diags_render(read.diags, FALSE);
    return read;
}

static void read_clear(Read *read) {
    g_free(read->errors);
    atlas_diags_free(read->diags);
    atlas_runs_free(read->runs);
    atlas_source_free(read->source);
}

START_TEST(table) {
    Read read =
        read_table("# the study\n"
                   "\n"
                   "run\tconfiguration\tsteps\tfwd\tbwd\topt\tretr\tema\ttotal\trecipe\tnote\n"
                   "base\t-\t20-29\t9002.5\t7026.3\t3921.0\t1311.5\t165.9\t21427.2\t-\t12:04 "
                   "--log run\r\n"
                   "  night \tretract-4\t100\t-\t\t-\t-\t - \t19300\tprecision=fp16\t-\n");
    ck_assert_str_eq(read.errors, "");
    ck_assert(read.ok);
    ck_assert_uint_eq(atlas_runs_count(read.runs), 2);
    static const gint64 sums[] = {90025, 70263, 39210, 13115, 1659};
    static const char *const names[] = {"fwd", "bwd", "opt", "retr", "ema"};
    const AtlasRun *base = atlas_runs_get(read.runs, 0), *night = atlas_runs_get(read.runs, 1);
    ck_assert_uint_eq(base->stages->len, G_N_ELEMENTS(sums));
    for (guint i = 0; i < base->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(base->stages, AtlasRunStage, i);
        ck_assert_str_eq(stage->name, names[i]);
        ck_assert(stage->sum.known && isnan(stage->ms) && !stage->counts);
        ck_assert_int_eq(stage->sum.lo, sums[i]);
        ck_assert_int_eq(stage->sum.hi, sums[i]);
        ck_assert(!g_array_index(night->stages, AtlasRunStage, i).sum.known);
    }
    ck_assert_int_eq(base->total.lo, 214272);
    ck_assert(base->window_known && base->window.first == 20 && base->window.last == 29);
    ck_assert_str_eq(base->note, "12:04 --log run");
    ck_assert_str_eq(base->configuration.text, "");
    ck_assert_str_eq(night->name, "night");
    ck_assert_str_eq(night->configuration.text, "retract-4");
    ck_assert_str_eq(night->recipe.text, "precision=fp16");
    ck_assert_str_eq(night->note, "");
    ck_assert(!night->window_known && night->window.first == 0 && night->window.last == 99);
    ck_assert_int_eq(night->total.lo, 1929950);
    const char *text = atlas_source_text(read.source);
    ck_assert_mem_eq(text + night->at.start, "night ", 6);
    ck_assert_uint_eq(night->at.end - night->at.start, 5);
    read_clear(&read);
}
END_TEST

/* Times stand beside their stages, in any order; a name that only ends like one is a stage. */
START_TEST(table_times) {
    Read read = read_table("run\tconfiguration\tsteps\tbwd_ms\tfwd\tbwd\told_ms\tfwd_ms\n"
                           "a\t-\t0-9\t245.8\t1.0\t2.0\t3.0\t-\n");
    ck_assert_str_eq(read.errors, "");
    const AtlasRun *run = atlas_runs_get(read.runs, 0);
    ck_assert_uint_eq(run->stages->len, 3);
    const AtlasRunStage *stages = &g_array_index(run->stages, AtlasRunStage, 0);
    ck_assert_str_eq(stages[0].name, "fwd");
    ck_assert(isnan(stages[0].ms));
    ck_assert_str_eq(stages[1].name, "bwd");
    ck_assert_double_eq(stages[1].ms, 245.8);
    ck_assert_int_eq(stages[1].sum.lo, 20);
    ck_assert_str_eq(stages[2].name, "old_ms");
    ck_assert_int_eq(stages[2].sum.lo, 30);
    read_clear(&read);
}
END_TEST

#define HEAD "run\tconfiguration\tsteps\tfwd\tbwd\ttotal\n"

static const struct {
    const char *text;
    guint errors;
    const char *expected; /* in what is printed */
} tables[] = {
    {"", 1, "t.tsv:1:1: error: table has no header"},
    {"# nothing\n", 1, "t.tsv:1:1: error: table has no header"},
    {"# nothing\nrun\tconfiguration\tsteps\tfwd\n\n# none\n", 1,
     "t.tsv:2:1: error: table has no run"},
    {HEAD, 1, "t.tsv:1:1: error: table has no run"},
    {"run\tsteps\tfwd\n", 1, "t.tsv:1:1: error: no column 'configuration'"},
    {"run configuration steps\n", 2, "error: no column 'run', 'configuration', 'steps'"},
    {"run\tconfiguration\tsteps\tnote\n", 1, "error: no column of a stage"},
    {"run\tconfiguration\tsteps\tfwd\tfwd\n", 1, "t.tsv:1:29: error: column 'fwd' comes twice"},
    {"run\tconfiguration\tsteps\tfwd\tsteps\n", 1, "t.tsv:1:29: error: column 'steps' comes twice"},
    {"run\tconfiguration\tStep\tfwd\n", 1, "hint: did you mean 'steps'?"},
    {"run\tconfiguration\tsteps\ttotals\n", 1, "hint: did you mean 'total'?"},
    {"run\tconfiguration\tsteps\tF wd\n", 1, "column 'F wd' is not the name of a stage"},
    {"run\tconfiguration\tsteps\tfwd\t\n", 1, "t.tsv:1:29: error: column '' is not"},
    {HEAD "a\t-\t10\t1.0\t2.0\n", 1, "t.tsv:2:1: error: row has 5 cells, but there are 6 columns"},
    {HEAD "a\t-\t10\t1.0\t2.0\t3.0\t\n", 1, "row has 7 cells"},
    {HEAD "-\t-\t10\t1.0\t2.0\t3.0\n", 1, "t.tsv:2:1: error: run has no name"},
    {HEAD "a\t-\t10\t1\t2\t3\na\t-\t10\t1\t2\t3\n", 1, "t.tsv:2:1: note: it stands here first"},
    {HEAD "a\t-\t29-20\t1\t2\t3\n", 1, "t.tsv:2:5: error: steps '29-20' is not A-B"},
    {HEAD "a\t-\t0\t1\t2\t3\n", 1, "steps '0' is not"},
    {HEAD "a\t-\t-\t1\t2\t3\n", 1, "steps '-' is not"},
    {HEAD "a\t-\t10\t1,5\t-1\t1e3\n", 3, "t.tsv:2:8: error: mean '1,5' is not a decimal number"},
    {HEAD "a\t-\t10\tnan\tinf\t-0.1\n", 3, "t.tsv:2:16: error: mean '-0.1' is not"},
    {HEAD "a\t-\t10\t9002.55\t-\t-\n", 1,
     "90025 launches have the mean 9002.5, 90026 the mean 9002.6"},
    {HEAD "a\t-\t9223372036854775807\t5\t-\t-\n", 1, "no whole number of launches"},
    {HEAD "a\t-\t10\t-\t\t-\n", 1, "run 'a' knows neither a stage nor the total"},
    /* 10 + 20 launches are 3.0 a step; 1 and 2 without decimals stand for 20 to 40 launches. */
    {HEAD "a\t-\t10\t1.0\t2.0\t3.0\n", 0, ""},
    {HEAD "a\t-\t10\t1\t2\t4\n", 0, ""},
    {HEAD "a\t-\t10\t1\t2\t4.1\n", 1, "contradicts the stages, which make up at most 4"},
    {HEAD "a\t-\t10\t1\t2\t1.9\n", 1, "contradicts the stages, which make up at least 2"},
    {HEAD "a\t-\t10\t1.0\t2.0\t3.1\n", 1, "t.tsv:2:16: error: total '3.1' contradicts"},
    /* A stage that is not known may be anything, but not less than nothing. */
    {HEAD "a\t-\t10\t1.0\t-\t9.0\n", 0, ""},
    {HEAD "a\t-\t10\t1.0\t-\t0.9\n", 1, "at least 1"},
    {HEAD "a\t-\t1\t9223372036854775807\t1\t-\n", 1, "sum up to more than"},
    {"run\tconfiguration\tsteps\tfwd\tfwd_ms\na\t-\t10\t1.0\t-1\n", 1,
     "t.tsv:2:12: error: time '-1' is not a decimal number >= 0"},
    {"run\tconfiguration\tsteps\tfwd\tfwd_ms\na\t-\t10\t-\t2.5\n", 1, "knows neither"},
};

START_TEST(table_errors) {
    Read read = read_table(tables[_i].text);
    ck_assert_msg(strstr(read.errors, tables[_i].expected), "of\n%sexpected '%s', found\n%s",
                  tables[_i].text, tables[_i].expected, read.errors);
    ck_assert_uint_eq(atlas_diags_errors(read.diags), tables[_i].errors);
    ck_assert_int_eq(read.ok, tables[_i].errors == 0);
    read_clear(&read);
}
END_TEST

/* The diagnostics of garbage stay few, and count the others. */
START_TEST(table_of_garbage) {
    g_autoptr(GString) text = g_string_new(HEAD);
    for (int i = 0; i < 1000; i++)
        g_string_append(text, "x\n");
    Read read = read_table(text->str);
    ck_assert(!read.ok);
    ck_assert_uint_eq(atlas_diags_errors(read.diags), 100);
    ck_assert(strstr(read.errors, "error: 901 more problems"));
    read_clear(&read);
}
END_TEST

Suite *measure_suite(void) {
    Suite *suite = suite_create("measure");
    TCase *runs = tcase_create("runs"), *text = tcase_create("text"),
          *table_ = tcase_create("table");
    tcase_add_loop_test(runs, sum_from_mean, 0, G_N_ELEMENTS(means));
    tcase_add_test(runs, sum_from_no_mean);
    tcase_add_test(runs, sum_from_range);
    tcase_add_test(runs, window_parse);
    tcase_add_test(runs, runs_own_what_they_hold);
    tcase_add_test(text, fields);
    tcase_add_test(text, quotes);
    tcase_add_loop_test(text, lines_of_any_buffer, 1, 48);
    tcase_add_test(text, lines_of_a_failing_input);
    tcase_add_test(table_, table);
    tcase_add_test(table_, table_times);
    tcase_add_loop_test(table_, table_errors, 0, G_N_ELEMENTS(tables));
    tcase_add_test(table_, table_of_garbage);
    suite_add_tcase(suite, runs);
    suite_add_tcase(suite, text);
    suite_add_tcase(suite, table_);
    return suite;
}
