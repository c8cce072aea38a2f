/* Agreement: measured counts against predicted ones (property C).
 *
 * There is no tolerance. A replay of the model's own program must launch what the program says. A
 * run of the user's program must fit the model: with an exact counter every warm step within the
 * bounds of that step, with a lagging one its rows explained by conserved flows within the lag
 * (evidence.h), together with all other runs. +1 and -1 in two steps do not cancel.
 *
 * The counter's lag is the measurement's, where it states one, else the study's. Where records were
 * lost, counts are lower bounds: what exceeds the model fails all the same, and nothing passes.
 *
 * A failure says what would have been right, the least lag that would do, and the smallest change
 * of one population that would make it pass.
 */
#ifndef ATLAS_MODEL_CHECK_AGREE_H
#define ATLAS_MODEL_CHECK_AGREE_H

#include "model/check/result.h"
#include "model/measure/measurement.h"
#include "model/solve/study.h"

/* Judges a measurement by the model: one check for each measured stage, and for the total where
 * only that is known. Reports configurations and stages that the model does not have. The study's
 * evidence is changed for a while and comes back as it was. */
void atlas_agree_model(AtlasStudy *study, const AtlasMeasurement *measurement, AtlasResult *result,
                       AtlasDiags *diags);

/* Judges a replay by the launches that its program makes in a step: `expected` has one count for
 * each of the measurement's stages and steps of the window, stage by stage. */
void atlas_agree_program(const AtlasMeasurement *measurement, const gint64 *expected, AtlasRat lag,
                         AtlasResult *result);

/* Adds a check for each finding of a measurement. */
void atlas_agree_findings(const AtlasMeasurement *measurement, AtlasResult *result);

/* Judges the runs that a study was solved from: all of them together at a lag. Where they cannot
 * be explained, the checks that fail are the rows of an irreducible set: leave out any one of them
 * and the others can be. */
void atlas_agree_runs(AtlasStudy *study, AtlasRat lag, AtlasResult *result);

#endif
