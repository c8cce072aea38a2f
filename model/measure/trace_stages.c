#include "model/measure/trace_stages.h"

#include "model/measure/trace_open.h"
#include "model/measure/trace_steps.h"

/* Ranges of one kind, stages or arms, while time goes by. */
typedef struct {
    const AtlasTrace *trace;
    const AtlasTraceMap *map; /* NULL: there are none */
    GArray *spans;            /* of TraceSpan, by start */
    guint next;               /* of them to be opened */
    TraceOpen threads;        /* what is open of them, by thread */
    TraceOpen processes;      /* the same by process */
} Layer;

/* A process that has stages. */
typedef struct {
    AtlasTraceRun *run;
    GArray *stages; /* of TraceSpan, by start */
    TraceSteps steps;
    guint captures; /* that are open */
} Process;

typedef struct {
    const AtlasTrace *trace;
    Layer stages, arms;
    GPtrArray *processes; /* of Process*, by number; NULL where it has none */
    guint32 *kernel;      /* by call: the name of its first kernel; NULL where nobody asks */
} Stages;

static guint16 process_of(const AtlasTrace *trace, guint16 thread) {
    return g_array_index(trace->threads, AtlasTraceThread, thread).process;
}

/* ---- what is open ---- */

static void layer_init(Layer *l, const AtlasTrace *trace, const AtlasTraceMap *map) {
    *l = (Layer){.trace = trace, .map = map, .spans = g_array_new(FALSE, FALSE, sizeof(TraceSpan))};
    trace_open_init(&l->threads);
    trace_open_init(&l->processes);
    for (guint i = 0; map && i < trace->ranges->len; i++) {
        const AtlasTraceRange *r = &g_array_index(trace->ranges, AtlasTraceRange, i);
        TraceSpan made = {.start = r->start,
                          .end = r->start + r->duration,
                          .stage = map->ranges[r->name],
                          .thread = r->thread,
                          .open = r->open};
        if (made.stage != ATLAS_TRACE_NONE)
            g_array_append_val(l->spans, made);
    }
}

static void layer_clear(Layer *l) {
    g_array_unref(l->spans);
    trace_open_clear(&l->threads);
    trace_open_clear(&l->processes);
}

/* What is open on a thread, else in its process; times only ever grow. */
static const TraceSpan *layer_at(Layer *l, guint16 thread, gint64 time) {
    for (; l->next < l->spans->len; l->next++) {
        const TraceSpan *span = &g_array_index(l->spans, TraceSpan, l->next);
        if (span->start > time)
            break;
        trace_open_push(&l->threads, span->thread, span->start, span->end, l->next);
        trace_open_push(&l->processes, process_of(l->trace, span->thread), span->start, span->end,
                        l->next);
    }
    const TraceOpenRange *open = trace_open_at(&l->threads, thread, time);
    if (!open)
        open = trace_open_at(&l->processes, process_of(l->trace, thread), time);
    return open ? &g_array_index(l->spans, TraceSpan, open->what) : NULL;
}

/* ---- runs ---- */

static void run_free(gpointer data) {
    AtlasTraceRun *run = data;
    g_free(run->means);
    g_free(run->counts);
    g_free(run->arm_launches);
    g_free(run->seen);
    g_free(run->mixed);
    g_free(run->step_ns);
    g_free(run);
}

static void process_free(gpointer data) {
    Process *p = data;
    if (!p)
        return;
    g_array_unref(p->stages);
    trace_steps_clear(&p->steps);
    g_free(p);
}

static Process *find_process(const Stages *s, guint16 number) {
    return number < s->processes->len ? g_ptr_array_index(s->processes, number) : NULL;
}

/* The process of that number, which is made where there is none. */
static Process *make_process(Stages *s, guint16 number) {
    if (s->processes->len <= number)
        g_ptr_array_set_size(s->processes, number + 1);
    Process *p = g_ptr_array_index(s->processes, number);
    if (p)
        return p;
    p = g_new0(Process, 1);
    p->stages = g_array_new(FALSE, FALSE, sizeof(TraceSpan));
    s->processes->pdata[number] = p;
    return p;
}

static gboolean launches(const AtlasTrace *trace, guint16 process) {
    for (guint i = 0; i < trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(trace, i);
        if (call->kind <= ATLAS_CALL_GRAPH_LAUNCH && process_of(trace, call->thread) == process)
            return TRUE;
    }
    return FALSE;
}

/* Those that have stage ranges, or that launch in steps where stages are known by kernels; else,
 * with a stage of the rest, those that launch. */
static void find_processes(Stages *s) {
    for (guint i = 0; i < s->stages.spans->len; i++) {
        const TraceSpan *span = &g_array_index(s->stages.spans, TraceSpan, i);
        g_array_append_val(make_process(s, process_of(s->trace, span->thread))->stages, *span);
    }
    for (guint i = 0; s->stages.map->kernels && i < s->trace->ranges->len; i++) {
        const AtlasTraceRange *r = &g_array_index(s->trace->ranges, AtlasTraceRange, i);
        guint16 process = process_of(s->trace, r->thread);
        if (r->step && !find_process(s, process) && launches(s->trace, process))
            make_process(s, process);
    }
    if (s->processes->len > 0 || !s->stages.map->rest)
        return;
    for (guint i = 0; i < s->trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(s->trace, i);
        if (call->kind <= ATLAS_CALL_GRAPH_LAUNCH)
            make_process(s, process_of(s->trace, call->thread));
    }
}

static void make_run(Stages *s, Process *p, guint16 number) {
    guint stages = s->stages.map->count, arms = s->arms.map ? s->arms.map->count : 0;
    trace_steps_find(&p->steps, s->trace, number, p->stages, s->stages.map);
    const GArray *spans = p->steps.spans;
    AtlasTraceRun *run = p->run = g_new0(AtlasTraceRun, 1);
    run->process = number;
    run->stages = stages;
    run->arms = arms;
    run->steps = spans->len;
    run->numbered = p->steps.numbered && spans->len > 0;
    run->first = run->numbered ? g_array_index(spans, TraceSpan, 0).number : 0;
    run->means = g_strdup(p->steps.means);
    run->counts = g_new0(AtlasStageCount, (gsize)stages * spans->len + 1);
    run->arm_launches = g_new0(gint64, (gsize)stages * spans->len * arms + 1);
    run->seen = g_new0(gboolean, stages + 1);
    run->mixed = g_new0(gboolean, stages + 1);
    if (p->steps.timed)
        run->step_ns = g_new0(gint64, spans->len + 1);
    for (guint i = 0; run->step_ns && i < spans->len; i++) {
        const TraceSpan *step = &g_array_index(spans, TraceSpan, i);
        run->step_ns[i] = step->end - step->start;
    }
}

/* Gives stage ranges their steps, and adds how long they last. */
static void place_stages(Stages *s) {
    guint stages = s->stages.map->count;
    gsize ends_of = (gsize)s->processes->len * stages;
    g_autofree gint64 *ends = g_new(gint64, ends_of + 1); /* of what was added */
    for (gsize i = 0; i < ends_of; i++)
        ends[i] = G_MININT64;
    for (guint i = 0; i < s->stages.spans->len; i++) {
        TraceSpan *span = &g_array_index(s->stages.spans, TraceSpan, i);
        guint16 number = process_of(s->trace, span->thread);
        Process *p = find_process(s, number);
        gint64 *end = &ends[(gsize)number * stages + span->stage];
        span->step = trace_steps_at(&p->steps, span->start);
        if (span->step < 0)
            continue;
        p->run->seen[span->stage] = TRUE;
        gint64 from = MAX(span->start, *end);
        if (span->end > from)
            p->run->counts[(gsize)span->step * stages + span->stage].ns += span->end - from;
        *end = MAX(*end, span->end);
    }
}

/* ---- calls ---- */

/* The stage or arm of a call, by ranges or by its first kernel. */
static guint32 number_of(Stages *s, const Layer *l, const TraceSpan *span, guint call) {
    if (span)
        return span->stage;
    guint32 name = l->map->kernels ? s->kernel[call] : ATLAS_TRACE_NONE;
    guint32 number = name == ATLAS_TRACE_NONE ? ATLAS_TRACE_NONE : l->map->kernels[name];
    return number == ATLAS_TRACE_NONE && l->map->rest ? *l->map->rest : number;
}

static AtlasStageCount count_of(const Stages *s, guint index, gboolean capturing) {
    gint64 kernels = g_array_index(s->trace->kernels, guint32, index);
    if (atlas_trace_call(s->trace, index)->kind == ATLAS_CALL_LAUNCH)
        return (AtlasStageCount){
            .calls = 1, .captured = capturing && kernels == 0, .kernels = kernels};
    return (AtlasStageCount){
        .graph_launches = 1, .hidden = kernels == 0, .nodes = kernels, .kernels = kernels};
}

static void add(AtlasStageCount *to, const AtlasStageCount *more) {
    to->calls += more->calls;
    to->captured += more->captured;
    to->graph_launches += more->graph_launches;
    to->hidden += more->hidden;
    to->nodes += more->nodes;
    to->kernels += more->kernels;
}

static void attribute(Stages *s, Process *p, guint index) {
    const AtlasTraceCall *call = atlas_trace_call(s->trace, index);
    AtlasTraceRun *run = p->run;
    const TraceSpan *span = layer_at(&s->stages, call->thread, call->start);
    guint32 stage = number_of(s, &s->stages, span, index);
    gint64 step = span ? span->step : trace_steps_at(&p->steps, call->start);
    if (stage == ATLAS_TRACE_NONE || step < 0) {
        run->outside++;
        return;
    }
    AtlasStageCount count = count_of(s, index, p->captures > 0);
    gsize place = (gsize)step * run->stages + stage;
    run->seen[stage] = TRUE;
    add(&run->counts[place], &count);
    if (!s->arms.map)
        return;
    span = layer_at(&s->arms, call->thread, call->start);
    run->mixed[stage] |= !span && count.nodes > 1;
    guint32 arm = number_of(s, &s->arms, span, index);
    if (arm != ATLAS_TRACE_NONE)
        run->arm_launches[place * run->arms + arm] += atlas_stage_launches(&count);
}

static void sweep(Stages *s) {
    for (guint i = 0; i < s->trace->calls->len; i++) {
        const AtlasTraceCall *call = atlas_trace_call(s->trace, i);
        Process *p = find_process(s, process_of(s->trace, call->thread));
        if (!p)
            continue;
        if (call->kind == ATLAS_CALL_CAPTURE_BEGIN)
            p->captures++;
        else if (call->kind == ATLAS_CALL_CAPTURE_END && p->captures > 0)
            p->captures--;
        else if (call->kind <= ATLAS_CALL_GRAPH_LAUNCH)
            attribute(s, p, i);
    }
}

/* By call the name of the kernel that it caused first. */
static guint32 *first_kernels(const AtlasTrace *trace) {
    guint32 *first = g_new(guint32, trace->calls->len + 1);
    for (guint i = 0; i < trace->calls->len; i++)
        first[i] = ATLAS_TRACE_NONE;
    for (guint i = trace->activities->len; i-- > 0;) {
        const AtlasTraceActivity *a = &g_array_index(trace->activities, AtlasTraceActivity, i);
        if (a->kind == ATLAS_ACTIVITY_KERNEL && a->call != ATLAS_TRACE_NONE)
            first[a->call] = a->name;
    }
    return first;
}

GPtrArray *atlas_trace_stages(const AtlasTrace *trace, const AtlasTraceMap *stages,
                              const AtlasTraceMap *arms) {
    GPtrArray *runs = g_ptr_array_new_with_free_func(run_free);
    Stages s = {.trace = trace, .processes = g_ptr_array_new_with_free_func(process_free)};
    layer_init(&s.stages, trace, stages);
    layer_init(&s.arms, trace, arms);
    if (stages->kernels || (arms && arms->kernels))
        s.kernel = first_kernels(trace);
    find_processes(&s);
    for (guint i = 0; i < s.processes->len; i++)
        if (s.processes->pdata[i])
            make_run(&s, s.processes->pdata[i], (guint16)i);
    place_stages(&s);
    sweep(&s);
    for (guint i = 0; i < s.processes->len; i++)
        if (s.processes->pdata[i])
            g_ptr_array_add(runs, ((Process *)s.processes->pdata[i])->run);
    layer_clear(&s.stages);
    layer_clear(&s.arms);
    g_ptr_array_unref(s.processes);
    g_free(s.kernel);
    return runs;
}
