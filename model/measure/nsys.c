#include "model/measure/nsys.h"

#include <string.h>

#include "model/measure/nsys_rows.h"

typedef struct {
    NsysBase base;
    AtlasTraceBuilder *builder;
    AtlasTrace *trace;
    GHashTable *strings; /* Known* by its id */
    sqlite3_stmt *string;
} Nsys;

/* ---- names ---- */

/* An entry of StringIds. */
typedef struct {
    gint64 id;
    guint32 name;
    AtlasCallKind kind;
    gboolean driver;
} Known;

/* The entry of an id, which is no call and has no name where there is no such id. */
static const Known *string_of(Nsys *n, gint64 id) {
    Known *known = g_hash_table_lookup(n->strings, &id);
    if (known)
        return known;
    known = g_new(Known, 1);
    *known = (Known){id, ATLAS_TRACE_NONE, ATLAS_CALL_KINDS, FALSE};
    g_hash_table_insert(n->strings, &known->id, known);
    if (n->string && sqlite3_bind_int64(n->string, 1, id) == SQLITE_OK &&
        sqlite3_step(n->string) == SQLITE_ROW) {
        gsize length;
        const char *text = nsys_text(n->string, 0, &length);
        known->name = atlas_trace_intern(n->builder, text, length);
        known->kind = atlas_call_kind(text, length);
        known->driver = atlas_call_is_driver(text, length);
    }
    sqlite3_reset(n->string);
    return known;
}

static gboolean is_null(sqlite3_stmt *row, int column) {
    return sqlite3_column_type(row, column) == SQLITE_NULL;
}

/* The name that a column's id stands for. */
static guint32 name_at(Nsys *n, sqlite3_stmt *row, int column) {
    return is_null(row, column) ? ATLAS_TRACE_NONE
                                : string_of(n, nsys_whole(&n->base, row, column))->name;
}

/* ---- threads and processes ---- */

static void too_many(Nsys *n, const char *what) {
    atlas_diags_error(n->base.diags, (AtlasSpan){NULL, 0, 0},
                      "cannot read '%s': it has more than 65535 %s", n->base.path, what);
    n->base.failed = TRUE;
}

/* The process of a globalPid or globalTid, as people know it; processes of further machines with
 * the machine's number. */
static void name_process(gint64 global, char *into, gsize size) {
    gint64 machine = global >> 48, process = (global >> 24) & 0xffffff;
    if (machine == 1)
        g_snprintf(into, (gulong)size, "%" G_GINT64_FORMAT, process);
    else
        g_snprintf(into, (gulong)size, "%" G_GINT64_FORMAT ":%" G_GINT64_FORMAT, machine, process);
}

static guint16 thread_of(Nsys *n, gint64 global) {
    char process[48], thread[16];
    guint16 number;
    name_process(global, process, sizeof process);
    g_snprintf(thread, sizeof thread, "%d", (int)(global & 0xffffff));
    if (!atlas_trace_thread(n->builder, process, thread, &number))
        too_many(n, "threads");
    return number;
}

static guint16 process_of(Nsys *n, gint64 global) {
    char process[48];
    guint16 number;
    name_process(global, process, sizeof process);
    if (!atlas_trace_process(n->builder, process, &number))
        too_many(n, "processes");
    return number;
}

/* From one column to another; what a file holds may be anything. */
static gint64 lasting(gint64 start, gint64 end) {
    gint64 duration;
    return __builtin_sub_overflow(end, start, &duration) ? end > start ? G_MAXINT64 : 0 : duration;
}

/* ---- calls ---- */

/* A call that failed has done nothing; one that waits has waited all the same. */
static gboolean has_failed(gint64 result, AtlasCallKind kind) {
    return result != 0 && kind != ATLAS_CALL_SYNC && kind != ATLAS_CALL_KINDS;
}

static void read_calls(Nsys *n) {
    enum { START, NAME, TID, CORRELATION, END, RESULT };
    static const char *const columns[] = {"start", "nameId",      "globalTid", "correlationId",
                                          "end",   "returnValue", NULL};
    NsysBase *base = &n->base;
    sqlite3_stmt *row = nsys_query(base, "CUPTI_ACTIVITY_KIND_RUNTIME", columns, END, "");
    while (row && nsys_next(base, row)) {
        const Known *known = string_of(n, nsys_whole(base, row, NAME));
        AtlasTraceCall call = {.start = nsys_whole(base, row, START),
                               .correlation = (guint32)nsys_whole_or(base, row, CORRELATION, 0),
                               .thread = thread_of(n, nsys_whole(base, row, TID)),
                               .kind = (guint8)known->kind,
                               .driver = (guint8)known->driver};
        AtlasTraceDetail detail = {lasting(call.start, nsys_whole_or(base, row, END, call.start)),
                                   known->name};
        if (has_failed(nsys_whole_or(base, row, RESULT, 0), known->kind))
            n->trace->failed++;
        else if (!base->failed)
            atlas_trace_add_call(n->builder, &call, &detail);
    }
}

/* ---- activities ---- */

/* Columns of all kinds of activities, and behind them what names one. */
enum { START, CORRELATION, PID, END, DEVICE, STREAM, NODE, NAMING };
#define ACTIVITY_COLUMNS                                                                           \
    "start", "correlationId", "globalPid", "end", "deviceId", "streamId", "graphNodeId"

typedef struct {
    AtlasActivityKind kind;
    const char *table;
    const char *columns[NAMING + 4];
    guint32 (*name)(Nsys *n, sqlite3_stmt *row);
} Activities;

static guint32 name_kernel(Nsys *n, sqlite3_stmt *row) {
    guint32 name = name_at(n, row, NAMING);
    return name != ATLAS_TRACE_NONE ? name : name_at(n, row, NAMING + 1);
}

static const char *word(gint64 number, const char *const *words, guint count) {
    return number >= 0 && number < count ? words[number] : "Unknown";
}

/* CUPTI's kinds of memory. */
static const char *memory(Nsys *n, sqlite3_stmt *row, int column) {
    static const char *const kinds[] = {"Pageable", "Pinned",        "Device",        "Array",
                                        "Managed",  "Device Static", "Managed Static"};
    return word(nsys_whole_or(&n->base, row, column, -1), kinds, G_N_ELEMENTS(kinds));
}

/* As Kineto names them. */
static guint32 name_copy(Nsys *n, sqlite3_stmt *row) {
    static const char *const kinds[] = {"Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA",
                                        "AtoD",    "DtoA", "DtoD", "HtoH", "PtoP"};
    g_autofree char *name =
        g_strdup_printf("Memcpy %s (%s -> %s)",
                        word(nsys_whole_or(&n->base, row, NAMING, 0), kinds, G_N_ELEMENTS(kinds)),
                        memory(n, row, NAMING + 1), memory(n, row, NAMING + 2));
    return atlas_trace_intern(n->builder, name, strlen(name));
}

static guint32 name_memset(Nsys *n, sqlite3_stmt *row) {
    g_autofree char *name = g_strdup_printf("Memset (%s)", memory(n, row, NAMING));
    return atlas_trace_intern(n->builder, name, strlen(name));
}

static guint32 name_graph(Nsys *n, sqlite3_stmt *row) {
    (void)row;
    n->trace->whole_graph = TRUE;
    return ATLAS_TRACE_NONE;
}

static const Activities tables[] = {
    {ATLAS_ACTIVITY_KERNEL,
     "CUPTI_ACTIVITY_KIND_KERNEL",
     {ACTIVITY_COLUMNS, "demangledName", "shortName", NULL},
     name_kernel},
    {ATLAS_ACTIVITY_COPY,
     "CUPTI_ACTIVITY_KIND_MEMCPY",
     {ACTIVITY_COLUMNS, "copyKind", "srcKind", "dstKind", NULL},
     name_copy},
    {ATLAS_ACTIVITY_MEMSET,
     "CUPTI_ACTIVITY_KIND_MEMSET",
     {ACTIVITY_COLUMNS, "memKind", NULL},
     name_memset},
    {ATLAS_ACTIVITY_GRAPH, "CUPTI_ACTIVITY_KIND_GRAPH_TRACE", {ACTIVITY_COLUMNS, NULL}, name_graph},
};

static void read_activities(Nsys *n, const Activities *from) {
    NsysBase *base = &n->base;
    sqlite3_stmt *row = nsys_query(base, from->table, from->columns, PID + 1, "");
    gboolean all = n->trace->wants == ATLAS_TRACE_ALL || from->kind == ATLAS_ACTIVITY_GRAPH;
    while (row && nsys_next(base, row)) {
        AtlasTraceActivity a = {.start = nsys_whole(base, row, START),
                                .correlation = (guint32)nsys_whole_or(base, row, CORRELATION, 0),
                                .name = all ? from->name(n, row) : ATLAS_TRACE_NONE,
                                .process = process_of(n, nsys_whole_or(base, row, PID, 0)),
                                .kind = (guint8)from->kind,
                                .in_graph = nsys_whole_or(base, row, NODE, 0) != 0};
        a.duration = lasting(a.start, nsys_whole_or(base, row, END, a.start));
        if (!atlas_trace_stream(n->builder, nsys_whole_or(base, row, DEVICE, 0),
                                nsys_whole_or(base, row, STREAM, 0), &a.stream))
            too_many(n, "streams");
        if (!base->failed)
            atlas_trace_add_activity(n->builder, &a);
    }
}

/* ---- ranges ---- */

static void read_ranges(Nsys *n) {
    enum { FROM, TYPE, TID, TO, TEXT, TEXT_ID };
    static const char *const columns[] = {"start", "eventType", "globalTid", "end",
                                          "text",  "textId",    NULL};
    NsysBase *base = &n->base;
    sqlite3_stmt *row =
        nsys_query(base, "NVTX_EVENTS", columns, TO + 1, "WHERE eventType IN (59, 60)");
    while (row && nsys_next(base, row)) {
        gsize length;
        const char *text = nsys_text(row, TEXT, &length);
        AtlasTraceRange range = {.start = nsys_whole(base, row, FROM),
                                 .name = is_null(row, TEXT)
                                             ? name_at(n, row, TEXT_ID)
                                             : atlas_trace_intern(n->builder, text, length),
                                 .thread = thread_of(n, nsys_whole(base, row, TID)),
                                 .open = is_null(row, TO)};
        range.duration = lasting(range.start, nsys_whole_or(base, row, TO, range.start));
        if (!base->failed && range.name != ATLAS_TRACE_NONE)
            atlas_trace_add_range(n->builder, &range);
    }
}

/* ---- the whole ---- */

/* Says the first text that a query gives. */
static void say(Nsys *n, const char *key, const char *table, const char *column, const char *rest) {
    const char *const columns[] = {column, NULL};
    sqlite3_stmt *row = nsys_query(&n->base, table, columns, 0, rest);
    gsize length;
    while (row && nsys_next(&n->base, row)) {
        const char *text = nsys_text(row, 0, &length);
        if (*text)
            atlas_trace_say(n->builder, key, text);
    }
}

static void read_about(Nsys *n) {
    say(n, "device", "TARGET_INFO_GPU", "name", "LIMIT 1");
    say(n, "driver", "TARGET_INFO_SYSTEM_ENV", "value", "WHERE name = 'NvDriverVersion' LIMIT 1");
    say(n, "recorder", "META_DATA_EXPORT", "value",
        "WHERE name = 'EXPORT_PRODUCT_VERSION' LIMIT 1");
}

/* What the profiler says of events of CUDA or NVTX that it has not. */
static void read_losses(Nsys *n) {
    static const char *const columns[] = {"text", NULL};
    sqlite3_stmt *row = nsys_query(&n->base, "DIAGNOSTIC_EVENT", columns, 1,
                                   "WHERE (text LIKE '%not all%' OR text LIKE '%dropped%' OR text "
                                   "LIKE '%lost%') AND (text LIKE '%CUDA%' OR text LIKE '%CUPTI%' "
                                   "OR text LIKE '%NVTX%') LIMIT 1");
    gsize length;
    while (row && nsys_next(&n->base, row)) {
        const char *text = nsys_text(row, 0, &length);
        g_autofree char *valid = g_utf8_make_valid(text, (gssize)length);
        g_autofree char *why = g_strdup_printf("its profiler says '%s'", g_strstrip(valid));
        n->trace->cut = g_string_chunk_insert(n->trace->strings, why);
    }
}

static gboolean is_export(Nsys *n) {
    if (nsys_has_table(&n->base, "StringIds"))
        return TRUE;
    if (!n->base.failed) {
        atlas_diags_error(n->base.diags, (AtlasSpan){NULL, 0, 0},
                          "'%s' is a database without the table StringIds, which every trace of "
                          "Nsight Systems has",
                          n->base.path);
        atlas_diags_hint(n->base.diags, "expected what 'nsys export --type sqlite' writes");
    }
    return FALSE;
}

static void read_all(Nsys *n) {
    static const char *const columns[] = {"value", "id", NULL};
    n->string = nsys_query(&n->base, "StringIds", columns, 2, "WHERE id = ?");
    read_calls(n);
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        read_activities(n, &tables[i]);
    read_ranges(n);
    read_about(n);
    read_losses(n);
    sqlite3_finalize(n->string);
    const char *fault = atlas_trace_times_fault(n->builder);
    if (!n->base.failed && fault)
        nsys_fail(&n->base, fault);
}

gboolean atlas_nsys_read(const char *path, AtlasTraceBuilder *builder, AtlasDiags *diags) {
    Nsys n = {.builder = builder, .trace = atlas_trace_built(builder)};
    n.trace->by_process = TRUE;
    n.strings = g_hash_table_new_full(g_int64_hash, g_int64_equal, NULL, g_free);
    if (nsys_open(&n.base, path, diags) && is_export(&n))
        read_all(&n);
    else
        n.base.failed = TRUE;
    nsys_close(&n.base);
    g_hash_table_unref(n.strings);
    return !n.base.failed;
}

gboolean atlas_nsys_recognise(const char *text, gsize length) {
    static const char magic[] = "SQLite format 3";
    return length >= sizeof magic && memcmp(text, magic, sizeof magic) == 0;
}
