/* Kineto's traces: the JSON that PyTorch's profiler writes, compressed with gzip or not.
 *
 * Both forms of Chrome's trace format are read, an object with `traceEvents` or the array alone,
 * and what Kineto made of it in its versions:
 *
 *     calls       cat cuda_runtime, cuda_driver, hip_runtime..., Runtime
 *     activities  cat kernel, gpu_memcpy, gpu_memset, Kernel, Memcpy, Memset
 *     ranges      cat user_annotation; of cpu_op and Operator ProfilerStep#N, and what the builder
 *                 asks for; not gpu_user_annotation, which is when the device got there
 *
 * Categories are compared without case. Only complete events ("ph": "X") count; all others, flows
 * among them, are read over, but halves of calls, activities and ranges ("B", "E") make the trace
 * an incomplete one. Calls and activities are joined by args.correlation alone, since
 * activities do not say their process. Processes, threads, times and ids may be numbers or strings.
 * Names may be of any length up to 16 MiB, and hold quotes that are not escaped (scan.h). What
 * stands before or behind the events is read for `device`, `cuda-driver`, `cuda-runtime`, `cupti`,
 * `hip-driver`, `hip-runtime` and `rank` of trace->about.
 *
 * A trace that ends before its list of events does is incomplete: trace->cut says where. A missing
 * brace behind the list is none of that. Anything behind the trace's last bracket is an error. Text that is no such trace, damaged or nested deeper than
 * 256 is an error at its line and column; so is a file of more than 65,535 threads. So are times
 * that trace.h has no room for, of the file.
 *
 * One core reads it as fast as gunzip decompresses it, or nearly so (tests/bench/trace.c).
 */
#ifndef ATLAS_MODEL_MEASURE_KINETO_H
#define ATLAS_MODEL_MEASURE_KINETO_H

#include "model/measure/file.h"
#include "model/measure/trace.h"

/* Whether a text, or the first bytes of one, begins like such a trace. */
gboolean atlas_kineto_recognise(const char *text, gsize length);

/* Reads a trace into a builder; FALSE, with the problem added, where it is none or damaged. */
gboolean atlas_kineto_read(AtlasFile *file, AtlasTraceBuilder *builder, AtlasDiags *diags);

#endif
