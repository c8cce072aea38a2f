/* Proofs, told: to people as text, to programs as JSON.
 *
 * What clashes stands with its file and line (of a program that was lowered: of the spec), with the
 * schedule that leads there as numbered steps, and with what mends it.
 */
#ifndef ATLAS_MODEL_PROOF_TELL_H
#define ATLAS_MODEL_PROOF_TELL_H

#include <jansson.h>

#include "model/proof/prove.h"

/* Lines of a schedule that people see, where several alike in a row are one; of a longer one its
 * beginning and its end. */
enum { ATLAS_TELL_STEPS = 24 };

/* What of the program a proof speaks of, where that needs saying: "at stage bwd", "fwd" (of a
 * count). NULL: of all of it. The caller frees it. */
char *atlas_tell_of(const AtlasProof *proof, const AtlasProgram *program);

/* What was found, in few words: "holds", "0..5401", "1297". The caller frees it. */
char *atlas_tell_value(const AtlasProof *proof);

/* A whole statement: what was proved, over what, by which method, what is assumed; or what breaks
 * it and what would mend it. The caller frees it. */
char *atlas_tell_why(const AtlasProof *proof);

/* "step.yaml:31", where an op stands; NULL: nowhere. The caller frees it. */
char *atlas_tell_place(const AtlasProgram *program, guint op);

/* Appends a refutation: why, what clashes, the schedule, the mend; whole lines. */
void atlas_tell(const AtlasProof *proof, const AtlasProgram *program, GString *out);

/* {"verdict", "over", "method", "assumes", "why", "accesses": [{"place", "op", "step", "nth"}...],
 * "buffer", "further", "schedule": [{"by", "does", "op", "place", "step", "nth", "count"}...],
 * "mend"}. `by` is "host" ("thread 2", of several) or a stream, `does` is "perform" or "complete".
 * What does not apply is null. The caller owns it. */
json_t *atlas_tell_json(const AtlasProof *proof, const AtlasProgram *program);

/* "smear=2,0": the greatest smear of each read, as a program would expect it; "any" is without end.
 * The caller frees it. */
char *atlas_tell_smears(const AtlasProofs *proofs);

#endif
