/* Proofs of programs written by hand: what clashes, how a schedule gets there, what mends it. */
#include "model/proof/prove.h"
#include "model/proof/search_model.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/random_flow.h"
#include "tests/unit/suites.h"

static guint line_of(const FlowCase *c, guint op) {
    guint line, column;
    if (op == ATLAS_PROOF_NO_OP)
        return 0;
    atlas_source_position(c->source, g_array_index(c->program->ops, AtlasOp, op).at.start, &line,
                          &column);
    return line;
}

/* "c3 c4 d3x2": calls and completions by their lines. */
static void write_schedule(const FlowCase *c, const GArray *schedule, GString *out) {
    for (guint i = 0; schedule && i < schedule->len; i++) {
        const AtlasScheduleEvent *e = &g_array_index(schedule, AtlasScheduleEvent, i);
        g_string_append_printf(out, " %s%u", e->complete ? "d" : "c", line_of(c, e->when.op));
        if (e->count > 1)
            g_string_append_printf(out, "x%d", (int)e->count);
    }
}

/* "refuted 4,5 |why|mend| c3 c4"; bounds of smear and count. */
static char *describe(const FlowCase *c, const AtlasProof *p) {
    GString *out = g_string_new(atlas_proof_verdict_name(p->verdict));
    for (guint i = 0; i < p->ats; i++)
        g_string_append_printf(out, "%s%u", i ? "," : " ", line_of(c, p->at[i].op));
    if (p->property == ATLAS_PROPERTY_SMEAR || p->property == ATLAS_PROPERTY_COUNT)
        g_string_append_printf(out, " %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT, p->least, p->most);
    if (p->why)
        g_string_append_printf(out, "|%s", p->why);
    if (p->mend)
        g_string_append_printf(out, "|%s", p->mend);
    if (p->schedule) {
        g_string_append(out, "|");
        write_schedule(c, p->schedule, out);
    }
    return g_string_free(out, FALSE);
}

#define CAPTURE "begin a global\nlaunch a k w:x\nend a g\ninstantiate g z\n"
#define TWO "# p\nstream a nonblocking\nstream b nonblocking\nevent e\n"

static const struct {
    const char *text;
    AtlasProperty property;
    const char *expected;
} cases[] = {
    {TWO "launch a k w:x\nlaunch b l r:x\n", ATLAS_PROPERTY_RACE,
     "refuted 5,6|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'k' (line 5) in a, wait for it before 'l' (line 6) in b| c5 c6"},
    {TWO "launch a k w:x\nrecord e a\nwait b e\nlaunch b l r:x\n", ATLAS_PROPERTY_RACE, "holds"},
    /* What comes before both is in the schedule, what does not is not. */
    {TWO "launch a j\nlaunch b i\nrecord e b\nwait a e\nlaunch a k w:x\nlaunch b l r:x\n",
     ATLAS_PROPERTY_RACE,
     "refuted 9,10|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'k' (line 9) in a, wait for it before 'l' (line 10) in b|"
     " c5 c6 c7 c8 c9 c10 d5 d6"},
    {TWO "launch a k w:x\nhost_read r:x\n", ATLAS_PROPERTY_RACE,
     "refuted 5,6|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'k' (line 5) in a, synchronize with it before 'host_read' (line 6)|"
     " c5 c6"},
    /* The copy, not the kernel, writes what the host reads; and reads what the host writes. */
    {TWO "launch a k w:x\ndtoh_async a pinned r:x\nhost_read r:x\n", ATLAS_PROPERTY_RACE,
     "refuted 6,7|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'dtoh_async' (line 6) in a, synchronize with it before 'host_read' "
     "(line 7)| c5 c6 c7 d5"},
    {TWO "htod_async a pinned w:x\nhost_write w:x\n", ATLAS_PROPERTY_RACE,
     "refuted 5,6|nothing puts one first: one reads 'x', the other writes it|"
     "record a new event after 'htod_async' (line 5) in a, synchronize with it before "
     "'host_write' (line 6)| c5 c6"},
    {TWO "launch a k w:x\ndtoh_async a pinned r:x\nrecord e a\nsync_event e\nlaunch a k w:x\n"
         "host_read r:x\n",
     ATLAS_PROPERTY_RACE, "holds"},
    /* A function that runs on the host works on the host's side. */
    {TWO "htod_async a pinned w:x\nlaunch a k r:x\nhost_fn b w:x\n", ATLAS_PROPERTY_RACE,
     "refuted 5,7|nothing puts one first: one reads 'x', the other writes it|"
     "record a new event after 'htod_async' (line 5) in a, wait for it before 'host_fn' (line 7) "
     "in b| c5 c6 c7"},
    /* Two edges are missing. */
    {TWO "launch a k w:x\nlaunch b l r:x w:y\nlaunch a m r:y\n", ATLAS_PROPERTY_RACE,
     "refuted 5,6|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'k' (line 5) in a, wait for it before 'l' (line 6) in b; "
     "record a new event after 'l' (line 6) in b, wait for it before 'm' (line 7) in a| c5 c6"},
    /* From one step to the next: the writer comes again before the reader is done. */
    {TWO "step\nlaunch a k w:x\nrecord e a\nwait b e\nlaunch b l r:x\nend\n", ATLAS_PROPERTY_RACE,
     "refuted 9,6|nothing puts one first: one reads 'x', the other writes it|"
     "record a new event after 'l' (line 9) in b, wait for it before 'k' (line 6) in a|"
     " c6 c7 c8 c9 c6 d6"},
    /* Different parts; the same part. */
    {TWO "buffer act x4\nlaunch a k w:act[0]\nlaunch b l w:act[1]\n", ATLAS_PROPERTY_RACE, "holds"},
    {TWO "buffer act x4\nlaunch a k w:act[1]\nloop 2 as i\nlaunch b l w:act[i]\nend\n",
     ATLAS_PROPERTY_RACE,
     "refuted 6,8|nothing puts one first: one writes 'act', the other writes it|"
     "record a new event after 'k' (line 6) in a, wait for it before 'l' (line 8) in b|"
     " c6 c8 c8 d8"},
    {TWO "depth 1\nlaunch a k w:x\nlaunch a j\nlaunch b l r:x\n", ATLAS_PROPERTY_RACE_AT_DEPTH,
     "holds"},
    {TWO "depth 2\nlaunch a k w:x\nlaunch a j\nlaunch b l r:x\n", ATLAS_PROPERTY_RACE_AT_DEPTH,
     "refuted 6,8|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'k' (line 6) in a, wait for it before 'l' (line 8) in b| c6 c7 c8"},
    {TWO "flag f\ndepth 2\nflag_wait a f\nlaunch a k\nlaunch a l\nflag_set b f\n",
     ATLAS_PROPERTY_DEADLOCK,
     "refuted 9,7|the host waits for what never comes|a queue of 3 places| c7 c8"},
    {TWO "flag f\nflag_wait a f\n", ATLAS_PROPERTY_DEADLOCK,
     "refuted 6,6|a stream waits for a flag that nothing sets any more| c6"},
    /* A flag with two setters is searched; in a step, it is not modelled. */
    {TWO "flag f\nflag_set a f\nflag_set b f\nhost_flag_wait f\n", ATLAS_PROPERTY_DEADLOCK,
     "holds"},
    {TWO "flag f\nlaunch a k w:x\nflag_set a f\nflag_set b f\nhost_flag_wait f\nhost_read r:x\n",
     ATLAS_PROPERTY_RACE,
     "refuted 6,10|both are under way at once in some state| c6 c7 c8 d8 c9 c10"},
    {TWO "flag f\nflag g\nflag_wait a f\nflag_set a f\nflag_wait b f\nflag_set b f\n",
     ATLAS_PROPERTY_DEADLOCK, "refuted 7|in some state nothing can go on| c7 c8 c9 c10"},
    {TWO "launch a k w:x[3]\nlaunch b l r:x[3]\n", ATLAS_PROPERTY_RACE,
     "not modelled|'x' is indexed and not declared, so that nobody knows its parts"},
    {TWO "flag f\nstep\nflag_set a f\nend\n", ATLAS_PROPERTY_DEADLOCK,
     "not modelled|flag 'f' is set more than once"},
    {TWO "launch a k x3\ncounter_read exact\n", ATLAS_PROPERTY_SMEAR,
     "refuted 6 0..3|launches before it need not be complete|sync_ctx before it| c5 c6"},
    {TWO "launch a k x3\nsync_stream a\nlaunch b k x2\ncounter_read\n", ATLAS_PROPERTY_SMEAR,
     "holds 0..2"},
    {TWO "launch a k x3\nsync_stream a\nlaunch b k x2\ncounter_read\n", ATLAS_PROPERTY_COUNT,
     "holds 3..5"},
    {TWO "counter_read\nlaunch b k\ncounter_read\n", ATLAS_PROPERTY_WINDOW,
     "refuted 7|how far its last read lags depends on the schedule|sync_ctx before it| c5 c6 c7"},
    {TWO "launch b k\ncounter_read\nlaunch b k\ncounter_read\n", ATLAS_PROPERTY_WINDOW,
     "refuted 6|how far its first read lags depends on the schedule| c5 c6"},
    {TWO "sync_ctx\ncounter_read\nlaunch b k\nsync_ctx\ncounter_read\n", ATLAS_PROPERTY_WINDOW,
     "holds"},
    /* Nobody ever waits for b: a step for ever lags without end; a queue ends that. */
    {TWO "step\ncounter_read\nlaunch b k\nend\n", ATLAS_PROPERTY_SMEAR, "holds 0..-1"},
    {TWO "depth 7\nstep\ncounter_read\nlaunch b k\nend\n", ATLAS_PROPERTY_SMEAR, "holds 0..7"},
    /* Behind the step it lags after an odd number of steps only: that is what is shown. */
    {TWO "step\nsync_ctx\nlaunch b k x5 every:2\nend\ncounter_read exact\n", ATLAS_PROPERTY_SMEAR,
     "refuted 9 0..5|launches before it need not be complete|sync_ctx before it| c6 c7 c9"},
    /* The same rule where all states are searched: a flag that is set twice. */
    {TWO "flag f\nlaunch b k\nhost_flag_set f\nhost_flag_set f\ncounter_read exact\n",
     ATLAS_PROPERTY_SMEAR, "refuted 9 0..1|launches before it need not be complete| c6 c7 c8 c9"},
    {TWO "flag f\nlaunch b k\nhost_flag_set f\nhost_flag_set f\nsync_ctx\ncounter_read exact\n",
     ATLAS_PROPERTY_SMEAR, "holds 0..0"},
    /* A loop of any length. */
    {TWO "loop 1000000000 as i\nlaunch b k x9\nend\ncounter_read\n", ATLAS_PROPERTY_SMEAR,
     "holds 0..9000000000"},
    {TWO "depth 1021\nloop 1000000000 as i\nlaunch b k x9\nend\ncounter_read\n",
     ATLAS_PROPERTY_SMEAR, "holds 0..1021"},
    /* Launches of one exec are ordered; those of two are not, whatever they are called. */
    {TWO CAPTURE "graph_launch z a\ngraph_launch z b\n", ATLAS_PROPERTY_RACE, "holds"},
    {TWO CAPTURE "graph_launch z a\ninstantiate g z\ngraph_launch z b\n", ATLAS_PROPERTY_RACE,
     "refuted 6,6|nothing puts one first: one writes 'x', the other writes it|"
     "record a new event after 'graph_launch' (line 9) in a, wait for it before 'graph_launch' "
     "(line 11) in b| c5 c6 c7 c8 c9 c10 c11"},
    /* A capture in every step: the driver's state comes again, so that the step is cut. */
    {TWO "step\n" CAPTURE "graph_launch z a\nend\n", ATLAS_PROPERTY_RACE, "holds"},
    {TWO "step\n" CAPTURE "graph_launch z a\nlaunch b l r:x\nsync_ctx\nend\n", ATLAS_PROPERTY_RACE,
     "refuted 7,11|nothing puts one first: one writes 'x', the other reads it|"
     "record a new event after 'graph_launch' (line 10) in a, wait for it before 'l' (line 11) in "
     "b|"
     " c6 c7 c8 c9 c10 c11"},
    {TWO "begin a global\nlaunch a k\nsync_stream a\nend a g\n", ATLAS_PROPERTY_RACE,
     "not modelled|a call fails, and the program does not say what is done then"},
};

START_TEST(by_hand) {
    FlowCase c;
    flow_case_init(&c, g_strdup(cases[_i].text));
    g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
    const AtlasProof *proof = atlas_proofs_find(proofs, cases[_i].property);
    ck_assert(proof != NULL);
    g_autofree char *found = describe(&c, proof);
    ck_assert_msg(g_strcmp0(found, cases[_i].expected) == 0, "%s\nexpected %s\ngot      %s",
                  cases[_i].text, cases[_i].expected, found);
    flow_case_clear(&c);
}
END_TEST

/* ---- schedules that run ---- */

/* A schedule being followed in the search's model of the program. */
typedef struct {
    SearchModel *model;
    guint *value; /* of tasks completed, by stream, in the model's units */
    guint *given; /* of tasks handed over */
    guint call;
    guint instance; /* of the op that the host performs */
} Replay;

static gboolean met(const Replay *r, SearchRange needs, guint flag) {
    gboolean good = TRUE, set = flag == SEARCH_NONE;
    for (guint i = 0; i < needs.len; i++) {
        SearchNeed need = g_array_index(r->model->needs, SearchNeed, needs.first + i);
        good = good && r->value[need.stream] >= need.value;
    }
    for (guint i = 0; i < r->model->setters->len; i++) {
        SearchSetter s = g_array_index(r->model->setters, SearchSetter, i);
        guint done = s.call ? r->call : r->value[s.done.stream];
        set |= s.flag == flag && done >= s.done.value;
    }
    return good && set;
}

/* The stream whose next task is of this op and can run; G_MAXUINT: none. */
static guint runs(const Replay *r, guint op) {
    for (guint s = 0; s < r->model->queues->len; s++) {
        if (r->value[s] == r->given[s])
            continue;
        const SearchTask *task = search_task(r->model, s, r->value[s] / r->model->unit);
        if (task->op == op && met(r, task->needs, task->awaits))
            return s;
    }
    return G_MAXUINT;
}

/* A stream's task that is under way ends. */
static void end(Replay *r, guint stream) {
    r->value[stream] = (r->value[stream] / r->model->unit + 1) * r->model->unit;
}

/* Records and waits are complete as soon as they can be: schedules leave that out. */
static gboolean complete_marks(Replay *r) {
    const GArray *ops = r->model->program->ops;
    for (guint i = 0; i < ops->len; i++) {
        AtlasOpKind kind = g_array_index(ops, AtlasOp, i).kind;
        guint stream = G_MAXUINT;
        if (kind == ATLAS_OP_RECORD || kind == ATLAS_OP_WAIT)
            stream = runs(r, i);
        if (stream == G_MAXUINT)
            continue;
        end(r, stream);
        return TRUE;
    }
    return FALSE;
}

/* Where tasks start and end in two steps they start as soon as they can. */
static gboolean start(Replay *r) {
    for (guint s = 0; s < r->model->queues->len && r->model->unit == 2; s++) {
        if (r->value[s] % 2 || r->value[s] == r->given[s])
            continue;
        const SearchTask *task = search_task(r->model, s, r->value[s] / 2);
        if (!met(r, task->needs, task->awaits))
            continue;
        r->value[s]++;
        return TRUE;
    }
    return FALSE;
}

/* The host goes on with the op that it performs, as soon as there are places. */
static gboolean go_on(Replay *r) {
    if (r->call == r->model->calls->len)
        return FALSE;
    const SearchCall *call = &g_array_index(r->model->calls, SearchCall, r->call);
    if (call->instance != r->instance || !met(r, call->needs, call->awaits))
        return FALSE;
    r->call++;
    if (call->act == SEARCH_ENQUEUE)
        r->given[call->stream] += r->model->unit;
    return TRUE;
}

static void settle(Replay *r) {
    while (complete_marks(r) || start(r) || go_on(r))
        ;
}

/* Follows one event; FALSE where it cannot happen. */
static gboolean follow(Replay *r, const AtlasScheduleEvent *e) {
    for (gint64 i = 0; e->complete && i < e->count; i++) {
        guint stream = runs(r, e->when.op);
        if (stream == G_MAXUINT)
            return FALSE;
        end(r, stream);
        settle(r);
    }
    if (e->complete || r->call == r->model->calls->len)
        return TRUE;
    const SearchCall *call = &g_array_index(r->model->calls, SearchCall, r->call);
    if (call->op != e->when.op)
        return call->instance != r->instance; /* no call of the model's; or the last one goes on */
    r->instance = call->instance;
    gboolean good = go_on(r);
    settle(r);
    return good;
}

static gboolean is_host(const FlowCase *c, guint op) {
    AtlasOpKind kind = g_array_index(c->program->ops, AtlasOp, op).kind;
    return kind == ATLAS_OP_HOST_READ || kind == ATLAS_OP_HOST_WRITE || kind == ATLAS_OP_HOST_SET ||
           kind == ATLAS_OP_HTOD_SYNC || kind == ATLAS_OP_HTOD_ASYNC;
}

/* How often a schedule performs the step, or more often, where it does not leave it. */
static gint64 steps_of(const FlowCase *c, const GArray *schedule) {
    for (guint i = schedule->len; i-- > 0 && c->flow->step != FLOW_NONE;) {
        AtlasWhen when = g_array_index(schedule, AtlasScheduleEvent, i).when;
        if (when.op > flow_op(c->flow, flow_op(c->flow, c->flow->step)->partner)->op)
            return (gint64)when.step;
    }
    return 8;
}

static void follow_all(Replay *r, const FlowCase *c, const AtlasProof *proof, gint64 depth) {
    SearchOptions options = {.steps = steps_of(c, proof->schedule), .depth = depth};
    *r = (Replay){.model = search_model_new(c->program, &options)};
    r->value = g_new0(guint, r->model->queues->len);
    r->given = g_new0(guint, r->model->queues->len);
    for (guint i = 0; i < proof->schedule->len; i++)
        ck_assert_msg(follow(r, &g_array_index(proof->schedule, AtlasScheduleEvent, i)),
                      "event %u of the schedule cannot happen\n%s", i, c->text);
}

static void replay_clear(Replay *r) {
    search_model_free(r->model);
    g_free(r->value);
    g_free(r->given);
}

static void follow_race(const FlowCase *c, const AtlasProof *race) {
    Replay r;
    follow_all(&r, c, race, 0);
    for (guint i = 0; i < race->ats; i++)
        ck_assert_msg(is_host(c, race->at[i].op) || runs(&r, race->at[i].op) != G_MAXUINT,
                      "op %u is not under way\n%s", race->at[i].op, c->text);
    replay_clear(&r);
}

/* Behind the schedule of a deadlock neither a stream nor the host can go on, and one is not done. */
static void follow_stuck(const FlowCase *c, const AtlasProof *deadlock) {
    Replay r;
    follow_all(&r, c, deadlock, c->flow->depth);
    gboolean left = r.call < r.model->calls->len;
    const SearchCall *call = left ? &g_array_index(r.model->calls, SearchCall, r.call) : NULL;
    if (left && (call->op == deadlock->at[0].op || call->op == G_MAXUINT))
        r.instance = call->instance; /* what cannot go on has begun; so has the program's end */
    settle(&r);
    for (guint i = 0; i < c->program->ops->len; i++)
        ck_assert_msg(runs(&r, i) == G_MAXUINT, "op %u can run\n%s", i, c->text);
    left = r.call < r.model->calls->len;
    call = left ? &g_array_index(r.model->calls, SearchCall, r.call) : NULL;
    ck_assert_msg(!left || !met(&r, call->needs, call->awaits), "the host can go on\n%s", c->text);
    for (guint i = 0; i < r.model->queues->len; i++)
        left |= r.value[i] < r.given[i];
    ck_assert_msg(left, "all is done\n%s", c->text);
    replay_clear(&r);
}

/* The schedule of a race can happen, and ends with both accesses under way; the mend mends. That of a
 * deadlock ends where nothing can go on. */
START_TEST(schedules) {
    static const guint kinds[] = {0, RANDOM_FLAGS, RANDOM_LOOPS | RANDOM_STEP, RANDOM_LEGACY,
                                  RANDOM_FLAGS | RANDOM_AGAIN};
    guint count = flow_case_programs(300), races = 0, mended = 0, stuck = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_flow(seed, kinds[_i]));
        g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
        const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
        if (race && race->verdict == ATLAS_PROOF_REFUTED) {
            ck_assert_msg(race->schedule != NULL, "a race without a schedule\n%s", c.text);
            follow_race(&c, race);
            races++;
            mended += race->mend != NULL;
        }
        const AtlasProof *deadlock = atlas_proofs_find(proofs, ATLAS_PROPERTY_DEADLOCK);
        if (deadlock && deadlock->verdict == ATLAS_PROOF_REFUTED && c.flow->step == FLOW_NONE) {
            ck_assert_msg(deadlock->schedule != NULL, "stuck without a schedule\n%s", c.text);
            follow_stuck(&c, deadlock);
            stuck++;
        }
        flow_case_clear(&c);
    }
    gboolean again = kinds[_i] & RANDOM_AGAIN;
    ck_assert_msg(races * 10 > count && (again || mended * 2 > races), "%u races, %u mended", races,
                  mended);
    ck_assert_uint_eq(stuck > 0, (kinds[_i] & RANDOM_FLAGS) != 0);
}
END_TEST

/* n races, each with an edge of its own: up to MEND_EDGES are said, more are not. */
START_TEST(many_edges) {
    for (guint n = 7; n <= 10; n++) {
        FlowCase c;
        GString *text = g_string_new(TWO);
        for (guint i = 0; i < 2 * n; i++)
            g_string_append_printf(text, i < n ? "launch a k w:x%u\n" : "launch b l r:x%u\n",
                                   i % n);
        flow_case_init(&c, g_string_free(text, FALSE));
        g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
        const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
        ck_assert_int_eq(race->verdict, ATLAS_PROOF_REFUTED);
        ck_assert_uint_eq(race->others, n - 1);
        ck_assert_msg((race->mend != NULL) == (n <= 8), "%u: %s", n, race->mend);
        flow_case_clear(&c);
    }
}
END_TEST

Suite *prove_suite(void) {
    Suite *suite = suite_create("prove");
    TCase *tc = tcase_create("by hand");
    tcase_add_loop_test(tc, by_hand, 0, G_N_ELEMENTS(cases));
    tcase_add_test(tc, many_edges);
    tcase_add_loop_test(tc, schedules, 0, 5);
    tcase_set_timeout(tc, 600);
    suite_add_tcase(suite, tc);
    return suite;
}
