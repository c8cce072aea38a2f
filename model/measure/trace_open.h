/* Ranges that are open while time goes on: for trace_stages.c and survey_*.c only.
 *
 * Ranges are opened in order of their starts, and asked for at times that only ever grow. Of those
 * that are still open the one that was opened last is the innermost, whether the others hold it or
 * cross it. What has ended is forgotten when it is met, so that all of it takes a time as long as
 * the list of ranges. A key is the number of a thread or process.
 */
#ifndef ATLAS_MODEL_MEASURE_TRACE_OPEN_H
#define ATLAS_MODEL_MEASURE_TRACE_OPEN_H

#include <glib.h>

typedef struct {
    gint64 end; /* it is not part of the range */
    guint what; /* the caller's */
} TraceOpenRange;

typedef struct {
    GPtrArray *stacks; /* of GArray*, of TraceOpenRange, by key; NULL where there was none */
} TraceOpen;

void trace_open_init(TraceOpen *open);
void trace_open_clear(TraceOpen *open);

void trace_open_push(TraceOpen *open, guint key, gint64 start, gint64 end, guint what);

/* The innermost range of a key; NULL: none is open. It holds until the next push. */
const TraceOpenRange *trace_open_at(TraceOpen *open, guint key, gint64 time);

#endif
