/* The windows of least cost, at given prices.
 *
 * A block is a sequence of atoms: ops, and loops whole. Every way to cut it into windows and ops
 * that stay is looked at: the least cost of the first j atoms is the least, over all i, of that of
 * the first i and either the atom i alone (a loop then costs what is least inside of it) or the
 * window from i to j, which takes a graph for each value of the indices that it uses, or one graph
 * and copies, or launches a graph that is paid. That is exact, as the price of a window depends on
 * nothing outside of it; what windows save by sharing a graph is brought into the prices by
 * plan_share.c. Where only so many graphs may be held it is done for each number up to that, which
 * what is inside of a loop and what is before it share in every way. Of equal costs the fewest
 * windows win.
 *
 * It takes time that grows with the square of a block's atoms.
 */
#include "graphs/plan_atom.h"

typedef struct Block Block;

typedef struct {
    Atom atom;
    double alone;  /* cost outside of windows */
    Block *inside; /* of a loop; NULL: none */
} Member;

typedef struct {
    double cost;
    guint windows;
    guint from;   /* the members from here on are one window, or (one less than this) alone */
    guint graphs; /* of that window, or inside of that loop */
    guint window : 1, renamed : 1;
} Best;

/* A block that is solved: best[j * budgets + g] is of the first j members with at most g graphs; a
 * block that may hold any number has one budget. */
struct Block {
    GArray *members; /* of Member */
    Best *best;
    gint64 times;
};

typedef struct {
    const PlanTree *tree;
    guint with;
    const AtlasPlanCosts *costs;
    const PlanPricing *pricing;
    guint budgets;
} Chooser;

/* A way to capture a run. */
typedef struct {
    double cost;
    gint64 graphs; /* in parts of one */
    gboolean renamed;
} Way;

/* A run that is being extended. */
typedef struct {
    Atom atom;
    guint exactly, wherever; /* how many could share its graph */
} Run;

/* ---- windows ---- */

/* How many could share a run's graph: no more than have each of its atoms. */
static void note_alike(const Chooser *c, Run *run, guint op, gboolean any) {
    const PlanAlike *alike = c->pricing->alike;
    if (!alike || alike->exactly[op] == 0)
        return;
    run->exactly = any ? MIN(run->exactly, alike->exactly[op]) : alike->exactly[op];
    run->wherever = any ? MIN(run->wherever, alike->wherever[op]) : alike->wherever[op];
}

/* A run of atoms and one more; FALSE where no window goes on. */
static gboolean extend(const Chooser *c, Run *into, const Atom *next) {
    Atom *run = &into->atom;
    gboolean any = run->thread != 0, mark = next->thread == 0;
    if (next->closed || (!mark && next->every == 0) ||
        (any && !mark && (run->every != next->every || run->thread != next->thread)))
        return FALSE;
    if (any && !mark && run->stream != next->stream && !run->waits && !next->waits)
        return FALSE; /* nothing makes the capture spread to that stream */
    note_alike(c, into, next->first, any);
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

/* Launches with so many copies, and of a number of graphs the share that falls on one of so many. */
static Way way_of(const Chooser *c, const Atom *run, gint64 times, guint copies, gint64 graphs,
                  guint sharers) {
    return (Way){plan_cost_launches(c->costs, run, copies, times) +
                     plan_cost_graphs(c->costs, run, graphs) / sharers,
                 graphs * c->pricing->parts / sharers, FALSE};
}

static const PlanPlace *paid_at(const Chooser *c, const Atom *run) {
    const GArray *places = c->pricing->paid ? c->pricing->paid[run->first] : NULL;
    for (guint i = 0; places && i < places->len; i++)
        if (g_array_index(places, PlanPlace, i).last == run->last)
            return &g_array_index(places, PlanPlace, i);
    return NULL;
}

/* The ways to capture a run: a graph for each value of its indices; one, and copies; one that is
 * paid. */
static guint ways_of(const Chooser *c, const Run *of, gint64 times, Way ways[3]) {
    const Atom *run = &of->atom;
    gint64 graphs = plan_atom_graphs(c->tree, run);
    gboolean relaxed = c->pricing->alike != NULL;
    const PlanPlace *paid = paid_at(c, run);
    guint n = 0;
    ways[n++] = way_of(c, run, times, 0, graphs, relaxed && !run->indices ? of->exactly : 1);
    if (paid) {
        ways[n] = way_of(c, run, times, paid->copies, 0, 1);
        ways[n++].renamed = run->indices != 0;
    }
    if (!(c->with & ATLAS_WITH_RENAME) || (graphs == 1 && !(relaxed && of->wherever > 1)))
        return n;
    g_autoptr(GArray) slots = run->indices ? plan_slots(c->tree, run->first, run->last) : NULL;
    if (run->indices && !slots)
        return n;
    ways[n] =
        way_of(c, run, times, slots ? plan_slots_copies(slots) : 1, 1, relaxed ? of->wherever : 1);
    ways[n++].renamed = TRUE;
    return n;
}

/* ---- blocks ---- */

static void block_free(Block *block) {
    if (!block)
        return;
    for (guint i = 0; i < block->members->len; i++)
        block_free(g_array_index(block->members, Member, i).inside);
    g_array_unref(block->members);
    g_free(block->best);
    g_free(block);
}

static Best *best_at(const Chooser *c, const Block *block, guint j, guint budget) {
    return &block->best[j * (gsize)c->budgets + budget];
}

static void take_better(Best *best, Best one) {
    if (one.cost < best->cost || (one.cost <= best->cost && one.windows < best->windows))
        *best = one;
}

/* What is left of a budget; FALSE where it does not do. */
static gboolean spend(const Chooser *c, guint budget, gint64 graphs, guint *left) {
    *left = budget - (guint)MIN(graphs, (gint64)budget);
    return c->pricing->most < 0 || graphs <= (gint64)budget;
}

static void try_window(const Chooser *c, const Block *block, guint i, guint j, const Way *way) {
    for (guint budget = 0; budget < c->budgets; budget++) {
        guint left;
        if (!spend(c, budget, way->graphs, &left))
            continue;
        const Best *before = best_at(c, block, i, left);
        take_better(best_at(c, block, j, budget),
                    (Best){before->cost + way->cost, before->windows + 1, i, (guint)way->graphs,
                           TRUE, way->renamed});
    }
}

static void try_windows(const Chooser *c, const Block *block, guint i) {
    const Atom *first = &g_array_index(block->members, Member, i).atom;
    Run run = {.atom = {.first = first->first}, .exactly = 1, .wherever = 1};
    Way ways[3];
    if (first->thread == 0 || (first->waits && first->first == first->last))
        return; /* a window begins with what it does */
    for (guint j = i; j < block->members->len; j++) {
        const Atom *next = &g_array_index(block->members, Member, j).atom;
        if (!extend(c, &run, next))
            return;
        if (!run.atom.works || run.atom.launches == 0 || next->thread == 0)
            continue;
        for (guint k = ways_of(c, &run, block->times, ways); k-- > 0;)
            try_window(c, block, i, j + 1, &ways[k]);
    }
}

static void try_alone(const Chooser *c, const Block *block, guint i) {
    const Member *member = &g_array_index(block->members, Member, i);
    for (guint budget = 0; budget < c->budgets; budget++)
        for (guint inside = 0; inside <= (member->inside ? budget : 0); inside++) {
            const Best *before = best_at(c, block, i, budget - inside);
            Best alone = {before->cost + member->alone, before->windows, i, inside, FALSE, FALSE};
            if (member->inside) {
                const Block *b = member->inside;
                alone.cost += best_at(c, b, b->members->len, inside)->cost;
                alone.windows += best_at(c, b, b->members->len, inside)->windows;
            }
            take_better(best_at(c, block, i + 1, budget), alone);
        }
}

static Block *solve(const Chooser *c, guint from, guint to, gint64 times);

static GArray *members_of(const Chooser *c, guint from, guint to, gint64 times) {
    GArray *members = g_array_new(FALSE, FALSE, sizeof(Member));
    for (guint i = from; i < to; i++) {
        const AtlasOp *op = plan_op(c->tree->program, i);
        guint last = op->kind == ATLAS_OP_LOOP ? c->tree->end[i] : i;
        Member member = {plan_atom(c->tree, i, last), plan_cost_alone(c->costs, op, times), NULL};
        member.atom.closed |= op->kind == ATLAS_OP_STAGE && !(c->with & ATLAS_WITH_ACROSS_STAGES);
        if (op->kind == ATLAS_OP_LOOP)
            member.inside = solve(c, i + 1, last, times * plan_iterations(op));
        g_array_append_val(members, member);
        i = last;
    }
    return members;
}

static Block *solve(const Chooser *c, guint from, guint to, gint64 times) {
    Block *block = g_new0(Block, 1);
    gboolean allowed = !(c->with & ATLAS_WITH_ITERATIONS) || c->tree->loop[from] != G_MAXUINT;
    block->members = members_of(c, from, to, times);
    block->times = times;
    block->best = g_new0(Best, (block->members->len + 1) * (gsize)c->budgets);
    for (gsize k = c->budgets; k < (block->members->len + 1) * (gsize)c->budgets; k++)
        block->best[k].cost = G_MAXDOUBLE;
    for (guint i = 0; i < block->members->len; i++) {
        try_alone(c, block, i);
        if (allowed)
            try_windows(c, block, i);
    }
    return block;
}

/* ---- results ---- */

/* Fills in what follows from first and last. */
static void fill(const PlanTree *tree, AtlasPlanWindow *w) {
    Atom run = plan_atom(tree, w->first, w->last);
    w->times = plan_tree_times(tree, w->first);
    w->every = run.every;
    w->nodes = run.nodes;
    w->launches = run.launches * w->times;
    w->graphs = w->slots ? 1 : plan_atom_graphs(tree, &run);
}

void plan_window_clear(gpointer data) {
    AtlasPlanWindow *w = data;
    g_free(w->name);
    g_clear_pointer(&w->slots, g_array_unref);
}

static GArray *windows_new(void) {
    GArray *windows = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
    g_array_set_clear_func(windows, plan_window_clear);
    return windows;
}

static void collect(const Chooser *c, const Block *block, guint budget, GArray *into) {
    g_autoptr(GArray) path = g_array_new(FALSE, FALSE, sizeof(Best));
    g_autoptr(GArray) ends = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint j = block->members->len; j > 0;) {
        const Best *best = best_at(c, block, j, budget);
        g_array_append_vals(path, best, 1);
        g_array_append_val(ends, j);
        spend(c, budget, best->graphs, &budget);
        j = best->from;
    }
    for (guint k = path->len; k-- > 0;) {
        const Best *best = &g_array_index(path, Best, k);
        const Member *first = &g_array_index(block->members, Member, best->from);
        guint to = g_array_index(ends, guint, k) - 1;
        if (best->window) {
            AtlasPlanWindow window = {.first = first->atom.first,
                                      .last = g_array_index(block->members, Member, to).atom.last};
            if (best->renamed)
                window.slots = plan_slots(c->tree, window.first, window.last);
            g_array_append_val(into, window);
        } else if (first->inside) {
            collect(c, first->inside, best->graphs, into);
        }
    }
}

GArray *plan_cut(const PlanTree *tree, guint with, const AtlasPlanCosts *costs,
                 const PlanPricing *pricing, double *cost) {
    guint budgets = (guint)MAX(pricing->most, 0) + 1;
    Chooser c = {tree, with, costs, pricing, budgets};
    Block *step = solve(&c, tree->step + 1, tree->step_end, 1);
    GArray *windows = windows_new();
    if (cost)
        *cost = best_at(&c, step, step->members->len, budgets - 1)->cost;
    collect(&c, step, budgets - 1, windows);
    block_free(step);
    for (guint i = 0; i < windows->len; i++)
        fill(tree, &g_array_index(windows, AtlasPlanWindow, i));
    return windows;
}

GArray *plan_singles(const PlanTree *tree) {
    GArray *windows = windows_new();
    for (guint i = tree->step + 1; i < tree->step_end; i++) {
        AtlasOpKind kind = plan_op(tree->program, i)->kind;
        if (plan_stream_operand(kind) < 0 || tree->parts[i] || tree->blocked[i] ||
            kind == ATLAS_OP_RECORD || kind == ATLAS_OP_WAIT)
            continue;
        AtlasPlanWindow window = {.first = i, .last = i, .of = windows->len};
        g_array_append_val(windows, window);
    }
    return windows;
}
