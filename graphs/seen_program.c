#include "graphs/seen_program.h"

#include "graphs/seen_runs.h"

typedef struct {
    AtlasProgramFile *file;
    AtlasProgram *program;
    SeenRuns *runs;
    const char *stage; /* that is being written */
    guint allocations; /* of the step, so far */
    GArray *live;      /* of guint: those that are not freed */
} Writer;

static const char *intern(Writer *w, const char *text) {
    return atlas_program_file_intern(w->file, text);
}

static AtlasOp *append(Writer *w, AtlasOpKind kind, const char *a, const char *b) {
    AtlasOp *op = atlas_program_append(w->program, kind);
    op->operands[0] = a ? intern(w, a) : NULL;
    op->operands[1] = b ? intern(w, b) : NULL;
    return op;
}

static void comment(Writer *w, const char *format, ...) G_GNUC_PRINTF(2, 3);
static void comment(Writer *w, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    append(w, ATLAS_OP_COMMENT, NULL, NULL)->text = intern(w, text);
}

static GArray *access_to(Writer *w, const char *buffer) {
    GArray *list = atlas_program_list_new(w->file, sizeof(AtlasAccess));
    AtlasAccess access = {.buffer = intern(w, buffer)};
    g_array_append_val(list, access);
    return list;
}

/* ---- work ---- */

/* Of the host; what is not told is assumed to be pinned. */
static const char *memory(gboolean pageable) {
    return pageable ? "pageable" : "pinned";
}

static gboolean is_pageable_upload(const SeenWork *work) {
    return work->kind == ATLAS_SEEN_COPY_IN && work->pageable;
}

static void write_work(Writer *w, const char *stage, const SeenWork *work) {
    static const AtlasOpKind kinds[] = {[ATLAS_SEEN_LAUNCH] = ATLAS_OP_LAUNCH,
                                        [ATLAS_SEEN_COPY_IN] = ATLAS_OP_HTOD_ASYNC,
                                        [ATLAS_SEEN_COPY] = ATLAS_OP_DTOD_ASYNC,
                                        [ATLAS_SEEN_COPY_OUT] = ATLAS_OP_DTOH_ASYNC,
                                        [ATLAS_SEEN_MEMSET] = ATLAS_OP_MEMSET_ASYNC};
    if (work->kind == ATLAS_SEEN_LAUNCH) {
        g_autofree char *key = g_strdup_printf("%s.%s", stage, work->kernel);
        AtlasOp *op = append(w, ATLAS_OP_LAUNCH, work->stream, work->kernel);
        op->count = work->count;
        op->cost_ns = work->ns;
        op->of = intern(w, key);
        return;
    }
    gboolean host = work->kind == ATLAS_SEEN_COPY_IN || work->kind == ATLAS_SEEN_COPY_OUT;
    if (work->count > 1) {
        AtlasOp *loop = append(w, ATLAS_OP_LOOP, "n", NULL);
        loop->first = 0;
        loop->last = work->count - 1;
    }
    AtlasOp *copy =
        append(w, kinds[work->kind], work->stream, host ? memory(work->pageable) : NULL);
    if (is_pageable_upload(work))
        copy->reads = access_to(w, "pageable");
    if (work->count > 1)
        append(w, ATLAS_OP_END_BLOCK, NULL, NULL);
    if (is_pageable_upload(work))
        append(w, ATLAS_OP_HOST_WRITE, NULL, NULL)->writes = access_to(w, "pageable");
}

/* ---- what ends a run ---- */

static void write_read(Writer *w, const char *stream, gboolean pageable) {
    if (stream) {
        append(w, ATLAS_OP_DTOH_ASYNC, stream, memory(pageable))->reads = access_to(w, "unknown");
        append(w, ATLAS_OP_SYNC_STREAM, stream, NULL);
    } else {
        append(w, ATLAS_OP_SYNC_CTX, NULL, NULL);
    }
    append(w, ATLAS_OP_HOST_READ, NULL, NULL)->reads = access_to(w, "unknown");
}

static void write_memory(Writer *w, AtlasOpKind kind, guint number) {
    g_autofree char *name = g_strdup_printf("m%u", number);
    append(w, kind, name, NULL);
}

/* A free of what the step did not allocate frees what it allocates for that. */
static void write_allocation(Writer *w, gboolean free) {
    guint number = ++w->allocations;
    if (free && w->live->len) {
        number = g_array_index(w->live, guint, w->live->len - 1);
        g_array_set_size(w->live, w->live->len - 1);
    } else {
        write_memory(w, ATLAS_OP_MALLOC, number);
    }
    if (free)
        write_memory(w, ATLAS_OP_FREE, number);
    else
        g_array_append_val(w->live, number);
}

static char *graph_name(const char *what, gint64 nodes) {
    return nodes < 0 ? g_strdup_printf("%s_untold", what)
                     : g_strdup_printf("%s_%" G_GINT64_FORMAT, what, nodes);
}

static void write_end(Writer *w, const SeenRun *run) {
    if (run->end.kind == ATLAS_SEEN_GRAPH) {
        g_autofree char *exec = graph_name("exec", run->end.nodes);
        append(w, ATLAS_OP_GRAPH_LAUNCH, exec, run->end_stream);
        return;
    }
    switch ((AtlasPartKind)run->end.part) {
    case ATLAS_PART_READ:
        write_read(w, run->end_stream, run->end.pageable);
        break;
    case ATLAS_PART_SYNC:
        append(w, ATLAS_OP_SYNC_CTX, NULL, NULL);
        break;
    case ATLAS_PART_COPY:
        append(w, ATLAS_OP_HTOD_SYNC, NULL, NULL);
        break;
    case ATLAS_PART_ALLOC:
    case ATLAS_PART_FREE:
        write_allocation(w, run->end.part == ATLAS_PART_FREE);
        break;
    case ATLAS_PART_CAPTURE:
    case ATLAS_PARTS:
        g_assert_not_reached();
    }
}

static void write_run(Writer *w, const SeenRun *run) {
    if (run->stage != w->stage)
        append(w, ATLAS_OP_STAGE, run->stage, NULL);
    w->stage = run->stage;
    for (guint i = 0; i < run->work->len; i++)
        write_work(w, run->stage, &g_array_index(run->work, SeenWork, i));
    if (run->ended)
        write_end(w, run);
}

/* ---- before the step ---- */

/* A graph of so many kernels; one whose kernels were not recorded has one that stands for them. */
static void write_graph(Writer *w, gint64 nodes) {
    const char *stream = g_ptr_array_index(w->runs->streams, 0);
    g_autofree char *graph = graph_name("graph", nodes), *exec = graph_name("exec", nodes);
    if (nodes < 0)
        comment(w, "how many kernels this graph has was not recorded: one stands for them");
    append(w, ATLAS_OP_BEGIN, stream, "global");
    if (nodes)
        append(w, ATLAS_OP_LAUNCH, stream, graph)->count = MAX(nodes, 1);
    append(w, ATLAS_OP_END_CAPTURE, stream, graph);
    append(w, ATLAS_OP_INSTANTIATE, graph, exec);
}

static void write_graphs(Writer *w) {
    g_autoptr(GHashTable) written = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < w->runs->runs->len; i++) {
        const SeenRun *run = &g_array_index(w->runs->runs, SeenRun, i);
        if (run->ended && run->end.kind == ATLAS_SEEN_GRAPH &&
            g_hash_table_add(written, (gpointer)&run->end.nodes))
            write_graph(w, run->end.nodes);
    }
}

/* What the host reads, and what it copies from memory that it may write as soon as it goes on. */
static void write_buffers(Writer *w) {
    gboolean read = FALSE, pageable = FALSE;
    for (guint i = 0; i < w->runs->runs->len; i++) {
        const SeenRun *run = &g_array_index(w->runs->runs, SeenRun, i);
        read |= run->ended && run->end.kind == ATLAS_SEEN_PART && run->end.part == ATLAS_PART_READ;
        for (guint k = 0; k < run->work->len; k++)
            pageable |= is_pageable_upload(&g_array_index(run->work, SeenWork, k));
    }
    if (read)
        append(w, ATLAS_OP_BUFFER, "unknown", NULL);
    if (!pageable)
        return;
    comment(w, "assumed: pageable memory is written anew behind its copy, which a graph would see");
    append(w, ATLAS_OP_BUFFER, "pageable", NULL);
}

static void write_head(Writer *w, const AtlasSurvey *survey) {
    comment(w, "the typical step of %u, of a %s trace: launches by kernel, between what parts them",
            survey->steps, survey->format);
    comment(w, "assumed: %s", ATLAS_SEEN_ASSUMED);
    for (guint i = 0; i < w->runs->streams->len; i++)
        append(w, ATLAS_OP_STREAM, g_ptr_array_index(w->runs->streams, i), "nonblocking");
    write_buffers(w);
    write_graphs(w);
}

const AtlasProgram *atlas_seen_program(const AtlasSurvey *survey, AtlasProgramFile *file,
                                       AtlasDiags *diags) {
    if (!seen_can_be_written(survey, diags))
        return NULL;
    g_autoptr(SeenRuns) runs = seen_runs_new(survey);
    g_autoptr(GArray) live = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree char *name = seen_name(survey, '-');
    Writer w = {.file = file, .runs = runs, .live = live};
    w.program = atlas_program_file_add(file, name);
    write_head(&w, survey);
    append(&w, ATLAS_OP_STEP, NULL, NULL);
    for (guint i = 0; i < runs->runs->len; i++)
        write_run(&w, &g_array_index(runs->runs, SeenRun, i));
    append(&w, ATLAS_OP_END_BLOCK, NULL, NULL);
    return w.program;
}
