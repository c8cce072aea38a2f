/* Traces: what a profiler recorded of a program, told apart by no profiler's format.
 *
 * A trace has calls (what the host asked for), activities (what the device did) and ranges (what
 * the program called a part of its time). Readers (kineto.h, nsys.h) feed a builder event by event,
 * in any order; atlas_trace_finish sorts, joins and counts, and from then on a trace is only read.
 *
 * Times are whole nanoseconds on one clock of the trace, whose zero means nothing. Names and
 * threads are numbers of entries of the trace's own lists.
 *
 * Join. An activity was caused by the call with its correlation id, of the same process where the
 * source tells processes apart (else all processes are 0). Correlation ids are taken modulo 2^32,
 * which is all that CUPTI has of them; 0 is none. All activities of a graph launch carry its id.
 * A call of the driver that follows one of the runtime on its thread, with the same id, is how the
 * runtime did it: the two are one call. Any other id that two calls have joins nothing: what
 * they caused is not known, and `doubled` counts them.
 *
 * Calls that failed asked for nothing, and are not among the trace's, but for those that wait.
 *
 * Ranges that were open when the recording ended last to the last thing that was recorded. None of
 * them is a step, nor numbers one: what it would have held is not known.
 *
 * Times. All of them lie less than 2^63 ns apart, and so do sums of any durations of the trace:
 * atlas_trace_times_fault says where that is not so, and then nothing more is to be done with it.
 *
 * Totals, exactly (all of the trace, whatever the time):
 *
 *     calls           calls that launch one kernel, those made while capturing included
 *     graph_launches  calls that launch a graph
 *     copies          calls that copy memory (not: copies that the device made)
 *     memsets         calls that set memory
 *     activities      kernels that the device executed, in graphs and outside
 *     graph_nodes     activities that a recorded graph launch caused, or that the source says to
 *                     be nodes of a graph
 *     orphans         activities, copies and sets of the device that no recorded call has the id
 *                     of, of the four kinds above
 *     orphan_kernels  kernels among them
 *     uncaused        calls that launch one kernel, and no recorded activity has the id of
 *     steps           numbers N of ranges of the host that are named ProfilerStep#N
 *
 * Submissions (provenance.h) are not among them: a launch without a kernel was captured, or its
 * kernel's record was lost. Where captures were recorded, trace_stages.h tells the one from the
 * other.
 *
 * What is kept is told to the builder. ATLAS_TRACE_COUNTS: the calls of the four kinds above, and
 * of captures, without duration and name; the ranges; how many kernels each call caused. That is 16
 * bytes a call, 8 for what it caused (up to 255 nodes of a graph), and 16 more while they are
 * sorted and joined. ATLAS_TRACE_ALL: everything, 36 bytes a call and 40 an activity. A range is 24
 * bytes, names are kept once.
 */
#ifndef ATLAS_MODEL_MEASURE_TRACE_H
#define ATLAS_MODEL_MEASURE_TRACE_H

#include "model/measure/provenance.h"

/* No name, call, thread or stream. */
#define ATLAS_TRACE_NONE G_MAXUINT32

typedef enum { ATLAS_TRACE_COUNTS, ATLAS_TRACE_ALL } AtlasTraceWants;

typedef enum {
    ATLAS_CALL_LAUNCH,
    ATLAS_CALL_GRAPH_LAUNCH,
    ATLAS_CALL_COPY,
    ATLAS_CALL_MEMSET,
    ATLAS_CALL_SYNC,          /* the host waits for a stream, an event, the context, the device */
    ATLAS_CALL_ALLOC,         /* of device or pinned memory */
    ATLAS_CALL_FREE,          /* of the same */
    ATLAS_CALL_RECORD,        /* of an event */
    ATLAS_CALL_WAIT,          /* of a stream for an event */
    ATLAS_CALL_CAPTURE_BEGIN, /* of a stream */
    ATLAS_CALL_CAPTURE_END,
    ATLAS_CALL_INSTANTIATE, /* of a graph */
    ATLAS_CALL_KINDS        /* also: any other call, which is not kept */
} AtlasCallKind;

/* What a call of CUDA's runtime or driver, or of HIP, does, by its name: with or without a suffix
 * that tells versions apart ("_v2", "_ptsz", "_v7000"). */
AtlasCallKind atlas_call_kind(const char *name, gsize length);
/* Whether it is one of CUDA's driver: "cuLaunchKernel". */
gboolean atlas_call_is_driver(const char *name, gsize length);

typedef struct {
    gint64 start;
    guint32 correlation;
    guint16 thread;
    guint8 kind;   /* AtlasCallKind */
    guint8 driver; /* of the driver, not of a runtime on it */
} AtlasTraceCall;

/* The rest of a call, at the same index. */
typedef struct {
    gint64 duration;
    guint32 name;
} AtlasTraceDetail;

typedef enum {
    ATLAS_ACTIVITY_KERNEL,
    ATLAS_ACTIVITY_COPY, /* named as Kineto does: "Memcpy DtoH (Device -> Pinned)" */
    ATLAS_ACTIVITY_MEMSET,
    ATLAS_ACTIVITY_GRAPH, /* a whole graph, whose nodes were not recorded */
    ATLAS_ACTIVITY_KINDS
} AtlasActivityKind;

typedef struct {
    gint64 start, duration;
    guint32 correlation;
    guint32 name;
    guint32 call;    /* index of the call that caused it; ATLAS_TRACE_NONE: an orphan */
    guint16 stream;  /* of trace->streams */
    guint16 process; /* 0 where the source does not tell */
    guint8 kind;     /* AtlasActivityKind */
    guint8 in_graph; /* the source says that it is a node of a graph */
} AtlasTraceActivity;

typedef struct {
    gint64 start, duration;
    guint32 name;
    guint16 thread;
    guint8 step; /* named ProfilerStep#N, and not open */
    guint8 open; /* the recording ended inside of it; what it lasts is told by nobody */
} AtlasTraceRange;

/* A thread of the host. */
typedef struct {
    guint16 process;  /* counts from 0, in order of appearance */
    const char *name; /* "921/981": process and thread as the source has them */
} AtlasTraceThread;

typedef struct {
    gint64 device, stream;
} AtlasTraceStream;

typedef struct {
    gint64 calls, graph_launches, copies, memsets;
    gint64 activities, graph_nodes, orphans, orphan_kernels, uncaused;
    gint64 steps;
} AtlasTraceTotals;

typedef struct {
    AtlasTraceWants wants;
    AtlasTraceTotals totals;
    GArray *calls;      /* of AtlasTraceCall, by start */
    GArray *kernels;    /* of guint32: the kernels that each call caused, by its index */
    GArray *details;    /* of AtlasTraceDetail, by its index; ATLAS_TRACE_ALL */
    GArray *activities; /* of AtlasTraceActivity, by start; ATLAS_TRACE_ALL */
    GArray *ranges;     /* of AtlasTraceRange, by start, the longer first */
    GArray *threads;    /* of AtlasTraceThread */
    GArray *streams;    /* of AtlasTraceStream */
    GPtrArray *names;   /* of const char*, UTF-8, none of them NULL */

    gboolean by_process;  /* calls and activities were joined within processes */
    gboolean whole_graph; /* nodes of graphs were not recorded */
    gint64 lost;          /* records that are known to be missing: an orphan whose correlation id
                           * lies between those of recorded calls of its process, so that its call
                           * was made while the profiler recorded, or as many as the source says */
    gint64 doubled;       /* calls whose correlation id is one of another call before them */
    gint64 failed;        /* calls that failed; 0 where the source does not tell */
    gint64 open;          /* ranges that were open when the recording ended */
    const char *cut; /* why the trace is incomplete: "it ends inside an event"; NULL: it is not */
    GArray *about;   /* of AtlasAbout: device, driver, runtime, cupti, recorder: what it says */

    GStringChunk *strings;
} AtlasTrace;

void atlas_trace_free(AtlasTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasTrace, atlas_trace_free)

static inline const AtlasTraceCall *atlas_trace_call(const AtlasTrace *trace, guint index) {
    return &g_array_index(trace->calls, AtlasTraceCall, index);
}
/* Whether calls were recorded. Where they were not, what was launched is unknown: a trace of the
 * host alone has none, and one in which only kernels without a call ran. */
static inline gboolean atlas_trace_has_calls(const AtlasTrace *trace) {
    const AtlasTraceTotals *t = &trace->totals;
    return trace->calls->len > 0 && (t->calls + t->graph_launches > 0 || t->orphan_kernels == 0);
}
/* Why, for messages. */
#define ATLAS_TRACE_NO_CALLS "the trace has no calls of CUDA: what was launched is not known"
/* The process that a call is joined in. */
static inline guint16 atlas_trace_process_of(const AtlasTrace *trace, const AtlasTraceCall *call) {
    return trace->by_process ? g_array_index(trace->threads, AtlasTraceThread, call->thread).process
                             : 0;
}
static inline const char *atlas_trace_name(const AtlasTrace *trace, guint32 name) {
    return name == ATLAS_TRACE_NONE ? "" : g_ptr_array_index(trace->names, name);
}

/* ---- building ---- */

typedef struct AtlasTraceBuilder AtlasTraceBuilder;

AtlasTraceBuilder *atlas_trace_builder_new(AtlasTraceWants wants);
void atlas_trace_builder_free(AtlasTraceBuilder *builder);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasTraceBuilder, atlas_trace_builder_free)

/* Which operators' events are ranges of the trace, too: those whose names `wants` says TRUE of. It
 * is asked once for each name. Without it they are only ProfilerStep#N. */
typedef gboolean (*AtlasTraceWantsOp)(const char *name, gpointer data);
void atlas_trace_want_ops(AtlasTraceBuilder *builder, AtlasTraceWantsOp wants, gpointer data);
gboolean atlas_trace_wants_op(AtlasTraceBuilder *builder, const char *name, gsize length);

/* What the reader says of the trace as a whole is written here: whole_graph, lost, failed, cut, and,
 * before the first call, by_process. */
AtlasTrace *atlas_trace_built(AtlasTraceBuilder *builder);

/* The number of a name, whose bytes may be anything: what is no UTF-8 is replaced. */
guint32 atlas_trace_intern(AtlasTraceBuilder *builder, const char *text, gsize length);

/* The N of a range's name "ProfilerStep#N"; -1 where it is none. */
gint64 atlas_trace_step_number(const char *name);

/* The number of a thread of the host, a process or a stream; FALSE where there are more than 65,535
 * of them. */
gboolean atlas_trace_process(AtlasTraceBuilder *builder, const char *process, guint16 *number);
gboolean atlas_trace_thread(AtlasTraceBuilder *builder, const char *process, const char *thread,
                            guint16 *number);
gboolean atlas_trace_stream(AtlasTraceBuilder *builder, gint64 device, gint64 stream,
                            guint16 *number);

/* Each adds one. Of calls, kinds that are not wanted are passed over; `detail` may be NULL where
 * it is not wanted. Of activities, `call` is not looked at; of ranges `step` is not, and of open
 * ones no duration. */
void atlas_trace_add_call(AtlasTraceBuilder *builder, const AtlasTraceCall *call,
                          const AtlasTraceDetail *detail);
void atlas_trace_add_activity(AtlasTraceBuilder *builder, const AtlasTraceActivity *activity);
void atlas_trace_add_range(AtlasTraceBuilder *builder, const AtlasTraceRange *range);
/* Says a key once: what is said of it later is passed over. */
void atlas_trace_say(AtlasTraceBuilder *builder, const char *key, const char *value);

/* What is wrong with the times of what was added; NULL: nothing. A reader asks it at the end. */
const char *atlas_trace_times_fault(const AtlasTraceBuilder *builder);

/* Sorts, joins and counts; frees the builder. The caller owns the trace. */
AtlasTrace *atlas_trace_finish(AtlasTraceBuilder *builder);

#endif
