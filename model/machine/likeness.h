/* Whether an exec can become what a graph is: the comparison behind cuGraphExecUpdate.
 *
 * cuda.h describes it: both have equally many nodes and exit nodes (which nothing follows); exit
 * nodes are paired in their order, and from each pair backwards the dependencies in the order of
 * the edges, of which both must have equally many; no node may be in two pairs. Exit nodes stand in
 * the order in which the origin depended on them at the end of the capture
 * (rule-update-pairs-exit-nodes-in-the-order-of-joins). That is topology, and comes first
 * (deep-01144, deep-01448). Then types, and which way copies go; of several faults that counts
 * which the walk, level by level, meets first: it begins with the last exit node
 * (rule-update-reports-the-last-exit-node's-fault) and goes along a node's dependencies from the
 * first (rule-update-reports-the-first-dependency's-fault, deep-01080). What a kernel, its
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
