/* The step's body: blocks, what parts them, what is blocked. */
#include "graphs/plan_part.h"
#include "graphs/stretch.h"

int plan_stream_operand(AtlasOpKind kind) {
    switch (kind) {
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_DTOD_ASYNC:
    case ATLAS_OP_HTOD_ASYNC:
    case ATLAS_OP_DTOH_ASYNC:
    case ATLAS_OP_HOST_FN:
    case ATLAS_OP_WAIT:
        return 0;
    case ATLAS_OP_RECORD:
    case ATLAS_OP_MALLOC_ASYNC:
    case ATLAS_OP_FREE_ASYNC:
        return 1;
    default:
        return -1;
    }
}

/* What no graph holds. A copy that the host waits for at once is part of the waiting. */
static gboolean is_barrier(const AtlasProgram *program, guint i) {
    const AtlasOp *op = plan_op(program, i);
    if (op->kind == ATLAS_OP_DTOH_ASYNC && stretch_waits(op[1].kind))
        return TRUE;
    return plan_stream_operand(op->kind) < 0 && op->kind != ATLAS_OP_COMMENT &&
           op->kind != ATLAS_OP_LOOP && op->kind != ATLAS_OP_END_BLOCK &&
           op->kind != ATLAS_OP_STAGE;
}

static gboolean captures(AtlasOpKind kind) {
    return kind == ATLAS_OP_BEGIN || kind == ATLAS_OP_END_CAPTURE || kind == ATLAS_OP_INSTANTIATE ||
           kind == ATLAS_OP_INSTANTIATE_AUTOFREE;
}

/* Marks an op and the loops around it. */
static void mark(const PlanTree *tree, gboolean *marks, guint op) {
    for (; op != G_MAXUINT && !marks[op]; op = tree->loop[op])
        marks[op] = TRUE;
}

void plan_tree_block(PlanTree *tree, guint op) {
    mark(tree, tree->blocked, op);
}

static gboolean refuse(AtlasDiags *diags, AtlasSpan at, const AtlasProgram *program,
                       const char *why, const char *hint) {
    atlas_diags_error(diags, at, "cannot plan '%s': %s", program->name, why);
    atlas_diags_hint(diags, "%s", hint);
    return FALSE;
}

static gboolean survey(PlanTree *tree, AtlasDiags *diags) {
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    guint stage = G_MAXUINT, n = tree->program->ops->len;
    tree->step = G_MAXUINT;
    for (guint i = 0; i < n; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        guint around = open->len ? g_array_index(open, guint, open->len - 1) : G_MAXUINT;
        if (captures(op->kind) && open->len > 0)
            return refuse(diags, op->at, tree->program, "it captures graphs in its step",
                          "capture them before the step, or plan the eager program");
        if (op->kind == ATLAS_OP_END_BLOCK) {
            tree->end[around] = i;
            g_array_set_size(open, open->len - 1);
            around = open->len ? g_array_index(open, guint, open->len - 1) : G_MAXUINT;
        }
        stage = op->kind == ATLAS_OP_STAGE ? i : stage;
        tree->stage[i] = stage;
        tree->loop[i] = around == tree->step ? G_MAXUINT : around;
        if (op->kind == ATLAS_OP_STEP) {
            tree->step = i;
            stage = G_MAXUINT; /* marks hold for a step (sim/flow.h) */
        }
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_LOOP)
            g_array_append_val(open, i);
    }
    if (tree->step == G_MAXUINT)
        return refuse(diags, (AtlasSpan){NULL, 0, 0}, tree->program, "it has no step",
                      "windows are captured once and launched in every step: put what repeats "
                      "between 'step' and 'end'");
    tree->step_end = tree->end[tree->step];
    for (guint i = tree->step + 1; i < tree->step_end; i++)
        if (is_barrier(tree->program, i) ||
            (plan_op(tree->program, i)->kind == ATLAS_OP_STAGE && tree->loop[i] != G_MAXUINT))
            mark(tree, tree->parts, i);
    return TRUE;
}

PlanTree *plan_tree_new(const AtlasProgram *program, AtlasDiags *diags) {
    guint n = program->ops->len + 1;
    g_autoptr(PlanTree) tree = g_new0(PlanTree, 1);
    tree->program = program;
    tree->end = g_new0(guint, n);
    tree->loop = g_new0(guint, n);
    tree->stage = g_new0(guint, n);
    tree->parts = g_new0(gboolean, n);
    tree->blocked = g_new0(gboolean, n);
    return survey(tree, diags) ? g_steal_pointer(&tree) : NULL;
}

void plan_tree_free(PlanTree *tree) {
    if (!tree)
        return;
    g_free(tree->end);
    g_free(tree->loop);
    g_free(tree->stage);
    g_free(tree->parts);
    g_free(tree->blocked);
    g_free(tree);
}

gint64 plan_tree_times(const PlanTree *tree, guint op) {
    gint64 times = 1;
    for (guint loop = tree->loop[op]; loop != G_MAXUINT; loop = tree->loop[loop])
        times *= plan_iterations(plan_op(tree->program, loop));
    return times;
}

static gboolean list_uses(const GArray *list, const char *index) {
    for (guint i = 0; list && i < list->len; i++)
        if (g_array_index(list, AtlasAccess, i).loop == index)
            return TRUE;
    return FALSE;
}

static gboolean uses(const PlanTree *tree, guint first, guint last, const char *index) {
    for (guint i = first; i <= last; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        if (list_uses(op->reads, index) || list_uses(op->writes, index) ||
            list_uses(op->fresh, index))
            return TRUE;
    }
    return FALSE;
}

const AtlasPlanWindow *plan_window_of(const GArray *windows, guint op) {
    for (guint i = 0; i < windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
        if (w->first <= op && op <= w->last)
            return w;
    }
    return NULL;
}

GArray *plan_tree_indices(const PlanTree *tree, guint first, guint last) {
    GArray *loops = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint loop = tree->loop[first]; loop != G_MAXUINT; loop = tree->loop[loop])
        if (uses(tree, first, last, plan_op(tree->program, loop)->operands[0]))
            g_array_prepend_val(loops, loop);
    return loops;
}
