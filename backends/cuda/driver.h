/* The CUDA driver's library, loaded at run time.
 *
 *     CudaDriver driver;
 *     if (!cuda_driver_load(&driver, &error)) ...      no library, or one that lacks a call
 *     unsigned result = driver.cuStreamCreate(&stream, CUDA_STREAM_NONBLOCKING);
 *
 * The library is never unloaded: its threads and exit handlers may outlive any use of it.
 */
#ifndef ATLAS_BACKENDS_CUDA_DRIVER_H
#define ATLAS_BACKENDS_CUDA_DRIVER_H

#include <glib.h>

#include "backends/cuda/abi.h"

typedef struct {
#define CUDA_MEMBER(symbol, parameters) unsigned(*symbol) parameters;
    CUDA_CALLS(CUDA_MEMBER)
#undef CUDA_MEMBER
} CudaDriver;

/* What is missing, as one sentence that says what would help. */
#define CUDA_ERROR (cuda_error_quark())
GQuark cuda_error_quark(void);
enum { CUDA_ERROR_MISSING };

/* Finds every call of CUDA_CALLS in libcuda.so.1. */
gboolean cuda_driver_load(CudaDriver *driver, GError **error);

/* FALSE, with an error that names the call and its result, where `result` is not CUDA_OK. */
gboolean cuda_check(unsigned result, const char *call, GError **error);

#endif
