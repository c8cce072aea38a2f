/* Measuring a program by a replay: run on the CPU, then on the GPU once plain and once counted.
 *
 * The plain pass is timed, and kernels count themselves; the counted pass has CUPTI attached, whose
 * presence alone makes calls dearer. Both leave fingerprints. What they show becomes the stages and
 * findings of a measurement:
 *
 *     fingerprint   what the host read, and every buffer at the end, is what the CPU computed
 *     answers       what the driver answered is what the machine answers
 *     counts        calls, submissions, activities, graph nodes of each stage and step
 *     populations   kernels executed of each population, by the kernels' names
 *     smear         how far the kernels' own counter was behind when the host read it
 *     timing        what a launch and a step took the host
 *     stated        what the program states, if it states something (backends/replayed.h)
 *     replay        what this means
 *
 * Where this is a watched process (guard.h) it is ended when the driver or CUPTI hang.
 */
#ifndef ATLAS_BACKENDS_CUDA_MEASURE_H
#define ATLAS_BACKENDS_CUDA_MEASURE_H

#include "backends/replayed.h"

/* What is to be run. */
typedef struct {
    AtlasProgram *program;
    const char *whose;       /* "the model's" or "the given": whose program it is */
    const AtlasModel *model; /* that the program is of; NULL: none */
    const GArray *changes;   /* of AtlasChange, made after the CPU's run; may be NULL */
    AtlasSteps steps;
    guint64 kernel_ns; /* of launches that state no us: */
    guint limit_s; /* seconds that a call may take, apart from kernels' time; 0: as watch.h says */
} CudaMeasured;

/* Fills in a measurement whose run has a name and a window. Returns what the CPU's run did; NULL
 * with an error of `diags` where there is no measurement, and measurements->cannot where that is
 * because of this machine. */
AtlasExecution *cuda_measure(const CudaMeasured *what, AtlasMeasurement *m, AtlasMeasurements *into,
                             AtlasDiags *diags);

/* The steps that are run for a window: those, and warm ones before it. */
AtlasSteps cuda_steps(AtlasWindow window);

#endif
