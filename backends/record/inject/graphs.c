#include "backends/record/inject/graphs.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "backends/record/calls.h"
#include "backends/record/inject/driver.h"

enum { EXECS_FIRST = 64, DEPTH_MAX = 64 };

/* What an exec stands for: its kernels, and whether those are all. */
#define PARTIAL ((uint64_t)1 << 63)

typedef struct {
    _Atomic(CudaExec) exec;
    _Atomic uint64_t kernels;
} Entry;

/* Open addressing; readers take no lock, so that a table that was outgrown stays where it is. An
 * exec that was destroyed keeps its entry, which is PARTIAL: its handle may come again. */
typedef struct {
    size_t slots, used;
    Entry entries[];
} Execs;

static _Atomic(Execs *) execs;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static atomic_int capturing;

static void in_child(void) {
    pthread_mutex_init(&mutex, NULL);
}

__attribute__((constructor)) static void watch_forks(void) {
    pthread_atfork(NULL, NULL, in_child);
}

/* ---- captures ---- */

bool graphs_captures(CudaStream stream) {
    unsigned status = 0;
    return atomic_load_explicit(&capturing, memory_order_acquire) > 0 &&
           driver.cuStreamIsCapturing && driver.cuStreamIsCapturing(stream, &status) == CUDA_OK &&
           status != 0;
}

void graphs_begun(void) {
    atomic_fetch_add(&capturing, 1);
}

void graphs_ended(void) {
    atomic_fetch_sub(&capturing, 1);
}

/* ---- execs ---- */

static Entry *entry_of(Execs *table, CudaExec exec) {
    size_t i = (size_t)(((uintptr_t)exec >> 4) * 0x9e3779b97f4a7c15u >> 32) & (table->slots - 1);
    for (;; i = (i + 1) & (table->slots - 1)) {
        CudaExec here = atomic_load_explicit(&table->entries[i].exec, memory_order_acquire);
        if (here == exec || !here)
            return &table->entries[i];
    }
}

static Execs *make_room(void) {
    Execs *old = atomic_load(&execs);
    if (old && 2 * (old->used + 1) <= old->slots)
        return old;
    size_t slots = old ? 2 * old->slots : EXECS_FIRST;
    Execs *table = calloc(1, sizeof *table + slots * sizeof *table->entries);
    if (!table)
        return NULL;
    table->slots = slots;
    for (size_t i = 0; old && i < old->slots; i++) {
        CudaExec exec = atomic_load(&old->entries[i].exec);
        if (!exec)
            continue;
        Entry *entry = entry_of(table, exec);
        atomic_store(&entry->kernels, atomic_load(&old->entries[i].kernels));
        atomic_store(&entry->exec, exec);
        table->used++;
    }
    atomic_store_explicit(&execs, table, memory_order_release);
    return table;
}

static void put(CudaExec exec, uint64_t kernels) {
    pthread_mutex_lock(&mutex);
    Execs *table = make_room();
    if (table) {
        Entry *entry = entry_of(table, exec);
        table->used += !atomic_load(&entry->exec);
        atomic_store(&entry->kernels, kernels);
        atomic_store_explicit(&entry->exec, exec, memory_order_release);
    }
    pthread_mutex_unlock(&mutex);
}

static uint64_t count(CudaGraph graph, unsigned depth);

/* Kernels of a node. */
static uint64_t count_node(CudaNode node, unsigned depth) {
    unsigned type;
    CudaGraph child;
    if (driver.cuGraphNodeGetType(node, &type) != CUDA_OK || type == NODE_CONDITIONAL)
        return PARTIAL;
    if (type != NODE_CHILD)
        return type == NODE_KERNEL;
    if (!driver.cuGraphChildGraphNodeGetGraph ||
        driver.cuGraphChildGraphNodeGetGraph(node, &child) != CUDA_OK)
        return PARTIAL;
    return count(child, depth + 1);
}

/* Kernels of a graph, with those of its children. */
static uint64_t count(CudaGraph graph, unsigned depth) {
    size_t nodes = 0;
    uint64_t kernels = 0;
    if (depth == DEPTH_MAX || driver.cuGraphGetNodes(graph, NULL, &nodes) != CUDA_OK)
        return PARTIAL;
    CudaNode *list = calloc(nodes + 1, sizeof(CudaNode));
    bool ok = list && driver.cuGraphGetNodes(graph, list, &nodes) == CUDA_OK;
    for (size_t i = 0; ok && i < nodes; i++) {
        uint64_t more = count_node(list[i], depth);
        kernels = ((kernels | more) & PARTIAL) | ((kernels & ~PARTIAL) + (more & ~PARTIAL));
    }
    free(list);
    return ok ? kernels : PARTIAL;
}

void graphs_instantiated(CudaExec exec, CudaGraph graph) {
    bool can = driver.cuGraphGetNodes && driver.cuGraphNodeGetType;
    put(exec, can ? count(graph, 0) : PARTIAL);
}

void graphs_destroyed(CudaExec exec) {
    bool whole;
    if (graphs_kernels(exec, &whole) > 0 || whole)
        put(exec, PARTIAL);
}

int graphs_switch(CudaExec exec, CudaNode node, bool enabled) {
    unsigned was, type;
    if (!driver.cuGraphNodeGetEnabled ||
        driver.cuGraphNodeGetEnabled(exec, node, &was) != CUDA_OK ||
        driver.cuGraphNodeGetType(node, &type) != CUDA_OK || type != NODE_KERNEL)
        return 0;
    return (int)enabled - (was != 0);
}

void graphs_switched(CudaExec exec, int more) {
    bool whole;
    uint64_t kernels = graphs_kernels(exec, &whole);
    if (more != 0)
        put(exec, (kernels + (uint64_t)(int64_t)more) | (whole ? 0 : PARTIAL));
}

uint64_t graphs_kernels(CudaExec exec, bool *whole) {
    Execs *table = atomic_load_explicit(&execs, memory_order_acquire);
    Entry *entry = table ? entry_of(table, exec) : NULL;
    bool known = entry && atomic_load_explicit(&entry->exec, memory_order_acquire);
    uint64_t kernels = known ? atomic_load(&entry->kernels) : PARTIAL;
    *whole = !(kernels & PARTIAL);
    return kernels & ~PARTIAL;
}
