/* Agreement: measured counts against predicted ones (property C).
 *
 * There is no tolerance. A replay of the model's own program must launch what the program says. A
 * run of the user's program must fit the model together with all other runs: some values of the
 * unknowns, the same for all of them, must explain what was counted.
 *
 * Of a log that is every row of every warm step: at each end of a stage, what was launched since
 * the window began and is not counted yet lies between 0 and the counter's lag (steps.h). So +1 and
 * -1 in two steps do not cancel, beyond what the lag can carry from the one to the other; with an
 * exact counter steps that launch alike have equal counts, and each lies within the bounds of that
 * step. Of a table it is the sums over its steps, by the same flows (evidence.h): it has nothing
 * else.
 *
 * An unknown that is declared `real` is a mean, and may differ from step to step: of a stage that
 * has one only the sum is judged, and the steps of such a run are not judged together. Values may
 * be fractions here; but where whole unknowns bound what a stage launches to an interval that holds
 * none of its values, it fails.
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
 * only that is known; one more, which fails, where single steps contradict each other and no stage
 * by itself is to blame; one for each stage that a trace does not show though the model may launch
 * in it, which is inconclusive; one for each stage and arm that was counted (agree_arms.h). Reports configurations and stages that the model does not have. The
 * study's evidence is changed for a while and comes back as it was. */
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
 * and the others can be. The single steps of a log are one row of it, which is only shown where it
 * fails. Inconclusive where no whole numbers were found that explain them, which only takes so many
 * tries (point.h). */
void atlas_agree_runs(AtlasStudy *study, AtlasRat lag, AtlasResult *result);

#endif
