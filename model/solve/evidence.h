/* Evidence: measured runs, each with the equations it gives.
 *
 * One notion of consistency serves everything. In a window of W steps, with T(s) the launches of
 * stage s summed over the window and m(s) what the counter showed,
 *
 *     m(s) = T(s) + F(s - 1) - F(s)
 *
 * where F(s) sums, over the window's steps, how many launches were enqueued and not yet counted
 * when stage s ended. What lags out of a stage arrives in the next one; what lags out of the last
 * stage arrives in the first one of the next step, so that the sum flowing into the first stage
 * differs from the one flowing out of the last only by the window's two ends. With L the counter's
 * greatest lag: 0 <= F(s) <= W * L, and the ends differ by at most L. L = 0 is an exact counter.
 *
 * T(s) is linear in the model's unknowns (walk.h). A stage that a run did not measure gives no
 * equation, but flows go through it; a run that knows its total only gives one equation.
 *
 * Sums, not means, are compared, so all coefficients are as whole as the spec's are. Of a log, the
 * same is known of every single step (steps.h).
 */
#ifndef ATLAS_MODEL_SOLVE_EVIDENCE_H
#define ATLAS_MODEL_SOLVE_EVIDENCE_H

#include "model/solve/steps.h"

/* One run under the model. */
typedef struct {
    const AtlasRun *run; /* NULL for one that was made up (atlas_evidence_suppose) */
    AtlasConfig *config;
    char *excluded;        /* why nothing is solved by it ("another recipe: ..."), or NULL */
    gint64 steps;          /* W */
    GArray *guards;        /* counts that must not be negative (walk.h); NULL: another recipe */
    AtlasLinear *stages;   /* T: one form for each stage of the model; NULL: another recipe */
    AtlasSum *sums;        /* m: the same order */
    AtlasSum total;        /* the sum over all stages, where the run states it itself */
    AtlasLogSteps *single; /* NULL: its single steps say no more than their sums */
    gboolean by_steps;     /* those count */
} AtlasObservation;

typedef struct {
    const AtlasModel *model;
    GPtrArray *observations; /* of AtlasObservation*, in the order they were added */
} AtlasEvidence;

AtlasEvidence *atlas_evidence_new(const AtlasModel *model);
void atlas_evidence_free(AtlasEvidence *evidence);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasEvidence, atlas_evidence_free)

/* The most launches that a run may count in a window: more cannot be told apart in a double. */
#define ATLAS_EVIDENCE_MOST G_GINT64_CONSTANT(1000000000000)

/* Adds a run, which is borrowed. Reports a configuration that cannot be, a stage that the model does
 * not have, or a log does not, counts that are too large to be solved with, and a window that must
 * be named because something runs only every few steps. A run with another recipe than the spec's
 * is added as excluded, and so is one that lost records or counted only what runs inside graphs.
 * Returns whether there was no problem. */
gboolean atlas_evidence_add(AtlasEvidence *evidence, const AtlasRun *run, AtlasDiags *diags);

/* Adds what an exact counter would have shown of a configuration over first..last at given
 * unknowns. FALSE if the configuration makes no sense (walk.h) or the counts are not whole. */
gboolean atlas_evidence_suppose(AtlasEvidence *evidence, const AtlasConfig *config, gint64 first,
                                gint64 last, const AtlasRat *unknowns);
void atlas_evidence_drop_last(AtlasEvidence *evidence);

static inline AtlasObservation *atlas_evidence_get(const AtlasEvidence *evidence, guint i) {
    return g_ptr_array_index(evidence->observations, i);
}

#endif
