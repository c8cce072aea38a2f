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

#define LOG "the system's log says more (dmesg, lines with 'NVRM: Xid')"

/* Results that say something of the machine, and how that is mended. */
static const struct {
    unsigned result;
    gboolean lost;
    const char *why;
} reasons[] = {
    {ATLAS_RESULT_OUT_OF_MEMORY, FALSE,
     "no memory is left on the device or for the driver: end what else uses it (nvidia-smi)"},
    {4, TRUE, "the driver is shutting down"},
    {46, TRUE,
     "the device is taken or gone: nvidia-smi says whether it is there, and whether its compute "
     "mode lets only one process in"},
    {214, TRUE, "the device's memory is faulty: " LOG},
    {220, TRUE, "an NVLink is faulty: " LOG},
    {700, TRUE, "a kernel met an illegal address: " LOG},
    {702, TRUE,
     "a kernel took too long for a device that draws the screen, too: run where none does, or with "
     "less --kernel-us"},
    {709, TRUE, "the context is gone"},
    {714, TRUE, "the device met a fault: " LOG},
    {715, TRUE, "the device met a fault: " LOG},
    {716, TRUE, "the device met a fault: " LOG},
    {717, TRUE, "the device met a fault: " LOG},
    {718, TRUE, "the device met a fault: " LOG},
    {719, TRUE, "a kernel failed: " LOG},
    {999, TRUE, "the device may be lost: " LOG},
};

/* The row of a result; the number of rows where it has none. */
static guint find_reason(unsigned result) {
    guint i = 0;
    while (i < G_N_ELEMENTS(reasons) && reasons[i].result != result)
        i++;
    return i;
}

gboolean cuda_is_lost(unsigned result) {
    guint i = find_reason(result);
    return i < G_N_ELEMENTS(reasons) && reasons[i].lost;
}

gboolean cuda_check(unsigned result, const char *call, GError **error) {
    const char *name = atlas_result_name((int)result);
    guint reason = find_reason(result);
    if (result == CUDA_OK)
        return TRUE;
    g_autofree char *number = name ? NULL : g_strdup_printf("CUresult %u", result);
    if (result == CUDA_NO_DEVICE)
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "no GPU here: the CUDA driver finds none it may use (%s)", call);
    else
        g_set_error(error, CUDA_ERROR, cuda_is_lost(result) ? CUDA_ERROR_LOST : CUDA_ERROR_MISSING,
                    "the CUDA driver refuses %s: %s%s%s", call, name ? name : number,
                    reason < G_N_ELEMENTS(reasons) ? ": " : "",
                    reason < G_N_ELEMENTS(reasons) ? reasons[reason].why : "");
    return FALSE;
}
