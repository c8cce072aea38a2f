/* Leave-one-out: what the other runs say of a run, and that it showed it. */
#include <math.h>

#include "model/solve/leave.h"
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

static void assert_within(const AtlasRun *run, const AtlasInterval *reading, const AtlasSum *sum) {
    AtlasInterval measured = {TRUE, TRUE, atlas_rat(sum->lo), atlas_rat(sum->hi)};
    ck_assert_msg(!sum->known || kit_within(&measured, reading), "'%s' shows something else",
                  run->name);
}

/* Every run of the shipped specs lies where the others say. */
static const char *const specs[][2] = {
    {"specs/dormouse-small.yaml", "specs/dormouse-small.runs.tsv"},
    {"specs/minimouse.yaml", "specs/minimouse.runs.tsv"},
    {"specs/first.yaml", "specs/first.runs.tsv"},
};

START_TEST(shipped) {
    g_autofree char *spec = kit_read(specs[_i][0]), *runs = kit_read(specs[_i][1]);
    Kit kit = kit_new(spec, runs);
    guint stages = kit.model->stages->len;
    for (guint i = 0; i < kit.evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(kit.evidence, i);
        if (o->excluded)
            continue;
        g_autoptr(AtlasLeftOut) left = atlas_leave_out(kit.evidence, i, kit.model->lag);
        ck_assert(left->feasible);
        ck_assert_double_le(left->least_lag, atlas_least_lag(kit.system) + 1e-9);
        for (guint j = 0; j < stages; j++)
            assert_within(o->run, &left->readings[j], &o->sums[j]);
        assert_within(o->run, &left->readings[stages], &o->total);
    }
    kit_clear(&kit);
}
END_TEST

#define SPEC                                                                                       \
    "atlas: 1\nname: two\nparams: {p: {default: 1, min: 0, max: 9}}\n"                             \
    "stages:\n"                                                                                    \
    "  - {stage: a, do: [{launch: x, count: 2 * u * p}]}\n"                                        \
    "  - {stage: b, do: [{launch: y, count: v}]}\n"                                                \
    "unknowns: {u: {}, v: {}}\n"
#define HEAD "run\tconfiguration\tsteps\ta\tb\ttotal\n"

/* Of two runs, what the second one says of the first, in launches of both stages and in all.
 * Numbers are sums over the first run's steps. */
static const struct {
    const char *runs, *lag;
    gint64 lo[3], hi[3]; /* hi -1: not bounded */
    gint64 launches[3];  /* -1: those of any point */
} readings[] = {
    /* Exact: u is 3 and v is 4. Two steps of the first run have four times as much. */
    {HEAD "r\tp=2\t1-2\t1\t1\t-\ns\t-\t1-1\t6\t4\t-\n", "0", {24, 8, 32}, {24, 8, 32}, {24, 8, 32}},
    /* One lag of 1: 2 u is 5 to 7, of which 6 is even; v is 3 to 5; 2 u + v is 9 to 11, so that
     * 8 u + 2 v is 28 to 36 (with 5 and 7, as no number is whole on the way). A stage of two steps
     * gains or lacks up to two lags, all stages together one. */
    {HEAD "r\tp=2\t1-2\t1\t1\t-\ns\t-\t1-1\t6\t4\t-\n",
     "1",
     {22, 4, 27},
     {26, 12, 37},
     {24, -1, -1}},
    /* Nothing says what b launches; a counter does not count backwards. */
    {HEAD "r\t-\t1-2\t1\t1\t-\ns\tp=0\t1-1\t0\t-\t-\n", "1", {0, 0, 0}, {-1, -1, -1}, {-1, -1, -1}},
    /* A total. */
    {HEAD "r\tp=0\t3-3\t1\t1\t-\ns\tp=0\t1-1\t-\t-\t7\n", "0", {0, 7, 7}, {0, 7, 7}, {0, 7, 7}},
};

START_TEST(by_hand) {
    Kit kit = kit_new(SPEC, readings[_i].runs);
    g_autoptr(AtlasLeftOut) left =
        atlas_leave_out(kit.evidence, 0, atlas_rat_parse(readings[_i].lag, 1, NULL));
    ck_assert(left->feasible);
    ck_assert_double_eq_tol(left->least_lag, 0, 1e-9);
    for (guint i = 0; i < 3; i++) {
        const AtlasInterval *reading = &left->readings[i];
        ck_assert(reading->lo_known);
        kit_assert_rat(reading->lo, readings[_i].lo[i], 1);
        ck_assert_int_eq(reading->hi_known, readings[_i].hi[i] >= 0);
        if (reading->hi_known)
            kit_assert_rat(reading->hi, readings[_i].hi[i], 1);
        if (readings[_i].launches[i] >= 0)
            kit_assert_rat(left->launches[i], readings[_i].launches[i], 1);
    }
    kit_clear(&kit);
}
END_TEST

/* Other runs that contradict each other say nothing but what lag they need. */
START_TEST(contradiction) {
    Kit kit = kit_new(SPEC, HEAD "r\t-\t1-1\t6\t4\t-\n"
                                 "s\tp=0\t1-1\t0\t7\t-\nt\tp=0\t1-1\t0\t10\t-\n");
    g_autoptr(AtlasLeftOut) left = atlas_leave_out(kit.evidence, 0, atlas_rat(1));
    ck_assert(!left->feasible && !left->readings && !left->launches);
    ck_assert_double_eq_tol(left->least_lag, 1.5, 1e-9);
    kit_clear(&kit);
}
END_TEST

Suite *leave_suite(void) {
    Suite *suite = suite_create("leave");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, shipped, 0, G_N_ELEMENTS(specs));
    tcase_add_loop_test(all, by_hand, 0, G_N_ELEMENTS(readings));
    tcase_add_test(all, contradiction);
    suite_add_tcase(suite, all);
    return suite;
}
