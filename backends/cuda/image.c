#include "backends/cuda/image.h"

#include "backends/cuda/driver.h"

/* The file that the Makefile had built, as it is, where cuobjdump looks for it. */
extern const unsigned char cuda_image_start[], cuda_image_end[];
__asm__(".pushsection .nv_fatbin, \"a\", @progbits\n"
        ".balign 16\n"
        ".globl cuda_image_start, cuda_image_end\n"
        "cuda_image_start:\n"
        ".incbin \"" ATLAS_KERNELS "\"\n"
        "cuda_image_end:\n"
        ".popsection\n");

const void *cuda_image(GError **error) {
    if (cuda_image_end - cuda_image_start > 1)
        return cuda_image_start;
    g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "replays are " CUDA_IMAGE_NOT_BUILT);
    return NULL;
}
