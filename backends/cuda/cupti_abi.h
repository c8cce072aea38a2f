/* The part of CUPTI's binary interface that counting needs, in our own words, as abi.h has the
 * driver's. tests/gpu/cupti_abi.c compares it with a toolkit's headers where there are some.
 *
 * The record of a kernel has grown from version to version, by fields behind its others: what is
 * declared here is its beginning, which is the same since CUDA 11.1.
 */
#ifndef ATLAS_BACKENDS_CUDA_CUPTI_ABI_H
#define ATLAS_BACKENDS_CUDA_CUPTI_ABI_H

#include "backends/cuda/abi.h"

typedef struct CUpti_Subscriber_st *CuptiSubscriber;

enum {
    CUPTI_OK = 0,
    CUPTI_OUT_OF_MEMORY = 8,
    CUPTI_NO_MORE_RECORDS = 12, /* of a buffer */
    CUPTI_NOT_PERMITTED = 35,
    CUPTI_OTHER_PROFILER = 39,
    CUPTI_NOT_PERMITTED_VIRTUAL = 40,
    /* domains of callbacks */
    CUPTI_DRIVER_CALLS = 1,
    CUPTI_RESOURCES = 3,
    /* callbacks on resources */
    CUPTI_NODE_CREATED = 13,
    /* callbacks on driver calls; _ptsz: the same for per-thread default streams */
    CUPTI_LAUNCH_KERNEL = 307,
    CUPTI_LAUNCH_KERNEL_PTSZ = 442,
    CUPTI_LAUNCH_COOPERATIVE = 477,
    CUPTI_LAUNCH_COOPERATIVE_PTSZ = 478,
    CUPTI_LAUNCH_KERNEL_EX = 652,
    CUPTI_LAUNCH_KERNEL_EX_PTSZ = 653,
    CUPTI_GRAPH_LAUNCH = 514,
    CUPTI_GRAPH_LAUNCH_PTSZ = 515,
    CUPTI_ENTER = 0,
    CUPTI_EXIT = 1,
    /* kinds of activities */
    CUPTI_CONCURRENT_KERNEL = 10,
    CUPTI_FLUSH_FORCED = 1
};

typedef struct {
    unsigned site; /* CUPTI_ENTER, CUPTI_EXIT */
    const char *function;
    const void *parameters;
    void *result; /* of CUresult; at EXIT */
    const char *symbol;
    CudaContext context;
    uint32_t context_number;
    uint64_t *data;
    uint32_t correlation;
} CuptiCallbackData;

/* An activity of any kind. */
typedef struct {
    unsigned kind;
} CuptiActivity;

typedef struct {
    unsigned kind;
    uint8_t cache, shared_config;
    uint16_t registers;
    unsigned cache_requested, cache_executed;
    uint64_t start, end, completed;
    uint32_t device, context, stream;
    int32_t grid[3], block[3];
    int32_t shared_static, shared_dynamic;
    uint32_t local_thread, local_total;
    uint32_t correlation;
    int64_t grid_number;
    const char *name;
    void *reserved;
    uint64_t queued, submitted;
    uint8_t launch_type, carveout_requested, carveout, padding;
    uint32_t shared_executed;
    uint64_t graph_node; /* 0: not of a graph */
} CuptiKernel;

typedef void CuptiCallback(void *data, unsigned domain, unsigned id, const void *about);
typedef void CuptiGiveBuffer(uint8_t **buffer, size_t *size, size_t *records);
typedef void CuptiTakeBuffer(CudaContext context, uint32_t stream, uint8_t *buffer, size_t size,
                             size_t valid);

/* X(symbol, parameters) */
#define CUPTI_CALLS(X)                                                                             \
    X(cuptiGetVersion, (uint32_t * version))                                                       \
    X(cuptiGetResultString, (unsigned result, const char **text))                                  \
    X(cuptiSubscribe, (CuptiSubscriber * subscriber, CuptiCallback * callback, void *data))        \
    X(cuptiUnsubscribe, (CuptiSubscriber subscriber))                                              \
    X(cuptiEnableCallback,                                                                         \
      (uint32_t enable, CuptiSubscriber subscriber, unsigned domain, unsigned id))                 \
    X(cuptiActivityEnable, (unsigned kind))                                                        \
    X(cuptiActivityDisable, (unsigned kind))                                                       \
    X(cuptiActivityRegisterCallbacks, (CuptiGiveBuffer * give, CuptiTakeBuffer * take))            \
    X(cuptiActivityFlushAll, (uint32_t flags))                                                     \
    X(cuptiActivityGetNextRecord, (uint8_t * buffer, size_t valid, CuptiActivity * *record))       \
    X(cuptiActivityGetNumDroppedRecords, (CudaContext context, uint32_t stream, size_t * dropped))

/* Its calls, found at run time. */
typedef struct {
#define CUPTI_MEMBER(symbol, parameters) unsigned(*symbol) parameters;
    CUPTI_CALLS(CUPTI_MEMBER)
#undef CUPTI_MEMBER
} Cupti;

#endif
