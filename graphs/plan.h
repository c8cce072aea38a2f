/* Capture plans: which launches of a step to put into CUDA graphs, whether that is right, and what
 * it saves.
 *
 * A plan is made of a program with one step. Its windows are runs of ops of one block (the step's,
 * or a loop's body) that nothing parts which a graph cannot hold: a sync, a host read or write, a
 * call that is unsafe while capturing. The planned program captures and instantiates every window
 * before the step, and launches its graph in the window's place. A window inside of a loop whose
 * index it uses takes a graph for each iteration, and the loop is written out; one that is in every
 * iteration the same is one graph that is launched as often. A window may also hold whole loops.
 * Graphs that the program captures before its step and launches in it stay what they are; their
 * launches part windows.
 *
 * Nothing is taken for right that was not proved of the planned program:
 *
 *     legal       every call succeeds, in every interleaving of its host threads (proof/prove.h)
 *     equivalent  it has no race, and every read sees the writer that it sees in the eager program,
 *                 for every number of steps (sim/reads_from.h); where a step ends, the host has
 *                 waited for what it has waited for eagerly (replay_look.h)
 *
 * The eager program is the given one, which must be legal itself, else it is refused, and have no
 * race, else no plan is proved; or that with changes, which must be equivalent to it.
 *
 * An op that breaks one of them inside of a window of its own is left out of all windows, and is
 * listed with the property (E1-E15), the buffer or scalar, the step in which it shows, and what
 * mends it. What mends it is often a change to the program that is a toggle here (AtlasPlanWith):
 * the plan is then one of the changed program, with which it is compared.
 *
 * Of the windows that are right, those are taken whose cost is least: a launch, a copy and whatever
 * else is enqueued costs launch_ns, a graph launch what a table says for its number of nodes, and a
 * graph its capture, instantiation and first launch, once in `over` steps. So many graphs are held,
 * of so many nodes each, as the costs allow; what is too large for a graph by itself is listed.
 * Windows that do the same to the same buffers share a graph; with RENAME those that do the same to
 * others do, too, if the copies that it takes cost less than the graphs, or more graphs may not be
 * held. The choice is exact where nothing is alike. Where graphs may be shared it is searched
 * (plan_share.c), and `gap_ns` says what another one could save more, at most: 0 where it is exact.
 * What a copy takes on the device nobody can say, since programs do not know how large a buffer is.
 * A shared graph's kernels count as the population that it was captured from.
 *
 * Times and counts of a plan are means of a step over a period (atlas_flow_period), counts as sums
 * over it; those of a window are of a step in which its ops are performed.
 *
 * Life cycle: atlas_plan_make / atlas_plan_free; programs in it belong to the file.
 */
#ifndef ATLAS_GRAPHS_PLAN_H
#define ATLAS_GRAPHS_PLAN_H

#include "model/base/rational.h"
#include "sim/clock.h"

/* What the user's program is changed to do first, and how far windows reach; bits:
 *
 *     IN_PLACE        what is written to new memory is written in place
 *     DEVICE_SCALARS  scalars that change in each step are in device memory; the host sets them
 *     CAPTURE_STREAM  work of the legacy stream is captured on a stream of its own
 *     ITERATIONS      windows only inside of loops
 *     ACROSS_STAGES   windows may go on from one stage to the next
 *     RENAME          one graph may serve windows that are alike up to their buffers, with copies
 */
typedef enum {
    ATLAS_WITH_IN_PLACE = 1 << 0,
    ATLAS_WITH_DEVICE_SCALARS = 1 << 1,
    ATLAS_WITH_CAPTURE_STREAM = 1 << 2,
    ATLAS_WITH_ITERATIONS = 1 << 3,
    ATLAS_WITH_ACROSS_STAGES = 1 << 4,
    ATLAS_WITH_RENAME = 1 << 5,
    ATLAS_WITHS = 6 /* how many there are */
} AtlasPlanWith;

typedef struct {
    const char *name; /* as the command line has it */
    AtlasPlanWith bit;
} AtlasPlanWithRow;
extern const AtlasPlanWithRow atlas_plan_withs[ATLAS_WITHS];

/* The most that `most_graphs` may be: the choice takes time and memory that grow with it. */
#define ATLAS_PLAN_GRAPHS_MAX 1000

typedef struct {
    AtlasClockCosts clock;    /* of a step; host nanoseconds of a launch, a graph launch */
    gint64 graph_ns, node_ns; /* capture, instantiation and first launch: a graph, a node */
    gint64 over;              /* steps that a graph is used for */
    gint64 most_nodes;        /* of a graph; 0: any number */
    gint64 most_graphs;       /* that are held, at most ATLAS_PLAN_GRAPHS_MAX; 0: any number */
    const char *source;
} AtlasPlanCosts;

/* Of one H200 (driver 580, CUDA 13.0), at 24 us a launch, over 1,000 steps. */
AtlasPlanCosts atlas_plan_costs(void);
/* Sets what a launch costs, in microseconds; an error where these are no whole nanoseconds above 0, or
 * more than a second: a plan counts in nanoseconds. */
void atlas_plan_costs_launch(AtlasPlanCosts *costs, AtlasRat us, AtlasDiags *diags);

/* A place that a window works on: a buffer, or (not `whole`) a part of it that a loop's index says.
 * Where the window's graph works on a place of its own in its stead, it is `copied` there before a
 * launch if the window reads it before it writes it (`in`), and back behind if it writes it
 * (`out`). */
typedef struct {
    AtlasAccess access;
    gboolean whole, in, out, copied;
    gint64 parts; /* of the place */
} AtlasPlanSlot;

typedef struct {
    guint first, last; /* ops of `eager` */
    guint number;      /* from 1, in the order of the step */
    char *name;        /* "fwd.main", "opt" */
    const char *stage;
    gint64 times;    /* graph launches in a step in which there are any */
    gint64 every;    /* ... which are its multiples */
    gint64 nodes;    /* of each graph */
    gint64 launches; /* kernels that the graphs of such a step hold */
    gint64 graphs;   /* different ones that are instantiated for it; 0: it launches another's */
    guint of;        /* the window, counted from 0, whose graph it launches; else itself */
    GArray *slots;   /* of AtlasPlanSlot, where some are copied; NULL: none are */
    gint64 copies;   /* in such a step */
    gint64 saved_ns; /* host time a step, in the mean of all steps, instantiation counted */
    gint64 wall_ns;  /* by which the planned step is shorter than without the window */
    gboolean wall_known;
} AtlasPlanWindow;

/* Stands for a property: it has more nodes than a graph may have. */
#define ATLAS_PLAN_TOO_LARGE 100

/* An op that cannot be in a window as it is. */
typedef struct {
    guint op;           /* of `eager` */
    guint property;     /* 1-15: E1-E15; 0: legality; or the above */
    const char *buffer; /* or scalar; NULL: none */
    gint64 step;        /* in which it shows; -1: before the first */
    char *why, *mend;
    AtlasPlanWith with; /* what mends it, or 0 */
} AtlasPlanBlock;

/* How long a step takes (sim/clock.h), eagerly and planned; the latter without what is done once for
 * each graph. */
typedef struct {
    const char *why; /* it cannot be told; NULL: it can */
    AtlasClockTime eager, planned;
    gint64 once_ns; /* of capture, instantiation and first launch, a step */
} AtlasPlanWall;

/* Whether these times are only bounds from below, since something does not say what it takes. */
gboolean atlas_plan_wall_is_bound(const AtlasPlanWall *wall);

typedef struct {
    AtlasProgramFile *file; /* borrowed */
    const AtlasProgram *given, *eager, *planned;
    GArray *origin; /* of guint: by op of `planned`, that of `eager` which it is made of; G_MAXUINT:
                       of none */
    guint with;
    AtlasPlanCosts costs;
    GArray *windows;                         /* of AtlasPlanWindow */
    GArray *blocks;                          /* of AtlasPlanBlock, by op */
    gint64 period;                           /* steps that are performed alike */
    gint64 launches;                         /* over a period, eagerly */
    gint64 captured, graph_launches, copies; /* ... of them in graphs; as planned */
    gint64 given_graphs;  /* ... launches of graphs that the program brings itself */
    gint64 graphs, nodes; /* that are held */
    gint64 base_ns;       /* host time a step of what is enqueued eagerly, other than graphs */
    gint64 saved_ns;      /* ... of which the plan saves so much, instantiation counted */
    gint64 gap_ns;        /* another choice of windows could save so much more, at most */
    AtlasPlanWall wall;
    gboolean proved;     /* the planned program is legal and equivalent */
    char *proof;         /* what was proved, how; or why it is open */
    const char *assumed; /* what the program itself leaves out, so that nothing is proved of what it
                            stands for: NULL, or said by atlas_plan_assume */
} AtlasPlan;

/* What the four counts (measurement.h) of a stage are over one period of the plan's eager program
 * (atlas_flow_period), by the ops that windows hold and those that they do not. */
typedef struct {
    const char *stage; /* "": before any mark of the step */
    gint64 eager;      /* submissions, without the plan */
    gint64 calls, submissions, activities, graph_nodes;
} AtlasPlanPromise;

/* Of AtlasPlanPromise, in the order of the stages; the caller owns it. */
GArray *atlas_plan_promises(const AtlasPlan *plan);

/* Plans a program of `file`, to which the changed and the planned one are added. NULL with errors
 * where it cannot be planned: it has no step, captures in it, cannot be executed, has a call that
 * fails; or the changed program does something else, or races where the given one does not. */
AtlasPlan *atlas_plan_make(AtlasProgramFile *file, const AtlasProgram *program, guint with,
                           const AtlasPlanCosts *costs, AtlasDiags *diags);
/* Says that the program is not all that it stands for (a trace does not tell what its kernels read
 * and write), and what is taken for granted of it, so that the plan is not proved. */
void atlas_plan_assume(AtlasPlan *plan, const char *assumed);
void atlas_plan_free(AtlasPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasPlan, atlas_plan_free)

#endif
