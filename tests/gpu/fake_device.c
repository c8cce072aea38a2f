/* A library that looks like the CUDA driver's and CUPTI's, with a device: kernels of replays run on
 * the CPU, at the moment at which they are enqueued. It is what replays are tested on where there
 * is no GPU. Where fake.c has a call that does, it is that one.
 *
 * It is no model of the driver: captures are of one stream each. The environment changes what it
 * does, beside what fake.c says of it:
 *
 *     FAKE_CUPTI=forbidden|other   CUPTI refuses, for want of permission or for another profiler
 *     FAKE_LOSE=N                  N records of kernels are lost
 *     FAKE_SPOIL=N                 the N-th kernel leaves its cells alone
 *     FAKE_STRANGER=1              a kernel of someone else's runs, too
 */
#include <stddef.h>
#include <stdlib.h>
#include <time.h>

/* All memory stays within reach, so that no checker of leaks takes it for lost. */
static void *kept;
static void *keep(size_t count, size_t bytes) {
    void **memory = calloc(1, sizeof(max_align_t) + count * bytes);
    *memory = kept;
    kept = memory;
    return (char *)memory + sizeof(max_align_t);
}

#define calloc keep
#define cuModuleGetFunction bare_cuModuleGetFunction
#define cuMemAlloc_v2 bare_cuMemAlloc_v2
#define cuMemHostAlloc bare_cuMemHostAlloc
#define cuMemcpyHtoD_v2 bare_cuMemcpyHtoD_v2
#define cuMemcpyDtoH_v2 bare_cuMemcpyDtoH_v2
#define cuMemsetD8_v2 bare_cuMemsetD8_v2
#define cuMemsetD8Async bare_cuMemsetD8Async
#define cuMemcpyDtoDAsync_v2 bare_cuMemcpyDtoDAsync_v2
#define cuMemcpyHtoDAsync_v2 bare_cuMemcpyHtoDAsync_v2
#define cuMemcpyDtoHAsync_v2 bare_cuMemcpyDtoHAsync_v2
#define cuLaunchHostFunc bare_cuLaunchHostFunc
#define cuLaunchKernel bare_cuLaunchKernel
#define cuStreamBeginCapture_v2 bare_cuStreamBeginCapture_v2
#define cuStreamEndCapture bare_cuStreamEndCapture
#define cuGraphInstantiateWithFlags bare_cuGraphInstantiateWithFlags
#define cuGraphGetNodes bare_cuGraphGetNodes
#define cuGraphGetEdges bare_cuGraphGetEdges
#define cuGraphNodeGetType bare_cuGraphNodeGetType
#define cuGraphLaunch bare_cuGraphLaunch
#include "tests/gpu/fake.c"
#undef cuModuleGetFunction
#undef cuMemAlloc_v2
#undef cuMemHostAlloc
#undef cuMemcpyHtoD_v2
#undef cuMemcpyDtoH_v2
#undef cuMemsetD8_v2
#undef cuMemsetD8Async
#undef cuMemcpyDtoDAsync_v2
#undef cuMemcpyHtoDAsync_v2
#undef cuMemcpyDtoHAsync_v2
#undef cuLaunchHostFunc
#undef cuLaunchKernel
#undef cuStreamBeginCapture_v2
#undef cuStreamEndCapture
#undef cuGraphInstantiateWithFlags
#undef cuGraphGetNodes
#undef cuGraphGetEdges
#undef cuGraphNodeGetType
#undef cuGraphLaunch

#include "backends/cuda/cupti_abi.h"
#include "backends/cuda/kernels.h"

CUDA_CALLS(DECLARE)
CUPTI_CALLS(DECLARE)

/* ---- what a profiler is told ---- */

enum { RECORDS = 1 << 20, NS = 1000000000 };

static CuptiCallback *profiler;
static void *profiler_data;
static CuptiGiveBuffer *give;
static CuptiTakeBuffer *take;
static int recording;
static uint32_t correlation;
static struct {
    const char *name;
    uint32_t correlation;
    int in_graph;
} * records;
static size_t record_count, record_next, lost;

static void tell(unsigned id, unsigned site, unsigned *result, const char *symbol) {
    CuptiCallbackData data = {.site = site, .result = result, .symbol = symbol};
    data.correlation = correlation;
    if (profiler)
        profiler(profiler_data, CUPTI_DRIVER_CALLS, id, &data);
}

static void note_kernel(const char *name, int in_graph) {
    const char *lose = getenv("FAKE_LOSE");
    if (!recording)
        return;
    if (lose && lost < strtoul(lose, NULL, 10)) {
        lost++;
        return;
    }
    if (!records)
        records = calloc(RECORDS, sizeof *records);
    if (record_count == 0 && is_meant("FAKE_STRANGER", "1"))
        records[record_count++].name = "somebody";
    if (record_count < RECORDS) {
        records[record_count].name = name;
        records[record_count].correlation = correlation;
        records[record_count++].in_graph = in_graph;
    }
}

/* ---- work, done now or kept in a graph ---- */

typedef struct Work Work;
struct Work {
    Work *next;
    unsigned type; /* CUgraphNodeType */
    const char *kernel;
    AtlasLaunch launch;
    CudaWorld world;
    CudaHostFn *fn;
    void *to;
    const void *from; /* or what `fn` is given */
    size_t bytes;
};

enum { IS_KERNEL, IS_COPY, IS_MEMSET, IS_HOST };

/* What a stream captures; a graph, and an exec of it. */
typedef struct {
    unsigned capturing;
    size_t nodes;
    Work *first, *last;
} Captured;

static Captured captured_special;
static unsigned long spoil_in;

static Captured *captured(CudaStream stream) {
    return (uintptr_t)stream < HANDLE ? &captured_special : (Captured *)(void *)stream;
}

static void run_kernel(const Work *w, int in_graph) {
    uint64_t *cells = (uint64_t *)(uintptr_t)w->world.cells;
    const char *spoil = getenv("FAKE_SPOIL");
    if (strncmp(w->kernel, CUDA_KERNEL_PREFIX, strlen(CUDA_KERNEL_PREFIX)) != 0) {
        ++*(uint64_t *)(uintptr_t)w->world.counter; /* a program's, which is run, not replayed */
        return;
    }
    uint64_t h = atlas_launch_mix(&w->launch, cells, (uint64_t *)(uintptr_t)w->world.scalars);
    if (!spoil || ++spoil_in != strtoul(spoil, NULL, 10))
        atlas_launch_write(&w->launch, h, cells);
    if (w->world.counter)
        ++*(uint64_t *)(uintptr_t)w->world.counter;
    if (w->world.ns)
        nanosleep(&(struct timespec){(time_t)(w->world.ns / NS), (long)(w->world.ns % NS)}, NULL);
    note_kernel(w->kernel, in_graph);
}

static void run(const Work *w, int in_graph) {
    if (w->type == IS_KERNEL)
        run_kernel(w, in_graph);
    else if (w->type == IS_HOST)
        w->fn((void *)(uintptr_t)w->from);
    else if (w->type == IS_COPY)
        memmove(w->to, w->from, w->bytes);
    else
        memset(w->to, 0, w->bytes);
}

/* Does the work, or captures it. */
static unsigned enqueue(const char *symbol, CudaStream stream, const Work *work) {
    Captured *c = captured(stream);
    unsigned result = enter(symbol);
    if (result != CUDA_OK)
        return result;
    if (!c->capturing) {
        run(work, 0);
        return result;
    }
    Work *node = calloc(1, sizeof *node);
    *node = *work;
    node->next = NULL;
    *(c->last ? &c->last->next : &c->first) = node;
    c->last = node;
    c->nodes++;
    if (profiler)
        profiler(profiler_data, CUPTI_RESOURCES, CUPTI_NODE_CREATED, NULL);
    return result;
}

unsigned cuLaunchKernel(CudaFunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared,
                        CudaStream stream, void **parameters, void **extra) {
    Work work = {.type = IS_KERNEL, .kernel = (const char *)function};
    if (strncmp(work.kernel, CUDA_KERNEL_PREFIX, strlen(CUDA_KERNEL_PREFIX)) == 0) {
        memcpy(&work.launch, parameters[0], sizeof work.launch);
        memcpy(&work.world, parameters[1], sizeof work.world);
    } else {
        memcpy(&work.world.counter, parameters[0], sizeof work.world.counter);
    }
    correlation++;
    tell(CUPTI_LAUNCH_KERNEL, CUPTI_ENTER, NULL, work.kernel);
    unsigned result = enqueue("cuLaunchKernel", stream, &work);
    tell(CUPTI_LAUNCH_KERNEL, CUPTI_EXIT, &result, work.kernel);
    return result;
}

#define COPIES(symbol, parameters, target, source)                                                 \
    unsigned symbol parameters {                                                                   \
        Work work = {.type = IS_COPY, .to = (void *)(uintptr_t)target, .bytes = bytes};            \
        work.from = (const void *)(uintptr_t)source;                                               \
        return enqueue(#symbol, stream, &work);                                                    \
    }
#define COPIES_NOW(symbol, parameters, target, source)                                             \
    unsigned symbol parameters {                                                                   \
        memmove((void *)(uintptr_t)target, (const void *)(uintptr_t)source, bytes);                \
        return enter(#symbol);                                                                     \
    }

COPIES(cuMemcpyDtoDAsync_v2, (CudaMemory to, CudaMemory from, size_t bytes, CudaStream stream), to,
       from)
COPIES(cuMemcpyHtoDAsync_v2, (CudaMemory to, const void *from, size_t bytes, CudaStream stream), to,
       from)
COPIES(cuMemcpyDtoHAsync_v2, (void *to, CudaMemory from, size_t bytes, CudaStream stream), to, from)
COPIES_NOW(cuMemcpyHtoD_v2, (CudaMemory to, const void *from, size_t bytes), to, from)
COPIES_NOW(cuMemcpyDtoH_v2, (void *to, CudaMemory from, size_t bytes), to, from)

unsigned cuMemsetD8Async(CudaMemory to, unsigned char value, size_t bytes, CudaStream stream) {
    Work work = {.type = IS_MEMSET, .to = (void *)(uintptr_t)to, .bytes = bytes};
    return enqueue("cuMemsetD8Async", stream, &work);
}

unsigned cuMemsetD8_v2(CudaMemory to, unsigned char value, size_t bytes) {
    memset((void *)(uintptr_t)to, value, bytes);
    return enter("cuMemsetD8_v2");
}

unsigned cuLaunchHostFunc(CudaStream stream, CudaHostFn *fn, void *data) {
    Work work = {.type = IS_HOST, .fn = fn, .from = data};
    return enqueue("cuLaunchHostFunc", stream, &work);
}

/* ---- objects ---- */

unsigned cuModuleGetFunction(CudaFunction *function, CudaModule module, const char *name) {
    *function = (CudaFunction)(void *)strcpy(calloc(1, strlen(name) + 1), name);
    return enter("cuModuleGetFunction");
}

unsigned cuMemAlloc_v2(CudaMemory *memory, size_t bytes) {
    *memory = (uintptr_t)calloc(1, bytes);
    return enter("cuMemAlloc_v2");
}

unsigned cuMemHostAlloc(void **memory, size_t bytes, unsigned flags) {
    *memory = calloc(1, bytes);
    return enter("cuMemHostAlloc");
}

unsigned cuStreamBeginCapture_v2(CudaStream stream, unsigned mode) {
    *captured(stream) = (Captured){1, 0, NULL, NULL};
    return enter("cuStreamBeginCapture_v2");
}

unsigned cuStreamEndCapture(CudaStream stream, CudaGraph *graph) {
    Captured *c = captured(stream);
    *graph = NULL;
    if (!c->capturing)
        return ILLEGAL_STATE;
    *graph = make();
    memcpy((void *)*graph, c, sizeof *c);
    c->capturing = 0;
    return enter("cuStreamEndCapture");
}

unsigned cuGraphInstantiateWithFlags(CudaExec *exec, CudaGraph graph, unsigned long long flags) {
    *exec = make();
    memcpy((void *)*exec, (void *)graph, sizeof(Captured));
    return enter("cuGraphInstantiateWithFlags");
}

unsigned cuGraphGetNodes(CudaGraph graph, CudaNode *nodes, size_t *count) {
    const Captured *c = (Captured *)(void *)graph;
    *count = c->nodes;
    for (Work *w = c->first; nodes && w; w = w->next)
        *nodes++ = (CudaNode)(void *)w;
    return enter("cuGraphGetNodes");
}

unsigned cuGraphGetEdges(CudaGraph graph, CudaNode *from, CudaNode *to, size_t *count) {
    size_t nodes = ((Captured *)(void *)graph)->nodes;
    *count = nodes ? nodes - 1 : 0;
    return enter("cuGraphGetEdges");
}

unsigned cuGraphNodeGetType(CudaNode node, unsigned *type) {
    *type = ((Work *)(void *)node)->type;
    return enter("cuGraphNodeGetType");
}

unsigned cuGraphLaunch(CudaExec exec, CudaStream stream) {
    correlation++;
    tell(CUPTI_GRAPH_LAUNCH, CUPTI_ENTER, NULL, NULL);
    for (Work *w = ((Captured *)(void *)exec)->first; w; w = w->next)
        run(w, 1);
    unsigned result = enter("cuGraphLaunch");
    tell(CUPTI_GRAPH_LAUNCH, CUPTI_EXIT, &result, NULL);
    return result;
}

/* ---- CUPTI ---- */

unsigned cuptiEnableCallback(uint32_t enable, CuptiSubscriber subscriber, unsigned domain,
                             unsigned id) {
    return CUPTI_OK;
}

unsigned cuptiUnsubscribe(CuptiSubscriber subscriber) {
    profiler = NULL;
    return CUPTI_OK;
}

unsigned cuptiActivityDisable(unsigned kind) {
    recording = 0;
    return CUPTI_OK;
}

unsigned cuptiGetVersion(uint32_t *version) {
    *version = 130001;
    return CUPTI_OK;
}

unsigned cuptiGetResultString(unsigned result, const char **text) {
    *text = result == CUPTI_NOT_PERMITTED    ? "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES"
            : result == CUPTI_OTHER_PROFILER ? "CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED"
                                             : "CUPTI_ERROR";
    return CUPTI_OK;
}

unsigned cuptiSubscribe(CuptiSubscriber *subscriber, CuptiCallback *callback, void *data) {
    profiler = callback;
    profiler_data = data;
    return is_meant("FAKE_CUPTI", "other") ? CUPTI_OTHER_PROFILER : CUPTI_OK;
}

unsigned cuptiActivityEnable(unsigned kind) {
    recording = 1;
    return is_meant("FAKE_CUPTI", "forbidden") ? CUPTI_NOT_PERMITTED : CUPTI_OK;
}

unsigned cuptiActivityRegisterCallbacks(CuptiGiveBuffer *giving, CuptiTakeBuffer *taking) {
    give = giving;
    take = taking;
    return CUPTI_OK;
}

unsigned cuptiActivityFlushAll(uint32_t flags) {
    uint8_t *buffer = NULL;
    size_t size = 0, most = 0;
    if (!record_count && !lost)
        return CUPTI_OK;
    give(&buffer, &size, &most);
    record_next = 0;
    take(NULL, 0, buffer, size, record_count * sizeof(CuptiKernel));
    record_count = lost = 0;
    return CUPTI_OK;
}

/* Records are made where they are asked for. */
unsigned cuptiActivityGetNextRecord(uint8_t *buffer, size_t valid, CuptiActivity **record) {
    static CuptiKernel kernel;
    if (record_next == record_count)
        return CUPTI_NO_MORE_RECORDS;
    kernel = (CuptiKernel){.kind = CUPTI_CONCURRENT_KERNEL,
                           .name = records[record_next].name,
                           .correlation = records[record_next].correlation,
                           .graph_node = records[record_next].in_graph ? 1 : 0};
    record_next++;
    *record = (CuptiActivity *)(void *)&kernel;
    return CUPTI_OK;
}

unsigned cuptiActivityGetNumDroppedRecords(CudaContext context, uint32_t stream, size_t *dropped) {
    *dropped = lost;
    return CUPTI_OK;
}
