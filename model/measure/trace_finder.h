/* What the files of the search for steps and stages share. Internal to trace_parts*.c. */
#ifndef ATLAS_MODEL_MEASURE_TRACE_FINDER_H
#define ATLAS_MODEL_MEASURE_TRACE_FINDER_H

#include "model/measure/trace_parts.h"

/* What is known of the trace's ranges while parts are sought. */
typedef struct {
    const AtlasTrace *trace;
    AtlasTraceParts *parts;
    guint32 *parent; /* of each range: the innermost one of its thread that holds it */
    guint32 *step;   /* the step that it lies in; ATLAS_TRACE_NONE */
    gboolean *makes; /* it makes a step, or was looked into for stages */
} Finder;

static inline const AtlasTraceRange *range_at(const Finder *f, guint i) {
    return &g_array_index(f->trace->ranges, AtlasTraceRange, i);
}

static inline gint64 end_of(const AtlasTraceRange *range) {
    return range->start + range->duration;
}

static inline guint process_of(const AtlasTrace *trace, guint thread) {
    return g_array_index(trace->threads, AtlasTraceThread, thread).process;
}

static inline AtlasTraceStep *step_at(const Finder *f, guint i) {
    return &g_array_index(f->parts->steps, AtlasTraceStep, i);
}

static inline gboolean is_outermost(const Finder *f, guint i) {
    return f->parent[i] == ATLAS_TRACE_NONE &&
           process_of(f->trace, range_at(f, i)->thread) == f->parts->process;
}

/* trace_parts_steps.c: FALSE where `asked` is the name of no range; NULL: none is named. */
gboolean finder_steps(Finder *f, const char *asked);

#endif
