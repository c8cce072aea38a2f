/* An execution: what running a program did, filled in by a simulated run and by a real one alike.
 *
 * Counts stand by row and stage as in the flow of the run (flow.h): row 0 is what came before the
 * step, rows 1… are the steps from the first that was performed; stage 0 is what no mark stands
 * before. The four counts are those of measurement.h; a graph's kernels count where the
 * graph was launched. Only calls that succeeded count.
 *
 * Fingerprints are those of the buffers that the host read, at each read, and of what every
 * declared buffer holds on the device at the end.
 *
 * Life cycle: atlas_execution_new, filled in by who runs, atlas_execution_free. It refers to the
 * program, which must outlive it.
 */
#ifndef ATLAS_SIM_EXECUTION_H
#define ATLAS_SIM_EXECUTION_H

#include "model/machine/outcome.h"
#include "model/measure/measurement.h"
#include "sim/binding.h"

/* Which steps are performed, and from which on they are the window that counts. */
typedef struct {
    gint64 first, window, last;
} AtlasSteps;

typedef struct {
    gint64 of[ATLAS_COUNT_KINDS];
} AtlasTally;

/* What a buffer held when the host read it; at the end, `op` is the number of ops and there is no
 * step. */
typedef struct {
    guint op;
    gint64 step;
    const char *buffer;
    guint64 value;
} AtlasSeen;

typedef struct {
    const AtlasProgram *program;
    AtlasSteps steps;
    guint rows;
    GPtrArray *stages;      /* of const char*; the first is "" */
    AtlasTally *tallies;    /* of row and stage: see atlas_execution_at */
    GPtrArray *populations; /* of const char*: of:KEY, else the kernel's name, in order */
    AtlasTally *window;     /* of each population, over the window; no submissions of graphs */
    guint *population_of;   /* of each op that is a launch */
    GArray *reads, *ends;   /* of AtlasSeen */
    AtlasOutcome *outcome;  /* what the calls answered */
    guint cells;            /* of the device that the run used */
    gint64 costed, cost_ns; /* kernels, of all rows, whose launches state what they cost (us:), and
                               what they cost together; of the CPU's run only */
} AtlasExecution;

AtlasExecution *atlas_execution_new(const AtlasFlow *flow, gint64 window);
void atlas_execution_free(AtlasExecution *execution);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasExecution, atlas_execution_free)

static inline AtlasTally *atlas_execution_at(const AtlasExecution *e, guint row, guint stage) {
    return &e->tallies[row * (gsize)e->stages->len + stage];
}

/* Adds to the count of a row and stage. */
static inline void atlas_execution_add(AtlasExecution *e, guint row, guint stage,
                                       AtlasCountKind kind, gint64 n) {
    atlas_execution_at(e, row, stage)->of[kind] += n;
}

/* Adds to the count of the population of a launch op, if the row is one of the window. */
void atlas_execution_add_population(AtlasExecution *e, guint row, guint op, AtlasCountKind kind,
                                    gint64 n);

/* Takes down what the host reads by the host_read at which the flow stands. */
void atlas_execution_read(AtlasExecution *e, const AtlasBinding *binding, const AtlasFlow *flow,
                          const volatile guint64 *host);

/* Takes down what every buffer holds on the device. */
void atlas_execution_end(AtlasExecution *e, const AtlasBinding *binding, const guint64 *device);

/* Over the window: of one stage, of all stages (those before any mark included). */
AtlasTally atlas_execution_stage(const AtlasExecution *e, guint stage);
AtlasTally atlas_execution_total(const AtlasExecution *e);

/* Compares an execution with one of the same host reads and buffers, and perhaps more buffers, which
 * do not count. The number of fingerprints that are equal; where one differs, *first and *other point to the first that does in
 * either, in the order of reads, then ends. (Both NULL where all are equal; one of them where an
 * execution has fewer.) */
guint atlas_execution_compare(const AtlasExecution *e, const AtlasExecution *with,
                              const AtlasSeen **first, const AtlasSeen **other);

#endif
