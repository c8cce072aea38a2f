#include <math.h>

#include "model/check/agree_text.h"
#include "model/solve/reading.h"

static const char *row_name(const AtlasStudy *study, guint stage) {
    return stage < study->model->stages->len ? ATLAS_STAGE(study->model, stage)->name : "total";
}

/* "base retr, iters-2 retr": the rows of the set, but for one. */
static char *others(const AtlasStudy *study, const gboolean *failing, guint except) {
    guint n = study->model->stages->len + 1;
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

static void add_row(const AtlasStudy *study, guint observation, guint stage, const char *lag,
                    const gboolean *failing, AtlasResult *result) {
    const AtlasObservation *o = atlas_evidence_get(study->evidence, observation);
    guint n = study->model->stages->len, place = observation * (n + 1) + stage;
    const AtlasSum *sum = stage < n ? &o->sums[stage] : &o->total;
    if (!sum->known)
        return;
    AtlasCheck *check =
        agree_check(result, o->run, row_name(study, stage), agree_mean(sum, o->steps));
    if (failing[place]) {
        g_autofree char *rest = others(study, failing, place);
        check->verdict = ATLAS_FAIL;
        check->why = *rest ? g_strdup_printf("contradicts %s at lag %s", rest, lag)
                           : g_strdup_printf("cannot be explained at lag %s", lag);
    } else {
        check->why = g_strdup_printf("explained at lag %s", lag);
    }
}

void atlas_agree_runs(AtlasStudy *study, AtlasRat lag, AtlasResult *result) {
    guint n = study->model->stages->len + 1, runs = study->evidence->observations->len;
    g_autofree gboolean *failing = g_new0(gboolean, runs * n + 1);
    g_autofree char *stated = agree_number(lag);
    guint count = atlas_reading_conflicts(study->evidence, lag, failing);
    for (guint i = 0; i < runs; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        for (guint s = 0; s < n && !o->excluded; s++)
            add_row(study, i, s, stated, failing, result);
        if (!o->excluded)
            continue;
        AtlasCheck *check = atlas_result_add(result, "count");
        check->subject = g_strdup(o->run->name);
        check->verdict = ATLAS_EXTERNAL; /* nothing is judged by it */
        check->lo = check->hi = ATLAS_RAT_NONE;
        check->why = g_strdup_printf("left out: %s", o->excluded);
    }
    if (count == 0)
        return;
    AtlasCheck *check = atlas_result_add(result, "lag");
    check->subject = g_strdup("all runs");
    check->verdict = ATLAS_FAIL;
    check->expected = g_strdup_printf("<= %s", stated);
    check->lo = check->hi = ATLAS_RAT_NONE;
    if (!isnan(study->least_lag)) {
        check->measured = g_strdup_printf("%.2f", study->least_lag);
        check->why = g_strdup("the least lag at which all rows can be explained");
    } else {
        check->why = g_strdup("no lag explains all rows");
    }
}
