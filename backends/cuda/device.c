#include "backends/cuda/device.h"

void atlas_cuda_about(const AtlasCudaPool *pool, GArray *about) {
    const AtlasAbout pairs[] = {{"device", atlas_cuda_pool_device(pool)},
                                {"cuda", atlas_cuda_pool_cuda(pool)},
                                {"driver", atlas_cuda_pool_driver(pool)}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (pairs[i].value)
            g_array_append_val(about, pairs[i]);
}
