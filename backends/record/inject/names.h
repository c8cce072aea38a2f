/* Names of kernels by their handles, where nobody tells the name with the launch.
 *
 * A launch takes a function or a kernel (CUkernel), which only who handed it out can tell apart,
 * and the driver must not be asked for the name of the one as if it were the other: so it is asked
 * only for handles that were seen when they were handed out. Of others there is no name.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_NAMES_H
#define ATLAS_BACKENDS_RECORD_INJECT_NAMES_H

#include <stdbool.h>

#include "backends/cuda/abi.h"

/* A function, or a kernel, was handed out. */
void name_add(CudaFunction handle, bool kernel);

/* NULL: not known. The driver's text. */
const char *name_find(CudaFunction handle);

#endif
