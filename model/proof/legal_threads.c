#include "model/proof/legal_threads.h"

#include "model/proof/unroll.h"

#define BIT(thread) (G_GUINT64_CONSTANT(1) << (thread))

/* ---- dealing out ---- */

static gboolean is_structure(AtlasOpKind kind) {
    return kind <= ATLAS_OP_SLOT;
}

static const AtlasOp *op_of(const LegalThreads *t, guint op) {
    return &g_array_index(t->program->ops, AtlasOp, op);
}

static gboolean deal_out(LegalThreads *t, LegalRange range, gint64 steps) {
    Unroll u;
    unroll_init(&u, t->program);
    g_autoptr(GArray) all = unroll_all(&u, steps, LEGAL_OPS_MAX * t->count);
    unroll_clear(&u);
    for (guint i = 0; all && i < all->len; i++) {
        const AtlasWhen *when = &g_array_index(all, AtlasWhen, i);
        const AtlasOp *op = op_of(t, when->op);
        if (when->op < range.first || when->op >= range.end || is_structure(op->kind))
            continue;
        GArray *ops = t->ops[op->thread - 1];
        if (ops->len == LEGAL_OPS_MAX)
            return FALSE;
        g_array_append_vals(ops, when, 1);
    }
    return all != NULL;
}

/* Lets the second of two periods follow on itself. */
static void close_lap(LegalThreads *t, gint64 period) {
    guint step = 0;
    while (step < t->program->ops->len && op_of(t, step)->kind != ATLAS_OP_STEP)
        step++;
    t->lap = (guint64)period;
    for (guint n = 0; n < t->count; n++) {
        guint i = 0;
        while (i < t->ops[n]->len &&
               (legal_when(t, n, i)->op < step || legal_when(t, n, i)->step < t->lap))
            i++;
        t->back[n] = i;
    }
}

/* From behind; what a lap comes back to is to come, too. */
static void sum_up(LegalThreads *t, guint thread) {
    guint len = t->ops[thread]->len, back = t->back[thread];
    Touch sum = {0, 0};
    t->rest[thread] = g_new0(Touch, len + 1);
    for (guint i = back; i < len; i++) {
        Touch touch = t->touches[legal_when(t, thread, i)->op];
        sum = (Touch){sum.is | touch.is, sum.against | touch.against};
    }
    t->rest[thread][len] = sum;
    for (guint i = len; i-- > 0;) {
        Touch touch = t->touches[legal_when(t, thread, i)->op];
        sum = (Touch){sum.is | touch.is, sum.against | touch.against};
        t->rest[thread][i] = sum;
    }
}

gboolean legal_threads_init(LegalThreads *t, const AtlasProgram *program, LegalRange range,
                            gint64 steps, gint64 period) {
    *t = (LegalThreads){.program = program};
    for (guint i = 0; i < program->ops->len; i++)
        t->count = MAX(t->count, op_of(t, i)->thread);
    t->ops = g_new0(GArray *, t->count);
    t->back = g_new0(guint, t->count);
    t->rest = g_new0(Touch *, t->count);
    t->touches = commute_touches(program, range.first);
    for (guint n = 0; n < t->count; n++)
        t->ops[n] = g_array_new(FALSE, FALSE, sizeof(AtlasWhen));
    if ((steps == 0 && period > LEGAL_OPS_MAX) || !deal_out(t, range, steps ? steps : 2 * period))
        return FALSE;
    for (guint n = 0; n < t->count; n++)
        t->back[n] = t->ops[n]->len;
    if (steps == 0)
        close_lap(t, period);
    for (guint n = 0; n < t->count; n++)
        sum_up(t, n);
    return TRUE;
}

void legal_threads_clear(LegalThreads *t) {
    for (guint n = 0; n < t->count; n++) {
        g_array_unref(t->ops[n]);
        g_free(t->rest[n]);
    }
    g_free(t->ops);
    g_free(t->back);
    g_free(t->rest);
    g_free(t->touches);
}

/* ---- going on ---- */

/* Whether a thread was past an op that sets a flag. */
static gboolean is_set(const LegalThreads *t, const guint *places, const char *flag) {
    for (guint n = 0; n < t->count; n++) {
        for (guint i = 0; i < places[n]; i++) {
            const AtlasOp *op = legal_op(t, n, i);
            if ((op->kind == ATLAS_OP_HOST_FLAG_SET && op->operands[0] == flag) ||
                (op->kind == ATLAS_OP_FLAG_SET && op->operands[1] == flag))
                return TRUE;
        }
    }
    return FALSE;
}

gboolean legal_can_go(const LegalThreads *t, const guint *places, guint thread) {
    if (places[thread] == t->ops[thread]->len)
        return FALSE;
    const AtlasOp *op = legal_op(t, thread, places[thread]);
    return op->kind != ATLAS_OP_HOST_FLAG_WAIT || is_set(t, places, op->operands[0]);
}

/* Of a thread's next op. What is no call, and can be done now, can be done at any time. */
static Touch next_touch(const LegalThreads *t, const guint *places, guint thread) {
    const AtlasWhen *when = legal_when(t, thread, places[thread]);
    if (!atlas_op_call(op_of(t, when->op)->kind) && legal_can_go(t, places, thread))
        return (Touch){0, 0};
    return t->touches[when->op];
}

/* Adds every thread whose further ops clash with the next one of a thread that is in. */
static guint64 close_over(const LegalThreads *t, const guint *places, guint64 in) {
    for (guint64 done = 0; done != in;) {
        done = in;
        for (guint n = 0; n < t->count; n++) {
            if (!(in & BIT(n)) || places[n] == t->ops[n]->len)
                continue;
            Touch next = next_touch(t, places, n);
            for (guint m = 0; m < t->count; m++)
                if (m != n && commute_clash(next, t->rest[m][places[m]]))
                    in |= BIT(m);
        }
    }
    return in;
}

guint64 legal_threads_alone(const LegalThreads *t, const guint *places) {
    guint64 best = G_MAXUINT64;
    guint fewest = t->count;
    for (guint n = 0; n < t->count && fewest > 1; n++) {
        if (!legal_can_go(t, places, n))
            continue;
        guint64 in = close_over(t, places, BIT(n));
        guint size = (guint)__builtin_popcountll(in);
        if (size < fewest) {
            fewest = size;
            best = in;
        }
    }
    return best;
}
