/* Loops and steps that are cut short give what they give when walked to their end. */
#include "tests/unit/flow_case.h"
#include "tests/unit/random_flow.h"
#include "tests/unit/suites.h"

static gboolean go_on(gpointer user, const Engine *e, RacePlace place) {
    (void)user;
    (void)e;
    (void)place;
    return TRUE;
}

/* Nothing is cut while somebody looks. */
static const EngineObserver look = {go_on, NULL};

/* `cut` saw all that `whole` did. */
static void compare(const FlowCase *c, const Engine *cut, const Engine *whole) {
    ck_assert_msg(cut->end == whole->end, "ends: %d, whole %d\n%s", cut->end, whole->end, c->text);
    ck_assert_msg((race_found(cut->races)->len > 0) == (race_found(whole->races)->len > 0),
                  "races: %u, whole %u\n%s", race_found(cut->races)->len,
                  race_found(whole->races)->len, c->text);
    for (guint i = 0; i < whole->smear.readings->len; i++) {
        const Reading *want = &g_array_index(whole->smear.readings, Reading, i);
        guint op = want->flow == FLOW_NONE ? G_MAXUINT : flow_op(c->flow, want->flow)->op;
        const Reading *got = flow_case_reading(cut, op);
        if (!got && op == G_MAXUINT && c->flow->step != FLOW_NONE)
            continue; /* a step for ever has no end */
        ck_assert_msg(got != NULL, "no reading at op %u\n%s", op, c->text);
        ck_assert_msg(got->least == want->least && got->fewest == want->fewest,
                      "least at op %u: %d %d, whole %d %d\n%s", op, (int)got->least,
                      (int)got->fewest, (int)want->least, (int)want->fewest, c->text);
        ck_assert_msg(got->grows[1] ? want->now[1] > got->now[1] : want->most == got->most,
                      "most at op %u: %d (grows %d), whole %d\n%s", op, (int)got->most,
                      got->grows[1], (int)want->most, c->text);
        ck_assert_msg(got->grows[3] ? want->now[3] > got->now[3] : want->greatest == got->greatest,
                      "greatest at op %u: %d (grows %d), whole %d\n%s", op, (int)got->greatest,
                      got->grows[3], (int)want->greatest, c->text);
    }
}

static void compare_kind(guint features) {
    guint count = flow_case_programs(1500), cut = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_flow(seed, features));
        gint64 depth = seed % 3 ? c.flow->depth : 0;
        g_autoptr(Engine) e = engine_run(c.flow, depth, 1, ENGINE_ALL, NULL);
        g_autoptr(Engine) whole = engine_run(c.flow, depth, 1, ENGINE_ALL, &look);
        cut += e->ops < whole->ops;
        compare(&c, e, whole);
        flow_case_clear(&c);
    }
    ck_assert_msg(cut * 20 > count, "only %u of %u programs had a loop to cut", cut, count);
}

START_TEST(loops) {
    compare_kind(RANDOM_LOOPS | RANDOM_LONG);
    compare_kind(RANDOM_LOOPS | RANDOM_LONG | RANDOM_LEGACY | RANDOM_CAPTURES);
    compare_kind(RANDOM_LOOPS | RANDOM_LONG | RANDOM_FLAGS);
}
END_TEST

/* A step for ever does in its further steps what it did in those walked. */
START_TEST(steps) {
    guint count = flow_case_programs(1500);
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        guint more = seed % 2 ? RANDOM_LEGACY | RANDOM_CAPTURES | RANDOM_LOOPS : 0;
        flow_case_init(&c, random_flow(seed, RANDOM_STEP | more));
        gint64 depth = seed % 3 ? c.flow->depth : 0;
        guint step_end = flow_op(c.flow, c.flow->step)->partner;
        g_autoptr(Engine) e = engine_run(c.flow, depth, 0, ENGINE_ALL, NULL);
        ck_assert_msg(e->periodic, "no period in %u steps\n%s", (guint)e->steps, c.text);
        if (step_end + 1 == c.flow->ops->len) {
            g_autoptr(Engine) whole =
                engine_run(c.flow, depth, (gint64)e->steps + 3 * c.flow->period, ENGINE_ALL, NULL);
            compare(&c, e, whole);
        }
        flow_case_clear(&c);
    }
}
END_TEST

/* Programs that once showed a fault, and which. */
static const char *const found[] = {
    /* That the loop's first item has started says that all before the loop is complete, which does
     * not move with it: what was looked up must lie behind the first iteration. */
    "# p\ndepth 2\nslot start\nstream s nonblocking\nloop 8 as i\ncounter_read\nlaunch s k\nend\n",
    /* A count looks back to the read of the iteration before: two that agree are one too few to say
     * whether it grows. */
    "# p\ndepth 2 entries\nstream s nonblocking\nevent e\nevent f\nrecord f s\nstep\n"
    "counter_read\nrecord e s\nlaunch s k\nwait s e\nend\n",
    /* What grows need not have outgrown what was there before the step. */
    "# p\nstream s nonblocking\nstream t nonblocking\nlaunch t k x11\nstep\ncounter_read\n"
    "launch s k\ndtoh_async t pageable r:b w:b\nend\n",
    /* What a cut loop did is moved in what other chains know of it, too. */
    "# p\ndepth 4 entries\nstream s blocking\nstream t nonblocking\nevent e\nevent f\nstage a\n"
    "begin s relaxed\nlaunch s k x6\nend s g\ninstantiate g x\n"
    "begin s relaxed\nlaunch s k x2\nend s h\ninstantiate h y\n"
    "loop 18 as i\ngraph_launch y legacy\nend\nrecord e t\nlaunch t k\nloop 13 as i\n"
    "graph_launch y legacy\ngraph_launch x s\nwait legacy f\nrecord e t\nend\n"
    "graph_launch y s\n",
};

START_TEST(once_wrong) {
    FlowCase c;
    flow_case_init(&c, g_strdup(found[_i]));
    gint64 more = c.flow->step == FLOW_NONE ? 0 : 30;
    g_autoptr(Engine) e = engine_run(c.flow, c.flow->depth, 0, ENGINE_ALL, NULL);
    g_autoptr(Engine) whole =
        engine_run(c.flow, c.flow->depth, more, ENGINE_ALL, more ? NULL : &look);
    compare(&c, e, whole);
    flow_case_clear(&c);
}
END_TEST

Suite *cutoff_suite(void) {
    Suite *suite = suite_create("cutoff");
    TCase *tc = tcase_create("random");
    tcase_set_timeout(tc, 600);
    tcase_add_test(tc, loops);
    tcase_add_test(tc, steps);
    tcase_add_loop_test(tc, once_wrong, 0, G_N_ELEMENTS(found));
    suite_add_tcase(suite, tc);
    return suite;
}
