#include "model/measure/log.h"

#include <string.h>

#include "model/base/names.h"
#include "model/measure/lines.h"
#include "model/measure/rows.h"

#define ROW "ATLAS\t"
#define SUMMARY "ATLAS-WARM\t"
#define ABOUT "ATLAS-ABOUT\t"

#define SUMMARY_FORM "ATLAS-WARM, the window A-B or nothing, stage, mean, ms"

/* Of a log with more problems, the first ones say what is wrong. */
enum { BUFFER_SIZE = 1 << 18, PROBLEMS_MAX = 10 };

/* The fields of a summary; a window may stand before the stage. */
enum { STAGE = 1, MEAN, MS, FIELDS };

/* A summary waits for the end of the log, which says what the last third is. */
typedef struct {
    AtlasPlace window_at, stage_at, mean_at;
    const char *stage, *text; /* `text`: the mean as it is printed */
    AtlasRat mean;
    guint decimals;
    gboolean named; /* it names its window */
    AtlasWindow window;
} Summary;

typedef struct {
    AtlasRuns *runs;
    AtlasProblems problems;
    AtlasRows rows;
    GStringChunk *strings;
    GArray *summaries; /* of Summary */
    AtlasProvenance by;
    guint64 lines;
} Log;

static void log_init(Log *log, AtlasRuns *runs, const char *path, AtlasDiags *diags) {
    log->runs = runs;
    log->problems = (AtlasProblems){.diags = diags, .path = path, .most = PROBLEMS_MAX};
    atlas_rows_init(&log->rows, &log->problems);
    log->strings = g_string_chunk_new(256);
    log->summaries = g_array_new(FALSE, FALSE, sizeof(Summary));
    atlas_provenance_init(&log->by);
    log->lines = 0;
}

static void log_clear(Log *log) {
    atlas_provenance_clear(&log->by);
    g_array_unref(log->summaries);
    g_string_chunk_free(log->strings);
    atlas_rows_clear(&log->rows);
}

/* ---- summaries ---- */

/* A field that holds a NUL is nothing that a line can say, as an empty one is. */
static const char *copy(const Log *log, AtlasField field) {
    gsize length = memchr(field.text, '\0', field.length) ? 0 : field.length;
    return g_string_chunk_insert_len(log->strings, field.text, (gssize)length);
}

static void bad_field(Log *log, const AtlasLine *line, AtlasField field, const char *what,
                      const char *expected) {
    g_autofree char *quoted = atlas_field_quote(field);
    if (atlas_problem_add(&log->problems, atlas_place(line, field), "%s '%s' is not %s", what,
                          quoted, expected))
        atlas_diags_hint(log->problems.diags, "a summary is " SUMMARY_FORM);
}

static void read_summary(Log *log, const AtlasLine *line) {
    AtlasField fields[FIELDS + 1];
    gsize count = atlas_fields_split(line->text, line->length, fields, FIELDS + 1);
    gboolean named = count == FIELDS + 1;
    AtlasField *field = fields + named;
    double ms;
    if ((count != FIELDS && !named) || line->overlong) {
        atlas_rows_misshapen(&log->rows, line, count, "summary", SUMMARY_FORM);
        return;
    }
    Summary summary = {
        .window_at = atlas_place(line, fields[1]),
        .stage_at = atlas_place(line, field[STAGE]),
        .mean_at = atlas_place(line, field[MEAN]),
        .stage = copy(log, field[STAGE]),
        .text = copy(log, field[MEAN]),
        .named = named,
    };
    summary.mean = atlas_rat_parse(field[MEAN].text, field[MEAN].length, &summary.decimals);
    if (named && !atlas_window_parse(copy(log, fields[1]), &summary.window))
        bad_field(log, line, fields[1], "window", "A-B, the first and the last step");
    else if (!atlas_name_valid(summary.stage, FALSE))
        bad_field(log, line, field[STAGE], "stage", "a name");
    else if (!atlas_rat_ok(summary.mean) || summary.mean.num < 0)
        bad_field(log, line, field[MEAN], "mean", "a decimal number >= 0 of at most 18 digits");
    else if (!atlas_field_decimal(field[MS], &ms))
        bad_field(log, line, field[MS], "ms", "a decimal number >= 0");
    else
        g_array_append_val(log->summaries, summary);
}

static gint64 sum_of(const Log *log, const AtlasRowStage *stage, AtlasWindow window) {
    gint64 sum = 0;
    if (stage)
        return atlas_rows_sum(&log->rows, stage, window);
    for (guint i = 0; i < log->rows.order->len; i++)
        sum += atlas_rows_sum(&log->rows, g_ptr_array_index(log->rows.order, i), window);
    return sum;
}

/* Whether a window lies inside the steps of the log, as far back as they are kept. */
static gboolean inside(const Log *log, AtlasWindow window) {
    return atlas_rows_first_kept(&log->rows) <= window.first && window.first <= window.last &&
           window.last <= log->rows.step;
}

static void outside(Log *log, AtlasPlace at, AtlasWindow window) {
    gint64 first = log->rows.first, kept = atlas_rows_first_kept(&log->rows);
    gboolean gone = first <= window.first && window.first < kept;
    g_autofree char *steps = gone ? g_strdup_printf("last %d steps", ATLAS_ROWS_KEPT - 1) : NULL;
    if (atlas_problem_add(&log->problems, at,
                          "window %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                          " is not inside the %s of the log",
                          window.first, window.last, gone ? steps : "steps"))
        atlas_diags_hint(log->problems.diags,
                         gone ? "of a longer log, only steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                                " are kept"
                              : "the log has steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
                         gone ? kept : first, log->rows.step);
}

/* Launches are compared exactly. Times are not: the program averages what it has not rounded. */
static void check_mean(Log *log, const Summary *summary, const AtlasRowStage *stage,
                       AtlasWindow window) {
    gint64 sum = sum_of(log, stage, window), steps = atlas_window_steps(window);
    AtlasSum printed = atlas_sum_from_mean(summary->mean, summary->decimals, steps);
    if (printed.known && printed.lo <= sum && sum <= printed.hi)
        return;
    char mean[64];
    atlas_rat_format(atlas_rat_make(sum, steps), summary->decimals + 1, mean, sizeof mean);
    if (atlas_problem_add(&log->problems, summary->mean_at,
                          "mean '%s' of '%s' contradicts the rows of steps %" G_GINT64_FORMAT
                          "-%" G_GINT64_FORMAT ", which give %s",
                          summary->text, summary->stage, window.first, window.last, mean))
        atlas_diags_hint(log->problems.diags,
                         "either rows are lost or changed, or the summary is of other steps, and "
                         "must name them: ATLAS-WARM, A-B, stage, mean, ms");
}

static void check_summary(Log *log, const Summary *summary, AtlasWindow third) {
    const AtlasRowStage *stage = g_hash_table_lookup(log->rows.by_name, summary->stage);
    AtlasWindow window = summary->named ? summary->window : third;
    if (!stage && strcmp(summary->stage, ATLAS_TOTAL) != 0) {
        if (atlas_problem_add(&log->problems, summary->stage_at, "stage '%s' has no rows",
                              summary->stage))
            atlas_rows_suggest(&log->rows, summary->stage, TRUE);
    } else if (log->rows.intact && !inside(log, window)) {
        outside(log, summary->window_at, window);
    } else if (log->rows.intact) {
        check_mean(log, summary, stage, window);
    }
}

/* ---- provenance ---- */

static void bad_about(Log *log, AtlasPlace at, AtlasSaid said, const char *key, AtlasField field) {
    g_autofree char *quoted = atlas_field_quote(field);
    g_autofree char *before = said == ATLAS_SAID_ELSE ? atlas_provenance_get(&log->by, key) : NULL;
    AtlasDiags *diags = log->problems.diags;
    if (before) {
        if (atlas_problem_add(&log->problems, at, "%s is '%s' here, and was '%s' before", key,
                              quoted, before))
            atlas_diags_hint(diags, "a log is one run of one process on one device");
    } else if (said == ATLAS_SAID_TOO_MUCH) {
        atlas_problem_add(&log->problems, at, "more than %d keys say what counted the log",
                          ATLAS_ABOUT_MAX);
    } else if (atlas_problem_add(&log->problems, at, "%s '%s' is not %s", key ? key : "key", quoted,
                                 atlas_provenance_expected(key))) {
        atlas_diags_hint(diags, "for example ATLAS-ABOUT, device, NVIDIA H200, with tabs between");
    }
}

static void read_about(Log *log, const AtlasLine *line) {
    enum { KEY = 1, VALUE, ABOUT_FIELDS };
    AtlasField fields[ABOUT_FIELDS];
    gsize count = atlas_fields_split(line->text, line->length, fields, ABOUT_FIELDS);
    if (count != ABOUT_FIELDS || line->overlong) {
        atlas_rows_misshapen(&log->rows, line, count, "line", "ATLAS-ABOUT, key, value");
        return;
    }
    AtlasField value = atlas_field_trim(fields[VALUE]);
    const char *key = copy(log, fields[KEY]), *text = copy(log, value);
    AtlasSaid said = atlas_provenance_say(&log->by, atlas_runs_string(log->runs, key, strlen(key)),
                                          atlas_runs_string(log->runs, text, strlen(text)));
    if (said == ATLAS_NOT_A_KEY)
        bad_about(log, atlas_place(line, fields[KEY]), said, NULL, fields[KEY]);
    else if (said != ATLAS_SAID)
        bad_about(log, atlas_place(line, fields[VALUE]), said, key, value);
}

/* ---- the end ---- */

static void no_rows(Log *log) {
    AtlasPlace whole = {0, 0};
    if (log->lines == 0) {
        if (atlas_problem_add(&log->problems, whole, "log is empty"))
            atlas_diags_hint(log->problems.diags, "the program has written nothing yet");
    } else if (atlas_problem_add(&log->problems, whole,
                                 "no ATLAS row in the whole log, %" G_GUINT64_FORMAT
                                 " lines; expected lines of ATLAS, step, stage, launches, ms",
                                 log->lines)) {
        atlas_diags_hint(log->problems.diags,
                         "one tab stands between two fields; the program may print rows only when "
                         "it is told to");
    }
}

/* The run of a log that has no problem. */
static AtlasRun *make_run(Log *log, const char *name, AtlasWindow window) {
    AtlasRows *rows = &log->rows;
    AtlasRun *run = atlas_runs_add(log->runs, name);
    run->window_known = TRUE;
    run->window = window;
    run->log = atlas_runs_string(log->runs, log->problems.path, strlen(log->problems.path));
    run->log_first = atlas_rows_first_kept(rows);
    for (guint i = 0; i < rows->order->len; i++) {
        const AtlasRowStage *from = g_ptr_array_index(rows->order, i);
        AtlasRunStage *stage = atlas_runs_add_stage(log->runs, run, from->name);
        gint64 sum = atlas_rows_sum(rows, from, window);
        stage->sum = (AtlasSum){.known = TRUE, .lo = sum, .hi = sum};
        stage->ms = atlas_rows_ms(rows, from, window);
        stage->line = from->first_line;
        stage->counts = g_array_new(FALSE, FALSE, sizeof(gint64));
        for (gint64 step = run->log_first; step <= rows->step; step++) {
            gint64 count = atlas_rows_sum(rows, from, (AtlasWindow){step, step});
            g_array_append_val(stage->counts, count);
        }
    }
    atlas_provenance_clear(&run->by);
    run->by = log->by;
    log->by.about = NULL; /* it is the run's now */
    return run;
}

/* The warm window of a log that has one; the first step is none of it. */
static gboolean warm_window(Log *log, const AtlasWindow *named, gint64 third, AtlasWindow *window) {
    const AtlasRows *rows = &log->rows;
    AtlasPlace whole = {0, 0};
    *window =
        named ? *named : (AtlasWindow){rows->step - MIN(third, ATLAS_LOG_WARM_MAX) + 1, rows->step};
    if (!rows->intact || rows->count == 0)
        return FALSE;
    if (!inside(log, *window)) {
        outside(log, whole, *window);
    } else if (!named && rows->steps == 1) {
        if (atlas_problem_add(&log->problems, whole,
                              "no warm step: step %" G_GINT64_FORMAT " is the only one",
                              rows->step))
            atlas_diags_hint(log->problems.diags,
                             "the last third of a log's steps counts, and a first step never does: "
                             "run more of them");
    }
    return log->problems.count == 0;
}

static AtlasRun *finish(Log *log, const AtlasWindow *named) {
    AtlasRows *rows = &log->rows;
    AtlasWindow window;
    if (rows->count == 0)
        no_rows(log);
    atlas_rows_end(rows);
    /* The last ceil(N / 3) of N steps. */
    gint64 third = ((gint64)rows->steps + 2) / 3;
    gboolean ok = warm_window(log, named, third, &window);
    for (guint i = 0; rows->count > 0 && i < log->summaries->len; i++)
        check_summary(log, &g_array_index(log->summaries, Summary, i),
                      (AtlasWindow){rows->step - third + 1, rows->step});
    atlas_problems_end(&log->problems);
    if (!ok || log->problems.count > 0)
        return NULL;
    static const char *const endings[] = {".gz", ".log", NULL};
    g_autofree char *name = atlas_run_name(log->problems.path, endings);
    return make_run(log, name, window);
}

/* ---- reading ---- */

/* Of a number that is cut, what is left is a number, too. */
static void no_line_end(Log *log, const AtlasLine *line) {
    g_autofree char *quoted = atlas_field_quote((AtlasField){line->text, line->length});
    if (atlas_problem_add(&log->problems, (AtlasPlace){line->number, 1},
                          "the last line, '%s', has no line end: it may be cut", quoted))
        atlas_diags_hint(log->problems.diags,
                         "the program was stopped or still runs: remove the step that is not "
                         "complete; or add the line end, if the line is whole");
}

static gboolean begins(const AtlasLine *line, const char *word) {
    return line->length >= strlen(word) && memcmp(line->text, word, strlen(word)) == 0;
}

/* A line that was meant to say something, and would be passed over: ATLAS-ABOUT or ATLAS-WARM with
 * a blank for the tab behind it, or nearly their names before one. Reports it. */
static gboolean is_misspelt(Log *log, const AtlasLine *line) {
    static const char *const words[] = {"about", "warm", NULL};
    const char *from = line->text + strlen("ATLAS-"), *end = line->text + line->length, *to = from;
    while (to < end && g_ascii_isupper(*to))
        to++;
    if (line->text[5] != '-' || to == end || (*to != ' ' && *to != '\t') || to - from > 8)
        return FALSE;
    g_autofree char *word = g_ascii_strdown(from, to - from);
    const char *near = atlas_name_nearest(word, words);
    if (!near || (*to == ' ' && !g_str_equal(near, word)))
        return FALSE;
    g_autofree char *upper = g_ascii_strup(near, -1);
    g_autofree char *quoted = atlas_field_quote((AtlasField){line->text, line->length});
    if (atlas_problem_add(&log->problems, (AtlasPlace){line->number, 1},
                          "line '%s' is no row and no summary", quoted))
        atlas_diags_hint(log->problems.diags, "did you mean 'ATLAS-%s', with a tab behind it?",
                         upper);
    return TRUE;
}

AtlasRun *atlas_log_read(AtlasRuns *runs, AtlasFile *file, const AtlasWindow *window,
                         AtlasDiags *diags) {
    g_autoptr(AtlasLines) lines = atlas_lines_new(atlas_file_input(file), BUFFER_SIZE);
    AtlasRun *run = NULL;
    AtlasLine line;
    Log log;
    log_init(&log, runs, atlas_file_name(file), diags);
    while (atlas_lines_next(lines, &line)) {
        gsize mark = log.lines++ ? 0 : atlas_lines_mark(line.text, line.length);
        line.text += mark;
        line.length -= mark;
        if (line.length < strlen(ROW) || memcmp(line.text, "ATLAS", 5) != 0)
            continue;
        if (line.text[5] == '\t')
            atlas_rows_read(&log.rows, &line);
        else if (begins(&line, SUMMARY))
            read_summary(&log, &line);
        else if (begins(&line, ABOUT))
            read_about(&log, &line);
        else if (!is_misspelt(&log, &line))
            continue;
        if (!line.ended && !line.overlong)
            no_line_end(&log, &line);
    }
    const char *fault = atlas_lines_fault(lines);
    if (fault)
        atlas_file_fault(file, fault, diags);
    else
        run = finish(&log, window);
    log_clear(&log);
    return run;
}

AtlasRun *atlas_log_parse(AtlasRuns *runs, const char *name, const char *text, gsize length,
                          const AtlasWindow *window, AtlasDiags *diags) {
    g_autoptr(AtlasFile) file = atlas_file_memory(name, text, length);
    return atlas_log_read(runs, file, window, diags);
}

gboolean atlas_log_recognise(const char *text, gsize length) {
    const char *end = text + length;
    for (const char *line = text; line && (gsize)(end - line) >= strlen(ROW);) {
        if (memcmp(line, ROW, strlen(ROW)) == 0)
            return TRUE;
        const char *newline = memchr(line, '\n', (gsize)(end - line));
        line = newline ? newline + 1 : NULL;
    }
    return FALSE;
}
