#include "model/machine/maker.h"

/* splitmix64: every seed is good, and the same everywhere. */
guint64 maker_next_random(Maker *m) {
    guint64 z = m->random += G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return z ^ z >> 31;
}

guint maker_below(Maker *m, guint bound) {
    return (guint)((maker_next_random(m) >> 33) % bound);
}

gboolean maker_chance(Maker *m, guint percent) {
    return maker_below(m, 100) < percent;
}

/* ---- names ---- */

const char *maker_numbered(Maker *m, char letter, guint number) {
    char name[16];
    g_snprintf(name, sizeof name, "%c%u", letter, number);
    return atlas_program_file_intern(m->file, name);
}

/* One of `made` names; rarely one that does not exist yet. */
static const char *one_of(Maker *m, char letter, guint made) {
    return maker_numbered(m, letter, made == 0 || maker_chance(m, 3) ? made : maker_below(m, made));
}

/* The same, with a liking for the newest. */
const char *maker_recent(Maker *m, char letter, guint made) {
    return made > 0 && maker_chance(m, 60) ? maker_numbered(m, letter, made - 1)
                                           : one_of(m, letter, made);
}

const char *maker_stream(Maker *m) {
    return m->streams[maker_chance(m, m->theme->specials) ? m->streams_len + maker_below(m, 2)
                                                          : maker_below(m, m->streams_len)];
}

const char *maker_event(Maker *m) {
    return m->events[maker_below(m, m->events_len)];
}

guint maker_thread(Maker *m) {
    return m->threads == 1 || maker_chance(m, 60) ? 1 : 1 + maker_below(m, m->threads);
}

Open maker_any(Maker *m) {
    const char *stream = maker_stream(m);
    return (Open){stream, maker_thread(m)};
}

static const char *word(Maker *m, const char *const *words, guint count) {
    return atlas_program_file_intern(m->file, words[maker_below(m, count)]);
}

const char *maker_mode(Maker *m) {
    static const char *const modes[] = {"global", "thread_local", "relaxed"};
    return word(m, modes, 3);
}

const char *maker_copy_kind(Maker *m) {
    static const char *const kinds[] = {"pinned", "pageable"};
    return word(m, kinds, 2);
}

/* ---- ops ---- */

AtlasOp *maker_put(Maker *m, guint number, AtlasOpKind kind, const char *first,
                   const char *second) {
    AtlasOp *op = atlas_program_append(m->program, kind);
    op->thread = number;
    op->operands[0] = first;
    op->operands[1] = second;
    return op;
}

AtlasOp *maker_put_any(Maker *m, AtlasOpKind kind, const char *first, const char *second) {
    return maker_put(m, maker_thread(m), kind, first, second);
}

/* Work on a stream that a capture takes. */
void maker_work(Maker *m, guint number, const char *on) {
    guint which = maker_below(m, 10);
    if (which < 5)
        maker_put(m, number, ATLAS_OP_LAUNCH, on, NULL)->count =
            maker_chance(m, 6) ? 2 + maker_below(m, 3) : 1;
    else if (which == 5)
        maker_put(m, number, ATLAS_OP_MEMSET_ASYNC, on, NULL);
    else if (which == 6)
        maker_put(m, number, ATLAS_OP_DTOD_ASYNC, on, NULL);
    else if (which == 7)
        maker_put(m, number, ATLAS_OP_HTOD_ASYNC, on, maker_copy_kind(m));
    else if (which == 8)
        maker_put(m, number, ATLAS_OP_DTOH_ASYNC, on, maker_copy_kind(m));
    else
        maker_put(m, number, ATLAS_OP_HOST_FN, on, NULL);
}

/* A record, or a wait, of any event on any stream. */
static void record_or_wait(Maker *m, AtlasOpKind record, AtlasOpKind wait) {
    const char *stream, *event;
    if (maker_chance(m, 50)) {
        stream = maker_stream(m);
        event = maker_event(m);
        maker_put_any(m, record, event, stream);
    } else {
        event = maker_event(m);
        stream = maker_stream(m);
        maker_put_any(m, wait, stream, event);
    }
}

void maker_order(Maker *m) {
    record_or_wait(m, ATLAS_OP_RECORD, ATLAS_OP_WAIT);
}

void maker_begin(Maker *m) {
    Open open = maker_any(m);
    maker_put(m, open.thread, ATLAS_OP_BEGIN, open.stream, maker_mode(m));
    g_array_append_val(m->open, open);
}

/* Ends a capture that was begun, mostly where and by whom it was; or any. */
void maker_end(Maker *m) {
    Open open = maker_any(m);
    if (m->open->len == 0 && maker_chance(m, 80)) {
        maker_begin(m);
        return;
    }
    if (m->open->len > 0 && maker_chance(m, 90)) {
        guint which = maker_below(m, m->open->len);
        open = g_array_index(m->open, Open, which);
        g_array_remove_index(m->open, which);
        if (maker_chance(m, 10))
            open.thread = maker_thread(m);
    }
    maker_put(m, open.thread, ATLAS_OP_END_CAPTURE, open.stream,
              maker_numbered(m, 'g', m->graphs++));
}

void maker_sync_or_query(Maker *m) {
    switch (maker_below(m, 6)) {
    case 0:
        maker_put_any(m, ATLAS_OP_SYNC_STREAM, maker_stream(m), NULL);
        break;
    case 1:
        maker_put_any(m, ATLAS_OP_QUERY_STREAM, maker_stream(m), NULL);
        break;
    case 2:
        maker_put_any(m, ATLAS_OP_SYNC_EVENT, maker_event(m), NULL);
        break;
    case 3:
        maker_put_any(m, ATLAS_OP_QUERY_EVENT, maker_event(m), NULL);
        break;
    case 4:
        maker_put_any(m, ATLAS_OP_SYNC_CTX, NULL, NULL);
        break;
    default:
        maker_put_any(m, ATLAS_OP_STATUS, maker_stream(m), NULL);
    }
}

void maker_other(Maker *m) {
    static const AtlasOpKind plain[] = {
        ATLAS_OP_MEMSET_SYNC,  ATLAS_OP_HTOD_SYNC,     ATLAS_OP_DTOH_SYNC, ATLAS_OP_MODULE_LOAD,
        ATLAS_OP_EVENT_CREATE, ATLAS_OP_STREAM_CREATE, ATLAS_OP_MEM_INFO};
    guint which = maker_below(m, 14);
    if (which < G_N_ELEMENTS(plain))
        maker_put_any(m, plain[which], NULL, NULL);
    else if (which == 7)
        maker_put_any(m, ATLAS_OP_STREAM_CALLBACK, maker_stream(m), NULL);
    else if (which == 8)
        maker_put_any(m, ATLAS_OP_MALLOC, maker_numbered(m, 'm', m->memories++), NULL);
    else if (which == 9)
        maker_put_any(m, ATLAS_OP_FREE, one_of(m, 'm', m->memories), NULL);
    else if (which == 10)
        maker_put_any(m, ATLAS_OP_HOST_ALLOC, maker_numbered(m, 'h', m->hosts++), NULL);
    else if (which == 11)
        maker_put_any(m, ATLAS_OP_HOST_FREE, one_of(m, 'h', m->hosts), NULL);
    else
        maker_put_any(m, ATLAS_OP_MODE, maker_mode(m), NULL);
}

void maker_memory_on(Maker *m, guint number, const char *on) {
    if (m->memories == 0 || maker_chance(m, 50))
        maker_put(m, number, ATLAS_OP_MALLOC_ASYNC, maker_numbered(m, 'm', m->memories++), on);
    else
        maker_put(m, number, ATLAS_OP_FREE_ASYNC, maker_recent(m, 'm', m->memories), on);
}

void maker_instantiate(Maker *m, const char *graph) {
    maker_put_any(m, maker_chance(m, 25) ? ATLAS_OP_INSTANTIATE_AUTOFREE : ATLAS_OP_INSTANTIATE,
                  graph, maker_numbered(m, 'x', m->execs++));
}

void maker_graph(Maker *m) {
    guint which = maker_below(m, 20);
    if (which < 5) {
        maker_instantiate(m, maker_recent(m, 'g', m->graphs));
    } else if (which < 12) {
        const char *on = maker_stream(m);
        maker_put_any(m, ATLAS_OP_GRAPH_LAUNCH, maker_recent(m, 'x', m->execs), on);
    } else if (which < 16) {
        const char *from = maker_recent(m, 'g', m->graphs);
        maker_put_any(m, ATLAS_OP_UPDATE, maker_recent(m, 'x', m->execs), from);
    } else if (which < 18) {
        maker_put_any(m, ATLAS_OP_DESTROY_GRAPH, one_of(m, 'g', m->graphs), NULL);
    } else {
        maker_put_any(m, ATLAS_OP_DESTROY_EXEC, one_of(m, 'x', m->execs), NULL);
    }
}

void maker_external(Maker *m) {
    record_or_wait(m, ATLAS_OP_RECORD_EXTERNAL, ATLAS_OP_WAIT_EXTERNAL);
}

/* From `on` to another stream, and mostly back. */
void maker_fork_from(Maker *m, guint number, const char *on, gboolean always_join) {
    const char *to = m->streams[maker_below(m, m->streams_len)], *by = maker_event(m);
    maker_put(m, number, ATLAS_OP_RECORD, by, on);
    maker_put(m, number, ATLAS_OP_WAIT, to, by);
    for (guint i = maker_below(m, 3); i > 0; i--)
        maker_work(m, number, to);
    if (!always_join && maker_chance(m, 25))
        return;
    by = maker_event(m);
    maker_put(m, number, ATLAS_OP_RECORD, by, to);
    maker_put(m, number, ATLAS_OP_WAIT, on, by);
}
