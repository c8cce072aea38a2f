/* The driver calls that ops stand for, but those on captures and graphs, which graphs.c has. */
#include "backends/cuda/objects.h"
#include "backends/cuda/watch.h"
#include "model/machine/machine.h"

/* Every call has the type CudaCall, whether it needs all of its parameters or not. */
#pragma GCC diagnostic ignored "-Wunused-parameter"

static unsigned new_stream(CudaSession *s, const char *name, gboolean blocking) {
    CudaStream stream = NULL;
    unsigned result =
        s->cuda->cuStreamCreate(&stream, blocking ? CUDA_STREAM_BLOCKING : CUDA_STREAM_NONBLOCKING);
    if (result == CUDA_OK)
        cuda_name(&s->streams, name, stream);
    return result;
}

static unsigned new_event(CudaSession *s, const char *name) {
    CudaEvent event = NULL;
    unsigned result = s->cuda->cuEventCreate(&event, CUDA_EVENT_NO_TIMING);
    if (result == CUDA_OK)
        cuda_name(&s->events, name, event);
    return result;
}

CudaStream cuda_stream(CudaSession *session, const AtlasOp *op, guint operand) {
    const char *name = op->operands[operand];
    if (g_str_equal(name, "legacy"))
        return CUDA_STREAM_LEGACY;
    if (g_str_equal(name, "ptds"))
        return CUDA_STREAM_PER_THREAD;
    if (!g_hash_table_contains(session->streams.named, name))
        new_stream(session, name, FALSE);
    return g_hash_table_lookup(session->streams.named, name);
}

static CudaEvent event_of(CudaSession *s, const AtlasOp *op, guint operand) {
    const char *name = op->operands[operand];
    if (!g_hash_table_contains(s->events.named, name))
        new_event(s, name);
    return g_hash_table_lookup(s->events.named, name);
}

/* ---- streams, events, waiting ---- */

static unsigned make_stream(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return new_stream(s, op->operands[0], g_str_equal(op->operands[1], "blocking"));
}

static unsigned make_event(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return new_event(s, op->operands[0]);
}

static unsigned make_and_destroy_stream(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaStream stream;
    unsigned result = s->cuda->cuStreamCreate(&stream, CUDA_STREAM_NONBLOCKING);
    return result == CUDA_OK ? s->cuda->cuStreamDestroy_v2(stream) : result;
}

static unsigned make_and_destroy_event(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaEvent event;
    unsigned result = s->cuda->cuEventCreate(&event, CUDA_EVENT_NO_TIMING);
    return result == CUDA_OK ? s->cuda->cuEventDestroy_v2(event) : result;
}

static unsigned record(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuEventRecord(event_of(s, op, 0), cuda_stream(s, op, 1));
}

static unsigned record_external(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuEventRecordWithFlags(event_of(s, op, 0), cuda_stream(s, op, 1),
                                           CUDA_EVENT_EXTERNAL);
}

static unsigned wait_event(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuStreamWaitEvent(cuda_stream(s, op, 0), event_of(s, op, 1), 0);
}

static unsigned wait_external(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuStreamWaitEvent(cuda_stream(s, op, 0), event_of(s, op, 1),
                                      CUDA_EVENT_EXTERNAL);
}

static unsigned sync_stream(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuStreamSynchronize(cuda_stream(s, op, 0));
}

static unsigned query_stream(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuStreamQuery(cuda_stream(s, op, 0));
}

static unsigned sync_event(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuEventSynchronize(event_of(s, op, 0));
}

static unsigned query_event(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuEventQuery(event_of(s, op, 0));
}

static unsigned sync_context(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuCtxSynchronize();
}

static unsigned set_mode(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    unsigned mode = atlas_capture_mode(op->operands[0]);
    return s->cuda->cuThreadExchangeStreamCaptureMode(&mode);
}

static unsigned begin_capture(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuStreamBeginCapture_v2(cuda_stream(s, op, 0),
                                            atlas_capture_mode(op->operands[1]));
}

/* ---- work on a stream ---- */

static void do_nothing(void *data) {
}

static void do_nothing_on(CudaStream stream, unsigned status, void *data) {
}

/* What an asynchronous copy to or from the host takes there. */
static void *host_side(CudaSession *s, const AtlasOp *op) {
    return g_str_equal(op->operands[1], "pageable") ? s->place->pageable : s->place->pinned;
}

static unsigned launch(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    void *parameters[] = {&s->place->counter};
    CudaStream stream = cuda_stream(s, op, 0);
    unsigned result = CUDA_OK;
    for (gint64 i = 0; i < op->count && result == CUDA_OK; i++) {
        result = s->cuda->cuLaunchKernel(s->place->kernel, 1, 1, 1, 1, 1, 1, 0, stream, parameters,
                                         NULL);
        cuda_beat();
    }
    return result;
}

static unsigned memset_async(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemsetD8Async(s->place->buffer, 0, CUDA_COPY, cuda_stream(s, op, 0));
}

static unsigned dtod_async(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemcpyDtoDAsync_v2(s->place->buffer + CUDA_COPY, s->place->buffer, CUDA_COPY,
                                         cuda_stream(s, op, 0));
}

static unsigned htod_async(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemcpyHtoDAsync_v2(s->place->buffer, host_side(s, op), CUDA_COPY,
                                         cuda_stream(s, op, 0));
}

static unsigned dtoh_async(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemcpyDtoHAsync_v2(host_side(s, op), s->place->buffer, CUDA_COPY,
                                         cuda_stream(s, op, 0));
}

static unsigned host_fn(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuLaunchHostFunc(cuda_stream(s, op, 0), do_nothing, NULL);
}

static unsigned stream_callback(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuStreamAddCallback(cuda_stream(s, op, 0), do_nothing_on, NULL, 0);
}

/* ---- memory and other calls ---- */

static CudaMemory memory_of(const CudaSession *s, const AtlasOp *op) {
    const CudaMemory *memory = g_hash_table_lookup(s->memory, op->operands[0]);
    return memory ? *memory : 0;
}

/* Keeps what an allocation gave: the null pointer where it failed. */
static unsigned keep_memory(CudaSession *s, const AtlasOp *op, unsigned result, CudaMemory memory) {
    CudaMemory kept = result == CUDA_OK ? memory : 0;
    g_hash_table_insert(s->memory, (gpointer)op->operands[0], g_memdup2(&kept, sizeof kept));
    return result;
}

static unsigned allocate(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaMemory memory = 0;
    unsigned result = s->cuda->cuMemAlloc_v2(&memory, CUDA_ALLOCATION);
    return keep_memory(s, op, result, memory);
}

static unsigned allocate_async(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaMemory memory = 0;
    unsigned result = s->cuda->cuMemAllocAsync(&memory, CUDA_ALLOCATION, cuda_stream(s, op, 1));
    return keep_memory(s, op, result, memory);
}

static unsigned free_memory(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemFree_v2(memory_of(s, op));
}

static unsigned free_async(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemFreeAsync(memory_of(s, op), cuda_stream(s, op, 1));
}

static unsigned allocate_host(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    void *memory = NULL;
    unsigned result = s->cuda->cuMemHostAlloc(&memory, CUDA_ALLOCATION, 0);
    return keep_memory(s, op, result, (uintptr_t)memory);
}

static unsigned free_host(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemFreeHost((void *)(uintptr_t)memory_of(s, op));
}

static unsigned memset_sync(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemsetD8_v2(s->place->buffer, 0, CUDA_COPY);
}

static unsigned htod_sync(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemcpyHtoD_v2(s->place->buffer, s->place->pageable, CUDA_COPY);
}

static unsigned dtoh_sync(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    return s->cuda->cuMemcpyDtoH_v2(s->place->pageable, s->place->buffer, CUDA_COPY);
}

/* Its answer is that of loading. Unloading is an unsafe call, and refused while a capture is open:
 * the module then stays until the place is freed. */
static unsigned load_module(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaModule module;
    unsigned result = s->cuda->cuModuleLoad(&module, s->place->path);
    if (result == CUDA_OK)
        s->cuda->cuModuleUnload(module);
    return result;
}

static unsigned mem_info(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    size_t left, total;
    return s->cuda->cuMemGetInfo_v2(&left, &total);
}

/* ---- flags: numbers in pinned memory, made where they are declared ---- */

static unsigned make_flag(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    void *flag = NULL;
    unsigned result = s->cuda->cuMemHostAlloc(&flag, sizeof(gint), CUDA_HOST_ON_DEVICE);
    if (result == CUDA_OK) {
        g_atomic_int_set((gint *)flag, 0);
        g_hash_table_insert(s->flags, (gpointer)op->operands[0], flag);
    }
    return result;
}

static unsigned flag_on_device(const CudaSession *s, const char *name, CudaMemory *address) {
    void *flag = g_hash_table_lookup(s->flags, name);
    return s->cuda->cuMemHostGetDevicePointer_v2(address, flag, 0);
}

static unsigned set_flag(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaMemory flag;
    unsigned result = flag_on_device(s, op->operands[1], &flag);
    return result == CUDA_OK
               ? s->cuda->cuStreamWriteValue32_v2(cuda_stream(s, op, 0), flag, 1, CUDA_WRITE_PLAIN)
               : result;
}

static unsigned wait_flag(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    CudaMemory flag;
    unsigned result = flag_on_device(s, op->operands[1], &flag);
    return result == CUDA_OK
               ? s->cuda->cuStreamWaitValue32_v2(cuda_stream(s, op, 0), flag, 1, CUDA_WAIT_GEQ)
               : result;
}

static unsigned host_set_flag(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    gint *flag = g_hash_table_lookup(s->flags, op->operands[0]);
    if (flag)
        g_atomic_int_set(flag, 1);
    return CUDA_OK;
}

static unsigned host_wait_flag(CudaSession *s, const AtlasOp *op, AtlasAnswer *answer) {
    gint *flag = g_hash_table_lookup(s->flags, op->operands[0]);
    while (flag && !g_atomic_int_get(flag))
        g_usleep(100);
    return CUDA_OK;
}

/* ---- all of them; what is missing here is no business of the driver ---- */

static CudaCall *const calls[ATLAS_OP_KINDS] = {
    [ATLAS_OP_STREAM] = make_stream,
    [ATLAS_OP_EVENT] = make_event,
    [ATLAS_OP_FLAG] = make_flag,
    [ATLAS_OP_MODE] = set_mode,
    [ATLAS_OP_BEGIN] = begin_capture,
    [ATLAS_OP_END_CAPTURE] = cuda_end,
    [ATLAS_OP_STATUS] = cuda_status,
    [ATLAS_OP_LAUNCH] = launch,
    [ATLAS_OP_MEMSET_ASYNC] = memset_async,
    [ATLAS_OP_DTOD_ASYNC] = dtod_async,
    [ATLAS_OP_HTOD_ASYNC] = htod_async,
    [ATLAS_OP_DTOH_ASYNC] = dtoh_async,
    [ATLAS_OP_HOST_FN] = host_fn,
    [ATLAS_OP_STREAM_CALLBACK] = stream_callback,
    [ATLAS_OP_MALLOC_ASYNC] = allocate_async,
    [ATLAS_OP_FREE_ASYNC] = free_async,
    [ATLAS_OP_FLAG_WAIT] = wait_flag,
    [ATLAS_OP_FLAG_SET] = set_flag,
    [ATLAS_OP_RECORD] = record,
    [ATLAS_OP_RECORD_EXTERNAL] = record_external,
    [ATLAS_OP_WAIT] = wait_event,
    [ATLAS_OP_WAIT_EXTERNAL] = wait_external,
    [ATLAS_OP_SYNC_STREAM] = sync_stream,
    [ATLAS_OP_QUERY_STREAM] = query_stream,
    [ATLAS_OP_SYNC_EVENT] = sync_event,
    [ATLAS_OP_QUERY_EVENT] = query_event,
    [ATLAS_OP_SYNC_CTX] = sync_context,
    [ATLAS_OP_HOST_FLAG_SET] = host_set_flag,
    [ATLAS_OP_HOST_FLAG_WAIT] = host_wait_flag,
    [ATLAS_OP_MALLOC] = allocate,
    [ATLAS_OP_FREE] = free_memory,
    [ATLAS_OP_HOST_ALLOC] = allocate_host,
    [ATLAS_OP_HOST_FREE] = free_host,
    [ATLAS_OP_MEMSET_SYNC] = memset_sync,
    [ATLAS_OP_HTOD_SYNC] = htod_sync,
    [ATLAS_OP_DTOH_SYNC] = dtoh_sync,
    [ATLAS_OP_MODULE_LOAD] = load_module,
    [ATLAS_OP_EVENT_CREATE] = make_and_destroy_event,
    [ATLAS_OP_STREAM_CREATE] = make_and_destroy_stream,
    [ATLAS_OP_MEM_INFO] = mem_info,
    [ATLAS_OP_INSTANTIATE] = cuda_instantiate,
    [ATLAS_OP_INSTANTIATE_AUTOFREE] = cuda_instantiate,
    [ATLAS_OP_GRAPH_LAUNCH] = cuda_graph_launch,
    [ATLAS_OP_UPDATE] = cuda_update,
    [ATLAS_OP_DESTROY_EXEC] = cuda_destroy_exec,
    [ATLAS_OP_DESTROY_GRAPH] = cuda_destroy_graph,
};

gboolean cuda_session_performs(AtlasOpKind kind) {
    return calls[kind] != NULL;
}

AtlasAnswer cuda_call(CudaSession *session, const AtlasOp *op) {
    AtlasAnswer answer = atlas_answer(ATLAS_RESULT_NONE);
    unsigned result = calls[op->kind](session, op, &answer);
    if (atlas_op_call(op->kind))
        answer.code = result == CUDA_NOT_READY ? CUDA_OK : (int)result;
    return answer;
}
