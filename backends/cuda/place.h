/* The place where programs run: a context, with all that their ops find ready in it.
 *
 * Making and destroying a context costs 0.17 s on an H200, and no two processes do it at the same
 * time; so several programs run in one place, one after another, each of which leaves it as it
 * found it (session.h).
 */
#ifndef ATLAS_BACKENDS_CUDA_PLACE_H
#define ATLAS_BACKENDS_CUDA_PLACE_H

#include "backends/cuda/driver.h"

/* Bytes of an allocation, and of a copy or memset. */
enum { CUDA_ALLOCATION = 256, CUDA_COPY = 64 };

typedef struct {
    const CudaDriver *cuda;
    CudaContext context;
    CudaModule module;
    CudaFunction kernel; /* adds 1 to the number that its parameter points to */
    CudaMemory counter;  /* that number */
    CudaMemory buffer;   /* what copies and memsets are of, on the device */
    void *pinned;        /* and on the host */
    char pageable[CUDA_COPY];
    int file; /* a module, for calls that load one; -1: none */
    char path[32];
} CudaPlace;

/* Opens a place; on failure returns NULL and says which call refused. */
CudaPlace *cuda_place_new(const CudaDriver *driver, CudaDevice device, GError **error);

/* Destroys the context with all that is in it. */
void cuda_place_free(CudaPlace *place);

#endif
