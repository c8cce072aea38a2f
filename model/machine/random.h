/* Programs made by chance, for comparing the simulated driver with a real one.
 *
 * Each program mixes a few themes: one capture with forks and joins, two open captures, host
 * threads, the legacy and per-thread streams, memory nodes, graphs that are launched, updated from
 * each other and destroyed, external events. Most ops make sense where they stand (they use what
 * is there); some are meant to be wrong. Together, some thousand programs reach every rule of the
 * machine and every result of every call that random.txt and deep.txt of ../shared/truth have
 * (tests/unit/test_random.c).
 *
 * A program that CUDA leaves undefined is not made: what the machine answers UNDEFINED to is left
 * out. Results depend on the seed and the index alone, and are the same on every machine.
 */
#ifndef ATLAS_MODEL_MACHINE_RANDOM_H
#define ATLAS_MODEL_MACHINE_RANDOM_H

#include "model/op/program.h"

/* Adds program `index` of the sequence `seed` to a file; it is named "random-SEED-INDEX" and states
 * no results. */
AtlasProgram *atlas_random_program(AtlasProgramFile *file, guint64 seed, guint index);

#endif
