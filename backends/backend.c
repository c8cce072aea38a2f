#include "backends/backend.h"

const AtlasBackend *const atlas_backends[] = {&atlas_backend_sim,  &atlas_backend_log,
                                              &atlas_backend_cuda, &atlas_backend_kineto,
                                              &atlas_backend_nsys, NULL};

const AtlasBackend *atlas_backend_find(const char *name) {
    for (const AtlasBackend *const *b = atlas_backends; *b; b++)
        if (g_str_equal((*b)->name, name))
            return *b;
    return NULL;
}

static const char *lacks(const AtlasBackend *backend) {
    return backend->lacks ? backend->lacks() : NULL;
}

void atlas_backends_help(GString *out) {
    for (const AtlasBackend *const *b = atlas_backends; *b; b++) {
        g_string_append_printf(out, "  %-21s %s\n", (*b)->name, (*b)->about);
        if (lacks(*b))
            g_string_append_printf(out, "  %-21s %s\n", "", lacks(*b));
    }
}

char *atlas_backends_list(void) {
    GString *out = g_string_new(NULL);
    for (const AtlasBackend *const *b = atlas_backends; *b; b++) {
        g_string_append_printf(out, "%s%s", out->len ? ", " : "", (*b)->name);
        if (lacks(*b))
            g_string_append_printf(out, " (%s)", lacks(*b));
    }
    return g_string_free(out, FALSE);
}
