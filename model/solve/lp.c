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
    double *duals;
};

static void widen_scale(gint64 *scale, AtlasRat bound) {
    *scale *= MAX(atlas_rat_mul(bound, atlas_rat(*scale)).den, 1);
}

static Scaled scaled(const AtlasLp *lp, AtlasAffine bound, AtlasRat lag) {
    AtlasRat value = atlas_rat_mul(atlas_affine_at(bound, lag), atlas_rat(lp->scale));
    return (Scaled){atlas_rat_ok(value), value.num};
}

/* The least value of a row's terms, times scale, as far as the columns' bounds tell. */
static gboolean least_activity(const AtlasLp *lp, const AtlasRow *row, Wide *least) {
    *least = 0;
    for (guint t = row->first; t < row->first + row->count; t++) {
        const AtlasTerm *term = ATLAS_TERM(lp->system, t);
        Scaled at = term->coef >= 0 ? lp->column_lo[term->column] : lp->column_hi[term->column];
        if (term->coef != 0 && !at.known)
            return FALSE;
        *least += term->coef * (Wide)at.value;
    }
    return TRUE;
}

/* The upper bounds that rows imply for columns without one: a column takes no more than the row's
 * hi leaves when everything else is at its least. */
static void imply_bounds(AtlasLp *lp) {
    const AtlasSystem *s = lp->system;
    for (guint i = 0; i < s->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(s, i);
        Wide least;
        if (!lp->row_hi[i].known || !least_activity(lp, row, &least))
            continue;
        for (guint t = row->first; t < row->first + row->count; t++) {
            const AtlasTerm *term = ATLAS_TERM(s, t);
            Scaled *hi = &lp->column_hi[term->column];
            if (term->coef <= 0 || ATLAS_COLUMN(s, term->column)->bounded)
                continue;
            Wide rest =
                lp->row_hi[i].value - least + term->coef * (Wide)lp->column_lo[term->column].value;
            Wide implied = rest / term->coef + 1; /* rounded outward */
            if (implied >= 0 && implied < G_MAXINT64 && (!hi->known || implied < hi->value))
                *hi = (Scaled){TRUE, (gint64)implied};
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
    lp->duals = g_new(double, rows + 1);
    take_bounds(lp, lag);
    lp->lp = atlas_lp_build(system, &lag);
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
    g_free(lp->duals);
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
                          ? (Wide)(sign * form->coefs[i].num * (multiply / form->coefs[i].den)) *
                                ((Wide)1 << DUAL_BITS)
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

/* Solves `matrix` (n rows of n + 1, the right side last) in place by Gaussian elimination with
 * pivoting; the solution stands in the last column. A singular matrix gives some numbers, which
 * are as good as any for certify(). */
static void eliminate(double *matrix, guint n) {
    guint width = n + 1;
    for (guint k = 0; k < n; k++) {
        guint pivot = k;
        for (guint i = k + 1; i < n; i++)
            if (fabs(matrix[i * width + k]) > fabs(matrix[pivot * width + k]))
                pivot = i;
        if (matrix[pivot * width + k] == 0)
            continue;
        for (guint j = k; j < width && pivot != k; j++) {
            double spare = matrix[k * width + j];
            matrix[k * width + j] = matrix[pivot * width + j];
            matrix[pivot * width + j] = spare;
        }
        for (guint i = 0; i < n; i++) {
            double factor = matrix[i * width + k] / matrix[k * width + k];
            if (i == k || factor == 0)
                continue;
            for (guint j = k; j < width; j++)
                matrix[i * width + j] -= factor * matrix[k * width + j];
        }
    }
    for (guint i = 0; i < n; i++)
        if (matrix[i * width + i] != 0)
            matrix[i * width + n] /= matrix[i * width + i];
}

/* The dual values of the basis that the last solve ended with, for the objective in lp->values and
 * lp->columns. A row whose slack is basic has dual 0; the others follow from the basic columns,
 * whose reduced costs are 0. (lp_solve's own report of them is not always there.) */
static gboolean basis_duals(AtlasLp *lp, int count, double *duals) {
    const AtlasSystem *s = lp->system;
    guint rows = s->rows->len, columns = s->columns->len, n = 0, m = 0;
    g_autofree int *basis = g_new(int, rows + columns + 1);
    g_autofree int *row_index = g_new(int, rows + 1), *column_index = g_new(int, columns + 1);
    if (!get_basis(lp->lp, basis, FALSE))
        return FALSE;
    for (guint i = 0; i < rows; i++)
        row_index[i] = 0;
    for (guint i = 0; i < columns; i++)
        column_index[i] = -1;
    for (guint i = 1; i <= rows; i++) {
        guint variable = (guint)ABS(basis[i]);
        if (variable <= rows)
            row_index[variable - 1] = -1;
        else
            column_index[variable - rows - 1] = (int)n++;
    }
    for (guint i = 0; i < rows; i++)
        if (row_index[i] == 0)
            row_index[i] = (int)m++;
    if (m != n)
        return FALSE;
    g_autofree double *matrix = g_new0(double, (gsize)n *(n + 1) + 1);
    for (guint i = 0; i < rows; i++) {
        const AtlasRow *row = ATLAS_ROW(s, i);
        for (guint t = row->first; row_index[i] >= 0 && t < row->first + row->count; t++) {
            const AtlasTerm *term = ATLAS_TERM(s, t);
            if (column_index[term->column] >= 0)
                matrix[(gsize)column_index[term->column] * (n + 1) + (guint)row_index[i]] =
                    (double)term->coef;
        }
    }
    for (int k = 0; k < count; k++)
        if (column_index[lp->columns[k] - 1] >= 0)
            matrix[(gsize)column_index[lp->columns[k] - 1] * (n + 1) + n] = lp->values[k];
    eliminate(matrix, n);
    for (guint i = 0; i < rows; i++)
        duals[i] = row_index[i] < 0 ? 0 : matrix[(gsize)row_index[i] * (n + 1) + n];
    return TRUE;
}

static Wide divide_up(Wide a, Wide b) {
    return a / b + (a % b > 0);
}

static Wide divide_down(Wide a, Wide b) {
    return a / b - (a % b < 0);
}

/* The least value of sign * (form without its constant), as a number. `multiply` makes the
 * coefficients whole. Where the form takes multiples of `step` only, the bound is rounded up to the
 * next one; where step is 0, down to a multiple of 2^-RESULT_BITS. */
static gboolean least(AtlasLp *lp, const AtlasLinear *form, gint64 multiply, int sign, gint64 step,
                      AtlasRat *result) {
    int count = 0;
    Wide bound;
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0) {
            lp->columns[count] = (int)i + 1;
            lp->values[count++] = sign * atlas_rat_double(form->coefs[i]) * (REAL)multiply;
        }
    set_obj_fnex(lp->lp, count, lp->values, lp->columns);
    if (solve(lp->lp) != OPTIMAL || !basis_duals(lp, count, lp->duals) ||
        !certify(lp, lp->duals, form, multiply, sign, &bound))
        return FALSE;
    Wide unit = ((Wide)1 << DUAL_BITS) * lp->scale;
    if (step > 0) /* multiply is 1 then */
        *result = atlas_rat((gint64)divide_up(bound, unit * step) * step);
    else
        *result = atlas_rat_div(atlas_rat_make((gint64)divide_down(bound, unit >> RESULT_BITS),
                                               (gint64)1 << RESULT_BITS),
                                atlas_rat(multiply));
    return atlas_rat_ok(*result);
}

/* The greatest number that divides every value of a form without its constant, where all its
 * unknowns and coefficients are whole; else 0. */
static gint64 step_of(const AtlasLp *lp, const AtlasLinear *form) {
    gint64 step = 0;
    for (guint i = 0; i < form->n; i++) {
        gint64 a = ABS(form->coefs[i].num);
        if (a == 0)
            continue;
        if (!atlas_rat_is_whole(form->coefs[i]) || !ATLAS_COLUMN(lp->system, i)->whole)
            return 0;
        while (a != 0) { /* Euclid */
            gint64 rest = step % a;
            step = a;
            a = rest;
        }
    }
    return step;
}

AtlasInterval atlas_lp_interval(AtlasLp *lp, const AtlasLinear *form) {
    AtlasInterval interval = {TRUE, TRUE, form->constant, form->constant};
    AtlasRat value;
    gint64 multiply = 1, step = step_of(lp, form);
    gboolean constant = TRUE;
    for (guint i = 0; i < form->n; i++) {
        constant = constant && form->coefs[i].num == 0;
        widen_scale(&multiply, form->coefs[i]);
    }
    if (constant)
        return interval;
    interval.lo_known = least(lp, form, multiply, 1, step, &value);
    interval.lo = atlas_rat_add(form->constant, value);
    interval.hi_known = least(lp, form, multiply, -1, step, &value);
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
