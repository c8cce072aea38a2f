#include "model/measure/trace_steps.h"

#include <string.h>

#include "model/base/visible.h"
#include "model/measure/step_name.h"

static TraceSpan *span(const GArray *spans, guint i) {
    return &g_array_index(spans, TraceSpan, i);
}

void trace_steps_clear(TraceSteps *steps) {
    g_array_unref(steps->spans);
    g_free(steps->means);
}

gint64 trace_steps_at(const TraceSteps *steps, gint64 time) {
    guint low = 0, high = steps->spans->len;
    while (low < high) { /* the first that begins behind it */
        guint middle = low + (high - low) / 2;
        if (span(steps->spans, middle)->start <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && time < span(steps->spans, low - 1)->end ? (gint64)low - 1 : -1;
}

/* Whether the numbers count up by one. */
static gboolean count_up(const GArray *spans) {
    for (guint i = 0; i < spans->len; i++)
        if (span(spans, i)->number < 0 ||
            (i > 0 && span(spans, i)->number != span(spans, i - 1)->number + 1))
            return FALSE;
    return TRUE;
}

static gboolean is_of(const AtlasTrace *trace, const AtlasTraceRange *range, guint16 process) {
    return g_array_index(trace->threads, AtlasTraceThread, range->thread).process == process;
}

/* ---- ranges of the profiler ---- */

/* A step is named once by each thread that knows it; one that begins before the last one has ended
 * is none. */
static GArray *profiler_steps(const AtlasTrace *trace, guint16 process) {
    GArray *found = g_array_new(FALSE, FALSE, sizeof(TraceSpan));
    for (guint i = 0; i < trace->ranges->len; i++) {
        const AtlasTraceRange *r = &g_array_index(trace->ranges, AtlasTraceRange, i);
        if (!r->step || !is_of(trace, r, process))
            continue;
        TraceSpan made = {.start = r->start,
                          .end = r->start + r->duration,
                          .number = atlas_trace_step_number(atlas_trace_name(trace, r->name))};
        if (found->len == 0 || (span(found, found->len - 1)->number != made.number &&
                                span(found, found->len - 1)->end <= made.start))
            g_array_append_val(found, made);
    }
    return found;
}

/* ---- ranges that enclose the stages ---- */

/* Ranges of one kind: of one name but for its numbers. */
typedef struct {
    const char *name, *last; /* of the first of them, and of the last */
    gboolean called;         /* what steps are */
    gboolean falls;          /* the numbers do not only rise */
    GArray *spans;
    gint64 open; /* the start of the first that has no end; G_MAXINT64 */
} Group;

static void group_free(gpointer data) {
    Group *group = data;
    g_array_unref(group->spans);
    g_free(group);
}

static gint64 number_of(const char *name) {
    gsize start, end;
    gint64 number;
    return atlas_step_number(name, &start, &end, &number) ? number : -1;
}

/* All groups of a process, in order of appearance, but for stages. */
static GPtrArray *groups_of(const AtlasTrace *trace, guint16 process, const guint32 *stage_of) {
    GPtrArray *groups = g_ptr_array_new_with_free_func(group_free);
    g_autoptr(GHashTable) by_kind = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = 0; i < trace->ranges->len; i++) {
        const AtlasTraceRange *r = &g_array_index(trace->ranges, AtlasTraceRange, i);
        if (r->step || stage_of[r->name] != ATLAS_TRACE_NONE || !is_of(trace, r, process))
            continue;
        const char *name = atlas_trace_name(trace, r->name);
        g_autofree char *kind = atlas_step_kind(name);
        Group *group = g_hash_table_lookup(by_kind, kind);
        if (!group) {
            group = g_new0(Group, 1);
            *group = (Group){.name = name,
                             .called = atlas_step_called(kind),
                             .spans = g_array_new(FALSE, FALSE, sizeof(TraceSpan)),
                             .open = G_MAXINT64};
            g_ptr_array_add(groups, group);
            g_hash_table_insert(by_kind, g_steal_pointer(&kind), group);
        }
        group->falls |= group->last && !atlas_step_rises(group->last, name);
        group->last = name;
        TraceSpan made = {
            .start = r->start, .end = r->start + r->duration, .number = number_of(name)};
        if (r->open)
            group->open = MIN(group->open, r->start);
        else
            g_array_append_val(group->spans, made);
    }
    return groups;
}

/* Whether each stage range lies in one of these, or in one that has no end, and each has one. */
static gboolean encloses(const Group *group, const GArray *stages) {
    const GArray *spans = group->spans;
    guint at = 0;
    if (spans->len < 2 || spans->len > stages->len)
        return FALSE;
    for (guint i = 0; i < spans->len; i++) {
        guint before = at;
        if (i > 0 && span(spans, i)->start < span(spans, i - 1)->end)
            return FALSE;
        while (at < stages->len && span(stages, at)->start >= span(spans, i)->start &&
               span(stages, at)->end <= span(spans, i)->end)
            at++;
        if (at == before)
            return FALSE;
    }
    return at == stages->len || span(stages, at)->start >= group->open;
}

/* What is called steps, then what only rises, then what there is most of. */
static gboolean is_likelier(const Group *a, const Group *b) {
    if (a->called != b->called)
        return a->called;
    if (a->falls != b->falls)
        return b->falls;
    return a->spans->len > b->spans->len;
}

/* FALSE where there are none. */
static gboolean enclosing_steps(TraceSteps *steps, const AtlasTrace *trace, guint16 process,
                                const GArray *stages, const guint32 *stage_of) {
    g_autoptr(GPtrArray) groups = groups_of(trace, process, stage_of);
    const Group *best = NULL;
    for (guint i = 0; i < groups->len; i++) {
        const Group *group = g_ptr_array_index(groups, i);
        if (encloses(group, stages) && (!best || is_likelier(group, best)))
            best = group;
    }
    if (!best)
        return FALSE;
    g_autofree char *name = atlas_visible_text(best->name);
    *steps = (TraceSteps){g_array_ref(best->spans), count_up(best->spans), TRUE,
                          g_strdup_printf("ranges like '%s'", name)};
    return TRUE;
}

/* ---- returns of the first stage ---- */

static GArray *returns_of_first(const GArray *stages) {
    GArray *found = g_array_new(FALSE, FALSE, sizeof(TraceSpan));
    gboolean other = TRUE, only = TRUE;
    gint64 end = G_MININT64;  /* of what is open of the first stage */
    gint64 open = G_MININT64; /* the start of the last range without an end */
    for (guint i = 0; i < stages->len; i++)
        only &= span(stages, i)->stage == span(stages, 0)->stage;
    for (guint i = 0; i < stages->len; i++) {
        const TraceSpan *s = span(stages, i);
        gboolean first = s->stage == span(stages, 0)->stage;
        if (first && (other || only) && s->start >= end) {
            TraceSpan made = {.start = s->start, .end = G_MAXINT64, .number = -1};
            if (found->len > 0)
                span(found, found->len - 1)->end = s->start;
            g_array_append_val(found, made);
        }
        other = !first || (other && s->start < end);
        end = first ? MAX(end, s->end) : end;
        open = s->open ? s->start : open;
    }
    if (found->len > 0 && open >= span(found, found->len - 1)->start)
        g_array_set_size(found, found->len - 1);
    return found;
}

/* When the last range of a stage's thread ends. */
static gint64 last_end(const AtlasTrace *trace, const TraceSpan *stage) {
    gint64 end = stage->end;
    for (guint i = 0; i < trace->ranges->len; i++) {
        const AtlasTraceRange *r = &g_array_index(trace->ranges, AtlasTraceRange, i);
        if (r->thread == stage->thread)
            end = MAX(end, r->start + r->duration);
    }
    return end;
}

/* Steps in which a stage of the rest counts what is in no range: they must not hold what is behind
 * them, and one of them is all there is. FALSE where that changes nothing of what they mean. */
static gboolean widen(GArray *found, const AtlasTrace *trace, const GArray *stages) {
    TraceSpan all = {.start = G_MININT64, .end = G_MAXINT64, .number = -1};
    if (found->len > 1) {
        span(found, found->len - 1)->end = last_end(trace, span(stages, 0));
        return FALSE;
    }
    g_array_set_size(found, 0);
    g_array_append_val(found, all);
    return TRUE;
}

void trace_steps_find(TraceSteps *steps, const AtlasTrace *trace, guint16 process,
                      const GArray *stages, const AtlasTraceMap *map) {
    GArray *found = profiler_steps(trace, process);
    if (found->len > 0) {
        *steps = (TraceSteps){found, count_up(found), TRUE, g_strdup("ranges ProfilerStep#N")};
        return;
    }
    g_array_unref(found);
    if (enclosing_steps(steps, trace, process, stages, map->ranges))
        return;
    found = returns_of_first(stages);
    gboolean all = map->rest && widen(found, trace, stages);
    *steps = (TraceSteps){found, FALSE, FALSE,
                          g_strdup(all ? "all of the trace" : "returns of the first stage")};
}
