/* A session: one program on the driver.
 *
 *     CudaSession *session = cuda_session_new(place, &error);
 *     gboolean ok = cuda_session_perform(session, op, &answer, &error);   op after op
 *     gint64 executed = cuda_session_finish(session, &error);             once, at the end
 *     gboolean clean = cuda_session_free(session);
 *
 * Host threads are real: each number has a thread of its own, in which its ops are performed; the
 * next op begins when the last has returned, so that the order of ops is the order of calls. A
 * session's threads are new, and so begin in the capture mode `global`, with per-thread streams of
 * their own.
 *
 * What calls are given (../shared/truth/README.md): 256 bytes for allocations, 64 for copies and
 * memsets, which all go to one fixed device buffer; the kernel adds 1 to a counter on the device.
 * Everything that is needed for this was made before the first op. A launch xN is N calls, the rest
 * left out after one that fails. Buffers, scalars and kernels' names carry no meaning here: what
 * is counted are launches.
 *
 * The answers follow outcome.h. A name of a graph or exec that has none is not given to the
 * driver; memory that was never allocated, or whose allocation failed, is the null pointer. A
 * stream or event that is used without a declaration, in a program that declares none, is made
 * where it is first used, a stream as a non-blocking one. module_load answers for cuModuleLoad
 * alone.
 */
#ifndef ATLAS_BACKENDS_CUDA_SESSION_H
#define ATLAS_BACKENDS_CUDA_SESSION_H

#include "backends/cuda/place.h"
#include "model/machine/outcome.h"

typedef struct CudaSession CudaSession;

/* Begins, with the counter at 0. On failure returns NULL and says which call refused. */
CudaSession *cuda_session_new(CudaPlace *place, GError **error);

/* Whether an op is performed at all; other ops are structure, or the host's own business. */
gboolean cuda_session_performs(AtlasOpKind kind);

/* Performs an op on the op's thread; code NONE where it is no driver call. FALSE with an error
 * where there is no such thread, and none can be made. */
gboolean cuda_session_perform(CudaSession *session, const AtlasOp *op, AtlasAnswer *answer,
                              GError **error);

/* Ends all open captures, the calling thread's own among them, waits until the device is idle, and
 * returns how many kernels it executed; -1 with an error that names the call which refuses, where
 * the program broke the context. */
gint64 cuda_session_finish(CudaSession *session, GError **error);

/* Ends the threads, and destroys every stream, event, graph and exec that was made, reachable or
 * not. Memory stays allocated: whether a program freed it is not known. FALSE where something could
 * not be destroyed: the place must not be used again then. */
gboolean cuda_session_free(CudaSession *session);

#endif
