/* The typical step of a survey as a program (program.h), to be planned, replayed, or begun with.
 *
 * It launches what the step launched, as often, in the stages and on the streams that it was seen
 * on, between the same syncs, host reads and allocations (seen_runs.h); a kernel takes as long as
 * those of its name took in the mean. What a trace does not tell
 * is assumed, and ATLAS_SEEN_ASSUMED says so:
 *
 *     buffers      the host reads `unknown`, which nothing writes; kernels read and write nothing,
 *                  so that nothing can be found wrong with their order, and nothing is proved of it
 *     streams      can be captured (PyTorch's are captured on a stream beside them)
 *     syncs        wait for everything, since a trace does not say for what
 *     copies       use pinned memory of the host, unless the trace says that it is pageable: then
 *                  the host writes it anew behind a copy to the device, whose bytes are taken at
 *                  the call; a graph would take them later, so that none holds it
 *     scalars      none change from step to step
 *
 * Allocations and frees become cuMemAlloc and cuMemFree, which no capture holds. Graphs that the
 * step launched are captured before it, with as many kernels as they were seen to have.
 */
#ifndef ATLAS_GRAPHS_SEEN_PROGRAM_H
#define ATLAS_GRAPHS_SEEN_PROGRAM_H

#include "model/measure/survey.h"
#include "model/op/program.h"

#define ATLAS_SEEN_ASSUMED                                                                         \
    "a trace does not tell what kernels read and write, which arguments change and which memory "  \
    "moves: that a replay computes the same is not proved"

/* Adds it to the file. NULL with an error where the survey has no step, or one that captures. */
const AtlasProgram *atlas_seen_program(const AtlasSurvey *survey, AtlasProgramFile *file,
                                       AtlasDiags *diags);

/* The same step as a spec in YAML, which has no knobs yet: each run's kernels as launch items of
 * fixed counts. NULL as above. The caller frees it. */
char *atlas_seen_spec(const AtlasSurvey *survey, AtlasDiags *diags);

#endif
