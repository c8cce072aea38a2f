/* What a measurement on the GPU says about where it was made. */
#ifndef ATLAS_BACKENDS_CUDA_DEVICE_H
#define ATLAS_BACKENDS_CUDA_DEVICE_H

#include "backends/cuda/pool.h"
#include "model/measure/measurement.h"

/* Appends "device", "cuda" and "driver" (of AtlasAbout, borrowed from the pool) to `about`, where
 * the pool knows them: after a first run. */
void atlas_cuda_about(const AtlasCudaPool *pool, GArray *about);

#endif
