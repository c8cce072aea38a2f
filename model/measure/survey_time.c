/* The activities of a trace's steps: what ran, and why nothing did. */
#include "model/measure/survey_part.h"

/* ---- what ran ---- */

static void count_stream(Survey *s, const AtlasTraceActivity *activity) {
    guint16 stream = s->stream_of[activity->stream];
    if (stream == ATLAS_SEEN_NONE)
        return;
    AtlasSurveyStream *on = &g_array_index(s->survey->streams, AtlasSurveyStream, stream);
    gint64 *const counts[ATLAS_ACTIVITY_KINDS] = {[ATLAS_ACTIVITY_KERNEL] = &on->kernels,
                                                  [ATLAS_ACTIVITY_COPY] = &on->copies,
                                                  [ATLAS_ACTIVITY_MEMSET] = &on->memsets,
                                                  [ATLAS_ACTIVITY_GRAPH] = &on->graphs};
    ++*counts[activity->kind];
    on->busy_ns += activity->duration;
}

static void count_activities(Survey *s) {
    for (guint i = 0; i < s->trace->activities->len; i++) {
        const AtlasTraceActivity *a = &g_array_index(s->trace->activities, AtlasTraceActivity, i);
        if (a->call == ATLAS_TRACE_NONE || s->step_of[a->call] == ATLAS_TRACE_NONE)
            continue;
        count_stream(s, a);
        if (a->kind != ATLAS_ACTIVITY_KERNEL)
            continue;
        AtlasSurveyKernel *kernel = atlas_survey_kernel(s->survey, survey_kernel(s, a->name));
        kernel->gpu_ns += a->duration;
        if (atlas_trace_call(s->trace, a->call)->kind == ATLAS_CALL_GRAPH_LAUNCH)
            kernel->nodes++;
    }
}

/* ---- waiting ---- */

typedef struct {
    gint64 start, end;
} Span;

/* When some thread of the process waits: spans that stand apart, in order. */
static GArray *waits(const Survey *s) {
    GArray *spans = g_array_new(FALSE, FALSE, sizeof(Span));
    for (guint i = 0; i < s->trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(s->trace, i);
        Span span = {call->start, call->start + survey_call_ns(s, i)};
        if (!survey_waits(s, i) ||
            g_array_index(s->trace->threads, AtlasTraceThread, call->thread).process !=
                s->parts->process)
            continue;
        Span *last = spans->len ? &g_array_index(spans, Span, spans->len - 1) : NULL;
        if (last && last->end >= span.start)
            last->end = MAX(last->end, span.end);
        else
            g_array_append_val(spans, span);
    }
    return spans;
}

/* How much of a span lies in spans that stand apart; `from` is where to look first, and moves on
 * with spans that are asked for in order. */
static gint64 covered(const GArray *spans, guint *from, Span span) {
    gint64 sum = 0;
    while (*from < spans->len && g_array_index(spans, Span, *from).end <= span.start)
        ++*from;
    for (guint i = *from; i < spans->len && g_array_index(spans, Span, i).start < span.end; i++) {
        const Span *other = &g_array_index(spans, Span, i);
        sum += MIN(other->end, span.end) - MAX(other->start, span.start);
    }
    return sum;
}

/* ---- gaps ---- */

typedef struct {
    Survey *s;
    GArray *waits; /* of Span */
    guint wait, step;
    gint64 idle; /* in steps */
} Gaps;

/* Why nothing ran in a span of a step, whose end is the start of what `call` caused. */
static void explain(Gaps *g, Span span, gint64 free_since, const AtlasTraceActivity *next) {
    AtlasSurveyTime *time = &g->s->survey->time;
    gint64 length = span.end - span.start;
    guint stage = g->s->survey->stages->len - 1;
    g->idle += length;
    if (next && next->call == ATLAS_TRACE_NONE) {
        time->untold += length;
        return;
    }
    if (next && atlas_trace_call(g->s->trace, next->call)->start < free_since) {
        time->queued += length;
        return;
    }
    gint64 waited = covered(g->waits, &g->wait, span);
    if (next && g->s->step_of[next->call] != ATLAS_TRACE_NONE)
        stage = g->s->stage_of[next->call];
    time->waiting += waited;
    time->starved += length - waited;
    atlas_survey_stage(g->s->survey, stage)->starved_ns += length - waited;
}

/* The same for a gap that may lie in several steps, or in none. */
static void explain_gap(Gaps *g, Span gap, const AtlasTraceActivity *next) {
    const GArray *steps = g->s->parts->steps;
    while (g->step < steps->len && g_array_index(steps, AtlasTraceStep, g->step).end <= gap.start)
        g->step++;
    for (guint i = g->step; i < steps->len; i++) {
        const AtlasTraceStep *step = &g_array_index(steps, AtlasTraceStep, i);
        Span part = {MAX(gap.start, step->start), MIN(gap.end, step->end)};
        if (step->start >= gap.end)
            break;
        if (part.start < part.end)
            explain(g, part, gap.start, next);
    }
}

static void explain_gaps(Gaps *g) {
    const GArray *steps = g->s->parts->steps, *activities = g->s->trace->activities;
    gint64 free_since = g_array_index(steps, AtlasTraceStep, 0).start;
    for (guint i = 0; i < activities->len; i++) {
        const AtlasTraceActivity *a = &g_array_index(activities, AtlasTraceActivity, i);
        if (g->s->trace->by_process && a->process != g->s->parts->process)
            continue;
        if (a->start > free_since)
            explain_gap(g, (Span){free_since, a->start}, a);
        free_since = MAX(free_since, a->start + a->duration);
    }
    gint64 end = g_array_index(steps, AtlasTraceStep, steps->len - 1).end;
    if (end > free_since)
        explain_gap(g, (Span){free_since, end}, NULL);
}

/* Time of the steps in which no thread waits. */
static gint64 host_time(const Survey *s, const GArray *spans) {
    gint64 time = 0;
    guint from = 0;
    for (guint i = 0; i < s->parts->steps->len; i++) {
        const AtlasTraceStep *step = &g_array_index(s->parts->steps, AtlasTraceStep, i);
        time += step->end - step->start - covered(spans, &from, (Span){step->start, step->end});
    }
    return time;
}

void survey_activities(Survey *s) {
    AtlasSurveyTime *time = &s->survey->time;
    g_autoptr(GArray) spans = waits(s);
    Gaps gaps = {.s = s, .waits = spans};
    if (s->parts->steps->len == 0)
        return;
    time->host = host_time(s, spans);
    if (s->trace->activities->len == 0)
        return;
    count_activities(s);
    time->starved = time->waiting = time->queued = time->untold = time->busy = 0;
    for (guint i = 0; i < s->survey->stages->len; i++)
        atlas_survey_stage(s->survey, i)->starved_ns = 0;
    explain_gaps(&gaps);
    for (guint i = 0; i < s->parts->steps->len; i++) {
        const AtlasTraceStep *step = &g_array_index(s->parts->steps, AtlasTraceStep, i);
        time->busy += step->end - step->start;
    }
    time->busy -= gaps.idle;
}
