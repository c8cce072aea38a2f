/* Which calls of different host threads commute: in whatever order the two come, both succeed or
 * one fails, and where both succeed the driver's state is the same behind them. Internal to the
 * search of legal.h.
 *
 * It is told from what calls name, and from what the rules of the driver (model/machine/checks.h)
 * look at beyond that:
 *
 * - Names that ever stand in one op belong together (a stream and an event that it records, a graph
 *   and the stream that captured it, …), and so do names that belong to the same one. Calls that
 *   name things which belong together do not commute.
 * - Unsafe calls, and synchronizing with the context, look at which captures are open: they do not
 *   commute with calls that begin or end one. Where they fail the search is over, and else they
 *   change nothing.
 * - Uses of the legacy stream look at which captures blocking streams take part in: they do not
 *   commute with those calls either, nor with waits and graph launches, by which streams join.
 * - Loading a module succeeds and invalidates: it commutes with nothing that names anything.
 * - A thread's mode is looked at by its own calls only. Ops that are no driver calls change nothing
 *   but flags, which are names.
 *
 * What commutes is tested on the simulated driver, in all states of random programs
 * (tests/unit/test_legal.c).
 */
#ifndef ATLAS_MODEL_PROOF_COMMUTE_H
#define ATLAS_MODEL_PROOF_COMMUTE_H

#include "model/op/program.h"

/* What an op, or any of several ops, is, and what it does not commute with, as bits. */
typedef struct {
    guint64 is, against;
} Touch;

/* Of each op of the program, as far as the threads go: they begin at op `first`, and what stands
 * before it is done by then. Bits tell ops of different threads apart only. The caller frees them.
 */
Touch *commute_touches(const AtlasProgram *program, guint first);

static inline gboolean commute_clash(Touch a, Touch b) {
    return (a.is & b.against) != 0 || (b.is & a.against) != 0;
}

#endif
