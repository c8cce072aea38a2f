/* The next run: no run within reach narrows more, by trying them all on small specs. */
#include <string.h>

#include "model/solve/next.h"
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

/* Bounds of the populations of a configuration, over one period. */
typedef struct {
    AtlasInterval *populations;
    AtlasSpread spread;
} Bounds;

static Bounds bounds_of(const AtlasEvidence *evidence, const AtlasConfig *config, AtlasRat lag) {
    AtlasWalkFault fault;
    guint n = config->model->populations->len;
    gint64 period = atlas_walk_period(config, &fault);
    AtlasLinear *forms = atlas_walk_linear(config, 0, period - 1, &fault);
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, lag);
    Bounds bounds = {g_new(AtlasInterval, n), {0, atlas_rat(0)}};
    for (guint i = 0; i < n; i++) {
        AtlasInterval *b = &bounds.populations[i];
        *b = atlas_lp_interval(lp, &forms[i]);
        if (!b->lo_known || !b->hi_known)
            bounds.spread.unbounded++;
        else
            bounds.spread.width = atlas_rat_add(
                bounds.spread.width, atlas_rat_div(atlas_rat_sub(b->hi, b->lo), atlas_rat(period)));
    }
    atlas_linear_free(forms, n);
    return bounds;
}

static int compare(const AtlasSpread *a, const AtlasSpread *b) {
    if (a->unbounded != b->unbounded)
        return a->unbounded < b->unbounded ? -1 : 1;
    return atlas_rat_cmp(a->width, b->width);
}

/* ---- every configuration ---- */

/* The next one in the order of counting; FALSE behind the last. */
static gboolean count_up(AtlasConfig *config) {
    const AtlasModel *model = config->model;
    for (guint i = 0; i < model->params->len; i++) {
        if (config->params[i] < ATLAS_PARAM(model, i)->high) {
            atlas_config_put(config, FALSE, i, config->params[i] + 1);
            return TRUE;
        }
        atlas_config_put(config, FALSE, i, ATLAS_PARAM(model, i)->low);
    }
    for (guint i = 0; i < model->arms->len; i++) {
        atlas_config_put(config, TRUE, i, !config->switches[i]);
        if (config->switches[i])
            return TRUE;
    }
    return FALSE;
}

static AtlasConfig *first_config(const AtlasModel *model) {
    AtlasConfig *config = atlas_config_new(model);
    for (guint i = 0; i < model->params->len; i++)
        atlas_config_put(config, FALSE, i, ATLAS_PARAM(model, i)->low);
    for (guint i = 0; i < model->arms->len; i++)
        atlas_config_put(config, TRUE, i, 0);
    return config;
}

static guint distance(const AtlasConfig *a, const AtlasConfig *b) {
    guint settings = 0;
    for (guint i = 0; i < a->model->params->len; i++)
        settings += a->params[i] != b->params[i];
    for (guint i = 0; i < a->model->arms->len; i++)
        settings += a->switches[i] != b->switches[i];
    return settings;
}

/* The settings to the nearest run; 0 if it was measured. */
static guint nearest(const AtlasEvidence *evidence, const AtlasConfig *config) {
    guint least = G_MAXUINT;
    for (guint i = 0; i < evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(evidence, i);
        least = MIN(least, distance(o->config, config));
        if (atlas_config_equal(o->config, config))
            return 0;
    }
    return least;
}

/* Tries every configuration within two settings: none is better than `next`, and none as good is
 * nearer. Without `next`, none is better than what is known now. */
static void assert_none_better(Kit *kit, const AtlasConfig *asked, AtlasRat lag,
                               const AtlasPoint *point, AtlasWindow window, const AtlasSpread *now,
                               const AtlasNextRun *next) {
    g_autoptr(AtlasConfig) config = first_config(kit->model);
    do {
        guint changes = nearest(kit->evidence, config);
        if (changes == 0 || changes > 2 ||
            !atlas_evidence_suppose(kit->evidence, config, window.first, window.last,
                                    point->unknowns))
            continue;
        Bounds then = bounds_of(kit->evidence, asked, lag);
        g_autofree char *name = atlas_config_describe(config);
        int worse = compare(&then.spread, next ? &next->after : now);
        ck_assert_msg(worse >= 0, "'%s' narrows more", name);
        ck_assert_msg(!next || worse > 0 || changes >= next->changes, "'%s' is nearer", name);
        g_free(then.populations);
        atlas_evidence_drop_last(kit->evidence);
    } while (count_up(config));
}

/* ---- small specs ---- */

/* An item of each kind: times a parameter, in an arm, in an arm that needs another, every few
 * steps; two that are the same. */
#define SPEC                                                                                       \
    "atlas: 1\nname: small\n"                                                                      \
    "params: {p: {default: 2, min: 0, max: 3}, e: {default: 1, min: 1, max: 2}}\n"                 \
    "arms: {a: {about: first}, b: {needs: a}, c: {default: off}}\n"                                \
    "stages:\n"                                                                                    \
    "  - stage: fwd\n"                                                                             \
    "    do: [{launch: each, count: u * p}, {launch: once, count: v},\n"                           \
    "         {launch: arm, when: a, count: w}]\n"                                                 \
    "  - stage: bwd\n"                                                                             \
    "    do: [{launch: inner, when: b, count: x}, {launch: some, every: e, count: y},\n"           \
    "         {launch: never, when: c, count: z}, {launch: again, when: c, count: z},\n"           \
    "         {launch: both, count: u}]\n"                                                         \
    "unknowns: {u: {min: 1}, v: {}, w: {}, x: {}, y: {}, z: {}}\n"
#define HEAD "run\tconfiguration\tsteps\tfwd\tbwd\n"

static const struct {
    const char *runs, *asked, *lag;
    AtlasWindow window; /* that of the first run */
} cases[] = {
    /* One run, counted exactly; then with lag; then more runs. */
    {HEAD "r\t-\t20-29\t40.0\t33.0\n", "base", "0", {20, 29}},
    {HEAD "r\t-\t20-29\t40.0\t33.0\n", "base", "1.5", {20, 29}},
    {HEAD "r\t-\t20-29\t40.0\t33.0\n", "p=1,b=off", "1.5", {20, 29}},
    {HEAD "r\t-\t20-29\t40.0\t33.0\ns\tb=off\t20-29\t40.2\t22.9\n", "base", "1.5", {20, 29}},
    {HEAD "r\t-\t20-29\t40.0\t33.0\ns\ta=off\t0-9\t20.1\t21.9\n", "e=2", "0.5", {20, 29}},
    /* An arm that was never on is not bounded at all. */
    {HEAD "r\t-\t20-29\t40.0\t33.0\n", "c=on", "0", {20, 29}},
    {HEAD "r\t-\t20-29\t40.0\t33.0\ns\te=2\t0-9\t40.0\t27.0\n", "c=on,e=2", "0.5", {20, 29}},
    /* The first run does not say which steps: one step is supposed. */
    {HEAD "r\t-\t10\t40.0\t33.0\n", "base", "0.5", {0, 0}},
};

START_TEST(none_better) {
    Kit kit = kit_new(SPEC, cases[_i].runs);
    AtlasRat lag = atlas_rat_parse(cases[_i].lag, strlen(cases[_i].lag), NULL);
    guint runs = kit.evidence->observations->len;
    g_autoptr(AtlasConfig) asked = kit_config(kit.model, cases[_i].asked);
    g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, lag);
    ck_assert_ptr_nonnull(point);
    Bounds before = bounds_of(kit.evidence, asked, lag);
    g_autoptr(AtlasNextRun) next = atlas_next_run(kit.evidence, asked, lag, point, 0, NULL);
    ck_assert_uint_eq(kit.evidence->observations->len, runs);
    ck_assert_ptr_nonnull(next);
    ck_assert_int_eq(compare(&next->before, &before.spread), 0);
    ck_assert_int_lt(compare(&next->after, &next->before), 0);
    ck_assert_uint_eq(next->changes, nearest(kit.evidence, next->config));
    ck_assert_uint_eq(next->changes, distance(next->config, next->near->config));
    ck_assert_uint_eq(next->left_out, 0);
    assert_none_better(&kit, asked, lag, point, cases[_i].window, &before.spread, next);
    /* Measured as predicted, it gives what was promised and widens nothing. */
    ck_assert(atlas_evidence_suppose(kit.evidence, next->config, cases[_i].window.first,
                                     cases[_i].window.last, point->unknowns));
    Bounds after = bounds_of(kit.evidence, asked, lag);
    ck_assert_int_eq(compare(&after.spread, &next->after), 0);
    for (guint i = 0; i < kit.model->populations->len; i++)
        ck_assert(kit_within(&after.populations[i], &before.populations[i]));
    g_free(before.populations);
    g_free(after.populations);
    kit_clear(&kit);
}
END_TEST

/* Runs that determine everything leave nothing to narrow; nor does a run help where two unknowns
 * always stand together. */
START_TEST(none_needed) {
    static const struct {
        const char *spec, *runs;
    } specs[] = {
        {"atlas: 1\nname: one\nparams: {p: {default: 1, min: 0, max: 4}}\n"
         "stages: [{stage: fwd, do: [{launch: l, count: u * p}]}]\nunknowns: {u: {}}\n",
         "run\tconfiguration\tsteps\tfwd\nr\t-\t1-1\t7\n"},
        {"atlas: 1\nname: one\nparams: {p: {default: 1, min: 0, max: 4}}\n"
         "stages: [{stage: fwd, do: [{launch: l, count: u * p}, {launch: m, count: v * p}]}]\n"
         "unknowns: {u: {}, v: {}}\n",
         "run\tconfiguration\tsteps\tfwd\nr\t-\t1-1\t7\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(specs); i++) {
        Kit kit = kit_new(specs[i].spec, specs[i].runs);
        g_autoptr(AtlasConfig) asked = kit_config(kit.model, "p=3");
        g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, atlas_rat(0));
        Bounds now = bounds_of(kit.evidence, asked, atlas_rat(0));
        ck_assert_ptr_null(atlas_next_run(kit.evidence, asked, atlas_rat(0), point, 0, NULL));
        assert_none_better(&kit, asked, atlas_rat(0), point, (AtlasWindow){1, 1}, &now.spread,
                           NULL);
        g_free(now.populations);
        kit_clear(&kit);
    }
}
END_TEST

/* minimouse without two of its runs: the next one narrows. */
START_TEST(minimouse) {
    g_autofree char *spec = kit_read("specs/minimouse.yaml");
    g_autofree char *table = kit_read("specs/minimouse.runs.tsv");
    g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
    GString *runs = g_string_new(NULL);
    for (guint i = 0; lines[i]; i++)
        if (!g_str_has_prefix(lines[i], "cross") && !g_str_has_prefix(lines[i], "iters-2"))
            g_string_append_printf(runs, "%s\n", lines[i]);
    Kit kit = kit_new(spec, runs->str);
    g_autoptr(AtlasConfig) asked = kit_config(kit.model, "base");
    g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, atlas_rat(0));
    g_autoptr(AtlasNextRun) next =
        atlas_next_run(kit.evidence, asked, atlas_rat(0), point, 0, NULL);
    ck_assert_uint_eq(kit.evidence->observations->len, 5);
    ck_assert_ptr_nonnull(next);
    ck_assert_int_lt(compare(&next->after, &next->before), 0);
    ck_assert_uint_eq(next->left_out, 0);
    /* The first candidate costs more than 1, so that it is the only one; none is looked at twice.
     */
    g_autoptr(AtlasNextRun) limited =
        atlas_next_run(kit.evidence, asked, atlas_rat(0), point, 1, NULL);
    ck_assert_uint_eq(limited->looked_at, 1);
    ck_assert_uint_ge(limited->left_out, next->looked_at - 1);
    ck_assert_uint_eq(kit.evidence->observations->len, 5);
    Bounds before = bounds_of(kit.evidence, asked, atlas_rat(0));
    ck_assert(atlas_evidence_suppose(kit.evidence, next->config, 20, 29, point->unknowns));
    Bounds after = bounds_of(kit.evidence, asked, atlas_rat(0));
    ck_assert_int_eq(compare(&before.spread, &next->before), 0);
    ck_assert_int_eq(compare(&after.spread, &next->after), 0);
    for (guint i = 0; i < kit.model->populations->len; i++)
        ck_assert(kit_within(&after.populations[i], &before.populations[i]));
    g_free(before.populations);
    g_free(after.populations);
    g_string_free(runs, TRUE);
    kit_clear(&kit);
}
END_TEST

/* What bounds a prediction that nothing bounds: the base with what was never on, where that is
 * enough. */
START_TEST(settling) {
    static const struct {
        const char *runs, *asked, *settling;
    } settlings[] = {
        {HEAD "r\t-\t1-1\t9\t9\n", "c=on", "c=on"},
        {HEAD "r\t-\t1-1\t9\t9\n", "c=on,p=3", "c=on"},
        {HEAD "r\ta=off\t1-1\t9\t9\n", "c=on,e=2", "c=on"},
        {HEAD "r\tp=0\t1-1\t9\t-\n", "c=on,p=3", "c=on"},
        /* The base has p and the arms on: it bounds all of them. */
        {HEAD "r\tp=0,a=off\t1-1\t9\t-\n", "p=3", "base"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(settlings); i++) {
        Kit kit = kit_new(SPEC, settlings[i].runs);
        g_autoptr(AtlasConfig) asked = kit_config(kit.model, settlings[i].asked);
        g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, atlas_rat(0));
        g_autoptr(AtlasConfig) run = atlas_settling_run(kit.evidence, asked, atlas_rat(0), point);
        g_autofree char *name = atlas_config_describe(run);
        ck_assert_str_eq(name, settlings[i].settling);
        kit_clear(&kit);
    }
}
END_TEST

Suite *next_suite(void) {
    Suite *suite = suite_create("next");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, none_better, 0, G_N_ELEMENTS(cases));
    tcase_add_test(all, none_needed);
    tcase_add_test(all, minimouse);
    tcase_add_test(all, settling);
    suite_add_tcase(suite, all);
    return suite;
}
