/* The second pass, spec to model: what its parts share. Internal to declare.c, items.c, like.c and
 * graph.c, which do it in this order.
 *
 * What is wrong is reported once, where it is written: everything about an item that does not
 * depend on where it is copied to is checked at the first look, before copies are made.
 */
#ifndef ATLAS_MODEL_LAUNCH_BUILD_H
#define ATLAS_MODEL_LAUNCH_BUILD_H

#include "model/launch/model.h"

/* A name that expressions can use, or a loop's index while items inside the loop are read. */
typedef struct {
    AtlasNameKind kind;
    guint index;
    AtlasSpan at;
} AtlasDeclared;

/* One pair of `rename` or `counts`, as indices of buffers or unknowns. */
typedef struct {
    guint from, to;
} AtlasRenaming;

/* A group, by its full path, stage.group. */
typedef struct AtlasGroup AtlasGroup;
struct AtlasGroup {
    char *path;
    const AtlasSpecItem *item;
    AtlasGroup *twin;        /* a later group with the same path, or NULL */
    AtlasGroup *target;      /* the group that `like` names */
    GArray *rename, *counts; /* of AtlasRenaming; NULL: none */
    GArray *loops;           /* of guint: slots of the loops around it */
    gboolean broken;         /* its `like` leads nowhere, which was reported */
    gboolean misplaced;      /* a loop around the items it copies is missing; reported */
};

/* What the first look at an item found (items.c): expressions, parsed once however often a copied
 * group repeats them. */
typedef struct {
    const AtlasExpr *when, *every, *count;
    GArray *reads, *writes, *fresh; /* of AtlasUse */
    int stream;                     /* -1: that of the item around it */
    guint thread;                   /* 0: that of the item around it */
    int waits;                      /* sync: the stream; -1: an event, or the context */
    guint loop;                     /* loop: the slot of its index */
    AtlasGroup *group;              /* group */
} AtlasParsed;

typedef struct {
    AtlasModel *model;
    AtlasSpec *spec;
    AtlasDiags *diags;
    GHashTable *names;     /* name to AtlasDeclared*: parameters, arms, unknowns, loop indices */
    GPtrArray *candidates; /* the same names, or the first of them, NULL-terminated, for hints */
    GPtrArray *arm_names;  /* NULL-terminated */
    GHashTable *indices;   /* GArray* to (name to index): see atlas_build_index */
    GHashTable *events;    /* set of names */
    GHashTable *parsed;    /* AtlasSpecItem* to AtlasParsed* */
    GPtrArray *groups;     /* of AtlasGroup* */
    GHashTable *paths;     /* path to the first AtlasGroup* that has it */
    GPtrArray *waiting;    /* of AtlasSpecItem*: wait and sync, whose events may come later */
    GArray *loops;         /* of guint: slots of the loops around the items being looked at */
} AtlasBuilder;

/* Whether to go on: reading ends at ATLAS_SPEC_ERRORS_MAX. */
gboolean atlas_build_goes_on(const AtlasBuilder *builder);

/* Fills the model's parameters, arms, toggles, unknowns, streams, buffers and counter. */
void atlas_build_declarations(AtlasBuilder *builder);

/* First look at the items of a stage: parses their expressions into builder->parsed, collects
 * groups, events and loop slots. */
void atlas_build_items(AtlasBuilder *builder, const GPtrArray *items, const char *path);

/* Behind the first look at all stages: checks the events that items wait for. */
void atlas_build_waits(AtlasBuilder *builder);

/* Behind the first look at all stages: finds the groups that others are `like`. */
void atlas_build_likes(AtlasBuilder *builder);

/* Fills the stages and populations; groups that are `like` others get nodes of their own. */
void atlas_build_graph(AtlasBuilder *builder);

/* Parses the expression that a value holds and keeps it in the model; NULL if it is absent or
 * wrong. */
const AtlasExpr *atlas_build_expr(AtlasBuilder *builder, const AtlasText *value,
                                  gboolean allow_unknowns);

/* Declares a name for expressions; reports one that is reserved or taken. */
gboolean atlas_build_declare(AtlasBuilder *builder, const AtlasText *name, AtlasNameKind kind,
                             guint index);

/* Takes back the declaration of a loop's index, the last one made that still holds. */
void atlas_build_forget(AtlasBuilder *builder, const AtlasText *name);

/* Whether the source has exactly this text at its place (no quotes, folds or escapes inside), so
 * that offsets into the text are offsets into the source. */
gboolean atlas_build_verbatim(const AtlasText *text);

/* A list that the model owns. */
GArray *atlas_build_array(AtlasModel *model, gsize element);

/* The index of the thing with that name in an array that is complete, and whose elements begin with
 * a name; -1 if there is none. atlas_build_find reports that as "no WHAT named 'x'". */
int atlas_build_index(AtlasBuilder *builder, const GArray *array, const char *name);
int atlas_build_find(AtlasBuilder *builder, const GArray *array, const AtlasText *name,
                     const char *what);

/* Adds to the last error which of `names` (NULL-terminated) was probably meant, else which there
 * are and, where `section` is not NULL, that it can be declared there. */
void atlas_build_suggest(AtlasBuilder *builder, const char *word, const GPtrArray *names,
                         const char *section);

#endif
