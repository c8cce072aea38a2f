/* The roadmap of a configuration: what could be captured, what each part would save, what has to
 * change first, and what a toggle would save instead.
 *
 * Targets are those of targets.h: what no sync, host read or host write parts. A group and its copy
 * (`like`) are one target. Of a target that is in a loop, the part that one arm of the
 * configuration switches off is listed below it, where it is not all of it. Levers are toggles that
 * launch less and state what else they change. Launches are those of one solution in whole numbers,
 * with the bounds that no solution leaves; "first" is what the proof of a plan without any change
 * found in the way (AtlasPlanBlock).
 *
 * Prices are the plan's: a target saves what the windows of least cost save (plan.h) if they may hold
 * it and nothing else, as if everything were right; iterations if windows stay inside of loops. A
 * part's saving is its share of its target's, by launches; a lever's is what its launches cost.
 */
#ifndef ATLAS_GRAPHS_PLAN_ROADMAP_H
#define ATLAS_GRAPHS_PLAN_ROADMAP_H

#include "graphs/plan.h"
#include "model/solve/study.h"

typedef enum { ATLAS_ROAD_TARGET, ATLAS_ROAD_PART, ATLAS_ROAD_LEVER } AtlasRoadKind;

typedef struct {
    AtlasRoadKind kind;
    guint of;   /* a part: the row that it is part of */
    char *name; /* "iterations of fwd.main and fwd.teacher", "kda in them" */
    AtlasRat launches, graphs, saved_ms; /* graph launches */
    AtlasInterval bounds;
    guint needs;         /* changes (AtlasPlanWith) that must come first */
    gboolean blocked;    /* something is in the way that no change here mends */
    const char *changes; /* a lever: what else it changes */
    gboolean *in;        /* populations; NULL of a lever */
} AtlasRoad;

typedef struct {
    const char *name;
    AtlasRat launches, graphs, saved_ms;
    AtlasInterval bounds;
} AtlasCeiling;

typedef struct {
    GArray *roads;            /* of AtlasRoad: by launches, parts behind what they are part of */
    AtlasCeiling ceilings[2]; /* iterations of loops; everything that the host does not part */
    AtlasRat total;           /* launches of the step */
} AtlasRoadmap;

/* `bare` is the plan of the configuration without changes, of the point's program; its costs are the
 * prices. NULL with errors where the configuration makes no sense. The study must have a point. */
AtlasRoadmap *atlas_roadmap_make(AtlasStudy *study, const AtlasConfig *config,
                                 const AtlasPlan *bare, AtlasDiags *diags);
void atlas_roadmap_free(AtlasRoadmap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasRoadmap, atlas_roadmap_free)

#endif
