#include "model/measure/measurement.h"

static void measurement_free(gpointer data) {
    g_array_unref(((AtlasMeasurement *)data)->about);
    g_free(data);
}

AtlasMeasurements *atlas_measurements_new(void) {
    AtlasMeasurements *measurements = g_new0(AtlasMeasurements, 1);
    measurements->runs = atlas_runs_new();
    measurements->list = g_ptr_array_new_with_free_func(measurement_free);
    return measurements;
}

void atlas_measurements_free(AtlasMeasurements *measurements) {
    if (!measurements)
        return;
    g_ptr_array_unref(measurements->list);
    atlas_runs_free(measurements->runs);
    g_free(measurements);
}

AtlasMeasurement *atlas_measurements_add(AtlasMeasurements *measurements, const AtlasRun *run,
                                         const char *source) {
    AtlasMeasurement *m = g_new0(AtlasMeasurement, 1);
    m->run = run;
    m->source = source;
    m->counted = ATLAS_COUNT_SUBMISSIONS;
    m->lag = ATLAS_RAT_NONE;
    m->about = g_array_new(FALSE, FALSE, sizeof(AtlasAbout));
    g_ptr_array_add(measurements->list, m);
    return m;
}
