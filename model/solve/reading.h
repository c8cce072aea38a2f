/* Readings: what the counter of one run can have shown, and the flows that explain what it did. */
#ifndef ATLAS_MODEL_SOLVE_READING_H
#define ATLAS_MODEL_SOLVE_READING_H

#include "model/solve/lp.h"

/* What a stage of a run can have read, summed over its window, given every other row of the
 * evidence at that lag. NAN where nothing bounds it, both NAN where the other rows contradict each
 * other. As exact as lp_solve is, some 1e-6. */
void atlas_reading_bounds(AtlasEvidence *evidence, guint observation, guint stage, AtlasRat lag,
                          double *lo, double *hi);

/* Mean launches enqueued and not yet counted at the end of each stage of a run, in the solution of
 * least total flow; NAN behind a stage that was not measured. FALSE if there is no solution. */
gboolean atlas_reading_flows(const AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             double *flows);

/* The least set of measured stages of a run that the rest of the evidence cannot explain at that
 * lag: sets failing[stage], and returns how many there are (0: all can be explained). Leaving any
 * one of them out makes the rest of the set explicable. The other runs must be explicable without
 * this one. */
guint atlas_reading_conflict(AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             gboolean *failing);

/* The same over every run: a least set of rows, of any runs, that contradict each other at that
 * lag. failing[observation * (stages + 1) + stage] is set for each; the place behind the stages
 * stands for a run's stated total. Returns how many there are. */
guint atlas_reading_conflicts(AtlasEvidence *evidence, AtlasRat lag, gboolean *failing);

#endif
