/* What each call of a step is, and how many there are. */
#include <string.h>

#include "model/measure/kernel_name.h"
#include "model/measure/survey_part.h"

/* ---- counts ---- */

static void end_step(SurveyCount *count) {
    if (count->now == 0)
        return;
    count->least = count->steps ? MIN(count->least, count->now) : count->now;
    count->most = MAX(count->most, count->now);
    count->sum += count->now;
    count->steps++;
    count->now = 0;
}

void survey_count(SurveyCount *count, guint step, gint64 more) {
    if (count->step != step)
        end_step(count);
    count->step = step;
    count->now += more;
}

AtlasTally survey_counted(SurveyCount *count, guint steps) {
    end_step(count);
    return (AtlasTally){TRUE, count->sum, count->steps < steps ? 0 : count->least, count->most};
}

void survey_tally(Survey *s, guint call, AtlasTallyKind kind, gint64 more) {
    guint step = s->step_of[call];
    survey_count(&g_array_index(s->counts, SurveyCount, s->stage_of[call] * ATLAS_TALLIES + kind),
                 step, more);
    survey_count(&s->step[kind], step, more);
}

/* ---- what is seen ---- */

static guint16 stream_index(Survey *s, guint32 activity) {
    if (activity == ATLAS_TRACE_NONE)
        return ATLAS_SEEN_NONE;
    guint16 stream = g_array_index(s->trace->activities, AtlasTraceActivity, activity).stream;
    if (s->stream_of[stream] == ATLAS_SEEN_NONE && s->survey->streams->len < ATLAS_SEEN_NONE) {
        const AtlasTraceStream *from = &g_array_index(s->trace->streams, AtlasTraceStream, stream);
        AtlasSurveyStream one = {.device = from->device, .stream = from->stream};
        s->stream_of[stream] = (guint16)s->survey->streams->len;
        g_array_append_val(s->survey->streams, one);
    }
    return s->stream_of[stream];
}

/* Between two calls that nothing parts, the host prepares the second one. */
static void time_work(Survey *s, guint call, gboolean works) {
    const AtlasTraceCall *c = atlas_trace_call(s->trace, call);
    SurveyThread *thread = &s->threads[c->thread];
    if (works && thread->works && thread->stage == s->stage_of[call]) {
        gint64 ns = c->start - thread->work_at;
        g_array_append_val(s->between, ns);
    }
    thread->works = works;
    thread->stage = s->stage_of[call];
    thread->work_at = c->start;
}

guint survey_seen(Survey *s, guint call, AtlasSeenKind kind, guint32 of, gint64 nodes) {
    AtlasSeen seen = {.kind = (guint8)kind,
                      .stage = s->stage_of[call],
                      .stream = stream_index(s, s->caused[call]),
                      .of = of,
                      .nodes = nodes};
    g_array_append_val(s->items, seen);
    time_work(s, call, kind != ATLAS_SEEN_PART && kind != ATLAS_SEEN_GRAPH);
    return s->items->len - 1;
}

guint32 survey_kernel(Survey *s, guint32 name) {
    guint32 *kernel_of = &s->kernel_of[MIN(name, s->trace->names->len)];
    if (*kernel_of == ATLAS_TRACE_NONE) {
        g_autofree char *brief = atlas_kernel_short(atlas_trace_name(s->trace, name));
        AtlasSurveyKernel kernel = {
            .name = atlas_survey_string(s->survey, atlas_trace_name(s->trace, name)),
            .brief = atlas_survey_string(s->survey, brief),
            .by_stage = g_new0(gint64, s->survey->stages->len)};
        *kernel_of = s->survey->kernels->len;
        g_array_append_val(s->survey->kernels, kernel);
    }
    return *kernel_of;
}

static void see_launch(Survey *s, guint call) {
    guint32 activity = s->caused[call], kernel = ATLAS_TRACE_NONE;
    const AtlasTraceActivity *ran =
        activity == ATLAS_TRACE_NONE
            ? NULL
            : &g_array_index(s->trace->activities, AtlasTraceActivity, activity);
    survey_tally(s, call, ATLAS_TALLY_LAUNCHES, 1);
    s->after = "a kernel that was not recorded";
    if (ran && ran->kind == ATLAS_ACTIVITY_KERNEL) {
        kernel = survey_kernel(s, ran->name);
        AtlasSurveyKernel *k = atlas_survey_kernel(s->survey, kernel);
        k->launches++;
        k->by_stage[s->stage_of[call]]++;
        s->after = k->brief;
    }
    survey_seen(s, call, ATLAS_SEEN_LAUNCH, kernel, 0);
}

/* Graphs of a stage that ran as many kernels are one row. */
static SurveyCount *graph_count(Survey *s, guint stage, gint64 nodes) {
    guint i = 0;
    for (; i < s->survey->graphs->len; i++) {
        const AtlasSurveyGraph *graph = &g_array_index(s->survey->graphs, AtlasSurveyGraph, i);
        if (graph->stage == stage && graph->nodes == nodes)
            break;
    }
    if (i == s->survey->graphs->len) {
        AtlasSurveyGraph graph = {.stage = stage, .nodes = nodes};
        g_array_append_val(s->survey->graphs, graph);
        g_array_set_size(s->graph_counts, i + 1);
    }
    return &g_array_index(s->graph_counts, SurveyCount, i);
}

static void see_graph(Survey *s, guint call) {
    gint64 nodes = s->caused[call] == ATLAS_TRACE_NONE || s->trace->whole_graph
                       ? -1
                       : (gint64)g_array_index(s->trace->kernels, guint32, call);
    survey_tally(s, call, ATLAS_TALLY_GRAPHS, 1);
    survey_tally(s, call, ATLAS_TALLY_NODES, MAX(nodes, 0));
    s->untold_nodes[s->stage_of[call]] |= nodes < 0;
    s->after = "a graph";
    survey_count(graph_count(s, s->stage_of[call], nodes), s->step_of[call], 1);
    survey_seen(s, call, ATLAS_SEEN_GRAPH, ATLAS_TRACE_NONE, nodes);
}

/* Memory that a stream allocates in its order is nothing that the host waits for. */
static void see_memory(Survey *s, guint call, gboolean free) {
    if (!free)
        survey_tally(s, call, ATLAS_TALLY_ALLOCS, 1);
    if (!strstr(survey_call_name(s, call), "Async"))
        survey_part(s, call, free ? ATLAS_PART_FREE : ATLAS_PART_ALLOC);
}

void survey_call(Survey *s, guint call) {
    const AtlasTraceCall *c = atlas_trace_call(s->trace, call);
    SurveyThread *thread = &s->threads[c->thread];
    if (thread->step != s->step_of[call])
        *thread = (SurveyThread){.step = s->step_of[call]};
    if (s->after_step != s->step_of[call])
        s->after = NULL;
    s->after_step = s->step_of[call];
    switch ((AtlasCallKind)c->kind) {
    case ATLAS_CALL_LAUNCH:
        see_launch(s, call);
        break;
    case ATLAS_CALL_GRAPH_LAUNCH:
        see_graph(s, call);
        break;
    case ATLAS_CALL_COPY:
        survey_copy(s, call);
        return;
    case ATLAS_CALL_MEMSET:
        survey_tally(s, call, ATLAS_TALLY_MEMSETS, 1);
        survey_seen(s, call, ATLAS_SEEN_MEMSET, ATLAS_TRACE_NONE, 0);
        break;
    case ATLAS_CALL_SYNC:
        survey_sync(s, call);
        break;
    case ATLAS_CALL_ALLOC:
    case ATLAS_CALL_FREE:
        see_memory(s, call, c->kind == ATLAS_CALL_FREE);
        break;
    case ATLAS_CALL_CAPTURE_BEGIN:
    case ATLAS_CALL_CAPTURE_END:
    case ATLAS_CALL_INSTANTIATE:
        survey_part(s, call, ATLAS_PART_CAPTURE);
        break;
    case ATLAS_CALL_RECORD: /* an event behind a copy: what is waited for may be the copy */
        return;
    case ATLAS_CALL_WAIT:
    case ATLAS_CALL_KINDS:
        break;
    }
    thread->copy.open = FALSE;
}
