/* What fake_recorded.c exports of the driver, for it and for recorded.c, which calls it. */
#ifndef ATLAS_TESTS_GPU_FAKE_RECORDED_H
#define ATLAS_TESTS_GPU_FAKE_RECORDED_H

#include "backends/cuda/abi.h"

#define FAKE_DECLARE(symbol, parameters) unsigned symbol parameters;

/* X(symbol, parameters) */
#define FAKE_CALLS(X)                                                                              \
    X(cuInit, (unsigned flags))                                                                    \
    X(cuDriverGetVersion, (int *version))                                                          \
    X(cuCtxGetDevice, (CudaDevice * device))                                                       \
    X(cuDeviceGetName, (char *name, int size, CudaDevice device))                                  \
    X(cuGetProcAddress_v2,                                                                         \
      (const char *symbol, void **call, int version, uint64_t flags, void *status))                \
    X(cuModuleGetFunction, (CudaFunction * function, CudaModule module, const char *name))         \
    X(cuModuleUnload, (CudaModule module))                                                         \
    X(cuFuncGetName, (const char **name, CudaFunction function))                                   \
    X(cuLaunchKernel, (CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,   \
                       unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,      \
                       CudaStream stream, void **parameters, void **extra))                        \
    X(cuLaunchKernelEx,                                                                            \
      (const void *config, CudaFunction function, void **parameters, void **extra))                \
    X(cuStreamCreate, (CudaStream * stream, unsigned flags))                                       \
    X(cuStreamSynchronize, (CudaStream stream))                                                    \
    X(cuEventSynchronize, (CudaEvent event))                                                       \
    X(cuCtxSynchronize, (void))                                                                    \
    X(cuMemcpyDtoHAsync_v2, (void *to, CudaMemory from, size_t bytes, CudaStream stream))          \
    X(cuMemcpyHtoDAsync_v2, (CudaMemory to, const void *from, size_t bytes, CudaStream stream))    \
    X(cuMemsetD8Async, (CudaMemory to, unsigned char value, size_t bytes, CudaStream stream))      \
    X(cuMemAlloc_v2, (CudaMemory * memory, size_t bytes))                                          \
    X(cuMemFree_v2, (CudaMemory memory))                                                           \
    X(cuStreamBeginCapture_v2, (CudaStream stream, unsigned mode))                                 \
    X(cuStreamEndCapture, (CudaStream stream, CudaGraph * graph))                                  \
    X(cuStreamIsCapturing, (CudaStream stream, unsigned *status))                                  \
    X(cuGraphInstantiateWithFlags, (CudaExec * exec, CudaGraph graph, unsigned long long flags))   \
    X(cuGraphLaunch, (CudaExec exec, CudaStream stream))                                           \
    X(cuGraphExecDestroy, (CudaExec exec))                                                         \
    X(cuGraphGetNodes, (CudaGraph graph, CudaNode * nodes, size_t * count))                        \
    X(cuGraphNodeGetType, (CudaNode node, unsigned *type))                                         \
    X(cuGraphChildGraphNodeGetGraph, (CudaNode node, CudaGraph * graph))                           \
    X(cuGraphNodeGetEnabled, (CudaExec exec, CudaNode node, unsigned *on))                         \
    X(cuGraphNodeSetEnabled, (CudaExec exec, CudaNode node, unsigned on))                          \
    X(fakeGraphAddNode, (CudaGraph graph, unsigned type, CudaGraph child))                         \
    X(fakeSwitch, (CudaGraph graph))

#endif
