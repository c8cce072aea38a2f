/* A recording as text: the study's log (model/measure/log.h), NDJSON, and a table for people.
 *
 * NDJSON is one object a line. The first is about the whole:
 *
 *     {"schema": "atlas-record/1", "program": […], "status": 0, "stages": ["fwd", …], "steps": 30, …}
 *
 * then come, in this order, told apart by their first key:
 *
 *     {"step": 0, "stage": "fwd", "ms": 26.7, "submissions": 1297, "calls": 1297, …}
 *     {"kernel": "gemm", "stage": "fwd", "stream": "legacy", "calls": 420, "captured": 0}
 *
 * A stage null is what lies outside the step's stages; a step null, what lies in no step. Numbers
 * that were not counted (activities, without that detail) are null. Kernels are summed over the
 * whole run; a kernel's stage null means that it was launched in a range that is no stage, or none.
 */
#ifndef ATLAS_BACKENDS_RECORD_WRITE_H
#define ATLAS_BACKENDS_RECORD_WRITE_H

#include "backends/record/tally.h"
#include "model/measure/provenance.h"

/* What else is known of the run. */
typedef struct {
    char *const *command;
    int status;             /* what the program ended with; 128 + N: by signal N */
    AtlasCountKind counted; /* which count a log holds; any of them but ATLAS_COUNT_KINDS */
    gboolean activities;    /* were recorded */
    gboolean cupti;         /* told of calls; else the library stood before the driver */
    const char *release;    /* of the driver: "580.159.04"; NULL: not known */
} RecordAbout;

/* The caller frees them. */
char *record_log(const RecordTally *tally, const RecordAbout *about);
char *record_ndjson(const RecordTally *tally, const RecordAbout *about);
char *record_summary(const RecordTally *tally, const RecordAbout *about);

/* What readers of the counts must know, one sentence each: what is not whole, what lies outside.
 * The caller unrefs it. */
GPtrArray *record_notes(const RecordTally *tally, const RecordAbout *about);

#endif
