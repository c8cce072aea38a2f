/* A judgement of a planned program while it is made, and what it blames. Internal to plan_judge.c and
 * plan_blame.c.
 */
#ifndef ATLAS_GRAPHS_PLAN_BLAME_H
#define ATLAS_GRAPHS_PLAN_BLAME_H

#include "graphs/plan_part.h"

typedef struct {
    const PlanTree *tree;
    const GArray *windows;
    const AtlasProgram *planned;
    const GArray *origin;
    const char *given; /* why nothing can be proved; NULL: it can */
    PlanJudged *judged;
    GHashTable *blocked; /* set of AtlasPlanBlock*: those of `judged`, without their texts */
    GHashTable *fresh;   /* buffers whose writes to new memory are blocked already */
    AtlasDiags *diags;
} Judge;

/* The op of the eager program that one of the planned program's is of; G_MAXUINT: none. */
guint judge_origin_of(const Judge *j, guint op);
/* Adds a block, once for an op, property and buffer; takes over why and mend. */
void judge_block(const Judge *j, AtlasPlanBlock one);
/* Not all is proved; the first reason stands. Takes over `why`. */
void judge_leave_open(const Judge *j, char *why);

/* Blames a call of the planned program that fails; `launch`: a graph launch that fails when it is
 * repeated. */
void judge_fails(const Judge *j, guint op, const char *why, gboolean launch);

gboolean judge_has_events(const Judge *j, const AtlasPlanWindow *w);
/* Blames what a window holds that orders what is outside of it: events, and copies that the host
 * waits for; of all windows. */
void judge_block_order(const Judge *j, const AtlasPlanWindow *w, guint property, const char *why);
void judge_block_all_order(const Judge *j, guint property, const char *why);

#endif
