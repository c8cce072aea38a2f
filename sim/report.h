/* What atlas-sim prints, as tables (model/base/table.h) that serve people and programs alike. */
#ifndef ATLAS_SIM_REPORT_H
#define ATLAS_SIM_REPORT_H

#include "model/base/cli.h"
#include "model/base/table.h"
#include "model/solve/leave.h"
#include "model/solve/next.h"
#include "model/solve/study.h"

/* Host time of one launch in microseconds, where none is given: the study's price. */
enum { ATLAS_LAUNCH_US = 24 };

/* Reads the value of --launch-us, up to a second, so that milliseconds fit; NULL: leaves it. */
void atlas_launch_us(AtlasCli *cli, const char *value, AtlasRat *launch_us);

/* Stage by stage, the total last: launches, bounds, difference from the base, share, host time at
 * `launch_us` microseconds a launch, and what was measured. */
AtlasTable *atlas_report_stages(const AtlasPrediction *prediction, AtlasRat launch_us);

/* Population by population: launches, bounds, the width of these, and share of the total. */
AtlasTable *atlas_report_populations(const AtlasPrediction *prediction);

/* Every toggle against the base: what it changes in each stage, and of the total. `predictions`
 * (of AtlasPrediction*) stand in the order of the model's toggles; NULL where one makes no sense.
 * `columns` come from atlas_report_marginal_columns, since they name the model's stages; the table
 * borrows them, and the caller frees them with g_free. */
AtlasTableColumn *atlas_report_marginal_columns(const AtlasModel *model);
AtlasTable *atlas_report_marginals(const AtlasModel *model, const GPtrArray *predictions,
                                   const AtlasTableColumn *columns);

/* The same for programs: one row for each toggle and stage, the total last, with the bounds of the
 * difference. */
AtlasTable *atlas_report_marginal_rows(const AtlasModel *model, const GPtrArray *predictions);

/* Every run against what the others predict of it, stage by stage. */
AtlasTable *atlas_report_leave_one_out(const AtlasStudy *study);

#endif
