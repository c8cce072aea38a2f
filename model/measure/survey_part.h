/* What the files of surveys of traces share. Internal to survey_*.c.
 *
 * survey_sweep.c goes through the calls, in order of time, and notes of each in which step and
 * stage it was made; survey_calls.c counts it, survey_parts.c notes where the host waits or
 * allocates; survey_stages.c goes through the stages' ranges, survey_time.c through the activities.
 */
#ifndef ATLAS_MODEL_MEASURE_SURVEY_PART_H
#define ATLAS_MODEL_MEASURE_SURVEY_PART_H

#include "model/measure/trace_parts.h"

/* A tally that is being counted, step after step. */
typedef struct {
    gint64 sum, least, most;
    gint64 now;
    guint step, steps; /* the one that `now` is of; in how many there was any */
} SurveyCount;

void survey_count(SurveyCount *count, guint step, gint64 more);
/* Of so many steps. */
AtlasTally survey_counted(SurveyCount *count, guint steps);

/* A copy to the host that may become a host read: the thread's next call says. */
typedef struct {
    gboolean open;
    guint item; /* of `items` */
    guint32 call;
    gboolean read; /* it is one already: what waits for it next is part of it */
} SurveyCopy;

/* What a thread did last in a step. */
typedef struct {
    guint step;
    SurveyCopy copy;
    gboolean works; /* its last call was a launch, a copy or a memset */
    guint16 stage;  /* ... of this stage */
    gint64 work_at; /* ... and began then */
} SurveyThread;

typedef struct {
    const AtlasTrace *trace;
    const AtlasTraceParts *parts;
    AtlasSurvey *survey;
    guint32 *step_of;   /* of each call; ATLAS_TRACE_NONE: none, or it is of another process */
    guint16 *stage_of;  /* of each call of a step */
    guint32 *caused;    /* the first activity of each call, or ATLAS_TRACE_NONE */
    guint32 *kernel_of; /* of each name, and at the end of none: its index in survey->kernels, or
                         * ATLAS_TRACE_NONE */
    guint16 *stream_of; /* of each stream: its index in survey->streams, or ATLAS_SEEN_NONE */
    GArray *counts;     /* of SurveyCount: stage by stage, ATLAS_TALLIES each */
    SurveyCount step[ATLAS_TALLIES];
    gboolean *untold_nodes; /* of each stage: a graph's nodes are not known */
    GArray *part_counts;    /* of SurveyCount, beside survey->parts */
    GArray *graph_counts;   /* of SurveyCount, beside survey->graphs */
    GHashTable *part_index; /* key -> index + 1 */
    SurveyThread *threads;
    const char
        *after; /* brief name of the kernel that was launched last in this step, "a graph", or
                          NULL */
    guint after_step;
    GArray *between; /* of gint64: what AtlasSurveyTime.launch is the median of */
    GArray *items;   /* of AtlasSeen: all steps */
    GArray *starts;  /* of guint: where each step begins in it */
} Survey;

static inline const char *survey_call_name(const Survey *s, guint call) {
    return atlas_trace_name(s->trace,
                            g_array_index(s->trace->details, AtlasTraceDetail, call).name);
}
static inline gint64 survey_call_ns(const Survey *s, guint call) {
    return g_array_index(s->trace->details, AtlasTraceDetail, call).duration;
}

/* survey_sweep.c */

/* Gives each call of the steps its step and stage, and goes through them. */
void survey_sweep(Survey *s);
/* Of each name of the trace: its stage, or G_MAXUINT. The caller frees it. */
guint *survey_stages_of_names(const Survey *s);

/* survey_calls.c */

void survey_call(Survey *s, guint call);
void survey_tally(Survey *s, guint call, AtlasTallyKind kind, gint64 more);
/* Appends what was seen to the current step; returns where. */
guint survey_seen(Survey *s, guint call, AtlasSeenKind kind, guint32 of, gint64 nodes);
/* The number of the kernel of that name, or of ATLAS_TRACE_NONE. */
guint32 survey_kernel(Survey *s, guint32 name);

/* survey_parts.c */

/* Whether the host is inside of the call until what it asked for is done. */
gboolean survey_waits(const Survey *s, guint call);
void survey_copy(Survey *s, guint call);
void survey_part(Survey *s, guint call, AtlasPartKind kind);
void survey_sync(Survey *s, guint call);

/* survey_stages.c */

/* How long the steps are, and the steps' thread is in each stage, and outside. */
void survey_time_stages(Survey *s);

/* survey_time.c */

void survey_activities(Survey *s);

#endif
