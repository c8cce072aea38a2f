/* Whether every call of a program succeeds, in one schedule or in all. Internal to prove.c.
 *
 * Results do not depend on how far the device is (model/machine), so a program of one host thread
 * has one sequence of answers: a run decides. A step for ever: where the machine's state after a
 * period of steps hashes like that after the period before, every further one answers alike.
 *
 * With several threads every interleaving of their ops may happen: each thread keeps its own order,
 * with loops and steps of its own, and all begin when the declarations that open the program are
 * done. A host_flag_wait goes on once the flag is set, by the host or by work that was given to a
 * stream; nothing else makes one thread wait for another. The search goes through states of the
 * driver and places of the threads. Two states of the driver are taken for the same where their
 * hashes are (machine.h says what that leaves out: about one chance in 2^64 for a pair).
 *
 * Of interleavings that differ only in the order of calls that commute (legal_threads.h) it follows
 * one. What it finds out so, that no call fails or that one does, is so; but the way to a call that
 * fails may hold calls that have no part in it. A second search, of all interleavings, shortest
 * first, then finds a shortest one.
 *
 * A step for ever: a thread's place in the step and the state of the driver say all that is to come,
 * whichever step it is. So the search ends, as soon as it comes to no further states, for every
 * number of steps, however far the threads are apart. There, calls may come back to a state seen
 * before, and might for ever put off those of another thread: where all that a state's chosen
 * threads do leads to states seen before, the other threads are followed, too. Two things are left
 * undecided: ops behind the step, since all threads perform the same number of steps, and states
 * without end, as where one thread adds to the capture of another for as long as that lets it. One
 * step and two periods are then tried, and UNKNOWN says what of them is known.
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
    gboolean longer;  /* there may be a shorter schedule: the second search met its limit */
    guint64 states;   /* of the searches; 0: none was needed */
} Legal;

/* Decides programs of one host thread. */
Legal legal_run(const Flow *flow, gint64 steps);

typedef struct {
    gint64 steps;       /* 0: for ever */
    guint64 max_states; /* of one search; 0: LEGAL_STATES_MAX */
    gboolean all;       /* follow all interleavings from the start */
} LegalOptions;
/* Of a step for ever, fewer: most come to an end soon, or never. */
enum { LEGAL_STATES_MAX = 4000000, LEGAL_LAPS_MAX = 250000 };

/* Decides programs of several, by searches. */
Legal legal_search(const Flow *flow, LegalOptions options);

/* How many declarations open a program: the search begins behind them, and so do its schedules. */
guint legal_opening(const AtlasProgram *program);

void legal_clear(Legal *legal);

/* Shared by the two: why a call fails, for people; no verdict, and why. */
char *legal_why(const Flow *flow, guint op, const AtlasAnswer *answer);
Legal legal_unknown(const char *why);

#endif
