/* Events: recording, waiting, asking. */
#include "model/machine/calls.h"

/* An event that was recorded in a capture which has ended, or was invalidated since. */
static gboolean is_stale(const AtlasMachine *m, const Event *event) {
    return event->state == EVENT_CAPTURED && !is_active(m, event->capture);
}

static void record_event(Event *event, const Stream *stream) {
    event->state = stream->capture ? EVENT_CAPTURED : EVENT_PLAIN;
    event->capture = stream->capture;
    event->deps = stream->deps;
}

/* cuEventRecord: 1. legacy, 2. invalidated. */
AtlasAnswer call_record(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    if (!check_enqueue(m, op, &answer))
        return answer;
    record_event(event_of(m, op), stream_of(m, op));
    return ok();
}

/* A node for the op, which will record the event, or wait for it, whenever it is performed. */
static AtlasAnswer capture_event_node(AtlasMachine *m, const ScriptOp *op) {
    event_of(m, op)->noted = TRUE;
    graph_at(m, stream_of(m, op)->capture)->waits |= op->kind == ATLAS_OP_WAIT_EXTERNAL;
    capture_node(m, op);
    return ok();
}

/* cuEventRecordWithFlags(EXTERNAL): 1. legacy, 2. invalidated, 3. only in a capture. The event
 * stays what it was: it is the graph that will record it. */
AtlasAnswer call_record_external(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (!stream_of(m, op)->capture)
        return by_rule(m, ATLAS_RULE_RECORD_EXTERNAL_IDLE, 0);
    return capture_event_node(m, op);
}

/* A stream waits for what was captured: it joins the capture, or adds to what it depends on. */
static AtlasAnswer join(AtlasMachine *m, Stream *stream, const Event *event) {
    if (stream->capture && stream->capture != event->capture) {
        invalidate(m, stream->capture);
        return by_rule(m, ATLAS_RULE_WAIT_MERGE, event->capture);
    }
    stream->capture = event->capture;
    stream->deps = set_union(m, &stream->deps, &event->deps);
    if (stream->blocking)
        graph_at(m, stream->capture)->blocking = TRUE;
    return ok();
}

/* cuStreamWaitEvent: 1. legacy, 2. invalidated, 3. an event never recorded is nothing to wait
 * for, 4. a stale one is an error, 5. a capture cannot wait for what is outside of it, 6. the
 * legacy stream cannot join one. */
AtlasAnswer call_wait(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Stream *stream = stream_of(m, op);
    const Event *event = event_of(m, op);
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (event->state == EVENT_NEVER)
        return ok();
    if (is_stale(m, event))
        return by_rule(m, ATLAS_RULE_WAIT_STALE, stream->capture);
    if (event->state == EVENT_PLAIN)
        return stream->capture ? by_rule(m, ATLAS_RULE_WAIT_OUTSIDE, stream->capture) : ok();
    if (op->named[NAMED_STREAM] == LEGACY)
        return by_rule(m, ATLAS_RULE_WAIT_LEGACY, event->capture);
    return join(m, stream, event);
}

/* cuStreamWaitEvent(EXTERNAL): 1. legacy, 2. invalidated, 3. not stale, 4. only in a capture. */
AtlasAnswer call_wait_external(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref capture = stream_of(m, op)->capture;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (is_stale(m, event_of(m, op)))
        return by_rule(m, ATLAS_RULE_WAIT_STALE, capture);
    if (!capture)
        return by_rule(m, ATLAS_RULE_WAIT_EXTERNAL_IDLE, 0);
    return capture_event_node(m, op);
}

/* cuEventSynchronize, cuEventQuery: 1. not one that an open capture recorded, 2. not a stale
 * one, 3. unsafe, even where it was never recorded. */
AtlasAnswer call_sync_event(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    const Event *event = event_of(m, op);
    if (is_stale(m, event))
        return by_rule(m, ATLAS_RULE_SYNC_STALE, 0);
    if (event->state == EVENT_CAPTURED)
        return by_rule(m, ATLAS_RULE_SYNC_CAPTURED, event->capture);
    return check_unsafe(m, op, &answer) ? ok() : answer;
}

/* ---- nodes ---- */

/* Whether a graph's nodes come one behind another. */
static gboolean is_chain(AtlasMachine *m, const Graph *graph) {
    Ref before = 0;
    m->looked_at += graph->len;
    for (Ref at = graph->first; at; before = at, at = node_at(m, at)->next) {
        guint len;
        const Ref *deps = set_members(m, &node_at(m, at)->deps, &len);
        gboolean behind = !before;
        for (guint i = 0; i < len && !behind; i++)
            behind = deps[i] == before;
        if (!behind)
            return FALSE;
    }
    return TRUE;
}

/* What an open capture recorded is waited for, by the stream itself where the graph is a chain. A
 * stream that takes part in one capture so does not come to take part in another, nor does that
 * invalidate anything. */
static AtlasAnswer perform_wait(AtlasMachine *m, const ScriptOp *op, Ref graph,
                                const Event *event) {
    Stream *stream = stream_of(m, op);
    if (!is_chain(m, graph_at(m, graph)))
        return by_rule(m, ATLAS_RULE_LAUNCH_WAITS, 0);
    if (op->named[NAMED_STREAM] == LEGACY)
        return by_rule(m, ATLAS_RULE_LAUNCH_LEGACY, event->capture);
    if (!stream->capture || stream->capture == event->capture)
        join(m, stream, event);
    return by_rule(m, ATLAS_RULE_LAUNCH_JOINS, stream->capture);
}

AtlasAnswer perform_event(AtlasMachine *m, const ScriptOp *op, Ref graph, const Node *node) {
    Event *event = event_of(m, op_at(m, node->op));
    if (node->memory == NODE_EVENT_LOST)
        return by_rule(m, ATLAS_RULE_LAUNCH_WAITS, 0);
    if (node->memory == NODE_EVENT_OLDER)
        return ok();
    if (node_type(m, node) == ATLAS_NODE_EVENT_RECORD)
        record_event(event, stream_of(m, op));
    else if (event->state == EVENT_CAPTURED && is_active(m, event->capture))
        return perform_wait(m, op, graph, event);
    return ok();
}

/* No set that a launch comes by has more members than all sets that it waits for have. */
guint perform_words(const AtlasMachine *m, Ref graph) {
    guint words = 0, deps = 0;
    if (!graph || !graph_at(m, graph)->waits)
        return 0;
    for (Ref at = graph_at(m, graph)->first; at; at = node_at(m, at)->next) {
        guint len;
        if (node_type(m, node_at(m, at)) != ATLAS_NODE_WAIT_EVENT)
            continue;
        set_members(m, &event_of(m, op_at(m, node_at(m, at)->op))->deps, &len);
        deps += len;
        words += 1 + 2 * deps;
    }
    return words;
}
