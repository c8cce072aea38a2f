/* The clock: how long steps take, worked out by hand. */
#include "sim/clock.h"

#include <string.h>

#include "tests/unit/suites.h"

/* A launch takes the host 1,000 ns, a record or wait 100, a graph launch 2,000; a node 500 at
 * least. */
static const AtlasGraphCost graph[] = {{1, 2000}, {100, 2000}};
static const AtlasClockCosts costs = {1000, 100, graph, G_N_ELEMENTS(graph), 500};

static const struct {
    const char *before, *body; /* of the step */
    const char *time;          /* step/host unknown copies; or why not */
} times[] = {
    /* The host is slower; the device is; and where the host waits for it, the first launch counts
     * for both. */
    {"", "launch s k x10 us:0.5\n", "10000/10000 0 0"},
    {"", "launch s k x10 us:3\n", "30000/10000 0 0"},
    {"", "launch s k x10 us:3\nsync_stream s\n", "31000/10000 0 0"},
    /* Two streams at once: the second begins when the host comes to it. */
    {"", "launch s k x10 us:3\nlaunch t k x10 us:3\nsync_ctx\n", "41000/20000 0 0"},
    /* t waits for s, which is done at 6,000. */
    {"", "launch s k us:5\nrecord e s\nwait t e\nlaunch t k us:5\nsync_event e\nsync_stream t\n",
     "11000/2200 0 0"},
    /* The legacy stream waits for blocking ones, and they for it; others do not. */
    {"", "launch b k us:5\nlaunch legacy k us:5\nsync_stream legacy\n", "11000/2000 0 0"},
    {"", "launch legacy k us:5\nlaunch b k us:5\nsync_stream b\n", "11000/2000 0 0"},
    {"", "launch s k us:5\nlaunch legacy k us:5\nsync_ctx\n", "7000/2000 0 0"},
    /* One graph launch, then its nodes, each of which takes its least. */
    {"begin s global\nlaunch s k x10 us:3\nend s g\ninstantiate g x\n",
     "graph_launch x s\nsync_stream s\n", "32000/2000 0 0"},
    {"begin s global\nlaunch s k x10 us:0.1\nend s g\ninstantiate g x\n",
     "graph_launch x s\nsync_stream s\n", "7000/2000 0 0"},
    /* Two branches: the longer one. */
    {"begin s global\nrecord e s\nwait t e\nlaunch s k us:9\nlaunch t k x2 us:3\nrecord f t\n"
     "wait s f\nlaunch s k us:1\nend s g\ninstantiate g x\n",
     "graph_launch x s\nsync_stream s\n", "12000/2000 0 0"},
    /* What is not said. */
    {"", "launch s k x10\ndtod_async s r:p w:q\nmemset_async s w:p\n", "12000/12000 10 2"},
    {"", "loop 3 as i\nlaunch s k x2\nlaunch s k us:1\nend\n", "9000/9000 6 0"},
    /* Every other step does nothing; half a step in the mean. */
    {"", "launch s k x10 us:3 every:2\nsync_stream s\n", "15500/5000 0 0"},
    {"", "@2 launch s k\n", "it has several host threads"},
    {"", "malloc m\nfree m\n", "it holds a call whose time is not known"},
    {"", "launch s k every:101\n", "its every: take too many steps to meet"},
    {"", "launch s k x10000000000 us:1000000\n", "it takes longer than can be told"},
    {"", "loop 1000000000 as i\nlaunch s k us:1\nend\n",
     "its loops perform too many ops to follow"},
};

START_TEST(time_of_step) {
    g_autofree char *text =
        g_strdup_printf("# t\nstream s nonblocking\nstream t nonblocking\nstream b blocking\n"
                        "event e\nevent f\nbuffer p\nbuffer q\n%sstep\n%send\n",
                        times[_i].before, times[_i].body);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("t", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    g_autofree char *problems = atlas_diags_render(diags, FALSE);
    ck_assert_msg(file != NULL, "%s", problems);
    AtlasClockTime time;
    const char *why = atlas_clock_run(atlas_program_file_get(file, 0), &costs, NULL, &time);
    g_autofree char *got =
        why ? g_strdup(why)
            : g_strdup_printf("%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT " %" G_GINT64_FORMAT
                              " %" G_GINT64_FORMAT,
                              time.step_ns, time.host_ns, time.unknown, time.copies);
    ck_assert_str_eq(got, times[_i].time);
}
END_TEST

/* Linear between the table's rows, and never below the first. */
START_TEST(graph_launches) {
    static const AtlasGraphCost rows[] = {{1, 1000}, {11, 2000}, {21, 4000}};
    AtlasClockCosts c = {.graph = rows, .graphs = G_N_ELEMENTS(rows)};
    ck_assert_int_eq(atlas_clock_graph_ns(&c, 0), 1000);
    ck_assert_int_eq(atlas_clock_graph_ns(&c, 6), 1500);
    ck_assert_int_eq(atlas_clock_graph_ns(&c, 11), 2000);
    ck_assert_int_eq(atlas_clock_graph_ns(&c, 16), 3000);
    ck_assert_int_eq(atlas_clock_graph_ns(&c, 31), 6000);
}
END_TEST

Suite *clock_suite(void) {
    Suite *suite = suite_create("clock");
    TCase *all = tcase_create("clock");
    tcase_add_loop_test(all, time_of_step, 0, G_N_ELEMENTS(times));
    tcase_add_test(all, graph_launches);
    suite_add_tcase(suite, all);
    return suite;
}
