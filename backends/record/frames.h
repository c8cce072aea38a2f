/* Which ranges of a recording are steps: its frame.
 *
 * On the thread whose ranges hold most launches, beginning with those that lie in no other:
 *
 *   - where one kind of range (levels.h) comes again and again and holds others, it is the step. But
 *     where it holds several of one kind again, and nothing else that comes again, those are (epochs
 *     that hold steps);
 *   - so it is where others come again beside it, if it alone has numbers;
 *   - where nothing comes again and one range holds others, those are looked at instead; where
 *     several do (training, evaluation), if they hold steps;
 *   - else a step begins where the first range that comes again does: a loop of "fwd", "bwd" and
 *     "opt" needs no range around it. It ends where the next begins, the last with its last range.
 *
 * A user who knows better names the range of a step. Stages that a user names are no steps. Without
 * ranges the whole run is one step.
 *
 * A step that may not be whole is left out: its range was still open at the end, the program ended
 * without its exit handlers, or there was no more room for ranges.
 */
#ifndef ATLAS_BACKENDS_RECORD_FRAMES_H
#define ATLAS_BACKENDS_RECORD_FRAMES_H

#include "backends/record/reading.h"

/* Times as in recording.h; the end is not part of the step. */
typedef struct {
    guint64 begin, end;
    gint64
        number; /* as it is called: by the ranges' names where those count up by one, else from 0 */
} RecordStep;

typedef struct {
    GArray *steps;    /* of RecordStep, ascending */
    guint8 *is_frame; /* by a range's id: a step, or what holds steps; never a stage */
    char *by;         /* "range 'step #'", for people */
    gboolean ranges;  /* FALSE: there are none, and the only step is the whole run */
    guint left_out;   /* steps that may not be whole */
} RecordFrame;

/* `step` names the range of a step, or is NULL; `ended`: when the program had. NULL where there is
 * no range of that name. */
RecordFrame *record_frame(const RecordReading *reading, const char *step, guint64 ended);
void record_frame_free(RecordFrame *frame);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(RecordFrame, record_frame_free)

/* The step that a time lies in; -1: none. */
int record_frame_step(const RecordFrame *frame, guint64 time);

#endif
