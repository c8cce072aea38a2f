/* What the order of two accesses that race does to memory: the second one first is the program whose
 * calls stand so. */
#include "model/proof/prove.h"
#include "sim/execute.h"
#include "sim/order.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/suites.h"

#define THREE                                                                                      \
    "# p\nstream a nonblocking\nstream b nonblocking\nstream c nonblocking\nevent e\nevent f\n"    \
    "buffer x\nbuffer y\nbuffer z\n"
#define GRAPH(first, second)                                                                       \
    THREE "begin a relaxed\nrecord e a\nwait b e\nlaunch a top w:z\nlaunch b head w:y\n" first     \
        second "record f b\nwait a f\nend a g\ninstantiate g i\ngraph_launch i a\n"

static const struct {
    const char *raced, *ordered;
    const char *shows;
} cases[] = {
    {THREE "launch a k w:x\nlaunch b l r:x w:y\n", THREE "launch b l r:x w:y\nlaunch a k w:x\n",
     "y"},
    /* All repetitions are late; what stands before them is not. */
    {THREE "launch a k w:x\nlaunch a m x3 r:x w:y\nlaunch b l r:y w:z\n",
     THREE "launch a k w:x\nlaunch b l r:y w:z\nlaunch a m x3 r:x w:y\n", "z"},
    /* What waits for the first access is late, too: in its stream, and in another one. */
    {THREE "launch a k w:x\nlaunch a k r:z w:y\nrecord e a\nwait c e\nlaunch c m r:y w:z\n"
           "launch b l w:x\n",
     THREE "launch b l w:x\nlaunch a k w:x\nlaunch a k r:z w:y\nlaunch c m r:y w:z\n", "x"},
    /* What the second waits for comes before it. */
    {THREE "launch a k w:x\nlaunch c m w:y\nrecord e c\nwait b e\nlaunch b l r:x,y w:z\n",
     THREE "launch c m w:y\nlaunch b l r:x,y w:z\nlaunch a k w:x\n", "z"},
    /* What was called before the first is not late, though nothing puts it before the second. */
    {THREE "launch c m w:y\nlaunch a k w:x\nlaunch b l r:x,y w:z\n",
     THREE "launch c m w:y\nlaunch b l r:x,y w:z\nlaunch a k w:x\n", "z"},
    /* The host, during its call. */
    {THREE "launch a k w:x\ndtoh_async a pinned r:x\nhost_read r:x\n",
     THREE "launch a k w:x\nhost_read r:x\ndtoh_async a pinned r:x\n", "x"},
    {THREE "htod_async a pinned r:x w:y\nhost_write w:x\n",
     THREE "host_write w:x\nhtod_async a pinned r:x w:y\n", "y"},
    /* A graph as a whole. */
    {THREE "begin a relaxed\nlaunch a k w:x\nlaunch a k r:x w:y\nend a g\ninstantiate g i\n"
           "graph_launch i a\nlaunch b l r:x w:z\n",
     THREE "begin a relaxed\nlaunch a k w:x\nlaunch a k r:x w:y\nend a g\ninstantiate g i\n"
           "launch b l r:x w:z\ngraph_launch i a\n",
     "z"},
    /* Two of its nodes. */
    {GRAPH("launch a k r:z w:x\n", "launch b l r:x,y w:y\n"),
     GRAPH("launch b l r:x,y w:y\n", "launch a k r:z w:x\n"), "y"},
    /* Both write the same: nobody can tell. */
    {THREE "launch a k w:x\nlaunch b k w:x\n", THREE "launch b k w:x\nlaunch a k w:x\n", NULL},
};

static void check_equal(const GArray *found, const GArray *expected) {
    ck_assert_uint_eq(found->len, expected->len);
    for (guint i = 0; i < found->len; i++) {
        const AtlasSeen *a = &g_array_index(found, AtlasSeen, i);
        const AtlasSeen *b = &g_array_index(expected, AtlasSeen, i);
        ck_assert_str_eq(a->buffer, b->buffer);
        ck_assert_msg(a->value == b->value, "%s", a->buffer);
    }
}

START_TEST(second_first) {
    FlowCase c, ordered;
    flow_case_init(&c, g_strdup(cases[_i].raced));
    flow_case_init(&ordered, g_strdup(cases[_i].ordered));
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    ck_assert_int_eq(race->verdict, ATLAS_PROOF_REFUTED);
    g_autoptr(AtlasExecution) late = atlas_execute_late(c.program, race, diags);
    g_autoptr(AtlasExecution) expected =
        atlas_execute(ordered.program, (AtlasSteps){0, 0, 0}, diags);
    check_equal(late->reads, expected->reads);
    check_equal(late->ends, expected->ends);
    ck_assert_ptr_eq(late->program, c.program);
    if (cases[_i].shows)
        ck_assert_str_eq(atlas_order_shows(c.program, race), cases[_i].shows);
    else
        ck_assert_ptr_null(atlas_order_shows(c.program, race));
    flow_case_clear(&c);
    flow_case_clear(&ordered);
}
END_TEST

START_TEST(straight) {
    FlowCase c;
    flow_case_init(&c, g_strdup("# p\nstream a nonblocking\nstep\nlaunch a\nend\n"));
    ck_assert(!atlas_is_straight(c.program));
    flow_case_clear(&c);
}
END_TEST

Suite *order_suite(void) {
    Suite *suite = suite_create("order");
    TCase *tc = tcase_create("order");
    tcase_add_loop_test(tc, second_first, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tc, straight);
    suite_add_tcase(suite, tc);
    return suite;
}
