/* The driver's calls that are counted, by what they are counted as.
 *
 * X(number, symbol, kind): CUPTI's number for callbacks on a call, the call (CUPTI's spelling, of
 * which the number is CUPTI_DRIVER_TRACE_CBID_<symbol>), and what it is. _ptsz and _ptds are the
 * variants for which no stream means the thread's own. tests/gpu/record_abi.c compares the numbers
 * with a toolkit's headers where there are some. Only the driver's calls are counted: the runtime's
 * (cudaLaunchKernel) all end in these.
 *
 * A kind is one of the numbers of recording.h (NOTE(...) counts one), or has its own parameters,
 * below. Calls that were removed from the interface stay in the driver for old programs.
 */
#ifndef ATLAS_BACKENDS_RECORD_CALLS_H
#define ATLAS_BACKENDS_RECORD_CALLS_H

#include "backends/cuda/abi.h"

typedef enum {
    CALL_NONE,
    CALL_LAUNCH,        /* CallLaunch */
    CALL_LAUNCH_EX,     /* CallLaunchEx */
    CALL_LAUNCH_MULTI,  /* CallLaunchMulti */
    CALL_LAUNCH_OLD,    /* CallLaunchOld, without a stream */
    CALL_LAUNCH_OLD_ON, /* CallLaunchOld */
    CALL_GRAPH_LAUNCH,  /* CallGraphLaunch */
    CALL_INSTANTIATE,   /* CallInstantiate */
    CALL_EXEC_DESTROY,  /* CallExecDestroy */
    CALL_NODE_ENABLE,   /* CallNodeEnable */
    CALL_CAPTURE_BEGIN,
    CALL_CAPTURE_END,
    CALL_UNLOAD,       /* of kernels, whose handles may come again */
    CALL_GET_FUNCTION, /* CallGetHandle */
    CALL_GET_KERNEL,   /* CallGetHandle */
    CALL_LIST_KERNELS, /* CallListKernels */
    CALL_READ,
    CALL_UPLOAD,
    CALL_COPY,
    CALL_MEMSET,
    CALL_STREAM_SYNC,
    CALL_EVENT_SYNC,
    CALL_CONTEXT_SYNC,
    CALL_ALLOCATION,
    CALL_FREE
} CallKind;

#define CALLS_LAUNCHES(X)                                                                          \
    X(307, cuLaunchKernel, LAUNCH)                                                                 \
    X(442, cuLaunchKernel_ptsz, LAUNCH)                                                            \
    X(652, cuLaunchKernelEx, LAUNCH_EX)                                                            \
    X(653, cuLaunchKernelEx_ptsz, LAUNCH_EX)                                                       \
    X(477, cuLaunchCooperativeKernel, LAUNCH)                                                      \
    X(478, cuLaunchCooperativeKernel_ptsz, LAUNCH)                                                 \
    X(480, cuLaunchCooperativeKernelMultiDevice, LAUNCH_MULTI)                                     \
    X(115, cuLaunch, LAUNCH_OLD)                                                                   \
    X(116, cuLaunchGrid, LAUNCH_OLD)                                                               \
    X(117, cuLaunchGridAsync, LAUNCH_OLD_ON)                                                       \
    X(514, cuGraphLaunch, GRAPH_LAUNCH)                                                            \
    X(515, cuGraphLaunch_ptsz, GRAPH_LAUNCH)

#define CALLS_GRAPHS(X)                                                                            \
    X(513, cuGraphInstantiate, INSTANTIATE)                                                        \
    X(578, cuGraphInstantiate_v2, INSTANTIATE)                                                     \
    X(643, cuGraphInstantiateWithFlags, INSTANTIATE)                                               \
    X(656, cuGraphInstantiateWithParams, INSTANTIATE)                                              \
    X(657, cuGraphInstantiateWithParams_ptsz, INSTANTIATE)                                         \
    X(516, cuGraphExecDestroy, EXEC_DESTROY)                                                       \
    X(650, cuGraphNodeSetEnabled, NODE_ENABLE)                                                     \
    X(495, cuStreamBeginCapture, CAPTURE_BEGIN)                                                    \
    X(496, cuStreamBeginCapture_ptsz, CAPTURE_BEGIN)                                               \
    X(539, cuStreamBeginCapture_v2, CAPTURE_BEGIN)                                                 \
    X(540, cuStreamBeginCapture_v2_ptsz, CAPTURE_BEGIN)                                            \
    X(720, cuStreamBeginCaptureToGraph, CAPTURE_BEGIN)                                             \
    X(721, cuStreamBeginCaptureToGraph_ptsz, CAPTURE_BEGIN)                                        \
    X(497, cuStreamEndCapture, CAPTURE_END)                                                        \
    X(498, cuStreamEndCapture_ptsz, CAPTURE_END)                                                   \
    X(22, cuModuleUnload, UNLOAD)                                                                  \
    X(680, cuLibraryUnload, UNLOAD)

#define CALLS_COPIES(X)                                                                            \
    X(45, cuMemcpyDtoH, READ)                                                                      \
    X(278, cuMemcpyDtoH_v2, READ)                                                                  \
    X(398, cuMemcpyDtoH_v2_ptds, READ)                                                             \
    X(62, cuMemcpyDtoHAsync, READ)                                                                 \
    X(279, cuMemcpyDtoHAsync_v2, READ)                                                             \
    X(422, cuMemcpyDtoHAsync_v2_ptsz, READ)                                                        \
    X(282, cuMemcpyAtoH_v2, READ)                                                                  \
    X(403, cuMemcpyAtoH_v2_ptds, READ)                                                             \
    X(283, cuMemcpyAtoHAsync_v2, READ)                                                             \
    X(420, cuMemcpyAtoHAsync_v2_ptsz, READ)                                                        \
    X(43, cuMemcpyHtoD, UPLOAD)                                                                    \
    X(276, cuMemcpyHtoD_v2, UPLOAD)                                                                \
    X(397, cuMemcpyHtoD_v2_ptds, UPLOAD)                                                           \
    X(60, cuMemcpyHtoDAsync, UPLOAD)                                                               \
    X(277, cuMemcpyHtoDAsync_v2, UPLOAD)                                                           \
    X(421, cuMemcpyHtoDAsync_v2_ptsz, UPLOAD)                                                      \
    X(292, cuMemcpyHtoA_v2, UPLOAD)                                                                \
    X(402, cuMemcpyHtoA_v2_ptds, UPLOAD)                                                           \
    X(293, cuMemcpyHtoAAsync_v2, UPLOAD)                                                           \
    X(419, cuMemcpyHtoAAsync_v2_ptsz, UPLOAD)                                                      \
    X(47, cuMemcpyDtoD, COPY)                                                                      \
    X(280, cuMemcpyDtoD_v2, COPY)                                                                  \
    X(399, cuMemcpyDtoD_v2_ptds, COPY)                                                             \
    X(64, cuMemcpyDtoDAsync, COPY)                                                                 \
    X(281, cuMemcpyDtoDAsync_v2, COPY)                                                             \
    X(423, cuMemcpyDtoDAsync_v2_ptsz, COPY)                                                        \
    X(305, cuMemcpy, COPY)                                                                         \
    X(408, cuMemcpy_ptds, COPY)                                                                    \
    X(306, cuMemcpyAsync, COPY)                                                                    \
    X(418, cuMemcpyAsync_ptsz, COPY)                                                               \
    X(287, cuMemcpy2D_v2, COPY)                                                                    \
    X(405, cuMemcpy2D_v2_ptds, COPY)                                                               \
    X(288, cuMemcpy2DUnaligned_v2, COPY)                                                           \
    X(406, cuMemcpy2DUnaligned_v2_ptds, COPY)                                                      \
    X(289, cuMemcpy2DAsync_v2, COPY)                                                               \
    X(424, cuMemcpy2DAsync_v2_ptsz, COPY)                                                          \
    X(290, cuMemcpy3D_v2, COPY)                                                                    \
    X(407, cuMemcpy3D_v2_ptds, COPY)                                                               \
    X(291, cuMemcpy3DAsync_v2, COPY)                                                               \
    X(425, cuMemcpy3DAsync_v2_ptsz, COPY)                                                          \
    X(318, cuMemcpyPeer, COPY)                                                                     \
    X(409, cuMemcpyPeer_ptds, COPY)                                                                \
    X(319, cuMemcpyPeerAsync, COPY)                                                                \
    X(426, cuMemcpyPeerAsync_ptsz, COPY)                                                           \
    X(776, cuMemcpyBatchAsync, COPY)                                                               \
    X(777, cuMemcpyBatchAsync_ptsz, COPY)                                                          \
    X(796, cuMemcpyBatchAsync_v2, COPY)                                                            \
    X(797, cuMemcpyBatchAsync_v2_ptsz, COPY)

#define CALLS_MEMSETS(X)                                                                           \
    X(249, cuMemsetD8_v2, MEMSET)                                                                  \
    X(411, cuMemsetD8_v2_ptds, MEMSET)                                                             \
    X(250, cuMemsetD16_v2, MEMSET)                                                                 \
    X(412, cuMemsetD16_v2_ptds, MEMSET)                                                            \
    X(251, cuMemsetD32_v2, MEMSET)                                                                 \
    X(413, cuMemsetD32_v2_ptds, MEMSET)                                                            \
    X(252, cuMemsetD2D8_v2, MEMSET)                                                                \
    X(414, cuMemsetD2D8_v2_ptds, MEMSET)                                                           \
    X(253, cuMemsetD2D16_v2, MEMSET)                                                               \
    X(415, cuMemsetD2D16_v2_ptds, MEMSET)                                                          \
    X(254, cuMemsetD2D32_v2, MEMSET)                                                               \
    X(416, cuMemsetD2D32_v2_ptds, MEMSET)                                                          \
    X(216, cuMemsetD8Async, MEMSET)                                                                \
    X(428, cuMemsetD8Async_ptsz, MEMSET)                                                           \
    X(218, cuMemsetD16Async, MEMSET)                                                               \
    X(429, cuMemsetD16Async_ptsz, MEMSET)                                                          \
    X(220, cuMemsetD32Async, MEMSET)                                                               \
    X(430, cuMemsetD32Async_ptsz, MEMSET)                                                          \
    X(222, cuMemsetD2D8Async, MEMSET)                                                              \
    X(431, cuMemsetD2D8Async_ptsz, MEMSET)                                                         \
    X(224, cuMemsetD2D16Async, MEMSET)                                                             \
    X(432, cuMemsetD2D16Async_ptsz, MEMSET)                                                        \
    X(226, cuMemsetD2D32Async, MEMSET)                                                             \
    X(433, cuMemsetD2D32Async_ptsz, MEMSET)

#define CALLS_SYNCS(X)                                                                             \
    X(126, cuStreamSynchronize, STREAM_SYNC)                                                       \
    X(440, cuStreamSynchronize_ptsz, STREAM_SYNC)                                                  \
    X(121, cuEventSynchronize, EVENT_SYNC)                                                         \
    X(17, cuCtxSynchronize, CONTEXT_SYNC)                                                          \
    X(800, cuCtxSynchronize_v2, CONTEXT_SYNC)

#define CALLS_MEMORY(X)                                                                            \
    X(243, cuMemAlloc_v2, ALLOCATION)                                                              \
    X(244, cuMemAllocPitch_v2, ALLOCATION)                                                         \
    X(294, cuMemAllocHost_v2, ALLOCATION)                                                          \
    X(39, cuMemHostAlloc, ALLOCATION)                                                              \
    X(371, cuMemAllocManaged, ALLOCATION)                                                          \
    X(549, cuMemCreate, ALLOCATION)                                                                \
    X(598, cuMemAllocAsync, ALLOCATION)                                                            \
    X(599, cuMemAllocAsync_ptsz, ALLOCATION)                                                       \
    X(611, cuMemAllocFromPoolAsync, ALLOCATION)                                                    \
    X(612, cuMemAllocFromPoolAsync_ptsz, ALLOCATION)                                               \
    X(245, cuMemFree_v2, FREE)                                                                     \
    X(38, cuMemFreeHost, FREE)                                                                     \
    X(550, cuMemRelease, FREE)                                                                     \
    X(600, cuMemFreeAsync, FREE)                                                                   \
    X(601, cuMemFreeAsync_ptsz, FREE)

/* Calls that hand out kernels: what tells of launches by itself needs none of them. */
#define CALLS_HANDLES(X)                                                                           \
    X(23, cuModuleGetFunction, GET_FUNCTION)                                                       \
    X(683, cuKernelGetFunction, GET_FUNCTION)                                                      \
    X(681, cuLibraryGetKernel, GET_KERNEL)                                                         \
    X(740, cuLibraryEnumerateKernels, LIST_KERNELS)

#define CALLS_ALL(X)                                                                               \
    CALLS_LAUNCHES(X)                                                                              \
    CALLS_GRAPHS(X) CALLS_COPIES(X) CALLS_MEMSETS(X) CALLS_SYNCS(X) CALLS_MEMORY(X)

/* Parameters as CUPTI hands them out: structures of what a call takes, in its order. */

/* Of cuLaunchKernel and cuLaunchCooperativeKernel; an element of cuLaunch…MultiDevice's list. */
typedef struct {
    CudaFunction function;
    unsigned grid[3], block[3], shared;
    CudaStream stream;
    void **parameters;
} CallLaunch;

/* The beginning of CUlaunchConfig. */
typedef struct {
    unsigned grid[3], block[3], shared;
    CudaStream stream;
} CallConfig;

typedef struct {
    const CallConfig *config;
    CudaFunction function;
} CallLaunchEx;

typedef struct {
    const CallLaunch *launches;
    unsigned count;
} CallLaunchMulti;

typedef struct {
    CudaFunction function;
    int width, height; /* not of cuLaunch */
    CudaStream stream; /* of cuLaunchGridAsync alone */
} CallLaunchOld;

typedef struct {
    CudaExec exec;
    CudaStream stream;
} CallGraphLaunch;

typedef struct {
    CudaExec *exec;
    CudaGraph graph;
} CallInstantiate;

typedef struct {
    CudaExec exec;
} CallExecDestroy;

typedef struct {
    CudaExec exec;
    CudaNode node;
    unsigned enabled;
} CallNodeEnable;

typedef struct {
    CudaFunction *handle; /* or a CUkernel, which a launch takes in place of a function */
} CallGetHandle;

typedef struct {
    CudaFunction *kernels;
    unsigned count;
} CallListKernels;

/* Types of nodes: CUgraphNodeType. */
enum { NODE_KERNEL = 0, NODE_CHILD = 4, NODE_CONDITIONAL = 13 };

#endif
