#include "model/measure/nsys_rows.h"

#include <stdio.h>
#include <sys/stat.h>

#include <glib/gstdio.h>

static const AtlasSpan nowhere = {NULL, 0, 0};

void nsys_fail(NsysBase *base, const char *reason) {
    if (!base->failed) {
        atlas_diags_error(base->diags, nowhere, "cannot read '%s': %s", base->path, reason);
        atlas_diags_hint(base->diags, "the file was cut or changed, or is still being written: "
                                      "export it again");
    }
    base->failed = TRUE;
}

/* Says what a file is that is none of SQLite's own. */
static gboolean refuse(NsysBase *base, const char *reason, const char *hint) {
    atlas_diags_error(base->diags, nowhere, "cannot read '%s': %s", base->path, reason);
    atlas_diags_hint(base->diags, "%s", hint);
    base->failed = TRUE;
    return FALSE;
}

static guint32 big_endian(const guchar *bytes) {
    return (guint32)bytes[0] << 24 | (guint32)bytes[1] << 16 | (guint32)bytes[2] << 8 | bytes[3];
}

enum { HEAD = 100, MODE = 18, WAL = 2 }; /* fileformat2.html, 1.3 */

/* Whether the file is as long as its head says. SQLite itself takes what is missing at the end of a
 * page for zeros. (https://www.sqlite.org/fileformat2.html, 1.3: the size of a page at 16, 1 for
 * 65,536, of the file in pages at 28, which holds where the counters at 24 and 92 are equal.) */
static gboolean is_whole(const guchar *head, gint64 size) {
    if (big_endian(head + 24) != big_endian(head + 92))
        return TRUE; /* SQLite says what is wrong */
    guint64 page = (guint64)head[16] << 8 | head[17];
    return (guint64)size >= (page == 1 ? 65536 : page) * big_endian(head + 28);
}

/* What a database's writer has not moved into it yet, SQLite reads only with files of its own
 * beside it, which is no reader's to make. */
static gboolean is_closed(NsysBase *base) {
    GStatBuf at;
    g_autofree char *log = g_strconcat(base->path, "-wal", NULL);
    return g_stat(log, &at) != 0 || at.st_size == 0 ||
           refuse(base, "a write-ahead log with more of it lies beside it",
                  "its writer is not done, or was stopped: export it again, or let sqlite3 FILE "
                  "'PRAGMA journal_mode = DELETE' put the two together");
}

/* Whether SQLite may have it: a file, whole, closed and not compressed. `head` is its first bytes,
 * zeros behind its end. */
static gboolean check_file(NsysBase *base, guchar *head) {
    GStatBuf at;
    if (g_str_equal(base->path, "-") || (g_stat(base->path, &at) == 0 && !S_ISREG(at.st_mode)))
        return refuse(base, "a database is no stream, it is read here and there",
                      "write it into a file, and name that");
    FILE *file = g_fopen(base->path, "rb");
    if (!file || g_stat(base->path, &at) != 0) {
        if (file)
            fclose(file);
        return TRUE; /* SQLite says why */
    }
    gsize length = fread(head, 1, HEAD, file);
    fclose(file);
    if (length > 1 && head[0] == 0x1f && head[1] == 0x8b)
        return refuse(base, "it is compressed", "decompress it first: gunzip FILE");
    if (length == HEAD && !is_whole(head, at.st_size)) {
        nsys_fail(base, "it is shorter than its head says");
        return FALSE;
    }
    return head[MODE] != WAL || is_closed(base);
}

/* A database of write-ahead logs that has none is read as if nobody could write it: else SQLite
 * would make one. */
static char *name_of(NsysBase *base, const guchar *head) {
    g_autofree char *path = g_canonicalize_filename(base->path, NULL);
    g_autofree char *uri = g_filename_to_uri(path, NULL, NULL);
    return head[MODE] == WAL && uri ? g_strconcat(uri, "?immutable=1", NULL) : g_strdup(base->path);
}

gboolean nsys_open(NsysBase *base, const char *path, AtlasDiags *diags) {
    guchar head[HEAD] = {0};
    *base = (NsysBase){.path = path, .diags = diags};
    if (!check_file(base, head))
        return FALSE;
    g_autofree char *name = name_of(base, head);
    int flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX;
    if (!g_str_equal(name, path))
        flags |= SQLITE_OPEN_URI;
    if (sqlite3_open_v2(name, &base->db, flags, NULL) == SQLITE_OK) {
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
        nsys_fail(base, sqlite3_errmsg(base->db));
    return query;
}

gboolean nsys_next(NsysBase *base, sqlite3_stmt *query) {
    int result = base->failed ? SQLITE_DONE : sqlite3_step(query);
    if (result == SQLITE_ROW)
        return TRUE;
    if (result != SQLITE_DONE)
        nsys_fail(base, sqlite3_errmsg(base->db));
    sqlite3_finalize(query);
    return FALSE;
}

gboolean nsys_has_table(NsysBase *base, const char *table) {
    g_autofree char *sql = g_strdup_printf("SELECT type = 'table' AND rootpage > 0 FROM "
                                           "sqlite_master WHERE type IN ('table', 'view') AND "
                                           "name = '%s'",
                                           table);
    sqlite3_stmt *query = prepare(base, sql);
    gboolean named = query && sqlite3_step(query) == SQLITE_ROW;
    gboolean has = named && sqlite3_column_int(query, 0);
    if (query && sqlite3_finalize(query) != SQLITE_OK)
        nsys_fail(base, sqlite3_errmsg(base->db));
    if (named && !has && !base->failed) {
        g_autofree char *reason = g_strdup_printf(
            "%s is no table but a view or a virtual one, which would run what the file says",
            table);
        refuse(base, reason, "expected what 'nsys export --type sqlite' writes");
    }
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
    base->table = table;
    g_autoptr(GHashTable) there = columns_of(base, table);
    g_autoptr(GString) sql = g_string_new("SELECT ");
    for (guint i = 0; columns[i] && !base->failed; i++) {
        gboolean has = g_hash_table_contains(there, columns[i]);
        if (!has && i < needed) {
            g_autofree char *reason =
                g_strdup_printf("table %s has no column '%s'", table, columns[i]);
            nsys_fail(base, reason);
        }
        g_string_append_printf(sql, has ? "%s\"%s\"" : "%sNULL AS \"%s\"", i ? ", " : "",
                               columns[i]);
    }
    g_string_append_printf(sql, " FROM %s %s", table, rest);
    return prepare(base, sql->str);
}

gint64 nsys_whole(NsysBase *base, sqlite3_stmt *query, int column) {
    if (sqlite3_column_type(query, column) == SQLITE_INTEGER)
        return sqlite3_column_int64(query, column);
    g_autofree char *reason = g_strdup_printf("table %s has a row whose '%s' is no whole number",
                                              base->table, sqlite3_column_name(query, column));
    nsys_fail(base, reason);
    return 0;
}

gint64 nsys_whole_or(NsysBase *base, sqlite3_stmt *query, int column, gint64 otherwise) {
    return sqlite3_column_type(query, column) == SQLITE_NULL ? otherwise
                                                             : nsys_whole(base, query, column);
}

const char *nsys_text(sqlite3_stmt *query, int column, gsize *length) {
    const char *text = (const char *)sqlite3_column_text(query, column);
    *length = text ? (gsize)sqlite3_column_bytes(query, column) : 0;
    return text ? text : "";
}
