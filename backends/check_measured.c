/* Measurements, judged by the model. */
#include "backends/check.h"
#include "model/check/agree.h"
#include "model/check/budget.h"
#include "model/check/difference.h"
#include "model/solve/next.h"

/* What a replay should have shown: the launches of the program of its configuration, by stage and
 * step. */
static gint64 *replay_counts(const AtlasStudy *study, const AtlasConfig *config,
                             AtlasWindow window) {
    guint n = study->model->stages->len;
    gint64 steps = atlas_window_steps(window);
    gint64 *counts = g_new0(gint64, n * (gsize)steps + 1);
    g_autofree AtlasRat *stages = g_new(AtlasRat, n + 1);
    AtlasWalkFault fault;
    for (gint64 i = 0; i < steps; i++) {
        gint64 step = window.first + i;
        atlas_walk_stages(config, study->point->unknowns, step, step, stages, &fault);
        for (guint s = 0; s < n; s++)
            counts[s * (gsize)steps + (gsize)i] = stages[s].num;
    }
    return counts;
}

/* What --about says of every measurement that does not say it itself. */
static void say_about(CheckRequest *request, const AtlasMeasurements *measurements) {
    AtlasDiags *diags = request->cli.diags;
    for (guint i = 0; i < request->abouts->len; i++) {
        const CheckAbout *about = &g_array_index(request->abouts, CheckAbout, i);
        for (guint k = 0; k < measurements->list->len; k++) {
            const AtlasMeasurement *m = g_ptr_array_index(measurements->list, k);
            AtlasSaid said = atlas_provenance_say(&m->run->by, about->key, about->value);
            if (said == ATLAS_SAID)
                continue;
            g_autofree char *before = atlas_provenance_get(&m->run->by, about->key);
            if (said == ATLAS_SAID_ELSE)
                atlas_diags_error(diags, about->at, "run '%s' says itself that its %s is '%s'",
                                  m->run->name, about->key, before);
            else
                atlas_diags_error(
                    diags, about->at, "expected %s, not '%s'",
                    said == ATLAS_SAID_TOO_MUCH
                        ? "fewer keys"
                        : atlas_provenance_expected(said == ATLAS_NOT_A_KEY ? NULL : about->key),
                    said == ATLAS_NOT_A_VALUE ? about->value : about->key);
            break;
        }
    }
}

/* Whether the runs tell what a configuration launches. What they do not is not guessed: a replay of
 * a guess would show that the device executes the guess. */
static gboolean is_decided(CheckRequest *request, AtlasStudy *study, const AtlasConfig *config) {
    AtlasDiags *diags = request->cli.diags;
    g_autoptr(AtlasPrediction) p = study->point ? atlas_predict(study, config, NULL, diags) : NULL;
    if (!p || p->decided)
        return TRUE; /* the backend says what is wrong */
    g_autoptr(AtlasConfig) run =
        atlas_settling_run(study->evidence, config, study->lag, study->point);
    g_autofree char *label = atlas_config_describe(run);
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                      "the runs do not bound what this configuration launches; a run of '%s' would",
                      label);
    request->cannot = TRUE;
    return FALSE;
}

/* Runs name the stages that they measured; whether those are all, the model knows. */
static void mark_parts(const AtlasModel *model, const AtlasMeasurements *measurements) {
    for (guint i = 0; i < measurements->list->len; i++) {
        AtlasMeasurement *m = g_ptr_array_index(measurements->list, i);
        guint named = 0;
        for (guint k = 0; k < m->run->stages->len; k++) {
            const AtlasRunStage *stage = &g_array_index(m->run->stages, AtlasRunStage, k);
            named += atlas_model_find_stage(model, stage->name) >= 0;
        }
        m->part = named < model->stages->len;
    }
}

static void judge(CheckRequest *request, AtlasStudy *study, const AtlasConfig *config,
                  const AtlasMeasurement *m, const GArray *budgets, AtlasResult *result) {
    AtlasRat lag = atlas_measurement_lag(m, study->lag);
    if (m->replay) {
        g_autofree gint64 *counts = replay_counts(study, config, m->run->window);
        atlas_agree_program(m, counts, lag, result);
    } else {
        atlas_agree_model(study, m, result, request->cli.diags);
    }
    atlas_agree_findings(m, result);
    for (guint k = 0; k < budgets->len; k++)
        atlas_budget_measured(&g_array_index(budgets, AtlasBudget, k), study->model, m, lag,
                              result);
}

void check_measured(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    g_autoptr(AtlasMeasurements) measurements = atlas_measurements_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    AtlasDiags *diags = request->cli.diags;
    atlas_config_options(config, &request->cli, request->option->toggles, request->option->sets);
    AtlasRat lag = atlas_rat_ok(request->counter_lag) ? request->counter_lag : study->lag;
    AtlasAsk ask = {.study = study,
                    .config = config,
                    .files = request->files,
                    .stage_maps = request->stage_maps,
                    .arm_maps = request->arm_maps,
                    .window = request->window_given ? &request->window : NULL,
                    .lag = lag,
                    .seed = request->seed,
                    .changes = request->changes,
                    .sources = request->cli.sources,
                    .kernel_ns = request->kernel_us * 1000,
                    .limit_s = request->driver.limit_s};
    g_autoptr(GArray) budgets = check_budgets(request, study->model);
    if (!atlas_diags_errors(diags) && !request->backend->reads_files &&
        !is_decided(request, study, config))
        return;
    if (atlas_diags_errors(diags) || !request->backend->measure(&ask, measurements, diags)) {
        request->cannot = measurements->cannot;
        return;
    }
    say_about(request, measurements);
    mark_parts(study->model, measurements);
    for (guint i = 0; i < measurements->list->len && atlas_diags_errors(diags) == 0; i++)
        judge(request, study, config, g_ptr_array_index(measurements->list, i), budgets, result);
    /* Two logs ask what changed between them. */
    if (measurements->list->len == 2 && request->files->len == 2)
        atlas_difference(study, g_ptr_array_index(measurements->list, 0),
                         g_ptr_array_index(measurements->list, 1), result, diags);
    if (atlas_diags_errors(diags) == 0)
        check_baseline(request, study, measurements, result);
    result->measurements = atlas_measurements_json(measurements);
}
