#include "sim/clock.h"

#include "sim/flow.h"

/* Periods before those that are looked at, and these; steps of one, ops and times beyond which
 * nothing is told. */
enum { PERIODS_BEFORE = 4, PERIODS = 4, PERIOD_MOST = 100, OPS_MOST = 2000000 };
#define LATEST (G_MAXINT64 / 4)

typedef struct {
    const AtlasProgram *program;
    const AtlasClockCosts *costs;
    const gboolean *undone;
    GHashTable *ends;   /* stream -> gint64*: when it is done */
    GHashTable *events; /* event -> gint64*: when what it was recorded behind is done */
    GHashTable *kinds;  /* stream -> its kind */
    GHashTable *graphs; /* graph or exec -> GArray* of guint: the ops that it holds, in order */
    GArray *capturing;  /* the same; NULL: nothing is captured */
    gint64 host, busy;  /* the host's clock; how long it was at work */
    gint64 unknown, copies;
    guint ops;       /* that were performed */
    const char *why; /* it cannot be told */
} Clock;

gint64 atlas_clock_graph_ns(const AtlasClockCosts *costs, gint64 nodes) {
    const AtlasGraphCost *t = costs->graph;
    guint i = 1;
    while (i + 1 < costs->graphs && t[i].nodes < nodes)
        i++;
    gint64 rise = t[i].ns - t[i - 1].ns, run = t[i].nodes - t[i - 1].nodes;
    return MAX(t[i - 1].ns + (nodes - t[i - 1].nodes) * rise / run, t[0].ns);
}

/* ---- times ---- */

static gint64 *time_of(GHashTable *table, const char *name) {
    gint64 *time = g_hash_table_lookup(table, name);
    if (!time) {
        time = g_new0(gint64, 1);
        g_hash_table_insert(table, (gpointer)name, time);
    }
    return time;
}

/* n times a, both >= 0; LATEST where it is that late. */
static gint64 multiply(gint64 n, gint64 a) {
    return a > 0 && n > LATEST / a ? LATEST : n * a;
}

static gint64 later(gint64 a, gint64 b) {
    return MIN(a + b, LATEST);
}

static gint64 cost_of(Clock *c, const AtlasOp *op) {
    if (op->kind != ATLAS_OP_LAUNCH)
        c->copies++;
    else if (!op->cost_ns)
        c->unknown = later(c->unknown, op->count);
    return op->kind == ATLAS_OP_LAUNCH ? op->cost_ns : 0;
}

/* When a stream that others may wait for, too, can begin with what is enqueued now. */
static gint64 free_at(Clock *c, const char *stream) {
    const char *kind = g_hash_table_lookup(c->kinds, stream);
    gboolean legacy = g_str_equal(stream, "legacy");
    gint64 time = *time_of(c->ends, stream);
    GHashTableIter iter;
    gpointer name;
    if (!legacy)
        return g_strcmp0(kind, "blocking") == 0 ? MAX(time, *time_of(c->ends, "legacy")) : time;
    g_hash_table_iter_init(&iter, c->kinds); /* the latest: in whatever order */
    while (g_hash_table_iter_next(&iter, &name, (gpointer *)&kind))
        if (g_str_equal(kind, "blocking"))
            time = MAX(time, *time_of(c->ends, name));
    return time;
}

/* The host works for so long, n times, each time handing a stream something that takes so long. The
 * stream is done behind the last: it is either at work all the time since it was free, or waits for
 * the host. */
static void enqueue(Clock *c, const char *stream, gint64 n, gint64 host_ns, gint64 device_ns) {
    gint64 *end = time_of(c->ends, stream);
    gint64 slower = multiply(n - 1, MAX(host_ns, device_ns));
    gint64 waits = later(later(c->host, later(host_ns, device_ns)), slower);
    *end = MAX(later(free_at(c, stream), multiply(n, device_ns)), waits);
    c->host = later(c->host, multiply(n, host_ns));
    c->busy = later(c->busy, multiply(n, host_ns));
}

static void host_waits(Clock *c, gint64 until) {
    c->host = MAX(c->host, until);
}

static void work_for(Clock *c, gint64 ns) {
    c->host = later(c->host, ns);
    c->busy = later(c->busy, ns);
}

/* ---- ops ---- */

/* What stands on a stream and takes its time there; the stream's name. */
static const char *stream_of_work(const AtlasOp *op) {
    switch (op->kind) {
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_DTOD_ASYNC:
    case ATLAS_OP_HTOD_ASYNC:
    case ATLAS_OP_DTOH_ASYNC:
    case ATLAS_OP_HOST_FN:
        return op->operands[0];
    default:
        return NULL;
    }
}

static const AtlasOp *node_op(const Clock *c, const GArray *nodes, guint i) {
    return &g_array_index(c->program->ops, AtlasOp, g_array_index(nodes, guint, i));
}

/* Its nodes, from when the launch's stream is free: streams, records and waits order them. */
static void launch_graph(Clock *c, const AtlasOp *op) {
    const GArray *nodes = g_hash_table_lookup(c->graphs, op->operands[0]);
    g_autoptr(GHashTable) ends = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    g_autoptr(GHashTable) events = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    gint64 count = 0, last = 0;
    if (!nodes) {
        c->why = "a graph is launched that was not instantiated";
        return;
    }
    c->ops += nodes->len;
    for (guint i = 0; i < nodes->len; i++) {
        const AtlasOp *node = node_op(c, nodes, i);
        const char *stream = stream_of_work(node);
        gint64 *end = time_of(ends, stream                          ? stream
                                    : node->kind == ATLAS_OP_RECORD ? node->operands[1]
                                                                    : node->operands[0]);
        if (node->kind == ATLAS_OP_RECORD)
            *time_of(events, node->operands[0]) = *end;
        else if (node->kind == ATLAS_OP_WAIT)
            *end = MAX(*end, *time_of(events, node->operands[1]));
        else
            *end = later(*end, multiply(node->count, MAX(cost_of(c, node), c->costs->node_ns)));
        count += stream ? node->count : 0;
        last = MAX(last, *end);
    }
    enqueue(c, op->operands[1], 1, atlas_clock_graph_ns(c->costs, count), last);
}

static void perform_op(Clock *c, const AtlasOp *op);

/* ... or one by one, by the host. */
static void undo_graph(Clock *c, const AtlasOp *op) {
    const GArray *nodes = g_hash_table_lookup(c->graphs, op->operands[0]);
    for (guint i = 0; nodes && i < nodes->len; i++)
        perform_op(c, node_op(c, nodes, i));
    c->ops += nodes ? nodes->len : 0;
}

static void instantiate(Clock *c, const AtlasOp *op) {
    GArray *nodes = g_hash_table_lookup(c->graphs, op->operands[0]);
    if (nodes)
        g_hash_table_insert(c->graphs, (gpointer)op->operands[1], g_array_ref(nodes));
    else
        c->why = "a graph is instantiated that was not captured";
}

static void capture(Clock *c, guint at, const AtlasOp *op) {
    if (op->kind == ATLAS_OP_END_CAPTURE) {
        g_hash_table_insert(c->graphs, (gpointer)op->operands[1], g_steal_pointer(&c->capturing));
        return;
    }
    if (stream_of_work(op) || op->kind == ATLAS_OP_RECORD || op->kind == ATLAS_OP_WAIT)
        g_array_append_val(c->capturing, at);
    else
        c->why = "what is captured takes a time that is not known";
}

static void wait_for_all(Clock *c) {
    GHashTableIter iter;
    gpointer time;
    g_hash_table_iter_init(&iter, c->ends); /* the latest: in whatever order */
    while (g_hash_table_iter_next(&iter, NULL, &time))
        host_waits(c, *(gint64 *)time);
}

static void perform_call(Clock *c, const AtlasOp *op) {
    switch (op->kind) {
    case ATLAS_OP_RECORD:
        work_for(c, c->costs->event_ns);
        *time_of(c->events, op->operands[0]) = MAX(free_at(c, op->operands[1]), c->host);
        break;
    case ATLAS_OP_WAIT: {
        gint64 *end = time_of(c->ends, op->operands[0]);
        work_for(c, c->costs->event_ns);
        *end = MAX(*end, *time_of(c->events, op->operands[1]));
        break;
    }
    case ATLAS_OP_SYNC_STREAM:
        host_waits(c, free_at(c, op->operands[0]));
        break;
    case ATLAS_OP_SYNC_EVENT:
        host_waits(c, *time_of(c->events, op->operands[0]));
        break;
    case ATLAS_OP_SYNC_CTX:
        wait_for_all(c);
        break;
    case ATLAS_OP_INSTANTIATE:
        instantiate(c, op);
        break;
    case ATLAS_OP_GRAPH_LAUNCH:
        launch_graph(c, op);
        break;
    default:
        c->why = "it holds a call whose time is not known";
    }
}

/* What takes no time: declarations, and what the host does to its own memory. */
static gboolean is_timeless(AtlasOpKind kind) {
    return kind == ATLAS_OP_EXPECT || kind == ATLAS_OP_DEPTH || kind == ATLAS_OP_SLOT ||
           (ATLAS_OP_STREAM <= kind && kind <= ATLAS_OP_SCALAR) || kind == ATLAS_OP_MODE ||
           kind == ATLAS_OP_HOST_READ || kind == ATLAS_OP_HOST_WRITE || kind == ATLAS_OP_HOST_SET ||
           kind == ATLAS_OP_COUNTER_READ;
}

static void perform_op(Clock *c, const AtlasOp *op) {
    const char *stream = stream_of_work(op);
    if (stream)
        enqueue(c, stream, op->count, c->costs->launch_ns, cost_of(c, op));
    else if (!is_timeless(op->kind))
        perform_call(c, op);
    if (op->kind == ATLAS_OP_STREAM)
        g_hash_table_insert(c->kinds, (gpointer)op->operands[0], (gpointer)op->operands[1]);
}

static void perform(Clock *c, guint at) {
    const AtlasOp *op = &g_array_index(c->program->ops, AtlasOp, at);
    if (op->thread > 1)
        c->why = "it has several host threads";
    else if (c->capturing)
        capture(c, at, op);
    else if (op->kind == ATLAS_OP_BEGIN)
        c->capturing = g_array_new(FALSE, FALSE, sizeof(guint));
    else if (!c->undone || !c->undone[at])
        perform_op(c, op);
    else if (op->kind == ATLAS_OP_GRAPH_LAUNCH)
        undo_graph(c, op);
}

/* ---- runs ---- */

/* When all that was begun is done. */
static gint64 done(const Clock *c) {
    Clock all = *c;
    wait_for_all(&all);
    return all.host;
}

static void unref_array(gpointer array) {
    g_array_unref(array);
}

/* Runs so many steps; `before` becomes the state behind the first few of them. */
static void run(Clock *c, gint64 steps, gint64 first, Clock *before, gint64 *begun) {
    g_autoptr(AtlasFlow) flow = atlas_flow_new(c->program, 0, steps - 1);
    while (!c->why && atlas_flow_next(flow)) {
        if (flow->step == first && *begun < 0) {
            *begun = done(c);
            *before = *c;
        }
        perform(c, flow->op);
        if (++c->ops > OPS_MOST)
            c->why = "its loops perform too many ops to follow";
    }
}

const char *atlas_clock_run(const AtlasProgram *program, const AtlasClockCosts *costs,
                            const gboolean *undone, AtlasClockTime *time) {
    Clock c = {.program = program, .costs = costs, .undone = undone}, before = {0};
    gint64 period = atlas_flow_period(program), begun = -1;
    *time = (AtlasClockTime){0, 0, 0, 0};
    if (period > PERIOD_MOST)
        return "its every: take too many steps to meet";
    c.ends = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    c.events = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    c.kinds = g_hash_table_new(NULL, NULL);
    c.graphs = g_hash_table_new_full(NULL, NULL, NULL, unref_array);
    run(&c, (PERIODS_BEFORE + PERIODS) * period, PERIODS_BEFORE * period, &before, &begun);
    if (!c.why && (begun < 0 || done(&c) >= LATEST))
        c.why = begun < 0 ? "its step performs nothing" : "it takes longer than can be told";
    if (!c.why) {
        time->step_ns = (done(&c) - begun) / (PERIODS * period);
        time->host_ns = (c.busy - before.busy) / (PERIODS * period);
        time->unknown = (c.unknown - before.unknown) / PERIODS;
        time->copies = (c.copies - before.copies) / PERIODS;
    }
    if (c.capturing)
        g_array_unref(c.capturing);
    g_hash_table_unref(c.ends);
    g_hash_table_unref(c.events);
    g_hash_table_unref(c.kinds);
    g_hash_table_unref(c.graphs);
    return c.why;
}
