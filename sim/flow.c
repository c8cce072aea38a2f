#include "sim/flow.h"

#include "model/base/rational.h"

static const AtlasOp *op_at(const AtlasFlow *flow, guint op) {
    return &g_array_index(flow->program->ops, AtlasOp, op);
}

/* Finds the end of each block and the number of each stage. */
static void survey(AtlasFlow *flow) {
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < flow->program->ops->len; i++) {
        const AtlasOp *op = op_at(flow, i);
        guint at;
        switch (op->kind) {
        case ATLAS_OP_STEP:
        case ATLAS_OP_LOOP:
            g_array_append_val(open, i);
            break;
        case ATLAS_OP_END_BLOCK:
            flow->ends[g_array_index(open, guint, open->len - 1)] = i;
            g_array_set_size(open, open->len - 1);
            break;
        case ATLAS_OP_STAGE:
            if (!g_ptr_array_find(flow->stages, op->operands[0], &at)) {
                at = flow->stages->len;
                g_ptr_array_add(flow->stages, (gpointer)op->operands[0]);
            }
            flow->stage_marks[i] = at + 1;
            break;
        default:
            break;
        }
    }
}

AtlasFlow *atlas_flow_new(const AtlasProgram *program, gint64 first, gint64 last) {
    g_assert(0 <= first && first <= last && last - first < G_MAXINT32);
    AtlasFlow *flow = g_new0(AtlasFlow, 1);
    flow->program = program;
    flow->first = first;
    flow->last = last;
    flow->rows = (guint)(last - first) + 3;
    flow->step = ATLAS_NO_STEP;
    flow->stages = g_ptr_array_new();
    flow->ends = g_new0(guint, program->ops->len + 1);
    flow->stage_marks = g_new0(guint, program->ops->len + 1);
    survey(flow);
    return flow;
}

void atlas_flow_free(AtlasFlow *flow) {
    if (!flow)
        return;
    g_ptr_array_unref(flow->stages);
    g_free(flow->ends);
    g_free(flow->stage_marks);
    g_free(flow);
}

static void enter_loop(AtlasFlow *flow, const AtlasOp *op, guint at) {
    if (op->last < op->first) {
        flow->next = flow->ends[at] + 1;
        return;
    }
    flow->loops[flow->depth++] = (AtlasFlowLoop){op->operands[0], op->first, op->last, at};
}

static void enter_step(AtlasFlow *flow, guint at) {
    flow->in_step = TRUE;
    flow->step_start = at;
    flow->step = flow->first;
    flow->row = 1;
    flow->stage = 0;
}

static void end_block(AtlasFlow *flow) {
    if (flow->depth > 0) {
        AtlasFlowLoop *loop = &flow->loops[flow->depth - 1];
        if (loop->value++ < loop->last)
            flow->next = loop->start + 1;
        else
            flow->depth--;
        return;
    }
    flow->row++;
    if (flow->step < flow->last) {
        flow->stage = 0;
        flow->step++;
        flow->next = flow->step_start + 1;
    } else {
        flow->in_step = FALSE;
    }
}

gboolean atlas_flow_next(AtlasFlow *flow) {
    while (flow->next < flow->program->ops->len) {
        guint at = flow->next++;
        const AtlasOp *op = op_at(flow, at);
        switch (op->kind) {
        case ATLAS_OP_STEP:
            enter_step(flow, at);
            break;
        case ATLAS_OP_LOOP:
            enter_loop(flow, op, at);
            break;
        case ATLAS_OP_END_BLOCK:
            end_block(flow);
            break;
        case ATLAS_OP_STAGE:
            flow->stage = flow->stage_marks[at];
            break;
        case ATLAS_OP_COMMENT:
        case ATLAS_OP_EXPECT:
        case ATLAS_OP_DEPTH:
        case ATLAS_OP_SLOT:
            break;
        default:
            if (flow->in_step && flow->step % op->every != 0)
                break;
            flow->op = at;
            return TRUE;
        }
    }
    return FALSE;
}

gint64 atlas_flow_index(const AtlasFlow *flow, const char *loop) {
    for (guint i = flow->depth; i-- > 0;)
        if (flow->loops[i].name == loop)
            return flow->loops[i].value;
    g_assert_not_reached();
}

gint64 atlas_flow_period(const AtlasProgram *program) {
    gint64 period = 1;
    for (guint i = 0; i < program->ops->len; i++)
        period = atlas_lcm(period, g_array_index(program->ops, AtlasOp, i).every);
    return period;
}
