/* Runs programs on the GPU's driver: several at once, in processes that may hang or crash without
 * harm to this one.
 *
 *     AtlasCudaPool *pool = atlas_cuda_pool_new(&config);
 *     gboolean ok = atlas_cuda_run(pool, programs, steps, outcomes, progress, &error);
 *     atlas_cuda_pool_free(pool);
 *
 * A program of which nothing was done for longer than the limit has the outcome HUNG, one whose
 * process died of a fault CRASHED, both at the op that was being performed (the number of ops:
 * while counting at the end); the process is started again for the next program. How long a program
 * takes as a whole is not limited. Processes that are ended by anything else (Ctrl-C, want of
 * memory) end the run with an error. A pool keeps its processes between runs; they end with it, and
 * with this process however that ends.
 *
 * A program finds what a fresh context has: no streams, events, graphs and host threads but its
 * own. The context itself is shared by some programs that follow each other, since making one takes
 * longer than a hundred programs do; it is given up after anything that could not be cleaned up.
 *
 * The program that is started is this one (/proc/self/exe), whose main hands over to
 * cuda_child_main (child.h) where its first argument is CUDA_CHILD_OPTION.
 */
#ifndef ATLAS_BACKENDS_CUDA_POOL_H
#define ATLAS_BACKENDS_CUDA_POOL_H

#include "model/base/progress.h"
#include "model/machine/outcome.h"

typedef struct {
    guint jobs;    /* programs at once, at most; 0: as many as are useful here */
    guint limit_s; /* seconds that one call may take, and that loading the driver may; 0: 10, 60 */
    guint sharing; /* programs to a context, one after another; 0: 500 */
} AtlasCudaConfig;

typedef struct AtlasCudaPool AtlasCudaPool;

AtlasCudaPool *atlas_cuda_pool_new(const AtlasCudaConfig *config);
void atlas_cuda_pool_free(AtlasCudaPool *pool);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasCudaPool, atlas_cuda_pool_free)

/* Performs every program (of AtlasProgram*) with its step repeated as often as its element of
 * `steps` (of gint64, >= 1) says, and appends an AtlasOutcome* for each to `outcomes`, in the same
 * order. FALSE, with one sentence saying what is missing, where nothing can be performed here: no
 * driver, no GPU, no context. `progress` may be NULL. */
gboolean atlas_cuda_run(AtlasCudaPool *pool, const GPtrArray *programs, const GArray *steps,
                        GPtrArray *outcomes, AtlasProgress *progress, GError **error);

/* From now on no call may take longer than this, if it could. */
void atlas_cuda_pool_hurry(AtlasCudaPool *pool, guint limit_s);

/* The device's name, the version of CUDA that the driver speaks ("13.0"), and the driver's own
 * ("580.159.04"), as soon as a process has found them; NULL before, and where it cannot be told.
 * Owned by the pool. */
const char *atlas_cuda_pool_device(const AtlasCudaPool *pool);
const char *atlas_cuda_pool_cuda(const AtlasCudaPool *pool);
const char *atlas_cuda_pool_driver(const AtlasCudaPool *pool);

#endif
