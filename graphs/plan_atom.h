/* Atoms: what a block is made of for the choice of windows, what they cost, and which are alike.
 * Internal to plan_atom.c, plan_alike.c, plan_choose.c and plan_share.c.
 *
 * Costs are host nanoseconds over all steps that a plan is used for, of which an op with every:E is
 * performed in one of E: in the mean, as over whole periods. Where every E divides the steps they are
 * whole numbers far below 2^53, so sums in double are exact; else they are right to the last digit
 * or two of a double.
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

/* ---- plan_alike.c: what could share graphs ---- */

/* Where a body stands: its first and last op; the copies that it takes there around its launch, if
 * its graph serves all of the body's places. */
typedef struct {
    guint first, last, copies;
} PlanPlace;

/* A run of atoms that the step holds more than once. */
typedef struct {
    GArray *places; /* of PlanPlace */
    gint64 worth;   /* nodes that need not be instantiated, if one graph serves all */
} PlanBody;

typedef struct {
    guint *exactly;    /* by an atom's first op: how many atoms of the step do the same to the same
                          places; 1: none may share its graph; 0: it is nothing that is captured */
    guint *wherever;   /* ... the same wherever, with copies */
    guint links;       /* atoms in all */
    GPtrArray *bodies; /* of PlanBody*, by worth */
} PlanAlike;

/* Bodies are looked for only among so many atoms as that takes no time to speak of. */
PlanAlike *plan_alike_new(const PlanTree *tree, guint with, const AtlasPlanCosts *costs);
void plan_alike_free(PlanAlike *alike);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PlanAlike, plan_alike_free)

/* ---- plan_choose.c ---- */

/* What the choice of windows takes graphs to cost. */
typedef struct {
    GArray **paid;          /* by op, of PlanPlace, or NULL: windows there launch graphs that are
                               paid for already; NULL: none is */
    const PlanAlike *alike; /* a window pays no more than its share of a graph that serves all that
                               could share it, so that no choice costs less; NULL: each its own */
    gint64 most;            /* graphs, in parts of a graph, beside those that are paid; -1: any */
    gint64 parts;           /* of a graph */
} PlanPricing;

/* The windows of least cost at these prices, of AtlasPlanWindow, in order; `cost`, unless NULL,
 * becomes that of the whole step. */
GArray *plan_cut(const PlanTree *tree, guint with, const AtlasPlanCosts *costs,
                 const PlanPricing *pricing, double *cost);

#endif
