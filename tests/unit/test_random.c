/* Generated programs: what they reach, that they can be read, that they come again. */
#include <stdio.h>
#include <string.h>

#include "model/machine/random.h"
#include "model/machine/rules.h"
#include "model/machine/run.h"
#include "tests/unit/suites.h"

enum { PROGRAMS = 5000 };

static AtlasOutcome *run(const AtlasProgram *program) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasOutcome *outcome = atlas_run(program, 1, diags);
    ck_assert_ptr_nonnull(outcome);
    return outcome;
}

static char *text_of(const AtlasProgram *program) {
    GString *text = g_string_new(NULL);
    atlas_program_write(program, text);
    return g_string_free(text, FALSE);
}

/* What an op and its result are to coverage: "update GRAPH_EXEC_UPDATE_FAILURE result=5". Counts of
 * nodes are left out. */
static char *reached(const AtlasOp *op, const char *result, const char *details) {
    gboolean counts = !details || g_str_has_prefix(details, "nodes=");
    return g_strjoin(" ", atlas_op_word(op->kind), result, counts ? NULL : details, NULL);
}

/* Adds what a run reaches. */
static void add_reached(GHashTable *set, const AtlasProgram *program, const AtlasOutcome *outcome) {
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        g_autoptr(GString) text = g_string_new(NULL);
        atlas_answer_write(atlas_outcome_get(outcome, i), text);
        g_auto(GStrv) parts = g_strsplit(text->str, " ", 2);
        if (parts[0])
            g_hash_table_add(set, reached(op, parts[0], parts[1]));
    }
}

static GHashTable *reached_by_random(void) {
    GHashTable *set = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    for (guint i = 0; i < PROGRAMS; i++) {
        const AtlasProgram *program = atlas_random_program(file, 1, i);
        g_autoptr(AtlasOutcome) outcome = run(program);
        add_reached(set, program, outcome);
    }
    return set;
}

/* Every result of every call that a file of the truth has is reached; a generator that forgot an op
 * or a situation would not. */
static void check_reaches(GHashTable *set, const char *path) {
    g_autoptr(GError) error = NULL;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_load(path, &error);
    g_autoptr(AtlasProgramFile) file = source ? atlas_program_read(source, diags) : NULL;
    if (!file) {
        printf("test_random: skipped %s, which is not here\n", path);
        return;
    }
    for (guint i = 0; i < atlas_program_file_count(file); i++) {
        const AtlasProgram *program = atlas_program_file_get(file, i);
        for (guint k = 0; k < program->ops->len; k++) {
            const AtlasOp *op = &g_array_index(program->ops, AtlasOp, k);
            g_autofree char *text = op->result ? reached(op, op->result, op->details) : NULL;
            ck_assert_msg(!text || g_hash_table_contains(set, text), "not reached: %s", text);
        }
    }
}

START_TEST(test_reaches_the_truth) {
    static const char *const files[] = {
        "tests/programs/rules.txt",  "tests/programs/random.txt",  "tests/programs/deep.txt",
        "../shared/truth/rules.txt", "../shared/truth/random.txt", "../shared/truth/deep.txt",
    };
    g_autoptr(GHashTable) set = reached_by_random();
    for (guint i = 0; i < G_N_ELEMENTS(files); i++)
        check_reaches(set, files[i]);
}
END_TEST

/* Every rule gives an answer somewhere, but those that end a run, which is what is left out. */
START_TEST(test_reaches_the_rules) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    gboolean fired[ATLAS_RULES] = {FALSE};
    for (guint i = 0; i < PROGRAMS; i++) {
        const AtlasProgram *program = atlas_random_program(file, 1, i);
        g_autoptr(AtlasOutcome) outcome = run(program);
        for (guint k = 0; k < program->ops->len; k++)
            fired[atlas_outcome_get(outcome, k)->rule] = TRUE;
    }
    for (guint i = 0; i < ATLAS_RULES; i++)
        ck_assert_msg(fired[i] || atlas_rule((AtlasRule)i)->code == ATLAS_RESULT_UNDEFINED,
                      "rule %s was not reached", atlas_rule((AtlasRule)i)->name);
}
END_TEST

START_TEST(test_defined_and_readable) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    for (guint i = 0; i < PROGRAMS; i++) {
        const AtlasProgram *program = atlas_random_program(file, 7, i);
        g_autoptr(AtlasOutcome) outcome = run(program);
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autofree char *text = text_of(program);
        g_autoptr(AtlasSource) source = atlas_source_new("random", text, strlen(text), NULL);
        g_autoptr(AtlasProgramFile) again = atlas_program_read(source, diags);
        ck_assert_msg(again != NULL, "%s", text);
        ck_assert_int_eq(outcome->state, ATLAS_OUTCOME_FINISHED);
        ck_assert_uint_eq(atlas_program_file_get(again, 0)->ops->len, program->ops->len);
    }
}
END_TEST

/* A program depends on its seed and index, not on what was made before it. */
START_TEST(test_same_again) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autofree char *third = text_of(atlas_random_program(file, 1, 3));
    atlas_random_program(file, 9, 0);
    g_autofree char *again = text_of(atlas_random_program(file, 1, 3));
    g_autofree char *other = text_of(atlas_random_program(file, 2, 3));
    g_autofree char *next = text_of(atlas_random_program(file, 1, 4));
    ck_assert_str_eq(third, again);
    ck_assert(g_str_has_prefix(third, "# random-1-00003\n"));
    ck_assert_str_ne(strchr(third, '\n'), strchr(other, '\n'));
    ck_assert_str_ne(strchr(third, '\n'), strchr(next, '\n'));
}
END_TEST

/* ... nor on the compiler, which may evaluate arguments in any order: the sum of 500 programs is gcc's
 * and clang's alike. It changes with the generator, by which every seed then names other programs. */
START_TEST(test_same_everywhere) {
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(GString) text = g_string_new(NULL);
    for (guint i = 0; i < 500; i++)
        atlas_program_write(atlas_random_program(file, 8, i), text);
    g_autofree char *sum = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text->str, -1);
    ck_assert_str_eq(sum, "2105d7ce8bac29716dd477c08d65ebb16a0156262a891e42582520af5ff18466");
}
END_TEST

Suite *random_suite(void) {
    Suite *suite = suite_create("random");
    TCase *tests = tcase_create("random programs");
    tcase_add_test(tests, test_reaches_the_truth);
    tcase_add_test(tests, test_reaches_the_rules);
    tcase_add_test(tests, test_defined_and_readable);
    tcase_add_test(tests, test_same_again);
    tcase_add_test(tests, test_same_everywhere);
    suite_add_tcase(suite, tests);
    return suite;
}
