#include "model/measure/trace_join.h"

enum { NODE = 128 };

void atlas_trace_link(GArray *links, const AtlasTraceActivity *a) {
    AtlasTraceLink *last =
        links->len ? &g_array_index(links, AtlasTraceLink, links->len - 1) : NULL;
    AtlasTraceLink made = {a->correlation, a->process, (guint8)(a->kind | (a->in_graph ? NODE : 0)),
                           1};
    if (last && last->correlation == made.correlation && last->process == made.process &&
        last->kind == made.kind && last->count < G_MAXUINT8)
        last->count++;
    else
        g_array_append_val(links, made);
}

/* Calls by process and correlation id: an open hash of indices + 1, a quarter of it empty. */
typedef struct {
    AtlasTrace *trace;
    const GArray *reach;
    guint32 *slots;
    guint64 size;
    gboolean *doubled; /* by call: others have its id, too; NULL: that is so of none */
} Join;

static guint64 slot_of(const Join *j, guint16 process, guint32 correlation) {
    guint64 key = ((guint64)process << 32 | correlation) * 0x9e3779b97f4a7c15u;
    return (guint64)(((__uint128_t)key * j->size) >> 64);
}

/* Where the call is, or would be. */
static guint32 *find(const Join *j, guint16 process, guint32 correlation) {
    guint64 at = slot_of(j, process, correlation);
    for (;; at = at + 1 == j->size ? 0 : at + 1) {
        if (j->slots[at] == 0)
            return &j->slots[at];
        const AtlasTraceCall *call = atlas_trace_call(j->trace, j->slots[at] - 1);
        if (call->correlation == correlation && atlas_trace_process_of(j->trace, call) == process)
            return &j->slots[at];
    }
}

/* Leaves out calls of the driver that calls of a runtime are made of: the two follow each other on
 * their thread, do the same and have one id. */
static void drop_inner(AtlasTrace *trace) {
    g_autofree guint32 *last = g_new(guint32, trace->threads->len + 1);
    guint kept = 0;
    for (guint i = 0; i < trace->threads->len; i++)
        last[i] = ATLAS_TRACE_NONE;
    for (guint i = 0; i < trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(trace, i);
        guint32 before = last[call->thread];
        if (before != ATLAS_TRACE_NONE && call->correlation != 0) {
            const AtlasTraceCall *outer = atlas_trace_call(trace, before);
            if (outer->correlation == call->correlation && outer->kind == call->kind &&
                outer->driver != call->driver)
                continue;
        }
        last[call->thread] = kept;
        g_array_index(trace->calls, AtlasTraceCall, kept) = *call;
        if (trace->details->len)
            g_array_index(trace->details, AtlasTraceDetail, kept) =
                g_array_index(trace->details, AtlasTraceDetail, i);
        kept++;
    }
    g_array_set_size(trace->calls, kept);
    g_array_set_size(trace->details, trace->details->len ? kept : 0);
}

static void note_doubled(Join *j, guint first) {
    if (!j->doubled)
        j->doubled = g_new0(gboolean, j->trace->calls->len);
    j->doubled[first] = TRUE;
    j->trace->doubled++;
}

/* Of calls with the same id the first stands for all, and causes nothing that is known. */
static void index_calls(Join *j) {
    const GArray *calls = j->trace->calls;
    guint64 causes = 0;
    for (guint i = 0; i < calls->len; i++)
        causes += atlas_trace_call(j->trace, i)->kind <= ATLAS_CALL_MEMSET;
    j->size = causes + causes / 3 + 1;
    j->slots = g_new0(guint32, j->size);
    for (guint i = 0; i < calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(j->trace, i);
        if (call->kind > ATLAS_CALL_MEMSET || call->correlation == 0)
            continue;
        guint32 *slot = find(j, atlas_trace_process_of(j->trace, call), call->correlation);
        if (*slot == 0)
            *slot = i + 1;
        else
            note_doubled(j, *slot - 1);
    }
}

/* The first call with that id. */
static guint32 first_of(const Join *j, guint16 process, guint32 correlation) {
    return correlation == 0 ? ATLAS_TRACE_NONE : *find(j, process, correlation) - 1;
}

static gboolean is_doubled(const Join *j, guint32 first) {
    return first != ATLAS_TRACE_NONE && j->doubled && j->doubled[first];
}

/* Whether the call was made while calls of its process were recorded. */
static gboolean is_lost(const Join *j, guint16 process, guint32 correlation) {
    if (process >= j->reach->len)
        return FALSE;
    const AtlasTraceReach *reach = &g_array_index(j->reach, AtlasTraceReach, process);
    return reach->least < correlation && correlation < reach->most;
}

/* Counts activities of one kind and id; returns the call that caused them. */
static guint32 count(Join *j, const AtlasTraceLink *link) {
    AtlasTraceTotals *totals = &j->trace->totals;
    guint32 first = first_of(j, link->process, link->correlation);
    guint32 cause = is_doubled(j, first) ? ATLAS_TRACE_NONE : first;
    guint8 kind = link->kind & (NODE - 1);
    if (kind == ATLAS_ACTIVITY_GRAPH)
        return cause;
    if (first == ATLAS_TRACE_NONE) {
        totals->orphans += link->count;
        totals->orphan_kernels += kind == ATLAS_ACTIVITY_KERNEL ? link->count : 0;
        j->trace->lost += is_lost(j, link->process, link->correlation) ? link->count : 0;
    }
    if (kind != ATLAS_ACTIVITY_KERNEL)
        return cause;
    totals->activities += link->count;
    if ((link->kind & NODE) || (cause != ATLAS_TRACE_NONE &&
                                atlas_trace_call(j->trace, cause)->kind == ATLAS_CALL_GRAPH_LAUNCH))
        totals->graph_nodes += link->count;
    if (cause != ATLAS_TRACE_NONE)
        g_array_index(j->trace->kernels, guint32, cause) += link->count;
    return cause;
}

static void count_activities(Join *j, const GArray *links) {
    for (guint i = 0; i < links->len; i++)
        count(j, &g_array_index(links, AtlasTraceLink, i));
    for (guint i = 0; i < j->trace->activities->len; i++) {
        AtlasTraceActivity *a = &g_array_index(j->trace->activities, AtlasTraceActivity, i);
        AtlasTraceLink link = {a->correlation, a->process,
                               (guint8)(a->kind | (a->in_graph ? NODE : 0)), 1};
        a->call = count(j, &link);
    }
}

static void count_calls(Join *j) {
    AtlasTraceTotals *totals = &j->trace->totals;
    gint64 *by_kind[] = {&totals->calls, &totals->graph_launches, &totals->copies,
                         &totals->memsets};
    for (guint i = 0; i < j->trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(j->trace, i);
        if (call->kind <= ATLAS_CALL_MEMSET)
            ++*by_kind[call->kind];
        if (call->kind != ATLAS_CALL_LAUNCH)
            continue;
        guint32 first = first_of(j, atlas_trace_process_of(j->trace, call), call->correlation);
        totals->uncaused +=
            first == ATLAS_TRACE_NONE ||
            (!is_doubled(j, first) && g_array_index(j->trace->kernels, guint32, first) == 0);
    }
}

void atlas_trace_join(AtlasTrace *trace, const GArray *links, const GArray *reach) {
    Join j = {.trace = trace, .reach = reach};
    drop_inner(trace);
    g_array_set_size(trace->kernels, trace->calls->len);
    index_calls(&j);
    count_activities(&j, links);
    count_calls(&j);
    g_free(j.slots);
    g_free(j.doubled);
}
