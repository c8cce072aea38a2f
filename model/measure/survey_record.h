/* Surveys of recordings: the NDJSON that atlas-record -o FILE.ndjson writes, schema atlas-record/1
 * (backends/record/write.h says what its lines hold).
 *
 * Numbers of steps grow from each to the next, and there are as many as the first line says.
 *
 * All steps of the recording count, the first ones too. A recording knows every count of its stages,
 * but not in which order they came, nor when the device worked; of its host reads it knows the
 * copies to the host, waited for or not. Kernels are those of stages, of the whole run; those in no
 * stage are left out where the recording has launches in no step, since it does not tell the two
 * apart.
 */
#ifndef ATLAS_MODEL_MEASURE_SURVEY_RECORD_H
#define ATLAS_MODEL_MEASURE_SURVEY_RECORD_H

#include "model/measure/file.h"
#include "model/measure/survey.h"

/* Whether a text begins like such a recording, be its schema one that can be read or another. */
gboolean atlas_survey_record_recognise(const char *text, gsize length);

/* NULL with problems, at their lines, where it is none, damaged or cut. */
AtlasSurvey *atlas_survey_record(AtlasFile *file, AtlasDiags *diags);

#endif
