#include "graphs/replay_verdict.h"

#include "graphs/plan_part.h"
#include "graphs/replay_look.h"
#include "sim/flow.h"
#include "sim/reads_from.h"

static void fault(AtlasReplayVerdict *v, AtlasReplayFault one) {
    g_array_append_val(v->faults, one);
}

/* The first reason stands; takes over `why`. */
static void leave_open(AtlasReplayVerdict *v, char *why) {
    if (v->faults->len == 0 && !v->open)
        v->open = why;
    else
        g_free(why);
}

static void undecided(const AtlasProof *proof, AtlasReplayVerdict *v) {
    if (proof->verdict == ATLAS_PROOF_UNDECIDED || proof->verdict == ATLAS_PROOF_NOT_MODELLED)
        leave_open(v, g_strdup_printf("%s: %s", atlas_property_name(proof->property), proof->why));
}

char *atlas_replay_property(guint property) {
    return property ? g_strdup_printf("E%u", property) : g_strdup("legal");
}

/* ---- legality ---- */

static gboolean has_threads(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (plan_op(program, i)->thread > 1)
            return TRUE;
    return FALSE;
}

static gboolean allocates(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++)
        if (plan_op(program, i)->kind == ATLAS_OP_MALLOC_ASYNC)
            return TRUE;
    return FALSE;
}

static void judge_legal_eager(const AtlasProgram *eager, AtlasReplayVerdict *v) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(eager, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *legal = atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL);
    if (legal->verdict == ATLAS_PROOF_REFUTED)
        leave_open(v, g_strdup_printf("the eager program fails by itself: %s", legal->why));
    undecided(legal, v);
}

static void judge_legal(const AtlasProgram *planned, AtlasReplayVerdict *v) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(planned, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *legal = atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL);
    undecided(legal, v);
    if (legal->verdict != ATLAS_PROOF_REFUTED)
        return;
    AtlasOpKind kind = plan_op(planned, legal->at[0].op)->kind;
    gboolean alloc = kind == ATLAS_OP_GRAPH_LAUNCH && allocates(planned);
    gboolean update = kind == ATLAS_OP_UPDATE, threads = has_threads(planned);
    fault(v, (AtlasReplayFault){
                 .property = alloc     ? 10
                             : update  ? 11
                             : threads ? 14
                                       : 0,
                 .op = legal->at[0].op,
                 .step = (gint64)legal->at[0].step,
                 .why = g_strdup(legal->why),
                 .mend = g_strdup(
                     alloc    ? "free in the graph what it allocates, or instantiate it with "
                                "instantiate_autofree"
                     : update ? "instantiate the new graph instead"
                     : threads
                         ? "keep the other thread's call out of the capture, or give that thread "
                           "another capture mode"
                         : "leave the call out of the window")});
}

/* ---- reads ---- */

static gboolean judge_reads(const AtlasProgram *eager, const AtlasProgram *planned,
                            AtlasReplayVerdict *v, AtlasDiags *diags) {
    g_autoptr(AtlasReadsFrom) reads = atlas_reads_from(eager, planned, diags);
    if (!reads)
        return FALSE;
    v->steps = reads->steps;
    v->reads = reads->reads;
    for (guint i = 0; i < reads->unequal->len; i++) {
        const AtlasUnequal *u = &g_array_index(reads->unequal, AtlasUnequal, i);
        fault(v, (AtlasReplayFault){u->property, u->op, u->missing, u->buffer, u->step,
                                    g_strdup(u->why), g_strdup(atlas_equal_mend(u->property))});
    }
    if (!reads->settled && reads->unequal->len == 0)
        leave_open(v, g_strdup_printf("what memory holds does not settle within %" G_GINT64_FORMAT
                                      " steps",
                                      reads->steps));
    return TRUE;
}

/* ---- races ---- */

/* The `begin` of the capture that holds an op; G_MAXUINT: none does. */
static guint capture_of(const AtlasProgram *program, guint op) {
    guint begin = G_MAXUINT;
    for (guint i = 0; i < op; i++) {
        if (plan_op(program, i)->kind == ATLAS_OP_BEGIN)
            begin = i;
        if (plan_op(program, i)->kind == ATLAS_OP_END_CAPTURE)
            begin = G_MAXUINT;
    }
    return begin;
}

static gboolean is_host_action(AtlasOpKind kind) {
    return kind == ATLAS_OP_HOST_READ || kind == ATLAS_OP_HOST_WRITE || kind == ATLAS_OP_HOST_SET;
}

guint atlas_replay_race(const AtlasProgram *planned, const AtlasProof *race) {
    guint in[2] = {capture_of(planned, race->at[0].op), capture_of(planned, race->at[1].op)};
    for (guint k = 0; k < 2; k++)
        if (plan_op(planned, race->at[k].op)->kind == ATLAS_OP_HOST_READ)
            return 15;
    return in[0] == in[1]                                                                       ? 6
           : race->at[0].step == race->at[1].step && (in[0] == G_MAXUINT || in[1] == G_MAXUINT) ? 7
                                                                                                : 8;
}

char *atlas_replay_race_mend(const AtlasProgram *planned, const AtlasProof *race) {
    static const char *const mends[] = {
        [6] = "order both by an event; a side stream joins before what needs it",
        [7] = "launch the graph on the other's stream, or order both by an event",
        [8] = "let the next launch wait for what still uses the buffer",
    };
    for (guint k = 0; k < 2; k++) {
        AtlasOpKind kind = plan_op(planned, race->at[k].op)->kind;
        if (is_host_action(kind)) /* no event orders the host */
            return g_strdup_printf("let the host wait for the device before %s, or leave the "
                                   "other out of the window",
                                   atlas_op_word(kind));
    }
    return g_strdup(race->mend ? race->mend : mends[atlas_replay_race(planned, race)]);
}

/* What the eager program's own schedules leave open is open of the plan, too: a program that races
 * means nothing that a plan could be equivalent to. */
static void judge_races(const AtlasProgram *planned, const AtlasProof *eager,
                        const AtlasProof *race, AtlasReplayVerdict *v) {
    if (eager->verdict == ATLAS_PROOF_REFUTED)
        leave_open(v, g_strdup_printf("the eager program races by itself: %s", eager->why));
    else if (race->verdict == ATLAS_PROOF_REFUTED)
        fault(v, (AtlasReplayFault){atlas_replay_race(planned, race), race->at[0].op, FALSE,
                                    race->buffer, (gint64)race->at[0].step, g_strdup(race->why),
                                    atlas_replay_race_mend(planned, race)});
    undecided(eager, v);
    undecided(race, v);
}

/* Calls that order nothing and touch no buffer (proof/flow.h). */
static gboolean is_idle(AtlasOpKind kind) {
    switch (kind) {
    case ATLAS_OP_MODE:
    case ATLAS_OP_STATUS:
    case ATLAS_OP_QUERY_STREAM:
    case ATLAS_OP_QUERY_EVENT:
    case ATLAS_OP_MALLOC:
    case ATLAS_OP_HOST_ALLOC:
    case ATLAS_OP_MODULE_LOAD:
    case ATLAS_OP_EVENT_CREATE:
    case ATLAS_OP_STREAM_CREATE:
    case ATLAS_OP_MEM_INFO:
        return TRUE;
    default:
        return FALSE;
    }
}

/* The program without what other host threads do that takes no part in any race, so that the rest
 * may be one thread's; `kept` becomes the op that each of its ops is. */
static AtlasProgram *without_idle_threads(const AtlasProgram *program, GArray *kept) {
    AtlasProgram *rest = g_new(AtlasProgram, 1);
    *rest = *program;
    rest->ops = g_array_new(FALSE, FALSE, sizeof(AtlasOp));
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        if (op->thread > 1 && is_idle(op->kind))
            continue;
        g_array_append_vals(rest->ops, op, 1);
        g_array_append_val(kept, i);
    }
    return rest;
}

/* The caller frees what it returns, and `kept`. */
static AtlasProofs *prove_without_idle(const AtlasProgram *program, AtlasProgram **rest,
                                       GArray **kept) {
    *kept = g_array_new(FALSE, FALSE, sizeof(guint));
    *rest = without_idle_threads(program, *kept);
    return atlas_prove(*rest, &(AtlasProveOptions){.brief = TRUE});
}

static void rest_free(AtlasProgram *rest) {
    g_array_unref(rest->ops);
    g_free(rest);
}

static void judge_looks(const AtlasProgram *eager, const AtlasProgram *planned,
                        AtlasReplayVerdict *v) {
    AtlasReplayLook look;
    if (!v->open && v->faults->len == 0 && atlas_replay_looks_early(eager, planned, &look))
        fault(v,
              (AtlasReplayFault){ATLAS_EQUAL_SEEN, look.op, FALSE, look.buffer, look.step,
                                 atlas_replay_look_why(&look), g_strdup(ATLAS_REPLAY_LOOK_MEND)});
}

static void prove_races(const AtlasProgram *eager, const AtlasProgram *planned,
                        AtlasReplayVerdict *v) {
    const AtlasProgram *const of[2] = {eager, planned};
    AtlasProgram *rest[2];
    GArray *kept[2];
    AtlasProofs *proofs[2];
    for (guint k = 0; k < 2; k++)
        proofs[k] = prove_without_idle(of[k], &rest[k], &kept[k]);
    judge_races(rest[1], atlas_proofs_find(proofs[0], ATLAS_PROPERTY_RACE),
                atlas_proofs_find(proofs[1], ATLAS_PROPERTY_RACE), v);
    if (v->faults->len > 0) {
        AtlasReplayFault *fault = &g_array_index(v->faults, AtlasReplayFault, 0);
        fault->op = g_array_index(kept[1], guint, fault->op);
    }
    judge_looks(eager, planned, v);
    for (guint k = 0; k < 2; k++) {
        atlas_proofs_free(proofs[k]);
        rest_free(rest[k]);
        g_array_unref(kept[k]);
    }
}

/* ---- growth ---- */

/* How often a period of steps performs each op: loops repeat, every: leaves steps out. */
static gint64 *times_of(const AtlasProgram *program) {
    gint64 period = atlas_flow_period(program), repeats = 0;
    gint64 *times = g_new0(gint64, program->ops->len + 1);
    g_autoptr(GArray) around = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        times[i] = repeats / op->every;
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_LOOP) {
            g_array_append_val(around, repeats);
            repeats = op->kind == ATLAS_OP_STEP ? period : repeats * plan_iterations(op);
        } else if (op->kind == ATLAS_OP_END_BLOCK) {
            repeats = g_array_index(around, gint64, around->len - 1);
            g_array_set_size(around, around->len - 1);
        }
    }
    return times;
}

static gboolean instantiates(AtlasOpKind kind) {
    return kind == ATLAS_OP_INSTANTIATE || kind == ATLAS_OP_INSTANTIATE_AUTOFREE;
}

/* Execs of a name that are made in a period beyond those that are destroyed. */
static void judge_growth(const AtlasProgram *planned, AtlasReplayVerdict *v) {
    g_autofree gint64 *times = times_of(planned);
    for (guint i = 0; i < planned->ops->len; i++) {
        const AtlasOp *op = plan_op(planned, i);
        gint64 made = 0;
        for (guint k = 0; instantiates(op->kind) && k < planned->ops->len; k++) {
            const AtlasOp *other = plan_op(planned, k);
            if (instantiates(other->kind) && other->operands[1] == op->operands[1])
                made += times[k];
            else if (other->kind == ATLAS_OP_DESTROY_EXEC && other->operands[0] == op->operands[1])
                made -= times[k];
        }
        if (times[i] > 0 && made > 0)
            fault(v, (AtlasReplayFault){
                         .property = 13,
                         .op = i,
                         .why = g_strdup_printf("%" G_GINT64_FORMAT " of %s stay behind in every "
                                                "%" G_GINT64_FORMAT " steps: there is no end of "
                                                "graphs",
                                                made, op->operands[1], atlas_flow_period(planned)),
                         .mend = g_strdup("instantiate a graph before the step for each key that "
                                          "there is, or destroy it in the step")});
    }
}

/* ---- all of it ---- */

static void fault_clear(gpointer data) {
    AtlasReplayFault *one = data;
    g_free(one->why);
    g_free(one->mend);
}

AtlasReplayVerdict *atlas_replay_verdict(const AtlasProgram *eager, const AtlasProgram *planned,
                                         AtlasDiags *diags) {
    g_autoptr(AtlasReplayVerdict) v = g_new0(AtlasReplayVerdict, 1);
    v->faults = g_array_new(FALSE, FALSE, sizeof(AtlasReplayFault));
    g_array_set_clear_func(v->faults, fault_clear);
    judge_legal(planned, v);
    if (v->faults->len == 0)
        judge_legal_eager(eager, v);
    if (v->faults->len == 0 && !judge_reads(eager, planned, v, diags))
        return NULL;
    if (v->faults->len == 0)
        judge_growth(planned, v);
    if (v->faults->len == 0)
        prove_races(eager, planned, v);
    return g_steal_pointer(&v);
}

void atlas_replay_verdict_free(AtlasReplayVerdict *v) {
    if (!v)
        return;
    g_array_unref(v->faults);
    g_free(v->open);
    g_free(v);
}
