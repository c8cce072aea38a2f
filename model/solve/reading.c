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
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    o->sums[stage] = measured;
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

static gboolean explicable(const AtlasEvidence *evidence, AtlasRat lag) {
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, lag);
    return atlas_lp_feasible(lp);
}

/* Leaves out every known row that the contradiction does not need; what stays is irreducible, and
 * is set in `failing`. Everything is known again afterwards. */
static guint irreducible(AtlasEvidence *evidence, AtlasRat lag, GPtrArray *rows,
                         gboolean *failing) {
    guint count = 0;
    for (guint i = 0; i < rows->len; i++) {
        AtlasSum *row = g_ptr_array_index(rows, i);
        row->known = FALSE;
        if (explicable(evidence, lag))
            row->known = TRUE;
    }
    for (guint i = 0; i < rows->len; i++) {
        AtlasSum *row = g_ptr_array_index(rows, i);
        failing[i] = row->known;
        count += row->known;
        row->known = TRUE;
    }
    return count;
}

guint atlas_reading_conflict(AtlasEvidence *evidence, guint observation, AtlasRat lag,
                             gboolean *failing) {
    AtlasObservation *o = atlas_evidence_get(evidence, observation);
    guint n = evidence->model->stages->len, count = 0;
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    g_autofree gboolean *found = g_new0(gboolean, n + 1);
    gboolean total_known = o->total.known;
    for (guint i = 0; i < n; i++) {
        failing[i] = FALSE;
        if (o->sums[i].known)
            g_ptr_array_add(rows, &o->sums[i]);
    }
    o->total.known = FALSE; /* where all stages are known it adds nothing */
    if (!explicable(evidence, lag))
        count = irreducible(evidence, lag, rows, found);
    o->total.known = total_known;
    for (guint i = 0; i < rows->len; i++)
        failing[(AtlasSum *)g_ptr_array_index(rows, i) - o->sums] = found[i];
    return count;
}

guint atlas_reading_conflicts(AtlasEvidence *evidence, AtlasRat lag, gboolean *failing) {
    guint n = evidence->model->stages->len, count = 0;
    g_autoptr(GPtrArray) rows = g_ptr_array_new();
    g_autoptr(GArray) places = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < evidence->observations->len; i++) {
        AtlasObservation *o = atlas_evidence_get(evidence, i);
        for (guint s = 0; s <= n; s++) {
            AtlasSum *sum = s < n ? &o->sums[s] : &o->total;
            guint place = i * (n + 1) + s;
            failing[place] = FALSE;
            if (o->excluded || !sum->known)
                continue;
            g_ptr_array_add(rows, sum);
            g_array_append_val(places, place);
        }
    }
    g_autofree gboolean *found = g_new0(gboolean, rows->len + 1);
    if (!explicable(evidence, lag))
        count = irreducible(evidence, lag, rows, found);
    for (guint i = 0; i < rows->len; i++)
        failing[g_array_index(places, guint, i)] = found[i];
    return count;
}
