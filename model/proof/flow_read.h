/* How a program becomes a flow: flow.c goes through its structure, flow_ops.c reads ops. Internal
 * to these two. */
#ifndef ATLAS_MODEL_PROOF_FLOW_READ_H
#define ATLAS_MODEL_PROOF_FLOW_READ_H

#include "model/proof/flow.h"

/* Parts of all buffers together. */
enum { CELLS_MAX = 1 << 24 };

/* A program being read. */
typedef struct {
    Flow *flow;
    GHashTable *streams, *events, *flags, *execs, *buffers, *stages; /* name to number + 1 */
    gboolean declares;     /* buffers: else nobody knows how many parts they have */
    GHashTable *sided;     /* names of buffers with a host side of its own (copies.h) ... */
    GHashTable *host_side; /* ... and the number + 1 of that */
    GHashTable *scalars;   /* that kernels read from memory: name to that of the buffer it is */
    guint legacy;          /* the legacy stream's chain, or FLOW_NONE */
    GHashTable *setters;   /* flags that are set already */
    GArray *blocks;        /* of guint: open blocks, as indices of flow ops */
    GPtrArray *loops;      /* names of open loops, by level */
    gint64 times;  /* how often the current line is performed; 2 where that is more than once */
    GArray *outer; /* of gint64: `times` outside of each open block */
} FlowReader;

/* Notes why the program cannot be modelled, unless something else was noted before. */
void flow_refuse(FlowReader *r, const char *format, ...) G_GNUC_PRINTF(2, 3);

/* Makes a stream, of this name from now on; returns its chain. */
guint flow_add_stream(FlowReader *r, const char *name, gboolean legacy, gboolean blocking);

/* The first cell of a buffer; a new one has so many parts. */
guint flow_buffer_cell(FlowReader *r, const char *name, gint64 parts);

/* Reads an op that is no block and no declaration of the flow's own. */
void flow_add_op(FlowReader *r, const AtlasOp *op, guint index);

#endif
