/* Measurements, judged by the model. */
#include "backends/check.h"
#include "model/check/agree.h"
#include "model/check/budget.h"
#include "model/check/difference.h"

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

void check_measured(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    g_autoptr(AtlasMeasurements) measurements = atlas_measurements_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    AtlasDiags *diags = request->cli.diags;
    atlas_config_options(config, &request->cli, request->option->toggles, request->option->sets);
    AtlasAsk ask = {study,
                    config,
                    request->files,
                    request->window_given ? &request->window : NULL,
                    atlas_rat_ok(request->counter_lag) ? request->counter_lag : study->lag,
                    request->seed,
                    request->changes,
                    request->cli.sources};
    g_autoptr(GArray) budgets = check_budgets(request, study->model);
    if (atlas_diags_errors(diags) || !request->backend->measure(&ask, measurements, diags))
        return;
    for (guint i = 0; i < measurements->list->len; i++) {
        const AtlasMeasurement *m = g_ptr_array_index(measurements->list, i);
        if (m->replay) {
            g_autofree gint64 *counts = replay_counts(study, config, m->run->window);
            atlas_agree_program(m, counts, m->run->by.lag, result);
        } else {
            atlas_agree_model(study, m, result, diags);
        }
        for (guint k = 0; k < budgets->len; k++)
            atlas_budget_measured(&g_array_index(budgets, AtlasBudget, k), m,
                                  atlas_measurement_lag(m, study->lag), result);
    }
    /* Two logs ask what changed between them. */
    if (measurements->list->len == 2 && request->files->len == 2)
        atlas_difference(study, g_ptr_array_index(measurements->list, 0),
                         g_ptr_array_index(measurements->list, 1), result, diags);
}
