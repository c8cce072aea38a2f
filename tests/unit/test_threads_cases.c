/* Races, deadlocks and counters of several host threads: programs whose verdicts can be derived. */
#include <string.h>

#include "model/proof/trail.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/suites.h"

#define AB                                                                                         \
    "stream a nonblocking\nstream b nonblocking\nbuffer x\nbuffer y\nevent e\nflag f\nflag g\n"

/* R refuted, H holds, U undecided, N not modelled. */
static const struct {
    const char *text;
    char race, deadlock;
} cases[] = {
    {AB "launch a k w:x\n@2 launch b l r:x\n", 'R', 'H'},
    /* The order of the calls is none of their work; with an event it is. */
    {AB "launch a k w:x\nhost_flag_set f\n@2 host_flag_wait f\n@2 launch b l r:x\n", 'R', 'H'},
    {AB "launch a k w:x\nrecord e a\nhost_flag_set f\n@2 host_flag_wait f\n@2 wait b e\n"
        "@2 launch b l r:x\n",
     'H', 'H'},
    /* Without the flag the wait may come before the record. */
    {AB "launch a k w:x\nrecord e a\n@2 wait b e\n@2 launch b l r:x\n", 'R', 'H'},
    {AB "launch a k w:x\nsync_stream a\nhost_flag_set f\n@2 host_flag_wait f\n@2 host_read r:x\n",
     'H', 'H'},
    /* A sync covers what other threads gave the stream before it, if a flag says before. */
    {AB "@2 launch a k w:x\nsync_ctx\nhost_read r:x\n", 'R', 'H'},
    {AB "@2 launch a k w:x\n@2 host_flag_set f\nhost_flag_wait f\nsync_ctx\nhost_read r:x\n", 'H',
     'H'},
    /* One stream orders what it is given, in whatever order. */
    {AB "launch a k w:x\n@2 launch a l r:x\n", 'H', 'H'},
    {AB "host_write w:x\n@2 host_read r:x\n", 'R', 'H'},
    {AB "host_flag_wait f\nhost_flag_set g\n@2 host_flag_wait g\n@2 host_flag_set f\n", 'H', 'R'},
    /* A thread that waits for work that waits for what it sets later. */
    {AB "flag_wait a f\nsync_stream a\nhost_flag_set f\n@2 launch b k\n", 'H', 'R'},
    {AB "flag_wait a f\nsync_stream a\n@2 host_flag_set f\n", 'H', 'H'},
    /* Threads that give one stream something, one of them only after the other's work is done: in
     * no interleaving does it come first. */
    {AB "record e a\nflag_set b f\n@2 flag_wait a f\n@2 sync_ctx\n@2 flag_set a g\n", 'H', 'H'},
    /* Streams of the threads' own, and what the legacy stream does to them. */
    {AB "launch ptds k w:x\n@2 launch ptds l r:x\n", 'R', 'H'},
    {AB "launch ptds k w:x\nlaunch legacy m\nhost_flag_set f\n@2 host_flag_wait f\n"
        "@2 launch ptds l r:x\n",
     'H', 'H'},
    {AB "launch ptds k w:x\n@2 dtoh_sync r:x w:y\n@2 host_flag_set f\nhost_flag_wait f\n"
        "host_write w:y\n",
     'H', 'H'},
    /* Synchronous copies of one thread among what another gives to the legacy stream: in some
     * interleaving the copy comes behind the wait for a flag that is set behind the copy. */
    {AB "flag_wait legacy f\n@2 dtoh_sync r:x w:y\n@2 host_flag_set f\n", 'H', 'R'},
    {AB "@2 flag_wait legacy f\ndtoh_sync r:x w:y\nhost_flag_set f\n", 'H', 'R'},
    {AB "host_fn legacy w:x\n@2 htod_sync r:x w:y\n", 'R', 'H'},
    {AB "@2 host_fn legacy w:x\nhtod_sync r:x w:y\n", 'R', 'H'},
    {AB "memset_sync w:x\n@2 launch legacy k w:x\n", 'H', 'H'},
    /* A sync waits for its own stream's work, whatever that stream is: a second thread changes
     * nothing. */
    {AB "stream c blocking\nlaunch legacy k w:x\nsync_stream c\nhost_read r:x\n@2 mem_info\n", 'R',
     'H'},
    {AB "stream c blocking\nlaunch legacy k w:x\nlaunch c l\nsync_stream c\nhost_read r:x\n"
        "@2 mem_info\n",
     'H', 'H'},
    {AB "stream c blocking\nlaunch c k w:x\nsync_stream legacy\nhost_read r:x\n@2 mem_info\n", 'R',
     'H'},
    {AB "stream c blocking\nlaunch c k w:x\nlaunch legacy l\nsync_stream legacy\nhost_read r:x\n"
        "@2 mem_info\n",
     'H', 'H'},
    {AB "stream c blocking\nflag_wait legacy f\nsync_stream c\nhost_flag_set f\n@2 mem_info\n", 'H',
     'H'},
    /* Nor does a sync of all order what the streams are given behind it. */
    {AB "stream c blocking\nstream d blocking\nlaunch c k w:x\n@2 sync_ctx\n@3 launch d l r:x\n",
     'R', 'H'},
    /* Graphs: what they hold is launched with them. */
    {AB "begin a thread_local\nlaunch a k w:x\nend a gr\ninstantiate gr i\ngraph_launch i a\n"
        "@2 launch b l r:x\n",
     'R', 'H'},
    {AB "begin a thread_local\nlaunch a k w:x\nend a gr\ninstantiate gr i\ngraph_launch i a\n"
        "record e a\nhost_flag_set f\n@2 host_flag_wait f\n@2 wait b e\n@2 launch b l r:x\n",
     'H', 'H'},
    /* Copies: the host waits for a pageable one, and its source is read at the call. */
    {AB "launch a k w:x\ndtoh_async a pageable r:x w:y\nhost_flag_set f\n@2 host_flag_wait f\n"
        "@2 host_read r:y\n",
     'H', 'H'},
    {AB "dtoh_async a pinned r:x w:y\nhost_flag_set f\n@2 host_flag_wait f\n@2 host_read r:y\n",
     'R', 'H'},
    {AB "htod_async a pageable r:x w:y\nhost_flag_set f\n@2 host_flag_wait f\n@2 host_write w:x\n",
     'H', 'H'},
    {AB "htod_async a pinned r:x w:y\nhost_flag_set f\n@2 host_flag_wait f\n@2 host_write w:x\n",
     'R', 'H'},
    /* Each other's sides of a buffer are no one's business. */
    {AB "dtoh_async a pinned r:x\nhost_flag_set f\n@2 host_flag_wait f\n@2 host_read r:x\n", 'R',
     'H'},
    {AB "dtoh_async a pageable r:x\nlaunch a k w:x\nhost_flag_set f\n@2 host_flag_wait f\n"
        "@2 host_read r:x\n",
     'H', 'H'},
    {AB "scalar s\nlaunch a k a:s@device\n@2 host_set s\n", 'R', 'H'},
    /* Loops are the threads' own; a step is tried once. */
    {AB "loop 3 as i\nlaunch a k w:x\n@2 launch b l w:y\nend\n", 'H', 'H'},
    {AB "step\nlaunch a k w:x\n@2 launch b l w:y\nend\n", 'U', 'U'},
    {AB "step\nlaunch a k w:x\n@2 launch b l w:x\nend\n", 'R', 'U'},
    {AB "depth 1\nlaunch a k\n@2 launch b l\n", 'H', 'H'},
    {AB "depth 1\nlaunch a k\nhost_flag_set f\n@2 host_flag_wait f\n", 'H', 'N'},
    {AB "host_flag_set f\n@2 host_flag_set f\n", 'N', 'N'},
    {AB "loop 12 as i\nlaunch a k\n@2 launch a k\n@3 launch a k\nend\n", 'U', 'U'},
};

START_TEST(by_hand) {
    static const char words[] = "HRUN";
    FlowCase c;
    flow_case_init(&c, g_strconcat("# p\n", cases[_i].text, NULL));
    g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    const AtlasProof *deadlock = atlas_proofs_find(proofs, ATLAS_PROPERTY_DEADLOCK);
    ck_assert_msg(words[race->verdict] == cases[_i].race, "race %s: %s\n%s",
                  atlas_proof_verdict_name(race->verdict), race->why, c.text);
    ck_assert_msg(words[deadlock->verdict] == cases[_i].deadlock, "deadlock %s: %s\n%s",
                  atlas_proof_verdict_name(deadlock->verdict), deadlock->why, c.text);
    flow_case_clear(&c);
}
END_TEST

/* Nothing is said of counters, and of a read that is to be exact that this is so. */
START_TEST(exact_reads_stay_open) {
    static const char *const texts[] = {
        "# p\nstream s nonblocking\nlaunch s k x5\ncounter_read exact\n@2 mem_info\n",
        "# p\nstream s nonblocking\nstep\nlaunch s k x5\n@2 counter_read exact\nend\n",
        /* A call that fails before it. */
        "# p\nstream s nonblocking\nbegin s relaxed\nsync_stream s\ncounter_read exact\n",
    };
    FlowCase c;
    flow_case_init(&c, g_strdup(texts[_i]));
    g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
    const AtlasProof *smear = atlas_proofs_find(proofs, ATLAS_PROPERTY_SMEAR);
    ck_assert(smear != NULL);
    ck_assert_int_eq(smear->verdict, ATLAS_PROOF_NOT_MODELLED);
    ck_assert(smear->why != NULL);
    flow_case_clear(&c);
}
END_TEST

/* A deadlock names the op that waits for a flag, and not what waits for that op's thread or work. */
START_TEST(deadlocks_name_who_waits) {
    static const struct {
        const char *text;
        AtlasOpKind kind;
        guint op;
    } stuck[] = {
        {"# p\nflag f\n@2 host_flag_wait f\n", ATLAS_OP_HOST_FLAG_WAIT, 1},
        {"# p\nstream s nonblocking\nflag f\nflag_wait s f\nsync_ctx\n@2 mem_info\n",
         ATLAS_OP_FLAG_WAIT, 2},
        {"# p\nstream s blocking\nflag f\nstep\n@2 host_flag_wait f\n@2 launch s k\nend\n",
         ATLAS_OP_HOST_FLAG_WAIT, 3},
        {"# p\nstream s blocking\nflag f\nstep\nlaunch s k\nsync_stream s\n"
         "@2 host_flag_wait f\nend\n",
         ATLAS_OP_HOST_FLAG_WAIT, 5},
    };
    FlowCase c;
    flow_case_init(&c, g_strdup(stuck[_i].text));
    g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
    const AtlasProof *deadlock = atlas_proofs_find(proofs, ATLAS_PROPERTY_DEADLOCK);
    g_autoptr(GError) error = NULL;
    ck_assert_int_eq(deadlock->verdict, ATLAS_PROOF_REFUTED);
    ck_assert_uint_eq(deadlock->at[0].op, stuck[_i].op);
    ck_assert_int_eq(g_array_index(c.program->ops, AtlasOp, stuck[_i].op).kind, stuck[_i].kind);
    /* And its trail is one that deadlocks, also where nothing was performed; of what is never
     * performed no result is stated, nor how much is executed. */
    g_autofree char *trail = atlas_trail(c.program, deadlock, NULL, NULL, &error);
    ck_assert_msg(trail && strstr(trail, "\nexpect deadlock=yes\n"), "%s",
                  error ? error->message : trail);
    ck_assert(!strstr(trail, "launch s k => OK") || strstr(trail, "sync_stream s => OK"));
    ck_assert(!strstr(trail, "executed"));
    flow_case_clear(&c);
}
END_TEST

Suite *threads_cases_suite(void) {
    Suite *suite = suite_create("threads_cases");
    TCase *tc = tcase_create("threads_cases");
    tcase_add_loop_test(tc, by_hand, 0, G_N_ELEMENTS(cases));
    tcase_add_loop_test(tc, exact_reads_stay_open, 0, 3);
    tcase_add_loop_test(tc, deadlocks_name_who_waits, 0, 4);
    tcase_set_timeout(tc, 600);
    suite_add_tcase(suite, tc);
    return suite;
}
