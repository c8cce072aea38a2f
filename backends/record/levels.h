/* Levels of a thread's ranges: those that lie in no other, those that lie in some of these, and so
 * on; and the families they come in.
 *
 * A family is all ranges of a kind: of one name up to the numbers in it ("step 12", "step 13"). But
 * where a name comes twice under one parent ("stage1", "stage2", "stage1"), numbers tell things
 * apart, and every name is a family; unless it is called step, iter or batch.
 *
 * Part of frames.c, which looks for steps from the outermost level inwards.
 */
#ifndef ATLAS_BACKENDS_RECORD_LEVELS_H
#define ATLAS_BACKENDS_RECORD_LEVELS_H

#include "backends/record/reading.h"

typedef struct {
    char *kind;           /* "step #" */
    guint count, holding; /* holding: so many of them hold other ranges */
    guint most, here;     /* under one parent; under `parent`, the last one */
    guint32 parent;
    gboolean stage; /* which the user named */
} RecordFamily;

typedef struct {
    const RecordReading *reading;
    guint32 thread;
    guint8 *frame;       /* by id, borrowed: ranges that were looked into */
    guint8 *holds;       /* by id: another range of the thread lies in it */
    guint8 *parents;     /* by id, 0 for none: in which the level's ranges lie */
    GArray *ids;         /* of guint32: its ranges in the order in which they began */
    GPtrArray *families; /* of RecordFamily*, as they first came */
    GArray *family_of;   /* of guint, for each of `ids` */
} RecordLevel;

/* Begins with the ranges that lie in no other. */
void record_level_init(RecordLevel *level, const RecordReading *reading, guint32 thread,
                       guint8 *frame);
void record_level_clear(RecordLevel *level);

const RecordRange *record_member(const RecordLevel *level, guint place);
const RecordFamily *record_family(const RecordLevel *level, guint number);

/* Goes on to the ranges that lie in a family's (-1: in all that hold others). */
void record_descend(RecordLevel *level, int family);

/* The only family that may be steps (it comes again, holds others, and is no stage), where nothing
 * else comes again; or the only such with numbers, whatever does. -1: there is none. */
int record_find_family(const RecordLevel *level);

/* The only family that holds others; -1: there is none, or one too many. */
int record_find_holder(const RecordLevel *level);

/* The family of steps that lie in all ranges that hold others (training, evaluation), to whose level
 * it goes on; -1: there is none, and nothing has changed. */
int record_find_in_all(RecordLevel *level);

/* Whether any family has more than one range. */
gboolean record_comes_again(const RecordLevel *level);

#endif
