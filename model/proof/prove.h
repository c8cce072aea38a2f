/* Proofs: what holds of a program over all its schedules, and what does not.
 *
 * A schedule is an order in which the device completes what it was given, and in which host and
 * device take turns. For each property the answer is one of
 *
 *     HOLDS         in every schedule, for every number of steps
 *     REFUTED       some schedule breaks it; the proof holds one
 *     UNDECIDED     a limit was reached; `why` says which
 *     NOT_MODELLED  the program does what is not modelled, or does not run; `why` says what
 *
 * Properties, in the order in which they stand:
 *
 *     LEGAL          every driver call succeeds
 *     RACE           no two conflicting accesses are unordered. Back-pressure gets no credit: that
 *                    a queue is too short to let a race happen is no order
 *     RACE_AT_DEPTH  the same with that credit; only where there is a depth and RACE is refuted. A
 *                    race that does not happen at the depth is masked by it
 *     DEADLOCK       the program always comes to its end (or, with a step, to every further step)
 *     SMEAR          one for each counter read (or stage mark, in a program without reads): the
 *                    least and greatest number of launches that the counter lags behind, each
 *                    attained. It holds unless the read is marked `exact` and may lag
 *     COUNT          with it: the least and greatest count of launches since the read before, both
 *                    attained; `stage` names the stage that the read closes
 *     WINDOW         the sum of all counts, from the first read to the last (of a step: between
 *                    the same read in any two steps), is the same in every schedule
 *
 * Everything is exact and costs time proportional to the ops walked times the streams; how loops
 * and steps are cut short, and why that is right, stands in cutoff.h. Programs without a step that
 * set a flag more than once are searched state by state instead, without mends.
 *
 * Several host threads: LEGAL is searched, over all interleavings of their calls, up to a limit and
 * for every number of steps (legal.h). RACE and DEADLOCK are proved of one interleaving of each kind
 * that differs (interleave.h), up to a limit, without mends; what orders threads is what they wait
 * for: work, and flags. Of a step without end two are tried, so that nothing holds of every number;
 * nor is anything said of back-pressure and of counters: reads that are marked exact are
 * NOT_MODELLED.
 *
 *     AtlasProofs *proofs = atlas_prove(program, NULL);
 *     … atlas_proofs_get(proofs, i)->verdict …
 *     atlas_proofs_free(proofs);
 */
#ifndef ATLAS_MODEL_PROOF_PROVE_H
#define ATLAS_MODEL_PROOF_PROVE_H

#include "model/op/program.h"

typedef enum {
    ATLAS_PROPERTY_LEGAL,
    ATLAS_PROPERTY_RACE,
    ATLAS_PROPERTY_RACE_AT_DEPTH,
    ATLAS_PROPERTY_DEADLOCK,
    ATLAS_PROPERTY_SMEAR,
    ATLAS_PROPERTY_COUNT,
    ATLAS_PROPERTY_WINDOW,
    ATLAS_PROPERTIES
} AtlasProperty;

typedef enum {
    ATLAS_PROOF_HOLDS,
    ATLAS_PROOF_REFUTED,
    ATLAS_PROOF_UNDECIDED,
    ATLAS_PROOF_NOT_MODELLED,
    ATLAS_PROOF_VERDICTS
} AtlasProofVerdict;

/* "race", "race at depth" …; "holds", "refuted" … */
const char *atlas_property_name(AtlasProperty property);
const char *atlas_proof_verdict_name(AtlasProofVerdict verdict);

/* Whether proofs of it find numbers of launches, least and most: SMEAR, COUNT, WINDOW. */
static inline gboolean atlas_property_counts(AtlasProperty property) {
    return property == ATLAS_PROPERTY_SMEAR || property == ATLAS_PROPERTY_COUNT ||
           property == ATLAS_PROPERTY_WINDOW;
}

/* When an op was performed: steps count from 0; an op before the step has step 0, one behind it the
 * number of steps. `nth` counts its performances in this step, from 0 (in the program, outside of
 * the step). For what a graph holds: the captured op, when the graph was launched. */
typedef struct {
    guint op; /* in AtlasProgram.ops; ATLAS_PROOF_NO_OP: the program's end */
    guint64 step;
    gint64 nth;
} AtlasWhen;
#define ATLAS_PROOF_NO_OP G_MAXUINT

/* One step of a schedule: the host performs an op, or work that an op gave to a stream is complete.
 * Of a launch xN, `count` repetitions are complete then. Declarations, and records and waits that
 * become complete, are left out. */
typedef struct {
    gboolean complete; /* else the host performs it */
    AtlasWhen when;
    gint64 count;
} AtlasScheduleEvent;

typedef struct {
    AtlasProperty property;
    AtlasProofVerdict verdict;
    guint op;           /* SMEAR, COUNT: the read; ATLAS_PROOF_NO_OP: the program's end */
    const char *stage;  /* COUNT: what the read closes, or NULL; interned in the program's file */
    gint64 least, most; /* SMEAR, COUNT; WINDOW: launches that its two ends may hide; most -1: grows
                           with every step */
    char *over;         /* "all schedules of 2 streams, every number of steps" */
    char *method;       /* "vector clocks, exact" */
    char *assumes;      /* what the verdict rests on beside the program; NULL: nothing */
    char *why;          /* REFUTED: what happens; UNDECIDED, NOT_MODELLED: the reason; else NULL */

    /* REFUTED: what clashes. RACE: both accesses, the one called first first, and the buffer.
     * DEADLOCK: the op that cannot go on, and that which it waits for (NO_OP: nothing ever sets the
     * flag), which is left out where it was searched for or several threads wait. SMEAR, WINDOW: the read. LEGAL: the call (in which
     * step, is not told). */
    AtlasWhen at[2];
    guint ats;
    const char *buffer;
    guint others;     /* RACE: further pairs of ops that race, of 63 at most */
    GArray *schedule; /* of AtlasScheduleEvent: after it, both accesses are under way, nothing
                         can go on, the read lags most. As short as any, unless `longer`. NULL where
                         the schedule is longer than ATLAS_SCHEDULE_MAX, or a search for it too
                         large */
    gboolean longer;  /* LEGAL: the search for a shorter one met its limit */
    char *mend;       /* what makes the property hold, verified by proving the program again with
                         it; NULL: none found */
} AtlasProof;

/* Events of a schedule that are written down. */
#define ATLAS_SCHEDULE_MAX 100000

typedef struct {
    gint64 depth;   /* for programs without a `depth`; 0: queues without end */
    gint64 steps;   /* prove for this many steps only; 0: for every number >= 1 */
    gboolean brief; /* verdicts only: no schedules, no mends */
} AtlasProveOptions;

typedef struct AtlasProofs AtlasProofs;

/* Proves everything about a program. `options` NULL: none. Spans and names stay borrowed from the
 * program. */
AtlasProofs *atlas_prove(const AtlasProgram *program, const AtlasProveOptions *options);
void atlas_proofs_free(AtlasProofs *proofs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasProofs, atlas_proofs_free)

guint atlas_proofs_count(const AtlasProofs *proofs);
const AtlasProof *atlas_proofs_get(const AtlasProofs *proofs, guint index);

/* The first proof of a property, or NULL. */
const AtlasProof *atlas_proofs_find(const AtlasProofs *proofs, AtlasProperty property);

#endif
