/* What a program is before it is planned, and what a plan of it may say: programs that race or fail
 * by themselves, changes that are another program, what windows break around them; and files that
 * say of a plan what its programs do not. */
#include <string.h>

#include "graphs/plan.h"
#include "graphs/plan_account.h"
#include "sim/execute.h"
#include "tests/unit/suites.h"

#define HEAD                                                                                       \
    "# t\nstream s nonblocking\nstream t nonblocking\nevent e\nevent f\nbuffer x\nbuffer y\n"      \
    "buffer h\nscalar lr\n"

/* "proved 1", "open 2": windows; then what is kept out: "E4 lr", "E14", each once; or the error. */
static char *plan_of(const char *body, guint with, char **proof) {
    g_autofree char *text = g_strconcat(HEAD, body, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("t", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    ck_assert_msg(file != NULL, "%s", text);
    AtlasPlanCosts costs = atlas_plan_costs();
    g_autoptr(AtlasPlan) plan =
        atlas_plan_make(file, atlas_program_file_get(file, 0), with, &costs, diags);
    if (!plan) {
        *proof = atlas_diags_render(diags, FALSE);
        return g_strdup("refused");
    }
    *proof = g_strdup(plan->proof);
    GString *out = g_string_new(NULL);
    g_string_printf(out, "%s %u", plan->proved ? "proved" : "open", plan->windows->len);
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        g_string_append_printf(out, " %u%s%s%s", b->property, b->buffer ? ":" : "",
                               b->buffer ? b->buffer : "", b->with ? "!" : "");
    }
    return g_string_free(out, FALSE);
}

static const struct {
    const char *body;
    guint with;
    const char *plan, *proof; /* as plan_of has it; what the proof, or the error, contains */
} cases[] = {
    /* A host function may write h before or after the copy takes it, at its call. In a graph both
     * are in order: nothing that the program itself promises. */
    {"step\nhost_fn s w:h\nhtod_async s pageable r:h w:x\nlaunch s k x9 r:x w:y\nsync_stream "
     "s\nend\n",
     0, "open 1", "races without graphs"},
    {"step\nlaunch s k x9 w:x\nlaunch t k x9 w:x\nsync_ctx\nend\n", 0, "open 2",
     "races without graphs"},
    /* It fails by itself. */
    {"step\nmalloc_async m s\nlaunch s k x9 r:x w:y\nfree_async m s\nfree_async m s\nend\n", 0,
     "refused", "t:14:1: error: cannot plan 't': without graphs, too, a call fails"},
    /* lr in device memory is set in every fourth step, lr by value is new in each. */
    {"step\nhost_set lr every:4\nlaunch s a x9 r:x w:x a:lr@step\nlaunch s b x9 r:y w:y "
     "a:lr@device\nsync_stream s\nend\n",
     ATLAS_WITH_DEVICE_SCALARS, "proved 1 4:lr", "proved"},
    {"step\nlaunch s a x9 r:x w:x a:lr@step\nlaunch s b x9 r:y w:y a:lr@device\nsync_stream "
     "s\nend\n",
     ATLAS_WITH_DEVICE_SCALARS, "proved 1 4:lr", "proved"},
    {"step\nlaunch s a x9 r:x w:x a:lr@step\nsync_stream s\nend\n", ATLAS_WITH_DEVICE_SCALARS,
     "proved 1", "proved"},
    /* The host would set it while the step before reads it. */
    {"step\nlaunch s a x9 r:x w:x a:lr@step\nend\n", ATLAS_WITH_DEVICE_SCALARS, "refused",
     "t:11:1: error: cannot plan 't' with 'device-scalars': the changed program races"},
    /* Another host thread meets the captures. */
    {"step\nlaunch s k x9 r:x w:x\n@2 sync_ctx\nsync_ctx\nend\n", 0, "open 0 14", "without graphs"},
    /* Eagerly the host waits for the pageable copy, and so for the host function before it. */
    {"step\nhost_fn s w:h\nlaunch s k x90 r:x w:x\ndtoh_async s pageable r:x w:y\nhost_read r:h\n"
     "sync_ctx\nend\n",
     0, "proved 1 15:h 15", "proved"},
    /* Of a graph on s the stream t, for which the host waits, knows nothing; and a record in a graph
     * orders nothing outside. */
    {"step\nlaunch s k x90 r:x w:x\nrecord e s\nwait t e\ndtoh_async t pinned r:x w:h\nrecord f t\n"
     "wait s f\nsync_stream t\nend\n",
     0, "proved 1 7 7 15:h", "proved"},
    /* A copy takes x from where it was at capture, though the launch that moves it is in no graph. */
    {"step\nlaunch s k x9 r:y f:x a:lr@step\ndtod_async s r:x w:h\nlaunch s k2 x9 r:h w:y\n"
     "sync_stream s\nend\n",
     0, "proved 0 4:lr! 15:h 6:h", "proved"},
    /* Memory that every step allocates anew is not written to new memory by a kernel. */
    {"buffer m\nstep\nmalloc_async m s\nlaunch s k x9 r:x w:m\nlaunch s k2 x9 r:y w:y\n"
     "sync_stream s\nend\n",
     0, "proved 1 10 2:m", "proved"},
    /* Names of graphs are the program's own first. */
    {"begin s global\nlaunch s a x5 r:x w:x\nend s g1\ninstantiate g1 x1\nstep\ngraph_launch x1 s\n"
     "launch s b x90 r:x w:y\nsync_stream s\nend\n",
     0, "proved 1", "proved"},
};

START_TEST(given) {
    g_autofree char *proof = NULL, *plan = plan_of(cases[_i].body, cases[_i].with, &proof);
    ck_assert_msg(g_str_equal(plan, cases[_i].plan), "%s, not %s: %s", plan, cases[_i].plan, proof);
    if (g_str_has_prefix(plan, "proved"))
        ck_assert_msg(g_str_has_prefix(proof, "every call succeeds"), "%s", proof);
    else
        ck_assert_msg(strstr(proof, cases[_i].proof) != NULL, "%s", proof);
}
END_TEST

/* A step of more graphs, one for each op and iteration, than the machine holds at once. */
START_TEST(many_graphs) {
    g_autoptr(GString) body = g_string_new("buffer p x400\nstep\nloop 400 as i\n");
    for (guint k = 0; k < 60; k++)
        g_string_append_printf(body, "launch s k%u r:p[i] w:p[i]\n", k);
    g_string_append(body, "end\nend\n");
    g_autofree char *proof = NULL, *plan = plan_of(body->str, 0, &proof);
    ck_assert_msg(g_str_equal(plan, "proved 1"), "%s: %s", plan, proof);
}
END_TEST

Suite *plan_given_suite(void) {
    Suite *suite = suite_create("plan_given");
    TCase *all = tcase_create("plan_given");
    tcase_add_loop_test(all, given, 0, G_N_ELEMENTS(cases));
    tcase_add_test(all, many_graphs);
    suite_add_tcase(suite, all);
    return suite;
}
