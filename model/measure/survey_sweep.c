/* In which step and stage each call is, in order of time. */
#include "model/measure/survey_part.h"

/* Stage ranges that are open while time goes on. */
typedef struct {
    guint next;    /* range that was not looked at */
    GArray *open;  /* of guint: by start */
    guint *stages; /* of each name: its stage, or G_MAXUINT */
    guint step;
} Sweep;

static gint64 range_end(const AtlasTraceRange *range) {
    return range->start + range->duration;
}

static void open_range(Survey *s, Sweep *sweep, guint i) {
    const AtlasTraceRange *range = &g_array_index(s->trace->ranges, AtlasTraceRange, i);
    guint stage = sweep->stages[range->name];
    if (stage == G_MAXUINT ||
        g_array_index(s->trace->threads, AtlasTraceThread, range->thread).process !=
            s->parts->process)
        return;
    g_array_append_val(sweep->open, i);
}

static void close_ranges(Survey *s, Sweep *sweep, gint64 now) {
    for (guint i = sweep->open->len; i-- > 0;) {
        guint range = g_array_index(sweep->open, guint, i);
        if (range_end(&g_array_index(s->trace->ranges, AtlasTraceRange, range)) <= now)
            g_array_remove_index(sweep->open, i);
    }
}

/* The innermost range of the thread, else the one that was opened last. */
static guint stage_now(const Survey *s, const Sweep *sweep, guint thread) {
    guint stage = s->survey->stages->len - 1;
    for (guint i = 0; i < sweep->open->len; i++) {
        guint open = g_array_index(sweep->open, guint, i);
        stage = sweep->stages[g_array_index(s->trace->ranges, AtlasTraceRange, open).name];
    }
    for (guint i = sweep->open->len; i-- > 0;) {
        guint open = g_array_index(sweep->open, guint, i);
        const AtlasTraceRange *range = &g_array_index(s->trace->ranges, AtlasTraceRange, open);
        if (range->thread == thread)
            return sweep->stages[range->name];
    }
    return stage;
}

/* The step at a time that is not before the last one asked for; FALSE: none. */
static gboolean step_now(Survey *s, Sweep *sweep, gint64 now) {
    const GArray *steps = s->parts->steps;
    while (sweep->step < steps->len && g_array_index(steps, AtlasTraceStep, sweep->step).end <= now)
        sweep->step++;
    while (s->starts->len <= sweep->step)
        g_array_append_val(s->starts, s->items->len);
    return sweep->step < steps->len &&
           g_array_index(steps, AtlasTraceStep, sweep->step).start <= now;
}

static void sweep_call(Survey *s, Sweep *sweep, guint i) {
    const AtlasTraceCall *call = atlas_trace_call(s->trace, i);
    const GArray *ranges = s->trace->ranges;
    gboolean launch = call->kind == ATLAS_CALL_LAUNCH;
    while (sweep->next < ranges->len &&
           g_array_index(ranges, AtlasTraceRange, sweep->next).start <= call->start)
        open_range(s, sweep, sweep->next++);
    close_ranges(s, sweep, call->start);
    if (g_array_index(s->trace->threads, AtlasTraceThread, call->thread).process !=
        s->parts->process) {
        s->survey->elsewhere += launch;
        return;
    }
    if (!step_now(s, sweep, call->start)) {
        s->survey->between += launch;
        return;
    }
    s->step_of[i] = sweep->step;
    s->stage_of[i] = (guint16)stage_now(s, sweep, call->thread);
    survey_call(s, i);
}

void survey_sweep(Survey *s) {
    guint names = s->trace->names->len;
    g_autofree guint *stages = g_new(guint, names + 1);
    g_autoptr(GArray) open = g_array_new(FALSE, FALSE, sizeof(guint));
    Sweep sweep = {.open = open, .stages = stages};
    for (guint i = 0; i < names; i++)
        stages[i] = G_MAXUINT;
    for (guint i = 0; i < s->parts->stages->len; i++)
        stages[g_array_index(s->parts->stages, guint32, i)] = i;
    s->survey->between = s->survey->elsewhere = 0;
    for (guint i = 0; i < s->trace->calls->len; i++)
        sweep_call(s, &sweep, i);
    while (s->starts->len <= s->parts->steps->len)
        g_array_append_val(s->starts, s->items->len);
}
