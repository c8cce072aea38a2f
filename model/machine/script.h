/* A program compiled for the machine: every op with numbers in the place of names. */
#ifndef ATLAS_MODEL_MACHINE_SCRIPT_H
#define ATLAS_MODEL_MACHINE_SCRIPT_H

#include "model/machine/machine.h"

/* What an op names, by kind. Streams begin with the legacy stream and every thread's own (ptds);
 * then come those that the program names, in the order in which it first does. */
typedef enum {
    NAMED_STREAM,
    NAMED_EVENT,
    NAMED_GRAPH,
    NAMED_EXEC,
    NAMED_MEMORY,
    NAMED_KINDS
} Named;

enum { LEGACY = 0 };
#define NO_NUMBER G_MAXUINT32

typedef struct {
    guint8 kind;       /* AtlasOpKind */
    guint8 thread;     /* from 0 */
    guint8 type;       /* AtlasNodeType of the node it makes in a capture, or ATLAS_NODE_TYPES */
    guint8 mode;       /* AtlasCaptureMode of mode and begin */
    gboolean blocking; /* of stream */
    guint index;       /* its place in the program */
    guint named[NAMED_KINDS]; /* numbers, NO_NUMBER where the op names none of the kind */
    gint64 count;             /* xN */
} ScriptOp;

struct AtlasScript {
    const AtlasProgram *program;
    GArray *ops; /* of ScriptOp */
    guint threads;
    guint names[NAMED_KINDS]; /* how many */
    GArray *mentions; /* of guint: for each stream 1 + the first op that names it; 0 where given */
    guint offsets[NAMED_KINDS]; /* in a machine's block: the first record of a kind */
    guint thread_offset, fixed; /* of the threads; of the first word behind all of them */
};

#endif
