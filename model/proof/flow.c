#include "model/proof/flow_read.h"

#include <string.h>

#include "model/base/rational.h"
#include "model/op/copies.h"

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
static void add_repeat(FlowReader *r, guint index, gint64 count) {
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

static void open_block(FlowReader *r, const AtlasOp *op, guint index) {
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

static void close_block(FlowReader *r, guint index) {
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

static void read_op(FlowReader *r, const AtlasOp *op, guint index) {
    Flow *flow = r->flow;
    flow->threads = MAX(flow->threads, op->thread);
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
            flow_refuse(r, "stream '%s' is made anew in every iteration", op->operands[0]);
        flow_add_stream(r, op->operands[0], FALSE, strcmp(op->operands[1], "blocking") == 0);
        break;
    case ATLAS_OP_BUFFER:
        r->declares = TRUE;
        flow_buffer_cell(r, op->operands[0], op->count);
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
    if (op->every > 1 && flow->period < ATLAS_PROGRAM_TIMES_MAX)
        flow->period = atlas_lcm(flow->period, op->every);
    flow_add_op(r, op, index);
}

/* Items that may have to wait are handed over one by one. */
static void unmark_repeats(Flow *flow) {
    for (guint i = 0; i < flow->ops->len; i++)
        g_array_index(flow->ops, FlowOp, i).same = g_array_index(flow->ops, FlowOp, i).more = FALSE;
}

/* Says of each launch in a row how much of the row there is from it on. */
static void sum_rows(Flow *flow) {
    for (guint i = flow->ops->len; i-- > 0;) {
        FlowOp *f = &g_array_index(flow->ops, FlowOp, i);
        if (f->same) {
            f->partner = f->more ? (f + 1)->partner : i;
            f->row = f->count + (f->more ? (f + 1)->row : 0);
        }
    }
}

Flow *flow_new(const AtlasProgram *program) {
    Flow *flow = g_new0(Flow, 1);
    FlowReader r = {.flow = flow,
                    .streams = g_hash_table_new(NULL, NULL),
                    .events = g_hash_table_new(NULL, NULL),
                    .flags = g_hash_table_new(NULL, NULL),
                    .execs = g_hash_table_new(NULL, NULL),
                    .buffers = g_hash_table_new(NULL, NULL),
                    .sided = atlas_program_sided(program),
                    .host_side = g_hash_table_new(NULL, NULL),
                    .scalars = g_hash_table_new(NULL, NULL),
                    .legacy = FLOW_NONE,
                    .stages = g_hash_table_new(NULL, NULL),
                    .setters = g_hash_table_new(NULL, NULL),
                    .blocks = g_array_new(FALSE, FALSE, sizeof(guint)),
                    .loops = g_ptr_array_new(),
                    .times = 1,
                    .outer = g_array_new(FALSE, FALSE, sizeof(gint64))};
    *flow = (Flow){.program = program, .step = FLOW_NONE, .period = 1};
    flow->ops = g_array_sized_new(FALSE, FALSE, sizeof(FlowOp), program->ops->len);
    flow->accesses = g_array_new(FALSE, FALSE, sizeof(FlowAccess));
    flow->streams = g_array_new(FALSE, TRUE, sizeof(FlowStream));
    flow->buffers = g_array_new(FALSE, FALSE, sizeof(FlowBuffer));
    flow->stages = g_ptr_array_new();
    g_array_set_size(flow->streams, 1);
    for (guint i = 0; i < program->ops->len; i++)
        read_op(&r, &g_array_index(program->ops, AtlasOp, i), i);
    if (flow->threads > 1)
        flow_refuse(&r, "several host threads call the driver");
    if (flow->streams->len > FLOW_CHAINS_MAX)
        flow_refuse(&r, "more than %d streams", FLOW_CHAINS_MAX - 1);
    GHashTable *tables[] = {r.streams, r.events,  r.flags, r.execs,     r.buffers,
                            r.stages,  r.setters, r.sided, r.host_side, r.scalars};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
    g_array_unref(r.blocks);
    g_array_unref(r.outer);
    g_ptr_array_unref(r.loops);
    if (flow->captures || flow->flags)
        unmark_repeats(flow);
    sum_rows(flow);
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
