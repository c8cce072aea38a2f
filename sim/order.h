/* What the order of two accesses that race does to memory. */
#ifndef ATLAS_SIM_ORDER_H
#define ATLAS_SIM_ORDER_H

#include "model/proof/prove.h"

/* Whether a program consists of straight lines, without step and loops. */
gboolean atlas_is_straight(const AtlasProgram *program);

/* The first buffer whose fingerprint, as the host reads it or at the end, is another one where the
 * second access of a refuted race comes first (atlas_execute_late) than in the order of the calls.
 * NULL: none is, or the program cannot be executed. The name is the program's, which is of straight
 * lines. */
const char *atlas_order_shows(const AtlasProgram *program, const AtlasProof *race);

#endif
