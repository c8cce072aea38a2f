#include "model/measure/trace.h"

#include <string.h>

#include "model/measure/trace_join.h"

/* The most threads, streams and processes: their numbers have 16 bits. */
enum { NUMBERED_MAX = G_MAXUINT16 };

#define STEP "ProfilerStep#"

struct AtlasTraceBuilder {
    AtlasTrace *trace;
    GArray *links;                         /* of AtlasTraceLink; ATLAS_TRACE_COUNTS */
    GHashTable *names, *threads, *streams; /* number + 1 by text */
    GHashTable *processes;                 /* the same */
    GHashTable *steps;                     /* the names of steps, a set of name numbers */
    GArray *reach;                         /* of AtlasTraceReach, by process */
    AtlasTraceWantsOp wants_op;
    gpointer wants_data;
    GHashTable *ops;             /* answers + 1 by name */
    gint64 first, last, lasting; /* the least start, the greatest end, all durations together */
    gboolean unbounded;          /* some sum of them has more than 63 bits */
    GString *scratch;
};

/* ---- life cycle ---- */

static AtlasTrace *trace_new(AtlasTraceWants wants) {
    AtlasTrace *trace = g_new0(AtlasTrace, 1);
    trace->wants = wants;
    trace->calls = g_array_new(FALSE, FALSE, sizeof(AtlasTraceCall));
    trace->kernels = g_array_new(FALSE, TRUE, sizeof(guint32));
    trace->details = g_array_new(FALSE, FALSE, sizeof(AtlasTraceDetail));
    trace->activities = g_array_new(FALSE, FALSE, sizeof(AtlasTraceActivity));
    trace->ranges = g_array_new(FALSE, FALSE, sizeof(AtlasTraceRange));
    trace->threads = g_array_new(FALSE, FALSE, sizeof(AtlasTraceThread));
    trace->streams = g_array_new(FALSE, FALSE, sizeof(AtlasTraceStream));
    trace->names = g_ptr_array_new();
    trace->about = g_array_new(FALSE, FALSE, sizeof(AtlasAbout));
    trace->strings = g_string_chunk_new(4096);
    return trace;
}

void atlas_trace_free(AtlasTrace *trace) {
    if (!trace)
        return;
    g_array_unref(trace->calls);
    g_array_unref(trace->kernels);
    g_array_unref(trace->details);
    g_array_unref(trace->activities);
    g_array_unref(trace->ranges);
    g_array_unref(trace->threads);
    g_array_unref(trace->streams);
    g_ptr_array_unref(trace->names);
    g_array_unref(trace->about);
    g_string_chunk_free(trace->strings);
    g_free(trace);
}

AtlasTraceBuilder *atlas_trace_builder_new(AtlasTraceWants wants) {
    AtlasTraceBuilder *b = g_new0(AtlasTraceBuilder, 1);
    b->trace = trace_new(wants);
    b->links = g_array_new(FALSE, FALSE, sizeof(AtlasTraceLink));
    b->names = g_hash_table_new(g_str_hash, g_str_equal);
    b->threads = g_hash_table_new(g_str_hash, g_str_equal);
    b->streams = g_hash_table_new(g_str_hash, g_str_equal);
    b->processes = g_hash_table_new(g_str_hash, g_str_equal);
    b->steps = g_hash_table_new(NULL, NULL);
    b->ops = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    b->reach = g_array_new(FALSE, FALSE, sizeof(AtlasTraceReach));
    b->scratch = g_string_new(NULL);
    b->first = G_MAXINT64;
    b->last = G_MININT64;
    return b;
}

void atlas_trace_builder_free(AtlasTraceBuilder *b) {
    if (!b)
        return;
    atlas_trace_free(b->trace);
    g_array_unref(b->links);
    g_hash_table_unref(b->names);
    g_hash_table_unref(b->threads);
    g_hash_table_unref(b->streams);
    g_hash_table_unref(b->processes);
    g_hash_table_unref(b->steps);
    g_hash_table_unref(b->ops);
    g_array_unref(b->reach);
    g_string_free(b->scratch, TRUE);
    g_free(b);
}

AtlasTrace *atlas_trace_built(AtlasTraceBuilder *b) {
    return b->trace;
}

/* ---- numbers of texts ---- */

/* The number of the text in `scratch`; `added` where it is the first time, and *text its copy. */
static guint number_of(AtlasTraceBuilder *b, GHashTable *table, const char **text,
                       gboolean *added) {
    gpointer key, found;
    *added = !g_hash_table_lookup_extended(table, b->scratch->str, &key, &found);
    if (*added) {
        key =
            g_string_chunk_insert_len(b->trace->strings, b->scratch->str, (gssize)b->scratch->len);
        found = GUINT_TO_POINTER(g_hash_table_size(table) + 1);
        g_hash_table_insert(table, key, found);
    }
    *text = key;
    return GPOINTER_TO_UINT(found) - 1;
}

guint32 atlas_trace_intern(AtlasTraceBuilder *b, const char *text, gsize length) {
    const char *kept;
    gboolean added;
    g_string_truncate(b->scratch, 0);
    g_string_append_len(b->scratch, text, (gssize)length);
    if (!g_utf8_validate(b->scratch->str, (gssize)length, NULL)) {
        g_autofree char *valid = g_utf8_make_valid(b->scratch->str, (gssize)length);
        g_string_assign(b->scratch, valid);
    }
    guint number = number_of(b, b->names, &kept, &added);
    if (added)
        g_ptr_array_add(b->trace->names, (gpointer)kept);
    return number;
}

static gboolean process_of(AtlasTraceBuilder *b, const char *process, guint16 *number) {
    const char *kept;
    gboolean added;
    g_string_assign(b->scratch, process);
    guint found = number_of(b, b->processes, &kept, &added);
    *number = (guint16)found;
    return found < NUMBERED_MAX;
}

gboolean atlas_trace_process(AtlasTraceBuilder *b, const char *process, guint16 *number) {
    return process_of(b, process, number);
}

gboolean atlas_trace_thread(AtlasTraceBuilder *b, const char *process, const char *thread,
                            guint16 *number) {
    gboolean added;
    AtlasTraceThread made;
    g_string_printf(b->scratch, "%s/%s", process, thread);
    guint found = number_of(b, b->threads, &made.name, &added);
    *number = (guint16)found;
    if (!added)
        return found < NUMBERED_MAX;
    if (!process_of(b, process, &made.process))
        return FALSE;
    g_array_append_val(b->trace->threads, made);
    return found < NUMBERED_MAX;
}

gboolean atlas_trace_stream(AtlasTraceBuilder *b, gint64 device, gint64 stream, guint16 *number) {
    const char *kept;
    gboolean added;
    AtlasTraceStream made = {device, stream};
    g_string_printf(b->scratch, "%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, device, stream);
    guint found = number_of(b, b->streams, &kept, &added);
    if (added)
        g_array_append_val(b->trace->streams, made);
    *number = (guint16)found;
    return found < NUMBERED_MAX;
}

/* ---- events ---- */

/* What a process's recorded calls reach over: from the least correlation id to the greatest. */
static void extend_reach(AtlasTraceBuilder *b, guint16 process, guint32 correlation) {
    while (b->reach->len <= process) {
        AtlasTraceReach none = {G_MAXUINT32, 0};
        g_array_append_val(b->reach, none);
    }
    AtlasTraceReach *reach = &g_array_index(b->reach, AtlasTraceReach, process);
    reach->least = MIN(reach->least, correlation);
    reach->most = MAX(reach->most, correlation);
}

static gboolean is_counted(guint8 kind) {
    return kind <= ATLAS_CALL_MEMSET || kind == ATLAS_CALL_CAPTURE_BEGIN ||
           kind == ATLAS_CALL_CAPTURE_END;
}

/* Nothing ends before it starts. Notes when it does, so that no later sum goes beyond 63 bits. */
static gint64 lasting(AtlasTraceBuilder *b, gint64 start, gint64 duration) {
    gint64 end;
    duration = MAX(duration, 0);
    if (__builtin_add_overflow(start, duration, &end) ||
        __builtin_add_overflow(b->lasting, duration, &b->lasting)) {
        b->unbounded = TRUE;
        return 0;
    }
    b->first = MIN(b->first, start);
    b->last = MAX(b->last, end);
    return duration;
}

const char *atlas_trace_times_fault(const AtlasTraceBuilder *b) {
    gint64 span = 0, open = 0;
    gboolean unbounded = b->unbounded;
    if (b->first <= b->last) /* one nanosecond more, since a step ends behind its last call */
        unbounded |= __builtin_sub_overflow(b->last, b->first, &span) ||
                     __builtin_add_overflow(span, 1, &span) || b->last == G_MAXINT64;
    unbounded |= __builtin_mul_overflow(span, b->trace->open, &open) ||
                 __builtin_add_overflow(open, b->lasting, &open);
    return unbounded ? "its times lie more than 292 years apart, or last longer" : NULL;
}

void atlas_trace_add_call(AtlasTraceBuilder *b, const AtlasTraceCall *call,
                          const AtlasTraceDetail *detail) {
    AtlasTrace *trace = b->trace;
    gboolean all = trace->wants == ATLAS_TRACE_ALL;
    gint64 duration = lasting(b, call->start, detail ? detail->duration : 0);
    if (call->correlation != 0)
        extend_reach(b, atlas_trace_process_of(trace, call), call->correlation);
    if (call->kind >= ATLAS_CALL_KINDS || (!all && !is_counted(call->kind)))
        return;
    g_array_append_val(trace->calls, *call);
    if (!all)
        return;
    AtlasTraceDetail made = {duration, detail->name};
    g_array_append_val(trace->details, made);
}

void atlas_trace_add_activity(AtlasTraceBuilder *b, const AtlasTraceActivity *activity) {
    AtlasTraceActivity made = *activity;
    made.duration = lasting(b, made.start, made.duration);
    if (b->trace->wants == ATLAS_TRACE_ALL)
        g_array_append_val(b->trace->activities, made);
    else
        atlas_trace_link(b->links, &made);
}

void atlas_trace_add_range(AtlasTraceBuilder *b, const AtlasTraceRange *range) {
    AtlasTraceRange made = *range;
    const char *name = atlas_trace_name(b->trace, range->name);
    made.duration = lasting(b, made.start, made.open ? 0 : made.duration);
    made.step = !made.open && atlas_trace_step_number(name) >= 0;
    b->trace->open += made.open;
    if (made.step)
        g_hash_table_add(b->steps, GUINT_TO_POINTER(range->name));
    g_array_append_val(b->trace->ranges, made);
}

void atlas_trace_say(AtlasTraceBuilder *b, const char *key, const char *value) {
    for (guint i = 0; i < b->trace->about->len; i++)
        if (g_str_equal(g_array_index(b->trace->about, AtlasAbout, i).key, key))
            return;
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    AtlasAbout about = {g_string_chunk_insert(b->trace->strings, key),
                        g_string_chunk_insert(b->trace->strings, valid)};
    g_array_append_val(b->trace->about, about);
}

gint64 atlas_trace_step_number(const char *name) {
    guint64 number;
    const char *digits = name + strlen(STEP);
    return g_str_has_prefix(name, STEP) &&
                   g_ascii_string_to_unsigned(digits, 10, 0, G_MAXINT64 - 1, &number, NULL)
               ? (gint64)number
               : -1;
}

/* ---- operators ---- */

void atlas_trace_want_ops(AtlasTraceBuilder *b, AtlasTraceWantsOp wants, gpointer data) {
    b->wants_op = wants;
    b->wants_data = data;
}

gboolean atlas_trace_wants_op(AtlasTraceBuilder *b, const char *name, gsize length) {
    if (length > strlen(STEP) && memcmp(name, STEP, strlen(STEP)) == 0)
        return TRUE;
    if (!b->wants_op)
        return FALSE;
    g_string_truncate(b->scratch, 0);
    g_string_append_len(b->scratch, name, (gssize)length);
    guint answer = GPOINTER_TO_UINT(g_hash_table_lookup(b->ops, b->scratch->str));
    if (answer == 0) {
        answer = 1 + (b->wants_op(b->scratch->str, b->wants_data) != FALSE);
        g_hash_table_insert(b->ops, g_strdup(b->scratch->str), GUINT_TO_POINTER(answer));
    }
    return answer > 1;
}

/* ---- the end ---- */

static gint by_start(gconstpointer a, gconstpointer b) {
    gint64 x = *(const gint64 *)a, y = *(const gint64 *)b; /* the first of what each record has */
    return x < y ? -1 : x > y;
}

static gint by_range(gconstpointer a, gconstpointer b) {
    const AtlasTraceRange *x = a, *y = b;
    gint order = by_start(a, b);
    return order ? order : x->duration > y->duration ? -1 : x->duration < y->duration;
}

static gint by_call(gconstpointer a, gconstpointer b, gpointer data) {
    const AtlasTraceCall *calls = data;
    guint32 x = *(const guint32 *)a, y = *(const guint32 *)b;
    gint order = by_start(&calls[x], &calls[y]);
    return order ? order : x < y ? -1 : x > y;
}

/* Calls and what else is known of them stay side by side. */
static void sort_detailed(AtlasTrace *trace) {
    guint n = trace->calls->len;
    g_autofree guint32 *order = g_new(guint32, n + 1);
    GArray *calls = g_array_sized_new(FALSE, FALSE, sizeof(AtlasTraceCall), n);
    GArray *details = g_array_sized_new(FALSE, FALSE, sizeof(AtlasTraceDetail), n);
    for (guint i = 0; i < n; i++)
        order[i] = i;
    g_qsort_with_data(order, (gint)n, sizeof *order, by_call, trace->calls->data);
    for (guint i = 0; i < n; i++) {
        g_array_append_val(calls, g_array_index(trace->calls, AtlasTraceCall, order[i]));
        g_array_append_val(details, g_array_index(trace->details, AtlasTraceDetail, order[i]));
    }
    g_array_unref(trace->calls);
    g_array_unref(trace->details);
    trace->calls = calls;
    trace->details = details;
}

/* Most profilers write calls in order: then nothing is to be moved. */
static gboolean is_sorted(const GArray *calls) {
    for (guint i = 1; i < calls->len; i++)
        if (g_array_index(calls, AtlasTraceCall, i).start <
            g_array_index(calls, AtlasTraceCall, i - 1).start)
            return FALSE;
    return TRUE;
}

static void end_open_ranges(AtlasTrace *trace, gint64 last) {
    for (guint i = 0; trace->open && i < trace->ranges->len; i++) {
        AtlasTraceRange *range = &g_array_index(trace->ranges, AtlasTraceRange, i);
        if (range->open)
            range->duration = last - range->start;
    }
}

AtlasTrace *atlas_trace_finish(AtlasTraceBuilder *b) {
    AtlasTrace *trace = b->trace;
    g_assert(!atlas_trace_times_fault(b));
    end_open_ranges(trace, b->last);
    if (!is_sorted(trace->calls)) {
        if (trace->wants == ATLAS_TRACE_ALL)
            sort_detailed(trace);
        else
            g_array_sort(trace->calls, by_start);
    }
    g_array_sort(trace->activities, by_start);
    g_array_sort(trace->ranges, by_range);
    atlas_trace_join(trace, b->links, b->reach);
    trace->totals.steps = g_hash_table_size(b->steps);
    b->trace = NULL;
    atlas_trace_builder_free(b);
    return trace;
}
