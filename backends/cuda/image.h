/* The kernels of a replay, as this program holds them: what build-kernels made of kernels.cu. */
#ifndef ATLAS_BACKENDS_CUDA_IMAGE_H
#define ATLAS_BACKENDS_CUDA_IMAGE_H

/* For cuModuleLoadData; NULL where no compiler for the device was there when this was built. */
const void *cuda_image(void);

#endif
