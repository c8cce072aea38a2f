#include "model/solve/certify.h"

#include <math.h>

/* Dual values are below 2^DUAL_BITS; their denominators at most 2^SIMPLE_BITS, or 2^FINE_BITS;
 * those of bounds at most 2^SCALE_BITS. */
enum { DUAL_BITS = 22, FINE_BITS = 40, SIMPLE_BITS = 24, SCALE_BITS = 30 };

/* How near a number times its denominator is to a whole number, and a bound to the minimum that the
 * solver saw, to be taken for it. */
#define SIMPLE_NEAR 1e-7
#define TARGET_NEAR 1e-7

/* What sums of products stay below, so that they fit 128 bits: their sizes are added up in floating
 * point first. */
#define WIDE_MOST 1e37

/* What the coefficients of a column, added up, stay below, so that their products with dual values
 * and denominators do. */
#define COLUMN_MOST ((gint64)1 << 60)

/* How often bounds are looked for that others imply. */
enum { ROUNDS = 4 };

/* A bound times AtlasCertifier.scale. */
typedef struct {
    gboolean known;
    gint64 value;
} Scaled;

struct AtlasCertifier {
    const AtlasSystem *system;
    gint64 scale;
    Scaled *row_lo, *row_hi, *column_lo, *column_hi;
    AtlasWide *rest; /* c - y.A, times the denominator of y, for each column */
    gboolean small;  /* coefficients stay below COLUMN_MOST */
};

/* ---- bounds as whole numbers ---- */

/* The common denominator of `scale` and a bound, as far as it is small. */
static gint64 common_scale(gint64 scale, AtlasAffine bound, AtlasRat lag) {
    AtlasRat value = atlas_rat_mul(atlas_affine_at(bound, lag), atlas_rat(scale));
    gint64 most = ((gint64)1 << SCALE_BITS) / scale;
    return atlas_rat_ok(value) ? scale * MIN(value.den, most) : scale;
}

/* Rounded outward where the scale is not fine enough. */
static Scaled scaled(const AtlasCertifier *c, AtlasAffine bound, AtlasRat lag, gboolean up) {
    AtlasRat value = atlas_affine_at(bound, lag);
    if (!atlas_rat_ok(value))
        return (Scaled){FALSE, 0};
    AtlasWide times = (AtlasWide)value.num * c->scale;
    AtlasWide whole = times / value.den, rest = times % value.den;
    whole += up ? rest > 0 : -(rest < 0);
    return (Scaled){whole < G_MAXINT64 && whole > -G_MAXINT64, (gint64)whole};
}

/* Adds the least of factor times something in lo..hi. FALSE if there is none or it does not fit. */
static gboolean add_least(AtlasWide *sum, double *size, AtlasWide factor, Scaled lo, Scaled hi) {
    Scaled at = factor >= 0 ? lo : hi;
    if (factor == 0)
        return TRUE;
    *size += fabs((double)factor * (double)at.value);
    if (!at.known || *size > WIDE_MOST)
        return FALSE;
    *sum += factor * at.value;
    return TRUE;
}

/* Bounds from above that a row implies: a column takes no more than the row's hi leaves when
 * everything else is at its least. Columns need not have one, but dual values that are not exact
 * bound nothing without. Returns whether it lowered any. */
static gboolean imply(AtlasCertifier *c, const AtlasRow *row, Scaled row_hi) {
    const AtlasTerm *terms = row->count ? ATLAS_TERM(c->system, row->first) : NULL;
    AtlasWide least = 0;
    double size = 0;
    gboolean lowered = FALSE;
    for (guint t = 0; t < row->count; t++)
        if (!add_least(&least, &size, terms[t].coef, c->column_lo[terms[t].column],
                       c->column_hi[terms[t].column]))
            return FALSE;
    for (guint t = 0; t < row->count && row_hi.known; t++) {
        Scaled lo = c->column_lo[terms[t].column], *hi = &c->column_hi[terms[t].column];
        if (terms[t].coef <= 0)
            continue;
        AtlasWide rest = row_hi.value - least + terms[t].coef * (AtlasWide)lo.value;
        AtlasWide implied = rest / terms[t].coef + 1; /* rounded outward */
        if (implied >= 0 && implied < G_MAXINT64 && (!hi->known || implied < hi->value)) {
            *hi = (Scaled){TRUE, (gint64)implied};
            lowered = TRUE;
        }
    }
    return lowered;
}

static void take_bounds(AtlasCertifier *c, AtlasRat lag) {
    const AtlasSystem *s = c->system;
    gboolean lowered = TRUE;
    c->scale = 1;
    for (guint i = 0; i < s->rows->len; i++) {
        c->scale = common_scale(c->scale, ATLAS_ROW(s, i)->lo, lag);
        c->scale = common_scale(c->scale, ATLAS_ROW(s, i)->hi, lag);
    }
    for (guint i = 0; i < s->columns->len; i++) {
        c->scale = common_scale(c->scale, ATLAS_COLUMN(s, i)->lo, lag);
        c->scale = common_scale(c->scale, ATLAS_COLUMN(s, i)->hi, lag);
    }
    for (guint i = 0; i < s->rows->len; i++) {
        c->row_lo[i] = scaled(c, ATLAS_ROW(s, i)->lo, lag, FALSE);
        c->row_hi[i] = scaled(c, ATLAS_ROW(s, i)->hi, lag, TRUE);
    }
    for (guint i = 0; i < s->columns->len; i++) {
        const AtlasColumn *column = ATLAS_COLUMN(s, i);
        c->column_lo[i] = scaled(c, column->lo, lag, FALSE);
        c->column_hi[i] = scaled(c, column->hi, lag, TRUE);
        c->column_hi[i].known &= column->bounded;
    }
    for (guint round = 0; lowered && round < ROUNDS; round++) {
        lowered = FALSE;
        for (guint i = 0; i < s->rows->len; i++)
            lowered |= imply(c, ATLAS_ROW(s, i), c->row_hi[i]);
    }
}

static gboolean small_columns(const AtlasSystem *system) {
    g_autofree gint64 *sums = g_new0(gint64, system->columns->len + 1);
    for (guint t = 0; t < system->terms->len; t++) {
        const AtlasTerm *term = ATLAS_TERM(system, t);
        if (ABS(term->coef) >= COLUMN_MOST ||
            (sums[term->column] += ABS(term->coef)) >= COLUMN_MOST)
            return FALSE;
    }
    return TRUE;
}

AtlasCertifier *atlas_certifier_new(const AtlasSystem *system, AtlasRat lag) {
    AtlasCertifier *c = g_new0(AtlasCertifier, 1);
    guint rows = system->rows->len, columns = system->columns->len;
    c->system = system;
    c->row_lo = g_new(Scaled, rows + 1);
    c->row_hi = g_new(Scaled, rows + 1);
    c->column_lo = g_new(Scaled, columns + 1);
    c->column_hi = g_new(Scaled, columns + 1);
    c->rest = g_new(AtlasWide, columns + 1);
    c->small = small_columns(system);
    take_bounds(c, lag);
    return c;
}

void atlas_certifier_free(AtlasCertifier *c) {
    if (!c)
        return;
    g_free(c->row_lo);
    g_free(c->row_hi);
    g_free(c->column_lo);
    g_free(c->column_hi);
    g_free(c->rest);
    g_free(c);
}

/* ---- from dual values to a bound ---- */

/* The denominators to try are those of the number's continued fraction. */
AtlasRat atlas_simple_fraction(double number, gint64 most) {
    double rest = fabs(number);
    gint64 before = 0, den = 1;
    while (den <= most) {
        double times = number * (double)den;
        if (fabs(times) > (double)G_MAXINT64 / 2)
            break;
        if (fabs(times - rint(times)) <= SIMPLE_NEAR)
            return atlas_rat_make((gint64)rint(times), den);
        rest = 1 / (rest - floor(rest));
        if (!(rest <= (double)most))
            break;
        gint64 next = (gint64)rest * den + before;
        before = den;
        den = next;
    }
    return ATLAS_RAT_NONE;
}

/* What makes all dual values whole; 0 if nothing does. */
static gint64 common_denominator(const double *duals, guint n) {
    gint64 common = 1, most = (gint64)1 << SIMPLE_BITS;
    for (guint i = 0; common && i < n; i++)
        common *= atlas_simple_fraction(duals[i] * (double)common, most / common).den;
    return common;
}

/* The bound from the dual values as multiples of 1/den. */
static gboolean bound_from(AtlasCertifier *c, const gint64 *objective, const double *duals,
                           gint64 den, AtlasWideRat *bound) {
    const AtlasSystem *s = c->system;
    double size = 0;
    *bound = (AtlasWideRat){0, (AtlasWide)den * c->scale};
    for (guint i = 0; i < s->columns->len; i++)
        c->rest[i] = i < s->unknowns ? (AtlasWide)objective[i] * den : 0;
    for (guint i = 0; i < s->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(s, i);
        AtlasWide dual = (AtlasWide)llrint(duals[i] * (double)den);
        if (dual == 0)
            continue;
        if (!add_least(&bound->num, &size, dual, c->row_lo[i], c->row_hi[i]))
            return FALSE;
        for (guint t = row->first; t < row->first + row->count; t++)
            c->rest[ATLAS_TERM(s, t)->column] -= dual * ATLAS_TERM(s, t)->coef;
    }
    for (guint i = 0; i < s->columns->len; i++)
        if (!add_least(&bound->num, &size, c->rest[i], c->column_lo[i], c->column_hi[i]))
            return FALSE;
    return TRUE;
}

static double as_double(const AtlasWideRat *bound) {
    return (double)bound->num / (double)bound->den;
}

gboolean atlas_certify(AtlasCertifier *c, const gint64 *objective, const double *duals,
                       double target, AtlasWideRat *bound) {
    const guint rows = c->system->rows->len;
    AtlasWideRat fine;
    if (!c->small)
        return FALSE;
    for (guint i = 0; i < c->system->unknowns; i++)
        if (ABS(objective[i]) >= COLUMN_MOST)
            return FALSE;
    for (guint i = 0; i < rows; i++)
        if (!(fabs(duals[i]) < (1 << DUAL_BITS)))
            return FALSE;
    gint64 den = common_denominator(duals, rows);
    gboolean simple = den > 0 && bound_from(c, objective, duals, den, bound);
    if (simple && as_double(bound) >= target - TARGET_NEAR * (1 + fabs(target)))
        return TRUE;
    if (!bound_from(c, objective, duals, (gint64)1 << FINE_BITS, &fine))
        return simple;
    if (!simple || as_double(&fine) > as_double(bound))
        *bound = fine;
    return TRUE;
}
