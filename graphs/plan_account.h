/* What a plan file says of itself, held against its programs: a file that was edited, or that
 * belongs to other programs, is told.
 *
 * The planned program says which graphs there are, in the order of the windows that they are of, how
 * often a step launches each, and how many nodes each has. So of each window `graphs`, `nodes`,
 * `graph_launches`, `launches`, `every` and `stage` are checked (those of windows that share a graph,
 * in the same steps and stage, together), and of the totals all. What the
 * windows save is held against the total alone: prices are not in the programs.
 */
#ifndef ATLAS_GRAPHS_PLAN_ACCOUNT_H
#define ATLAS_GRAPHS_PLAN_ACCOUNT_H

#include "graphs/plan_show.h"
#include "model/machine/outcome.h"

/* What does not agree: "window 2: 91 launches, but the program has 90"; NULL: all does. `answers`
 * are those of a run of the planned program. The caller frees it. */
char *atlas_plan_account(const AtlasPlanFile *file, const AtlasOutcome *answers);

#endif
