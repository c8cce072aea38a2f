/* Exact numbers: arithmetic against cross-multiplication, what does not fit, and text. */
#include "model/base/rational.h"

#include <math.h>
#include <string.h>

#include "tests/unit/suites.h"

#define GREATEST G_MAXINT64
#define LEAST (-G_MAXINT64) /* the least number: every one has a negative */

typedef AtlasRat (*Operation)(AtlasRat a, AtlasRat b);

static gboolean is(AtlasRat a, gint64 num, gint64 den) {
    return a.num == num && a.den == den;
}

static gint64 gcd(gint64 a, gint64 b) {
    return b == 0 ? ABS(a) : gcd(b, a % b);
}

/* In lowest terms with a positive denominator, or no number. */
static gboolean is_sound(AtlasRat a) {
    return a.den == 0 ? a.num == 0 : a.den > 0 && gcd(a.num, a.den) == 1;
}

START_TEST(test_make) {
    static const struct {
        gint64 num, den, to_num, to_den;
    } cases[] = {
        {6, 4, 3, 2},
        {-6, 4, -3, 2},
        {6, -4, -3, 2},
        {-6, -4, 3, 2},
        {0, 5, 0, 1},
        {0, -5, 0, 1},
        {5, 0, 0, 0},
        {0, 0, 0, 0},
        {GREATEST, 1, GREATEST, 1},
        {GREATEST, GREATEST, 1, 1},
        {LEAST, 1, LEAST, 1},
        {1, GREATEST, 1, GREATEST},
        {1, -GREATEST, -1, GREATEST},
        {G_MININT64, 1, 0, 0},
        {G_MININT64, -1, 0, 0},
        {1, G_MININT64, 0, 0},
        {G_MININT64, 2, G_MININT64 / 2, 1},
        {G_MININT64, G_MININT64, 1, 1},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        ck_assert_msg(
            is(atlas_rat_make(cases[i].num, cases[i].den), cases[i].to_num, cases[i].to_den),
            "case %u", i);
    ck_assert(atlas_rat_is_whole(atlas_rat(-3)) && !atlas_rat_is_whole(atlas_rat_make(1, 2)));
    ck_assert(!atlas_rat_is_whole(ATLAS_RAT_NONE) && !atlas_rat_ok(ATLAS_RAT_NONE));
}
END_TEST

/* All fractions of small numbers, against the definitions of the operations. */
START_TEST(test_small) {
    for (gint64 n = -7; n <= 7; n++)
        for (gint64 d = 1; d <= 6; d++)
            for (gint64 m = -7; m <= 7; m++)
                for (gint64 e = 1; e <= 6; e++) {
                    AtlasRat a = atlas_rat_make(n, d), b = atlas_rat_make(m, e);
                    AtlasRat sum = atlas_rat_add(a, b), difference = atlas_rat_sub(a, b);
                    AtlasRat product = atlas_rat_mul(a, b), quotient = atlas_rat_div(a, b);
                    gint64 left = n * e, right = m * d;
                    ck_assert_int_eq(sum.num * d * e, (left + right) * sum.den);
                    ck_assert_int_eq(difference.num * d * e, (left - right) * difference.den);
                    ck_assert_int_eq(product.num * d * e, n * m * product.den);
                    ck_assert_int_eq(quotient.num * right, left * quotient.den);
                    ck_assert(atlas_rat_ok(quotient) == (m != 0));
                    ck_assert(is_sound(sum) && is_sound(difference));
                    ck_assert(is_sound(product) && is_sound(quotient));
                    ck_assert_int_eq(atlas_rat_cmp(a, b), (left > right) - (left < right));
                }
}
END_TEST

START_TEST(test_floor_ceil) {
    for (gint64 n = -20; n <= 20; n++)
        for (gint64 d = 1; d <= 7; d++) {
            AtlasRat a = atlas_rat_make(n, d);
            AtlasRat low = atlas_rat_floor(a), high = atlas_rat_ceil(a);
            ck_assert(is(low, (gint64)floor((double)n / (double)d), 1));
            ck_assert(is(high, (gint64)ceil((double)n / (double)d), 1));
        }
    ck_assert(is(atlas_rat_floor(atlas_rat_make(GREATEST, 2)), GREATEST / 2, 1));
    ck_assert(is(atlas_rat_ceil(atlas_rat_make(LEAST, 2)), LEAST / 2, 1));
    ck_assert(is(atlas_rat_floor(atlas_rat_make(-1, GREATEST)), -1, 1));
    ck_assert(is(atlas_rat_ceil(ATLAS_RAT_NONE), 0, 0));
    ck_assert(is(atlas_rat_floor(ATLAS_RAT_NONE), 0, 0));
}
END_TEST

/* At the edge: a result that fits is exact, and one that does not is no number. */
START_TEST(test_overflow) {
    static const struct {
        Operation operation;
        AtlasRat a, b, result;
    } cases[] = {
        {atlas_rat_add, {GREATEST, 1}, {0, 1}, {GREATEST, 1}},
        {atlas_rat_add, {GREATEST, 1}, {1, 1}, {0, 0}},
        {atlas_rat_add, {LEAST, 1}, {-1, 1}, {0, 0}}, /* would be G_MININT64 */
        {atlas_rat_add, {LEAST, 1}, {-2, 1}, {0, 0}},
        {atlas_rat_add, {LEAST, 1}, {GREATEST, 1}, {0, 1}},
        {atlas_rat_add, {GREATEST, 2}, {1, 2}, {GREATEST / 2 + 1, 1}},
        {atlas_rat_add, {1, GREATEST}, {1, GREATEST}, {2, GREATEST}},
        {atlas_rat_add, {1, GREATEST}, {1, GREATEST - 1}, {0, 0}},
        {atlas_rat_add,
         {GREATEST, GREATEST - 1},
         {GREATEST, GREATEST - 1},
         {GREATEST, GREATEST / 2}},
        {atlas_rat_sub, {LEAST, 1}, {1, 1}, {0, 0}},
        {atlas_rat_sub, {0, 1}, {LEAST, 1}, {GREATEST, 1}},
        {atlas_rat_sub, {GREATEST, 1}, {LEAST, 1}, {0, 0}},
        {atlas_rat_sub, {LEAST, 3}, {GREATEST, 3}, {0, 0}},
        {atlas_rat_mul, {GREATEST, 1}, {-1, 1}, {LEAST, 1}},
        {atlas_rat_mul, {GREATEST, 1}, {2, 1}, {0, 0}},
        {atlas_rat_mul, {G_MAXINT32, 1}, {G_MAXINT32, 1}, {4611686014132420609, 1}},
        {atlas_rat_mul, {1LL << 32, 1}, {-(1LL << 31), 1}, {0, 0}}, /* would be G_MININT64 */
        {atlas_rat_mul, {1LL << 32, 1}, {1LL << 32, 1}, {0, 0}},    /* 0 in 64 bits */
        {atlas_rat_mul, {GREATEST, 2}, {2, GREATEST}, {1, 1}},
        {atlas_rat_mul, {GREATEST, 5}, {5, 3}, {GREATEST, 3}},
        {atlas_rat_div, {GREATEST, 1}, {GREATEST, 1}, {1, 1}},
        {atlas_rat_div, {LEAST, 1}, {-1, 1}, {GREATEST, 1}},
        {atlas_rat_div, {1, 1}, {LEAST, 1}, {-1, GREATEST}},
        {atlas_rat_div, {1, GREATEST}, {2, 1}, {0, 0}},
        {atlas_rat_div, {0, 1}, {LEAST, 1}, {0, 1}},
        {atlas_rat_div, {0, 1}, {0, 1}, {0, 0}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        /* The table writes some fractions as they come. */
        AtlasRat a = atlas_rat_make(cases[i].a.num, cases[i].a.den);
        AtlasRat b = atlas_rat_make(cases[i].b.num, cases[i].b.den);
        AtlasRat result = atlas_rat_make(cases[i].result.num, cases[i].result.den);
        AtlasRat got = cases[i].operation(a, b);
        ck_assert_msg(is(got, result.num, result.den),
                      "case %u: %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, i, got.num, got.den);
    }
    ck_assert_int_eq(atlas_rat_cmp((AtlasRat){GREATEST, 1}, (AtlasRat){LEAST, 1}), 1);
    ck_assert_int_eq(atlas_rat_cmp((AtlasRat){1, GREATEST}, (AtlasRat){1, GREATEST - 1}), -1);
    ck_assert_int_eq(atlas_rat_cmp((AtlasRat){GREATEST, 2}, (AtlasRat){GREATEST, 2}), 0);
}
END_TEST

START_TEST(test_none_is_sticky) {
    static const Operation operations[] = {atlas_rat_add, atlas_rat_sub, atlas_rat_mul,
                                           atlas_rat_div};
    static const AtlasRat numbers[] = {{0, 1}, {1, 1}, {-3, 2}, {0, 0}};
    for (guint i = 0; i < G_N_ELEMENTS(operations); i++)
        for (guint j = 0; j < G_N_ELEMENTS(numbers); j++) {
            ck_assert(is(operations[i](numbers[j], ATLAS_RAT_NONE), 0, 0));
            ck_assert(is(operations[i](ATLAS_RAT_NONE, numbers[j]), 0, 0));
        }
}
END_TEST

START_TEST(test_double) {
    ck_assert_double_eq(atlas_rat_double((AtlasRat){687, 10}), 68.7);
    ck_assert_double_eq(atlas_rat_double(atlas_rat(-4)), -4.0);
    ck_assert_double_nan(atlas_rat_double(ATLAS_RAT_NONE));
}
END_TEST

/* --- text --- */

START_TEST(test_parse) {
    static const struct {
        const char *text;
        gint64 num, den; /* den 0: no number */
        guint decimals;
    } cases[] = {
        {"0", 0, 1, 0},
        {"12", 12, 1, 0},
        {"-3", -3, 1, 0},
        {"-0", 0, 1, 0},
        {"007", 7, 1, 0},
        {"0.05", 1, 20, 2},
        {"-0.50", -1, 2, 2},
        {"68.7", 687, 10, 1},
        {"1.000", 1, 1, 3},
        {"9223372036854775807", GREATEST, 1, 0},
        {"-9223372036854775807", LEAST, 1, 0},
        {"9223372036854775808", 0, 0, 0},
        {"-9223372036854775808", 0, 0, 0},
        {"99999999999999999999999999999999999999999999", 0, 0, 0},
        {"0.000000000000000001", 1, 1000000000000000000, 18},
        {"0.0000000000000000001", 0, 0, 0},
        {"", 0, 0, 0},
        {"-", 0, 0, 0},
        {".", 0, 0, 0},
        {"-.", 0, 0, 0},
        {".5", 0, 0, 0},
        {"5.", 0, 0, 0},
        {"-5.", 0, 0, 0},
        {"1.2.3", 0, 0, 0},
        {"1..2", 0, 0, 0},
        {"+1", 0, 0, 0},
        {"--1", 0, 0, 0},
        {"1-", 0, 0, 0},
        {" 1", 0, 0, 0},
        {"1 ", 0, 0, 0},
        {"1e3", 0, 0, 0},
        {"0x1", 0, 0, 0},
        {"1,5", 0, 0, 0},
        {"nan", 0, 0, 0},
        {"?", 0, 0, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        guint decimals = 77;
        AtlasRat got = atlas_rat_parse(cases[i].text, strlen(cases[i].text), &decimals);
        ck_assert_msg(is(got, cases[i].num, cases[i].den), "'%s'", cases[i].text);
        if (atlas_rat_ok(got))
            ck_assert_msg(decimals == cases[i].decimals, "'%s': %u", cases[i].text, decimals);
        g_autofree char *longer = g_strconcat(cases[i].text, "9", NULL);
        ck_assert(is(atlas_rat_parse(longer, strlen(cases[i].text), NULL), got.num, got.den));
    }
}
END_TEST

START_TEST(test_format) {
    static const struct {
        AtlasRat number;
        guint places;
        const char *text;
    } cases[] = {
        {{12, 1}, 0, "12"},
        {{12, 1}, 3, "12"},
        {{0, 1}, 3, "0"},
        {{-7, 1}, 1, "-7"},
        {{687, 10}, 1, "68.7"},
        {{687, 10}, 4, "68.7"},
        {{687, 10}, 0, "69"},
        {{1, 20}, 2, "0.05"},
        {{1, 20}, 1, "0.1"}, /* half away from zero */
        {{-1, 20}, 1, "-0.1"},
        {{1, 2}, 0, "1"},
        {{-1, 2}, 0, "-1"},
        {{5, 2}, 0, "3"},
        {{-1, 3}, 0, "0"}, /* no minus before 0 */
        {{-1, 30}, 1, "0"},
        {{1, 3}, 4, "0.3333"},
        {{2, 3}, 4, "0.6667"},
        {{-2, 3}, 1, "-0.7"},
        {{9999, 10000}, 3, "1"},
        {{19999, 10000}, 3, "2"},
        {{1001, 1000}, 2, "1"},
        {{1001, 1000}, 3, "1.001"},
        {{1, 3}, 15, "0.333333333333333"},
        {{1, 3}, 99, "0.333333333333333"},
        {{GREATEST, 1}, 15, "9223372036854775807"},
        {{LEAST, 1}, 0, "-9223372036854775807"},
        {{GREATEST, 2}, 15, "4611686018427387903.5"},
        {{1, GREATEST}, 15, "0"},
        {{0, 0}, 3, "?"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        char buffer[64];
        ck_assert_ptr_eq(atlas_rat_format(cases[i].number, cases[i].places, buffer, sizeof buffer),
                         buffer);
        ck_assert_str_eq(buffer, cases[i].text);
    }
    char small[4];
    ck_assert_str_eq(atlas_rat_format(atlas_rat(-12345), 0, small, sizeof small), "-12");
    ck_assert_str_eq(atlas_rat_format((AtlasRat){25, 2}, 1, small, sizeof small), "12.");
}
END_TEST

/* What is written with enough places is read back as the same number. */
START_TEST(test_round_trip) {
    for (gint64 den = 1; den <= 1000000; den *= 10)
        for (gint64 num = -123456; num <= 123456; num += 617) {
            char buffer[64];
            AtlasRat a = atlas_rat_make(num, den);
            atlas_rat_format(a, 6, buffer, sizeof buffer);
            AtlasRat b = atlas_rat_parse(buffer, strlen(buffer), NULL);
            ck_assert_msg(is(b, a.num, a.den), "%s", buffer);
        }
}
END_TEST

START_TEST(test_lcm) {
    ck_assert_int_eq(atlas_lcm(1, 7), 7);
    ck_assert_int_eq(atlas_lcm(7, 1), 7);
    ck_assert_int_eq(atlas_lcm(4, 6), 12);
    ck_assert_int_eq(atlas_lcm(6, 6), 6);
    ck_assert_int_eq(atlas_lcm(1 << 20, 1 << 19), 1 << 20);
    ck_assert_int_eq(atlas_lcm(G_MAXINT64, G_MAXINT64 - 1), G_MAXINT64);
    ck_assert_int_eq(atlas_gcd(12, 18), 6);
    ck_assert_int_eq(atlas_gcd(-12, 18), 6);
    ck_assert_int_eq(atlas_gcd(0, 5), 5);
    ck_assert_int_eq(atlas_gcd(0, 0), 0);
}
END_TEST

Suite *rational_suite(void) {
    const TTest *const tests[] = {
        test_make,   test_small, test_floor_ceil, test_overflow,   test_none_is_sticky,
        test_double, test_parse, test_format,     test_round_trip, test_lcm,
    };
    Suite *suite = suite_create("rational");
    TCase *cases = tcase_create("cases");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        tcase_add_test(cases, tests[i]);
    suite_add_tcase(suite, cases);
    return suite;
}
