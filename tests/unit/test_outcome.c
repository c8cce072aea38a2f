/* Outcomes: their text, and what differs. */
#include <string.h>

#include "tests/unit/machine_kit.h"
#include "tests/unit/suites.h"

/* ---- results ---- */

START_TEST(results_have_names) {
    static const struct {
        int code;
        const char *name;
    } known[] = {{0, "OK"},
                 {1, "INVALID_VALUE"},
                 {401, "ILLEGAL_STATE"},
                 {719, "LAUNCH_FAILED"},
                 {801, "NOT_SUPPORTED"},
                 {900, "STREAM_CAPTURE_UNSUPPORTED"},
                 {907, "CAPTURED_EVENT"},
                 {910, "GRAPH_EXEC_UPDATE_FAILURE"},
                 {ATLAS_RESULT_UNDEFINED, "UNDEFINED"}};
    int code;
    for (guint i = 0; i < G_N_ELEMENTS(known); i++) {
        ck_assert_str_eq(atlas_result_name(known[i].code), known[i].name);
        ck_assert(atlas_result_parse(known[i].name, &code));
        ck_assert_int_eq(code, known[i].code);
    }
    ck_assert_ptr_null(atlas_result_name(12345));
    ck_assert(atlas_result_parse("CUresult=12345", &code));
    ck_assert_int_eq(code, 12345);
    ck_assert(!atlas_result_parse("", &code));
    ck_assert(!atlas_result_parse("okay", &code));
    ck_assert(!atlas_result_parse("CUresult=", &code));
    ck_assert(!atlas_result_parse("CUresult=1x", &code));
}
END_TEST

static const struct {
    AtlasAnswer answer;
    const char *text;
} answers[] = {
    {{.code = ATLAS_RESULT_NONE}, ""},
    {{.code = ATLAS_RESULT_OK}, "OK"},
    {{.code = 12345}, "CUresult=12345"},
    {{.code = 0, .details = ATLAS_DETAILS_STATUS, .status = ATLAS_CAPTURE_INVALIDATED},
     "OK invalidated"},
    {{.code = 901, .details = ATLAS_DETAILS_NULL_GRAPH}, "STREAM_CAPTURE_INVALIDATED graph=null"},
    {{.code = 0, .details = ATLAS_DETAILS_GRAPH}, "OK nodes=0 edges=0"},
    {{.code = 0,
      .details = ATLAS_DETAILS_GRAPH,
      .nodes = 6,
      .edges = 5,
      .of = {[ATLAS_NODE_MEM_FREE] = 1, [ATLAS_NODE_KERNEL] = 3, [ATLAS_NODE_WAIT_EVENT] = 2}},
     "OK nodes=6 edges=5 kernel=3 wait_event=2 mem_free=1"},
    {{.code = 910, .details = ATLAS_DETAILS_UPDATE, .update = 2},
     "GRAPH_EXEC_UPDATE_FAILURE result=2"},
};

START_TEST(answers_are_written) {
    g_autoptr(GString) out = g_string_new(NULL);
    atlas_answer_write(&answers[_i].answer, out);
    ck_assert_str_eq(out->str, answers[_i].text);
}
END_TEST

/* ---- differences ---- */

#define PROGRAM                                                                                    \
    "# p\nstream s nonblocking => OK\nbegin s global => OK\nstatus s => OK none\n"                 \
    "status s => OK\nlaunch s\nend s g => OK nodes=2 edges=1 kernel=2\nexecuted 1\n"

static char *differences_text(GArray *differences) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < differences->len; i++) {
        const AtlasDifference *d = &g_array_index(differences, AtlasDifference, i);
        g_string_append_printf(out, "%u: %s / %s; ", d->op, d->expected, d->got);
    }
    g_array_unref(differences);
    return g_string_free(out, FALSE);
}

/* A status without details accepts any; a launch without a result is not judged. */
START_TEST(differences_from_the_program) {
    static const struct {
        AtlasOutcomeState state;
        guint ended_at;
        const char *expected;
    } cases[] = {
        {ATLAS_OUTCOME_FINISHED, 6,
         "2: OK none / OK active; 5: OK nodes=2 edges=1 kernel=2 / OK nodes=1 edges=0 kernel=1; "
         "6: executed 1 / executed 0; "},
        {ATLAS_OUTCOME_UNDEFINED, 3, "2: OK none / OK active; "},
        {ATLAS_OUTCOME_HUNG, 3, "2: OK none / OK active; 3: OK / hung; "},
        {ATLAS_OUTCOME_CRASHED, 1, "1: OK / crashed; "},
    };
    Programs programs = programs_of_text(PROGRAM);
    const AtlasProgram *program = programs_get(&programs, 0);
    g_autoptr(AtlasOutcome) outcome = atlas_run(program, 1, programs.diags);
    outcome->state = cases[_i].state;
    outcome->ended_at = cases[_i].ended_at;
    g_autofree char *text = differences_text(atlas_outcome_compare(program, outcome));
    ck_assert_str_eq(text, cases[_i].expected);
    programs_clear(&programs);
}
END_TEST

START_TEST(differences_of_two) {
    Programs programs = programs_of_text(PROGRAM);
    const AtlasProgram *program = programs_get(&programs, 0);
    g_autoptr(AtlasOutcome) first = atlas_run(program, 1, programs.diags);
    g_autoptr(AtlasOutcome) second = atlas_run(program, 1, programs.diags);
    g_autofree char *same = differences_text(atlas_outcome_differences(program, first, second));
    ck_assert_str_eq(same, "");
    AtlasAnswer *launch = &g_array_index(second->answers, AtlasAnswer, 4);
    launch->code = 719;
    launch->rule = 3; /* why it answered so is no difference */
    second->executed = 7;
    g_autofree char *two = differences_text(atlas_outcome_differences(program, first, second));
    ck_assert_str_eq(two, "4: OK / LAUNCH_FAILED; 6: executed 0 / executed 7; ");
    second->state = ATLAS_OUTCOME_HUNG;
    second->ended_at = 2;
    g_autofree char *hung = differences_text(atlas_outcome_differences(program, first, second));
    ck_assert_str_eq(hung, "2: OK active / hung; ");
    programs_clear(&programs);
}
END_TEST

/* The first answer that is not OK stays, of several that are the last does. */
START_TEST(repeated_answers) {
    Programs programs = programs_of_text(PROGRAM);
    g_autoptr(AtlasOutcome) outcome = atlas_outcome_new(programs_get(&programs, 0));
    AtlasAnswer active = {.code = 0, .details = ATLAS_DETAILS_STATUS, .status = 1};
    AtlasAnswer over = {.code = 0, .details = ATLAS_DETAILS_STATUS, .status = 0};
    AtlasAnswer bad = atlas_answer(401), worse = atlas_answer(900);
    ck_assert_int_eq(outcome->state, ATLAS_OUTCOME_NOT_RUN);
    ck_assert_int_eq(atlas_outcome_get(outcome, 2)->code, ATLAS_RESULT_NONE);
    atlas_outcome_put(outcome, 2, &active);
    atlas_outcome_put(outcome, 2, &over);
    ck_assert_int_eq(atlas_outcome_get(outcome, 2)->status, ATLAS_CAPTURE_NONE);
    atlas_outcome_put(outcome, 2, &bad);
    atlas_outcome_put(outcome, 2, &over);
    atlas_outcome_put(outcome, 2, &worse);
    ck_assert_int_eq(atlas_outcome_get(outcome, 2)->code, 401);
    programs_clear(&programs);
}
END_TEST

Suite *outcome_suite(void) {
    Suite *suite = suite_create("outcome");
    TCase *all = tcase_create("all");
    tcase_add_test(all, results_have_names);
    tcase_add_loop_test(all, answers_are_written, 0, G_N_ELEMENTS(answers));
    tcase_add_loop_test(all, differences_from_the_program, 0, 4);
    tcase_add_test(all, differences_of_two);
    tcase_add_test(all, repeated_answers);
    suite_add_tcase(suite, all);
    return suite;
}
