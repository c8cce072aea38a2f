/* Programs, replayed on the GPU. */
#include "backends/check.h"
#include "backends/cuda/measure.h"
#include "model/check/agree.h"

static void replay(CheckRequest *request, AtlasProgram *program, AtlasMeasurements *into,
                   AtlasResult *result) {
    CudaMeasured what = {program,
                         "the given",
                         request->changes,
                         cuda_steps(request->window),
                         request->kernel_us * 1000,
                         request->driver.limit_s};
    AtlasRun *run = atlas_runs_add(into->runs, program->name);
    run->window = request->window;
    run->window_known = TRUE;
    run->log_first = request->window.first;
    AtlasMeasurement *m = atlas_measurements_add(into, run, "replay");
    g_autoptr(AtlasExecution) expected = cuda_measure(&what, m, into, request->cli.diags);
    if (!expected)
        return;
    g_autofree gint64 *counts = replayed_expected(m, expected);
    atlas_agree_program(m, counts, run->by.lag, result);
    atlas_agree_findings(m, result);
}

void check_replayed(CheckRequest *request, AtlasResult *result) {
    AtlasDiags *diags = request->cli.diags;
    g_autoptr(AtlasMeasurements) measurements = atlas_measurements_new();
    for (guint i = 0; i < request->programs->len && !measurements->cannot; i++) {
        g_autoptr(AtlasProgramFile) file =
            atlas_program_read(g_ptr_array_index(request->programs, i), diags);
        for (guint k = 0; file && k < atlas_program_file_count(file) && !measurements->cannot; k++)
            replay(request, atlas_program_file_get(file, k), measurements, result);
    }
    request->cannot = measurements->cannot;
    result->measurements = atlas_measurements_json(measurements);
}
