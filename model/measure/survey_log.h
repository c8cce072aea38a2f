/* Surveys of logs in the study's format (log.h).
 *
 * A log knows how many launches each stage of each step made, and how long it took; nothing else is
 * known, and where it counted kernels in graphs only, it is these that are. The steps are those of
 * the run's window: the last third of the log, unless another was asked for.
 */
#ifndef ATLAS_MODEL_MEASURE_SURVEY_LOG_H
#define ATLAS_MODEL_MEASURE_SURVEY_LOG_H

#include "model/measure/run.h"
#include "model/measure/survey.h"

/* `run` was read by atlas_log_read. */
AtlasSurvey *atlas_survey_log(const AtlasRun *run);

#endif
