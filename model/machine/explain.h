/* Explanations: why a call failed or invalidated a capture, and what to write instead. */
#ifndef ATLAS_MODEL_MACHINE_EXPLAIN_H
#define ATLAS_MODEL_MACHINE_EXPLAIN_H

#include "model/machine/outcome.h"

/* Appends one sentence for an op's answer, without capital, full stop or line end:
 *
 *     cuStreamSynchronize(s1) is unsafe while this thread captures s0 in global mode: synchronize
 *     before begin, or begin in relaxed mode
 *
 * Where an op is performed several times, "time 2 of 3: " stands before it: the first time at which
 * it was answered so.
 *
 * Appends nothing and returns FALSE where there is nothing to explain: the call succeeded and did
 * to captures what it is meant to do, or the answer is a real driver's. (Explain a real driver's
 * answer by that of the machine, where they agree.) */
gboolean atlas_explain(const AtlasProgram *program, guint op, const AtlasAnswer *answer,
                       GString *out);

/* Appends one sentence for a wait for a flag that no op before it sets: the simulated driver does
 * not wait, and a real one may for ever. FALSE, and nothing, for all other ops. */
gboolean atlas_explain_wait(const AtlasProgram *program, guint op, GString *out);

#endif
