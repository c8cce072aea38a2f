/* What the two files of lowering share: lower.c writes items, lower_loop.c loops and indices.
 * Internal to them.
 *
 * A loop is written once where its iterations do not differ. An index that is the loop's own plus
 * or minus a number in every iteration is written so; any other one is written as a number, which
 * makes iterations differ.
 */
#ifndef ATLAS_MODEL_LAUNCH_LOWERING_H
#define ATLAS_MODEL_LAUNCH_LOWERING_H

#include "model/launch/lower.h"

/* A loop that is being lowered. */
typedef struct {
    const AtlasNode *node;
    const char *name; /* of its index in the program */
    gint64 count;
    guint serial;     /* tells apart the times that the same loop is lowered */
    gboolean differs; /* an op holds a number that is right in this iteration only */
} Loop;

typedef struct {
    const AtlasConfig *config;
    const AtlasModel *model;
    AtlasProgramFile *file;
    AtlasDiags *diags;
    AtlasEnv env;
    gint64 *values;      /* of the indices, by slot: env.loops */
    gint64 *parts;       /* of the buffers */
    GArray *loops;       /* of Loop: those around, outermost first */
    gint64 times;        /* the product of their counts */
    GHashTable *indices; /* AtlasUse* to Index* (lower_loop.c) */
    guint serial;        /* loops that were begun */
    gint64 work;         /* see ATLAS_WORK_MAX */
    gboolean full;       /* it is used up, which was reported */
} Lowering;

/* Appends what the nodes that are there make; FALSE if something was reported. */
gboolean lower_nodes(Lowering *l, const GPtrArray *nodes, gint64 every, AtlasProgram *into);

/* lower_loop.c */
gboolean lower_loop(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into);
/* Writes the index of a use, which has one. */
gboolean lower_index(Lowering *l, const AtlasNode *node, const AtlasUse *use, AtlasAccess *access);

/* Reports a fault; returns FALSE. */
gboolean lower_fault(Lowering *l, AtlasWalkFault fault);

/* Counts work; FALSE if there was too much of it, which is reported once. */
gboolean lower_works(Lowering *l, const AtlasNode *node, gint64 units);

#endif
