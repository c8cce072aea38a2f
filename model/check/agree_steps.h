/* Single steps of a log against the model. Internal to model/check.
 *
 * solve/steps.h says what all of them together must obey; here is what each of them must by itself,
 * so that a failure can name it.
 */
#ifndef ATLAS_MODEL_CHECK_AGREE_STEPS_H
#define ATLAS_MODEL_CHECK_AGREE_STEPS_H

#include "model/solve/study.h"

/* The steps (of gint64, in order) whose count of a stage cannot be: of a counter that lags by
 * `lag`, it is more than that outside the bounds of what such a step launches, or more than twice
 * that away from most of the steps that launch the same (whose counts may differ by no more).
 * Counts that are lower bounds, as those that lost records, are only compared with what a step
 * launches at most. The study's bounds are those of its runs. The caller frees them. */
GArray *agree_wrong_steps(const AtlasStudy *study, const AtlasObservation *o, guint stage,
                          AtlasRat lag);

/* Where a counter's readings drift most from the mean of the steps that launch the same: "from the
 * end of opt in step 24 to that of opt in step 25, 100 more were counted than is usual". The caller
 * frees it. */
char *agree_drift(const AtlasObservation *o);

#endif
