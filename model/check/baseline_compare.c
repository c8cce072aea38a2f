#include <math.h>
#include <string.h>

#include "model/check/agree_text.h"
#include "model/check/baseline.h"

/* One measurement beside the run of the baseline that it is compared with. */
typedef struct {
    const AtlasMeasurement *m;
    const AtlasBaselineRun *base;
    AtlasRat lag; /* of both counters together */
    AtlasResult *result;
} Pair;

/* "baseline:12": there is only one. */
static char *place_of(AtlasSpan at) {
    guint line, column;
    atlas_source_position(at.source, at.start, &line, &column);
    return g_strdup_printf("baseline:%u", line);
}

/* Adds a check, which is inconclusive. */
static AtlasCheck *add_check(AtlasResult *result, const char *run, const char *what, AtlasSpan at) {
    AtlasCheck *check = atlas_result_add(result, "baseline");
    check->subject = what ? g_strdup_printf("%s %s", run, what) : g_strdup(run);
    check->place = at.source ? place_of(at) : NULL;
    check->verdict = ATLAS_INCONCLUSIVE;
    return check;
}

/* ---- whether two runs can be compared ---- */

/* Adds a check where the two values of something that must be the same are not; NULL: not said. */
static gboolean same(const Pair *p, const char *what, const char *now, const AtlasText *then) {
    AtlasSpan at = then->text ? then->at : p->base->run.at;
    if (g_strcmp0(now, then->text) == 0)
        return TRUE;
    AtlasCheck *check = add_check(p->result, p->m->run->name, what, at);
    check->measured = g_strdup(now ? now : "not said");
    check->expected = g_strdup(then->text ? then->text : "not said");
    check->why = g_strdup(!now          ? "the baseline says it, the measurement does not"
                          : !then->text ? "the measurement says it, the baseline does not"
                                        : "not what the baseline has: counts of the two cannot be "
                                          "compared");
    return FALSE;
}

static const AtlasText *baseline_about(const AtlasBaselineRun *base, const char *key) {
    static const AtlasText none = {NULL, {NULL, 0, 0}};
    for (guint i = 0; base->about && i < base->about->len; i++) {
        const AtlasPair *pair = &g_array_index(base->about, AtlasPair, i);
        if (g_str_equal(pair->key.text, key))
            return &pair->value;
    }
    return &none;
}

static gboolean is_note(const char *key) {
    return g_str_has_prefix(key, "note");
}

/* Everything that is said on either side. */
static gboolean same_about(const Pair *p) {
    const AtlasProvenance *by = &p->m->run->by;
    gboolean all = TRUE;
    for (guint i = 0; i < by->about->len; i++) {
        const AtlasAbout *about = &g_array_index(by->about, AtlasAbout, i);
        if (!is_note(about->key))
            all = same(p, about->key, about->value, baseline_about(p->base, about->key)) && all;
    }
    for (guint i = 0; p->base->about && i < p->base->about->len; i++) {
        const AtlasPair *pair = &g_array_index(p->base->about, AtlasPair, i);
        g_autofree char *now = atlas_provenance_get(by, pair->key.text);
        if (!now && !is_note(pair->key.text))
            all = same(p, pair->key.text, NULL, &pair->value) && all;
    }
    return all;
}

static gboolean comparable(const Pair *p) {
    const AtlasRun *run = p->m->run;
    const char *recipe = *run->recipe.text ? run->recipe.text : NULL;
    g_autofree char *steps = atlas_baseline_steps(run);
    gboolean all = same(p, "steps", steps, &p->base->steps);
    all = same(p, "source", p->m->source, &p->base->source) && all;
    all = same(p, "recipe", recipe, &p->base->recipe) && all;
    all = same(p, "counted", atlas_count_name(run->by.counted), &p->base->counted) && all;
    return same_about(p) && all;
}

/* ---- launches ---- */

static char *change_text(AtlasRat sum, gint64 steps) {
    AtlasRat mean = atlas_rat_div(sum, atlas_rat(steps));
    g_autofree char *number = agree_number(mean);
    return g_strdup_printf("%s%s a step", mean.num > 0 ? "+" : "", number);
}

/* Judges a stage, or the total, by its sums; `slack` is what the counters' lags explain of
 * their difference. */
static void judge(AtlasCheck *check, const AtlasSum *now, const AtlasSum *then, AtlasRat slack,
                  gint64 steps) {
    AtlasRat least = atlas_rat_sub(atlas_rat(now->lo), atlas_rat(then->hi));
    AtlasRat most = atlas_rat_sub(atlas_rat(now->hi), atlas_rat(then->lo));
    AtlasRat negative = atlas_rat_sub(atlas_rat(0), slack);
    const char *beyond = slack.num > 0 ? ", beyond what both counters' lags explain" : "";
    check->verdict = ATLAS_PASS;
    if (!atlas_rat_ok(slack)) {
        check->verdict = ATLAS_INCONCLUSIVE;
        check->why = g_strdup("the counters' lags are no numbers that fit");
    } else if (atlas_rat_cmp(least, slack) > 0) {
        g_autofree char *by = change_text(least, steps);
        check->verdict = ATLAS_FAIL;
        check->why = g_strdup_printf("%s against the baseline%s", by, beyond);
    } else if (atlas_rat_cmp(most, slack) > 0) {
        check->verdict = ATLAS_INCONCLUSIVE;
        check->why = g_strdup("means are rounded too coarsely to tell");
    } else if (atlas_rat_cmp(most, negative) < 0) {
        g_autofree char *by = change_text(most, steps);
        check->asked = TRUE;
        check->why =
            g_strdup_printf("%s against the baseline%s; a new baseline holds it there", by, beyond);
    } else {
        check->why = g_strdup(slack.num > 0 ? "within both counters' lags of the baseline"
                                            : "as in the baseline");
    }
}

static void compare_sums(const Pair *p, const char *stage, const AtlasSum *now,
                         const AtlasSum *then, AtlasSpan at, AtlasRat slack) {
    gint64 steps = atlas_window_steps(p->m->run->window);
    AtlasCheck *check = add_check(p->result, p->m->run->name, stage, at);
    g_autofree char *most = then->known ? agree_number(agree_mean(then, steps)) : NULL;
    check->expected = most ? g_strdup_printf("<= %s", most) : NULL;
    if (!now->known || !then->known) {
        check->why = g_strdup(now->known ? "the baseline does not have it" : "it was not measured");
        return;
    }
    check->lo = atlas_rat_make(now->lo, steps);
    check->hi = atlas_rat_make(now->hi, steps);
    const AtlasRunStage *measured = atlas_run_stage(p->m->run, stage);
    check->ms = measured ? measured->ms : (double)NAN;
    check->measured = agree_number(agree_mean(now, steps));
    judge(check, now, then, slack, steps);
    if (p->m->run->by.lost == 0)
        return;
    agree_mark_least(check);
    if (check->verdict == ATLAS_FAIL)
        return;
    check->verdict = ATLAS_INCONCLUSIVE;
    check->asked = FALSE;
    g_free(check->why);
    check->why = atlas_provenance_lost(&p->m->run->by);
}

/* What the baseline has of a stage; `at` is set where it has something. */
static AtlasSum baseline_sum(const AtlasBaselineRun *base, const char *stage, AtlasSpan *at) {
    for (guint i = 0; i < base->launches->len; i++) {
        const AtlasPair *pair = &g_array_index(base->launches, AtlasPair, i);
        if (!g_str_equal(pair->key.text, stage))
            continue;
        *at = pair->value.at;
        return atlas_baseline_sum(pair->value.text);
    }
    return (AtlasSum){.known = FALSE};
}

/* The stated total, or the sum of all that the baseline has. */
static AtlasSum baseline_total(const AtlasBaselineRun *base, AtlasSpan *at) {
    AtlasSum total = baseline_sum(base, "total", at);
    if (total.known || base->launches->len == 0)
        return total;
    total = (AtlasSum){TRUE, 0, 0, {NULL, 0, 0}};
    for (guint i = 0; i < base->launches->len; i++) {
        AtlasSum sum = atlas_baseline_sum(g_array_index(base->launches, AtlasPair, i).value.text);
        atlas_sum_add(&total, &sum);
    }
    return total;
}

/* The stages in the order of the run, then those that only the baseline has. Returns how many
 * both have; `missing` is set where one lacks a stage of the other. */
static guint compare_stages(const Pair *p, guint n_stages, gboolean *missing) {
    const AtlasRun *run = p->m->run;
    gint64 steps = atlas_window_steps(run->window);
    AtlasRat slack = atlas_rat_mul(p->lag, atlas_rat(n_stages == 1 ? 1 : steps));
    AtlasSum unknown = {.known = FALSE};
    guint both = 0;
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        AtlasSpan at = p->base->run.at;
        AtlasSum then = baseline_sum(p->base, stage->name, &at);
        if (stage->sum.known || then.known)
            compare_sums(p, stage->name, &stage->sum, &then, at, slack);
        both += stage->sum.known && then.known;
        *missing |= stage->sum.known != then.known;
    }
    for (guint i = 0; i < p->base->launches->len; i++) {
        const AtlasPair *pair = &g_array_index(p->base->launches, AtlasPair, i);
        AtlasSum then = atlas_baseline_sum(pair->value.text);
        if (atlas_run_stage(run, pair->key.text) || g_str_equal(pair->key.text, "total"))
            continue;
        compare_sums(p, pair->key.text, &unknown, &then, pair->value.at, slack);
        *missing = TRUE;
    }
    return both;
}

static void compare_run(const Pair *p, guint n_stages) {
    AtlasSpan at = p->base->run.at;
    gboolean missing = FALSE;
    if (!comparable(p))
        return;
    guint both = compare_stages(p, n_stages, &missing);
    AtlasSum now = atlas_measurement_total(p->m), then = baseline_total(p->base, &at);
    /* An exact total says no more than its stages, and that of some of them is none. */
    gboolean more = n_stages > 1 && both == n_stages && p->lag.num > 0;
    if (now.known && then.known && !missing && (both == 0 || more))
        compare_sums(p, "total", &now, &then, at, p->lag);
}

/* ---- which runs ---- */

/* The runs of a baseline under a model. */
typedef struct {
    const AtlasBaseline *baseline;
    char **configurations; /* of each run, equal ones alike */
} Baselines;

/* The configurations of all runs. NULL, with problems at their places, where the model lacks one.
 */
static char **configurations(const AtlasBaseline *baseline, const AtlasModel *model,
                             AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    g_auto(GStrv) all = g_new0(char *, baseline->runs->len + 1);
    for (guint i = 0; i < baseline->runs->len; i++) {
        const AtlasBaselineRun *run = g_ptr_array_index(baseline->runs, i);
        char *one = atlas_baseline_configuration(model, &run->configuration, diags);
        all[i] = one ? one : g_strdup("");
    }
    return atlas_diags_errors(diags) == before ? g_steal_pointer(&all) : NULL;
}

/* That of its configuration, or of its name among several; NULL where that is not to be told. */
static const AtlasBaselineRun *find(const Baselines *b, const char *configuration, const char *name,
                                    guint *of_configuration) {
    const AtlasBaselineRun *found = NULL, *named = NULL;
    *of_configuration = 0;
    for (guint i = 0; i < b->baseline->runs->len; i++) {
        const AtlasBaselineRun *run = g_ptr_array_index(b->baseline->runs, i);
        if (!g_str_equal(b->configurations[i], configuration))
            continue;
        (*of_configuration)++;
        found = run;
        if (g_str_equal(run->run.text, name))
            named = run;
    }
    return named ? named : *of_configuration == 1 ? found : NULL;
}

void atlas_baseline_compare(const AtlasBaseline *baseline, const AtlasMeasured *measured,
                            AtlasResult *result, AtlasDiags *diags) {
    g_autoptr(GHashTable) used = g_hash_table_new(NULL, NULL);
    g_auto(GStrv) known = configurations(baseline, measured->model, diags);
    Baselines all = {baseline, known};
    if (!known)
        return;
    for (guint i = 0; i < measured->measurements->list->len; i++) {
        const AtlasMeasurement *m = g_ptr_array_index(measured->measurements->list, i);
        g_autofree char *configuration =
            atlas_baseline_configuration(measured->model, &m->run->configuration, diags);
        guint count;
        if (!configuration)
            continue;
        Pair pair = {m, find(&all, configuration, m->run->name, &count), ATLAS_RAT_NONE, result};
        if (!pair.base) {
            AtlasCheck *check = add_check(result, m->run->name, NULL, (AtlasSpan){NULL, 0, 0});
            check->why =
                count ? g_strdup_printf("the baseline has %u runs of '%s', none of this name",
                                        count, configuration)
                      : g_strdup_printf("the baseline has no run of '%s'", configuration);
            continue;
        }
        g_hash_table_add(used, (gpointer)pair.base);
        pair.lag =
            atlas_rat_add(atlas_measurement_lag(m, measured->lag),
                          atlas_rat_parse(pair.base->lag.text, strlen(pair.base->lag.text), NULL));
        compare_run(&pair, measured->model->stages->len);
    }
    for (guint i = 0; i < baseline->runs->len; i++) {
        const AtlasBaselineRun *run = g_ptr_array_index(baseline->runs, i);
        if (g_hash_table_contains(used, run))
            continue;
        AtlasCheck *check = add_check(result, run->run.text, NULL, run->run.at);
        check->why =
            g_strdup_printf("'%s' of the baseline was not measured", run->configuration.text);
    }
}
