#include "model/proof/smear.h"

enum { LEAST, MOST, FEWEST, GREATEST };

void smear_init(Smear *s, const Clocks *clocks) {
    *s = (Smear){.clocks = clocks, .stage = FLOW_NONE};
    s->readings = g_array_new(FALSE, TRUE, sizeof(Reading));
    s->index = g_new0(guint, clocks->flow->ops->len + 1);
    s->must = g_new0(gint64, clocks->width);
    s->may = g_new0(gint64, clocks->width);
}

void smear_clear(Smear *s) {
    g_array_unref(s->readings);
    g_free(s->index);
    g_free(s->must);
    g_free(s->may);
}

static Reading *reading_of(Smear *s, RacePlace place) {
    guint slot = place.flow == FLOW_NONE ? s->clocks->flow->ops->len : place.flow;
    if (!s->index[slot]) {
        Reading reading = {.flow = place.flow, .stage = s->stage};
        g_array_append_val(s->readings, reading);
        s->index[slot] = s->readings->len;
    }
    return &g_array_index(s->readings, Reading, s->index[slot] - 1);
}

/* The four numbers of this read; then it is the read before. */
static void measure(Smear *s, gint64 *now) {
    const Clocks *k = s->clocks;
    for (guint c = 1; c < k->width; c++) {
        const ClockChain *chain = &k->chains[c];
        guint items = chain->items->len;
        gint64 all = items ? clocks_item(k, c, items - 1)->kernels : 0;
        gint64 must = clocks_kernels(k, c, k->host[c]);
        gint64 may = chain->done ? clocks_item(k, c, chain->done - 1)->kernels : 0;
        now[LEAST] += all - may;
        now[MOST] += all - must;
        now[FEWEST] += MAX(must - clocks_kernels(k, c, s->may[c]), 0);
        now[GREATEST] += may - clocks_kernels(k, c, s->must[c]);
        s->must[c] = k->host[c];
        s->may[c] = chain->done ? clocks_item(k, c, chain->done - 1)->end : 0;
    }
}

void smear_read(Smear *s, RacePlace place) {
    Reading *r = reading_of(s, place);
    gint64 now[4] = {0};
    measure(s, now);
    if (!r->times || now[MOST] > r->most)
        r->at = place;
    r->least = r->times ? MIN(r->least, now[LEAST]) : now[LEAST];
    r->most = MAX(r->most, now[MOST]);
    r->fewest = r->times ? MIN(r->fewest, now[FEWEST]) : now[FEWEST];
    r->greatest = MAX(r->greatest, now[GREATEST]);
    for (int i = 0; i < 4; i++)
        r->now[i] = now[i];
    r->times++;
}

void smear_step(Smear *s, gboolean last) {
    for (guint i = 0; i < s->readings->len; i++) {
        Reading *r = &g_array_index(s->readings, Reading, i);
        for (int j = 0; j < 4; j++) {
            r->grows[j] = last && r->now[j] > r->before[j];
            r->before[j] = r->now[j];
        }
    }
}

void smear_move(Smear *s, const gint64 *origin, const gint64 *delta) {
    for (guint c = 1; c < s->clocks->width; c++) {
        s->must[c] += s->must[c] > origin[c] ? delta[c] : 0;
        s->may[c] += s->may[c] > origin[c] ? delta[c] : 0;
    }
}
