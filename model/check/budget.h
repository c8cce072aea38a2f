/* Budgets: the most launches a step that a stage, or the total, may make.
 *
 * A budget is judged by what was measured, where there is a measurement, else by the bounds of the
 * prediction: it passes if no solution exceeds it, fails if every one does, and is inconclusive in
 * between. A measured mean is exact or an interval; a lagging counter's reading can differ from the
 * launches by its lag, and only what no lag explains counts. Where some stages of the model were
 * not measured, the others are a lower bound of the total: too many is too many all the same, and
 * nothing passes. So are counts that lost records, or are only of what runs inside graphs.
 */
#ifndef ATLAS_MODEL_CHECK_BUDGET_H
#define ATLAS_MODEL_CHECK_BUDGET_H

#include "model/check/result.h"
#include "model/measure/measurement.h"
#include "model/solve/study.h"

typedef struct {
    const char *stage; /* or "total" */
    AtlasRat most;     /* launches a step */
    AtlasSpan at;      /* where it was stated */
} AtlasBudget;

/* Parses "fwd=9100,total=21500" and appends the budgets; their names are interned with
 * g_intern_string. Adds problems at their places, a stage that the model does not have among
 * them. */
void atlas_budgets_parse(const AtlasText *text, const AtlasModel *model, GArray *budgets,
                         AtlasDiags *diags);

/* Judges a measurement of the model's step; `lag` is its counter's. A stage that was not measured
 * is inconclusive. */
void atlas_budget_measured(const AtlasBudget *budget, const AtlasModel *model,
                           const AtlasMeasurement *measurement, AtlasRat lag, AtlasResult *result);

/* Judges a prediction, named `subject`. */
void atlas_budget_predicted(const AtlasBudget *budget, const AtlasPrediction *prediction,
                            const char *subject, AtlasResult *result);

#endif
