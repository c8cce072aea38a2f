/* How far loops are walked. Internal to the engine.
 *
 * Why a loop may be cut. Let P be the positions when the loop begins, and D the positions that one
 * iteration adds. The map
 *
 *     moved(v) = v for v <= P,  v + D for v > P        (on every chain)
 *
 * keeps the order of positions and leaves those before the loop alone. All that an iteration does
 * to the state - clocks, items, last accesses, last readings - is made of taking the later of two
 * positions, of appending behind the last position of a chain, which lies behind P once an
 * iteration is over, and of looking up which item `depth` places back is, which moves with the rest
 * as long as that item is inside of the loop. Each of these gives moved results for moved
 * arguments. So where the state after an iteration is what the state before it becomes by `moved`,
 * the same holds after every further iteration, by induction: what is found in one iteration is
 * found in all that follow, and those can be passed over by moving the state as often.
 *
 * That is compared at the end of each iteration, not assumed: every item of the iteration with its
 * counterpart in the one before, and the host's clock. Everything else in the state is copied from
 * these within one iteration. For races one iteration that agrees is enough: what it did to the
 * last accesses of the one before is what the next does to its. A count looks back to the reading
 * before, and to tell whether it grows for ever it is compared with that of the iteration before:
 * there, three in a row must agree. And `depth` places of every stream that takes any, before the
 * last iteration, so that all items that it looked up were compared as well. (Those lie behind the
 * first iteration. Of the first the rule above is not true: that its first item has started says
 * that P is complete, which `moved` leaves alone.)
 *
 * It comes about: knowledge travels along a chain or to another one, each way within one iteration
 * or, through a full queue, `depth` places later, and the latest that can be known of a chain comes
 * by the fastest way, which visits no chain twice; so after at most 2 * depth / (places in an
 * iteration) + chains + 5 iterations, however many the loop has.
 *
 * Not cut: bodies that index buffers by the loop (at most as many iterations as the buffer has
 * parts), and iterations that leave something waiting for a flag. Where there are captures, the
 * simulated driver must be in the same state, too, after the iterations that are compared.
 */
#ifndef ATLAS_MODEL_PROOF_CUTOFF_H
#define ATLAS_MODEL_PROOF_CUTOFF_H

#include "model/proof/clocks.h"

typedef struct {
    const Clocks *clocks;
    gint64 *origin;      /* positions of each chain when the loop began; [0]: the host's accesses */
    gint64 *delta;       /* what the last iteration added */
    guint *start, *prev; /* items of each chain when this iteration, and that before, began */
    gint64 *host;        /* the host's clock at the end of the one before */
    gint64 *places;      /* of each chain, that iterations in agreement took */
    guint iterations;
    guint agree;  /* in a row */
    guint wanted; /* of these, before the loop is cut */
    guint64 mark; /* at the end of the one before */
} Cutoff;

Cutoff *cutoff_new(const Clocks *clocks, guint wanted);
void cutoff_free(Cutoff *cutoff);

/* An iteration ends: TRUE where all further ones do the same. `mark` stands for the state that is
 * no matter of clocks: that of the driver. */
gboolean cutoff_iteration(Cutoff *cutoff, guint64 mark);

/* Passes over so many iterations, in which each op is performed nth[op] times more: moves clocks
 * and items. `delta` becomes what positions moved by. */
void cutoff_skip(Cutoff *cutoff, Clocks *clocks, gint64 times, const gint64 *nth);

#endif
