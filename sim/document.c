#include "sim/document.h"

#include <math.h>

#include "sim/report.h"

/* Decimals of a lag or a width that people see. */
enum { PLACES = 2 };

/* One thing to print: for people with a title above and remarks below; for programs under a key. */
typedef struct {
    const char *key;
    char *title;
    AtlasTable *table;
    AtlasTable *rows; /* what programs get, where that is another table */
    GString *remarks;
    json_t *json; /* what JSON gets, where that is no table */
} View;

struct AtlasDocument {
    AtlasStudy *study;
    const AtlasPrediction *prediction;
    AtlasRat launch_us;
    const AtlasWindow *window;          /* NULL: one period */
    GArray *views;                      /* of View */
    AtlasTableColumn *marginal_columns; /* NULL until marginals are added */
};

static void view_clear(gpointer data) {
    View *view = data;
    g_free(view->title);
    atlas_table_free(view->table);
    atlas_table_free(view->rows);
    g_string_free(view->remarks, TRUE);
    if (view->json)
        json_decref(view->json);
}

AtlasDocument *atlas_document_new(AtlasStudy *study, const AtlasPrediction *prediction,
                                  AtlasRat launch_us, const AtlasWindow *window) {
    AtlasDocument *d = g_new0(AtlasDocument, 1);
    d->study = study;
    d->prediction = prediction;
    d->launch_us = launch_us;
    d->window = window;
    d->views = g_array_new(FALSE, FALSE, sizeof(View));
    g_array_set_clear_func(d->views, view_clear);
    return d;
}

void atlas_document_free(AtlasDocument *d) {
    if (!d)
        return;
    g_array_unref(d->views);
    g_free(d->marginal_columns);
    g_free(d);
}

static View *add_view(AtlasDocument *d, const char *key, char *title, AtlasTable *table) {
    View view = {key, title, table, NULL, g_string_new(NULL), NULL};
    g_array_append_val(d->views, view);
    return &g_array_index(d->views, View, d->views->len - 1);
}

static char *steps_text(AtlasWindow window, gboolean given) {
    if (!given && window.last == 0)
        return g_strdup("launches a step");
    return g_strdup_printf("launches a step, mean over steps %" G_GINT64_FORMAT
                           "-%" G_GINT64_FORMAT,
                           window.first, window.last);
}

/* What the prediction rests on. */
static void remark_runs(GString *remarks, const AtlasStudy *study) {
    char lag[64];
    atlas_rat_format(study->lag, PLACES, lag, sizeof lag);
    guint used = 0, excluded = 0, coarse = 0;
    for (guint i = 0; i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        excluded += o->excluded != NULL;
        used += o->excluded == NULL;
        for (guint j = 0; !o->excluded && j < study->model->stages->len; j++)
            coarse += o->sums[j].known && o->sums[j].lo != o->sums[j].hi;
    }
    if (used == 0)
        g_string_append(remarks, excluded ? "no run can be compared\n"
                                          : "no run is given: counts are the spec's own\n");
    else
        g_string_append_printf(
            remarks, "%u run%s, counter lag %s (the least that explains %s: %.2f)\n", used,
            used == 1 ? "" : "s", lag, used == 1 ? "it" : "them", study->least_lag);
    for (guint i = 0; excluded && i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        if (o->excluded)
            g_string_append_printf(remarks, "run '%s' is left out: %s\n", o->run->name,
                                   o->excluded);
    }
    if (coarse)
        g_string_append_printf(remarks,
                               "measured means that are not exact over their steps (rounded, or "
                               "stated with a slack): %u\n",
                               coarse);
    if (!study->point)
        g_string_append(remarks, "no whole numbers were found that explain all runs at this lag: "
                                 "bounds only\n");
    else if (used)
        g_string_append_printf(remarks,
                               "launches: one solution in whole numbers, which needs lag %.2f\n",
                               study->point->lag);
}

void atlas_document_add_stages(AtlasDocument *d) {
    const AtlasPrediction *p = d->prediction;
    g_autofree char *label = atlas_config_describe(p->config);
    g_autofree char *steps = steps_text(p->window, d->window != NULL);
    View *view =
        add_view(d, "stages", g_strdup_printf("%s, %s: %s", d->study->model->name, label, steps),
                 atlas_report_stages(p, d->launch_us));
    char us[64];
    g_string_append_printf(view->remarks, "host ms: launches x %s us\n",
                           atlas_rat_format(d->launch_us, PLACES, us, sizeof us));
    if (p->other_steps)
        g_string_append(view->remarks, "measured over other steps, in which other items run: "
                                       "--steps A-B predicts those\n");
    remark_runs(view->remarks, d->study);
}

gboolean atlas_document_add_marginals(AtlasDocument *d, AtlasDiags *diags) {
    const AtlasModel *model = d->study->model;
    g_autoptr(GPtrArray) all =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_prediction_free);
    g_autoptr(GPtrArray) configs =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_config_free);
    gboolean decided = TRUE;
    for (guint i = 0; i < model->toggles->len; i++) {
        AtlasConfig *config = atlas_config_new(model);
        AtlasText name = {ATLAS_TOGGLE(model, i)->name, ATLAS_TOGGLE(model, i)->spec->name.at};
        g_ptr_array_add(configs, config);
        atlas_config_apply(config, &name, diags);
        atlas_config_finish(config, diags);
        AtlasPrediction *p = atlas_predict(d->study, config, d->window, diags);
        g_ptr_array_add(all, p);
        decided = decided && p && p->decided;
    }
    if (!d->marginal_columns)
        d->marginal_columns = atlas_report_marginal_columns(model);
    View *view =
        add_view(d, "marginals",
                 g_strdup_printf("%s: what each toggle changes against the base", model->name),
                 atlas_report_marginals(model, all, d->marginal_columns));
    view->rows = atlas_report_marginal_rows(model, all);
    g_string_append(view->remarks,
                    "differences of points; their bounds are in --format json and tsv\n");
    return decided;
}

/* How many populations the bounds leave open. */
static guint open_populations(const AtlasPrediction *p) {
    guint open = 0;
    for (guint i = 0; i < p->populations->len; i++) {
        const AtlasInterval *b = &g_array_index(p->populations, AtlasPredicted, i).bounds;
        open += !b->lo_known || !b->hi_known || atlas_rat_cmp(b->lo, b->hi) != 0;
    }
    return open;
}

void atlas_document_add_populations(AtlasDocument *d) {
    const AtlasPrediction *p = d->prediction;
    g_autofree char *label = atlas_config_describe(p->config);
    guint open = open_populations(p);
    View *view = add_view(d, "populations",
                          g_strdup_printf("%s, %s: populations", d->study->model->name, label),
                          atlas_report_populations(p));
    g_string_append_printf(view->remarks,
                           open ? "populations whose bounds do not meet: %u; launches are one "
                                  "solution of many\n"
                                : "every population is determined by the runs\n",
                           open);
    remark_runs(view->remarks, d->study);
}

static json_t *spread_json(const AtlasSpread *spread) {
    return json_pack("{s:i, s:o}", "unbounded", (int)spread->unbounded, "width",
                     atlas_json_number(spread->width));
}

static const AtlasTableColumn next_columns[] = {
    {"run this", "configuration", FALSE},
    {"settings", "changes", TRUE},
    {"away from", "near", FALSE},
    {"widths now", "width_before", TRUE},
    {"then", "width_after", TRUE},
    {"unbounded now", "unbounded_before", TRUE},
    {"unbounded then", "unbounded_after", TRUE},
    {NULL, NULL, FALSE},
};

void atlas_document_add_next_run(AtlasDocument *d) {
    AtlasStudy *study = d->study;
    const AtlasPrediction *p = d->prediction;
    g_autofree char *label = atlas_config_describe(p->config);
    AtlasProgress *progress = atlas_progress_start("comparing runs");
    g_autoptr(AtlasNextRun) next =
        study->point
            ? atlas_next_run(study->evidence, p->config, study->lag, study->point, 0, progress)
            : NULL;
    atlas_progress_stop(progress);
    AtlasTable *table = atlas_table_new(next_columns);
    View *view = add_view(
        d, "next_run", g_strdup_printf("%s, %s: the next run", study->model->name, label), table);
    view->json = json_null();
    if (!next || !next->config) {
        g_string_append(view->remarks,
                        !study->point ? "no whole numbers were found that explain the runs: what "
                                        "a run would show is not known\n"
                        : !open_populations(p) ? "every population is determined already\n"
                        : next ? "none of the runs that were compared would narrow this "
                                 "prediction's populations; more were left out\n"
                               : "no run that the spec can express would narrow "
                                 "this prediction's populations\n");
        return;
    }
    g_autofree char *settings = atlas_config_describe(next->config);
    atlas_table_row(table);
    atlas_table_text(table, "%s", settings);
    atlas_table_number(table, atlas_rat(next->changes), 0);
    atlas_table_text(table, "%s", next->near ? next->near->run->name : "base");
    atlas_table_number(table, next->before.width, PLACES);
    atlas_table_number(table, next->after.width, PLACES);
    if (next->before.unbounded) {
        atlas_table_number(table, atlas_rat(next->before.unbounded), 0);
        atlas_table_number(table, atlas_rat(next->after.unbounded), 0);
    }
    json_decref(view->json);
    view->json = json_pack("{s:s, s:i, s:s, s:o, s:o, s:i}", "configuration", settings, "changes",
                           (int)next->changes, "near", next->near ? next->near->run->name : "base",
                           "before", spread_json(&next->before), "after", spread_json(&next->after),
                           "looked_at", (int)next->looked_at);
    g_string_append_printf(view->remarks,
                           "widths: sum of hi - lo over populations, launches a step; "
                           "runs compared: %u%s\n",
                           next->looked_at, next->left_out ? ", more were left out" : "");
}

void atlas_document_add_leave_one_out(AtlasDocument *d) {
    add_view(d, "leave_one_out",
             g_strdup_printf("%s: every run against what the others say", d->study->model->name),
             atlas_report_leave_one_out(d->study));
}

static json_t *configuration_json(const AtlasConfig *config) {
    const AtlasModel *model = config->model;
    json_t *toggles = json_array(), *params = json_object(), *arms = json_object();
    for (guint i = 0; i < config->toggles->len; i++)
        json_array_append_new(toggles, json_string(g_ptr_array_index(config->toggles, i)));
    for (guint i = 0; i < model->params->len; i++)
        json_object_set_new(params, ATLAS_PARAM(model, i)->name, json_integer(config->params[i]));
    for (guint i = 0; i < model->arms->len; i++)
        json_object_set_new(arms, ATLAS_ARM(model, i)->name,
                            json_boolean(atlas_config_arm(config, i)));
    return json_pack("{s:o, s:o, s:o}", "toggles", toggles, "params", params, "arms", arms);
}

static json_t *finite_json(double value) {
    return isfinite(value) ? json_real(value) : json_null();
}

static char *as_json(const AtlasDocument *d) {
    const AtlasStudy *study = d->study;
    const AtlasPrediction *p = d->prediction;
    json_t *root =
        json_pack("{s:s, s:s, s:o, s:{s:I, s:I}, s:o, s:o, s:o, s:o}", "schema", "atlas-sim/1",
                  "spec", study->model->name, "configuration", configuration_json(p->config),
                  "steps", "first", (json_int_t)p->window.first, "last", (json_int_t)p->window.last,
                  "launch_us", atlas_json_number(d->launch_us), "lag",
                  atlas_json_number(study->lag), "least_lag", finite_json(study->least_lag),
                  "point_lag", finite_json(study->point ? study->point->lag : (double)NAN));
    for (guint i = 0; i < d->views->len; i++) {
        const View *view = &g_array_index(d->views, View, i);
        json_t *rows = view->json ? json_incref(view->json)
                                  : atlas_table_json(view->rows ? view->rows : view->table);
        if (g_str_equal(view->key, "stages")) { /* its last row is the total */
            size_t last = json_array_size(rows) - 1;
            json_t *total = json_incref(json_array_get(rows, last));
            json_object_del(total, "stage");
            json_array_remove(rows, last);
            json_object_set_new(root, "stages", rows);
            json_object_set_new(root, "total", total);
        } else {
            json_object_set_new(root, view->key, rows);
        }
    }
    return atlas_json_text(root, 0);
}

static char *as_table(const AtlasDocument *d) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < d->views->len; i++) {
        const View *view = &g_array_index(d->views, View, i);
        g_autofree char *table = atlas_table_render(view->table);
        g_string_append_printf(out, "%s%s\n\n%s%s%s", i ? "\n" : "", view->title, table,
                               *table && view->remarks->len ? "\n" : "", view->remarks->str);
    }
    return g_string_free(out, FALSE);
}

char *atlas_document_render(const AtlasDocument *d, const char *format) {
    if (g_strcmp0(format, "json") == 0)
        return as_json(d);
    if (g_strcmp0(format, "tsv") == 0) {
        const View *view = &g_array_index(d->views, View, 0);
        return atlas_table_render_tsv(view->rows ? view->rows : view->table);
    }
    return as_table(d);
}
