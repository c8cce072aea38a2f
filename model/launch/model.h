/* A model: a spec whose names are resolved and whose expressions are parsed.
 *
 * Parameters, arms, unknowns, streams, buffers, stages and populations are arrays in the order of
 * the spec, and everything refers to them by index. The launch graph is a tree of nodes: a group
 * that is `like` another holds nodes of its own, with buffers and unknowns renamed, so that
 * nothing later needs to know how it was written.
 *
 * Life cycle: atlas_model_build takes over the spec; atlas_model_free. Nodes, expressions and
 * names belong to the model. A model is immutable and can be used from several threads.
 */
#ifndef ATLAS_MODEL_LAUNCH_MODEL_H
#define ATLAS_MODEL_LAUNCH_MODEL_H

#include "model/launch/expr.h"
#include "model/launch/spec.h"

/* The greatest value of a parameter: far above any depth or width, and what is counted with it
 * stays exact everywhere. */
#define ATLAS_PARAM_MAX G_GINT64_CONSTANT(10000000)

typedef struct {
    const char *name;
    gint64 standard, low, high;
    AtlasSpan at;
} AtlasParam;

typedef struct {
    const char *name;
    gboolean standard; /* on in the base */
    int needs;         /* index of the arm it needs, or -1 */
    AtlasSpan at;
} AtlasArm;

/* One parameter or arm and the value it gets; for an arm 1 (on) or 0 (off). */
typedef struct {
    gboolean is_arm;
    guint index;
    gint64 value;
    AtlasSpan at;
} AtlasSetting;

typedef struct {
    const char *name;
    GArray *settings; /* of AtlasSetting */
    const AtlasSpecToggle *spec;
} AtlasToggle;

typedef struct {
    const char *name;
    gboolean real; /* any number >= low; else a whole one */
    gint64 low;
    AtlasSpan at;
} AtlasUnknown;

typedef struct {
    const char *name, *kind; /* kind: nonblocking, blocking or legacy */
    AtlasSpan at;
} AtlasStream;

typedef struct {
    const char *name;
    const AtlasExpr *parts; /* how many; NULL: the buffer is one */
    AtlasSpan at;
} AtlasBuffer;

/* A use of a buffer; `index` NULL: of the whole. */
typedef struct {
    guint buffer;
    const AtlasExpr *index;
    AtlasSpan at;
} AtlasUse;

typedef struct AtlasNode AtlasNode;
struct AtlasNode {
    AtlasItemKind kind;
    const AtlasSpecItem *item;
    const AtlasExpr *when, *every; /* this node's own; NULL: always, in every step */
    const AtlasExpr *count;        /* launches of a launch, iterations of a loop */
    guint population;              /* launch */
    guint loop;                    /* loop: the slot of its index in AtlasEnv.loops */
    guint stream, thread;
    int waits; /* sync: the stream it waits for; -1: an event, or the context */
    GArray *reads, *writes, *fresh; /* launch, copy, read, host_write, alloc, free: of AtlasUse */
    GPtrArray *children;            /* loop, group: of AtlasNode* */
    GPtrArray *steady, *varying; /* loop: children that do not depend on its index, and that do */
};

typedef struct {
    const char *key; /* stage.group.name */
    guint stage;
    const AtlasNode *node;
} AtlasPopulation;

typedef struct {
    const char *name;
    GPtrArray *nodes; /* of AtlasNode* */
    AtlasSpan at;
} AtlasStage;

typedef struct {
    AtlasSpec *spec;
    const char *name;
    GArray *params, *arms, *toggles, *unknowns, *streams, *buffers, *stages, *populations;
    GPtrArray *events; /* of const char*, in the order of their first record */
    guint loops;       /* slots of AtlasEnv.loops */
    AtlasRat lag;      /* the counter's, in launches */

    GPtrArray *exprs, *nodes, *arrays, *lists; /* own what the name says */
} AtlasModel;

/* Resolves a spec, which the model takes over even when it fails. Adds all problems to `diags`;
 * returns NULL if `diags` holds any (those of the first pass included). */
AtlasModel *atlas_model_build(AtlasSpec *spec, AtlasDiags *diags);

/* Reads and builds in one go. */
AtlasModel *atlas_model_read(const AtlasSource *source, AtlasDiags *diags);

void atlas_model_free(AtlasModel *model);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasModel, atlas_model_free)

#define ATLAS_PARAM(model, i) (&g_array_index((model)->params, AtlasParam, i))
#define ATLAS_ARM(model, i) (&g_array_index((model)->arms, AtlasArm, i))
#define ATLAS_TOGGLE(model, i) (&g_array_index((model)->toggles, AtlasToggle, i))
#define ATLAS_UNKNOWN(model, i) (&g_array_index((model)->unknowns, AtlasUnknown, i))
#define ATLAS_STREAM(model, i) (&g_array_index((model)->streams, AtlasStream, i))
#define ATLAS_BUFFER(model, i) (&g_array_index((model)->buffers, AtlasBuffer, i))
#define ATLAS_STAGE(model, i) (&g_array_index((model)->stages, AtlasStage, i))
#define ATLAS_POPULATION(model, i) (&g_array_index((model)->populations, AtlasPopulation, i))

/* Words of one bit an arm, as AtlasEnv.arms wants them. */
static inline guint atlas_model_arm_words(const AtlasModel *model) {
    return model->arms->len / 64 + 1;
}

/* The index of what has that name, or -1. */
int atlas_model_find_param(const AtlasModel *model, const char *name);
int atlas_model_find_arm(const AtlasModel *model, const char *name);
int atlas_model_find_toggle(const AtlasModel *model, const char *name);
int atlas_model_find_stage(const AtlasModel *model, const char *name);

/* Whether a population's key is that path ("fwd.main"), or stands below it. */
gboolean atlas_key_is_below(const char *key, const char *path);

#endif
