/* How the search came to what it found: a schedule.
 *
 * The states are gone through once more, none of them taken for another (no symmetry, no counts), up
 * to the first that shows what is looked for. From there back: each step adds one to one field of a
 * state, so that of the states with one less in some field those that were seen come before. From
 * each of them the step can be made: what it needs had come when it was made on some way here, and
 * nothing that has come ever goes again. So any of them lies on a shortest way. What the device did
 * is undone before what the host did, so that in the schedule the host goes on as far as it can.
 */
#ifndef ATLAS_MODEL_PROOF_SEARCH_PATH_H
#define ATLAS_MODEL_PROOF_SEARCH_PATH_H

#include "model/proof/prove.h"
#include "model/proof/search.h"

typedef enum {
    SEARCH_SHOWS_RACE,     /* two accesses that are under way at once */
    SEARCH_SHOWS_DEADLOCK, /* nothing can go on */
    SEARCH_SHOWS_READ      /* a read of the counter that lags so much */
} SearchShows;

typedef struct {
    SearchShows shows;
    guint op;     /* of READ */
    gint64 smear; /* of READ */
} SearchGoal;

/* As in AtlasProof: two accesses, what cannot go on, or the read; `schedule` NULL: not found within
 * the limits, or too long. Whoever asked owns the schedule. */
typedef struct {
    GArray *schedule; /* of AtlasScheduleEvent */
    AtlasWhen at[2];
    guint ats;
} SearchPath;

/* For a program without a step. */
SearchPath search_path(const AtlasProgram *program, gint64 depth, guint64 max_states,
                       const SearchGoal *goal);

#endif
