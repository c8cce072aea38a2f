/* The part of NVTX's binary interface that ranges need, in our own words, as abi.h has the
 * driver's. tests/gpu/nvtx_abi.c compares it with a toolkit's headers where there are some.
 *
 * A tool that wants to hear of ranges is a library. Who makes ranges calls its
 * InitializeInjectionNvtx2 with a function that gives out tables; in one of them the tool finds
 * where to put its own functions.
 */
#ifndef ATLAS_BACKENDS_CUDA_NVTX_ABI_H
#define ATLAS_BACKENDS_CUDA_NVTX_ABI_H

#include <stddef.h>
#include <stdint.h>

/* Names the library of a tool. */
#define NVTX_PATH "NVTX_INJECTION64_PATH"

/* The function that a tool's library exports; and a pointer to one, which a tool that is part of
 * the process already may define. */
#define NVTX_INITIALIZE "InitializeInjectionNvtx2"
#define NVTX_INITIALIZE_POINTER "InitializeInjectionNvtx2_fnptr"

enum {
    /* tables */
    NVTX_GIVES_MODULES = 1,
    NVTX_GIVES_VERSION = 3,
    /* the version that is spoken here */
    NVTX_SPOKEN = 3,
    /* places in the module core */
    NVTX_RANGE_PUSH = 9,
    NVTX_RANGE_POP = 11
};

/* X(module, number, places): of all modules; place 0 is none. */
#define NVTX_MODULES(X)                                                                            \
    X(CORE, 1, 16)                                                                                 \
    X(CUDA, 2, 9)                                                                                  \
    X(OPENCL, 3, 15)                                                                               \
    X(CUDART, 4, 7)                                                                                \
    X(CORE2, 5, 16)                                                                                \
    X(SYNC, 6, 7)

typedef void (*NvtxFunction)(void); /* of any type */

/* Tells where the functions of a module go, and how many places there are; 0: no such module. */
typedef int NvtxGetModule(unsigned module, NvtxFunction ***places, unsigned *count);

typedef struct {
    size_t size;
    NvtxGetModule *get;
} NvtxModules;

typedef struct {
    size_t size;
    uint32_t version, reserved;
    void (*set)(uint32_t version); /* the tool's */
} NvtxVersion;

typedef const void *NvtxGetTable(uint32_t table);
typedef int NvtxInitialize(NvtxGetTable *get); /* 0: the tool does not want to */

/* Of core, on the calling thread; they return how deep it is inside of ranges. */
typedef int NvtxRangePush(const char *name);
typedef int NvtxRangePop(void);

#endif
