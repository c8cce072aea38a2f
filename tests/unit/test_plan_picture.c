/* The picture of a plan: what stands in it. */
#include <string.h>

#include "graphs/plan_show.h"
#include "tests/unit/suites.h"

static char *draw(const char *body, guint with) {
    g_autofree char *text =
        g_strdup_printf("# t\nstream s nonblocking\nstream t nonblocking\nevent e\nbuffer "
                        "x\nbuffer h\nstep\n%send\n",
                        body);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("t", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    ck_assert_ptr_nonnull(file);
    AtlasPlanCosts costs = atlas_plan_costs();
    g_autoptr(AtlasPlan) plan =
        atlas_plan_make(file, atlas_program_file_get(file, 0), with, &costs, diags);
    ck_assert_ptr_nonnull(plan);
    AtlasPlanShown shown = {plan, NULL};
    char *dot = atlas_plan_dot(&shown, NULL);
    ck_assert_ptr_nonnull(dot);
    ck_assert_ptr_null(strstr(dot, "<B></B>")); /* which dot does not take */
    return dot;
}

static const struct {
    const char *body;
    guint with;
    const char *has, *lacks; /* NULL: nothing */
} pictures[] = {
    /* What breaks the legality of a capture is in the legend. */
    {"launch s a x9 w:x\nrecord e s\nsync_event e\nwait t e\nlaunch t b x9 r:x\nsync_ctx\n", 0,
     "<B>legal</B>", NULL},
    /* A column of several stages says which one a kernel is of. */
    {"stage fwd\nlaunch s a x9 w:x of:fwd.a\nstage bwd\nlaunch s a x9 w:x of:bwd.a\n",
     ATLAS_WITH_ACROSS_STAGES, ">bwd.a<", NULL},
    {"stage fwd\nlaunch s a x9 w:x of:fwd.a\nstage bwd\nlaunch s a x9 w:x of:bwd.a\n", 0, ">a<",
     ">bwd.a<"},
    /* Small savings are seen: 24 us less a graph launch of 1.05 us and 63 + 9.13 us in 1,000 steps. */
    {"launch s a w:x\nsync_stream s\n", 0, "0.023 ms", "\342\210\2220 ms"},
    /* A copy to the host that nothing reads at once. */
    {"launch s a x9 w:x\ndtoh_async s pinned r:x w:h\nsync_stream s\nlaunch s a x9 w:x\n", 0,
     "x is copied to the host", NULL},
    {"launch s a x9 w:x\ndtoh_async s pinned r:x w:h\nsync_stream s\nhost_read r:h\n", 0,
     "host reads h", "x is copied to the host"},
    /* What is done in some steps only counts in the mean: 9 of each step, 90 of every third. */
    {"launch s a x9 w:x\nlaunch s b x90 w:x every:3\n", 0, "of 39 launches are in graphs", NULL},
    {"launch s a x9 w:x\nlaunch s b x90 w:x every:3\n", 0, "launches, every 3 steps", NULL},
    /* What is not proved is said. */
    {"launch s a x9 w:x\nlaunch t b x9 r:x\nsync_ctx\n", 0, "not proved: ", "the plan's table"},
};

START_TEST(of_programs) {
    g_autofree char *dot = draw(pictures[_i].body, pictures[_i].with);
    ck_assert_msg(strstr(dot, pictures[_i].has) != NULL, "no '%s' in:\n%s", pictures[_i].has, dot);
    if (pictures[_i].lacks)
        ck_assert_ptr_null(strstr(dot, pictures[_i].lacks));
}
END_TEST

/* Of very many windows the first ones, and how many there are more. */
START_TEST(long_columns) {
    g_autoptr(GString) body = g_string_new(NULL);
    for (guint i = 0; i < 1000; i++)
        g_string_append_printf(body, "launch s k%u x9 w:x\nsync_stream s\n", i);
    g_autofree char *dot = draw(body->str, 0);
    guint rows = 0;
    for (const char *at = strstr(dot, "label=<<TABLE"); at; at = strstr(at + 1, "label=<<TABLE"))
        rows++;
    ck_assert_uint_lt(rows, 120);
    ck_assert_ptr_nonnull(strstr(dot, " more graphs, a step"));
}
END_TEST

Suite *plan_picture_suite(void) {
    Suite *suite = suite_create("plan_picture");
    TCase *all = tcase_create("plan_picture");
    tcase_add_loop_test(all, of_programs, 0, G_N_ELEMENTS(pictures));
    tcase_add_test(all, long_columns);
    suite_add_tcase(suite, all);
    return suite;
}
