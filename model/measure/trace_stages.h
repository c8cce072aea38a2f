/* Stages of a trace: which launches belong to which stage of which step.
 *
 * A launch, of a kernel or a graph, belongs to the stage of the innermost stage range that is open
 * on its own thread when it is called; where none is, to that of the stage range that was opened
 * last in its process and is still open: PyTorch runs the backward pass on a thread without ranges.
 * What runs later on the device does not matter. A range belongs to the step in which it begins.
 *
 * Steps are, the first that there are:
 *
 *     1. ranges ProfilerStep#N, which are numbered; one that begins inside of another is none
 *     2. ranges of one name, but for its numbers ("step 12"), that do not overlap and between them
 *        enclose every stage range, each at least one; there are at least two. Of several such
 *        names it is one that is called step, iter or batch, then one whose numbers only rise,
 *        then that with the most ranges. Numbered where the last number counts up by one
 *     3. what begins with a range of the stage that comes first, whenever another stage was open
 *        since the last one; where there is only one stage, with each of its ranges
 *
 * A range that was open when the recording ended is no step; of 3 the last step is none where a
 * stage was open.
 *
 * Where there is a stage of the rest, it is that of launches that are in no other; then 3 may be all
 * of the trace, where it would be one step or none, and else ends with the last range of its thread.
 *
 * Each process that has stage ranges is attributed by itself; with a stage of the rest, and where
 * none has any, each that launches.
 */
#ifndef ATLAS_MODEL_MEASURE_TRACE_STAGES_H
#define ATLAS_MODEL_MEASURE_TRACE_STAGES_H

#include "model/measure/trace.h"

/* Of one stage in one step. */
typedef struct {
    gint64 calls;          /* that launch a kernel */
    gint64 captured;       /* calls among them made inside a capture, which ran nothing */
    gint64 graph_launches; /* calls */
    gint64 hidden;         /* graph launches of which no kernel was recorded */
    gint64 nodes;          /* kernels that the others ran */
    gint64 kernels;        /* recorded: those that calls of either kind caused */
    gint64 ns;             /* that its ranges last, those inside another one of it left out */
} AtlasStageCount;

/* What names stand for: a number from 0 for each of trace->names, or ATLAS_TRACE_NONE. */
typedef struct {
    const guint32 *ranges;  /* of a range's name */
    const guint32 *kernels; /* of a kernel's, or NULL; needs ATLAS_TRACE_ALL */
    const guint32 *rest;    /* of what has none of both, or NULL */
    guint count;
} AtlasTraceMap;

typedef struct {
    guint16 process;
    guint stages, arms, steps;
    gboolean numbered; /* `first` is the number of the first step, else it is 0 */
    gint64 first;
    char *means;             /* "ranges ProfilerStep#N": what was taken for steps */
    AtlasStageCount *counts; /* of stage s in the i-th step: counts[i * stages + s] */
    gint64 *arm_launches; /* of arm a in stage s of the i-th step: [(i * stages + s) * arms + a] */
    gboolean *seen;       /* by stage: it has a range in one of the steps, or a launch */
    gint64 *step_ns;      /* by step: how long it lasts; NULL where that is not known */
    gboolean *mixed;      /* by stage: a graph's kernels are all of the arm of the first of them */
    gint64 outside;       /* launches of the process in no stage, or in no step */
} AtlasTraceRun;

/* What the device was asked to execute: calls outside captures, and the nodes of graphs that were
 * launched, as far as they were recorded. */
static inline gint64 atlas_stage_launches(const AtlasStageCount *count) {
    return count->calls - count->captured + count->nodes;
}

/* The runs, of AtlasTraceRun*, by process, for the caller to unref; empty where no range is a
 * stage. Of launches that no range has a stage for, the first kernel's name is looked at, and of
 * those that no range has an arm for. `arms` may be NULL; they are found as stages are, and need
 * not lie inside each other. */
GPtrArray *atlas_trace_stages(const AtlasTrace *trace, const AtlasTraceMap *stages,
                              const AtlasTraceMap *arms);

#endif
