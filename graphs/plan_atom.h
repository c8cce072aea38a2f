/* Atoms: what a block is made of for the choice of windows, and what they cost. Internal to
 * plan_atom.c, plan_choose.c and plan_share.c.
 *
 * Costs are host nanoseconds over all steps that a plan is used for; whole numbers far below 2^53,
 * so sums in double are exact.
 */
#ifndef ATLAS_GRAPHS_PLAN_ATOM_H
#define ATLAS_GRAPHS_PLAN_ATOM_H

#include "graphs/plan_part.h"

/* An op, a loop whole, or a run of these. */
typedef struct {
    guint first, last;
    gint64 nodes, launches; /* of one execution */
    gint64 every;           /* 0: different ones inside */
    guint thread;           /* 0: nothing that is captured */
    const char *stream;     /* of the first op */
    gboolean waits;         /* for events: work of other streams may be captured, too */
    guint64 indices;        /* of the loops around that it uses, by depth from the innermost */
    gboolean works;         /* launches, or sets or copies memory */
    gboolean closed;        /* no window holds it */
} Atom;

Atom plan_atom(const PlanTree *tree, guint first, guint last);

/* What an op costs outside of windows, performed so often in a step. */
double plan_cost_alone(const AtlasPlanCosts *costs, const AtlasOp *op, gint64 times);
/* What so many copies cost that stand around a graph launch, and graph launches. */
double plan_cost_launches(const AtlasPlanCosts *costs, const Atom *run, guint copies, gint64 times);
/* What so many graphs of a run cost once. */
double plan_cost_graphs(const AtlasPlanCosts *costs, const Atom *run, gint64 graphs);
/* What a window costs: with its graphs, and the copies that its slots say. */
double plan_cost_window(const PlanTree *tree, const AtlasPlanCosts *costs,
                        const AtlasPlanWindow *window);
/* Fills in what a window copies and saves. */
void plan_price(const PlanTree *tree, const AtlasPlanCosts *costs, AtlasPlanWindow *window);
/* Graphs that a run takes: one for each value of the indices that it uses. */
gint64 plan_atom_graphs(const PlanTree *tree, const Atom *run);

#endif
