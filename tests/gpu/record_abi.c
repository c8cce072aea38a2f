/* Compiled, never run: whether backends/record/calls.h says what a toolkit's headers say, as abi.c
 * does for the driver. */
#include <cupti.h>

#include "backends/record/calls.h"

#define SAME_ID(id, symbol, kind)                                                                  \
    _Static_assert((id) == CUPTI_DRIVER_TRACE_CBID_##symbol, #symbol " has another number");
CALLS_ALL(SAME_ID)
CALLS_HANDLES(SAME_ID)

#define SAME_SIZE(ours, theirs)                                                                    \
    _Static_assert(sizeof(ours) == sizeof(theirs), #ours " is not as large as " #theirs);
#define SAME_PLACE(ours, our_field, theirs, their_field)                                           \
    _Static_assert(offsetof(ours, our_field) == offsetof(theirs, their_field) &&                   \
                       sizeof(((ours *)0)->our_field) == sizeof(((theirs *)0)->their_field),       \
                   #our_field " is not where " #their_field " is");
SAME_PLACE(CallLaunch, function, cuLaunchKernel_params, f)
SAME_PLACE(CallLaunch, stream, cuLaunchKernel_params, hStream)
SAME_PLACE(CallLaunch, function, cuLaunchCooperativeKernel_params, f)
SAME_PLACE(CallLaunch, stream, cuLaunchCooperativeKernel_params, hStream)
SAME_SIZE(CallLaunch, CUDA_LAUNCH_PARAMS)
SAME_PLACE(CallLaunch, function, CUDA_LAUNCH_PARAMS, function)
SAME_PLACE(CallLaunch, stream, CUDA_LAUNCH_PARAMS, hStream)
SAME_PLACE(CallConfig, stream, CUlaunchConfig, hStream)
SAME_PLACE(CallLaunchEx, config, cuLaunchKernelEx_params, config)
SAME_PLACE(CallLaunchEx, function, cuLaunchKernelEx_params, f)
SAME_PLACE(CallLaunchMulti, launches, cuLaunchCooperativeKernelMultiDevice_params, launchParamsList)
SAME_PLACE(CallLaunchMulti, count, cuLaunchCooperativeKernelMultiDevice_params, numDevices)
SAME_PLACE(CallLaunchOld, function, cuLaunchGridAsync_params, f)
SAME_PLACE(CallLaunchOld, stream, cuLaunchGridAsync_params, hStream)
SAME_PLACE(CallGraphLaunch, exec, cuGraphLaunch_params, hGraph)
SAME_PLACE(CallInstantiate, exec, cuGraphInstantiate_v2_params, phGraphExec)
SAME_PLACE(CallInstantiate, graph, cuGraphInstantiate_v2_params, hGraph)
SAME_PLACE(CallInstantiate, exec, cuGraphInstantiateWithFlags_params, phGraphExec)
SAME_PLACE(CallInstantiate, graph, cuGraphInstantiateWithFlags_params, hGraph)
SAME_PLACE(CallInstantiate, exec, cuGraphInstantiateWithParams_params, phGraphExec)
SAME_PLACE(CallInstantiate, graph, cuGraphInstantiateWithParams_params, hGraph)
SAME_PLACE(CallExecDestroy, exec, cuGraphExecDestroy_params, hGraphExec)
SAME_PLACE(CallNodeEnable, exec, cuGraphNodeSetEnabled_params, hGraphExec)
SAME_PLACE(CallNodeEnable, node, cuGraphNodeSetEnabled_params, hNode)
SAME_PLACE(CallNodeEnable, enabled, cuGraphNodeSetEnabled_params, isEnabled)
SAME_PLACE(CallGetHandle, handle, cuModuleGetFunction_params, hfunc)
SAME_PLACE(CallGetHandle, handle, cuKernelGetFunction_params, pFunc)
SAME_PLACE(CallGetHandle, handle, cuLibraryGetKernel_params, pKernel)
SAME_PLACE(CallListKernels, kernels, cuLibraryEnumerateKernels_params, kernels)
SAME_PLACE(CallListKernels, count, cuLibraryEnumerateKernels_params, numKernels)

#define SAME_NUMBER(ours, theirs)                                                                  \
    _Static_assert((unsigned)(ours) == (unsigned)(theirs), #ours " is not " #theirs);
SAME_NUMBER(NODE_KERNEL, CU_GRAPH_NODE_TYPE_KERNEL)
SAME_NUMBER(NODE_CHILD, CU_GRAPH_NODE_TYPE_GRAPH)
SAME_NUMBER(NODE_CONDITIONAL, CU_GRAPH_NODE_TYPE_CONDITIONAL)
SAME_NUMBER(2, CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM)
