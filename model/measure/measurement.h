/* A measurement: a run, by what it was measured, and what else is known of its counts.
 *
 * A run's stages hold counts of the kind that its provenance names (provenance.h), which is what is
 * compared with a prediction. A source that counts in several ways fills in `counts`, too.
 *
 * Life cycle: a measurement is filled in by a backend and owned by an AtlasMeasurements list.
 */
#ifndef ATLAS_MODEL_MEASURE_MEASUREMENT_H
#define ATLAS_MODEL_MEASURE_MEASUREMENT_H

#include <jansson.h>

#include "model/measure/run.h"

/* Something else that was found than counts of stages, and whether it is as it should be. */
typedef enum { ATLAS_FOUND_RIGHT, ATLAS_FOUND_WRONG, ATLAS_FOUND_OPEN } AtlasFound;

typedef struct {
    AtlasFound found;
    gboolean asked;       /* an answer, not only a verdict: shown where it is right, too */
    const char *property; /* what kind of finding: "fingerprint" */
    char *subject;        /* what it is about; NULL: the run */
    char *expected, *measured, *why; /* texts for people; NULL where there is nothing to say */
    AtlasRat number; /* what was measured, for programs; no number where it is none */
    double ms;       /* of what is a time a step; NAN */
} AtlasFinding;

/* Launches of an arm in a stage, over the window. */
typedef struct {
    const char *stage, *arm;
    gint64 sum;
    const char *untold; /* why that may not be all of them, or none; NULL: it is */
} AtlasArmCount;

typedef struct {
    AtlasRun *run;
    const char *source;                 /* the backend's name: "log", "sim" */
    AtlasSum counts[ATLAS_COUNT_KINDS]; /* over the window, all stages, as far as known */
    gboolean replay;     /* the model's own program ran: its counts must agree exactly */
    gboolean untold;     /* nothing was counted, which a finding says */
    gboolean part;       /* the step has stages that the run does not name */
    GArray *arms;        /* of AtlasArmCount: of arms that were asked for */
    GPtrArray *findings; /* of AtlasFinding* */
} AtlasMeasurement;

typedef struct {
    AtlasRuns *runs;
    GPtrArray *list; /* of AtlasMeasurement* */
    gboolean cannot; /* a backend reported that nothing can be measured where this runs */
} AtlasMeasurements;

AtlasMeasurements *atlas_measurements_new(void);
void atlas_measurements_free(AtlasMeasurements *measurements);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasMeasurements, atlas_measurements_free)

/* Adds a measurement of a run, which must be one of measurements->runs; nothing else is known. */
AtlasMeasurement *atlas_measurements_add(AtlasMeasurements *measurements, AtlasRun *run,
                                         const char *source);

/* Adds an empty finding, which is right, and returns it. */
AtlasFinding *atlas_measurement_find(AtlasMeasurement *measurement, const char *property);

/* The greatest lag of its counter: `otherwise` where the run does not say it. */
AtlasRat atlas_measurement_lag(const AtlasMeasurement *measurement, AtlasRat otherwise);

/* Launches over the window, all stages of the step: known where every stage is. A stated total
 * counts where stages are not known. */
AtlasSum atlas_measurement_total(const AtlasMeasurement *measurement);

/* For programs: [{"run", "configuration", "recipe", "source", "replay", "steps": {"first", "last",
 * "count"}, "counted", "counts": {"calls", "submissions", "activities", "graph_nodes"}, "launches":
 * {STAGE: sum over the window}, "ms": {STAGE: mean a step}, "lag", "lost", "device", "driver",
 * "about": {KEY: value}}...]. `counts` are sums of all stages. What is not known is null. A sum
 * that is known as an interval only is {"lo", "hi"}. The caller owns it. Keys are only ever added.
 */
json_t *atlas_measurements_json(const AtlasMeasurements *measurements);

#endif
