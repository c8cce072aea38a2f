/* What the host threads of a program perform, each in its own order, and which of them a search may
 * follow alone. Internal to the search of legal.h.
 *
 * A thread is a list of ops, out of loops and steps, and a place in it. For a step without end the
 * list holds two periods of steps, and behind the last op the second period begins again: so that
 * every place there stands for all further steps, and whatever a thread ever did in the step lies
 * before it.
 *
 * The threads that a search may follow alone, in a state, are such that no op that any other thread
 * still has clashes with their next ones (commute.h). Whatever the others do, these ops can then be
 * done first, with the same effect: a failure that the others lead to is found behind them, and
 * one that they have a part in, too. (Persistent sets: Godefroid 1996.)
 */
#ifndef ATLAS_MODEL_PROOF_LEGAL_THREADS_H
#define ATLAS_MODEL_PROOF_LEGAL_THREADS_H

#include "model/proof/commute.h"
#include "model/proof/prove.h"

/* Ops of one thread. */
enum { LEGAL_OPS_MAX = 1 << 16 };

typedef struct {
    const AtlasProgram *program;
    guint count;
    GArray **ops; /* of AtlasWhen, by thread */
    guint *back;  /* the place that follows the last op's: the list's length, or that of the second
                      period */
    guint64 lap;  /* steps from there to the end */
    Touch *touches; /* by op of the program */
    Touch **rest;   /* by thread and place: all that is to come */
} LegalThreads;

/* The ops of a program that are dealt out. */
typedef struct {
    guint first, end;
} LegalRange;

/* Deals out ops, the step `steps` times; 0: without end, where `period` is that of its every: and no
 * op behind the step is dealt out. FALSE: too many ops; clear it all the same. */
gboolean legal_threads_init(LegalThreads *threads, const AtlasProgram *program, LegalRange range,
                            gint64 steps, gint64 period);
void legal_threads_clear(LegalThreads *threads);

static inline const AtlasWhen *legal_when(const LegalThreads *t, guint thread, guint place) {
    return &g_array_index(t->ops[thread], AtlasWhen, place);
}
static inline const AtlasOp *legal_op(const LegalThreads *t, guint thread, guint place) {
    return &g_array_index(t->program->ops, AtlasOp, legal_when(t, thread, place)->op);
}

/* Whether one has another op, and does not wait for a flag. */
gboolean legal_can_go(const LegalThreads *t, const guint *places, guint thread);

/* The place behind this one. */
static inline guint legal_next(const LegalThreads *t, guint thread, guint place) {
    return place + 1 == t->ops[thread]->len ? t->back[thread] : place + 1;
}

/* Threads to follow, as bits: the fewest that may be followed alone and of which one can go; all,
 * where there are none such. */
guint64 legal_threads_alone(const LegalThreads *t, const guint *places);

#endif
