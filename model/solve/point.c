#include "model/solve/point.h"

#include <math.h>

#include "model/solve/certify.h"
#include "model/solve/lp.h"
#include "model/solve/lp_build.h"

/* Ways to branch. Which one serves depends on the system; on the study's runs some find a point
 * within a hundred nodes where others find none within fifty thousand. */
static const struct {
    int rule, floor;
    gboolean least_flow; /* minimise the flows; else take any solution */
} ways[] = {
    {NODE_FIRSTSELECT, BRANCH_AUTOMATIC, TRUE},
    {NODE_PSEUDONONINTSELECT, BRANCH_AUTOMATIC, TRUE},
    {NODE_FIRSTSELECT, BRANCH_CEILING, TRUE},
    {NODE_FIRSTSELECT, BRANCH_AUTOMATIC, FALSE},
    {NODE_PSEUDONONINTSELECT, BRANCH_AUTOMATIC, FALSE},
    {NODE_FIRSTSELECT, BRANCH_CEILING, FALSE},
};
/* Unknowns up to which the point is put in the middle of what the runs leave open. */
enum { CENTRED_MAX = 256 };

static const gint64 node_limits[] = {2000, 20000};
/* At lags below the one that is allowed. */
enum { NODES_BELOW = 200 };

static int __WINAPI too_many_nodes(lprec *lp, void *limit) {
    return (gint64)get_total_nodes(lp) > *(const gint64 *)limit;
}

/* Beside the flows, the objective counts how far each unknown is from the middle of its bounds, in
 * widths. Where flows do not care, unknowns then stand in the middle rather than at an end, at
 * which they would look as if they were determined. Adds a column for each distance. */
static void add_distances(lprec *lp, const AtlasSystem *system, const AtlasInterval *bounds) {
    for (guint i = 0; i < system->unknowns; i++) {
        AtlasRat width = atlas_rat_sub(bounds[i].hi, bounds[i].lo);
        if (!bounds[i].lo_known || !bounds[i].hi_known || width.num <= 0)
            continue;
        REAL middle = floor(atlas_rat_double(atlas_rat_add(bounds[i].lo, bounds[i].hi)) / 2);
        REAL objective = 1 / atlas_rat_double(width), values[] = {1, 1};
        int none = 0;
        add_columnex(lp, 1, &objective, &none);
        int columns[] = {get_Ncolumns(lp), (int)i + 1};
        add_constraintex(lp, 2, values, columns, GE, middle); /* distance >= middle - unknown */
        values[1] = -1;
        add_constraintex(lp, 2, values, columns, GE, -middle);
    }
}

static gboolean *measured_columns(const AtlasSystem *system) {
    gboolean *measured = g_new0(gboolean, system->columns->len + 1);
    for (guint t = 0; t < system->terms->len; t++)
        measured[ATLAS_TERM(system, t)->column] |= ATLAS_TERM(system, t)->coef != 0;
    return measured;
}

/* The least lag that given values need: that of the system with its unknowns fixed. */
static double needed_lag(const AtlasSystem *system, const AtlasRat *unknowns) {
    lprec *lp = atlas_lp_build(system, NULL);
    REAL one = 1;
    int column = get_Ncolumns(lp);
    for (guint i = 0; i < system->unknowns; i++)
        set_bounds(lp, (int)i + 1, atlas_rat_double(unknowns[i]), atlas_rat_double(unknowns[i]));
    set_obj_fnex(lp, 1, &one, &column);
    double lag = solve(lp) == OPTIMAL ? get_objective(lp) : (double)NAN;
    delete_lp(lp);
    return lag;
}

/* A real unknown is a simple fraction in a solution at which bounds of whole numbers meet. */
static AtlasRat real_value(REAL value) {
    AtlasRat simple = atlas_simple_fraction(value, 1 << 20);
    return atlas_rat_ok(simple) ? simple : atlas_rat_make((gint64)llround(value * 1e6), 1000000);
}

/* What lp_solve gives is whole to its tolerance; made exact, it must still explain the runs. */
static AtlasPoint *take(const AtlasSystem *system, lprec *lp, double lag) {
    REAL *values;
    g_autoptr(AtlasPoint) point = g_new0(AtlasPoint, 1);
    get_ptr_variables(lp, &values);
    point->unknowns = g_new(AtlasRat, system->unknowns + 1);
    for (guint i = 0; i < system->unknowns; i++)
        point->unknowns[i] = ATLAS_COLUMN(system, i)->whole ? atlas_rat((gint64)llround(values[i]))
                                                            : real_value(values[i]);
    point->lag = needed_lag(system, point->unknowns);
    /* A point that is not one misses by a fraction of a launch in a window, far above this. */
    return point->lag <= lag + 1e-6 ? g_steal_pointer(&point) : NULL;
}

/* The bounds of every unknown; NULL where that would take long. */
static AtlasInterval *unknown_bounds(const AtlasSystem *system, AtlasRat lag) {
    if (system->unknowns > CENTRED_MAX)
        return NULL;
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, lag);
    if (!atlas_lp_feasible(lp))
        return NULL;
    AtlasInterval *bounds = g_new(AtlasInterval, system->unknowns + 1);
    AtlasLinear *form = atlas_linear_new(system->unknowns, 1);
    for (guint i = 0; i < system->unknowns; i++) {
        form->coefs[i] = atlas_rat(1);
        bounds[i] = atlas_lp_interval(lp, form);
        form->coefs[i] = atlas_rat(0);
    }
    atlas_linear_free(form, 1);
    return bounds;
}

static AtlasPoint *search(const AtlasSystem *system, AtlasRat lag, const AtlasInterval *bounds,
                          guint way, gint64 limit) {
    AtlasPoint *point = NULL;
    g_autofree gboolean *measured = measured_columns(system);
    g_autofree REAL *objective = g_new0(REAL, system->columns->len + 1);
    lprec *lp = atlas_lp_build(system, &lag);
    for (guint i = 0; i < system->unknowns; i++)
        set_int(lp, (int)i + 1, ATLAS_COLUMN(system, i)->whole && measured[i]);
    if (ways[way].least_flow) {
        atlas_lp_add_flows(system, objective);
        set_obj_fn(lp, objective);
        if (bounds)
            add_distances(lp, system, bounds);
    }
    set_bb_rule(lp, ways[way].rule);
    set_bb_floorfirst(lp, ways[way].floor);
    set_break_at_first(lp, TRUE);
    put_abortfunc(lp, too_many_nodes, &limit);
    int result = solve(lp);
    if (result == OPTIMAL || result == SUBOPTIMAL)
        point = take(system, lp, atlas_rat_double(lag));
    delete_lp(lp);
    return point;
}

/* Tries every way to branch. */
static AtlasPoint *search_all(const AtlasSystem *system, AtlasRat lag, gint64 limit) {
    g_autofree AtlasInterval *bounds = unknown_bounds(system, lag);
    AtlasPoint *point = NULL;
    for (guint way = 0; !point && way < G_N_ELEMENTS(ways); way++)
        point = search(system, lag, bounds, way, limit);
    return point;
}

/* A point of a lesser lag, if one is found at once: at the least lag, in hundredths, or twice that,
 * and so on, as long as twice as much is allowed. */
static AtlasPoint *search_below(const AtlasSystem *system, AtlasRat lag) {
    enum { PARTS = 100 };
    AtlasPoint *point = NULL;
    double least = ceil(atlas_least_lag(system) * PARTS - 1e-6);
    double most = atlas_rat_double(lag) * PARTS / 2;
    for (double at = fmax(least, 0); !point && at <= most; at *= 2) {
        point = search_all(system, atlas_rat_make((gint64)at, PARTS), NODES_BELOW);
        if (at < 1)
            break;
    }
    return point;
}

AtlasPoint *atlas_point_find(const AtlasSystem *system, AtlasRat lag) {
    if (system->columns->len == 0) /* nothing to find; lp_solve refuses a model without columns */
        return g_new0(AtlasPoint, 1);
    AtlasPoint *point = lag.num > 0 ? search_below(system, lag) : NULL;
    for (guint i = 0; !point && i < G_N_ELEMENTS(node_limits); i++)
        point = search_all(system, lag, node_limits[i]);
    return point;
}

void atlas_point_free(AtlasPoint *point) {
    if (!point)
        return;
    g_free(point->unknowns);
    g_free(point);
}
