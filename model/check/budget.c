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
        atlas_diags_hint(diags,
                         "for example fwd=9100,total=21500: decimal numbers >= 0 without exponent, "
                         "below 9.2e18");
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
    for (guint i = 0; i < budgets->len; i++)
        if (g_str_equal(g_array_index(budgets, AtlasBudget, i).stage, stage)) {
            atlas_diags_error(diags, at, "a budget of '%s' is stated twice", stage);
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

/* What was measured of what a budget is for. */
typedef struct {
    AtlasSum sum;
    AtlasRat slack; /* of its mean: what the counter's lag can add or hide in a step */
    char *lacking;  /* "only fwd was measured"; NULL: all that there is */
} Reading;

static AtlasSum stage_sum(const AtlasRun *run, const char *name) {
    const AtlasRunStage *stage = atlas_run_stage(run, name);
    return stage ? stage->sum : (AtlasSum){.known = FALSE};
}

/* The total, or the sum of the stages that are known. Stages that follow each other share what lags
 * between them: only where a measured one borders on one that is not do launches leave or enter. */
static Reading read_total(const AtlasModel *model, const AtlasMeasurement *m, AtlasRat lag) {
    guint n = model->stages->len, known = 0, borders = 0;
    AtlasRat steps = atlas_rat(atlas_window_steps(m->run->window));
    AtlasSum total = {TRUE, 0, 0, {NULL, 0, 0}};
    g_autoptr(GString) names = g_string_new(NULL);
    for (guint i = 0; i < n; i++) {
        AtlasSum sum = stage_sum(m->run, ATLAS_STAGE(model, i)->name);
        AtlasSum next = stage_sum(m->run, ATLAS_STAGE(model, (i + 1) % n)->name);
        borders += sum.known && !next.known;
        if (!sum.known)
            continue;
        atlas_sum_add(&total, &sum);
        g_string_append_printf(names, "%s%s", known++ ? ", " : "", ATLAS_STAGE(model, i)->name);
    }
    if (known == n || m->run->total.known || known == 0)
        return (Reading){known == n ? total : m->run->total, atlas_rat_div(lag, steps), NULL};
    return (Reading){
        total, atlas_rat_mul(lag, atlas_rat(borders)),
        g_strdup_printf("only %s %s measured", names->str, known > 1 ? "were" : "was")};
}

static Reading read_measured(const AtlasBudget *budget, const AtlasModel *model,
                             const AtlasMeasurement *m, AtlasRat lag) {
    AtlasRat steps = atlas_rat(atlas_window_steps(m->run->window));
    if (g_str_equal(budget->stage, "total"))
        return read_total(model, m, lag);
    /* The only stage of a step sees the window's two ends only. */
    return (Reading){stage_sum(m->run, budget->stage),
                     model->stages->len == 1 ? atlas_rat_div(lag, steps) : lag, NULL};
}

static AtlasInterval mean_of(const Reading *reading, gint64 steps) {
    AtlasRat by = atlas_rat_make(1, steps);
    AtlasInterval mean = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    if (!reading->sum.known)
        return mean;
    mean.lo = atlas_rat_sub(atlas_rat_mul(atlas_rat(reading->sum.lo), by), reading->slack);
    mean.hi = atlas_rat_add(atlas_rat_mul(atlas_rat(reading->sum.hi), by), reading->slack);
    if (atlas_rat_ok(mean.lo) && mean.lo.num < 0)
        mean.lo = atlas_rat(0);
    mean.lo_known = atlas_rat_ok(mean.lo);
    mean.hi_known = atlas_rat_ok(mean.hi);
    return mean;
}

/* Why a budget is neither kept nor exceeded for sure. */
static char *why_open(const AtlasBudget *budget, const Reading *reading, gint64 steps) {
    gboolean rounded = atlas_rat_cmp(atlas_rat_make(reading->sum.lo, steps), budget->most) <= 0 &&
                       atlas_rat_cmp(atlas_rat_make(reading->sum.hi, steps), budget->most) > 0;
    return g_strdup(rounded ? "the mean is rounded too coarsely to tell"
                            : "the counter's lag leaves it open");
}

void atlas_budget_measured(const AtlasBudget *budget, const AtlasModel *model,
                           const AtlasMeasurement *m, AtlasRat lag, AtlasResult *result) {
    gint64 steps = atlas_window_steps(m->run->window);
    Reading reading = read_measured(budget, model, m, lag);
    AtlasInterval launches = mean_of(&reading, steps);
    AtlasCheck *check = judge(budget, m->run->name, launches, result);
    char *partial = atlas_provenance_partial(&m->run->by);
    if (!partial && reading.lacking)
        partial = g_strdup_printf("%s: the total is a lower bound", reading.lacking);
    if (!launches.lo_known) {
        check->why = g_strdup("it was not measured");
    } else if (partial) {
        check->verdict = check->verdict == ATLAS_PASS ? ATLAS_INCONCLUSIVE : check->verdict;
        check->why = g_steal_pointer(&partial);
        agree_mark_least(check);
    } else if (check->verdict == ATLAS_INCONCLUSIVE) {
        check->why = why_open(budget, &reading, steps);
    }
    g_free(partial);
    g_free(reading.lacking);
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
