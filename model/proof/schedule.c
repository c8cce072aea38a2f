#include "model/proof/schedule.h"

typedef struct {
    const Flow *flow;
    GArray *events;
    gint64 *complete;   /* positions that the schedule has completed, by chain */
    guint *items;       /* the item that the next one lies in, by chain */
    RacePlace until[2]; /* what is to be shown: calls, or work that calls gave to streams */
    gboolean by_host[2];
    gboolean seen[2];
    gboolean too_long;
} Writer;

AtlasWhen schedule_when(const Flow *flow, RacePlace place) {
    guint op = place.flow == FLOW_NONE ? ATLAS_PROOF_NO_OP : flow_op(flow, place.flow)->op;
    return (AtlasWhen){op, place.step, place.nth};
}

static void write(Writer *w, gboolean complete, RacePlace place, gint64 count) {
    AtlasScheduleEvent event = {complete, schedule_when(w->flow, place), count};
    w->too_long |= w->events->len >= ATLAS_SCHEDULE_MAX;
    if (!w->too_long)
        g_array_append_val(w->events, event);
}

/* One thing to complete: a chain up to a position; what comes before that is completed first. */
typedef struct {
    guint chain;
    gint64 position;
} Goal;

/* The first goal that a chain's next item waits for, if any. */
static gboolean find_before(const Writer *w, const Clocks *k, guint chain, Goal *before) {
    const gint64 *row = clocks_row(k, clocks_item(k, chain, w->items[chain])->row);
    for (guint c = 1; c < k->width; c++) {
        if (c != chain && row[c] > w->complete[c]) {
            *before = (Goal){c, row[c]};
            return TRUE;
        }
    }
    return FALSE;
}

static void complete_next(Writer *w, const Clocks *k, Goal goal) {
    const ClockItem *item = clocks_item(k, goal.chain, w->items[goal.chain]);
    gint64 to = MIN(item->end, goal.position);
    guint8 act = flow_op(w->flow, item->flow)->act;
    if (act == FLOW_TASK || act == FLOW_GRAPH_LAUNCH)
        write(w, TRUE, (RacePlace){item->flow, item->step, item->nth},
              to - w->complete[goal.chain]);
    w->complete[goal.chain] = to;
    if (to == item->end)
        w->items[goal.chain]++;
}

/* Completes a chain up to a position, by a list of goals instead of recursion: chains of items that
 * wait for each other may be long. */
static void complete(Writer *w, const Clocks *k, guint chain, gint64 position) {
    g_autoptr(GArray) goals = g_array_new(FALSE, FALSE, sizeof(Goal));
    Goal goal = {chain, position}, before;
    g_array_append_val(goals, goal);
    while (goals->len && !w->too_long) {
        goal = g_array_index(goals, Goal, goals->len - 1);
        if (w->complete[goal.chain] >= goal.position)
            g_array_set_size(goals, goals->len - 1);
        else if (find_before(w, k, goal.chain, &before))
            g_array_append_val(goals, before);
        else
            complete_next(w, k, goal);
    }
}

static void complete_clock(Writer *w, const Clocks *k, const gint64 *clock, guint own) {
    for (guint c = 1; c < k->width; c++)
        if (c != own)
            complete(w, k, c, clock[c]);
}

static gboolean same(RacePlace a, RacePlace b) {
    return a.flow == b.flow && a.step == b.step && a.nth == b.nth;
}

/* The item of an op, if it is processed; FLOW_NONE if not yet. */
static guint find_item(const Writer *w, const Clocks *k, RacePlace place) {
    guint chain = flow_op(w->flow, place.flow)->chain;
    for (guint i = k->chains[chain].done; i-- > 0;) {
        const ClockItem *item = clocks_item(k, chain, i);
        if (same(place, (RacePlace){item->flow, item->step, item->nth}))
            return i;
    }
    return FLOW_NONE;
}

/* Whether what is to be shown has come. */
static gboolean has_come(const Writer *w, const Clocks *k) {
    for (int i = 0; i < 2; i++) {
        if (!w->seen[i])
            return FALSE;
        if (!w->by_host[i] && find_item(w, k, w->until[i]) == FLOW_NONE)
            return FALSE;
    }
    return TRUE;
}

/* Declarations are no part of a schedule, though the driver is called for some. */
static gboolean is_declaration(const Writer *w, const FlowOp *f) {
    AtlasOpKind kind = g_array_index(w->flow->program->ops, AtlasOp, f->op).kind;
    return kind == ATLAS_OP_STREAM || kind == ATLAS_OP_EVENT;
}

/* Called after each op: what it had to wait for, then the op, then what of its own work had to be
 * complete before all of it could be handed over. */
static gboolean performed(gpointer user, const Engine *e, RacePlace place) {
    Writer *w = user;
    const Clocks *k = &e->clocks;
    const FlowOp *f = flow_op(w->flow, place.flow);
    gboolean enqueues = f->act == FLOW_TASK || f->act == FLOW_GRAPH_LAUNCH;
    guint own = enqueues ? f->chain : FLOW_NONE, items = enqueues ? k->chains[own].items->len : 0;
    const ClockItem *item = items ? clocks_item(k, own, items - 1) : NULL;
    /* Work that the host waits for is under way before the wait is over. */
    complete_clock(w, k, f->waited ? clocks_row(k, item->row) : k->host, own);
    if (item)
        complete(w, k, own, MIN(k->host[own], item->start));
    if (!is_declaration(w, f))
        write(w, FALSE, place, 1);
    if (item && !f->waited)
        complete(w, k, own, k->host[own]);
    w->seen[0] |= same(place, w->until[0]);
    w->seen[1] |= same(place, w->until[1]);
    return !has_come(w, k) && !w->too_long;
}

static void begin(Writer *w, const Flow *flow, RacePlace first, RacePlace second) {
    *w = (Writer){.flow = flow, .until = {first, second}, .by_host = {TRUE, TRUE}};
    w->events = g_array_new(FALSE, FALSE, sizeof(AtlasScheduleEvent));
    w->complete = g_new0(gint64, flow->streams->len);
    w->items = g_new0(guint, flow->streams->len);
}

static GArray *end(Writer *w, gboolean good) {
    g_free(w->complete);
    g_free(w->items);
    if (good && !w->too_long)
        return w->events;
    g_array_unref(w->events);
    return NULL;
}

/* Completes what comes before the item of an op. */
static void complete_before(Writer *w, const Clocks *k, RacePlace place) {
    guint chain = flow_op(w->flow, place.flow)->chain;
    const ClockItem *item = clocks_item(k, chain, find_item(w, k, place));
    complete(w, k, chain, item->start);
    complete_clock(w, k, clocks_row(k, item->row), chain);
}

/* How often the step is to be performed so that a place is reached: behind it, places count the
 * steps before. */
static gint64 steps_to(const Flow *flow, gint64 steps, RacePlace place) {
    if (steps > 0 || flow->step == FLOW_NONE)
        return steps;
    gboolean behind = place.flow == FLOW_NONE || place.flow > flow_op(flow, flow->step)->partner;
    return behind ? place.step : (gint64)place.step + 1;
}

GArray *schedule_race(const Flow *flow, gint64 depth, gint64 steps, const Race *race) {
    Writer w;
    RacePlace by[2] = {race->place[0], race->place[1]};
    by[0].flow = race->by[0];
    by[1].flow = race->by[1];
    begin(&w, flow, by[0], by[1]);
    w.by_host[0] = race->host[0];
    w.by_host[1] = race->host[1];
    EngineObserver observer = {performed, &w};
    g_autoptr(Engine) e = engine_run(flow, depth, steps_to(flow, steps, by[1]), 0, &observer);
    gboolean good = has_come(&w, &e->clocks);
    for (int i = 0; i < 2 && good; i++)
        if (!race->host[i])
            complete_before(&w, &e->clocks, by[i]);
    return end(&w, good);
}

GArray *schedule_read(const Flow *flow, gint64 depth, gint64 steps, RacePlace place) {
    Writer w;
    begin(&w, flow, place, place);
    EngineObserver observer = {performed, &w};
    g_autoptr(Engine) e = engine_run(flow, depth, steps_to(flow, steps, place), 0, &observer);
    return end(&w, w.seen[0] || e->end == ENGINE_DONE);
}

GArray *schedule_stuck(const Flow *flow, gint64 depth, gint64 steps) {
    Writer w;
    RacePlace never = {FLOW_NONE, 0, -1};
    begin(&w, flow, never, never);
    EngineObserver observer = {performed, &w};
    g_autoptr(Engine) e = engine_run(flow, depth, steps, 0, &observer);
    for (guint c = 1; c < e->clocks.width; c++)
        if (e->clocks.chains[c].done)
            complete(&w, &e->clocks, c,
                     clocks_item(&e->clocks, c, e->clocks.chains[c].done - 1)->end);
    return end(&w, e->end == ENGINE_STUCK);
}
