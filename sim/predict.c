#include "sim/predict.h"

#include <math.h>
#include <string.h>

#include "model/launch/locate.h"
#include "model/measure/load.h"

/* ---- loading ---- */

static void load_runs(AtlasStudy *study, const GArray *more, AtlasDiags *diags) {
    const AtlasSpec *spec = study->model->spec;
    g_autofree char *folder = g_path_get_dirname(atlas_source_path(study->source));
    for (guint i = 0; spec->runs && i < spec->runs->len; i++)
        atlas_runs_load(study->runs, &g_array_index(spec->runs, AtlasText, i), folder,
                        study->sources, diags);
    for (guint i = 0; more && i < more->len; i++)
        atlas_runs_load(study->runs, &g_array_index(more, AtlasText, i), NULL, study->sources,
                        diags);
    for (guint i = 0; i < atlas_runs_count(study->runs); i++)
        atlas_evidence_add(study->evidence, atlas_runs_get(study->runs, i), diags);
}

/* The lag is too small for the runs, or no lag is large enough. */
static void report_inconsistent(const AtlasStudy *study, AtlasDiags *diags) {
    char stated[64];
    const AtlasSpecCounter *counter = study->model->spec->counter;
    AtlasSpan at = atlas_rat_cmp(study->lag, study->model->lag) != 0 ? (AtlasSpan){NULL, 0, 0}
                   : counter && counter->lag.text                    ? counter->lag.at
                                                                     : study->model->spec->name.at;
    atlas_rat_format(study->lag, 6, stated, sizeof stated);
    if (isnan(study->least_lag)) {
        atlas_diags_error(diags, at, "no values of the unknowns explain the runs at any lag");
        atlas_diags_hint(diags, "a run's configuration or total is wrong, or the model is: "
                                "some item depends on what it does not say");
        return;
    }
    atlas_diags_error(diags, at, "no values of the unknowns explain all runs at lag %s", stated);
    atlas_diags_hint(diags,
                     "the least lag that does is %.2f: state at least that, or mend the model",
                     study->least_lag);
}

static void solve_study(AtlasStudy *study, AtlasDiags *diags) {
    study->system = atlas_system_new(study->evidence, -1);
    if (!study->system) {
        atlas_diags_error(diags, study->model->spec->name.at,
                          "the counts of this spec do not fit 64 bits");
        return;
    }
    study->least_lag = atlas_least_lag(study->system);
    study->lp = atlas_lp_new(study->system, study->lag);
    if (atlas_lp_feasible(study->lp))
        study->point = atlas_point_find(study->system, study->lag);
    else
        report_inconsistent(study, diags);
}

AtlasStudy *atlas_study_load(const char *spec, const GArray *more, AtlasRat lag,
                             AtlasDiags *diags) {
    GError *error = NULL;
    g_autoptr(AtlasStudy) study = g_new0(AtlasStudy, 1);
    g_autofree char *path = atlas_spec_locate(spec, &error);
    study->source = path ? atlas_source_load(path, &error) : NULL;
    if (!study->source) {
        atlas_diags_take(diags, error);
        return NULL;
    }
    study->runs = atlas_runs_new();
    study->sources = g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free);
    study->model = atlas_model_read(study->source, diags);
    if (study->model) {
        study->evidence = atlas_evidence_new(study->model);
        study->lag = atlas_rat_ok(lag) ? lag : study->model->lag;
        load_runs(study, more, diags);
        if (atlas_diags_errors(diags) == 0)
            solve_study(study, diags);
    }
    return g_steal_pointer(&study);
}

void atlas_study_free(AtlasStudy *study) {
    if (!study)
        return;
    atlas_point_free(study->point);
    atlas_lp_free(study->lp);
    atlas_system_free(study->system);
    atlas_evidence_free(study->evidence);
    atlas_runs_free(study->runs);
    atlas_model_free(study->model);
    if (study->sources)
        g_ptr_array_unref(study->sources);
    atlas_source_free(study->source);
    g_free(study);
}

/* ---- predicting ---- */

static AtlasRat mean(AtlasRat sum, gint64 steps) {
    return atlas_rat_div(sum, atlas_rat(steps));
}

static void fill(AtlasStudy *study, const AtlasLinear *form, gint64 steps, const char *name,
                 AtlasPredicted *out) {
    AtlasInterval sum = atlas_lp_interval(study->lp, form);
    *out = (AtlasPredicted){.name = name,
                            .launches = ATLAS_RAT_NONE,
                            .bounds = sum,
                            .delta = ATLAS_RAT_NONE,
                            .measured = ATLAS_RAT_NONE,
                            .measured_ms = (double)NAN};
    out->bounds.lo = mean(sum.lo, steps);
    out->bounds.hi = mean(sum.hi, steps);
    if (study->point && sum.lo_known && sum.hi_known)
        out->launches = mean(atlas_linear_value(form, study->point->unknowns), steps);
    else if (sum.lo_known && sum.hi_known && atlas_rat_cmp(sum.lo, sum.hi) == 0)
        out->launches = out->bounds.lo;
}

/* The mean over all runs of this configuration, weighed by their steps. A sum known as an interval
 * counts with its middle. */
static void fill_measured(const AtlasStudy *study, AtlasPrediction *p) {
    guint n = p->stages->len;
    g_autofree AtlasRat *sums = g_new(AtlasRat, n + 1);
    g_autofree gint64 *steps = g_new0(gint64, n + 1);
    for (guint i = 0; i <= n; i++)
        sums[i] = atlas_rat(0);
    for (guint i = 0; i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        AtlasRat total = atlas_rat(0);
        gboolean all = TRUE;
        if (o->excluded || !atlas_config_equal(o->config, p->config))
            continue;
        for (guint j = 0; j < n; j++) {
            AtlasRat sum = atlas_rat_make(o->sums[j].lo + o->sums[j].hi, 2);
            all = all && o->sums[j].known;
            if (!o->sums[j].known)
                continue;
            sums[j] = atlas_rat_add(sums[j], sum);
            total = atlas_rat_add(total, sum);
            steps[j] += o->steps;
        }
        if (!all && !o->total.known)
            continue;
        if (!all)
            total = atlas_rat_make(o->total.lo + o->total.hi, 2);
        sums[n] = atlas_rat_add(sums[n], total);
        steps[n] += o->steps;
    }
    for (guint i = 0; i < n; i++)
        if (steps[i])
            g_array_index(p->stages, AtlasPredicted, i).measured = mean(sums[i], steps[i]);
    if (steps[n])
        p->total.measured = mean(sums[n], steps[n]);
}

static AtlasPrediction *predict(AtlasStudy *study, const AtlasConfig *config,
                                const AtlasWindow *window, AtlasWalkFault *fault) {
    const AtlasModel *model = study->model;
    guint unknowns = model->unknowns->len, n = model->populations->len;
    gint64 period = atlas_walk_period(config, fault);
    if (period == 0)
        return NULL;
    AtlasWindow over = window ? *window : (AtlasWindow){0, period - 1};
    gint64 steps = atlas_window_steps(over);
    AtlasLinear *forms = atlas_walk_linear(config, over.first, over.last, fault);
    if (!forms)
        return NULL;
    AtlasLinear *stages = atlas_linear_new(unknowns, model->stages->len + 1);
    AtlasLinear *total = &stages[model->stages->len];
    AtlasPrediction *p = g_new0(AtlasPrediction, 1);
    AtlasPredicted made;
    p->config = config;
    p->window = over;
    p->stages = g_array_new(FALSE, FALSE, sizeof(AtlasPredicted));
    p->populations = g_array_new(FALSE, FALSE, sizeof(AtlasPredicted));
    for (guint i = 0; i < n; i++) {
        atlas_linear_add(&stages[ATLAS_POPULATION(model, i)->stage], &forms[i], atlas_rat(1));
        atlas_linear_add(total, &forms[i], atlas_rat(1));
        fill(study, &forms[i], steps, ATLAS_POPULATION(model, i)->key, &made);
        g_array_append_val(p->populations, made);
    }
    p->decided = TRUE;
    for (guint i = 0; i < model->stages->len; i++) {
        fill(study, &stages[i], steps, ATLAS_STAGE(model, i)->name, &made);
        p->decided = p->decided && atlas_rat_ok(made.launches);
        g_array_append_val(p->stages, made);
    }
    fill(study, total, steps, "total", &p->total);
    atlas_linear_free(forms, n);
    atlas_linear_free(stages, model->stages->len + 1);
    fill_measured(study, p);
    return p;
}

static void fill_delta(AtlasPredicted *p, const AtlasPredicted *base) {
    if (atlas_rat_ok(p->launches) && atlas_rat_ok(base->launches))
        p->delta = atlas_rat_sub(p->launches, base->launches);
}

AtlasPrediction *atlas_predict(AtlasStudy *study, const AtlasConfig *config,
                               const AtlasWindow *window, AtlasDiags *diags) {
    AtlasWalkFault fault;
    g_autoptr(AtlasConfig) base_config = atlas_config_new(study->model);
    atlas_config_finish(base_config, diags); /* the base switches nothing on by name: no error */
    g_autoptr(AtlasPrediction) base = predict(study, base_config, window, &fault);
    AtlasPrediction *p = predict(study, config, window, &fault);
    if (!p) {
        atlas_walk_report(&fault, config, diags);
        return NULL;
    }
    for (guint i = 0; base && i < p->stages->len; i++)
        fill_delta(&g_array_index(p->stages, AtlasPredicted, i),
                   &g_array_index(base->stages, AtlasPredicted, i));
    if (base)
        fill_delta(&p->total, &base->total);
    return p;
}

void atlas_prediction_free(AtlasPrediction *p) {
    if (!p)
        return;
    g_array_unref(p->stages);
    g_array_unref(p->populations);
    g_free(p);
}
