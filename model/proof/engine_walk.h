/* What the engine's two files share: engine.c walks, engine_ops.c performs ops. Internal. */
#ifndef ATLAS_MODEL_PROOF_ENGINE_WALK_H
#define ATLAS_MODEL_PROOF_ENGINE_WALK_H

#include "model/proof/cutoff.h"
#include "model/proof/engine.h"

/* An open loop or step. */
typedef struct {
    guint flow;
    gint64 left;       /* iterations, with this one; G_MAXINT64: for ever */
    Cutoff *cutoff;    /* NULL: not cut */
    gint64 *performed; /* Walk.performed when this iteration began; with cutoff only */
} Frame;

typedef struct {
    Engine *engine;
    const Flow *flow;
    Clocks *clocks;
    const EngineObserver *observer;
    guint find;
    gint64 steps;       /* to perform; 0: for ever */
    GArray *frames;     /* of Frame */
    GPtrArray *graphs;  /* of CapturedGraph, borrowed: of each graph launch */
    GArray *kept;       /* of gint64: values of `index` that items were handed over with */
    gint64 *index;      /* the value of each open loop's index, by level */
    gint64 *performed;  /* by flow op: how often in this step */
    gint64 period_left; /* steps until `every` is as it was */
    gboolean stop;
} Walk;

/* When the op at `at` is performed, if that is now. */
RacePlace walk_place(const Walk *w, guint at);

/* Performs an op that is no block; FALSE where the host is stuck. */
gboolean walk_perform(Walk *w, guint at);

/* Performs a launch that repeats the one before it, and all behind it that do: the ops of a row
 * differ in nothing but their place. Returns the op behind the row. */
guint walk_row(Walk *w, guint at);

/* Notes what an item accesses, now that it is known what comes before it: Clocks.processed. */
void walk_processed(gpointer walk, guint chain, const ClockItem *item);

#endif
