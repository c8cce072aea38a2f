/* Whether an exec can become what a graph is: the comparison behind cuGraphExecUpdate.
 *
 * cuda.h describes it: both have equally many nodes and exit nodes (which nothing follows); exit
 * nodes are paired in their order, and from each pair backwards the dependencies in the order of
 * the edges, of which both must have equally many; no node may be in two pairs. That is topology,
 * and comes first (deep-01144, deep-01448). Then types, and which way copies go; of several faults
 * the one that the walk from the exits meets first counts (deep-01080). What a kernel, its
 * arguments or the host side of a copy is does not matter (rule-update-copy-kind).
 *
 * A launch xN is compared as N launches.
 */
#ifndef ATLAS_MODEL_MACHINE_LIKENESS_H
#define ATLAS_MODEL_MACHINE_LIKENESS_H

#include "model/machine/rules.h"
#include "model/machine/state.h"

/* The rule that forbids it, or ATLAS_RULE_NONE. */
AtlasRule likeness_fault(AtlasMachine *m, Ref exec, Ref graph);

#endif
