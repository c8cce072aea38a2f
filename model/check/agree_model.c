#include <math.h>

#include "model/check/agree_arms.h"
#include "model/check/agree_steps.h"
#include "model/check/agree_text.h"
#include "model/solve/reading.h"

/* Populations that a failure names, at most. */
enum { POPULATIONS_NAMED = 4 };

typedef struct {
    AtlasStudy *study;
    const AtlasMeasurement *m;
    guint index; /* of the observation in the evidence */
    const AtlasObservation *o;
    const AtlasSystem *system; /* of all runs and this one */
    AtlasRat lag;              /* of the measurement's counter */
    double least;              /* lag that explains this run beside the others; NAN if none does */
    AtlasResult *result;
} Judge;

/* What a stage's counter can read, as a mean: its launches, one lag either way. */
static AtlasInterval expected_reading(const Judge *j, guint stage) {
    AtlasInterval b = atlas_lp_interval(j->study->lp, &j->o->stages[stage]);
    AtlasRat steps = atlas_rat(j->o->steps), lag = j->lag;
    if (j->study->model->stages->len == 1) /* only the window's two ends lag */
        lag = atlas_rat_div(lag, steps);
    b.lo = atlas_rat_sub(atlas_rat_div(b.lo, steps), lag);
    b.hi = atlas_rat_add(atlas_rat_div(b.hi, steps), lag);
    if (b.lo_known && b.lo.num < 0)
        b.lo = atlas_rat(0);
    return b;
}

/* ---- why a stage fails ---- */

/* What the least change of its count adds to a population over a window: of an unknown by one,
 * where there is one; else of the count itself, each time the item is performed. */
static gint64 unit_of(const AtlasLinear *form, gint64 times) {
    gint64 divisor = 0;
    for (guint i = 0; i < form->n; i++)
        divisor = atlas_gcd(divisor, form->coefs[i].num);
    return divisor ? divisor : times;
}

/* How often items are performed in a window. */
typedef struct {
    AtlasWindow window;
    gint64 *times; /* of each population; 0: it is not there */
} Performed;

static void add_times(const AtlasVisit *visit, gpointer data) {
    Performed *p = data;
    gint64 steps = atlas_multiples(p->window.first, p->window.last, visit->every), more;
    gint64 *times = &p->times[visit->population];
    if (__builtin_mul_overflow(visit->times, steps, &more) ||
        __builtin_add_overflow(*times, more, times))
        *times = G_MAXINT64; /* more than any change that is asked for */
}

/* The change of least size, from least to most launches over the window, that is a multiple of a
 * unit; 0 if there is none. */
static gint64 least_change(double least, double most, gint64 unit) {
    double low = ceil(least / (double)unit - 1e-6), high = floor(most / (double)unit + 1e-6);
    if (isnan(low) || isnan(high) || low > high)
        return 0;
    double best = low > 0 ? low : high < 0 ? high : 0;
    return fabs(best * (double)unit) < 1e15 ? (gint64)best * unit : 0;
}

/* Whether a population can launch that many at all. */
static gboolean can_lose(const Judge *j, const AtlasLinear *form, gint64 launches) {
    AtlasInterval b = atlas_lp_interval(j->study->lp, form);
    return !b.hi_known || atlas_rat_cmp(b.hi, atlas_rat(launches)) >= 0;
}

/* The change of each population of a stage, over the window, that would let it pass by itself. */
static gint64 *changes(const Judge *j, guint stage, double least, double most) {
    const AtlasModel *model = j->study->model;
    AtlasWalkFault fault;
    AtlasWindow w = j->m->run->window;
    gint64 *found = g_new0(gint64, model->populations->len + 1);
    Performed performed = {w, g_new0(gint64, model->populations->len + 1)};
    AtlasLinear *forms = atlas_walk_linear(j->o->config, w.first, w.last, &fault);
    gboolean walked = forms && atlas_walk(j->o->config, NULL, add_times, &performed, &fault);
    for (guint i = 0; walked && i < model->populations->len; i++) {
        if (ATLAS_POPULATION(model, i)->stage != stage || performed.times[i] == 0)
            continue;
        gint64 change = least_change(least, most, unit_of(&forms[i], performed.times[i]));
        if (change > 0 || (change < 0 && can_lose(j, &forms[i], -change)))
            found[i] = change;
    }
    if (forms)
        atlas_linear_free(forms, model->populations->len);
    g_free(performed.times);
    return found;
}

/* Appends which one population, changed by how much, would let the stage pass; the bounds are those
 * of its sum over the window. */
static void name_populations(const Judge *j, guint stage, double least, double most, GString *why) {
    const AtlasModel *model = j->study->model;
    g_autofree gint64 *found = changes(j, stage, least, most);
    gint64 best = 0;
    guint named = 0, more = 0;
    for (guint i = 0; i < model->populations->len; i++)
        if (found[i] != 0 && (best == 0 || ABS(found[i]) < ABS(best)))
            best = found[i];
    for (guint i = 0; best != 0 && i < model->populations->len; i++) {
        if (found[i] != best)
            continue;
        if (named >= POPULATIONS_NAMED) {
            more++;
            continue;
        }
        g_autofree char *change = agree_number(atlas_rat_make(best, j->o->steps));
        if (named++ == 0)
            g_string_append_printf(why, "; %s%s launches a step would pass, in ",
                                   best > 0 ? "+" : "", change);
        else
            g_string_append(why, " or ");
        g_string_append(why, ATLAS_POPULATION(model, i)->key);
    }
    if (more > 0)
        g_string_append_printf(why, " or %u more", more);
}

/* What a reading that could be right by itself should have been, beside the others, in hundredths
 * that it does not lie between. */
static char *beside_text(double lo, double hi) {
    return isnan(lo) || isnan(hi) ? NULL
                                  : g_strdup_printf("%.2f..%.2f", ceil(lo * 100 - 1e-6) / 100,
                                                    floor(hi * 100 + 1e-6) / 100);
}

/* What was counted in a step: a lag of more explains nothing. */
static double launches_of_step(const Judge *j) {
    double sum = 0;
    for (guint i = 0; i < j->study->model->stages->len; i++)
        if (j->o->sums[i].known)
            sum += atlas_rat_double(agree_mean(&j->o->sums[i], j->o->steps));
    return sum;
}

/* Why a stage's sum fails: by itself, or only together with other stages of the run; then that is
 * what was expected of it. */
static char *explain(const Judge *j, guint stage, const AtlasInterval *reading, guint conflict,
                     AtlasCheck *check) {
    AtlasRat measured = agree_mean(&j->o->sums[stage], j->o->steps);
    double got = atlas_rat_double(measured), steps = (double)j->o->steps, lo, hi;
    GString *why = g_string_new(NULL);
    if (agree_outside(reading, measured)) {
        g_autofree char *expected = atlas_interval_text(reading);
        lo = reading->lo_known ? atlas_rat_double(reading->lo) : (double)NAN;
        hi = reading->hi_known ? atlas_rat_double(reading->hi) : (double)NAN;
        g_string_append_printf(why, "the model allows %s", expected);
    } else {
        atlas_reading_bounds(j->study->evidence, j->index, stage, j->study->lag, &lo, &hi);
        lo /= steps;
        hi /= steps;
        char *beside = beside_text(lo, hi);
        g_string_append_printf(why, "beside the run's other stages the model allows %s",
                               beside ? beside : "none");
        if (beside) {
            g_free(check->expected);
            check->expected = beside;
        }
    }
    if (conflict > 1)
        g_string_append_printf(why, "; %u stages contradict together", conflict);
    if (j->study->lag.num > 0 && j->least <= launches_of_step(j) &&
        !atlas_rat_ok(j->m->run->by.lag))
        g_string_append_printf(why, "; the least lag that explains the run is %.2f", j->least);
    name_populations(j, stage, (got - hi) * steps, (got - lo) * steps, why);
    return g_string_free(why, FALSE);
}

/* ---- verdicts ---- */

static char *flows_text(const Judge *j, const double *flows, gboolean found) {
    GString *text = g_string_new("flows within the lag explain it");
    for (guint i = 0; found && i < j->study->model->stages->len; i++)
        if (!isnan(flows[i]))
            g_string_append_printf(text, "%s %s %.1f", i ? "," : ":",
                                   ATLAS_STAGE(j->study->model, i)->name, flows[i]);
    return g_string_free(text, FALSE);
}

/* Adds the check of a stage, which passes, and what its counter can read. */
static AtlasCheck *stage_check(const Judge *j, guint stage, AtlasInterval *reading) {
    const char *name = ATLAS_STAGE(j->study->model, stage)->name;
    AtlasCheck *check =
        agree_check(j->result, j->m->run, name, agree_mean(&j->o->sums[stage], j->o->steps));
    *reading = expected_reading(j, stage);
    check->expected = atlas_interval_text(reading);
    return check;
}

/* What is found of the run as a whole, before its stages. */
typedef struct {
    guint conflict;        /* stages whose sums contradict each other and the other runs */
    gboolean *failing;     /* those */
    double *flows;         /* that explain it, where `found` */
    gboolean found, steps; /* no flows explain its single steps */
    AtlasLp *lp;           /* of all runs and this one; NULL where they contradict each other */
} Found;

/* What speaks against a stage whose sum has a right value; NULL if nothing does. */
static char *against(const Judge *j, guint stage, const Found *f, const GArray *wrong) {
    if (f->lp && atlas_reading_broken(j->study->evidence, f->lp, j->index, stage))
        return g_strdup("no whole counts explain it");
    if (wrong->len == 0)
        return NULL;
    return g_strdup(j->lag.num > 0 ? "no flows within the lag explain single steps"
                                   : "the sum agrees, single steps do not");
}

static void judge_stage(const Judge *j, guint stage, const Found *f, guint *wrong_stages) {
    const AtlasRunStage *measured =
        atlas_run_stage(j->m->run, ATLAS_STAGE(j->study->model, stage)->name);
    AtlasInterval reading;
    AtlasCheck *check = stage_check(j, stage, &reading);
    g_autoptr(GArray) wrong = agree_wrong_steps(j->study, j->o, stage, j->lag);
    gboolean sum = f->failing[stage] || agree_outside(&reading, check->lo);
    g_autofree char *why =
        sum ? explain(j, stage, &reading, f->conflict, check) : against(j, stage, f, wrong);
    if (why) {
        g_autofree char *steps = agree_steps(wrong);
        check->verdict = ATLAS_FAIL;
        check->why = wrong->len ? g_strdup_printf("step %s: %s", steps, why) : g_strdup(why);
        (*wrong_stages)++;
    } else if (!reading.lo_known || !reading.hi_known) {
        check->verdict = ATLAS_INCONCLUSIVE;
        check->why = g_strdup("no run bounds this stage under this configuration");
    } else if (j->lag.num > 0) {
        check->why = flows_text(j, f->flows, f->found);
    } else {
        check->why = g_strdup(measured && measured->counts &&
                                      !atlas_steps_vary(j->study->model, &j->o->stages[stage])
                                  ? "every warm step agrees"
                                  : "the sum over its steps agrees");
    }
}

/* Single steps of which none is wrong by itself, or the stages that are do not explain it. */
static void judge_steps(const Judge *j) {
    char text[64];
    g_autofree char *drift = agree_drift(j->o);
    AtlasCheck *check = atlas_result_add(j->result, "count");
    check->subject = g_strdup_printf("%s single steps", j->m->run->name);
    check->verdict = ATLAS_FAIL;
    atlas_rat_format(j->lag, 6, text, sizeof text);
    check->why = j->lag.num > 0
                     ? g_strdup_printf("no flows within lag %s explain them: %s", text, drift)
                     : g_strdup("each can be, but no values of the unknowns launch them all");
}

/* Counts that are lower bounds: too many is too many all the same. */
static void judge_lost(const Judge *j) {
    for (guint i = 0; i < j->study->model->stages->len; i++) {
        AtlasInterval reading;
        if (!j->o->sums[i].known)
            continue;
        AtlasCheck *check = stage_check(j, i, &reading);
        g_autoptr(GArray) wrong = agree_wrong_steps(j->study, j->o, i, j->lag);
        gboolean over = reading.hi_known && atlas_rat_cmp(check->lo, reading.hi) > 0;
        g_autofree char *steps = agree_steps(wrong);
        check->verdict = over || wrong->len ? ATLAS_FAIL : ATLAS_INCONCLUSIVE;
        check->why = wrong->len ? g_strdup_printf("step %s: more than the model allows, though %s",
                                                  steps, j->o->excluded)
                     : over
                         ? g_strdup_printf("more than the model allows, though %s", j->o->excluded)
                         : g_strdup(j->o->excluded);
        agree_mark_least(check);
    }
}

/* Stages of a trace that has neither a range of them nor a launch in them: that they launch nothing
 * is only known of those that the model says it of. Logs and tables say it themselves. */
static void judge_absent(const Judge *j) {
    for (guint i = 0; j->m->run->log && i < j->study->model->stages->len; i++) {
        const char *name = ATLAS_STAGE(j->study->model, i)->name;
        AtlasInterval most = atlas_lp_interval(j->study->lp, &j->o->stages[i]);
        if (atlas_run_stage(j->m->run, name) || (most.hi_known && most.hi.num == 0))
            continue;
        AtlasCheck *check = atlas_result_add(j->result, "count");
        AtlasInterval reading = expected_reading(j, i);
        check->subject = g_strdup_printf("%s %s", j->m->run->name, name);
        check->verdict = ATLAS_INCONCLUSIVE;
        check->expected = atlas_interval_text(&reading);
        check->why = g_strdup_printf("no range is this stage, and no launch is of it: "
                                     "--stage-map 'REGEX=%s' says what is",
                                     name);
    }
}

/* The run beside all others, solved once. */
static void find_out(const Judge *j, Found *f) {
    AtlasEvidence *evidence = j->study->evidence;
    f->conflict = atlas_reading_conflict(evidence, j->index, j->study->lag, f->failing);
    f->steps =
        f->conflict == 0 && j->o->by_steps && !atlas_reading_explicable(evidence, j->study->lag);
    f->found = f->conflict == 0 && !f->steps &&
               atlas_reading_flows(evidence, j->index, j->study->lag, f->flows);
    f->lp = f->conflict == 0 && !f->steps ? atlas_lp_new(j->system, j->study->lag) : NULL;
    if (f->lp && !atlas_lp_feasible(f->lp))
        g_clear_pointer(&f->lp, atlas_lp_free);
}

static void judge(const Judge *j) {
    guint n = j->study->model->stages->len, wrong = 0;
    g_autofree gboolean *failing = g_new0(gboolean, n + 1);
    g_autofree double *flows = g_new0(double, n + 1);
    gboolean any = FALSE;
    Found found = {0, failing, flows, FALSE, FALSE, NULL};
    find_out(j, &found);
    for (guint i = 0; i < n; i++) {
        if (!j->o->sums[i].known)
            continue;
        any = TRUE;
        judge_stage(j, i, &found, &wrong);
    }
    if (found.steps && wrong == 0)
        judge_steps(j);
    atlas_lp_free(found.lp);
    if (any || !j->o->total.known)
        return;
    AtlasCheck *check =
        agree_check(j->result, j->m->run, "total", agree_mean(&j->o->total, j->o->steps));
    gboolean agrees = j->least <= atlas_rat_double(j->study->lag) + 1e-6;
    check->verdict = agrees ? ATLAS_PASS : ATLAS_FAIL;
    check->why =
        g_strdup_printf(agrees ? "the window's two ends explain it (least lag of all runs %.2f)"
                               : "the least lag that explains it is %.2f",
                        j->least);
}

void atlas_agree_model(AtlasStudy *study, const AtlasMeasurement *m, AtlasResult *result,
                       AtlasDiags *diags) {
    if (!atlas_evidence_add(study->evidence, m->run, diags))
        return;
    guint index = study->evidence->observations->len - 1;
    g_autoptr(AtlasSystem) system = atlas_system_new(study->evidence, -1);
    const AtlasObservation *o = atlas_evidence_get(study->evidence, index);
    Judge j = {
        study, m, index, o, system, atlas_measurement_lag(m, study->lag), atlas_least_lag(system),
        result};
    gboolean lost = o->excluded && o->stages && m->run->by.lost > 0;
    if (lost) {
        judge_lost(&j);
    } else if (!o->excluded) {
        judge(&j);
    } else {
        AtlasCheck *check = atlas_result_add(result, "count");
        check->subject = g_strdup(m->run->name);
        check->verdict = ATLAS_INCONCLUSIVE;
        check->why = g_strdup(o->excluded);
    }
    if ((lost || !o->excluded) && !m->untold) {
        judge_absent(&j);
        agree_arms(study, m, o, result);
    }
    atlas_evidence_drop_last(study->evidence);
}
