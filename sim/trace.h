/* The trace of a run: its instances with what each of them read, and what memory held at the end of
 * each step. Internal to reads_from.c.
 *
 * Names are compared as pointers: programs that are compared belong to one file.
 */
#ifndef ATLAS_SIM_TRACE_H
#define ATLAS_SIM_TRACE_H

#include "sim/execute.h"

/* The step of what memory held before the program did anything. */
#define TRACE_FIRST ((gint64)-2)

typedef enum {
    TRACE_MEMORY,
    TRACE_LAUNCH,
    TRACE_MEMSET,
    TRACE_HOST,     /* host_write */
    TRACE_SEEN,     /* host_read */
    TRACE_END,      /* of a step: device memory */
    TRACE_HOST_END, /* ... and host memory */
    TRACE_KINDS
} TraceKind;

/* Who wrote a cell: an instance, and which of its outputs the cell is. */
typedef struct {
    TraceKind kind;
    const char *name; /* kernel; buffer */
    gint64 step;
    guint nth, out;
} TraceOrigin;

typedef struct {
    TraceOrigin from;
    const char *what;        /* buffer or scalar */
    guint64 value;           /* of a scalar: it has no origin */
    gboolean scalar, frozen; /* by value */
    gboolean stale;          /* the buffer is elsewhere by now */
} TraceLook;

/* An instance: a launch, a memset, a read or write of the host's, or what a buffer holds at the end
 * of a step, behind the last and at the end of the run. END stands for every buffer, HOST_END for
 * those whose host memory holds something else than at first. */
typedef struct {
    TraceKind kind;
    const char *name;
    gint64 step;
    guint nth, op, by;
    gint64 count;
    gboolean astray; /* a graph's node that writes where the buffer is no more */
    guint look, looks;
} TraceEvent;

/* Work that uses a buffer's memory after that was freed. */
typedef struct {
    guint op, by;
    gint64 step;
    const char *buffer;
} TraceFreed;

typedef struct {
    const AtlasProgram *program;
    gint64 period;
    GArray *events;    /* of TraceEvent */
    GArray *looks;     /* of TraceLook */
    GArray *freed;     /* of TraceFreed */
    GPtrArray *states; /* of GArray* of TraceOrigin: what memory held at the end of each period */
    /* while it runs */
    GArray *device, *host;         /* of TraceOrigin, by cell */
    GArray *held;                  /* of gboolean: a graph has the device cell in it */
    GArray *gone;                  /* of gboolean: the device cell was freed */
    GHashTable *nths[TRACE_KINDS]; /* name -> how often in this step */
    guint rows;                    /* of the flow */
    gboolean acted;                /* since the last end of a step */
    gint64 step;
} Trace;

/* Runs a program for so many steps. */
Trace *trace_run(const AtlasProgram *program, gint64 steps, gint64 period, AtlasDiags *diags);
void trace_free(Trace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Trace, trace_free)

static inline const TraceEvent *trace_event(const Trace *trace, guint i) {
    return &g_array_index(trace->events, TraceEvent, i);
}
static inline const TraceLook *trace_look(const Trace *trace, guint i) {
    return &g_array_index(trace->looks, TraceLook, i);
}
static inline const AtlasOp *trace_op(const Trace *trace, guint op) {
    return &g_array_index(trace->program->ops, AtlasOp, op);
}

/* What a part of a buffer holds before the program does anything. */
static inline TraceOrigin trace_first(const char *buffer, guint part) {
    return (TraceOrigin){TRACE_MEMORY, buffer, TRACE_FIRST, part, 0};
}

/* Whether two cells hold the same, or the same `later` steps later. */
gboolean trace_same(const TraceOrigin *a, const TraceOrigin *b, gint64 later);

#endif
