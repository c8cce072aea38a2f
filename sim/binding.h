/* Binding: what each op of a program does to memory, once its names are bound to addresses.
 *
 * What a name stands for when a host enqueues an op is what the op does, then or, where a graph
 * captured it, at each launch of that graph:
 *
 * - Every part of every declared buffer has one cell on the device and one on the host, both with
 *   mix(name, part) at first. Kernels, memset and copies between buffers work on the device's;
 *   host_write, host_read and host functions on the host's. Copies transfer: dtoh from the device
 *   to the host, htod the other way. Where one side of a copy is left out it is the other side of
 *   the same buffer: `dtoh_async s pinned r:loss` brings the loss to its host cells, where
 *   `host_read r:loss` finds it. Nothing else keeps the two sides alike.
 * - host_write sets mix(mix(name, part), step); memset sets 0. A host function, and a stream
 *   callback, is a launch of the kernel `host_fn` on the host's cells, performed when the stream
 *   comes to it.
 * - f: writes to memory that nothing held before: the buffer's cells move there, for this op's
 *   writes and for all ops enqueued later. Of a launch xN the first reads where the buffer was, the
 *   others what the one before them wrote. An allocation that has a buffer's name moves all parts
 *   of the buffer; new memory holds 0. What was captured before keeps the address it had.
 * - The value of a scalar is hash(name), by value (a:n) or in memory (a:n@device) until the host
 *   sets it; mix(hash(name), step) by value where it is new in each step (a:lr@step), and in memory
 *   once host_set did. Scalars in memory are host memory that the device reads when a kernel runs,
 *   so host_set takes effect at once, on whatever runs or comes later.
 * - Host cells of a buffer that some copy names as pageable are pageable, all others pinned.
 *
 * Outside of the program's step, the step is -1 before it and the last one's number behind it.
 *
 * Life cycle: a binding follows one run; atlas_binding_bind for each op in the order of the flow.
 */
#ifndef ATLAS_SIM_BINDING_H
#define ATLAS_SIM_BINDING_H

#include "model/op/copies.h"
#include "sim/fingerprint.h"
#include "sim/flow.h"

/* Limits: cells that a run may use, those of f: and allocations included. */
#define ATLAS_CELLS_MAX (1u << 24)

/* What an op does to memory. Cells are the device's, but for host functions and where a copy begins
 * or ends on the host. */
typedef struct {
    guint op;
    AtlasOpKind kind;
    guint64 count;       /* launches: xN; else 1 */
    AtlasLaunch first;   /* launches, host functions: the first one */
    AtlasLaunch rest;    /* launches: the others; index is for whoever launches */
    AtlasCells from, to; /* copies; memset: `to`. Without cells: the op names no buffer */
} AtlasWork;

/* A buffer that the host reads or writes, or that is asked for at the end. */
typedef struct {
    const char *name;
    guint64 hash;
    guint32 base; /* its first cell on the device, before it moves */
    guint32 host; /* its first cell on the host */
    guint32 parts;
    gboolean pageable;
} AtlasBound;

typedef struct AtlasBinding AtlasBinding;

/* Binds the declarations of a program. What cannot be bound (too many cells; more reads and writes
 * than a launch can be given; a copy of unequal sizes) is an error of `diags`: NULL then. */
AtlasBinding *atlas_binding_new(const AtlasProgram *program, AtlasDiags *diags);
void atlas_binding_free(AtlasBinding *binding);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasBinding, atlas_binding_free)

/* What the op at which the flow stands does to memory. Allocations move their buffer. `work` is
 * filled in for launches, copies, memsets and host functions: FALSE for all other ops. */
gboolean atlas_binding_bind(AtlasBinding *binding, const AtlasFlow *flow, AtlasWork *work);

/* Why ops can be bound no more (a sentence without full stop), or NULL. What the op that met the
 * fault does is then not of use. */
const char *atlas_binding_fault(const AtlasBinding *binding);

/* Performs an op of the host's own on its cells and scalars: host_write, host_set. */
void atlas_binding_host(const AtlasBinding *binding, const AtlasFlow *flow, volatile guint64 *host,
                        volatile guint64 *scalars);

/* Values that memory holds at first; each array has so many elements as stated below. The rest of
 * the device's cells holds 0. */
void atlas_binding_init(const AtlasBinding *binding, guint64 *device, guint64 *host,
                        guint64 *scalars);

/* Cells of the device in use so far; of the host, of which the first half are pinned, the others
 * pageable: each half has whole pages of 4,096 bytes; scalars in memory. */
guint atlas_binding_device_cells(const AtlasBinding *binding);
guint atlas_binding_host_cells(const AtlasBinding *binding);
guint atlas_binding_scalars(const AtlasBinding *binding);

/* The declared buffers, in order: of AtlasBound. */
const GArray *atlas_binding_buffers(const AtlasBinding *binding);

/* The buffer of an access, and which of its parts: `parts.first` counts from 0. */
const AtlasBound *atlas_binding_access(const AtlasBinding *binding, const AtlasFlow *flow,
                                       const AtlasAccess *access, AtlasCells *parts);

/* Where a part of a buffer is on the device now. */
guint32 atlas_binding_where(const AtlasBinding *binding, const AtlasBound *buffer, guint32 part);

/* The buffer that a cell of the device was given to; whether that has moved on since. */
const AtlasBound *atlas_binding_owner(const AtlasBinding *binding, guint32 cell);
gboolean atlas_binding_moved(const AtlasBinding *binding, guint32 cell);

#endif
