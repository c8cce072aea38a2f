/* What must be complete when: vector clocks over the host and the streams. Internal to the engine.
 *
 * A chain is the host or a stream. Work on a stream takes positions 1, 2, 3 … of its chain, one for
 * each serial repetition; the host's positions are its accesses to buffers. A clock says for each
 * chain up to which position everything is complete. Everything given to a stream is an item of its
 * chain, records and waits too, which take no position unless they take a place in the queue.
 *
 * The host hands items over in its order; clocks_add processes them as soon as all that they wait
 * for is processed, so that at every moment exactly that is processed which may be complete, while
 * the host's own clock says what must be. A program without flags never has an item left over: an
 * item waits only for items before it in the order of the calls. With flags that are set once every
 * order of processing gives the same clocks: nothing that can go on is ever hindered by something
 * else that goes on (the events form a marked graph).
 *
 * Back-pressure: of a stream that holds `depth` items, the host waits before it hands over one more
 * until one is freed. The place that item j takes is that of j - depth, so the host's clock learns
 * that j - depth is complete (or, where a place is free when its item starts, has started).
 *
 * Rows: clocks are kept once and shared by all items of a chain that know no more of other chains
 * than the one before. A row's number for the item's own chain means nothing: it is `start`.
 */
#ifndef ATLAS_MODEL_PROOF_CLOCKS_H
#define ATLAS_MODEL_PROOF_CLOCKS_H

#include "model/proof/flow.h"

/* So many items of this chain are done. */
typedef struct {
    guint chain, items;
} ClockNeed;

typedef struct {
    guint row;        /* what is complete when it starts; valid once it is processed */
    guint flow, step; /* the op in Flow.ops; the step it was called in */
    guint host;       /* the row of the host's clock when it was called, where it had to wait */
    guint needs, needs_len; /* in Clocks.needs, until it is processed */
    guint user;             /* the caller's */
    gint64 nth;             /* how often the op was performed before, in this step */
    gint64 start, end;      /* its positions are start + 1 … end; so many places it takes, too */
    gint64 kernels;         /* that the counter counts, of all items up to this one */
    gint64 each;            /* of these, for each of its own positions */
} ClockItem;

typedef struct {
    GArray *items; /* of ClockItem */
    guint done;    /* how many of them are processed */
    guint row;     /* of the last one processed */
    guint seen;    /* the version of the host's clock that is in it */
    guint forced;  /* where the last forced place is: an item */
    guint forced_row;
    guint legacy_seen; /* so many items of the legacy stream were waited for */
} ClockChain;

/* Where the host or a stream cannot go on: the host at an op, or waiting for items of a chain. */
typedef struct {
    gboolean stuck;
    guint chain; /* the items' chain; FLOW_NONE where it waits for a flag */
} ClockStuck;

typedef struct {
    const Flow *flow;
    guint width; /* chains */
    gint64 depth;
    ClockChain *chains;
    GArray *rows;  /* of gint64, `width` for each row; row 0 knows nothing */
    gint64 *host;  /* the host's clock; [0]: its accesses so far */
    guint version; /* of it */
    gint64 *scratch;
    GArray *needs;     /* of ClockNeed */
    ClockNeed *events; /* the latest record of each event; items 0: none */
    ClockNeed *execs;  /* the latest launch of each exec */
    guint *flags;      /* the row of the clock when it was set, + 1; 0: not set */
    guint legacy;      /* the legacy stream's chain, or FLOW_NONE */
    guint waiting;     /* items handed over that are not processed */
    guint items;       /* handed over in all */
    void (*processed)(gpointer user, guint chain, const ClockItem *item);
    gpointer user;
} Clocks;

void clocks_init(Clocks *k, const Flow *flow, gint64 depth);
void clocks_clear(Clocks *k);
gsize clocks_bytes(const Clocks *k);

static inline ClockItem *clocks_item(const Clocks *k, guint chain, guint i) {
    return &g_array_index(k->chains[chain].items, ClockItem, i);
}
static inline gint64 *clocks_row(const Clocks *k, guint row) {
    return &g_array_index(k->rows, gint64, (gsize)row * k->width);
}

/* Hands an item over to its chain and processes what can be. `kernels` is what the counter counts
 * for each of its repetitions. Returns FALSE where the host then cannot go on, for want of a place;
 * `stuck` says why. */
gboolean clocks_add(Clocks *k, const ClockItem *item, guint chain, gint64 repetitions,
                    gint64 kernels, gboolean place, ClockStuck *stuck);

/* What the next item is to wait for, beside the items before it in its chain. */
void clocks_need(Clocks *k, ClockNeed need);

/* The host waits until so many items of a chain are done. */
gboolean clocks_await(Clocks *k, guint chain, guint items, ClockStuck *stuck);
gboolean clocks_await_flag(Clocks *k, guint flag, ClockStuck *stuck);
void clocks_set_flag(Clocks *k, guint flag);

/* Hands over a repetition of the chain's newest item, which was handed over just before it: nothing
 * else was, and the host did nothing else. Since then it can have learnt of this chain only, so
 * that the item's row is the repetition's. */
gboolean clocks_repeat(Clocks *k, guint chain, gint64 repetitions, ClockStuck *stuck);

/* Kernels of a chain that are complete when it is complete up to a position. */
gint64 clocks_kernels(const Clocks *k, guint chain, gint64 position);

#endif
