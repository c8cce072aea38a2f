/* Counting: the launches a program makes, by stage and by population.
 *
 * A launch op counts its repetitions, times those of the loops around it, in each step of the
 * window that is a multiple of its `every`. Only the structure is looked at; nothing is executed,
 * so a step of any size costs its number of ops.
 */
#ifndef ATLAS_SIM_COUNT_H
#define ATLAS_SIM_COUNT_H

#include "model/op/program.h"

/* Launches of one stage or population, summed over the window. */
typedef struct {
    const char *name; /* interned in the program's file */
    gint64 launches;
} AtlasCount;

typedef struct {
    GArray *stages;      /* of AtlasCount, in the order of their first mark */
    GArray *populations; /* of AtlasCount, in the order of their first launch */
    gint64 total;
} AtlasCounts;

/* Counts steps first..last of a program's step. Launches outside any step count once, as those
 * before it; those before any stage mark (in the step: of the step)
 * only in the total. NULL if a sum does not fit 63 bits. */
AtlasCounts *atlas_count(const AtlasProgram *program, gint64 first, gint64 last);
void atlas_counts_free(AtlasCounts *counts);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasCounts, atlas_counts_free)

#endif
