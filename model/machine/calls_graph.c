/* Graphs and execs. */
#include "model/machine/calls.h"
#include "model/machine/likeness.h"

/* cuGraphInstantiate: 1. the graph exists, 2. unsafe, 3. one with memory nodes only once. */
AtlasAnswer call_instantiate(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref graph = *graph_named(m, op->named[NAMED_GRAPH]);
    Exec *exec = exec_at(m, op->named[NAMED_EXEC]);
    if (!graph)
        return by_rule(m, ATLAS_RULE_NO_GRAPH, 0);
    exec->graph = 0;
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (graph_at(m, graph)->memory && graph_at(m, graph)->instantiated)
        return by_rule(m, ATLAS_RULE_INSTANTIATE_AGAIN, 0);
    graph_at(m, graph)->instantiated = TRUE;
    *exec = (Exec){graph, op->kind == ATLAS_OP_INSTANTIATE_AUTOFREE};
    return ok();
}

/* The alloc and free nodes of a graph, in order, as a launch performs them. FALSE where an
 * allocation is still live, or what is to be freed is not. */
static gboolean walk_memory(AtlasMachine *m, const Exec *exec, AtlasRule *rule) {
    for (Ref at = graph_at(m, exec->graph)->first; at; at = node_at(m, at)->next) {
        Node *node = node_at(m, at);
        if (node_type(m, node) == ATLAS_NODE_MEM_ALLOC) {
            *rule = ATLAS_RULE_LAUNCH_UNFREED;
            if (node->memory & 1 && !exec->autofree)
                return FALSE;
            node->memory |= 1;
        } else if (node_type(m, node) == ATLAS_NODE_MEM_FREE) {
            *rule = ATLAS_RULE_LAUNCH_FREES_DEAD;
            if (!(node_at(m, node->memory)->memory & 1))
                return FALSE;
            node_at(m, node->memory)->memory &= ~1u;
        }
    }
    return TRUE;
}

static gint64 kernels_of(const AtlasMachine *m, Ref graph) {
    gint64 kernels = 0;
    for (Ref at = graph_at(m, graph)->first; at; at = node_at(m, at)->next)
        if (node_type(m, node_at(m, at)) == ATLAS_NODE_KERNEL)
            kernels += node_weight(m, node_at(m, at));
    return kernels;
}

/* cuGraphLaunch: 1. the exec exists, 2. legacy, 3. not into a capture, 4. memory. */
AtlasAnswer call_graph_launch(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    AtlasRule rule;
    const Exec *exec = exec_at(m, op->named[NAMED_EXEC]);
    Ref capture = stream_of(m, op)->capture;
    if (!exec->graph)
        return by_rule(m, ATLAS_RULE_NO_EXEC, 0);
    if (!check_legacy(m, op, &answer))
        return answer;
    if (capture)
        return by_rule(m, ATLAS_RULE_GRAPH_CAPTURING, capture);
    if (!walk_memory(m, exec, &rule))
        return by_rule(m, rule, 0);
    execute(m, kernels_of(m, exec->graph));
    return ok();
}

/* cuGraphExecUpdate */
AtlasAnswer call_update(AtlasMachine *m, const ScriptOp *op) {
    Exec *exec = exec_at(m, op->named[NAMED_EXEC]);
    Ref graph = *graph_named(m, op->named[NAMED_GRAPH]);
    if (!exec->graph)
        return by_rule(m, ATLAS_RULE_NO_EXEC, 0);
    if (!graph)
        return by_rule(m, ATLAS_RULE_NO_GRAPH, 0);
    AtlasRule fault = likeness_fault(m, exec->graph, graph);
    AtlasAnswer answer = fault ? by_rule(m, fault, 0) : ok();
    answer.details = ATLAS_DETAILS_UPDATE;
    answer.update = fault == ATLAS_RULE_UPDATE_TOPOLOGY ? 2
                    : fault == ATLAS_RULE_UPDATE_TYPE   ? 3
                    : fault                             ? 5
                                                        : 0;
    if (!fault)
        exec->graph = graph;
    return answer;
}

/* cuGraphExecDestroy. */
AtlasAnswer call_destroy_exec(AtlasMachine *m, const ScriptOp *op) {
    Exec *exec = exec_at(m, op->named[NAMED_EXEC]);
    if (!exec->graph)
        return by_rule(m, ATLAS_RULE_NO_EXEC, 0);
    exec->graph = 0;
    return ok();
}

/* cuGraphDestroy. Execs of the graph go on. */
AtlasAnswer call_destroy_graph(AtlasMachine *m, const ScriptOp *op) {
    Ref *graph = graph_named(m, op->named[NAMED_GRAPH]);
    if (!*graph)
        return by_rule(m, ATLAS_RULE_NO_GRAPH, 0);
    graph_at(m, *graph)->state = GRAPH_GONE;
    *graph = 0;
    return ok();
}
