/* The driver's calls that the library makes itself: what a handle stands for.
 *
 * They are looked up in the driver's library that the program has loaded. Old drivers lack some:
 * those are NULL.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_DRIVER_H
#define ATLAS_BACKENDS_RECORD_INJECT_DRIVER_H

#include "backends/cuda/abi.h"

/* X(symbol, parameters) */
#define DRIVER_CALLS(X)                                                                            \
    X(cuDriverGetVersion, (int *version))                                                          \
    X(cuCtxGetDevice, (CudaDevice * device))                                                       \
    X(cuDeviceGetName, (char *name, int size, CudaDevice device))                                  \
    X(cuFuncGetName, (const char **name, CudaFunction function))                                   \
    X(cuKernelGetName, (const char **name, CudaFunction kernel))                                   \
    X(cuStreamIsCapturing, (CudaStream stream, unsigned *status))                                  \
    X(cuGraphGetNodes, (CudaGraph graph, CudaNode * nodes, size_t * count))                        \
    X(cuGraphNodeGetType, (CudaNode node, unsigned *type))                                         \
    X(cuGraphChildGraphNodeGetGraph, (CudaNode node, CudaGraph * graph))                           \
    X(cuGraphNodeGetEnabled, (CudaExec exec, CudaNode node, unsigned *enabled))

typedef struct {
#define DRIVER_MEMBER(symbol, parameters) unsigned(*symbol) parameters;
    DRIVER_CALLS(DRIVER_MEMBER)
#undef DRIVER_MEMBER
} Driver;

extern Driver driver;

/* Looks them up in the library `handle` of dlopen. */
void driver_find(void *handle);

#endif
