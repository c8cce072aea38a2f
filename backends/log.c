/* Logs in the study's format, and run tables: what a user's own program counted. */
#include "backends/backend.h"
#include "model/measure/load.h"

static gboolean measure(const AtlasAsk *ask, AtlasMeasurements *into, AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    for (guint i = 0; ask->files && i < ask->files->len; i++)
        atlas_runs_load(into->runs, &g_array_index(ask->files, AtlasText, i), NULL, ask->window,
                        ask->sources, diags);
    for (guint i = 0; i < atlas_runs_count(into->runs); i++)
        atlas_measurements_add(into, atlas_runs_get(into->runs, i), "log");
    return atlas_diags_errors(diags) == before;
}

const AtlasBackend atlas_backend_log = {
    "log", "logs in the study's format (ATLAS, step, stage, launches, ms) and run tables", TRUE,
    measure, NULL};
