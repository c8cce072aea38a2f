#include "model/measure/rows.h"

#include <string.h>

#include "model/base/names.h"

/* A count of stages that a message still names. */
enum { NAMED_MAX = 4 };

/* For what is wrong in a last line without line end. */
#define CUT_HINT                                                                                   \
    "the log ends within this line: the program was stopped or still runs; remove the step that "  \
    "is not complete"

#define ROW_START "ATLAS\t"

enum { STEP = 1, STAGE, LAUNCHES, MS, FIELDS };

static void stage_free(gpointer data) {
    AtlasRowStage *stage = data;
    g_free(stage->kept);
    g_free(stage);
}

void atlas_rows_init(AtlasRows *rows, AtlasProblems *problems) {
    *rows = (AtlasRows){.problems = problems, .intact = TRUE};
    rows->strings = g_string_chunk_new(1024);
    rows->by_name = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, stage_free);
    rows->order = g_ptr_array_new();
}

void atlas_rows_clear(AtlasRows *rows) {
    g_ptr_array_unref(rows->order);
    g_hash_table_unref(rows->by_name);
    g_string_chunk_free(rows->strings);
}

static AtlasRowStage *stage_at(const AtlasRows *rows, guint index) {
    return g_ptr_array_index(rows->order, index);
}

/* What may have happened to a log; each is said once, since it shows at many lines. */
typedef enum { TWO_WRITERS = 1, LINES_LOST = 2 } Cause;

static void hint_cause(AtlasRows *rows, Cause cause) {
    if (rows->hinted & cause)
        return;
    rows->hinted |= cause;
    if (cause == TWO_WRITERS)
        atlas_diags_hint(rows->problems->diags,
                         "two processes wrote into this log, or one after the other: a log is one "
                         "run of one process; give each a file of its own");
    else
        atlas_diags_hint(rows->problems->diags,
                         "every step has every stage once, in the order of the first step: lines "
                         "are lost, or two processes wrote into this log");
}

static void bad_field(AtlasRows *rows, const AtlasLine *line, AtlasField field, const char *what,
                      const char *expected, const char *hint) {
    g_autofree char *quoted = atlas_field_quote(field);
    if (atlas_problem_add(rows->problems, atlas_place(line, field), "%s '%s' is not %s", what,
                          quoted, expected))
        atlas_diags_hint(rows->problems->diags, "%s", line->ended ? hint : CUT_HINT);
}

void atlas_rows_misshapen(AtlasRows *rows, const AtlasLine *line, gsize fields, const char *what,
                          const char *expected) {
    g_autofree char *quoted = atlas_field_quote((AtlasField){line->text, line->length});
    gboolean torn = g_strstr_len(line->text + 1, (gssize)line->length - 1, "ATLAS\t") != NULL;
    if (line->overlong) {
        atlas_problem_add(rows->problems, (AtlasPlace){line->number, 1},
                          "%s '%s' is too long; expected %s", what, quoted, expected);
        return;
    }
    if (!atlas_problem_add(rows->problems, (AtlasPlace){line->number, 1},
                           "%s '%s' has %" G_GSIZE_FORMAT " fields; expected %s", what, quoted,
                           fields, expected))
        return;
    if (torn)
        hint_cause(rows, TWO_WRITERS);
    else if (!line->ended)
        atlas_diags_hint(rows->problems->diags, CUT_HINT);
    else
        atlas_diags_hint(rows->problems->diags, "one tab stands between two fields, none at the "
                                                "end of the line");
}

/* "'bwd', 'opt' and 3 more": the stages from `from` up to, not including, `to`. */
static char *stage_names(const AtlasRows *rows, guint from, guint to) {
    GString *out = g_string_new(NULL);
    guint end = MIN(to, from + NAMED_MAX);
    for (guint i = from; i < end; i++)
        g_string_append_printf(out, "%s'%s'", i > from ? ", " : "", stage_at(rows, i)->name);
    if (to > end)
        g_string_append_printf(out, " and %u more", to - end);
    return g_string_free(out, FALSE);
}

void atlas_rows_suggest(const AtlasRows *rows, const char *word, gboolean total) {
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < rows->order->len; i++)
        g_ptr_array_add(names, (gpointer)stage_at(rows, i)->name);
    if (total)
        g_ptr_array_add(names, (gpointer)ATLAS_TOTAL);
    g_ptr_array_add(names, NULL);
    atlas_diags_suggest(rows->problems->diags, word, "stages are",
                        (const char *const *)names->pdata);
}

static AtlasRowStage *stage_add(AtlasRows *rows, const char *name, gboolean unknown) {
    AtlasRowStage *stage = g_new0(AtlasRowStage, 1);
    stage->name = g_string_chunk_insert(rows->strings, name);
    stage->length = strlen(name);
    stage->first_line = rows->line;
    stage->unknown = unknown;
    g_hash_table_insert(rows->by_name, (gpointer)stage->name, stage);
    if (!unknown) {
        stage->index = rows->order->len;
        g_ptr_array_add(rows->order, stage);
    }
    return stage;
}

/* The stage of a name that is new: the first step makes it known. */
static AtlasRowStage *stage_new(AtlasRows *rows, AtlasPlace at, const char *name, gint64 step) {
    if (rows->steps == 0 || (rows->steps == 1 && step == rows->step))
        return stage_add(rows, name, FALSE);
    if (!atlas_problem_add(rows->problems, at, "stage '%s' was not in the first step", name))
        return NULL;
    atlas_rows_suggest(rows, name, FALSE);
    return stage_add(rows, name, TRUE);
}

/* The stage that a row names; NULL where that cannot be told, which is a problem. */
static AtlasRowStage *stage_find(AtlasRows *rows, const AtlasLine *line, AtlasField field,
                                 gint64 step) {
    guint likely = rows->next < rows->order->len ? rows->next : 0;
    if (likely < rows->order->len && atlas_field_is(field, stage_at(rows, likely)->name))
        return stage_at(rows, likely);
    g_autofree char *name = g_strndup(field.text, field.length);
    if (strlen(name) != field.length || !atlas_name_valid(name, FALSE)) {
        bad_field(rows, line, field, "stage", "a name",
                  "a name is a small letter, then small letters, digits and '_'");
        return NULL;
    }
    if (strcmp(name, ATLAS_TOTAL) == 0) {
        bad_field(rows, line, field, "stage", "the name of a stage",
                  "only ATLAS-WARM lines give totals");
        return NULL;
    }
    AtlasRowStage *stage = g_hash_table_lookup(rows->by_name, name);
    return stage ? stage : stage_new(rows, atlas_place(line, field), name, step);
}

/* A row of another step: the present one must be complete, and the new one the next. What lacks
 * around a row that could not be placed may have been in it. */
static void change_step(AtlasRows *rows, AtlasPlace at, gint64 step) {
    if (rows->lost) {
        /* Nothing to compare with. */
    } else if (step < rows->step) {
        if (atlas_problem_add(rows->problems, at,
                              "step %" G_GINT64_FORMAT " comes after step %" G_GINT64_FORMAT, step,
                              rows->step))
            hint_cause(rows, TWO_WRITERS);
    } else if (step - 1 > rows->step) {
        if (atlas_problem_add(rows->problems, at,
                              "step %" G_GINT64_FORMAT " follows step %" G_GINT64_FORMAT
                              "; expected step %" G_GINT64_FORMAT,
                              step, rows->step, rows->step + 1))
            hint_cause(rows, LINES_LOST);
    } else if (rows->next < rows->order->len) {
        g_autofree char *names = stage_names(rows, rows->next, rows->order->len);
        if (atlas_problem_add(rows->problems, at,
                              "step %" G_GINT64_FORMAT " ended without stage %s", rows->step,
                              names))
            hint_cause(rows, LINES_LOST);
    }
    rows->step = step;
    rows->steps++;
    rows->next = 0;
}

/* Checks that a row stands where it must. */
static void place_row(AtlasRows *rows, const AtlasLine *line, const AtlasField *fields, gint64 step,
                      AtlasRowStage *stage) {
    AtlasPlace at = atlas_place(line, fields[STAGE]);
    if (rows->steps == 0) {
        rows->first = rows->step = step;
        rows->steps = 1;
    } else if (step != rows->step) {
        change_step(rows, atlas_place(line, fields[STEP]), step);
    }
    if (stage->seen == rows->steps) {
        if (atlas_problem_add(rows->problems, at,
                              "stage '%s' comes again in step %" G_GINT64_FORMAT
                              ", which has it in line %" G_GUINT64_FORMAT,
                              stage->name, step, stage->line))
            hint_cause(rows, TWO_WRITERS);
    } else if (stage->index > rows->next && !rows->lost) {
        g_autofree char *names = stage_names(rows, rows->next, stage->index);
        if (atlas_problem_add(rows->problems, at,
                              "stage '%s' of step %" G_GINT64_FORMAT
                              " stands where stage %s was expected",
                              stage->name, step, names))
            hint_cause(rows, LINES_LOST);
    }
    stage->seen = rows->steps;
    stage->line = line->number;
    rows->next = MAX(rows->next, stage->index + 1);
    rows->lost = FALSE;
}

static void read_numbers(AtlasRows *rows, const AtlasLine *line, const AtlasField *fields,
                         gint64 *launches, double *ms) {
    if (!atlas_field_whole(fields[LAUNCHES], launches))
        bad_field(rows, line, fields[LAUNCHES], "launch count",
                  "a whole number from 0 to 9223372036854775807",
                  "a row counts the launches of one stage in one step; means stand in ATLAS-WARM "
                  "lines");
    else if (!atlas_field_decimal(fields[MS], ms))
        bad_field(rows, line, fields[MS], "ms", "a decimal number >= 0",
                  "write digits such as 12.5, and 0 where no time was taken");
    else if (__builtin_add_overflow(rows->total, *launches, &rows->total))
        bad_field(rows, line, fields[LAUNCHES], "launch count",
                  "possible: with those before it, it exceeds 9223372036854775807",
                  "a row counts the launches of one stage in one step, not since the start");
}

/* What is kept of the step that is the i-th from 0. */
static AtlasRowKept *kept_at(const AtlasRowStage *stage, guint64 i) {
    return &stage->kept[i & (stage->capacity - 1)];
}

static void keep(const AtlasRows *rows, AtlasRowStage *stage, gint64 launches, double ms) {
    guint64 i = rows->steps - 1;
    if (i >= stage->capacity && stage->capacity < ATLAS_ROWS_KEPT) {
        stage->capacity = MAX(stage->capacity * 2, 16);
        stage->kept = g_renew(AtlasRowKept, stage->kept, stage->capacity);
    }
    stage->sum += launches;
    *kept_at(stage, i) = (AtlasRowKept){stage->sum, ms};
}

/* A whole number that ends with `end`, which `*p` is set behind; FALSE if it is none, or not surely
 * one that fits. */
static gboolean scan_whole(const char **p, const char *line_end, char end, gint64 *value) {
    enum { DIGITS = 18 };
    const char *from = *p, *at = from;
    const char *most = line_end - from > DIGITS ? from + DIGITS : line_end;
    gint64 sum = 0;
    for (; at < most && g_ascii_isdigit(*at); at++)
        sum = sum * 10 + (*at - '0');
    if (at == line_end || at == from || *at != end)
        return FALSE;
    *value = sum;
    *p = at + 1;
    return TRUE;
}

/* A row in which all is as expected, as in nearly every one: the next stage of the order, of this
 * step or, behind the last, of the next step. FALSE, and nothing has changed, if it is not such a
 * row. */
static gboolean read_expected(AtlasRows *rows, const AtlasLine *line) {
    if (!rows->intact || rows->steps == 0 || rows->lost)
        return FALSE;
    gboolean begins = rows->next == rows->order->len;
    AtlasRowStage *stage = stage_at(rows, begins ? 0 : rows->next);
    const char *p = line->text + strlen(ROW_START), *end = line->text + line->length;
    gint64 step, launches, total;
    double ms;
    if (!scan_whole(&p, end, '\t', &step) || step != rows->step + begins ||
        (gsize)(end - p) <= stage->length || memcmp(p, stage->name, stage->length) != 0 ||
        p[stage->length] != '\t')
        return FALSE;
    p += stage->length + 1;
    if (!scan_whole(&p, end, '\t', &launches) ||
        !atlas_field_decimal((AtlasField){p, (gsize)(end - p)}, &ms) ||
        __builtin_add_overflow(rows->total, launches, &total))
        return FALSE;
    rows->total = total;
    rows->step = step;
    rows->steps += (guint64)begins;
    rows->next = stage->index + 1;
    stage->seen = rows->steps;
    stage->line = line->number;
    keep(rows, stage, launches, ms);
    return TRUE;
}

void atlas_rows_read(AtlasRows *rows, const AtlasLine *line) {
    AtlasField fields[FIELDS];
    guint64 problems = rows->problems->count;
    gint64 step = 0, launches = 0;
    double ms = 0;
    AtlasRowStage *stage = NULL;
    rows->count++;
    rows->line = line->number;
    if (!line->overlong && read_expected(rows, line))
        return;
    gsize count = atlas_fields_split(line->text, line->length, fields, FIELDS);
    if (count != FIELDS || line->overlong)
        atlas_rows_misshapen(rows, line, count, "row", "ATLAS, step, stage, launches, ms");
    if (atlas_field_whole(fields[STEP], &step) && step < G_MAXINT64) /* as windows want it */
        stage = stage_find(rows, line, fields[STAGE], step);
    else
        bad_field(rows, line, fields[STEP], "step", "a whole number from 0 to 9223372036854775806",
                  "steps count up by one, from any number on");
    read_numbers(rows, line, fields, &launches, &ms);
    if (!stage || stage->unknown) /* a misspelt stage, for one, stands where another is missed */
        rows->lost = TRUE;
    else
        place_row(rows, line, fields, step, stage);
    rows->intact = rows->intact && rows->problems->count == problems;
    if (rows->intact)
        keep(rows, stage, launches, ms);
}

void atlas_rows_end(AtlasRows *rows) {
    if (rows->next >= rows->order->len)
        return;
    g_autofree char *names = stage_names(rows, rows->next, rows->order->len);
    guint64 problems = rows->problems->count;
    if (atlas_problem_add(rows->problems, (AtlasPlace){rows->line, 1},
                          "the last step, %" G_GINT64_FORMAT ", ends here without stage %s",
                          rows->step, names))
        atlas_diags_hint(rows->problems->diags, "the program was stopped or still runs: remove "
                                                "the step that is not complete");
    rows->intact = rows->intact && rows->problems->count == problems;
}

gint64 atlas_rows_first_kept(const AtlasRows *rows) {
    /* The sum before a window is kept, too. */
    guint64 kept = MIN(rows->steps, ATLAS_ROWS_KEPT - 1);
    return rows->step - (gint64)(kept - 1);
}

gint64 atlas_rows_sum(const AtlasRows *rows, const AtlasRowStage *stage, AtlasWindow window) {
    guint64 first = (guint64)(window.first - rows->first),
            last = (guint64)(window.last - rows->first);
    gint64 sum = kept_at(stage, last)->sum;
    return first > 0 ? sum - kept_at(stage, first - 1)->sum : sum;
}

double atlas_rows_ms(const AtlasRows *rows, const AtlasRowStage *stage, AtlasWindow window) {
    double sum = 0;
    for (gint64 step = window.first; step <= window.last; step++)
        sum += kept_at(stage, (guint64)(step - rows->first))->ms;
    return sum / (double)atlas_window_steps(window);
}
