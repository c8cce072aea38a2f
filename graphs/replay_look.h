/* What the host knows of its own memory where a step ends.
 *
 * What a copy (or a host function) leaves in host memory, the program that is being described may
 * look at though no host_read says so: the last step's loss, say. Where the host has waited for it by
 * the end of the step, it must have in the planned program, too (E15). Where it has not, eagerly,
 * nothing tells it when the memory holds what, and only what a step leaves counts
 * (sim/reads_from.h).
 *
 * That it has waited is that a host_read at the step's end would race with nothing.
 */
#ifndef ATLAS_GRAPHS_REPLAY_LOOK_H
#define ATLAS_GRAPHS_REPLAY_LOOK_H

#include "model/op/program.h"

typedef struct {
    const char *buffer;
    guint op; /* of the planned program: what is still under way */
    gint64 step;
} AtlasReplayLook;

/* Whether there is a buffer that the host must not look at where a step of the planned program ends
 * though it may eagerly; then *look is the first such. Both programs are free of races, and of one
 * file; FALSE where one has no step, or where a limit was reached in telling it (proof/prove.h). */
gboolean atlas_replay_looks_early(const AtlasProgram *eager, const AtlasProgram *planned,
                                  AtlasReplayLook *look);

/* Why that is wrong. The caller frees it. */
char *atlas_replay_look_why(const AtlasReplayLook *look);
#define ATLAS_REPLAY_LOOK_MEND                                                                     \
    "let the host wait for the graph before the step ends, or leave the copy out of the window"

#endif
