#include "backends/traced_run.h"

#include <string.h>

static const AtlasSpan nowhere = {NULL, 0, 0};

/* What a run's steps from `from` to `to` have, by index. */
typedef struct {
    guint from, to;
    AtlasStageCount sum; /* of all stages */
} Part;

static const AtlasStageCount *count_at(const AtlasTraceRun *run, guint step, guint stage) {
    return &run->counts[(gsize)step * run->stages + stage];
}

/* ---- which steps ---- */

static gboolean find_part(const TracedRun *w, Part *part, AtlasDiags *diags) {
    const AtlasTraceRun *run = w->run;
    *part = (Part){0, run->steps - 1, {0}};
    if (run->steps == 0) {
        atlas_diags_error(diags, nowhere, "'%s' has stages in no step: its steps are %s", w->path,
                          run->means);
        return FALSE;
    }
    gint64 last = run->first + run->steps - 1;
    if (w->window && (w->window->first < run->first || w->window->last > last)) {
        atlas_diags_error(diags, nowhere,
                          "window %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                          " is not inside the steps of '%s'",
                          w->window->first, w->window->last, w->path);
        atlas_diags_hint(diags, "it has steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT ": %s",
                         run->first, last, run->means);
        return FALSE;
    }
    if (w->window) {
        part->from = (guint)(w->window->first - run->first);
        part->to = (guint)(w->window->last - run->first);
    }
    for (guint i = part->from; i <= part->to; i++)
        for (guint s = 0; s < run->stages; s++) {
            const AtlasStageCount *c = count_at(run, i, s);
            part->sum.calls += c->calls;
            part->sum.captured += c->captured;
            part->sum.graph_launches += c->graph_launches;
            part->sum.hidden += c->hidden;
            part->sum.nodes += c->nodes;
            part->sum.kernels += c->kernels;
        }
    return TRUE;
}

/* ---- the run ---- */

/* All steps are kept: the run says which of them count. */
static void fill_stage(const TracedRun *w, const Part *part, guint s, AtlasRunStage *stage) {
    gint64 sum = 0, ns = 0;
    stage->counts = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < w->run->steps; i++) {
        const AtlasStageCount *c = count_at(w->run, i, s);
        gint64 launches = atlas_stage_launches(c);
        g_array_append_val(stage->counts, launches);
        sum += i >= part->from && i <= part->to ? launches : 0;
        ns += i >= part->from && i <= part->to ? c->ns : 0;
    }
    stage->sum = (AtlasSum){.known = TRUE, .lo = sum, .hi = sum};
    stage->ms = (double)ns / 1e6 / (part->to - part->from + 1);
}

static char *name_of(const TracedRun *w) {
    static const char *const endings[] = {".gz", ".json", ".trace", ".pt", ".sqlite", NULL};
    g_autofree char *name = atlas_run_name(w->path, endings);
    for (guint i = 0; w->several && i < w->trace->threads->len; i++) {
        const AtlasTraceThread *thread = &g_array_index(w->trace->threads, AtlasTraceThread, i);
        if (thread->process == w->run->process)
            return g_strdup_printf("%s process %.*s", name, (int)strcspn(thread->name, "/"),
                                   thread->name);
    }
    return g_steal_pointer(&name);
}

/* Keys that no provenance takes, as texts that cannot be printed, are left out. */
static void fill_about(const TracedRun *w, AtlasRuns *runs, AtlasRun *run) {
    for (guint i = 0; i < w->trace->about->len; i++) {
        const AtlasAbout *about = &g_array_index(w->trace->about, AtlasAbout, i);
        atlas_provenance_say(&run->by, atlas_runs_string(runs, about->key, strlen(about->key)),
                             atlas_runs_string(runs, about->value, strlen(about->value)));
    }
}

static AtlasRun *make_run(const TracedRun *w, const Part *part, AtlasRuns *runs) {
    g_autofree char *name = name_of(w);
    AtlasRun *run = atlas_runs_add(runs, name);
    const AtlasTraceRun *from = w->run;
    run->window = (AtlasWindow){from->first + part->from, from->first + part->to};
    run->window_known = from->numbered || w->window != NULL;
    run->log = atlas_runs_string(runs, w->path, strlen(w->path));
    run->log_first = from->first;
    if (!run->window_known) /* nobody knows which they were */
        run->window.last -= run->window.first, run->window.first = 0;
    for (guint s = 0; s < from->stages; s++)
        if (from->seen[s] && atlas_trace_has_calls(w->trace))
            fill_stage(w, part, s, atlas_runs_add_stage(runs, run, w->stages[s]));
    gint64 ns = 0;
    for (guint i = part->from; from->step_ns && i <= part->to; i++)
        ns += from->step_ns[i];
    if (from->step_ns)
        run->step_ms = (double)ns / 1e6 / (part->to - part->from + 1);
    gboolean graphs = part->sum.captured > 0 || part->sum.graph_launches > 0;
    run->by.counted = graphs ? ATLAS_COUNT_ACTIVITIES : ATLAS_COUNT_CALLS;
    run->by.lag = atlas_rat(0);
    run->by.lost = w->trace->lost + part->sum.hidden + (w->trace->cut || w->trace->doubled);
    const char *why = w->trace->cut       ? w->trace->cut
                      : w->trace->doubled ? "calls have the correlation ids of others"
                                          : NULL;
    if (why)
        run->by.incomplete = atlas_runs_string(runs, why, strlen(why));
    fill_about(w, runs, run);
    return run;
}

/* ---- what else it has ---- */

static AtlasSum between(gint64 lo, gint64 hi) {
    return (AtlasSum){.known = TRUE, .lo = lo, .hi = hi};
}

/* Kernels whose records are missing ran, or not: what is known is an interval. */
static void fill_counts(const TracedRun *w, const Part *part, AtlasMeasurement *m) {
    const AtlasStageCount *sum = &part->sum;
    gint64 submitted = sum->calls - sum->captured;
    m->counts[ATLAS_COUNT_CALLS] = between(sum->calls, sum->calls);
    m->counts[ATLAS_COUNT_SUBMISSIONS] =
        between(submitted + sum->graph_launches, submitted + sum->graph_launches);
    if (w->trace->totals.activities == 0 || sum->hidden > 0)
        return;
    m->counts[ATLAS_COUNT_ACTIVITIES] =
        between(sum->kernels, MAX(sum->kernels, submitted + sum->nodes));
    m->counts[ATLAS_COUNT_GRAPH_NODES] = between(sum->nodes, sum->nodes);
}

static void find_counts(const TracedRun *w, const Part *part, AtlasMeasurement *m) {
    const AtlasStageCount *sum = &part->sum;
    guint steps = part->to - part->from + 1;
    AtlasFinding *f = atlas_measurement_find(m, "counts");
    f->asked = TRUE;
    f->measured = g_strdup_printf("%u step%s", steps, steps == 1 ? "" : "s");
    g_autoptr(GString) why = g_string_new(NULL);
    g_string_append_printf(
        why,
        "%" G_GINT64_FORMAT " calls, %" G_GINT64_FORMAT " submissions, %" G_GINT64_FORMAT
        " activities recorded, %" G_GINT64_FORMAT " graph nodes",
        sum->calls, sum->calls - sum->captured + sum->graph_launches, sum->kernels, sum->nodes);
    if (sum->graph_launches > 0)
        g_string_append_printf(why, " of %" G_GINT64_FORMAT " graph launches", sum->graph_launches);
    if (sum->captured > 0)
        g_string_append_printf(why, "; %" G_GINT64_FORMAT " calls were captured", sum->captured);
    if (w->run->outside > 0)
        g_string_append_printf(why, "; %" G_GINT64_FORMAT " launches of the trace lie in no stage",
                               w->run->outside);
    g_string_append_printf(why, "; steps are %s", w->run->means);
    f->why = g_strdup(why->str);
}

static void find_open(AtlasMeasurement *m, gint64 number, const char *what, char *why) {
    AtlasFinding *f = atlas_measurement_find(m, "trace");
    f->found = ATLAS_FOUND_OPEN;
    f->asked = TRUE;
    f->measured =
        number ? g_strdup_printf("%" G_GINT64_FORMAT " %s", number, what) : g_strdup(what);
    f->why = why;
}

/* What changes no verdict. */
static void find_fact(AtlasMeasurement *m, gint64 number, const char *what, const char *why) {
    AtlasFinding *f = atlas_measurement_find(m, "trace");
    f->asked = TRUE;
    f->measured = g_strdup_printf("%" G_GINT64_FORMAT " %s", number, what);
    f->why = g_strdup(why);
}

static void find_losses(const TracedRun *w, const Part *part, AtlasMeasurement *m) {
    const AtlasTrace *trace = w->trace;
    gint64 early = trace->totals.orphans - trace->lost;
    if (!atlas_trace_has_calls(trace))
        find_open(m, 0, "no calls",
                  g_strdup(ATLAS_TRACE_NO_CALLS "; a profiler records them that is told to: "
                                                "ProfilerActivity.CUDA, or nsys profile "
                                                "--trace=cuda"));
    if (trace->cut)
        find_open(m, 0, "incomplete", g_strdup(trace->cut));
    if (part->sum.hidden > 0 && !trace->doubled) /* else their kernels may be recorded */
        find_open(m, part->sum.hidden, "unseen graphs",
                  g_strdup(trace->whole_graph
                               ? "graphs were recorded as a whole, without what ran in them: "
                                 "nsys profile --cuda-graph-trace=node records it"
                               : "graph launches of which no kernel was recorded"));
    if (trace->lost > 0)
        find_open(m, trace->lost, "orphans",
                  g_strdup("activities without a call, though it was made while calls were "
                           "recorded: their records were lost"));
    if (trace->doubled > 0)
        find_open(m, trace->doubled, "doubled ids",
                  g_strdup("calls with the correlation id of another call, as of traces of several "
                           "processes in one: which kernels they caused is not known"));
    if (trace->open > 0)
        find_fact(m, trace->open, "open ranges",
                  "ranges that were open when the recording ended: none of them is a step");
    if (trace->failed > 0)
        find_fact(m, trace->failed, "failed calls", "calls that failed are not counted");
    if (early > 0 && atlas_trace_has_calls(trace))
        find_fact(m, early, "orphans",
                  "activities that were called before calls were recorded, or after");
}

/* Why launches of an arm may not be those that its names say; NULL: they are. */
static const char *arm_untold(const TracedRun *w, guint stage, guint arm) {
    if (w->arms_asked[arm] == TRACED_ARM_UNSEEN)
        return "--arm-map matches no range and no kernel for it";
    return w->run->mixed[stage] ? "a graph's kernels were told apart by its first one only" : NULL;
}

static void fill_arms(const TracedRun *w, const Part *part, AtlasMeasurement *m) {
    const AtlasTraceRun *run = w->run;
    for (guint s = 0; s < run->stages; s++)
        for (guint a = 0; a < run->arms; a++) {
            AtlasArmCount count = {w->stages[s], w->arms[a], 0, NULL};
            if (w->arms_asked[a] == TRACED_ARM_NOT_ASKED)
                continue;
            for (guint i = part->from; i <= part->to; i++)
                count.sum += run->arm_launches[((gsize)i * run->stages + s) * run->arms + a];
            count.untold = arm_untold(w, s, a);
            g_array_append_val(m->arms, count);
        }
}

AtlasMeasurement *traced_run_measure(const TracedRun *what, AtlasMeasurements *into,
                                     AtlasDiags *diags) {
    Part part;
    if (!find_part(what, &part, diags))
        return NULL;
    AtlasMeasurement *m =
        atlas_measurements_add(into, make_run(what, &part, into->runs), what->source);
    m->untold = !atlas_trace_has_calls(what->trace);
    if (!m->untold) {
        fill_counts(what, &part, m);
        find_counts(what, &part, m);
    }
    find_losses(what, &part, m);
    fill_arms(what, &part, m);
    return m;
}
