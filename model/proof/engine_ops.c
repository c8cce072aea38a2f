#include "model/proof/engine_walk.h"

RacePlace walk_place(const Walk *w, guint at) {
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
                    host[FLOW_HOST_CHAIN] + 1, host, walk_place(w, at), at);
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
            race.host[side] = FALSE; /* the first branch is no host */
            race.place[side].step = item->step;
            race.place[side].nth = item->nth;
        }
        race_add(w->engine->races, &race);
    }
    graph->launched = TRUE;
}

void walk_processed(gpointer user, guint chain, const ClockItem *item) {
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

guint walk_row(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    gboolean good = clocks_repeat(w->clocks, f->chain, f->row, &w->engine->stuck);
    gint64 end = clocks_item(w->clocks, f->chain, w->clocks->chains[f->chain].items->len - 1)->end;
    g_assert(good); /* without flags nothing is ever waited for in vain */
    for (guint i = 0; i < f->accesses && w->find & ENGINE_RACES; i++) {
        const FlowAccess *access = &g_array_index(w->flow->accesses, FlowAccess, f->access + i);
        race_repeat(w->engine->races, access, index_of(w, access), f->chain, end,
                    walk_place(w, f->partner));
    }
    for (guint i = at; i <= f->partner; i++)
        w->performed[i]++;
    return f->partner + 1;
}

static gboolean task(Walk *w, guint at) {
    const FlowOp *f = flow_op(w->flow, at);
    Clocks *k = w->clocks;
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

gboolean walk_perform(Walk *w, guint at) {
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
    case FLOW_EXEC:
        k->execs[f->name].items = 0;
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
            smear_read(&w->engine->smear, walk_place(w, at));
        return TRUE;
    case FLOW_STAGE:
        if (!w->flow->counter && w->find & ENGINE_READINGS)
            smear_read(&w->engine->smear, walk_place(w, at));
        w->engine->smear.stage = f->name;
        return TRUE;
    default:
        return TRUE;
    }
}
