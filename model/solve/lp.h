/* Bounds of linear forms over all solutions of a system, by linear programming.
 *
 * lp_solve finds the optimum in floating point; what is returned does not trust it, but proves a
 * bound in whole numbers from the basis that it ends with (certify.h). So a lower bound is never
 * above the true minimum, and rounding it up to the next whole number, where the form is whole,
 * needs no tolerance.
 *
 * An AtlasLp belongs to one thread. It starts every solve from the basis of the last one: asking
 * for many bounds of one system costs far less than solving it as often.
 */
#ifndef ATLAS_MODEL_SOLVE_LP_H
#define ATLAS_MODEL_SOLVE_LP_H

#include "model/solve/system.h"

/* lo..hi; a side that is not known is not bounded by the evidence. */
typedef struct {
    gboolean lo_known, hi_known;
    AtlasRat lo, hi;
} AtlasInterval;

/* For people: "lo..hi", one number where they meet, "?" for an end that nothing bounds; with at
 * most two decimals. The caller frees it. */
char *atlas_interval_text(const AtlasInterval *interval);

typedef struct AtlasLp AtlasLp;

/* The system at a given lag. Both are borrowed. */
AtlasLp *atlas_lp_new(const AtlasSystem *system, AtlasRat lag);
void atlas_lp_free(AtlasLp *lp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasLp, atlas_lp_free)

/* Whether any solution exists (as far as floating point tells). */
gboolean atlas_lp_feasible(AtlasLp *lp);

/* The bounds of a form over the system's solutions. Where every unknown in it is whole and every
 * coefficient too, they are rounded inward to values that the form can take: ten steps of a whole
 * count are a multiple of ten. Elsewhere they are exact, or, where they are no simple fractions,
 * some millionth too wide. The system must be feasible. */
AtlasInterval atlas_lp_interval(AtlasLp *lp, const AtlasLinear *form);

/* The least lag at which the system has a solution, to some 1e-9; NAN if there is none at any
 * lag (the runs contradict each other even in sum). */
double atlas_least_lag(const AtlasSystem *system);

#endif
