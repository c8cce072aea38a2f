/* Baselines: files that measurements are compared with, and written to. */
#include <string.h>

#include "backends/check.h"
#include "model/base/output.h"
#include "model/check/baseline.h"

static AtlasBaseline *load(CheckRequest *request, const char *path) {
    AtlasDiags *diags = request->cli.diags;
    GError *error = NULL;
    AtlasSource *source = atlas_source_load(path, &error);
    if (!source) {
        atlas_diags_take(diags, error);
        atlas_diags_hint(diags, "--write-baseline writes one");
        return NULL;
    }
    g_ptr_array_add(request->cli.sources, source);
    return atlas_baseline_read(source, diags);
}

/* What is written must read back; else the file that is there stays. */
static void write_baseline(CheckRequest *request, const AtlasMeasured *measured, const char *path) {
    AtlasDiags *diags = request->cli.diags;
    GError *error = NULL;
    g_autofree char *text = atlas_baseline_write(measured, diags);
    AtlasSource *source = text ? atlas_source_new(path, text, strlen(text), &error) : NULL;
    if (source)
        g_ptr_array_add(request->cli.sources, source);
    g_autoptr(AtlasBaseline) back = source ? atlas_baseline_read(source, diags) : NULL;
    if (error || (back && !atlas_output_replace(path, text, &error)))
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    g_clear_error(&error);
}

/* A comparison that does not pass must not become what later ones are compared with. */
static gboolean accepted(CheckRequest *request, const AtlasResult *result) {
    const CheckOptions *option = request->option;
    if (!option->baseline || atlas_result_verdict(result) == ATLAS_PASS)
        return TRUE;
    request->notice = g_strdup_printf("'%s' was not written: not every check passes\n"
                                      "hint: --write-baseline without --baseline accepts what was "
                                      "measured",
                                      option->write_baseline);
    return FALSE;
}

void check_baseline(CheckRequest *request, const AtlasStudy *study,
                    const AtlasMeasurements *measurements, AtlasResult *result) {
    AtlasDiags *diags = request->cli.diags;
    AtlasMeasured measured = {measurements, study->model, study->lag};
    const char *compare = request->option->baseline, *write = request->option->write_baseline;
    /* Before the baseline is among what was read: it may be replaced. */
    if (write && (!check_output(request, study, measurements->runs, write) ||
                  !check_may_replace(request, write)))
        return;
    g_autoptr(AtlasBaseline) baseline = compare ? load(request, compare) : NULL;
    if (baseline)
        atlas_baseline_compare(baseline, &measured, result, diags);
    if (write && atlas_diags_errors(diags) == 0 && accepted(request, result))
        write_baseline(request, &measured, write);
}
