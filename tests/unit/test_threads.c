/* Races and deadlocks of several host threads, against every state of every interleaving, in the
 * plainest way: what each thread, each stream and each event is at, one step after the other. */
#include <string.h>

#include "model/proof/prove.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/splitmix.h"
#include "tests/unit/suites.h"

enum { THREADS = 3, STREAMS = 3, EVENTS = 2, FLAGS = 2, OPS = 12 };

/* A stream up to which something must be done; items 0: nothing. */
typedef struct {
    guint8 stream, items;
} Need;

typedef struct {
    guint8 place[THREADS];          /* ops performed */
    guint8 waits[THREADS][STREAMS]; /* items that the thread waits for before it goes on */
    guint8 given[STREAMS], done[STREAMS];
    guint8 item[STREAMS][OPS]; /* ops given to each stream */
    Need need[STREAMS][OPS];   /* what an item waits for */
    Need event[EVENTS];        /* the latest record */
    guint8 flags;
} State;

typedef struct {
    const AtlasProgram *program;
    guint ops[THREADS][OPS], count[THREADS];
    GHashTable *seen; /* of GBytes */
    gboolean race, deadlock;
} Brute;

static const AtlasOp *op_at(const Brute *b, guint op) {
    return &g_array_index(b->program->ops, AtlasOp, op);
}

static guint number(const char *name) {
    return (guint)(name[1] - '0');
}

/* ---- what can go on ---- */

static const AtlasOp *next_call(const Brute *b, const State *s, guint thread) {
    if (s->place[thread] == b->count[thread])
        return NULL;
    const AtlasOp *op = op_at(b, b->ops[thread][s->place[thread]]);
    for (guint i = 0; i < STREAMS; i++)
        if (s->done[i] < s->waits[thread][i])
            return NULL;
    if (op->kind == ATLAS_OP_HOST_FLAG_WAIT && !(s->flags >> number(op->operands[0]) & 1))
        return NULL;
    return op;
}

static const AtlasOp *next_task(const Brute *b, const State *s, guint stream) {
    if (s->done[stream] == s->given[stream])
        return NULL;
    const AtlasOp *op = op_at(b, s->item[stream][s->done[stream]]);
    Need need = s->need[stream][s->done[stream]];
    if (s->done[need.stream] < need.items)
        return NULL;
    if (op->kind == ATLAS_OP_FLAG_WAIT && !(s->flags >> number(op->operands[1]) & 1))
        return NULL;
    return op;
}

/* ---- steps ---- */

static void give(State *s, guint stream, guint op, Need need) {
    s->item[stream][s->given[stream]] = (guint8)op;
    s->need[stream][s->given[stream]++] = need;
}

static void wait_for(State *s, guint thread, guint stream, guint8 items) {
    s->waits[thread][stream] = MAX(s->waits[thread][stream], items);
}

static void call(const Brute *b, State *s, guint thread) {
    guint at = b->ops[thread][s->place[thread]++];
    const AtlasOp *op = op_at(b, at);
    Need none = {0, 0};
    switch (op->kind) {
    case ATLAS_OP_RECORD:
        give(s, number(op->operands[1]), at, none);
        s->event[number(op->operands[0])] =
            (Need){(guint8)number(op->operands[1]), s->given[number(op->operands[1])]};
        break;
    case ATLAS_OP_WAIT:
        give(s, number(op->operands[0]), at, s->event[number(op->operands[1])]);
        break;
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_FLAG_SET:
    case ATLAS_OP_FLAG_WAIT:
        give(s, number(op->operands[0]), at, none);
        break;
    case ATLAS_OP_SYNC_STREAM:
        wait_for(s, thread, number(op->operands[0]), s->given[number(op->operands[0])]);
        break;
    case ATLAS_OP_SYNC_EVENT:
        wait_for(s, thread, s->event[number(op->operands[0])].stream,
                 s->event[number(op->operands[0])].items);
        break;
    case ATLAS_OP_SYNC_CTX:
        for (guint i = 0; i < STREAMS; i++)
            wait_for(s, thread, i, s->given[i]);
        break;
    case ATLAS_OP_HOST_FLAG_SET:
        s->flags |= (guint8)(1u << number(op->operands[0]));
        break;
    default:
        break;
    }
}

static void complete(const Brute *b, State *s, guint stream) {
    const AtlasOp *op = op_at(b, s->item[stream][s->done[stream]++]);
    if (op->kind == ATLAS_OP_FLAG_SET)
        s->flags |= (guint8)(1u << number(op->operands[1]));
}

/* ---- all states ---- */

static gboolean touches(const GArray *list, const GArray *other) {
    return list && other &&
           g_array_index(list, AtlasAccess, 0).buffer ==
               g_array_index(other, AtlasAccess, 0).buffer;
}

static gboolean conflict(const AtlasOp *a, const AtlasOp *b) {
    return a && b &&
           (touches(a->writes, b->writes) || touches(a->reads, b->writes) ||
            touches(a->writes, b->reads));
}

static void explore(Brute *b, const State *s) {
    const AtlasOp *next[THREADS + STREAMS];
    gboolean any = FALSE, left = FALSE;
    if (!g_hash_table_add(b->seen, g_bytes_new(s, sizeof *s)))
        return;
    for (guint i = 0; i < THREADS + STREAMS; i++) {
        next[i] = i < THREADS ? next_call(b, s, i) : next_task(b, s, i - THREADS);
        left |=
            i < THREADS ? s->place[i] < b->count[i] : s->done[i - THREADS] < s->given[i - THREADS];
        any |= next[i] != NULL;
        /* What a call accesses it does itself only where it gives nothing to a stream. */
        if (next[i] && i < THREADS && next[i]->kind == ATLAS_OP_LAUNCH) {
            State moved = *s;
            call(b, &moved, i);
            explore(b, &moved);
            next[i] = NULL;
        }
    }
    for (guint i = 0; i < THREADS + STREAMS; i++) {
        for (guint k = 0; k < i; k++)
            b->race |= conflict(next[i], next[k]);
        State moved = *s;
        if (!next[i])
            continue;
        if (i < THREADS)
            call(b, &moved, i);
        else
            complete(b, &moved, i - THREADS);
        explore(b, &moved);
    }
    b->deadlock |= left && !any;
}

static void brute_force(Brute *b, const AtlasProgram *program) {
    State first;
    memset(&first, 0, sizeof first);
    *b = (Brute){.program = program};
    b->seen =
        g_hash_table_new_full(g_bytes_hash, g_bytes_equal, (GDestroyNotify)g_bytes_unref, NULL);
    for (guint i = 0; i < program->ops->len; i++)
        if (op_at(b, i)->kind > ATLAS_OP_FLAG)
            b->ops[op_at(b, i)->thread - 1][b->count[op_at(b, i)->thread - 1]++] = i;
    explore(b, &first);
    g_hash_table_unref(b->seen);
}

/* ---- schedules ---- */

/* The stream whose next task is of an op and can run; STREAMS: none. */
static guint runs(const Brute *b, const State *s, guint op) {
    guint i = 0;
    while (i < STREAMS && (!next_task(b, s, i) || s->item[i][s->done[i]] != op))
        i++;
    return i;
}

/* Records and waits are complete as soon as they can be: schedules leave that out. */
static void settle(const Brute *b, State *s) {
    for (guint i = 0; i < STREAMS; i++) {
        const AtlasOp *op = next_task(b, s, i);
        if (!op || (op->kind != ATLAS_OP_RECORD && op->kind != ATLAS_OP_WAIT))
            continue;
        complete(b, s, i);
        i = G_MAXUINT; /* from the first again */
    }
}

static gboolean follow(const Brute *b, State *s, const AtlasScheduleEvent *e) {
    guint thread = op_at(b, e->when.op)->thread - 1, stream = runs(b, s, e->when.op);
    if (e->complete && stream == STREAMS)
        return FALSE;
    if (!e->complete &&
        (!next_call(b, s, thread) || b->ops[thread][s->place[thread]] != e->when.op))
        return FALSE;
    if (e->complete)
        complete(b, s, stream);
    else
        call(b, s, thread);
    settle(b, s);
    return TRUE;
}

/* A schedule can happen, and ends with what is refuted. */
static void follow_all(const Brute *b, const AtlasProof *proof, const char *text) {
    State s;
    memset(&s, 0, sizeof s);
    ck_assert_msg(proof->schedule != NULL, "no schedule\n%s", text);
    for (guint i = 0; i < proof->schedule->len; i++)
        ck_assert_msg(follow(b, &s, &g_array_index(proof->schedule, AtlasScheduleEvent, i)),
                      "event %u of the schedule cannot happen\n%s", i, text);
    for (guint i = 0; i < proof->ats && proof->property == ATLAS_PROPERTY_RACE; i++) {
        AtlasOpKind kind = op_at(b, proof->at[i].op)->kind;
        ck_assert_msg(kind == ATLAS_OP_HOST_READ || kind == ATLAS_OP_HOST_WRITE ||
                          runs(b, &s, proof->at[i].op) < STREAMS,
                      "op %u is not under way\n%s", proof->at[i].op, text);
    }
    for (guint i = 0; i < STREAMS && proof->property == ATLAS_PROPERTY_DEADLOCK; i++)
        ck_assert_msg(!next_task(b, &s, i), "stream %u goes on\n%s", i, text);
}

/* ---- random programs ---- */

typedef struct {
    guint64 random;
    guint set; /* flags, as bits */
    GString *out;
} Maker;

static guint below(Maker *m, guint n) {
    return (guint)(splitmix(&m->random) >> 33) % n;
}

static void put_flag(Maker *m, gboolean host) {
    guint flag = below(m, FLAGS), set = !(m->set >> flag & 1) && below(m, 2);
    m->set |= set << flag;
    if (host)
        g_string_append_printf(m->out, "host_flag_%s f%u\n", set ? "set" : "wait", flag);
    else
        g_string_append_printf(m->out, "flag_%s s%u f%u\n", set ? "set" : "wait", below(m, STREAMS),
                               flag);
}

static void put_sync(Maker *m) {
    guint which = below(m, 3);
    if (which == 0)
        g_string_append(m->out, "sync_ctx\n");
    else if (which == 1)
        g_string_append_printf(m->out, "sync_stream s%u\n", below(m, STREAMS));
    else
        g_string_append_printf(m->out, "sync_event e%u\n", below(m, EVENTS));
}

static void put_random(Maker *m, gboolean flags) {
    guint kind = below(m, flags ? 12 : 10), s = below(m, STREAMS), e = below(m, EVENTS);
    gboolean write = below(m, 2);
    g_string_append_printf(m->out, "@%u ", 1 + below(m, THREADS));
    if (kind < 4)
        g_string_append_printf(m->out, "launch s%u k %s:b%u\n", s, write ? "w" : "r", below(m, 2));
    else if (kind == 4)
        g_string_append_printf(m->out, "record e%u s%u\n", e, s);
    else if (kind == 5)
        g_string_append_printf(m->out, "wait s%u e%u\n", s, e);
    else if (kind == 6)
        put_sync(m);
    else if (kind < 10)
        g_string_append_printf(m->out, "host_%s:b%u\n", write ? "write w" : "read r", below(m, 2));
    else
        put_flag(m, below(m, 2));
}

static char *random_threads(guint64 seed, gboolean flags) {
    Maker m = {.random = seed, .out = g_string_new("# threads\n")};
    for (guint i = 0; i < STREAMS; i++)
        g_string_append_printf(m.out, "stream s%u nonblocking\n", i);
    g_string_append(m.out, "event e0\nevent e1\nbuffer b0\nbuffer b1\nflag f0\nflag f1\n");
    for (guint ops = 3 + below(&m, 6); ops > 0; ops--)
        put_random(&m, flags);
    return g_string_free(m.out, FALSE);
}

START_TEST(against_all_states) {
    gboolean flags = _i == 1;
    guint count = flow_case_programs(1500), races = 0, stuck = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        Brute b;
        flow_case_init(&c, random_threads(seed, flags));
        if (c.flow->threads > 1) {
            g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
            const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
            const AtlasProof *deadlock = atlas_proofs_find(proofs, ATLAS_PROPERTY_DEADLOCK);
            brute_force(&b, c.program);
            ck_assert_msg(race->verdict == (b.race ? ATLAS_PROOF_REFUTED : ATLAS_PROOF_HOLDS),
                          "race %s\n%s", atlas_proof_verdict_name(race->verdict), c.text);
            ck_assert_msg(deadlock->verdict ==
                              (b.deadlock ? ATLAS_PROOF_REFUTED : ATLAS_PROOF_HOLDS),
                          "deadlock %s\n%s", atlas_proof_verdict_name(deadlock->verdict), c.text);
            if (b.race)
                follow_all(&b, race, c.text);
            if (b.deadlock)
                follow_all(&b, deadlock, c.text);
            races += b.race;
            stuck += b.deadlock;
        }
        flow_case_clear(&c);
    }
    ck_assert_msg(races * 4 > count && races * 10 < count * 9, "%u races", races);
    ck_assert_uint_eq(stuck > 0, flags);
}
END_TEST

/* ---- by hand ---- */

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

Suite *threads_suite(void) {
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_add_loop_test(tc, against_all_states, 0, 2);
    tcase_add_loop_test(tc, by_hand, 0, G_N_ELEMENTS(cases));
    tcase_set_timeout(tc, 600);
    suite_add_tcase(suite, tc);
    return suite;
}
