/* Surveys: what a recording says of a program that nothing else is known of.
 *
 * A survey is made of a trace (trace_parts.h) or a log (survey_log.h), without a spec.
 * It finds the steps, the stages in them, and counts. What the recording does not tell is unknown,
 * never 0: a log knows launches only, a trace without calls not even these. Nothing is estimated.
 *
 * Everything but `totals` is of the steps alone: what stands between them, before or behind is not
 * part of any. Of a trace of several processes, the steps are those of the one with most launches;
 * launches of the others are counted in `elsewhere`.
 *
 * Stage of a call: the innermost stage range of its own thread, else the stage range that was
 * opened last in its process, else none: "outside", which is the last stage of the list, with
 * the name NULL. What a graph runs is of the stage that launches it.
 *
 * Times, of a trace. Every moment of a step is one of these:
 *
 *     busy     at least one activity (kernel, copy, memset, graph) runs on some stream
 *     starved  none does; the next one was launched by a call that began after the last one had
 *              ended, so that the GPU had no work at all; and no thread of the host is inside of
 *              a call that waits. Time that no activity follows any more is the same.
 *     waiting  the same, but a thread of the host is inside of a call that waits (a sync, a
 *              blocking copy), which had nothing left to wait for
 *     queued   none runs, but the next one's call began before the last one had ended: the work was
 *              there, the device took its time
 *     untold   none runs, and the next one's call was not recorded
 *
 * A step is launch-bound as far as it is starved. Starved time is also told by the stage of the
 * call that ends it. A profiler makes the host slower, so that all of this is what happened while
 * it was on.
 *
 * A host read is a copy to the host that the host waits for: by a blocking call, a copy to
 * pageable memory, or a sync that is the next call of the same thread, which is part of it.
 *
 * Life cycle: atlas_survey_new by a reader, atlas_survey_free. Strings belong to the survey.
 */
#ifndef ATLAS_MODEL_MEASURE_SURVEY_H
#define ATLAS_MODEL_MEASURE_SURVEY_H

#include "model/measure/trace.h"

/* How the steps were told apart. */
typedef enum {
    ATLAS_STEPS_PROFILER, /* ranges named ProfilerStep#N */
    ATLAS_STEPS_NUMBERED, /* ranges whose names differ in numbers only */
    ATLAS_STEPS_OUTER,    /* an outermost range that repeats, with nothing between */
    ATLAS_STEPS_FIRST,    /* the first stage's return */
    ATLAS_STEPS_ASKED,    /* ranges that the user named */
    ATLAS_STEPS_STATED,   /* the recording numbers them */
    ATLAS_STEPS_NONE      /* nothing repeats: all of it is one */
} AtlasStepsBy;

/* What is counted of a stage in each step. */
typedef enum {
    ATLAS_TALLY_LAUNCHES, /* calls that launch one kernel, those made while capturing included */
    ATLAS_TALLY_GRAPHS,   /* calls that launch a graph */
    ATLAS_TALLY_NODES,    /* kernels that these graphs ran */
    ATLAS_TALLY_COPIES,
    ATLAS_TALLY_MEMSETS,
    ATLAS_TALLY_SYNCS, /* calls in which the host only waits; those of host reads are not here */
    ATLAS_TALLY_READS, /* host reads */
    ATLAS_TALLY_ALLOCS,
    ATLAS_TALLIES
} AtlasTallyKind;
/* "launches", "graph_launches"... */
const char *atlas_tally_name(AtlasTallyKind kind);

/* Over all steps; `least` and `most` are those of one step. */
typedef struct {
    gboolean known;
    gint64 sum, least, most;
} AtlasTally;

enum { ATLAS_SURVEY_STAGE_LONGEST = 32 };

typedef struct {
    const char *name;  /* as the range is called; NULL: outside of every stage */
    const char *brief; /* the same, cut to ATLAS_SURVEY_STAGE_LONGEST characters */
    AtlasTally counts[ATLAS_TALLIES];
    gint64 host_ns;    /* of the steps' thread, all steps: while its range is the innermost that is
                        * open, as for calls; -1 unknown */
    gint64 starved_ns; /* -1 unknown */
} AtlasSurveyStage;

typedef struct {
    const char *name, *brief; /* kernel_name.h */
    gint64 launches;          /* calls, all steps */
    gint64 nodes;             /* in graphs; where not all were recorded, at least */
    gint64 gpu_ns;            /* -1 unknown */
    gint64 *by_stage;         /* launches, as long as the list of stages */
} AtlasSurveyKernel;

/* What parts windows: what no capture holds. */
typedef enum {
    ATLAS_PART_READ,
    ATLAS_PART_SYNC,
    ATLAS_PART_COPY, /* a copy to the device that blocks the host */
    ATLAS_PART_ALLOC,
    ATLAS_PART_FREE,
    ATLAS_PART_CAPTURE, /* begin or end of a capture, or an instantiation */
    ATLAS_PARTS
} AtlasPartKind;
/* "host read", "sync"... */
const char *atlas_part_name(AtlasPartKind kind);

/* One place of the step where the host waits or allocates. */
typedef struct {
    AtlasPartKind kind;
    const char *call;  /* "cudaMemcpyAsync, cudaStreamSynchronize" */
    guint stage;       /* of `stages` */
    const char *after; /* brief name of the kernel that was launched last before in this step; NULL:
                        * none */
    AtlasTally count;
    gint64 host_ns; /* in these calls, all steps; -1 unknown */
} AtlasSurveyPart;

/* Graph launches of a stage, by how many kernels they ran. */
typedef struct {
    guint stage;
    gint64 nodes; /* -1 unknown */
    AtlasTally launches;
} AtlasSurveyGraph;

typedef struct {
    gint64 device, stream;
    gint64 kernels, copies, memsets, graphs; /* activities, all steps */
    gint64 busy_ns;                          /* each activity's time, added up */
} AtlasSurveyStream;

typedef enum {
    ATLAS_SEEN_LAUNCH,
    ATLAS_SEEN_GRAPH,
    ATLAS_SEEN_COPY_IN, /* from the host */
    ATLAS_SEEN_COPY,    /* on the device, or it is not known where */
    ATLAS_SEEN_COPY_OUT,
    ATLAS_SEEN_MEMSET,
    ATLAS_SEEN_PART
} AtlasSeenKind;

/* One call of the typical step, in order; a host read is one. */
typedef struct {
    guint8 kind;     /* AtlasSeenKind */
    guint8 part;     /* AtlasPartKind of ATLAS_SEEN_PART */
    guint8 pageable; /* a copy from or to memory of the host that the trace says is pageable; that
                      * it is pinned is said, or not told, where this is 0 */
    guint16 stage;
    guint16 stream; /* of `streams`; ATLAS_SEEN_NONE: not known */
    guint32 of;     /* a launch's kernel, a part's place in `parts`; ATLAS_TRACE_NONE: not known */
    gint64 nodes;   /* of a graph; -1 not known */
} AtlasSeen;
#define ATLAS_SEEN_NONE G_MAXUINT16

/* Of all steps together, in nanoseconds; -1 unknown. */
typedef struct {
    gint64 steps;
    gint64 busy, starved, waiting, queued, untold; /* the parts of it */
    gint64 host;   /* all but the calls that wait: what the host takes for the rest */
    gint64 launch; /* from the start of a launch, copy or memset to that of its thread's next one of
                      the same step and stage, where nothing parts the two: the median of all */
} AtlasSurveyTime;

typedef struct {
    const char *name;        /* of the file */
    const char *format;      /* "kineto", "nsys", "log", "atlas-record" */
    AtlasTraceTotals totals; /* -1 unknown, each by itself */
    AtlasStepsBy by;
    gboolean ranges;     /* there are ranges that --step could name */
    const char *by_name; /* the first range that makes a step: "ProfilerStep#1"; NULL: none */
    guint steps;
    gint64 first, last; /* numbers of steps; -1: they have none */
    guint alike;        /* steps that do what the typical one does, call by call; 0: not known */
    AtlasSurveyTime time;
    AtlasTally step[ATLAS_TALLIES]; /* all stages together */
    GArray *stages;                 /* of AtlasSurveyStage, by first appearance, "outside" last */
    GArray *kernels;                /* of AtlasSurveyKernel, by first appearance */
    GArray *parts;                  /* of AtlasSurveyPart, by first appearance */
    GArray *graphs;                 /* of AtlasSurveyGraph, by first appearance */
    GArray *streams;                /* of AtlasSurveyStream, that anything ran on */
    GArray *sequence;               /* of AtlasSeen: the typical step; empty: not known */
    gint64 between;                 /* launches that are in no step; -1 unknown */
    gint64 elsewhere;               /* launches of other processes; -1 unknown */
    gint64 lost;                    /* records that are known to be missing */
    gint64 doubled, failed, open;   /* of a trace, as there; 0 where there is none */
    gboolean nodes_by_kernel;       /* all nodes of the steps' graphs are among `kernels` */
    gboolean whole_graphs;          /* what graphs ran was not recorded kernel by kernel */
    const char *cut;                /* why the recording is incomplete; NULL: it is not */
    GArray *about;                  /* of AtlasAbout */
    GStringChunk *strings;
} AtlasSurvey;

/* An empty one, of which nothing is known. Both texts are copied. */
AtlasSurvey *atlas_survey_new(const char *name, const char *format);
void atlas_survey_free(AtlasSurvey *survey);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasSurvey, atlas_survey_free)

/* The same, cut as a stage's short name. */
const char *atlas_survey_cut(AtlasSurvey *survey, const char *text);

/* A copy that lives as long as the survey; NULL stays NULL. */
const char *atlas_survey_string(AtlasSurvey *survey, const char *text);

static inline AtlasSurveyStage *atlas_survey_stage(const AtlasSurvey *survey, guint stage) {
    return &g_array_index(survey->stages, AtlasSurveyStage, stage);
}
static inline AtlasSurveyKernel *atlas_survey_kernel(const AtlasSurvey *survey, guint kernel) {
    return &g_array_index(survey->kernels, AtlasSurveyKernel, kernel);
}

#endif
