/* Streams, threads, work on streams, and calls that concern no stream. */
#include "model/machine/calls.h"

/* cuStreamCreate. The name's older stream, if any, stays in its capture, out of reach. */
AtlasAnswer call_stream(AtlasMachine *m, const ScriptOp *op) {
    for (Ref c = head_of(m)->open; c; c = graph_at(m, c)->next_open)
        if (graph_at(m, c)->origin == op->named[NAMED_STREAM])
            graph_at(m, c)->orphan = TRUE;
    *stream_of(m, op) = (Stream){.blocking = (guint32)op->blocking};
    return ok();
}

/* Nodes of the event that is about to lose its name go on to mean it. */
static void keep_older(AtlasMachine *m, const ScriptOp *op) {
    const Event *event = event_of(m, op);
    gboolean captured = event->state == EVENT_CAPTURED && is_active(m, event->capture);
    GArray *graphs = state_reachable(m);
    for (guint i = 0; i < graphs->len; i++) {
        Graph *graph = graph_at(m, g_array_index(graphs, Ref, i));
        graph->marked = FALSE;
        m->looked_at += graph->len;
        for (Ref at = graph->first; at; at = node_at(m, at)->next) {
            Node *node = node_at(m, at);
            if (is_event_node(m, node) && node->memory == NODE_EVENT_NAMED &&
                op_at(m, node->op)->named[NAMED_EVENT] == op->named[NAMED_EVENT])
                node->memory = captured && node_type(m, node) == ATLAS_NODE_WAIT_EVENT
                                   ? NODE_EVENT_LOST
                                   : NODE_EVENT_OLDER;
        }
    }
    g_array_unref(graphs);
}

/* cuEventCreate. */
AtlasAnswer call_event(AtlasMachine *m, const ScriptOp *op) {
    if (event_of(m, op)->noted)
        keep_older(m, op);
    *event_of(m, op) = (Event){.state = EVENT_NEVER};
    return ok();
}

/* cuThreadExchangeStreamCaptureMode. */
AtlasAnswer call_mode(AtlasMachine *m, const ScriptOp *op) {
    thread_of(m, op->thread)->mode = op->mode;
    return ok();
}

/* Copies, memset, host functions: 1. legacy, 2. invalidated. */
AtlasAnswer call_copy(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (stream_of(m, op)->capture)
        capture_node(m, op);
    return ok();
}

/* cuLaunchKernel: the same, and outside a capture it is executed. */
AtlasAnswer call_launch(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (!stream_of(m, op)->capture)
        return execute(m, op->count);
    capture_node(m, op);
    return ok();
}

/* cuStreamAddCallback: 1. legacy, 2. no stream of a capture takes one. */
AtlasAnswer call_stream_callback(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref capture = stream_of(m, op)->capture;
    if (!check_legacy(m, op, &answer))
        return answer;
    return capture ? by_rule(m, ATLAS_RULE_CALLBACK_CAPTURING, capture) : ok();
}

/* cuStreamWaitValue32, cuStreamWriteValue32: as other work outside of captures; inside, unknown. */
AtlasAnswer call_flag(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    if (!check_enqueue(m, op, &answer))
        return answer;
    return stream_of(m, op)->capture ? by_rule(m, ATLAS_RULE_FLAG_CAPTURING, 0) : ok();
}

/* cuStreamSynchronize, cuStreamQuery: 1. legacy, 2. not while the stream captures (or did until it
 * was invalidated), 3. unsafe. */
AtlasAnswer call_sync_stream(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref capture = stream_of(m, op)->capture;
    if (!check_legacy(m, op, &answer))
        return answer;
    if (capture)
        return by_rule(m, ATLAS_RULE_SYNC_CAPTURING, capture);
    return check_unsafe(m, op, &answer) ? ok() : answer;
}

/* cuCtxSynchronize: no capture may be open, of whatever mode and thread. */
AtlasAnswer call_sync_ctx(AtlasMachine *m, const ScriptOp *op) {
    (void)op;
    if (!head_of(m)->open)
        return ok();
    AtlasAnswer answer = by_rule(m, ATLAS_RULE_SYNC_CONTEXT, head_of(m)->open);
    invalidate_all(m);
    return answer;
}

/* cuMemcpyHtoD, cuMemcpyDtoH, cuMemsetD8: uses of the legacy stream, and not unsafe. */
AtlasAnswer call_sync_copy(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    return check_legacy(m, op, &answer) ? ok() : answer;
}

/* cuModuleLoad, always allowed, then cuModuleUnload, which is unsafe. The answer is that of the
 * first. */
AtlasAnswer call_module_load(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    if (check_unsafe(m, op, &answer))
        return ok();
    answer.code = ATLAS_RESULT_OK;
    answer.rule = ATLAS_RULE_MODULE_LOAD;
    return answer;
}

/* cuEventCreate, cuStreamCreate and their destruction, cuMemGetInfo: always allowed. */
AtlasAnswer call_harmless(AtlasMachine *m, const ScriptOp *op) {
    (void)m;
    (void)op;
    return ok();
}
