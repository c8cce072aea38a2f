#include "model/solve/study.h"

#include <math.h>
#include <string.h>

#include "model/launch/locate.h"
#include "model/measure/load.h"
#include "model/solve/reading.h"

/* ---- loading ---- */

static void load_runs(AtlasStudy *study, const GArray *more, AtlasDiags *diags) {
    const AtlasSpec *spec = study->model->spec;
    g_autofree char *folder = g_path_get_dirname(atlas_source_path(study->source));
    for (guint i = 0; spec->runs && i < spec->runs->len; i++)
        atlas_runs_load(study->runs, &g_array_index(spec->runs, AtlasText, i), folder, NULL,
                        study->sources, diags);
    for (guint i = 0; more && i < more->len; i++)
        atlas_runs_load(study->runs, &g_array_index(more, AtlasText, i), NULL, NULL, study->sources,
                        diags);
    for (guint i = 0; i < atlas_runs_count(study->runs); i++)
        atlas_evidence_add(study->evidence, atlas_runs_get(study->runs, i), diags);
}

/* Whether single steps of some run speak beside its sums. */
static gboolean any_steps(const AtlasStudy *study) {
    gboolean any = FALSE;
    for (guint i = 0; i < study->evidence->observations->len; i++)
        any = any || atlas_evidence_get(study->evidence, i)->by_steps;
    return any;
}

/* The lag is too small for the runs, or no lag is large enough. */
void atlas_study_require(const AtlasStudy *study, AtlasDiags *diags) {
    if (study->consistent)
        return;
    if (study->broken) {
        const AtlasSum *sum = &study->broken->sums[study->broken_stage];
        atlas_diags_error(diags, sum->at,
                          "no whole counts explain stage '%s' of run '%s': %" G_GINT64_FORMAT
                          " launches in %" G_GINT64_FORMAT " steps",
                          ATLAS_STAGE(study->model, study->broken_stage)->name,
                          study->broken->run->name, sum->lo, study->broken->steps);
        atlas_diags_hint(diags, "do counts vary from step to step? then state a counter lag, or "
                                "declare the unknown that varies 'kind: real'");
        return;
    }
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
    /* Rounded up: what is said to do must do. */
    atlas_diags_hint(diags,
                     "the least lag that does is %.2f: state at least that, or mend the model; %s"
                     "atlas-check --runs names the rows that contradict each other",
                     ceil(study->least_lag * 100 - 1e-6) / 100,
                     any_steps(study) ? "an unknown that varies from step to step is 'kind: real'; "
                                      : "");
}

/* A stage of a run that fractions explain but whole numbers do not. FALSE if there is none. */
static gboolean find_broken(AtlasStudy *study) {
    for (guint i = 0; i < study->evidence->observations->len; i++)
        for (guint s = 0; s < study->model->stages->len; s++) {
            if (!atlas_reading_broken(study->evidence, study->lp, i, s))
                continue;
            study->broken = atlas_evidence_get(study->evidence, i);
            study->broken_stage = s;
            return TRUE;
        }
    return FALSE;
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
    study->consistent = atlas_lp_feasible(study->lp);
    if (study->consistent && find_broken(study))
        study->consistent = FALSE;
    if (study->consistent)
        study->point = atlas_point_find(study->system, study->lag);
}

AtlasStudy *atlas_study_open(const char *spec, const GArray *more, AtlasRat lag,
                             AtlasDiags *diags) {
    GError *error = NULL;
    g_autofree char *path = atlas_spec_locate(spec, &error);
    AtlasSource *source = path ? atlas_source_load(path, &error) : NULL;
    if (source)
        return atlas_study_open_source(source, more, lag, diags);
    atlas_diags_take(diags, error);
    return NULL;
}

AtlasStudy *atlas_study_open_source(AtlasSource *source, const GArray *more, AtlasRat lag,
                                    AtlasDiags *diags) {
    AtlasStudy *study = g_new0(AtlasStudy, 1);
    study->source = source;
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
    return study;
}

AtlasStudy *atlas_study_load(const char *spec, const GArray *more, AtlasRat lag,
                             AtlasDiags *diags) {
    AtlasStudy *study = atlas_study_open(spec, more, lag, diags);
    if (study && atlas_diags_errors(diags) == 0)
        atlas_study_require(study, diags);
    return study;
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

/* What a configuration launches over some steps, as linear forms. */
typedef struct {
    const AtlasModel *model;
    AtlasWindow window;
    gint64 steps;
    AtlasLinear *populations;
    AtlasLinear *stages; /* one for each stage, then the total */
} Forms;

static void forms_free(Forms *forms) {
    if (!forms)
        return;
    atlas_linear_free(forms->populations, forms->model->populations->len);
    atlas_linear_free(forms->stages, forms->model->stages->len + 1);
    g_free(forms);
}
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Forms, forms_free)

static Forms *forms_new(const AtlasConfig *config, const AtlasWindow *window,
                        AtlasWalkFault *fault) {
    const AtlasModel *model = config->model;
    gint64 period = atlas_walk_period(config, fault);
    if (period == 0)
        return NULL;
    AtlasWindow over = window ? *window : (AtlasWindow){0, period - 1};
    AtlasLinear *populations = atlas_walk_linear(config, over.first, over.last, fault);
    if (!populations)
        return NULL;
    Forms *forms = g_new(Forms, 1);
    *forms = (Forms){model, over, atlas_window_steps(over), populations,
                     atlas_linear_new(model->unknowns->len, model->stages->len + 1)};
    for (guint i = 0; i < model->populations->len; i++) {
        guint stage = ATLAS_POPULATION(model, i)->stage;
        atlas_linear_add(&forms->stages[stage], &populations[i], atlas_rat(1));
        atlas_linear_add(&forms->stages[model->stages->len], &populations[i], atlas_rat(1));
    }
    return forms;
}

static AtlasInterval interval_mean(AtlasInterval sum, gint64 steps) {
    sum.lo = mean(sum.lo, steps);
    sum.hi = mean(sum.hi, steps);
    return sum;
}

static AtlasPredicted fill(AtlasStudy *study, const AtlasLinear *form, gint64 steps,
                           const char *name) {
    AtlasPredicted out = {.name = name,
                          .launches = ATLAS_RAT_NONE,
                          .bounds = interval_mean(atlas_lp_interval(study->lp, form), steps),
                          .delta = ATLAS_RAT_NONE,
                          .delta_bounds = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE},
                          .measured = ATLAS_RAT_NONE};
    gboolean bounded = out.bounds.lo_known && out.bounds.hi_known;
    if (study->point && bounded)
        out.launches = mean(atlas_linear_value(form, study->point->unknowns), steps);
    return out;
}

/* The difference of two configurations is a form of its own: what is unknown in both cancels. */
static void fill_delta(AtlasStudy *study, const Forms *forms, const Forms *base, guint stage,
                       AtlasPredicted *out) {
    gint64 steps = atlas_lcm(forms->steps, base->steps);
    if (steps % forms->steps != 0 || steps % base->steps != 0)
        return; /* it does not fit */
    AtlasLinear *form = atlas_linear_new(study->model->unknowns->len, 1);
    atlas_linear_add(form, &forms->stages[stage], atlas_rat(steps / forms->steps));
    atlas_linear_add(form, &base->stages[stage], atlas_rat(-(steps / base->steps)));
    AtlasPredicted delta = fill(study, form, steps, out->name);
    out->delta = delta.launches;
    out->delta_bounds = delta.bounds;
    atlas_linear_free(form, 1);
}

/* Whether a run's own steps launch another mean than the predicted ones, at the point. */
static gboolean differs(const AtlasStudy *study, const AtlasObservation *o,
                        const AtlasPrediction *p) {
    for (guint i = 0; study->point && i < p->stages->len; i++) {
        AtlasRat own = mean(atlas_linear_value(&o->stages[i], study->point->unknowns), o->steps);
        AtlasRat predicted = g_array_index(p->stages, AtlasPredicted, i).launches;
        if (atlas_rat_ok(own) && atlas_rat_ok(predicted) && atlas_rat_cmp(own, predicted) != 0)
            return TRUE;
    }
    return FALSE;
}

/* Launches that were measured, and over how many steps. */
typedef struct {
    AtlasRat launches, steps;
} Measured;

static void measured_add(Measured *m, AtlasRat launches, gint64 steps) {
    m->launches = atlas_rat_add(m->launches, launches);
    m->steps = atlas_rat_add(m->steps, atlas_rat(steps));
}

/* The mean over all runs of this configuration, weighed by their steps. A sum known as an interval
 * counts with its middle. */
static void fill_measured(const AtlasStudy *study, AtlasPrediction *p) {
    guint n = p->stages->len;
    g_autofree Measured *measured = g_new(Measured, n + 1);
    for (guint i = 0; i <= n; i++)
        measured[i] = (Measured){atlas_rat(0), atlas_rat(0)};
    for (guint i = 0; i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        AtlasRat total = atlas_rat(0);
        gboolean all = TRUE;
        if (o->excluded || !atlas_config_equal(o->config, p->config))
            continue;
        p->other_steps |= differs(study, o, p);
        for (guint j = 0; j < n; j++) {
            all = all && o->sums[j].known;
            if (!o->sums[j].known)
                continue;
            measured_add(&measured[j], atlas_sum_middle(&o->sums[j]), o->steps);
            total = atlas_rat_add(total, atlas_sum_middle(&o->sums[j]));
        }
        if (all || o->total.known)
            measured_add(&measured[n], all ? total : atlas_sum_middle(&o->total), o->steps);
    }
    for (guint i = 0; i <= n; i++) {
        AtlasPredicted *out = i < n ? &g_array_index(p->stages, AtlasPredicted, i) : &p->total;
        out->measured = atlas_rat_div(measured[i].launches, measured[i].steps);
    }
}

AtlasPrediction *atlas_predict(AtlasStudy *study, const AtlasConfig *config,
                               const AtlasWindow *window, AtlasDiags *diags) {
    const AtlasModel *model = study->model;
    guint n = model->stages->len;
    AtlasWalkFault fault, base_fault;
    g_autoptr(AtlasConfig) base_config = atlas_config_new(model);
    g_autoptr(Forms) forms = forms_new(config, window, &fault);
    g_autoptr(Forms) base = forms_new(base_config, window, &base_fault);
    if (!forms || !base) {
        atlas_walk_report(forms ? &base_fault : &fault, forms ? base_config : config, diags);
        return NULL;
    }
    g_autofree AtlasRat *at_point = g_new(AtlasRat, n + 1);
    if (study->point && !atlas_walk_stages(config, study->point->unknowns, forms->window.first,
                                           forms->window.last, at_point, &fault)) {
        atlas_walk_report(&fault, config, diags); /* a negative count, say */
        return NULL;
    }
    AtlasPrediction *p = g_new0(AtlasPrediction, 1);
    p->config = config;
    p->window = forms->window;
    p->decided = TRUE;
    p->stages = g_array_new(FALSE, FALSE, sizeof(AtlasPredicted));
    p->populations = g_array_new(FALSE, FALSE, sizeof(AtlasPredicted));
    for (guint i = 0; i < model->populations->len; i++) {
        AtlasPredicted made =
            fill(study, &forms->populations[i], forms->steps, ATLAS_POPULATION(model, i)->key);
        g_array_append_val(p->populations, made);
    }
    for (guint i = 0; i <= n; i++) {
        AtlasPredicted made = fill(study, &forms->stages[i], forms->steps,
                                   i < n ? ATLAS_STAGE(model, i)->name : "total");
        fill_delta(study, forms, base, i, &made);
        p->decided = p->decided && atlas_rat_ok(made.launches);
        if (i < n)
            g_array_append_val(p->stages, made);
        else
            p->total = made;
    }
    fill_measured(study, p);
    return p;
}

void atlas_prediction_free(AtlasPrediction *p) {
    if (!p)
        return;
    g_array_unref(p->stages);
    g_array_unref(p->populations);
    g_free(p);
}
