#include "backends/record/inject/hooks.h"

#include "backends/record/inject/count.h"
#include "backends/record/inject/graphs.h"
#include "backends/record/inject/names.h"

/* CUresults of an end of a capture that was no end: there was none, or it goes on. */
enum { INVALID_VALUE = 1, ILLEGAL_STATE = 401, UNMATCHED = 903 };

/* What the call of CALL_NODE_ENABLE in progress changes. */
static __thread int switched;

static void launch(CudaFunction function, CudaStream stream, bool per_thread, const char *symbol) {
    stream = !stream && per_thread ? CUDA_STREAM_PER_THREAD : stream;
    count_launch(function, stream, symbol, graphs_captures(stream));
}

static void launch_multi(const CallLaunchMulti *p, bool per_thread) {
    for (unsigned i = 0; i < p->count; i++)
        launch(p->launches[i].function, p->launches[i].stream, per_thread, NULL);
}

static void graph_launch(CudaExec exec) {
    RecordBlock *block = count_block();
    bool whole;
    if (!block)
        return;
    block->counts[RECORD_GRAPH_LAUNCHES]++;
    block->counts[RECORD_GRAPH_NODES] += graphs_kernels(exec, &whole);
    block->counts[RECORD_UNKNOWN_GRAPHS] += !whole;
}

static void instantiate(const CallInstantiate *p) {
    count_add(RECORD_INSTANTIATIONS, 1);
    graphs_instantiated(*p->exec, p->graph);
}

static void capture_begin(void) {
    graphs_begun();
    count_add(RECORD_CAPTURES, 1);
}

static void list_kernels(const CallListKernels *p) {
    for (unsigned i = 0; p->kernels && i < p->count; i++)
        name_add(p->kernels[i], true);
}

void hook_enter(CallKind kind, const void *parameters) {
    const CallNodeEnable *p = parameters;
    if (kind == CALL_NODE_ENABLE)
        switched = graphs_switch(p->exec, p->node, p->enabled != 0);
}

/* Calls that only count. */
static void count_plain(CallKind kind) {
    static const unsigned char number[] = {
        [CALL_READ] = RECORD_READS,
        [CALL_UPLOAD] = RECORD_UPLOADS,
        [CALL_COPY] = RECORD_COPIES,
        [CALL_MEMSET] = RECORD_MEMSETS,
        [CALL_STREAM_SYNC] = RECORD_STREAM_SYNCS,
        [CALL_EVENT_SYNC] = RECORD_EVENT_SYNCS,
        [CALL_CONTEXT_SYNC] = RECORD_CONTEXT_SYNCS,
        [CALL_ALLOCATION] = RECORD_ALLOCATIONS,
        [CALL_FREE] = RECORD_FREES,
    };
    count_add(number[kind], 1);
}

static void other(CallKind kind, const void *p) {
    if (kind == CALL_INSTANTIATE)
        instantiate(p);
    else if (kind == CALL_EXEC_DESTROY)
        graphs_destroyed(((const CallExecDestroy *)p)->exec);
    else if (kind == CALL_NODE_ENABLE)
        graphs_switched(((const CallNodeEnable *)p)->exec, switched);
    else if (kind == CALL_CAPTURE_BEGIN)
        capture_begin();
    else if (kind == CALL_UNLOAD)
        count_unloaded();
    else if (kind == CALL_GET_FUNCTION || kind == CALL_GET_KERNEL)
        name_add(*((const CallGetHandle *)p)->handle, kind == CALL_GET_KERNEL);
    else if (kind == CALL_LIST_KERNELS)
        list_kernels(p);
    else
        count_plain(kind);
}

void hook_leave(CallKind kind, const void *parameters, unsigned result, bool per_thread,
                const char *symbol) {
    const CallLaunch *plain = parameters;
    const CallLaunchEx *ex = parameters;
    const CallLaunchOld *old = parameters;
    if (kind == CALL_CAPTURE_END && result != INVALID_VALUE && result != ILLEGAL_STATE &&
        result != UNMATCHED)
        graphs_ended();
    if (result != CUDA_OK || kind == CALL_CAPTURE_END)
        return;
    if (kind == CALL_LAUNCH)
        launch(plain->function, plain->stream, per_thread, symbol);
    else if (kind == CALL_LAUNCH_EX)
        launch(ex->function, ex->config->stream, per_thread, symbol);
    else if (kind == CALL_GRAPH_LAUNCH)
        graph_launch(((const CallGraphLaunch *)parameters)->exec);
    else if (kind == CALL_LAUNCH_MULTI)
        launch_multi(parameters, per_thread);
    else if (kind == CALL_LAUNCH_OLD || kind == CALL_LAUNCH_OLD_ON)
        launch(old->function, kind == CALL_LAUNCH_OLD ? NULL : old->stream, per_thread, symbol);
    else
        other(kind, parameters);
}
