#include "model/solve/evidence.h"

#include <string.h>

static void observation_free(gpointer data) {
    AtlasObservation *o = data;
    guint stages = o->config->model->stages->len;
    atlas_linear_free(o->stages, stages);
    g_clear_pointer(&o->guards, g_array_unref);
    atlas_steps_free(o->single);
    g_free(o->sums);
    g_free(o->excluded);
    atlas_config_free(o->config);
    g_free(o);
}

AtlasEvidence *atlas_evidence_new(const AtlasModel *model) {
    AtlasEvidence *evidence = g_new0(AtlasEvidence, 1);
    evidence->model = model;
    evidence->observations = g_ptr_array_new_with_free_func(observation_free);
    return evidence;
}

void atlas_evidence_free(AtlasEvidence *evidence) {
    if (!evidence)
        return;
    g_ptr_array_unref(evidence->observations);
    g_free(evidence);
}

void atlas_evidence_drop_last(AtlasEvidence *evidence) {
    g_ptr_array_set_size(evidence->observations, (int)evidence->observations->len - 1);
}

/* "precision=fp16, ..." against the spec's recipe: the first difference as text, or NULL. */
static char *recipe_difference(const AtlasModel *model, const char *text) {
    g_auto(GStrv) parts = g_strsplit(text, ",", -1);
    for (guint i = 0; parts[i]; i++) {
        char *key = g_strstrip(parts[i]), *equals = strchr(key, '=');
        const char *value = equals ? g_strstrip(equals + 1) : "";
        const char *expected = NULL;
        if (!*key)
            continue;
        if (equals)
            *equals = '\0';
        g_strchomp(key);
        for (guint j = 0; model->spec->recipe && j < model->spec->recipe->len; j++) {
            const AtlasPair *pair = &g_array_index(model->spec->recipe, AtlasPair, j);
            if (g_str_equal(pair->key.text, key))
                expected = pair->value.text;
        }
        if (!expected)
            return g_strdup_printf("another recipe: %s=%s, which the spec does not state", key,
                                   value);
        if (!g_str_equal(expected, value))
            return g_strdup_printf("another recipe: %s=%s, not %s", key, value, expected);
    }
    return NULL;
}

static void suggest_stages(const AtlasModel *model, const char *name, AtlasDiags *diags) {
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint j = 0; j < model->stages->len; j++)
        g_ptr_array_add(names, (gpointer)ATLAS_STAGE(model, j)->name);
    g_ptr_array_add(names, NULL);
    atlas_diags_suggest(diags, name, "stages are", (const char *const *)names->pdata);
}

/* Column 1 of the first row of a stage in a log, which has no source. */
#define LOG_PLACE "%s:%" G_GUINT64_FORMAT ":1: error: "

static void unknown_stage(const AtlasRun *run, const AtlasRunStage *stage, const AtlasModel *model,
                          AtlasDiags *diags) {
    AtlasSpan nowhere = {NULL, 0, 0};
    if (run->log)
        atlas_diags_error(diags, nowhere, LOG_PLACE "'%s' has no stage '%s'", run->log, stage->line,
                          model->name, stage->name);
    else
        atlas_diags_error(diags, stage->sum.at.source ? stage->sum.at : run->at,
                          "run '%s' has a stage '%s', which '%s' does not", run->name, stage->name,
                          model->name);
    suggest_stages(model, stage->name, diags);
}

/* A table may leave a stage out that was not measured, a trace one that has no name; a program that
 * prints rows prints all, or lost some. */
static void check_log_has_all(const AtlasObservation *o, const AtlasModel *model,
                              AtlasDiags *diags) {
    guint stages = o->run->stages->len;
    guint64 line = stages ? g_array_index(o->run->stages, AtlasRunStage, stages - 1).line : 0;
    for (guint i = 0; line > 0 && i < model->stages->len; i++) {
        if (o->sums[i].known)
            continue;
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                          LOG_PLACE "no row of stage '%s', which '%s' has, in any step",
                          o->run->log, line, ATLAS_STAGE(model, i)->name, model->name);
        atlas_diags_hint(diags, "print a row for each stage in each step, with 0 launches where "
                                "there are none; what was not measured can be '-' in a run table");
    }
}

static void check_size(const AtlasRun *run, const char *stage, const AtlasSum *sum,
                       AtlasDiags *diags) {
    if (!sum->known || sum->hi <= ATLAS_EVIDENCE_MOST)
        return;
    atlas_diags_error(diags, sum->at.source ? sum->at : run->at,
                      "run '%s' counts %" G_GINT64_FORMAT
                      " launches of '%s' over its steps: more than "
                      "%" G_GINT64_FORMAT " cannot be judged",
                      run->name, sum->hi, stage, ATLAS_EVIDENCE_MOST);
    atlas_diags_hint(diags, "are they launches of one step each, not since the start?");
}

/* Copies the run's sums into the order of the model's stages. */
static void take_sums(AtlasObservation *o, const AtlasModel *model, AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    for (guint i = 0; i < o->run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(o->run->stages, AtlasRunStage, i);
        int found = atlas_model_find_stage(model, stage->name);
        if (found >= 0)
            o->sums[found] = stage->sum;
        else if (stage->sum.known) /* else a table's column that another model's runs use */
            unknown_stage(o->run, stage, model, diags);
        check_size(o->run, stage->name, &stage->sum, diags);
    }
    o->total = o->run->total;
    check_size(o->run, "total", &o->total, diags);
    if (atlas_diags_errors(diags) == before) /* one that is misspelt is also missing */
        check_log_has_all(o, model, diags);
}

typedef struct {
    gint64 steps;
    const AtlasPopulation *uneven; /* runs in some steps only, and how many is not known */
    const AtlasModel *model;
    gint64 every;
} Evenness;

static void visit_evenness(const AtlasVisit *visit, gpointer data) {
    Evenness *e = data;
    if (!e->uneven && e->steps % visit->every != 0) {
        e->uneven = ATLAS_POPULATION(e->model, visit->population);
        e->every = visit->every;
    }
}

/* Of a window of which only the length is known, any place will do if every period divides it. */
static gboolean window_serves(const AtlasObservation *o, AtlasWalkFault *fault, AtlasDiags *diags) {
    Evenness e = {o->steps, NULL, o->config->model, 0};
    if (o->run->window_known)
        return TRUE;
    if (!atlas_walk(o->config, NULL, visit_evenness, &e, fault)) {
        atlas_walk_report(fault, o->config, diags);
        return FALSE;
    }
    if (!e.uneven)
        return TRUE;
    atlas_diags_error(
        diags, o->run->at,
        "run '%s' must say which steps it was measured over: '%s' runs every %" G_GINT64_FORMAT
        " steps",
        o->run->name, e.uneven->key, e.every);
    atlas_diags_hint(diags, "write the steps as A-B");
    return FALSE;
}

gboolean atlas_evidence_add(AtlasEvidence *evidence, const AtlasRun *run, AtlasDiags *diags) {
    const AtlasModel *model = evidence->model;
    guint before = atlas_diags_errors(diags);
    AtlasWalkFault fault = {NULL, NULL, ATLAS_RAT_NONE};
    AtlasObservation *o = g_new0(AtlasObservation, 1);
    g_ptr_array_add(evidence->observations, o);
    o->run = run;
    o->config = atlas_config_new(model);
    o->steps = atlas_window_steps(run->window);
    o->sums = g_new0(AtlasSum, model->stages->len);
    atlas_config_apply(o->config, &run->configuration, diags);
    if (atlas_diags_errors(diags) == before)
        atlas_config_finish(o->config, diags);
    o->excluded = recipe_difference(model, run->recipe.text);
    take_sums(o, model, diags);
    if (atlas_diags_errors(diags) == before && !o->excluded && window_serves(o, &fault, diags)) {
        o->stages =
            atlas_walk_linear_stages(o->config, run->window.first, run->window.last, &fault);
        o->guards = atlas_walk_guards(o->config);
        if (!o->stages)
            atlas_walk_report(&fault, o->config, diags);
        /* Counts that are less than what was launched determine nothing. */
        o->excluded = atlas_provenance_partial(&run->by);
        o->single = o->stages && !o->excluded ? atlas_steps_new(run, o->config) : NULL;
        o->by_steps = o->single != NULL;
    }
    if (atlas_diags_errors(diags) == before)
        return TRUE;
    atlas_evidence_drop_last(evidence);
    return FALSE;
}

gboolean atlas_evidence_suppose(AtlasEvidence *evidence, const AtlasConfig *config, gint64 first,
                                gint64 last, const AtlasRat *unknowns) {
    guint n = evidence->model->stages->len;
    AtlasWalkFault fault;
    AtlasLinear *stages = atlas_walk_linear_stages(config, first, last, &fault);
    if (!stages)
        return FALSE;
    AtlasObservation *o = g_new0(AtlasObservation, 1);
    o->config = atlas_config_copy(config);
    o->steps = last - first + 1;
    o->stages = stages;
    o->guards = atlas_walk_guards(config);
    o->sums = g_new0(AtlasSum, n);
    g_ptr_array_add(evidence->observations, o);
    for (guint i = 0; i < n; i++) {
        AtlasRat value = atlas_linear_value(&stages[i], unknowns);
        if (!atlas_rat_is_whole(value) || value.num < 0) {
            atlas_evidence_drop_last(evidence);
            return FALSE;
        }
        o->sums[i] = (AtlasSum){TRUE, value.num, value.num, {NULL, 0, 0}};
    }
    return TRUE;
}
