/* What would make a refuted property hold. Internal to prove.c.
 *
 * A mend is tried before it is said: the program is copied, changed and proved again.
 */
#ifndef ATLAS_MODEL_PROOF_MEND_H
#define ATLAS_MODEL_PROOF_MEND_H

#include "model/proof/engine.h"
#include "model/proof/prove.h"

/* The edges between accesses that leave no race: "record a new event after 'kda' (line 3) in s0,
 * wait for it before 'opt' (line 5) in s1; …". NULL: more than MEND_EDGES are needed, or the
 * program with them does not run. The caller frees it. */
char *mend_races(const AtlasProgram *program, gint64 depth, gint64 steps, const Flow *flow,
                 const Race *race);
enum { MEND_EDGES = 8 };

/* The text of a program that races, with such edges and under another name; NULL as above. The
 * caller frees it. */
char *mend_program(const AtlasProgram *program, const char *name);

/* The least depth, up to MEND_DEPTH_MAX, at which the program does not get stuck. */
char *mend_stuck(const Flow *flow, gint64 depth, gint64 steps);
enum { MEND_DEPTH_MAX = 1 << 16 };

/* For a read that may lag: a sync of the context before it. */
char *mend_read(const AtlasProgram *program, gint64 depth, gint64 steps, guint op);

#endif
