/* Memory: of the device and the host, at once and in the order of a stream. */
#include "model/machine/calls.h"

static Memory *memory_of(const AtlasMachine *m, const ScriptOp *op) {
    return memory_at(m, op->named[NAMED_MEMORY]);
}

/* What a name stands for is allocated by a graph. */
static gboolean is_of_graph(Memory memory) {
    return memory >= MEMORY_STATES;
}

/* It is allocated, and by no graph. */
static gboolean is_plain(Memory memory) {
    return memory == MEMORY_LIVE || memory == MEMORY_ASYNC;
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

/* Neither the graph that allocates it nor its exec exists, and it is not allocated now. */
static gboolean is_lost(const AtlasMachine *m, Memory memory) {
    const Graph *graph = graph_of_memory(m, memory);
    return graph->state == GRAPH_GONE && !graph->taken && !is_live(m, memory);
}

/* An address of graphs may be given out again once it is lost, and within a capture once that has
 * freed it. */
static gboolean is_reusable(const AtlasMachine *m, Memory memory) {
    if (!is_of_graph(memory))
        return FALSE;
    gboolean open = graph_of_memory(m, memory)->state <= GRAPH_INVALIDATED;
    return is_lost(m, memory) || (open && node_at(m, memory)->own);
}

/* A node that allocates. */
static void capture_allocation(AtlasMachine *m, const ScriptOp *op, Ref capture) {
    m->looked_at += m->script->names[NAMED_MEMORY];
    for (guint i = 0; i < m->script->names[NAMED_MEMORY]; i++)
        if (is_reusable(m, *memory_at(m, i)))
            *memory_at(m, i) = MEMORY_REUSABLE;
    capture_node(m, op)->memory = capture;
    graph_at(m, capture)->memory = TRUE;
    *memory_of(m, op) = graph_at(m, capture)->last;
}

/* cuMemAllocAsync: 1. legacy, 2. invalidated, 3. in a capture, a node, 4. outside, unsafe. */
AtlasAnswer call_malloc_async(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Ref capture = stream_of(m, op)->capture;
    *memory_of(m, op) = MEMORY_NULL;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (!capture)
        return check_unsafe(m, op, &answer) ? allocate(m, op, MEMORY_ASYNC) : answer;
    capture_allocation(m, op, capture);
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
    if (is_of_graph(*memory) ? !is_live(m, *memory) : !is_plain(*memory))
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

/* A graph that frees what it allocates is the only one to do so: it must be the first, and is the
 * last. Other graphs may free it, once each. */
static gboolean is_freed(AtlasMachine *m, Ref alloc, Ref capture) {
    const Graph *graph = graph_at(m, capture);
    if (!node_at(m, alloc)->freed || node_at(m, alloc)->own || node_at(m, alloc)->memory == capture)
        return node_at(m, alloc)->freed;
    m->looked_at += graph->len;
    for (Ref at = graph->first; at; at = node_at(m, at)->next)
        if (node_type(m, node_at(m, at)) == ATLAS_NODE_MEM_FREE && node_at(m, at)->memory == alloc)
            return TRUE;
    return FALSE;
}

/* The rule against freeing memory in a capture: 1. memory of any graph, launched or not, that still
 * exists or has an exec, or whose memory is allocated now, 2. which is not freed already. */
static AtlasRule capture_free_fault(AtlasMachine *m, Memory memory, Ref capture) {
    if (is_plain(memory) || memory == MEMORY_FREED)
        return ATLAS_RULE_FREE_FOREIGN;
    if (!is_of_graph(memory))
        return ATLAS_RULE_FREE_UNDEFINED;
    if (is_lost(m, memory))
        return ATLAS_RULE_FREE_FOREIGN;
    if (node_at(m, memory)->unsure)
        return ATLAS_RULE_FREE_UNDEFINED;
    if (is_freed(m, memory, capture))
        return ATLAS_RULE_FREE_AGAIN;
    return ATLAS_RULE_NONE;
}

/* In a capture null is nothing to free; for the rest the graph counts as one with memory, whether
 * it comes to free it or not. */
static AtlasAnswer capture_free(AtlasMachine *m, const ScriptOp *op, Ref capture) {
    Memory memory = *memory_of(m, op);
    if (memory == MEMORY_NULL)
        return ok();
    graph_at(m, capture)->memory = TRUE;
    AtlasRule fault = capture_free_fault(m, memory, capture);
    if (fault)
        return by_rule(m, fault, 0);
    capture_node(m, op)->memory = memory;
    node_at(m, memory)->freed = TRUE;
    node_at(m, memory)->own |= node_at(m, memory)->memory == capture;
    return ok();
}

/* Marks what a stream frees. What cuMemAlloc gave is not to be freed so twice: the driver hangs. */
static AtlasAnswer free_in_order(AtlasMachine *m, Memory *memory) {
    if (is_of_graph(*memory))
        node_at(m, *memory)->live = FALSE;
    else
        *memory = *memory == MEMORY_LIVE ? MEMORY_REUSABLE : MEMORY_FREED;
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
    if (!is_of_graph(*memory) && !is_plain(*memory))
        return by_rule(m, ATLAS_RULE_FREE_UNDEFINED, 0);
    return free_in_order(m, memory);
}
