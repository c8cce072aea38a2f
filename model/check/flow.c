#include "model/check/flow.h"

#include <string.h>

#include "model/launch/walk.h"

/* Parts of all buffers together. */
enum { CELLS_MAX = 1 << 24 };

/* A program being read. */
typedef struct {
    Flow *flow;
    GHashTable *streams, *events, *flags, *execs, *buffers, *stages; /* name to number + 1 */
    GHashTable *scalars; /* that kernels read from memory: name to that of the buffer it is */
    guint legacy;        /* the legacy stream's chain, or FLOW_NONE */
    GHashTable *setters; /* flags that are set already */
    GArray *blocks;      /* of guint: open blocks, as indices of flow ops */
    GPtrArray *loops;    /* names of open loops, by level */
    gint64 times;  /* how often the current line is performed; 2 where that is more than once */
    GArray *outer; /* of gint64: `times` outside of each open block */
} Reader;

static void refuse(Reader *r, guint op, const char *format, ...) G_GNUC_PRINTF(3, 4);
static void refuse(Reader *r, guint op, const char *format, ...) {
    va_list args;
    if (r->flow->refusal)
        return;
    va_start(args, format);
    r->flow->refusal = g_strdup_vprintf(format, args);
    r->flow->refused = op;
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

static guint add_stream(Reader *r, const char *name, gboolean legacy, gboolean blocking) {
    FlowStream stream = {name, legacy, blocking};
    g_array_append_val(r->flow->streams, stream);
    g_hash_table_insert(r->streams, (gpointer)name, GUINT_TO_POINTER(r->flow->streams->len));
    return r->flow->streams->len - 1;
}

static guint chain_of(Reader *r, const char *name) {
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(r->streams, name));
    if (found)
        return found - 1;
    if (strcmp(name, "legacy") != 0)
        return add_stream(r, name, FALSE, strcmp(name, "ptds") == 0);
    if (r->legacy == FLOW_NONE)
        r->legacy = add_stream(r, name, TRUE, FALSE);
    return r->legacy;
}

/* ---- accesses ---- */

static guint buffer_cell(Reader *r, const char *name, gint64 parts) {
    gpointer found = g_hash_table_lookup(r->buffers, name);
    if (found)
        return g_array_index(r->flow->buffers, FlowBuffer, GPOINTER_TO_UINT(found) - 1).cell;
    FlowBuffer buffer = {name, r->flow->cells, parts};
    g_array_append_val(r->flow->buffers, buffer);
    g_hash_table_insert(r->buffers, (gpointer)name, GUINT_TO_POINTER(r->flow->buffers->len));
    if (r->flow->cells > CELLS_MAX)
        refuse(r, FLOW_NONE, "more than %d parts of buffers", CELLS_MAX);
    else
        r->flow->cells += (guint)parts + 2;
    return buffer.cell;
}

/* Everything in the loop of this name depends on its index from now on. */
static void depends_on(Reader *r, guint level) {
    for (guint i = 0; i < r->blocks->len; i++) {
        FlowOp *block = &g_array_index(r->flow->ops, FlowOp, g_array_index(r->blocks, guint, i));
        if (block->act == FLOW_LOOP && block->name == level)
            block->indexed = TRUE;
    }
}

static guint level_of(Reader *r, const char *loop) {
    for (guint i = r->loops->len; i-- > 0;)
        if (r->loops->pdata[i] == loop)
            return i;
    return FLOW_NONE;
}

static void add_accesses(Reader *r, const GArray *list, gboolean write, gboolean host) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *a = &g_array_index(list, AtlasAccess, i);
        FlowAccess access = {
            .cell = buffer_cell(r, a->buffer, 1),
            .part = a->indexed,
            .write = write,
            .host = host,
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
static guint scalar_cell(Reader *r, const char *name) {
    const char *buffer = g_hash_table_lookup(r->scalars, name);
    if (!buffer) {
        g_autofree char *made = g_strdup_printf("%s@device", name);
        buffer = g_intern_string(made);
        g_hash_table_insert(r->scalars, (gpointer)name, (gpointer)buffer);
    }
    return buffer_cell(r, buffer, 1);
}

static void add_args(Reader *r, const GArray *args) {
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
};

static const Row *row_of(AtlasOpKind kind) {
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].kind == kind)
            return &rows[i];
    return NULL;
}

/* A flag's set: once at most, or what waits for it would depend on which set came first. */
static void set_once(Reader *r, guint op, const char *flag) {
    if (r->times > 1 || g_hash_table_contains(r->setters, flag)) {
        r->flow->refused_flag = !r->flow->refusal;
        refuse(r, op, "flag '%s' is set more than once", flag);
    }
    g_hash_table_add(r->setters, (gpointer)flag);
}

static void name_op(Reader *r, const AtlasOp *op, const char *name, FlowOp *f) {
    Flow *flow = r->flow;
    guint stages;
    switch (op->kind) {
    case ATLAS_OP_FLAG_SET:
    case ATLAS_OP_HOST_FLAG_SET:
        set_once(r, f->op, name);
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
        f->name = number(r->execs, name, &flow->execs);
        break;
    default:
        f->name = number(r->events, name, &flow->events);
    }
}

static void add_op(Reader *r, const AtlasOp *op, guint index) {
    const Row *row = row_of(op->kind);
    gboolean sync = op->kind == ATLAS_OP_HTOD_SYNC || op->kind == ATLAS_OP_DTOH_SYNC ||
                    op->kind == ATLAS_OP_MEMSET_SYNC;
    gboolean pageable = op->operands[1] && strcmp(op->operands[1], "pageable") == 0;
    gboolean at_call =
        op->kind == ATLAS_OP_HTOD_SYNC || (op->kind == ATLAS_OP_HTOD_ASYNC && pageable);
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
                .waited =
                    op->kind == ATLAS_OP_DTOH_SYNC || (op->kind == ATLAS_OP_DTOH_ASYNC && pageable),
                .count = op->kind == ATLAS_OP_LAUNCH ? op->count : 1,
                .every = op->every,
                .access = r->flow->accesses->len};
    if (row && row->stream >= 0)
        f.chain = chain_of(r, op->operands[row->stream]);
    else if (sync)
        f.chain = chain_of(r, "legacy");
    if (row && row->other >= 0)
        name_op(r, op, op->operands[row->other], &f);
    gboolean host = f.act == FLOW_HOST;
    add_accesses(r, op->reads, FALSE, host || at_call);
    add_accesses(r, op->writes, TRUE, host);
    add_accesses(r, op->fresh, TRUE, FALSE);
    add_args(r, op->args);
    if (op->kind == ATLAS_OP_HOST_SET) {
        FlowAccess set = {scalar_cell(r, op->operands[0]), FALSE, TRUE, TRUE, FLOW_NONE, 0, 0};
        g_array_append_val(r->flow->accesses, set);
    }
    f.accesses = r->flow->accesses->len - f.access;
    g_array_append_val(r->flow->ops, f);
}

/* ---- launches in a row ---- */

static gboolean same_list(const GArray *a, const GArray *b) {
    guint len = a ? a->len : 0;
    if (len != (b ? b->len : 0))
        return FALSE;
    for (guint i = 0; i < len; i++) {
        const AtlasAccess *x = &g_array_index(a, AtlasAccess, i);
        const AtlasAccess *y = &g_array_index(b, AtlasAccess, i);
        if (x->buffer != y->buffer || x->loop != y->loop || x->offset != y->offset ||
            x->sign != y->sign || x->indexed != y->indexed)
            return FALSE;
    }
    return TRUE;
}

static gboolean same_args(const GArray *a, const GArray *b) {
    guint len = a ? a->len : 0;
    gboolean same = len == (b ? b->len : 0);
    for (guint i = 0; i < len && same; i++)
        same = g_array_index(a, AtlasArg, i).name == g_array_index(b, AtlasArg, i).name &&
               g_array_index(a, AtlasArg, i).kind == g_array_index(b, AtlasArg, i).kind;
    return same;
}

/* Whether the op does on its stream what the op before it did there, as the flow sees it. */
static gboolean repeats(const AtlasOp *op, const AtlasOp *before) {
    return op->kind == ATLAS_OP_LAUNCH && before->kind == ATLAS_OP_LAUNCH &&
           op->operands[0] == before->operands[0] && op->thread == before->thread &&
           op->every == before->every && same_args(op->args, before->args) &&
           same_list(op->reads, before->reads) && same_list(op->writes, before->writes) &&
           same_list(op->fresh, before->fresh);
}

/* A launch that repeats the launch before it, which a walk may take together with it. */
static void add_repeat(Reader *r, guint index, gint64 count) {
    FlowOp *before = &g_array_index(r->flow->ops, FlowOp, r->flow->ops->len - 1);
    FlowOp f = *before;
    before->more = TRUE;
    f.op = index;
    f.count = count;
    f.same = TRUE;
    f.more = FALSE;
    g_array_append_val(r->flow->ops, f);
}

/* ---- structure ---- */

static void open_block(Reader *r, const AtlasOp *op, guint index) {
    FlowOp f = {.act = op->kind == ATLAS_OP_STEP ? FLOW_STEP : FLOW_LOOP,
                .op = index,
                .every = 1,
                .first = op->first,
                .count = MAX(op->last - op->first + 1, 0),
                .name = op->kind == ATLAS_OP_STEP ? FLOW_NONE : r->loops->len};
    guint place = r->flow->ops->len;
    g_array_append_val(r->outer, r->times);
    g_array_append_val(r->blocks, place);
    g_array_append_val(r->flow->ops, f);
    if (f.act == FLOW_STEP) {
        r->flow->step = place;
        r->times = 2;
        return;
    }
    g_ptr_array_add(r->loops, (gpointer)op->operands[0]);
    r->flow->levels = MAX(r->flow->levels, r->loops->len);
    r->times = MIN(r->times * MIN(f.count, 2), 2);
}

static void close_block(Reader *r, guint index) {
    guint opened = g_array_index(r->blocks, guint, r->blocks->len - 1);
    FlowOp f = {.act = FLOW_END, .op = index, .every = 1, .partner = opened};
    FlowOp *block = &g_array_index(r->flow->ops, FlowOp, opened);
    block->partner = r->flow->ops->len;
    if (block->act == FLOW_LOOP)
        g_ptr_array_set_size(r->loops, (int)r->loops->len - 1);
    r->times = g_array_index(r->outer, gint64, r->outer->len - 1);
    g_array_set_size(r->outer, r->outer->len - 1);
    g_array_set_size(r->blocks, r->blocks->len - 1);
    g_array_append_val(r->flow->ops, f);
}

static void read_op(Reader *r, const AtlasOp *op, guint index) {
    Flow *flow = r->flow;
    flow->threads |= op->thread > 1;
    switch (op->kind) {
    case ATLAS_OP_STEP:
    case ATLAS_OP_LOOP:
        open_block(r, op, index);
        return;
    case ATLAS_OP_END_BLOCK:
        close_block(r, index);
        return;
    case ATLAS_OP_DEPTH:
        flow->depth = op->count;
        flow->entries = op->operands[0] != NULL;
        return;
    case ATLAS_OP_SLOT:
        flow->slot_start = strcmp(op->operands[0], "start") == 0;
        return;
    case ATLAS_OP_STREAM:
        if (r->blocks->len)
            refuse(r, index, "stream '%s' is made anew in every iteration", op->operands[0]);
        add_stream(r, op->operands[0], FALSE, strcmp(op->operands[1], "blocking") == 0);
        break;
    case ATLAS_OP_BUFFER:
        buffer_cell(r, op->operands[0], op->count);
        return;
    case ATLAS_OP_BEGIN:
    case ATLAS_OP_GRAPH_LAUNCH:
        flow->captures = TRUE;
        break;
    default:
        break;
    }
    if (index > 0 && repeats(op, op - 1)) {
        add_repeat(r, index, op->count);
        return;
    }
    flow->counter |= op->kind == ATLAS_OP_COUNTER_READ;
    if (op->every > 1 && flow->period < ATLAS_REPEATS_MAX)
        flow->period = atlas_lcm(flow->period, op->every);
    add_op(r, op, index);
}

/* Items that may have to wait are handed over one by one. */
static void unmark_repeats(Flow *flow) {
    for (guint i = 0; i < flow->ops->len; i++)
        g_array_index(flow->ops, FlowOp, i).same = g_array_index(flow->ops, FlowOp, i).more = FALSE;
}

/* Loops around calls that capture run as they are written: what the machine does in an iteration
 * may depend on which it is. */
static void mark_captures(Flow *flow) {
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < flow->ops->len; i++) {
        FlowOp *f = &g_array_index(flow->ops, FlowOp, i);
        if (f->act == FLOW_LOOP || f->act == FLOW_STEP)
            g_array_append_val(open, i);
        else if (f->act == FLOW_END)
            g_array_set_size(open, open->len - 1);
        for (guint j = 0; f->act == FLOW_CALL && j < open->len; j++)
            g_array_index(flow->ops, FlowOp, g_array_index(open, guint, j)).indexed = TRUE;
    }
}

Flow *flow_new(const AtlasProgram *program) {
    Flow *flow = g_new0(Flow, 1);
    Reader r = {.flow = flow,
                .streams = g_hash_table_new(NULL, NULL),
                .events = g_hash_table_new(NULL, NULL),
                .flags = g_hash_table_new(NULL, NULL),
                .execs = g_hash_table_new(NULL, NULL),
                .buffers = g_hash_table_new(NULL, NULL),
                .scalars = g_hash_table_new(NULL, NULL),
                .legacy = FLOW_NONE,
                .stages = g_hash_table_new(NULL, NULL),
                .setters = g_hash_table_new(NULL, NULL),
                .blocks = g_array_new(FALSE, FALSE, sizeof(guint)),
                .loops = g_ptr_array_new(),
                .times = 1,
                .outer = g_array_new(FALSE, FALSE, sizeof(gint64))};
    *flow = (Flow){.program = program, .step = FLOW_NONE, .period = 1, .refused = FLOW_NONE};
    flow->ops = g_array_sized_new(FALSE, FALSE, sizeof(FlowOp), program->ops->len);
    flow->accesses = g_array_new(FALSE, FALSE, sizeof(FlowAccess));
    flow->streams = g_array_new(FALSE, TRUE, sizeof(FlowStream));
    flow->buffers = g_array_new(FALSE, FALSE, sizeof(FlowBuffer));
    flow->stages = g_ptr_array_new();
    g_array_set_size(flow->streams, 1);
    for (guint i = 0; i < program->ops->len; i++)
        read_op(&r, &g_array_index(program->ops, AtlasOp, i), i);
    if (flow->threads)
        refuse(&r, FLOW_NONE, "several host threads call the driver");
    if (flow->streams->len > FLOW_CHAINS_MAX)
        refuse(&r, FLOW_NONE, "more than %d streams", FLOW_CHAINS_MAX - 1);
    GHashTable *tables[] = {r.streams, r.events, r.flags,   r.execs,
                            r.buffers, r.stages, r.setters, r.scalars};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
    g_array_unref(r.blocks);
    g_array_unref(r.outer);
    g_ptr_array_unref(r.loops);
    if (flow->captures)
        mark_captures(flow);
    if (flow->captures || flow->flags)
        unmark_repeats(flow);
    return flow;
}

void flow_free(Flow *flow) {
    if (!flow)
        return;
    GArray *arrays[] = {flow->ops, flow->accesses, flow->streams, flow->buffers};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    g_ptr_array_unref(flow->stages);
    g_free(flow->refusal);
    g_free(flow);
}

const FlowBuffer *flow_buffer(const Flow *flow, guint cell) {
    guint low = 0, high = flow->buffers->len;
    while (high - low > 1) {
        guint middle = low + (high - low) / 2;
        if (g_array_index(flow->buffers, FlowBuffer, middle).cell <= cell)
            low = middle;
        else
            high = middle;
    }
    return &g_array_index(flow->buffers, FlowBuffer, low);
}
