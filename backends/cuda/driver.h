/* The CUDA driver's library, loaded at run time.
 *
 *     CudaDriver driver;
 *     CudaOpened opened = {0};
 *     if (!cuda_driver_open(&driver, &opened, &error)) ...   no library, or no device
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

/* What is missing, as one sentence that says what would help. LOST: the device, or what this process
 * has of it, is lost (cuda_is_lost). */
#define CUDA_ERROR (cuda_error_quark())
GQuark cuda_error_quark(void);
enum { CUDA_ERROR_MISSING, CUDA_ERROR_LOST };

/* The first device that CUDA_VISIBLE_DEVICES lets through. */
typedef struct {
    CudaDevice device;
    char name[128];
    int version; /* of the driver, as CUDA gives it: 13000 */
} CudaOpened;

/* Finds every call of CUDA_CALLS in libcuda.so.1, starts the driver, and finds a device. FALSE with
 * an error where one of that fails. Environment variables that change what calls do, and are meant
 * for other programs, are set aside. */
gboolean cuda_driver_open(CudaDriver *driver, CudaOpened *opened, GError **error);

/* A version as CUDA gives it, in words: "13.0" for 13000. The caller frees it. */
char *cuda_version_text(int version);

/* The version of the driver that is loaded ("580.159.04"), where Linux says it; else NULL. The
 * caller frees it. */
char *cuda_driver_release(void);

/* FALSE, with an error that names the call and its result, and says how to mend what it knows, where
 * `result` is not CUDA_OK. */
gboolean cuda_check(unsigned result, const char *call, GError **error);

/* Whether a result means that the device, or what this process has of it, is lost: nothing that is
 * called from now on says anything about a program. */
gboolean cuda_is_lost(unsigned result);

#endif
