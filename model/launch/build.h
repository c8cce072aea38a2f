/* The second pass, spec to model: what its parts share. Internal to declare.c, items.c and
 * graph.c, which do it in this order. */
#ifndef ATLAS_MODEL_LAUNCH_BUILD_H
#define ATLAS_MODEL_LAUNCH_BUILD_H

#include "model/launch/model.h"

/* A name that expressions can use, or a loop's index while items inside the loop are read. */
typedef struct {
    AtlasNameKind kind;
    guint index;
    AtlasSpan at;
} AtlasDeclared;

typedef struct {
    AtlasModel *model;
    AtlasSpec *spec;
    AtlasDiags *diags;
    GHashTable *names;       /* name to AtlasDeclared*: parameters, arms, unknowns, loop indices */
    GPtrArray *candidates;   /* the same names, NULL-terminated, for hints */
    GPtrArray *arm_names;    /* NULL-terminated */
    GHashTable *parsed;      /* AtlasSpecItem* to AtlasParsed* */
    GPtrArray *groups;       /* of AtlasGroup* */
    GHashTable *populations; /* key to AtlasDeclared* */
    gboolean too_many;       /* nodes: reported once */
} AtlasBuilder;

/* What the first look at an item found (items.c): expressions, parsed once however often a copied
 * group repeats them. */
typedef struct {
    const AtlasExpr *when, *every, *count;
    GArray *reads, *writes, *fresh; /* of AtlasUse */
    guint loop;                     /* loop: the slot of its index */
} AtlasParsed;

/* A group and its full path, stage.group. */
typedef struct {
    char *path;
    const AtlasSpecItem *item;
} AtlasGroup;

/* Fills the model's parameters, arms, toggles, unknowns, streams, buffers and counter. */
void atlas_build_declarations(AtlasBuilder *builder);

/* First look at the items of a stage: parses their expressions into builder->parsed, collects
 * groups, events and loop slots. */
void atlas_build_items(AtlasBuilder *builder, const GPtrArray *items, const char *path);

/* Fills the stages and populations; groups that are `like` others get nodes of their own. */
void atlas_build_graph(AtlasBuilder *builder);

/* Parses the expression that a value holds and keeps it in the model; NULL if it is absent or
 * wrong. */
const AtlasExpr *atlas_build_expr(AtlasBuilder *builder, const AtlasText *value,
                                  gboolean allow_unknowns);

/* Declares a name for expressions; reports one that is reserved or taken. */
gboolean atlas_build_declare(AtlasBuilder *builder, const AtlasText *name, AtlasNameKind kind,
                             guint index);

/* Whether the source has exactly this text at its place (no quotes, folds or escapes inside), so
 * that offsets into the text are offsets into the source. */
gboolean atlas_build_verbatim(const AtlasText *text);

/* A list that the model owns. */
GArray *atlas_build_array(AtlasModel *model, gsize element);

/* The index of the thing with that name in an array whose elements begin with a name; reports an
 * unknown name as "no WHAT named 'x'" and returns -1. */
int atlas_build_find(AtlasBuilder *builder, const GArray *array, const AtlasText *name,
                     const char *what);

#endif
