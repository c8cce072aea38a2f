#include "backends/backend.h"

const AtlasBackend *const atlas_backends[] = {&atlas_backend_sim, &atlas_backend_log,
                                              &atlas_backend_cuda, NULL};

const AtlasBackend *atlas_backend_find(const char *name) {
    for (const AtlasBackend *const *b = atlas_backends; *b; b++)
        if (g_str_equal((*b)->name, name))
            return *b;
    return NULL;
}
