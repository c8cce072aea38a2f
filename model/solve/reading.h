/* Readings: what the counter of one run can have shown, and the flows that explain what it did. */
#ifndef ATLAS_MODEL_SOLVE_READING_H
#define ATLAS_MODEL_SOLVE_READING_H

#include "model/solve/lp.h"

/* What a stage of a run can have read, summed over its window, given every other sum of the
 * evidence at that lag. NAN where nothing bounds it, both NAN where the other rows contradict each
 * other. As exact as lp_solve is, some 1e-6. */
void atlas_reading_bounds(AtlasEvidence *evidence, guint observation, guint stage, AtlasRat lag,
                          double *lo, double *hi);

/* Mean launches enqueued and not yet counted at the end of each stage of a run, in the solution of
 * least total flow; NAN behind a stage that was not measured. FALSE if there is no solution. */
gboolean atlas_reading_flows(const AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             double *flows);

/* The least set of measured stages of a run whose sums the rest of the evidence cannot explain at
 * that lag: sets failing[stage], and returns how many there are (0: all can be explained). Leaving
 * any one of them out makes the rest of the set explicable. The other runs must be explicable
 * without this one, whose single steps are not looked at. */
guint atlas_reading_conflict(AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             gboolean *failing);

/* Whether all rows of the evidence, those of single steps among them, can be explained at that lag.
 */
gboolean atlas_reading_explicable(const AtlasEvidence *evidence, AtlasRat lag);

/* Whether fractions explain a stage of a run, but whole numbers do not: what it launches over its
 * window, or in one of its steps, is bounded by an interval that holds none of the values it can
 * have. `lp` is that of all the evidence, and feasible. */
gboolean atlas_reading_broken(const AtlasEvidence *evidence, AtlasLp *lp, guint observation,
                              guint stage);

/* The rows of a run in atlas_reading_conflicts: its stages, its stated total, its single steps. */
#define ATLAS_READING_ROWS(model) ((model)->stages->len + 2)

/* A least set of rows, of any runs, that contradict each other at that lag: failing[observation *
 * rows + row] is set for each. Returns how many there are. */
guint atlas_reading_conflicts(AtlasEvidence *evidence, AtlasRat lag, gboolean *failing);

#endif
