/* Begin and end of captures, and whether a stream captures. */
#include "model/machine/calls.h"

/* cuStreamBeginCapture: 1. legacy, 2. not the legacy stream at all, 3. a stream that captures
 * already stays as it is. */
AtlasAnswer call_begin(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Stream *stream = stream_of(m, op);
    if (!check_legacy(m, op, &answer))
        return answer;
    if (op->named[NAMED_STREAM] == LEGACY)
        return by_rule(m, ATLAS_RULE_BEGIN_LEGACY, 0);
    if (stream->capture)
        return by_rule(m, ATLAS_RULE_BEGIN_TWICE, stream->capture);
    Head *head = head_of(m);
    if (head->opened == ATLAS_MACHINE_CAPTURES_MAX)
        return by_rule(m, ATLAS_RULE_LIMIT, 0);
    Ref at = state_append(m, WORDS(Graph));
    *graph_at(m, at) = (Graph){.state = GRAPH_CAPTURING,
                               .mode = op->mode,
                               .blocking = stream->blocking != 0,
                               .thread = op->thread,
                               .origin = op->named[NAMED_STREAM],
                               .next_open = head->open};
    head->open = at;
    head->opened++;
    stream->capture = at;
    stream->deps = 0;
    return ok();
}

/* Takes the capture from the list of open ones, and its streams out of it. */
static void close_capture(AtlasMachine *m, Ref capture, GraphState state) {
    Graph *graph = graph_at(m, capture);
    Ref *link = &head_of(m)->open;
    while (*link != capture)
        link = &graph_at(m, *link)->next_open;
    *link = graph->next_open;
    head_of(m)->opened--;
    graph->next_open = 0;
    graph->state = (guint8)state;
    m->looked_at += m->script->names[NAMED_STREAM];
    for (guint i = 0; i < m->script->names[NAMED_STREAM]; i++)
        if (stream_at(m, i)->capture == capture)
            stream_at(m, i)->capture = stream_at(m, i)->deps = 0;
}

/* The first node that nothing follows and that the origin's next node would not come behind; 0
 * where all nodes are joined. */
static Ref find_unjoined(AtlasMachine *m, const Graph *graph, const Set *deps) {
    Ref at = graph->first;
    m->looked_at += graph->len;
    set_mark(m, deps, TRUE);
    while (at && (node_at(m, at)->followed || node_at(m, at)->marked))
        at = node_at(m, at)->next;
    set_mark(m, deps, FALSE);
    return at;
}

static void count_nodes(const AtlasMachine *m, const Graph *graph, AtlasAnswer *answer) {
    answer->details = ATLAS_DETAILS_GRAPH;
    for (Ref at = graph->first; at; at = node_at(m, at)->next) {
        const Node *node = node_at(m, at);
        guint len;
        set_members(m, &node->deps, &len);
        answer->nodes += node_weight(m, node);
        answer->of[node_type(m, node)] += node_weight(m, node);
        answer->edges += len + node_weight(m, node) - 1;
    }
}

static AtlasAnswer no_graph(AtlasMachine *m, const ScriptOp *op, AtlasAnswer answer) {
    answer.details = ATLAS_DETAILS_NULL_GRAPH;
    *graph_named(m, op->named[NAMED_GRAPH]) = 0;
    return answer;
}

/* A capture that comes to nothing leaves it open whether the memory of others, which it was to
 * free, is freed. */
static void doubt_frees(AtlasMachine *m, const Graph *graph) {
    for (Ref at = graph->memory ? graph->first : 0; at; at = node_at(m, at)->next)
        if (node_type(m, node_at(m, at)) == ATLAS_NODE_MEM_FREE)
            node_at(m, node_at(m, at)->memory)->unsure = TRUE;
}

/* A failure that ends the capture all the same. */
static AtlasAnswer end_without_graph(AtlasMachine *m, const ScriptOp *op, AtlasRule rule) {
    Ref capture = stream_of(m, op)->capture;
    AtlasAnswer answer = no_graph(m, op, by_rule(m, rule, capture));
    doubt_frees(m, graph_at(m, capture));
    close_capture(m, capture, GRAPH_GONE);
    return answer;
}

/* cuStreamEndCapture: 1. legacy, 2. the stream captures, 3. it is the origin, 4. not invalidated,
 * 5. joined, 6. the thread that began it, unless relaxed. What fails from 4. on ends the capture
 * all the same. */
AtlasAnswer call_end(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer = ok();
    Stream *stream = stream_of(m, op);
    Ref capture = stream->capture;
    if (!check_legacy(m, op, &answer))
        return no_graph(m, op, answer);
    if (!capture)
        return no_graph(m, op, by_rule(m, ATLAS_RULE_END_IDLE, 0));
    Graph *graph = graph_at(m, capture);
    if (graph->orphan || graph->origin != op->named[NAMED_STREAM])
        return no_graph(m, op, by_rule(m, ATLAS_RULE_END_JOINED, capture));
    if (graph->state == GRAPH_INVALIDATED)
        return end_without_graph(m, op, ATLAS_RULE_END_INVALIDATED);
    Ref unjoined = find_unjoined(m, graph, &stream->deps);
    if (unjoined) {
        guint culprit = node_at(m, unjoined)->op;
        answer = end_without_graph(m, op, ATLAS_RULE_END_UNJOINED);
        answer.cause = 1 + culprit;
        return answer;
    }
    if (graph->mode != ATLAS_MODE_RELAXED && graph->thread != op->thread)
        return end_without_graph(m, op, ATLAS_RULE_END_WRONG_THREAD);
    count_nodes(m, graph, &answer);
    graph->end = stream->deps;
    close_capture(m, capture, GRAPH_ENDED);
    *graph_named(m, op->named[NAMED_GRAPH]) = capture;
    return answer;
}

/* cuStreamIsCapturing: asking for the legacy stream beside a blocking capture fails, harmlessly. */
AtlasAnswer call_status(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer = ok();
    if (op->named[NAMED_STREAM] == LEGACY)
        for (Ref c = head_of(m)->open; c; c = graph_at(m, c)->next_open)
            if (graph_at(m, c)->blocking)
                return by_rule(m, ATLAS_RULE_STATUS_LEGACY, c);
    answer.details = ATLAS_DETAILS_STATUS;
    answer.status = atlas_machine_status(m, op->index);
    return answer;
}
