/* Traces for tests, as text. */
#ifndef ATLAS_TESTS_UNIT_TRACE_KIT_H
#define ATLAS_TESTS_UNIT_TRACE_KIT_H

#include "model/base/diag.h"
#include "model/measure/trace.h"

/* Events of Kineto's, with times in microseconds: EVENT("cuda_runtime", "cudaLaunchKernel", 1, 10,
 * 2, "\"correlation\": 7") is a call of thread 1 from 10 to 12. */
#define EVENT(cat, name, tid, ts, dur, args)                                                       \
    "{\"ph\": \"X\", \"cat\": \"" cat "\", \"name\": \"" name "\", \"pid\": 9, \"tid\": " #tid     \
    ", \"ts\": " #ts ", \"dur\": " #dur ", \"args\": {" args "}}"
#define CORRELATION(id) "\"External id\": 1, \"correlation\": " #id
#define LAUNCH(tid, ts, id) EVENT("cuda_runtime", "cudaLaunchKernel", tid, ts, 1, CORRELATION(id))
#define CALL(name, tid, ts, id) EVENT("cuda_runtime", name, tid, ts, 1, CORRELATION(id))
#define KERNEL(name, ts, id) EVENT("kernel", name, 7, ts, 1, CORRELATION(id))
#define RANGE(name, tid, ts, dur) EVENT("user_annotation", name, tid, ts, dur, "")

/* A trace of these events, which commas part. */
#define TRACE(events) "{\"schemaVersion\": 1, \"traceEvents\": [" events "]}"

/* What came of reading one: `trace` is NULL where `errors` is not "". */
typedef struct {
    AtlasTrace *trace;
    char *errors;
} TraceRead;

TraceRead trace_read_text(const char *text, gsize length, AtlasTraceWants wants);
TraceRead trace_read_file(const char *path, AtlasTraceWants wants); /* of Kineto's, or nsys's */
void trace_read_clear(TraceRead *read);

/* "calls 4 graphs 1 copies 0 memsets 0 kernels 5 nodes 3 orphans 1 uncaused 0 steps 2", and
 * "lost N", "doubled N", "failed N", "open N", "cut" and "whole graphs" where that is so. The caller frees it. */
char *trace_totals(const AtlasTrace *trace);

#endif
