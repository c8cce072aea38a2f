/* Tests of configurations: settings, contradictions, needs, descriptions. */
#include <string.h>

#include "tests/unit/models.h"
#include "tests/unit/suites.h"

static const char spec[] =
    "params: {iters: {default: 4, min: 1, max: 8}, experts: {default: 3, min: 0, max: 3}}\n"
    "arms: {kda: {}, jepa: {}, teacher: {needs: jepa}, probe: {default: off, needs: teacher},\n"
    "       engram: {default: off}}\n"
    "toggles:\n"
    "  no-kda: {set: {kda: off}}\n"
    "  jepa-0: {set: {jepa: off}}\n"
    "  teacher-0: {set: {teacher: off}}\n"
    "  cross: {set: {kda: off, jepa: off}}\n"
    "  small: {set: {iters: 2, experts: 1}}\n"
    "  iters-2: {set: {iters: 2}}\n"
    "  as-ever: {set: {iters: 4}}\n"
    "  empty: {set: {}}\n";

/* What settings make of the base: "iters experts", and the arms that are on, by first letter. */
static char *values_of(const AtlasConfig *config) {
    GString *text = g_string_new(NULL);
    g_string_printf(text, "%d %d ", (int)config->params[0], (int)config->params[1]);
    for (guint i = 0; i < config->model->arms->len; i++)
        if (atlas_config_arm(config, i))
            g_string_append_c(text, ATLAS_ARM(config->model, i)->name[0]);
    return g_string_free(text, FALSE);
}

static const struct {
    const char *settings, *values, *description;
} good[] = {
    {"", "4 3 kjt", "base"},
    {"-", "4 3 kjt", "base"},
    {"base", "4 3 kjt", "base"},
    {"as-ever", "4 3 kjt", "base"},
    {"empty", "4 3 kjt", "base"},
    {"iters=4,kda=on,engram=off", "4 3 kjt", "base"},
    {"no-kda", "4 3 jt", "no-kda"},
    {"kda=off", "4 3 jt", "no-kda"},
    {" kda = off , no-kda ", "4 3 jt", "no-kda"},
    {"jepa-0", "4 3 k", "jepa-0"},
    {"jepa-0,no-kda", "4 3 ", "cross"},
    {"cross,jepa-0", "4 3 ", "cross"},
    {"teacher-0", "4 3 kj", "teacher-0"},
    {"teacher-0,jepa-0", "4 3 k", "jepa-0"}, /* off anyway: nothing to be said */
    {"iters=2", "2 3 kjt", "iters-2"},
    {"iters=2,experts=1", "2 1 kjt", "small"},
    {"small,no-kda", "2 1 jt", "small,no-kda"},
    {"iters=3,experts=0,engram=on", "3 0 kjte", "iters=3,experts=0,engram=on"},
    {"probe=on", "4 3 kjtp", "probe=on"},
    {"iters=1,iters=1", "1 3 kjt", "iters=1"},
    {"iters=02", "2 3 kjt", "iters-2"},
};

START_TEST(test_good) {
    AtlasSource *source;
    AtlasModel *model = model_read(spec, &source);
    AtlasConfig *config = model_config(model, good[_i].settings);
    g_autofree char *values = values_of(config), *description = atlas_config_describe(config);
    ck_assert_str_eq(values, good[_i].values);
    ck_assert_str_eq(description, good[_i].description);
    AtlasConfig *copy = atlas_config_copy(config);
    g_autofree char *copied = values_of(copy);
    ck_assert(atlas_config_equal(config, copy));
    ck_assert_str_eq(copied, values);
    ck_assert_uint_eq(copy->settings->len, config->settings->len);
    atlas_config_free(copy);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

static const struct {
    const char *settings, *report; /* places of the spec: line + 2 */
} bad[] = {
    {"no-kdaa", "x:1:1: error: no toggle named 'no-kdaa' in 'm'\n"
                "    1 | no-kdaa\n"
                "      | ^~~~~~~\n"
                "hint: did you mean 'no-kda'?\n"},
    {"kda", "x:1:1: error: no toggle named 'kda' in 'm'\n"
            "    1 | kda\n"
            "      | ^~~\n"
            "hint: 'kda' is an arm: set it with kda=on or kda=off\n"},
    {"cross,iters", "x:1:7: error: no toggle named 'iters' in 'm'\n"
                    "    1 | cross,iters\n"
                    "      |       ^~~~~\n"
                    "hint: 'iters' is a parameter: set it with iters=N\n"},
    {"no-kda=off", "x:1:1: error: no parameter or arm named 'no-kda' in 'm'\n"
                   "    1 | no-kda=off\n"
                   "      | ^~~~~~~~~~\n"
                   "hint: 'no-kda' is a toggle: give it without '='\n"},
    {"itres=2", "x:1:1: error: no parameter or arm named 'itres' in 'm'\n"
                "    1 | itres=2\n"
                "      | ^~~~~~~\n"
                "hint: did you mean 'iters'?\n"},
    {"iters=9", "x:1:1: error: expected a whole number from 1 to 8 for 'iters', not '9'\n"
                "    1 | iters=9\n"
                "      | ^~~~~~~\n"
                "s:3:10: note: 'iters' is declared here\n"
                "hint: its default is 4; widen min..max there if the program allows more\n"},
    {"iters=1.5", "x:1:1: error: expected a whole number from 1 to 8 for 'iters', not '1.5'\n"
                  "    1 | iters=1.5\n"
                  "      | ^~~~~~~~~\n"
                  "s:3:10: note: 'iters' is declared here\n"
                  "hint: its default is 4; widen min..max there if the program allows more\n"},
    {"cross,  kda=no", "x:1:9: error: arm 'kda' is set to on or off, not to 'no'\n"
                       "    1 | cross,  kda=no\n"
                       "      |         ^~~~~~\n"
                       "hint: write kda=on or kda=off\n"},
    {"cross,,kda=off", "x:1:7: error: expected a setting, not nothing\n"
                       "    1 | cross,,kda=off\n"
                       "      |       ^\n"
                       "hint: settings are joined by one comma: no-kda,iters=2\n"},
    {"cross,", "x:1:7: error: expected a setting, not nothing\n"
               "    1 | cross,\n"
               "      |       ^\n"
               "hint: settings are joined by one comma: no-kda,iters=2\n"},
    /* contradictions, whichever way they are written */
    {"no-kda,kda=on", "x:1:8: error: this sets kda=on, which contradicts kda=off\n"
                      "    1 | no-kda,kda=on\n"
                      "      |        ^~~~~~\n"
                      "x:1:1: note: kda=off is set here\n"
                      "hint: leave one of the two out\n"},
    {"iters=3,small", "x:1:9: error: this sets iters=2, which contradicts iters=3\n"
                      "    1 | iters=3,small\n"
                      "      |         ^~~~~\n"
                      "x:1:1: note: iters=3 is set here\n"
                      "hint: leave one of the two out\n"},
    {"iters-2,as-ever", "x:1:9: error: this sets iters=4, which contradicts iters=2\n"
                        "    1 | iters-2,as-ever\n"
                        "      |         ^~~~~~~\n"
                        "x:1:1: note: iters=2 is set here\n"
                        "hint: leave one of the two out\n"},
    /* needs: only what was switched on by name is an error */
    {"jepa-0,teacher=on", "x:1:8: error: arm 'teacher' needs 'jepa', which is off\n"
                          "    1 | jepa-0,teacher=on\n"
                          "      |        ^~~~~~~~~~\n"
                          "s:4:27: note: 'teacher' is declared here\n"
                          "hint: set jepa=on too\n"},
    {"jepa=off,probe=on", "x:1:10: error: arm 'probe' needs 'jepa', which is off\n"
                          "    1 | jepa=off,probe=on\n"
                          "      |          ^~~~~~~~\n"
                          "s:4:51: note: 'probe' is declared here\n"
                          "hint: set jepa=on too\n"},
};

START_TEST(test_bad) {
    AtlasSource *source;
    AtlasModel *model = model_read(spec, &source);
    const char *text = bad[_i].settings;
    g_autoptr(AtlasSource) line = atlas_source_new("x", text, strlen(text), NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasConfig *config = atlas_config_new(model);
    atlas_config_apply(config, &(AtlasText){text, {line, 0, strlen(text)}}, diags);
    atlas_config_finish(config, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(report, bad[_i].report);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* The base is one without any setting; settings of several texts add up; what they were is kept. */
START_TEST(test_settings) {
    AtlasSource *source;
    AtlasModel *model = model_read(spec, &source);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasConfig *config = atlas_config_new(model);
    g_autofree char *base = values_of(config);
    ck_assert_str_eq(base, "4 3 kjt");
    atlas_config_apply(config, &(AtlasText){"cross", {NULL, 0, 0}}, diags);
    atlas_config_apply(config, &(AtlasText){"iters=2,no-kda", {NULL, 0, 0}}, diags);
    atlas_config_apply(config, &(AtlasText){"cross", {NULL, 0, 0}}, diags);
    atlas_config_finish(config, diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert_uint_eq(config->toggles->len, 2);
    ck_assert_str_eq(g_ptr_array_index(config->toggles, 0), "cross");
    ck_assert_str_eq(g_ptr_array_index(config->toggles, 1), "no-kda");
    ck_assert_uint_eq(config->settings->len, 3); /* kda, jepa, iters */
    g_autofree char *values = values_of(config);
    ck_assert_str_eq(values, "2 3 ");
    atlas_config_put(config, TRUE, 1, 1);
    g_autofree char *put = values_of(config);
    ck_assert_str_eq(put, "2 3 jt");
    AtlasEnv env = atlas_config_env(config);
    ck_assert_int_eq(env.params[0], 2);
    ck_assert_uint_eq(env.arms[0], 1 << 1 | 1 << 2);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* Whatever values are put: the description leads from the base to an equal configuration, without
 * an error, and equal configurations have one description. */
static void check_random(const AtlasModel *model, guint seed, guint count) {
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    g_autoptr(GHashTable) described =
        g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify)atlas_config_free);
    for (guint i = 0; i < count; i++) {
        AtlasConfig *config = atlas_config_new(model);
        for (guint j = 0; j < model->params->len; j++) {
            const AtlasParam *param = ATLAS_PARAM(model, j);
            if (g_rand_boolean(rand))
                atlas_config_put(config, FALSE, j,
                                 g_rand_int_range(rand, (int)param->low, (int)param->high + 1));
        }
        for (guint j = 0; j < model->arms->len; j++)
            atlas_config_put(config, TRUE, j, g_rand_boolean(rand));
        char *description = atlas_config_describe(config);
        AtlasConfig *again = model_config(model, description);
        g_autofree char *second = atlas_config_describe(again);
        ck_assert_msg(atlas_config_equal(config, again), "%s", description);
        ck_assert_str_eq(second, description);
        atlas_config_free(again);
        const AtlasConfig *before = g_hash_table_lookup(described, description);
        ck_assert(!before || atlas_config_equal(before, config));
        g_hash_table_replace(described, description, config);
    }
}

START_TEST(test_random) {
    static const char *const names[] = {"dormouse-small", "minimouse", "first"};
    AtlasSource *source;
    AtlasModel *model = model_read(spec, &source);
    check_random(model, 1, 2000);
    atlas_model_free(model);
    atlas_source_free(source);
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        model = model_shipped(names[i], &source);
        check_random(model, i + 2, 500);
        atlas_model_free(model);
        atlas_source_free(source);
    }
}
END_TEST

/* More arms than bits in a word. */
START_TEST(test_many_arms) {
    g_autoptr(GString) text = g_string_new("arms:\n");
    for (guint i = 0; i < 130; i++)
        g_string_append_printf(text, "  a%u: {default: %s}\n", i, i % 3 ? "on" : "off");
    AtlasSource *source;
    AtlasModel *model = model_read(text->str, &source);
    AtlasConfig *config = model_config(model, "a129=on,a64=off");
    for (guint i = 0; i < 130; i++)
        ck_assert_int_eq(atlas_config_arm(config, i), i == 129 || (i % 3 != 0 && i != 64));
    g_autofree char *description = atlas_config_describe(config);
    ck_assert_str_eq(description, "a64=off,a129=on");
    check_random(model, 7, 50);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

Suite *config_suite(void) {
    Suite *suite = suite_create("config");
    TCase *settings = tcase_create("settings"), *whole = tcase_create("configurations");
    tcase_add_loop_test(settings, test_good, 0, G_N_ELEMENTS(good));
    tcase_add_loop_test(settings, test_bad, 0, G_N_ELEMENTS(bad));
    tcase_add_test(settings, test_settings);
    tcase_add_test(whole, test_random);
    tcase_add_test(whole, test_many_arms);
    suite_add_tcase(suite, settings);
    suite_add_tcase(suite, whole);
    return suite;
}
