#include "model/proof/engine_walk.h"

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
    gboolean cut = !f->indexed && !w->observer && (f->act == FLOW_STEP || f->count > 3);
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

static guint64 mark_of(const Walk *w) {
    return w->engine->captured ? captured_mark(w->engine->captured) : 0;
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
    e->periodic = cutoff_iteration(frame->cutoff, mark_of(w));
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
        if (frame->cutoff && cutoff_iteration(frame->cutoff, mark_of(w)) && frame->left > 2)
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
    if (f->same && !w->observer) {
        e->ops += f->partner - at;
        return walk_row(w, at);
    }
    e->at = walk_place(w, at);
    switch (e->captured ? captured_apply(e->captured, at, w->index) : CAPTURED_RUNS) {
    case CAPTURED_RUNS:
        if (!walk_perform(w, at))
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
        w->stop = !w->observer->performed(w->observer->user, e, walk_place(w, at));
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
    e->clocks.processed = find & ENGINE_RACES ? walk_processed : NULL;
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
