/* The kernels of a replay, as this program holds them: what build-kernels made of kernels.cu. */
#ifndef ATLAS_BACKENDS_CUDA_IMAGE_H
#define ATLAS_BACKENDS_CUDA_IMAGE_H

#include <glib.h>

/* What is said where there are none, and how to get them. */
#define CUDA_IMAGE_NOT_BUILT "not built: no nvcc, no clang with NVPTX: install one and build again"

/* For cuModuleLoadData; NULL with an error where no compiler for the device was there when this was
 * built. */
const void *cuda_image(GError **error);

#endif
