#include "backends/cuda/cupti_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

enum { NAMES = 3, FOLDERS = 3, HOMES = 2 };

static const char *const names[NAMES] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so"};

static void *open_in(const char *home, const char *name) {
    static const char *const folders[FOLDERS] = {"extras/CUPTI/lib64", "lib64",
                                                 "targets/x86_64-linux/lib"};
    char path[4096];
    void *library = NULL;
    for (int i = 0; i < FOLDERS && home && !library; i++)
        if (snprintf(path, sizeof path, "%s/%s/%s", home, folders[i], name) < (int)sizeof path)
            library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    return library;
}

void *cupti_library(void) {
    const char *homes[HOMES] = {getenv("CUDA_HOME"), "/usr/local/cuda"};
    void *library = NULL;
    for (int i = 0; i < NAMES && !library; i++)
        library = dlopen(names[i], RTLD_NOLOAD | RTLD_NOW);
    for (int i = 0; i < NAMES && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        for (int h = 0; h < HOMES && !library; h++)
            library = open_in(homes[h], names[i]);
    }
    return library;
}
