/* Programs of several host threads, made up: what the search says of their calls is what trying
 * every interleaving shows, whether it passes some over or not. */
#include "model/machine/machine.h"
#include "model/proof/legal.h"
#include "model/proof/legal_threads.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/splitmix.h"
#include "tests/unit/suites.h"

enum { THREADS_MAX = 3 };

/* ---- brute force ---- */

typedef struct {
    const FlowCase *c;
    AtlasScript *script;
    Touch *touches;
    GArray *ops[THREADS_MAX]; /* of guint */
} Brute;

static const AtlasOp *op_at(const FlowCase *c, guint op) {
    return &g_array_index(c->program->ops, AtlasOp, op);
}

static guint op_of(const Brute *b, const guint *place, guint thread) {
    return g_array_index(b->ops[thread], guint, place[thread]);
}

static gboolean can_go(const Brute *b, const guint *place, guint thread) {
    if (place[thread] == b->ops[thread]->len)
        return FALSE;
    if (op_at(b->c, op_of(b, place, thread))->kind != ATLAS_OP_HOST_FLAG_WAIT)
        return TRUE;
    for (guint t = 0; t < THREADS_MAX; t++)
        for (guint i = 0; i < place[t]; i++)
            if (op_at(b->c, g_array_index(b->ops[t], guint, i))->kind == ATLAS_OP_HOST_FLAG_SET)
                return TRUE;
    return FALSE;
}

/* The state behind an op, and whether it failed. The caller frees it. */
static AtlasMachine *behind(const Brute *b, const AtlasMachine *machine, guint op,
                            gboolean *failed) {
    AtlasMachine *moved = atlas_machine_new(b->script);
    atlas_machine_copy(moved, machine);
    AtlasAnswer answer = atlas_machine_apply(moved, op);
    *failed = atlas_answer_failed(&answer);
    return moved;
}

/* Two ops, in this order: the hash of the state behind them; 0: one fails. */
static guint64 both(const Brute *b, const AtlasMachine *machine, guint first, guint second) {
    gboolean failed[2] = {FALSE, FALSE};
    g_autoptr(AtlasMachine) one = behind(b, machine, first, &failed[0]);
    g_autoptr(AtlasMachine) two = behind(b, one, second, &failed[1]);
    return failed[0] || failed[1] ? 0 : atlas_machine_hash(two, ATLAS_HASH_BY_NAME);
}

/* Ops that are said to commute do, here. */
static void check_commuting(const Brute *b, const AtlasMachine *machine, const guint *place) {
    for (guint t = 0; t < THREADS_MAX; t++) {
        for (guint u = t + 1; u < THREADS_MAX; u++) {
            if (!can_go(b, place, t) || !can_go(b, place, u))
                continue;
            guint x = op_of(b, place, t), y = op_of(b, place, u);
            if (!commute_clash(b->touches[x], b->touches[y]))
                ck_assert_msg(both(b, machine, x, y) == both(b, machine, y, x),
                              "ops %u and %u do not commute\n%s", x, y, b->c->text);
        }
    }
}

/* The fewest ops to a call that fails, in any interleaving from here; G_MAXUINT: none fails. */
static guint shortest(const Brute *b, const AtlasMachine *machine, guint *place) {
    guint best = G_MAXUINT;
    if (b->touches)
        check_commuting(b, machine, place);
    for (guint t = 0; t < THREADS_MAX; t++) {
        gboolean failed;
        if (!can_go(b, place, t))
            continue;
        g_autoptr(AtlasMachine) moved = behind(b, machine, op_of(b, place, t), &failed);
        guint found = 0;
        if (!failed) {
            place[t]++;
            found = shortest(b, moved, place);
            place[t]--;
        }
        best = found == G_MAXUINT ? best : MIN(best, found + 1);
    }
    return best;
}

static guint brute_force(const FlowCase *c, gboolean commuting) {
    g_autoptr(AtlasScript) script = atlas_script_new(c->program, c->diags);
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    guint place[THREADS_MAX] = {0}, opening = legal_opening(c->program);
    Brute b = {c, script, commuting ? commute_touches(c->program, opening) : NULL, {NULL}};
    for (guint t = 0; t < THREADS_MAX; t++)
        b.ops[t] = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < c->program->ops->len; i++) {
        if (i >= opening)
            g_array_append_val(b.ops[op_at(c, i)->thread - 1], i);
        else
            atlas_machine_apply(machine, i);
    }
    guint found = shortest(&b, machine, place);
    for (guint t = 0; t < THREADS_MAX; t++)
        g_array_unref(b.ops[t]);
    g_free(b.touches);
    return found;
}

/* ---- programs ---- */

static guint below(guint64 *state, guint n) {
    return (guint)(splitmix(state) % n);
}

/* Calls that may or may not disturb a capture; %u is a stream's number, or a graph's. So many are
 * usual; so many are not about graphs. */
enum { USUAL = 4, PLAIN = 16 };
static const char *const calls[] = {
    "launch s%u",
    "launch s%u",
    "record e s%u",
    "wait s%u e",
    "sync_event e",
    "query_event e",
    "malloc m",
    "sync_stream s%u",
    "query_stream s%u",
    "mode relaxed",
    "launch legacy",
    "mode thread_local",
    "memset_sync",
    "module_load",
    "launch ptds",
    "record e legacy",
    "instantiate g%u x",
    "graph_launch x s%u",
    "destroy_graph g%u",
    "malloc_async m s%u",
    "free_async m s%u",
    "update x g%u",
    "record_external e s%u",
    "sync_ctx",
};

static void add_call(GString *out, guint64 *state, const char *who, guint thread, guint kinds,
                     gboolean steps) {
    const char *call = calls[below(state, kinds)];
    g_auto(GStrv) parts = g_strsplit(call, "%u", 2);
    g_string_append_printf(out, "%s%s", who, parts[0]);
    if (parts[1])
        g_string_append_printf(out, "%u%s", below(state, 4) ? thread : 1 - MIN(thread, 1),
                               parts[1]);
    g_string_append(out, steps && below(state, 8) == 0 ? " every:2\n" : "\n");
}

/* A capture by one thread, or by more, and calls beside it. */
static char *random_threads(guint64 seed, guint threads, gboolean steps) {
    static const char *const modes[] = {"global", "thread_local", "relaxed"};
    guint64 state = seed;
    const guint kinds[] = {USUAL, USUAL, PLAIN, G_N_ELEMENTS(calls)};
    guint some = kinds[below(&state, 4)];
    gboolean flag = below(&state, 4) == 0;
    GString *out = g_string_new("# random\nstream s0 nonblocking\nstream s1 blocking\n"
                                "stream s2 nonblocking\nevent e\nflag f\n");
    g_string_append(out, steps ? "step\n" : "");
    for (guint t = 0; t < threads; t++) {
        g_autofree char *who = t ? g_strdup_printf("@%u ", t + 1) : g_strdup("");
        gboolean captures = t == 0 || below(&state, 2);
        guint len = 1 + below(&state, threads > 2 ? 2 : 3);
        if (below(&state, 2))
            g_string_append_printf(out, "%smode %s\n", who, modes[below(&state, 3)]);
        if (flag && t == 1)
            g_string_append_printf(out, "%shost_flag_wait f\n", who);
        if (captures)
            g_string_append_printf(out, "%sbegin s%u %s\n", who, t, modes[below(&state, 3)]);
        for (guint i = 0; i < len; i++)
            add_call(out, &state, who, t, some, steps);
        if (captures)
            g_string_append_printf(out, "%send s%u g%u\n", who, t, t);
        if (captures && below(&state, 4) == 0 && threads == 2)
            g_string_append_printf(out, "%sinstantiate g%u x%u\n%sgraph_launch x%u s%u\n", who, t,
                                   t, who, t, t);
        if (flag && t == 0)
            g_string_append(out, "host_flag_set f\n");
    }
    g_string_append(out, steps ? "end\n" : "");
    return g_string_free(out, FALSE);
}

/* ---- tests ---- */

/* Both searches say what brute force does, and the first never looks at more. */
static guint compare(const FlowCase *c, gboolean commuting, guint64 *saved) {
    guint found = brute_force(c, commuting);
    Legal whole = legal_search(c->flow, (LegalOptions){.all = TRUE});
    Legal legal = legal_search(c->flow, (LegalOptions){.all = FALSE});
    LegalVerdict verdict = found == G_MAXUINT ? LEGAL_YES : LEGAL_NO;
    ck_assert_msg(legal.verdict == verdict && whole.verdict == verdict,
                  "searches %d and %d, brute force %u\n%s", legal.verdict, whole.verdict, found,
                  c->text);
    ck_assert_msg(found == G_MAXUINT ||
                      (legal.schedule->len == found && whole.schedule->len == found),
                  "searches fail after %u and %u, brute force after %u\n%s",
                  legal.schedule ? legal.schedule->len : 0,
                  whole.schedule ? whole.schedule->len : 0, found, c->text);
    ck_assert_msg(found != G_MAXUINT || legal.states <= whole.states, "%s", c->text);
    *saved += found == G_MAXUINT ? whole.states - legal.states : 0;
    legal_clear(&legal);
    legal_clear(&whole);
    return found != G_MAXUINT;
}

static const struct {
    guint threads, usual, part; /* of ATLAS_RANDOM, one in `part` */
    gboolean commuting;
} kinds[] = {{2, 400, 1, FALSE}, {2, 100, 10, TRUE}, {3, 100, 20, TRUE}};

START_TEST(interleavings) {
    guint count = flow_case_programs(kinds[_i].usual * kinds[_i].part) / kinds[_i].part;
    guint illegal = 0;
    guint64 saved = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_threads(seed, kinds[_i].threads, FALSE));
        if (c.flow->threads > 1)
            illegal += compare(&c, kinds[_i].commuting, &saved);
        flow_case_clear(&c);
    }
    ck_assert_msg(illegal * 10 > count && illegal * 10 < count * 9, "%u of %u illegal", illegal,
                  count);
    ck_assert_uint_gt(saved, count);
}
END_TEST

/* Calls that clash though no name is common to them, which made-up programs seldom show. */
static const char *const clashes[] = {
    /* The wait makes the capture one of a blocking stream. */
    "event f\nbegin s0 global\nrecord e s0\nwait s1 e\nrecord f s1\nwait s0 f\nend s0 g\n"
    "@2 launch legacy\n",
    /* Loading a module succeeds, and invalidates. */
    "begin s0 global\nlaunch s0\nlaunch s0\nend s0 g\n@2 module_load\n@2 launch s2\n",
    /* The two default streams are two. */
    "begin ptds global\nlaunch ptds\nend ptds g\n@2 launch ptds\n@2 launch s2\n",
    /* What the graph was captured from, and its exec, are the other thread's to use, too. */
    "begin s0 relaxed\nlaunch s0\nend s0 g\ninstantiate g x\n@2 graph_launch x s2\n"
    "@2 destroy_graph g\n@2 malloc m\n",
};

START_TEST(clashing) {
    guint64 saved = 0;
    FlowCase c;
    flow_case_init(&c, g_strconcat("# p\nstream s0 nonblocking\nstream s1 blocking\n"
                                   "stream s2 nonblocking\nevent e\n",
                                   clashes[_i], NULL));
    compare(&c, TRUE, &saved);
    flow_case_clear(&c);
}
END_TEST

/* The steps that a schedule reaches. */
static gint64 steps_of(const Legal *legal) {
    guint64 steps = 0;
    for (guint i = 0; i < legal->schedule->len; i++)
        steps = MAX(steps, g_array_index(legal->schedule, AtlasScheduleEvent, i).when.step + 1);
    return (gint64)steps;
}

/* What is said of every number of steps is so for some; what is said to fail does, in so many steps
 * and by no shorter schedule. */
static void compare_steps(const FlowCase *c, const Legal *legal) {
    gint64 reached = legal->verdict == LEGAL_NO ? steps_of(legal) : 1;
    for (gint64 steps = reached; steps <= MAX(reached, 3); steps++) {
        Legal some = legal_search(c->flow, (LegalOptions){.steps = steps, .all = TRUE});
        ck_assert_msg(some.verdict == legal->verdict, "for ever %d, %d steps %d\n%s",
                      legal->verdict, (int)steps, some.verdict, c->text);
        ck_assert_msg(!some.schedule || some.schedule->len == legal->schedule->len,
                      "for ever after %u, %d steps after %u\n%s", legal->schedule->len, (int)steps,
                      some.schedule->len, c->text);
        legal_clear(&some);
    }
}

START_TEST(steps_for_ever) {
    guint count = flow_case_programs(200 * 10) / 10, unknown = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_threads(seed, 2, TRUE));
        Legal legal = legal_search(c.flow, (LegalOptions){.max_states = 20000});
        Legal whole = legal_search(c.flow, (LegalOptions){.max_states = 20000, .all = TRUE});
        ck_assert_msg(legal.verdict == whole.verdict, "%d and %d\n%s", legal.verdict, whole.verdict,
                      c.text);
        /* One thread may add to another's capture without end. */
        if (legal.verdict == LEGAL_UNKNOWN)
            unknown++;
        else
            compare_steps(&c, &legal);
        legal_clear(&legal);
        legal_clear(&whole);
        flow_case_clear(&c);
    }
    ck_assert_msg(unknown * 5 <= count, "%u of %u unknown", unknown, count);
}
END_TEST

Suite *legal_random_suite(void) {
    Suite *suite = suite_create("legal_random");
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, interleavings, 0, G_N_ELEMENTS(kinds));
    tcase_add_loop_test(tc, clashing, 0, G_N_ELEMENTS(clashes));
    tcase_add_test(tc, steps_for_ever);
    suite_add_tcase(suite, tc);
    return suite;
}
