/* What backends share that run the model's own program: the program, and how what ran compares with
 * what the CPU computed.
 */
#ifndef ATLAS_BACKENDS_REPLAYED_H
#define ATLAS_BACKENDS_REPLAYED_H

#include "backends/backend.h"
#include "sim/execution.h"

/* The program of the configuration that is asked for, or NULL with an error. */
AtlasProgram *replayed_program(const AtlasAsk *ask, AtlasProgramFile *file, AtlasDiags *diags);

/* Applies changes to the counts of launch ops; an error where a population launches nothing, or
 * where a count becomes one that no program may hold. `model` is that of the program, or NULL. */
gboolean replayed_change(AtlasProgram *program, const AtlasModel *model, const GArray *changes,
                         AtlasDiags *diags);

/* The window: what is asked for, else the warm steps of a run of thirty. */
enum { REPLAYED_WARM = 20, REPLAYED_STEPS = 10 };
AtlasWindow replayed_window(const AtlasAsk *ask);

/* Adds a run of the configuration, with nothing counted yet. */
AtlasRun *replayed_run(const AtlasAsk *ask, AtlasMeasurements *into);

/* One pass of a real run. */
typedef struct {
    const char *name; /* "with CUPTI" */
    const AtlasExecution *run;
} ReplayedPass;

/* Adds findings: whether each pass left the fingerprints, and its calls the answers, that the CPU's
 * run did. */
void replayed_fingerprints(AtlasMeasurement *m, const AtlasExecution *expected,
                           const ReplayedPass *passes, guint count);
void replayed_answers(AtlasMeasurement *m, const AtlasExecution *expected,
                      const AtlasExecution *got);

/* Adds a finding where the program states something: whether its results, and its number of
 * executed kernels, are so. A statement is of the steps from 0 on until all `every:` meet
 * (stated.h). A run of just these steps, or of a program without a step, answers for it itself;
 * where other steps were run, the machine does, which performs those that are meant (that the
 * driver answers as the machine is a finding of its own). */
void replayed_stated(AtlasMeasurement *m, const AtlasProgram *program, AtlasSteps steps,
                     const AtlasOutcome *got);

/* Adds findings: whether all four counts of every step and stage, and the kernels of every
 * population, are those of the CPU's run. What is less is open where records were lost. */
void replayed_counts(AtlasMeasurement *m, const AtlasExecution *expected,
                     const AtlasExecution *got);
void replayed_populations(AtlasMeasurement *m, const AtlasExecution *expected,
                          const AtlasExecution *got);

/* Fills in a run's stages (counts of kernels that the device executed) and the measurement's sums.
 * A stage that stands before any mark is named "unmarked" where something was counted there. */
void replayed_stages(AtlasMeasurement *m, AtlasRuns *runs, const AtlasExecution *got);

/* What the stages of replayed_stages should show: the caller frees it. */
gint64 *replayed_expected(const AtlasMeasurement *m, const AtlasExecution *expected);

#endif
