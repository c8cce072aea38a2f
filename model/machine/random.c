#include "model/machine/random.h"

#include "model/machine/maker.h"
#include "model/machine/run.h"

enum { OPS_MOST = 48 };

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

/* ---- whole captures ---- */

static void launch_some(Maker *m, const char *on) {
    for (guint i = maker_below(m, 3); i > 0; i--)
        maker_put_any(m, ATLAS_OP_GRAPH_LAUNCH, maker_numbered(m, 'x', m->execs - 1),
                      maker_chance(m, 80) ? on : maker_stream(m));
}

static void put_external(Maker *m, guint number, const char *on) {
    if (maker_chance(m, 50))
        maker_put(m, number, ATLAS_OP_RECORD_EXTERNAL, maker_event(m), on);
    else
        maker_put(m, number, ATLAS_OP_WAIT_EXTERNAL, on, maker_event(m));
}

static void capture(Maker *m) {
    const char *on = m->streams[maker_below(m, m->streams_len)];
    guint number = maker_thread(m);
    m->first = m->program->ops->len;
    maker_put(m, number, ATLAS_OP_BEGIN, on, maker_mode(m));
    for (guint i = maker_chance(m, 5) ? 0 : 1 + maker_below(m, 5); i > 0; i--) {
        if (maker_chance(m, m->theme->weights[MEMORY] * 2))
            maker_memory_on(m, number, on);
        else if (maker_chance(m, 25))
            maker_fork_from(m, number, on, TRUE);
        else if (maker_chance(m, m->theme->weights[EXTERNAL] * 2))
            put_external(m, number, on);
        else
            maker_work(m, number, on);
    }
    m->last = m->program->ops->len;
    maker_put(m, number, ATLAS_OP_END_CAPTURE, on, maker_numbered(m, 'g', m->graphs++));
    if (maker_chance(m, 70)) {
        maker_instantiate(m, maker_numbered(m, 'g', m->graphs - 1));
        launch_some(m, on);
    }
}

/* A graph that waits for what an open capture recorded, launched. */
static void launch_wait(Maker *m) {
    Open from = g_array_index(m->open, Open, maker_below(m, m->open->len));
    const char *on = m->streams[maker_below(m, m->streams_len)], *event = maker_event(m);
    maker_put(m, from.thread, ATLAS_OP_RECORD, event, from.stream);
    maker_put(m, from.thread, ATLAS_OP_BEGIN, on, atlas_program_file_intern(m->file, "relaxed"));
    if (maker_chance(m, 40))
        maker_work(m, from.thread, on);
    maker_put(m, from.thread, ATLAS_OP_WAIT_EXTERNAL, on, event);
    if (maker_chance(m, 40))
        put_external(m, from.thread, on);
    maker_put(m, from.thread, ATLAS_OP_END_CAPTURE, on, maker_numbered(m, 'g', m->graphs++));
    maker_instantiate(m, maker_numbered(m, 'g', m->graphs - 1));
    launch_some(m, maker_chance(m, 30) ? m->streams[m->streams_len] : on); /* legacy */
}

/* Makes an asynchronous copy another one. */
static void redirect(Maker *m, AtlasOp *op) {
    static const AtlasOpKind kinds[] = {ATLAS_OP_HTOD_ASYNC, ATLAS_OP_DTOH_ASYNC,
                                        ATLAS_OP_DTOD_ASYNC};
    op->kind = kinds[maker_below(m, 3)];
    op->operands[1] = op->kind == ATLAS_OP_DTOD_ASYNC ? NULL : maker_copy_kind(m);
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
    if (maker_chance(m, 40) && (op.kind == ATLAS_OP_HTOD_ASYNC || op.kind == ATLAS_OP_DTOH_ASYNC ||
                                op.kind == ATLAS_OP_DTOD_ASYNC))
        redirect(m, &op);
    if (op.kind == ATLAS_OP_MALLOC_ASYNC)
        op.operands[0] = maker_numbered(m, 'm', m->memories++);
    if (!freely || maker_chance(m, 90))
        g_array_append_val(m->program->ops, op);
    if (freely && maker_chance(m, 8))
        maker_work(m, op.thread, stream_of(&op));
}

static void twin(Maker *m) {
    if (m->last == 0 || m->last - m->first > 12) {
        capture(m);
        return;
    }
    guint first = m->first, last = m->last;
    AtlasOp closing = g_array_index(m->program->ops, AtlasOp, last);
    gboolean alike = maker_chance(m, 50);
    m->first = m->program->ops->len;
    for (guint i = first; i < last; i++)
        mutate(m, i, i > first && !alike);
    m->last = m->program->ops->len;
    closing.operands[1] = maker_numbered(m, 'g', m->graphs++);
    g_array_append_val(m->program->ops, closing);
    if (m->execs == 0)
        return;
    maker_put_any(m, ATLAS_OP_UPDATE, maker_recent(m, 'x', m->execs),
                  maker_numbered(m, 'g', m->graphs - 1));
    launch_some(m, closing.operands[0]);
}

/* ---- programs ---- */

static void declare_stream(Maker *m, const char *name, char letter) {
    const char *kind = letter == 'b' ? "blocking" : "nonblocking";
    maker_put(m, 1, ATLAS_OP_STREAM, name, atlas_program_file_intern(m->file, kind));
}

static void declare(Maker *m) {
    m->streams_len = 1 + maker_below(m, STREAMS_MOST);
    for (guint i = 0; i < m->streams_len; i++) {
        char letter = maker_chance(m, 35) ? 'b' : 's';
        m->streams[i] = maker_numbered(m, letter, i);
        declare_stream(m, m->streams[i], letter);
    }
    m->streams[m->streams_len] = atlas_program_file_intern(m->file, "legacy");
    m->streams[m->streams_len + 1] = atlas_program_file_intern(m->file, "ptds");
    m->events_len = 1 + maker_below(m, EVENTS_MOST);
    for (guint i = 0; i < m->events_len; i++) {
        m->events[i] = maker_numbered(m, 'e', i);
        maker_put(m, 1, ATLAS_OP_EVENT, m->events[i], NULL);
    }
}

static void again(Maker *m) {
    const char *name = m->streams[maker_below(m, m->streams_len)];
    if (maker_chance(m, 50))
        maker_put(m, 1, ATLAS_OP_EVENT, maker_event(m), NULL);
    else
        declare_stream(m, name, name[0]);
}

static Part pick(Maker *m) {
    guint sum = 0;
    for (guint i = 0; i < PARTS; i++)
        sum += m->theme->weights[i];
    guint left = maker_below(m, sum);
    for (guint i = 0;; i++) {
        if (left < m->theme->weights[i])
            return (Part)i;
        left -= m->theme->weights[i];
    }
}

/* Work, memory or a fork, on any stream. */
static void add_on_any(Maker *m, Part part) {
    Open on = maker_any(m);
    if (part == WORK)
        maker_work(m, on.thread, on.stream);
    else if (part == MEMORY)
        maker_memory_on(m, on.thread, on.stream);
    else
        maker_fork_from(m, on.thread, on.stream, FALSE);
}

static void add_part(Maker *m) {
    Part part = pick(m);
    switch (part) {
    case WORK:
    case MEMORY:
    case FORK:
        add_on_any(m, part);
        break;
    case ORDER:
        maker_order(m);
        break;
    case BEGIN:
        maker_begin(m);
        break;
    case END:
        maker_end(m);
        break;
    case SYNC:
        maker_sync_or_query(m);
        break;
    case OTHER:
        maker_other(m);
        break;
    case GRAPH:
        maker_graph(m);
        break;
    case EXTERNAL:
        if (m->open->len > 0 && maker_chance(m, 20))
            launch_wait(m);
        else
            maker_external(m);
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
    while (m->open->len > 0 && maker_chance(m, 95))
        maker_end(m);
    for (guint i = 0; i < m->streams_len; i++)
        maker_put(m, 1, ATLAS_OP_STATUS, m->streams[i], NULL);
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
    m.random =
        maker_next_random(&m) + index; /* programs of neighbouring seeds have nothing in common */
    maker_next_random(&m);
    m.program = atlas_program_file_add(file, name);
    m.open = g_array_new(FALSE, FALSE, sizeof(Open));
    m.theme = &themes[maker_below(&m, G_N_ELEMENTS(themes))];
    m.threads = 1 + maker_below(&m, m.theme->threads);
    declare(&m);
    for (guint ops = m.program->ops->len + 4 + maker_below(&m, OPS_MOST - 16);
         m.program->ops->len < ops;)
        add_part(&m);
    conclude(&m);
    make_defined(m.program);
    g_array_unref(m.open);
    return m.program;
}
