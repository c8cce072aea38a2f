#include "model/proof/cutoff.h"

#include <string.h>

static gint64 last_position(const Clocks *k, guint chain) {
    guint items = k->chains[chain].items->len;
    if (chain == FLOW_HOST_CHAIN)
        return k->host[FLOW_HOST_CHAIN];
    return items ? clocks_item(k, chain, items - 1)->end : 0;
}

Cutoff *cutoff_new(const Clocks *k, guint wanted) {
    Cutoff *t = g_new0(Cutoff, 1);
    t->clocks = k;
    t->wanted = wanted;
    t->origin = g_new0(gint64, k->width);
    t->delta = g_new0(gint64, k->width);
    t->start = g_new0(guint, k->width);
    t->prev = g_new0(guint, k->width);
    t->host = g_memdup2(k->host, k->width * sizeof(gint64));
    t->places = g_new0(gint64, k->width);
    for (guint c = 0; c < k->width; c++) {
        t->origin[c] = last_position(k, c);
        t->start[c] = k->chains[c].items->len;
    }
    return t;
}

void cutoff_free(Cutoff *t) {
    if (!t)
        return;
    g_free(t->origin);
    g_free(t->delta);
    g_free(t->start);
    g_free(t->prev);
    g_free(t->host);
    g_free(t->places);
    g_free(t);
}

static inline gint64 moved(const Cutoff *t, guint chain, gint64 value) {
    return value > t->origin[chain] ? value + t->delta[chain] : value;
}

/* Whether `now` is `before`, moved; `own` is not compared. */
static gboolean clock_moved(const Cutoff *t, const gint64 *before, const gint64 *now, guint own) {
    for (guint c = 0; c < t->clocks->width; c++)
        if (c != own && now[c] != moved(t, c, before[c]))
            return FALSE;
    return TRUE;
}

/* The same of all items of a chain, iteration by iteration. */
static gboolean items_moved(const Cutoff *t, guint chain) {
    const Clocks *k = t->clocks;
    guint count = k->chains[chain].items->len - t->start[chain];
    guint same[2] = {FLOW_NONE, FLOW_NONE}; /* rows that were compared just now */
    if (count != t->start[chain] - t->prev[chain])
        return FALSE;
    for (guint i = 0; i < count; i++) {
        const ClockItem *before = clocks_item(k, chain, t->prev[chain] + i);
        const ClockItem *now = clocks_item(k, chain, t->start[chain] + i);
        if (before->flow != now->flow || before->each != now->each ||
            now->end - before->end != t->delta[chain])
            return FALSE;
        if (before->row == same[0] && now->row == same[1])
            continue;
        if (!clock_moved(t, clocks_row(k, before->row), clocks_row(k, now->row), chain))
            return FALSE;
        same[0] = before->row;
        same[1] = now->row;
    }
    return TRUE;
}

/* What the iteration that ends added to each chain. */
static void measure(Cutoff *t) {
    const Clocks *k = t->clocks;
    t->delta[FLOW_HOST_CHAIN] = k->host[FLOW_HOST_CHAIN] - t->host[FLOW_HOST_CHAIN];
    for (guint c = 1; c < k->width; c++) {
        guint len = k->chains[c].items->len, start = t->start[c];
        const ClockItem none = {0}, *last = len ? clocks_item(k, c, len - 1) : &none;
        const ClockItem *before = start ? clocks_item(k, c, start - 1) : &none;
        t->delta[c] = last->end - before->end;
    }
}

static gboolean agrees(const Cutoff *t) {
    const Clocks *k = t->clocks;
    if (t->iterations < 2 || k->waiting > 0 || !clock_moved(t, t->host, k->host, FLOW_NONE))
        return FALSE;
    for (guint c = 1; c < k->width; c++)
        if (!items_moved(t, c))
            return FALSE;
    return TRUE;
}

gboolean cutoff_iteration(Cutoff *t, guint64 mark) {
    const Clocks *k = t->clocks;
    gboolean deep = TRUE;
    t->iterations++;
    measure(t);
    gboolean agree = mark == t->mark && agrees(t);
    t->mark = mark;
    t->agree = agree ? t->agree + 1 : 0;
    for (guint c = 0; c < k->width; c++) {
        t->places[c] = agree ? t->places[c] + t->delta[c] : 0;
        deep = deep &&
               (c == FLOW_HOST_CHAIN || t->delta[c] == 0 || t->places[c] >= k->depth + t->delta[c]);
        t->prev[c] = t->start[c];
        t->start[c] = k->chains[c].items->len;
    }
    memcpy(t->host, k->host, k->width * sizeof(gint64));
    return t->agree >= t->wanted && deep;
}

void cutoff_skip(Cutoff *t, Clocks *k, gint64 times, const gint64 *nth) {
    for (guint c = 0; c < k->width; c++)
        t->delta[c] *= times;
    for (guint i = 0; i < k->rows->len / k->width; i++)
        for (guint c = 0; c < k->width; c++)
            clocks_row(k, i)[c] = moved(t, c, clocks_row(k, i)[c]);
    for (guint c = 1; c < k->width; c++) {
        ClockChain *chain = &k->chains[c];
        gint64 kernels = 0;
        if (t->start[c] > t->prev[c])
            kernels = clocks_item(k, c, t->start[c] - 1)->kernels -
                      (t->prev[c] ? clocks_item(k, c, t->prev[c] - 1)->kernels : 0);
        for (guint i = 0; i < chain->items->len; i++) {
            ClockItem *item = clocks_item(k, c, i);
            if (item->end <= t->origin[c])
                continue;
            item->start += t->delta[c];
            item->end += t->delta[c];
            item->kernels += kernels * times;
            item->nth += nth[item->flow];
        }
    }
    for (guint c = 0; c < k->width; c++) {
        k->host[c] = moved(t, c, k->host[c]);
        t->host[c] = k->host[c];
    }
    k->version++;
}
