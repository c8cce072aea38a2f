#include "model/check/budget.h"

#include <string.h>

#include "model/check/agree_text.h"

static void parse_one(const char *part, AtlasSpan at, const AtlasModel *model, GArray *budgets,
                      AtlasDiags *diags) {
    const char *equals = strchr(part, '=');
    g_autofree char *stage = g_strndup(part, equals ? (gsize)(equals - part) : strlen(part));
    AtlasRat most = equals ? atlas_rat_parse(equals + 1, strlen(equals + 1), NULL) : ATLAS_RAT_NONE;
    if (!atlas_rat_ok(most) || most.num < 0) {
        atlas_diags_error(diags, at, "expected STAGE=LAUNCHES, not '%s'", part);
        atlas_diags_hint(diags, "for example fwd=9100,total=21500");
        return;
    }
    if (!g_str_equal(stage, "total") && atlas_model_find_stage(model, stage) < 0) {
        g_autoptr(GPtrArray) names = g_ptr_array_new();
        for (guint i = 0; i < model->stages->len; i++)
            g_ptr_array_add(names, (gpointer)ATLAS_STAGE(model, i)->name);
        g_ptr_array_add(names, (gpointer) "total");
        g_ptr_array_add(names, NULL);
        atlas_diags_error(diags, at, "no stage named '%s' in '%s'", stage, model->name);
        atlas_diags_suggest(diags, stage, "stages are", (const char *const *)names->pdata);
        return;
    }
    AtlasBudget budget = {g_intern_string(stage), most, at};
    g_array_append_val(budgets, budget);
}

void atlas_budgets_parse(const AtlasText *text, const AtlasModel *model, GArray *budgets,
                         AtlasDiags *diags) {
    g_auto(GStrv) parts = g_strsplit(text->text, ",", -1);
    gsize from = text->at.start;
    for (guint i = 0; parts[i]; i++) {
        AtlasSpan at = {text->at.source, from, from + strlen(parts[i])};
        parse_one(parts[i], at, model, budgets, diags);
        from = at.end + 1;
    }
}

/* Adds the check of something between lo and hi launches a step; an end may be unknown. */
static AtlasCheck *judge(const AtlasBudget *budget, const char *subject, AtlasInterval launches,
                         AtlasResult *result) {
    AtlasCheck *check = atlas_result_add(result, "budget");
    g_autofree char *most = agree_number(budget->most);
    check->subject = g_strdup_printf("%s %s", subject, budget->stage);
    check->expected = g_strdup_printf("<= %s", most);
    check->measured = atlas_interval_text(&launches);
    check->lo = launches.lo_known ? launches.lo : ATLAS_RAT_NONE;
    check->hi = launches.hi_known ? launches.hi : ATLAS_RAT_NONE;
    if (launches.lo_known && atlas_rat_cmp(launches.lo, budget->most) > 0)
        check->verdict = ATLAS_FAIL;
    else if (!launches.hi_known || atlas_rat_cmp(launches.hi, budget->most) > 0)
        check->verdict = ATLAS_INCONCLUSIVE;
    return check;
}

static AtlasInterval mean_of(const AtlasSum *sum, gint64 steps, AtlasRat slack) {
    AtlasRat by = atlas_rat_make(1, steps);
    return (AtlasInterval){TRUE, TRUE, atlas_rat_sub(atlas_rat_mul(atlas_rat(sum->lo), by), slack),
                           atlas_rat_add(atlas_rat_mul(atlas_rat(sum->hi), by), slack)};
}

void atlas_budget_measured(const AtlasBudget *budget, const AtlasMeasurement *m, AtlasRat lag,
                           AtlasResult *result) {
    gint64 steps = atlas_window_steps(m->run->window);
    gboolean whole = g_str_equal(budget->stage, "total");
    AtlasSum sum = whole ? atlas_measurement_total(m) : (AtlasSum){FALSE, 0, 0, {NULL, 0, 0}};
    for (guint i = 0; i < m->run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(m->run->stages, AtlasRunStage, i);
        if (g_str_equal(stage->name, budget->stage))
            sum = stage->sum;
    }
    /* The total sees the window's two ends only; so does the only stage of a step. */
    AtlasRat slack = whole || m->run->stages->len == 1 ? atlas_rat_div(lag, atlas_rat(steps)) : lag;
    AtlasInterval launches = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    if (sum.known)
        launches = mean_of(&sum, steps, slack);
    AtlasCheck *check = judge(budget, m->run->name, launches, result);
    char *partial = atlas_provenance_partial(&m->run->by);
    if (!sum.known) {
        check->why = g_strdup("it was not measured");
    } else if (partial) {
        check->verdict = check->verdict == ATLAS_PASS ? ATLAS_INCONCLUSIVE : check->verdict;
        check->why = g_steal_pointer(&partial);
        agree_mark_least(check);
    } else if (check->verdict == ATLAS_INCONCLUSIVE) {
        check->why = g_strdup("the counter's lag leaves it open");
    }
    g_free(partial);
}

void atlas_budget_predicted(const AtlasBudget *budget, const AtlasPrediction *p,
                            const char *subject, AtlasResult *result) {
    const AtlasPredicted *found = &p->total;
    for (guint i = 0; i < p->stages->len; i++) {
        const AtlasPredicted *stage = &g_array_index(p->stages, AtlasPredicted, i);
        if (g_str_equal(stage->name, budget->stage))
            found = stage;
    }
    judge(budget, subject, found->bounds, result)->why = g_strdup("predicted");
}
