#include "backends/cuda/driver.h"

#include <dlfcn.h>
#include <string.h>

#include "backends/cuda/watch.h"
#include "model/machine/outcome.h"

G_DEFINE_QUARK(cuda_error, cuda_error)

/* The symbols, in the order of the members of CudaDriver. */
static const char *const symbols[] = {
#define CUDA_SYMBOL(symbol, parameters) #symbol,
    CUDA_CALLS(CUDA_SYMBOL)
#undef CUDA_SYMBOL
};

static gboolean load(CudaDriver *driver, GError **error) {
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "no CUDA driver here (%s): install NVIDIA's driver, or run where it is",
                    dlerror());
        return FALSE;
    }
    for (guint i = 0; i < G_N_ELEMENTS(symbols); i++) {
        void *call = dlsym(library, symbols[i]);
        if (!call) {
            g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                        "this CUDA driver is too old: it lacks %s; one since CUDA 12.0 has it",
                        symbols[i]);
            return FALSE;
        }
        memcpy((char *)driver + i * sizeof call, &call, sizeof call);
    }
    return TRUE;
}

gboolean cuda_driver_open(CudaDriver *driver, CudaOpened *opened, GError **error) {
    int count = 0;
    cuda_watch_phase("it was loaded");
    g_unsetenv("CUDA_LAUNCH_BLOCKING");
    g_setenv("CUDA_MODULE_LOADING", "EAGER", TRUE);
    return load(driver, error) && cuda_check(driver->cuInit(0), "cuInit", error) &&
           cuda_check(driver->cuDeviceGetCount(&count), "cuDeviceGetCount", error) &&
           cuda_check(count > 0 ? CUDA_OK : CUDA_NO_DEVICE, "cuDeviceGetCount", error) &&
           cuda_check(driver->cuDeviceGet(&opened->device, 0), "cuDeviceGet", error) &&
           cuda_check(driver->cuDeviceGetName(opened->name, sizeof opened->name, opened->device),
                      "cuDeviceGetName", error) &&
           cuda_check(driver->cuDriverGetVersion(&opened->version), "cuDriverGetVersion", error);
}

char *cuda_version_text(int version) {
    return g_strdup_printf("%d.%d", version / 1000, version % 1000 / 10);
}

char *cuda_driver_release(void) {
    char *release = NULL;
    if (!g_file_get_contents("/sys/module/nvidia/version", &release, NULL, NULL))
        return NULL;
    return g_strstrip(release);
}

gboolean cuda_check(unsigned result, const char *call, GError **error) {
    const char *name = atlas_result_name((int)result);
    if (result == CUDA_OK)
        return TRUE;
    if (result == CUDA_NO_DEVICE)
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "no GPU here: the CUDA driver finds none it may use (%s)", call);
    else if (name)
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "the CUDA driver refuses %s: %s", call,
                    name);
    else
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "the CUDA driver refuses %s: CUresult %u", call, result);
    return FALSE;
}
