#include "model/proof/legal.h"

#include "model/machine/explain.h"
#include "model/machine/run.h"

/* Periods of steps that are tried before giving up. */
enum { PERIODS_MAX = 16, PERIOD_MAX = 100000 };

void legal_clear(Legal *legal) {
    g_free(legal->why);
    if (legal->schedule)
        g_array_unref(legal->schedule);
}

char *legal_why(const Flow *flow, guint op, const AtlasAnswer *answer) {
    GString *why = g_string_new(NULL);
    if (!atlas_explain(flow->program, op, answer, why))
        g_string_append_printf(why, "the call returns %s", atlas_result_name(answer->code));
    return g_string_free(why, FALSE);
}

Legal legal_unknown(const char *why) {
    return (Legal){.verdict = LEGAL_UNKNOWN, .why = g_strdup(why)};
}

/* The first ops of a program, ready to run. */
typedef struct {
    AtlasProgram program;
    GArray *ops; /* its own, where it is not the whole program; else NULL */
    AtlasDiags *diags;
    AtlasScript *script;
    AtlasMachine *machine;
} Head;

static void head_init(Head *h, const AtlasProgram *program, guint ops) {
    *h = (Head){.program = *program, .diags = atlas_diags_new()};
    if (ops < program->ops->len) {
        h->program.ops = h->ops = g_array_new(FALSE, FALSE, sizeof(AtlasOp));
        g_array_append_vals(h->ops, program->ops->data, ops);
    }
    h->script = atlas_script_new(&h->program, h->diags);
    h->machine = h->script ? atlas_machine_new(h->script) : NULL;
}

static void head_clear(Head *h) {
    atlas_machine_free(h->machine);
    atlas_script_free(h->script);
    atlas_diags_free(h->diags);
    if (h->ops)
        g_array_unref(h->ops);
}

static Legal head_run(const Head *h, const Flow *flow, gint64 steps) {
    AtlasFailure failure;
    if (!h->script)
        return legal_unknown("the program exceeds the limits of the simulated driver");
    if (!atlas_run_to_failure(h->machine, steps, ATLAS_RUN_OPS_MAX, &failure, h->diags))
        return legal_unknown("too many calls to run");
    if (failure.op == ATLAS_NO_FAILURE)
        return (Legal){.verdict = LEGAL_YES};
    return (Legal){
        .verdict = LEGAL_NO, .op = failure.op, .why = legal_why(flow, failure.op, &failure.answer)};
}

/* The ops behind the step, after every number of steps of one period. */
static Legal run_behind(const Head *whole, const Flow *flow, gint64 period) {
    Legal legal = {.verdict = LEGAL_YES};
    for (gint64 n = 1; n <= flow->period && legal.verdict == LEGAL_YES; n++)
        legal = head_run(whole, flow, period * flow->period + n);
    return legal;
}

/* A step for ever: until the state behind it is what it was a period before. */
static Legal run_for_ever(const Flow *flow, guint behind) {
    Head head, whole;
    guint64 hash, before = 0;
    gboolean more = behind < flow->program->ops->len;
    Legal legal = {.verdict = LEGAL_YES};
    head_init(&head, flow->program, behind);
    head_init(&whole, flow->program, more ? flow->program->ops->len : 0);
    gint64 i = 0;
    for (; i <= PERIODS_MAX && legal.verdict == LEGAL_YES; i++) {
        legal = head_run(&head, flow, i * flow->period);
        if (legal.verdict == LEGAL_YES && more)
            legal = run_behind(&whole, flow, i);
        if (!head.machine)
            break;
        hash = atlas_machine_hash(head.machine, ATLAS_HASH_BY_NAME);
        if (i > 0 && hash == before)
            break;
        before = hash;
    }
    head_clear(&head);
    head_clear(&whole);
    return i > PERIODS_MAX && legal.verdict == LEGAL_YES
               ? legal_unknown("what the driver keeps grows with every step")
               : legal;
}

Legal legal_run(const Flow *flow, gint64 steps) {
    Head whole;
    if (flow->period > PERIOD_MAX)
        return legal_unknown("it takes too many steps until every every: comes again");
    if (flow->step != FLOW_NONE && steps == 0)
        return run_for_ever(flow, flow_op(flow, flow_op(flow, flow->step)->partner)->op + 1);
    head_init(&whole, flow->program, flow->program->ops->len);
    Legal legal = head_run(&whole, flow, steps);
    head_clear(&whole);
    return legal;
}
