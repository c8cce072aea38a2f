#include "model/solve/system.h"

/* A sum being put together: linear in unknowns, plus other columns with coefficient 1 or -1. */
typedef struct {
    AtlasLinear *form;
    GArray *others; /* of AtlasTerm */
} Sum;

typedef struct {
    AtlasSystem *system;
    const AtlasObservation *o;
    guint observation;
    guint n_unknowns;
    gboolean ok;
} Builder;

static AtlasAffine fixed(AtlasRat value) {
    return (AtlasAffine){value, atlas_rat(0)};
}

/* That many lags of the run's counter: its own, where it states one. */
static AtlasAffine lags(const AtlasObservation *o, gint64 factor) {
    if (o->run && atlas_rat_ok(o->run->by.lag))
        return fixed(atlas_rat_mul(o->run->by.lag, atlas_rat(factor)));
    return (AtlasAffine){atlas_rat(0), atlas_rat(factor)};
}

static AtlasAffine affine_scaled(AtlasAffine a, AtlasRat shift, gint64 scale) {
    AtlasRat by = atlas_rat(scale);
    return (AtlasAffine){atlas_rat_mul(atlas_rat_sub(a.fixed, shift), by),
                         atlas_rat_mul(a.per_lag, by)};
}

static guint add_column(AtlasSystem *system, AtlasAffine lo, AtlasAffine hi, gboolean bounded,
                        gboolean whole) {
    AtlasColumn column = {lo, hi, bounded, whole};
    g_array_append_val(system->columns, column);
    return system->columns->len - 1;
}

static Sum sum_new(guint unknowns) {
    return (Sum){atlas_linear_new(unknowns, 1), g_array_new(FALSE, FALSE, sizeof(AtlasTerm))};
}

static void sum_clear(Sum *sum) {
    atlas_linear_free(sum->form, 1);
    g_array_unref(sum->others);
}

static void sum_reset(Sum *sum) {
    sum->form->constant = atlas_rat(0);
    for (guint i = 0; i < sum->form->n; i++)
        sum->form->coefs[i] = atlas_rat(0);
    g_array_set_size(sum->others, 0);
}

static void sum_add_column(Sum *sum, guint column, gint64 coef) {
    AtlasTerm term = {column, coef};
    g_array_append_val(sum->others, term);
}

static void sum_add(Sum *sum, const Sum *other, gint64 factor) {
    atlas_linear_add(sum->form, other->form, atlas_rat(factor));
    for (guint i = 0; i < other->others->len; i++) {
        const AtlasTerm *term = &g_array_index(other->others, AtlasTerm, i);
        sum_add_column(sum, term->column, factor * term->coef);
    }
}

/* Subtracts a measured sum: a number, or a column where it is an interval. */
static void sum_subtract_measured(Builder *b, Sum *sum, const AtlasSum *measured) {
    if (measured->lo == measured->hi) {
        sum->form->constant = atlas_rat_sub(sum->form->constant, atlas_rat(measured->lo));
        return;
    }
    guint column = add_column(b->system, fixed(atlas_rat(measured->lo)),
                              fixed(atlas_rat(measured->hi)), TRUE, FALSE);
    sum_add_column(sum, column, -1);
}

/* What the coefficients must be multiplied by to be whole; 0 if that, or one of them then, does
 * not fit. */
static gint64 common_denominator(const AtlasLinear *form) {
    gint64 common = 1;
    for (guint i = 0; i < form->n; i++) {
        AtlasRat scaled = atlas_rat_mul(form->coefs[i], atlas_rat(common));
        if (!atlas_rat_ok(scaled) || __builtin_mul_overflow(common, scaled.den, &common))
            return 0;
    }
    for (guint i = 0; i < form->n; i++)
        if (!atlas_rat_ok(atlas_rat_mul(form->coefs[i], atlas_rat(common))))
            return 0;
    return common;
}

static gboolean affine_ok(AtlasAffine a) {
    return atlas_rat_ok(a.fixed) && atlas_rat_ok(a.per_lag);
}

/* Adds the row lo <= sum <= hi. Columns may repeat in `others`; they are joined. */
static void add_row(Builder *b, const Sum *sum, AtlasAffine lo, AtlasAffine hi, gboolean flow) {
    AtlasSystem *system = b->system;
    gint64 scale = common_denominator(sum->form);
    AtlasRow row = {system->terms->len,
                    0,
                    affine_scaled(lo, sum->form->constant, scale),
                    affine_scaled(hi, sum->form->constant, scale),
                    b->observation,
                    flow};
    if (scale == 0 || !affine_ok(row.lo) || !affine_ok(row.hi)) {
        b->ok = FALSE;
        return;
    }
    for (guint i = 0; i < sum->form->n; i++) {
        AtlasRat coef = atlas_rat_mul(sum->form->coefs[i], atlas_rat(scale));
        AtlasTerm term = {i, coef.num};
        if (coef.num != 0)
            g_array_append_val(system->terms, term);
    }
    guint own = system->terms->len;
    for (guint i = 0; i < sum->others->len; i++) {
        AtlasTerm term = g_array_index(sum->others, AtlasTerm, i);
        gboolean joined = FALSE;
        term.coef *= scale;
        for (guint j = own; j < system->terms->len; j++)
            if (ATLAS_TERM(system, j)->column == term.column) {
                ATLAS_TERM(system, j)->coef += term.coef;
                joined = TRUE;
            }
        if (!joined)
            g_array_append_val(system->terms, term);
    }
    row.count = system->terms->len - row.first;
    g_array_append_val(system->rows, row);
}

/* A count that is not negative: it equals a column that is not. */
static void add_guard(Builder *b, const AtlasLinear *guard) {
    Sum sum = sum_new(b->n_unknowns);
    AtlasAffine zero = fixed(atlas_rat(0));
    sum.form->constant = guard->constant;
    for (guint i = 0; i < guard->n; i++)
        sum.form->coefs[i] = guard->coefs[i];
    sum_add_column(&sum, add_column(b->system, zero, zero, FALSE, FALSE), -1);
    add_row(b, &sum, zero, zero, FALSE);
    sum_clear(&sum);
}

/* The boundaries of a run's single steps. What does not fit is left out: the others hold as well.
 */
static void add_steps(Builder *b) {
    const AtlasLogSteps *steps = b->o->single;
    AtlasAffine zero = fixed(atlas_rat(0)), lag = lags(b->o, 1);
    gboolean ok = b->ok;
    guint before = add_column(b->system, zero, lag, TRUE, FALSE);
    for (guint i = 0; i < steps->boundaries->len; i++) {
        const AtlasBoundary *at = &g_array_index(steps->boundaries, AtlasBoundary, i);
        Sum flow = sum_new(b->n_unknowns);
        atlas_linear_add(flow.form, at->launched, atlas_rat(1));
        flow.form->constant = atlas_rat_sub(flow.form->constant, atlas_rat(at->counted));
        sum_add_column(&flow, before, 1);
        add_row(b, &flow, zero, lag, FALSE);
        sum_clear(&flow);
    }
    b->ok = ok;
}

/* One run: `flow` is the sum flowing out of the stage before, as something linear. */
static void add_observation(Builder *b, guint n_stages) {
    const AtlasObservation *o = b->o;
    AtlasAffine zero = fixed(atlas_rat(0));
    guint in = add_column(b->system, zero, lags(o, o->steps), TRUE, FALSE);
    Sum flow = sum_new(b->n_unknowns), total = sum_new(b->n_unknowns);
    gboolean exact = TRUE; /* all stages are */
    sum_add_column(&flow, in, 1);
    for (guint i = 0; i < n_stages; i++) {
        const AtlasSum *measured = &o->sums[i];
        atlas_linear_add(total.form, &o->stages[i], atlas_rat(1));
        exact = exact && measured->known && measured->lo == measured->hi;
        if (measured->known) {
            atlas_linear_add(flow.form, &o->stages[i], atlas_rat(1));
            sum_subtract_measured(b, &flow, measured);
            add_row(b, &flow, zero, lags(o, o->steps), TRUE);
        } else {
            sum_reset(&flow);
            sum_add_column(&flow, add_column(b->system, zero, lags(o, o->steps), TRUE, FALSE), 1);
        }
    }
    /* The two ends: in - out within one lag. */
    Sum ends = sum_new(b->n_unknowns);
    sum_add_column(&ends, in, 1);
    sum_add(&ends, &flow, -1);
    add_row(b, &ends, lags(o, -1), lags(o, 1), FALSE);
    if (o->total.known && !exact) { /* else the stages say it already */
        sum_add(&total, &ends, 1);
        add_row(b, &total, fixed(atlas_rat(o->total.lo)), fixed(atlas_rat(o->total.hi)), FALSE);
    }
    if (o->by_steps)
        add_steps(b);
    for (guint i = 0; i < o->guards->len; i++)
        add_guard(b, &g_array_index(o->guards, AtlasLinear, i));
    sum_clear(&flow);
    sum_clear(&total);
    sum_clear(&ends);
}

AtlasSystem *atlas_system_new(const AtlasEvidence *evidence, int without) {
    const AtlasModel *model = evidence->model;
    g_autoptr(AtlasSystem) system = g_new0(AtlasSystem, 1);
    system->unknowns = model->unknowns->len;
    system->columns = g_array_new(FALSE, TRUE, sizeof(AtlasColumn));
    system->rows = g_array_new(FALSE, TRUE, sizeof(AtlasRow));
    system->terms = g_array_new(FALSE, TRUE, sizeof(AtlasTerm));
    for (guint i = 0; i < model->unknowns->len; i++)
        add_column(system, fixed(atlas_rat(ATLAS_UNKNOWN(model, i)->low)), fixed(atlas_rat(0)),
                   FALSE, !ATLAS_UNKNOWN(model, i)->real);
    Builder b = {system, NULL, 0, model->unknowns->len, TRUE};
    for (guint i = 0; i < evidence->observations->len; i++) {
        b.o = atlas_evidence_get(evidence, i);
        b.observation = i;
        if (!b.o->excluded && (int)i != without)
            add_observation(&b, model->stages->len);
    }
    return b.ok ? g_steal_pointer(&system) : NULL;
}

void atlas_system_free(AtlasSystem *system) {
    if (!system)
        return;
    g_array_unref(system->columns);
    g_array_unref(system->rows);
    g_array_unref(system->terms);
    g_free(system);
}
