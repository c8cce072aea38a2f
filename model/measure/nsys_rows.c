#include "model/measure/nsys_rows.h"

#include <stdio.h>

#include <glib/gstdio.h>

static const AtlasSpan nowhere = {NULL, 0, 0};

static void fail(NsysBase *base, const char *reason) {
    if (!base->failed) {
        atlas_diags_error(base->diags, nowhere, "cannot read '%s': %s", base->path, reason);
        atlas_diags_hint(base->diags, "the file was cut or changed, or is still being written: "
                                      "export it again");
    }
    base->failed = TRUE;
}

static guint32 big_endian(const guchar *bytes) {
    return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

/* Whether the file is as long as its head says. SQLite itself takes what is missing at the end of a
 * page for zeros. (https://www.sqlite.org/fileformat2.html, 1.3: the size of a page at 16, 1 for
 * 65,536, of the file in pages at 28, which holds where the counters at 24 and 92 are equal.) */
static gboolean is_whole(const char *path) {
    guchar head[100];
    GStatBuf at;
    FILE *file = g_fopen(path, "rb");
    gboolean read = file && fread(head, 1, sizeof head, file) == sizeof head;
    if (file)
        fclose(file);
    if (!read || g_stat(path, &at) != 0 || big_endian(head + 24) != big_endian(head + 92))
        return TRUE; /* SQLite says what is wrong */
    guint64 page = (guint64)head[16] << 8 | head[17];
    return (guint64)at.st_size >= (page == 1 ? 65536 : page) * big_endian(head + 28);
}

gboolean nsys_open(NsysBase *base, const char *path, AtlasDiags *diags) {
    *base = (NsysBase){.path = path, .diags = diags};
    if (!is_whole(path)) {
        fail(base, "it is shorter than its head says");
        return FALSE;
    }
    if (sqlite3_open_v2(path, &base->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) ==
        SQLITE_OK) {
        sqlite3_db_config(base->db, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, NULL);
        sqlite3_db_config(base->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL);
        return TRUE;
    }
    atlas_diags_error(diags, nowhere, "cannot read '%s': %s", path, sqlite3_errmsg(base->db));
    base->failed = TRUE;
    return FALSE;
}

void nsys_close(NsysBase *base) {
    sqlite3_close(base->db);
}

static sqlite3_stmt *prepare(NsysBase *base, const char *sql) {
    sqlite3_stmt *query = NULL;
    if (!base->failed && sqlite3_prepare_v2(base->db, sql, -1, &query, NULL) != SQLITE_OK)
        fail(base, sqlite3_errmsg(base->db));
    return query;
}

gboolean nsys_next(NsysBase *base, sqlite3_stmt *query) {
    int result = base->failed ? SQLITE_DONE : sqlite3_step(query);
    if (result == SQLITE_ROW)
        return TRUE;
    if (result != SQLITE_DONE)
        fail(base, sqlite3_errmsg(base->db));
    sqlite3_finalize(query);
    return FALSE;
}

/* Views and virtual tables have no page: they run what the file says. */
gboolean nsys_has_table(NsysBase *base, const char *table) {
    g_autofree char *sql = g_strdup_printf("SELECT 1 FROM sqlite_master WHERE type = 'table' AND "
                                           "rootpage > 0 AND name = '%s'",
                                           table);
    sqlite3_stmt *query = prepare(base, sql);
    gboolean has = query && sqlite3_step(query) == SQLITE_ROW;
    if (query && sqlite3_finalize(query) != SQLITE_OK)
        fail(base, sqlite3_errmsg(base->db));
    return has;
}

/* The names of a table's columns, as the keys of a set. */
static GHashTable *columns_of(NsysBase *base, const char *table) {
    GHashTable *columns = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autofree char *sql = g_strdup_printf("SELECT name FROM pragma_table_info('%s')", table);
    sqlite3_stmt *query = prepare(base, sql);
    gsize length;
    while (query && nsys_next(base, query))
        g_hash_table_add(columns, g_strdup(nsys_text(query, 0, &length)));
    return columns;
}

sqlite3_stmt *nsys_query(NsysBase *base, const char *table, const char *const *columns,
                         guint needed, const char *rest) {
    if (base->failed || !nsys_has_table(base, table))
        return NULL;
    g_autoptr(GHashTable) there = columns_of(base, table);
    g_autoptr(GString) sql = g_string_new("SELECT ");
    for (guint i = 0; columns[i] && !base->failed; i++) {
        gboolean has = g_hash_table_contains(there, columns[i]);
        if (!has && i < needed) {
            g_autofree char *reason =
                g_strdup_printf("table %s has no column '%s'", table, columns[i]);
            fail(base, reason);
        }
        g_string_append_printf(sql, has ? "%s\"%s\"" : "%sNULL", i ? ", " : "", columns[i]);
    }
    g_string_append_printf(sql, " FROM %s %s", table, rest);
    return prepare(base, sql->str);
}

const char *nsys_text(sqlite3_stmt *query, int column, gsize *length) {
    const char *text = (const char *)sqlite3_column_text(query, column);
    *length = text ? (gsize)sqlite3_column_bytes(query, column) : 0;
    return text ? text : "";
}
