#define _GNU_SOURCE /* memfd_create */
#include "backends/cuda/place.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backends/cuda/watch.h"

/* PTX for the oldest architecture that drivers since CUDA 12 compile for, so that it runs on all
 * later ones. */
static const char kernel[] = ".version 6.0\n"
                             ".target sm_50\n"
                             ".address_size 64\n"
                             ".visible .entry count(.param .u64 counter) {\n"
                             "    .reg .b64 %address;\n"
                             "    ld.param.u64 %address, [counter];\n"
                             "    cvta.to.global.u64 %address, %address;\n"
                             "    red.global.add.u64 [%address], 1;\n"
                             "    ret;\n"
                             "}\n";

/* Keeps the module in a file that only this process sees. */
static gboolean write_module(CudaPlace *p, GError **error) {
    gssize length = (gssize)strlen(kernel);
    p->file = memfd_create("kernel", MFD_CLOEXEC);
    g_snprintf(p->path, sizeof p->path, "/proc/self/fd/%d", p->file);
    if (p->file >= 0 && write(p->file, kernel, (gsize)length) == length)
        return TRUE;
    g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "cannot keep a module in memory: %s",
                g_strerror(errno));
    return FALSE;
}

static gboolean open_context(CudaPlace *p, CudaDevice device, GError **error) {
    const CudaDriver *cuda = p->cuda;
    return cuda_check(cuda->cuCtxCreate_v2(&p->context, 0, device), "cuCtxCreate", error) &&
           cuda_check(cuda->cuModuleLoadData(&p->module, kernel), "cuModuleLoadData", error) &&
           cuda_check(cuda->cuModuleGetFunction(&p->kernel, p->module, "count"),
                      "cuModuleGetFunction", error) &&
           cuda_check(cuda->cuMemAlloc_v2(&p->counter, sizeof(guint64)), "cuMemAlloc", error) &&
           cuda_check(cuda->cuMemAlloc_v2(&p->buffer, CUDA_ALLOCATION), "cuMemAlloc", error) &&
           cuda_check(cuda->cuMemHostAlloc(&p->pinned, CUDA_COPY, 0), "cuMemHostAlloc", error);
}

CudaPlace *cuda_place_new(const CudaDriver *driver, CudaDevice device, GError **error) {
    CudaPlace *place = g_new0(CudaPlace, 1);
    cuda_watch_phase("a context was opened");
    place->cuda = driver;
    place->file = -1;
    if (write_module(place, error) && open_context(place, device, error))
        return place;
    cuda_place_free(place);
    return NULL;
}

void cuda_place_free(CudaPlace *place) {
    if (place->context)
        place->cuda->cuCtxDestroy_v2(place->context);
    if (place->file >= 0)
        close(place->file);
    g_free(place);
}
