#include <math.h>

#include "model/check/agree_steps.h"
#include "model/check/agree_text.h"
#include "model/solve/reading.h"

static const char *row_name(const AtlasStudy *study, guint row) {
    guint n = study->model->stages->len;
    return row < n ? ATLAS_STAGE(study->model, row)->name : row == n ? "total" : "single steps";
}

/* "base retr, iters-2 retr": the rows of the set, but for one. */
static char *others(const AtlasStudy *study, const gboolean *failing, guint except) {
    guint n = ATLAS_READING_ROWS(study->model);
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < study->evidence->observations->len; i++)
        for (guint s = 0; s < n; s++) {
            if (!failing[i * n + s] || i * n + s == except)
                continue;
            g_string_append_printf(text, "%s%s %s", text->len ? ", " : "",
                                   atlas_evidence_get(study->evidence, i)->run->name,
                                   row_name(study, s));
        }
    return g_string_free(text, FALSE);
}

static char *contradiction(const AtlasStudy *study, const gboolean *failing, guint place,
                           const char *lag) {
    g_autofree char *rest = others(study, failing, place);
    return *rest ? g_strdup_printf("contradicts %s at lag %s", rest, lag)
                 : g_strdup_printf("cannot be explained at lag %s", lag);
}

/* One row of a run: a stage, or its stated total. `lp` is NULL where the rows contradict each
 * other. */
static void add_row(const AtlasStudy *study, guint observation, guint row, const char *lag,
                    const gboolean *failing, AtlasLp *lp, AtlasResult *result) {
    const AtlasObservation *o = atlas_evidence_get(study->evidence, observation);
    guint n = study->model->stages->len,
          place = observation * ATLAS_READING_ROWS(study->model) + row;
    const AtlasSum *sum = row < n ? &o->sums[row] : &o->total;
    if (!sum->known)
        return;
    AtlasCheck *check =
        agree_check(result, o->run, row_name(study, row), agree_mean(sum, o->steps));
    if (failing[place]) {
        check->verdict = ATLAS_FAIL;
        check->why = contradiction(study, failing, place, lag);
    } else if (lp && row < n && atlas_reading_broken(study->evidence, lp, observation, row)) {
        check->verdict = ATLAS_FAIL;
        check->why = g_strdup_printf("no whole counts explain %" G_GINT64_FORMAT
                                     " launches in %" G_GINT64_FORMAT " steps",
                                     sum->lo, o->steps);
    } else {
        check->why = g_strdup_printf("explained at lag %s", lag);
    }
}

/* The single steps of a log, where they contradict something. */
static void add_steps(const AtlasStudy *study, guint observation, const char *lag,
                      const gboolean *failing, AtlasResult *result) {
    const AtlasObservation *o = atlas_evidence_get(study->evidence, observation);
    guint rows = ATLAS_READING_ROWS(study->model), place = observation * rows + rows - 1;
    if (!failing[place])
        return;
    AtlasCheck *check = atlas_result_add(result, "count");
    g_autofree char *why = contradiction(study, failing, place, lag), *drift = agree_drift(o);
    check->subject = g_strdup_printf("%s %s", o->run->name, row_name(study, rows - 1));
    check->verdict = ATLAS_FAIL;
    check->why = g_strdup_printf("%s: %s", why, drift);
}

static void add_run(const AtlasStudy *study, guint i, const char *lag, const gboolean *failing,
                    AtlasLp *lp, AtlasResult *result) {
    const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
    if (o->excluded) {
        AtlasCheck *check = atlas_result_add(result, "count");
        check->subject = g_strdup(o->run->name);
        check->verdict = ATLAS_EXTERNAL; /* nothing is judged by it */
        check->why = g_strdup_printf("left out: %s", o->excluded);
        return;
    }
    for (guint row = 0; row <= study->model->stages->len; row++)
        add_row(study, i, row, lag, failing, lp, result);
    add_steps(study, i, lag, failing, result);
}

/* Bounds hold whole numbers, but a set of them that explains all rows was looked for in vain. */
static void add_no_point(AtlasResult *result) {
    AtlasCheck *check = atlas_result_add(result, "count");
    check->subject = g_strdup("all runs");
    check->verdict = ATLAS_INCONCLUSIVE;
    check->why = g_strdup("no whole numbers of launches were found that explain all rows");
}

void atlas_agree_runs(AtlasStudy *study, AtlasRat lag, AtlasResult *result) {
    guint rows = ATLAS_READING_ROWS(study->model), runs = study->evidence->observations->len;
    g_autofree gboolean *failing = g_new0(gboolean, runs * rows + 1);
    g_autofree char *stated = agree_number(lag);
    guint count = atlas_reading_conflicts(study->evidence, lag, failing);
    g_autoptr(AtlasLp) lp = count == 0 ? atlas_lp_new(study->system, lag) : NULL;
    if (lp && !atlas_lp_feasible(lp))
        g_clear_pointer(&lp, atlas_lp_free);
    for (guint i = 0; i < runs; i++)
        add_run(study, i, stated, failing, lp, result);
    if (study->consistent && !study->point && atlas_rat_cmp(lag, study->lag) == 0)
        add_no_point(result);
    if (count == 0)
        return;
    AtlasCheck *check = atlas_result_add(result, "lag");
    check->subject = g_strdup("all runs");
    check->verdict = ATLAS_FAIL;
    check->expected = g_strdup_printf("<= %s", stated);
    if (!isnan(study->least_lag)) {
        check->measured = g_strdup_printf("%.2f", study->least_lag);
        check->why = g_strdup("the least lag at which all rows can be explained");
    } else {
        check->why = g_strdup("no lag explains all rows");
    }
}
