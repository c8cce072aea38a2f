/* Launches of arms in a trace against the model. Internal to model/check.
 *
 * An arm's launches are those of the populations that launch nothing with the arm off. What a
 * population launches that needs two arms counts in either, as names say: then the arm's launches
 * are an interval. The spec does not tell them where the arm only changes how many a population
 * launches.
 */
#ifndef ATLAS_MODEL_CHECK_AGREE_ARMS_H
#define ATLAS_MODEL_CHECK_AGREE_ARMS_H

#include "model/check/result.h"
#include "model/measure/measurement.h"
#include "model/solve/study.h"

/* Adds a check for each stage and arm that a measurement counted and that launches anything, or
 * should; `o` is its run under the model. */
void agree_arms(AtlasStudy *study, const AtlasMeasurement *m, const AtlasObservation *o,
                AtlasResult *result);

#endif
