/* Recording a program: `atlas-record -- COMMAND`, from the options to what is to be said.
 *
 * The program runs whatever happens to the recording: its input, output and exit status are its
 * own. What cannot be counted is said. Where several processes of it launch kernels (one a GPU,
 * say), each has an output of its own, numbered in the order in which they began: run.0.log,
 * run.1.log.
 */
#ifndef ATLAS_BACKENDS_RECORD_RECORD_H
#define ATLAS_BACKENDS_RECORD_RECORD_H

#include <glib.h>

#include "model/measure/provenance.h"

typedef struct {
    char *const *command; /* ends with NULL */
    const char *output;   /* file; NULL: only what is said */
    gboolean ndjson;      /* else the study's log */
    const char *stages, *step;
    AtlasCountKind counted; /* what a log holds */
    gboolean activities;
    gboolean cupti; /* it tells of calls; else the library is preloaded */
} RecordRequest;

typedef struct {
    int signal;         /* that ended the program; 0: none */
    int status;         /* to exit with; 128 + signal where there is one */
    gboolean started;   /* the program was */
    GPtrArray *said;    /* of char*: why nothing was counted, what was written: a line each */
    GPtrArray *summary; /* of char*: tables */
} RecordOutcome;

void record_outcome_init(RecordOutcome *outcome);
void record_outcome_clear(RecordOutcome *outcome);

/* Runs the program and writes what was recorded. FALSE, with an error, where the output cannot be
 * written: `outcome` tells whether the program ran all the same. */
gboolean record_perform(const RecordRequest *request, RecordOutcome *outcome, GError **error);

#endif
