/* The windows of least cost.
 *
 * A block is a sequence of atoms: ops, and loops whole. Every way to cut it into windows and ops
 * that stay is looked at: the least cost of the first j atoms is the least, over all i, of that of
 * the first i and either the atom i alone (a loop then costs what is least inside of it) or the
 * window from i to j. That is exact, as the cost of a window depends on nothing outside of it.
 * Costs are host nanoseconds over all steps that a plan is used for; whole numbers far below 2^53,
 * so sums in double are exact. Of equal costs the fewest windows win.
 */
#include "graphs/plan_part.h"

typedef struct {
    guint first, last;
    gint64 nodes, launches; /* of one execution */
    gint64 every;           /* 0: different ones inside */
    guint thread;
    const char *stream; /* of the first op */
    gboolean waits;     /* for events: work of other streams may be captured, too */
    guint64 indices;    /* of the loops around, by depth from the innermost */
    gboolean works;     /* launches, or sets or copies memory */
    gboolean closed;    /* no window holds it */
    double alone;       /* cost outside of windows, or of windows inside */
    GArray *inside;     /* of AtlasPlanWindow; NULL: none */
} Atom;

typedef struct {
    const PlanTree *tree;
    guint with;
    const AtlasPlanCosts *costs;
} Chooser;

/* ---- atoms ---- */

static guint depth_of(const PlanTree *tree, guint from, guint loop) {
    guint depth = 0;
    for (guint at = from; at != loop; at = tree->loop[at])
        depth++;
    return depth;
}

/* The loops around `outer`, the block that the atom stands in, whose index an op uses. */
static guint64 indices_of(const PlanTree *tree, guint op, guint outer) {
    const GArray *lists[] = {plan_op(tree->program, op)->reads, plan_op(tree->program, op)->writes,
                             plan_op(tree->program, op)->fresh};
    guint64 set = 0;
    for (guint k = 0; k < G_N_ELEMENTS(lists); k++)
        for (guint i = 0; lists[k] && i < lists[k]->len; i++) {
            const char *name = g_array_index(lists[k], AtlasAccess, i).loop;
            for (guint loop = name ? tree->loop[op] : G_MAXUINT, inside = TRUE; loop != G_MAXUINT;
                 loop = tree->loop[loop]) {
                inside = inside && loop != outer;
                if (plan_op(tree->program, loop)->operands[0] != name)
                    continue;
                if (!inside)
                    set |= (guint64)1 << depth_of(tree, outer, loop);
                break;
            }
        }
    return set;
}

static void join(Atom *atom, const PlanTree *tree, guint op, gint64 repeats, guint outer) {
    const AtlasOp *o = plan_op(tree->program, op);
    gboolean any = atom->thread != 0;
    gboolean work = o->kind != ATLAS_OP_RECORD && o->kind != ATLAS_OP_WAIT;
    atom->every = !any ? o->every : atom->every == o->every ? atom->every : 0;
    atom->closed |= any && atom->thread != o->thread;
    if (!any)
        atom->stream = o->operands[plan_stream_operand(o->kind)];
    atom->waits |= o->kind == ATLAS_OP_WAIT;
    atom->closed |= atom->stream != o->operands[plan_stream_operand(o->kind)] && !atom->waits;
    atom->thread = o->thread;
    atom->works |= work;
    atom->nodes += work ? o->count * repeats : 0;
    atom->launches += o->kind == ATLAS_OP_LAUNCH ? o->count * repeats : 0;
    atom->indices |= indices_of(tree, op, outer);
}

static Atom measure(const PlanTree *tree, guint first, guint last) {
    Atom atom = {.first = first, .last = last};
    guint outer = tree->loop[first];
    gint64 repeats = 1;
    for (guint i = first; i <= last; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        if (op->kind == ATLAS_OP_LOOP)
            repeats *= plan_iterations(op);
        if (op->kind == ATLAS_OP_END_BLOCK) {
            repeats = 1;
            for (guint loop = tree->loop[i]; loop != outer; loop = tree->loop[loop])
                repeats *= plan_iterations(plan_op(tree->program, loop));
        }
        atom.closed |= tree->parts[i] || tree->blocked[i];
        if (plan_stream_operand(op->kind) >= 0)
            join(&atom, tree, i, repeats, outer);
    }
    return atom;
}

/* ---- costs ---- */

static double share_of_steps(const Chooser *c, gint64 every) {
    return (double)((c->costs->over + every - 1) / every); /* steps 0, every, 2 every ... */
}

static gint64 variants(const PlanTree *tree, guint first, guint64 indices) {
    gint64 graphs = 1;
    guint depth = 0;
    for (guint loop = tree->loop[first]; loop != G_MAXUINT; loop = tree->loop[loop], depth++)
        if (indices >> depth & 1)
            graphs *= plan_iterations(plan_op(tree->program, loop));
    return graphs;
}

gint64 atlas_plan_graph_ns(const AtlasPlanCosts *costs, gint64 nodes) {
    const AtlasGraphCost *t = costs->launch;
    guint i = 1;
    while (i + 1 < costs->launches && t[i].nodes < nodes)
        i++;
    gint64 rise = t[i].ns - t[i - 1].ns, run = t[i].nodes - t[i - 1].nodes;
    return MAX(t[i - 1].ns + (nodes - t[i - 1].nodes) * rise / run, t[0].ns);
}

static double window_cost(const Chooser *c, const Atom *run, gint64 times) {
    double launches = (double)times * share_of_steps(c, run->every);
    double graphs = (double)variants(c->tree, run->first, run->indices);
    return launches * (double)atlas_plan_graph_ns(c->costs, run->nodes) +
           graphs * ((double)c->costs->graph_ns + (double)c->costs->node_ns * (double)run->nodes);
}

static double alone_cost(const Chooser *c, const AtlasOp *op, gint64 times) {
    if (plan_stream_operand(op->kind) < 0 || op->kind == ATLAS_OP_RECORD ||
        op->kind == ATLAS_OP_WAIT)
        return 0;
    return (double)op->count * (double)c->costs->launch_ns * (double)times *
           share_of_steps(c, op->every);
}

/* ---- blocks ---- */

static double choose_block(const Chooser *c, guint from, guint to, gint64 times, GArray *into);

static GArray *atoms_of(const Chooser *c, guint from, guint to, gint64 times) {
    GArray *atoms = g_array_new(FALSE, FALSE, sizeof(Atom));
    for (guint i = from; i < to; i++) {
        const AtlasOp *op = plan_op(c->tree->program, i);
        guint last = op->kind == ATLAS_OP_LOOP ? c->tree->end[i] : i;
        Atom atom = measure(c->tree, i, last);
        atom.closed |= op->kind == ATLAS_OP_STAGE && !(c->with & ATLAS_WITH_ACROSS_STAGES);
        atom.alone = alone_cost(c, op, times);
        if (op->kind == ATLAS_OP_LOOP) {
            atom.inside = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
            atom.alone = choose_block(c, i + 1, last, times * plan_iterations(op), atom.inside);
        }
        g_array_append_val(atoms, atom);
        i = last;
    }
    return atoms;
}

/* A run of atoms and one more; FALSE where no window goes on. */
static gboolean extend(const Chooser *c, Atom *run, const Atom *next) {
    gboolean any = run->thread != 0, mark = next->thread == 0;
    if (next->closed || (!mark && next->every == 0) ||
        (any && !mark && (run->every != next->every || run->thread != next->thread)))
        return FALSE;
    if (any && !mark && run->stream != next->stream && !run->waits && !next->waits)
        return FALSE; /* nothing makes the capture spread to that stream */
    run->last = next->last;
    if (mark)
        return TRUE;
    run->every = next->every;
    run->stream = any ? run->stream : next->stream;
    run->waits |= next->waits;
    run->thread = next->thread;
    run->nodes += next->nodes;
    run->launches += next->launches;
    run->indices |= next->indices;
    run->works |= next->works;
    return c->costs->most_nodes == 0 || run->nodes <= c->costs->most_nodes;
}

typedef struct {
    double cost;
    guint windows;
    guint from; /* the atoms from here on are one window, or (one less than this) alone */
    gboolean window;
} Best;

static gboolean better(const Best *a, const Best *b) {
    return a->cost < b->cost || (a->cost <= b->cost && a->windows < b->windows);
}

static void try_windows(const Chooser *c, const GArray *atoms, guint i, gint64 times, Best *best) {
    const Atom *first = &g_array_index(atoms, Atom, i);
    Atom run = {.first = first->first};
    if (first->thread == 0 || (first->waits && first->first == first->last))
        return; /* a window begins with what it does */
    for (guint j = i; j < atoms->len && extend(c, &run, &g_array_index(atoms, Atom, j)); j++) {
        if (!run.works || run.launches == 0 || g_array_index(atoms, Atom, j).thread == 0)
            continue;
        Best with = {best[i].cost + window_cost(c, &run, times), best[i].windows + 1, i, TRUE};
        if (better(&with, &best[j + 1]))
            best[j + 1] = with;
    }
}

static void collect(const GArray *atoms, const Best *best, guint j, GArray *into) {
    g_autoptr(GArray) back = g_array_new(FALSE, FALSE, sizeof(guint));
    for (; j > 0; j = best[j].from)
        g_array_append_val(back, j);
    for (guint k = back->len; k-- > 0;) {
        guint to = g_array_index(back, guint, k);
        const Atom *first = &g_array_index(atoms, Atom, best[to].from);
        if (best[to].window) {
            AtlasPlanWindow window = {.first = first->first,
                                      .last = g_array_index(atoms, Atom, to - 1).last};
            g_array_append_val(into, window);
        } else if (first->inside) {
            g_array_append_vals(into, first->inside->data, first->inside->len);
        }
    }
}

static double choose_block(const Chooser *c, guint from, guint to, gint64 times, GArray *into) {
    g_autoptr(GArray) atoms = atoms_of(c, from, to, times);
    g_autofree Best *best = g_new0(Best, atoms->len + 1);
    gboolean allowed =
        !(c->with & ATLAS_WITH_ITERATIONS) || (from > 0 && c->tree->loop[from] != G_MAXUINT);
    for (guint j = 1; j <= atoms->len; j++)
        best[j].cost = G_MAXDOUBLE;
    for (guint i = 0; i < atoms->len; i++) {
        const Atom *atom = &g_array_index(atoms, Atom, i);
        Best alone = {best[i].cost + atom->alone,
                      best[i].windows + (atom->inside ? atom->inside->len : 0), i, FALSE};
        if (better(&alone, &best[i + 1]))
            best[i + 1] = alone;
        if (allowed)
            try_windows(c, atoms, i, times, best);
    }
    collect(atoms, best, atoms->len, into);
    for (guint i = 0; i < atoms->len; i++)
        if (g_array_index(atoms, Atom, i).inside)
            g_array_unref(g_array_index(atoms, Atom, i).inside);
    return best[atoms->len].cost;
}

/* ---- results ---- */

/* Fills in what follows from first and last. */
static void fill(const PlanTree *tree, const AtlasPlanCosts *costs, AtlasPlanWindow *w) {
    Chooser c = {tree, 0, costs};
    Atom run = measure(tree, w->first, w->last);
    double eager = 0;
    w->times = plan_tree_times(tree, w->first);
    w->every = run.every;
    w->nodes = run.nodes;
    w->launches = run.launches * w->times;
    w->graphs = variants(tree, run.first, run.indices);
    for (guint i = w->first; i <= w->last; i++)
        eager += alone_cost(&c, plan_op(tree->program, i), plan_tree_times(tree, i));
    w->saved_ns = (gint64)((eager - window_cost(&c, &run, w->times)) / (double)costs->over);
}

GArray *plan_choose(const PlanTree *tree, guint with, const AtlasPlanCosts *costs) {
    Chooser c = {tree, with, costs};
    GArray *windows = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
    choose_block(&c, tree->step + 1, tree->step_end, 1, windows);
    for (guint i = 0; i < windows->len; i++)
        fill(tree, costs, &g_array_index(windows, AtlasPlanWindow, i));
    return windows;
}

GArray *plan_singles(const PlanTree *tree) {
    GArray *windows = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
    for (guint i = tree->step + 1; i < tree->step_end; i++) {
        AtlasOpKind kind = plan_op(tree->program, i)->kind;
        if (plan_stream_operand(kind) < 0 || tree->parts[i] || tree->blocked[i] ||
            kind == ATLAS_OP_RECORD || kind == ATLAS_OP_WAIT)
            continue;
        AtlasPlanWindow window = {.first = i, .last = i};
        g_array_append_val(windows, window);
    }
    return windows;
}
