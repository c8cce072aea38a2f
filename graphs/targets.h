/* Targets: runs of launches between two things that the host waits for or touches. Internal to
 * graphs/.
 *
 * The base's program (lower.h) is read in order. What a graph cannot hold parts it: syncs, host
 * reads and host writes; and, since a target belongs to one stage, so do stage ends. Launches
 * between two of these can be captured together, as far as that goes; whether a capture is legal,
 * and what must change first, is not decided here: facts that the spec states are listed, no more.
 *
 * A target is the iterations of an outermost loop that holds no such thing (one graph, launched
 * once an iteration), or what a stage launches around these loops (a graph for each piece between
 * them). Targets do not overlap, and make up the step.
 */
#ifndef ATLAS_GRAPHS_TARGETS_H
#define ATLAS_GRAPHS_TARGETS_H

#include "graphs/ground.h"

typedef struct {
    guint stage;
    const AtlasNode *loop; /* NULL: around the loops */
    gboolean whole;        /* an iteration of the loop is one graph; else it is parted */
    char *name;            /* "iterations of fwd.main", "opt" */
    gboolean *in;          /* populations */
    AtlasRat graphs;       /* graph launches a step */
    guint kinds;           /* of iterations: how many different graphs they take */
    GPtrArray *fresh;      /* of char*: buffers that are written to new memory */
    GPtrArray *scalars;    /* of char*: arguments that change in every step */
    GPtrArray *parts;      /* of char*: buffers of which each iteration uses another part */
    gint64 every;          /* runs in steps that are multiples of it */
    guint twin;            /* 1 + the target whose items it repeats (`like`); 0: none */
} Target;

typedef struct {
    GPtrArray *list;   /* of Target*, in the order of the step */
    AtlasRat by_stage; /* graph launches a step at least, if a graph ends with its stage */
    AtlasRat by_host;  /* the same if it may go on in the next one (stretch.h) */
    GPtrArray *reads;  /* for each stage of char*: "reads loss", what the host does there */
    gboolean *looped;  /* for each stage: it has a target that is a loop */
} Targets;

/* NULL if the base cannot be written as a program. */
Targets *targets_new(const Ground *ground);
void targets_free(Targets *targets);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(Targets, targets_free)

#endif
