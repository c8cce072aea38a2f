/* What readings of the launch counter may say. Internal to the engine.
 *
 * The counter counts launches that are complete; the host reads it without waiting. At a read, what
 * the host's clock holds must be complete, and what is processed may be: a schedule attains each.
 * So the greatest smear (launches enqueued and not counted) is enqueued - must, the least enqueued
 * - may. Between two reads, from the first's sets to the second's,
 *
 *     greatest count = may2 - must1      least count = must2 without may1, chain by chain
 *
 * Both are attained: the second set can follow any first one that lies inside it, and what must be
 * complete at the second read is no less complete for what already was at the first.
 */
#ifndef ATLAS_MODEL_PROOF_SMEAR_H
#define ATLAS_MODEL_PROOF_SMEAR_H

#include "model/proof/clocks.h"
#include "model/proof/race.h"

/* A counter read, or a stage mark where a program has no reads, over all times it was performed. */
typedef struct {
    guint flow;              /* the op; FLOW_NONE: the end of the program */
    guint stage;             /* what it closes: the stage that began last; FLOW_NONE: none */
    gint64 times;            /* 0: never performed, all below is 0 */
    gint64 least, most;      /* smear */
    gint64 fewest, greatest; /* launches counted since the read before */
    RacePlace at;            /* where the greatest smear was first attained */
    gint64 now[4];           /* the four numbers, as they were the last time */
    gint64 before[4];  /* in the last step but one: where that is not `now`, they still grow */
    gboolean grows[4]; /* in every further step */
} Reading;

typedef struct {
    const Clocks *clocks;
    GArray *readings;   /* of Reading, in the order of first performance */
    guint *index;       /* of a flow op: its reading + 1 */
    gint64 *must, *may; /* positions at the read before */
    guint stage;
} Smear;

void smear_init(Smear *smear, const Clocks *clocks);
void smear_clear(Smear *smear);

/* The host reads the counter now. */
void smear_read(Smear *smear, RacePlace place);

/* A step ended: numbers that differ from those of the step before grow for ever if `last`. */
void smear_step(Smear *smear, gboolean last);

/* Moves positions behind origin[c] of each chain c by delta[c]. */
void smear_move(Smear *smear, const gint64 *origin, const gint64 *delta);

#endif
