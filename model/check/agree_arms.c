#include "model/check/agree_arms.h"

#include "model/check/agree_text.h"

typedef struct {
    AtlasStudy *study;
    const AtlasMeasurement *m;
    const AtlasObservation *o;
    AtlasLinear *on;   /* launches of each population over the window */
    AtlasLinear **off; /* the same with each arm off, NULL where it is not asked for */
    AtlasResult *result;
} Arms;

/* What the model says of an arm's launches in a stage, summed over the window. */
typedef struct {
    AtlasInterval sum;
    const char *partly; /* key of a population that the arm changes without switching it; or NULL */
} Expected;

static gboolean is_zero(const AtlasLinear *form) {
    gboolean zero = form->constant.num == 0;
    for (guint i = 0; i < form->n; i++)
        zero &= form->coefs[i].num == 0;
    return zero;
}

static gboolean is_of(const Arms *a, guint arm, guint population) {
    return !is_zero(&a->on[population]) && is_zero(&a->off[arm][population]);
}

/* Whether another arm that was counted has it, too. */
static gboolean is_shared(const Arms *a, guint arm, guint population) {
    for (guint i = 0; i < a->study->model->arms->len; i++)
        if (i != arm && a->off[i] && is_of(a, i, population))
            return TRUE;
    return FALSE;
}

static Expected expect(const Arms *a, guint stage, guint arm) {
    const AtlasModel *model = a->study->model;
    guint unknowns = model->unknowns->len;
    AtlasLinear *least = atlas_linear_new(unknowns, 1), *most = atlas_linear_new(unknowns, 1);
    Expected expected = {.partly = NULL};
    for (guint i = 0; i < model->populations->len; i++) {
        const AtlasPopulation *population = ATLAS_POPULATION(model, i);
        if (population->stage != stage || atlas_linear_equal(&a->on[i], &a->off[arm][i]))
            continue;
        if (!is_of(a, arm, i)) {
            expected.partly = population->key;
            continue;
        }
        atlas_linear_add(most, &a->on[i], atlas_rat(1));
        if (!is_shared(a, arm, i))
            atlas_linear_add(least, &a->on[i], atlas_rat(1));
    }
    AtlasInterval low = atlas_lp_interval(a->study->lp, least);
    expected.sum = atlas_lp_interval(a->study->lp, most);
    expected.sum.lo = low.lo;
    expected.sum.lo_known = low.lo_known;
    atlas_linear_free(least, 1);
    atlas_linear_free(most, 1);
    return expected;
}

static void judge(const Arms *a, const AtlasArmCount *count, const Expected *expected,
                  AtlasCheck *check) {
    AtlasRat steps = atlas_rat(a->o->steps);
    AtlasInterval mean = expected->sum;
    mean.lo = atlas_rat_div(mean.lo, steps);
    mean.hi = atlas_rat_div(mean.hi, steps);
    g_autofree char *text = atlas_interval_text(&mean);
    gboolean over = mean.hi_known && atlas_rat_cmp(check->lo, mean.hi) > 0;
    check->verdict = ATLAS_INCONCLUSIVE;
    if (expected->partly) {
        check->why =
            g_strdup_printf("the spec does not tell which of %s are of the arm", expected->partly);
        return;
    }
    check->expected = g_strdup(text);
    if (count->untold) {
        check->why = g_strdup(count->untold);
    } else if (a->m->run->by.lost > 0) {
        check->verdict = over ? ATLAS_FAIL : ATLAS_INCONCLUSIVE;
        check->why = over ? g_strdup_printf("the model allows %s, though records were lost", text)
                          : g_strdup("records were lost: counts are lower bounds");
        agree_mark_least(check);
    } else if (agree_outside(&mean, check->lo)) {
        check->verdict = ATLAS_FAIL;
        check->why = g_strdup_printf("launches a step of arm %s, by --arm-map; the model allows %s",
                                     count->arm, text);
    } else if (!mean.lo_known || !mean.hi_known) {
        check->why = g_strdup("no run bounds this arm under this configuration");
    } else {
        check->verdict = ATLAS_PASS;
        check->why = g_strdup_printf("launches a step of arm %s, by --arm-map", count->arm);
    }
}

/* What neither was seen nor should have been is nothing to say. */
static void add_check(const Arms *a, const AtlasArmCount *count, guint stage, guint arm) {
    Expected expected = expect(a, stage, arm);
    gboolean none = !expected.partly && expected.sum.hi_known && expected.sum.hi.num == 0;
    if (count->sum == 0 && none)
        return;
    AtlasCheck *check = atlas_result_add(a->result, "arm");
    check->subject = g_strdup_printf("%s %s %s", a->m->run->name, count->stage, count->arm);
    check->place = g_strdup("arm");
    check->asked = TRUE;
    check->lo = check->hi = atlas_rat_make(count->sum, a->o->steps);
    check->measured = agree_number(check->lo);
    judge(a, count, &expected, check);
}

/* The populations' launches with an arm off; NULL where that makes no sense. */
static AtlasLinear *without(const Arms *a, guint arm) {
    AtlasWindow w = a->m->run->window;
    AtlasWalkFault fault;
    g_autoptr(AtlasConfig) off = atlas_config_copy(a->o->config);
    atlas_config_put(off, TRUE, arm, FALSE);
    return atlas_walk_linear(off, w.first, w.last, &fault);
}

void agree_arms(AtlasStudy *study, const AtlasMeasurement *m, const AtlasObservation *o,
                AtlasResult *result) {
    const AtlasModel *model = study->model;
    guint populations = model->populations->len;
    AtlasWindow w = m->run->window;
    AtlasWalkFault fault;
    if (m->arms->len == 0)
        return;
    Arms a = {study,
              m,
              o,
              atlas_walk_linear(o->config, w.first, w.last, &fault),
              g_new0(AtlasLinear *, model->arms->len + 1),
              result};
    for (guint i = 0; a.on && i < m->arms->len; i++) {
        const AtlasArmCount *count = &g_array_index(m->arms, AtlasArmCount, i);
        int arm = atlas_model_find_arm(model, count->arm);
        if (!a.off[arm])
            a.off[arm] = without(&a, (guint)arm);
    }
    for (guint i = 0; a.on && i < m->arms->len; i++) {
        const AtlasArmCount *count = &g_array_index(m->arms, AtlasArmCount, i);
        int arm = atlas_model_find_arm(model, count->arm);
        int stage = atlas_model_find_stage(model, count->stage);
        if (a.off[arm] && atlas_run_stage(m->run, count->stage))
            add_check(&a, count, (guint)stage, (guint)arm);
    }
    for (guint i = 0; i < model->arms->len; i++)
        if (a.off[i])
            atlas_linear_free(a.off[i], populations);
    if (a.on)
        atlas_linear_free(a.on, populations);
    g_free(a.off);
}
