/* Events: recording, waiting, asking. */
#include "model/machine/calls.h"

/* An event that was recorded in a capture which has ended, or was invalidated since. */
static gboolean is_stale(const AtlasMachine *m, const Event *event) {
    return event->state == EVENT_CAPTURED && !is_active(m, event->capture);
}

/* cuEventRecord: 1. legacy, 2. invalidated. */
AtlasAnswer call_record(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    const Stream *stream = stream_of(m, op);
    if (!check_enqueue(m, op, &answer))
        return answer;
    *event_of(m, op) = stream->capture ? (Event){EVENT_CAPTURED, stream->capture, stream->deps}
                                       : (Event){.state = EVENT_PLAIN};
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
    capture_node(m, op);
    return ok();
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
    if (!capture && is_stale(m, event_of(m, op)))
        return by_rule(m, ATLAS_RULE_WAIT_STALE, 0);
    if (!capture)
        return by_rule(m, ATLAS_RULE_WAIT_EXTERNAL_IDLE, 0);
    capture_node(m, op);
    return ok();
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
