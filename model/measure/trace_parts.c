#include "model/measure/trace_finder.h"

/* ---- processes and nesting ---- */

static guint main_process(const AtlasTrace *trace) {
    g_autoptr(GArray) launches = g_array_new(FALSE, TRUE, sizeof(gint64));
    guint best = 0;
    for (guint i = 0; i < trace->threads->len; i++) {
        guint process = process_of(trace, i);
        if (process >= launches->len)
            g_array_set_size(launches, process + 1);
    }
    for (guint i = 0; i < trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(trace, i);
        if (call->kind <= ATLAS_CALL_GRAPH_LAUNCH)
            g_array_index(launches, gint64, process_of(trace, call->thread))++;
    }
    for (guint i = 1; i < launches->len; i++)
        if (g_array_index(launches, gint64, i) > g_array_index(launches, gint64, best))
            best = i;
    return best;
}

/* Ranges stand by start, the longer first: what may hold one stands before it. One that was open
 * when the recording ended holds none: how far it went nobody knows. */
static void nest(Finder *f) {
    g_autofree guint32 *last = g_new(guint32, f->trace->threads->len + 1);
    for (guint i = 0; i < f->trace->threads->len; i++)
        last[i] = ATLAS_TRACE_NONE;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        guint32 around = last[range->thread];
        while (around != ATLAS_TRACE_NONE && (end_of(range_at(f, around)) <= range->start ||
                                              end_of(range_at(f, around)) < end_of(range)))
            around = f->parent[around];
        f->parent[i] = around;
        if (!range->open)
            last[range->thread] = i;
    }
}

/* ---- stages ---- */

/* The step that each range of the steps' thread begins in; where there is only one, all of them. */
static void place_ranges(Finder *f) {
    guint step = 0, steps = f->parts->steps->len;
    gboolean all = steps > 0 && f->parts->by == ATLAS_STEPS_NONE;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        while (!all && step < steps && step_at(f, step)->end <= range->start)
            step++;
        gboolean inside = step < steps && (all || step_at(f, step)->start <= range->start);
        f->step[i] = inside && range->thread == f->parts->thread ? step : ATLAS_TRACE_NONE;
    }
}

/* Whether a call of the process was made in a range, by whatever thread; it may have been where
 * calls were not recorded. */
static gboolean has_calls(const Finder *f, const AtlasTraceRange *range) {
    guint low = 0, high = f->trace->calls->len;
    if (!atlas_trace_has_calls(f->trace))
        return TRUE;
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (atlas_trace_call(f->trace, middle)->start < range->start)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < f->trace->calls->len; low++) {
        const AtlasTraceCall *call = atlas_trace_call(f->trace, low);
        if (call->start >= end_of(range))
            return FALSE;
        if (process_of(f->trace, call->thread) == f->parts->process)
            return TRUE;
    }
    return FALSE;
}

/* Nothing of the step holds it but what was looked into. */
static gboolean on_level(const Finder *f, guint i) {
    guint32 around = f->parent[i];
    return f->step[i] != ATLAS_TRACE_NONE && !f->makes[i] &&
           (around == ATLAS_TRACE_NONE || f->makes[around] || f->step[around] != f->step[i]);
}

static GArray *level_stages(const Finder *f) {
    GArray *stages = g_array_new(FALSE, FALSE, sizeof(guint32));
    guint names = f->trace->names->len;
    g_autofree guint32 *last = g_new(guint32, names + 1);
    g_autofree gboolean *twice = g_new0(gboolean, names + 1);
    g_autofree gboolean *called = g_new0(gboolean, names + 1);
    for (guint i = 0; i < names; i++)
        last[i] = ATLAS_TRACE_NONE;
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        guint32 name = range_at(f, i)->name;
        if (!on_level(f, i))
            continue;
        twice[name] |= last[name] == f->step[i];
        last[name] = f->step[i];
        called[name] = called[name] || has_calls(f, range_at(f, i));
    }
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        guint32 name = range_at(f, i)->name;
        if (on_level(f, i) && !twice[name] && called[name]) {
            called[name] = FALSE; /* listed once */
            g_array_append_val(stages, name);
        }
    }
    if (stages->len > ATLAS_TRACE_STAGES_MAX)
        g_array_set_size(stages, 0);
    return stages;
}

static void find_stages(Finder *f) {
    place_ranges(f);
    g_array_unref(f->parts->stages);
    f->parts->stages = level_stages(f);
    if (f->parts->stages->len != 1)
        return;
    guint32 only = g_array_index(f->parts->stages, guint32, 0);
    for (guint i = 0; i < f->trace->ranges->len; i++)
        f->makes[i] |= range_at(f, i)->name == only && f->step[i] != ATLAS_TRACE_NONE;
    g_autoptr(GArray) deeper = level_stages(f);
    if (deeper->len < 2)
        return;
    g_array_unref(f->parts->stages);
    f->parts->stages = g_steal_pointer(&deeper);
}

/* ---- all of it ---- */

/* Names of ranges that it could have been. */
static void suggest(const Finder *f, const char *asked, AtlasDiags *diags) {
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < f->trace->ranges->len; i++) {
        const AtlasTraceRange *range = range_at(f, i);
        gpointer name = (gpointer)atlas_trace_name(f->trace, range->name);
        if (process_of(f->trace, range->thread) == f->parts->process &&
            !g_ptr_array_find(names, name, NULL))
            g_ptr_array_add(names, name);
    }
    g_ptr_array_add(names, NULL);
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "no range is called '%s'", asked);
    atlas_diags_suggest(diags, asked, "ranges", (const char *const *)names->pdata);
}

AtlasTraceParts *atlas_trace_parts_find(const AtlasTrace *trace, const char *step,
                                        AtlasDiags *diags) {
    g_assert(trace->wants == ATLAS_TRACE_ALL);
    guint n = trace->ranges->len;
    g_autoptr(AtlasTraceParts) parts = g_new0(AtlasTraceParts, 1);
    *parts = (AtlasTraceParts){.process = main_process(trace),
                               .thread = ATLAS_TRACE_NONE,
                               .name = ATLAS_TRACE_NONE,
                               .steps = g_array_new(FALSE, FALSE, sizeof(AtlasTraceStep)),
                               .stages = g_array_new(FALSE, FALSE, sizeof(guint32))};
    g_autofree guint32 *parent = g_new(guint32, n + 1), *step_of = g_new(guint32, n + 1);
    g_autofree gboolean *makes = g_new0(gboolean, n + 1);
    Finder f = {trace, parts, parent, step_of, makes};
    nest(&f);
    if (!finder_steps(&f, step)) {
        suggest(&f, step, diags);
        return NULL;
    }
    find_stages(&f);
    return g_steal_pointer(&parts);
}

void atlas_trace_parts_free(AtlasTraceParts *parts) {
    if (!parts)
        return;
    g_array_unref(parts->steps);
    g_array_unref(parts->stages);
    g_free(parts);
}
