/* Baselines: what is read compares without a fault, and with a run that has all it says, passes. */
#include <stdint.h>
#include <string.h>

#include "model/check/baseline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char spec_text[] = "atlas: 1\nname: x\nparams: {iters: {default: 2, min: 1, max: 9}}\n"
                                "stages: [{stage: fwd, do: [{launch: a, count: u}]},\n"
                                "         {stage: bwd, do: [{launch: b, count: u}]}]\n"
                                "unknowns: {u: {}}\n";

/* A run of minimal means: what the baseline says of its first one, as far as it can be a run. */
static void add_run(AtlasMeasurements *list, const AtlasBaseline *baseline) {
    const AtlasBaselineRun *from = g_ptr_array_index(baseline->runs, 0);
    AtlasRun *run = atlas_runs_add(list->runs, from->run.text);
    run->window_known = atlas_window_parse(from->steps.text, &run->window);
    if (!run->window_known)
        run->window = (AtlasWindow){0, g_ascii_strtoll(from->steps.text, NULL, 10) - 1};
    for (guint i = 0; i < from->launches->len; i++) {
        const AtlasPair *pair = &g_array_index(from->launches, AtlasPair, i);
        atlas_runs_add_stage(list->runs, run, pair->key.text)->sum =
            atlas_baseline_sum(pair->value.text);
    }
    atlas_measurements_add(list, run, from->source.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasSource *spec = atlas_source_new("spec", spec_text, strlen(spec_text), NULL);
    AtlasSource *source = atlas_source_new("fuzz", size ? (const char *)data : "", size, NULL);
    g_autoptr(AtlasModel) model = atlas_model_read(spec, diags);
    g_assert(model);
    g_autoptr(AtlasBaseline) baseline = source ? atlas_baseline_read(source, diags) : NULL;
    if (baseline) {
        g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
        g_autoptr(AtlasResult) result = atlas_result_new();
        add_run(list, baseline);
        AtlasMeasured measured = {list, model, atlas_rat(0)};
        atlas_baseline_compare(baseline, &measured, result, diags);
        g_assert(atlas_result_count(result, ATLAS_FAIL) == 0);
    }
    g_clear_pointer(&baseline, atlas_baseline_free);
    atlas_source_free(source);
    g_clear_pointer(&model, atlas_model_free);
    atlas_source_free(spec);
    return 0;
}
