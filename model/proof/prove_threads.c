#include "model/proof/prover.h"

#include "model/proof/interleave.h"
#include "model/proof/schedule.h"
#include "model/proof/thread_line.h"

/* Ops gone through in all interleavings that are visited; steps that are tried of one without end. */
enum { WORK_MAX = 500000, STEPS = 2 };

/* What is looked for in all interleavings. */
typedef struct {
    Prover *p;
    const Deal *deal;
    const AtlasScript *script;
    AtlasProof *race, *deadlock;
    guint64 visited;
    char *why; /* why one could not be walked, or NULL */
} Threads;

static const LineOrigin *origin_of(const ThreadLine *line, guint op) {
    return &g_array_index(line->origins, LineOrigin, op);
}

/* When an op of the program was performed: what the line's op is made of. */
static AtlasWhen when_of(const ThreadLine *line, const Flow *flow, guint at) {
    return origin_of(line, flow_op(flow, at)->op)->when;
}

/* ---- schedules ---- */

/* The line's schedule as one of threads: a mark that is complete is an op that its thread performs.
 * Owns the line's. */
static GArray *told_schedule(const ThreadLine *line, GArray *of_line) {
    GArray *told = g_array_new(FALSE, FALSE, sizeof(AtlasScheduleEvent));
    for (guint i = 0; of_line && i < of_line->len; i++) {
        AtlasScheduleEvent event = g_array_index(of_line, AtlasScheduleEvent, i);
        const LineOrigin *origin = origin_of(line, event.when.op);
        if (!event.complete || origin->when.op == ATLAS_PROOF_NO_OP)
            continue;
        event.when = origin->when;
        event.complete = !origin->mark;
        g_array_append_val(told, event);
    }
    if (of_line)
        g_array_unref(of_line);
    return told;
}

/* An access of the host is under way when its thread performs the op. */
static void add_host(GArray *schedule, const ThreadLine *line, const Flow *flow, guint at) {
    const LineOrigin *origin = origin_of(line, flow_op(flow, at)->op);
    AtlasScheduleEvent event = {FALSE, origin->when, 1};
    if (origin->mark)
        g_array_append_val(schedule, event);
}

/* ---- one interleaving ---- */

static void refute_race(Threads *t, const ThreadLine *line, const Flow *flow, const Race *race) {
    AtlasProof *proof = t->race;
    const FlowBuffer *buffer = flow_buffer(flow, race->cell);
    proof->verdict = ATLAS_PROOF_REFUTED;
    proof->ats = 2;
    for (int i = 0; i < 2; i++)
        proof->at[i] = when_of(line, flow, race->place[i].flow);
    proof->buffer = buffer->name;
    proof->why = g_strdup_printf("nothing puts one first: one %s '%s', the other %s it",
                                 race->write[0] ? "writes" : "reads", buffer->name,
                                 race->write[1] ? "writes" : "reads");
    if (t->p->brief)
        return;
    proof->schedule = told_schedule(line, schedule_race(flow, 0, 0, race));
    for (int i = 0; i < 2; i++)
        add_host(proof->schedule, line, flow, race->place[i].flow);
}

/* Whether some thread waits for the call of another only because this interleaving has it so: in
 * another one it goes on from here. */
static gboolean goes_on(const ThreadLine *line, const Engine *e) {
    for (guint c = 1; c < e->clocks.width; c++) {
        const ClockChain *chain = &e->clocks.chains[c];
        if (chain->done == chain->items->len)
            continue;
        guint at = clocks_item(&e->clocks, c, chain->done)->flow;
        if (origin_of(line, flow_op(e->flow, at)->op)->order)
            return TRUE;
    }
    return FALSE;
}

/* The first op of the program that waits for a flag now; ops that wait for that one do not count. */
static AtlasWhen waiting(const ThreadLine *line, const Engine *e) {
    AtlasWhen found = when_of(line, e->flow, e->at.flow);
    for (guint c = 1; c < e->clocks.width; c++) {
        const ClockChain *chain = &e->clocks.chains[c];
        if (chain->done == chain->items->len)
            continue;
        guint at = clocks_item(&e->clocks, c, chain->done)->flow;
        AtlasWhen when = when_of(line, e->flow, at);
        if (flow_op(e->flow, at)->awaits != FLOW_NONE && when.op < found.op)
            found = when;
    }
    return found;
}

static void refute_deadlock(Threads *t, const ThreadLine *line, const Engine *e) {
    AtlasProof *proof = t->deadlock;
    proof->verdict = ATLAS_PROOF_REFUTED;
    proof->ats = 1;
    proof->at[0] = waiting(line, e);
    proof->why = g_strdup("a thread or a stream waits for a flag that nothing sets any more");
    if (!t->p->brief)
        proof->schedule = told_schedule(line, schedule_stuck(e->flow, 0, 0));
}

static gboolean visit(gpointer user, const guint *threads, guint len) {
    Threads *t = user;
    g_autoptr(ThreadLine) line = thread_line_new(t->deal, t->script, threads, len);
    g_autoptr(Flow) flow = flow_new(&line->program);
    g_autoptr(Engine) e = engine_run(flow, 0, 0, ENGINE_RACES, NULL);
    const GArray *found = race_found(e->races);
    t->visited++;
    if (found->len > 0 && t->race->verdict == ATLAS_PROOF_HOLDS)
        refute_race(t, line, flow, &g_array_index(found, Race, 0));
    if (e->end == ENGINE_STUCK && t->deadlock->verdict == ATLAS_PROOF_HOLDS && !goes_on(line, e))
        refute_deadlock(t, line, e);
    if (e->end == ENGINE_DONE || e->end == ENGINE_STUCK)
        return t->race->verdict == ATLAS_PROOF_HOLDS || t->deadlock->verdict == ATLAS_PROOF_HOLDS;
    t->why = g_strdup(e->refusal ? e->refusal : "an interleaving that is too long");
    return FALSE;
}

/* ---- all ---- */

static AtlasProof *add(Prover *p, AtlasProperty property, const char *assumes) {
    AtlasProof *proof = prover_add(p, property, "none", g_strdup(assumes));
    g_free(proof->over);
    proof->over = g_strdup_printf("all interleavings of %u host threads, all schedules of their "
                                  "streams",
                                  p->flow->threads);
    return proof;
}

/* Settles a proof where not every interleaving was seen, and says how many were. */
static void settle(const Threads *t, AtlasProof *proof, gboolean all, gboolean endless) {
    g_free(proof->method);
    proof->method = t->visited == 1 ? g_strdup("vector clocks, exact: all interleavings are alike")
                                    : g_strdup_printf("vector clocks, exact: %" G_GUINT64_FORMAT
                                                      " different interleavings",
                                                      t->visited);
    if (proof->verdict == ATLAS_PROOF_REFUTED || (all && !endless))
        return;
    proof->verdict = t->why ? ATLAS_PROOF_NOT_MODELLED : ATLAS_PROOF_UNDECIDED;
    proof->why = g_strdup(t->why ? t->why
                          : all  ? "every interleaving of two steps was tried, not of more"
                                 : "too many interleavings of the host threads");
}

/* Back-pressure has no part in this: where that may matter, nothing is said. */
static void settle_depth(const Threads *t) {
    const char *why = "what several host threads do in a full queue";
    if (t->p->depth == 0)
        return;
    if (t->race->verdict == ATLAS_PROOF_REFUTED) {
        AtlasProof *at_depth = add(t->p, ATLAS_PROPERTY_RACE_AT_DEPTH, NULL);
        at_depth->verdict = ATLAS_PROOF_NOT_MODELLED;
        at_depth->why = g_strdup(why);
    }
    if (t->p->flow->flags > 0 && t->deadlock->verdict == ATLAS_PROOF_HOLDS) {
        t->deadlock->verdict = ATLAS_PROOF_NOT_MODELLED;
        t->deadlock->why = g_strdup(why);
    }
}

static const char *assumption(const Prover *p) {
    return atlas_proofs_find(p->proofs, ATLAS_PROPERTY_LEGAL)->verdict == ATLAS_PROOF_HOLDS
               ? "what happens inside one launch item, or inside a kernel, is not modelled"
               : "every call succeeds; what happens inside one launch item, or inside a kernel, is "
                 "not modelled";
}

void prove_threads(Prover *p) {
    Threads t = {.p = p};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasScript) script = atlas_script_new(p->program, diags);
    gboolean endless = p->flow->step != FLOW_NONE && p->steps == 0;
    g_autoptr(Deal) deal = deal_new(p->program, endless ? STEPS : MAX(p->steps, 1));
    gboolean all = FALSE;
    t.race = add(p, ATLAS_PROPERTY_RACE, assumption(p));
    t.deadlock = add(p, ATLAS_PROPERTY_DEADLOCK,
                     "no host thread ever waits for a place in a stream's queue");
    t.deal = deal;
    t.script = script;
    if (!script || !deal)
        t.why = g_strdup("too many host threads, or calls of one");
    else
        all = interleave(deal, WORK_MAX, visit, &t);
    settle(&t, t.race, all, endless);
    settle(&t, t.deadlock, all, endless);
    settle_depth(&t);
    prover_open_reads(p, ATLAS_PROOF_NOT_MODELLED,
                      "how far a counter lags that one of several host threads reads");
    g_free(t.why);
}
