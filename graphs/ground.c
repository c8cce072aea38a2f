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

static gboolean same_end(gboolean a_known, AtlasRat a, gboolean b_known, AtlasRat b) {
    return a_known == b_known && (!a_known || atlas_rat_cmp(a, b) == 0);
}

gboolean interval_equal(const AtlasInterval *a, const AtlasInterval *b) {
    return same_end(a->lo_known, a->lo, b->lo_known, b->lo) &&
           same_end(a->hi_known, a->hi, b->hi_known, b->hi);
}

AtlasRat interval_middle(const AtlasInterval *interval) {
    if (!interval->lo_known || !interval->hi_known)
        return ATLAS_RAT_NONE;
    return atlas_rat_div(atlas_rat_add(interval->lo, interval->hi), atlas_rat(2));
}

int ground_order(AtlasRat a, AtlasRat b) {
    return atlas_rat_ok(a) && atlas_rat_ok(b) ? atlas_rat_cmp(b, a)
                                              : atlas_rat_ok(b) - atlas_rat_ok(a);
}

/* ---- forms ---- */

gboolean form_is_given(const AtlasLinear *form) {
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0)
            return FALSE;
    return TRUE;
}

gboolean form_is_zero(const AtlasLinear *form) {
    return form_is_given(form) && form->constant.num == 0;
}

AtlasLinear *ground_form(const Ground *ground, const gboolean *in) {
    AtlasLinear *form = atlas_linear_new(ground->model->unknowns->len, 1);
    for (guint i = 0; i < ground->model->populations->len; i++)
        if (in[i])
            atlas_linear_add(form, &ground->forms[i], atlas_rat(1));
    return form;
}

AtlasLinear *ground_stage_form(const Ground *ground, const AtlasLinear *forms, guint stage) {
    const AtlasModel *model = ground->model;
    AtlasLinear *form = atlas_linear_new(model->unknowns->len, 1);
    for (guint i = 0; i < model->populations->len; i++)
        if (stage == model->stages->len || ATLAS_POPULATION(model, i)->stage == stage)
            atlas_linear_add(form, &forms[i], atlas_rat(1));
    return form;
}

/* The bounds of a form (lp.h). Each is solved once. */
static AtlasInterval bounds_of(const Ground *ground, const AtlasLinear *form) {
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)&form->constant, sizeof form->constant);
    g_byte_array_append(bytes, (const guint8 *)form->coefs, (guint)(sizeof *form->coefs * form->n));
    GBytes *key = g_byte_array_free_to_bytes(g_steal_pointer(&bytes));
    AtlasInterval *found = g_hash_table_lookup(ground->solved, key);
    if (found) {
        g_bytes_unref(key);
        return *found;
    }
    AtlasInterval interval = atlas_lp_interval(ground->study->lp, form);
    g_hash_table_insert(ground->solved, key, g_memdup2(&interval, sizeof interval));
    return interval;
}

AtlasInterval ground_bounds(const Ground *ground, const AtlasLinear *form, gint64 steps) {
    AtlasInterval bounds = bounds_of(ground, form);
    bounds.lo = atlas_rat_div(bounds.lo, atlas_rat(steps));
    bounds.hi = atlas_rat_div(bounds.hi, atlas_rat(steps));
    return bounds;
}

/* a / (a + b), of numbers >= 0; that of no number is none. */
static AtlasRat share_of(AtlasRat a, AtlasRat b) {
    return a.num == 0 && atlas_rat_ok(a) ? a : atlas_rat_div(a, atlas_rat_add(a, b));
}

/* The part is greatest where it is as great and the rest as small as they can be, at most. */
AtlasInterval ground_share(const Ground *ground, const AtlasLinear *form) {
    AtlasLinear *rest = ground_stage_form(ground, ground->forms, ground->model->stages->len);
    atlas_linear_add(rest, form, atlas_rat(-1));
    AtlasInterval part = bounds_of(ground, form);
    AtlasInterval other = bounds_of(ground, rest);
    atlas_linear_free(rest, 1);
    AtlasInterval share = {TRUE, TRUE, atlas_rat(0), atlas_rat(1)};
    if (part.lo_known && other.hi_known)
        share.lo = share_of(part.lo, other.hi);
    if (part.hi_known && other.lo_known)
        share.hi = share_of(part.hi, other.lo);
    share.lo_known = atlas_rat_ok(share.lo);
    share.hi_known = atlas_rat_ok(share.hi);
    return share;
}

AtlasRat ground_point(const Ground *ground, const AtlasLinear *form, gint64 steps) {
    AtlasInterval bounds = bounds_of(ground, form);
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

/* Whether the window launches another mean than a period, of some population. */
static gboolean is_uneven(const Ground *ground) {
    gboolean uneven = FALSE;
    for (guint i = 0; ground->lasting && i < ground->model->populations->len; i++) {
        AtlasLinear *change = atlas_linear_new(ground->model->unknowns->len, 1);
        atlas_linear_add(change, &ground->forms[i], atlas_rat_make(1, ground->steps));
        atlas_linear_add(change, &ground->lasting[i], atlas_rat_make(-1, ground->period));
        uneven = uneven || !form_is_zero(change);
        atlas_linear_free(change, 1);
    }
    return uneven;
}

/* Of a period that does not fit nothing is said of the long run. */
static void find_period(Ground *ground) {
    AtlasWalkFault fault;
    ground->period = atlas_walk_period(ground->base, &fault);
    if (ground->period)
        ground->lasting = atlas_walk_linear(ground->base, 0, ground->period - 1, &fault);
    ground->uneven = is_uneven(ground);
}

AtlasConfig *ground_toggle(const Ground *ground, guint toggle) {
    const AtlasToggle *t = ATLAS_TOGGLE(ground->model, toggle);
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(ground->model);
    AtlasText name = {t->name, t->spec->name.at};
    atlas_config_apply(config, &name, ignored);
    atlas_config_finish(config, ignored);
    return atlas_diags_errors(ignored) ? NULL : g_steal_pointer(&config);
}

gboolean ground_init(Ground *ground, AtlasStudy *study, AtlasDiags *diags) {
    g_autoptr(AtlasConfig) base = atlas_config_new(study->model);
    return ground_init_at(ground, study, base, diags);
}

gboolean ground_init_at(Ground *ground, AtlasStudy *study, const AtlasConfig *config,
                        AtlasDiags *diags) {
    AtlasWalkFault fault;
    guint n = study->evidence->observations->len;
    *ground = (Ground){.study = study, .model = study->model};
    ground->solved =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, g_free);
    ground->base = atlas_config_copy(config);
    ground->run = find_base_run(ground);
    ground->launches = g_new0(AtlasLinear *, n + 1);
    if (find_window(ground, &fault))
        ground->forms =
            atlas_walk_linear(ground->base, ground->window.first, ground->window.last, &fault);
    if (!ground->forms) {
        atlas_walk_report(&fault, ground->base, diags);
        return FALSE;
    }
    find_period(ground);
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
    g_hash_table_unref(ground->solved);
    atlas_linear_free(ground->forms, populations);
    atlas_linear_free(ground->lasting, populations);
    g_free(ground->has);
    atlas_config_free(ground->base);
}
