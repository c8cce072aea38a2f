/* Races and deadlocks of several host threads, against every state of every interleaving, in the
 * plainest way: what each thread, each stream and each event is at, one step after the other. */
#include <string.h>

#include "model/proof/prove.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/splitmix.h"
#include "tests/unit/suites.h"

/* Stream 1 may be a blocking one; stream 2 is then the legacy stream. */
enum { THREADS = 3, STREAMS = 3, EVENTS = 2, FLAGS = 2, OPS = 12, BLOCKING = 1, LEGACY = 2 };

/* A stream up to which something must be done; items 0: nothing. */
typedef struct {
    guint8 stream, items;
} Need;

typedef struct {
    guint8 place[THREADS];          /* ops performed */
    guint8 waits[THREADS][STREAMS]; /* items that the thread waits for before it goes on */
    guint8 given[STREAMS], done[STREAMS];
    guint8 item[STREAMS][OPS]; /* ops given to each stream */
    Need need[STREAMS][OPS];   /* what an item waits for ... */
    Need other[STREAMS][OPS];  /* ... and what of the legacy stream, or it of the blocking one */
    Need event[EVENTS];        /* the latest record */
    guint8 flags;
} State;

typedef struct {
    const AtlasProgram *program;
    guint ops[THREADS][OPS], count[THREADS];
    gboolean legacy;  /* there are a blocking stream and the legacy one */
    GHashTable *seen; /* of GBytes */
    gboolean race, deadlock;
} Brute;

static const AtlasOp *op_at(const Brute *b, guint op) {
    return &g_array_index(b->program->ops, AtlasOp, op);
}

static guint number(const char *name) {
    return strcmp(name, "legacy") == 0 ? LEGACY : (guint)(name[1] - '0');
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
    Need need = s->need[stream][s->done[stream]], other = s->other[stream][s->done[stream]];
    if (s->done[need.stream] < need.items || s->done[other.stream] < other.items)
        return NULL;
    if (op->kind == ATLAS_OP_FLAG_WAIT && !(s->flags >> number(op->operands[1]) & 1))
        return NULL;
    return op;
}

/* ---- steps ---- */

static void give(const Brute *b, State *s, guint stream, guint op, Need need) {
    guint other = stream == LEGACY ? BLOCKING : LEGACY;
    if (b->legacy && (stream == LEGACY || stream == BLOCKING))
        s->other[stream][s->given[stream]] = (Need){(guint8)other, s->given[other]};
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
        give(b, s, number(op->operands[1]), at, none);
        s->event[number(op->operands[0])] =
            (Need){(guint8)number(op->operands[1]), s->given[number(op->operands[1])]};
        break;
    case ATLAS_OP_WAIT:
        give(b, s, number(op->operands[0]), at, s->event[number(op->operands[1])]);
        break;
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_FLAG_SET:
    case ATLAS_OP_FLAG_WAIT:
        give(b, s, number(op->operands[0]), at, none);
        break;
    case ATLAS_OP_MEMSET_SYNC:
    case ATLAS_OP_HTOD_SYNC:
    case ATLAS_OP_DTOH_SYNC:
        give(b, s, LEGACY, at, none);
        if (op->kind == ATLAS_OP_DTOH_SYNC)
            wait_for(s, thread, LEGACY, s->given[LEGACY]);
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

/* What an op accesses during the call, or what is its stream's work. */
typedef struct {
    const GArray *reads, *writes;
} Accesses;

static gboolean is_work(AtlasOpKind kind) {
    return kind == ATLAS_OP_LAUNCH || kind == ATLAS_OP_MEMSET_SYNC || kind == ATLAS_OP_HTOD_SYNC ||
           kind == ATLAS_OP_DTOH_SYNC;
}

static Accesses accesses_of(const AtlasOp *op, gboolean work) {
    Accesses a = {op->reads, op->writes};
    if (op->kind == ATLAS_OP_HTOD_SYNC)
        return work ? (Accesses){NULL, op->writes} : (Accesses){op->reads, NULL};
    return is_work(op->kind) == work ? a : (Accesses){NULL, NULL};
}

static gboolean touches(const GArray *list, const GArray *other) {
    return list && other &&
           g_array_index(list, AtlasAccess, 0).buffer ==
               g_array_index(other, AtlasAccess, 0).buffer;
}

static gboolean conflict(Accesses a, Accesses b) {
    return touches(a.writes, b.writes) || touches(a.reads, b.writes) || touches(a.writes, b.reads);
}

static void explore(Brute *b, const State *s) {
    const AtlasOp *next[THREADS + STREAMS];
    Accesses now[THREADS + STREAMS];
    gboolean any = FALSE, left = FALSE;
    if (!g_hash_table_add(b->seen, g_bytes_new(s, sizeof *s)))
        return;
    for (guint i = 0; i < THREADS + STREAMS; i++) {
        next[i] = i < THREADS ? next_call(b, s, i) : next_task(b, s, i - THREADS);
        left |=
            i < THREADS ? s->place[i] < b->count[i] : s->done[i - THREADS] < s->given[i - THREADS];
        any |= next[i] != NULL;
        now[i] = next[i] ? accesses_of(next[i], i >= THREADS) : (Accesses){NULL, NULL};
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
            b->race |= conflict(now[i], now[k]);
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
    for (guint i = 0; i < program->ops->len; i++) {
        b->legacy |= op_at(b, i)->kind == ATLAS_OP_STREAM &&
                     strcmp(op_at(b, i)->operands[1], "blocking") == 0;
        if (op_at(b, i)->kind > ATLAS_OP_FLAG)
            b->ops[op_at(b, i)->thread - 1][b->count[op_at(b, i)->thread - 1]++] = i;
    }
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
                          kind == ATLAS_OP_HTOD_SYNC || runs(b, &s, proof->at[i].op) < STREAMS,
                      "op %u is not under way\n%s", proof->at[i].op, text);
    }
    for (guint i = 0; i < STREAMS && proof->property == ATLAS_PROPERTY_DEADLOCK; i++)
        ck_assert_msg(!next_task(b, &s, i), "stream %u goes on\n%s", i, text);
}

/* ---- random programs ---- */

typedef struct {
    guint64 random;
    guint set; /* flags, as bits */
    gboolean legacy;
    GString *out;
} Maker;

static const char *stream(const Maker *m, guint i) {
    static const char *const names[] = {"s0", "s1", "s2"};
    return m->legacy && i == LEGACY ? "legacy" : names[i];
}

static guint below(Maker *m, guint n) {
    return (guint)(splitmix(&m->random) >> 33) % n;
}

/* A copy that is synchronous: its end on the host is always at 'y'. */
static void put_copy(Maker *m) {
    guint which = below(m, 3), buffer = below(m, 2);
    if (which == 0)
        g_string_append_printf(m->out, "memset_sync w:b%u\n", buffer);
    else if (which == 1)
        g_string_append_printf(m->out, "htod_sync r:y w:b%u\n", buffer);
    else
        g_string_append_printf(m->out, "dtoh_sync r:b%u w:y\n", buffer);
}

static void put_flag(Maker *m, gboolean host) {
    guint flag = below(m, FLAGS), set = !(m->set >> flag & 1) && below(m, 2);
    m->set |= set << flag;
    if (host)
        g_string_append_printf(m->out, "host_flag_%s f%u\n", set ? "set" : "wait", flag);
    else
        g_string_append_printf(m->out, "flag_%s %s f%u\n", set ? "set" : "wait",
                               stream(m, below(m, STREAMS)), flag);
}

static void put_sync(Maker *m) {
    guint which = below(m, 3);
    if (which == 0)
        g_string_append(m->out, "sync_ctx\n");
    else if (which == 1)
        g_string_append_printf(m->out, "sync_stream %s\n", stream(m, below(m, STREAMS)));
    else
        g_string_append_printf(m->out, "sync_event e%u\n", below(m, EVENTS));
}

static void put_random(Maker *m, gboolean flags) {
    guint kind = below(m, flags ? 12 : 10), e = below(m, EVENTS);
    const char *s = stream(m, below(m, STREAMS));
    gboolean write = below(m, 2);
    g_string_append_printf(m->out, "@%u ", 1 + below(m, THREADS));
    if (kind == 0 && m->legacy)
        put_copy(m);
    else if (kind < 4)
        g_string_append_printf(m->out, "launch %s k %s:b%u\n", s, write ? "w" : "r", below(m, 2));
    else if (kind == 4)
        g_string_append_printf(m->out, "record e%u %s\n", e, s);
    else if (kind == 5)
        g_string_append_printf(m->out, "wait %s e%u\n", s, e);
    else if (kind == 6)
        put_sync(m);
    else if (kind < 10)
        g_string_append_printf(m->out, "host_%s:b%u\n", write ? "write w" : "read r", below(m, 2));
    else
        put_flag(m, below(m, 2));
}

static char *random_threads(guint64 seed, gboolean flags, gboolean legacy) {
    Maker m = {.random = seed, .legacy = legacy, .out = g_string_new("# threads\n")};
    for (guint i = 0; i < (legacy ? LEGACY : STREAMS); i++)
        g_string_append_printf(m.out, "stream s%u %s\n", i,
                               legacy && i == BLOCKING ? "blocking" : "nonblocking");
    g_string_append(m.out,
                    "event e0\nevent e1\nbuffer b0\nbuffer b1\nbuffer y\nflag f0\nflag f1\n");
    for (guint ops = 3 + below(&m, 6); ops > 0; ops--)
        put_random(&m, flags);
    return g_string_free(m.out, FALSE);
}

START_TEST(against_all_states) {
    gboolean flags = _i & 1, legacy = _i & 2;
    guint count = flow_case_programs(1500), races = 0, stuck = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        Brute b;
        flow_case_init(&c, random_threads(seed, flags, legacy));
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

Suite *threads_suite(void) {
    Suite *suite = suite_create("threads");
    TCase *tc = tcase_create("threads");
    tcase_add_loop_test(tc, against_all_states, 0, 4);
    tcase_set_timeout(tc, 600);
    suite_add_tcase(suite, tc);
    return suite;
}
