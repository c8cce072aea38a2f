#include "model/measure/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/base/names.h"
#include "model/measure/lines.h"
#include "model/measure/rows.h"

#define ROW "ATLAS\t"
#define SUMMARY "ATLAS-WARM\t"

#define SUMMARY_FORM "ATLAS-WARM, the window A-B or nothing, stage, mean, ms"

enum { BUFFER_SIZE = 1 << 18 };

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
    AtlasProblems problems;
    AtlasRows rows;
    GStringChunk *strings;
    GArray *summaries; /* of Summary */
    guint64 lines;
} Log;

static void log_init(Log *log, const char *path, AtlasDiags *diags) {
    log->problems = (AtlasProblems){.diags = diags, .path = path};
    atlas_rows_init(&log->rows, &log->problems);
    log->strings = g_string_chunk_new(256);
    log->summaries = g_array_new(FALSE, FALSE, sizeof(Summary));
    log->lines = 0;
}

static void log_clear(Log *log) {
    g_array_unref(log->summaries);
    g_string_chunk_free(log->strings);
    atlas_rows_clear(&log->rows);
}

/* ---- summaries ---- */

/* A field that holds a NUL is nothing that a summary can say, as an empty one is. */
static const char *copy(Log *log, AtlasField field) {
    if (memchr(field.text, '\0', field.length))
        return "";
    return g_string_chunk_insert_len(log->strings, field.text, (gssize)field.length);
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

static gboolean inside(const Log *log, AtlasWindow window) {
    return log->rows.first <= window.first && window.first <= window.last &&
           window.last <= log->rows.step;
}

static void outside(Log *log, AtlasPlace at, AtlasWindow window) {
    if (atlas_problem_add(&log->problems, at,
                          "window %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                          " is not inside the steps of the log",
                          window.first, window.last))
        atlas_diags_hint(log->problems.diags,
                         "the log has steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT,
                         log->rows.first, log->rows.step);
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

static void check_summary(Log *log, const Summary *summary, AtlasWindow warm) {
    const AtlasRowStage *stage = g_hash_table_lookup(log->rows.by_name, summary->stage);
    AtlasWindow window = summary->named ? summary->window : warm;
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

/* The run of a log that has no problem. Turns the stages' sums into counts, and takes them. */
static AtlasRun *make_run(Log *log, AtlasRuns *runs, const char *name, AtlasWindow window) {
    AtlasRows *rows = &log->rows;
    AtlasRun *run = atlas_runs_add(runs, name);
    run->window_known = TRUE;
    run->window = window;
    run->log_first = rows->first;
    for (guint i = 0; i < rows->order->len; i++) {
        AtlasRowStage *from = g_ptr_array_index(rows->order, i);
        AtlasRunStage *stage = atlas_runs_add_stage(runs, run, from->name);
        gint64 sum = atlas_rows_sum(rows, from, window);
        stage->sum = (AtlasSum){.known = TRUE, .lo = sum, .hi = sum};
        stage->ms = 0;
        for (gint64 step = window.first; step <= window.last; step++)
            stage->ms += g_array_index(from->ms, double, step - rows->first);
        stage->ms /= (double)atlas_window_steps(window);
        for (guint j = from->sums->len - 1; j > 0; j--)
            g_array_index(from->sums, gint64, j) -= g_array_index(from->sums, gint64, j - 1);
        stage->counts = g_steal_pointer(&from->sums);
    }
    return run;
}

/* The last component of the path, without ".log", as text. */
static char *run_name(const char *path) {
    g_autofree char *base = g_path_get_basename(path);
    gsize length = strlen(base);
    if (length > 4 && g_str_has_suffix(base, ".log"))
        length -= 4;
    return g_utf8_make_valid(base, (gssize)length);
}

static AtlasRun *finish(Log *log, AtlasRuns *runs, const AtlasWindow *named) {
    AtlasRows *rows = &log->rows;
    if (rows->count == 0)
        no_rows(log);
    atlas_rows_end(rows);
    /* The last ceil(N / 3) of N steps. */
    AtlasWindow warm = {rows->step - ((gint64)rows->steps - 1) / 3, rows->step};
    AtlasWindow window = named ? *named : warm;
    if (rows->count > 0 && rows->intact && !inside(log, window))
        outside(log, (AtlasPlace){0, 0}, window);
    for (guint i = 0; rows->count > 0 && i < log->summaries->len; i++)
        check_summary(log, &g_array_index(log->summaries, Summary, i), warm);
    atlas_problems_end(&log->problems);
    if (log->problems.count > 0)
        return NULL;
    g_autofree char *name = run_name(log->problems.path);
    return make_run(log, runs, name, window);
}

static void cannot_read(AtlasDiags *diags, const char *path, int reason) {
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "cannot read '%s': %s", path,
                      g_strerror(reason));
}

static AtlasRun *read_log(AtlasRuns *runs, const char *path, AtlasInput *input,
                          const AtlasWindow *window, AtlasDiags *diags) {
    g_autoptr(AtlasLines) lines = atlas_lines_new(input, BUFFER_SIZE);
    AtlasRun *run = NULL;
    AtlasLine line;
    Log log;
    log_init(&log, path, diags);
    while (atlas_lines_next(lines, &line)) {
        log.lines++;
        if (line.length < strlen(ROW) || memcmp(line.text, "ATLAS", 5) != 0)
            continue;
        if (line.text[5] == '\t')
            atlas_rows_read(&log.rows, &line);
        else if (line.length >= strlen(SUMMARY) && memcmp(line.text, SUMMARY, strlen(SUMMARY)) == 0)
            read_summary(&log, &line);
    }
    if (atlas_lines_errno(lines))
        cannot_read(diags, path, atlas_lines_errno(lines));
    else
        run = finish(&log, runs, window);
    log_clear(&log);
    return run;
}

/* ---- inputs ---- */

typedef struct {
    AtlasInput input;
    FILE *file;
} FileInput;

static gssize read_file(AtlasInput *input, char *into, gsize size) {
    FILE *file = ((FileInput *)input)->file;
    gsize got = fread(into, 1, size, file);
    return got == 0 && ferror(file) ? -1 : (gssize)got;
}

AtlasRun *atlas_log_read(AtlasRuns *runs, const char *path, const AtlasWindow *window,
                         AtlasDiags *diags) {
    gboolean is_stdin = strcmp(path, "-") == 0;
    FileInput from = {{read_file}, is_stdin ? stdin : fopen(path, "rb")};
    if (!from.file) {
        cannot_read(diags, path, errno);
        return NULL;
    }
    AtlasRun *run = read_log(runs, is_stdin ? "<stdin>" : path, &from.input, window, diags);
    if (!is_stdin)
        fclose(from.file);
    return run;
}

typedef struct {
    AtlasInput input;
    const char *text;
    gsize length;
} TextInput;

static gssize read_text(AtlasInput *input, char *into, gsize size) {
    TextInput *from = (TextInput *)input;
    gsize got = MIN(size, from->length);
    memcpy(into, from->text, got);
    from->text += got;
    from->length -= got;
    return (gssize)got;
}

AtlasRun *atlas_log_parse(AtlasRuns *runs, const char *name, const char *text, gsize length,
                          const AtlasWindow *window, AtlasDiags *diags) {
    TextInput from = {{read_text}, text, length};
    return read_log(runs, name, &from.input, window, diags);
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
