#include "model/proof/clocks.h"

#include <string.h>

void clocks_init(Clocks *k, const Flow *flow, gint64 depth) {
    *k = (Clocks){.flow = flow, .width = flow->streams->len, .depth = depth, .legacy = FLOW_NONE};
    k->chains = g_new0(ClockChain, k->width);
    for (guint c = 0; c < k->width; c++) {
        k->chains[c].items = g_array_new(FALSE, FALSE, sizeof(ClockItem));
        k->chains[c].forced_row = FLOW_NONE;
        if (flow_stream(flow, c)->legacy)
            k->legacy = c;
    }
    k->rows = g_array_new(FALSE, TRUE, sizeof(gint64));
    g_array_set_size(k->rows, k->width);
    k->host = g_new0(gint64, k->width);
    k->version = 1;
    k->scratch = g_new0(gint64, k->width);
    k->needs = g_array_new(FALSE, FALSE, sizeof(ClockNeed));
    k->events = g_new0(ClockNeed, flow->events + 1);
    k->execs = g_new0(ClockNeed, flow->execs + 1);
    k->flags = g_new0(guint, flow->flags + 1);
}

void clocks_clear(Clocks *k) {
    for (guint c = 0; c < k->width; c++)
        g_array_unref(k->chains[c].items);
    g_free(k->chains);
    g_array_unref(k->rows);
    g_array_unref(k->needs);
    g_free(k->host);
    g_free(k->scratch);
    g_free(k->events);
    g_free(k->execs);
    g_free(k->flags);
}

gsize clocks_bytes(const Clocks *k) {
    gsize bytes = k->rows->len * sizeof(gint64) + k->needs->len * sizeof(ClockNeed);
    for (guint c = 0; c < k->width; c++)
        bytes += k->chains[c].items->len * sizeof(ClockItem);
    return bytes;
}

static guint keep_row(Clocks *k, const gint64 *clock) {
    g_array_append_vals(k->rows, clock, k->width);
    return k->rows->len / k->width - 1;
}

/* into := the later of both; whether that changed it. The number of chain `own` stays. */
static gboolean join(gint64 *into, const gint64 *clock, guint width, guint own) {
    gboolean changed = FALSE;
    for (guint c = 0; c < width; c++) {
        if (clock[c] > into[c] && c != own) {
            into[c] = clock[c];
            changed = TRUE;
        }
    }
    return changed;
}

/* The same with what is complete at the end of an item. */
static gboolean join_end(const Clocks *k, gint64 *into, guint chain, const ClockItem *item,
                         guint own) {
    gboolean changed = FALSE;
    const gint64 *row = clocks_row(k, item->row);
    for (guint c = 0; c < k->width; c++) {
        gint64 value = c == chain ? item->end : row[c];
        if (value > into[c] && c != own) {
            into[c] = value;
            changed = TRUE;
        }
    }
    return changed;
}

/* ---- processing ---- */

static gboolean is_ready(const Clocks *k, const ClockItem *item) {
    guint flag = flow_op(k->flow, item->flow)->awaits;
    for (guint i = 0; i < item->needs_len; i++) {
        const ClockNeed *need = &g_array_index(k->needs, ClockNeed, item->needs + i);
        if (k->chains[need->chain].done < need->items)
            return FALSE;
    }
    return flag == FLOW_NONE || k->flags[flag];
}

/* Processes the chain's next item, which is ready. `host`: the host's clock when it was called. */
static void process(Clocks *k, guint chain, const gint64 *host, guint version) {
    ClockChain *c = &k->chains[chain];
    ClockItem *item = clocks_item(k, chain, c->done);
    const FlowOp *f = flow_op(k->flow, item->flow);
    if (version == 0 || version != c->seen || item->needs_len || f->awaits != FLOW_NONE) {
        memcpy(k->scratch, clocks_row(k, c->row), k->width * sizeof(gint64));
        gboolean changed = join(k->scratch, host, k->width, chain);
        for (guint i = 0; i < item->needs_len; i++) {
            const ClockNeed *need = &g_array_index(k->needs, ClockNeed, item->needs + i);
            const ClockItem *last = clocks_item(k, need->chain, need->items - 1);
            changed |= join_end(k, k->scratch, need->chain, last, chain);
        }
        if (f->awaits != FLOW_NONE)
            changed |= join(k->scratch, clocks_row(k, k->flags[f->awaits] - 1), k->width, chain);
        if (changed)
            c->row = keep_row(k, k->scratch);
        c->seen = version;
    }
    item->row = c->row;
    c->done++;
    if (f->sets != FLOW_NONE) {
        memcpy(k->scratch, clocks_row(k, item->row), k->width * sizeof(gint64));
        k->scratch[chain] = item->end;
        k->flags[f->sets] = keep_row(k, k->scratch) + 1;
    }
    if (k->processed)
        k->processed(k->user, chain, item);
}

/* Processes everything that waited and can go on now. */
static void advance(Clocks *k) {
    gboolean changed = k->waiting > 0;
    while (changed) {
        changed = FALSE;
        for (guint chain = 1; chain < k->width; chain++) {
            ClockChain *c = &k->chains[chain];
            while (c->done < c->items->len && is_ready(k, clocks_item(k, chain, c->done))) {
                /* A copy: processing may move the rows. */
                const gint64 *row = clocks_row(k, clocks_item(k, chain, c->done)->host);
                g_autofree gint64 *host = g_memdup2(row, k->width * sizeof(gint64));
                process(k, chain, host, 0);
                k->waiting--;
                changed = TRUE;
            }
        }
    }
}

/* ---- handing over ---- */

void clocks_need(Clocks *k, ClockNeed need) {
    if (need.items)
        g_array_append_val(k->needs, need);
}

/* What the legacy stream's rule lets an item wait for. */
static void need_legacy(Clocks *k, guint chain) {
    if (chain == k->legacy) {
        for (guint c = 1; c < k->width; c++)
            if (flow_stream(k->flow, c)->blocking)
                clocks_need(k, (ClockNeed){c, k->chains[c].items->len});
    } else if (k->legacy != FLOW_NONE && flow_stream(k->flow, chain)->blocking) {
        guint items = k->chains[k->legacy].items->len;
        if (items > k->chains[chain].legacy_seen)
            clocks_need(k, (ClockNeed){k->legacy, items});
        k->chains[chain].legacy_seen = items;
    }
}

/* The host waits for a place: that of the item `depth` before the newest. */
static gboolean force(Clocks *k, guint chain, ClockStuck *stuck) {
    ClockChain *c = &k->chains[chain];
    const ClockItem *newest = clocks_item(k, chain, c->items->len - 1);
    gint64 place = newest->end - k->depth;
    if (place <= 0)
        return TRUE;
    while (clocks_item(k, chain, c->forced)->end < place)
        c->forced++;
    const ClockItem *item = clocks_item(k, chain, c->forced);
    if (c->forced >= c->done) {
        *stuck = (ClockStuck){TRUE, chain};
        return FALSE;
    }
    gint64 position = place - (k->flow->slot_start ? 1 : 0);
    gboolean changed = FALSE;
    if (item->row != c->forced_row) {
        changed = join(k->host, clocks_row(k, item->row), k->width, chain);
        c->forced_row = item->row;
    }
    if (position > k->host[chain]) {
        k->host[chain] = position;
        changed = TRUE;
    }
    k->version += changed;
    return TRUE;
}

gboolean clocks_add(Clocks *k, const ClockItem *made, guint chain, gint64 repetitions,
                    gint64 kernels, gboolean place, ClockStuck *stuck) {
    ClockChain *c = &k->chains[chain];
    gint64 units = place ? repetitions : 0;
    need_legacy(k, chain);
    g_array_append_vals(c->items, made, 1);
    guint i = c->items->len - 1;
    ClockItem *item = clocks_item(k, chain, i), none = {0};
    const ClockItem *before = i ? item - 1 : &none;
    item->needs_len = k->needs->len - item->needs;
    item->start = before->end;
    item->end = before->end + units;
    item->kernels = before->kernels + repetitions * kernels;
    item->each = kernels;
    k->items++;
    if (c->done == i && is_ready(k, item)) {
        process(k, chain, k->host, k->version);
        if (k->waiting == 0)
            g_array_set_size(k->needs, 0);
    } else {
        item->host = keep_row(k, k->host);
        k->waiting++;
    }
    advance(k);
    return k->depth == 0 || !place || force(k, chain, stuck);
}

gboolean clocks_repeat(Clocks *k, guint chain, gint64 repetitions, ClockStuck *stuck) {
    ClockItem *item = clocks_item(k, chain, k->chains[chain].items->len - 1);
    item->end += repetitions;
    item->kernels += repetitions * item->each;
    return k->depth == 0 || force(k, chain, stuck);
}

/* ---- the host ---- */

gboolean clocks_await(Clocks *k, guint chain, guint items, ClockStuck *stuck) {
    if (items == 0)
        return TRUE;
    if (k->chains[chain].done < items) {
        *stuck = (ClockStuck){TRUE, chain};
        return FALSE;
    }
    k->version += join_end(k, k->host, chain, clocks_item(k, chain, items - 1), FLOW_NONE);
    return TRUE;
}

gboolean clocks_await_flag(Clocks *k, guint flag, ClockStuck *stuck) {
    if (!k->flags[flag]) {
        *stuck = (ClockStuck){TRUE, FLOW_NONE};
        return FALSE;
    }
    k->version += join(k->host, clocks_row(k, k->flags[flag] - 1), k->width, FLOW_NONE);
    return TRUE;
}

void clocks_set_flag(Clocks *k, guint flag) {
    k->flags[flag] = keep_row(k, k->host) + 1;
    advance(k);
}

/* ---- looking ---- */

/* The item that holds a position > 0 of a chain. */
static guint item_at(const Clocks *k, guint chain, gint64 position) {
    guint low = 0, high = k->chains[chain].items->len - 1; /* the first whose end >= position */
    while (low < high) {
        guint middle = low + (high - low) / 2;
        if (clocks_item(k, chain, middle)->end >= position)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

gint64 clocks_kernels(const Clocks *k, guint chain, gint64 position) {
    if (position == 0)
        return 0;
    guint i = item_at(k, chain, position);
    const ClockItem *item = clocks_item(k, chain, i);
    return item->kernels - (item->end - position) * item->each;
}
