#include "model/solve/lp.h"

#include <math.h>

#include "model/solve/certify.h"
#include "model/solve/duals.h"
#include "model/solve/lp_build.h"

/* A bound that is no whole number is a fraction of at most this denominator, or rounded outward to
 * a multiple of one over it. */
#define FRACTION_MOST ((gint64)1 << 20)

/* Decimals that people see: counts over a window of ten steps have one, over four steps two. */
enum { PLACES = 2 };

char *atlas_interval_text(const AtlasInterval *interval) {
    char lo[64] = "?", hi[64] = "?";
    if (interval->lo_known)
        atlas_rat_format(interval->lo, PLACES, lo, sizeof lo);
    if (interval->hi_known)
        atlas_rat_format(interval->hi, PLACES, hi, sizeof hi);
    if (interval->lo_known && interval->hi_known && g_str_equal(lo, hi))
        return g_strdup(lo);
    return g_strdup_printf("%s..%s", lo, hi);
}

struct AtlasLp {
    const AtlasSystem *system;
    lprec *lp;
    AtlasCertifier *certifier;
    AtlasDuals *duals;
    int *basis;
    gint64 *objective; /* in whole numbers, of every unknown */
    REAL *values;      /* the same for lp_solve: only those that are not 0 */
    int *columns;
};

AtlasLp *atlas_lp_new(const AtlasSystem *system, AtlasRat lag) {
    AtlasLp *lp = g_new0(AtlasLp, 1);
    lp->system = system;
    lp->lp = atlas_lp_build(system, &lag);
    lp->certifier = atlas_certifier_new(system, lag);
    lp->duals = atlas_duals_new(system);
    lp->basis = g_new(int, system->rows->len + 1);
    lp->objective = g_new(gint64, system->unknowns + 1);
    lp->values = g_new(REAL, system->unknowns + 1);
    lp->columns = g_new(int, system->unknowns + 1);
    return lp;
}

void atlas_lp_free(AtlasLp *lp) {
    if (!lp)
        return;
    delete_lp(lp->lp);
    atlas_certifier_free(lp->certifier);
    atlas_duals_free(lp->duals);
    g_free(lp->basis);
    g_free(lp->objective);
    g_free(lp->values);
    g_free(lp->columns);
    g_free(lp);
}

gboolean atlas_lp_feasible(AtlasLp *lp) {
    if (lp->system->columns->len == 0) /* lp_solve refuses a model without columns */
        return TRUE;
    set_obj_fnex(lp->lp, 0, lp->values, lp->columns);
    return solve(lp->lp) == OPTIMAL;
}

/* Minimises lp->objective. FALSE if there is no least value, or none that can be proved. */
static gboolean minimise(AtlasLp *lp, AtlasWideRat *bound) {
    int count = 0;
    for (guint i = 0; i < lp->system->unknowns; i++)
        if (lp->objective[i] != 0) {
            lp->columns[count] = (int)i + 1;
            lp->values[count++] = (REAL)lp->objective[i];
        }
    set_obj_fnex(lp->lp, count, lp->values, lp->columns);
    if (solve(lp->lp) != OPTIMAL || !get_basis(lp->lp, lp->basis, FALSE))
        return FALSE;
    const double *duals = atlas_duals_find(lp->duals, lp->basis, lp->objective);
    return duals &&
           atlas_certify(lp->certifier, lp->objective, duals, get_objective(lp->lp), bound);
}

static AtlasWide gcd(AtlasWide a, AtlasWide b) {
    while (b != 0) {
        AtlasWide rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* A lower bound as a number: rounded up to a multiple of `step` where all values are such (else 0),
 * and rounded down where it is no simple fraction. */
static AtlasRat lower(AtlasWideRat bound, gint64 step) {
    AtlasWide whole = bound.num / bound.den - (bound.num % bound.den < 0);
    AtlasWide rest = bound.num - whole * bound.den, by = gcd(bound.den, rest);
    if (step > 0) {
        whole += rest > 0;
        whole = whole / step + (whole % step > 0);
    }
    if (whole >= G_MAXINT64 || whole <= -G_MAXINT64)
        return ATLAS_RAT_NONE;
    if (step > 0)
        return atlas_rat_mul(atlas_rat((gint64)whole), atlas_rat(step));
    AtlasRat fraction =
        bound.den / by <= FRACTION_MOST
            ? atlas_rat_make((gint64)(rest / by), (gint64)(bound.den / by))
            : atlas_rat_make((gint64)(rest * FRACTION_MOST / bound.den), FRACTION_MOST);
    return atlas_rat_add(atlas_rat((gint64)whole), fraction);
}

/* The greatest number that divides every value of a form without its constant, where all its
 * unknowns and coefficients are whole; else 0. */
static gint64 step_of(const AtlasLp *lp, const AtlasLinear *form) {
    AtlasWide step = 0;
    for (guint i = 0; i < form->n; i++) {
        if (form->coefs[i].num == 0)
            continue;
        if (!atlas_rat_is_whole(form->coefs[i]) || !ATLAS_COLUMN(lp->system, i)->whole)
            return 0;
        step = gcd(ABS(form->coefs[i].num), step);
    }
    return (gint64)step;
}

/* What makes all coefficients whole; 0 if that does not fit. */
static gint64 multiplier(const AtlasLinear *form) {
    AtlasRat multiply = atlas_rat(1);
    for (guint i = 0; i < form->n && atlas_rat_ok(multiply); i++)
        if (form->coefs[i].den != 1)
            multiply =
                atlas_rat_mul(multiply, atlas_rat(atlas_rat_mul(form->coefs[i], multiply).den));
    return multiply.num;
}

/* The least value of sign * (form without its constant). No number if there is none, or none that
 * can be proved. */
static AtlasRat least(AtlasLp *lp, const AtlasLinear *form, gint64 multiply, gint64 sign,
                      gint64 step) {
    AtlasWideRat bound;
    for (guint i = 0; i < form->n; i++) {
        AtlasRat coef = atlas_rat_mul(form->coefs[i], atlas_rat(multiply));
        if (!atlas_rat_is_whole(coef))
            return ATLAS_RAT_NONE;
        lp->objective[i] = sign * coef.num;
    }
    if (!minimise(lp, &bound))
        return ATLAS_RAT_NONE;
    return atlas_rat_div(lower(bound, step), atlas_rat(multiply));
}

AtlasInterval atlas_lp_interval(AtlasLp *lp, const AtlasLinear *form) {
    AtlasInterval interval = {TRUE, TRUE, form->constant, form->constant};
    gint64 multiply = multiplier(form), step = step_of(lp, form);
    gboolean constant = TRUE;
    for (guint i = 0; i < form->n; i++)
        constant = constant && form->coefs[i].num == 0;
    if (constant)
        return interval;
    interval.lo = atlas_rat_add(form->constant, least(lp, form, multiply, 1, step));
    interval.hi = atlas_rat_sub(form->constant, least(lp, form, multiply, -1, step));
    interval.lo_known = atlas_rat_ok(interval.lo);
    interval.hi_known = atlas_rat_ok(interval.hi);
    return interval;
}

double atlas_least_lag(const AtlasSystem *system) {
    lprec *lp = atlas_lp_build(system, NULL);
    REAL one = 1;
    int column = get_Ncolumns(lp);
    set_obj_fnex(lp, 1, &one, &column);
    double lag = solve(lp) == OPTIMAL ? get_objective(lp) : (double)NAN;
    delete_lp(lp);
    return lag;
}
