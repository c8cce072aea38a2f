/* The kernels of a replay: what kernels.cu and replay.c agree on.
 *
 * Entry N is atlas_k_N, for N from 0 to CUDA_KERNELS - 1; all of them do the same: they leave
 * fingerprints (sim/fingerprint.h) and count themselves. Which one ran is what a profiler sees of
 * the population that a launch belongs to.
 */
#ifndef ATLAS_BACKENDS_CUDA_KERNELS_H
#define ATLAS_BACKENDS_CUDA_KERNELS_H

#include "sim/fingerprint.h"

#define CUDA_KERNELS 128
#define CUDA_KERNEL_PREFIX "atlas_k_"

/* What every launch of a run is given, beside what it does. Addresses are the device's. */
typedef struct {
    uint64_t cells;
    uint64_t scalars;
    uint64_t counter; /* goes up by 1 at each launch's end; 0: nothing counts */
    uint64_t ns;      /* a kernel takes this long at least */
} CudaWorld;

#endif
