/* Compiled, never run: whether backends/cuda/cupti_abi.h says what a toolkit's headers say, as
 * abi.c does for the driver. */
#include <cupti.h>

#include "backends/cuda/cupti_abi.h"

#define CuptiActivity CUpti_Activity
#define SAME_CALL(symbol, parameters)                                                              \
    _Static_assert(__builtin_types_compatible_p(__typeof__(&(symbol)), unsigned(*) parameters),    \
                   #symbol " takes other parameters");
CUPTI_CALLS(SAME_CALL)
#undef CuptiActivity

#define SAME_NUMBER(ours, theirs)                                                                  \
    _Static_assert((unsigned)(ours) == (unsigned)(theirs), #ours " is not " #theirs);
SAME_NUMBER(CUPTI_OK, CUPTI_SUCCESS)
SAME_NUMBER(CUPTI_NO_MORE_RECORDS, CUPTI_ERROR_MAX_LIMIT_REACHED)
SAME_NUMBER(CUPTI_NOT_PERMITTED, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES)
SAME_NUMBER(CUPTI_OTHER_PROFILER, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED)
SAME_NUMBER(CUPTI_NOT_PERMITTED_VIRTUAL, CUPTI_ERROR_VIRTUALIZED_DEVICE_INSUFFICIENT_PRIVILEGES)
SAME_NUMBER(CUPTI_DRIVER_CALLS, CUPTI_CB_DOMAIN_DRIVER_API)
SAME_NUMBER(CUPTI_RESOURCES, CUPTI_CB_DOMAIN_RESOURCE)
SAME_NUMBER(CUPTI_NODE_CREATED, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED)
SAME_NUMBER(CUPTI_LAUNCH_KERNEL, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel)
SAME_NUMBER(CUPTI_LAUNCH_KERNEL_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz)
SAME_NUMBER(CUPTI_LAUNCH_COOPERATIVE, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel)
SAME_NUMBER(CUPTI_LAUNCH_COOPERATIVE_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz)
SAME_NUMBER(CUPTI_LAUNCH_KERNEL_EX, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx)
SAME_NUMBER(CUPTI_LAUNCH_KERNEL_EX_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz)
SAME_NUMBER(CUPTI_GRAPH_LAUNCH, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch)
SAME_NUMBER(CUPTI_GRAPH_LAUNCH_PTSZ, CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch_ptsz)
SAME_NUMBER(CUPTI_ENTER, CUPTI_API_ENTER)
SAME_NUMBER(CUPTI_EXIT, CUPTI_API_EXIT)
SAME_NUMBER(CUPTI_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
SAME_NUMBER(CUPTI_FLUSH_FORCED, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED)

#define SAME_PLACE(ours, our_field, theirs, their_field)                                           \
    _Static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field) &&                   \
                       sizeof(((ours *)0)->our_field) == sizeof(((theirs *)0)->their_field),       \
                   #our_field " is not where " #their_field " is");
SAME_PLACE(CuptiKernel, kind, CUpti_ActivityKernel10, kind)
SAME_PLACE(CuptiKernel, start, CUpti_ActivityKernel10, start)
SAME_PLACE(CuptiKernel, stream, CUpti_ActivityKernel10, streamId)
SAME_PLACE(CuptiKernel, correlation, CUpti_ActivityKernel10, correlationId)
SAME_PLACE(CuptiKernel, name, CUpti_ActivityKernel10, name)
SAME_PLACE(CuptiKernel, graph_node, CUpti_ActivityKernel10, graphNodeId)
SAME_PLACE(CuptiCallbackData, site, CUpti_CallbackData, callbackSite)
SAME_PLACE(CuptiCallbackData, result, CUpti_CallbackData, functionReturnValue)
SAME_PLACE(CuptiCallbackData, symbol, CUpti_CallbackData, symbolName)
SAME_PLACE(CuptiCallbackData, correlation, CUpti_CallbackData, correlationId)
