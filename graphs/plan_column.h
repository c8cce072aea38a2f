/* A column of a plan's picture: one stage, or several that a window goes across, as rows of equal
 * height, and what holds them together. Internal to plan_dot.c and plan_column.c.
 */
#ifndef ATLAS_GRAPHS_PLAN_COLUMN_H
#define ATLAS_GRAPHS_PLAN_COLUMN_H

#include "graphs/plan_dot.h"
#include "graphs/plan_part.h"

/* Rows; what opens a cluster, and what closes the last one that was opened. */
typedef enum {
    DOT_ITEM_WORK,       /* launches and the like */
    DOT_ITEM_CHANGED,    /* ... that were changed first */
    DOT_ITEM_OUT,        /* ... that no graph may hold */
    DOT_ITEM_HOST,       /* what the host does between windows */
    DOT_ITEM_LOOP,       /* how often what follows is repeated */
    DOT_ITEM_GRAPH,      /* a window's name and saving */
    DOT_ITEM_GRAPH_MORE, /* ... and its launches */
    DOT_ITEM_ROWS,       /* how many kinds of rows there are */
    DOT_ITEM_OPEN_WINDOW = DOT_ITEM_ROWS,
    DOT_ITEM_OPEN_LOOP,
    DOT_ITEM_CLOSE
} DotItemKind;

typedef struct {
    DotItemKind kind;
    char *name, *value; /* of a row: what stands left and right; else NULL */
} DotItem;

/* Of DotItem, for ops from..to - 1 of the step, with what dot_notes found of them; the caller owns
 * it. */
GArray *dot_column(const AtlasPlan *plan, const PlanTree *tree, GArray *notes, guint from,
                   guint to);

/* Characters of the widest row. */
gsize dot_column_width(const GArray *items);

#endif
