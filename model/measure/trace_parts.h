/* Where a trace has its steps, and the stages in them, found by its ranges alone.
 *
 * Steps are sought in the process with most launches (the first of several). Where a range is named
 * for it, they are all ranges of that name, or of one that differs in its last number only; else
 * they are found by the first of these that gives any:
 *
 *     1  ranges named ProfilerStep#N
 *     2  ranges of one thread that are called step, iter or batch and a number, wherever they stand
 *        (step_name.h): "step 10", "step 20"; of several such names first one whose numbers only
 *        rise, then that with the most ranges. Else outermost ranges whose last number counts up
 *        by one; of several such names the one that takes most time
 *     3  the only outermost range of the main thread that repeats, where others stand inside of it
 *     4  returns of the first outermost range of the main thread that repeats: a step goes on to
 *        the next one's start, the last one to the end of its thread's last outermost range
 *     5  all of the trace is one step, from the first call to the end of what the device did
 *
 * Ranges of 2 and 3 are steps only if more of the process's launches are made in them than not;
 * then the next name is looked at. A range that begins before the last step has ended is none.
 * trace_stages.h finds the same steps where it can, which knows stages.
 * The main thread is the one whose outermost ranges take most time. A range is outermost if no
 * other range of its thread holds it.
 *
 * A range that was open when the recording ended is no step and holds no other; of 4 the last return
 * is none where such a range began in it.
 *
 * Stages are the names of ranges of the steps' thread that no other range of the step holds, that
 * no step has twice, and in which at least one call was made (of any thread). Where that is only
 * one name, and two or more such names stand in its ranges, it is these. More than
 * ATLAS_TRACE_STAGES_MAX names are those of operators: then there are no stages.
 */
#ifndef ATLAS_MODEL_MEASURE_TRACE_PARTS_H
#define ATLAS_MODEL_MEASURE_TRACE_PARTS_H

#include "model/base/diag.h"
#include "model/measure/survey.h"
#include "model/measure/trace.h"

enum { ATLAS_TRACE_STAGES_MAX = 32 };

typedef struct {
    gint64 start, end; /* nanoseconds; the end is not part of it */
    gint64 number;     /* -1: it has none */
} AtlasTraceStep;

typedef struct {
    guint process;
    guint32 thread; /* of the steps; ATLAS_TRACE_NONE: there is no range */
    AtlasStepsBy by;
    guint32 name;   /* of the first range that makes a step, or ATLAS_TRACE_NONE */
    GArray *steps;  /* of AtlasTraceStep: by start, apart from each other; none of an empty trace */
    GArray *stages; /* of guint32: names, in order of first appearance */
} AtlasTraceParts;

/* The trace must hold everything (ATLAS_TRACE_ALL). `step` names the range that is a step, or is
 * NULL; NULL with an error where there is no such range in the process. */
AtlasTraceParts *atlas_trace_parts_find(const AtlasTrace *trace, const char *step,
                                        AtlasDiags *diags);
void atlas_trace_parts_free(AtlasTraceParts *parts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasTraceParts, atlas_trace_parts_free)

/* Surveys a trace by its parts. */
AtlasSurvey *atlas_survey_trace(const AtlasTrace *trace, const AtlasTraceParts *parts,
                                const char *name, const char *format);

#endif
