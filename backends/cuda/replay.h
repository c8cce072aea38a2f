/* A replay: a program, performed on the GPU by the driver, its launches being kernels that leave
 * fingerprints.
 *
 * Every op is the driver call that it stands for, made in the order of the program (sim/flow.h) on
 * the host thread that it names. What launches, copies and host functions do to memory is bound as
 * on the CPU (sim/binding.h), and what the host then reads must be the same (sim/execute.h).
 * Allocations are made, but no cell lies in them: cells lie in one array of the device's and one of
 * the host's, so that a program which is wrong about its memory reads a wrong number, not an
 * illegal address. Each population runs a kernel entry of its own (kernels.h).
 *
 * A launch whose op states what it costs (us:) takes that long at least, captured or not; any other
 * as long as is asked for all. A profiler that listens is told of steps, stages and launch ops
 * (ranges.h).
 *
 * Nothing counts what the replay does but a counter that is given (counter.h), which sees the
 * driver's calls and the device's kernels. Without one, kernels count themselves in a number on the
 * device, and the host reads it at each stage mark as it is then: late. (Not while a capture is
 * open, where such a read might be unsafe.)
 *
 * Threads: one replay at a time.
 */
#ifndef ATLAS_BACKENDS_CUDA_REPLAY_H
#define ATLAS_BACKENDS_CUDA_REPLAY_H

#include "backends/cuda/counter.h"
#include "backends/cuda/place.h"
#include "sim/execution.h"

typedef struct {
    const AtlasProgram *program;
    AtlasSteps steps;
    guint cells;          /* of the device that the run needs, as the CPU's run found */
    guint64 kernel_ns;    /* how long each kernel takes at least whose op states no us: */
    CudaCounter *counter; /* NULL: a plain pass */
    CudaPlace *place;     /* where it runs, as others do before and after; NULL: in its own */
} CudaReplayAsk;

/* Where a stage, or a step, began. */
typedef struct {
    guint row, stage; /* as in sim/flow.h */
    gint64 us;        /* host time since the start */
    gint64 enqueued;  /* calls of launches so far that succeeded */
    gint64 counted;   /* by the device, as the host saw it; -1: not read */
} CudaMark;

typedef struct {
    AtlasExecution *run;
    GArray *marks;  /* of CudaMark; the last stands for the end */
    gint64 counted; /* by the device, once it was idle; -1: nothing counted there */
    guint streams;  /* that the program made */
} CudaReplay;

/* Performs a program. NULL with an error where it could not be performed to its end: kernels are
 * not built, a call of the replay's own fails, or the device is lost. What the program's calls
 * answer is part of the result. */
CudaReplay *cuda_replay(const CudaDriver *driver, CudaDevice device, const CudaReplayAsk *ask,
                        GError **error);
void cuda_replay_free(CudaReplay *replay);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(CudaReplay, cuda_replay_free)

/* FALSE, with an error at the op, where a program does what a replay cannot: it waits for a flag
 * that no op before it has set. Such a wait lasts, and what it holds back runs after what stands
 * behind it; the CPU's run has no such order. A wait for a flag that was set before it orders the
 * device's work as an event does, once: a flag stays set. */
gboolean cuda_replay_can(const AtlasExecution *expected, AtlasDiags *diags);

#endif
