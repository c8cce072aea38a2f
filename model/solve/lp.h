/* Bounds of linear forms over all solutions of a system, by linear programming.
 *
 * lp_solve finds the optimum in floating point; what is returned does not trust it. The dual
 * values it ends with, rounded to binary fractions, give a bound that holds whatever they are
 * (for min c.x under lo <= A.x <= hi and l <= x <= u: any y gives y.A.x >= sum of y_i * lo_i or
 * hi_i by its sign, and what is left of c, c - y.A, is bounded column by column), and that bound
 * is computed in 128-bit whole numbers, exactly. So a lower bound is never above the true minimum,
 * and rounding it up to the next whole number, where the form is whole, needs no tolerance.
 * (A. Neumaier and O. Shcherbina, Safe bounds in linear and mixed-integer linear programming,
 * Mathematical Programming 99, 2004.)
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

typedef struct AtlasLp AtlasLp;

/* The system at a given lag. Both are borrowed. */
AtlasLp *atlas_lp_new(const AtlasSystem *system, AtlasRat lag);
void atlas_lp_free(AtlasLp *lp);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasLp, atlas_lp_free)

/* Whether any solution exists (as far as floating point tells). */
gboolean atlas_lp_feasible(AtlasLp *lp);

/* The bounds of a form over the system's solutions. Where every unknown in it is whole and every
 * coefficient too, they are rounded inward to values that the form can take: ten steps of a whole
 * count are a multiple of ten. The system must be feasible. */
AtlasInterval atlas_lp_interval(AtlasLp *lp, const AtlasLinear *form);

/* The least lag at which the system has a solution, to some 1e-9; NAN if there is none at any
 * lag (the runs contradict each other even in sum). */
double atlas_least_lag(const AtlasSystem *system);

#endif
