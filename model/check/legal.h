/* Whether every call of a program succeeds, in one schedule or in all. Internal to prove.c.
 *
 * Results do not depend on how far the device is (model/machine), so a program of one host thread
 * has one sequence of answers: a run decides. A step for ever: where the machine's state after a
 * period of steps hashes like that after the period before, every further one answers alike. With
 * several threads every interleaving of their calls may happen; each thread keeps its own order.
 */
#ifndef ATLAS_MODEL_CHECK_LEGAL_H
#define ATLAS_MODEL_CHECK_LEGAL_H

#include "model/check/flow.h"
#include "model/check/prove.h"

typedef enum { LEGAL_YES, LEGAL_NO, LEGAL_UNKNOWN } LegalVerdict;

typedef struct {
    LegalVerdict verdict;
    guint op;          /* NO: the call that fails */
    guint64 step;
    char *why;         /* NO, UNKNOWN */
    GArray *schedule;  /* NO: of AtlasScheduleEvent: the calls up to the one that fails, for several
                          threads; else NULL */
    guint64 states;    /* of the search; 0: none was needed */
} Legal;

/* Decides programs of one host thread. */
Legal legal_run(const Flow *flow, gint64 steps);

/* Decides programs of several, by a search over at most so many states. */
Legal legal_search(const Flow *flow, guint64 max_states);
enum { LEGAL_STATES_MAX = 4000000 };

void legal_clear(Legal *legal);

#endif
