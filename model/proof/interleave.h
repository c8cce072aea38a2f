/* All interleavings of host threads that differ. Internal to proofs of several threads.
 *
 * Two interleavings are alike where one becomes the other by exchanging neighbours of different
 * threads that touch nothing in conflict (deal.h): the driver then does the same. Of those that are
 * alike one is visited, of each kind (sleep sets; and an op that touches nothing that another
 * thread does is taken alone). A thread that waits for a flag goes on once the flag was set, by a
 * host or by work that a host gave to a stream. Where threads wait for ever, the interleaving ends
 * there.
 */
#ifndef ATLAS_MODEL_PROOF_INTERLEAVE_H
#define ATLAS_MODEL_PROOF_INTERLEAVE_H

#include "model/proof/deal.h"

/* One interleaving: which thread performs its next op, one after the other. FALSE: stop. */
typedef gboolean InterleaveVisit(gpointer user, const guint *threads, guint len);

/* FALSE: there may be more, beyond so much work, or a visit stopped it. Work is counted in ops: those
 * performed on the way, and all of the program for each visit, which goes through them. */
gboolean interleave(const Deal *deal, guint64 most, InterleaveVisit *visit, gpointer user);

#endif
