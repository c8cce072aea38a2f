/* The point: whole numbers that explain the runs within the lag. Those of the shipped specs are
 * looked at in test_predict.c.
 */
#include <math.h>

#include "model/solve/point.h"
#include "tests/unit/random_study.h"
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

enum { BATCHES = 5, BATCH = 40 };

static gboolean all_whole(const RandomStudy *study) {
    for (guint u = 0; u < study->unknowns; u++)
        if (study->real[u])
            return FALSE;
    return TRUE;
}

static void assert_explains(guint64 seed, const RandomStudy *study, const AtlasPoint *point) {
    gint64 values[RANDOM_UNKNOWNS] = {0};
    for (guint u = 0; u < study->unknowns; u++) {
        ck_assert(atlas_rat_is_whole(point->unknowns[u]));
        values[u] = point->unknowns[u].num;
    }
    ck_assert_msg(random_study_explains(study, values), "seed %u: the point explains nothing",
                  (guint)seed);
}

static void assert_inside(guint64 seed, const Kit *kit, const AtlasPoint *point) {
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit->system, kit->model->lag);
    AtlasLinear *form = atlas_linear_new(kit->model->unknowns->len, 1);
    for (guint i = 0; i < form->n; i++) {
        form->coefs[i] = atlas_rat(1);
        AtlasInterval interval = atlas_lp_interval(lp, form);
        ck_assert_msg(kit_contains(&interval, point->unknowns[i]),
                      "seed %u: the point lies outside", (guint)seed);
        form->coefs[i] = atlas_rat(0);
    }
    atlas_linear_free(form, 1);
}

/* Every random study has whole numbers that explain it: the point is such, and inside all bounds.
 * Finding it again finds the same. */
START_TEST(random_points) {
    for (guint64 seed = (guint64)(_i * BATCH); seed < (guint64)((_i + 1) * BATCH); seed++) {
        RandomStudy study = random_study(seed);
        Kit kit = kit_new(study.spec, study.table);
        g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, kit.model->lag);
        g_autoptr(AtlasPoint) again = atlas_point_find(kit.system, kit.model->lag);
        ck_assert_msg(point != NULL, "seed %u: no point", (guint)seed);
        ck_assert_double_le(point->lag, (double)study.lag2 / 2 + 1e-9);
        ck_assert_double_ge(point->lag, atlas_least_lag(kit.system) - 1e-9);
        if (all_whole(&study))
            assert_explains(seed, &study, point);
        assert_inside(seed, &kit, point);
        for (guint u = 0; u < study.unknowns; u++)
            ck_assert_int_eq(atlas_rat_cmp(point->unknowns[u], again->unknowns[u]), 0);
        kit_clear(&kit);
        random_study_clear(&study);
    }
}
END_TEST

/* Runs that were counted exactly are explained without a lag, however much of it is allowed. */
START_TEST(lag_that_is_not_needed) {
    g_autofree char *spec = kit_read("specs/minimouse.yaml");
    g_autofree char *table = kit_read("specs/minimouse.runs.tsv");
    Kit kit = kit_new(spec, table);
    g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, atlas_rat(100));
    ck_assert_double_eq(point->lag, 0);
    kit_clear(&kit);
}
END_TEST

#define ONE_STAGE(count, kind)                                                                     \
    "atlas: 1\nname: one\nstages: [{stage: s, do: [{launch: l, count: " count "}]}]\n"             \
    "unknowns: {u: {kind: " kind "}}\n"
#define STEPS "run\tconfiguration\tsteps\ts\n"

static const struct {
    const char *spec, *runs;
    AtlasRat lag;
    gint64 num, den;  /* of u; den 0: no point */
    double point_lag; /* what it needs */
} points[] = {
    /* 7 launches in a step, counted exactly. */
    {ONE_STAGE("u", "whole"), STEPS "a\t-\t1-1\t7\n", {0, 1}, 7, 1, 0},
    /* Three launches for each: 6 or 9, one or two away. */
    {ONE_STAGE("3 * u", "whole"), STEPS "a\t-\t1-1\t7\n", {0, 1}, 0, 0, 0},
    {ONE_STAGE("3 * u", "whole"), STEPS "a\t-\t1-1\t7\n", {99, 100}, 0, 0, 0},
    {ONE_STAGE("3 * u", "whole"), STEPS "a\t-\t1-1\t7\n", {1, 1}, 2, 1, 1},
    /* A real number is found as it is, though 7/3 and 7/13 are no decimal numbers. */
    {ONE_STAGE("3 * u", "real"), STEPS "a\t-\t1-1\t7\n", {0, 1}, 7, 3, 0},
    {ONE_STAGE("13 * u", "real"), STEPS "a\t-\t5-5\t7\n", {0, 1}, 7, 13, 0},
    /* No lag is enough for some runs, and enough lag for others: 10 and 20 are 5 from 15. */
    {ONE_STAGE("u", "whole"), STEPS "a\t-\t1-1\t10\nb\t-\t1-1\t20\n", {4, 1}, 0, 0, 0},
    {ONE_STAGE("u", "whole"), STEPS "a\t-\t1-1\t10\nb\t-\t1-1\t20\n", {5, 1}, 15, 1, 5},
    /* 10 and 21 are 5.5 from 15.5, and 6 from a whole number. */
    {ONE_STAGE("u", "whole"), STEPS "a\t-\t1-1\t10\nb\t-\t1-1\t21\n", {11, 2}, 0, 0, 0},
    /* What no run shows is the least it can be. */
    {ONE_STAGE("u", "whole, min: 3"), STEPS, {0, 1}, 3, 1, 0},
};

START_TEST(point_by_hand) {
    Kit kit = kit_new(points[_i].spec, points[_i].runs);
    g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, points[_i].lag);
    ck_assert_int_eq(point != NULL, points[_i].den != 0);
    if (point) {
        kit_assert_rat(point->unknowns[0], points[_i].num, points[_i].den);
        ck_assert_double_eq_tol(point->lag, points[_i].point_lag, 1e-9);
    }
    kit_clear(&kit);
}
END_TEST

/* Without unknowns and runs there is nothing to find, and a point all the same. */
START_TEST(empty_point) {
    Kit kit =
        kit_new("atlas: 1\nname: bare\nstages: [{stage: s, do: [{launch: l, count: 3}]}]\n", NULL);
    g_autoptr(AtlasPoint) point = atlas_point_find(kit.system, atlas_rat(0));
    ck_assert_ptr_nonnull(point);
    ck_assert_double_eq(point->lag, 0);
    kit_clear(&kit);
}
END_TEST

Suite *point_suite(void) {
    Suite *suite = suite_create("point");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_test(all, lag_that_is_not_needed);
    tcase_add_loop_test(all, random_points, 0, BATCHES);
    tcase_add_loop_test(all, point_by_hand, 0, G_N_ELEMENTS(points));
    tcase_add_test(all, empty_point);
    suite_add_tcase(suite, all);
    return suite;
}
