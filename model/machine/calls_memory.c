/* Memory: of the device and the host, at once and in the order of a stream. */
#include "model/machine/calls.h"

static Memory *memory_of(const AtlasMachine *m, const ScriptOp *op) {
    return memory_at(m, op->named[NAMED_MEMORY]);
}

/* What a name stands for is allocated by a graph. */
static gboolean is_of_graph(Memory memory) {
    return memory >= MEMORY_STATES;
}

/* An address that was freed may be given out again. */
static AtlasAnswer allocate(AtlasMachine *m, const ScriptOp *op, Memory what) {
    m->looked_at += m->script->names[NAMED_MEMORY];
    for (guint i = 0; i < m->script->names[NAMED_MEMORY]; i++)
        if (*memory_at(m, i) == MEMORY_FREED)
            *memory_at(m, i) = MEMORY_REUSABLE;
    *memory_of(m, op) = what;
    return ok();
}

/* cuMemAlloc: unsafe. Where it fails, here and below, the name stands for a null pointer. */
AtlasAnswer call_malloc(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    *memory_of(m, op) = MEMORY_NULL;
    return check_unsafe(m, op, &answer) ? allocate(m, op, MEMORY_LIVE) : answer;
}

/* cuMemHostAlloc: unsafe. */
AtlasAnswer call_host_alloc(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    *memory_of(m, op) = MEMORY_NULL;
    return check_unsafe(m, op, &answer) ? allocate(m, op, MEMORY_HOST) : answer;
}

/* cuMemAllocAsync: 1. legacy, 2. invalidated, 3. in a capture, a node, 4. outside, unsafe. */
AtlasAnswer call_malloc_async(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref capture = stream_of(m, op)->capture;
    *memory_of(m, op) = MEMORY_NULL;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (!capture)
        return check_unsafe(m, op, &answer) ? allocate(m, op, MEMORY_LIVE) : answer;
    capture_node(m, op)->memory = capture;
    graph_at(m, capture)->memory = TRUE;
    *memory_of(m, op) = graph_at(m, capture)->last;
    return ok();
}

/* cuMemFree: 1. unsafe, 2. null is nothing to free, 3. what is not live is undefined. */
AtlasAnswer call_free(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Memory *memory = memory_of(m, op);
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (*memory == MEMORY_NULL)
        return ok();
    if (is_of_graph(*memory) ? !is_live(m, *memory) : *memory != MEMORY_LIVE)
        return by_rule(m, ATLAS_RULE_FREE_UNDEFINED, 0);
    if (is_of_graph(*memory))
        node_at(m, *memory)->live = FALSE;
    else
        *memory = MEMORY_FREED;
    return ok();
}

/* cuMemFreeHost: the same. */
AtlasAnswer call_host_free(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Memory *memory = memory_of(m, op);
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (*memory == MEMORY_NULL)
        return ok();
    if (*memory != MEMORY_HOST)
        return by_rule(m, ATLAS_RULE_FREE_UNDEFINED, 0);
    *memory = MEMORY_HOST_FREED;
    return ok();
}

static gboolean frees_already(AtlasMachine *m, const Graph *graph, Ref alloc) {
    if (!node_at(m, alloc)->freed)
        return FALSE;
    m->looked_at += graph->len;
    for (Ref at = graph->first; at; at = node_at(m, at)->next)
        if (node_type(m, node_at(m, at)) == ATLAS_NODE_MEM_FREE && node_at(m, at)->memory == alloc)
            return TRUE;
    return FALSE;
}

/* In a capture: 1. null is nothing to free, 2. memory of any graph that was not destroyed, launched
 * or not, 3. which this one does not free already. */
static AtlasAnswer capture_free(AtlasMachine *m, const ScriptOp *op, Ref capture) {
    Memory memory = *memory_of(m, op);
    if (memory == MEMORY_NULL)
        return ok();
    if (!is_of_graph(memory))
        return by_rule(
            m, memory == MEMORY_LIVE ? ATLAS_RULE_FREE_FOREIGN : ATLAS_RULE_FREE_UNDEFINED, 0);
    if (graph_of_memory(m, memory)->state == GRAPH_GONE)
        return by_rule(m, ATLAS_RULE_FREE_FOREIGN, 0);
    if (frees_already(m, graph_at(m, capture), memory))
        return by_rule(m, ATLAS_RULE_FREE_AGAIN, 0);
    capture_node(m, op)->memory = memory;
    node_at(m, memory)->freed = TRUE;
    graph_at(m, capture)->memory = TRUE;
    return ok();
}

/* cuMemFreeAsync: 1. legacy, 2. invalidated, 3. in a capture, a node, 4. outside, unsafe, 5. null
 * is nothing to free, 6. what is not live is an error, as long as its address is nobody else's. */
AtlasAnswer call_free_async(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Memory *memory = memory_of(m, op);
    Ref capture = stream_of(m, op)->capture;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (capture)
        return capture_free(m, op, capture);
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (*memory == MEMORY_NULL)
        return ok();
    if (*memory == MEMORY_FREED || (is_of_graph(*memory) && !is_live(m, *memory)))
        return by_rule(m, ATLAS_RULE_FREE_NOT_LIVE, 0);
    if (!is_of_graph(*memory) && *memory != MEMORY_LIVE)
        return by_rule(m, ATLAS_RULE_FREE_UNDEFINED, 0);
    if (is_of_graph(*memory))
        node_at(m, *memory)->live = FALSE;
    else
        *memory = MEMORY_FREED;
    return ok();
}
