#include "model/machine/random.h"

#include "model/machine/run.h"

enum { STREAMS_MOST = 3, EVENTS_MOST = 3, THREADS_MOST = 3, OPS_MOST = 48 };

/* What a program consists of: single ops by subject, and a few things that take several ops. */
typedef enum {
    WORK,  /* kernels, copies, host functions on a stream */
    ORDER, /* record and wait */
    BEGIN,
    END,
    SYNC,     /* of streams, events, the context */
    OTHER,    /* calls that have to do with no stream */
    MEMORY,   /* allocated and freed in stream order */
    GRAPH,    /* whatever is done with graphs and execs */
    EXTERNAL, /* external events */
    FORK,     /* record, wait, work on the other stream; most are joined again */
    CAPTURE,  /* a whole capture, mostly without faults, instantiated and launched */
    TWIN,     /* the last whole capture once more, with a change, and an update to it */
    AGAIN,    /* a stream or event under an old name */
    PARTS
} Part;

/* Themes: how often each part comes, of a sum that differs. */
typedef struct {
    guint8 weights[PARTS];
    guint8 threads;  /* at most */
    guint8 specials; /* of 100 streams, so many are legacy or ptds */
} Theme;

static const Theme themes[] = {
    /* WORK ORDER BEGIN END SYNC OTHER MEMORY GRAPH EXTERNAL FORK CAPTURE TWIN AGAIN */
    {{30, 12, 8, 6, 4, 4, 2, 2, 0, 12, 2, 0, 0}, 1, 0},  /* one or two captures */
    {{20, 14, 14, 8, 2, 2, 1, 1, 1, 14, 1, 0, 1}, 1, 4}, /* several at once */
    {{20, 10, 10, 8, 6, 10, 2, 2, 0, 6, 2, 0, 0}, 3, 4}, /* host threads */
    {{16, 10, 8, 6, 4, 4, 2, 2, 0, 6, 1, 0, 0}, 2, 30},  /* legacy and per-thread streams */
    {{8, 2, 4, 4, 2, 3, 24, 8, 0, 4, 10, 0, 0}, 1, 4},   /* memory nodes */
    {{6, 2, 2, 2, 2, 2, 4, 16, 1, 2, 10, 14, 0}, 1, 2},  /* graphs, execs, updates */
    {{12, 10, 8, 6, 8, 4, 2, 2, 14, 6, 2, 0, 2}, 2, 6},  /* events of all kinds */
    {{12, 8, 8, 6, 16, 20, 3, 4, 1, 4, 3, 0, 0}, 2, 10}, /* calls that are not allowed */
};

typedef struct {
    AtlasProgramFile *file;
    AtlasProgram *program;
    const Theme *theme;
    guint64 random;
    guint threads;
    const char *streams[STREAMS_MOST + 2]; /* with legacy and ptds */
    guint streams_len;
    const char *events[EVENTS_MOST];
    guint events_len;
    guint graphs, execs, memories, hosts; /* names given so far: g0, g1 … */
    GArray *open;                         /* of Open: captures that were begun */
    guint first, last;                    /* the ops of the last whole capture, its end left out */
} Maker;

typedef struct {
    const char *stream;
    guint thread;
} Open;

/* splitmix64: every seed is good, and the same everywhere. */
static guint64 next_random(Maker *m) {
    guint64 z = m->random += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ z >> 31;
}

static guint below(Maker *m, guint bound) {
    return (guint)((next_random(m) >> 33) % bound);
}

static gboolean chance(Maker *m, guint percent) {
    return below(m, 100) < percent;
}

/* ---- names ---- */

static const char *numbered(Maker *m, char letter, guint number) {
    char name[16];
    g_snprintf(name, sizeof name, "%c%u", letter, number);
    return atlas_program_file_intern(m->file, name);
}

/* One of `made` names; rarely one that does not exist yet. */
static const char *one_of(Maker *m, char letter, guint made) {
    return numbered(m, letter, made == 0 || chance(m, 3) ? made : below(m, made));
}

/* The same, with a liking for the newest. */
static const char *recent(Maker *m, char letter, guint made) {
    return made > 0 && chance(m, 60) ? numbered(m, letter, made - 1) : one_of(m, letter, made);
}

static const char *stream(Maker *m) {
    return m->streams[chance(m, m->theme->specials) ? m->streams_len + below(m, 2)
                                                    : below(m, m->streams_len)];
}

static const char *event(Maker *m) {
    return m->events[below(m, m->events_len)];
}

static guint thread(Maker *m) {
    return m->threads == 1 || chance(m, 60) ? 1 : 1 + below(m, m->threads);
}

static const char *word(Maker *m, const char *const *words, guint count) {
    return atlas_program_file_intern(m->file, words[below(m, count)]);
}

static const char *mode(Maker *m) {
    static const char *const modes[] = {"global", "thread_local", "relaxed"};
    return word(m, modes, 3);
}

static const char *copy_kind(Maker *m) {
    static const char *const kinds[] = {"pinned", "pageable"};
    return word(m, kinds, 2);
}

/* ---- ops ---- */

static AtlasOp *put(Maker *m, guint number, AtlasOpKind kind, const char *first,
                    const char *second) {
    AtlasOp *op = atlas_program_append(m->program, kind);
    op->thread = number;
    op->operands[0] = first;
    op->operands[1] = second;
    return op;
}

/* Work on a stream that a capture takes. */
static void work(Maker *m, guint number, const char *on) {
    guint which = below(m, 10);
    if (which < 5)
        put(m, number, ATLAS_OP_LAUNCH, on, NULL)->count = chance(m, 6) ? 2 + below(m, 3) : 1;
    else if (which == 5)
        put(m, number, ATLAS_OP_MEMSET_ASYNC, on, NULL);
    else if (which == 6)
        put(m, number, ATLAS_OP_DTOD_ASYNC, on, NULL);
    else if (which == 7)
        put(m, number, ATLAS_OP_HTOD_ASYNC, on, copy_kind(m));
    else if (which == 8)
        put(m, number, ATLAS_OP_DTOH_ASYNC, on, copy_kind(m));
    else
        put(m, number, ATLAS_OP_HOST_FN, on, NULL);
}

static void order(Maker *m) {
    if (chance(m, 50))
        put(m, thread(m), ATLAS_OP_RECORD, event(m), stream(m));
    else
        put(m, thread(m), ATLAS_OP_WAIT, stream(m), event(m));
}

static void begin(Maker *m) {
    Open open = {stream(m), thread(m)};
    put(m, open.thread, ATLAS_OP_BEGIN, open.stream, mode(m));
    g_array_append_val(m->open, open);
}

/* Ends a capture that was begun, mostly where and by whom it was; or any. */
static void end(Maker *m) {
    Open open = {stream(m), thread(m)};
    if (m->open->len == 0 && chance(m, 80)) {
        begin(m);
        return;
    }
    if (m->open->len > 0 && chance(m, 90)) {
        guint which = below(m, m->open->len);
        open = g_array_index(m->open, Open, which);
        g_array_remove_index(m->open, which);
        if (chance(m, 10))
            open.thread = thread(m);
    }
    put(m, open.thread, ATLAS_OP_END_CAPTURE, open.stream, numbered(m, 'g', m->graphs++));
}

static void sync_or_query(Maker *m) {
    switch (below(m, 6)) {
    case 0:
        put(m, thread(m), ATLAS_OP_SYNC_STREAM, stream(m), NULL);
        break;
    case 1:
        put(m, thread(m), ATLAS_OP_QUERY_STREAM, stream(m), NULL);
        break;
    case 2:
        put(m, thread(m), ATLAS_OP_SYNC_EVENT, event(m), NULL);
        break;
    case 3:
        put(m, thread(m), ATLAS_OP_QUERY_EVENT, event(m), NULL);
        break;
    case 4:
        put(m, thread(m), ATLAS_OP_SYNC_CTX, NULL, NULL);
        break;
    default:
        put(m, thread(m), ATLAS_OP_STATUS, stream(m), NULL);
    }
}

static void other(Maker *m) {
    static const AtlasOpKind plain[] = {
        ATLAS_OP_MEMSET_SYNC,  ATLAS_OP_HTOD_SYNC,     ATLAS_OP_DTOH_SYNC, ATLAS_OP_MODULE_LOAD,
        ATLAS_OP_EVENT_CREATE, ATLAS_OP_STREAM_CREATE, ATLAS_OP_MEM_INFO};
    guint which = below(m, 14);
    if (which < G_N_ELEMENTS(plain))
        put(m, thread(m), plain[which], NULL, NULL);
    else if (which == 7)
        put(m, thread(m), ATLAS_OP_STREAM_CALLBACK, stream(m), NULL);
    else if (which == 8)
        put(m, thread(m), ATLAS_OP_MALLOC, numbered(m, 'm', m->memories++), NULL);
    else if (which == 9)
        put(m, thread(m), ATLAS_OP_FREE, one_of(m, 'm', m->memories), NULL);
    else if (which == 10)
        put(m, thread(m), ATLAS_OP_HOST_ALLOC, numbered(m, 'h', m->hosts++), NULL);
    else if (which == 11)
        put(m, thread(m), ATLAS_OP_HOST_FREE, one_of(m, 'h', m->hosts), NULL);
    else
        put(m, thread(m), ATLAS_OP_MODE, mode(m), NULL);
}

static void memory_on(Maker *m, guint number, const char *on) {
    if (m->memories == 0 || chance(m, 50))
        put(m, number, ATLAS_OP_MALLOC_ASYNC, numbered(m, 'm', m->memories++), on);
    else
        put(m, number, ATLAS_OP_FREE_ASYNC, recent(m, 'm', m->memories), on);
}

static void instantiate(Maker *m, const char *graph) {
    put(m, thread(m), chance(m, 25) ? ATLAS_OP_INSTANTIATE_AUTOFREE : ATLAS_OP_INSTANTIATE, graph,
        numbered(m, 'x', m->execs++));
}

static void graph(Maker *m) {
    guint which = below(m, 20);
    if (which < 5)
        instantiate(m, recent(m, 'g', m->graphs));
    else if (which < 12)
        put(m, thread(m), ATLAS_OP_GRAPH_LAUNCH, recent(m, 'x', m->execs), stream(m));
    else if (which < 16)
        put(m, thread(m), ATLAS_OP_UPDATE, recent(m, 'x', m->execs), recent(m, 'g', m->graphs));
    else if (which < 18)
        put(m, thread(m), ATLAS_OP_DESTROY_GRAPH, one_of(m, 'g', m->graphs), NULL);
    else
        put(m, thread(m), ATLAS_OP_DESTROY_EXEC, one_of(m, 'x', m->execs), NULL);
}

static void external(Maker *m) {
    if (chance(m, 50))
        put(m, thread(m), ATLAS_OP_RECORD_EXTERNAL, event(m), stream(m));
    else
        put(m, thread(m), ATLAS_OP_WAIT_EXTERNAL, stream(m), event(m));
}

/* From `on` to another stream, and mostly back. */
static void fork_from(Maker *m, guint number, const char *on, gboolean always_join) {
    const char *to = m->streams[below(m, m->streams_len)], *by = event(m);
    put(m, number, ATLAS_OP_RECORD, by, on);
    put(m, number, ATLAS_OP_WAIT, to, by);
    for (guint i = below(m, 3); i > 0; i--)
        work(m, number, to);
    if (!always_join && chance(m, 25))
        return;
    by = event(m);
    put(m, number, ATLAS_OP_RECORD, by, to);
    put(m, number, ATLAS_OP_WAIT, on, by);
}

/* ---- whole captures ---- */

static void launch_some(Maker *m, const char *on) {
    for (guint i = below(m, 3); i > 0; i--)
        put(m, thread(m), ATLAS_OP_GRAPH_LAUNCH, numbered(m, 'x', m->execs - 1),
            chance(m, 80) ? on : stream(m));
}

static void capture(Maker *m) {
    const char *on = m->streams[below(m, m->streams_len)];
    guint number = thread(m);
    m->first = m->program->ops->len;
    put(m, number, ATLAS_OP_BEGIN, on, mode(m));
    for (guint i = chance(m, 5) ? 0 : 1 + below(m, 5); i > 0; i--) {
        if (chance(m, m->theme->weights[MEMORY] * 2))
            memory_on(m, number, on);
        else if (chance(m, 25))
            fork_from(m, number, on, TRUE);
        else if (chance(m, m->theme->weights[EXTERNAL] * 2))
            put(m, number, ATLAS_OP_RECORD_EXTERNAL, event(m), on);
        else
            work(m, number, on);
    }
    m->last = m->program->ops->len;
    put(m, number, ATLAS_OP_END_CAPTURE, on, numbered(m, 'g', m->graphs++));
    if (chance(m, 70)) {
        instantiate(m, numbered(m, 'g', m->graphs - 1));
        launch_some(m, on);
    }
}

/* Makes an asynchronous copy another one. */
static void redirect(Maker *m, AtlasOp *op) {
    static const AtlasOpKind kinds[] = {ATLAS_OP_HTOD_ASYNC, ATLAS_OP_DTOH_ASYNC,
                                        ATLAS_OP_DTOD_ASYNC};
    op->kind = kinds[below(m, 3)];
    op->operands[1] = op->kind == ATLAS_OP_DTOD_ASYNC ? NULL : copy_kind(m);
}

/* The stream of an op that a whole capture may hold. */
static const char *stream_of(const AtlasOp *op) {
    switch (op->kind) {
    case ATLAS_OP_RECORD:
    case ATLAS_OP_RECORD_EXTERNAL:
    case ATLAS_OP_MALLOC_ASYNC:
    case ATLAS_OP_FREE_ASYNC:
        return op->operands[1];
    default:
        return op->operands[0];
    }
}

/* Puts an op of a capture once more. Copies may change; `freely`, the op may be left out too, or
 * others put behind it. */
static void mutate(Maker *m, guint index, gboolean freely) {
    AtlasOp op = g_array_index(m->program->ops, AtlasOp, index);
    if (chance(m, 40) && (op.kind == ATLAS_OP_HTOD_ASYNC || op.kind == ATLAS_OP_DTOH_ASYNC ||
                          op.kind == ATLAS_OP_DTOD_ASYNC))
        redirect(m, &op);
    if (op.kind == ATLAS_OP_MALLOC_ASYNC)
        op.operands[0] = numbered(m, 'm', m->memories++);
    if (!freely || chance(m, 90))
        g_array_append_val(m->program->ops, op);
    if (freely && chance(m, 8))
        work(m, op.thread, stream_of(&op));
}

static void twin(Maker *m) {
    if (m->last == 0 || m->last - m->first > 12) {
        capture(m);
        return;
    }
    guint first = m->first, last = m->last;
    AtlasOp closing = g_array_index(m->program->ops, AtlasOp, last);
    gboolean alike = chance(m, 50);
    m->first = m->program->ops->len;
    for (guint i = first; i < last; i++)
        mutate(m, i, i > first && !alike);
    m->last = m->program->ops->len;
    closing.operands[1] = numbered(m, 'g', m->graphs++);
    g_array_append_val(m->program->ops, closing);
    if (m->execs == 0)
        return;
    put(m, thread(m), ATLAS_OP_UPDATE, recent(m, 'x', m->execs), numbered(m, 'g', m->graphs - 1));
    launch_some(m, closing.operands[0]);
}

/* ---- programs ---- */

static void declare_stream(Maker *m, const char *name, char letter) {
    const char *kind = letter == 'b' ? "blocking" : "nonblocking";
    put(m, 1, ATLAS_OP_STREAM, name, atlas_program_file_intern(m->file, kind));
}

static void declare(Maker *m) {
    m->streams_len = 1 + below(m, STREAMS_MOST);
    for (guint i = 0; i < m->streams_len; i++) {
        char letter = chance(m, 35) ? 'b' : 's';
        m->streams[i] = numbered(m, letter, i);
        declare_stream(m, m->streams[i], letter);
    }
    m->streams[m->streams_len] = atlas_program_file_intern(m->file, "legacy");
    m->streams[m->streams_len + 1] = atlas_program_file_intern(m->file, "ptds");
    m->events_len = 1 + below(m, EVENTS_MOST);
    for (guint i = 0; i < m->events_len; i++) {
        m->events[i] = numbered(m, 'e', i);
        put(m, 1, ATLAS_OP_EVENT, m->events[i], NULL);
    }
}

static void again(Maker *m) {
    const char *name = m->streams[below(m, m->streams_len)];
    if (chance(m, 50))
        put(m, 1, ATLAS_OP_EVENT, event(m), NULL);
    else
        declare_stream(m, name, name[0]);
}

static Part pick(Maker *m) {
    guint sum = 0;
    for (guint i = 0; i < PARTS; i++)
        sum += m->theme->weights[i];
    guint left = below(m, sum);
    for (guint i = 0;; i++) {
        if (left < m->theme->weights[i])
            return (Part)i;
        left -= m->theme->weights[i];
    }
}

static void add_part(Maker *m) {
    switch (pick(m)) {
    case WORK:
        work(m, thread(m), stream(m));
        break;
    case ORDER:
        order(m);
        break;
    case BEGIN:
        begin(m);
        break;
    case END:
        end(m);
        break;
    case SYNC:
        sync_or_query(m);
        break;
    case OTHER:
        other(m);
        break;
    case MEMORY:
        memory_on(m, thread(m), stream(m));
        break;
    case GRAPH:
        graph(m);
        break;
    case EXTERNAL:
        external(m);
        break;
    case FORK:
        fork_from(m, thread(m), stream(m), FALSE);
        break;
    case CAPTURE:
        capture(m);
        break;
    case TWIN:
        twin(m);
        break;
    default:
        again(m);
    }
}

/* Ends what is open, and asks for the status of every stream. */
static void conclude(Maker *m) {
    while (m->open->len > 0 && chance(m, 95))
        end(m);
    for (guint i = 0; i < m->streams_len; i++)
        put(m, 1, ATLAS_OP_STATUS, m->streams[i], NULL);
}

/* Takes out, one after another, the ops that CUDA leaves undefined. */
static void make_defined(AtlasProgram *program) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    for (;;) {
        g_autoptr(AtlasOutcome) outcome = atlas_run(program, 1, diags);
        g_assert(outcome); /* it is far from every limit */
        if (outcome->state == ATLAS_OUTCOME_FINISHED)
            return;
        g_array_remove_index(program->ops, outcome->ended_at);
    }
}

AtlasProgram *atlas_random_program(AtlasProgramFile *file, guint64 seed, guint index) {
    Maker m = {.file = file, .random = seed};
    g_autofree char *name = g_strdup_printf("random-%" G_GUINT64_FORMAT "-%05u", seed, index);
    m.random = next_random(&m) + index; /* programs of neighbouring seeds have nothing in common */
    next_random(&m);
    m.program = atlas_program_file_add(file, name);
    m.open = g_array_new(FALSE, FALSE, sizeof(Open));
    m.theme = &themes[below(&m, G_N_ELEMENTS(themes))];
    m.threads = 1 + below(&m, m.theme->threads);
    declare(&m);
    for (guint ops = m.program->ops->len + 4 + below(&m, OPS_MOST - 16); m.program->ops->len < ops;)
        add_part(&m);
    conclude(&m);
    make_defined(m.program);
    g_array_unref(m.open);
    return m.program;
}
