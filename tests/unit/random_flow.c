#include "tests/unit/random_flow.h"

#include "tests/unit/splitmix.h"

typedef struct {
    guint64 state;
    guint features, streams, events, buffers, flags;
    guint flags_set; /* bits */
    guint left;      /* ops to make */
    guint times;     /* of the loops around */
    guint graphs;
    gboolean in_step, parts, loop;
    GString *out;
} Random;

static guint below(Random *r, guint n) {
    return (guint)(splitmix(&r->state) % n);
}

static gboolean one_in(Random *r, guint n) {
    return below(r, n) == 0;
}

static gboolean has(const Random *r, guint feature) {
    return (r->features & feature) != 0;
}

/* A stream's name. */
static const char *stream(Random *r) {
    static const char *const names[] = {"s0", "s1", "s2"};
    if (has(r, RANDOM_LEGACY) && one_in(r, 5))
        return one_in(r, 2) ? "legacy" : "ptds";
    return names[below(r, r->streams)];
}

static void buffer(Random *r) {
    guint b = below(r, r->buffers);
    g_string_append_printf(r->out, "b%u", b);
    if (b == 0 && r->parts && !one_in(r, 4)) {
        if (r->loop && one_in(r, 2))
            g_string_append(r->out, one_in(r, 2) ? "[i]" : "[1-i]");
        else
            g_string_append_printf(r->out, "[%u]", below(r, 2));
    }
}

static void accesses(Random *r) {
    if (one_in(r, 3)) {
        g_string_append(r->out, " r:");
        buffer(r);
    }
    if (one_in(r, 3)) {
        g_string_append(r->out, " w:");
        buffer(r);
    }
    if (one_in(r, 20))
        g_string_append(r->out, " a:x@device");
}

static void every(Random *r) {
    if (r->in_step && one_in(r, 8))
        g_string_append_printf(r->out, " every:%u", 2 + below(r, 2));
    g_string_append_c(r->out, '\n');
}

static void launch(Random *r, const char *name) {
    gsize start = r->out->len;
    g_string_append_printf(r->out, "launch %s k", name);
    if (one_in(r, 4))
        g_string_append_printf(r->out, " x%u", 1 + below(r, has(r, RANDOM_LONG) ? 9 : 3));
    accesses(r);
    every(r);
    if (one_in(r, 6)) {
        g_autofree char *again = g_strdup(r->out->str + start);
        g_string_append(r->out, again);
    }
}

static void copy(Random *r) {
    guint kind = below(r, has(r, RANDOM_LEGACY) ? 6 : 3);
    const char *words[] = {"htod_async", "dtoh_async", "dtod_async",
                           "htod_sync",  "dtoh_sync",  "memset_sync"};
    g_string_append(r->out, words[kind]);
    if (kind < 3)
        g_string_append_printf(r->out, " %s", stream(r));
    if (kind < 2)
        g_string_append(r->out, one_in(r, 2) ? " pageable" : " pinned");
    /* An end that is left out is the other side of the buffer. */
    guint left_out = kind == 2 || kind == 5 ? 0 : below(r, 4);
    if (kind != 5 && left_out != 1) {
        g_string_append(r->out, " r:");
        buffer(r);
    }
    if (left_out != 2) {
        g_string_append(r->out, " w:");
        buffer(r);
    }
    every(r);
}

static void host(Random *r) {
    guint kind = below(r, 6);
    if (kind == 5) {
        g_string_append(r->out, "host_set x");
    } else {
        g_string_append(r->out, kind < 3 ? "host_read r:" : "host_write w:");
        buffer(r);
    }
    every(r);
}

static void flag(Random *r) {
    guint f = below(r, r->flags);
    gboolean on_host = one_in(r, 3), set = one_in(r, 2);
    if (set && ((r->flags_set >> f & 1 && !(r->features & RANDOM_AGAIN)) || r->in_step || r->loop))
        return;
    r->flags_set |= set ? 1u << f : 0;
    if (on_host)
        g_string_append_printf(r->out, "host_flag_%s f%u\n", set ? "set" : "wait", f);
    else
        g_string_append_printf(r->out, "flag_%s %s f%u\n", set ? "set" : "wait", stream(r), f);
}

static void event(Random *r) {
    guint e = below(r, r->events), kind = below(r, 8);
    if (kind < 3)
        g_string_append_printf(r->out, "record e%u %s", e, stream(r));
    else if (kind < 6)
        g_string_append_printf(r->out, "wait %s e%u", stream(r), e);
    else
        g_string_append_printf(r->out, "sync_event e%u", e);
    every(r);
}

static void sync(Random *r) {
    if (one_in(r, 3))
        g_string_append(r->out, "sync_ctx");
    else
        g_string_append_printf(r->out, "sync_stream %s", stream(r));
    every(r);
}

/* A capture on s0 that forks to s1 and joins, sometimes; then it is launched. */
static void capture(Random *r) {
    guint g = r->graphs++, nodes = 1 + below(r, 3);
    gboolean fork = r->streams > 1 && one_in(r, 2);
    g_string_append_printf(r->out, "begin s0 relaxed\n");
    launch(r, "s0");
    if (fork)
        g_string_append(r->out, "record c0 s0\nwait s1 c0\n");
    for (guint i = 0; i < nodes; i++)
        launch(r, fork && one_in(r, 2) ? "s1" : "s0");
    if (fork)
        g_string_append(r->out, "record c1 s1\nwait s0 c1\n");
    g_string_append_printf(r->out, "end s0 g%u\ninstantiate g%u x%u\n", g, g, g);
}

static void op(Random *r);

static void loop(Random *r) {
    guint times = has(r, RANDOM_LONG) ? 2 + below(r, 20) : 2, ops = 1 + below(r, 4);
    if (r->loop || r->times * times > 400)
        return;
    g_string_append_printf(r->out, "loop %u as i\n", r->parts ? 2 : times);
    r->loop = TRUE;
    r->times *= times;
    for (guint i = 0; i < ops && r->left; i++)
        op(r);
    r->times /= times;
    r->loop = FALSE;
    g_string_append(r->out, "end\n");
}

/* One random number after the other: in which order the arguments of a call are taken, is the
 * compiler's choice. */
static void instantiate(Random *r) {
    guint exec = below(r, r->graphs), graph = below(r, r->graphs);
    g_string_append_printf(r->out, "instantiate g%u x%u\n", graph, exec);
}

static void graph_launch(Random *r) {
    const char *on = stream(r);
    g_string_append_printf(r->out, "graph_launch x%u %s\n", below(r, r->graphs), on);
}

static void op(Random *r) {
    guint kind = below(r, 20);
    r->left -= r->left > 0;
    if (kind < 7)
        launch(r, stream(r));
    else if (kind < 12)
        event(r);
    else if (kind == 12)
        copy(r);
    else if (kind == 13)
        host(r);
    else if (kind == 14)
        sync(r);
    else if (kind == 15)
        g_string_append(r->out, "counter_read\n");
    else if (kind == 16 && has(r, RANDOM_LOOPS))
        loop(r);
    else if (kind == 17 && has(r, RANDOM_FLAGS))
        flag(r);
    else if (kind == 19 && has(r, RANDOM_CAPTURES) && one_in(r, 4))
        capture(r);
    else if (kind == 19 && r->graphs && one_in(r, 3))
        instantiate(r);
    else if (kind >= 18 && r->graphs)
        graph_launch(r);
    else
        launch(r, stream(r));
}

static void declare(Random *r) {
    GString *out = r->out;
    if (!one_in(r, 6)) {
        const char *entries = one_in(r, 3) ? " entries" : "";
        g_string_append_printf(out, "depth %u%s\n", 1 + below(r, 4), entries);
    }
    if (one_in(r, 4))
        g_string_append(out, "slot start\n");
    for (guint i = 0; i < r->streams; i++)
        g_string_append_printf(out, "stream s%u %s\n", i,
                               has(r, RANDOM_LEGACY) && one_in(r, 2) ? "blocking" : "nonblocking");
    for (guint i = 0; i < r->events; i++)
        g_string_append_printf(out, "event e%u\n", i);
    g_string_append(out, "event c0\nevent c1\nscalar x\n");
    g_string_append_printf(out, "buffer b0%s\n", r->parts ? " x2" : "");
    for (guint i = 1; i < r->buffers; i++)
        g_string_append_printf(out, "buffer b%u\n", i);
    for (guint i = 0; i < r->flags; i++)
        g_string_append_printf(out, "flag f%u\n", i);
}

char *random_flow(guint64 seed, guint features) {
    Random r = {.state = seed * 2654435761u + features, .features = features};
    r.streams = 1 + below(&r, 3);
    r.events = 1 + below(&r, 3);
    r.buffers = 1 + below(&r, 3);
    r.flags = 1 + below(&r, 2);
    r.left = 3 + below(&r, 9);
    r.times = 1;
    r.parts = one_in(&r, 3);
    r.out = g_string_new("# random\n");
    declare(&r);
    if (one_in(&r, 3))
        g_string_append(r.out, "stage a\n");
    for (guint i = 0; i < 2 && has(&r, RANDOM_CAPTURES); i++)
        capture(&r);
    while (r.left > 4)
        op(&r);
    if (has(&r, RANDOM_STEP)) {
        g_string_append(r.out, "step\n");
        r.in_step = TRUE;
        if (one_in(&r, 2))
            g_string_append(r.out, "stage b\n");
    }
    while (r.left > (one_in(&r, 3) ? 1 : 0))
        op(&r);
    if (has(&r, RANDOM_STEP))
        g_string_append(r.out, "end\n");
    r.in_step = FALSE;
    while (r.left)
        op(&r);
    if (one_in(&r, 2))
        g_string_append(r.out, "sync_ctx\ncounter_read exact\n");
    return g_string_free(r.out, FALSE);
}
