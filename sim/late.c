#include "sim/late.h"

/* What one call enqueued. */
typedef struct {
    guint op;
    GArray *works;     /* of AtlasWork */
    AtlasGraph *graph; /* NULL: of no graph */
    guint64 done;      /* repetitions of the one work */
    gboolean over;
} Item;

struct Late {
    const AtlasProof *race;
    LatePerform *perform;
    gpointer user;
    GArray *items; /* of Item */
    guint next;    /* in the schedule */
    gboolean over; /* nothing is late any more */
};

static void item_clear(gpointer data) {
    Item *item = data;
    g_array_unref(item->works);
    atlas_graph_free(item->graph);
}

Late *late_new(const AtlasProof *race, LatePerform *perform, gpointer user) {
    Late *late = g_new0(Late, 1);
    g_assert(race->schedule && race->ats == 2);
    late->race = race;
    late->perform = perform;
    late->user = user;
    late->items = g_array_new(FALSE, FALSE, sizeof(Item));
    g_array_set_clear_func(late->items, item_clear);
    return late;
}

void late_free(Late *late) {
    if (!late)
        return;
    g_array_unref(late->items);
    g_free(late);
}

static const AtlasWork *work_at(const Item *item, guint i) {
    return &g_array_index(item->works, AtlasWork, i);
}

static Item *item_at(const Late *late, guint i) {
    return &g_array_index(late->items, Item, i);
}

static gboolean holds(const Item *item, guint op) {
    for (guint i = 0; i < item->works->len; i++)
        if (work_at(item, i)->op == op)
            return TRUE;
    return item->op == op;
}

/* ---- graphs ---- */

/* Whether each node of a graph is the one of an op, or comes before it. */
static gboolean *nodes_before(const AtlasGraph *graph, guint op) {
    gboolean *before = g_new0(gboolean, graph->nodes->len + 1);
    for (guint i = graph->nodes->len; i-- > 0;) {
        const AtlasGraphNode *node = &g_array_index(graph->nodes, AtlasGraphNode, i);
        before[i] |= node->op == op;
        for (guint k = 0; before[i] && k < node->deps_len; k++)
            before[node->deps[k]] = TRUE;
    }
    return before;
}

/* Performs those works of a graph whose nodes are so. Nodes that do nothing to memory have none. */
static gboolean perform_nodes(const Late *late, const Item *item, const gboolean *before,
                              gboolean so) {
    for (guint i = 0, work = 0; i < item->graph->nodes->len && work < item->works->len; i++) {
        const AtlasWork *w = work_at(item, work);
        if (w->op != g_array_index(item->graph->nodes, AtlasGraphNode, i).op)
            continue;
        work++;
        if (before[i] == so && !late->perform(late->user, w, 0, w->count))
            return FALSE;
    }
    return TRUE;
}

/* ---- items ---- */

/* Performs so many repetitions of an item, or all that are left. A graph's nodes come in the order
 * of capture, but for the second access and what that waits for, which come first. */
static gboolean perform_item(const Late *late, Item *item, guint64 repetitions) {
    if (item->graph) {
        g_autofree gboolean *first = nodes_before(item->graph, late->race->at[1].op);
        item->over = TRUE;
        return perform_nodes(late, item, first, TRUE) && perform_nodes(late, item, first, FALSE);
    }
    const AtlasWork *work = work_at(item, 0);
    guint64 from = item->done;
    item->done = repetitions > work->count - from ? work->count : from + repetitions;
    item->over = item->done == work->count;
    return late->perform(late->user, work, from, item->done);
}

/* Performs what the schedule says is complete next. */
static gboolean complete(const Late *late, const AtlasScheduleEvent *event) {
    for (guint i = 0; i < late->items->len; i++) {
        Item *item = item_at(late, i);
        if (item->op == event->when.op && !item->over)
            return perform_item(late, item, (guint64)event->count);
    }
    return TRUE; /* work that does nothing to memory */
}

static const AtlasScheduleEvent *event_at(const Late *late, guint i) {
    return &g_array_index(late->race->schedule, AtlasScheduleEvent, i);
}

/* ---- the schedule ---- */

static gboolean complete_until(Late *late, guint end) {
    for (; late->next < end; late->next++)
        if (!complete(late, event_at(late, late->next)))
            return FALSE;
    return TRUE;
}

/* Before the second access comes what the first does not delay: what was called before that. */
static gboolean catch_up(const Late *late) {
    guint first = 0;
    while (first < late->items->len &&
           (item_at(late, first)->over || !holds(item_at(late, first), late->race->at[0].op)))
        first++;
    for (guint i = 0; i < first && first < late->items->len; i++)
        if (!item_at(late, i)->over && !perform_item(late, item_at(late, i), G_MAXUINT64))
            return FALSE;
    return TRUE;
}

gboolean late_call(Late *late, guint op) {
    guint call = late->next, len = late->race->schedule->len;
    while (call < len && event_at(late, call)->complete)
        call++;
    if (late->over)
        return TRUE;
    if (call == len)
        return late_end(late);
    if (event_at(late, call)->when.op != op)
        return TRUE; /* a declaration, which is no part of a schedule */
    if (!complete_until(late, call))
        return FALSE;
    late->next++;
    return op != late->race->at[1].op || catch_up(late);
}

gboolean late_add(Late *late, guint op, const AtlasWork *works, guint len, AtlasGraph *graph) {
    Item item = {.op = op, .works = g_array_new(FALSE, FALSE, sizeof(AtlasWork)), .graph = graph};
    g_array_append_vals(item.works, works, len);
    g_array_append_val(late->items, item);
    return !late->over || perform_item(late, item_at(late, late->items->len - 1), G_MAXUINT64);
}

gboolean late_end(Late *late) {
    if (late->over)
        return TRUE;
    late->over = TRUE;
    if (!complete_until(late, late->race->schedule->len) || !catch_up(late))
        return FALSE;
    for (int pass = 0; pass < 2; pass++) {
        for (guint i = 0; i < late->items->len; i++) {
            Item *item = item_at(late, i);
            gboolean now = pass > 0 || holds(item, late->race->at[1].op);
            if (now && !item->over && !perform_item(late, item, G_MAXUINT64))
                return FALSE;
        }
    }
    return TRUE;
}
