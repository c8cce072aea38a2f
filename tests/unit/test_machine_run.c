/* Whole runs: loops, steps, counts, and the limits of all that. */
#include <string.h>

#include "tests/unit/machine_kit.h"
#include "tests/unit/suites.h"

#define ONE "# p\nstream s nonblocking\n"
#define GRAPH "begin s global\nlaunch s x3\nend s g\ninstantiate g x\n"

/* What is executed and how many calls are made. Declarations are calls. */
static const struct {
    const char *program;
    gint64 steps, executed, calls;
} runs[] = {
    {ONE, 1, 0, 1},
    {ONE "launch s x786\n", 1, 786, 2},
    /* Outside of the step once, inside as often as there are steps. */
    {ONE "launch s\nstep\nlaunch s x2\nend\nlaunch s\n", 10, 22, 13},
    {ONE "launch s\nstep\nlaunch s x2\nend\nlaunch s\n", 0, 2, 3},
    /* Steps 0, 4, 8 and 0, 3, 6, 9. */
    {ONE "step\nlaunch s every:4\nlaunch s x10 every:3\nend\n", 10, 43, 8},
    /* A period of 12 steps comes again 83 times in 1,000; 4 steps remain: 0, 4 and so on up to 999.
     */
    {ONE "step\nlaunch s every:4\nlaunch s x10 every:3\nend\n", 1000, 250 + 3340, 585},
    {ONE "loop 4 as i\nloop 3..5 as j\nlaunch s\nend\nlaunch s x5\nend\n", 1, 32, 17},
    {ONE "loop 5..3 as i\nlaunch s\nend\n", 1, 0, 1},
    /* An iteration that changes nothing is counted, not performed. */
    {ONE "loop 1000000 as i\nlaunch s x10000\nend\n", 1, G_GINT64_CONSTANT(10000000000), 1000001},
    {ONE "loop 100000 as i\nloop 100000 as j\nlaunch s\nend\nend\n", 1,
     G_GINT64_CONSTANT(10000000000), G_GINT64_CONSTANT(10000000001)},
    {ONE GRAPH "loop 1000000 as i\ngraph_launch x s\nend\n", 1, 3000000, 1000005},
    /* A graph captured anew each time is the same graph; the one before is dropped. */
    {ONE "loop 1000000 as i\n" GRAPH "graph_launch x s\nend\n", 1, 3000000, 5000001},
    /* Nodes of a loop in a capture are nodes. */
    {ONE "begin s global\nloop 5 as i\nlaunch s x2\nend\nend s g\ninstantiate g x\n"
         "graph_launch x s\n",
     1, 10, 10},
    /* What is no call makes no call. */
    {ONE "buffer b\nscalar a\nflag f\nhost_write w:b\nhost_read r:b\nhost_set a\nhost_flag_set f\n"
         "counter_read\n",
     1, 0, 1},
};

START_TEST(programs_run) {
    Programs programs = programs_of_text(runs[_i].program);
    g_autoptr(AtlasOutcome) outcome =
        atlas_run(programs_get(&programs, 0), runs[_i].steps, programs.diags);
    g_autofree char *errors = atlas_diags_render(programs.diags, FALSE);
    ck_assert_msg(outcome != NULL, "%s", errors);
    ck_assert_int_eq(outcome->state, ATLAS_OUTCOME_FINISHED);
    ck_assert_int_eq(outcome->executed, runs[_i].executed);
    ck_assert_int_eq(outcome->calls, runs[_i].calls);
    programs_clear(&programs);
}
END_TEST

/* The first failure of an op that is performed several times is its answer; the second iteration's
 * begin finds the stream capturing. */
START_TEST(first_failure_counts) {
    Programs programs = programs_of_text(ONE "loop 3 as i\nbegin s global\nlaunch s\nend\n"
                                             "end s g\n");
    g_autoptr(AtlasOutcome) outcome = atlas_run(programs_get(&programs, 0), 1, programs.diags);
    ck_assert_int_eq(atlas_outcome_get(outcome, 2)->code, ATLAS_RESULT_ILLEGAL_STATE);
    ck_assert_int_eq(atlas_outcome_get(outcome, 3)->code, ATLAS_RESULT_OK);
    ck_assert_int_eq(atlas_outcome_get(outcome, 5)->nodes, 3);
    programs_clear(&programs);
}
END_TEST

/* ---- limits ---- */

static const struct {
    const char *program, *error;
} refused[] = {
    {ONE "begin s global\nloop 1000000000 as i\nlaunch s\nend\n",
     "p.program:5:1: error: program 'p' is more than the simulated driver holds"},
    {ONE "event e\nloop 1000000000 as i\nevent e\nbegin s relaxed\nrecord e s\n"
         "stream s nonblocking\nend\n",
     "p.program:6:1: error: program 'p' is more than the simulated driver holds"},
    {ONE "step\nlaunch s every:9973\nlaunch s every:9949\nloop 1000000 as i\nlaunch s\n"
         "stream s nonblocking\nbegin s global\nmalloc m\nend s g\nlaunch s\nend\nend\n",
     NULL},
    {ONE GRAPH "begin s global\nlaunch s x10000000000\nloop 1000000 as i\nlaunch s x10000\nend\n"
               "end s g\ninstantiate g x\nloop 10000000000 as i\ngraph_launch x s\nend\n",
     "p.program:14:1: error: program 'p' executes more kernels, or makes more calls, than 63 bits "
     "count"},
};

START_TEST(limits_are_errors) {
    Programs programs = programs_of_text(refused[_i].program);
    g_autoptr(AtlasOutcome) outcome = atlas_run(programs_get(&programs, 0), 1, programs.diags);
    g_autofree char *errors = atlas_diags_render(programs.diags, FALSE);
    ck_assert_int_eq(outcome == NULL, refused[_i].error != NULL);
    if (refused[_i].error) {
        ck_assert_uint_eq(atlas_diags_errors(programs.diags), 1);
        ck_assert_msg(g_str_has_prefix(errors, refused[_i].error), "%s", errors);
    }
    programs_clear(&programs);
}
END_TEST

/* A run that goes on too long without coming round. */
START_TEST(long_runs_are_refused) {
    Programs programs = programs_of_text(ONE "step\nlaunch s every:99991\nlaunch s every:99989\n"
                                             "end\n");
    g_autoptr(AtlasOutcome) outcome =
        atlas_run(programs_get(&programs, 0), G_GINT64_CONSTANT(1000000000), programs.diags);
    g_autofree char *errors = atlas_diags_render(programs.diags, FALSE);
    ck_assert_ptr_null(outcome);
    ck_assert_ptr_nonnull(strstr(errors, "program 'p' goes on for too long"));
    programs_clear(&programs);
}
END_TEST

/* As many streams as there may be, captured one by one and all at once; one more is refused. */
START_TEST(many_streams) {
    for (guint streams = ATLAS_MACHINE_NAMES_MAX - 2; streams <= ATLAS_MACHINE_NAMES_MAX;
         streams += 2) {
        g_autoptr(GString) text = g_string_new("# p\n");
        for (guint i = 0; i < streams; i++)
            g_string_append_printf(text, "stream s%u nonblocking\n", i);
        g_string_append(text, "begin s0 relaxed\nend s0 g0\n");
        for (guint i = 0; i < streams; i++)
            g_string_append_printf(text, "begin s%u relaxed\nlaunch s%u\n", i, i);
        g_string_append(text, "sync_ctx\nend s0 g0\n");
        Programs programs = programs_of_text(text->str);
        g_autoptr(AtlasOutcome) outcome = atlas_run(programs_get(&programs, 0), 1, programs.diags);
        ck_assert_int_eq(outcome != NULL, streams < ATLAS_MACHINE_NAMES_MAX);
        if (outcome)
            ck_assert_int_eq(
                atlas_outcome_get(outcome, programs_get(&programs, 0)->ops->len - 1)->code,
                ATLAS_RESULT_STREAM_CAPTURE_INVALIDATED);
        programs_clear(&programs);
    }
}
END_TEST

Suite *machine_run_suite(void) {
    Suite *suite = suite_create("machine_run");
    TCase *all = tcase_create("all");
    tcase_set_timeout(all, 60);
    tcase_add_loop_test(all, programs_run, 0, G_N_ELEMENTS(runs));
    tcase_add_test(all, first_failure_counts);
    tcase_add_loop_test(all, limits_are_errors, 0, G_N_ELEMENTS(refused));
    tcase_add_test(all, long_runs_are_refused);
    tcase_add_test(all, many_streams);
    suite_add_tcase(suite, all);
    return suite;
}
