/* The split of a step: which sums of populations the runs tell apart, and how. Internal to graphs/.
 *
 * A cell is a set of populations of one stage. These are looked at, stage by stage:
 *
 *     by arms        populations that the same arms switch off, of the arms that some run switches:
 *                    what KDA launches in the main part, what it launches in the teacher, ...
 *     by parameters  of each parameter that some run changes, what depends on it, and what does not
 *     by name        groups and single populations, where a formula (formula.h) measures them
 *     off            what an arm adds that the base lacks and some run has
 *
 * The parts of a stage are cells that do not overlap and make it up: those by arms, divided further
 * wherever a formula measures a piece of one. So the parts of all stages make up the step, and
 * there are as many of them as differences of runs can tell.
 */
#ifndef ATLAS_GRAPHS_SPLIT_H
#define ATLAS_GRAPHS_SPLIT_H

#include "graphs/formula.h"

typedef struct {
    guint stage;
    gboolean *in; /* populations */
    gboolean off; /* of what the base lacks */
    gboolean part;
    gboolean shown;    /* says something of its own */
    AtlasLinear *form; /* what they launch over `steps` steps */
    gint64 steps;
    GPtrArray *formulas; /* of Formula*, the one to show first; empty: no difference measures it */
} SplitCell;

typedef struct {
    const Ground *ground;
    GPtrArray *cells; /* of SplitCell*, which it owns, in the order of the stages */
    GPtrArray *parts; /* of SplitCell*: those that make up the step */
    gboolean exact;   /* the parts' first formulas add up to what the base run counted */
    guint most;       /* runs in a formula at most */
} Split;

Split *split_new(const Ground *ground);
void split_free(Split *split);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Split, split_free)

/* What the first formula measures: launches a step. No number where there is none. */
AtlasRat split_measured(const SplitCell *cell);

#endif
