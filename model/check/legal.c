#include "model/check/legal.h"

#include "model/machine/explain.h"
#include "model/machine/run.h"

/* Periods of steps that are tried before giving up. */
enum { PERIODS_MAX = 16 };

void legal_clear(Legal *legal) {
    g_free(legal->why);
    if (legal->schedule)
        g_array_unref(legal->schedule);
}

static char *why_not(const Flow *flow, guint op, const AtlasAnswer *answer) {
    GString *why = g_string_new(NULL);
    if (!atlas_explain(flow->program, op, answer, why))
        g_string_append_printf(why, "the call returns %s", atlas_result_name(answer->code));
    return g_string_free(why, FALSE);
}

/* The first call that failed, in an outcome. */
static Legal judge(const Flow *flow, guint ops, const AtlasOutcome *outcome) {
    for (guint i = 0; i < ops; i++) {
        const AtlasAnswer *answer = atlas_outcome_get(outcome, i);
        if (answer->code != ATLAS_RESULT_OK && answer->code != ATLAS_RESULT_NONE)
            return (Legal){.verdict = LEGAL_NO, .op = i, .why = why_not(flow, i, answer)};
    }
    return (Legal){.verdict = LEGAL_YES};
}

static Legal unknown(const char *why) {
    return (Legal){.verdict = LEGAL_UNKNOWN, .why = g_strdup(why)};
}

/* Runs `ops` of the program; *hash becomes that of the machine's state at their end. */
static Legal run(const Flow *flow, guint ops, gint64 steps, guint64 *hash) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasProgram head = *flow->program;
    g_autoptr(GArray) first = g_array_new(FALSE, FALSE, sizeof(AtlasOp));
    g_array_append_vals(first, head.ops->data, ops);
    head.ops = first;
    g_autoptr(AtlasScript) script = atlas_script_new(&head, diags);
    if (!script)
        return unknown("the program exceeds the limits of the simulated driver");
    g_autoptr(AtlasMachine) machine = atlas_machine_new(script);
    g_autoptr(AtlasOutcome) outcome = atlas_run_on(machine, steps, diags);
    if (!outcome)
        return unknown("too many calls to run");
    *hash = atlas_machine_hash(machine, ATLAS_HASH_BY_NAME);
    return judge(flow, ops, outcome);
}

Legal legal_run(const Flow *flow, gint64 steps) {
    guint len = flow->program->ops->len;
    guint64 hash, before = 0;
    if (flow->step == FLOW_NONE || steps > 0)
        return run(flow, len, steps, &hash);
    guint behind = flow_op(flow, flow_op(flow, flow->step)->partner)->op + 1;
    for (gint64 i = 1; i <= PERIODS_MAX; i++) {
        Legal legal = run(flow, behind, i * flow->period, &hash);
        for (gint64 n = 1; n <= flow->period && behind < len && legal.verdict == LEGAL_YES; n++) {
            guint64 last;
            legal = run(flow, len, (i - 1) * flow->period + n, &last);
        }
        if (legal.verdict != LEGAL_YES || (i > 1 && hash == before))
            return legal;
        before = hash;
    }
    return unknown("what the driver keeps grows with every step");
}

Legal legal_search(const Flow *flow, guint64 max_states) {
    (void)flow;
    (void)max_states;
    return unknown("todo");
}
