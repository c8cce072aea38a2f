/* The kernels of a replay, for nvcc and for clang without CUDA's headers (kernels.h). */
#ifndef __CUDACC__
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __grid_constant__ /* clang then copies what a kernel is given, which only takes longer */
#endif

#include "backends/cuda/kernels.h"

static __device__ __attribute__((noinline)) void perform(const AtlasLaunch *launch,
                                                              const CudaWorld *world) {
    volatile uint64_t *cells = (volatile uint64_t *)world->cells;
    const volatile uint64_t *scalars = (const volatile uint64_t *)world->scalars;
    uint64_t start, now;
    uint64_t h = atlas_launch_mix(launch, cells, scalars);
    if (world->ns) {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
        do
            asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
        while (now - start < world->ns);
    }
    atlas_launch_write(launch, h, cells);
    if (world->counter)
        asm volatile("red.global.add.u64 [%0], 1;" ::"l"(world->counter) : "memory");
}

/* clang-format off */
#define ENTRY(n)                                                                                   \
    extern "C" __global__ void atlas_k_##n(const __grid_constant__ AtlasLaunch launch,             \
                                           const __grid_constant__ CudaWorld world) {              \
        perform(&launch, &world);                                                                  \
    }
#define TEN(t)                                                                                     \
    ENTRY(t##0) ENTRY(t##1) ENTRY(t##2) ENTRY(t##3) ENTRY(t##4)                                    \
    ENTRY(t##5) ENTRY(t##6) ENTRY(t##7) ENTRY(t##8) ENTRY(t##9)

TEN() TEN(1) TEN(2) TEN(3) TEN(4) TEN(5) TEN(6) TEN(7) TEN(8) TEN(9) TEN(10) TEN(11)
ENTRY(120) ENTRY(121) ENTRY(122) ENTRY(123) ENTRY(124) ENTRY(125) ENTRY(126) ENTRY(127)
