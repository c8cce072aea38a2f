#include "model/proof/interleave.h"

/* Masks have a bit for each thread. */
G_STATIC_ASSERT(ATLAS_PROGRAM_THREADS_MAX <= 64);
#define BIT(thread) (G_GUINT64_CONSTANT(1) << (thread))

/* Who touches a thing: threads, by mode. */
typedef struct {
    guint64 by[DEAL_MODES];
} Touched;

typedef struct {
    const Deal *deal;
    guint total;     /* ops of all threads */
    guint place[64]; /* of each thread: how many it performed */
    guint8 **shared; /* of each op of each thread: another thread's may be in conflict with it */
    guint *chosen;   /* of each place in the interleaving: the thread */
    guint64 *sleep;  /* threads whose next op need not be taken there: that was or will be done */
    guint64 *todo;   /* threads that are left to be tried there */
    GHashTable *set; /* flags: name to how many set it so far */
} Interleaver;

/* ---- what is shared ---- */

static GHashTable *find_touched(const Deal *deal) {
    GHashTable *all = deal_table_new();
    for (guint t = 0; t < deal->threads.count; t++) {
        for (guint i = 0; i < deal_count(deal, t); i++) {
            DealTouch touches[DEAL_TOUCHES];
            guint len = deal_touches(deal, deal_op(deal, t, i), touches);
            for (guint k = 0; k < len; k++) {
                Touched *touched = g_hash_table_lookup(all, &touches[k]);
                if (!touched) {
                    touched = g_new0(Touched, 1);
                    g_hash_table_insert(all, g_memdup2(&touches[k], sizeof touches[k]), touched);
                }
                touched->by[touches[k].mode] |= BIT(t);
            }
        }
    }
    return all;
}

static gboolean is_shared(const Interleaver *v, GHashTable *touched, guint thread, guint place) {
    DealTouch touches[DEAL_TOUCHES];
    guint len = deal_touches(v->deal, deal_op(v->deal, thread, place), touches);
    for (guint k = 0; k < len; k++) {
        const Touched *by = g_hash_table_lookup(touched, &touches[k]);
        for (DealMode mode = 0; mode < DEAL_MODES; mode++)
            if (deal_modes_conflict(mode, touches[k].mode) && by->by[mode] & ~BIT(thread))
                return TRUE;
    }
    return FALSE;
}

static void find_shared(Interleaver *v) {
    g_autoptr(GHashTable) touched = find_touched(v->deal);
    v->shared = g_new0(guint8 *, v->deal->threads.count + 1);
    for (guint t = 0; t < v->deal->threads.count; t++) {
        v->shared[t] = g_new0(guint8, deal_count(v->deal, t) + 1);
        for (guint i = 0; i < deal_count(v->deal, t); i++)
            v->shared[t][i] = is_shared(v, touched, t, i);
        v->total += deal_count(v->deal, t);
    }
}

/* ---- moving ---- */

static const AtlasOp *next_op(const Interleaver *v, guint thread) {
    return deal_op(v->deal, thread, v->place[thread]);
}

/* The flag that an op sets, or NULL. */
static const char *sets(const AtlasOp *op) {
    return op->kind == ATLAS_OP_HOST_FLAG_SET ? op->operands[0]
           : op->kind == ATLAS_OP_FLAG_SET    ? op->operands[1]
                                              : NULL;
}

static void count_set(Interleaver *v, const AtlasOp *op, int by) {
    const char *flag = sets(op);
    if (!flag)
        return;
    int count = GPOINTER_TO_INT(g_hash_table_lookup(v->set, flag)) + by;
    g_hash_table_insert(v->set, (gpointer)flag, GINT_TO_POINTER(count));
}

static void perform(Interleaver *v, guint thread) {
    count_set(v, next_op(v, thread), 1);
    v->place[thread]++;
}

static void undo(Interleaver *v, guint thread) {
    v->place[thread]--;
    count_set(v, next_op(v, thread), -1);
}

static gboolean can_go(const Interleaver *v, guint thread) {
    if (v->place[thread] == deal_count(v->deal, thread))
        return FALSE;
    const AtlasOp *op = next_op(v, thread);
    return op->kind != ATLAS_OP_HOST_FLAG_WAIT ||
           GPOINTER_TO_INT(g_hash_table_lookup(v->set, op->operands[0])) > 0;
}

/* The threads to be tried now; *any: whether some can go on at all. */
static guint64 candidates(const Interleaver *v, gboolean *any) {
    guint64 found = 0;
    *any = FALSE;
    for (guint t = 0; t < v->deal->threads.count; t++) {
        if (!can_go(v, t))
            continue;
        *any = TRUE;
        if (!v->shared[t][v->place[t]])
            return BIT(t);
        found |= BIT(t);
    }
    return found;
}

/* Of those asleep, who stays so when a thread performs its next op. */
static guint64 stay_asleep(const Interleaver *v, guint64 asleep, guint thread) {
    guint64 stay = 0;
    for (guint t = 0; t < v->deal->threads.count; t++)
        if (asleep & BIT(t) && !deal_conflict(v->deal, next_op(v, t), next_op(v, thread)))
            stay |= BIT(t);
    return stay;
}

/* ---- all of them ---- */

static guint lowest(guint64 mask) {
    guint bit = 0;
    while (!(mask >> bit & 1))
        bit++;
    return bit;
}

static gboolean go_through(Interleaver *v, guint64 most, InterleaveVisit *visit, gpointer user) {
    guint at = 0;
    gboolean any;
    v->todo[0] = candidates(v, &any);
    if (!any)
        return visit(user, v->chosen, 0);
    for (guint64 work = 0; work <= most;) {
        if (v->todo[at]) {
            guint t = lowest(v->todo[at]);
            v->todo[at] &= ~BIT(t);
            v->chosen[at] = t;
            v->sleep[at + 1] = stay_asleep(v, v->sleep[at], t);
            perform(v, t);
            at++;
            work++;
            v->todo[at] = candidates(v, &any) & ~v->sleep[at];
            if (!any && !visit(user, v->chosen, at))
                return FALSE;
            work += any ? 0 : v->total;
        } else if (at > 0) {
            at--;
            undo(v, v->chosen[at]);
            v->sleep[at] |= BIT(v->chosen[at]);
        } else {
            return TRUE;
        }
    }
    return FALSE;
}

gboolean interleave(const Deal *deal, guint64 most, InterleaveVisit *visit, gpointer user) {
    Interleaver v = {.deal = deal, .set = g_hash_table_new(NULL, NULL)};
    find_shared(&v);
    v.chosen = g_new0(guint, v.total + 1);
    v.sleep = g_new0(guint64, v.total + 2);
    v.todo = g_new0(guint64, v.total + 1);
    gboolean all = go_through(&v, most, visit, user);
    for (guint t = 0; t < deal->threads.count; t++)
        g_free(v.shared[t]);
    g_free(v.shared);
    g_free(v.chosen);
    g_free(v.sleep);
    g_free(v.todo);
    g_hash_table_unref(v.set);
    return all;
}
