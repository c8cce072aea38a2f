/* Provenance: what counted a run, on what, and how sure the counts are.
 *
 * Launches can be counted in four ways, which are never mixed:
 *
 *     calls         launch API calls, those made while capturing included
 *     submissions   calls outside captures, and graph launches: what the host enqueued
 *     activities    kernels that the device executed
 *     graph_nodes   kernels that ran inside a graph
 *
 * activities = submissions - graph launches + graph nodes.
 *
 * It is said as pairs of a key and a value, in logs (log.h) and on the command line. Three keys
 * mean something to us; all others are kept as they are ("device" = "NVIDIA H200", "driver" =
 * "580.95").
 *
 *     counted   one of the four names above
 *     lag       the counter's greatest lag, in launches; 0 is exact
 *     lost      how many records were lost, at least: with any, counts are lower bounds
 *
 * A key is a name in which '-' may stand. What begins with "note" ("note", "note-commit") is for
 * readers; everything else tells one measuring setup from another.
 *
 * Life cycle: atlas_provenance_init / atlas_provenance_clear. Texts are borrowed.
 */
#ifndef ATLAS_MODEL_MEASURE_PROVENANCE_H
#define ATLAS_MODEL_MEASURE_PROVENANCE_H

#include "model/base/rational.h"

typedef enum {
    ATLAS_COUNT_CALLS,
    ATLAS_COUNT_SUBMISSIONS,
    ATLAS_COUNT_ACTIVITIES,
    ATLAS_COUNT_GRAPH_NODES,
    ATLAS_COUNT_KINDS /* also: it is not said which */
} AtlasCountKind;

/* The names above; NULL for ATLAS_COUNT_KINDS. */
const char *atlas_count_name(AtlasCountKind kind);

typedef struct {
    const char *key, *value;
} AtlasAbout;

typedef struct {
    AtlasCountKind counted;
    AtlasRat lag;           /* no number: it is not said */
    gint64 lost;            /* records */
    const char *incomplete; /* why more may be lost than is known; NULL: nothing says so */
    GArray *about; /* of AtlasAbout: the other keys, in the order they were said, each once */
} AtlasProvenance;

/* The most keys that one run may have. */
enum { ATLAS_ABOUT_MAX = 64 };

void atlas_provenance_init(AtlasProvenance *provenance);
void atlas_provenance_clear(AtlasProvenance *provenance);

typedef enum {
    ATLAS_SAID,      /* now, or in the same words before */
    ATLAS_SAID_ELSE, /* it was said to be something else, and still is */
    ATLAS_NOT_A_KEY,
    ATLAS_NOT_A_VALUE, /* of that key */
    ATLAS_SAID_TOO_MUCH
} AtlasSaid;

AtlasSaid atlas_provenance_say(AtlasProvenance *provenance, const char *key, const char *value);

/* What a key takes, for messages: "calls, submissions, activities or graph_nodes"; NULL: what a key
 * is. */
const char *atlas_provenance_expected(const char *key);

/* What was said of a key, NULL if nothing. The caller frees it. */
char *atlas_provenance_get(const AtlasProvenance *provenance, const char *key);

/* "3 records were lost: its counts are lower bounds", or why they are incomplete; NULL where none
 * were. The caller frees it. */
char *atlas_provenance_lost(const AtlasProvenance *provenance);

/* Why its counts may be fewer than all launches: records were lost, or it counted only what runs
 * inside graphs. NULL where they are all. The caller frees it. */
char *atlas_provenance_partial(const AtlasProvenance *provenance);

#endif
