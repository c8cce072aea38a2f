/* Whether an exec can become what a graph is: the comparison behind cuGraphExecUpdate. */
#ifndef ATLAS_MODEL_MACHINE_LIKENESS_H
#define ATLAS_MODEL_MACHINE_LIKENESS_H

#include "model/machine/rules.h"
#include "model/machine/state.h"

/* The rule that forbids it, or ATLAS_RULE_NONE. */
AtlasRule likeness_fault(const AtlasMachine *m, Ref exec, Ref graph);

#endif
