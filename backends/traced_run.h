/* One run of a trace, as a measurement: for traced.c only. */
#ifndef ATLAS_BACKENDS_TRACED_RUN_H
#define ATLAS_BACKENDS_TRACED_RUN_H

#include "model/measure/measurement.h"
#include "model/measure/trace_stages.h"

/* Whether --arm-map says what an arm is, and whether anything in the trace is. */
typedef enum { TRACED_ARM_NOT_ASKED, TRACED_ARM_UNSEEN, TRACED_ARM_SEEN } TracedArm;

typedef struct {
    const AtlasTrace *trace;
    const AtlasTraceRun *run;
    const char *path, *source;
    gboolean several; /* the trace has more runs than this */
    const char *const *stages, *const *arms;
    const guint8 *arms_asked;  /* of TracedArm, by arm */
    const AtlasWindow *window; /* of steps that are asked for; NULL: all */
} TracedRun;

/* Adds the measurement and returns it; NULL, with the problem added, where it has no step that
 * counts. */
AtlasMeasurement *traced_run_measure(const TracedRun *what, AtlasMeasurements *into,
                                     AtlasDiags *diags);

#endif
