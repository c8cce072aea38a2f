/* Whether a planned program is legal and replay-equivalent, and if not, which ops are to blame. */
#include "graphs/plan_part.h"
#include "graphs/replay_look.h"
#include "graphs/replay_verdict.h"
#include "model/machine/explain.h"
#include "model/machine/run.h"
#include "sim/reads_from.h"

typedef struct {
    const PlanTree *tree;
    const GArray *windows;
    const AtlasProgram *planned;
    const GArray *origin;
    const char *given; /* why nothing can be proved; NULL: it can */
    PlanJudged *judged;
    GHashTable *blocked; /* set of AtlasPlanBlock*: those of `judged`, without their texts */
    GHashTable *fresh;   /* buffers whose writes to new memory are blocked already */
    AtlasDiags *diags;
} Judge;

void plan_block_clear(gpointer data) {
    AtlasPlanBlock *block = data;
    g_free(block->why);
    g_free(block->mend);
}

void plan_judged_clear(PlanJudged *judged) {
    g_array_unref(judged->blocks);
    g_free(judged->proof);
}

static guint origin_of(const Judge *j, guint op) {
    return op < j->origin->len ? g_array_index(j->origin, guint, op) : G_MAXUINT;
}

static guint block_hash(gconstpointer key) {
    const AtlasPlanBlock *b = key;
    return (b->op * 16 + b->property) * 31 + g_direct_hash(b->buffer);
}

static gboolean block_equal(gconstpointer a, gconstpointer b) {
    const AtlasPlanBlock *x = a, *y = b;
    return x->op == y->op && x->property == y->property && x->buffer == y->buffer;
}

/* Adds a block, once for an op and property; takes over why and mend. */
static void block(const Judge *j, AtlasPlanBlock one) {
    if (g_hash_table_add(j->blocked, g_memdup2(&one, sizeof one)))
        g_array_append_val(j->judged->blocks, one);
    else
        plan_block_clear(&one);
}

/* Not all is proved; the first reason stands. Takes over `why`. */
static void leave_open(const Judge *j, char *why) {
    j->judged->open = TRUE;
    if (j->judged->proof)
        g_free(why);
    else
        j->judged->proof = why;
}

/* ---- legality ---- */

/* Events, and copies that the host waits for where it enqueues them. */
static const char *mend_of_order(const AtlasOp *op) {
    if (op->kind == ATLAS_OP_WAIT || op->kind == ATLAS_OP_RECORD)
        return "let the window hold the fork and the join of every stream that it goes to";
    if (op->kind == ATLAS_OP_DTOH_ASYNC && g_str_equal(op->operands[1], "pageable"))
        return "leave it out of the window: eagerly the host waits for it";
    return NULL;
}

/* Order that goes beyond a window's end: the window cannot hold what it comes from. */
static void block_order(const Judge *j, const AtlasPlanWindow *w, guint property, const char *why) {
    for (guint i = w->first; i <= w->last; i++) {
        const char *mend = mend_of_order(plan_op(j->tree->program, i));
        if (mend)
            block(j, (AtlasPlanBlock){.op = i,
                                      .property = property,
                                      .step = -1,
                                      .why = g_strdup(why),
                                      .mend = g_strdup(mend)});
    }
}

static void block_all_order(const Judge *j, guint property, const char *why) {
    for (guint i = 0; i < j->windows->len; i++)
        block_order(j, &g_array_index(j->windows, AtlasPlanWindow, i), property, why);
}

static gboolean has_events(const Judge *j, const AtlasPlanWindow *w) {
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
                block(j, (AtlasPlanBlock){.op = k,
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
            block(j, (AtlasPlanBlock){
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

static void fails(const Judge *j, guint op, const char *why, gboolean launch) {
    guint eager = origin_of(j, op);
    const AtlasPlanWindow *w = plan_window_of(j->windows, eager);
    const AtlasOp *at = plan_op(j->planned, op);
    if (w && has_events(j, w)) {
        block_order(j, w, 0, why);
    } else if (w) {
        gboolean legacy = at->kind == ATLAS_OP_BEGIN && g_str_equal(at->operands[0], "legacy");
        block(j, (AtlasPlanBlock){.op = eager,
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

static char *failure(const Judge *j, guint op, const AtlasAnswer *answer) {
    GString *why = g_string_new(NULL);
    const AtlasOp *at = plan_op(j->planned, op);
    if (!atlas_explain(j->planned, op, answer, why))
        g_string_printf(why, "%s answers %s", atlas_op_call(plan_op(j->planned, op)->kind),
                        atlas_result_name(answer->code) ? atlas_result_name(answer->code) : "");
    if (at->kind == ATLAS_OP_GRAPH_LAUNCH) { /* the name is this trial's only */
        g_autofree char *name = g_strconcat(at->operands[0], " ", NULL);
        g_string_replace(why, name, "the graph ", 0);
    }
    return g_string_free(why, FALSE);
}

/* The first call of each window that fails; where there is none, the first outside of them. FALSE
 * with errors where the machine cannot run it. */
static gboolean judge_calls(const Judge *j) {
    g_autoptr(AtlasOutcome) outcome = atlas_run(j->planned, 2, j->diags);
    g_autoptr(GHashTable) failed = g_hash_table_new(NULL, NULL);
    guint outside = G_MAXUINT;
    if (!outcome)
        return FALSE;
    for (guint i = 0; i < j->planned->ops->len; i++) {
        const AtlasAnswer *answer = atlas_outcome_get(outcome, i);
        if (!atlas_answer_failed(answer))
            continue;
        const AtlasPlanWindow *w = plan_window_of(j->windows, origin_of(j, i));
        if (!w)
            outside = MIN(outside, i);
        if (!w || !g_hash_table_add(failed, (gpointer)w))
            continue;
        g_autofree char *why = failure(j, i, answer);
        fails(j, i, why, plan_op(j->planned, i)->kind == ATLAS_OP_GRAPH_LAUNCH);
    }
    if (j->judged->blocks->len == 0 && outside != G_MAXUINT) {
        g_autofree char *why = failure(j, outside, atlas_outcome_get(outcome, outside));
        fails(j, outside, why, FALSE);
    }
    return TRUE;
}

/* ---- equivalence ---- */

static gboolean is_fresh(const AtlasOp *op, const char *buffer) {
    for (guint k = 0; op->fresh && k < op->fresh->len; k++)
        if (g_array_index(op->fresh, AtlasAccess, k).buffer == buffer)
            return TRUE;
    return FALSE;
}

/* What moves a buffer to new memory is why its address changes. FALSE where no op writes it to new
 * memory, so that writing it in place mends nothing. */
static gboolean block_fresh(const Judge *j, const char *buffer, gint64 step) {
    gboolean any = FALSE, said = !g_hash_table_add(j->fresh, (gpointer)buffer);
    for (guint i = j->tree->step + 1; i < j->tree->step_end; i++) {
        const AtlasOp *op = plan_op(j->tree->program, i);
        if (!is_fresh(op, buffer))
            continue;
        any = TRUE;
        if (!said)
            block(j, (AtlasPlanBlock){
                         i, ATLAS_EQUAL_ADDRESS, buffer, step,
                         g_strdup_printf("%s writes %s to new memory: a graph goes on with "
                                         "the address that it was captured with",
                                         op->operands[1], buffer),
                         g_strdup("write it in place"), ATLAS_WITH_IN_PLACE});
    }
    return any;
}

static void mend(const Judge *j, const AtlasUnequal *u, AtlasPlanBlock *one) {
    if (u->property == ATLAS_EQUAL_ADDRESS && block_fresh(j, u->buffer, u->step)) {
        one->with = ATLAS_WITH_IN_PLACE;
    } else if (u->property == ATLAS_EQUAL_ADDRESS) {
        g_free(one->mend);
        one->mend = g_strdup_printf("allocate %s once, before the step", u->buffer);
    } else if (u->property == ATLAS_EQUAL_SCALAR &&
               plan_scalar_is_device(j->tree->program, u->buffer)) {
        g_free(one->mend);
        one->mend = g_strdup_printf("pass a scalar of another name: %s is in device memory, too",
                                    u->buffer);
    } else if (u->property == ATLAS_EQUAL_SCALAR) {
        one->with = ATLAS_WITH_DEVICE_SCALARS;
    }
}

static gboolean is_copy(AtlasOpKind kind) {
    return kind == ATLAS_OP_DTOD_ASYNC || kind == ATLAS_OP_HTOD_ASYNC ||
           kind == ATLAS_OP_DTOH_ASYNC;
}

/* The first copy to a buffer that a window holds: copies are no writers; G_MAXUINT: none. */
static guint copy_to(const Judge *j, const char *buffer) {
    for (guint i = j->tree->step + 1; i < j->tree->step_end; i++) {
        const AtlasOp *op = plan_op(j->tree->program, i);
        const GArray *list = op->writes ? op->writes : op->reads;
        for (guint k = 0; is_copy(op->kind) && list && k < list->len; k++)
            if (g_array_index(list, AtlasAccess, k).buffer == buffer &&
                plan_window_of(j->windows, i))
                return i;
    }
    return G_MAXUINT;
}

/* What to blame: the reader; where that is right, who wrote what it reads, or copied it there. */
static guint culprit(const Judge *j, const AtlasUnequal *u) {
    guint reader = u->missing ? u->op : origin_of(j, u->op);
    guint writer = u->writer == G_MAXUINT ? G_MAXUINT : origin_of(j, u->writer);
    if (plan_window_of(j->windows, reader))
        return reader;
    if (plan_window_of(j->windows, writer))
        return writer;
    guint copy = copy_to(j, u->buffer);
    return copy != G_MAXUINT ? copy : writer != G_MAXUINT ? writer : reader;
}

static void unequal(const Judge *j, const AtlasUnequal *u) {
    guint op = culprit(j, u);
    AtlasPlanBlock one = {op,      u->property,      u->buffer,
                          u->step, g_strdup(u->why), g_strdup(atlas_equal_mend(u->property)),
                          0};
    mend(j, u, &one);
    block(j, one);
}

static gboolean judge_reads(const Judge *j) {
    g_autoptr(AtlasReadsFrom) reads = atlas_reads_from(j->tree->program, j->planned, j->diags);
    if (!reads)
        return FALSE;
    j->judged->steps = reads->steps;
    j->judged->reads = reads->reads;
    for (guint i = 0; i < reads->unequal->len; i++)
        unequal(j, &g_array_index(reads->unequal, AtlasUnequal, i));
    if (!reads->settled && reads->unequal->len == 0)
        leave_open(j, g_strdup_printf("what memory holds does not settle within %" G_GINT64_FORMAT
                                      " steps",
                                      reads->steps));
    return TRUE;
}

/* ---- races and interleavings ---- */

static gboolean is_host(const Judge *j, guint op) {
    return plan_stream_operand(plan_op(j->planned, op)->kind) < 0;
}

/* Whether the order of an op of the window's own stream with what is outside may go through an event
 * that the window holds. */
static gboolean keeps_order(const Judge *j, const AtlasPlanWindow *w, guint at) {
    const AtlasOp *op = plan_op(j->tree->program, at), *first = NULL;
    for (guint i = w->first; !first; i++)
        if (plan_stream_operand(plan_op(j->tree->program, i)->kind) >= 0)
            first = plan_op(j->tree->program, i);
    return has_events(j, w) && op->operands[plan_stream_operand(op->kind)] ==
                                   first->operands[plan_stream_operand(first->kind)];
}

/* The given program has no race: where neither access is in a window, what the order between them
 * went through is. */
static void races(const Judge *j, const AtlasProof *proof) {
    guint property = atlas_replay_race(j->planned, proof);
    g_autofree char *mend = atlas_replay_race_mend(j->planned, proof);
    for (guint k = 0; k < 2; k++) {
        guint at = origin_of(j, proof->at[k].op);
        const AtlasPlanWindow *w = plan_window_of(j->windows, at);
        const AtlasPlanWindow *other =
            plan_window_of(j->windows, origin_of(j, proof->at[1 - k].op));
        if (w && w != other && !is_host(j, proof->at[1 - k].op) && keeps_order(j, w, at))
            block_order(j, w, property, proof->why);
        else if (w)
            block(j, (AtlasPlanBlock){.op = at,
                                      .property = property,
                                      .buffer = proof->buffer,
                                      .step = (gint64)proof->at[k].step,
                                      .why = g_strdup(proof->why),
                                      .mend = g_strdup(mend)});
    }
    if (j->judged->blocks->len == 0)
        block_all_order(j, property, proof->why);
    if (j->judged->blocks->len == 0)
        leave_open(j, g_strdup_printf("the plan races outside of its graphs: %s", proof->why));
}

static void judge_looks(const Judge *j) {
    AtlasReplayLook look;
    if (!atlas_replay_looks_early(j->tree->program, j->planned, &look))
        return;
    guint op = origin_of(j, look.op);
    if (plan_window_of(j->windows, op))
        block(j,
              (AtlasPlanBlock){op, ATLAS_EQUAL_SEEN, look.buffer, look.step,
                               atlas_replay_look_why(&look), g_strdup(ATLAS_REPLAY_LOOK_MEND), 0});
    else
        leave_open(j, atlas_replay_look_why(&look));
}

static void judge_schedules(const Judge *j) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(j->planned, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    const AtlasProof *legal = atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL);
    if (legal->verdict == ATLAS_PROOF_REFUTED)
        fails(j, legal->at[0].op, legal->why, FALSE);
    else if (j->given)
        leave_open(j, g_strdup(j->given));
    else if (race->verdict == ATLAS_PROOF_REFUTED)
        races(j, race);
    else if (race->verdict == ATLAS_PROOF_HOLDS)
        judge_looks(j);
    for (guint k = 0; k < 2; k++) {
        const AtlasProof *p = k ? race : legal;
        if (p->verdict == ATLAS_PROOF_UNDECIDED || p->verdict == ATLAS_PROOF_NOT_MODELLED)
            leave_open(j, g_strdup_printf("%s: %s", atlas_property_name(p->property), p->why));
    }
}

static gboolean judge(const Judge *j) {
    PlanJudged *judged = j->judged;
    if (!judge_calls(j))
        return FALSE;
    if (judged->blocks->len > 0)
        return TRUE;
    if (!judge_reads(j))
        return FALSE;
    if (judged->blocks->len == 0)
        judge_schedules(j);
    if (judged->blocks->len == 0 && !judged->proof)
        judged->proof = g_strdup_printf(
            "every call succeeds and nothing races, in all schedules (vector clocks, exact); "
            "%" G_GINT64_FORMAT " reads over %" G_GINT64_FORMAT
            " steps see the writers that they see eagerly, and what memory holds repeats, so that "
            "this stands for every number of steps",
            judged->reads, judged->steps);
    return TRUE;
}

gboolean plan_judge(const PlanTree *tree, const GArray *windows, const AtlasProgram *planned,
                    const GArray *origin, const char *given, PlanJudged *judged,
                    AtlasDiags *diags) {
    *judged = (PlanJudged){.blocks = g_array_new(FALSE, FALSE, sizeof(AtlasPlanBlock))};
    g_array_set_clear_func(judged->blocks, plan_block_clear);
    g_autoptr(GHashTable) blocked = g_hash_table_new_full(block_hash, block_equal, g_free, NULL);
    g_autoptr(GHashTable) fresh = g_hash_table_new(NULL, NULL);
    Judge j = {tree, windows, planned, origin, given, judged, blocked, fresh, diags};
    return judge(&j);
}
