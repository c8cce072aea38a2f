/* A library that looks like a profiler's which listens for NVTX ranges: it writes what it is told to
 * standard error, each line indented by how many ranges are open on its thread. Other threads than
 * the first are marked. It is loaded as one of NVTX_INJECTION64_PATH, or preloaded.
 *
 * Where FAKE_NVTX is "refuse", it does not begin; where it is "deaf", it begins, and takes no ranges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "backends/cuda/nvtx_abi.h"

NvtxInitialize InitializeInjectionNvtx2;
extern NvtxInitialize *InitializeInjectionNvtx2_fnptr;
NvtxInitialize *InitializeInjectionNvtx2_fnptr = InitializeInjectionNvtx2;

static __thread int depth;

static int push(const char *name) {
    const char *other = syscall(SYS_gettid) == getpid() ? "" : " (another thread)";
    fprintf(stderr, "nvtx: %*s%s%s\n", 2 * depth, "", name, other);
    return depth++;
}

static int pop(void) {
    if (depth == 0)
        fprintf(stderr, "nvtx: nothing is open here\n");
    return --depth;
}

static void say_open(void) {
    if (depth > 0)
        fprintf(stderr, "nvtx: %d left open\n", depth);
}

/* Whether a module has as many places as a toolkit's headers say. */
static int has(const NvtxModules *modules, unsigned number, unsigned places) {
    NvtxFunction **table = NULL;
    unsigned count = 0;
    return modules->get(number, &table, &count) && count == places && !table[0] && table[1] &&
           table[count - 1] && !table[count];
}

int InitializeInjectionNvtx2(NvtxGetTable *get) {
    const NvtxModules *modules = get(NVTX_GIVES_MODULES);
    const NvtxVersion *version = get(NVTX_GIVES_VERSION);
    const char *how = getenv("FAKE_NVTX");
    NvtxRangePush *pushes = push;
    NvtxRangePop *pops = pop;
    NvtxFunction **table;
    if (!modules || modules->size != sizeof *modules || !version || get(2) ||
        version->version != NVTX_SPOKEN || modules->get(7, &table, NULL))
        return 0;
#define HAS(module, number, places)                                                                \
    if (!has(modules, number, places))                                                             \
        return 0;
    NVTX_MODULES(HAS)
    version->set(NVTX_SPOKEN);
    if (how && strcmp(how, "deaf") == 0)
        return 1;
    modules->get(1, &table, NULL);
    memcpy(table[NVTX_RANGE_PUSH], &pushes, sizeof pushes);
    memcpy(table[NVTX_RANGE_POP], &pops, sizeof pops);
    atexit(say_open);
    return !how || strcmp(how, "refuse") != 0;
}
