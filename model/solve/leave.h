/* Leave-one-out: what the other runs say that a run must show.
 *
 * Bounds are on the counter's reading, not on the launches: a stage's reading lies within one lag
 * of its launches either way, since what flows in and out lies between 0 and the lag.
 */
#ifndef ATLAS_MODEL_SOLVE_LEAVE_H
#define ATLAS_MODEL_SOLVE_LEAVE_H

#include "model/solve/lp.h"
#include "model/solve/point.h"

typedef struct {
    double least_lag;        /* of the other runs */
    gboolean feasible;       /* they agree at the stated lag */
    AtlasInterval *readings; /* sums over the run's window: each stage, then the total */
    AtlasRat *launches;      /* the point of the other runs, the same order; or NULL */
} AtlasLeftOut;

/* Leaves out one observation, which must not be excluded. */
AtlasLeftOut *atlas_leave_out(const AtlasEvidence *evidence, guint observation, AtlasRat lag);
void atlas_left_out_free(AtlasLeftOut *left);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasLeftOut, atlas_left_out_free)

#endif
