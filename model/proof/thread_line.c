#include "model/proof/thread_line.h"

#include <string.h>

#include "model/op/copies.h"
#include "model/op/op.h"

/* A line being written. */
typedef struct {
    ThreadLine *line;
    const Deal *deal;
    AtlasMachine *machine; /* what the calls did, for who captures */
    GHashTable
        *touched;       /* DealTouch to guint*: the last op that touched it, by thread and mode; its
                              number, 0: none */
    GPtrArray *streams; /* names of those that were given anything */
    GHashTable *sided;  /* names of buffers with a host side of their own */
    guint number;       /* of the op being written, from 1 */
    guint thread;
    AtlasWhen when;
    gboolean captured; /* its stream captured, before the call */
} Writer;

/* ---- ops ---- */

static const char *name(const Writer *w, const char *what, guint number) {
    g_autofree char *text = g_strdup_printf(" %s %u", what, number);
    return atlas_program_file_intern(w->line->unroll.file, text);
}

static const char *thread_stream(const Writer *w) {
    return name(w, "thread", w->thread);
}

static const char *mark_of(const Writer *w, guint number) {
    return name(w, "mark", number);
}

static void put(Writer *w, AtlasOp op, gboolean mark, gboolean told) {
    LineOrigin origin = {w->when, mark, FALSE};
    if (!told)
        origin.when.op = ATLAS_PROOF_NO_OP;
    op.thread = 1;
    op.cost_ns = 0;
    g_array_append_val(w->line->program.ops, op);
    g_array_append_val(w->line->origins, origin);
}

static void put_new(Writer *w, AtlasOpKind kind, const char *first, const char *second) {
    put(w, (AtlasOp){.kind = kind, .operands = {first, second}, .count = 1, .every = 1}, FALSE,
        FALSE);
}

/* ---- the order of calls ---- */

/* By thread and mode. */
static guint *last_touches(const Writer *w, const DealTouch *touch) {
    guint *last = g_hash_table_lookup(w->touched, touch);
    if (!last) {
        last = g_new0(guint, w->deal->threads.count * DEAL_MODES);
        g_hash_table_insert(w->touched, g_memdup2(touch, sizeof *touch), last);
    }
    return last;
}

/* The mark waits for those of other threads that touched the same before, in conflict. */
static void put_order(Writer *w, const AtlasOp *op) {
    DealTouch touches[DEAL_TOUCHES];
    guint len = deal_touches(w->deal, op, touches);
    g_autofree guint *before = g_new0(guint, w->deal->threads.count);
    for (guint k = 0; k < len; k++) {
        guint *last = last_touches(w, &touches[k]);
        for (guint t = 0; t < w->deal->threads.count; t++)
            for (DealMode mode = 0; mode < DEAL_MODES && t != w->thread; mode++)
                if (deal_modes_conflict(mode, touches[k].mode))
                    before[t] = MAX(before[t], last[t * DEAL_MODES + mode]);
        last[w->thread * DEAL_MODES + touches[k].mode] = w->number;
    }
    /* A wait for a flag comes behind its set in every interleaving: the flag itself says so. */
    for (guint t = 0; t < w->deal->threads.count && op->kind != ATLAS_OP_HOST_FLAG_WAIT; t++) {
        if (!before[t])
            continue;
        put_new(w, ATLAS_OP_WAIT, thread_stream(w), mark_of(w, before[t]));
        g_array_index(w->line->origins, LineOrigin, w->line->origins->len - 1).order = TRUE;
    }
}

/* ---- what the host does during a call ---- */

/* A scalar that kernels read from memory is a buffer, as the engine calls it. */
static GArray *scalar_write(const Writer *w, const char *scalar) {
    g_autofree char *buffer = g_strdup_printf("%s@device", scalar);
    AtlasAccess access = {.buffer = g_intern_string(buffer)};
    GArray *list = atlas_program_list_new(w->line->unroll.file, sizeof(AtlasAccess));
    g_array_append_val(list, access);
    return list;
}

/* In the line the host side of a buffer is a buffer of its own. */
static const char *host_side(const Writer *w, const char *buffer) {
    g_autofree char *text = g_strdup_printf("%s@host", buffer);
    return atlas_program_file_intern(w->line->unroll.file, text);
}

static GArray *side(const Writer *w, const GArray *list, gboolean on_host) {
    if (!list)
        return NULL;
    GArray *sides = atlas_program_list_new(w->line->unroll.file, sizeof(AtlasAccess));
    for (guint i = 0; i < list->len; i++) {
        AtlasAccess access = g_array_index(list, AtlasAccess, i);
        if (on_host && g_hash_table_contains(w->sided, access.buffer))
            access.buffer = host_side(w, access.buffer);
        g_array_append_val(sides, access);
    }
    return sides;
}

static void put_declaration(Writer *w, AtlasOp op) {
    put(w, op, FALSE, FALSE);
    if (op.kind != ATLAS_OP_BUFFER || !g_hash_table_contains(w->sided, op.operands[0]))
        return;
    op.operands[0] = host_side(w, op.operands[0]);
    put(w, op, FALSE, FALSE);
}

static void put_mark(Writer *w, const AtlasOp *op) {
    AtlasOp mark = {.kind = ATLAS_OP_LAUNCH, .count = 1, .every = 1};
    gboolean flag = op->kind == ATLAS_OP_HOST_FLAG_WAIT || op->kind == ATLAS_OP_HOST_FLAG_SET;
    mark.operands[0] = thread_stream(w);
    mark.operands[1] = atlas_op_word(op->kind);
    if (op->kind == ATLAS_OP_HOST_READ || atlas_copy_reads_at_call(op))
        mark.reads = side(w, atlas_copy_source(op), TRUE);
    if (op->kind == ATLAS_OP_HOST_WRITE)
        mark.writes = side(w, op->writes, TRUE);
    if (op->kind == ATLAS_OP_HOST_SET)
        mark.writes = scalar_write(w, op->operands[0]);
    if (flag) {
        mark.kind = op->kind == ATLAS_OP_HOST_FLAG_SET ? ATLAS_OP_FLAG_SET : ATLAS_OP_FLAG_WAIT;
        mark.operands[1] = op->operands[0];
    }
    put(w, mark, TRUE, TRUE);
    put_new(w, ATLAS_OP_RECORD, mark_of(w, w->number), thread_stream(w));
}

/* ---- what a call gives to a stream, and what the thread waits for ---- */

/* Synchronous copies do not name it: it has one name here, whoever does. */
static const char *legacy_name(const Writer *w) {
    return atlas_program_file_intern(w->line->unroll.file, "legacy");
}

/* The name that a stream has in the line. */
static const char *stream_name(const Writer *w, const char *stream) {
    return strcmp(stream, "ptds") == 0     ? name(w, "own", w->thread)
           : strcmp(stream, "legacy") == 0 ? legacy_name(w)
                                           : stream;
}

/* The event behind the last work of a stream. */
static const char *end_of(const Writer *w, const char *stream) {
    g_autofree char *text = g_strdup_printf(" end of %s", stream);
    return atlas_program_file_intern(w->line->unroll.file, text);
}

/* The thread waits for what the stream was given so far, and for nothing else: a record that is
 * made now would wait on a blocking stream for the legacy one, and there for all blocking ones. */
static void put_sync(Writer *w, const char *stream) {
    put_new(w, ATLAS_OP_WAIT, thread_stream(w), end_of(w, stream));
}

/* Whether the stream of the current call captures, as the driver has it now. */
static gboolean captures(const Writer *w, AtlasOpKind kind) {
    return deal_enqueues(kind) && op_row(kind)->operands[0] != 0 &&
           atlas_machine_status(w->machine, w->when.op) == ATLAS_CAPTURE_ACTIVE;
}

/* The op as it stands in the line, on which stream; NULL: on none. */
static const char *rename_streams(const Writer *w, AtlasOp *op) {
    if (op->kind == ATLAS_OP_MEMSET_SYNC) {
        op->kind = ATLAS_OP_MEMSET_ASYNC;
        op->operands[0] = "legacy";
    }
    const OpRow *row = op_row(op->kind);
    const char *stream = NULL;
    for (guint i = 0; i < OP_OPERANDS; i++)
        if (row->operands[i] == OP_STREAM)
            stream = op->operands[i] = stream_name(w, op->operands[i]);
    return stream;
}

/* What the op reads and writes as the line has it, where a copy moves one buffer to another. */
static void put_sides(const Writer *w, AtlasOp *op) {
    gboolean to_host = atlas_copy_to_host(op->kind), from_host = atlas_copy_from_host(op->kind);
    gboolean on_host = atlas_op_on_host(op->kind);
    const GArray *reads = atlas_copy_reads_at_call(op) ? NULL : atlas_copy_source(op);
    op->writes = side(w, atlas_copy_target(op), on_host || to_host);
    op->reads = side(w, reads, on_host || from_host);
    if (!to_host && !from_host)
        return;
    if (op->kind == ATLAS_OP_HTOD_SYNC || op->kind == ATLAS_OP_DTOH_SYNC)
        op->operands[0] = "legacy";
    op->kind = ATLAS_OP_DTOD_ASYNC;
    op->operands[1] = NULL;
}

/* The call was made; it may itself have begun to capture its stream, with an event that is. */
static void put_work(Writer *w, AtlasOp op) {
    gboolean waited = atlas_copy_is_waited(&op);
    gboolean captured = captures(w, op.kind);
    put_sides(w, &op);
    const char *stream = rename_streams(w, &op);
    if (!w->captured)
        put_new(w, ATLAS_OP_WAIT, stream, mark_of(w, w->number));
    put(w, op, FALSE, TRUE);
    if (w->captured || captured)
        return;
    put_new(w, ATLAS_OP_RECORD, end_of(w, stream), stream);
    if (!g_ptr_array_find(w->streams, stream, NULL))
        g_ptr_array_add(w->streams, (gpointer)stream);
    if (waited)
        put_sync(w, stream);
}

/* ---- the line ---- */

static void put_call(Writer *w, AtlasOp op) {
    switch (op.kind) {
    case ATLAS_OP_SYNC_STREAM:
        put_sync(w, stream_name(w, op.operands[0]));
        return;
    case ATLAS_OP_SYNC_EVENT:
        put_new(w, ATLAS_OP_WAIT, thread_stream(w), op.operands[0]);
        return;
    case ATLAS_OP_SYNC_CTX:
        for (guint i = 0; i < w->streams->len; i++)
            put_sync(w, w->streams->pdata[i]);
        return;
    case ATLAS_OP_BEGIN:
        op.operands[1] = "relaxed";
        break;
    case ATLAS_OP_END_CAPTURE:
    case ATLAS_OP_INSTANTIATE:
    case ATLAS_OP_INSTANTIATE_AUTOFREE:
    case ATLAS_OP_UPDATE:
    case ATLAS_OP_STREAM:
    case ATLAS_OP_EVENT:
    case ATLAS_OP_BUFFER:
        break;
    default:
        if (deal_enqueues(op.kind))
            put_work(w, op);
        return;
    }
    rename_streams(w, &op);
    put_declaration(w, op);
}

static void put_op(Writer *w, guint thread, guint place, gboolean performed) {
    w->number++;
    w->thread = thread;
    w->when = deal_when(w->deal, thread, place);
    AtlasOp op = unroll_op(&w->line->unroll, w->when);
    if (performed)
        put_order(w, &op);
    put_mark(w, &op);
    w->captured = captures(w, op.kind);
    atlas_machine_apply(w->machine, w->when.op);
    put_call(w, op);
}

/* Declarations, and each thread's own stream where one is used. */
static void put_opening(Writer *w) {
    const GArray *ops = w->deal->program->ops;
    gboolean own = FALSE;
    for (guint i = 0; i < ops->len; i++) {
        const AtlasOp *op = &g_array_index(ops, AtlasOp, i);
        const char *stream = unroll_stream(op);
        own |= stream && strcmp(stream, "ptds") == 0;
        if (i >= w->deal->opening)
            continue;
        atlas_machine_apply(w->machine, i);
        if (op->kind >= ATLAS_OP_STREAM)
            put_declaration(w, *op);
    }
    for (w->thread = 0; own && w->thread < w->deal->threads.count; w->thread++)
        put_new(w, ATLAS_OP_STREAM, stream_name(w, "ptds"), "blocking");
}

static void put_all(Writer *w, const guint *threads, guint len) {
    g_autofree guint *place = g_new0(guint, w->deal->threads.count);
    put_opening(w);
    for (guint i = 0; i < len; i++)
        put_op(w, threads[i], place[threads[i]]++, TRUE);
    for (guint t = 0; t < w->deal->threads.count; t++)
        while (place[t] < deal_count(w->deal, t))
            put_op(w, t, place[t]++, FALSE);
}

ThreadLine *thread_line_new(const Deal *deal, const AtlasScript *script, const guint *threads,
                            guint len) {
    ThreadLine *line = g_new0(ThreadLine, 1);
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    Writer w = {.line = line, .deal = deal, .machine = machine};
    line->program = *deal->program;
    line->program.ops = g_array_new(FALSE, FALSE, sizeof(AtlasOp));
    line->origins = g_array_new(FALSE, FALSE, sizeof(LineOrigin));
    unroll_init(&line->unroll, deal->program);
    w.touched = deal_table_new();
    w.streams = g_ptr_array_new();
    w.sided = atlas_program_sided(deal->program);
    put_all(&w, threads, len);
    g_hash_table_unref(w.touched);
    g_hash_table_unref(w.sided);
    g_ptr_array_unref(w.streams);
    return line;
}

void thread_line_free(ThreadLine *line) {
    if (!line)
        return;
    g_array_unref(line->program.ops);
    g_array_unref(line->origins);
    unroll_clear(&line->unroll);
    g_free(line);
}
