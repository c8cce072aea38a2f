/* Bounds: against a linear program in textbook form, against every whole-number solution, and what
 * must hold whatever the runs are.
 */
#include <math.h>
#include <string.h>

#include "tests/unit/random_study.h"
#include "tests/unit/solve_kit.h"
#include "tests/unit/suites.h"

enum { BATCHES = 10, BATCH = 40, FORMS = 6 };

/* What the floating-point programs are compared with. */
#define NEAR 1e-6

static void random_coefs(Dice *d, gint64 *coefs) {
    for (guint u = 0; u < RANDOM_UNKNOWNS; u++)
        coefs[u] = dice(d, 0, 2) ? dice(d, -2, 4) : 0;
}

static void negate(const gint64 *coefs, gint64 *negative) {
    for (guint u = 0; u < RANDOM_UNKNOWNS; u++)
        negative[u] = -coefs[u];
}

static gint64 value_at(const RandomStudy *study, const gint64 *coefs, const gint64 *unknowns) {
    gint64 sum = 0;
    for (guint u = 0; u < study->unknowns; u++)
        sum += coefs[u] * unknowns[u];
    return sum;
}

static AtlasInterval interval_of(AtlasLp *lp, const AtlasModel *model, const gint64 *coefs,
                                 gint64 denominator) {
    AtlasLinear *form = kit_form(model, coefs, denominator);
    AtlasInterval interval = atlas_lp_interval(lp, form);
    atlas_linear_free(form, 1);
    return interval;
}

/* ---- against the textbook form ---- */

/* A side of an interval, and what it should be: never tighter, and no looser than NEAR. */
static void compare_side(guint64 seed, const char *side, gboolean known, double got,
                         double expected) {
    ck_assert_msg(known == isfinite(expected), "seed %u: %s %g is known: %d", (guint)seed, side,
                  expected, known);
    if (known)
        ck_assert_msg(fabs(got - expected) <= NEAR, "seed %u: %s %.9f, expected %.9f", (guint)seed,
                      side, got, expected);
}

/* A seventh of the form is not rounded inward; seven times its bounds are the form's. */
static void compare_real(guint64 seed, const RandomStudy *study, AtlasLp *lp,
                         const AtlasModel *model, const gint64 *coefs) {
    gint64 negative[RANDOM_UNKNOWNS];
    AtlasInterval part = interval_of(lp, model, coefs, 7);
    negate(coefs, negative);
    double lo = random_study_least(study, study->lag2, coefs);
    double hi = -random_study_least(study, study->lag2, negative);
    compare_side(seed, "lo", part.lo_known, 7 * atlas_rat_double(part.lo), lo);
    compare_side(seed, "hi", part.hi_known, 7 * atlas_rat_double(part.hi), hi);
}

static gint64 gcd(const RandomStudy *study, const gint64 *coefs) {
    gint64 step = 0;
    for (guint u = 0; u < study->unknowns; u++) {
        if (coefs[u] && study->real[u])
            return 0;
        for (gint64 a = ABS(coefs[u]); a; a = 0)
            for (gint64 rest; a; a = rest) {
                rest = step % a;
                step = a;
            }
    }
    return step;
}

/* The form itself: rounded inward to multiples of what divides all its values. */
static void compare_whole(guint64 seed, const RandomStudy *study, AtlasLp *lp,
                          const AtlasModel *model, const gint64 *coefs) {
    gint64 negative[RANDOM_UNKNOWNS], step = gcd(study, coefs);
    AtlasInterval whole = interval_of(lp, model, coefs, 1);
    negate(coefs, negative);
    double lo = random_study_least(study, study->lag2, coefs);
    double hi = -random_study_least(study, study->lag2, negative);
    if (step > 0) {
        lo = ceil((lo - NEAR) / (double)step) * (double)step;
        hi = floor((hi + NEAR) / (double)step) * (double)step;
    }
    compare_side(seed, "whole lo", whole.lo_known, atlas_rat_double(whole.lo), lo);
    compare_side(seed, "whole hi", whole.hi_known, atlas_rat_double(whole.hi), hi);
}

START_TEST(textbook) {
    for (guint64 seed = (guint64)(_i * BATCH); seed < (guint64)((_i + 1) * BATCH); seed++) {
        RandomStudy study = random_study(seed);
        Kit kit = kit_new(study.spec, study.table);
        g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, kit.model->lag);
        Dice d = {seed};
        ck_assert(atlas_lp_feasible(lp));
        ck_assert_double_eq_tol(atlas_least_lag(kit.system), random_study_least_lag(&study), NEAR);
        for (guint i = 0; i < FORMS; i++) {
            gint64 coefs[RANDOM_UNKNOWNS];
            random_coefs(&d, coefs);
            compare_real(seed, &study, lp, kit.model, coefs);
            compare_whole(seed, &study, lp, kit.model, coefs);
        }
        kit_clear(&kit);
        random_study_clear(&study);
    }
}
END_TEST

/* ---- against every solution ---- */

enum { HIGHEST = 9 };

/* Counts up through all values 0..HIGHEST; FALSE behind the last. */
static gboolean next_values(const RandomStudy *study, gint64 *values) {
    for (guint u = 0; u < study->unknowns; u++) {
        if (++values[u] <= HIGHEST)
            return TRUE;
        values[u] = 0;
    }
    return FALSE;
}

static void assert_inside(guint64 seed, const RandomStudy *study, const AtlasInterval *interval,
                          const gint64 *coefs, const gint64 *values) {
    gint64 value = value_at(study, coefs, values);
    ck_assert_msg(kit_contains(interval, atlas_rat(value)),
                  "seed %u: the bounds leave out %" G_GINT64_FORMAT ", a solution", (guint)seed,
                  value);
}

START_TEST(every_solution) {
    guint solutions = 0;
    for (guint64 seed = (guint64)(_i * BATCH); seed < (guint64)((_i + 1) * BATCH); seed++) {
        RandomStudy study = random_study(seed);
        Kit kit = kit_new(study.spec, study.table);
        g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, kit.model->lag);
        gint64 coefs[FORMS][RANDOM_UNKNOWNS], values[RANDOM_UNKNOWNS] = {0};
        AtlasInterval intervals[FORMS];
        Dice d = {seed};
        for (guint i = 0; i < FORMS; i++) {
            random_coefs(&d, coefs[i]);
            intervals[i] = interval_of(lp, kit.model, coefs[i], 1);
            assert_inside(seed, &study, &intervals[i], coefs[i], study.truth);
        }
        ck_assert(random_study_explains(&study, study.truth));
        do {
            if (!random_study_explains(&study, values))
                continue;
            solutions++;
            for (guint i = 0; i < FORMS; i++)
                assert_inside(seed, &study, &intervals[i], coefs[i], values);
        } while (next_values(&study, values));
        kit_clear(&kit);
        random_study_clear(&study);
    }
    ck_assert_uint_gt(solutions, BATCH);
}
END_TEST

/* ---- what must hold whatever the runs are ---- */

/* The first `count` runs of a table, or all of them backwards. */
static char *some_runs(const char *table, guint count, gboolean backwards) {
    g_auto(GStrv) lines = g_strsplit(table, "\n", -1);
    guint n = g_strv_length(lines) - 1; /* behind the last line end stands nothing */
    GString *some = g_string_new(lines[0]);
    for (guint i = 1; i <= MIN(count, n - 1); i++)
        g_string_append_printf(some, "\n%s", lines[backwards ? n - i : i]);
    g_string_append_c(some, '\n');
    return g_string_free(some, FALSE);
}

static void bounds_of(const RandomStudy *study, const char *table, gint64 coefs[][RANDOM_UNKNOWNS],
                      AtlasInterval *intervals) {
    Kit kit = kit_new(study->spec, table);
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, kit.model->lag);
    ck_assert(atlas_lp_feasible(lp));
    for (guint i = 0; i < FORMS; i++)
        intervals[i] = interval_of(lp, kit.model, coefs[i], 1 + (gint64)(i % 2));
    kit_clear(&kit);
}

/* Another run never widens a bound; the order of runs, and solving again, changes nothing. */
START_TEST(more_runs) {
    for (guint64 seed = (guint64)(_i * BATCH); seed < (guint64)((_i + 1) * BATCH); seed++) {
        RandomStudy study = random_study(seed);
        gint64 coefs[FORMS][RANDOM_UNKNOWNS];
        AtlasInterval before[FORMS], after[FORMS];
        Dice d = {seed};
        for (guint i = 0; i < FORMS; i++)
            random_coefs(&d, coefs[i]);
        for (guint runs = 0; runs <= study.runs; runs++) {
            g_autofree char *table = some_runs(study.table, runs, FALSE);
            bounds_of(&study, table, coefs, after);
            for (guint i = 0; runs > 0 && i < FORMS; i++)
                ck_assert_msg(kit_within(&after[i], &before[i]), "seed %u: run %u widens",
                              (guint)seed, runs);
            memcpy(before, after, sizeof before);
        }
        for (guint backwards = 0; backwards < 2; backwards++) {
            g_autofree char *table = some_runs(study.table, study.runs, backwards);
            bounds_of(&study, table, coefs, after);
            for (guint i = 0; i < FORMS; i++)
                ck_assert_msg(kit_same(&after[i], &before[i]), "seed %u: backwards %u", (guint)seed,
                              backwards);
        }
        random_study_clear(&study);
    }
}
END_TEST

/* ---- by hand ---- */

#define ONE_STAGE(lag, count)                                                                      \
    "atlas: 1\nname: one\ncounter: {lag: " lag "}\n"                                               \
    "stages: [{stage: s, do: [{launch: l, count: " count "}]}]\n"

static const char seven[] = "run\tconfiguration\tsteps\ts\na\t-\t5-5\t7\n";

/* One step shows 7, so it launched 6 to 8: three times something from 2 to 8/3, of which only 2 is
 * whole. */
START_TEST(rounding) {
    Kit kit = kit_new(ONE_STAGE("1", "3 * u") "unknowns: {u: {}, v: {min: 2}}\n", seven);
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, kit.model->lag);
    AtlasInterval u = interval_of(lp, kit.model, (const gint64[]){1, 0}, 1);
    AtlasInterval stage = interval_of(lp, kit.model, (const gint64[]){3, 0}, 1);
    AtlasInterval half = interval_of(lp, kit.model, (const gint64[]){1, 0}, 2);
    AtlasInterval v = interval_of(lp, kit.model, (const gint64[]){-1, 5}, 1);
    AtlasInterval nothing = interval_of(lp, kit.model, (const gint64[]){0, 0}, 1);
    kit_assert_interval(&u, 2, 2);
    kit_assert_interval(&stage, 6, 6);
    kit_assert_rat(half.lo, 1, 1);
    kit_assert_rat(half.hi, 4, 3);
    /* No run shows v, which is at least 2: -8/3 + 10 rounds up. */
    ck_assert(v.lo_known && !v.hi_known);
    kit_assert_rat(v.lo, 8, 1);
    kit_assert_interval(&nothing, 0, 0);
    kit_clear(&kit);
}
END_TEST

/* A real unknown is not rounded, and what is determined is so exactly: a third of 7. */
START_TEST(real_unknown) {
    Kit kit = kit_new(ONE_STAGE("0", "3 * u + 1") "unknowns: {u: {kind: real}}\n", seven);
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, kit.model->lag);
    AtlasLinear *form = kit_form(kit.model, (const gint64[]){7}, 6);
    form->constant = atlas_rat(1);
    AtlasInterval interval = atlas_lp_interval(lp, form);
    kit_assert_rat(interval.lo, 10, 3); /* 7/6 * 2 + 1 */
    kit_assert_rat(interval.hi, 10, 3);
    atlas_linear_free(form, 1);
    kit_clear(&kit);
}
END_TEST

/* Bounds that are no simple fractions are rounded outward. The lags are one over primes, above 2^20
 * and 2^30; the one of a launch is that much, and multiplied by 4,000,000 still is. */
START_TEST(rounded_outward) {
    static const gint64 primes[] = {2097169, 2147483659};
    Kit kit = kit_new(ONE_STAGE("0", "3 * u") "unknowns: {u: {kind: real}}\n", seven);
    for (guint i = 0; i < G_N_ELEMENTS(primes); i++) {
        gint64 prime = primes[i], many = 3 * 4000000;
        g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, atlas_rat_make(1, prime));
        AtlasInterval u = interval_of(lp, kit.model, (const gint64[]){1}, 1);
        AtlasInterval much = interval_of(lp, kit.model, &many, 1);
        AtlasInterval negative = interval_of(lp, kit.model, (const gint64[]){-1}, 1);
        ck_assert(kit_contains(&u, atlas_rat_make(7 * prime - 1, 3 * prime)));
        ck_assert(kit_contains(&u, atlas_rat_make(7 * prime + 1, 3 * prime)));
        ck_assert(kit_contains(&negative, atlas_rat_make(-7 * prime - 1, 3 * prime)));
        ck_assert(kit_contains(&negative, atlas_rat_make(-7 * prime + 1, 3 * prime)));
        ck_assert(kit_contains(&much, atlas_rat_make(28000000 * prime - 4000000, prime)));
        ck_assert(kit_contains(&much, atlas_rat_make(28000000 * prime + 4000000, prime)));
        ck_assert_double_le(atlas_rat_double(u.hi) - atlas_rat_double(u.lo), 3e-6);
    }
    kit_clear(&kit);
}
END_TEST

/* Lags and forms that leave 64 bits give bounds that are not known, or looser; never wrong ones. */
START_TEST(large_numbers) {
    Kit kit = kit_new(ONE_STAGE("0", "3 * u") "unknowns: {u: {}}\n", seven);
    static const AtlasRat lags[] = {{G_MAXINT64, 1}, {G_MAXINT64, 2}, {1, G_MAXINT64}};
    for (guint i = 0; i < G_N_ELEMENTS(lags); i++) {
        g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, lags[i]);
        AtlasInterval u = interval_of(lp, kit.model, (const gint64[]){1}, 2);
        ck_assert(kit_contains(&u, atlas_rat_make(7, 6)));
        ck_assert(i == 2 || atlas_lp_feasible(lp));
    }
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, atlas_rat(1));
    AtlasInterval far = interval_of(lp, kit.model, (const gint64[]){G_MAXINT64}, 2);
    AtlasInterval fine = interval_of(lp, kit.model, (const gint64[]){1}, G_MAXINT64);
    ck_assert(!far.lo_known && !far.hi_known);
    ck_assert(kit_contains(&fine, atlas_rat_make(2, G_MAXINT64)));
    kit_clear(&kit);
}
END_TEST

/* The same configuration shows 10 in one step and 20 in another: each is within one lag of what it
 * launches. */
START_TEST(too_small_a_lag) {
    Kit kit = kit_new(ONE_STAGE("0", "u") "unknowns: {u: {}}\n",
                      "run\tconfiguration\tsteps\ts\na\t-\t1-1\t10\nb\t-\t2-2\t20\n");
    g_autoptr(AtlasLp) below = atlas_lp_new(kit.system, atlas_rat_make(49999, 10000));
    g_autoptr(AtlasLp) least = atlas_lp_new(kit.system, atlas_rat(5));
    AtlasInterval u = interval_of(least, kit.model, (const gint64[]){1}, 1);
    ck_assert_double_eq_tol(atlas_least_lag(kit.system), 5, 1e-9);
    ck_assert(!atlas_lp_feasible(below));
    ck_assert(atlas_lp_feasible(least));
    kit_assert_interval(&u, 15, 15);
    kit_clear(&kit);
}
END_TEST

/* A total that is not within the sums of the stages is beyond any lag. (No table gets so far.) */
START_TEST(no_lag_at_all) {
    Kit kit = kit_new(ONE_STAGE("0", "u") "unknowns: {u: {}}\n", seven);
    AtlasObservation *o = atlas_evidence_get(kit.evidence, 0);
    o->sums[0].hi++;
    o->total = (AtlasSum){TRUE, 9, 9, {NULL, 0, 0}};
    g_autoptr(AtlasSystem) system = atlas_system_new(kit.evidence, -1);
    g_autoptr(AtlasLp) lp = atlas_lp_new(system, atlas_rat(1000));
    ck_assert(isnan(atlas_least_lag(system)));
    ck_assert(!atlas_lp_feasible(lp));
    kit_clear(&kit);
}
END_TEST

/* Neither runs nor unknowns: nothing to contradict. */
START_TEST(nothing_to_solve) {
    Kit kit = kit_new(ONE_STAGE("0", "3"), "run\tconfiguration\tsteps\ts\n");
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, atlas_rat(0));
    AtlasLinear *form = atlas_linear_new(0, 1);
    form->constant = atlas_rat(3);
    AtlasInterval interval = atlas_lp_interval(lp, form);
    ck_assert(atlas_lp_feasible(lp));
    ck_assert_double_eq(atlas_least_lag(kit.system), 0);
    kit_assert_interval(&interval, 3, 3);
    atlas_linear_free(form, 1);
    kit_clear(&kit);
}
END_TEST

/* x - y and y launch ten together, so x is ten; that y is at most ten follows only from x - y being
 * no fewer than none. */
START_TEST(no_negative_count) {
    Kit kit = kit_new("atlas: 1\nname: guard\nstages:\n- stage: s\n  do:\n"
                      "  - {launch: a, count: x - y}\n  - {launch: b, count: y}\n"
                      "unknowns: {x: {}, y: {}}\n",
                      "run\tconfiguration\tsteps\ts\nbase\t-\t0-9\t10.0\n");
    g_autoptr(AtlasLp) lp = atlas_lp_new(kit.system, atlas_rat(0));
    AtlasLinear *x = kit_form(kit.model, (gint64[]){1, 0}, 1);
    AtlasLinear *y = kit_form(kit.model, (gint64[]){0, 1}, 1);
    ck_assert(atlas_lp_feasible(lp));
    AtlasInterval of_x = atlas_lp_interval(lp, x), of_y = atlas_lp_interval(lp, y);
    kit_assert_interval(&of_x, 10, 10);
    kit_assert_interval(&of_y, 0, 10);
    atlas_linear_free(x, 1);
    atlas_linear_free(y, 1);
    kit_clear(&kit);
}
END_TEST

Suite *lp_suite(void) {
    Suite *suite = suite_create("lp");
    TCase *random = tcase_create("random"), *hand = tcase_create("hand");
    tcase_set_timeout(random, 30);
    tcase_add_loop_test(random, textbook, 0, BATCHES);
    tcase_add_loop_test(random, every_solution, 0, BATCHES);
    tcase_add_loop_test(random, more_runs, 0, BATCHES);
    tcase_add_test(hand, rounding);
    tcase_add_test(hand, real_unknown);
    tcase_add_test(hand, rounded_outward);
    tcase_add_test(hand, large_numbers);
    tcase_add_test(hand, too_small_a_lag);
    tcase_add_test(hand, no_lag_at_all);
    tcase_add_test(hand, nothing_to_solve);
    tcase_add_test(hand, no_negative_count);
    suite_add_tcase(suite, random);
    suite_add_tcase(suite, hand);
    return suite;
}
