/* Traces for tests of surveys, written as one line an event:
 *
 *     range THREAD START LENGTH NAME          a thread is PROCESS/THREAD
 *     open THREAD START 0 NAME                a range that has no end
 *     call THREAD START LENGTH ID NAME        the kind is the name's
 *     kernel STREAM START LENGTH ID NAME
 *     copy STREAM START LENGTH ID NAME
 *     memset STREAM START LENGTH ID NAME
 *
 * Times are nanoseconds, ids join as correlation ids do; a name goes up to the line's end.
 */
#ifndef ATLAS_TESTS_UNIT_SURVEY_KIT_H
#define ATLAS_TESTS_UNIT_SURVEY_KIT_H

#include "model/measure/trace_parts.h"

/* The caller frees it. */
AtlasTrace *survey_kit_trace(const char *text);

/* The survey of such a trace, as file "kit.json"; `step` as in trace_parts.h. The caller frees it. */
AtlasSurvey *survey_kit(const char *text, const char *step);

/* "fwd, bwd": names of its stages, without "outside". The caller frees it. */
char *survey_kit_stages(const AtlasSurvey *survey);

#endif
