/* The clock: how long steps of a program take, the host and the device together.
 *
 * A model of time, for programs of one host thread that capture what they capture before the step:
 *
 *     host     goes on by launch_ns with each kernel, copy and memset that it enqueues, by event_ns
 *              with each record and wait, by what a table says for a graph launch, by its number of
 *              nodes; it waits where it synchronizes. It never waits for a full queue: how far it is
 *              ahead does not matter to when the device is done, on one stream.
 *     device   does one thing after the other on a stream, as soon as the host has enqueued it and
 *              what the stream waits for is done. A kernel takes what its launch says (us:); a node
 *              of a graph takes that, and no less than node_ns. The legacy stream and blocking ones
 *              wait for each other.
 *
 * What a kernel takes that does not say so, and what a copy takes, is not known: it is counted, and
 * taken for nothing, so that the time is then a lower bound.
 *
 * Source of the times: the H200 of which graphs/plan.c has the table.
 */
#ifndef ATLAS_SIM_CLOCK_H
#define ATLAS_SIM_CLOCK_H

#include "model/op/program.h"

/* Host time in nanoseconds of a repeated graph launch, by nodes. */
typedef struct {
    gint64 nodes, ns;
} AtlasGraphCost;

/* Times in nanoseconds. */
typedef struct {
    gint64 launch_ns, event_ns;
    const AtlasGraphCost *graph; /* by nodes, ascending, linear between; at least two */
    guint graphs;
    gint64 node_ns;
} AtlasClockCosts;

/* Of a graph launch of so many nodes. */
gint64 atlas_clock_graph_ns(const AtlasClockCosts *costs, gint64 nodes);

typedef struct {
    gint64 step_ns;         /* of a step, in the mean over a few periods, once it goes its way */
    gint64 host_ns;         /* of which the host is at work, and does not wait */
    gint64 unknown, copies; /* launches a period that do not say what they take; copies, memsets */
} AtlasClockTime;

/* The mean time of a step. NULL where it can be told, else why it cannot (a string literal). Ops that
 * are `undone`, by op (NULL: none), are done as if they were not planned: in place of a graph launch
 * its nodes are enqueued one by one, and a copy is left out. */
const char *atlas_clock_run(const AtlasProgram *program, const AtlasClockCosts *costs,
                            const gboolean *undone, AtlasClockTime *time);

#endif
