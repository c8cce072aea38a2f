/* The point: one solution in whole numbers, of small total flow.
 *
 * Bounds say what the evidence determines; the point is a single set of values that explains every
 * run within the lag, inside all bounds, so that there is something to launch and replay. It is
 * found by lp_solve's branch and bound, which is quick or hopeless depending on how it branches:
 * a fixed list of ways to branch is tried, each up to a number of nodes, then again with more.
 * The limit is on nodes, never on time, so every machine finds the same point.
 *
 * Where the runs hold together at a much lesser lag than the one that is allowed, a little is spent
 * on points of lesser lags first, the least and its doubles: what is shown should use no more of
 * the lag than it has to. That is no proof: whole numbers may exist at a lesser lag than the
 * point's.
 */
#ifndef ATLAS_MODEL_SOLVE_POINT_H
#define ATLAS_MODEL_SOLVE_POINT_H

#include "model/solve/system.h"

typedef struct {
    AtlasRat *unknowns; /* one for each unknown of the model; the least possible for those that no
                           run shows */
    double lag; /* the least lag at which these values explain all runs; others may need less */
} AtlasPoint;

/* NULL if none was found: there is none at this lag, or it takes more nodes than the limit. */
AtlasPoint *atlas_point_find(const AtlasSystem *system, AtlasRat lag);
void atlas_point_free(AtlasPoint *point);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasPoint, atlas_point_free)

#endif
