#include "model/proof/prover.h"

#include "model/proof/legal.h"
#include "model/proof/mend.h"
#include "model/proof/schedule.h"

const char *atlas_property_name(AtlasProperty property) {
    static const char *const names[ATLAS_PROPERTIES] = {
        "legal", "race", "race at depth", "deadlock", "smear", "count", "window"};
    return names[property];
}

const char *atlas_proof_verdict_name(AtlasProofVerdict verdict) {
    static const char *const names[ATLAS_PROOF_VERDICTS] = {"holds", "refuted", "not decided",
                                                            "not modelled"};
    return names[verdict];
}

static void proof_free(gpointer data) {
    AtlasProof *proof = data;
    char *texts[] = {proof->over, proof->method, proof->assumes, proof->why, proof->mend};
    for (guint i = 0; i < G_N_ELEMENTS(texts); i++)
        g_free(texts[i]);
    if (proof->schedule)
        g_array_unref(proof->schedule);
    g_free(proof);
}

void atlas_proofs_free(AtlasProofs *proofs) {
    if (!proofs)
        return;
    g_ptr_array_unref(proofs->list);
    g_free(proofs);
}

guint atlas_proofs_count(const AtlasProofs *proofs) {
    return proofs->list->len;
}

const AtlasProof *atlas_proofs_get(const AtlasProofs *proofs, guint index) {
    return g_ptr_array_index(proofs->list, index);
}

const AtlasProof *atlas_proofs_find(const AtlasProofs *proofs, AtlasProperty property) {
    for (guint i = 0; i < proofs->list->len; i++)
        if (atlas_proofs_get(proofs, i)->property == property)
            return atlas_proofs_get(proofs, i);
    return NULL;
}

/* ---- texts ---- */

/* ", every number of steps", ", 3 steps", or nothing where there is no step. */
static char *steps_text(const Prover *p) {
    if (p->flow->step == FLOW_NONE)
        return g_strdup("");
    if (p->steps == 0)
        return g_strdup(", every number of steps");
    return g_strdup_printf(", %" G_GINT64_FORMAT " step%s", p->steps, p->steps == 1 ? "" : "s");
}

static char *over_text(const Prover *p) {
    guint streams = p->flow->streams->len - 1;
    g_autofree char *steps = steps_text(p);
    return g_strdup_printf("all schedules of %u stream%s%s", streams, streams == 1 ? "" : "s",
                           steps);
}

char *prover_depth(const Prover *p) {
    if (p->depth == 0)
        return g_strdup("the host never waits for a place in a stream's queue");
    return g_strdup_printf("a stream holds %" G_GINT64_FORMAT " %s; one is free when its work %s",
                           p->depth, p->flow->entries ? "entries" : "launches, copies and the like",
                           p->flow->slot_start ? "starts" : "ends");
}

AtlasProof *prover_add(Prover *p, AtlasProperty property, const char *method, char *assumes) {
    AtlasProof *proof = g_new0(AtlasProof, 1);
    proof->property = property;
    proof->op = ATLAS_PROOF_NO_OP;
    proof->over = over_text(p);
    proof->method = g_strdup(method);
    proof->assumes = assumes;
    g_ptr_array_add(p->proofs->list, proof);
    return proof;
}

void prover_open_reads(Prover *p, AtlasProofVerdict verdict, const char *why) {
    for (guint i = 0; i < p->program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(p->program->ops, AtlasOp, i);
        if (op->kind != ATLAS_OP_COUNTER_READ || !op->operands[0])
            continue;
        AtlasProof *proof = prover_add(p, ATLAS_PROPERTY_SMEAR, "none", NULL);
        proof->op = i;
        proof->verdict = verdict;
        proof->why = g_strdup(why);
    }
}

/* Settles a proof whose walk did not come to its end; FALSE where it did. */
static gboolean not_walked(const Engine *e, AtlasProof *proof) {
    if (e->end == ENGINE_LIMIT) {
        proof->verdict = ATLAS_PROOF_UNDECIDED;
        proof->why = g_strdup_printf("a walk of more than %u ops, or %u of streams", ENGINE_OPS_MAX,
                                     ENGINE_ITEMS_MAX);
    } else if (e->end == ENGINE_REFUSED || e->end == ENGINE_FAILED) {
        proof->verdict = ATLAS_PROOF_NOT_MODELLED;
        proof->why = g_strdup(e->refusal ? e->refusal : "a call fails");
    }
    return proof->why != NULL;
}

static const Engine *walk(const GPtrArray *walks, guint i) {
    return g_ptr_array_index(walks, i);
}

/* The number of steps that walk i was asked for. */
static gint64 steps_of(const Prover *p, guint i) {
    return i == 0 ? p->steps : (gint64)i;
}

/* ---- races ---- */

static void refute_race(const Prover *p, AtlasProof *proof, gint64 depth, gint64 steps,
                        const GArray *found) {
    const Race *race = &g_array_index(found, Race, 0);
    const FlowBuffer *buffer = flow_buffer(p->flow, race->cell);
    proof->verdict = ATLAS_PROOF_REFUTED;
    proof->ats = 2;
    proof->at[0] = schedule_when(p->flow, race->place[0]);
    proof->at[1] = schedule_when(p->flow, race->place[1]);
    proof->buffer = buffer->name;
    proof->others = found->len - 1;
    proof->why = g_strdup_printf("nothing puts one first: one %s '%s', the other %s it",
                                 race->write[0] ? "writes" : "reads", buffer->name,
                                 race->write[1] ? "writes" : "reads");
    if (p->brief)
        return;
    proof->schedule = schedule_race(p->flow, depth, steps, race);
    proof->mend = mend_races(p->program, p->depth, steps, p->flow, race);
}

/* Whether it is refuted. */
static gboolean prove_race(Prover *p, AtlasProperty property, const GPtrArray *walks,
                           gint64 depth) {
    gboolean deep = property == ATLAS_PROPERTY_RACE_AT_DEPTH;
    AtlasProof *proof = prover_add(p, property, "vector clocks, exact",
                                   deep ? prover_depth(p)
                                        : g_strdup("what happens inside one launch item, "
                                                   "or inside a kernel, is not modelled"));
    for (guint i = 0; i < walks->len && proof->verdict == ATLAS_PROOF_HOLDS; i++) {
        const GArray *found = race_found(walk(walks, i)->races);
        if (found->len > 0)
            refute_race(p, proof, depth, steps_of(p, i), found);
        else
            not_walked(walk(walks, i), proof);
    }
    return proof->verdict == ATLAS_PROOF_REFUTED;
}

/* ---- deadlock ---- */

/* What never comes: the item that the one that is stuck waits for, followed to its root. */
static guint find_root(const Engine *e) {
    const Clocks *k = &e->clocks;
    guint chain = e->stuck.stuck ? e->stuck.chain : e->stuck_chain, flag = FLOW_NONE;
    if (e->stuck.stuck && e->stuck.chain == FLOW_NONE)
        return FLOW_NONE;
    for (guint turns = 0; turns <= k->width; turns++) {
        const ClockItem *item = clocks_item(k, chain, k->chains[chain].done);
        guint next = FLOW_NONE;
        flag = flow_op(e->flow, item->flow)->awaits;
        if (flag != FLOW_NONE)
            return item->flow;
        for (guint i = 0; i < item->needs_len && next == FLOW_NONE; i++) {
            const ClockNeed *need = &g_array_index(k->needs, ClockNeed, item->needs + i);
            next = k->chains[need->chain].done < need->items ? need->chain : FLOW_NONE;
        }
        if (next == FLOW_NONE)
            return item->flow;
        chain = next;
    }
    return clocks_item(k, chain, k->chains[chain].done)->flow;
}

static void prove_deadlock(Prover *p) {
    AtlasProof *proof = prover_add(p, ATLAS_PROPERTY_DEADLOCK,
                                   "one schedule stands for all: a marked graph", prover_depth(p));
    for (guint i = 0; i < p->deep->len && proof->verdict == ATLAS_PROOF_HOLDS; i++) {
        const Engine *e = walk(p->deep, i);
        if (e->end != ENGINE_STUCK) {
            /* Without flags nothing waits for what comes later, however long the program is. */
            if (e->end != ENGINE_LIMIT || p->flow->flags > 0)
                not_walked(e, proof);
            continue;
        }
        guint root = find_root(e);
        proof->verdict = ATLAS_PROOF_REFUTED;
        proof->ats = 2;
        proof->at[0] = schedule_when(p->flow, e->at);
        proof->at[1] = root == FLOW_NONE ? (AtlasWhen){ATLAS_PROOF_NO_OP, 0, 0}
                                         : (AtlasWhen){flow_op(p->flow, root)->op, e->at.step, 0};
        proof->why = g_strdup(e->stuck_chain == FLOW_HOST_CHAIN
                                  ? "the host waits for what never comes"
                                  : "a stream waits for a flag that nothing sets any more");
        if (p->brief)
            return;
        proof->schedule = schedule_stuck(p->flow, p->depth, steps_of(p, i));
        proof->mend = mend_stuck(p->flow, p->depth, steps_of(p, i));
    }
}

/* ---- readings ---- */

/* Takes what another walk found about a reading into the first's. */
static void join_reading(Reading *into, const Reading *other) {
    if (other->most > into->most)
        into->at = other->at;
    into->least = MIN(into->least, other->least);
    into->fewest = MIN(into->fewest, other->fewest);
    into->most = MAX(into->most, other->most);
    into->greatest = MAX(into->greatest, other->greatest);
    for (int i = 0; i < 4; i++)
        into->grows[i] |= other->grows[i];
}

/* The readings of all walks, in the order of their first performance in the longest. */
static GArray *join_readings(const Prover *p) {
    const GArray *first = walk(p->deep, 0)->smear.readings;
    GArray *all = g_array_new(FALSE, FALSE, sizeof(Reading));
    g_array_append_vals(all, first->data, first->len);
    for (guint i = 0; i < all->len; i++) {
        Reading *into = &g_array_index(all, Reading, i);
        for (guint j = 1; j < p->deep->len; j++) {
            const GArray *others = walk(p->deep, j)->smear.readings;
            for (guint n = 0; n < others->len; n++)
                if (g_array_index(others, Reading, n).flow == into->flow)
                    join_reading(into, &g_array_index(others, Reading, n));
        }
    }
    return all;
}

static void refute_read(const Prover *p, AtlasProof *proof, RacePlace at, const char *why) {
    proof->verdict = ATLAS_PROOF_REFUTED;
    proof->ats = 1;
    proof->at[0] = schedule_when(p->flow, at);
    proof->why = g_strdup(why);
    if (p->brief)
        return;
    proof->schedule = schedule_read(p->flow, p->depth, p->steps, at);
    proof->mend = mend_read(p->program, p->depth, p->steps, proof->at[0].op);
}

static void prove_reading(Prover *p, const Reading *r) {
    gboolean exact = r->flow != FLOW_NONE && flow_op(p->flow, r->flow)->exact;
    guint op = r->flow == FLOW_NONE ? ATLAS_PROOF_NO_OP : flow_op(p->flow, r->flow)->op;
    AtlasProof *proof =
        prover_add(p, ATLAS_PROPERTY_SMEAR, "clock sums, attained", prover_depth(p));
    proof->op = op;
    proof->least = r->least;
    proof->most = r->grows[1] ? -1 : r->most;
    if (exact && proof->most != 0)
        refute_read(p, proof, r->at, PROVE_LAGS);
    AtlasProof *count =
        prover_add(p, ATLAS_PROPERTY_COUNT, "clock sums, attained", prover_depth(p));
    count->op = op;
    count->stage = r->stage == FLOW_NONE ? NULL : g_ptr_array_index(p->flow->stages, r->stage);
    count->least = r->fewest;
    count->most = r->grows[3] ? -1 : r->greatest;
}

/* The window's ends: of a step, its first read in every step; else the first and the last read. */
static void prove_window(Prover *p, const GArray *readings) {
    AtlasProof *proof = prover_add(p, ATLAS_PROPERTY_WINDOW,
                                   "both ends read the same in every schedule", prover_depth(p));
    const Reading *ends[2] = {&g_array_index(readings, Reading, 0),
                              &g_array_index(readings, Reading, readings->len - 1)};
    for (guint i = 0; i < readings->len && p->flow->step != FLOW_NONE; i++) {
        const Reading *r = &g_array_index(readings, Reading, i);
        guint end = flow_op(p->flow, p->flow->step)->partner;
        if (r->flow > p->flow->step && r->flow < end) {
            ends[0] = ends[1] = r;
            break;
        }
    }
    guint inexact = 0;
    for (int i = 0; i < 2; i++) {
        proof->most += ends[i]->most - ends[i]->least;
        if (ends[i]->most == ends[i]->least)
            continue;
        if (inexact++ == 0)
            refute_read(p, proof, ends[i]->at,
                        i == 0 ? "how far its first read lags depends on the schedule"
                               : "how far its last read lags depends on the schedule");
    }
    if (inexact == 2 && ends[0] != ends[1])
        g_clear_pointer(&proof->mend, g_free); /* it is that of one end */
}

static void prove_readings(Prover *p) {
    const Engine *first = walk(p->deep, 0);
    if (first->end != ENGINE_DONE)
        prover_open_reads(p, ATLAS_PROOF_UNDECIDED,
                          "a walk that does not come to the program's end");
    if (first->end != ENGINE_DONE || first->smear.readings->len == 0)
        return;
    g_autoptr(GArray) readings = join_readings(p);
    for (guint i = 0; i < readings->len; i++)
        prove_reading(p, &g_array_index(readings, Reading, i));
    if (readings->len > 1 || p->flow->step != FLOW_NONE)
        prove_window(p, readings);
}

/* ---- all ---- */

/* Over all interleavings of several host threads. */
static AtlasProof *prove_legal_threads(Prover *p, const Legal *legal) {
    g_autofree char *steps = steps_text(p);
    g_autofree char *method =
        g_strdup_printf("search of interleavings, but for the order of calls that commute, on the "
                        "simulated driver: %" G_GUINT64_FORMAT " state%s",
                        legal->states, legal->states == 1 ? "" : "s");
    AtlasProof *proof = prover_add(p, ATLAS_PROPERTY_LEGAL, method, NULL);
    g_free(proof->over);
    proof->over =
        g_strdup_printf("all interleavings of %u host threads%s", p->flow->threads, steps);
    return proof;
}

static gboolean prove_legal(Prover *p) {
    gboolean several = p->flow->threads > 1;
    Legal legal = several ? legal_search(p->flow, (LegalOptions){.steps = p->steps})
                          : legal_run(p->flow, p->steps);
    AtlasProof *proof =
        several ? prove_legal_threads(p, &legal)
                : prover_add(p, ATLAS_PROPERTY_LEGAL,
                             "runs on the simulated driver, until its state comes again", NULL);
    proof->why = g_steal_pointer(&legal.why);
    proof->schedule = g_steal_pointer(&legal.schedule);
    proof->longer = legal.longer;
    if (legal.verdict == LEGAL_UNKNOWN)
        proof->verdict = ATLAS_PROOF_UNDECIDED;
    if (legal.verdict == LEGAL_NO) {
        proof->verdict = ATLAS_PROOF_REFUTED;
        proof->ats = 1;
        proof->at[0] = (AtlasWhen){legal.op, 0, 0};
    }
    gboolean good = legal.verdict != LEGAL_NO;
    legal_clear(&legal);
    return good;
}

static void engine_destroy(gpointer engine) {
    engine_free(engine);
}

/* All walks at a depth. */
static GPtrArray *walk_all(const Prover *p, gint64 depth, guint find) {
    GPtrArray *walks = g_ptr_array_new_with_free_func(engine_destroy);
    g_ptr_array_add(walks, engine_run(p->flow, depth, p->steps, find, NULL));
    if (p->flow->step == FLOW_NONE || p->steps > 0 ||
        flow_op(p->flow, p->flow->step)->partner + 1 == p->flow->ops->len)
        return walks;
    for (guint64 n = 1; n < walk(walks, 0)->steps; n++)
        g_ptr_array_add(walks, engine_run(p->flow, depth, (gint64)n, find, NULL));
    return walks;
}

static void prove_rest(Prover *p) {
    GPtrArray *plain = walk_all(p, 0, ENGINE_RACES);
    gboolean raced = prove_race(p, ATLAS_PROPERTY_RACE, plain, 0);
    gboolean at_depth = raced && p->depth > 0;
    p->deep = walk_all(p, p->depth, at_depth ? ENGINE_ALL : ENGINE_READINGS);
    if (at_depth)
        prove_race(p, ATLAS_PROPERTY_RACE_AT_DEPTH, p->deep, p->depth);
    prove_deadlock(p);
    prove_readings(p);
    g_ptr_array_unref(plain);
    g_ptr_array_unref(p->deep);
}

static void give_up(Prover *p) {
    static const AtlasProperty rest[] = {ATLAS_PROPERTY_RACE, ATLAS_PROPERTY_DEADLOCK};
    static const char why[] = "a call fails, and the program does not say what is done then";
    for (guint i = 0; i < G_N_ELEMENTS(rest); i++) {
        AtlasProof *proof = prover_add(p, rest[i], "none", NULL);
        proof->verdict = ATLAS_PROOF_NOT_MODELLED;
        proof->why = g_strdup(why);
    }
    prover_open_reads(p, ATLAS_PROOF_NOT_MODELLED, why);
}

AtlasProofs *atlas_prove(const AtlasProgram *program, const AtlasProveOptions *options) {
    AtlasProveOptions none = {0};
    const AtlasProveOptions *o = options ? options : &none;
    Prover p = {.program = program, .flow = flow_new(program), .proofs = g_new0(AtlasProofs, 1)};
    p.proofs->list = g_ptr_array_new_with_free_func(proof_free);
    p.depth = p.flow->depth ? p.flow->depth : o->depth;
    p.steps = o->steps;
    p.brief = o->brief;
    if (!prove_legal(&p))
        give_up(&p);
    else if (p.flow->threads > 1)
        prove_threads(&p);
    else if (p.flow->refused_flag && p.flow->step == FLOW_NONE)
        prove_by_search(&p);
    else
        prove_rest(&p);
    flow_free(p.flow);
    return p.proofs;
}
