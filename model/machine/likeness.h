/* Whether an exec can become what a graph is: the comparison behind cuGraphExecUpdate.
 *
 * Nodes are compared in the order in which they were captured, a launch xN as N launches. Topology
 * comes first: as many nodes, each with the same dependencies. Then types, and which way copies go;
 * of several faults the one at the last node counts (deep-01080). What a kernel, its arguments or
 * the host side of a copy is does not matter (rule-update-copy-kind).
 *
 * That nodes are matched in the order of capture is an assumption where graphs are no chains: see
 * tests/programs/README.md.
 */
#ifndef ATLAS_MODEL_MACHINE_LIKENESS_H
#define ATLAS_MODEL_MACHINE_LIKENESS_H

#include "model/machine/rules.h"
#include "model/machine/state.h"

/* The rule that forbids it, or ATLAS_RULE_NONE. */
AtlasRule likeness_fault(const AtlasMachine *m, Ref exec, Ref graph);

#endif
