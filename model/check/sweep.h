/* Proofs of many configurations: every combination of toggles and of values.
 *
 * An axis is what one setting can be: a toggle that is given or not, a parameter's values. All
 * combinations of all axes are tried, on top of a base that is kept. Combinations that contradict
 * themselves, or switch on an arm by name whose needs are off, and those with an arm that no run
 * has measured (nor the base has on), are skipped and counted. Configurations that lower to the
 * same program, names aside, are proved once.
 *
 * Of each property the verdict is the worst of all configurations. The smallest configuration that
 * fails has the fewest settings (atlas_config_describe); of several, it is the first tried, the
 * first axis turning slowest.
 */
#ifndef ATLAS_MODEL_CHECK_SWEEP_H
#define ATLAS_MODEL_CHECK_SWEEP_H

#include "model/base/progress.h"
#include "model/check/proved.h"
#include "model/launch/config.h"
#include "model/solve/study.h"

/* Combinations that one sweep may have. */
#define ATLAS_SWEEP_MAX 1000000

/* The values of one setting: of AtlasText, in the form of atlas_config_apply; "" for none. Owns the
 * texts. */
typedef struct {
    GArray *values;
} AtlasAxis;

/* The axes of a sweep: of AtlasAxis. The caller frees it by g_array_unref. */
GArray *atlas_axes_new(void);

/* Adds one axis for each toggle of the model. */
void atlas_axes_add_toggles(GArray *axes, const AtlasModel *model);

/* Adds the axis of "iters=1..8", "iters=1,2,4" or "kda=on,off"; an error where the model has no
 * such setting, or a value is out of its range. */
void atlas_axes_add(GArray *axes, const AtlasText *text, const AtlasModel *model,
                    AtlasDiags *diags);

/* One property over all configurations. */
typedef struct {
    AtlasProperty property;
    char *of;               /* as atlas_tell_of; NULL: all of a program */
    guint configurations;   /* that have it */
    guint failing, open;    /* of these */
    AtlasConfig *smallest;  /* of those that fail, or else of those that are open; or NULL */
    guint size;             /* its settings */
    gint64 least, most;     /* of numbers, over all configurations; most -1: without end */
    char *method, *assumes; /* of the first proof */
} AtlasSweepRow;

typedef struct {
    guint combinations, contradictory, unmeasured; /* tried; skipped */
    guint configurations, programs;                /* proved; of these, different */
    GArray *rows;                                  /* of AtlasSweepRow */
    char *over;                                    /* of each program, as its proofs say */
} AtlasSweep;

/* Proves all combinations; `progress` may be NULL. NULL, with an error, where there are too many,
 * or one cannot be lowered, or none is left. */
AtlasSweep *atlas_sweep(const AtlasStudy *study, const AtlasConfig *base, const GArray *axes,
                        const AtlasProveOptions *options, AtlasProgress *progress,
                        AtlasDiags *diags);
void atlas_sweep_free(AtlasSweep *sweep);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasSweep, atlas_sweep_free)

/* Adds one check for each row, and tells people in result->below. */
void atlas_sweep_add(const AtlasSweep *sweep, const char *subject, AtlasResult *result);

#endif
