/* A library that looks like the CUDA driver's, for testing what runs programs on it where there is
 * no GPU: every symbol of abi.h, a counter that launches add to, captures of one stream each.
 *
 * It is no model of the driver (model/machine is). Where the environment variable FAKE_HANG,
 * FAKE_CRASH or FAKE_REFUSE names a call, that call never returns, ends the process, or answers
 * OUT_OF_MEMORY; FAKE_LOST=719@40 lets the device be lost after 40 calls: all others answer 719.
 * FAKE_DEVICES=0 takes its GPU away.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/cuda/abi.h"

#define DECLARE(symbol, parameters) unsigned symbol parameters;
CUDA_CALLS(DECLARE)

typedef struct {
    unsigned capturing;
    size_t nodes;
} Stream;

enum { OUT_OF_MEMORY = 2, ILLEGAL_STATE = 401, HANDLE = 64 };

static Stream legacy;
static __thread Stream per_thread;
static unsigned long long counter;

static int is_meant(const char *variable, const char *symbol) {
    const char *value = getenv(variable);
    return value && strcmp(value, symbol) == 0;
}

/* What all calls answer from now on where the device is lost. */
static unsigned fate(void) {
    static unsigned long calls;
    unsigned long after = 0, result = 0;
    const char *value = getenv("FAKE_LOST");
    if (!value || sscanf(value, "%lu@%lu", &result, &after) != 2)
        return CUDA_OK;
    return __atomic_fetch_add(&calls, 1, __ATOMIC_RELAXED) < after ? CUDA_OK : (unsigned)result;
}

static unsigned enter(const char *symbol) {
    unsigned gone = fate();
    while (is_meant("FAKE_HANG", symbol))
        pause();
    if (is_meant("FAKE_CRASH", symbol))
        abort();
    return is_meant("FAKE_REFUSE", symbol) ? OUT_OF_MEMORY : gone;
}

static Stream *stream_of(CudaStream stream) {
    return stream == CUDA_STREAM_PER_THREAD ? &per_thread
           : (uintptr_t)stream < HANDLE     ? &legacy
                                            : (Stream *)(void *)stream;
}

/* Work on a stream: a node where it captures, else executed at once. */
static unsigned work(const char *symbol, CudaStream stream, int launches) {
    unsigned result = enter(symbol);
    if (result != CUDA_OK)
        return result;
    if (stream_of(stream)->capturing)
        stream_of(stream)->nodes++;
    else
        counter += (unsigned)launches;
    return result;
}

static void *make(void) {
    return calloc(1, HANDLE);
}

#define PLAIN(symbol, parameters)                                                                  \
    unsigned symbol parameters {                                                                   \
        return enter(#symbol);                                                                     \
    }
#define ON_STREAM(symbol, parameters)                                                              \
    unsigned symbol parameters {                                                                   \
        return work(#symbol, stream, 0);                                                           \
    }
#define MAKES(symbol, parameters, made)                                                            \
    unsigned symbol parameters {                                                                   \
        unsigned result = enter(#symbol);                                                          \
        *made = result == CUDA_OK ? make() : NULL;                                                 \
        return result;                                                                             \
    }

PLAIN(cuInit, (unsigned flags))
PLAIN(cuCtxDestroy_v2, (CudaContext context))
PLAIN(cuCtxSetCurrent, (CudaContext context))
PLAIN(cuCtxSynchronize, (void))
PLAIN(cuModuleUnload, (CudaModule module))
PLAIN(cuMemFree_v2, (CudaMemory memory))
PLAIN(cuMemFreeHost, (void *memory))
PLAIN(cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))
PLAIN(cuMemHostUnregister, (void *memory))
PLAIN(cuMemGetInfo_v2, (size_t * left, size_t *total))
PLAIN(cuMemsetD8_v2, (CudaMemory to, unsigned char value, size_t bytes))
PLAIN(cuMemcpyHtoD_v2, (CudaMemory to, const void *from, size_t bytes))
PLAIN(cuStreamDestroy_v2, (CudaStream stream))
PLAIN(cuStreamSynchronize, (CudaStream stream))
PLAIN(cuStreamQuery, (CudaStream stream))
PLAIN(cuStreamWaitEvent, (CudaStream stream, CudaEvent event, unsigned flags))
PLAIN(cuThreadExchangeStreamCaptureMode, (unsigned *mode))
PLAIN(cuEventDestroy_v2, (CudaEvent event))
PLAIN(cuEventRecord, (CudaEvent event, CudaStream stream))
PLAIN(cuEventRecordWithFlags, (CudaEvent event, CudaStream stream, unsigned flags))
PLAIN(cuEventSynchronize, (CudaEvent event))
PLAIN(cuEventQuery, (CudaEvent event))
PLAIN(cuGraphExecUpdate_v2,
      (CudaExec exec, CudaGraph graph, struct CUgraphExecUpdateResultInfo_st *info))
PLAIN(cuGraphExecDestroy, (CudaExec exec))
PLAIN(cuGraphDestroy, (CudaGraph graph))

ON_STREAM(cuLaunchHostFunc, (CudaStream stream, CudaHostFn *fn, void *data))
ON_STREAM(cuStreamAddCallback, (CudaStream stream, CudaStreamFn *fn, void *data, unsigned flags))
ON_STREAM(cuMemsetD8Async, (CudaMemory to, unsigned char value, size_t bytes, CudaStream stream))
ON_STREAM(cuMemcpyDtoDAsync_v2, (CudaMemory to, CudaMemory from, size_t bytes, CudaStream stream))
ON_STREAM(cuMemcpyHtoDAsync_v2, (CudaMemory to, const void *from, size_t bytes, CudaStream stream))
ON_STREAM(cuMemcpyDtoHAsync_v2, (void *to, CudaMemory from, size_t bytes, CudaStream stream))
ON_STREAM(cuMemFreeAsync, (CudaMemory memory, CudaStream stream))
ON_STREAM(cuStreamWaitValue32_v2,
          (CudaStream stream, CudaMemory address, uint32_t value, unsigned flags))

MAKES(cuCtxCreate_v2, (CudaContext * context, unsigned flags, CudaDevice device), context)
MAKES(cuModuleLoad, (CudaModule * module, const char *path), module)
MAKES(cuModuleLoadData, (CudaModule * module, const void *image), module)
MAKES(cuModuleGetFunction, (CudaFunction * function, CudaModule module, const char *name), function)
MAKES(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags), memory)
MAKES(cuStreamCreate, (CudaStream * stream, unsigned flags), stream)
MAKES(cuEventCreate, (CudaEvent * event, unsigned flags), event)

unsigned cuDriverGetVersion(int *version) {
    *version = 13000;
    return enter("cuDriverGetVersion");
}

unsigned cuDeviceGetCount(int *count) {
    *count = is_meant("FAKE_DEVICES", "0") ? 0 : 1;
    return enter("cuDeviceGetCount");
}

unsigned cuDeviceGet(CudaDevice *device, int ordinal) {
    *device = ordinal;
    return enter("cuDeviceGet");
}

unsigned cuDeviceGetName(char *name, int size, CudaDevice device) {
    snprintf(name, (size_t)size, "no GPU %d", device);
    return enter("cuDeviceGetName");
}

unsigned cuLaunchKernel(CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CudaStream stream, void **parameters, void **extra) {
    return work("cuLaunchKernel", stream, 1);
}

unsigned cuMemAlloc_v2(CudaMemory *memory, size_t bytes) {
    *memory = (uintptr_t)make();
    return enter("cuMemAlloc_v2");
}

unsigned cuMemAllocAsync(CudaMemory *memory, size_t bytes, CudaStream stream) {
    *memory = (uintptr_t)make();
    return work("cuMemAllocAsync", stream, 0);
}

unsigned cuMemHostGetDevicePointer_v2(CudaMemory *memory, void *host, unsigned flags) {
    *memory = (uintptr_t)host;
    return enter("cuMemHostGetDevicePointer_v2");
}

/* A flag is set at once. */
unsigned cuStreamWriteValue32_v2(CudaStream stream, CudaMemory address, uint32_t value,
                                 unsigned flags) {
    memcpy((void *)(uintptr_t)address, &value, sizeof value);
    return enter("cuStreamWriteValue32_v2");
}

/* Eight bytes are asked of the counter only. */
unsigned cuMemcpyDtoH_v2(void *to, CudaMemory from, size_t bytes) {
    if (bytes == sizeof counter)
        memcpy(to, &counter, sizeof counter);
    counter = bytes == sizeof counter ? 0 : counter;
    return enter("cuMemcpyDtoH_v2");
}

unsigned cuStreamBeginCapture_v2(CudaStream stream, unsigned mode) {
    unsigned result = enter("cuStreamBeginCapture_v2");
    if (stream_of(stream)->capturing)
        return ILLEGAL_STATE;
    *stream_of(stream) = (Stream){1, 0};
    return result;
}

/* A graph is the copy of its stream. */
unsigned cuStreamEndCapture(CudaStream stream, CudaGraph *graph) {
    unsigned result = enter("cuStreamEndCapture");
    *graph = NULL;
    if (!stream_of(stream)->capturing)
        return ILLEGAL_STATE;
    *graph = make();
    memcpy((void *)*graph, stream_of(stream), sizeof(Stream));
    stream_of(stream)->capturing = 0;
    return result;
}

unsigned cuStreamIsCapturing(CudaStream stream, unsigned *status) {
    *status = stream_of(stream)->capturing;
    return enter("cuStreamIsCapturing");
}

unsigned cuGraphGetNodes(CudaGraph graph, CudaNode *nodes, size_t *count) {
    *count = ((Stream *)(void *)graph)->nodes;
    return enter("cuGraphGetNodes");
}

unsigned cuGraphGetEdges(CudaGraph graph, CudaNode *from, CudaNode *to, size_t *count) {
    size_t nodes = ((Stream *)(void *)graph)->nodes;
    *count = nodes ? nodes - 1 : 0;
    return enter("cuGraphGetEdges");
}

unsigned cuGraphNodeGetType(CudaNode node, unsigned *type) {
    *type = 0;
    return enter("cuGraphNodeGetType");
}

unsigned cuGraphInstantiateWithFlags(CudaExec *exec, CudaGraph graph, unsigned long long flags) {
    *exec = make();
    memcpy((void *)*exec, (void *)graph, sizeof(Stream));
    return enter("cuGraphInstantiateWithFlags");
}

unsigned cuGraphLaunch(CudaExec exec, CudaStream stream) {
    counter += ((Stream *)(void *)exec)->nodes;
    return enter("cuGraphLaunch");
}
