/* Whether every call of a program succeeds, in one schedule or in all. Internal to prove.c.
 *
 * Results do not depend on how far the device is (model/machine), so a program of one host thread
 * has one sequence of answers: a run decides. A step for ever: where the machine's state after a
 * period of steps hashes like that after the period before, every further one answers alike.
 *
 * With several threads every interleaving of their ops may happen: each thread keeps its own order,
 * with loops of its own, and all begin when the declarations that open the program are done. A
 * host_flag_wait goes on once the flag is set, by the host or by work that was given to a stream.
 * The search goes through all states of the driver and all places of the threads, shortest first;
 * ops that are no driver calls commute with all others, so that one of them is taken alone. Two
 * states of the driver are taken for the same where their hashes are (machine.h says what that
 * leaves out: about one chance in 2^64 for a pair).
 */
#ifndef ATLAS_MODEL_PROOF_LEGAL_H
#define ATLAS_MODEL_PROOF_LEGAL_H

#include "model/proof/flow.h"
#include "model/proof/prove.h"
#include "model/machine/outcome.h"

typedef enum { LEGAL_YES, LEGAL_NO, LEGAL_UNKNOWN } LegalVerdict;

typedef struct {
    LegalVerdict verdict;
    guint op;         /* NO: the call that fails */
    char *why;        /* NO, UNKNOWN */
    GArray *schedule; /* NO: of AtlasScheduleEvent: the calls up to the one that fails, for several
                         threads; else NULL */
    guint64 states;   /* of the search; 0: none was needed */
} Legal;

/* Decides programs of one host thread. */
Legal legal_run(const Flow *flow, gint64 steps);

/* Decides programs of several, by a search over at most so many states. */
Legal legal_search(const Flow *flow, guint64 max_states);
enum { LEGAL_STATES_MAX = 4000000 };

/* How many declarations open a program: the search begins behind them, and so do its schedules. */
guint legal_opening(const AtlasProgram *program);

void legal_clear(Legal *legal);

/* Shared by the two: why a call fails, for people; no verdict, and why. */
char *legal_why(const Flow *flow, guint op, const AtlasAnswer *answer);
Legal legal_unknown(const char *why);

#endif
