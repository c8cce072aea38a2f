/* Copies between the host and the device, and the memory that they show to be two.
 *
 * `dtoh_async s pinned r:loss` brings the buffer from the device to its host side, where
 * `host_read r:loss` finds it: where one end of a copy is left out it is the other side of the same
 * buffer. So a buffer that some copy begins or ends at on the host has two sides, and what kernels
 * do to the one is nothing to the other. A buffer without is one memory that both see (mapped or
 * managed), where a host_read meets a kernel's write.
 */
#ifndef ATLAS_MODEL_OP_COPIES_H
#define ATLAS_MODEL_OP_COPIES_H

#include "model/op/program.h"

/* Whether a copy ends, or begins, on the host. */
gboolean atlas_copy_to_host(AtlasOpKind kind);
gboolean atlas_copy_from_host(AtlasOpKind kind);

/* Whether the host's end of a copy is pageable memory: said so, or of a synchronous copy. FALSE for
 * all other ops. */
gboolean atlas_copy_is_pageable(const AtlasOp *op);

/* Whether a copy reads its source during the call (pageable uploads), and whether the host waits
 * until it is done (pageable downloads): driver API, "API synchronization behavior". Not in a graph,
 * whose copies read and write when it runs. */
gboolean atlas_copy_reads_at_call(const AtlasOp *op);
gboolean atlas_copy_is_waited(const AtlasOp *op);

/* The list whose buffers a copy uses the host sides of; NULL where the op is none or names none. */
const GArray *atlas_copy_host_end(const AtlasOp *op);

/* What a copy reads and writes, of whichever list says it; NULL: nothing that is named. */
const GArray *atlas_copy_source(const AtlasOp *op);
const GArray *atlas_copy_target(const AtlasOp *op);

/* Whether an op, which is no copy, works on host sides: the host's own reads and writes, and
 * functions that run on it. */
gboolean atlas_op_on_host(AtlasOpKind kind);

/* Names of the buffers with two sides, a set of the program's own texts; the caller owns it. */
GHashTable *atlas_program_sided(const AtlasProgram *program);

#endif
