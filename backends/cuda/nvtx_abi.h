/* The part of NVTX's binary interface that ranges need, for who makes them and for who listens, in
 * our own words, as abi.h has the
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
#include <wchar.h>

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
    /* modules */
    NVTX_CORE = 1,
    NVTX_CORE2 = 5,
    /* places in the module core: what takes attributes, a text (no letter), wide text */
    NVTX_RANGE_START_EX = 4,
    NVTX_RANGE_START = 5,
    NVTX_RANGE_START_W = 6,
    NVTX_RANGE_END = 7,
    NVTX_RANGE_PUSH_EX = 8,
    NVTX_RANGE_PUSH = 9,
    NVTX_RANGE_PUSH_W = 10,
    NVTX_RANGE_POP = 11,
    /* places in the module core2: the same in a domain, all with attributes */
    NVTX_DOMAIN_RANGE_START = 2,
    NVTX_DOMAIN_RANGE_END = 3,
    NVTX_DOMAIN_RANGE_PUSH = 4,
    NVTX_DOMAIN_RANGE_POP = 5,
    NVTX_REGISTER_STRING = 10,
    NVTX_REGISTER_STRING_W = 11,
    NVTX_DOMAIN_CREATE = 12,
    NVTX_DOMAIN_CREATE_W = 13,
    /* what a message is */
    NVTX_IS_TEXT = 1,
    NVTX_IS_WIDE = 2,
    NVTX_IS_REGISTERED = 3,
    /* the answer to a push or a pop of who does not follow them */
    NVTX_UNTRACKED = -2
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

/* Handles that a tool gives out; the default domain is NULL. */
typedef struct nvtxDomainRegistration_st *NvtxDomain;
typedef struct nvtxStringRegistration_st *NvtxString;
typedef uint64_t NvtxRangeId;

typedef struct {
    uint16_t version, size;
    uint32_t category;
    int32_t color_type;
    uint32_t color;
    int32_t payload_type, reserved;
    uint64_t payload;
    int32_t message_type;
    union {
        const char *text;
        const wchar_t *wide;
        NvtxString registered;
    } message;
} NvtxAttributes;

/* Of core, on the calling thread; they return how deep it is inside of ranges. */
typedef int NvtxRangePush(const char *name);
typedef int NvtxRangePop(void);

#endif
