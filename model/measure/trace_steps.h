/* Where the steps of one process of a trace are: for trace_stages.c only. */
#ifndef ATLAS_MODEL_MEASURE_TRACE_STEPS_H
#define ATLAS_MODEL_MEASURE_TRACE_STEPS_H

#include "model/measure/trace_stages.h"

/* A range that is a stage, or a step. */
typedef struct {
    gint64 start, end;
    guint32 stage;  /* of stages */
    gint64 number;  /* of steps; -1: it has none */
    guint16 thread; /* of stages */
    gint64 step;    /* of stages: the step in which it begins, by index; -1: in none */
    gboolean open;  /* of stages: the recording ended inside of it */
} TraceSpan;

typedef struct {
    GArray *spans; /* of TraceSpan, by start; they do not overlap */
    gboolean numbered, timed;
    char *means;
} TraceSteps;

/* The steps of a process; `stages`, of TraceSpan by start, are its stage ranges by `map`. The caller
 * clears it. */
void trace_steps_find(TraceSteps *steps, const AtlasTrace *trace, guint16 process,
                      const GArray *stages, const AtlasTraceMap *map);
void trace_steps_clear(TraceSteps *steps);

/* The index of the step that a time lies in; -1: in none. */
gint64 trace_steps_at(const TraceSteps *steps, gint64 time);

#endif
