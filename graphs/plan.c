#include "graphs/plan.h"

#include <string.h>

#include "graphs/plan_atom.h"
#include "model/machine/machine.h"
#include "sim/flow.h"

/* ---- costs ---- */

/* Measured on one H200 (driver 580.159.04, CUDA 13.0, Xeon host), without a profiler. */
static const AtlasGraphCost h200_launch[] = {{1, 1050},    {10, 1050},     {100, 1100},
                                             {1000, 2100}, {10000, 12000}, {21427, 250000}};
enum {
    H200_GRAPH_NS = 42000 + 21000,    /* instantiation and first launch of one node */
    H200_NODE_NS = 2000 + 6400 + 730, /* capture, instantiation, first launch: a node */
    H200_EVENT_NS = 240,              /* half of a record and a wait */
    H200_REPLAYED_NS = 690,           /* a node of 1,000 and more in a line, replayed */
    LAUNCH_NS = 24000,
    OVER = 1000
};

AtlasPlanCosts atlas_plan_costs(void) {
    AtlasClockCosts clock = {LAUNCH_NS, H200_EVENT_NS, h200_launch, G_N_ELEMENTS(h200_launch),
                             H200_REPLAYED_NS};
    return (AtlasPlanCosts){clock,
                            H200_GRAPH_NS,
                            H200_NODE_NS,
                            OVER,
                            0,
                            0,
                            "graphs: one H200, driver 580.159.04, CUDA 13.0, the dearer end of "
                            "what was measured"};
}

void atlas_plan_costs_launch(AtlasPlanCosts *costs, AtlasRat us, AtlasDiags *diags) {
    enum { MOST = 1000000000 };
    AtlasRat ns = atlas_rat_mul(us, atlas_rat(1000));
    if (atlas_rat_is_whole(ns) && ns.num >= 1 && ns.num <= MOST) {
        costs->clock.launch_ns = ns.num;
        return;
    }
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "a launch of a plan costs whole nanoseconds, up to a second of them");
    atlas_diags_hint(diags, "--launch-us takes multiples of 0.001 above 0");
}

/* ---- names ---- */

/* The part of a key that a window's name keeps: "fwd.main" of "fwd.main.kda". */
static char *shared_path(const AtlasProgram *program, guint first, guint last) {
    char *path = NULL;
    for (guint i = first; i <= last; i++) {
        const AtlasOp *op = plan_op(program, i);
        const char *key = op->kind != ATLAS_OP_LAUNCH ? NULL : op->of ? op->of : op->operands[1];
        if (!key)
            continue;
        if (!path)
            path = g_strdup(key);
        while (*path && !(g_str_has_prefix(key, path) && strchr(".", key[strlen(path)]))) {
            char *point = strrchr(path, '.');
            *(point ? point : path) = '\0';
        }
    }
    return path ? path : g_strdup("");
}

/* "fwd+bwd": the stages that a window goes across. */
static char *stages_of(const PlanTree *tree, const AtlasPlanWindow *w) {
    g_autoptr(GString) name = g_string_new(w->stage);
    for (guint i = w->first + 1; i <= w->last; i++)
        if (plan_op(tree->program, i)->kind == ATLAS_OP_STAGE)
            g_string_append_printf(name, "+%s", plan_op(tree->program, i)->operands[0]);
    return g_strdup(name->len ? name->str : "step");
}

static void name_windows(AtlasPlan *plan, const PlanTree *tree) {
    for (guint i = 0; i < plan->windows->len; i++) {
        AtlasPlanWindow *w = &g_array_index(plan->windows, AtlasPlanWindow, i);
        guint stage = tree->stage[w->first];
        w->number = i + 1;
        w->stage = stage == G_MAXUINT ? "" : plan_op(tree->program, stage)->operands[0];
        w->name = shared_path(tree->program, w->first, w->last);
        if (!*w->name) {
            g_free(w->name);
            w->name = stages_of(tree, w);
        }
    }
}

/* ---- rounds ---- */

static gboolean is_known(const AtlasPlan *plan, const AtlasPlanBlock *block) {
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        if (b->op == block->op && b->property == block->property && b->buffer == block->buffer)
            return TRUE;
    }
    return FALSE;
}

/* Blocks what was found; FALSE where that changes nothing. */
static gboolean take_blocks(AtlasPlan *plan, PlanTree *tree, PlanJudged *judged) {
    gboolean any = FALSE;
    for (guint i = 0; i < judged->blocks->len; i++) {
        AtlasPlanBlock *block = &g_array_index(judged->blocks, AtlasPlanBlock, i);
        if (block->op == G_MAXUINT || block->op >= tree->program->ops->len)
            continue;
        any |= !tree->blocked[block->op];
        plan_tree_block(tree, block->op);
        if (is_known(plan, block))
            continue;
        g_array_append_val(plan->blocks, *block);
        block->why = block->mend = NULL;
    }
    return any;
}

typedef enum { RIGHT, CHANGED, OPEN, FAILED } Round;

/* Judges windows; on CHANGED there are more blocks. */
static Round judge(AtlasPlan *plan, PlanTree *tree, const GArray *windows, const char *name,
                   const char *given, AtlasDiags *diags) {
    GArray *origin;
    PlanJudged judged;
    plan->planned = plan_write(plan->file, tree, windows, plan->with, name, &origin);
    gboolean ok = plan_judge(tree, windows, plan->planned, origin, given, &judged, diags);
    gboolean broken = judged.blocks->len > 0, changed = take_blocks(plan, tree, &judged);
    g_free(plan->proof);
    plan->proof = g_steal_pointer(&judged.proof);
    Round round = !ok ? FAILED : changed ? CHANGED : broken || judged.open ? OPEN : RIGHT;
    if (round == OPEN && !plan->proof)
        plan->proof = g_strdup(given ? given : "what breaks it lies outside of every window");
    g_clear_pointer(&plan->origin, g_array_unref);
    plan->origin = origin;
    plan_judged_clear(&judged);
    return round;
}

static int by_op(gconstpointer a, gconstpointer b) {
    const AtlasPlanBlock *x = a, *y = b;
    return x->op != y->op               ? (x->op < y->op ? -1 : 1)
           : x->property != y->property ? (x->property < y->property ? -1 : 1)
                                        : g_strcmp0(x->buffer, y->buffer);
}

/* Beyond so many windows none is priced by wall time. */
enum { PRICED_MOST = 64 };

/* The graph launches and copies that stand for a window, by op of the planned program. */
static gboolean *launches_of(const AtlasPlan *plan, const AtlasPlanWindow *w) {
    gboolean *undone = g_new0(gboolean, plan->planned->ops->len + 1), in_step = FALSE;
    for (guint i = 0; i < plan->planned->ops->len; i++) {
        AtlasOpKind kind = plan_op(plan->planned, i)->kind;
        in_step = in_step || kind == ATLAS_OP_STEP;
        undone[i] = in_step && g_array_index(plan->origin, guint, i) == w->first &&
                    (kind == ATLAS_OP_GRAPH_LAUNCH || kind == ATLAS_OP_DTOD_ASYNC);
    }
    return undone;
}

static void price_windows(AtlasPlan *plan) {
    if (plan->wall.why || atlas_plan_wall_is_bound(&plan->wall) || plan->windows->len > PRICED_MOST)
        return;
    for (guint i = 0; i < plan->windows->len; i++) {
        AtlasPlanWindow *w = &g_array_index(plan->windows, AtlasPlanWindow, i);
        g_autofree gboolean *undone = launches_of(plan, w);
        AtlasClockTime without;
        w->wall_known = !atlas_clock_run(plan->planned, &plan->costs.clock, undone, &without);
        w->wall_ns = without.step_ns - plan->wall.planned.step_ns;
    }
}

gboolean atlas_plan_wall_is_bound(const AtlasPlanWall *wall) {
    return wall->eager.unknown || wall->planned.unknown || wall->eager.copies ||
           wall->planned.copies;
}

static void tell_wall_time(AtlasPlan *plan) {
    AtlasPlanWall *wall = &plan->wall;
    wall->why = atlas_clock_run(plan->eager, &plan->costs.clock, NULL, &wall->eager);
    if (!wall->why)
        wall->why = atlas_clock_run(plan->planned, &plan->costs.clock, NULL, &wall->planned);
    price_windows(plan);
    wall->once_ns = (plan->graphs * plan->costs.graph_ns + plan->nodes * plan->costs.node_ns) /
                    plan->costs.over;
}

/* What a graph cannot hold for its size. */
static void list_too_large(AtlasPlan *plan, const PlanTree *tree) {
    gint64 most = plan->costs.most_nodes;
    for (guint i = tree->step + 1; most && i < tree->step_end; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        if (op->kind != ATLAS_OP_LAUNCH || op->count <= most || tree->blocked[i] || tree->parts[i])
            continue;
        AtlasPlanBlock block = {
            .op = i,
            .property = ATLAS_PLAN_TOO_LARGE,
            .step = -1,
            .why = g_strdup_printf("more launches in one line than the %" G_GINT64_FORMAT
                                   " nodes that a graph may have",
                                   most),
            .mend =
                g_strdup_printf("--plan-nodes %" G_GINT64_FORMAT ", or several lines", op->count)};
        g_array_append_val(plan->blocks, block);
    }
}

static void add_windows(AtlasPlan *plan) {
    for (guint i = 0; i < plan->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(plan->windows, AtlasPlanWindow, i);
        gint64 steps = plan->period / w->every;
        plan->captured += w->launches * steps;
        plan->graph_launches += w->times * steps;
        plan->copies += w->copies * steps;
        plan->graphs += w->graphs;
        plan->nodes += w->graphs * w->nodes;
        plan->saved_ns += w->saved_ns;
    }
}

static void add_up(AtlasPlan *plan, const PlanTree *tree) {
    double base = 0;
    plan->period = atlas_flow_period(plan->eager);
    for (guint i = tree->step + 1; i < tree->step_end; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        gint64 times = plan_tree_times(tree, i);
        base += plan_cost_alone(&plan->costs, op, times);
        if (op->kind == ATLAS_OP_LAUNCH)
            plan->launches += op->count * times * (plan->period / op->every);
        if (op->kind == ATLAS_OP_GRAPH_LAUNCH)
            plan->given_graphs += times * (plan->period / op->every);
    }
    plan->base_ns = (gint64)(base / (double)plan->costs.over);
    add_windows(plan);
    list_too_large(plan, tree);
    g_array_sort(plan->blocks, by_op);
    tell_wall_time(plan);
}

static gint64 graphs_of(const PlanTree *tree, const AtlasPlanWindow *window) {
    g_autoptr(GArray) loops = plan_tree_indices(tree, window->first, window->last);
    gint64 graphs = 1;
    for (guint i = 0; i < loops->len && graphs <= ATLAS_MACHINE_NAMES_MAX; i++)
        graphs *= plan_iterations(plan_op(tree->program, g_array_index(loops, guint, i)));
    return graphs;
}

/* The next windows, from *from on, whose graphs the machine holds together. One that takes more by
 * itself is passed over: what it breaks shows in the window that holds it. */
static GArray *next_batch(const PlanTree *tree, const GArray *singles, guint *from) {
    GArray *batch = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
    gint64 graphs = 0;
    for (; *from < singles->len; ++*from) {
        AtlasPlanWindow window = g_array_index(singles, AtlasPlanWindow, *from);
        gint64 more = graphs_of(tree, &window);
        if (more > ATLAS_MACHINE_NAMES_MAX)
            continue;
        if (graphs + more > ATLAS_MACHINE_NAMES_MAX)
            break;
        graphs += more;
        window.of = batch->len;
        g_array_append_val(batch, window);
    }
    return batch;
}

/* Judges every op that may be in a window in one of its own; CHANGED where there are more blocks. */
static Round judge_singles(AtlasPlan *plan, PlanTree *tree, const char *given, AtlasDiags *diags) {
    g_autoptr(GArray) singles = plan_singles(tree);
    g_autofree char *name = g_strdup_printf("%s, op by op", plan->given->name);
    Round all = RIGHT;
    for (guint from = 0; from < singles->len && all != FAILED;) {
        g_autoptr(GArray) batch = next_batch(tree, singles, &from);
        Round round = judge(plan, tree, batch, name, given, diags);
        if (round == FAILED || round == CHANGED)
            all = round;
    }
    return all;
}

/* Windows of one op each, until none breaks anything; then the chosen ones. Each round blocks an op
 * more, so that there are at most as many as ops. */
static gboolean find(AtlasPlan *plan, PlanTree *tree, const char *given, AtlasDiags *diags) {
    Round round = CHANGED;
    while (round == CHANGED)
        round = judge_singles(plan, tree, given, diags);
    g_autofree char *name = g_strdup_printf("%s plan", plan->given->name);
    for (round = round == FAILED ? FAILED : CHANGED; round == CHANGED;) {
        g_array_unref(plan->windows);
        plan->windows = plan_choose(tree, plan->with, &plan->costs, &plan->gap_ns);
        round = judge(plan, tree, plan->windows, name, given, diags);
    }
    plan->proved = round == RIGHT;
    name_windows(plan, tree);
    return round != FAILED;
}

AtlasPlan *atlas_plan_make(AtlasProgramFile *file, const AtlasProgram *program, guint with,
                           const AtlasPlanCosts *costs, AtlasDiags *diags) {
    g_autoptr(AtlasPlan) plan = g_new0(AtlasPlan, 1);
    plan->file = file;
    plan->given = program;
    plan->with = with;
    plan->costs = *costs;
    plan->eager = plan_edit(file, program, with);
    plan->windows = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
    plan->blocks = g_array_new(FALSE, FALSE, sizeof(AtlasPlanBlock));
    g_array_set_clear_func(plan->blocks, plan_block_clear);
    g_autoptr(PlanTree) tree = plan_tree_new(plan->eager, diags);
    g_autofree char *given = NULL;
    if (!tree || !plan_given(plan, &given, diags) || !find(plan, tree, given, diags))
        return NULL;
    add_up(plan, tree);
    return g_steal_pointer(&plan);
}

void atlas_plan_assume(AtlasPlan *plan, const char *assumed) {
    plan->assumed = atlas_program_file_intern(plan->file, assumed);
    plan->proved = FALSE;
}

void atlas_plan_free(AtlasPlan *plan) {
    if (!plan)
        return;
    g_array_unref(plan->windows);
    g_array_unref(plan->blocks);
    g_clear_pointer(&plan->origin, g_array_unref);
    g_free(plan->proof);
    g_free(plan);
}
