#include "model/machine/checks.h"

AtlasAnswer ok(void) {
    return (AtlasAnswer){.code = ATLAS_RESULT_OK};
}

AtlasAnswer by_rule(AtlasMachine *m, AtlasRule rule, Ref capture) {
    const AtlasRuleRow *row = atlas_rule(rule);
    AtlasAnswer answer = {.code = row->code, .rule = (guint16)rule};
    if (row->code == ATLAS_RESULT_UNDEFINED)
        head_of(m)->undefined = TRUE;
    if (capture) {
        const Graph *about = graph_at(m, capture);
        answer.thread = (guint16)(about->thread + 1);
        answer.mode = about->mode;
        answer.origin = g_array_index(m->script->mentions, guint, about->origin);
        answer.cause = about->cause;
        if (row->invalidates)
            invalidate(m, capture);
    }
    return answer;
}

/* ---- captures ---- */

void invalidate(AtlasMachine *m, Ref capture) {
    Graph *graph = graph_at(m, capture);
    if (graph->state == GRAPH_CAPTURING)
        graph->cause = 1 + m->performing;
    graph->state = GRAPH_INVALIDATED;
}

void invalidate_all(AtlasMachine *m) {
    for (Ref c = head_of(m)->open; c; c = graph_at(m, c)->next_open)
        invalidate(m, c);
}

Node *capture_node(AtlasMachine *m, const ScriptOp *op) {
    Stream *stream = stream_of(m, op);
    Graph *graph = graph_at(m, stream->capture);
    Ref at = state_append(m, WORDS(Node));
    Node *node = node_at(m, at);
    guint len;
    const Ref *deps = set_members(m, &stream->deps, &len);
    m->looked_at += len;
    for (guint i = 0; i < len; i++)
        node_at(m, deps[i])->followed = TRUE;
    node->op = op->index & (STATE_OPS_MAX - 1);
    node->deps = stream->deps;
    stream->deps = at;
    if (graph->last)
        node_at(m, graph->last)->next = at;
    else
        graph->first = at;
    graph->last = at;
    graph->len++;
    return node;
}

AtlasAnswer execute(AtlasMachine *m, gint64 kernels) {
    gint64 sum;
    if (__builtin_add_overflow(atlas_machine_executed(m), kernels, &sum))
        return by_rule(m, ATLAS_RULE_LIMIT, 0);
    state_set_executed(m, sum);
    return ok();
}

/* ---- checks ---- */

/* Calls without a stream operand that come here (synchronous copies) use the legacy stream too. */
static gboolean uses_legacy(const ScriptOp *op) {
    return op->named[NAMED_STREAM] == LEGACY || op->named[NAMED_STREAM] == NO_NUMBER;
}

/* Blocking streams wait for the legacy stream and it for them, which a capture cannot hold: in
 * every mode and by every thread, all captures that a blocking stream takes part in are
 * invalidated. */
gboolean check_legacy(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer) {
    gboolean fine = TRUE;
    if (!uses_legacy(op))
        return TRUE;
    m->looked_at += head_of(m)->opened;
    for (Ref c = head_of(m)->open; c; c = graph_at(m, c)->next_open) {
        if (!graph_at(m, c)->blocking)
            continue;
        *answer = by_rule(m, ATLAS_RULE_LEGACY_USE, c);
        fine = FALSE;
    }
    return fine;
}

/* A thread in relaxed mode may call anything. In the other modes, its own captures forbid unsafe
 * calls unless they are relaxed; in global mode, so do global captures of other threads. Those that
 * forbid it are invalidated. */
static gboolean forbids(const AtlasMachine *m, const Graph *capture, guint thread) {
    AtlasCaptureMode mode = thread_of(m, thread)->mode;
    if (mode == ATLAS_MODE_RELAXED)
        return FALSE;
    if (capture->thread == thread)
        return capture->mode != ATLAS_MODE_RELAXED;
    return mode == ATLAS_MODE_GLOBAL && capture->mode == ATLAS_MODE_GLOBAL;
}

gboolean check_unsafe(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer) {
    gboolean fine = TRUE;
    m->looked_at += head_of(m)->opened;
    for (Ref c = head_of(m)->open; c; c = graph_at(m, c)->next_open) {
        if (!forbids(m, graph_at(m, c), op->thread))
            continue;
        *answer = by_rule(m, ATLAS_RULE_UNSAFE_CALL, c);
        fine = FALSE;
    }
    return fine;
}

gboolean check_invalidated(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer) {
    Ref capture = stream_of(m, op)->capture;
    if (!capture || is_active(m, capture))
        return TRUE;
    *answer = by_rule(m, ATLAS_RULE_STREAM_INVALIDATED, capture);
    return FALSE;
}

gboolean check_enqueue(AtlasMachine *m, const ScriptOp *op, AtlasAnswer *answer) {
    return check_legacy(m, op, answer) && check_invalidated(m, op, answer);
}
