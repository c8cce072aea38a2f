#include "model/base/table.h"

#include <stdarg.h>
#include <string.h>

#include "model/base/markdown.h"
#include "model/base/visible.h"

enum { GAP = 2, TSV_PLACES = 9 };

typedef enum { CELL_EMPTY, CELL_TEXT, CELL_NUMBER } CellKind;

typedef struct {
    CellKind kind;
    char *shown;     /* what people see, but for the zeros that line up a column's decimals */
    char *visible;   /* the same where `shown` holds what no terminal should get; else NULL */
    AtlasRat number; /* CELL_NUMBER */
    gboolean padded; /* gets those zeros */
} Cell;

typedef struct {
    GArray *cells; /* of Cell */
    gboolean rule; /* a line of dashes stands before it */
} Row;

struct AtlasTable {
    const AtlasTableColumn *columns;
    guint n;
    GPtrArray *rows; /* of Row* */
    gboolean rule;
};

static void cell_clear(gpointer data) {
    g_free(((Cell *)data)->shown);
    g_free(((Cell *)data)->visible);
}

static void row_free(gpointer data) {
    g_array_unref(((Row *)data)->cells);
    g_free(data);
}

AtlasTable *atlas_table_new(const AtlasTableColumn *columns) {
    AtlasTable *table = g_new0(AtlasTable, 1);
    table->columns = columns;
    while (columns[table->n].heading || columns[table->n].name)
        table->n++;
    table->rows = g_ptr_array_new_with_free_func(row_free);
    return table;
}

void atlas_table_free(AtlasTable *table) {
    if (!table)
        return;
    g_ptr_array_unref(table->rows);
    g_free(table);
}

void atlas_table_row(AtlasTable *table) {
    Row *row = g_new0(Row, 1);
    row->cells = g_array_new(FALSE, FALSE, sizeof(Cell));
    g_array_set_clear_func(row->cells, cell_clear);
    row->rule = table->rule;
    table->rule = FALSE;
    g_ptr_array_add(table->rows, row);
}

void atlas_table_rule(AtlasTable *table) {
    table->rule = TRUE;
}

/* Takes over `shown`. */
static void add(AtlasTable *table, CellKind kind, char *shown, AtlasRat number, gboolean padded) {
    Row *row = g_ptr_array_index(table->rows, table->rows->len - 1);
    Cell cell = {kind, shown, NULL, number, padded && atlas_rat_ok(number)};
    g_autofree char *visible = atlas_visible_text(shown);
    if (!g_str_equal(visible, shown))
        cell.visible = g_steal_pointer(&visible);
    g_assert(row->cells->len < table->n);
    g_array_append_val(row->cells, cell);
}

void atlas_table_text(AtlasTable *table, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args); /* may hold a file's name */
    add(table, CELL_TEXT, g_utf8_make_valid(text, -1), ATLAS_RAT_NONE, FALSE);
    va_end(args);
}

void atlas_table_number(AtlasTable *table, AtlasRat number, guint places) {
    char text[64];
    add(table, CELL_NUMBER, g_strdup(atlas_rat_format(number, places, text, sizeof text)), number,
        TRUE);
}

void atlas_table_signed(AtlasTable *table, AtlasRat number, guint places) {
    char text[64];
    atlas_rat_format(number, places, text, sizeof text);
    gboolean above = number.num > 0 && !g_str_equal(text, "0"); /* as far as people see */
    add(table, CELL_NUMBER, g_strconcat(above ? "+" : "", text, NULL), number, TRUE);
}

void atlas_table_number_as(AtlasTable *table, AtlasRat number, const char *format, ...) {
    va_list args;
    va_start(args, format);
    add(table, CELL_NUMBER, g_strdup_vprintf(format, args), number, FALSE);
    va_end(args);
}

void atlas_table_share(AtlasTable *table, AtlasRat part, AtlasRat whole) {
    AtlasRat share = whole.num ? atlas_rat_div(part, whole) : ATLAS_RAT_NONE;
    if (atlas_rat_ok(share))
        atlas_table_number_as(table, share, "%.1f%%", 100 * atlas_rat_double(share));
    else
        atlas_table_number(table, ATLAS_RAT_NONE, 0);
}

void atlas_table_skip(AtlasTable *table) {
    add(table, CELL_EMPTY, g_strdup(""), ATLAS_RAT_NONE, FALSE);
}

/* NULL for a cell behind the last one given. */
static Cell *cell(const AtlasTable *table, guint row, guint column) {
    const Row *r = g_ptr_array_index(table->rows, row);
    return column < r->cells->len ? &g_array_index(r->cells, Cell, column) : NULL;
}

static const char *shown(const AtlasTable *table, guint row, guint column) {
    const Cell *found = cell(table, row, column);
    return !found ? "" : found->visible ? found->visible : found->shown;
}

static gsize decimals(const char *text) {
    const char *point = strchr(text, '.');
    return point ? strlen(point + 1) : 0;
}

/* Gives the numbers of every column as many decimals as the one that needs most, so that their
 * points stand below one another. */
static void line_up(const AtlasTable *table) {
    for (guint j = 0; j < table->n; j++) {
        gsize most = 0;
        for (guint i = 0; i < table->rows->len; i++)
            if (cell(table, i, j) && cell(table, i, j)->padded)
                most = MAX(most, decimals(shown(table, i, j)));
        for (guint i = 0; i < table->rows->len; i++) {
            Cell *c = cell(table, i, j);
            if (!c || !c->padded)
                continue;
            gsize missing = most - decimals(c->shown);
            g_autofree char *zeros = g_strnfill(missing, '0');
            char *padded = g_strconcat(c->shown, missing == most && most ? "." : "", zeros, NULL);
            g_free(c->shown);
            c->shown = padded;
        }
    }
}

/* The width of a column in characters; 0 if it is not shown or empty throughout. */
static glong width(const AtlasTable *table, guint column) {
    glong widest = 0;
    if (!table->columns[column].heading)
        return 0;
    for (guint i = 0; i < table->rows->len; i++)
        widest = MAX(widest, g_utf8_strlen(shown(table, i, column), -1));
    return widest ? MAX(widest, g_utf8_strlen(table->columns[column].heading, -1)) : 0;
}

static void pad(GString *out, const char *text, glong columns, gboolean right) {
    glong missing = columns - g_utf8_strlen(text, -1);
    if (!right)
        g_string_append(out, text);
    for (glong i = 0; i < missing; i++)
        g_string_append_c(out, ' ');
    if (right)
        g_string_append(out, text);
}

static void end_line(GString *out) {
    while (out->len && out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

/* One row, or the headings for row -1. */
static void append_line(const AtlasTable *table, const glong *widths, GString *out, int row) {
    for (guint j = 0, before = 0; j < table->n; j++) {
        const AtlasTableColumn *column = &table->columns[j];
        if (widths[j] == 0)
            continue;
        if (before++)
            pad(out, "", GAP, FALSE);
        pad(out, row < 0 ? column->heading : shown(table, (guint)row, j), widths[j], column->right);
    }
    end_line(out);
}

char *atlas_table_render(const AtlasTable *table) {
    GString *out = g_string_new(NULL);
    g_autofree glong *widths = g_new0(glong, table->n);
    glong all = -GAP;
    line_up(table);
    for (guint j = 0; j < table->n; j++) {
        widths[j] = width(table, j);
        all += widths[j] ? widths[j] + GAP : 0;
    }
    if (table->rows->len > 0)
        append_line(table, widths, out, -1);
    for (guint i = 0; i < table->rows->len; i++) {
        if (((Row *)g_ptr_array_index(table->rows, i))->rule) {
            for (glong k = 0; k < all; k++)
                g_string_append_c(out, '-');
            end_line(out);
        }
        append_line(table, widths, out, (int)i);
    }
    return g_string_free(out, FALSE);
}

/* ---- Markdown ---- */

/* What stands in a cell, or the heading for row -1; the caller frees it. */
static char *markdown_cell(const AtlasTable *table, int row, guint column) {
    const Cell *c = row < 0 ? NULL : cell(table, (guint)row, column);
    if (c && c->kind == CELL_NUMBER && !atlas_rat_ok(c->number))
        return g_strdup("unknown");
    return atlas_markdown_escape(row < 0 ? table->columns[column].heading
                                 : c     ? c->shown
                                         : "",
                                 TRUE);
}

static void markdown_line(const AtlasTable *table, const glong *widths, GString *out, int row) {
    for (guint j = 0; j < table->n; j++) {
        if (widths[j] == 0)
            continue;
        g_autofree char *text = markdown_cell(table, row, j);
        g_string_append(out, "| ");
        pad(out, text, widths[j], table->columns[j].right);
        g_string_append_c(out, ' ');
    }
    g_string_append(out, "|\n");
}

/* The line that parts headings from cells, and says on which side they stand. */
static void markdown_sides(const AtlasTable *table, const glong *widths, GString *out) {
    for (guint j = 0; j < table->n; j++) {
        if (widths[j] == 0)
            continue;
        gboolean right = table->columns[j].right;
        g_autofree char *dashes = g_strnfill((gsize)(widths[j] - right), '-');
        g_string_append_printf(out, "| %s%s ", dashes, right ? ":" : "");
    }
    g_string_append(out, "|\n");
}

char *atlas_table_render_markdown(const AtlasTable *table) {
    enum { LEAST = 3 }; /* dashes of a column */
    GString *out = g_string_new(NULL);
    g_autofree glong *widths = g_new0(glong, table->n);
    line_up(table);
    for (guint j = 0; j < table->n; j++) {
        if (width(table, j) == 0)
            continue;
        widths[j] = LEAST;
        for (int i = -1; i < (int)table->rows->len; i++) {
            g_autofree char *text = markdown_cell(table, i, j);
            widths[j] = MAX(widths[j], g_utf8_strlen(text, -1));
        }
    }
    if (table->rows->len > 0) {
        markdown_line(table, widths, out, -1);
        markdown_sides(table, widths, out);
    }
    for (guint i = 0; i < table->rows->len; i++)
        markdown_line(table, widths, out, (int)i);
    return g_string_free(out, FALSE);
}

/* ---- for programs ---- */

/* A text may hold what parts cells and rows. */
static void append_tsv_text(GString *out, const char *text) {
    for (const char *p = text; *p; p++)
        g_string_append_c(out, strchr("\t\r\n", *p) ? ' ' : *p);
}

char *atlas_table_render_tsv(const AtlasTable *table) {
    GString *out = g_string_new(NULL);
    for (gint64 i = -1; i < (gint64)table->rows->len; i++) {
        for (guint j = 0, before = 0; j < table->n; j++) {
            const char *name = table->columns[j].name;
            const Cell *c = i < 0 ? NULL : cell(table, (guint)i, j);
            char number[64] = "";
            if (!name)
                continue;
            if (c && c->kind == CELL_NUMBER && atlas_rat_ok(c->number))
                atlas_rat_format(c->number, TSV_PLACES, number, sizeof number);
            g_string_append(out, before++ ? "\t" : "");
            append_tsv_text(out, i < 0 ? name : c && c->kind == CELL_TEXT ? c->shown : number);
        }
        g_string_append_c(out, '\n');
    }
    return g_string_free(out, FALSE);
}

json_t *atlas_table_json(const AtlasTable *table) {
    json_t *rows = json_array();
    for (guint i = 0; i < table->rows->len; i++) {
        json_t *object = json_object();
        for (guint j = 0; j < table->n; j++) {
            const Cell *c = cell(table, i, j);
            if (!table->columns[j].name)
                continue;
            json_object_set_new(object, table->columns[j].name,
                                !c || c->kind == CELL_EMPTY ? json_null()
                                : c->kind == CELL_TEXT      ? json_string(c->shown)
                                                            : atlas_json_number(c->number));
        }
        json_array_append_new(rows, object);
    }
    return rows;
}
