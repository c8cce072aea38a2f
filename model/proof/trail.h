/* Trails: a refutation written as programs that run.
 *
 * A trail is a program file (model/op/program.h) of straight lines: no step and no loop, each op as
 * often as it was performed, each call with the result that the simulated driver returns. So
 * `atlas-check FILE` replays it and agrees, and `atlas-check --backend cuda FILE` asks the GPU's
 * driver.
 *
 * LEGAL: the calls of all host threads in the order of the schedule, up to the one that fails, with
 * its error.
 *
 * RACE, RACE_AT_DEPTH: the calls up to the second access, with what is complete by then as
 * comments, and `expect race=yes`, which `atlas-check FILE --prove` proves again. Then, where
 * neither access is made by a graph, a second program in which flags hold the first access back
 * until the second is done: that it does not get stuck shows that the order of the calls is not
 * that of the accesses.
 *
 * DEADLOCK: the calls up to where nothing can go on, and `expect deadlock=yes`.
 *
 * SMEAR, WINDOW: the calls up to the read that lags most, and `expect smear=` how far each read may
 * lag (or window=inexact, where that can be seen up to there).
 *
 * What is written was run and proved again: it shows what it says.
 */
#ifndef ATLAS_MODEL_PROOF_TRAIL_H
#define ATLAS_MODEL_PROOF_TRAIL_H

#include "model/proof/prove.h"

#define ATLAS_TRAIL_ERROR (atlas_trail_error_quark())
GQuark atlas_trail_error_quark(void);

/* The trail of a refuted proof of `program`, which was proved with `options`. The caller frees it.
 * NULL, with an error: it is too long, or cannot be written as a straight line. */
char *atlas_trail(const AtlasProgram *program, const AtlasProof *proof,
                  const AtlasProveOptions *options, GError **error);

#endif
