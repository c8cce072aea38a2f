/* Programs for other model checkers: what tests compare the engine and the search with.
 *
 * A program is read a third time, with nothing of the engine or the search: ops are unrolled into
 * calls of the host and tasks of streams, and everything else (what an event stands for, how many
 * places a queue has left, what the counter says) is a variable that calls and tasks change while
 * the model runs. Two texts come of it:
 *
 * - Murphi, for Rumur: one rule for each call and each task. Its states are those of the search, so
 *   that their numbers must be equal. A race is a state in which two conflicting accesses are under
 *   way or could be.
 * - Promela, for SPIN: a process for the host and for each stream. An access begins and ends, and a
 *   race is one that begins while a conflicting one has not ended.
 *
 * Modelled: launches, copies between buffers and memsets, events, flags, syncs, what the host reads
 * and writes, the counter, depth and slot, captures without events from outside, graph launches.
 * Anything else is refused with the op's word: the legacy stream above all, and copies that the
 * host waits for.
 */
#ifndef ATLAS_TESTS_PEERS_PEER_H
#define ATLAS_TESTS_PEERS_PEER_H

#include "model/op/program.h"

/* What is read or written: a buffer or a part of one (-1: the whole). */
typedef struct {
    const char *buffer;
    gint64 part;
} PeerCell;

typedef struct {
    guint cell;
    gboolean write;
} PeerUse;

/* A task sets its mark when it ends; marks stand for what an event recorded, or an edge of a graph
 * leads from. Mark 0 is set from the start. */
typedef struct {
    guint stream, op;
    guint mark;      /* 0: none */
    guint wait;      /* bound[wait] holds the mark that it waits for; 0: none */
    GArray *behind;  /* of guint: marks that it waits for, too; may be NULL */
    guint sets;      /* a flag; 0: none, as in all fields of flags */
    guint awaits;    /* a flag */
    GArray *uses;    /* of PeerUse; may be NULL */
    gboolean kernel; /* the counter counts it */
    gboolean frees;  /* a place in the stream's queue, when it ends (or starts: PeerModel.slot) */
} PeerTask;

typedef struct {
    gboolean event; /* else a stream: all that it was given so far */
    guint which;
} PeerSync;

typedef enum { PEER_GIVE, PEER_ACCESS, PEER_READ, PEER_SET, PEER_END } PeerAct;

typedef struct {
    PeerAct act;
    guint op;
    guint task;     /* GIVE: in PeerModel.tasks */
    guint event;    /* GIVE of a record or a wait: its event + 1 */
    gboolean takes; /* GIVE: a place */
    guint sets, awaits;
    guint reading; /* READ: in PeerModel.readings */
    GArray *uses;  /* ACCESS: of PeerUse */
    GArray *syncs; /* of PeerSync: what it waits for; may be NULL */
} PeerCall;

typedef struct {
    const AtlasProgram *program; /* borrowed */
    gint64 depth;                /* places of a stream; 0: without end */
    gboolean starts;             /* a task starts and ends in two steps */
    gboolean slot;               /* a place is free when its task starts */
    guint streams, events, marks, waits, flags;
    gint64 kernels;    /* that are given in all */
    GArray *tasks;     /* of PeerTask, in the order in which they are given */
    GArray *calls;     /* of PeerCall */
    GArray *cells;     /* of PeerCell */
    GArray *readings;  /* of guint: the ops that read the counter */
    GPtrArray *queues; /* of GArray of guint: each stream's tasks */
    GPtrArray *lists;  /* everything else that is owned */
    char *refused;     /* the word of an op that is not modelled; NULL: all is */
} PeerModel;

/* `starts`: a task starts and ends in two steps; so it does where the program says `slot start`. */
PeerModel *peer_model_new(const AtlasProgram *program, gint64 depth, gboolean starts);
void peer_model_free(PeerModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(PeerModel, peer_model_free)

/* What a text asserts. */
typedef struct {
    gboolean race;        /* no two conflicting accesses at once */
    const gint64 *bounds; /* of each reading: the most that it may lag, or PEER_ANY; NULL: any */
} PeerClaim;
#define PEER_ANY G_MAXINT64

/* The caller frees the text. */
char *peer_murphi(const PeerModel *model, PeerClaim claim);
char *peer_promela(const PeerModel *model, PeerClaim claim);

/* Whether two accesses clash. */
gboolean peer_conflict(const PeerModel *model, const PeerUse *a, const PeerUse *b);

static inline const PeerTask *peer_task(const PeerModel *m, guint i) {
    return &g_array_index(m->tasks, PeerTask, i);
}
static inline const PeerCall *peer_call(const PeerModel *m, guint i) {
    return &g_array_index(m->calls, PeerCall, i);
}
static inline const GArray *peer_queue(const PeerModel *m, guint stream) {
    return g_ptr_array_index(m->queues, stream);
}

#endif
