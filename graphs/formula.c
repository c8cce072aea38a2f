#include "graphs/formula.h"

#include <math.h>
#include <string.h>

/* Choices that formula_telescope looks at. */
enum { CHOICES_MAX = 4096 };

/* ---- rows ---- */

/* a == factor * b, of means a step; FALSE if there is no such factor. */
static gboolean proportion(const AtlasLinear *a, gint64 a_steps, const AtlasLinear *b,
                           gint64 b_steps, AtlasRat *factor) {
    AtlasRat scale = atlas_rat_make(b_steps, a_steps);
    *factor = ATLAS_RAT_NONE;
    for (guint i = 0; i <= b->n; i++) {
        AtlasRat x = i < b->n ? a->coefs[i] : a->constant;
        AtlasRat y = i < b->n ? b->coefs[i] : b->constant;
        if (y.num == 0 && x.num == 0)
            continue;
        AtlasRat ratio = atlas_rat_mul(atlas_rat_div(x, y), scale);
        if (!atlas_rat_ok(ratio) || (atlas_rat_ok(*factor) && atlas_rat_cmp(ratio, *factor) != 0))
            return FALSE;
        *factor = ratio;
    }
    return atlas_rat_ok(*factor);
}

static void add_unit(FormulaRows *rows, guint population, const AtlasLinear *form, gint64 steps) {
    FormulaUnit unit = {population, form, steps};
    g_array_append_val(rows->units, unit);
}

/* The unit that a population's launches are a multiple of; makes one where there is none. */
static guint find_unit(FormulaRows *rows, guint population, const AtlasLinear *form, gint64 steps,
                       AtlasRat *factor) {
    for (guint i = 0; i < rows->units->len; i++) {
        const FormulaUnit *unit = &g_array_index(rows->units, FormulaUnit, i);
        if (unit->population == population &&
            proportion(form, steps, unit->form, unit->steps, factor))
            return i;
    }
    add_unit(rows, population, form, steps);
    *factor = atlas_rat(1);
    return rows->units->len - 1;
}

/* Units are found before rows are filled, so that all rows have the same length. */
static void add_units(FormulaRows *rows) {
    const Ground *g = rows->ground;
    AtlasRat factor;
    for (guint i = 0; i < g->model->populations->len; i++)
        if (ATLAS_POPULATION(g->model, i)->stage == rows->stage && g->has[i])
            add_unit(rows, i, &g->forms[i], g->steps);
    rows->base = rows->units->len;
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        for (guint i = 0; !o->excluded && i < g->model->populations->len; i++)
            if (ATLAS_POPULATION(g->model, i)->stage == rows->stage &&
                !form_is_zero(&g->launches[k][i]))
                find_unit(rows, i, &g->launches[k][i], o->steps, &factor);
    }
}

static gboolean same(const AtlasRat *a, const AtlasRat *b, guint n) {
    for (guint i = 0; i < n; i++)
        if (atlas_rat_cmp(a[i], b[i]) != 0)
            return FALSE;
    return TRUE;
}

/* A run that launches nothing, or what an earlier one does, adds nothing. */
static void add_row(FormulaRows *rows, guint observation) {
    const Ground *g = rows->ground;
    const AtlasObservation *o = atlas_evidence_get(g->study->evidence, observation);
    guint n = rows->units->len;
    gboolean known = FALSE, any = FALSE;
    if (o->excluded || !o->sums[rows->stage].known)
        return;
    AtlasRat *row = g_new(AtlasRat, n + 1);
    for (guint i = 0; i < n; i++)
        row[i] = atlas_rat(0);
    for (guint i = 0; i < g->model->populations->len; i++) {
        AtlasRat factor;
        const AtlasLinear *form = &g->launches[observation][i];
        if (ATLAS_POPULATION(g->model, i)->stage != rows->stage || form_is_zero(form))
            continue;
        guint unit = find_unit(rows, i, form, o->steps, &factor);
        row[unit] = factor;
        any = TRUE;
    }
    for (guint i = 0; i < rows->rows->len; i++)
        known = known || same(row, g_ptr_array_index(rows->rows, i), n);
    if (known || !any) {
        g_free(row);
        return;
    }
    g_ptr_array_add(rows->rows, row);
    g_array_append_val(rows->runs, observation);
}

/* How large sets of runs may be for all of them to be tried. */
static guint most_runs(guint rows) {
    guint64 sets = 0, of_size = 1;
    guint size = 0;
    while (size < MIN(rows, (guint)FORMULA_RUNS)) {
        of_size = of_size * (rows - size) / (size + 1);
        sets += of_size;
        if (sets > FORMULA_SETS)
            break;
        size++;
    }
    return size;
}

FormulaRows *formula_rows_new(const Ground *ground, guint stage) {
    FormulaRows *rows = g_new0(FormulaRows, 1);
    const AtlasEvidence *evidence = ground->study->evidence;
    rows->ground = ground;
    rows->stage = stage;
    rows->units = g_array_new(FALSE, FALSE, sizeof(FormulaUnit));
    rows->rows = g_ptr_array_new_with_free_func(g_free);
    rows->runs = g_array_new(FALSE, FALSE, sizeof(guint));
    add_units(rows);
    for (guint pass = 0; pass < 2; pass++)
        for (guint k = 0; k < evidence->observations->len; k++)
            if ((atlas_evidence_get(evidence, k) == ground->run) == (pass == 0))
                add_row(rows, k);
    rows->most = most_runs(rows->rows->len);
    return rows;
}

void formula_rows_free(FormulaRows *rows) {
    if (!rows)
        return;
    g_array_unref(rows->units);
    g_ptr_array_unref(rows->rows);
    g_array_unref(rows->runs);
    g_free(rows);
}

/* ---- formulas ---- */

static void formula_free(gpointer data) {
    g_free(((Formula *)data)->factors);
    g_free(data);
}

/* Adds up what the runs counted. */
static void fill(const FormulaRows *rows, Formula *formula) {
    const AtlasEvidence *evidence = rows->ground->study->evidence;
    AtlasRat zero = atlas_rat(0);
    formula->runs = 0;
    formula->weight = zero;
    formula->value = (AtlasInterval){TRUE, TRUE, zero, zero};
    for (guint k = 0; k < evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(evidence, k);
        AtlasRat factor = formula->factors[k];
        if (factor.num == 0)
            continue;
        AtlasInterval mean = ground_mean(&o->sums[rows->stage], o->steps);
        interval_add(&formula->value, &mean, factor);
        formula->weight = factor.num < 0 ? atlas_rat_sub(formula->weight, factor)
                                         : atlas_rat_add(formula->weight, factor);
        formula->runs++;
    }
}

static Formula *formula_new(const FormulaRows *rows) {
    Formula *formula = g_new0(Formula, 1);
    guint n = rows->ground->study->evidence->observations->len;
    formula->factors = g_new(AtlasRat, n + 1);
    for (guint k = 0; k < n; k++)
        formula->factors[k] = atlas_rat(0);
    return formula;
}

Formula *formula_minus(const FormulaRows *rows, const Formula *a, const Formula *b) {
    Formula *formula = formula_new(rows);
    for (guint k = 0; k < rows->ground->study->evidence->observations->len; k++)
        formula->factors[k] = atlas_rat_sub(a->factors[k], b->factors[k]);
    fill(rows, formula);
    return formula;
}

/* ---- the search ---- */

typedef struct {
    const FormulaRows *rows;
    const gboolean *target;
    guint size;                 /* of the sets */
    guint chosen[FORMULA_RUNS]; /* rows */
    AtlasRat *matrix;           /* units x (size + 1): the equations being solved */
    GPtrArray *found;           /* of Formula* */
} Search;

static AtlasRat *at(Search *s, guint unit, guint column) {
    return &s->matrix[unit * (FORMULA_RUNS + 1) + column];
}

static void subtract_row(Search *s, guint from, guint what, guint first) {
    AtlasRat factor = *at(s, from, first);
    for (guint j = first; factor.num != 0 && j <= s->size; j++)
        *at(s, from, j) = atlas_rat_sub(*at(s, from, j), atlas_rat_mul(factor, *at(s, what, j)));
}

static void swap_rows(Search *s, guint a, guint b) {
    for (guint j = 0; j <= s->size; j++) {
        AtlasRat held = *at(s, a, j);
        *at(s, a, j) = *at(s, b, j);
        *at(s, b, j) = held;
    }
}

/* Gauss and Jordan: whether the chosen rows have exactly one combination that is the target; then
 * the first `size` equations of the matrix end with its factors. */
static gboolean solve(Search *s) {
    guint units = s->rows->units->len;
    for (guint i = 0; i < units; i++) {
        for (guint j = 0; j < s->size; j++)
            *at(s, i, j) = ((AtlasRat *)g_ptr_array_index(s->rows->rows, s->chosen[j]))[i];
        *at(s, i, s->size) = atlas_rat(s->target[i] ? 1 : 0);
    }
    for (guint j = 0; j < s->size; j++) {
        guint pivot = j;
        while (pivot < units && at(s, pivot, j)->num == 0)
            pivot++;
        if (pivot >= units)
            return FALSE;
        swap_rows(s, j, pivot);
        AtlasRat by = *at(s, j, j);
        for (guint k = j; k <= s->size; k++)
            *at(s, j, k) = atlas_rat_div(*at(s, j, k), by);
        for (guint i = 0; i < units; i++)
            if (i != j)
                subtract_row(s, i, j, j);
    }
    for (guint i = 0; i < units; i++) /* no factor is 0, nothing is left over */
        if (!atlas_rat_ok(*at(s, i, s->size)) || (at(s, i, s->size)->num == 0) != (i >= s->size))
            return FALSE;
    return TRUE;
}

/* Keeps the formulas of least weight, lighter ones first, then in the order they were found. */
static void keep(Search *s) {
    Formula *made = formula_new(s->rows);
    guint place = s->found->len;
    for (guint j = 0; j < s->size; j++)
        made->factors[g_array_index(s->rows->runs, guint, s->chosen[j])] = *at(s, j, s->size);
    fill(s->rows, made);
    while (place > 0 &&
           atlas_rat_cmp(made->weight,
                         ((Formula *)g_ptr_array_index(s->found, place - 1))->weight) < 0)
        place--;
    g_ptr_array_insert(s->found, (int)place, made);
    if (s->found->len > FORMULA_ALTERNATIVES)
        g_ptr_array_set_size(s->found, FORMULA_ALTERNATIVES);
}

static void choose(Search *s, guint have, guint next) {
    if (have == s->size) {
        if (solve(s))
            keep(s);
        return;
    }
    for (guint i = next; i < s->rows->rows->len; i++) {
        s->chosen[have] = i;
        choose(s, have + 1, i + 1);
    }
}

GPtrArray *formula_find(const FormulaRows *rows, const gboolean *units) {
    g_autofree AtlasRat *matrix = g_new(AtlasRat, (rows->units->len + 1) * (FORMULA_RUNS + 1));
    Search s = {.rows = rows,
                .target = units,
                .matrix = matrix,
                .found = g_ptr_array_new_with_free_func(formula_free)};
    for (s.size = 1; s.size <= rows->most && s.found->len == 0; s.size++)
        choose(&s, 0, 0);
    return s.found;
}

/* ---- what formulas are together ---- */

static gboolean is_base(const FormulaRows *rows, const GPtrArray *lists, const guint *choice) {
    const AtlasEvidence *evidence = rows->ground->study->evidence;
    for (guint k = 0; k < evidence->observations->len; k++) {
        AtlasRat sum = atlas_rat(atlas_evidence_get(evidence, k) == rows->ground->run ? -1 : 0);
        for (guint i = 0; i < lists->len; i++) {
            const GPtrArray *list = g_ptr_array_index(lists, i);
            sum = atlas_rat_add(sum, ((Formula *)g_ptr_array_index(list, choice[i]))->factors[k]);
        }
        if (!atlas_rat_ok(sum) || sum.num != 0)
            return FALSE;
    }
    return TRUE;
}

/* How far the chosen values are from the middles, in sum; what is not known is not far. */
static double distance(const GPtrArray *lists, const AtlasRat *middles, const guint *choice) {
    double sum = 0;
    for (guint i = 0; i < lists->len; i++) {
        const Formula *formula =
            g_ptr_array_index((const GPtrArray *)g_ptr_array_index(lists, i), choice[i]);
        AtlasRat off = atlas_rat_sub(interval_middle(&formula->value), middles[i]);
        sum += atlas_rat_ok(off) ? fabs(atlas_rat_double(off)) : 0;
    }
    return sum;
}

/* The next choice, counting up; FALSE behind the last. */
static gboolean next_choice(const GPtrArray *lists, guint *choice) {
    for (guint i = 0; i < lists->len; i++) {
        if (++choice[i] < ((const GPtrArray *)g_ptr_array_index(lists, i))->len)
            return TRUE;
        choice[i] = 0;
    }
    return FALSE;
}

gboolean formula_telescope(const FormulaRows *rows, const GPtrArray *lists, const AtlasRat *middles,
                           guint *choice) {
    g_autofree guint *trial = g_new0(guint, lists->len + 1);
    double least = INFINITY;
    guint tried = 0;
    for (guint i = 0; i < lists->len; i++)
        if (!rows->ground->run || ((const GPtrArray *)g_ptr_array_index(lists, i))->len == 0)
            return FALSE;
    do {
        double far = is_base(rows, lists, trial) ? distance(lists, middles, trial) : INFINITY;
        if (far < least) {
            least = far;
            memcpy(choice, trial, sizeof *choice * lists->len);
        }
    } while (++tried < CHOICES_MAX && next_choice(lists, trial));
    return least < INFINITY;
}
