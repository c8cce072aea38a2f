/* The reader of run tables: the header makes columns, every other line a run. */
#include <math.h>
#include <string.h>

#include "model/base/names.h"
#include "model/measure/problems.h"
#include "model/measure/run.h"

/* Columns, in the order of column_names; all others are stages, or their times. */
typedef enum { RUN, CONFIGURATION, STEPS, TOTAL, RECIPE, NOTE, STAGE, FAULTY, MS, STEP_MS } Kind;
enum { REQUIRED = STEPS + 1 };

static const char *const column_names[STAGE] = {"run",   "configuration", "steps",
                                                "total", "recipe",        "note"};

typedef struct {
    Kind kind;
    const char *name; /* owned by the runs; of a time, that of its stage */
    AtlasSpan at;
} Column;

typedef struct {
    AtlasRuns *runs;
    const AtlasSource *source;
    AtlasProblems problems;
    GArray *columns;     /* of Column */
    guint at[STAGE];     /* where the column of a kind stands, counted from 1; 0: nowhere */
    GHashTable *by_name; /* of AtlasRun*, borrowed; those that were read before, too */
    GArray *cells;       /* of AtlasField: the line at hand, trimmed */
    AtlasSpan header;    /* its line */
    guint rows;          /* lines behind it */
} Table;

/* The launches of all stages of a run that are known. */
typedef struct {
    gint64 lo, hi;
    gboolean all, any, fits; /* all are known; any cell says something; the sum fits 64 bits */
} Stages;

static AtlasSpan span_of(const Table *table, AtlasField field) {
    gsize start = (gsize)(field.text - atlas_source_text(table->source));
    return (AtlasSpan){table->source, start, start + field.length};
}

static AtlasField field_of(AtlasSpan at) {
    return (AtlasField){atlas_source_text(at.source) + at.start, at.end - at.start};
}

static AtlasField cell_at(const Table *table, guint index) {
    return g_array_index(table->cells, AtlasField, index);
}

static gboolean is_unknown(AtlasField cell) {
    return cell.length == 0 || atlas_field_is(cell, "-");
}

static void hint(Table *table, gboolean added, const char *text) {
    if (added)
        atlas_diags_hint(table->problems.diags, "%s", text);
}

static void bad_cell(Table *table, AtlasField cell, const char *what, const char *expected,
                     const char *how) {
    g_autofree char *quoted = atlas_field_quote(cell);
    gboolean added = atlas_problem_add_at(&table->problems, span_of(table, cell),
                                          "%s '%s' is not %s", what, quoted, expected);
    hint(table, added, how);
}

static void split_cells(Table *table, AtlasField line) {
    gsize count = atlas_fields_split(line.text, line.length, NULL, 0);
    g_array_set_size(table->cells, (guint)count);
    AtlasField *cells = (AtlasField *)(gpointer)table->cells->data;
    atlas_fields_split(line.text, line.length, cells, count);
    for (gsize i = 0; i < count; i++)
        cells[i] = atlas_field_trim(cells[i]);
}

/* ---- the header ---- */

/* The kind of a name, whatever its case and with or without an "s" at its end; else STAGE. */
static Kind near_kind(const char *name) {
    gsize length = strlen(name) - g_str_has_suffix(name, "s");
    for (guint i = 0; i < STAGE; i++) {
        const char *known = column_names[i];
        gsize other = strlen(known) - g_str_has_suffix(known, "s");
        if (length == other && g_ascii_strncasecmp(name, known, length) == 0)
            return (Kind)i;
    }
    return STAGE;
}

/* A name that is nearly one of ours is a problem, and then taken for it. */
static Kind column_kind(Table *table, AtlasField cell, const char *name) {
    Kind kind = near_kind(name);
    if (kind != STAGE && strcmp(name, column_names[kind]) != 0) {
        if (atlas_problem_add_at(&table->problems, span_of(table, cell), "column '%s' is no stage",
                                 name))
            atlas_diags_hint(table->problems.diags, "did you mean '%s'?", column_names[kind]);
    } else if (kind == STAGE && !atlas_name_valid(name, FALSE)) {
        bad_cell(table, cell, "column", "the name of a stage",
                 "a name is a small letter, then small letters, digits and '_'");
        return FAULTY;
    }
    return kind;
}

static void read_column(Table *table, AtlasField cell, GHashTable *seen) {
    const char *name = atlas_runs_string(table->runs, cell.text, cell.length);
    Column column = {column_kind(table, cell, name), name, span_of(table, cell)};
    const char *key = column.kind < STAGE ? column_names[column.kind] : name;
    guint first = GPOINTER_TO_UINT(g_hash_table_lookup(seen, key));
    if (first > 0 && column.kind != FAULTY) {
        if (atlas_problem_add_at(&table->problems, column.at, "column '%s' comes twice", key))
            atlas_diags_note(table->problems.diags,
                             g_array_index(table->columns, Column, first - 1).at,
                             "it stands here first");
        column.kind = FAULTY;
    }
    g_array_append_val(table->columns, column);
    if (column.kind != FAULTY)
        g_hash_table_insert(seen, (gpointer)key, GUINT_TO_POINTER(table->columns->len));
    if (column.kind < STAGE)
        table->at[column.kind] = table->columns->len;
}

/* A column STAGE_ms beside one of that stage holds its times; without such a stage, step_ms those
 * of the step. */
static void find_times(Table *table, GHashTable *seen) {
    static const char suffix[] = "_ms";
    for (guint i = 0; i < table->columns->len; i++) {
        Column *column = &g_array_index(table->columns, Column, i);
        if (column->kind != STAGE || !g_str_has_suffix(column->name, suffix))
            continue;
        g_autofree char *name = g_strndup(column->name, strlen(column->name) - strlen(suffix));
        guint place = GPOINTER_TO_UINT(g_hash_table_lookup(seen, name));
        const Column *stage = place > 0 ? &g_array_index(table->columns, Column, place - 1) : NULL;
        if (stage && stage->kind == STAGE) {
            column->kind = MS;
            column->name = stage->name;
        } else if (g_str_equal(name, "step")) {
            column->kind = STEP_MS;
        }
    }
}

/* Returns whether rows can be read. */
static gboolean read_header(Table *table, AtlasField line) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GString) missing = g_string_new(NULL);
    gboolean counts = FALSE;
    for (guint i = 0; i < table->cells->len; i++)
        read_column(table, cell_at(table, i), seen);
    find_times(table, seen);
    for (guint i = 0; i < table->columns->len; i++) {
        Kind kind = g_array_index(table->columns, Column, i).kind;
        counts = counts || kind == STAGE || kind == FAULTY || kind == TOTAL;
    }
    for (guint kind = 0; kind < REQUIRED; kind++)
        if (table->at[kind] == 0)
            g_string_append_printf(missing, "%s'%s'", missing->len > 0 ? ", " : "",
                                   column_names[kind]);
    if (missing->len > 0)
        hint(table,
             atlas_problem_add_at(&table->problems, span_of(table, line), "no column %s",
                                  missing->str),
             "the header names the columns, with tabs between them: run, configuration, steps, "
             "then the stages in step order");
    if (!counts)
        hint(table,
             atlas_problem_add_at(&table->problems, span_of(table, line),
                                  "no column of a stage, and none of the total"),
             "add a column for each stage, in step order, or 'total'");
    return missing->len == 0 && counts;
}

/* ---- a row ---- */

static AtlasText text_of(Table *table, AtlasField cell) {
    gsize length = is_unknown(cell) ? 0 : cell.length;
    return (AtlasText){atlas_runs_string(table->runs, cell.text, length), span_of(table, cell)};
}

static AtlasRun *add_run(Table *table, AtlasField cell) {
    AtlasText name = text_of(table, cell);
    AtlasRun *run = atlas_runs_add(table->runs, name.text);
    AtlasRun *first = g_hash_table_lookup(table->by_name, name.text);
    run->at = name.at;
    if (is_unknown(cell)) {
        hint(table, atlas_problem_add_at(&table->problems, name.at, "run has no name"),
             "a name tells runs apart in reports; give each its own");
    } else if (first) {
        g_autofree char *quoted = atlas_field_quote(cell);
        if (atlas_problem_add_at(&table->problems, name.at, "run '%s' comes twice", quoted)) {
            if (first->at.source)
                atlas_diags_note(table->problems.diags, first->at, "it stands here first");
            atlas_diags_hint(table->problems.diags,
                             "give it a name of its own; a configuration may have several runs");
        }
    } else {
        g_hash_table_insert(table->by_name, (gpointer)run->name, run);
    }
    return run;
}

/* Returns the number of steps, 0 if the cell is at fault. */
static gint64 read_steps(Table *table, AtlasField cell, AtlasRun *run) {
    g_autofree char *text = g_strndup(cell.text, cell.length);
    gint64 count;
    if (atlas_window_parse(text, &run->window)) {
        run->window_known = TRUE;
    } else if (atlas_field_whole(cell, &count) && count > 0) {
        run->window = (AtlasWindow){0, count - 1};
    } else {
        bad_cell(table, cell, "steps", "A-B or a number of steps",
                 "write the first and the last step, such as 20-29; or 10 if it is not known "
                 "which 10 steps they were");
        return 0;
    }
    return atlas_window_steps(run->window);
}

/* A mean that no whole number of launches gives: shows the two next to it. */
static void impossible_mean(Table *table, AtlasField cell, AtlasRat mean, guint decimals,
                            gint64 steps) {
    char text[2][64];
    AtlasRat below = atlas_rat_floor(atlas_rat_mul(mean, atlas_rat(steps)));
    AtlasRat above = atlas_rat_add(below, atlas_rat(1));
    g_autofree char *quoted = atlas_field_quote(cell);
    if (!atlas_problem_add_at(&table->problems, span_of(table, cell),
                              "no whole number of launches over %" G_GINT64_FORMAT
                              " steps has the mean '%s'",
                              steps, quoted))
        return;
    if (atlas_rat_ok(above))
        atlas_diags_hint(table->problems.diags,
                         "%" G_GINT64_FORMAT " launches have the mean %s, %" G_GINT64_FORMAT
                         " the mean %s",
                         below.num,
                         atlas_rat_format(atlas_rat_div(below, atlas_rat(steps)), decimals, text[0],
                                          sizeof text[0]),
                         above.num,
                         atlas_rat_format(atlas_rat_div(above, atlas_rat(steps)), decimals, text[1],
                                          sizeof text[1]));
    else
        atlas_diags_hint(table->problems.diags, "the greatest sum of launches is 2^63 - 1");
}

/* Where the slack of a mean begins, and where its sign does; NULL if it has none. */
static const char *find_slack(AtlasField cell, gsize *length) {
    static const char *const signs[] = {"\u00b1", "+-"};
    for (guint i = 0; i < G_N_ELEMENTS(signs); i++) {
        const char *sign = g_strstr_len(cell.text, (gssize)cell.length, signs[i]);
        *length = sign ? (gsize)(sign - cell.text) : cell.length;
        if (sign)
            return sign + strlen(signs[i]);
    }
    return NULL;
}

/* A mean that is stated with its slack. */
static AtlasSum read_range(Table *table, AtlasField cell, AtlasField mean, AtlasField slack,
                           gint64 steps) {
    AtlasRat middle = atlas_rat_parse(mean.text, mean.length, NULL);
    AtlasRat by = atlas_rat_parse(slack.text, slack.length, NULL);
    AtlasSum sum = {.known = FALSE};
    if (!atlas_rat_ok(middle) || middle.num < 0 || !atlas_rat_ok(by) || by.num < 0) {
        bad_cell(table, cell, "mean", "two decimal numbers >= 0 with \u00b1 between them",
                 "write the mean of a step and how far it can be off, such as 19300\u00b13");
    } else if (steps > 0) {
        sum = atlas_sum_from_range(middle, by, steps);
        if (!sum.known)
            bad_cell(table, cell, "mean", "one of whole launches over that many steps",
                     "the launches of all steps are a whole number of at most 2^63 - 1");
    }
    sum.at = span_of(table, cell);
    return sum;
}

/* `steps` 0: not known, since that cell is at fault. */
static AtlasSum read_sum(Table *table, AtlasField cell, gint64 steps) {
    AtlasSum sum = {.known = FALSE};
    AtlasField first = cell;
    const char *behind = find_slack(cell, &first.length);
    if (behind) {
        AtlasField slack = {behind, (gsize)(cell.text + cell.length - behind)};
        return read_range(table, cell, atlas_field_trim(first), atlas_field_trim(slack), steps);
    }
    guint decimals = 0;
    AtlasRat mean = atlas_rat_parse(cell.text, cell.length, &decimals);
    if (is_unknown(cell)) {
        /* Nothing to read. */
    } else if (!atlas_rat_ok(mean) || mean.num < 0) {
        bad_cell(table, cell, "mean", "a decimal number >= 0 of at most 18 digits",
                 "write the mean of a step, such as 9002.5; '-' where it was not measured");
    } else if (steps > 0) {
        sum = atlas_sum_from_mean(mean, decimals, steps);
        if (!sum.known)
            impossible_mean(table, cell, mean, decimals, steps);
    }
    sum.at = span_of(table, cell);
    return sum;
}

static void add_stage(Stages *stages, const AtlasSum *sum) {
    stages->all = stages->all && sum->known;
    if (!sum->known || !stages->fits)
        return;
    stages->fits = !__builtin_add_overflow(stages->hi, sum->hi, &stages->hi);
    if (stages->fits)
        stages->lo += sum->lo; /* at most hi */
}

/* The stages that are known may not exceed the total; all of them make it up. */
static void check_run(Table *table, const AtlasRun *run, const Stages *stages) {
    const AtlasSum *total = &run->total;
    g_autofree char *name = atlas_field_quote((AtlasField){run->name, strlen(run->name)});
    gboolean more = total->known && stages->lo > total->hi;
    if (!stages->any) {
        hint(table,
             atlas_problem_add_at(&table->problems, run->at,
                                  "run '%s' knows neither a stage nor the total", name),
             "a run says something; remove it, or write what was measured");
    } else if (!stages->fits) {
        hint(table,
             atlas_problem_add_at(&table->problems, run->at,
                                  "launches of run '%s' sum up to more than 9223372036854775807",
                                  name),
             "columns are means of one step, not sums");
    } else if (more ||
               (total->known && stages->all && run->stages->len > 0 && stages->hi < total->lo)) {
        gint64 steps = atlas_window_steps(run->window);
        g_autofree char *quoted = atlas_field_quote(field_of(total->at));
        char sum[64];
        atlas_rat_format(atlas_rat_make(more ? stages->lo : stages->hi, steps), 6, sum, sizeof sum);
        hint(table,
             atlas_problem_add_at(&table->problems, total->at,
                                  "total '%s' contradicts the stages, which make up %s%s", quoted,
                                  more ? "at least " : "at most ", sum),
             "the total is the sum of all stages, as far as the decimals tell");
    }
}

/* Mean milliseconds; NAN where there are none. */
static double read_ms(Table *table, AtlasField cell) {
    double ms;
    if (is_unknown(cell))
        return NAN;
    if (atlas_field_decimal(cell, &ms))
        return ms;
    bad_cell(table, cell, "time", "a decimal number >= 0",
             "write mean milliseconds of a step, such as 237.5; '-' where they were not measured");
    return NAN;
}

/* Times follow their stages, whatever the order of the columns. */
static void read_times(Table *table, AtlasRun *run) {
    for (guint i = 0; i < table->columns->len; i++) {
        const Column *column = &g_array_index(table->columns, Column, i);
        if (column->kind == STEP_MS)
            run->step_ms = read_ms(table, cell_at(table, i));
        for (guint k = 0; column->kind == MS && k < run->stages->len; k++) {
            AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, k);
            if (g_str_equal(stage->name, column->name))
                stage->ms = read_ms(table, cell_at(table, i));
        }
    }
}

static void read_row(Table *table, AtlasField line) {
    guint columns = table->columns->len;
    if (table->cells->len != columns) {
        hint(table,
             atlas_problem_add_at(&table->problems, span_of(table, line),
                                  "row has %u cells, but there are %u columns", table->cells->len,
                                  columns),
             "one tab stands between two cells; write '-' into a cell that is unknown");
        return;
    }
    AtlasRun *run = add_run(table, cell_at(table, table->at[RUN] - 1));
    gint64 steps = read_steps(table, cell_at(table, table->at[STEPS] - 1), run);
    Stages stages = {.all = TRUE, .fits = TRUE};
    for (guint i = 0; i < columns; i++) {
        const Column *column = &g_array_index(table->columns, Column, i);
        AtlasField cell = cell_at(table, i);
        if (column->kind == STAGE) {
            AtlasSum sum = read_sum(table, cell, steps);
            atlas_runs_add_stage(table->runs, run, column->name)->sum = sum;
            add_stage(&stages, &sum);
        } else if (column->kind == TOTAL) {
            run->total = read_sum(table, cell, steps);
        } else if (column->kind == CONFIGURATION) {
            run->configuration = text_of(table, cell);
        } else if (column->kind == RECIPE) {
            run->recipe = text_of(table, cell);
        } else if (column->kind == NOTE) {
            run->note = text_of(table, cell).text;
        }
        if (column->kind == STAGE || column->kind == FAULTY || column->kind == TOTAL)
            stages.any = stages.any || !is_unknown(cell);
    }
    read_times(table, run);
    check_run(table, run, &stages);
}

/* ---- the table ---- */

static void read_lines(Table *table) {
    const char *text = atlas_source_text(table->source);
    for (guint i = 1; i <= atlas_source_lines(table->source); i++) {
        gsize start, end;
        atlas_source_line(table->source, i, &start, &end);
        start += i == 1 ? atlas_lines_mark(text, end) : 0;
        AtlasField line = {text + start, end - start}, trimmed = atlas_field_trim(line);
        if (trimmed.length == 0 || trimmed.text[0] == '#')
            continue;
        split_cells(table, line);
        if (table->columns->len > 0) {
            read_row(table, line);
            table->rows++;
        } else if (!read_header(table, line)) {
            return;
        } else {
            table->header = span_of(table, line);
        }
    }
    if (table->columns->len == 0)
        hint(table,
             atlas_problem_add_at(&table->problems, (AtlasSpan){table->source, 0, 0},
                                  "table has no header"),
             "the first line that is no comment names the columns, with tabs between them: run, "
             "configuration, steps, then the stages in step order");
    else if (table->rows == 0 && table->problems.count == 0)
        hint(table, atlas_problem_add_at(&table->problems, table->header, "table has no run"),
             "each line below the header is a run: nothing was measured, or nothing was written");
}

gboolean atlas_runs_read_table(AtlasRuns *runs, const AtlasSource *source, AtlasDiags *diags) {
    Table table = {
        .runs = runs,
        .source = source,
        .problems = {.diags = diags, .path = atlas_source_path(source)},
        .columns = g_array_new(FALSE, FALSE, sizeof(Column)),
        .by_name = g_hash_table_new(g_str_hash, g_str_equal),
        .cells = g_array_new(FALSE, FALSE, sizeof(AtlasField)),
    };
    for (guint i = atlas_runs_count(runs); i > 0; i--) {
        AtlasRun *run = atlas_runs_get(runs, i - 1);
        g_hash_table_insert(table.by_name, (gpointer)run->name, run);
    }
    read_lines(&table);
    atlas_problems_end(&table.problems);
    g_array_unref(table.columns);
    g_hash_table_unref(table.by_name);
    g_array_unref(table.cells);
    return table.problems.count == 0;
}
