/* Which ops are to blame for what a planned program breaks. */
#include "graphs/plan_blame.h"

#include "model/op/copies.h"

guint judge_origin_of(const Judge *j, guint op) {
    return op < j->origin->len ? g_array_index(j->origin, guint, op) : G_MAXUINT;
}

void judge_block(const Judge *j, AtlasPlanBlock one) {
    if (g_hash_table_add(j->blocked, g_memdup2(&one, sizeof one)))
        g_array_append_val(j->judged->blocks, one);
    else
        plan_block_clear(&one);
}

void judge_leave_open(const Judge *j, char *why) {
    j->judged->open = TRUE;
    if (j->judged->proof)
        g_free(why);
    else
        j->judged->proof = why;
}

/* Events, and copies that the host waits for where it enqueues them. */
static const char *mend_of_order(const AtlasOp *op) {
    if (op->kind == ATLAS_OP_WAIT || op->kind == ATLAS_OP_RECORD)
        return "let the window hold the fork and the join of every stream that it goes to";
    if (atlas_copy_is_waited(op))
        return "leave it out of the window: eagerly the host waits for it";
    return NULL;
}

/* Order that goes beyond a window's end: the window cannot hold what it comes from. */
void judge_block_order(const Judge *j, const AtlasPlanWindow *w, guint property, const char *why) {
    for (guint i = w->first; i <= w->last; i++) {
        const char *mend = mend_of_order(plan_op(j->tree->program, i));
        if (mend)
            judge_block(j, (AtlasPlanBlock){.op = i,
                                            .property = property,
                                            .step = -1,
                                            .why = g_strdup(why),
                                            .mend = g_strdup(mend)});
    }
}

void judge_block_all_order(const Judge *j, guint property, const char *why) {
    for (guint i = 0; i < j->windows->len; i++)
        judge_block_order(j, &g_array_index(j->windows, AtlasPlanWindow, i), property, why);
}

gboolean judge_has_events(const Judge *j, const AtlasPlanWindow *w) {
    for (guint i = w->first; i <= w->last; i++)
        if (plan_op(j->tree->program, i)->kind == ATLAS_OP_WAIT ||
            plan_op(j->tree->program, i)->kind == ATLAS_OP_RECORD)
            return TRUE;
    return FALSE;
}

static void block_records(const Judge *j, const char *event, const char *why) {
    for (guint i = 0; i < j->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(j->windows, AtlasPlanWindow, i);
        for (guint k = w->first; k <= w->last; k++)
            if (plan_op(j->tree->program, k)->kind == ATLAS_OP_RECORD &&
                plan_op(j->tree->program, k)->operands[0] == event)
                judge_block(
                    j, (AtlasPlanBlock){.op = k,
                                        .step = 0,
                                        .why = g_strdup(why),
                                        .mend = g_strdup("let the window hold the wait, too")});
    }
}

static gboolean has_threads(const Judge *j) {
    for (guint i = 0; i < j->planned->ops->len; i++)
        if (plan_op(j->planned, i)->thread > 1)
            return TRUE;
    return FALSE;
}

/* A call outside of every window fails that succeeds without graphs. What it names may be in a
 * window; else it is the captures that it meets, whichever they are. */
static void block_others(const Judge *j, guint op, const char *why) {
    const AtlasOp *at = plan_op(j->planned, op);
    gboolean frees = at->kind == ATLAS_OP_FREE_ASYNC || at->kind == ATLAS_OP_FREE;
    for (guint i = 0; i < j->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(j->windows, AtlasPlanWindow, i);
        for (guint k = w->first; k <= w->last; k++) {
            const AtlasOp *held = plan_op(j->tree->program, k);
            gboolean named =
                held->kind == ATLAS_OP_MALLOC_ASYNC && held->operands[0] == at->operands[0];
            if (plan_stream_operand(held->kind) < 0 || (frees && !named))
                continue;
            judge_block(j,
                        (AtlasPlanBlock){
                            .op = k,
                            .property = frees            ? 10
                                        : has_threads(j) ? 14
                                                         : 0,
                            .step = -1,
                            .why = g_strdup(why),
                            .mend = g_strdup(
                                frees ? "allocate and free it in one window, or in none"
                                : has_threads(j)
                                    ? "let the other host thread wait until the graphs are captured"
                                    : "leave it out of the window")});
        }
    }
}

void judge_fails(const Judge *j, guint op, const char *why, gboolean launch) {
    guint eager = judge_origin_of(j, op);
    const AtlasPlanWindow *w = plan_window_of(j->windows, eager);
    const AtlasOp *at = plan_op(j->planned, op);
    if (w && judge_has_events(j, w)) {
        judge_block_order(j, w, 0, why);
    } else if (w) {
        gboolean legacy = at->kind == ATLAS_OP_BEGIN && g_str_equal(at->operands[0], "legacy");
        judge_block(
            j, (AtlasPlanBlock){.op = eager,
                                .property = launch ? 10 : 0,
                                .step = launch ? 1 : -1,
                                .why = g_strdup(why),
                                .mend = g_strdup(launch   ? "free in the window what it allocates"
                                                 : legacy ? "capture it on a stream of its own"
                                                          : "leave it out of the window"),
                                .with = legacy ? ATLAS_WITH_CAPTURE_STREAM : 0});
    } else if (at->kind == ATLAS_OP_WAIT) {
        block_records(j, at->operands[1], why);
    }
    if (!w && j->judged->blocks->len == 0)
        block_others(j, op, why);
}
