/* Rows of a database whose schema is not known before: for nsys.c only.
 *
 * A query names columns of a table. Where the table is missing there are no rows; a column that is
 * missing is NULL in all of them, unless it is needed. A view or a virtual table of the name is a
 * problem: it is not run.
 */
#ifndef ATLAS_MODEL_MEASURE_NSYS_ROWS_H
#define ATLAS_MODEL_MEASURE_NSYS_ROWS_H

#include <glib.h>
#include <sqlite3.h>

#include "model/base/diag.h"

typedef struct {
    sqlite3 *db;
    const char *path;
    AtlasDiags *diags;
    const char *table; /* of the query that was made last */
    gboolean failed;   /* a problem was added: nothing more is read */
} NsysBase;

/* FALSE, with the problem added, where it is no database, no whole one, or none that can be read
 * without writing beside it. Nothing is written. */
gboolean nsys_open(NsysBase *base, const char *path, AtlasDiags *diags);
void nsys_close(NsysBase *base);

/* Adds the problem that the file is damaged, if it is the first one. */
void nsys_fail(NsysBase *base, const char *reason);

/* Whether there is such a table. */
gboolean nsys_has_table(NsysBase *base, const char *table);

/* `columns` is NULL-terminated; the first `needed` of them must be there. `rest` is what follows
 * the table's name, or "". NULL where there is no such table, or a problem. */
sqlite3_stmt *nsys_query(NsysBase *base, const char *table, const char *const *columns,
                         guint needed, const char *rest);

/* The next row; FALSE behind the last one, or where reading failed, which adds a problem. The query
 * is over then. */
gboolean nsys_next(NsysBase *base, sqlite3_stmt *query);

/* A column's whole number, of a row of the query that was made last; where it is none a problem is
 * added, unless it is missing and there is `otherwise`. */
gint64 nsys_whole(NsysBase *base, sqlite3_stmt *query, int column);
gint64 nsys_whole_or(NsysBase *base, sqlite3_stmt *query, int column, gint64 otherwise);

/* The text of a column, "" where it has none; it holds until the next row. */
const char *nsys_text(sqlite3_stmt *query, int column, gsize *length);

#endif
