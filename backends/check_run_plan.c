/* --run-plan: a plan's program and the eager one, run on the simulated machine or replayed on the
 * GPU, and what the plan promises held against what they did. */
#include <math.h>

#include "backends/check.h"
#include "backends/cuda/measure.h"
#include "graphs/plan_account.h"
#include "graphs/plan_show.h"
#include "graphs/replay_verdict.h"
#include "sim/execute.h"

typedef struct {
    CheckRequest *request;
    const AtlasPlanFile *file;
    AtlasWindow window;
    AtlasMeasurements *measurements;
    AtlasResult *result;
    AtlasExecution *eager, *planned; /* on the CPU */
    double eager_ms, planned_ms;     /* host time a step, on a device; NAN: not measured */
} RunPlan;

/* ---- the window ---- */

static gboolean find_window(RunPlan *r) {
    gint64 period = r->file->period;
    if (period > ATLAS_EXECUTE_STEPS_MAX) {
        atlas_diags_error(r->request->cli.diags, (AtlasSpan){NULL, 0, 0},
                          "'%s' takes too many steps until all its every: meet: more than %d",
                          r->file->eager->name, ATLAS_EXECUTE_STEPS_MAX);
        return FALSE;
    }
    if (!r->request->window_given) {
        r->window = (AtlasWindow){
            REPLAYED_WARM, REPLAYED_WARM - 1 + (REPLAYED_STEPS + period - 1) / period * period};
        return TRUE;
    }
    r->window = r->request->window;
    if (atlas_window_steps(r->window) % period == 0)
        return TRUE;
    atlas_diags_error(r->request->cli.diags, (AtlasSpan){NULL, 0, 0},
                      "--steps: the plan promises counts of %" G_GINT64_FORMAT
                      " steps; expected a multiple of that many",
                      period);
    return FALSE;
}

/* ---- running ---- */

static double timing_of(const AtlasMeasurement *m) {
    for (guint i = 0; i < m->findings->len; i++) {
        const AtlasFinding *finding = g_ptr_array_index(m->findings, i);
        if (g_str_equal(finding->property, "timing"))
            return finding->ms;
    }
    return NAN;
}

static AtlasExecution *replay(RunPlan *r, AtlasProgram *program, double *ms) {
    CheckReplay what = {program, program->name, r->window, NULL};
    AtlasExecution *expected = check_replay(r->request, &what, r->measurements, r->result);
    const GPtrArray *list = r->measurements->list;
    if (expected)
        *ms = timing_of(g_ptr_array_index(list, list->len - 1));
    return expected;
}

static AtlasExecution *perform(RunPlan *r, AtlasProgram *program, double *ms) {
    if (r->request->cuda)
        return replay(r, program, ms);
    return atlas_execute(program, cuda_steps(r->window), r->request->cli.diags);
}

/* ---- judging ---- */

static AtlasCheck *add(RunPlan *r, const char *property, const char *subject) {
    AtlasCheck *check = atlas_result_add(r->result, property);
    check->subject = g_strdup(subject);
    check->place = g_strdup(property);
    return check;
}

static void judge_answers(RunPlan *r) {
    AtlasCheck *check = add(r, "answers", r->planned->program->name);
    guint bad = 0;
    for (guint i = 0; i < r->planned->program->ops->len; i++) {
        const AtlasAnswer *answer = atlas_outcome_get(r->planned->outcome, i);
        if (!atlas_answer_failed(answer) || bad++ > 0)
            continue;
        g_autoptr(GString) text = g_string_new(NULL);
        atlas_op_write(&g_array_index(r->planned->program->ops, AtlasOp, i), text);
        check->why =
            g_strdup_printf("the first: %s => %s", text->str, atlas_result_name(answer->code));
    }
    check->verdict = bad ? ATLAS_FAIL : ATLAS_PASS;
    check->expected = g_strdup("every call OK");
    check->measured = g_strdup_printf("%u ops fail", bad);
    check->lo = check->hi = atlas_rat(bad);
}

static char *describe(gint64 calls, gint64 submissions, gint64 activities, gint64 nodes) {
    return g_strdup_printf("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT
                           "/%" G_GINT64_FORMAT,
                           calls, submissions, activities, nodes);
}

/* The four counts of each stage over the window. */
static void judge_stage(RunPlan *r, guint stage) {
    const char *name = g_ptr_array_index(r->planned->stages, stage);
    AtlasTally got = atlas_execution_stage(r->planned, stage);
    AtlasTally eager = {{0}};
    AtlasPlanPromise p = {.stage = name};
    gint64 times = atlas_window_steps(r->window) / r->file->period;
    for (guint i = 0; i < r->file->promises->len; i++)
        if (g_str_equal(g_array_index(r->file->promises, AtlasPlanPromise, i).stage, name))
            p = g_array_index(r->file->promises, AtlasPlanPromise, i);
    for (guint s = 0; s < r->eager->stages->len; s++)
        if (g_str_equal(g_ptr_array_index(r->eager->stages, s), name))
            eager = atlas_execution_stage(r->eager, s);
    gboolean same = got.of[ATLAS_COUNT_CALLS] == p.calls * times &&
                    got.of[ATLAS_COUNT_SUBMISSIONS] == p.submissions * times &&
                    got.of[ATLAS_COUNT_ACTIVITIES] == p.activities * times &&
                    got.of[ATLAS_COUNT_GRAPH_NODES] == p.graph_nodes * times &&
                    eager.of[ATLAS_COUNT_SUBMISSIONS] == p.eager * times;
    if (!*name && same && got.of[ATLAS_COUNT_ACTIVITIES] == 0)
        return;
    AtlasCheck *check = add(r, "promise", *name ? name : "unmarked");
    check->verdict = same ? ATLAS_PASS : ATLAS_FAIL;
    check->asked = TRUE;
    check->expected = describe(p.calls * times, p.submissions * times, p.activities * times,
                               p.graph_nodes * times);
    check->measured = describe(got.of[0], got.of[1], got.of[2], got.of[3]);
    check->lo = check->hi = atlas_rat(got.of[ATLAS_COUNT_SUBMISSIONS]);
    check->why = g_strdup_printf("calls, submissions, activities, graph nodes over the window; "
                                 "eagerly %" G_GINT64_FORMAT " submissions",
                                 eager.of[ATLAS_COUNT_SUBMISSIONS]);
}

/* Stages that the plan promises counts of, but no step has. */
static void judge_strange_stages(RunPlan *r) {
    for (guint i = 0; i < r->file->promises->len; i++) {
        const char *stage = g_array_index(r->file->promises, AtlasPlanPromise, i).stage;
        gboolean known = FALSE;
        for (guint s = 0; s < r->planned->stages->len; s++)
            known |= g_str_equal(g_ptr_array_index(r->planned->stages, s), stage);
        if (known)
            continue;
        AtlasCheck *check = add(r, "promise", stage);
        check->verdict = ATLAS_FAIL;
        check->expected = g_strdup("counts of it");
        check->measured = g_strdup("no such stage");
        check->why = g_strdup("the programs of the plan mark no stage of this name");
    }
}

/* What the file says of its windows, in all, and of the proof. */
static void judge_account(RunPlan *r, gboolean proved) {
    AtlasCheck *check = add(r, "account", r->file->planned->name);
    check->why = atlas_plan_account(r->file, r->planned->outcome);
    if (!check->why && proved && !r->file->proved && !r->file->assumed)
        check->why = g_strdup("proved: false in the file, though it is proved here");
    check->verdict = check->why ? ATLAS_FAIL : ATLAS_PASS;
    check->asked = TRUE;
    check->expected = g_strdup_printf("%u windows", r->file->windows->len);
    check->measured = g_strdup(check->why ? "not so" : "as said");
    if (!check->why)
        check->why =
            g_strdup("graphs, nodes and launches of each window, and the totals, are those "
                     "of the programs");
}

/* Whether it may be run at all, in all schedules: the properties that it breaks. TRUE: it
 * is proved. */
static gboolean judge_proof(RunPlan *r) {
    AtlasDiags *diags = r->request->cli.diags;
    g_autoptr(AtlasReplayVerdict) v = atlas_replay_verdict(r->file->eager, r->file->planned, diags);
    for (guint i = 0; v && i < v->faults->len; i++) {
        const AtlasReplayFault *f = &g_array_index(v->faults, AtlasReplayFault, i);
        g_autofree char *property = atlas_replay_property(f->property);
        AtlasCheck *check = add(r, "proof", property);
        check->verdict = ATLAS_FAIL;
        check->expected = g_strdup("in every step");
        check->measured = f->step < 0 ? g_strdup("not before the first")
                                      : g_strdup_printf("not in step %" G_GINT64_FORMAT, f->step);
        check->why = g_strdup_printf("%s; mend: %s", f->why, f->mend);
    }
    if (!v || v->faults->len > 0)
        return FALSE;
    AtlasCheck *check = add(r, "proof", r->file->planned->name);
    check->verdict = v->open ? ATLAS_INCONCLUSIVE : ATLAS_PASS;
    check->asked = TRUE;
    check->expected = g_strdup("legal, equivalent");
    check->measured = g_strdup(v->open ? "open" : "proved");
    check->why = v->open ? g_strdup(v->open)
                         : g_strdup_printf("%" G_GINT64_FORMAT " reads over %" G_GINT64_FORMAT
                                           " steps stand for every number of steps; no race",
                                           v->reads, v->steps);
    return !v->open;
}

static void judge_fingerprints(RunPlan *r) {
    const AtlasSeen *right, *wrong;
    guint all = r->eager->reads->len + r->eager->ends->len;
    guint equal = atlas_execution_compare(r->eager, r->planned, &right, &wrong);
    AtlasCheck *check = add(r, "equivalent", r->planned->program->name);
    gboolean same = !right && !wrong;
    check->verdict = same ? ATLAS_PASS : ATLAS_FAIL;
    check->asked = TRUE;
    check->expected = g_strdup_printf("%u equal", all);
    check->measured = g_strdup_printf("%u equal", equal);
    check->lo = check->hi = atlas_rat(equal);
    if (same)
        check->why = g_strdup_printf("host reads and buffers hold after %" G_GINT64_FORMAT
                                     " steps what the eager program leaves",
                                     r->eager->steps.last - r->eager->steps.first + 1);
    else
        check->why = g_strdup_printf(
            "the first that differs: '%s'%s", (right ? right : wrong)->buffer,
            (right ? right : wrong)->op == r->eager->program->ops->len ? " at the end"
                                                                       : ", as the host reads it");
}

/* Beside the saving that was measured: what the plan predicts at the µs that its eager program's
 * launches took here. */
static void say_saving(RunPlan *r) {
    if (isnan(r->eager_ms) || isnan(r->planned_ms))
        return;
    AtlasTally eager = atlas_execution_total(r->eager), planned = atlas_execution_total(r->planned);
    double steps = (double)atlas_window_steps(r->window);
    double us = r->eager_ms * 1000 * steps / (double)MAX(eager.of[ATLAS_COUNT_SUBMISSIONS], 1);
    gint64 fewer = eager.of[ATLAS_COUNT_SUBMISSIONS] - planned.of[ATLAS_COUNT_SUBMISSIONS];
    AtlasCheck *check = add(r, "saving", r->planned->program->name);
    check->asked = TRUE;
    check->ms = r->eager_ms - r->planned_ms;
    check->expected = g_strdup_printf("%.3f ms a step", (double)fewer * us / steps / 1000);
    check->measured = g_strdup_printf("%.3f ms a step", check->ms);
    check->why = g_strdup_printf(
        "expected: submissions that are less, at the %.2f \302\265s that each of the eager "
        "program's took here, waits included; the plan's own figure is %.3f ms, at its price",
        us, (double)r->file->totals.saved_ns / 1e6);
}

static void judge(RunPlan *r) {
    judge_answers(r);
    gboolean proved = judge_proof(r);
    if (r->file->is_plan) {
        judge_account(r, proved);
        for (guint s = 0; s < r->planned->stages->len; s++)
            judge_stage(r, s);
        judge_strange_stages(r);
    }
    judge_fingerprints(r);
    say_saving(r);
}

void check_run_plan(CheckRequest *request, AtlasResult *result) {
    AtlasDiags *diags = request->cli.diags;
    g_autoptr(GError) error = NULL;
    AtlasSource *source = atlas_source_load(request->option->run_plan, &error);
    if (!source) {
        atlas_diags_take(diags, g_steal_pointer(&error));
        return;
    }
    g_ptr_array_add(request->programs, source); /* errors refer to it until they are shown */
    g_autoptr(AtlasPlanFile) file = atlas_plan_read(source, request->programs, diags);
    g_autoptr(AtlasMeasurements) measurements = atlas_measurements_new();
    RunPlan r = {.request = request, .file = file, .measurements = measurements, .result = result};
    r.eager_ms = r.planned_ms = NAN;
    if (file && find_window(&r)) {
        r.eager = perform(&r, file->eager, &r.eager_ms);
        r.planned = r.eager ? perform(&r, file->planned, &r.planned_ms) : NULL;
        if (r.planned)
            judge(&r);
    }
    atlas_execution_free(r.eager);
    atlas_execution_free(r.planned);
    request->cannot = measurements->cannot;
    if (request->cuda)
        result->measurements = atlas_measurements_json(measurements);
}
