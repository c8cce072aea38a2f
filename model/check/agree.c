#include "model/check/agree.h"

#include "model/check/agree_text.h"

static gint64 count_at(const AtlasRun *run, const AtlasRunStage *stage, gint64 step) {
    return g_array_index(stage->counts, gint64, step - run->log_first);
}

/* Compares every step of one stage with its expected count; an exact counter. */
static void exact_stage(const AtlasMeasurement *m, const AtlasRunStage *stage,
                        const gint64 *expected, AtlasResult *result) {
    gint64 steps = atlas_window_steps(m->run->window), sum = 0;
    gboolean lost = m->run->by.lost > 0;
    g_autoptr(GArray) wrong = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 first_got = 0, first_expected = 0;
    for (gint64 i = 0; i < steps; i++) {
        gint64 step = m->run->window.first + i, got = count_at(m->run, stage, step);
        sum += expected[i];
        if (got == expected[i] || (lost && got < expected[i]))
            continue;
        if (wrong->len == 0) {
            first_got = got;
            first_expected = expected[i];
        }
        g_array_append_val(wrong, step);
    }
    AtlasCheck *check = agree_check(result, m->run, stage->name, agree_mean(&stage->sum, steps));
    check->expected = agree_number(atlas_rat_make(sum, steps));
    if (lost)
        agree_mark_least(check);
    if (wrong->len == 0) {
        check->verdict = lost ? ATLAS_INCONCLUSIVE : ATLAS_PASS;
        check->why = lost ? atlas_provenance_lost(&m->run->by)
                          : g_strdup("every step launches what the program says");
        return;
    }
    g_autofree char *named = agree_steps(wrong);
    check->verdict = ATLAS_FAIL;
    check->why =
        g_strdup_printf("step %s: %" G_GINT64_FORMAT " launches, not %" G_GINT64_FORMAT "%s", named,
                        first_got, first_expected, wrong->len > 1 ? " (the first of them)" : "");
}

/* With a lagging counter, what is enqueued and not yet counted can be followed from reading to
 * reading: launches so far minus counts so far, but for where it starts. */
typedef struct {
    gint64 least, most; /* of launches so far minus counts so far */
    guint least_stage, most_stage;
    gint64 least_step, most_step;
    gint64 fall; /* from a place to a later one, at most: more was counted than was launched */
} Drift;

static Drift drift_of(const AtlasMeasurement *m, const gint64 *expected) {
    gint64 steps = atlas_window_steps(m->run->window), at = 0;
    Drift d = {0, 0, 0, 0, m->run->window.first, m->run->window.first, 0};
    for (gint64 i = 0; i < steps; i++)
        for (guint s = 0; s < m->run->stages->len; s++) {
            const AtlasRunStage *stage = &g_array_index(m->run->stages, AtlasRunStage, s);
            gint64 step = m->run->window.first + i;
            at += expected[s * steps + i] - count_at(m->run, stage, step);
            if (at < d.least) {
                d.least = at;
                d.least_stage = s;
                d.least_step = step;
            }
            if (at > d.most) {
                d.most = at;
                d.most_stage = s;
                d.most_step = step;
            }
            d.fall = MAX(d.fall, d.most - at);
        }
    return d;
}

static void lagging_program(const AtlasMeasurement *m, const gint64 *expected, AtlasRat lag,
                            AtlasResult *result) {
    gint64 steps = atlas_window_steps(m->run->window);
    Drift d = drift_of(m, expected);
    gboolean lost = m->run->by.lost > 0;
    gint64 least_lag = lost ? d.fall : d.most - d.least;
    gboolean explained = atlas_rat_cmp(atlas_rat(least_lag), lag) <= 0;
    g_autofree char *stated = agree_number(lag);
    for (guint s = 0; s < m->run->stages->len; s++) {
        const AtlasRunStage *stage = &g_array_index(m->run->stages, AtlasRunStage, s);
        gint64 sum = 0;
        for (gint64 i = 0; i < steps; i++)
            sum += expected[s * steps + i];
        AtlasCheck *check =
            agree_check(result, m->run, stage->name, agree_mean(&stage->sum, steps));
        check->expected = agree_number(atlas_rat_make(sum, steps));
        if (lost)
            agree_mark_least(check);
        /* What drifts too far does so between the two readings furthest apart. */
        if (!explained && (s == d.least_stage || s == d.most_stage))
            check->verdict = ATLAS_FAIL;
        if (explained && lost) {
            check->verdict = ATLAS_INCONCLUSIVE;
            check->why = atlas_provenance_lost(&m->run->by);
            continue;
        }
        check->why = g_strdup_printf(
            explained ? "flows within lag %s explain every step (least lag %" G_GINT64_FORMAT ")"
                      : "no flows within lag %s explain all steps; the least lag that does is "
                        "%" G_GINT64_FORMAT,
            stated, least_lag);
    }
}

void atlas_agree_program(const AtlasMeasurement *m, const gint64 *expected, AtlasRat lag,
                         AtlasResult *result) {
    gint64 steps = atlas_window_steps(m->run->window);
    if (lag.num > 0) {
        lagging_program(m, expected, lag, result);
        return;
    }
    for (guint s = 0; s < m->run->stages->len; s++)
        exact_stage(m, &g_array_index(m->run->stages, AtlasRunStage, s), expected + s * steps,
                    result);
}

void atlas_agree_findings(const AtlasMeasurement *m, AtlasResult *result) {
    static const AtlasVerdict verdicts[] = {[ATLAS_FOUND_RIGHT] = ATLAS_PASS,
                                            [ATLAS_FOUND_WRONG] = ATLAS_FAIL,
                                            [ATLAS_FOUND_OPEN] = ATLAS_INCONCLUSIVE};
    for (guint i = 0; i < m->findings->len; i++) {
        const AtlasFinding *finding = g_ptr_array_index(m->findings, i);
        AtlasCheck *check = atlas_result_add(result, finding->property);
        check->subject = g_strdup(finding->subject ? finding->subject : m->run->name);
        check->place = g_strdup(finding->property);
        check->verdict = verdicts[finding->found];
        check->expected = g_strdup(finding->expected);
        check->measured = g_strdup(finding->measured);
        check->lo = check->hi = finding->number;
        check->ms = finding->ms;
        check->why = g_strdup(finding->why);
        check->asked = finding->asked;
    }
}
