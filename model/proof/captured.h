/* What captures leave of a program: which calls run and which only become nodes, and what the
 * graphs that are launched hold. Internal to the engine.
 *
 * All rules are the machine's (model/machine): every call is given to it, in the order of the
 * calls, and it says whether the call succeeded and whether its stream captures. Only the values
 * that loops had while a node was captured are kept here, since a node's parts of buffers are fixed
 * then.
 *
 * A graph's nodes run in any order that its edges allow, so two of them may race with each other,
 * whatever surrounds the graph; towards everything else, a launch of it is one item: it starts when
 * all before it is complete, and is complete when all its nodes are.
 */
#ifndef ATLAS_MODEL_PROOF_CAPTURED_H
#define ATLAS_MODEL_PROOF_CAPTURED_H

#include "model/proof/race.h"

typedef struct {
    GArray *accesses; /* of CapturedAccess: each cell read, and each written, once */
    GArray *races;    /* of Race: of nodes with each other; places are those of captured ops */
    GArray *nodes;    /* of guint: their flow ops, in the order of capture */
    gint64 kernels;
    gboolean launched;
} CapturedGraph;

typedef struct {
    FlowAccess access; /* its part is fixed: offset */
    guint flow;        /* the captured op */
} CapturedAccess;

typedef enum {
    CAPTURED_RUNS, /* the op does what it says */
    CAPTURED_HELD, /* it became a node, or concerns captures only */
    CAPTURED_FAILED
} CapturedFate;

typedef struct Captured Captured;

/* For a program with captures. NULL, with `refusal` set (the caller frees it), where it exceeds the
 * machine's limits. */
Captured *captured_new(const Flow *flow, char **refusal);
void captured_free(Captured *captured);

/* Performs a call, with the values of all open loops. */
CapturedFate captured_apply(Captured *captured, guint at, const gint64 *index);

/* The graph that an exec launches, after captured_apply of the launch said that it runs. */
CapturedGraph *captured_launch(Captured *captured, guint at);

/* A number that is the same where the driver's state is (but for one chance in 2^64). */
guint64 captured_mark(const Captured *captured);

/* Why the engine cannot go on: a sentence, or NULL. */
const char *captured_refusal(const Captured *captured);

#endif
