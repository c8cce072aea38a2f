/* Where the host waits, allocates or captures. */
#include <string.h>

#include "model/measure/survey_part.h"

/* ---- copies ---- */

typedef enum { TO_DEVICE, TO_HOST, ELSEWHERE, UNTOLD } Direction;

/* Profilers say it of the activity, the driver's calls in their names. */
static Direction direction(const Survey *s, guint call) {
    static const struct {
        const char *part;
        Direction direction;
    } words[] = {{"DtoH", TO_HOST},         {"HtoD", TO_DEVICE},         {"DtoD", ELSEWHERE},
                 {"DeviceToHost", TO_HOST}, {"HostToDevice", TO_DEVICE}, {"PtoP", ELSEWHERE},
                 {"HtoH", ELSEWHERE}};
    const char *names[2] = {"", survey_call_name(s, call)};
    if (s->caused[call] != ATLAS_TRACE_NONE)
        names[0] = atlas_trace_name(
            s->trace,
            g_array_index(s->trace->activities, AtlasTraceActivity, s->caused[call]).name);
    for (guint n = 0; n < G_N_ELEMENTS(names); n++)
        for (guint i = 0; i < G_N_ELEMENTS(words); i++)
            if (strstr(names[n], words[i].part))
                return words[i].direction;
    return UNTOLD;
}

/* The host's memory is said to be pageable. */
static gboolean is_pageable(const Survey *s, guint call) {
    guint32 activity = s->caused[call];
    return activity != ATLAS_TRACE_NONE &&
           strstr(atlas_trace_name(
                      s->trace,
                      g_array_index(s->trace->activities, AtlasTraceActivity, activity).name),
                  "Pageable");
}

gboolean survey_waits(const Survey *s, guint call) {
    AtlasCallKind kind = (AtlasCallKind)atlas_trace_call(s->trace, call)->kind;
    if (kind != ATLAS_CALL_COPY)
        return kind == ATLAS_CALL_SYNC;
    Direction to = direction(s, call);
    gboolean async = strstr(survey_call_name(s, call), "Async") != NULL;
    return to == ELSEWHERE ? FALSE : !async || (to == TO_HOST && is_pageable(s, call));
}

/* ---- parts ---- */

/* A call's name without what tells versions of it apart: "cudaMalloc_v3020". */
static char *plain_name(const Survey *s, guint call) {
    char *name = g_strdup(survey_call_name(s, call));
    char *version = strstr(name, "_v");
    if (version && version[2] && strspn(version + 2, "0123456789") == strlen(version + 2))
        *version = '\0';
    return name;
}

/* The part of that kind, call and place, which is added where it is new. */
static guint part_index(Survey *s, guint call, AtlasPartKind kind, const char *names) {
    char *key =
        g_strdup_printf("%u %u %s %s", kind, s->stage_of[call], names, s->after ? s->after : "");
    guint index = GPOINTER_TO_UINT(g_hash_table_lookup(s->part_index, key));
    if (index) {
        g_free(key);
        return index - 1;
    }
    AtlasSurveyPart part = {.kind = kind,
                            .call = atlas_survey_string(s->survey, names),
                            .stage = s->stage_of[call],
                            .after = atlas_survey_string(s->survey, s->after)};
    g_array_append_val(s->survey->parts, part);
    g_array_set_size(s->part_counts, s->survey->parts->len);
    g_hash_table_insert(s->part_index, key, GUINT_TO_POINTER(s->survey->parts->len));
    return s->survey->parts->len - 1;
}

static guint add_part(Survey *s, guint call, AtlasPartKind kind, const char *names, gint64 ns) {
    guint index = part_index(s, call, kind, names);
    g_array_index(s->survey->parts, AtlasSurveyPart, index).host_ns += ns;
    survey_count(&g_array_index(s->part_counts, SurveyCount, index), s->step_of[call], 1);
    return index;
}

void survey_part(Survey *s, guint call, AtlasPartKind kind) {
    g_autofree char *name = plain_name(s, call);
    guint part = add_part(s, call, kind, name, survey_call_ns(s, call));
    guint item = survey_seen(s, call, ATLAS_SEEN_PART, part, 0);
    g_array_index(s->items, AtlasSeen, item).part = (guint8)kind;
}

void survey_copy(Survey *s, guint call) {
    SurveyThread *thread = &s->threads[atlas_trace_call(s->trace, call)->thread];
    Direction to = direction(s, call);
    gboolean waits = survey_waits(s, call);
    guint first = s->items->len;
    survey_tally(s, call, ATLAS_TALLY_COPIES, 1);
    thread->copy.open = FALSE;
    if (waits && to == TO_HOST) {
        survey_tally(s, call, ATLAS_TALLY_READS, 1);
        survey_part(s, call, ATLAS_PART_READ);
        thread->copy = (SurveyCopy){TRUE, s->items->len - 1, call, TRUE};
    } else if (waits) {
        survey_part(s, call, ATLAS_PART_COPY);
    } else {
        AtlasSeenKind kind = to == TO_HOST     ? ATLAS_SEEN_COPY_OUT
                             : to == TO_DEVICE ? ATLAS_SEEN_COPY_IN
                                               : ATLAS_SEEN_COPY;
        guint item = survey_seen(s, call, kind, ATLAS_TRACE_NONE, 0);
        thread->copy = (SurveyCopy){to == TO_HOST, item, call, FALSE};
    }
    g_array_index(s->items, AtlasSeen, first).pageable = (guint8)is_pageable(s, call);
}

/* What the host waits for may be a copy that it made before: then both are one host read, which
 * stands where the copy does. */
void survey_sync(Survey *s, guint call) {
    SurveyThread *thread = &s->threads[atlas_trace_call(s->trace, call)->thread];
    const SurveyCopy *copy = &thread->copy;
    AtlasSeen *seen = copy->open ? &g_array_index(s->items, AtlasSeen, copy->item) : NULL;
    thread->works = FALSE;
    if (!seen) {
        survey_tally(s, call, ATLAS_TALLY_SYNCS, 1);
        survey_part(s, call, ATLAS_PART_SYNC);
        return;
    }
    if (copy->read) {
        g_array_index(s->survey->parts, AtlasSurveyPart, seen->of).host_ns +=
            survey_call_ns(s, call);
        return;
    }
    g_autofree char *first = plain_name(s, copy->call), *second = plain_name(s, call);
    g_autofree char *names = g_strdup_printf("%s, %s", first, second);
    survey_tally(s, copy->call, ATLAS_TALLY_READS, 1);
    seen->kind = ATLAS_SEEN_PART;
    seen->part = ATLAS_PART_READ;
    seen->of = add_part(s, copy->call, ATLAS_PART_READ, names,
                        survey_call_ns(s, copy->call) + survey_call_ns(s, call));
}
