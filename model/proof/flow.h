/* A program as the checker sees it: every op that orders, accesses or counts anything, with numbers
 * in the place of names. Internal to the engine; the search reads programs in its own way, so that
 * neither can hide the other's mistakes.
 *
 * What an op means on the device, and where that is said:
 * - A stream performs its work in the order of the calls. Streams are independent but for what
 *   follows.
 * - `record` marks the end of what its stream was given so far; `wait` binds to the latest earlier
 *   record of its event, of none it is a no-op (driver API, cuStreamWaitEvent).
 * - The legacy stream's work waits for what all blocking streams were given before, and what they
 *   are given afterwards waits for it; ptds is a blocking stream (driver API, "Stream
 *   synchronization behavior"). Every op on the legacy stream counts as work, records and waits
 *   too. sync_stream of the legacy stream is credited only with waiting for the legacy stream.
 * - memset_sync, htod_sync and dtoh_sync are work on the legacy stream. The host waits for
 *   dtoh_sync and for a pageable dtoh_async ("API synchronization behavior"); it does not for the
 *   others.
 * - A buffer that some copy begins or ends at on the host has two sides: its host's is what such
 *   copies, the host itself and functions that run on it access (model/op/copies.h).
 * - An htod_sync, and a pageable htod_async, read their source at the call; every other copy reads
 *   and writes when it runs.
 * - host_set of a scalar that some kernel reads from memory (a:X@device) writes that memory.
 * - A write to memory that is newly allocated (f:) is a write like any other.
 * - Launches of one exec are ordered; those of another one under the same name are not ("graph
 *   execution": each launch is ordered behind earlier ones of the same cudaGraphExec_t).
 * - Queries, malloc, free and calls that only create things order nothing.
 */
#ifndef ATLAS_MODEL_PROOF_FLOW_H
#define ATLAS_MODEL_PROOF_FLOW_H

#include "model/op/program.h"

#define FLOW_NONE G_MAXUINT32

/* Chains beyond this many are not modelled: clocks have one number for each. */
#define FLOW_CHAINS_MAX 512

/* Chain 0 is the host; the others are streams. */
enum { FLOW_HOST_CHAIN = 0 };

typedef enum {
    FLOW_TASK,         /* work on a stream */
    FLOW_GRAPH_LAUNCH, /* a task made of a graph's nodes */
    FLOW_RECORD,
    FLOW_WAIT,
    FLOW_SYNC_STREAM,
    FLOW_SYNC_EVENT,
    FLOW_SYNC_CONTEXT,
    FLOW_HOST,       /* the host reads or writes buffers */
    FLOW_SET_FLAG,   /* the host sets a flag */
    FLOW_AWAIT_FLAG, /* the host waits for a flag */
    FLOW_READ,       /* the host reads the counter */
    FLOW_STAGE,      /* a stage begins */
    FLOW_EVENT,      /* an event is made anew */
    FLOW_EXEC,       /* an exec is made anew: it is not ordered behind launches of the old one */
    FLOW_CALL,       /* a call that only the machine knows about */
    FLOW_LOOP,
    FLOW_STEP,
    FLOW_END
} FlowAct;

/* An access to a buffer. `cell` is the buffer's first cell: that of accesses to the whole; behind
 * it stand one for accesses to any part, then one for each part. */
typedef struct {
    guint cell;
    gboolean part;  /* an access to one part: offset + sign * the value of the loop at `level` */
    gboolean write; /* else it reads */
    gboolean host;  /* the host accesses it, during the call */
    guint level;
    gint64 offset;
    int sign;
} FlowAccess;

typedef struct {
    guint op;               /* in the program */
    guint chain;            /* the stream's */
    guint name;             /* of an event, exec, stage or loop level */
    guint sets, awaits;     /* the flag that a task sets, or waits for; FLOW_NONE */
    guint access, accesses; /* in Flow.accesses; equal ones in a row are shared */
    guint partner;          /* of LOOP and STEP their END, and back; of `same` its row's last op */
    gint64 count; /* serial repetitions, each in a place of the queue; of LOOP: iterations */
    gint64 every;
    gint64 first;   /* of LOOP: its index in the first iteration */
    gint64 row;     /* of `same`: repetitions from this op to its row's last */
    guint8 act;     /* FlowAct */
    guint8 kernel;  /* the counter counts it */
    guint8 sync;    /* a synchronous copy or memset: not captured, whatever captures */
    guint8 waited;  /* the host waits until it is done */
    guint8 exact;   /* a counter read that is expected exact */
    guint8 same;    /* repeats the op before it: the same work on the same stream */
    guint8 more;    /* the op behind it repeats it */
    guint8 indexed; /* LOOP: what its body does depends on its index */
} FlowOp;

typedef struct {
    const AtlasProgram *program;
    GArray *ops;       /* of FlowOp */
    GArray *accesses;  /* of FlowAccess */
    GArray *streams;   /* of FlowStream, by chain; that of the host is empty */
    GArray *buffers;   /* of FlowBuffer, in the order of their cells */
    GPtrArray *stages; /* names */
    guint events, flags, execs, cells, levels;
    gint64 depth;          /* of the program; 0: none */
    gboolean entries;      /* records and waits take places, too */
    gboolean slot_start;   /* a place is free when its work starts, not when it ends */
    gboolean counter;      /* there are counter reads; else every stage mark is one */
    gboolean captures;     /* or launches graphs */
    guint step;            /* the STEP op, or FLOW_NONE */
    gint64 period;         /* steps after which `every` is as it was */
    guint threads;         /* of the host */
    gboolean refused_flag; /* that a flag is set more than once is the first reason */
    char *refusal;         /* why the engine cannot model the program; NULL where it can */
} Flow;

typedef struct {
    const char *name;
    gboolean legacy, blocking;
} FlowStream;

typedef struct {
    const char *name;
    guint cell;
    gint64 parts;
} FlowBuffer;

/* The program must outlive it. */
Flow *flow_new(const AtlasProgram *program);
void flow_free(Flow *flow);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Flow, flow_free)

static inline const FlowOp *flow_op(const Flow *flow, guint i) {
    return &g_array_index(flow->ops, FlowOp, i);
}
static inline const FlowStream *flow_stream(const Flow *flow, guint chain) {
    return &g_array_index(flow->streams, FlowStream, chain);
}

/* The buffer that a cell belongs to. */
const FlowBuffer *flow_buffer(const Flow *flow, guint cell);

#endif
