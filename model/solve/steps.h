/* Single steps: what the counts of a log say beyond their sums.
 *
 * At the end of a stage in a step, some launches are enqueued and not yet counted:
 *
 *     F = F0 + what was launched since the window began - what was counted since then
 *
 * with F0 what was left before the window, and 0 <= F <= L at every such boundary (evidence.h has
 * the sums of this). A window of W steps has W of them for each stage, but few of them matter:
 * steps a period apart launch the same, so the boundaries of one stage at one place of the period
 * are
 *
 *     F(q) = F0 + q * A + B - M(q)        q = 0, 1, 2 ...: periods since the window began
 *
 * with A, B the same for all, and 0 <= F(q) <= L for all q exactly if it holds at the corners of
 * the convex hull of the points (q, M(q)). An exact counter's points lie on a line, which has two.
 *
 * Nothing is said of single steps where the model does not either: an unknown that is declared
 * `real` is a mean, and may differ from step to step. Nor where a window would need more than
 * ATLAS_STEPS_ROWS corners, which takes a period of many steps.
 */
#ifndef ATLAS_MODEL_SOLVE_STEPS_H
#define ATLAS_MODEL_SOLVE_STEPS_H

#include "model/launch/walk.h"
#include "model/measure/run.h"

enum { ATLAS_STEPS_ROWS = 1024 };

/* The end of a stage in a step; both since the window began. */
typedef struct {
    AtlasLinear *launched;
    gint64 counted;
} AtlasBoundary;

typedef struct {
    guint places;       /* steps from the window's first on that are not yet like one of them */
    GPtrArray *forms;   /* of AtlasLinear*: for each place the launches of every stage */
    GArray *boundaries; /* of AtlasBoundary: the corners */
    guint stages;
} AtlasLogSteps;

/* Those of a run under its configuration; NULL where nothing is said. */
AtlasLogSteps *atlas_steps_new(const AtlasRun *run, const AtlasConfig *config);
void atlas_steps_free(AtlasLogSteps *steps);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasLogSteps, atlas_steps_free)

/* The launches of a stage in the step at a place. */
static inline const AtlasLinear *atlas_steps_form(const AtlasLogSteps *steps, guint place,
                                                  guint stage) {
    return (const AtlasLinear *)g_ptr_array_index(steps->forms, place) + stage;
}

/* Whether a form has an unknown that may differ from step to step. */
gboolean atlas_steps_vary(const AtlasModel *model, const AtlasLinear *form);

/* The counts of a run's stage, of gint64 from run->log_first on; NULL where it has none. */
const GArray *atlas_steps_counts(const AtlasRun *run, const char *stage);

#endif
