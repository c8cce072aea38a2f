/* A library that looks like the CUDA driver's and CUPTI's, for recording programs where there is no
 * GPU: calls do nothing but what a recorder sees of them. It loads what CUDA_INJECTION64_PATH names
 * when it is started, and tells a subscriber of every call, before and after.
 *
 *     FAKE_CUPTI=forbidden|other   CUPTI refuses, for want of permission or for another profiler
 *     FAKE_CUPTI_VERSION=N         CUPTI's version (130001)
 *     FAKE_DROP=N                  CUPTI drops N records of kernels
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cupti_abi.h"
#include "backends/record/calls.h"
#include "tests/gpu/fake_recorded.h"

FAKE_CALLS(FAKE_DECLARE)
CUPTI_CALLS(FAKE_DECLARE)

/* All memory stays within reach, so that no checker of leaks takes it for lost. */
static void *kept;
static void *keep(size_t bytes) {
    void **memory = calloc(1, 16 + bytes);
    *memory = kept;
    kept = memory;
    return (char *)memory + 16;
}

/* ---- what a profiler is told ---- */

enum { IDS = 1024, ILLEGAL_STATE = 401 };

static CuptiCallback *profiler;
static void *profiler_data;
static unsigned char enabled[IDS];
static CuptiGiveBuffer *give;
static CuptiTakeBuffer *take;
static __thread uint32_t correlation;
static uint32_t correlations;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void tell(unsigned id, unsigned site, const void *parameters, unsigned *result,
                 const char *symbol) {
    CuptiCallbackData data = {.site = site, .parameters = parameters, .symbol = symbol};
    if (site == CUPTI_ENTER)
        correlation = __atomic_add_fetch(&correlations, 1, __ATOMIC_RELAXED);
    data.correlation = correlation;
    data.result = result;
    if (profiler && enabled[id])
        profiler(profiler_data, CUPTI_DRIVER_CALLS, id, &data);
}

/* The body of a call: tells of it before and after what it does, which sets `result`. */
#define TOLD(id, parameters, symbol, does)                                                         \
    unsigned result = CUDA_OK;                                                                     \
    tell(id, CUPTI_ENTER, parameters, &result, symbol);                                            \
    does;                                                                                          \
    tell(id, CUPTI_EXIT, parameters, &result, symbol);                                             \
    return result

/* ---- records of kernels ---- */

static CuptiKernel *records;
static size_t record_count, dropped;

static void note_kernel(const char *name, int in_graph) {
    CuptiKernel record = {.kind = CUPTI_CONCURRENT_KERNEL, .start = 1000, .end = 3000};
    if (!give)
        return;
    pthread_mutex_lock(&lock);
    record.name = name;
    record.correlation = correlation;
    record.graph_node = (uint64_t)in_graph;
    records = realloc(records, (record_count + 1) * sizeof *records);
    records[record_count++] = record;
    pthread_mutex_unlock(&lock);
}

static size_t next_record;

unsigned cuptiActivityFlushAll(uint32_t flags) {
    uint8_t *buffer;
    size_t size, most, drop = getenv("FAKE_DROP") ? strtoul(getenv("FAKE_DROP"), NULL, 10) : 0;
    if (!take)
        return CUPTI_OK;
    give(&buffer, &size, &most);
    dropped = next_record = drop < record_count ? drop : record_count;
    take(NULL, 0, buffer, size, 1);
    free(records);
    records = NULL;
    record_count = 0;
    return CUPTI_OK;
}

unsigned cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CuptiActivity **record) {
    if (next_record == record_count)
        return CUPTI_NO_MORE_RECORDS;
    *record = (CuptiActivity *)(void *)&records[next_record++];
    return CUPTI_OK;
}

unsigned cuptiActivityGetNumDroppedRecords(CudaContext context, uint32_t stream, size_t *count) {
    *count = dropped;
    return CUPTI_OK;
}

unsigned cuptiActivityRegisterCallbacks(CuptiGiveBuffer *giver, CuptiTakeBuffer *taker) {
    give = giver;
    take = taker;
    return CUPTI_OK;
}

unsigned cuptiActivityEnable(unsigned kind) {
    return CUPTI_OK;
}
unsigned cuptiActivityDisable(unsigned kind) {
    return CUPTI_OK;
}

/* ---- subscribing ---- */

static int is_meant(const char *variable, const char *word) {
    const char *value = getenv(variable);
    return value && strcmp(value, word) == 0;
}

unsigned cuptiGetVersion(uint32_t *version) {
    const char *value = getenv("FAKE_CUPTI_VERSION");
    *version = value ? (uint32_t)strtoul(value, NULL, 10) : 130001;
    return CUPTI_OK;
}

unsigned cuptiGetResultString(unsigned result, const char **text) {
    *text = result == CUPTI_NOT_PERMITTED  ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
            : result == CUPTI_OTHER_PROFILER ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                                             : "CUPTI_ERROR_UNKNOWN";
    return CUPTI_OK;
}

unsigned cuptiSubscribe(CuptiSubscriber *subscriber, CuptiCallback *callback, void *data) {
    if (is_meant("FAKE_CUPTI", "forbidden"))
        return CUPTI_NOT_PERMITTED;
    if (is_meant("FAKE_CUPTI", "other"))
        return CUPTI_OTHER_PROFILER;
    profiler = callback;
    profiler_data = data;
    *subscriber = NULL;
    return CUPTI_OK;
}

unsigned cuptiUnsubscribe(CuptiSubscriber subscriber) {
    profiler = NULL;
    return CUPTI_OK;
}

unsigned cuptiEnableCallback(uint32_t enable, CuptiSubscriber subscriber, unsigned domain,
                             unsigned id) {
    enabled[id] = enable != 0;
    return CUPTI_OK;
}

/* ---- graphs ---- */

typedef struct {
    unsigned type, enabled;
    const char *kernel;
    void *child;
} Node;

/* What a stream captures; a graph, and an exec of it. */
typedef struct {
    unsigned capturing;
    size_t count;
    Node nodes[64];
} Graph;

static Graph legacy;

static Graph *graph_on(CudaStream stream) {
    return (uintptr_t)stream < 16 ? &legacy : (Graph *)(void *)stream;
}

static void add_node(Graph *graph, unsigned type, const char *kernel, void *child) {
    if (graph->count < sizeof graph->nodes / sizeof *graph->nodes)
        graph->nodes[graph->count++] = (Node){type, 1, kernel, child};
}

static void enqueue(CudaStream stream, const char *kernel) {
    if (graph_on(stream)->capturing)
        add_node(graph_on(stream), NODE_KERNEL, kernel, NULL);
    else
        note_kernel(kernel, 0);
}

static void run_graph(const Graph *graph) {
    for (size_t i = 0; i < graph->count; i++)
        if (graph->nodes[i].type == NODE_CHILD)
            run_graph(graph->nodes[i].child);
        else if (graph->nodes[i].type == NODE_KERNEL && graph->nodes[i].enabled)
            note_kernel(graph->nodes[i].kernel, 1);
}

static unsigned end_capture(Graph *graph, CudaGraph *made) {
    *made = NULL;
    if (!graph->capturing)
        return ILLEGAL_STATE;
    *made = keep(sizeof *graph);
    memcpy((void *)*made, graph, sizeof *graph);
    memset(graph, 0, sizeof *graph);
    return CUDA_OK;
}

unsigned cuStreamBeginCapture_v2(CudaStream stream, unsigned mode) {
    TOLD(540 - 1, &stream, NULL, graph_on(stream)->capturing = 1);
}

unsigned cuStreamEndCapture(CudaStream stream, CudaGraph *graph) {
    TOLD(497, &stream, NULL, result = end_capture(graph_on(stream), graph));
}

unsigned cuStreamIsCapturing(CudaStream stream, unsigned *status) {
    *status = graph_on(stream)->capturing;
    return CUDA_OK;
}

unsigned cuGraphInstantiateWithFlags(CudaExec *exec, CudaGraph graph, unsigned long long flags) {
    CallInstantiate parameters = {exec, graph};
    TOLD(643, &parameters, NULL,
         *exec = memcpy(keep(sizeof(Graph)), (void *)graph, sizeof(Graph)));
}

unsigned cuGraphLaunch(CudaExec exec, CudaStream stream) {
    CallGraphLaunch parameters = {exec, stream};
    TOLD(514, &parameters, NULL, run_graph((Graph *)(void *)exec));
}

unsigned cuGraphExecDestroy(CudaExec exec) {
    CallExecDestroy parameters = {exec};
    TOLD(516, &parameters, NULL, (void)0);
}

unsigned cuGraphGetNodes(CudaGraph graph, CudaNode *nodes, size_t *count) {
    Graph *g = (Graph *)(void *)graph;
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < g->count ? (CudaNode)(void *)&g->nodes[i] : NULL;
    *count = g->count;
    return CUDA_OK;
}

unsigned cuGraphNodeGetType(CudaNode node, unsigned *type) {
    *type = ((Node *)(void *)node)->type;
    return CUDA_OK;
}

unsigned cuGraphChildGraphNodeGetGraph(CudaNode node, CudaGraph *graph) {
    *graph = ((Node *)(void *)node)->child;
    return CUDA_OK;
}

/* Adds a node to a graph as no capture does: of a type, or with a child. */
unsigned fakeGraphAddNode(CudaGraph graph, unsigned type, CudaGraph child) {
    add_node((Graph *)(void *)graph, type, "node", (void *)child);
    return CUDA_OK;
}

/* The exec's own node that the graph's became. */
static Node *node_in(CudaExec exec, CudaGraph graph, CudaNode node) {
    size_t place = (size_t)((Node *)(void *)node - ((Graph *)(void *)graph)->nodes);
    return &((Graph *)(void *)exec)->nodes[place];
}

static CudaGraph switched_graph; /* whose nodes are meant, since a node does not say */

unsigned fakeSwitch(CudaGraph graph) {
    switched_graph = graph;
    return CUDA_OK;
}

unsigned cuGraphNodeGetEnabled(CudaExec exec, CudaNode node, unsigned *on) {
    *on = node_in(exec, switched_graph, node)->enabled;
    return CUDA_OK;
}

unsigned cuGraphNodeSetEnabled(CudaExec exec, CudaNode node, unsigned on) {
    CallNodeEnable parameters = {exec, node, on};
    TOLD(650, &parameters, NULL, node_in(exec, switched_graph, node)->enabled = on);
}

/* ---- launches: a function is its name ---- */

unsigned cuModuleGetFunction(CudaFunction *function, CudaModule module, const char *name) {
    *function = (CudaFunction)(void *)strcpy(keep(strlen(name) + 1), name);
    return CUDA_OK;
}

unsigned cuFuncGetName(const char **name, CudaFunction function) {
    *name = (const char *)(void *)function;
    return CUDA_OK;
}

unsigned cuLaunchKernel(CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CudaStream stream, void **parameters, void **extra) {
    const char *name = (const char *)(void *)function;
    CallLaunch launch = {.function = function, .stream = stream};
    int fails = strcmp(name, "fails") == 0;
    TOLD(307, &launch, name, fails ? (void)(result = 1) : enqueue(stream, name));
}

unsigned cuLaunchKernelEx(const void *config, CudaFunction function, void **parameters,
                          void **extra) {
    CallLaunchEx launch = {config, function};
    const char *name = (const char *)(void *)function;
    TOLD(652, &launch, name, enqueue(launch.config->stream, name));
}

/* ---- what is counted without parameters ---- */

#define PLAIN(id, symbol, parameters)                                                              \
    unsigned symbol parameters {                                                                   \
        TOLD(id, NULL, NULL, (void)0);                                                             \
    }

PLAIN(279, cuMemcpyDtoHAsync_v2, (void *to, CudaMemory from, size_t bytes, CudaStream stream))
PLAIN(277, cuMemcpyHtoDAsync_v2, (CudaMemory to, const void *from, size_t bytes, CudaStream stream))
PLAIN(216, cuMemsetD8Async, (CudaMemory to, unsigned char value, size_t bytes, CudaStream stream))
PLAIN(126, cuStreamSynchronize, (CudaStream stream))
PLAIN(121, cuEventSynchronize, (CudaEvent event))
PLAIN(17, cuCtxSynchronize, (void))
PLAIN(243, cuMemAlloc_v2, (CudaMemory * memory, size_t bytes))
PLAIN(245, cuMemFree_v2, (CudaMemory memory))
PLAIN(22, cuModuleUnload, (CudaModule module))

/* ---- the device ---- */

unsigned cuInit(unsigned flags) {
    static int done;
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path && !done++ ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*entry)(void) = NULL;
    if (library)
        *(void **)&entry = dlsym(library, "InitializeInjection");
    if (entry)
        entry();
    return CUDA_OK;
}

/* Old versions of calls are not asked for. */
unsigned cuGetProcAddress_v2(const char *symbol, void **call, int version, uint64_t flags,
                             void *status) {
    static const struct {
        const char *symbol;
        void (*call)(void);
    } all[] = {
#define ENTRY(entry, parameters) {#entry, (void (*)(void))entry},
        FAKE_CALLS(ENTRY)};
    size_t length = strlen(symbol);
    *call = NULL;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (strncmp(all[i].symbol, symbol, length) == 0 &&
            (strcmp(all[i].symbol + length, "") == 0 || strcmp(all[i].symbol + length, "_v2") == 0))
            memcpy(call, &all[i].call, sizeof *call);
    return CUDA_OK;
}

unsigned cuStreamCreate(CudaStream *stream, unsigned flags) {
    *stream = keep(sizeof(Graph));
    return CUDA_OK;
}

unsigned cuDriverGetVersion(int *version) {
    *version = 13000;
    return CUDA_OK;
}

unsigned cuCtxGetDevice(CudaDevice *device) {
    *device = 0;
    return CUDA_OK;
}

unsigned cuDeviceGetName(char *name, int size, CudaDevice device) {
    snprintf(name, (size_t)size, "no GPU %d", device);
    return CUDA_OK;
}
