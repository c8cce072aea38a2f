#include "model/check/engine.h"

#include "model/check/cutoff.h"

/* An open loop or step. */
typedef struct {
    guint flow;
    gint64 left;       /* iterations, with this one; G_MAXINT64: for ever */
    Cutoff *cutoff;    /* NULL: not cut */
    gint64 *performed; /* Walk.performed when this iteration began; with cutoff only */
} Frame;

typedef struct {
    Engine *engine;
    const Flow *flow;
    Clocks *clocks;
    const EngineObserver *observer;
    guint find;
    gint64 steps;       /* to perform; 0: for ever */
    GArray *frames;     /* of Frame */
    GPtrArray *graphs;  /* of CapturedGraph, borrowed: of each graph launch */
    GArray *kept;       /* of gint64: values of `index` that items were handed over with */
    gint64 *index;      /* the value of each open loop's index, by level */
    gint64 *performed;  /* by flow op: how often in this step */
    gint64 period_left; /* steps until `every` is as it was */
    gboolean stop;
} Walk;

static RacePlace place_of(const Walk *w, guint at) {
    return (RacePlace){at, (guint)w->engine->steps, w->performed[at]};
}

/* ---- accesses ---- */

static gint64 index_of(const Walk *w, const FlowAccess *access) {
    return access->level == FLOW_NONE ? 0 : w->index[access->level];
}

/* What the host accesses during an op. */
static void host_accesses(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    gint64 *host = w->clocks->host;
    gboolean any = FALSE;
    for (guint i = 0; i < f->accesses; i++) {
        const FlowAccess *access = &g_array_index(w->flow->accesses, FlowAccess, f->access + i);
        if (!access->host)
            continue;
        any = TRUE;
        if (!(w->find & ENGINE_RACES))
            continue;
        race_access(w->engine->races, access, index_of(w, access), FLOW_HOST_CHAIN,
                    host[FLOW_HOST_CHAIN] + 1, host, place_of(w, at), at);
    }
    if (any) {
        host[FLOW_HOST_CHAIN]++;
        w->clocks->version++;
    }
}

/* What a graph accesses. What its nodes do to each other was found when it was captured. */
static void graph_accesses(const Walk *w, CapturedGraph *graph, guint chain, const ClockItem *item,
                           const gint64 *clock) {
    for (guint i = 0; i < graph->accesses->len; i++) {
        const CapturedAccess *a = &g_array_index(graph->accesses, CapturedAccess, i);
        RacePlace place = {a->flow, item->step, item->nth};
        race_access(w->engine->races, &a->access, 0, chain, item->end, clock, place, item->flow);
    }
    for (guint i = 0; i < graph->races->len && !graph->launched; i++) {
        Race race = g_array_index(graph->races, Race, i);
        race.inside = TRUE;
        for (int side = 0; side < 2; side++) {
            race.by[side] = item->flow;
            race.place[side].step = item->step;
            race.place[side].nth = item->nth;
        }
        race_add(w->engine->races, &race);
    }
    graph->launched = TRUE;
}

/* What an item accesses, now that it is known what comes before it. */
static void item_accesses(gpointer user, guint chain, const ClockItem *item) {
    const Walk *w = user;
    const FlowOp *f = flow_op(w->flow, item->flow);
    const gint64 *clock = clocks_row(w->clocks, item->row);
    const gint64 *index = w->index;
    RacePlace place = {item->flow, item->step, item->nth};
    if (f->act == FLOW_GRAPH_LAUNCH) {
        graph_accesses(w, w->graphs->pdata[item->user], chain, item, clock);
        return;
    }
    if (w->flow->flags && w->flow->levels)
        index = &g_array_index(w->kept, gint64, item->user);
    for (guint i = 0; i < f->accesses; i++) {
        const FlowAccess *access = &g_array_index(w->flow->accesses, FlowAccess, f->access + i);
        gint64 value = access->level == FLOW_NONE ? 0 : index[access->level];
        if (!access->host)
            race_access(w->engine->races, access, value, chain, item->end, clock, place,
                        item->flow);
    }
}

/* ---- ops ---- */

/* Hands over an item of an op; FALSE where the host is stuck then. */
static gboolean hand_over(Walk *w, guint at, guint needs, gboolean place) {
    const FlowOp *f = flow_op(w->flow, at);
    ClockItem item = {.flow = at,
                      .step = (guint)w->engine->steps,
                      .nth = w->performed[at],
                      .needs = needs,
                      .user = w->kept->len};
    if (w->flow->flags)
        g_array_append_vals(w->kept, w->index, w->flow->levels);
    return clocks_add(w->clocks, &item, f->chain, f->count, f->kernel, place, &w->engine->stuck);
}

/* The op before this one once more. */
static gboolean repeat(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    gboolean good = clocks_repeat(w->clocks, f->chain, f->count, &w->engine->stuck);
    gint64 end = clocks_item(w->clocks, f->chain, w->clocks->chains[f->chain].items->len - 1)->end;
    for (guint i = 0; i < f->accesses && !f->more && w->find & ENGINE_RACES; i++) {
        const FlowAccess *access = &g_array_index(w->flow->accesses, FlowAccess, f->access + i);
        race_repeat(w->engine->races, access, index_of(w, access), f->chain, end, place_of(w, at));
    }
    return good;
}

static gboolean task(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    Clocks *k = w->clocks;
    if (f->same && !w->observer)
        return repeat(w, at);
    host_accesses(w, at);
    return hand_over(w, at, k->needs->len, TRUE) &&
           (!f->waited ||
            clocks_await(k, f->chain, k->chains[f->chain].items->len, &w->engine->stuck));
}

/* Launches of one exec are ordered, whatever streams they are on. */
static gboolean graph_launch(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    Clocks *k = w->clocks;
    CapturedGraph *graph = w->engine->captured ? captured_launch(w->engine->captured, at) : NULL;
    ClockItem item = {.flow = at,
                      .step = (guint)w->engine->steps,
                      .nth = w->performed[at],
                      .needs = k->needs->len,
                      .user = w->graphs->len};
    g_assert(graph);
    g_ptr_array_add(w->graphs, graph);
    clocks_need(k, k->execs[f->name]);
    k->execs[f->name] = (ClockNeed){f->chain, k->chains[f->chain].items->len + 1};
    return clocks_add(k, &item, f->chain, 1, graph->kernels, TRUE, &w->engine->stuck);
}

static gboolean record(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    gboolean good = hand_over(w, at, w->clocks->needs->len, w->flow->entries);
    w->clocks->events[f->name] = (ClockNeed){f->chain, w->clocks->chains[f->chain].items->len};
    return good;
}

static gboolean wait(Walk *w, guint at) {
    guint needs = w->clocks->needs->len;
    clocks_need(w->clocks, w->clocks->events[flow_op(w->flow, at)->name]);
    return hand_over(w, at, needs, w->flow->entries);
}

static gboolean sync_chains(Walk *w, guint first, guint last) {
    for (guint c = first; c <= last; c++)
        if (!clocks_await(w->clocks, c, w->clocks->chains[c].items->len, &w->engine->stuck))
            return FALSE;
    return TRUE;
}

/* FALSE where the host is stuck. */
static gboolean perform(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    Clocks *k = w->clocks;
    switch (f->act) {
    case FLOW_TASK:
        return task(w, at);
    case FLOW_GRAPH_LAUNCH:
        return graph_launch(w, at);
    case FLOW_RECORD:
        return record(w, at);
    case FLOW_WAIT:
        return wait(w, at);
    case FLOW_SYNC_STREAM:
        return sync_chains(w, f->chain, f->chain);
    case FLOW_SYNC_CONTEXT:
        return sync_chains(w, 1, k->width - 1);
    case FLOW_SYNC_EVENT:
        return clocks_await(k, k->events[f->name].chain, k->events[f->name].items,
                            &w->engine->stuck);
    case FLOW_EVENT:
        k->events[f->name].items = 0;
        return TRUE;
    case FLOW_HOST:
        host_accesses(w, at);
        return TRUE;
    case FLOW_SET_FLAG:
        clocks_set_flag(k, f->sets);
        return TRUE;
    case FLOW_AWAIT_FLAG:
        return clocks_await_flag(k, f->awaits, &w->engine->stuck);
    case FLOW_READ:
        if (w->find & ENGINE_READINGS)
            smear_read(&w->engine->smear, place_of(w, at));
        return TRUE;
    case FLOW_STAGE:
        if (!w->flow->counter && w->find & ENGINE_READINGS)
            smear_read(&w->engine->smear, place_of(w, at));
        w->engine->smear.stage = f->name;
        return TRUE;
    default:
        return TRUE;
    }
}

/* ---- loops ---- */

/* Ops performed in the iteration that ends. */
static void count_iteration(const Walk *w, const Frame *frame, gint64 *nth) {
    for (guint i = frame->flow; i < flow_op(w->flow, frame->flow)->partner; i++)
        nth[i] = w->performed[i] - frame->performed[i];
}

/* Passes over iterations of the innermost loop that do what this one did; the last is walked, since
 * readings may grow until then, and since it makes all last accesses of the body anew, which
 * therefore need not move. */
static void skip(Walk *w, Frame *frame) {
    gint64 times = frame->left - 2;
    g_autofree gint64 *nth = g_new0(gint64, w->flow->ops->len);
    const FlowOp *loop = flow_op(w->flow, frame->flow);
    count_iteration(w, frame, nth);
    for (guint i = frame->flow; i < loop->partner; i++)
        nth[i] *= times;
    cutoff_skip(frame->cutoff, w->clocks, times, nth);
    smear_move(&w->engine->smear, frame->cutoff->origin, frame->cutoff->delta);
    for (guint i = frame->flow; i < loop->partner; i++)
        w->performed[i] += nth[i];
    w->index[loop->name] += times;
    frame->left -= times;
    g_clear_pointer(&frame->cutoff, cutoff_free);
}

static void begin_iteration(const Walk *w, const Frame *frame) {
    guint len = flow_op(w->flow, frame->flow)->partner - frame->flow;
    if (frame->performed)
        for (guint i = 0; i < len; i++)
            frame->performed[frame->flow + i] = w->performed[frame->flow + i];
}

static guint open_loop(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    gboolean cut = !f->indexed && !w->observer && (f->act == FLOW_STEP || f->count > 3) &&
                   !(w->engine->captured && captured_open(w->engine->captured));
    Frame frame = {.flow = at, .left = f->count};
    if (f->act == FLOW_STEP)
        frame.left = w->steps ? w->steps : G_MAXINT64;
    if (frame.left == 0)
        return f->partner + 1;
    if (f->act == FLOW_LOOP)
        w->index[f->name] = f->first;
    else
        w->period_left = w->flow->period;
    if (cut) {
        frame.cutoff = cutoff_new(w->clocks, w->find & ENGINE_READINGS ? 3 : 1);
        frame.performed = g_new0(gint64, w->flow->ops->len);
        begin_iteration(w, &frame);
    }
    g_array_append_val(w->frames, frame);
    return at + 1;
}

/* A step ends. TRUE where there is no need for a further one. */
static gboolean end_step(Walk *w, Frame *frame) {
    Engine *e = w->engine;
    guint end = flow_op(w->flow, frame->flow)->partner;
    e->steps++;
    for (guint i = frame->flow; i < end; i++)
        w->performed[i] = 0;
    if (--w->period_left > 0 || !frame->cutoff)
        return FALSE;
    w->period_left = w->flow->period;
    e->periodic = cutoff_iteration(frame->cutoff);
    gboolean enough = e->periodic && w->steps == 0;
    smear_step(&e->smear, enough);
    return enough;
}

static guint close_loop(Walk *w, guint at) {
    Frame *frame = &g_array_index(w->frames, Frame, w->frames->len - 1);
    const FlowOp *loop = flow_op(w->flow, frame->flow);
    guint body = frame->flow + 1;
    gboolean enough = FALSE;
    if (loop->act == FLOW_STEP) {
        enough = end_step(w, frame);
    } else {
        if (frame->cutoff && cutoff_iteration(frame->cutoff) && frame->left > 2)
            skip(w, frame);
        w->index[loop->name]++;
        begin_iteration(w, frame);
    }
    if (frame->left != G_MAXINT64)
        frame->left--;
    if (frame->left > 0 && !enough)
        return body;
    cutoff_free(frame->cutoff);
    g_free(frame->performed);
    g_array_set_size(w->frames, w->frames->len - 1);
    return at + 1;
}

/* ---- the walk ---- */

static gboolean is_due(const Walk *w, const FlowOp *f) {
    return f->every <= 1 || (gint64)w->engine->steps % f->every == 0;
}

static gboolean within_limits(const Walk *w) {
    return w->clocks->items < ENGINE_ITEMS_MAX && w->engine->ops < ENGINE_OPS_MAX &&
           w->clocks->rows->len < ENGINE_CLOCKS_MAX && !race_is_full(w->engine->races);
}

/* Performs the op at `at` and returns the next. */
static guint go(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    Engine *e = w->engine;
    e->ops++;
    if (f->act == FLOW_LOOP || f->act == FLOW_STEP)
        return open_loop(w, at);
    if (f->act == FLOW_END)
        return close_loop(w, at);
    if (!is_due(w, f))
        return at + 1;
    e->at = place_of(w, at);
    switch (e->captured ? captured_apply(e->captured, at, w->index) : CAPTURED_RUNS) {
    case CAPTURED_RUNS:
        if (!perform(w, at))
            e->end = ENGINE_STUCK;
        break;
    case CAPTURED_FAILED:
        e->end = ENGINE_FAILED;
        break;
    case CAPTURED_HELD:
        break;
    }
    if (e->captured && captured_refusal(e->captured)) {
        e->end = ENGINE_REFUSED;
        e->refusal = g_strdup(captured_refusal(e->captured));
    }
    if (w->observer && e->end == ENGINE_DONE)
        w->stop = !w->observer->performed(w->observer->user, e, place_of(w, at));
    w->performed[at]++;
    return at + 1;
}

/* Items that are left over when the program has ended. */
static void look_for_leftovers(Engine *e) {
    for (guint c = 1; c < e->clocks.width && e->end == ENGINE_DONE; c++) {
        const ClockChain *chain = &e->clocks.chains[c];
        if (chain->done == chain->items->len)
            continue;
        const ClockItem *item = clocks_item(&e->clocks, c, chain->done);
        e->end = ENGINE_STUCK;
        e->at = (RacePlace){item->flow, item->step, item->nth};
        e->stuck_chain = c;
    }
}

static void walk(Walk *w) {
    guint len = w->flow->ops->len, at = 0;
    while (at < len && w->engine->end == ENGINE_DONE && !w->stop) {
        if (!within_limits(w))
            w->engine->end = ENGINE_LIMIT;
        else
            at = go(w, at);
    }
    if (w->engine->end != ENGINE_DONE || w->stop)
        return;
    gboolean for_ever = w->flow->step != FLOW_NONE && w->steps == 0;
    if (!w->flow->counter && w->flow->stages->len && !for_ever && w->find & ENGINE_READINGS)
        smear_read(&w->engine->smear, (RacePlace){FLOW_NONE, (guint)w->engine->steps, 0});
    look_for_leftovers(w->engine);
}

Engine *engine_run(const Flow *flow, gint64 depth, gint64 steps, guint find,
                   const EngineObserver *observer) {
    Engine *e = g_new0(Engine, 1);
    Walk w = {.engine = e,
              .flow = flow,
              .clocks = &e->clocks,
              .observer = observer,
              .find = find,
              .steps = steps,
              .frames = g_array_new(FALSE, FALSE, sizeof(Frame)),
              .graphs = g_ptr_array_new(),
              .kept = g_array_new(FALSE, FALSE, sizeof(gint64)),
              .index = g_new0(gint64, flow->levels + 1),
              .performed = g_new0(gint64, flow->ops->len + 1)};
    e->flow = flow;
    clocks_init(&e->clocks, flow, depth);
    e->clocks.processed = find & ENGINE_RACES ? item_accesses : NULL;
    e->clocks.user = &w;
    e->races = race_table_new(flow->cells, flow->streams->len);
    if (flow->refusal)
        e->refusal = g_strdup(flow->refusal);
    else if (flow->captures)
        e->captured = captured_new(flow, &e->refusal);
    e->end = e->refusal ? ENGINE_REFUSED : ENGINE_DONE;
    smear_init(&e->smear, &e->clocks);
    walk(&w);
    e->clocks.user = NULL;
    e->bytes = clocks_bytes(&e->clocks) + race_bytes(e->races);
    for (guint i = 0; i < w.frames->len; i++) {
        cutoff_free(g_array_index(w.frames, Frame, i).cutoff);
        g_free(g_array_index(w.frames, Frame, i).performed);
    }
    g_array_unref(w.frames);
    g_array_unref(w.kept);
    g_ptr_array_unref(w.graphs);
    g_free(w.index);
    g_free(w.performed);
    return e;
}

void engine_free(Engine *e) {
    if (!e)
        return;
    clocks_clear(&e->clocks);
    race_table_free(e->races);
    smear_clear(&e->smear);
    captured_free(e->captured);
    g_free(e->refusal);
    g_free(e);
}
