/* What one call of atlas-sim prints: the asked views of a study, as text for people, TSV or JSON.
 *
 * A view is a table with a title above it and remarks below, which only people see. The JSON form
 * has one key for each view beside what the prediction rests on:
 *
 *     {"schema": "atlas-sim/1", "spec", "configuration": {"toggles", "params", "arms"},
 *      "steps": {"first", "last"}, "launch_us", "lag", "least_lag", "point_lag",
 *      "stages": [{"stage", "launches", "lo", "hi", "delta", "delta_lo", "delta_hi", "share",
 *                  "host_ms", "measured"}…],
 *      "total": {…},
 *      "marginals": [{"toggle", "stage", "delta", "lo", "hi", "launches"}…],
 *      "populations": [{"population", "launches", "lo", "hi", "width", "share"}…],
 *      "next_run": {"configuration", "changes", "near", "before", "after", "looked_at"} or null,
 *      "leave_one_out": [{"run", "stage", "predicted", "lo", "hi", "measured", "verdict",
 *                         "least_lag_of_others"}…]}
 *
 * Counts are launches a step; a number that is not known is null. Keys are only ever added.
 *
 * Life cycle: atlas_document_new, views, atlas_document_render, atlas_document_free. Study,
 * prediction and window are borrowed.
 */
#ifndef ATLAS_SIM_DOCUMENT_H
#define ATLAS_SIM_DOCUMENT_H

#include "model/solve/study.h"

typedef struct AtlasDocument AtlasDocument;

/* `launch_us`: host time of one launch, in microseconds. `window` as for atlas_predict. */
AtlasDocument *atlas_document_new(AtlasStudy *study, const AtlasPrediction *prediction,
                                  AtlasRat launch_us, const AtlasWindow *window);
void atlas_document_free(AtlasDocument *document);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasDocument, atlas_document_free)

/* The views, in the order they will be printed. Marginals predict every toggle: FALSE if one of
 * them is not decided; one that makes no sense adds errors to `diags`. */
void atlas_document_add_stages(AtlasDocument *document);
gboolean atlas_document_add_marginals(AtlasDocument *document, AtlasDiags *diags);
void atlas_document_add_populations(AtlasDocument *document);
void atlas_document_add_next_run(AtlasDocument *document);
void atlas_document_add_leave_one_out(AtlasDocument *document);

/* The document in a format: "table" (or NULL), "tsv" (the first view only) or "json". The caller
 * frees it. */
char *atlas_document_render(const AtlasDocument *document, const char *format);

#endif
