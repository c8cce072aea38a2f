#include "model/proof/prover.h"
#include "model/proof/search_path.h"

static SearchResult *search(const Prover *p, gint64 depth) {
    SearchOptions options = {
        .depth = depth, .counts = depth > 0, .symmetry = TRUE, .max_states = PROVE_STATES_MAX};
    return search_run(p->program, &options);
}

/* Settles what a search that did not see all states leaves open. */
static void settle(AtlasProof *proof, const SearchResult *s) {
    if (s->end == SEARCH_DONE || proof->verdict == ATLAS_PROOF_REFUTED)
        return;
    proof->verdict = s->end == SEARCH_TOO_LARGE ? ATLAS_PROOF_UNDECIDED : ATLAS_PROOF_NOT_MODELLED;
    proof->why = g_strdup(s->why);
}

static AtlasProof *add(Prover *p, AtlasProperty property, char *assumes, const SearchResult *s) {
    g_autofree char *method =
        g_strdup_printf("search of all states: %" G_GUINT64_FORMAT, s->states);
    return prover_add(p, property, method, assumes);
}

/* Gives a refuted proof the schedule that leads there, and what it then shows. */
static void add_schedule(const Prover *p, AtlasProof *proof, gint64 depth, SearchGoal goal) {
    if (p->brief)
        return;
    SearchPath path = search_path(p->program, depth, PROVE_STATES_MAX, &goal);
    proof->schedule = path.schedule;
    if (!path.schedule)
        return;
    proof->ats = path.ats;
    for (guint i = 0; i < path.ats; i++)
        proof->at[i] = path.at[i];
}

static void prove_race(Prover *p, AtlasProperty property, gint64 depth, const SearchResult *s) {
    AtlasProof *proof = add(p, property, NULL, s);
    if (s->race) {
        const SearchRace *race = &g_array_index(s->races, SearchRace, 0);
        proof->verdict = ATLAS_PROOF_REFUTED;
        proof->ats = 2;
        proof->at[0].op = race->ops[0];
        proof->at[1].op = race->ops[1];
        proof->why = g_strdup("both are under way at once in some state");
        add_schedule(p, proof, depth, (SearchGoal){.shows = SEARCH_SHOWS_RACE});
    }
    settle(proof, s);
}

static void prove_deadlock(Prover *p, const SearchResult *s) {
    AtlasProof *proof = add(p, ATLAS_PROPERTY_DEADLOCK, prover_depth(p), s);
    if (s->deadlock) {
        proof->verdict = ATLAS_PROOF_REFUTED;
        proof->why = g_strdup("in some state nothing can go on");
        add_schedule(p, proof, p->depth, (SearchGoal){.shows = SEARCH_SHOWS_DEADLOCK});
    }
    settle(proof, s);
}

static gboolean is_exact(const AtlasProgram *program, guint op) {
    const AtlasOp *read =
        op == ATLAS_PROOF_NO_OP ? NULL : &g_array_index(program->ops, AtlasOp, op);
    return read && read->kind == ATLAS_OP_COUNTER_READ && read->operands[0];
}

static void prove_readings(Prover *p, const SearchResult *s) {
    if (s->end != SEARCH_DONE)
        prover_open_reads(
            p, s->end == SEARCH_TOO_LARGE ? ATLAS_PROOF_UNDECIDED : ATLAS_PROOF_NOT_MODELLED,
            s->why);
    for (guint i = 0; i < s->readings->len && s->end == SEARCH_DONE; i++) {
        const SearchReading *r = &g_array_index(s->readings, SearchReading, i);
        AtlasProof *proof = add(p, ATLAS_PROPERTY_SMEAR, prover_depth(p), s);
        proof->op = r->op;
        proof->least = r->least;
        proof->most = r->most;
        if (r->most == 0 || !is_exact(p->program, r->op))
            continue;
        proof->verdict = ATLAS_PROOF_REFUTED;
        proof->ats = 1;
        proof->at[0].op = r->op;
        proof->why = g_strdup(PROVE_LAGS);
        add_schedule(p, proof, p->depth, (SearchGoal){SEARCH_SHOWS_READ, r->op, r->most});
    }
}

void prove_by_search(Prover *p) {
    g_autoptr(SearchResult) plain = search(p, 0);
    g_autoptr(SearchResult) deep = search(p, p->depth);
    prove_race(p, ATLAS_PROPERTY_RACE, 0, plain);
    if (plain->race && p->depth)
        prove_race(p, ATLAS_PROPERTY_RACE_AT_DEPTH, p->depth, deep);
    prove_deadlock(p, deep);
    prove_readings(p, deep);
}
