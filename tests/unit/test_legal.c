/* Whether every call of several host threads succeeds: reported bugs, steps, and what commutes. */
#include <string.h>

#include "model/proof/legal.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/suites.h"

#define BEGIN "# p\nstream s0 nonblocking\nstream s1 nonblocking\nevent e\n"

static const struct {
    const char *text;
    const char *schedule; /* lines of the calls; "" where it is legal */
} cases[] = {
    /* NVIDIA/TensorRT#2888: one thread captures, another synchronizes the device. */
    {BEGIN "begin s0 thread_local\nlaunch s0\nend s0 g\n@2 sync_ctx\n", "5 8"},
    {BEGIN "@2 sync_ctx\nbegin s0 relaxed\nlaunch s0\nend s0 g\n", "6 5"},
    /* Mended: the capture waits until the other thread is done. */
    {BEGIN "flag f\nhost_flag_wait f\nbegin s0 thread_local\nlaunch s0\nend s0 g\n"
           "@2 sync_ctx\n@2 host_flag_set f\n",
     ""},
    /* pytorch#104555: a global capture, and another thread that asks for an event. */
    {BEGIN "record e s0\nbegin s1 global\nlaunch s1\nend s1 g\n@2 query_event e\n", "5 6 9"},
    /* Mended as reported: the other thread's mode is thread_local. */
    {BEGIN "record e s0\nbegin s1 global\nlaunch s1\nend s1 g\n@2 mode thread_local\n"
           "@2 query_event e\n",
     ""},
    /* One thread only: one order. */
    {BEGIN "begin s0 global\nlaunch s0\nend s0 g\nsync_ctx\n", ""},
};

/* The lines of a schedule. */
static char *lines_of(const FlowCase *c, const Legal *legal) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; legal->schedule && i < legal->schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(legal->schedule, AtlasScheduleEvent, i);
        guint line, column;
        atlas_source_position(c->source,
                              g_array_index(c->program->ops, AtlasOp, e->when.op).at.start, &line,
                              &column);
        g_string_append_printf(out, "%s%u", out->len ? " " : "", line);
    }
    return g_string_free(out, FALSE);
}

START_TEST(reported) {
    FlowCase c;
    flow_case_init(&c, g_strdup(cases[_i].text));
    Legal legal = c.flow->threads > 1 ? legal_search(c.flow, (LegalOptions){.max_states = 1000})
                                      : legal_run(c.flow, 0);
    g_autofree char *lines = lines_of(&c, &legal);
    ck_assert_int_eq(legal.verdict, *cases[_i].schedule ? LEGAL_NO : LEGAL_YES);
    ck_assert_str_eq(lines, cases[_i].schedule);
    legal_clear(&legal);
    flow_case_clear(&c);
}
END_TEST

#define STEPS BEGIN "step\n"

/* A step for every number of times, and threads that do not wait for each other between steps. */
static const struct {
    const char *text;
    LegalVerdict verdict;
    const char *schedule; /* NO: lines of the calls; UNKNOWN: a part of why */
    guint64 last;         /* NO: the last call's step */
} stepped[] = {
    {STEPS "begin s0 thread_local\nlaunch s0\nend s0 g\n@2 launch s1\n@2 sync_stream s1\nend\n",
     LEGAL_YES, "", 0},
    /* What the capture of the step before recorded is stale in the next. */
    {STEPS "sync_event e\nbegin s0 relaxed\nlaunch s0\nrecord e s0\nend s0 g\n@2 launch s1\nend\n",
     LEGAL_NO, "6 7 8 9 10 6", 1},
    /* The other thread is a step ahead: it sets what the first one waits for. */
    {BEGIN "flag f\nstep\n@2 host_flag_wait f\n@2 malloc m\n@2 free m\nlaunch s0\n"
           "begin s0 global every:2\nend s0 g every:2\nhost_flag_set f\nend\n",
     LEGAL_NO, "10 11 12 13 10 13 10 11 7 8", 0},
    /* Calls behind the step: one fails after the first step; none does that is known. */
    {STEPS "begin s0 thread_local\nlaunch s0\nend s0 g\n@2 launch s1\nend\n@2 sync_ctx\n", LEGAL_NO,
     "6 9 11", 1},
    {STEPS "launch s0\n@2 launch s1\nend\n@2 sync_ctx\n", LEGAL_UNKNOWN,
     "no call fails in 1 step, nor in 2; in more, only calls behind the step might", 0},
    /* The second thread adds to the first one's capture for as long as that lets it. */
    {STEPS "begin s0 relaxed\nend s0 g\n@2 launch s0\nend\n", LEGAL_UNKNOWN,
     "in more, it is not known: there are too many interleavings", 0},
};

START_TEST(steps) {
    FlowCase c;
    flow_case_init(&c, g_strdup(stepped[_i].text));
    Legal legal = legal_search(c.flow, (LegalOptions){.max_states = 5000});
    g_autofree char *lines = lines_of(&c, &legal);
    ck_assert_int_eq(legal.verdict, stepped[_i].verdict);
    if (legal.verdict == LEGAL_UNKNOWN)
        ck_assert_msg(strstr(legal.why, stepped[_i].schedule) != NULL, "%s", legal.why);
    else
        ck_assert_str_eq(lines, stepped[_i].schedule);
    if (legal.schedule) {
        guint len = legal.schedule->len;
        ck_assert_uint_eq(g_array_index(legal.schedule, AtlasScheduleEvent, len - 1).when.step,
                          stepped[_i].last);
    }
    legal_clear(&legal);
    flow_case_clear(&c);
}
END_TEST

/* Two threads that capture streams of their own have nothing in common: each order of their calls
 * is as good as any, unless all are tried. */
START_TEST(commuting) {
    for (guint n = 1; n <= 6; n++) {
        GString *text = g_string_new(BEGIN);
        FlowCase c;
        for (guint t = 0; t < 2; t++) {
            const char *who = t ? "@2 " : "";
            g_string_append_printf(text, "%sbegin s%u global\n", who, t);
            for (guint i = 0; i < n; i++)
                g_string_append_printf(text, "%slaunch s%u\n", who, t);
            g_string_append_printf(text, "%send s%u g%u\n", who, t, t);
        }
        flow_case_init(&c, g_string_free(text, FALSE));
        Legal legal = legal_search(c.flow, (LegalOptions){.all = FALSE});
        Legal whole = legal_search(c.flow, (LegalOptions){.all = TRUE});
        /* n + 2 calls each: one thread's, then the other's; or as far as each may be. */
        ck_assert_uint_eq(legal.states, 2 * (n + 2) + 1);
        ck_assert_uint_eq(whole.states, (n + 3) * (n + 3));
        legal_clear(&legal);
        legal_clear(&whole);
        flow_case_clear(&c);
    }
}
END_TEST

Suite *legal_suite(void) {
    Suite *suite = suite_create("legal");
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, reported, 0, G_N_ELEMENTS(cases));
    tcase_add_loop_test(tc, steps, 0, G_N_ELEMENTS(stepped));
    tcase_add_test(tc, commuting);
    suite_add_tcase(suite, tc);
    return suite;
}
