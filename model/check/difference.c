#include "model/check/difference.h"

#include "model/check/agree_text.h"

/* Populations that a reason names, at most. */
enum { NAMED = 4 };

/* One of the two, as linear forms over its own window. */
typedef struct {
    const AtlasMeasurement *m;
    const AtlasRun *run;
    gint64 steps;
    AtlasLinear *populations;
} Side;

static gboolean side_open(Side *side, const AtlasModel *model, const AtlasMeasurement *m,
                          AtlasDiags *diags) {
    AtlasWalkFault fault;
    g_autoptr(AtlasConfig) config = atlas_config_read(model, &m->run->configuration, diags);
    *side = (Side){m, m->run, atlas_window_steps(m->run->window), NULL};
    if (!config)
        return FALSE;
    side->populations =
        atlas_walk_linear(config, m->run->window.first, m->run->window.last, &fault);
    if (!side->populations)
        atlas_walk_report(&fault, config, diags);
    return side->populations != NULL;
}

static const AtlasSum *sum_of(const AtlasRun *run, const char *stage) {
    const AtlasRunStage *s = atlas_run_stage(run, stage);
    return s && s->sum.known ? &s->sum : NULL;
}

/* into += population i of `after` - that of `before`, both over `steps` steps. */
static void add_difference(AtlasLinear *into, const Side *before, const Side *after, guint i,
                           gint64 steps) {
    atlas_linear_add(into, &after->populations[i], atlas_rat(steps / after->steps));
    atlas_linear_add(into, &before->populations[i], atlas_rat(-(steps / before->steps)));
}

static AtlasInterval mean_bounds(AtlasStudy *study, const AtlasLinear *form, gint64 steps) {
    AtlasInterval b = atlas_lp_interval(study->lp, form);
    b.lo = atlas_rat_div(b.lo, atlas_rat(steps));
    b.hi = atlas_rat_div(b.hi, atlas_rat(steps));
    return b;
}

/* "predicted -1064: fwd.main.kda -532, fwd.teacher.kda -532" */
static char *attribute(AtlasStudy *study, const Side *before, const Side *after, guint stage,
                       gint64 steps, const AtlasInterval *whole) {
    const AtlasModel *model = study->model;
    g_autofree char *all = atlas_interval_text(whole);
    GString *why = g_string_new(NULL);
    guint named = 0, more = 0;
    g_string_append_printf(why, "predicted %s", all);
    for (guint i = 0; i < model->populations->len; i++) {
        if (ATLAS_POPULATION(model, i)->stage != stage)
            continue;
        AtlasLinear *form = atlas_linear_new(model->unknowns->len, 1);
        add_difference(form, before, after, i, steps);
        AtlasInterval b = mean_bounds(study, form, steps);
        atlas_linear_free(form, 1);
        if (b.lo_known && b.hi_known && b.lo.num == 0 && b.hi.num == 0)
            continue;
        g_autofree char *text = atlas_interval_text(&b);
        if (named < NAMED)
            g_string_append_printf(why, "%s %s %s", named ? "," : ":",
                                   ATLAS_POPULATION(model, i)->key, text);
        named < NAMED ? named++ : more++;
    }
    if (more)
        g_string_append_printf(why, " and %u more", more);
    return g_string_free(why, FALSE);
}

/* Whether two counts can be compared at all; else says why. */
static gboolean comparable(const AtlasMeasurement *before, const AtlasMeasurement *after,
                           AtlasCheck *check) {
    AtlasCountKind a = before->run->by.counted, b = after->run->by.counted;
    char *why = NULL;
    if (before->run->by.lost > 0 || after->run->by.lost > 0)
        why = atlas_provenance_lost(before->run->by.lost > 0 ? &before->run->by : &after->run->by);
    else if (a != b && a != ATLAS_COUNT_KINDS && b != ATLAS_COUNT_KINDS)
        why = g_strdup_printf("one counted %s, the other %s", atlas_count_name(a),
                              atlas_count_name(b));
    if (why) {
        g_free(check->why);
        check->why = why;
    }
    return why == NULL;
}

static void judge_stage(AtlasStudy *study, const Side *before, const Side *after, guint stage,
                        AtlasResult *result) {
    const AtlasModel *model = study->model;
    const char *name = ATLAS_STAGE(model, stage)->name;
    const AtlasSum *a = sum_of(before->run, name), *b = sum_of(after->run, name);
    gint64 steps = atlas_lcm(before->steps, after->steps);
    if (!a || !b || steps % before->steps != 0 || steps % after->steps != 0)
        return;
    AtlasLinear *form = atlas_linear_new(model->unknowns->len, 1);
    for (guint i = 0; i < model->populations->len; i++)
        if (ATLAS_POPULATION(model, i)->stage == stage)
            add_difference(form, before, after, i, steps);
    AtlasInterval launches = mean_bounds(study, form, steps), reading = launches;
    atlas_linear_free(form, 1);
    AtlasRat slack = atlas_rat_add(atlas_measurement_lag(before->m, study->lag),
                                   atlas_measurement_lag(after->m, study->lag));
    AtlasRat measured = atlas_rat_sub(agree_mean(b, after->steps), agree_mean(a, before->steps));
    reading.lo = atlas_rat_sub(reading.lo, slack);
    reading.hi = atlas_rat_add(reading.hi, slack);
    AtlasCheck *check = atlas_result_add(result, "difference");
    check->subject = g_strdup_printf("%s - %s %s", after->run->name, before->run->name, name);
    check->asked = TRUE;
    check->measured = agree_number(measured);
    check->lo = check->hi = measured;
    check->expected = atlas_interval_text(&reading);
    check->why = attribute(study, before, after, stage, steps, &launches);
    if (!comparable(before->m, after->m, check))
        check->verdict = ATLAS_INCONCLUSIVE;
    else if (agree_outside(&reading, measured))
        check->verdict = ATLAS_FAIL;
    else if (!reading.lo_known || !reading.hi_known)
        check->verdict = ATLAS_INCONCLUSIVE;
}

void atlas_difference(AtlasStudy *study, const AtlasMeasurement *before,
                      const AtlasMeasurement *after, AtlasResult *result, AtlasDiags *diags) {
    Side a = {0}, b = {0};
    const AtlasModel *model = study->model;
    gboolean ok = side_open(&a, model, before, diags) && side_open(&b, model, after, diags);
    for (guint s = 0; ok && s < model->stages->len; s++)
        judge_stage(study, &a, &b, s, result);
    atlas_linear_free(a.populations, model->populations->len);
    atlas_linear_free(b.populations, model->populations->len);
}
