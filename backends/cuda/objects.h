/* A session's parts: session.c opens and finishes it, calls.c and graphs.c perform ops. */
#ifndef ATLAS_BACKENDS_CUDA_OBJECTS_H
#define ATLAS_BACKENDS_CUDA_OBJECTS_H

#include "backends/cuda/session.h"
#include "backends/cuda/threads.h"

/* Things of one kind: what each name stands for now, and all that were made and not destroyed. */
typedef struct {
    GHashTable *named; /* name -> handle */
    GPtrArray *made;   /* of handles */
} Things;

struct CudaSession {
    const CudaDriver *cuda;
    CudaPlace *place;
    CudaThreads *threads;
    Things streams, events, graphs, execs;
    GHashTable *memory; /* name -> CudaMemory*, an address on the device or the host */
    GHashTable *flags;  /* name -> its 4 bytes of pinned memory */
};

/* Performs one op on the calling thread, whose context is the place's. */
AtlasAnswer cuda_call(CudaSession *session, const AtlasOp *op);

/* Performs ops of one kind: returns the result and adds the answer's details. */
typedef unsigned CudaCall(CudaSession *session, const AtlasOp *op, AtlasAnswer *answer);

/* graphs.c */
CudaCall cuda_end, cuda_status, cuda_instantiate, cuda_graph_launch, cuda_update, cuda_destroy_exec,
    cuda_destroy_graph;

/* The stream that an op's operand names, for the calling thread. */
CudaStream cuda_stream(CudaSession *session, const AtlasOp *op, guint operand);

/* Gives a thing that was made its name; a NULL thing takes the name from what had it. */
void cuda_name(Things *things, const char *name, void *thing);

/* Forgets a thing that was destroyed under its name. */
void cuda_forget(Things *things, const char *name);

#endif
