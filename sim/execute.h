/* Executing a program on the CPU: what each call answers, what is counted, what memory then holds.
 *
 * Calls are answered by the machine (model/machine); those that succeed take effect. The device
 * performs everything at the moment at which the host enqueues it, and a graph's nodes in the order
 * of capture when it is launched: one schedule of many. A program without races leaves the same in
 * every other one, so that any run of it must agree; one with races may disagree with itself (a
 * wait that is missing does not show here). A captured op keeps what it was enqueued with: the
 * addresses, the scalars passed by value. It finds at each launch what memory then holds, the
 * host's included. Flags are taken to be set in time.
 */
#ifndef ATLAS_SIM_EXECUTE_H
#define ATLAS_SIM_EXECUTE_H

#include "model/proof/prove.h"
#include "sim/execution.h"

/* What a run may take: ops performed, and launches of kernels, those of graphs included. */
#define ATLAS_EXECUTE_OPS_MAX G_GINT64_CONSTANT(100000000)
#define ATLAS_EXECUTE_LAUNCHES_MAX G_GINT64_CONSTANT(2000000000)
#define ATLAS_EXECUTE_STEPS_MAX 1000000

/* Runs a program for the given steps (0 <= first <= window <= last). Returns NULL and adds an error
 * where it cannot be run: it cannot be bound (binding.h), a limit is exceeded, or CUDA leaves
 * undefined what an op does. */
AtlasExecution *atlas_execute(const AtlasProgram *program, AtlasSteps steps, AtlasDiags *diags);

/* Follows a run. What is NULL is not called. */
typedef struct {
    /* A row of the flow begins, or the run ended: where buffers are now. */
    void (*row)(gpointer user, const AtlasBinding *binding, guint row);
    /* The device performs work that an op enqueued, or that the graph launch at which the flow
     * stands holds. */
    void (*work)(gpointer user, const AtlasWork *work, const AtlasFlow *at,
                 const AtlasBinding *binding, const guint64 *scalars);
    /* The host performs an op of its own at which the flow stands: host_read, host_write; or it
     * frees memory of the device, now (`free`) or in the order of a stream. */
    void (*host)(gpointer user, const AtlasFlow *at, const AtlasBinding *binding);
    gpointer user;
    /* No fingerprints are made: kernels leave memory as it is, so that a launch xN costs as much
     * as one. What the execution says of memory is then of no use. */
    gboolean blind;
    /* Not in the order of the calls, but as atlas_execute_late does; or NULL. */
    const AtlasProof *race;
} AtlasWatch;

/* free, free_async */
gboolean atlas_execute_frees(AtlasOpKind kind);

AtlasExecution *atlas_execute_watched(const AtlasProgram *program, AtlasSteps steps,
                                      const AtlasWatch *watch, AtlasDiags *diags);

/* Runs a program of straight lines as the schedule of its refuted race says, and completes the
 * second access before the first: what memory then holds is what a device may leave. A race of two
 * nodes of one graph, too. Counts are not of use. */
AtlasExecution *atlas_execute_late(const AtlasProgram *program, const AtlasProof *race,
                                   AtlasDiags *diags);

#endif
