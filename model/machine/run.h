/* Running whole programs on the machine. */
#ifndef ATLAS_MODEL_MACHINE_RUN_H
#define ATLAS_MODEL_MACHINE_RUN_H

#include "model/machine/machine.h"

/* What a run may perform, every op of every repetition counted, before it is refused; calls that
 * look at many nodes (the end of a large capture, the launch of a large graph) count for more. An
 * iteration of a loop that leaves the state as it found it is performed once and counted as often
 * as it stands, so that `loop 1000000 … launch s0 x10000` costs a few ops. */
#define ATLAS_RUN_OPS_MAX G_GINT64_CONSTANT(100000000)

/* Performs a program from its first op to its last, in the order of the text: its step `steps` times
 * (>= 0; steps are numbered from 0, and an op with every:E is performed in those that are multiples
 * of E), its loops as often as they say. Where CUDA leaves an op undefined the outcome ends there.
 * Returns NULL and adds one error to `diags` where the program exceeds a limit of machine.h or
 * ATLAS_RUN_OPS_MAX. */
AtlasOutcome *atlas_run(const AtlasProgram *program, gint64 steps, AtlasDiags *diags);

/* The same on a machine of the caller's, which is reset first and stands at the program's end (or
 * where it ended) afterwards; `ops` takes the place of ATLAS_RUN_OPS_MAX. */
AtlasOutcome *atlas_run_on(AtlasMachine *machine, gint64 steps, gint64 ops, AtlasDiags *diags);

/* A call that fails, and what it was answered. */
#define ATLAS_NO_FAILURE G_MAXUINT
typedef struct {
    guint op; /* ATLAS_NO_FAILURE: none fails */
    AtlasAnswer answer;
} AtlasFailure;

/* The same, up to the first call that fails, of which alone the answer is kept. FALSE with an error
 * where the program exceeds a limit before one does. */
gboolean atlas_run_to_failure(AtlasMachine *machine, gint64 steps, gint64 ops,
                              AtlasFailure *failure, AtlasDiags *diags);

#endif
