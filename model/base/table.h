/* Tables for people and for programs: one set of columns and cells, four ways to print it.
 *
 * A column has a heading for people, a name (with its unit) for programs, or both; what has no
 * heading is not shown to people, what has no name is not given to programs. A cell is text, a
 * number, or unknown. People see aligned columns; programs get TSV, or JSON objects whose keys are
 * the names. An unknown number is "?" for people, empty in TSV and null in JSON; a cell left out is
 * empty, empty and null.
 *
 * Life cycle: atlas_table_new, rows, atlas_table_render…, atlas_table_free.
 */
#ifndef ATLAS_MODEL_BASE_TABLE_H
#define ATLAS_MODEL_BASE_TABLE_H

#include "model/base/json.h"

typedef struct {
    const char *heading; /* for people: "host ms"; NULL: not shown */
    const char *name;    /* for programs: "host_ms"; NULL: not given */
    gboolean right;      /* numbers stand to the right */
} AtlasTableColumn;

typedef struct AtlasTable AtlasTable;

/* `columns` ends with one that has neither heading nor name; borrowed. */
AtlasTable *atlas_table_new(const AtlasTableColumn *columns);
void atlas_table_free(AtlasTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasTable, atlas_table_free)

/* Starts a row; then one cell for each column, left to right. */
void atlas_table_row(AtlasTable *table);
/* What is no UTF-8 in a text, as the name of a file may be, is replaced. People see what cannot be
 * printed as \t or \xNN (visible.h); programs, and Markdown (markdown.h), get it. */
void atlas_table_text(AtlasTable *table, const char *format, ...) G_GNUC_PRINTF(2, 3);
/* People see at most `places` decimals, in a column as many as its numbers need; programs get the
 * number. No number is unknown. */
void atlas_table_number(AtlasTable *table, AtlasRat number, guint places);
/* The same with a sign in front of what is above 0. */
void atlas_table_signed(AtlasTable *table, AtlasRat number, guint places);
/* Programs get the number, people this text. */
void atlas_table_number_as(AtlasTable *table, AtlasRat number, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
/* part / whole; people see percent with one decimal. Unknown where the whole is 0. */
void atlas_table_share(AtlasTable *table, AtlasRat part, AtlasRat whole);
void atlas_table_skip(AtlasTable *table);

/* A line of dashes before the next row (for people only). */
void atlas_table_rule(AtlasTable *table);

/* Aligned, with a line of headings; columns whose every cell is empty are left out. A table without
 * rows is "". The caller frees it. */
char *atlas_table_render(const AtlasTable *table);

/* The same as a Markdown table, whose source is aligned too. Cells are escaped (markdown.h); an
 * unknown number is "unknown", and there are no rules. The caller frees it. */
char *atlas_table_render_markdown(const AtlasTable *table);

/* Tab-separated, with a line of names; a tab or an end of line in a cell is a blank. The caller
 * frees it. */
char *atlas_table_render_tsv(const AtlasTable *table);

/* An array of one object a row. The caller owns it. */
json_t *atlas_table_json(const AtlasTable *table);

#endif
