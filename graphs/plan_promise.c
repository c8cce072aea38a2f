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
