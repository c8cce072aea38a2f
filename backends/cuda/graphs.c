/* The driver calls on captures and graphs. */
#include "backends/cuda/objects.h"

/* Every call has the type CudaCall, whether it needs all of its parameters or not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static CudaGraph graph_of(const CudaSession *s, const AtlasOp *op, guint operand) {
    return g_hash_table_lookup(s->graphs.named, op->operands[operand]);
}

static CudaExec exec_of(const CudaSession *s, const AtlasOp *op) {
    return g_hash_table_lookup(s->execs.named, op->operands[0]);
}

static AtlasNodeType node_type(unsigned type) {
    static const AtlasNodeType types[] = {
        /* CUgraphNodeType by number */
        ATLAS_NODE_KERNEL,    ATLAS_NODE_MEMCPY,   ATLAS_NODE_MEMSET,       ATLAS_NODE_HOST,
        ATLAS_NODE_GRAPH,     ATLAS_NODE_EMPTY,    ATLAS_NODE_WAIT_EVENT,   ATLAS_NODE_EVENT_RECORD,
        ATLAS_NODE_OTHER,     ATLAS_NODE_OTHER, /* external semaphores */
        ATLAS_NODE_MEM_ALLOC, ATLAS_NODE_MEM_FREE, ATLAS_NODE_BATCH_MEM_OP,
    };
    return type < G_N_ELEMENTS(types) ? types[type] : ATLAS_NODE_OTHER;
}

/* Adds how many nodes of each type and how many edges a graph has; returns what asking answered. */
static unsigned describe(const CudaDriver *cuda, CudaGraph graph, AtlasAnswer *answer) {
    size_t count = 0, edges = 0;
    unsigned result = cuda->cuGraphGetNodes(graph, NULL, &count);
    if (result == CUDA_OK)
        result = cuda->cuGraphGetEdges(graph, NULL, NULL, &edges);
    g_autofree CudaNode *nodes = g_new0(CudaNode, count + 1);
    if (result == CUDA_OK && count > 0)
        result = cuda->cuGraphGetNodes(graph, nodes, &count);
    answer->details = ATLAS_DETAILS_GRAPH;
    answer->nodes = (gint64)count;
    answer->edges = (gint64)edges;
    for (size_t i = 0; i < count && result == CUDA_OK; i++) {
        unsigned type = G_MAXUINT;
        result = cuda->cuGraphNodeGetType(nodes[i], &type);
        answer->of[node_type(type)]++;
    }
    return result;
}

unsigned cuda_end(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaGraph graph = NULL;
    unsigned result = s->cuda->cuStreamEndCapture(cuda_stream(s, op, 0), &graph);
    cuda_name(&s->graphs, op->operands[1], graph);
    answer->details = ATLAS_DETAILS_NULL_GRAPH;
    unsigned asked = graph ? describe(s->cuda, graph, answer) : CUDA_OK;
    return result == CUDA_OK ? asked : result;
}

unsigned cuda_status(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    unsigned status = 0;
    unsigned result = s->cuda->cuStreamIsCapturing(cuda_stream(s, op, 0), &status);
    if (result == CUDA_OK) {
        answer->details = ATLAS_DETAILS_STATUS;
        answer->status = (AtlasCaptureStatus)status;
    }
    return result;
}

unsigned cuda_instantiate(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaGraph graph = graph_of(s, op, 0);
    CudaExec exec = NULL;
    if (!graph)
        return ATLAS_RESULT_INVALID_VALUE;
    unsigned flags = op->kind == ATLAS_OP_INSTANTIATE_AUTOFREE ? CUDA_AUTOFREE : 0;
    unsigned result = s->cuda->cuGraphInstantiateWithFlags(&exec, graph, flags);
    cuda_name(&s->execs, op->operands[1], result == CUDA_OK ? exec : NULL);
    return result;
}

unsigned cuda_graph_launch(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaExec exec = exec_of(s, op);
    return exec ? s->cuda->cuGraphLaunch(exec, cuda_stream(s, op, 1)) : ATLAS_RESULT_INVALID_VALUE;
}

unsigned cuda_update(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaExec exec = exec_of(s, op);
    CudaGraph graph = graph_of(s, op, 1);
    CudaUpdateInfo info = {0};
    if (!exec || !graph)
        return ATLAS_RESULT_INVALID_VALUE;
    unsigned result = s->cuda->cuGraphExecUpdate_v2(
        exec, graph, (struct CUgraphExecUpdateResultInfo_st *)(void *)&info);
    answer->details = ATLAS_DETAILS_UPDATE;
    answer->update = (int)info.result;
    return result;
}

unsigned cuda_destroy_exec(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaExec exec = exec_of(s, op);
    if (!exec)
        return ATLAS_RESULT_INVALID_VALUE;
    unsigned result = s->cuda->cuGraphExecDestroy(exec);
    if (result == CUDA_OK)
        cuda_forget(&s->execs, op->operands[0]);
    return result;
}

unsigned cuda_destroy_graph(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaGraph graph = graph_of(s, op, 0);
    if (!graph)
        return ATLAS_RESULT_INVALID_VALUE;
    unsigned result = s->cuda->cuGraphDestroy(graph);
    if (result == CUDA_OK)
        cuda_forget(&s->graphs, op->operands[0]);
    return result;
}
