/* How long the host is in each stage of the steps. */
#include "model/measure/survey_part.h"
#include "model/measure/trace_open.h"

typedef struct {
    Survey *s;
    TraceOpen open;   /* stage ranges of the steps' thread, with the key 0 */
    gint64 now;       /* all before it is counted */
    guint step;       /* the first that does not end before it */
    gint64 in_stages; /* all of them together */
} Clock;

/* Gives a stage what lies in steps of the time from `now` to `until`. */
static void pass(Clock *c, guint stage, gint64 until) {
    const GArray *steps = c->s->parts->steps;
    while (c->step < steps->len && g_array_index(steps, AtlasTraceStep, c->step).end <= c->now)
        c->step++;
    for (guint i = c->step; i < steps->len; i++) {
        const AtlasTraceStep *step = &g_array_index(steps, AtlasTraceStep, i);
        gint64 from = MAX(c->now, step->start), to = MIN(until, step->end);
        if (step->start >= until)
            break;
        if (from >= to)
            continue;
        atlas_survey_stage(c->s->survey, stage)->host_ns += to - from;
        c->in_stages += to - from;
    }
}

/* Lets the time go on; where nothing is open no stage has it. */
static void go_on(Clock *c, gint64 until) {
    const TraceOpenRange *open;
    while (c->now < until && (open = trace_open_at(&c->open, 0, c->now))) {
        gint64 to = MIN(open->end, until);
        pass(c, open->what, to);
        c->now = to;
    }
    c->now = until;
}

void survey_time_stages(Survey *s) {
    const GArray *ranges = s->trace->ranges, *steps = s->parts->steps;
    g_autofree guint *stages = survey_stages_of_names(s);
    Clock clock = {.s = s, .now = G_MININT64};
    gint64 all = 0;
    trace_open_init(&clock.open);
    for (guint i = 0; i < ranges->len; i++) {
        const AtlasTraceRange *range = &g_array_index(ranges, AtlasTraceRange, i);
        guint stage = stages[range->name];
        if (stage == G_MAXUINT || range->thread != s->parts->thread)
            continue;
        go_on(&clock, range->start);
        trace_open_push(&clock.open, 0, range->start, range->start + range->duration, stage);
    }
    go_on(&clock, G_MAXINT64);
    for (guint i = 0; i < steps->len; i++) {
        const AtlasTraceStep *step = &g_array_index(steps, AtlasTraceStep, i);
        all += step->end - step->start;
    }
    atlas_survey_stage(s->survey, s->parts->stages->len)->host_ns = all - clock.in_stages;
    s->survey->time.steps = all;
    trace_open_clear(&clock.open);
}
