/* Fingerprints: what a launch leaves in memory, the same on CPU and GPU.
 *
 * A program has no data; what its memory holds is a number that tells where it came from. Every
 * part of a buffer is one cell of 64 bits. A launch replaces every cell that it writes by what it
 * was and what it read:
 *
 *     h = mix(name of the kernel, index)          index: 0..N-1 of a launch xN
 *     h = mix(h, cell)                            for each cell it reads, in the order of r:
 *     h = mix(h, scalar)                          for each scalar, in the order of a:
 *     the n-th cell it writes = mix(h, n)         n = 0, 1, …, in the order of w:, then of f:
 *
 * Neither the step, the iteration nor the population is part of it: graphs freeze what is passed
 * by value, and a body may be shared. n is, so that outputs that are swapped show. All reads come
 * before the first write. A wrong source of one read, a scalar that is frozen, a launch too many
 * or too few changes the number, but for chance (2^-64).
 *
 * This file is compiled for both: as C and, in backends/cuda/kernels.cu, as CUDA.
 */
#ifndef ATLAS_SIM_FINGERPRINT_H
#define ATLAS_SIM_FINGERPRINT_H

#include <stdint.h>

#if defined(__CUDACC__) || defined(__CUDA__)
#define ATLAS_EVERYWHERE static __attribute__((device)) inline
#else
#define ATLAS_EVERYWHERE static inline
#endif

/* What a launch can be given: runs of cells that it reads or writes, and scalars. */
#define ATLAS_SLOTS 30

/* Cells first..first+count-1. */
typedef struct {
    uint32_t first, count;
} AtlasCells;

typedef union {
    AtlasCells cells;
    uint64_t value; /* a scalar by value, or the place of one in memory */
} AtlasSlot;

/* One launch, as it is passed by value: what a captured graph freezes. */
typedef struct {
    uint64_t kernel;                /* hash of the kernel's name */
    uint64_t index;                 /* among the launches of its op */
    uint8_t reads, writes, scalars; /* so many slots each, in this order */
    uint8_t unused;
    uint32_t in_memory; /* bit n: scalar n is read from memory when the kernel runs */
    AtlasSlot slots[ATLAS_SLOTS];
} AtlasLaunch;

/* For either argument, with the other fixed, no two values give the same. */
ATLAS_EVERYWHERE uint64_t atlas_mix(uint64_t h, uint64_t x) {
    uint64_t z = ((h << 32 | h >> 32) ^ x) * UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 29) * UINT64_C(0xd6e8feb86659fd93);
    return z ^ z >> 32;
}

/* What the launch leaves is made of this: everything but which of its outputs a cell is. */
ATLAS_EVERYWHERE uint64_t atlas_launch_mix(const AtlasLaunch *launch,
                                           const volatile uint64_t *cells,
                                           const volatile uint64_t *scalars) {
    uint64_t h = atlas_mix(launch->kernel, launch->index);
    const AtlasSlot *slot = launch->slots;
    for (unsigned i = 0; i < launch->reads; i++, slot++)
        for (uint32_t k = 0; k < slot->cells.count; k++)
            h = atlas_mix(h, cells[slot->cells.first + k]);
    slot += launch->writes;
    for (unsigned i = 0; i < launch->scalars; i++, slot++)
        h = atlas_mix(h, launch->in_memory >> i & 1 ? scalars[slot->value] : slot->value);
    return h;
}

ATLAS_EVERYWHERE void atlas_launch_write(const AtlasLaunch *launch, uint64_t h,
                                         volatile uint64_t *cells) {
    const AtlasSlot *slot = launch->slots + launch->reads;
    uint64_t n = 0;
    for (unsigned i = 0; i < launch->writes; i++, slot++)
        for (uint32_t k = 0; k < slot->cells.count; k++)
            cells[slot->cells.first + k] = atlas_mix(h, n++);
}

/* Several cells as one number. */
ATLAS_EVERYWHERE uint64_t atlas_fold(const volatile uint64_t *cells, AtlasCells run) {
    uint64_t h = run.count;
    for (uint32_t k = 0; k < run.count; k++)
        h = atlas_mix(h, cells[run.first + k]);
    return h;
}

#endif
