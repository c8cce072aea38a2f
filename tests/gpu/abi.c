/* Compiled, never run: whether backends/cuda/abi.h says what a toolkit's cuda.h says. tests/gpu/run
 * compiles it where there is a toolkit; every line that does not hold is an error. */
#define __CUDA_API_VERSION_INTERNAL /* cuda.h then declares old versions of calls too */
#include <cuda.h>

#include "backends/cuda/abi.h"

#define SAME_CALL(symbol, parameters)                                                              \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&(symbol)), unsigned(*) parameters),    \
                   #symbol " takes other parameters");
CUDA_CALLS(SAME_CALL)

#define SAME_NUMBER(ours, theirs)                                                                  \
    _Static_assert((unsigned)(ours) == (unsigned)(theirs), #ours " is not " #theirs);
SAME_NUMBER(CUDA_OK, CUDA_SUCCESS)
SAME_NUMBER(CUDA_NO_DEVICE, CUDA_ERROR_NO_DEVICE)
SAME_NUMBER(CUDA_NOT_READY, CUDA_ERROR_NOT_READY)
SAME_NUMBER(CUDA_STREAM_BLOCKING, CU_STREAM_DEFAULT)
SAME_NUMBER(CUDA_STREAM_NONBLOCKING, CU_STREAM_NON_BLOCKING)
SAME_NUMBER(CUDA_EVENT_NO_TIMING, CU_EVENT_DISABLE_TIMING)
SAME_NUMBER(CUDA_EVENT_EXTERNAL, CU_EVENT_RECORD_EXTERNAL)
SAME_NUMBER(CUDA_EVENT_EXTERNAL, CU_EVENT_WAIT_EXTERNAL)
SAME_NUMBER(CUDA_HOST_ON_DEVICE, CU_MEMHOSTALLOC_DEVICEMAP)
SAME_NUMBER(CUDA_WAIT_GEQ, CU_STREAM_WAIT_VALUE_GEQ)
SAME_NUMBER(CUDA_WRITE_PLAIN, CU_STREAM_WRITE_VALUE_DEFAULT)
SAME_NUMBER(CUDA_AUTOFREE, CUDA_GRAPH_INSTANTIATE_FLAG_AUTO_FREE_ON_LAUNCH)

_Static_assert(sizeof(CudaUpdateInfo) == sizeof(CUgraphExecUpdateResultInfo), "size of the result");
_Static_assert(offsetof(CudaUpdateInfo, result) == offsetof(CUgraphExecUpdateResultInfo, result),
               "place of the result");
_Static_assert(__builtin_types_compatible_p(CudaMemory, CUdeviceptr), "device addresses");
