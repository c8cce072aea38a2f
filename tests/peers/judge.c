#include "tests/peers/judge.h"

#include "model/proof/prove.h"
#include "model/proof/search.h"
#include "tests/peers/peer.h"
#include "tests/unit/stated.h"

/* A program under judgement, with queues without end (0) and at its own depth (1). */
typedef struct {
    Judge *judge;
    const AtlasProgram *program;
    gint64 depth;
    AtlasProofs *proofs;
    SearchResult *search[2];
    PeerModel *models[2];
    Judgement *made;
} Trial;

/* ---- comparing ---- */

void judge_same(Judge *judge, const char *name, const char *what, const char *who,
                const char *found, const char *wanted) {
    if (g_strcmp0(found, wanted) == 0) {
        judge->passed++;
        return;
    }
    judge->failed++;
    g_string_append_printf(judge->faults, "%s: %s: %s says %s, the search %s\n", name, what, who,
                           found ? found : "nothing", wanted);
}

static const char *yes_no(gboolean yes) {
    return yes ? "yes" : "no";
}

/* Compares a verdict of the search with what the program states and the engine finds. `property`
 * NULL: the engine says nothing of it. */
static void compare_own(const Trial *t, const char *what, const char *key, const AtlasProof *proof,
                        const char *wanted) {
    g_autofree char *said = stated(t->program, key);
    if (said)
        judge_same(t->judge, t->program->name, what, "the program", said, wanted);
    if (proof)
        judge_same(t->judge, t->program->name, what, "the engine",
                   proof->verdict == ATLAS_PROOF_HOLDS     ? "no"
                   : proof->verdict == ATLAS_PROOF_REFUTED ? "yes"
                                                           : "nothing",
                   wanted);
}

/* Runs a tool on a claim about a model and compares whether it breaks; the states it counted. */
static guint64 compare_tool(const Trial *t, Tool tool, guint deep, PeerClaim claim, ToolFind find,
                            const char *what, gboolean broken) {
    const PeerModel *model = t->models[deep];
    g_autofree char *text =
        tool == TOOL_RUMUR ? peer_murphi(model, claim) : peer_promela(model, claim);
    ToolRun run = tool_run(tool, text, find);
    judge_same(t->judge, t->program->name, what, tool_name(tool),
               run.complete ? yes_no(run.broken) : run.said, yes_no(broken));
    guint64 states = run.states;
    tool_run_clear(&run);
    return states;
}

/* ---- properties ---- */

static void judge_deadlock(const Trial *t, guint deep) {
    const SearchResult *s = t->search[deep];
    const char *what = deep ? "deadlock" : "deadlock with queues without end";
    if (deep) {
        compare_own(t, what, "deadlock", atlas_proofs_find(t->proofs, ATLAS_PROPERTY_DEADLOCK),
                    yes_no(s->deadlock));
        t->made->deadlock = yes_no(s->deadlock);
        t->made->states = s->states;
    }
    for (Tool tool = 0; tool < TOOLS; tool++) {
        if (!t->judge->use[tool])
            continue;
        guint64 states =
            compare_tool(t, tool, deep, (PeerClaim){0}, TOOL_DEADLOCK, what, s->deadlock);
        if (deep)
            t->made->tool_states[tool] = states;
        if (tool != TOOL_RUMUR)
            continue;
        g_autofree char *counted = g_strdup_printf("%" G_GUINT64_FORMAT, states);
        g_autofree char *wanted = g_strdup_printf("%" G_GUINT64_FORMAT, s->states);
        judge_same(t->judge, t->program->name, deep ? "states" : "states with queues without end",
                   tool_name(tool), counted, wanted);
    }
}

static void judge_race(const Trial *t, guint deep) {
    const char *what = deep ? "race at depth" : "race", *wanted = yes_no(t->search[deep]->race);
    const AtlasProof *race = atlas_proofs_find(t->proofs, ATLAS_PROPERTY_RACE);
    const AtlasProof *masked = atlas_proofs_find(t->proofs, ATLAS_PROPERTY_RACE_AT_DEPTH);
    compare_own(t, what, deep ? "raceD" : "race", deep && masked ? masked : race, wanted);
    if (deep)
        t->made->race_at_depth = wanted;
    else
        t->made->race = wanted;
    for (Tool tool = 0; tool < TOOLS; tool++)
        if (t->judge->use[tool])
            compare_tool(t, tool, deep, (PeerClaim){.race = TRUE}, TOOL_ASSERTIONS, what,
                         t->search[deep]->race);
}

/* The engine's greatest smear of each read, by commas; NULL where it gives none. */
static char *engine_smear(const Trial *t) {
    GString *out = g_string_new(NULL);
    for (guint i = 0; i < atlas_proofs_count(t->proofs); i++) {
        const AtlasProof *proof = atlas_proofs_get(t->proofs, i);
        if (proof->property == ATLAS_PROPERTY_SMEAR)
            g_string_append_printf(out, "%s%" G_GINT64_FORMAT, out->len ? "," : "", proof->most);
    }
    return g_string_free(out, out->len == 0);
}

/* Every bound holds; each, lowered by one, fails where its read is ever reached. */
static void judge_bounds(const Trial *t, Tool tool) {
    const GArray *readings = t->search[1]->readings;
    g_autofree gint64 *bounds = g_new(gint64, readings->len);
    for (guint i = 0; i < readings->len; i++)
        bounds[i] = g_array_index(readings, SearchReading, i).most;
    compare_tool(t, tool, 1, (PeerClaim){.bounds = bounds}, TOOL_ASSERTIONS,
                 "a read lags more than its bound", FALSE);
    for (guint i = 0; i < readings->len; i++) {
        const SearchReading *r = &g_array_index(readings, SearchReading, i);
        for (guint j = 0; j < readings->len; j++)
            bounds[j] = i == j ? r->most - 1 : PEER_ANY;
        compare_tool(t, tool, 1, (PeerClaim){.bounds = bounds}, TOOL_ASSERTIONS,
                     "a read lags more than one less than its bound", r->times > 0);
    }
}

static void judge_smear(const Trial *t) {
    const GArray *readings = t->search[1]->readings;
    GString *found = g_string_new(NULL);
    gboolean reached = TRUE;
    for (guint i = 0; i < readings->len; i++) {
        const SearchReading *r = &g_array_index(readings, SearchReading, i);
        g_string_append_printf(found, "%s%" G_GINT64_FORMAT, i ? "," : "", r->most);
        reached &= r->times > 0;
    }
    t->made->smear = g_string_free(found, FALSE);
    g_autofree char *engine = engine_smear(t), *said = stated(t->program, "smear");
    if (said)
        judge_same(t->judge, t->program->name, "smear", "the program", said, t->made->smear);
    if (engine && reached)
        judge_same(t->judge, t->program->name, "smear", "the engine", engine, t->made->smear);
    for (Tool tool = 0; tool < TOOLS; tool++)
        if (t->judge->use[tool] && readings->len > 0)
            judge_bounds(t, tool);
}

/* ---- programs ---- */

static gint64 depth_of(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_DEPTH)
            return op->count;
    }
    return 0;
}

/* Why the program cannot be compared. */
static JudgeEnd look_at(const Trial *t) {
    for (guint deep = 0; deep < 2; deep++) {
        if (t->models[deep]->refused) {
            t->made->why = g_strdup(t->models[deep]->refused);
            return JUDGE_REFUSED;
        }
        if (t->search[deep]->end == SEARCH_TOO_LARGE)
            return JUDGE_LARGE;
        if (t->search[deep]->end == SEARCH_NOT_MODELLED) {
            t->made->why = g_strdup(t->search[deep]->why);
            return JUDGE_REFUSED;
        }
    }
    return JUDGE_COMPARED;
}

static void compare_all(const Trial *t) {
    for (guint deep = 0; deep < 2; deep++) {
        judge_deadlock(t, deep);
        judge_race(t, deep);
    }
    judge_smear(t);
}

static gboolean is_legal(const Trial *t) {
    const AtlasProof *legal = atlas_proofs_find(t->proofs, ATLAS_PROPERTY_LEGAL);
    g_autofree char *said = stated(t->program, "capture");
    gboolean good = legal->verdict == ATLAS_PROOF_HOLDS;
    if (said)
        judge_same(t->judge, t->program->name, "capture", "the program", said,
                   good ? "legal" : "illegal");
    return good;
}

Judgement judge(Judge *judge, const AtlasProgram *program, gboolean starts) {
    Judgement made = {0};
    Trial t = {judge, program, depth_of(program), NULL, {NULL, NULL}, {NULL, NULL}, &made};
    AtlasProveOptions brief = {.brief = TRUE};
    t.proofs = atlas_prove(program, &brief);
    for (guint deep = 0; deep < 2; deep++) {
        SearchOptions options = {.depth = deep ? t.depth : 0,
                                 .counts = TRUE,
                                 .starts = starts,
                                 .max_states = judge->max_states};
        t.search[deep] = search_run(program, &options);
        t.models[deep] = peer_model_new(program, options.depth, starts);
    }
    made.end = is_legal(&t) ? look_at(&t) : JUDGE_LEGALITY;
    if (made.end == JUDGE_COMPARED)
        compare_all(&t);
    for (guint deep = 0; deep < 2; deep++) {
        search_result_free(t.search[deep]);
        peer_model_free(t.models[deep]);
    }
    atlas_proofs_free(t.proofs);
    return made;
}

void judgement_clear(Judgement *judgement) {
    g_free(judgement->why);
    g_free(judgement->smear);
}
