/* Two measurements, one question: what changed between them, and what would the model say it was?
 *
 * For each stage that both measured: the difference of the means, the difference that the model
 * predicts between the two configurations (its bounds, both counters' lag either way), and the
 * populations that make it up. A difference outside those bounds fails: the two configurations do
 * not explain it.
 */
#ifndef ATLAS_MODEL_CHECK_DIFFERENCE_H
#define ATLAS_MODEL_CHECK_DIFFERENCE_H

#include "model/check/result.h"
#include "model/measure/measurement.h"
#include "model/solve/study.h"

/* Adds one check a stage, named "AFTER - BEFORE STAGE". Adds problems where a configuration cannot
 * be. */
void atlas_difference(AtlasStudy *study, const AtlasMeasurement *before,
                      const AtlasMeasurement *after, AtlasResult *result, AtlasDiags *diags);

#endif
