#include "model/solve/leave.h"

/* Widens the bounds of launches to those of a reading: by `slack` launches either way. */
static void widen(AtlasInterval *interval, AtlasRat slack) {
    interval->lo = atlas_rat_sub(interval->lo, slack);
    interval->hi = atlas_rat_add(interval->hi, slack);
    if (interval->lo_known && interval->lo.num < 0)
        interval->lo = atlas_rat(0); /* a counter does not count backwards */
}

AtlasLeftOut *atlas_leave_out(const AtlasEvidence *evidence, guint observation, AtlasRat lag) {
    const AtlasObservation *o = atlas_evidence_get(evidence, observation);
    guint n = evidence->model->stages->len;
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, (int)observation);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, lag);
    AtlasLeftOut *left = g_new0(AtlasLeftOut, 1);
    left->least_lag = atlas_least_lag(system);
    left->feasible = atlas_lp_feasible(lp);
    if (!left->feasible)
        return left;
    g_autoptr(AtlasPoint) point = atlas_point_find(system, lag);
    AtlasLinear *total = atlas_linear_new(evidence->model->unknowns->len, 1);
    left->readings = g_new0(AtlasInterval, n + 1);
    left->launches = point ? g_new0(AtlasRat, n + 1) : NULL;
    for (guint i = 0; i <= n; i++) {
        const AtlasLinear *form = i < n ? &o->stages[i] : total;
        left->readings[i] = atlas_lp_interval(lp, form);
        /* A step of one stage, and the total, see the window's two ends only. */
        widen(&left->readings[i], atlas_rat_mul(lag, atlas_rat(i < n && n > 1 ? o->steps : 1)));
        if (point)
            left->launches[i] = atlas_linear_value(form, point->unknowns);
        if (i < n)
            atlas_linear_add(total, form, atlas_rat(1));
    }
    atlas_linear_free(total, 1);
    return left;
}

void atlas_left_out_free(AtlasLeftOut *left) {
    if (!left)
        return;
    g_free(left->readings);
    g_free(left->launches);
    g_free(left);
}
