/* Predictions of the shipped specs: the study "Launch atlas" of 2026-10-02, and minimouse, which
 * was counted on a GPU in more configurations than its model was fitted to.
 */
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#include "model/measure/load.h"
#include "model/solve/reading.h"
#include "model/solve/study.h"
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

static AtlasStudy *study_new(const char *spec, const char *lag, AtlasDiags *diags) {
    AtlasRat stated = lag ? atlas_rat_parse(lag, strlen(lag), NULL) : ATLAS_RAT_NONE;
    return atlas_study_load(spec, NULL, stated, diags);
}

/* A study without problems. */
static AtlasStudy *load(const char *spec) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasStudy *study = study_new(spec, NULL, diags);
    g_autofree char *text = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(text, "");
    return study;
}

static AtlasPrediction *predict(AtlasStudy *study, const AtlasConfig *config,
                                const AtlasWindow *window) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasPrediction *p = atlas_predict(study, config, window, diags);
    ck_assert_ptr_nonnull(p);
    return p;
}

static const AtlasPredicted *stage(const AtlasPrediction *p, const char *name) {
    for (guint i = 0; i < p->stages->len; i++)
        if (strcmp(g_array_index(p->stages, AtlasPredicted, i).name, name) == 0)
            return &g_array_index(p->stages, AtlasPredicted, i);
    ck_abort_msg("no stage '%s'", name);
    return NULL;
}

/* ---- how far a point explains a run, without the solver ---- */

/* The flows are what flows in, plus what was launched and not counted since. They fit between 0 and
 * the window's lags if their range does; what flows out differs from what flows in by at most one
 * lag. Stages must be measured from the first on; without a gap the run is complete. */
static void assert_explained(const AtlasStudy *study, const AtlasObservation *o, AtlasRat lag,
                             guint *counts) {
    AtlasRat sum = atlas_rat(0), least = sum, most = sum, all = sum;
    AtlasRat window = atlas_rat_mul(lag, atlas_rat(o->steps));
    guint n = study->model->stages->len, known = 0;
    for (guint i = 0; i < n; i++) {
        AtlasRat launches = atlas_linear_value(&o->stages[i], study->point->unknowns);
        all = atlas_rat_add(all, launches);
        if (!o->sums[i].known)
            continue;
        ck_assert_uint_eq(known++, i);
        ck_assert_int_eq(o->sums[i].lo, o->sums[i].hi);
        sum = atlas_rat_add(sum, atlas_rat_sub(launches, atlas_rat(o->sums[i].lo)));
        least = atlas_rat_cmp(sum, least) < 0 ? sum : least;
        most = atlas_rat_cmp(sum, most) > 0 ? sum : most;
    }
    ck_assert_int_le(atlas_rat_cmp(atlas_rat_sub(most, least), window), 0);
    if (o->total.known)
        sum = atlas_rat_sub(all, atlas_rat(o->total.lo));
    if (known == n || o->total.known)
        ck_assert_double_le(fabs(atlas_rat_double(sum)), atlas_rat_double(lag));
    *counts += known;
}

static guint explained(const AtlasStudy *study) {
    guint counts = 0;
    for (guint i = 0; i < study->evidence->observations->len; i++)
        if (!atlas_evidence_get(study->evidence, i)->excluded)
            assert_explained(study, atlas_evidence_get(study->evidence, i), study->lag, &counts);
    return counts;
}

/* ---- the point and its bounds ---- */

static void assert_inside(const char *config, const AtlasPredicted *p) {
    ck_assert_msg(!atlas_rat_ok(p->launches) || kit_contains(&p->bounds, p->launches),
                  "%s, %s: the point lies outside", config, p->name);
    ck_assert_msg(!atlas_rat_ok(p->delta) || kit_contains(&p->delta_bounds, p->delta),
                  "%s, %s: the difference lies outside", config, p->name);
}

/* For the base and every toggle. */
static void assert_all_inside(AtlasStudy *study) {
    for (int i = -1; i < (int)study->model->toggles->len; i++) {
        const char *name = i < 0 ? "base" : ATLAS_TOGGLE(study->model, i)->name;
        g_autoptr(AtlasConfig) config = kit_config(study->model, name);
        g_autoptr(AtlasPrediction) p = predict(study, config, NULL);
        ck_assert(p->decided);
        for (guint j = 0; j < p->stages->len; j++)
            assert_inside(name, &g_array_index(p->stages, AtlasPredicted, j));
        for (guint j = 0; j < p->populations->len; j++)
            assert_inside(name, &g_array_index(p->populations, AtlasPredicted, j));
        assert_inside(name, &p->total);
    }
}

/* ---- the study ---- */

#define STUDY "specs/dormouse-small.yaml"
#define MINIMOUSE "specs/minimouse.yaml"

START_TEST(study_is_explained) {
    g_autoptr(AtlasStudy) study = load(STUDY);
    ck_assert_uint_eq(explained(study), 32);
    ck_assert_double_eq_tol(study->least_lag, 9.45, 1e-6);
    ck_assert_double_eq_tol(study->point->lag, 9.5, 1e-6);
    for (guint i = 0; i < study->model->unknowns->len; i++)
        ck_assert(atlas_rat_is_whole(study->point->unknowns[i]) &&
                  study->point->unknowns[i].num >= ATLAS_UNKNOWN(study->model, i)->low);
    assert_all_inside(study);
}
END_TEST

START_TEST(study_predictions) {
    g_autoptr(AtlasStudy) study = load(STUDY);
    g_autoptr(AtlasConfig) base_config = kit_config(study->model, "base");
    g_autoptr(AtlasConfig) config = kit_config(study->model, "no-kda");
    g_autoptr(AtlasPrediction) base = predict(study, base_config, NULL);
    g_autoptr(AtlasPrediction) p = predict(study, config, NULL);
    ck_assert(kit_contains(&base->total.bounds, atlas_rat(21427)));
    kit_assert_rat(base->total.launches, 21427, 1);
    /* Two runs have the base: one with stages, both with a total of 214,272 and 214,270. */
    kit_assert_rat(stage(base, "fwd")->measured, 90025, 10);
    kit_assert_rat(base->total.measured, 428542, 20);
    kit_assert_rat(stage(p, "fwd")->measured, 2757, 1);
    ck_assert_double_le(fabs(atlas_rat_double(stage(p, "fwd")->launches) - 2757.0), 9.5);
    static const char *const same[] = {"retr", "ema"};
    for (guint i = 0; i < G_N_ELEMENTS(same); i++) {
        ck_assert(kit_same(&stage(p, same[i])->bounds, &stage(base, same[i])->bounds));
        kit_assert_rat(stage(p, same[i])->delta, 0, 1);
        kit_assert_interval(&stage(p, same[i])->delta_bounds, 0, 0);
    }
}
END_TEST

/* Without its engram run the study is consistent at a smaller lag. */
START_TEST(study_without_engram) {
    g_autoptr(AtlasStudy) study = load(STUDY);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasEvidence) evidence = atlas_evidence_new(study->model);
    for (guint i = 0; i < atlas_runs_count(study->runs); i++)
        if (strcmp(atlas_runs_get(study->runs, i)->name, "engram") != 0)
            atlas_evidence_add(evidence, atlas_runs_get(study->runs, i), diags);
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    g_autoptr(AtlasLp) below = atlas_lp_new(system, atlas_rat_make(5599, 1000));
    g_autoptr(AtlasLp) at = atlas_lp_new(system, atlas_rat_make(56, 10));
    g_autoptr(AtlasPoint) point = atlas_point_find(system, atlas_rat(8));
    ck_assert_double_eq_tol(atlas_least_lag(system), 5.6, 1e-6);
    ck_assert(!atlas_lp_feasible(below));
    ck_assert(atlas_lp_feasible(at));
    ck_assert_ptr_nonnull(point);
    ck_assert_double_le(point->lag, 8 + 1e-6);
}
END_TEST

/* Loading twice, the same comes out. */
START_TEST(deterministic) {
    static const char *const specs[] = {STUDY, MINIMOUSE};
    g_autoptr(AtlasStudy) one = load(specs[_i]);
    g_autoptr(AtlasStudy) two = load(specs[_i]);
    for (guint i = 0; i < one->model->unknowns->len; i++)
        ck_assert_int_eq(atlas_rat_cmp(one->point->unknowns[i], two->point->unknowns[i]), 0);
    for (guint i = 0; i < one->model->toggles->len; i++) {
        g_autoptr(AtlasConfig) config = kit_config(one->model, ATLAS_TOGGLE(one->model, i)->name);
        g_autoptr(AtlasConfig) same = kit_config(two->model, ATLAS_TOGGLE(two->model, i)->name);
        g_autoptr(AtlasPrediction) p = predict(one, config, NULL);
        g_autoptr(AtlasPrediction) q = predict(two, same, NULL);
        for (guint j = 0; j < p->populations->len; j++)
            ck_assert(kit_same(&g_array_index(p->populations, AtlasPredicted, j).bounds,
                               &g_array_index(q->populations, AtlasPredicted, j).bounds));
    }
}
END_TEST

/* ---- minimouse ---- */

static const AtlasWindow warm = {20, 29};

START_TEST(minimouse_is_exact) {
    g_autoptr(AtlasStudy) study = load(MINIMOUSE);
    ck_assert_uint_eq(explained(study), 35);
    ck_assert_double_eq(study->least_lag, 0);
    ck_assert_double_eq(study->point->lag, 0);
    assert_all_inside(study);
    for (guint i = 0; i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        g_autoptr(AtlasPrediction) p = predict(study, o->config, &warm);
        AtlasRat total = atlas_rat(0);
        for (guint j = 0; j < p->stages->len; j++) {
            const AtlasPredicted *s = &g_array_index(p->stages, AtlasPredicted, j);
            AtlasRat mean = atlas_rat_make(o->sums[j].lo, o->steps);
            kit_assert_rat(s->launches, mean.num, mean.den);
            kit_assert_rat(s->bounds.lo, mean.num, mean.den);
            kit_assert_rat(s->bounds.hi, mean.num, mean.den);
            kit_assert_rat(s->measured, mean.num, mean.den);
            total = atlas_rat_add(total, mean);
        }
        kit_assert_rat(p->total.measured, total.num, total.den);
    }
    /* Over its period the same configuration has another mean: the run's steps were others. */
    g_autoptr(AtlasConfig) fourth = kit_config(study->model, "retract-4");
    g_autoptr(AtlasPrediction) p = predict(study, fourth, NULL);
    kit_assert_rat(stage(p, "retr")->launches, 229, 4);
    kit_assert_rat(stage(p, "retr")->measured, 687, 10);
    ck_assert(p->other_steps);
}
END_TEST

/* Configurations that were counted on a GPU and not used for fitting: all 115 counts are inside the
 * bounds, which are as narrow as can be. */
START_TEST(minimouse_further) {
    g_autoptr(AtlasStudy) study = load(MINIMOUSE);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_load("specs/minimouse.further.tsv", NULL);
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    AtlasRat widths = atlas_rat(0);
    guint counts = 0;
    ck_assert(atlas_runs_read_table(runs, source, diags));
    ck_assert_uint_eq(atlas_runs_count(runs), 23);
    for (guint i = 0; i < atlas_runs_count(runs); i++) {
        const AtlasRun *run = atlas_runs_get(runs, i);
        g_autoptr(AtlasConfig) config = kit_config(study->model, run->configuration.text);
        g_autoptr(AtlasPrediction) p = predict(study, config, &run->window);
        for (guint j = 0; j < run->stages->len; j++) {
            const AtlasRunStage *measured = &g_array_index(run->stages, AtlasRunStage, j);
            const AtlasPredicted *s = stage(p, measured->name);
            ck_assert_msg(kit_contains(&s->bounds, atlas_rat_make(measured->sum.lo, 10)),
                          "%s, %s: measured outside the bounds", run->name, s->name);
            widths = atlas_rat_add(widths, atlas_rat_sub(s->bounds.hi, s->bounds.lo));
            counts++;
        }
    }
    ck_assert_uint_eq(counts, 115);
    kit_assert_rat(widths, 0, 1);
}
END_TEST
/* ---- logs ---- */

static const char *const logs[][2] = {{"base", ""},
                                      {"no-kda", "@no-kda"},
                                      {"jepa-0", "@jepa-0"},
                                      {"experts-1", "@experts-1"},
                                      {"iters-2", "@iters-2"},
                                      {"cross", "@no-kda,jepa-0"},
                                      {"retract-4", "@retract_every=4"}};

static void assert_same_affine(AtlasAffine a, AtlasAffine b) {
    ck_assert_int_eq(atlas_rat_cmp(a.fixed, b.fixed), 0);
    ck_assert_int_eq(atlas_rat_cmp(a.per_lag, b.per_lag), 0);
}

static void assert_same_system(const AtlasSystem *a, const AtlasSystem *b) {
    ck_assert_uint_eq(a->columns->len, b->columns->len);
    ck_assert_uint_eq(a->rows->len, b->rows->len);
    ck_assert_uint_eq(a->terms->len, b->terms->len);
    for (guint i = 0; i < a->columns->len; i++)
        assert_same_affine(ATLAS_COLUMN(a, i)->hi, ATLAS_COLUMN(b, i)->hi);
    for (guint i = 0; i < a->rows->len; i++) {
        assert_same_affine(ATLAS_ROW(a, i)->lo, ATLAS_ROW(b, i)->lo);
        assert_same_affine(ATLAS_ROW(a, i)->hi, ATLAS_ROW(b, i)->hi);
        ck_assert_uint_eq(ATLAS_ROW(a, i)->count, ATLAS_ROW(b, i)->count);
    }
    for (guint t = 0; t < a->terms->len; t++) {
        ck_assert_uint_eq(ATLAS_TERM(a, t)->column, ATLAS_TERM(b, t)->column);
        ck_assert_int_eq(ATLAS_TERM(a, t)->coef, ATLAS_TERM(b, t)->coef);
    }
}

/* The logs that the run table was made from say what it says, and of single steps no more than fits
 * it. */
START_TEST(minimouse_from_logs) {
    if (!g_file_test("../shared/runs/minimouse", G_FILE_TEST_IS_DIR)) {
        printf("skipped: minimouse_from_logs (no ../shared/runs/minimouse)\n");
        return;
    }
    g_autoptr(AtlasStudy) study = load(MINIMOUSE);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    g_autoptr(AtlasEvidence) evidence = atlas_evidence_new(study->model);
    g_autoptr(GPtrArray) sources =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free);
    for (guint i = 0; i < G_N_ELEMENTS(logs); i++) {
        g_autofree char *name = g_strdup_printf("minimouse/%s.log%s", logs[i][0], logs[i][1]);
        ck_assert(atlas_runs_load(runs, &(AtlasText){name, {NULL, 0, 0}}, "../shared/runs", NULL,
                                  sources, diags));
    }
    for (guint i = 0; i < atlas_runs_count(runs); i++)
        ck_assert(atlas_evidence_add(evidence, atlas_runs_get(runs, i), diags));
    ck_assert(atlas_reading_explicable(evidence, atlas_rat(0)));
    for (guint i = 0; i < evidence->observations->len; i++) {
        ck_assert(atlas_evidence_get(evidence, i)->by_steps);
        atlas_evidence_get(evidence, i)->by_steps = FALSE;
    }
    g_autoptr(AtlasSystem) system = atlas_system_new(evidence, -1);
    assert_same_system(system, study->system);
}
END_TEST

/* ---- studies that fail ---- */

static char *problems(const char *spec, const char *lag) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasStudy) study = study_new(spec, lag, diags);
    char *text = atlas_diags_render(diags, FALSE);
    ck_assert_msg(atlas_diags_errors(diags) == 1, "%s", text);
    ck_assert(!study || !study->point);
    return text;
}

/* One error, which names the least lag. */
START_TEST(lag_below_the_least) {
    g_autofree char *asked = problems(STUDY, "9.4");
    ck_assert_str_eq(asked, "error: no values of the unknowns explain all runs at lag 9.4\n"
                            "hint: the least lag that does is 9.45: state at least that, or mend "
                            "the model; atlas-check --runs names the rows that contradict each "
                            "other\n");
}
END_TEST

/* A spec, in a file of its own beside its run table, that has one problem. */
static const struct {
    const char *lag, *count, *runs;
    const char *expected[2]; /* in what is reported */
} wrong[] = {
    /* Three steps that show 3 and 5 are one launch from 4. */
    {"0.33",
     "2 * u",
     "r\t-\t1-3\t1.0\t-\ns\t-\t1-3\t1.67\t-\n",
     {"s.yaml:3:16: error: no values of the unknowns explain all runs at lag 0.33",
      "hint: the least lag that does is 1.00:"}},
    /* u is within L of 2, and 2 u + 1 within L of 4: L is 1/3, rounded up, or it would not do. */
    {"0",
     "u * p + 1",
     "r\t-\t1-1\t3\t-\ns\tp=2\t1-1\t4\t-\n",
     {"explain all runs at lag 0", "hint: the least lag that does is 0.34:"}},
    /* 3037000507 and 3037000493 are primes; their product leaves 64 bits. */
    {"0",
     "u / 3037000507 + v / 3037000493",
     "r\t-\t1-1\t3\t-\n",
     {"s.yaml:2:7: error: the counts of this spec do not fit 64 bits", ""}},
};

/* A spec and its runs in a folder of their own. */
typedef struct {
    char *folder, *spec, *runs;
} Folder;

static Folder folder_new(const char *spec, const char *runs) {
    Folder f = {.folder = g_dir_make_tmp("atlas-XXXXXX", NULL)};
    g_autofree char *table = g_strconcat("run\tconfiguration\tsteps\tfwd\tretr\n", runs, NULL);
    f.spec = g_build_filename(f.folder, "s.yaml", NULL);
    f.runs = g_build_filename(f.folder, "r.tsv", NULL);
    ck_assert(g_file_set_contents(f.spec, spec, -1, NULL));
    ck_assert(g_file_set_contents(f.runs, table, -1, NULL));
    return f;
}

static void folder_clear(Folder *f) {
    g_remove(f->spec);
    g_remove(f->runs);
    g_rmdir(f->folder);
    g_free(f->spec);
    g_free(f->runs);
    g_free(f->folder);
}

START_TEST(wrong_study) {
    g_autofree char *spec = g_strdup_printf(
        "atlas: 1\nname: wrong\ncounter: {lag: %s}\nparams: {p: {default: 1, min: 0, max: 9}}\n"
        "stages: [{stage: fwd, do: [{launch: l, count: %s}]}]\n"
        "unknowns: {u: {kind: real}, v: {kind: real}}\nruns: r.tsv\n",
        wrong[_i].lag, wrong[_i].count);
    Folder folder = folder_new(spec, wrong[_i].runs);
    g_autofree char *text = problems(folder.spec, NULL);
    for (guint i = 0; i < 2; i++)
        ck_assert_msg(strstr(text, wrong[_i].expected[i]), "%s", text);
    folder_clear(&folder);
}
END_TEST

/* ---- by hand ---- */

/* u + v = 10 and w = 6. With p=3,e=4 there are 3 u + v and a quarter of w a step, which is between
 * 0 and 20 more than in the base and 4.5 less: v cancels. */
START_TEST(difference) {
    Folder folder =
        folder_new("atlas: 1\nname: small\n"
                   "params: {p: {default: 1, min: 0, max: 9}, e: {default: 1, min: 1, max: 9}}\n"
                   "stages:\n"
                   "- {stage: fwd, do: [{launch: l, count: u * p}, {launch: m, count: v}]}\n"
                   "- {stage: retr, do: [{launch: k, every: e, count: w}]}\n"
                   "unknowns: {u: {}, v: {}, w: {}}\nruns: r.tsv\n",
                   "r\t-\t1-4\t10.0\t6.0\n");
    AtlasStudy *study = load(folder.spec);
    g_autoptr(AtlasConfig) config = kit_config(study->model, "p=3,e=4");
    g_autoptr(AtlasPrediction) p = predict(study, config, NULL);
    ck_assert_int_eq(p->window.first, 0);
    ck_assert_int_eq(p->window.last, 3);
    kit_assert_interval(&stage(p, "fwd")->bounds, 10, 30);
    kit_assert_interval(&stage(p, "fwd")->delta_bounds, 0, 20);
    kit_assert_rat(stage(p, "retr")->bounds.lo, 3, 2);
    kit_assert_rat(stage(p, "retr")->bounds.hi, 3, 2);
    kit_assert_rat(stage(p, "retr")->delta, -9, 2);
    kit_assert_rat(p->total.bounds.lo, 23, 2);
    kit_assert_rat(p->total.bounds.hi, 63, 2);
    kit_assert_rat(p->total.delta_bounds.lo, -9, 2);
    kit_assert_rat(p->total.delta_bounds.hi, 31, 2);
    ck_assert(!atlas_rat_ok(p->total.measured) && p->decided && !p->other_steps);
    atlas_study_free(study);
    folder_clear(&folder);
}
END_TEST

Suite *predict_suite(void) {
    Suite *suite = suite_create("predict");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, study_is_explained);
    tcase_add_test(all, study_predictions);
    tcase_add_test(all, study_without_engram);
    tcase_add_loop_test(all, deterministic, 0, 2);
    tcase_add_test(all, minimouse_is_exact);
    tcase_add_test(all, minimouse_further);
    tcase_add_test(all, minimouse_from_logs);
    tcase_add_test(all, lag_below_the_least);
    tcase_add_test(all, difference);
    tcase_add_loop_test(all, wrong_study, 0, G_N_ELEMENTS(wrong));
    suite_add_tcase(suite, all);
    return suite;
}
