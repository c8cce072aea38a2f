/* Trails: a refutation written as programs that run.
 *
 * A trail is a program file (model/op/program.h) of straight lines: no step and no loop, each op as
 * often as it was performed, each call with the result that the simulated driver returns. So
 * `atlas-check FILE` replays it and agrees, and `atlas-check --backend cuda FILE` asks the GPU's
 * driver.
 *
 * LEGAL: the calls of all host threads in the order of the schedule, up to the one that fails, with
 * its error. So are the calls of the other properties, where there are several threads.
 *
 * RACE, RACE_AT_DEPTH: the calls up to the second access, with what is complete by then as
 * comments, and `expect race=yes`, which `atlas-check FILE --prove` proves again. Then, where
 * memory shows it, no flag is waited for and one host thread calls, two programs that run:
 *
 * - the same calls, a launch before the first access on its stream that takes longer than all the
 *   work whose time is stated (that, if it is under a minute), and
 *   `expect fingerprint=differs`: on the simulated machine memory is what the second access leaves
 *   where it comes first; on a GPU, where the delay makes that likely, it is tried some times;
 * - its mended twin, with the events that order the accesses: `expect race=no fingerprint=equal`.
 *
 * An access that writes nothing writes what it read to a buffer trail_seen there.
 *
 * DEADLOCK: the calls up to where nothing can go on, and `expect deadlock=yes`; then, without
 * results, those that never return or are never made.
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

/* Whether a program of straight lines leaves other fingerprints where the second access of its
 * refuted race comes first: sim/order.h knows. */
typedef gboolean AtlasTrailShows(const AtlasProgram *program, const AtlasProof *race);

/* The trail of a refuted proof of `program`, which was proved with `options`. The caller frees it.
 * NULL, with an error: it is too long, or cannot be written as a straight line. Without `shows` what
 * memory shows is left out. */
char *atlas_trail(const AtlasProgram *program, const AtlasProof *proof,
                  const AtlasProveOptions *options, AtlasTrailShows *shows, GError **error);

#endif
