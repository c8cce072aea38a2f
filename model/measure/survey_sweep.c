/* In which step and stage each call is, in order of time. */
#include "model/measure/survey_part.h"
#include "model/measure/trace_open.h"

typedef struct {
    guint next;                 /* range that was not looked at */
    TraceOpen threads, process; /* stage ranges that are open, by thread, and all with the key 0 */
    guint *stages;              /* of each name: its stage, or G_MAXUINT */
    guint step;
} Sweep;

static gboolean is_of_process(const Survey *s, guint thread) {
    return g_array_index(s->trace->threads, AtlasTraceThread, thread).process == s->parts->process;
}

static void open_range(Survey *s, Sweep *sweep, guint i) {
    const AtlasTraceRange *range = &g_array_index(s->trace->ranges, AtlasTraceRange, i);
    guint stage = sweep->stages[range->name];
    gint64 end = range->start + range->duration;
    if (stage == G_MAXUINT || !is_of_process(s, range->thread))
        return;
    trace_open_push(&sweep->threads, range->thread, range->start, end, stage);
    trace_open_push(&sweep->process, 0, range->start, end, stage);
}

/* The innermost range of the thread, else the one that was opened last. */
static guint stage_now(const Survey *s, Sweep *sweep, guint thread, gint64 now) {
    const TraceOpenRange *open = trace_open_at(&sweep->threads, thread, now);
    if (!open)
        open = trace_open_at(&sweep->process, 0, now);
    return open ? open->what : s->survey->stages->len - 1;
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
    if (!is_of_process(s, call->thread)) {
        s->survey->elsewhere += launch;
        return;
    }
    if (!step_now(s, sweep, call->start)) {
        s->survey->between += launch;
        return;
    }
    s->step_of[i] = sweep->step;
    s->stage_of[i] = (guint16)stage_now(s, sweep, call->thread, call->start);
    survey_call(s, i);
}

guint *survey_stages_of_names(const Survey *s) {
    guint names = s->trace->names->len, *stages = g_new(guint, names + 1);
    for (guint i = 0; i < names; i++)
        stages[i] = G_MAXUINT;
    for (guint i = 0; i < s->parts->stages->len; i++)
        stages[g_array_index(s->parts->stages, guint32, i)] = i;
    return stages;
}

void survey_sweep(Survey *s) {
    g_autofree guint *stages = survey_stages_of_names(s);
    Sweep sweep = {.stages = stages};
    trace_open_init(&sweep.threads);
    trace_open_init(&sweep.process);
    s->survey->between = s->survey->elsewhere = 0;
    for (guint i = 0; i < s->trace->calls->len; i++)
        sweep_call(s, &sweep, i);
    while (s->starts->len <= s->parts->steps->len)
        g_array_append_val(s->starts, s->items->len);
    trace_open_clear(&sweep.threads);
    trace_open_clear(&sweep.process);
}
