/* Memory: of the device and the host, at once and in the order of a stream. */
#include "model/machine/calls.h"

/* Memory that a name stands for. A node that allocates holds its graph's Ref and whether the memory
 * is live. */
static gboolean is_of_graph(Memory memory) {
    return memory >= MEMORY_STATES;
}

/* cuMemAlloc: unsafe. Where it fails the name stands for a null pointer. */
AtlasAnswer call_malloc(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    gboolean fine = check_unsafe(m, op, &answer);
    *memory_at(m, op->named[NAMED_MEMORY]) = fine ? MEMORY_LIVE : MEMORY_NULL;
    return fine ? ok() : answer;
}

/* cuMemHostAlloc: unsafe. */
AtlasAnswer call_host_alloc(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    gboolean fine = check_unsafe(m, op, &answer);
    *memory_at(m, op->named[NAMED_MEMORY]) = fine ? MEMORY_HOST : MEMORY_NULL;
    return fine ? ok() : answer;
}

static AtlasAnswer release(AtlasMachine *m, const ScriptOp *op, Memory expected) {
    AtlasAnswer answer;
    Memory *memory = memory_at(m, op->named[NAMED_MEMORY]);
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (*memory == MEMORY_NULL)
        return ok();
    if (*memory != expected)
        return by_rule(m, ATLAS_RULE_FREE_NOT_LIVE, 0);
    *memory = MEMORY_FREED;
    return ok();
}

/* cuMemFree: 1. unsafe, 2. null is nothing to free, 3. what is not live is undefined. */
AtlasAnswer call_free(AtlasMachine *m, const ScriptOp *op) {
    return release(m, op, MEMORY_LIVE);
}

/* cuMemFreeHost: the same. */
AtlasAnswer call_host_free(AtlasMachine *m, const ScriptOp *op) {
    return release(m, op, MEMORY_HOST);
}

/* cuMemAllocAsync: 1. legacy, 2. invalidated, 3. in a capture, a node, 4. outside, unsafe. */
AtlasAnswer call_malloc_async(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Memory *memory = memory_at(m, op->named[NAMED_MEMORY]);
    Ref capture = stream_of(m, op)->capture;
    *memory = MEMORY_NULL;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (capture) {
        capture_node(m, op)->memory = capture << 1;
        *memory = graph_at(m, capture)->last;
        graph_at(m, capture)->memory = TRUE;
        return ok();
    }
    if (!check_unsafe(m, op, &answer))
        return answer;
    *memory = MEMORY_LIVE;
    return ok();
}

/* In a capture only memory of graphs can be freed, of any that was not destroyed. */
static AtlasAnswer capture_free(AtlasMachine *m, const ScriptOp *op, Ref capture, Memory memory) {
    if (!is_of_graph(memory) || graph_at(m, node_at(m, memory)->memory >> 1)->state == GRAPH_GONE)
        return by_rule(m, ATLAS_RULE_FREE_FOREIGN, 0);
    capture_node(m, op)->memory = memory;
    graph_at(m, capture)->memory = TRUE;
    return ok();
}

/* cuMemFreeAsync: 1. legacy, 2. invalidated, 3. null is nothing to free, 4. in a capture, a
 * node, 5. outside, unsafe, 6. only what is live. */
AtlasAnswer call_free_async(AtlasMachine *m, const ScriptOp *op) {
    AtlasAnswer answer;
    Memory *memory = memory_at(m, op->named[NAMED_MEMORY]);
    Ref capture = stream_of(m, op)->capture;
    if (!check_enqueue(m, op, &answer))
        return answer;
    if (capture && *memory == MEMORY_NULL)
        return ok();
    if (capture)
        return capture_free(m, op, capture, *memory);
    if (!check_unsafe(m, op, &answer))
        return answer;
    if (*memory == MEMORY_NULL)
        return ok();
    if (*memory == MEMORY_LIVE) {
        *memory = MEMORY_FREED;
        return ok();
    }
    if (!is_of_graph(*memory) || !(node_at(m, *memory)->memory & 1))
        return by_rule(m, ATLAS_RULE_FREE_ASYNC_NOT_LIVE, 0);
    node_at(m, *memory)->memory &= ~1u;
    return ok();
}
