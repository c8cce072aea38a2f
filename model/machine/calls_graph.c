/* Graphs and execs. An op on a graph or exec that does not exist never reaches the driver. */
#include "model/machine/calls.h"
#include "model/machine/likeness.h"

static Exec *exec_of(const AtlasMachine *m, const ScriptOp *op) {
    return exec_at(m, op->named[NAMED_EXEC]);
}

static Ref *graph_of(const AtlasMachine *m, const ScriptOp *op) {
    return graph_named(m, op->named[NAMED_GRAPH]);
}

/* A graph with memory has at most one exec, by whatever call: is this one refused? */
static gboolean is_taken(const AtlasMachine *m, const Exec *exec, Ref graph) {
    return graph_at(m, graph)->taken && exec->taken != graph;
}

static void release(AtlasMachine *m, Exec *exec) {
    if (exec->taken)
        graph_at(m, exec->taken)->taken = FALSE;
    exec->taken = 0;
}

/* The exec performs this graph from now on. One with memory takes the place of the one before; one
 * without leaves that taken, as long as there is the exec. */
static void perform_from_now(AtlasMachine *m, Exec *exec, Ref graph) {
    exec->graph = graph;
    if (!graph_at(m, graph)->memory)
        return;
    release(m, exec);
    exec->taken = graph;
    graph_at(m, graph)->taken = TRUE;
}

/* cuGraphInstantiate: 1. the graph exists, 2. unsafe, 3. of a graph with memory nodes there is no
 * exec. Where it fails from 2. on, the name stands for none. */
AtlasAnswer call_instantiate(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref graph = *graph_of(m, op);
    if (!graph)
        return by_rule(m, ATLAS_RULE_NO_GRAPH, 0);
    *exec_of(m, op) = (Exec){0};
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (is_taken(m, exec_of(m, op), graph))
        return by_rule(m, ATLAS_RULE_INSTANTIATE_AGAIN, 0);
    perform_from_now(m, exec_of(m, op), graph);
    exec_of(m, op)->autofree = op->kind == ATLAS_OP_INSTANTIATE_AUTOFREE;
    return ok();
}

/* What forbids a launch because of memory: an allocation of an earlier launch that is still live
 * (unless the exec frees it itself), or a free of what is neither live nor allocated by the launch
 * itself. */
static AtlasRule memory_fault(const AtlasMachine *m, const Exec *exec) {
    for (Ref at = graph_at(m, exec->graph)->first; at; at = node_at(m, at)->next) {
        const Node *node = node_at(m, at);
        AtlasNodeType type = node_type(m, node);
        if (type == ATLAS_NODE_MEM_ALLOC && is_live(m, at) && !exec->autofree)
            return ATLAS_RULE_LAUNCH_UNFREED;
        if (type != ATLAS_NODE_MEM_FREE || node_at(m, node->memory)->memory == exec->graph)
            continue;
        if (!is_live(m, node->memory))
            return ATLAS_RULE_LAUNCH_FREES_DEAD;
        if (exec->itself)
            return ATLAS_RULE_LAUNCH_OF_ITSELF;
    }
    return ATLAS_RULE_NONE;
}

/* Performs a graph's nodes in order, up to one that fails. */
static AtlasAnswer perform(AtlasMachine *m, const ScriptOp *op, Ref graph) {
    AtlasAnswer answer = ok(), last = ok();
    gint64 kernels = 0;
    m->looked_at += graph_at(m, graph)->len;
    for (Ref at = graph_at(m, graph)->first; at && last.code == ATLAS_RESULT_OK;
         at = node_at(m, at)->next) {
        Node *node = node_at(m, at);
        AtlasNodeType type = node_type(m, node);
        if (type == ATLAS_NODE_KERNEL)
            kernels += node_weight(m, node);
        else if (type == ATLAS_NODE_MEM_ALLOC)
            node->live = TRUE;
        else if (type == ATLAS_NODE_MEM_FREE)
            node_at(m, node->memory)->live = FALSE;
        else if (is_event_node(m, node))
            last = perform_event(m, op, graph, node);
        if (last.rule)
            answer = last;
    }
    last = execute(m, kernels);
    return last.rule ? last : answer;
}

/* cuGraphLaunch: 1. the exec exists, 2. legacy, 3. not into a capture, of any mode, invalidated or
 * not, 4. memory. */
AtlasAnswer call_graph_launch(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    const Exec *exec = exec_of(m, op);
    Ref capture = stream_of(m, op)->capture;
    if (!exec->graph)
        return by_rule(m, ATLAS_RULE_NO_EXEC, 0);
    if (!check_legacy(m, op, &answer))
        return answer;
    if (capture)
        return by_rule(m, ATLAS_RULE_GRAPH_CAPTURING, capture);
    AtlasRule fault = memory_fault(m, exec);
    return fault ? by_rule(m, fault, 0) : perform(m, op, exec->graph);
}

/* The CUgraphExecUpdateResult for what likeness_fault found. */
static int update_result(AtlasRule fault) {
    enum { SUCCESS = 0, TOPOLOGY_CHANGED = 2, NODE_TYPE_CHANGED = 3, PARAMETERS_CHANGED = 5 };
    return fault == ATLAS_RULE_NONE || fault == ATLAS_RULE_UPDATE_TAKEN ? SUCCESS
           : fault == ATLAS_RULE_UPDATE_TOPOLOGY                        ? TOPOLOGY_CHANGED
           : fault == ATLAS_RULE_UPDATE_TYPE                            ? NODE_TYPE_CHANGED
                                                                        : PARAMETERS_CHANGED;
}

/* cuGraphExecUpdate: 1. both exist, 2. of a graph with memory nodes there is no other exec, 3. the
 * graph is like the exec (likeness.h). What fails leaves the exec as it was. */
AtlasAnswer call_update(AtlasMachine *m, const ScriptOp *op) {
    Exec *exec = exec_of(m, op);
    Ref graph = *graph_of(m, op);
    if (!exec->graph)
        return by_rule(m, ATLAS_RULE_NO_EXEC, 0);
    if (!graph)
        return by_rule(m, ATLAS_RULE_NO_GRAPH, 0);
    AtlasRule fault =
        is_taken(m, exec, graph) ? ATLAS_RULE_UPDATE_TAKEN : likeness_fault(m, exec->graph, graph);
    AtlasAnswer answer = fault ? by_rule(m, fault, 0) : ok();
    answer.details = ATLAS_DETAILS_UPDATE;
    answer.update = update_result(fault);
    if (fault)
        return answer;
    exec->itself = exec->graph == graph;
    perform_from_now(m, exec, graph);
    return answer;
}

/* cuGraphExecDestroy: 1. it exists, 2. unsafe. */
AtlasAnswer call_destroy_exec(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Exec *exec = exec_of(m, op);
    if (!exec->graph)
        return by_rule(m, ATLAS_RULE_NO_EXEC, 0);
    if (!check_unsafe(m, op, &answer))
        return answer;
    release(m, exec);
    exec->graph = 0;
    return ok();
}

/* cuGraphDestroy. Execs of the graph go on. */
AtlasAnswer call_destroy_graph(AtlasMachine *m, const ScriptOp *op) {
    Ref *graph = graph_of(m, op);
    if (!*graph)
        return by_rule(m, ATLAS_RULE_NO_GRAPH, 0);
    graph_at(m, *graph)->state = GRAPH_GONE;
    *graph = 0;
    return ok();
}
