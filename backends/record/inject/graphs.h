/* Captures and graphs: which launches become nodes, and how many kernels a graph launch stands for.
 *
 * The kernel nodes of a graph, those of its child graphs included, are counted when it is
 * instantiated, so that a launch of it costs a look into a table. What a conditional node holds
 * runs as often as the device decides: of such a graph the count is a lower bound, and so it is of
 * one that was instantiated before anybody counted. Nodes that are switched off do not count.
 */
#ifndef ATLAS_BACKENDS_RECORD_INJECT_GRAPHS_H
#define ATLAS_BACKENDS_RECORD_INJECT_GRAPHS_H

#include <stdbool.h>
#include <stdint.h>

#include "backends/cuda/abi.h"

/* Whether what is enqueued on the stream now becomes a node. Asks the driver only while there is a
 * capture. */
bool graphs_captures(CudaStream stream);

/* A capture has begun; has ended. */
void graphs_begun(void);
void graphs_ended(void);

void graphs_instantiated(CudaExec exec, CudaGraph graph);
void graphs_destroyed(CudaExec exec);

/* A node of the exec is about to be switched on or off. Only if that succeeds it is told with
 * graphs_switched what this returned: how many kernels more (or fewer) the exec has then. */
int graphs_switch(CudaExec exec, CudaNode node, bool enabled);
void graphs_switched(CudaExec exec, int more);

/* How many kernels a launch of it executes; *whole: no more than that. Takes no lock. */
uint64_t graphs_kernels(CudaExec exec, bool *whole);

#endif
