#include "model/proof/flow_read.h"

#include <string.h>

#include "model/op/copies.h"

void flow_refuse(FlowReader *r, const char *format, ...) {
    va_list args;
    if (r->flow->refusal)
        return;
    va_start(args, format);
    r->flow->refusal = g_strdup_vprintf(format, args);
    va_end(args);
}

/* The number of a name, from 0 on in the order of appearance. */
static guint number(GHashTable *names, const char *name, guint *count) {
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(names, name));
    if (found)
        return found - 1;
    g_hash_table_insert(names, (gpointer)name, GUINT_TO_POINTER(++*count));
    return *count - 1;
}

/* ---- streams ---- */

guint flow_add_stream(FlowReader *r, const char *name, gboolean legacy, gboolean blocking) {
    FlowStream stream = {name, legacy, blocking};
    g_array_append_val(r->flow->streams, stream);
    g_hash_table_insert(r->streams, (gpointer)name, GUINT_TO_POINTER(r->flow->streams->len));
    return r->flow->streams->len - 1;
}

static guint chain_of(FlowReader *r, const char *name) {
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(r->streams, name));
    if (found)
        return found - 1;
    if (strcmp(name, "legacy") != 0)
        return flow_add_stream(r, name, FALSE, strcmp(name, "ptds") == 0);
    if (r->legacy == FLOW_NONE)
        r->legacy = flow_add_stream(r, name, TRUE, FALSE);
    return r->legacy;
}

/* ---- accesses ---- */

/* The buffer of this name among these; a new one has so many parts. */
static FlowBuffer buffer_of(FlowReader *r, GHashTable *known, const char *name, gint64 parts) {
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(known, name));
    if (found)
        return g_array_index(r->flow->buffers, FlowBuffer, found - 1);
    FlowBuffer buffer = {name, r->flow->cells, parts};
    g_array_append_val(r->flow->buffers, buffer);
    g_hash_table_insert(known, (gpointer)name, GUINT_TO_POINTER(r->flow->buffers->len));
    if (r->flow->cells > CELLS_MAX)
        flow_refuse(r, "more than %d parts of buffers", CELLS_MAX);
    else
        r->flow->cells += (guint)parts + 2;
    return buffer;
}

guint flow_buffer_cell(FlowReader *r, const char *name, gint64 parts) {
    return buffer_of(r, r->buffers, name, parts).cell;
}

static guint cell_of(FlowReader *r, const char *name, gboolean on_host) {
    FlowBuffer buffer = buffer_of(r, r->buffers, name, 1);
    return on_host && g_hash_table_contains(r->sided, name)
               ? buffer_of(r, r->host_side, name, buffer.parts).cell
               : buffer.cell;
}

/* Everything in the loop of this name depends on its index from now on. */
static void depends_on(FlowReader *r, guint level) {
    for (guint i = 0; i < r->blocks->len; i++) {
        FlowOp *block = &g_array_index(r->flow->ops, FlowOp, g_array_index(r->blocks, guint, i));
        if (block->act == FLOW_LOOP && block->name == level)
            block->indexed = TRUE;
    }
}

static guint level_of(FlowReader *r, const char *loop) {
    for (guint i = r->loops->len; i-- > 0;)
        if (r->loops->pdata[i] == loop)
            return i;
    return FLOW_NONE;
}

/* How ops access what a list names. */
typedef struct {
    gboolean write;
    gboolean on_host; /* the host side, where there is one */
    gboolean host;    /* during the call */
} Way;

static void add_accesses(FlowReader *r, const GArray *list, Way way) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *a = &g_array_index(list, AtlasAccess, i);
        if (a->indexed && !r->declares)
            flow_refuse(r, "'%s' is indexed and not declared, so that nobody knows its parts",
                        a->buffer);
        FlowAccess access = {
            .cell = cell_of(r, a->buffer, way.on_host),
            .part = a->indexed && r->declares,
            .write = way.write,
            .host = way.host,
            .level = a->loop ? level_of(r, a->loop) : FLOW_NONE,
            .offset = a->offset,
            .sign = a->loop ? a->sign : 0,
        };
        if (a->loop)
            depends_on(r, access.level);
        g_array_append_val(r->flow->accesses, access);
    }
}

/* Scalars that kernels read from memory are buffers, too. */
static guint scalar_cell(FlowReader *r, const char *name) {
    const char *buffer = g_hash_table_lookup(r->scalars, name);
    if (!buffer) {
        g_autofree char *made = g_strdup_printf("%s@device", name);
        buffer = g_intern_string(made);
        g_hash_table_insert(r->scalars, (gpointer)name, (gpointer)buffer);
    }
    return flow_buffer_cell(r, buffer, 1);
}

static void add_args(FlowReader *r, const GArray *args) {
    for (guint i = 0; args && i < args->len; i++) {
        const AtlasArg *arg = &g_array_index(args, AtlasArg, i);
        FlowAccess access = {.level = FLOW_NONE};
        if (arg->kind != ATLAS_ARG_DEVICE)
            continue;
        access.cell = scalar_cell(r, arg->name);
        g_array_append_val(r->flow->accesses, access);
    }
}

/* ---- ops ---- */

/* The acts of ops, with operand places of stream and of the other name; -1 where there is none. */
typedef struct {
    AtlasOpKind kind;
    FlowAct act;
    int stream, other;
} Row;

static const Row rows[] = {
    {ATLAS_OP_EVENT, FLOW_EVENT, -1, 0},
    {ATLAS_OP_LAUNCH, FLOW_TASK, 0, -1},
    {ATLAS_OP_MEMSET_ASYNC, FLOW_TASK, 0, -1},
    {ATLAS_OP_DTOD_ASYNC, FLOW_TASK, 0, -1},
    {ATLAS_OP_HTOD_ASYNC, FLOW_TASK, 0, -1},
    {ATLAS_OP_DTOH_ASYNC, FLOW_TASK, 0, -1},
    {ATLAS_OP_HOST_FN, FLOW_TASK, 0, -1},
    {ATLAS_OP_STREAM_CALLBACK, FLOW_TASK, 0, -1},
    {ATLAS_OP_MALLOC_ASYNC, FLOW_TASK, 1, -1},
    {ATLAS_OP_FREE_ASYNC, FLOW_TASK, 1, -1},
    {ATLAS_OP_FLAG_WAIT, FLOW_TASK, 0, 1},
    {ATLAS_OP_FLAG_SET, FLOW_TASK, 0, 1},
    {ATLAS_OP_MEMSET_SYNC, FLOW_TASK, -1, -1},
    {ATLAS_OP_HTOD_SYNC, FLOW_TASK, -1, -1},
    {ATLAS_OP_DTOH_SYNC, FLOW_TASK, -1, -1},
    {ATLAS_OP_RECORD, FLOW_RECORD, 1, 0},
    {ATLAS_OP_RECORD_EXTERNAL, FLOW_RECORD, 1, 0},
    {ATLAS_OP_WAIT, FLOW_WAIT, 0, 1},
    {ATLAS_OP_WAIT_EXTERNAL, FLOW_WAIT, 0, 1},
    {ATLAS_OP_SYNC_STREAM, FLOW_SYNC_STREAM, 0, -1},
    {ATLAS_OP_SYNC_EVENT, FLOW_SYNC_EVENT, -1, 0},
    {ATLAS_OP_SYNC_CTX, FLOW_SYNC_CONTEXT, -1, -1},
    {ATLAS_OP_HOST_READ, FLOW_HOST, -1, -1},
    {ATLAS_OP_HOST_WRITE, FLOW_HOST, -1, -1},
    {ATLAS_OP_HOST_SET, FLOW_HOST, -1, -1},
    {ATLAS_OP_HOST_FLAG_SET, FLOW_SET_FLAG, -1, 0},
    {ATLAS_OP_HOST_FLAG_WAIT, FLOW_AWAIT_FLAG, -1, 0},
    {ATLAS_OP_COUNTER_READ, FLOW_READ, -1, -1},
    {ATLAS_OP_STAGE, FLOW_STAGE, -1, 0},
    {ATLAS_OP_GRAPH_LAUNCH, FLOW_GRAPH_LAUNCH, 1, 0},
    {ATLAS_OP_INSTANTIATE, FLOW_EXEC, -1, 1},
    {ATLAS_OP_INSTANTIATE_AUTOFREE, FLOW_EXEC, -1, 1},
};

static const Row *row_of(AtlasOpKind kind) {
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].kind == kind)
            return &rows[i];
    return NULL;
}

/* A flag's set: once at most, or what waits for it would depend on which set came first. */
static void set_once(FlowReader *r, const char *flag) {
    if (r->times > 1 || g_hash_table_contains(r->setters, flag)) {
        r->flow->refused_flag = !r->flow->refusal;
        flow_refuse(r, "flag '%s' is set more than once", flag);
    }
    g_hash_table_add(r->setters, (gpointer)flag);
}

static void name_op(FlowReader *r, const AtlasOp *op, const char *name, FlowOp *f) {
    Flow *flow = r->flow;
    guint stages;
    switch (op->kind) {
    case ATLAS_OP_FLAG_SET:
    case ATLAS_OP_HOST_FLAG_SET:
        set_once(r, name);
        f->sets = number(r->flags, name, &flow->flags);
        break;
    case ATLAS_OP_FLAG_WAIT:
    case ATLAS_OP_HOST_FLAG_WAIT:
        f->awaits = number(r->flags, name, &flow->flags);
        break;
    case ATLAS_OP_STAGE:
        stages = flow->stages->len;
        f->name = number(r->stages, name, &stages);
        if (stages > flow->stages->len)
            g_ptr_array_add(flow->stages, (gpointer)name);
        break;
    case ATLAS_OP_GRAPH_LAUNCH:
    case ATLAS_OP_INSTANTIATE:
    case ATLAS_OP_INSTANTIATE_AUTOFREE:
        f->name = number(r->execs, name, &flow->execs);
        break;
    default:
        f->name = number(r->events, name, &flow->events);
    }
}

void flow_add_op(FlowReader *r, const AtlasOp *op, guint index) {
    const Row *row = row_of(op->kind);
    gboolean sync = op->kind == ATLAS_OP_HTOD_SYNC || op->kind == ATLAS_OP_DTOH_SYNC ||
                    op->kind == ATLAS_OP_MEMSET_SYNC;
    gboolean at_call = atlas_copy_reads_at_call(op);
    if (!row && !atlas_op_call(op->kind))
        return;
    FlowOp f = {.act = row ? row->act : FLOW_CALL,
                .op = index,
                .name = FLOW_NONE,
                .sets = FLOW_NONE,
                .awaits = FLOW_NONE,
                .kernel = op->kind == ATLAS_OP_LAUNCH,
                .sync = (guint8)sync,
                .exact = op->kind == ATLAS_OP_COUNTER_READ && op->operands[0],
                .waited = (guint8)atlas_copy_is_waited(op),
                .count = op->kind == ATLAS_OP_LAUNCH ? op->count : 1,
                .every = op->every,
                .access = r->flow->accesses->len};
    if (row && row->stream >= 0)
        f.chain = chain_of(r, op->operands[row->stream]);
    else if (sync)
        f.chain = chain_of(r, "legacy");
    if (row && row->other >= 0)
        name_op(r, op, op->operands[row->other], &f);
    gboolean host = f.act == FLOW_HOST, on_host = atlas_op_on_host(op->kind);
    add_accesses(
        r, atlas_copy_source(op),
        (Way){.on_host = on_host || atlas_copy_from_host(op->kind), .host = host || at_call});
    add_accesses(r, atlas_copy_target(op),
                 (Way){TRUE, on_host || atlas_copy_to_host(op->kind), host});
    add_accesses(r, op->fresh, (Way){.write = TRUE});
    add_args(r, op->args);
    if (op->kind == ATLAS_OP_HOST_SET) {
        FlowAccess set = {scalar_cell(r, op->operands[0]), FALSE, TRUE, TRUE, FLOW_NONE, 0, 0};
        g_array_append_val(r->flow->accesses, set);
    }
    f.accesses = r->flow->accesses->len - f.access;
    g_array_append_val(r->flow->ops, f);
}
