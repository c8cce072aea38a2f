#include "model/solve/lp.h"

#include <math.h>

#include "model/solve/lp_build.h"

/* Dual values are rounded to multiples of 2^-DUAL_BITS: fine enough that a bound loses less than
 * a millionth of a launch, coarse enough that sums of products stay within 128 bits. */
enum { DUAL_BITS = 40, RESULT_BITS = 20 };

/* Sums of products must stay below 2^126; their sizes are added up in floating point first. */
#define SIZE_MAX_WIDE 1e37L

__extension__ typedef __int128 Wide;

/* A bound times AtlasLp.scale. */
typedef struct {
    gboolean known;
    gint64 value;
} Scaled;

struct AtlasLp {
    const AtlasSystem *system;
    lprec *lp;
    gint64 scale; /* the common denominator of all bounds at this lag */
    Scaled *row_lo, *row_hi, *column_lo, *column_hi;
    Wide *rest;   /* c - y.A, times 2^DUAL_BITS, for each column */
    REAL *values; /* an objective being put together */
    int *columns;
};

static void widen_scale(gint64 *scale, AtlasRat bound) {
    *scale *= MAX(atlas_rat_mul(bound, atlas_rat(*scale)).den, 1);
}

static Scaled scaled(const AtlasLp *lp, AtlasAffine bound, AtlasRat lag) {
    AtlasRat value = atlas_rat_mul(atlas_affine_at(bound, lag), atlas_rat(lp->scale));
    return (Scaled){atlas_rat_ok(value), value.num};
}

/* The upper bounds that rows imply for columns without one: in a row of columns >= 0 with
 * coefficients >= 0 only, none exceeds hi / coef. */
static void imply_bounds(AtlasLp *lp) {
    const AtlasSystem *s = lp->system;
    for (guint i = 0; i < s->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(s, i);
        gboolean plain = lp->row_hi[i].known && lp->row_hi[i].value >= 0;
        for (guint t = row->first; t < row->first + row->count; t++)
            plain = plain && ATLAS_TERM(s, t)->coef >= 0 &&
                    lp->column_lo[ATLAS_TERM(s, t)->column].value >= 0;
        for (guint t = row->first; plain && t < row->first + row->count; t++) {
            const AtlasTerm *term = ATLAS_TERM(s, t);
            Scaled *hi = &lp->column_hi[term->column];
            if (term->coef == 0)
                continue;
            gint64 implied = lp->row_hi[i].value / term->coef + 1; /* rounded outward */
            if (!hi->known || implied < hi->value)
                *hi = (Scaled){TRUE, implied};
        }
    }
}

static void take_bounds(AtlasLp *lp, AtlasRat lag) {
    const AtlasSystem *s = lp->system;
    lp->scale = 1;
    for (guint i = 0; i < s->rows->len; i++) {
        widen_scale(&lp->scale, atlas_affine_at(ATLAS_ROW(s, i)->lo, lag));
        widen_scale(&lp->scale, atlas_affine_at(ATLAS_ROW(s, i)->hi, lag));
    }
    for (guint i = 0; i < s->columns->len; i++)
        widen_scale(&lp->scale, atlas_affine_at(ATLAS_COLUMN(s, i)->hi, lag));
    for (guint i = 0; i < s->rows->len; i++) {
        lp->row_lo[i] = scaled(lp, ATLAS_ROW(s, i)->lo, lag);
        lp->row_hi[i] = scaled(lp, ATLAS_ROW(s, i)->hi, lag);
    }
    for (guint i = 0; i < s->columns->len; i++) {
        const AtlasColumn *column = ATLAS_COLUMN(s, i);
        lp->column_lo[i] = scaled(lp, column->lo, lag);
        lp->column_hi[i] = column->bounded ? scaled(lp, column->hi, lag) : (Scaled){FALSE, 0};
    }
    imply_bounds(lp);
}

AtlasLp *atlas_lp_new(const AtlasSystem *system, AtlasRat lag) {
    AtlasLp *lp = g_new0(AtlasLp, 1);
    guint rows = system->rows->len, columns = system->columns->len;
    lp->system = system;
    lp->row_lo = g_new(Scaled, rows + 1);
    lp->row_hi = g_new(Scaled, rows + 1);
    lp->column_lo = g_new(Scaled, columns + 1);
    lp->column_hi = g_new(Scaled, columns + 1);
    lp->rest = g_new(Wide, columns + 1);
    lp->values = g_new(REAL, columns + 1);
    lp->columns = g_new(int, columns + 1);
    take_bounds(lp, lag);
    lp->lp = atlas_lp_build(system, &lag);
    set_presolve(lp->lp, PRESOLVE_SENSDUALS, 0);
    /* Only the objective changes between solves, so the last basis stays primal feasible. */
    set_simplextype(lp->lp, SIMPLEX_PRIMAL_PRIMAL);
    return lp;
}

void atlas_lp_free(AtlasLp *lp) {
    if (!lp)
        return;
    delete_lp(lp->lp);
    g_free(lp->row_lo);
    g_free(lp->row_hi);
    g_free(lp->column_lo);
    g_free(lp->column_hi);
    g_free(lp->rest);
    g_free(lp->values);
    g_free(lp->columns);
    g_free(lp);
}

gboolean atlas_lp_feasible(AtlasLp *lp) {
    set_obj_fnex(lp->lp, 0, lp->values, lp->columns);
    return solve(lp->lp) == OPTIMAL;
}

/* The contribution of `factor` times something in lo..hi to a lower bound. */
static gboolean add_least(Wide *bound, long double *size, Wide factor, Scaled lo, Scaled hi) {
    Scaled at = factor >= 0 ? lo : hi;
    if (factor == 0)
        return TRUE;
    *size += fabsl((long double)factor * (long double)at.value);
    if (!at.known || *size > SIZE_MAX_WIDE)
        return FALSE;
    *bound += factor * at.value;
    return TRUE;
}

/* From dual values and the objective (whole coefficients, times `sign`) to a lower bound of its
 * minimum, times 2^DUAL_BITS * scale. FALSE if they give none. */
static gboolean certify(AtlasLp *lp, const REAL *duals, const AtlasLinear *form, gint64 multiply,
                        int sign, Wide *bound) {
    const AtlasSystem *s = lp->system;
    long double size = 0;
    *bound = 0;
    for (guint i = 0; i < s->columns->len; i++)
        lp->rest[i] = i < form->n
                          ? (Wide)(sign * form->coefs[i].num * (multiply / form->coefs[i].den))
                                << DUAL_BITS
                          : 0;
    for (guint i = 0; i < s->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(s, i);
        if (!(fabs(duals[i]) < 4194304.0)) /* 2^22: the product with 2^40 fits 64 bits */
            return FALSE;
        Wide dual = (Wide)llrint(ldexp(duals[i], DUAL_BITS));
        if (!add_least(bound, &size, dual, lp->row_lo[i], lp->row_hi[i]))
            return FALSE;
        for (guint t = row->first; t < row->first + row->count; t++)
            lp->rest[ATLAS_TERM(s, t)->column] -= dual * ATLAS_TERM(s, t)->coef;
    }
    for (guint i = 0; i < s->columns->len; i++)
        if (!add_least(bound, &size, lp->rest[i], lp->column_lo[i], lp->column_hi[i]))
            return FALSE;
    return TRUE;
}

static Wide divide_up(Wide a, Wide b) {
    return a / b + (a % b > 0);
}

static Wide divide_down(Wide a, Wide b) {
    return a / b - (a % b < 0);
}

/* The least value of sign * multiply * form, as a number: rounded up if it must be whole, else down
 * to a multiple of 2^-RESULT_BITS. */
static gboolean least(AtlasLp *lp, const AtlasLinear *form, gint64 multiply, int sign,
                      gboolean whole, AtlasRat *result) {
    int count = 0;
    REAL *duals;
    Wide bound;
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0) {
            lp->columns[count] = (int)i + 1;
            lp->values[count++] = sign * atlas_rat_double(form->coefs[i]) * (REAL)multiply;
        }
    set_obj_fnex(lp->lp, count, lp->values, lp->columns);
    if (solve(lp->lp) != OPTIMAL || !get_ptr_sensitivity_rhs(lp->lp, &duals, NULL, NULL) ||
        !certify(lp, duals, form, multiply, sign, &bound))
        return FALSE;
    Wide unit = ((Wide)1 << DUAL_BITS) * lp->scale;
    if (whole) { /* multiply is 1 then */
        *result = atlas_rat((gint64)divide_up(bound, unit));
        return TRUE;
    }
    Wide fine = unit >> RESULT_BITS;
    *result = atlas_rat_div(
        atlas_rat_make((gint64)divide_down(bound, MAX(fine, 1)), (gint64)1 << RESULT_BITS),
        atlas_rat(multiply));
    return atlas_rat_ok(*result);
}

static gboolean is_whole(const AtlasLp *lp, const AtlasLinear *form) {
    gboolean whole = atlas_rat_is_whole(form->constant);
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0)
            whole =
                whole && atlas_rat_is_whole(form->coefs[i]) && ATLAS_COLUMN(lp->system, i)->whole;
    return whole;
}

AtlasInterval atlas_lp_interval(AtlasLp *lp, const AtlasLinear *form) {
    AtlasInterval interval = {TRUE, TRUE, form->constant, form->constant};
    AtlasRat value;
    gint64 multiply = 1;
    gboolean constant = TRUE, whole = is_whole(lp, form);
    for (guint i = 0; i < form->n; i++) {
        constant = constant && form->coefs[i].num == 0;
        widen_scale(&multiply, form->coefs[i]);
    }
    if (constant)
        return interval;
    interval.lo_known = least(lp, form, multiply, 1, whole, &value);
    interval.lo = atlas_rat_add(form->constant, value);
    interval.hi_known = least(lp, form, multiply, -1, whole, &value);
    interval.hi = atlas_rat_sub(form->constant, value);
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
