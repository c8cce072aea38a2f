/* Nsight Systems' traces, as `nsys export --type sqlite` writes them.
 *
 *     calls       CUPTI_ACTIVITY_KIND_RUNTIME, which holds the driver's calls too
 *     activities  CUPTI_ACTIVITY_KIND_KERNEL, _MEMCPY, _MEMSET; whole graphs from _GRAPH_TRACE
 *     ranges      NVTX_EVENTS of type 59 (push and pop) and 60 (start and end); one without an end
 *                 was open when the recording ended
 *
 * A call whose `returnValue` is not 0 failed: trace->failed counts it, and nothing else.
 *
 * Names are StringIds. Tables are made only for what was recorded, and columns come with versions:
 * what is not there was not recorded, but for columns without which nothing could be said. What is
 * text, or missing, where a number must be makes the file a damaged one. Calls
 * and activities are joined within processes (globalPid, which is globalTid without its last 24
 * bits), whose correlation ids collide.
 *
 * Without --cuda-graph-trace=node a graph is recorded as a whole: trace->whole_graph says so.
 * Where the profiler itself says that it lost events, trace->cut holds its words. About: `device`,
 * `driver` and `recorder`.
 *
 * The file is a file, not a stream and not compressed, and its writer has closed it. Nothing of it
 * or beside it is written, and none of its views or triggers is run.
 */
#ifndef ATLAS_MODEL_MEASURE_NSYS_H
#define ATLAS_MODEL_MEASURE_NSYS_H

#include "model/base/diag.h"
#include "model/measure/trace.h"

/* Whether the first bytes of a file are those of an SQLite database. */
gboolean atlas_nsys_recognise(const char *text, gsize length);

/* Reads a trace into a builder; FALSE, with the problem added, where it is none or damaged. */
gboolean atlas_nsys_read(const char *path, AtlasTraceBuilder *builder, AtlasDiags *diags);

#endif
