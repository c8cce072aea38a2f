#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "backends/cuda/ranges.h"

#include <dlfcn.h>
#include <string.h>

#include "backends/cuda/driver.h"

enum { PLACES = 16 };

static const struct {
    unsigned number, count;
} modules[] = {
#define MODULE(module, number, count) {number, count},
    NVTX_MODULES(MODULE)
#undef MODULE
};

CudaRanges cuda_ranges;

/* Where tools put the functions for which there is no use here. */
static NvtxFunction functions[G_N_ELEMENTS(modules)][PLACES];
static NvtxFunction *places[G_N_ELEMENTS(modules)][PLACES + 1]; /* NULL-terminated, for tools */

/* The place of a function of a module. */
static NvtxFunction *place_of(guint module, guint function) {
    gboolean core = module == 0;
    return core && function == NVTX_RANGE_PUSH  ? &cuda_ranges.push
           : core && function == NVTX_RANGE_POP ? &cuda_ranges.pop
                                                : &functions[module][function];
}

static int get_module(unsigned number, NvtxFunction ***found, unsigned *count) {
    for (guint i = 0; i < G_N_ELEMENTS(modules); i++) {
        if (modules[i].number != number)
            continue;
        for (guint k = 1; k < modules[i].count; k++)
            places[i][k] = place_of(i, k);
        if (found)
            *found = places[i];
        if (count)
            *count = modules[i].count;
        return 1;
    }
    return 0;
}

static void note_version(uint32_t version) {
    (void)version; /* no version of a tool is known that needs to be told apart */
}

static const void *get_table(uint32_t table) {
    static const NvtxModules callbacks = {sizeof callbacks, get_module};
    static const NvtxVersion version = {sizeof version, NVTX_SPOKEN, 0, note_version};
    return table == NVTX_GIVES_MODULES   ? (const void *)&callbacks
           : table == NVTX_GIVES_VERSION ? (const void *)&version
                                         : NULL;
}

/* How the tool begins whose library the environment names, else one that is here already; NULL:
 * there is none, or it cannot be loaded. */
static NvtxInitialize *find_tool(const char *path, GError **error) {
    NvtxInitialize *initialize = NULL;
    if (path) {
        void *library = dlopen(path, RTLD_LAZY), *call;
        call = library ? dlsym(library, NVTX_INITIALIZE) : NULL;
        if (!call)
            g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                        "no profiler can be loaded from " NVTX_PATH
                        "=%s (%s): mend it, or unset it",
                        path, dlerror());
        memcpy(&initialize, &call, sizeof call);
    } else {
        void *pointer = dlsym(RTLD_DEFAULT, NVTX_INITIALIZE_POINTER);
        if (pointer)
            memcpy(&initialize, pointer, sizeof initialize);
    }
    return initialize;
}

gboolean cuda_ranges_open(GError **error) {
    static gboolean asked;
    const char *path = g_getenv(NVTX_PATH);
    GError *problem = NULL;
    if (asked)
        return TRUE;
    NvtxInitialize *initialize = find_tool(path && *path ? path : NULL, &problem);
    if (problem) {
        g_propagate_error(error, problem);
        return FALSE;
    }
    if (initialize && !initialize(get_table)) {
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "the profiler that listens for NVTX ranges refuses to begin (%s): run without "
                    "it",
                    path && *path ? path : NVTX_INITIALIZE_POINTER);
        return FALSE;
    }
    asked = TRUE;
    return TRUE;
}

void cuda_ranges_go(CudaRangesAt *at, gint64 step, const char *stage) {
    char name[32];
    if (G_LIKELY(!cuda_ranges.push))
        return;
    if (at->stage)
        cuda_range_pop();
    if (at->step != step) {
        if (at->step >= 0)
            cuda_range_pop();
        g_snprintf(name, sizeof name, "step %" G_GINT64_FORMAT, step);
        if (step >= 0)
            cuda_range_push(name);
    }
    if (stage)
        cuda_range_push(stage);
    *at = (CudaRangesAt){step, stage};
}
