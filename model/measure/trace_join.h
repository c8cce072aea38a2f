/* Calls and what they caused, joined by correlation ids: for trace.c only.
 *
 * Where activities themselves are not kept, a link stands for those of one kind that came one
 * behind the other with the same id, up to 255 of them.
 */
#ifndef ATLAS_MODEL_MEASURE_TRACE_JOIN_H
#define ATLAS_MODEL_MEASURE_TRACE_JOIN_H

#include "model/measure/trace.h"

typedef struct {
    guint32 correlation;
    guint16 process;
    guint8 kind; /* AtlasActivityKind, plus 128 where the source says that it is a graph's node */
    guint8 count;
} AtlasTraceLink;

/* The correlation ids of a process's recorded calls lie between these. */
typedef struct {
    guint32 least, most;
} AtlasTraceReach;

/* Adds an activity to the links, of AtlasTraceLink. */
void atlas_trace_link(GArray *links, const AtlasTraceActivity *activity);

/* Fills in what calls and activities say of each other, and the totals but for steps. Calls are in
 * their final order, and those of the driver that are part of others are left out. `reach`, of AtlasTraceReach, holds one for each process that has calls. */
void atlas_trace_join(AtlasTrace *trace, const GArray *links, const GArray *reach);

#endif
