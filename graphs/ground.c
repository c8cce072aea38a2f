#include "graphs/ground.h"

/* ---- intervals ---- */

AtlasInterval ground_mean(const AtlasSum *sum, gint64 steps) {
    AtlasInterval mean = {sum->known, sum->known, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    if (sum->known) {
        mean.lo = atlas_rat_make(sum->lo, steps);
        mean.hi = atlas_rat_make(sum->hi, steps);
    }
    return mean;
}

AtlasInterval ground_counted(const Ground *ground, const AtlasObservation *o, guint stage) {
    AtlasInterval mean = {TRUE, TRUE, atlas_rat(0), atlas_rat(0)};
    guint stages = ground->model->stages->len;
    if (stage < stages || o->total.known)
        return ground_mean(stage < stages ? &o->sums[stage] : &o->total, o->steps);
    for (guint s = 0; s < stages; s++) {
        AtlasInterval one = ground_mean(&o->sums[s], o->steps);
        interval_add(&mean, &one, atlas_rat(1));
    }
    return mean;
}

void interval_add(AtlasInterval *into, const AtlasInterval *what, AtlasRat factor) {
    gboolean turned = factor.num < 0;
    AtlasRat lo = atlas_rat_mul(turned ? what->hi : what->lo, factor);
    AtlasRat hi = atlas_rat_mul(turned ? what->lo : what->hi, factor);
    into->lo_known = into->lo_known && (turned ? what->hi_known : what->lo_known);
    into->hi_known = into->hi_known && (turned ? what->lo_known : what->hi_known);
    into->lo = atlas_rat_add(into->lo, lo);
    into->hi = atlas_rat_add(into->hi, hi);
}

gboolean interval_single(const AtlasInterval *interval) {
    return interval->lo_known && interval->hi_known &&
           atlas_rat_cmp(interval->lo, interval->hi) == 0;
}

AtlasRat interval_middle(const AtlasInterval *interval) {
    if (!interval->lo_known || !interval->hi_known)
        return ATLAS_RAT_NONE;
    return atlas_rat_div(atlas_rat_add(interval->lo, interval->hi), atlas_rat(2));
}

/* ---- forms ---- */

gboolean form_is_zero(const AtlasLinear *form) {
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0)
            return FALSE;
    return form->constant.num == 0;
}

AtlasLinear *ground_form(const Ground *ground, const gboolean *in) {
    AtlasLinear *form = atlas_linear_new(ground->model->unknowns->len, 1);
    for (guint i = 0; i < ground->model->populations->len; i++)
        if (in[i])
            atlas_linear_add(form, &ground->forms[i], atlas_rat(1));
    return form;
}

AtlasInterval ground_bounds(const Ground *ground, const AtlasLinear *form, gint64 steps) {
    AtlasInterval bounds = atlas_lp_interval(ground->study->lp, form);
    bounds.lo = atlas_rat_div(bounds.lo, atlas_rat(steps));
    bounds.hi = atlas_rat_div(bounds.hi, atlas_rat(steps));
    return bounds;
}

AtlasRat ground_point(const Ground *ground, const AtlasLinear *form, gint64 steps) {
    AtlasInterval bounds = atlas_lp_interval(ground->study->lp, form);
    if (!ground->study->point || !bounds.lo_known || !bounds.hi_known)
        return ATLAS_RAT_NONE;
    return atlas_rat_div(atlas_linear_value(form, ground->study->point->unknowns),
                         atlas_rat(steps));
}

/* ---- the base ---- */

static const AtlasObservation *find_base_run(const Ground *ground) {
    const AtlasEvidence *evidence = ground->study->evidence;
    for (guint i = 0; i < evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(evidence, i);
        gboolean all = !o->excluded && atlas_config_equal(o->config, ground->base);
        for (guint s = 0; s < ground->model->stages->len; s++)
            all = all && o->sums[s].known;
        if (all)
            return o;
    }
    return NULL;
}

static gboolean find_window(Ground *ground, AtlasWalkFault *fault) {
    if (ground->run) {
        ground->window = ground->run->run->window;
    } else {
        gint64 period = atlas_walk_period(ground->base, fault);
        if (period == 0)
            return FALSE;
        ground->window = (AtlasWindow){0, period - 1};
    }
    ground->steps = atlas_window_steps(ground->window);
    return TRUE;
}

gboolean ground_init(Ground *ground, AtlasStudy *study, AtlasDiags *diags) {
    AtlasWalkFault fault;
    guint n = study->evidence->observations->len;
    *ground = (Ground){.study = study, .model = study->model};
    ground->base = atlas_config_new(study->model);
    ground->run = find_base_run(ground);
    ground->launches = g_new0(AtlasLinear *, n + 1);
    if (find_window(ground, &fault))
        ground->forms =
            atlas_walk_linear(ground->base, ground->window.first, ground->window.last, &fault);
    if (!ground->forms) {
        atlas_walk_report(&fault, ground->base, diags);
        return FALSE;
    }
    ground->has = g_new0(gboolean, study->model->populations->len + 1);
    for (guint i = 0; i < study->model->populations->len; i++)
        ground->has[i] = !form_is_zero(&ground->forms[i]);
    for (guint i = 0; i < n; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        if (o->excluded)
            continue;
        ground->launches[i] =
            atlas_walk_linear(o->config, o->run->window.first, o->run->window.last, &fault);
        if (!ground->launches[i]) {
            atlas_walk_report(&fault, o->config, diags);
            return FALSE;
        }
    }
    return TRUE;
}

void ground_clear(Ground *ground) {
    guint populations = ground->model->populations->len;
    for (guint i = 0; i < ground->study->evidence->observations->len; i++)
        atlas_linear_free(ground->launches[i], populations);
    g_free(ground->launches);
    atlas_linear_free(ground->forms, populations);
    g_free(ground->has);
    atlas_config_free(ground->base);
}
