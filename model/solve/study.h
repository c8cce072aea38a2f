/* Predictions: a model, the runs measured so far, and what any configuration will launch.
 *
 * A study is loaded once: the spec, its runs, the equations they give, the point. Then any number
 * of configurations can be asked for.
 *
 * Life cycle: atlas_study_load / atlas_study_free; predictions are freed with
 * atlas_prediction_free. A study belongs to one thread.
 */
#ifndef ATLAS_MODEL_SOLVE_STUDY_H
#define ATLAS_MODEL_SOLVE_STUDY_H

#include "model/solve/lp.h"
#include "model/solve/point.h"

typedef struct {
    AtlasSource *source;
    AtlasModel *model;
    AtlasRuns *runs;
    GPtrArray *sources; /* of AtlasSource*: run tables */
    AtlasEvidence *evidence;
    AtlasRat lag;     /* the stated one, or the one asked for */
    double least_lag; /* of all runs; NAN if no lag explains them */
    AtlasSystem *system;
    AtlasLp *lp;
    gboolean consistent;            /* some values explain all runs at this lag */
    const AtlasObservation *broken; /* a run with a sum that only fractions explain, or NULL */
    guint broken_stage;             /* whose sum that is */
    AtlasPoint *point;              /* NULL if none was found */
} AtlasStudy;

/* Opens a spec by path or name (locate.h), its runs, and `more` runs (of AtlasText, FILE or
 * FILE@CONFIGURATION). `lag` overrides the spec's where it is a number. All problems are added to
 * `diags`. If there was any, the study can only be freed, and must not be before the problems were
 * shown: they refer to its sources. NULL if the spec could not be read at all. */
AtlasStudy *atlas_study_open(const char *spec, const GArray *more, AtlasRat lag, AtlasDiags *diags);

/* The same for a spec that was loaded already; takes the source over. */
AtlasStudy *atlas_study_open_source(AtlasSource *source, const GArray *more, AtlasRat lag,
                                    AtlasDiags *diags);

/* Adds an error if no values explain the runs at the study's lag: nothing can be predicted then. */
void atlas_study_require(const AtlasStudy *study, AtlasDiags *diags);

/* Both. */
AtlasStudy *atlas_study_load(const char *spec, const GArray *more, AtlasRat lag, AtlasDiags *diags);
void atlas_study_free(AtlasStudy *study);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasStudy, atlas_study_free)

/* Launches a step, as means over the predicted steps. Numbers that are not known have den 0. */
typedef struct {
    const char *name;
    AtlasRat launches; /* at the point; unknown if nothing bounds it, or there is no point */
    AtlasInterval bounds;
    AtlasRat delta; /* launches minus those of the base */
    AtlasInterval delta_bounds;
    AtlasRat measured; /* the mean over the runs that have this configuration */
} AtlasPredicted;

typedef struct {
    const AtlasConfig *config;
    AtlasWindow window;
    GArray *stages; /* of AtlasPredicted */
    AtlasPredicted total;
    GArray *populations;  /* of AtlasPredicted; measured and delta are unknown */
    gboolean decided;     /* no launches of a stage are unknown */
    gboolean other_steps; /* measured over other steps than predicted, which launch differently */
} AtlasPrediction;

/* Predicts a configuration over `window`, or over one period where that is NULL. NULL, with errors
 * added, if the spec's expressions make no sense under it. The configuration is borrowed. */
AtlasPrediction *atlas_predict(AtlasStudy *study, const AtlasConfig *config,
                               const AtlasWindow *window, AtlasDiags *diags);
void atlas_prediction_free(AtlasPrediction *prediction);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasPrediction, atlas_prediction_free)

/* The middle of what a known sum can be. */
static inline AtlasRat atlas_sum_middle(const AtlasSum *sum) {
    return atlas_rat_add(atlas_rat(sum->lo), atlas_rat_make(sum->hi - sum->lo, 2));
}

#endif
