/* One interleaving of several host threads as a program of one thread. Internal to proofs of
 * several threads.
 *
 * Each host thread becomes a stream, and the one host hands everything over at once. On its stream a
 * thread performs a mark for each op, which accesses what the host does during the call. What the
 * call gives to a stream waits for the mark; what the thread waits for, its stream does; and where
 * two threads touch the same thing in conflict (deal.h), the mark of the one that comes later in
 * this interleaving waits for that of the other. So what must come before what, in all schedules of
 * all interleavings that are alike, is what the engine finds in this program.
 *
 * A stream of a thread's own (ptds) becomes a blocking stream. Synchronous copies become
 * asynchronous ones on the legacy stream, whose thread waits. The host side of a buffer is a buffer
 * of its own, "x@host", and every copy is one between buffers. Captures become relaxed ones, and calls
 * that order nothing are left out: whether all calls succeed is for others to prove.
 */
#ifndef ATLAS_MODEL_PROOF_THREAD_LINE_H
#define ATLAS_MODEL_PROOF_THREAD_LINE_H

#include "model/machine/machine.h"
#include "model/proof/deal.h"
#include "model/proof/unroll.h"

/* What an op of the line is made of: NO_OP, nothing that is told. */
typedef struct {
    AtlasWhen when;
    gboolean mark; /* the thread performs it; else work that it gave to a stream */
    gboolean
        order; /* a mark's wait for one of another thread: in another interleaving there is none */
} LineOrigin;

typedef struct {
    AtlasProgram program;
    GArray *origins; /* of LineOrigin, for each of its ops */
    Unroll unroll;   /* owns its names and lists */
} ThreadLine;

/* The line of an interleaving: the thread of each op that is performed, from 0; then, where threads
 * wait for flags that nobody set, what they would perform. */
ThreadLine *thread_line_new(const Deal *deal, const AtlasScript *script, const guint *threads,
                            guint len);
void thread_line_free(ThreadLine *line);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(ThreadLine, thread_line_free)

#endif
