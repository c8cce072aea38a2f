/* What a recorded process did, by step and stage.
 *
 * A stage is a range inside a step that is no step and holds none (frames.h), by its name; all of
 * that name in a step together. What lies in none of them is counted for the step, "outside"; what
 * lies in no step, elsewhere: setting up, evaluation. Every call is counted exactly once. Every
 * step has every stage, with 0 where it was not seen, in the order in which they come in a step.
 *
 * Without ranges there is one stage, "all", in one step.
 *
 * Names of stages are made such as logs and specs have ([a-z][a-z0-9_]*): "Stage: fwd" is
 * "stage_fwd"; where two become one, the later gets a number.
 */
#ifndef ATLAS_BACKENDS_RECORD_TALLY_H
#define ATLAS_BACKENDS_RECORD_TALLY_H

#include "backends/record/frames.h"

typedef struct {
    char *name;    /* as logs have it */
    guint32 range; /* the name of its ranges, as an id; 0 for "all" */
} RecordStage;

typedef struct {
    gint64 counts[RECORD_COUNT_KINDS];
    gint64
        ns; /* how long its ranges were open, without stages that lay in them; of a step, whole */
} RecordCell;

typedef struct {
    const RecordReading *reading; /* borrowed */
    RecordFrame *frame;
    GArray *stages;       /* of RecordStage */
    GArray *cells;        /* of RecordCell: for each step its stages, then what lies outside them */
    RecordCell elsewhere; /* no time */
} RecordTally;

/* `step` and `ended` as record_frame has them; NULL where there is no such step. */
RecordTally *record_tally(const RecordReading *reading, const char *step, guint64 ended);
void record_tally_free(RecordTally *tally);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RecordTally, record_tally_free)

/* Of a stage, or of what lies outside (`stage` = tally->stages->len). */
const RecordCell *record_cell(const RecordTally *tally, guint step, guint stage);

/* The stage of ranges of a name; -1: none. */
int record_stage_of(const RecordTally *tally, guint32 name);

/* Calls outside captures, and graph launches: what the host enqueued. */
gint64 record_submissions(const RecordCell *cell);

/* The sum of a step, or (a window of) steps `first` to `last`, over a stage or what lies outside. */
RecordCell record_sum(const RecordTally *tally, guint first, guint last, guint stage);

/* The first of the last third of the steps, which are warm; there are some. */
guint record_warm(const RecordTally *tally);

#endif
