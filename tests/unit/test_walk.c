/* Tests of walking: counts by hand, as linear forms, over windows; what makes no sense. */
#include <string.h>

#include "tests/unit/models.h"
#include "tests/unit/suites.h"

/* ---- numbers ---- */

START_TEST(test_multiples) {
    for (gint64 every = 1; every < 9; every++)
        for (gint64 first = 0; first < 20; first++)
            for (gint64 last = first; last < 40; last++) {
                gint64 expected = 0;
                for (gint64 step = first; step <= last; step++)
                    expected += step % every == 0;
                ck_assert_int_eq(atlas_multiples(first, last, every), expected);
            }
    ck_assert_int_eq(atlas_multiples(1, G_MAXINT64 - 1, G_MAXINT64), 0);
}
END_TEST

/* ---- counts ---- */

static const char spec[] =
    "params: {n: {default: 4, min: 0, max: 8}, e: {default: 3, min: 1, max: 8}}\n"
    "arms: {a: {}, b: {default: off}}\n"
    "unknowns: {u: {}, v: {}, w: {kind: real}}\n"
    "stages:\n"
    "- stage: fwd\n"
    "  do:\n"
    "  - {launch: one}\n"
    "  - {launch: arm, when: a, count: 10 + u}\n"
    "  - group: g\n"
    "    when: not a or b\n"
    "    every: 2\n"
    "    do:\n"
    "    - loop: n\n"
    "      as: i\n"
    "      every: 3\n"
    "      do:\n"
    "      - {launch: each, count: i * v}\n"
    "      - {launch: first, when: i == 0, every: 4}\n"
    "- stage: bwd\n"
    "  do:\n"
    "  - {group: h, like: fwd.g, counts: {v: u}}\n"
    "  - {loop: n, do: [{loop: e, do: [{launch: inner, count: 2 * v}]}]}\n"
    "- stage: opt\n"
    "  do:\n"
    "  - {launch: real, count: w / 2, every: e}\n";

/* u = 5, v = 7, w = 3. Launches of fwd, bwd and opt, summed over the window. */
static const struct {
    const char *settings;
    gint64 first, last, fwd, bwd;
    gint64 opt2; /* twice that of opt */
    gint64 period;
} counts[] = {
    /* one + (10 + u); h has no condition of its own: each is in steps 0, 6, 12 (every 3 * loop,
     * h without g's every 2 and when): 0 + 1 + 2 + 3 = 6 times u; first every 12 */
    {"", 0, 0, 16, 6 * 5 + 1 + 4 * 3 * 14, 3, 12},
    {"", 1, 1, 16, 4 * 3 * 14, 0, 12},
    {"", 3, 3, 16, 6 * 5 + 4 * 3 * 14, 3, 12},
    {"", 0, 11, 12 * 16, 4 * 30 + 1 + 12 * 168, 4 * 3, 12},
    {"", 20, 29, 160, 3 * 30 + 1 + 10 * 168, 3 * 3, 12}, /* 21, 24, 27; 24 */
    {"b=on", 0, 0, 16 + 6 * 7 + 1, 6 * 5 + 1 + 168, 3, 12},
    {"b=on", 6, 6, 16 + 6 * 7, 6 * 5 + 168, 3, 12},
    {"b=on", 3, 3, 16, 6 * 5 + 168, 3, 12},
    {"a=off", 0, 5, 6 + 42 + 1, 2 * 30 + 1 + 6 * 168, 2 * 3, 12},
    {"n=0", 0, 11, 12 * 16, 0, 4 * 3, 3},
    {"n=1", 0, 11, 12 * 16, 1 + 12 * 42, 4 * 3, 12},
    {"n=1,e=5", 0, 4, 5 * 16, 1 + 5 * 70, 3, 60},
};

static gboolean is(AtlasRat value, gint64 num, gint64 den) {
    return atlas_rat_ok(value) && atlas_rat_cmp(value, atlas_rat_make(num, den)) == 0;
}

START_TEST(test_counts) {
    const AtlasRat unknowns[] = {atlas_rat(5), atlas_rat(7), atlas_rat(3)};
    AtlasSource *source;
    AtlasModel *model = model_read(spec, &source);
    AtlasConfig *config = model_config(model, counts[_i].settings);
    gint64 first = counts[_i].first, last = counts[_i].last;
    AtlasRat stages[3];
    AtlasWalkFault fault;
    ck_assert(atlas_walk_stages(config, unknowns, first, last, stages, &fault));
    ck_assert_int_eq(stages[0].num, counts[_i].fwd);
    ck_assert_int_eq(stages[1].num, counts[_i].bwd);
    ck_assert(is(stages[2], counts[_i].opt2, 2));
    ck_assert_int_eq(atlas_walk_period(config, &fault), counts[_i].period);

    AtlasLinear *forms = atlas_walk_linear(config, first, last, &fault);
    AtlasRat sums[3] = {{0, 1}, {0, 1}, {0, 1}};
    ck_assert_ptr_nonnull(forms);
    for (guint i = 0; i < model->populations->len; i++) {
        AtlasRat *sum = &sums[ATLAS_POPULATION(model, i)->stage];
        *sum = atlas_rat_add(*sum, atlas_linear_value(&forms[i], unknowns));
    }
    for (guint i = 0; i < 3; i++)
        ck_assert_int_eq(atlas_rat_cmp(sums[i], stages[i]), 0);
    atlas_linear_free(forms, model->populations->len);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

static guint population(const AtlasModel *model, const char *key) {
    for (guint i = 0; i < model->populations->len; i++)
        if (g_str_equal(ATLAS_POPULATION(model, i)->key, key))
            return i;
    ck_abort_msg("no population %s", key);
}

/* Constants and coefficients over steps 0..11. */
START_TEST(test_linear) {
    AtlasSource *source;
    AtlasModel *model = model_read(spec, &source);
    AtlasConfig *config = model_config(model, "b=on");
    AtlasWalkFault fault;
    AtlasLinear *forms = atlas_walk_linear(config, 0, 11, &fault);
    static const struct {
        const char *key;
        gint64 constant, u, v, w2; /* w2: twice the coefficient of w */
    } expected[] = {
        {"fwd.one", 12, 0, 0, 0},        {"fwd.arm", 120, 12, 0, 0},  {"fwd.g.each", 0, 0, 12, 0},
        {"fwd.g.first", 1, 0, 0, 0},     {"bwd.h.each", 0, 24, 0, 0}, {"bwd.h.first", 1, 0, 0, 0},
        {"bwd.inner", 0, 0, 12 * 24, 0}, {"opt.real", 0, 0, 0, 4},
    };
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const AtlasLinear *form = &forms[population(model, expected[i].key)];
        ck_assert_uint_eq(form->n, 3);
        ck_assert(is(form->constant, expected[i].constant, 1));
        ck_assert(is(form->coefs[0], expected[i].u, 1));
        ck_assert(is(form->coefs[1], expected[i].v, 1));
        ck_assert(is(form->coefs[2], expected[i].w2, 2));
    }
    AtlasLinear *sum = atlas_linear_new(3, 1);
    atlas_linear_add(sum, &forms[population(model, "fwd.arm")], atlas_rat_make(1, 12));
    ck_assert(is(sum->constant, 10, 1) && is(sum->coefs[0], 1, 1) && is(sum->coefs[1], 0, 1));
    ck_assert(!atlas_linear_equal(sum, &forms[0]) && atlas_linear_equal(sum, sum));
    atlas_linear_free(sum, 1);
    atlas_linear_free(forms, model->populations->len);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

typedef struct {
    guint visits;
    gint64 times, every;
} Seen;

static void see(const AtlasVisit *visit, gpointer data) {
    Seen *seen = data;
    seen->visits++;
    seen->times += visit->times;
    seen->every = visit->every;
}

/* A loop of equal iterations is one visit, however often it runs. */
START_TEST(test_visits) {
    static const struct {
        const char *items;
        guint visits;
        gint64 times, every;
    } cases[] = {
        {"{loop: 1000000, do: [{loop: 10000, do: [{launch: a}]}]}", 1, 10000000000, 1},
        {"{loop: 100, as: i, every: 6, do: [{launch: a, every: 4}]}", 1, 100, 12},
        {"{loop: 5, as: i, do: [{loop: 7, do: [{launch: a, when: i > 1}]}]}", 3, 21, 1},
        {"{loop: 5, as: i, do: [{loop: i, do: [{launch: a}]}]}", 4, 10, 1},
        {"{loop: 0, as: i, do: [{launch: a, count: 1 / i}]}", 0, 0, 0},
        {"{group: g, when: 0, do: [{launch: a, every: 0}, {loop: -1, do: []}]}", 0, 0, 0},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        AtlasSource *source;
        AtlasWalkFault fault;
        Seen seen = {0, 0, 0};
        g_autofree char *text = g_strdup_printf("stages: [{stage: s, do: [%s]}]", cases[i].items);
        AtlasModel *model = model_read(text, &source);
        AtlasConfig *config = model_config(model, "");
        ck_assert(atlas_walk(config, NULL, see, &seen, &fault));
        ck_assert_uint_eq(seen.visits, cases[i].visits);
        ck_assert_int_eq(seen.times, cases[i].times);
        ck_assert_int_eq(seen.every, cases[i].every);
        atlas_config_free(config);
        atlas_model_free(model);
        atlas_source_free(source);
    }
}
END_TEST

/* ---- faults ---- */

#define GUARD "hint: guard it with 'when', max() or if(), or narrow a parameter's min..max\n"

static const struct {
    const char *items, *settings, *report;
} faults[] = {
    {"{loop: n - 1, do: [{launch: a}]}", "n=0",
     "s:4:33: error: this loop count is -1 under 'n=0'; expected a whole number >= 0, not too "
     "large\n"},
    {"{loop: n / 2, do: [{launch: a}]}", "n=3",
     "s:4:33: error: this loop count is 1.5 under 'n=3'; expected a whole number >= 0, not too "
     "large\n"},
    {"{loop: 3, as: i, do: [{launch: a, when: 1 / i > 0}]}", "",
     "s:4:66: error: this when is no number under 'base'; expected a number\n"},
    {"{launch: a, every: n}", "n=0",
     "s:4:45: error: this every is 0 under 'n=0'; expected a whole number >= 1\n"},
    {"{group: g, every: n / 4, do: [{launch: a}]}", "n=2",
     "s:4:44: error: this every is 0.5 under 'n=2'; expected a whole number >= 1\n"},
    {"{launch: a, count: 1 / n}", "n=0",
     "s:4:45: error: this count is no number under 'n=0'; expected a whole number >= 0, not too "
     "large\n"},
    {"{launch: a, count: 2 - n}", "n=4",
     "s:4:45: error: this count is -2 under 'n=4'; expected a whole number >= 0, not too large\n"},
    {"{loop: 100000, do: [{loop: 100001, do: [{launch: a}]}]}", "",
     "s:4:53: error: this loop count is 100001 under 'base'; expected a whole number >= 0, not too "
     "large\n"},
    {"{loop: 4097, as: i, do: [{launch: a, when: i > 0}]}", "",
     "s:4:33: error: this loop count is 4097 under 'base'; expected a whole number >= 0, not too "
     "large\n"},
    {"{launch: a, every: 99999999999}", "",
     "s:4:45: error: under 'base' the same launches come again after more than 10000000000 "
     "steps\n"},
    {"{launch: a, every: 99999}, {launch: b, every: 99998}, {launch: c, every: 99997}", "",
     "s:4:45: error: under 'base' the same launches come again after more than 10000000000 "
     "steps\n"},
    {"{loop: 3000, as: i, do: [{loop: 3000, as: j, do: [{launch: a, when: i > j}]}]}", "",
     "s:4:85: error: under 'base' there are more than 4194304 items to be looked at\n"},
};

START_TEST(test_faults) {
    AtlasSource *source;
    AtlasWalkFault fault;
    AtlasRat stage;
    g_autofree char *text = g_strdup_printf("params: {n: {default: 1, min: 0, max: 8}}\n"
                                            "stages: [{stage: s, do: [%s]}]",
                                            faults[_i].items);
    AtlasModel *model = model_read(text, &source);
    AtlasConfig *config = model_config(model, faults[_i].settings);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    gboolean ok = atlas_walk_period(config, &fault) > 0 &&
                  atlas_walk_stages(config, NULL, 0, 9, &stage, &fault);
    ck_assert(!ok);
    atlas_walk_report(&fault, config, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_msg(g_str_has_prefix(report, faults[_i].report) && strstr(report, "hint: "), "%s",
                  report);
    if (!strstr(report, "-2 under")) { /* a form may be negative; a count may not */
        AtlasLinear *forms = atlas_walk_linear(config, 0, 9, &fault);
        ck_assert(!forms || strstr(faults[_i].items, "99998"));
        atlas_linear_free(forms, model->populations->len);
    }
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* A sum that does not fit is a fault, not a wrong number. */
START_TEST(test_overflow) {
    AtlasSource *source;
    AtlasWalkFault fault;
    AtlasRat stage;
    AtlasModel *model = model_read(
        "stages: [{stage: s, do: [{loop: 10000000000, do: [{launch: a, count: 1000000000}]}]}]",
        &source);
    AtlasConfig *config = model_config(model, "");
    ck_assert(!atlas_walk_stages(config, NULL, 0, 0, &stage, &fault));
    ck_assert_str_eq(fault.what, "count");
    ck_assert_ptr_null(atlas_walk_linear(config, 0, 0, &fault));
    ck_assert_str_eq(fault.what, "count");
    ck_assert(!atlas_walk_stages(config, NULL, 0, G_MAXINT64 / 2, &stage, &fault));
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

Suite *walk_suite(void) {
    Suite *suite = suite_create("walk");
    TCase *numbers = tcase_create("numbers"), *launches = tcase_create("launches");
    TCase *wrong = tcase_create("faults");
    tcase_add_test(numbers, test_multiples);
    tcase_add_loop_test(launches, test_counts, 0, G_N_ELEMENTS(counts));
    tcase_add_test(launches, test_linear);
    tcase_add_test(launches, test_visits);
    tcase_add_loop_test(wrong, test_faults, 0, G_N_ELEMENTS(faults));
    tcase_add_test(wrong, test_overflow);
    suite_add_tcase(suite, numbers);
    suite_add_tcase(suite, launches);
    suite_add_tcase(suite, wrong);
    return suite;
}
