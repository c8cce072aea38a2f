/* Whether a planned program is legal and replay-equivalent, and if not, which ops are to blame. */
#include "graphs/plan_part.h"
#include "graphs/replay_verdict.h"
#include "model/machine/explain.h"
#include "model/machine/run.h"
#include "sim/reads_from.h"

typedef struct {
    const PlanTree *tree;
    const GArray *windows;
    const AtlasProgram *planned;
    const GArray *origin;
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

/* ---- legality ---- */

/* A wait that goes beyond a window's end: the window cannot hold the waits, or the records. */
static void block_events(const Judge *j, const AtlasPlanWindow *w, const char *why) {
    for (guint i = w->first; i <= w->last; i++) {
        AtlasOpKind kind = plan_op(j->tree->program, i)->kind;
        if (kind == ATLAS_OP_WAIT || kind == ATLAS_OP_RECORD)
            block(j, (AtlasPlanBlock){.op = i,
                                      .step = -1,
                                      .why = g_strdup(why),
                                      .mend = g_strdup("let the window hold the fork and the join "
                                                       "of every stream that it goes to")});
    }
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

static void fails(const Judge *j, guint op, const char *why, gboolean launch) {
    guint eager = origin_of(j, op);
    const AtlasPlanWindow *w = plan_window_of(j->windows, eager);
    const AtlasOp *at = plan_op(j->planned, op);
    if (w && has_events(j, w)) {
        block_events(j, w, why);
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
}

static char *failure(const Judge *j, guint op, const AtlasAnswer *answer) {
    GString *why = g_string_new(NULL);
    if (!atlas_explain(j->planned, op, answer, why))
        g_string_printf(why, "%s answers %s", atlas_op_call(plan_op(j->planned, op)->kind),
                        atlas_result_name(answer->code) ? atlas_result_name(answer->code) : "");
    return g_string_free(why, FALSE);
}

/* The first call of each window that fails. FALSE with errors where the machine cannot run it. */
static gboolean judge_calls(const Judge *j) {
    g_autoptr(AtlasOutcome) outcome = atlas_run(j->planned, 2, j->diags);
    g_autoptr(GHashTable) failed = g_hash_table_new(NULL, NULL);
    if (!outcome)
        return FALSE;
    for (guint i = 0; i < j->planned->ops->len; i++) {
        const AtlasAnswer *answer = atlas_outcome_get(outcome, i);
        if (!atlas_answer_failed(answer))
            continue;
        guint eager = origin_of(j, i);
        const AtlasPlanWindow *w = plan_window_of(j->windows, eager);
        if (w && !g_hash_table_add(failed, (gpointer)w))
            continue;
        g_autofree char *why = failure(j, i, answer);
        fails(j, i, why, plan_op(j->planned, i)->kind == ATLAS_OP_GRAPH_LAUNCH);
    }
    return TRUE;
}

/* ---- equivalence ---- */

/* What moves a buffer to new memory is why its address changes. */
static void block_fresh(const Judge *j, const char *buffer, gint64 step) {
    if (!g_hash_table_add(j->fresh, (gpointer)buffer))
        return;
    for (guint i = j->tree->step + 1; i < j->tree->step_end; i++) {
        const AtlasOp *op = plan_op(j->tree->program, i);
        for (guint k = 0; op->fresh && k < op->fresh->len; k++)
            if (g_array_index(op->fresh, AtlasAccess, k).buffer == buffer)
                block(j, (AtlasPlanBlock){
                             i, ATLAS_EQUAL_ADDRESS, buffer, step,
                             g_strdup_printf("%s writes %s to new memory: a graph goes on with "
                                             "the address that it was captured with",
                                             op->operands[1], buffer),
                             g_strdup("write it in place"), ATLAS_WITH_IN_PLACE});
    }
}

static AtlasPlanWith toggle_of(const AtlasUnequal *u) {
    return u->property == ATLAS_EQUAL_ADDRESS  ? ATLAS_WITH_IN_PLACE
           : u->property == ATLAS_EQUAL_SCALAR ? ATLAS_WITH_DEVICE_SCALARS
                                               : 0;
}

static void unequal(const Judge *j, const AtlasUnequal *u) {
    guint op = u->missing ? u->op : origin_of(j, u->op);
    if (!plan_window_of(j->windows, op)) /* the reader is right: what it reads is not */
        op = u->writer == G_MAXUINT ? op : origin_of(j, u->writer);
    block(j, (AtlasPlanBlock){op, u->property, u->buffer, u->step, g_strdup(u->why),
                              g_strdup(atlas_equal_mend(u->property)), toggle_of(u)});
    if (u->property == ATLAS_EQUAL_ADDRESS)
        block_fresh(j, u->buffer, u->step);
}

static gboolean judge_reads(const Judge *j) {
    g_autoptr(AtlasReadsFrom) reads = atlas_reads_from(j->tree->program, j->planned, j->diags);
    if (!reads)
        return FALSE;
    j->judged->steps = reads->steps;
    j->judged->reads = reads->reads;
    for (guint i = 0; i < reads->unequal->len; i++)
        unequal(j, &g_array_index(reads->unequal, AtlasUnequal, i));
    if (!reads->settled && reads->unequal->len == 0) {
        j->judged->open = TRUE;
        j->judged->proof = g_strdup_printf("what memory holds does not settle within "
                                           "%" G_GINT64_FORMAT " steps",
                                           reads->steps);
    }
    return TRUE;
}

/* ---- races and interleavings ---- */

static void races(const Judge *j, const AtlasProof *proof) {
    guint at[2] = {origin_of(j, proof->at[0].op), origin_of(j, proof->at[1].op)};
    const AtlasPlanWindow *w[2];
    for (guint k = 0; k < 2; k++)
        w[k] = plan_window_of(j->windows, at[k]);
    guint property = atlas_replay_race(j->planned, proof);
    for (guint k = 0; k < 2; k++)
        if (w[k])
            block(j, (AtlasPlanBlock){.op = at[k],
                                      .property = property,
                                      .buffer = proof->buffer,
                                      .step = (gint64)proof->at[k].step,
                                      .why = g_strdup(proof->why),
                                      .mend = g_strdup(proof->mend
                                                           ? proof->mend
                                                           : "order both by an event, or launch "
                                                             "the graph on the other's stream")});
    if (!w[0] && !w[1]) {
        j->judged->open = TRUE;
        g_free(j->judged->proof);
        j->judged->proof = g_strdup_printf("the program races without graphs: %s", proof->why);
    }
}

static void judge_schedules(const Judge *j) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(j->planned, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    const AtlasProof *legal = atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL);
    if (legal->verdict == ATLAS_PROOF_REFUTED)
        fails(j, legal->at[0].op, legal->why, FALSE);
    else if (race->verdict == ATLAS_PROOF_REFUTED)
        races(j, race);
    for (guint k = 0; k < 2 && !j->judged->proof; k++) {
        const AtlasProof *p = k ? race : legal;
        if (p->verdict != ATLAS_PROOF_UNDECIDED && p->verdict != ATLAS_PROOF_NOT_MODELLED)
            continue;
        j->judged->open = TRUE;
        j->judged->proof = g_strdup_printf("%s: %s", atlas_property_name(p->property), p->why);
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
                    const GArray *origin, PlanJudged *judged, AtlasDiags *diags) {
    *judged = (PlanJudged){.blocks = g_array_new(FALSE, FALSE, sizeof(AtlasPlanBlock))};
    g_array_set_clear_func(judged->blocks, plan_block_clear);
    g_autoptr(GHashTable) blocked = g_hash_table_new_full(block_hash, block_equal, g_free, NULL);
    g_autoptr(GHashTable) fresh = g_hash_table_new(NULL, NULL);
    Judge j = {tree, windows, planned, origin, judged, blocked, fresh, diags};
    return judge(&j);
}
