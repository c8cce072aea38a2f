/* What each host thread of a program performs, and which of it touches the same things. Internal to
 * what goes through interleavings.
 *
 * Two ops of different threads may change places, with the device doing the same in the same order,
 * but where they touch the same thing and not both in the same harmless way. Things are streams,
 * events, graphs, execs, memory and flags; what the legacy stream waits for, and the context as a
 * whole. (Which calls commute as to what the driver answers is another question, and is taken to be
 * settled: commute.h.)
 */
#ifndef ATLAS_MODEL_PROOF_DEAL_H
#define ATLAS_MODEL_PROOF_DEAL_H

#include "model/proof/legal_threads.h"

typedef struct {
    const AtlasProgram *program; /* borrowed */
    LegalThreads threads;        /* with finitely many steps */
    guint opening;               /* ops before it are declarations that open the program */
    GHashTable *blocking;        /* names of streams that are blocking */
} Deal;

/* Deals out a program, its step so many times. NULL: a thread performs too much. */
Deal *deal_new(const AtlasProgram *program, gint64 steps);
void deal_free(Deal *deal);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Deal, deal_free)

static inline guint deal_count(const Deal *deal, guint thread) {
    return deal->threads.ops[thread]->len;
}
static inline AtlasWhen deal_when(const Deal *deal, guint thread, guint place) {
    return *legal_when(&deal->threads, thread, place);
}
static inline const AtlasOp *deal_op(const Deal *deal, guint thread, guint place) {
    return legal_op(&deal->threads, thread, place);
}

typedef enum {
    DEAL_STREAM,
    DEAL_EVENT,
    DEAL_GRAPH,
    DEAL_EXEC,
    DEAL_MEMORY,
    DEAL_FLAG,
    DEAL_LEGACY, /* what the legacy stream and blocking ones wait for of each other */
    DEAL_CONTEXT /* what a sync of the context waits for */
} DealThing;

/* Two touches of a thing are in conflict unless both are READ, both LEFT or both RIGHT. */
typedef enum { DEAL_READ, DEAL_LEFT, DEAL_RIGHT, DEAL_WRITE, DEAL_MODES } DealMode;

typedef struct {
    DealThing thing;
    const char *name; /* of one thing always the same pointer; NULL where there is one only */
    DealMode mode;
} DealTouch;
enum { DEAL_TOUCHES = 8 };

/* What an op touches; how much that is. */
guint deal_touches(const Deal *deal, const AtlasOp *op, DealTouch touches[DEAL_TOUCHES]);

/* A table whose keys are touches, whatever their modes; it owns keys and values. */
GHashTable *deal_table_new(void);

static inline gboolean deal_modes_conflict(DealMode a, DealMode b) {
    return a != b || a == DEAL_WRITE;
}

gboolean deal_conflict(const Deal *deal, const AtlasOp *a, const AtlasOp *b);

/* Whether ops give work to a stream, or bind something of it. */
gboolean deal_enqueues(AtlasOpKind kind);

#endif
