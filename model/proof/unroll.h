/* Straight lines: the ops of a program one by one, as they are performed, out of loops and steps.
 * Internal to what tells, writes and looks for schedules.
 */
#ifndef ATLAS_MODEL_PROOF_UNROLL_H
#define ATLAS_MODEL_PROOF_UNROLL_H

#include "model/proof/prove.h"

typedef struct {
    const AtlasProgram *program; /* borrowed */
    guint *outer;                /* of each op: the innermost loop or step around it; UNROLL_NONE */
    AtlasProgramFile *file;      /* owns the lists of the ops that are made */
    gboolean threads;            /* several host threads perform ops */
} Unroll;
#define UNROLL_NONE G_MAXUINT

void unroll_init(Unroll *unroll, const AtlasProgram *program);
void unroll_clear(Unroll *unroll);

/* An op as one performance of it: parts of buffers by number instead of by loop, in every step,
 * without results. Strings stay the program's; lists belong to unroll->file. */
AtlasOp unroll_op(const Unroll *unroll, AtlasWhen when);

/* Its text: "launch s0 kda x786 r:h w:act[2]". The caller frees it. */
char *unroll_text(const Unroll *unroll, AtlasWhen when);

/* Every performance of every op that is no block, the step `steps` times, as AtlasWhen; the caller
 * frees the list. NULL: more than `most`. */
GArray *unroll_all(const Unroll *unroll, gint64 steps, guint most);

/* The first of an op's operands that is a stream, or NULL. */
const char *unroll_stream(const AtlasOp *op);

/* What people call an op: its kernel where it has one, else its word. */
const char *unroll_name(const AtlasOp *op);

#endif
