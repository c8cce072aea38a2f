/* What a plan promises: counts, worked out from its windows, not by running it. */
#include "graphs/plan_part.h"
#include "sim/flow.h"

/* Holds until the next call. */
static AtlasPlanPromise *of_stage(GArray *promises, const char *stage) {
    for (guint i = 0; i < promises->len; i++)
        if (g_str_equal(g_array_index(promises, AtlasPlanPromise, i).stage, stage))
            return &g_array_index(promises, AtlasPlanPromise, i);
    AtlasPlanPromise promise = {.stage = stage};
    g_array_append_val(promises, promise);
    return &g_array_index(promises, AtlasPlanPromise, promises->len - 1);
}

/* Kernels of the graph that an exec was made of before the step. */
static gint64 nodes_of(const AtlasProgram *program, guint step, const char *exec) {
    const char *graph = NULL;
    gint64 nodes = 0, captured = 0;
    for (guint i = step; i-- > 0 && !graph;)
        if (plan_op(program, i)->kind == ATLAS_OP_INSTANTIATE &&
            plan_op(program, i)->operands[1] == exec)
            graph = plan_op(program, i)->operands[0];
    for (guint i = 0; graph && i < step; i++) {
        const AtlasOp *op = plan_op(program, i);
        if (op->kind == ATLAS_OP_BEGIN)
            captured = 0;
        captured += op->kind == ATLAS_OP_LAUNCH ? op->count : 0;
        if (op->kind == ATLAS_OP_END_CAPTURE && op->operands[1] == graph)
            nodes = captured;
    }
    return nodes;
}

/* A graph that the eager program launches already. */
static void promise_given(const AtlasPlan *plan, const PlanTree *tree, guint i, gint64 period,
                          AtlasPlanPromise *promise) {
    const AtlasOp *op = plan_op(plan->eager, i);
    gint64 times = plan_tree_times(tree, i) * (period / op->every);
    gint64 nodes = nodes_of(plan->eager, tree->step, op->operands[0]) * times;
    promise->eager += times;
    promise->submissions += times;
    promise->activities += nodes;
    promise->graph_nodes += nodes;
}

/* Kernels count where their graph is launched: in the stage in which its window begins. */
GArray *atlas_plan_promises(const AtlasPlan *plan) {
    GArray *promises = g_array_new(FALSE, FALSE, sizeof(AtlasPlanPromise));
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(PlanTree) tree = plan_tree_new(plan->eager, ignored);
    gint64 period = atlas_flow_period(plan->eager);
    const char *stage = "";
    for (guint i = tree->step + 1; i < tree->step_end; i++) {
        const AtlasOp *op = plan_op(plan->eager, i);
        const AtlasPlanWindow *w = plan_window_of(plan->windows, i);
        if (op->kind == ATLAS_OP_STAGE)
            stage = op->operands[0];
        of_stage(promises, stage); /* stages without launches are promised, too */
        if (w && w->first == i)
            of_stage(promises, w->stage)->submissions += w->times * (period / w->every);
        if (op->kind == ATLAS_OP_GRAPH_LAUNCH)
            promise_given(plan, tree, i, period, of_stage(promises, stage));
        if (op->kind != ATLAS_OP_LAUNCH)
            continue;
        gint64 n = op->count * plan_tree_times(tree, i) * (period / op->every);
        of_stage(promises, stage)->eager += n;
        AtlasPlanPromise *promise = of_stage(promises, w ? w->stage : stage);
        promise->activities += n;
        *(w ? &promise->graph_nodes : &promise->submissions) += n;
        promise->calls += w ? 0 : n;
    }
    return promises;
}
