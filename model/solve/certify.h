/* Exact bounds from inexact dual values. Internal to model/solve.
 *
 * For min c.x under lo <= A.x <= hi and l <= x <= u, any y whatever gives
 *
 *     c.x = y.(A.x) + (c - y.A).x >= sum of y_i * (lo_i or hi_i, by its sign)
 *                                  + sum of (c - y.A)_j * (l_j or u_j, by its sign)
 *
 * and at the dual values of an optimum this is the minimum itself. So dual values that were found
 * in floating point are turned into fractions, and the right side is added up in 128-bit whole
 * numbers: what comes out is a bound whatever the floating-point solver did. (A. Neumaier and O.
 * Shcherbina, Safe bounds in linear and mixed-integer linear programming, Mathematical Programming
 * 99, 2004.)
 *
 * The fractions are simple ones with a common denominator where there are such, since the dual
 * values of a basis of small whole numbers are; then the bound is the minimum, exactly. Else they
 * are multiples of 2^-40.
 */
#ifndef ATLAS_MODEL_SOLVE_CERTIFY_H
#define ATLAS_MODEL_SOLVE_CERTIFY_H

#include "model/solve/system.h"

__extension__ typedef __int128 AtlasWide;

/* The bounds of a system's rows and columns at one lag, as whole numbers. */
typedef struct AtlasCertifier AtlasCertifier;

AtlasCertifier *atlas_certifier_new(const AtlasSystem *system, AtlasRat lag);
void atlas_certifier_free(AtlasCertifier *certifier);

/* num / den, not in lowest terms; den > 0 and below 2^71. */
typedef struct {
    AtlasWide num, den;
} AtlasWideRat;

/* A lower bound of the sum of objective[i] * unknown i, from one dual value for each row; `target`
 * is the minimum as the solver sees it. FALSE if none can be given. */
gboolean atlas_certify(AtlasCertifier *certifier, const gint64 *objective, const double *duals,
                       double target, AtlasWideRat *bound);

/* The fraction with the least denominator up to `most` that a number is, as far as can be told: it
 * is within 1e-7 / denominator. No number if there is none. */
AtlasRat atlas_simple_fraction(double number, gint64 most);

#endif
