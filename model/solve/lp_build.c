#include "model/solve/lp_build.h"

typedef struct {
    lprec *lp;
    const AtlasSystem *system;
    const AtlasRat *lag;
    int lag_column;
    REAL *values; /* one row being put together */
    int *columns;
} Build;

/* lp_solve's infinity. */
static const REAL infinity = 1e30;

/* A bound that is too large to be a number at this lag is none: `without`. */
static REAL at_lag(const Build *b, AtlasAffine bound, REAL without) {
    AtlasRat value = b->lag ? atlas_affine_at(bound, *b->lag) : bound.fixed;
    return atlas_rat_ok(value) ? atlas_rat_double(value) : without;
}

/* With the lag as a column, "sum >= fixed + per_lag * lag" is "sum - per_lag * lag >= fixed". */
static void add_side(Build *b, int count, AtlasAffine bound, int type) {
    if (!b->lag && bound.per_lag.num != 0) {
        b->columns[count] = b->lag_column;
        b->values[count] = -atlas_rat_double(bound.per_lag);
        count++;
    }
    add_constraintex(b->lp, count, b->values, b->columns, type,
                     at_lag(b, bound, type == GE ? -infinity : infinity));
}

static void add_row(Build *b, const AtlasRow *row) {
    int count = 0;
    for (guint t = row->first; t < row->first + row->count; t++) {
        const AtlasTerm *term = ATLAS_TERM(b->system, t);
        b->columns[count] = (int)term->column + 1;
        b->values[count] = (REAL)term->coef;
        count += term->coef != 0;
    }
    if (!b->lag) {
        add_side(b, count, row->lo, GE);
        add_side(b, count, row->hi, LE);
        return;
    }
    REAL lo = at_lag(b, row->lo, -infinity), hi = at_lag(b, row->hi, infinity);
    if (lo == -infinity) {
        add_constraintex(b->lp, count, b->values, b->columns, LE, hi);
        return;
    }
    add_constraintex(b->lp, count, b->values, b->columns, lo == hi ? EQ : GE, lo);
    if (lo != hi && hi != infinity)
        set_rh_range(b->lp, get_Nrows(b->lp), hi - lo);
}

static void bound_column(Build *b, guint index) {
    const AtlasColumn *column = ATLAS_COLUMN(b->system, index);
    set_lowbo(b->lp, (int)index + 1, at_lag(b, column->lo, 0)); /* never depends on the lag */
    if (!column->bounded)
        return;
    if (b->lag) {
        set_upbo(b->lp, (int)index + 1, at_lag(b, column->hi, infinity));
    } else {
        b->columns[0] = (int)index + 1;
        b->values[0] = 1;
        add_side(b, 1, column->hi, LE);
    }
}

lprec *atlas_lp_build(const AtlasSystem *system, const AtlasRat *lag) {
    int n = (int)system->columns->len + (lag == NULL);
    Build b = {make_lp(0, n), system, lag, n, g_new(REAL, n + 1), g_new(int, n + 1)};
    set_verbose(b.lp, NEUTRAL);
    for (guint i = 0; i < system->columns->len; i++)
        if (lag)
            bound_column(&b, i);
    set_add_rowmode(b.lp, TRUE);
    for (guint i = 0; i < system->rows->len; i++)
        add_row(&b, ATLAS_ROW(system, i));
    for (guint i = 0; i < system->columns->len; i++)
        if (!lag)
            bound_column(&b, i);
    set_add_rowmode(b.lp, FALSE);
    g_free(b.values);
    g_free(b.columns);
    return b.lp;
}

void atlas_lp_add_flows(const AtlasSystem *system, REAL *objective) {
    for (guint i = 0; i < system->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(system, i);
        for (guint t = row->first; row->flow && t < row->first + row->count; t++)
            objective[ATLAS_TERM(system, t)->column + 1] += (REAL)ATLAS_TERM(system, t)->coef;
    }
}
