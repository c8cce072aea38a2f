#include "model/solve/reading.h"

#include <math.h>

#include "model/solve/lp_build.h"

/* A reading that is left free: far above what any step launches, and exact in a double. */
#define FREE_READING ((gint64)1 << 50)

static double optimum(lprec *lp, int column, REAL factor) {
    set_obj_fnex(lp, 1, &factor, &column);
    int result = solve(lp);
    return result == OPTIMAL ? factor * get_objective(lp) : (double)NAN;
}

/* The column of the only sum that was left free; columns count from 0. */
static int free_column(const AtlasSystem *system) {
    for (guint i = system->unknowns; i < system->columns->len; i++)
        if (ATLAS_COLUMN(system, i)->bounded &&
            ATLAS_COLUMN(system, i)->hi.fixed.num == FREE_READING)
            return (int)i;
    return -1;
}

void atlas_reading_bounds(AtlasEvidence *evidence, guint observation, guint stage, AtlasRat lag,
                          double *lo, double *hi) {
    AtlasObservation *o = atlas_evidence_get(evidence, observation);
    AtlasSum measured = o->sums[stage];
    o->sums[stage] = (AtlasSum){TRUE, 0, FREE_READING, measured.at};
    o->by_steps = FALSE;
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    o->sums[stage] = measured;
    o->by_steps = o->single != NULL;
    int column = free_column(system) + 1;
    lprec *lp = atlas_lp_build(system, &lag);
    *lo = optimum(lp, column, 1);
    *hi = optimum(lp, column, -1);
    if (*hi >= (double)FREE_READING)
        *hi = (double)NAN;
    delete_lp(lp);
}

gboolean atlas_reading_flows(const AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             double *flows) {
    const AtlasObservation *o = atlas_evidence_get(evidence, observation);
    AtlasRat own = o->run && atlas_rat_ok(o->run->by.lag) ? o->run->by.lag : lag;
    guint n = evidence->model->stages->len, stage = 0;
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    g_autofree REAL *objective = g_new0(REAL, system->columns->len + 1);
    lprec *lp = atlas_lp_build(system, &lag);
    REAL *activity;
    for (guint i = 0; i < n; i++)
        flows[i] = (double)NAN;
    atlas_lp_add_flows(system, objective);
    set_obj_fn(lp, objective);
    gboolean found = solve(lp) == OPTIMAL && get_ptr_constraints(lp, &activity);
    for (guint i = 0; found && i < system->rows->len; i++) {
        const AtlasRow *row = ATLAS_ROW(system, i);
        if (row->observation != observation || !row->flow)
            continue;
        while (!o->sums[stage].known)
            stage++;
        /* The row says 0 <= flow <= steps * lag, multiplied out and with its constant moved over.
         */
        double lo = atlas_rat_double(atlas_affine_at(row->lo, lag));
        double hi = atlas_rat_double(atlas_affine_at(row->hi, lag));
        flows[stage++] = (activity[i] - lo) / (hi - lo) * atlas_rat_double(own);
    }
    delete_lp(lp);
    return found;
}

gboolean atlas_reading_explicable(const AtlasEvidence *evidence, AtlasRat lag) {
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, lag);
    return atlas_lp_feasible(lp);
}

static gboolean is_empty(AtlasLp *lp, const AtlasLinear *form) {
    AtlasInterval b = atlas_lp_interval(lp, form);
    return b.lo_known && b.hi_known && atlas_rat_cmp(b.lo, b.hi) > 0;
}

gboolean atlas_reading_broken(const AtlasEvidence *evidence, AtlasLp *lp, guint observation,
                              guint stage) {
    const AtlasObservation *o = atlas_evidence_get(evidence, observation);
    if (o->excluded || !o->sums[stage].known)
        return FALSE;
    gboolean broken = is_empty(lp, &o->stages[stage]);
    for (guint i = 0; !broken && o->by_steps && i < o->single->places; i++)
        broken = is_empty(lp, atlas_steps_form(o->single, i, stage));
    return broken;
}

/* Leaves out every row that the contradiction does not need, the first ones before the others: what
 * stays is irreducible, and is set in `failing`. `rows` are what says that a row counts; all of
 * them do again afterwards. */
static guint irreducible(AtlasEvidence *evidence, AtlasRat lag, GPtrArray *rows,
                         gboolean *failing) {
    guint count = 0;
    for (guint i = 0; i < rows->len; i++) {
        gboolean *counts = g_ptr_array_index(rows, i);
        *counts = FALSE;
        *counts = atlas_reading_explicable(evidence, lag);
    }
    for (guint i = 0; i < rows->len; i++) {
        gboolean *counts = g_ptr_array_index(rows, i);
        failing[i] = *counts;
        count += *counts;
        *counts = TRUE;
    }
    return count;
}

guint atlas_reading_conflict(AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             gboolean *failing) {
    AtlasObservation *o = atlas_evidence_get(evidence, observation);
    guint n = evidence->model->stages->len, count = 0;
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(guint));
    g_autofree gboolean *found = g_new0(gboolean, n + 1);
    gboolean total_known = o->total.known;
    for (guint i = 0; i < n; i++) {
        failing[i] = FALSE;
        if (!o->sums[i].known)
            continue;
        g_ptr_array_add(rows, &o->sums[i].known);
        g_array_append_val(places, i);
    }
    o->total.known = FALSE; /* where all stages are known it adds nothing */
    o->by_steps = FALSE;
    if (!atlas_reading_explicable(evidence, lag))
        count = irreducible(evidence, lag, rows, found);
    o->total.known = total_known;
    o->by_steps = o->single != NULL;
    for (guint i = 0; i < rows->len; i++)
        failing[g_array_index(places, guint, i)] = found[i];
    return count;
}

static void add_rows(AtlasObservation *o, guint n, guint first, gboolean steps, GPtrArray *rows,
                     GArray *places) {
    for (guint s = 0; s < n + 2; s++) {
        gboolean *counts = s < n ? &o->sums[s].known : s == n ? &o->total.known : &o->by_steps;
        guint place = first + s;
        if (o->excluded || !*counts || (s == n + 1) != steps)
            continue;
        g_ptr_array_add(rows, counts);
        g_array_append_val(places, place);
    }
}

guint atlas_reading_conflicts(AtlasEvidence *evidence, AtlasRat lag, gboolean *failing) {
    guint n = evidence->model->stages->len, count = 0, all = evidence->observations->len;
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(guint));
    /* Sums say more clearly what is wrong: single steps are left out before them. */
    for (int steps = 1; steps >= 0; steps--)
        for (guint i = 0; i < all; i++)
            add_rows(atlas_evidence_get(evidence, i), n, i * (n + 2), steps, rows, places);
    for (guint i = 0; i < all * (n + 2); i++)
        failing[i] = FALSE;
    g_autofree gboolean *found = g_new0(gboolean, rows->len + 1);
    if (!atlas_reading_explicable(evidence, lag))
        count = irreducible(evidence, lag, rows, found);
    for (guint i = 0; i < rows->len; i++)
        failing[g_array_index(places, guint, i)] = found[i];
    return count;
}
