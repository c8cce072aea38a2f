/* The linear system that evidence makes: what the unknowns, and the flows of every run, must obey.
 *
 * Columns: first the model's unknowns, then what runs add: the sum flowing into the first stage of
 * a run, one more wherever a stage was not measured, and one for each sum that is known as an
 * interval only. All columns are >= 0 or have a bound below that is.
 * Rows: lo <= sum of coef * column <= hi. Flows behind a measured stage need no column: they are
 * what flowed in plus the launches since then minus what was counted since then, so each measured
 * stage is one row "0 <= that <= W * lag", and each run one more for its two ends. A log has a
 * column for what had not been counted before its window, and a row "0 <= that <= lag" for each
 * boundary of its single steps (steps.h).
 *
 * Every bound is a + b * lag, so that one system serves any lag, and the least one can be solved
 * for; of a run that states its own counter's lag (provenance.h), b is 0. Coefficients are whole
 * numbers (rows are multiplied out), bounds exact.
 */
#ifndef ATLAS_MODEL_SOLVE_SYSTEM_H
#define ATLAS_MODEL_SOLVE_SYSTEM_H

#include "model/solve/evidence.h"

/* a + b * lag */
typedef struct {
    AtlasRat fixed, per_lag;
} AtlasAffine;

typedef struct {
    guint column;
    gint64 coef;
} AtlasTerm;

typedef struct {
    guint first, count; /* terms */
    AtlasAffine lo, hi;
    guint observation; /* which run of the evidence it came from */
    gboolean flow;     /* the sum is what flows out of a measured stage */
} AtlasRow;

typedef struct {
    AtlasAffine lo, hi;
    gboolean bounded; /* hi counts */
    gboolean whole;   /* an unknown that is a whole number */
} AtlasColumn;

typedef struct {
    guint unknowns; /* the first columns */
    GArray *columns, *rows, *terms;
} AtlasSystem;

/* The system of all observations that are not excluded; `without` (or -1) leaves one out. NULL if
 * a coefficient does not fit 64 bits. */
AtlasSystem *atlas_system_new(const AtlasEvidence *evidence, int without);
void atlas_system_free(AtlasSystem *system);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasSystem, atlas_system_free)

#define ATLAS_COLUMN(system, i) (&g_array_index((system)->columns, AtlasColumn, i))
#define ATLAS_ROW(system, i) (&g_array_index((system)->rows, AtlasRow, i))
#define ATLAS_TERM(system, i) (&g_array_index((system)->terms, AtlasTerm, i))

static inline AtlasRat atlas_affine_at(AtlasAffine a, AtlasRat lag) {
    return atlas_rat_add(a.fixed, atlas_rat_mul(a.per_lag, lag));
}

#endif
