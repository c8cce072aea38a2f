/* A binding's parts: binding_plan.c makes it, binding.c binds ops. */
#ifndef ATLAS_SIM_BINDING_PLAN_H
#define ATLAS_SIM_BINDING_PLAN_H

#include "sim/binding.h"

/* What stays the same about an op, however often it is performed. */
typedef struct {
    guint64 kernel;  /* hash of the kernel's name */
    GArray *writes;  /* of AtlasAccess: those of w:, then those of f: alone; NULL where none */
    guint scalar;    /* host_set: which */
    guint *scalars;  /* of each argument: which; NULL where none */
    guint allocates; /* 1 + the buffer that an allocation moves; 0: none */
} Plan;

typedef struct {
    guint32 buffer; /* place in `buffers` */
    guint32 part;   /* counted as in `where` */
} BindingOwner;

struct AtlasBinding {
    const AtlasProgram *program;
    GArray *buffers;            /* of AtlasBound */
    GHashTable *by_name;        /* interned name -> 1 + place in `buffers` */
    GHashTable *scalar_of;      /* interned name -> 1 + number */
    GArray *scalars;            /* of guint64: the hash of each scalar's name */
    Plan *plans;                /* one for each op */
    guint32 *where;             /* device cell of each part of each buffer, from its base */
    GArray *owners;             /* of BindingOwner, by device cell: what was put there */
    guint32 parts, next_device; /* of all buffers; cells of the device in use */
    const char *fault;
};

static inline const AtlasOp *binding_op(const AtlasBinding *b, guint op) {
    return &g_array_index(b->program->ops, AtlasOp, op);
}

AtlasBound *binding_buffer(const AtlasBinding *b, const char *name);

/* Kinds of ops. */
gboolean binding_copies(AtlasOpKind kind);
gboolean binding_sets(AtlasOpKind kind);     /* memset */
gboolean binding_launches(AtlasOpKind kind); /* kernels, host functions */

#endif
