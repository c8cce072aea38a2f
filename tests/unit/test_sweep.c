/* Sweeps of tests/golden/fence.yaml: what is tried and skipped, counted by hand, and what is found,
 * against proofs of each configuration by itself. */
#include <string.h>

#include "model/check/sweep.h"
#include "model/launch/lower.h"
#include "model/proof/tell.h"
#include "tests/unit/suites.h"

static AtlasStudy *study;
static AtlasDiags *diags;

static void setup(void) {
    diags = atlas_diags_new();
    study = atlas_study_load("tests/golden/fence.yaml", NULL, ATLAS_RAT_NONE, diags);
    ck_assert(study && study->point);
}

static void teardown(void) {
    atlas_study_free(study);
    atlas_diags_free(diags);
}

static AtlasText text_of(const char *text) {
    return (AtlasText){text, {NULL, 0, 0}};
}

static AtlasConfig *base_of(const char *settings) {
    AtlasConfig *config = atlas_config_new(study->model);
    AtlasText text = text_of(settings);
    atlas_config_apply(config, &text, diags);
    atlas_config_finish(config, diags);
    return config;
}

/* The axes of "toggles" and of NAME=VALUES, separated by blanks. */
static GArray *axes_of(const char *words) {
    GArray *axes = atlas_axes_new();
    g_auto(GStrv) list = g_strsplit(words, " ", -1);
    for (guint i = 0; list[i]; i++) {
        AtlasText text = text_of(list[i]);
        if (g_str_equal(list[i], "toggles"))
            atlas_axes_add_toggles(axes, study->model);
        else
            atlas_axes_add(axes, &text, study->model, diags);
    }
    return axes;
}

static AtlasSweep *sweep_of(const char *settings, const char *words) {
    AtlasProveOptions brief = {.brief = TRUE};
    g_autoptr(AtlasConfig) base = base_of(settings);
    g_autoptr(GArray) axes = axes_of(words);
    return atlas_sweep(study, base, axes, &brief, NULL, diags);
}

static const AtlasSweepRow *row_of(const AtlasSweep *sweep, AtlasProperty property) {
    for (guint i = 0; i < sweep->rows->len; i++)
        if (g_array_index(sweep->rows, AtlasSweepRow, i).property == property)
            return &g_array_index(sweep->rows, AtlasSweepRow, i);
    ck_abort_msg("no row of %s", atlas_property_name(property));
}

/* 2^4 toggles times the values of iters. An explicit iters contradicts deep (8), and shallow (1)
 * where it is not 1. A program is one of fence, join (both or neither needed) and iters. The step
 * races unless both waits are there. */
static const struct {
    const char *settings, *words;
    guint combinations, contradictory, unmeasured, configurations, programs, races;
    const char *smallest;
} sweeps[] = {
    {"", "iters=1..3", 3, 0, 0, 3, 3, 0, NULL},
    {"", "toggles", 16, 4, 0, 12, 12, 9, "no-join"},
    {"", "toggles iters=1..2", 32, 20, 0, 12, 8, 9, "no-join"},
    {"", "toggles iters=1,8", 32, 16, 0, 16, 8, 12, "no-join,shallow"},
    {"no-fence", "join=on,off", 2, 0, 0, 2, 2, 2, "no-fence"},
    /* Nobody measured aux, which is off; where the base has it on, it is what is asked for. */
    {"", "aux=on,off iters=2,3", 4, 0, 2, 2, 2, 0, NULL},
    {"aux=on", "iters=2,3", 2, 0, 0, 2, 2, 0, NULL},
    /* It needs fence, which this toggle takes away. */
    {"aux=on", "fence=on,off", 2, 1, 0, 1, 1, 0, NULL},
};

START_TEST(counted) {
    g_autoptr(AtlasSweep) sweep = sweep_of(sweeps[_i].settings, sweeps[_i].words);
    ck_assert(sweep != NULL);
    const AtlasSweepRow *race = row_of(sweep, ATLAS_PROPERTY_RACE);
    g_autofree char *smallest = race->smallest ? atlas_config_describe(race->smallest) : NULL;
    ck_assert_uint_eq(sweep->combinations, sweeps[_i].combinations);
    ck_assert_uint_eq(sweep->contradictory, sweeps[_i].contradictory);
    ck_assert_uint_eq(sweep->unmeasured, sweeps[_i].unmeasured);
    ck_assert_uint_eq(sweep->configurations, sweeps[_i].configurations);
    ck_assert_uint_eq(sweep->programs, sweeps[_i].programs);
    ck_assert_uint_eq(race->failing, sweeps[_i].races);
    ck_assert_uint_eq(race->configurations, sweeps[_i].configurations);
    ck_assert_pstr_eq(smallest, sweeps[_i].smallest);
    ck_assert_uint_eq(row_of(sweep, ATLAS_PROPERTY_LEGAL)->failing, 0);
    ck_assert_uint_eq(row_of(sweep, ATLAS_PROPERTY_DEADLOCK)->open, 0);
}
END_TEST

/* One row, from proofs of all configurations one by one. */
static void check_row(const AtlasSweepRow *row, const char *const *settings) {
    guint failing = 0, configurations = 0;
    gint64 least = G_MAXINT64, most = G_MININT64;
    for (guint i = 0; settings[i]; i++) {
        AtlasText text = text_of(settings[i]);
        g_autoptr(AtlasConfig) config = atlas_config_read(study->model, &text, diags);
        g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
        const AtlasProgram *program = atlas_lower(config, study->point->unknowns, file, diags);
        g_autoptr(AtlasProofs) proofs = atlas_prove(program, NULL);
        for (guint k = 0; k < atlas_proofs_count(proofs); k++) {
            const AtlasProof *proof = atlas_proofs_get(proofs, k);
            g_autofree char *of = atlas_tell_of(proof, program);
            if (proof->property != row->property || g_strcmp0(of, row->of) != 0)
                continue;
            configurations++;
            failing += atlas_proved_judge(proof) == ATLAS_FAIL;
            least = MIN(least, proof->least);
            most = most < 0 && most != G_MININT64 ? most
                   : proof->most < 0              ? -1
                                                  : MAX(most, proof->most);
        }
    }
    ck_assert_uint_eq(row->configurations, configurations);
    ck_assert_uint_eq(row->failing, failing);
    ck_assert_int_eq(row->least, least);
    ck_assert_int_eq(row->most, most);
}

START_TEST(found) {
    static const char *const all[] = {"iters=1",
                                      "iters=2",
                                      "iters=3",
                                      "no-join,iters=1",
                                      "no-join,iters=2",
                                      "no-join,iters=3",
                                      "no-fence,iters=1",
                                      "no-fence,iters=2",
                                      "no-fence,iters=3",
                                      "join=off,fence=off,iters=1",
                                      "join=off,fence=off,iters=2",
                                      "join=off,fence=off,iters=3",
                                      NULL};
    g_autoptr(AtlasSweep) sweep = sweep_of("", "iters=1..3 join=on,off fence=on,off");
    ck_assert(sweep != NULL);
    ck_assert_uint_eq(sweep->configurations, 12);
    ck_assert_uint_gt(sweep->rows->len, 5);
    for (guint i = 0; i < sweep->rows->len; i++)
        check_row(&g_array_index(sweep->rows, AtlasSweepRow, i), all);
}
END_TEST

static const struct {
    const char *settings, *words, *says;
} faults[] = {
    {"deep", "iters=1..2", "no combination is left: 2 contradict themselves, 0 have an arm that"},
    {"", "aux=on", "no combination is left: 0 contradict themselves, 1 have an arm that"},
    {"", "iters=1..8 iters=1..8 iters=1..8 iters=1..8 iters=1..8 iters=1..8 toggles",
     "these are more than 1000000 combinations"},
};

START_TEST(impossible) {
    ck_assert(sweep_of(faults[_i].settings, faults[_i].words) == NULL);
    g_autofree char *said = atlas_diags_render(diags, FALSE);
    ck_assert_msg(strstr(said, faults[_i].says) != NULL, "%s", said);
}
END_TEST

START_TEST(axes) {
    static const char *const wrong[] = {"iters",      "iters=",       "=1..2",       "iters=3..1",
                                        "iters=1..x", "iters=0..2",   "iters=1,,2",  "itres=1..2",
                                        "iters=1..9", "iters=1..1e9", "iters=1.5..2"};
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        guint before = atlas_diags_errors(diags);
        g_array_unref(axes_of(wrong[i]));
        ck_assert_msg(atlas_diags_errors(diags) == before + 1, "%s: %u errors", wrong[i],
                      atlas_diags_errors(diags) - before);
    }
}
END_TEST

Suite *sweep_suite(void) {
    Suite *suite = suite_create("sweep");
    TCase *tc = tcase_create("sweeps");
    tcase_add_checked_fixture(tc, setup, teardown);
    tcase_add_loop_test(tc, counted, 0, G_N_ELEMENTS(sweeps));
    tcase_add_test(tc, found);
    tcase_add_loop_test(tc, impossible, 0, G_N_ELEMENTS(faults));
    tcase_add_test(tc, axes);
    suite_add_tcase(suite, tc);
    return suite;
}
