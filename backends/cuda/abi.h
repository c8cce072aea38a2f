/* The part of the CUDA driver's binary interface that programs need, in our own words.
 *
 * Nothing of CUDA is there when this is compiled: the driver's library is loaded at run time
 * (driver.h). Each row of CUDA_CALLS is an exported symbol, under the exact name by which the
 * library exports it (cuda.h maps cuMemAlloc to cuMemAlloc_v2 behind the caller's back), with its
 * parameters. tests/gpu/abi.c compares every row, and the numbers below, with a toolkit's cuda.h
 * where there is one.
 *
 * Results are CUresult, an enumeration without negative numbers, which has the type unsigned int;
 * so have all other enumerations among the parameters. A driver since CUDA 12.0 exports all of
 * this.
 */
#ifndef ATLAS_BACKENDS_CUDA_ABI_H
#define ATLAS_BACKENDS_CUDA_ABI_H

#include <stddef.h>
#include <stdint.h>

typedef struct CUctx_st *CudaContext;
typedef struct CUmod_st *CudaModule;
typedef struct CUfunc_st *CudaFunction;
typedef struct CUstream_st *CudaStream;
typedef struct CUevent_st *CudaEvent;
typedef struct CUgraph_st *CudaGraph;
typedef struct CUgraphNode_st *CudaNode;
typedef struct CUgraphExec_st *CudaExec;
typedef unsigned long long CudaMemory; /* an address on the device */
typedef int CudaDevice;

/* What cuGraphExecUpdate_v2 fills in; layout of CUgraphExecUpdateResultInfo_v1. */
typedef struct {
    unsigned result;
    CudaNode node, from;
} CudaUpdateInfo;

typedef void CudaHostFn(void *data);
typedef void CudaStreamFn(CudaStream stream, unsigned status, void *data);

/* The streams that need not be created. */
#define CUDA_STREAM_LEGACY ((CudaStream)0x1)
#define CUDA_STREAM_PER_THREAD ((CudaStream)0x2)

enum {
    CUDA_OK = 0,
    CUDA_NO_DEVICE = 100,
    CUDA_NOT_READY = 600,
    CUDA_STREAM_BLOCKING = 0,
    CUDA_STREAM_NONBLOCKING = 1,
    CUDA_EVENT_NO_TIMING = 2,
    CUDA_EVENT_EXTERNAL = 1, /* of a record, and of a wait */
    CUDA_HOST_ON_DEVICE = 2, /* host memory that the device can address; of a registration too */
    CUDA_WAIT_GEQ = 0,
    CUDA_WRITE_PLAIN = 0,
    CUDA_AUTOFREE = 1
};

/* X(symbol, parameters) */
#define CUDA_CALLS(X)                                                                              \
    X(cuInit, (unsigned flags))                                                                    \
    X(cuDriverGetVersion, (int *version))                                                          \
    X(cuDeviceGetCount, (int *count))                                                              \
    X(cuDeviceGet, (CudaDevice * device, int ordinal))                                             \
    X(cuDeviceGetName, (char *name, int size, CudaDevice device))                                  \
    X(cuCtxCreate_v2, (CudaContext * context, unsigned flags, CudaDevice device))                  \
    X(cuCtxDestroy_v2, (CudaContext context))                                                      \
    X(cuCtxSetCurrent, (CudaContext context))                                                      \
    X(cuCtxSynchronize, (void))                                                                    \
    X(cuModuleLoad, (CudaModule * module, const char *path))                                       \
    X(cuModuleLoadData, (CudaModule * module, const void *image))                                  \
    X(cuModuleUnload, (CudaModule module))                                                         \
    X(cuModuleGetFunction, (CudaFunction * function, CudaModule module, const char *name))         \
    X(cuLaunchKernel, (CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,   \
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,      \
                       CudaStream stream, void **parameters, void **extra))                        \
    X(cuLaunchHostFunc, (CudaStream stream, CudaHostFn * fn, void *data))                          \
    X(cuMemAlloc_v2, (CudaMemory * memory, size_t bytes))                                          \
    X(cuMemFree_v2, (CudaMemory memory))                                                           \
    X(cuMemHostAlloc, (void **memory, size_t bytes, unsigned flags))                               \
    X(cuMemFreeHost, (void *memory))                                                               \
    X(cuMemHostRegister_v2, (void *memory, size_t bytes, unsigned flags))                          \
    X(cuMemHostUnregister, (void *memory))                                                         \
    X(cuMemHostGetDevicePointer_v2, (CudaMemory * memory, void *host, unsigned flags))             \
    X(cuMemGetInfo_v2, (size_t * free, size_t * total))                                            \
    X(cuMemsetD8_v2, (CudaMemory to, unsigned char value, size_t bytes))                           \
    X(cuMemcpyHtoD_v2, (CudaMemory to, const void *from, size_t bytes))                            \
    X(cuMemcpyDtoH_v2, (void *to, CudaMemory from, size_t bytes))                                  \
    X(cuMemsetD8Async, (CudaMemory to, unsigned char value, size_t bytes, CudaStream stream))      \
    X(cuMemcpyDtoDAsync_v2, (CudaMemory to, CudaMemory from, size_t bytes, CudaStream stream))     \
    X(cuMemcpyHtoDAsync_v2, (CudaMemory to, const void *from, size_t bytes, CudaStream stream))    \
    X(cuMemcpyDtoHAsync_v2, (void *to, CudaMemory from, size_t bytes, CudaStream stream))          \
    X(cuMemAllocAsync, (CudaMemory * memory, size_t bytes, CudaStream stream))                     \
    X(cuMemFreeAsync, (CudaMemory memory, CudaStream stream))                                      \
    X(cuStreamCreate, (CudaStream * stream, unsigned flags))                                       \
    X(cuStreamDestroy_v2, (CudaStream stream))                                                     \
    X(cuStreamSynchronize, (CudaStream stream))                                                    \
    X(cuStreamQuery, (CudaStream stream))                                                          \
    X(cuStreamWaitEvent, (CudaStream stream, CudaEvent event, unsigned flags))                     \
    X(cuStreamAddCallback, (CudaStream stream, CudaStreamFn * fn, void *data, unsigned flags))     \
    X(cuStreamWaitValue32_v2,                                                                      \
      (CudaStream stream, CudaMemory address, uint32_t value, unsigned flags))                     \
    X(cuStreamWriteValue32_v2,                                                                     \
      (CudaStream stream, CudaMemory address, uint32_t value, unsigned flags))                     \
    X(cuStreamBeginCapture_v2, (CudaStream stream, unsigned mode))                                 \
    X(cuStreamEndCapture, (CudaStream stream, CudaGraph * graph))                                  \
    X(cuStreamIsCapturing, (CudaStream stream, unsigned *status))                                  \
    X(cuThreadExchangeStreamCaptureMode, (unsigned *mode))                                         \
    X(cuEventCreate, (CudaEvent * event, unsigned flags))                                          \
    X(cuEventDestroy_v2, (CudaEvent event))                                                        \
    X(cuEventRecord, (CudaEvent event, CudaStream stream))                                         \
    X(cuEventRecordWithFlags, (CudaEvent event, CudaStream stream, unsigned flags))                \
    X(cuEventSynchronize, (CudaEvent event))                                                       \
    X(cuEventQuery, (CudaEvent event))                                                             \
    X(cuGraphInstantiateWithFlags, (CudaExec * exec, CudaGraph graph, unsigned long long flags))   \
    X(cuGraphLaunch, (CudaExec exec, CudaStream stream))                                           \
    X(cuGraphExecUpdate_v2,                                                                        \
      (CudaExec exec, CudaGraph graph, struct CUgraphExecUpdateResultInfo_st * info))              \
    X(cuGraphExecDestroy, (CudaExec exec))                                                         \
    X(cuGraphDestroy, (CudaGraph graph))                                                           \
    X(cuGraphGetNodes, (CudaGraph graph, CudaNode * nodes, size_t * count))                        \
    X(cuGraphGetEdges, (CudaGraph graph, CudaNode * from, CudaNode * to, size_t * count))          \
    X(cuGraphNodeGetType, (CudaNode node, unsigned *type))

struct CUgraphExecUpdateResultInfo_st; /* its layout is CudaUpdateInfo's */

#endif
