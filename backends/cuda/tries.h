/* Trying what a device leaves in memory: replays of one program until a fingerprint differs from
 * that of the order of its calls.
 *
 * In which order accesses that race come is the hardware's; a program that races may leave the same
 * every time. One that does not must.
 */
#ifndef ATLAS_BACKENDS_CUDA_TRIES_H
#define ATLAS_BACKENDS_CUDA_TRIES_H

#include "model/op/program.h"

typedef struct {
    guint most;         /* replays, at most */
    guint limit_s;      /* seconds that a call may take, apart from kernels' time; 0: see watch.h */
    guint made;         /* replays that were made */
    const char *buffer; /* whose fingerprint differed in the last; NULL: none did in any */
} CudaTries;

/* Replays a program, its step once, in one place. FALSE with an error where it cannot be. */
gboolean cuda_tries(const AtlasProgram *program, CudaTries *tries, AtlasDiags *diags);

#endif
