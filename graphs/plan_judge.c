/* Whether a planned program is legal and replay-equivalent. */
#include "graphs/plan_blame.h"
#include "graphs/replay_look.h"
#include "graphs/replay_verdict.h"
#include "model/machine/explain.h"
#include "model/machine/run.h"
#include "sim/reads_from.h"

void plan_block_clear(gpointer data) {
    AtlasPlanBlock *block = data;
    g_free(block->why);
    g_free(block->mend);
}

void plan_judged_clear(PlanJudged *judged) {
    g_array_unref(judged->blocks);
    g_free(judged->proof);
}

static guint block_hash(gconstpointer key) {
    const AtlasPlanBlock *b = key;
    return (b->op * 16 + b->property) * 31 + g_direct_hash(b->buffer);
}

static gboolean block_equal(gconstpointer a, gconstpointer b) {
    const AtlasPlanBlock *x = a, *y = b;
    return x->op == y->op && x->property == y->property && x->buffer == y->buffer;
}

/* ---- legality ---- */

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
        const AtlasPlanWindow *w = plan_window_of(j->windows, judge_origin_of(j, i));
        if (!w)
            outside = MIN(outside, i);
        if (!w || !g_hash_table_add(failed, (gpointer)w))
            continue;
        g_autofree char *why = failure(j, i, answer);
        judge_fails(j, i, why, plan_op(j->planned, i)->kind == ATLAS_OP_GRAPH_LAUNCH);
    }
    if (j->judged->blocks->len == 0 && outside != G_MAXUINT) {
        g_autofree char *why = failure(j, outside, atlas_outcome_get(outcome, outside));
        judge_fails(j, outside, why, FALSE);
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
            judge_block(j, (AtlasPlanBlock){
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
    guint reader = u->missing ? u->op : judge_origin_of(j, u->op);
    guint writer = u->writer == G_MAXUINT ? G_MAXUINT : judge_origin_of(j, u->writer);
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
    judge_block(j, one);
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
        judge_leave_open(
            j,
            g_strdup_printf("what memory holds does not settle within %" G_GINT64_FORMAT " steps",
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
    return judge_has_events(j, w) && op->operands[plan_stream_operand(op->kind)] ==
                                         first->operands[plan_stream_operand(first->kind)];
}

/* The given program has no race: where neither access is in a window, what the order between them
 * went through is. */
static void races(const Judge *j, const AtlasProof *proof) {
    guint property = atlas_replay_race(j->planned, proof);
    g_autofree char *mend = atlas_replay_race_mend(j->planned, proof);
    for (guint k = 0; k < 2; k++) {
        guint at = judge_origin_of(j, proof->at[k].op);
        const AtlasPlanWindow *w = plan_window_of(j->windows, at);
        const AtlasPlanWindow *other =
            plan_window_of(j->windows, judge_origin_of(j, proof->at[1 - k].op));
        if (w && w != other && !is_host(j, proof->at[1 - k].op) && keeps_order(j, w, at))
            judge_block_order(j, w, property, proof->why);
        else if (w)
            judge_block(j, (AtlasPlanBlock){.op = at,
                                            .property = property,
                                            .buffer = proof->buffer,
                                            .step = (gint64)proof->at[k].step,
                                            .why = g_strdup(proof->why),
                                            .mend = g_strdup(mend)});
    }
    if (j->judged->blocks->len == 0)
        judge_block_all_order(j, property, proof->why);
    if (j->judged->blocks->len == 0)
        judge_leave_open(j,
                         g_strdup_printf("the plan races outside of its graphs: %s", proof->why));
}

static void judge_looks(const Judge *j) {
    AtlasReplayLook look;
    if (!atlas_replay_looks_early(j->tree->program, j->planned, &look))
        return;
    guint op = judge_origin_of(j, look.op);
    if (plan_window_of(j->windows, op))
        judge_block(j, (AtlasPlanBlock){op, ATLAS_EQUAL_SEEN, look.buffer, look.step,
                                        atlas_replay_look_why(&look),
                                        g_strdup(ATLAS_REPLAY_LOOK_MEND), 0});
    else
        judge_leave_open(j, atlas_replay_look_why(&look));
}

static void judge_schedules(const Judge *j) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(j->planned, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    const AtlasProof *legal = atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL);
    if (legal->verdict == ATLAS_PROOF_REFUTED)
        judge_fails(j, legal->at[0].op, legal->why, FALSE);
    else if (j->given)
        judge_leave_open(j, g_strdup(j->given));
    else if (race->verdict == ATLAS_PROOF_REFUTED)
        races(j, race);
    else if (race->verdict == ATLAS_PROOF_HOLDS)
        judge_looks(j);
    for (guint k = 0; k < 2; k++) {
        const AtlasProof *p = k ? race : legal;
        if (p->verdict == ATLAS_PROOF_UNDECIDED || p->verdict == ATLAS_PROOF_NOT_MODELLED)
            judge_leave_open(j,
                             g_strdup_printf("%s: %s", atlas_property_name(p->property), p->why));
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
