/* Whether every call succeeds: several host threads against brute force, and two reported bugs. */
#include "model/proof/legal.h"
#include "model/machine/machine.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/splitmix.h"
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
    Legal legal = c.flow->threads > 1 ? legal_search(c.flow, 1000) : legal_run(c.flow, 0);
    g_autofree char *lines = lines_of(&c, &legal);
    ck_assert_int_eq(legal.verdict, *cases[_i].schedule ? LEGAL_NO : LEGAL_YES);
    ck_assert_str_eq(lines, cases[_i].schedule);
    legal_clear(&legal);
    flow_case_clear(&c);
}
END_TEST

/* ---- brute force ---- */

typedef struct {
    const FlowCase *c;
    AtlasScript *script;
    GArray *ops[2]; /* of guint */
} Brute;

/* The fewest calls to one that fails, in any interleaving from here; G_MAXUINT: none fails. */
static guint shortest(const Brute *b, const AtlasMachine *machine, guint first, guint second) {
    guint place[2] = {first, second}, best = G_MAXUINT;
    for (guint t = 0; t < 2; t++) {
        if (place[t] == b->ops[t]->len)
            continue;
        g_autoptr(AtlasMachine) moved = atlas_machine_new(b->script);
        atlas_machine_copy(moved, machine);
        int code = atlas_machine_apply(moved, g_array_index(b->ops[t], guint, place[t])).code;
        guint found = 0;
        if (code == ATLAS_RESULT_OK)
            found = shortest(b, moved, first + (t == 0), second + (t == 1));
        best = found == G_MAXUINT ? best : MIN(best, found + 1);
    }
    return best;
}

static guint brute_force(const FlowCase *c) {
    g_autoptr(AtlasScript) script = atlas_script_new(c->program, c->diags);
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    Brute b = {c, script, {NULL, NULL}};
    gboolean begun = FALSE;
    for (guint t = 0; t < 2; t++)
        b.ops[t] = g_array_new(FALSE, FALSE, sizeof(guint));
    for (guint i = 0; i < c->program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(c->program->ops, AtlasOp, i);
        begun |= op->kind != ATLAS_OP_STREAM && op->kind != ATLAS_OP_EVENT;
        if (begun)
            g_array_append_val(b.ops[op->thread - 1], i);
        else
            atlas_machine_apply(machine, i);
    }
    guint found = shortest(&b, machine, 0, 0);
    g_array_unref(b.ops[0]);
    g_array_unref(b.ops[1]);
    return found;
}

static guint below(guint64 *state, guint n) {
    return (guint)(splitmix(state) % n);
}

/* A capture by one thread, or by each, and calls that may or may not disturb it. */
static char *random_threads(guint64 seed) {
    static const char *const modes[] = {"global", "thread_local", "relaxed"};
    static const char *const calls[] = {
        "launch s%u\n",       "launch s%u\n",    "record e s%u\n",  "wait s%u e\n",
        "sync_event e\n",     "query_event e\n", "malloc m\n",      "sync_stream s%u\n",
        "query_stream s%u\n", "mode relaxed\n",  "launch legacy\n", "mode thread_local\n",
    };
    guint64 state = seed;
    gboolean rare = below(&state, 2) == 0;
    GString *out = g_string_new("# random\nstream s0 nonblocking\nstream s1 blocking\nevent e\n");
    for (guint t = 0; t < 2; t++) {
        const char *who = t ? "@2 " : "";
        gboolean captures = t == 0 || below(&state, 2);
        guint len = 1 + below(&state, 4);
        if (below(&state, 2))
            g_string_append_printf(out, "%smode %s\n", who, modes[below(&state, 3)]);
        if (captures)
            g_string_append_printf(out, "%sbegin s%u %s\n", who, t, modes[below(&state, 3)]);
        for (guint i = 0; i < len; i++) {
            const char *call = calls[below(&state, rare ? 4 : G_N_ELEMENTS(calls))];
            g_auto(GStrv) parts = g_strsplit(call, "%u", 2);
            g_string_append_printf(out, "%s%s", who, parts[0]);
            if (parts[1])
                g_string_append_printf(out, "%u%s", below(&state, 4) ? t : 1 - t, parts[1]);
        }
        if (captures)
            g_string_append_printf(out, "%send s%u g%u\n", who, t, t);
    }
    return g_string_free(out, FALSE);
}

START_TEST(interleavings) {
    guint count = flow_case_programs(400), illegal = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_threads(seed));
        Legal legal = legal_search(c.flow, 1000000);
        guint found = brute_force(&c);
        ck_assert_msg(legal.verdict == (found == G_MAXUINT ? LEGAL_YES : LEGAL_NO),
                      "search %d, brute force %u\n%s", legal.verdict, found, c.text);
        ck_assert_msg(found == G_MAXUINT || legal.schedule->len == found,
                      "search fails after %u calls, brute force after %u\n%s",
                      legal.schedule ? legal.schedule->len : 0, found, c.text);
        illegal += found != G_MAXUINT;
        legal_clear(&legal);
        flow_case_clear(&c);
    }
    ck_assert_msg(illegal * 10 > count && illegal * 10 < count * 9, "%u of %u illegal", illegal,
                  count);
}
END_TEST

Suite *legal_suite(void) {
    Suite *suite = suite_create("legal");
    TCase *tc = tcase_create("threads");
    tcase_set_timeout(tc, 600);
    tcase_add_loop_test(tc, reported, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tc, interleavings);
    suite_add_tcase(suite, tc);
    return suite;
}
