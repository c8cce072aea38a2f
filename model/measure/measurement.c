#include "model/measure/measurement.h"

#include <math.h>

#include "model/base/json.h"

static void finding_free(gpointer data) {
    AtlasFinding *finding = data;
    g_free(finding->subject);
    g_free(finding->expected);
    g_free(finding->measured);
    g_free(finding->why);
    g_free(finding);
}

static void measurement_free(gpointer data) {
    AtlasMeasurement *m = data;
    g_ptr_array_unref(m->findings);
    g_array_unref(m->arms);
    g_free(m);
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

AtlasMeasurement *atlas_measurements_add(AtlasMeasurements *measurements, AtlasRun *run,
                                         const char *source) {
    AtlasMeasurement *m = g_new0(AtlasMeasurement, 1);
    m->run = run;
    m->source = source;
    m->arms = g_array_new(FALSE, FALSE, sizeof(AtlasArmCount));
    m->findings = g_ptr_array_new_with_free_func(finding_free);
    g_ptr_array_add(measurements->list, m);
    return m;
}

AtlasFinding *atlas_measurement_find(AtlasMeasurement *m, const char *property) {
    AtlasFinding *finding = g_new0(AtlasFinding, 1);
    finding->property = property;
    finding->number = ATLAS_RAT_NONE;
    finding->ms = NAN;
    g_ptr_array_add(m->findings, finding);
    return finding;
}

AtlasRat atlas_measurement_lag(const AtlasMeasurement *m, AtlasRat otherwise) {
    return atlas_rat_ok(m->run->by.lag) ? m->run->by.lag : otherwise;
}

AtlasSum atlas_measurement_total(const AtlasMeasurement *m) {
    const AtlasRun *run = m->run;
    AtlasSum total = {!m->part, 0, 0, {NULL, 0, 0}};
    for (guint i = 0; i < run->stages->len; i++)
        atlas_sum_add(&total, &g_array_index(run->stages, AtlasRunStage, i).sum);
    return total.known && run->stages->len > 0 ? total : run->total;
}

/* ---- for programs ---- */

static json_t *sum_json(const AtlasSum *sum) {
    if (!sum->known)
        return json_null();
    return sum->lo == sum->hi
               ? json_integer(sum->lo)
               : json_pack("{s:I, s:I}", "lo", (json_int_t)sum->lo, "hi", (json_int_t)sum->hi);
}

/* What a run's stages hold is also a count of the kind that it names. */
static json_t *counts_json(const AtlasMeasurement *m) {
    json_t *counts = json_object();
    AtlasSum total = atlas_measurement_total(m);
    for (guint kind = 0; kind < ATLAS_COUNT_KINDS; kind++) {
        gboolean stages = !m->counts[kind].known && m->run->by.counted == kind;
        json_object_set_new(counts, atlas_count_name(kind),
                            sum_json(stages ? &total : &m->counts[kind]));
    }
    return counts;
}

static json_t *steps_json(const AtlasRun *run) {
    gint64 count = atlas_window_steps(run->window);
    return json_pack("{s:o, s:o, s:I}", "first",
                     run->window_known ? json_integer(run->window.first) : json_null(), "last",
                     run->window_known ? json_integer(run->window.last) : json_null(), "count",
                     (json_int_t)count);
}

/* What was said of a key, or null. */
static json_t *said_json(const AtlasRun *run, const char *key) {
    g_autofree char *value = atlas_provenance_get(&run->by, key);
    return atlas_json_string(value);
}

static json_t *measurement_json(const AtlasMeasurement *m) {
    const AtlasRun *run = m->run;
    json_t *launches = json_object(), *ms = json_object(), *about = json_object();
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        json_object_set_new(launches, stage->name, sum_json(&stage->sum));
        json_object_set_new(ms, stage->name,
                            isfinite(stage->ms) ? json_real(stage->ms) : json_null());
    }
    for (guint i = 0; i < run->by.about->len; i++) {
        const AtlasAbout *a = &g_array_index(run->by.about, AtlasAbout, i);
        json_object_set_new(about, a->key, json_string(a->value));
    }
    json_t *made = json_object();
    json_object_set_new(made, "run", atlas_json_string(run->name));
    json_object_set_new(made, "configuration", atlas_json_string(run->configuration.text));
    json_object_set_new(made, "recipe", atlas_json_string(run->recipe.text));
    json_object_set_new(made, "source", atlas_json_string(m->source));
    json_object_set_new(made, "replay", json_boolean(m->replay));
    json_object_set_new(made, "steps", steps_json(run));
    json_object_set_new(made, "counted", atlas_json_string(atlas_count_name(run->by.counted)));
    json_object_set_new(made, "counts", counts_json(m));
    json_object_set_new(made, "launches", launches);
    json_object_set_new(made, "ms", ms);
    json_object_set_new(made, "lag", atlas_json_number(run->by.lag));
    json_object_set_new(made, "lost", json_integer(run->by.lost));
    json_object_set_new(made, "device", said_json(run, "device"));
    json_object_set_new(made, "driver", said_json(run, "driver"));
    json_object_set_new(made, "about", about);
    return made;
}

json_t *atlas_measurements_json(const AtlasMeasurements *measurements) {
    json_t *list = json_array();
    for (guint i = 0; i < measurements->list->len; i++)
        json_array_append_new(list, measurement_json(g_ptr_array_index(measurements->list, i)));
    return list;
}
