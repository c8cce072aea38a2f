/* Measurements from traces, whoever recorded them: for kineto.c and nsys.c.
 *
 * A trace is one run for each process that has stages; its stages and steps are those of
 * trace_stages.h. A range is a stage where --stage-map says so, else where its name is that of a
 * stage of the model, alone or behind "stage:". All steps of the trace count unless --steps names
 * some, since people record warm ones.
 *
 * What is compared is calls where no graph was launched and nothing captured, else activities:
 * calls outside captures, and the nodes of the graphs that were launched. A call counts as captured
 * where no kernel of it was recorded and a capture is open in its process.
 *
 * Calls that were not recorded are unknown, not 0: of a trace without any, no stage is. Arms that
 * --arm-map names are counted beside the stages (AtlasArmCount).
 *
 * Findings say what else the trace has, and what it has not: a trace that is cut, activities whose
 * call is missing though it was made while the profiler recorded, graphs whose nodes were not
 * recorded. Each makes counts lower bounds, which pass nothing.
 */
#ifndef ATLAS_BACKENDS_TRACED_H
#define ATLAS_BACKENDS_TRACED_H

#include "backends/backend.h"
#include "model/measure/trace.h"

/* Reads one file into a builder; FALSE, with the problem added. */
typedef gboolean (*TracedRead)(const char *path, AtlasTraceBuilder *builder, AtlasDiags *diags);

/* Does what a backend's measure does, for files that `read` reads. */
gboolean traced_measure(const AtlasAsk *ask, const char *source, TracedRead read,
                        AtlasMeasurements *into, AtlasDiags *diags);

#endif
