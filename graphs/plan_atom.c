/* Ops and loops as the choice of windows sees them. */
#include "graphs/plan_atom.h"

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

Atom plan_atom(const PlanTree *tree, guint first, guint last) {
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

static double share_of_steps(const AtlasPlanCosts *costs, gint64 every) {
    return (double)costs->over / (double)every;
}

double plan_cost_alone(const AtlasPlanCosts *costs, const AtlasOp *op, gint64 times) {
    if (plan_stream_operand(op->kind) < 0 || op->kind == ATLAS_OP_RECORD ||
        op->kind == ATLAS_OP_WAIT)
        return 0;
    return (double)op->count * (double)costs->clock.launch_ns * (double)times *
           share_of_steps(costs, op->every);
}

double plan_cost_launches(const AtlasPlanCosts *costs, const Atom *run, guint copies,
                          gint64 times) {
    gint64 each = atlas_clock_graph_ns(&costs->clock, run->nodes) + copies * costs->clock.launch_ns;
    return (double)times * share_of_steps(costs, run->every) * (double)each;
}

double plan_cost_graphs(const AtlasPlanCosts *costs, const Atom *run, gint64 graphs) {
    return (double)graphs * ((double)costs->graph_ns + (double)costs->node_ns * (double)run->nodes);
}

gint64 plan_atom_graphs(const PlanTree *tree, const Atom *run) {
    gint64 graphs = 1;
    guint depth = 0;
    for (guint loop = tree->loop[run->first]; loop != G_MAXUINT; loop = tree->loop[loop], depth++)
        if (run->indices >> depth & 1)
            graphs *= plan_iterations(plan_op(tree->program, loop));
    return graphs;
}

double plan_cost_window(const PlanTree *tree, const AtlasPlanCosts *costs,
                        const AtlasPlanWindow *w) {
    Atom run = plan_atom(tree, w->first, w->last);
    return plan_cost_launches(costs, &run, plan_slots_copies(w->slots), w->times) +
           plan_cost_graphs(costs, &run, w->graphs);
}

void plan_price(const PlanTree *tree, const AtlasPlanCosts *costs, AtlasPlanWindow *w) {
    double eager = 0;
    for (guint i = w->first; i <= w->last; i++)
        eager += plan_cost_alone(costs, plan_op(tree->program, i), plan_tree_times(tree, i));
    w->copies = w->times * plan_slots_copies(w->slots);
    w->saved_ns = (gint64)((eager - plan_cost_window(tree, costs, w)) / (double)costs->over);
}
