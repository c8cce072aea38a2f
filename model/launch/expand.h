/* The last part of the second pass: the items of all stages become nodes. Internal to graph.c,
 * which makes them, and like.c, which knows what a group that is `like` another copies.
 *
 * Names are short here, but for those of functions.
 */
#ifndef ATLAS_MODEL_LAUNCH_EXPAND_H
#define ATLAS_MODEL_LAUNCH_EXPAND_H

#include "model/launch/build.h"

typedef struct {
    AtlasBuilder *b;
    guint *unknowns, *buffers; /* the renaming that holds where items are being expanded */
    GHashTable *populations;   /* key to where it was made */
    GHashTable *twice;         /* set of the AtlasSpecItem* whose keys were reported as taken */
    guint size;                /* of the nodes made, see NODES_MAX */
    gboolean full;             /* there are too many, which was reported */
} Expander;

/* Where items are being expanded. What does not change is copied from place to place inside. */
typedef struct Place Place;
struct Place {
    const Place *outer;
    const AtlasGroup *owner; /* the group whose items are expanded; NULL for a stage or loop */
    const char *path;
    guint stage, stream, thread, depth;
    gboolean is_loop;
    guint slot;            /* of its index */
    AtlasGroup *like;      /* the innermost group around that is `like` another, or NULL */
    const GArray *missing; /* slots of loops around what it copies, but not around it; or NULL */
    gboolean renamed;      /* some `rename` or `counts` holds */
};

/* One change of a renaming. */
typedef struct {
    guint *cell, value;
} Undo;

/* Follows `like` from group to group until one lists its items; their renamings hold from then on,
 * until atlas_expand_undo. NULL if that leads nowhere, which is reported. */
AtlasGroup *atlas_expand_follow(Expander *e, AtlasGroup *group, const Place *outer, GArray *undo);
void atlas_expand_undo(GArray *undo);

/* The loops around a group that are not around a place: NULL, or a new array of slots. */
GArray *atlas_expand_missing(const AtlasGroup *source, const Place *place);

/* A copied item may use the index of a loop around the original; around the copy there must be the
 * same loop. Reports each group that lacks one, once. */
void atlas_expand_check_loops(Expander *e, const AtlasNode *node, const Place *place);

#endif
