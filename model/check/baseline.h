/* Baselines: what was measured once, kept in a file, for later measurements to be compared with.
 *
 * A baseline is YAML that a person can review as a diff:
 *
 *     baseline: 1
 *     runs:
 *       - run: "base"
 *         configuration: "base"
 *         steps: 20-29
 *         source: log
 *         counted: calls                  # where the run says it (provenance.h)
 *         lag: 0
 *         about: {device: "NVIDIA H200", driver: "580.159.04"}
 *         launches:
 *           fwd: 12970  # 1297 a step
 *           bwd: 15170  # 1517 a step
 *
 * `launches` are sums over the steps, so that nothing is rounded; one that is known as an interval
 * only is written LO..HI. A run that knows only its total has the stage `total`. Configurations are
 * written as settings of the spec that lead to them from its base, equal ones alike; read, whatever
 * leads to the same one is the same.
 *
 * How runs are compared:
 *
 * - A run is compared with that of the baseline which has its configuration; where several have it,
 *   with that of its name among them.
 * - Counts of other steps, from another source, of another recipe or counted kind, or of which
 *   anything else that is said (device, driver, versions; provenance.h) differs or is said on one
 *   side only, cannot be compared: inconclusive, with both values. Keys that begin with "note" are
 *   not looked at.
 * - A stage that launches more than the baseline fails. One that launches less passes, and says so,
 *   since only a new baseline holds it there.
 * - A counter that lags can show up to its lag more or less in each stage of a step, and at the
 *   window's two ends in the total. What both counters' lags explain passes; the total is compared,
 *   too, since they explain less of it.
 * - Counts that lost records are lower bounds: more fails, nothing passes. They make no baseline.
 * - What only one side has is inconclusive.
 *
 * Sums are compared, not single steps: those are compared with the model (agree.h), or, where they
 * are a replay's, with the program.
 *
 * Life cycle: atlas_baseline_read / atlas_baseline_free; the source outlives the baseline.
 */
#ifndef ATLAS_MODEL_CHECK_BASELINE_H
#define ATLAS_MODEL_CHECK_BASELINE_H

#include "model/check/result.h"
#include "model/launch/config.h"
#include "model/launch/spec.h"
#include "model/measure/measurement.h"

typedef struct {
    AtlasText run, configuration, recipe, steps, source, counted, lag;
    GArray *about;    /* of AtlasPair; may be NULL */
    GArray *launches; /* of AtlasPair; may be NULL */
} AtlasBaselineRun;

typedef struct {
    AtlasText version;
    GPtrArray *runs; /* of AtlasBaselineRun*; may be NULL */
    AtlasTree tree;  /* owns everything */
} AtlasBaseline;

/* The form of the file, for its JSON Schema. */
extern const AtlasObjectKind atlas_baseline_root;

/* Adds every problem to `diags`, and returns a baseline only if there was none. */
AtlasBaseline *atlas_baseline_read(const AtlasSource *source, AtlasDiags *diags);
void atlas_baseline_free(AtlasBaseline *baseline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasBaseline, atlas_baseline_free)

/* Measurements under a model, whose counters lag by `lag` where they do not say it. */
typedef struct {
    const AtlasMeasurements *measurements;
    const AtlasModel *model;
    AtlasRat lag;
} AtlasMeasured;

/* The text of a baseline, which reads back as what was measured. NULL, with problems added, where
 * something measured makes none: lost records, two runs that nothing tells apart. The caller frees
 * it. */
char *atlas_baseline_write(const AtlasMeasured *measured, AtlasDiags *diags);

/* Adds a check of every stage, and of what cannot be compared; a problem for each configuration of
 * the baseline that the model does not have. */
void atlas_baseline_compare(const AtlasBaseline *baseline, const AtlasMeasured *measured,
                            AtlasResult *result, AtlasDiags *diags);

/* What both need. "base", "no-kda,iters=2": NULL, with problems added, for settings that the model
 * does not have; the caller frees it. */
char *atlas_baseline_configuration(const AtlasModel *model, const AtlasText *settings,
                                   AtlasDiags *diags);

/* "20-29", or "10" where it is not known which 10 steps; the caller frees it. */
char *atlas_baseline_steps(const AtlasRun *run);

/* "12970", or "12970..12974"; what is none is not known. */
AtlasSum atlas_baseline_sum(const char *text);

#endif
