/* Ranges for profilers: what a replay is doing, told through NVTX.
 *
 * A profiler that listens (Nsight Systems sets NVTX_INJECTION64_PATH; one that was preloaded may
 * define InitializeInjectionNvtx2_fnptr) sees on the host's time line a range for each step
 * ("step 20"), inside of it one for each stage, inside of that one for each launch op, named for
 * its population. Nothing of NVTX is linked, and the protocol is spoken in our own words
 * (nvtx_abi.h). Where nobody listens, a range costs one branch.
 *
 * Ranges are those of the thread that opens them, and nest.
 */
#ifndef ATLAS_BACKENDS_CUDA_RANGES_H
#define ATLAS_BACKENDS_CUDA_RANGES_H

#include <glib.h>

#include "backends/cuda/nvtx_abi.h"

/* The profiler's functions, NvtxRangePush and NvtxRangePop; NULL: nobody listens. It may put them
 * here, or take them away, at any time: CUPTI does so where one who listens comes or goes. */
typedef struct {
    NvtxFunction push, pop;
} CudaRanges;

/* Those of this process. */
extern CudaRanges cuda_ranges;

/* Lets a profiler listen that wants to; the first call does it. FALSE, with an error, where the
 * library that the environment names is none, or refuses. It stays loaded. */
gboolean cuda_ranges_open(GError **error);

static inline void cuda_range_push(const char *name) {
    NvtxFunction push = cuda_ranges.push;
    if (G_UNLIKELY(push))
        ((NvtxRangePush *)push)(name);
}

static inline void cuda_range_pop(void) {
    NvtxFunction pop = cuda_ranges.pop;
    if (G_UNLIKELY(pop))
        ((NvtxRangePop *)pop)();
}

/* Which step and stage are open on a thread; at first none. */
typedef struct {
    gint64 step;       /* -1: none */
    const char *stage; /* NULL: none */
} CudaRangesAt;

#define CUDA_RANGES_NOWHERE ((CudaRangesAt){-1, NULL})

/* Closes what is left, and opens what is entered: a stage once more where it begins anew. */
void cuda_ranges_go(CudaRangesAt *at, gint64 step, const char *stage);

#endif
