/* A measurement: what was counted, by what, where, and how sure it is.
 *
 * Launches can be counted in four ways, which are never mixed:
 *
 *     calls         launch API calls, those made while capturing included
 *     submissions   calls outside captures, and graph launches: what the host enqueued
 *     activities    kernels that the device executed
 *     graph nodes   kernels that ran inside a graph
 *
 * activities = submissions - graph launches + graph nodes. A source fills in what it knows. The
 * run's stages hold the kind that `counted` names, which is what is compared with a prediction.
 *
 * Life cycle: a measurement is filled in by a backend and owned by an AtlasMeasurements list.
 */
#ifndef ATLAS_MODEL_MEASURE_MEASUREMENT_H
#define ATLAS_MODEL_MEASURE_MEASUREMENT_H

#include "model/measure/run.h"

typedef enum {
    ATLAS_COUNT_CALLS,
    ATLAS_COUNT_SUBMISSIONS,
    ATLAS_COUNT_ACTIVITIES,
    ATLAS_COUNT_GRAPH_NODES,
    ATLAS_COUNT_KINDS
} AtlasCountKind;

/* Something that a baseline must share: "device" = "NVIDIA H200". */
typedef struct {
    const char *key, *value;
} AtlasAbout;

typedef struct {
    const AtlasRun *run;
    const char *source; /* the backend's name: "log", "sim" */
    AtlasCountKind counted;
    AtlasSum counts[ATLAS_COUNT_KINDS]; /* over the window, all stages, as far as known */
    AtlasRat lag;    /* the counter's greatest lag; no number: that of the spec's counter */
    gboolean replay; /* the model's own program ran: its counts must agree exactly */
    gboolean lost;   /* records were lost: counts are lower bounds */
    GArray *about;   /* of AtlasAbout: device, driver, versions */
} AtlasMeasurement;

typedef struct {
    AtlasRuns *runs;
    GPtrArray *list; /* of AtlasMeasurement* */
} AtlasMeasurements;

AtlasMeasurements *atlas_measurements_new(void);
void atlas_measurements_free(AtlasMeasurements *measurements);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasMeasurements, atlas_measurements_free)

/* Adds a measurement of a run, which must be one of measurements->runs; nothing else is known. */
AtlasMeasurement *atlas_measurements_add(AtlasMeasurements *measurements, const AtlasRun *run,
                                         const char *source);

#endif
