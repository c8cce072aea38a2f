/* A survey for programs. */
#include "backends/survey/show.h"

static void put(json_t *object, const char *key, json_t *value) {
    json_object_set_new(object, key, value);
}

static json_t *whole(gint64 n) {
    return n < 0 ? json_null() : json_integer(n);
}

static json_t *ms(gint64 ns) {
    return ns < 0 ? json_null() : json_real((double)ns / 1e6);
}

static void put_tally(json_t *o, const AtlasTally *tally) {
    put(o, "sum", tally->known ? json_integer(tally->sum) : json_null());
    put(o, "least", tally->known ? json_integer(tally->least) : json_null());
    put(o, "most", tally->known ? json_integer(tally->most) : json_null());
}

static void put_counts(json_t *o, const AtlasTally *counts) {
    for (AtlasTallyKind kind = 0; kind < ATLAS_TALLIES; kind++) {
        json_t *tally = json_object();
        put_tally(tally, &counts[kind]);
        put(o, atlas_tally_name(kind), tally);
    }
}

static json_t *stage_of(const AtlasSurvey *survey, guint stage) {
    return atlas_json_string(atlas_survey_stage(survey, stage)->name);
}

static json_t *totals(const AtlasSurvey *survey) {
    const AtlasTraceTotals *t = &survey->totals;
    json_t *o = json_object();
    put(o, "calls", whole(t->calls));
    put(o, "graph_launches", whole(t->graph_launches));
    put(o, "copies", whole(t->copies));
    put(o, "memsets", whole(t->memsets));
    put(o, "activities", whole(t->activities));
    put(o, "graph_nodes", whole(t->graph_nodes));
    put(o, "orphans", whole(t->orphans));
    put(o, "uncaused", whole(t->uncaused));
    return o;
}

static json_t *steps(const AtlasSurvey *survey) {
    static const char *const by[] = {
        [ATLAS_STEPS_PROFILER] = "profiler", [ATLAS_STEPS_NUMBERED] = "numbered ranges",
        [ATLAS_STEPS_OUTER] = "outer range", [ATLAS_STEPS_FIRST] = "first stage",
        [ATLAS_STEPS_ASKED] = "asked for",   [ATLAS_STEPS_STATED] = "stated",
        [ATLAS_STEPS_NONE] = "none"};
    json_t *o = json_object();
    put(o, "count", json_integer(survey->steps));
    put(o, "by", json_string(by[survey->by]));
    put(o, "name", atlas_json_string(survey->by_name));
    put(o, "first", whole(survey->first));
    put(o, "last", whole(survey->last));
    put(o, "alike", survey->alike ? json_integer(survey->alike) : json_null());
    put(o, "ms", ms(survey->time.steps));
    return o;
}

static json_t *time_parts(const AtlasSurvey *survey) {
    const AtlasSurveyTime *t = &survey->time;
    json_t *o = json_object();
    put(o, "busy_ms", ms(t->busy));
    put(o, "starved_ms", ms(t->starved));
    put(o, "waiting_ms", ms(t->waiting));
    put(o, "queued_ms", ms(t->queued));
    put(o, "untold_ms", ms(t->untold));
    put(o, "host_ms", ms(t->host));
    put(o, "launch_us", t->launch < 0 ? json_null() : json_real((double)t->launch / 1e3));
    put(o, "launch_bound_share",
        t->starved < 0 || t->steps <= 0 ? json_null()
                                        : json_real((double)t->starved / (double)t->steps));
    return o;
}

static json_t *stages(const AtlasSurvey *survey) {
    json_t *list = json_array();
    for (guint i = 0; i < survey->stages->len; i++) {
        const AtlasSurveyStage *s = atlas_survey_stage(survey, i);
        json_t *o = json_object();
        put(o, "stage", stage_of(survey, i));
        put(o, "host_ms", ms(s->host_ns));
        put(o, "starved_ms", ms(s->starved_ns));
        put_counts(o, s->counts);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *kernels(const AtlasSurvey *survey) {
    json_t *list = json_array();
    for (guint i = 0; i < survey->kernels->len; i++) {
        const AtlasSurveyKernel *k = atlas_survey_kernel(survey, i);
        json_t *o = json_object(), *by_stage = json_object();
        put(o, "kernel", atlas_json_string(k->name));
        put(o, "brief", atlas_json_string(k->brief));
        put(o, "launches", json_integer(k->launches));
        put(o, "graph_nodes", whole(survey->nodes_by_kernel ? k->nodes : -1));
        put(o, "gpu_ms", ms(k->gpu_ns));
        for (guint s = 0; s < survey->stages->len; s++)
            if (k->by_stage[s]) {
                const char *name = atlas_survey_stage(survey, s)->name;
                put(by_stage, name ? name : "", json_integer(k->by_stage[s]));
            }
        put(o, "stages", by_stage);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *parts(const AtlasSurvey *survey) {
    json_t *list = json_array();
    for (guint i = 0; i < survey->parts->len; i++) {
        const AtlasSurveyPart *p = &g_array_index(survey->parts, AtlasSurveyPart, i);
        json_t *o = json_object();
        put(o, "kind", json_string(atlas_part_name(p->kind)));
        put(o, "call", atlas_json_string(p->call));
        put(o, "stage", stage_of(survey, p->stage));
        put(o, "after", atlas_json_string(p->after));
        put_tally(o, &p->count);
        put(o, "host_ms", ms(p->host_ns));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *graphs(const AtlasSurvey *survey) {
    json_t *list = json_array();
    for (guint i = 0; i < survey->graphs->len; i++) {
        const AtlasSurveyGraph *g = &g_array_index(survey->graphs, AtlasSurveyGraph, i);
        json_t *o = json_object();
        put(o, "stage", stage_of(survey, g->stage));
        put(o, "nodes", whole(g->nodes));
        put_tally(o, &g->launches);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *streams(const AtlasSurvey *survey) {
    json_t *list = json_array();
    for (guint i = 0; i < survey->streams->len; i++) {
        const AtlasSurveyStream *s = &g_array_index(survey->streams, AtlasSurveyStream, i);
        json_t *o = json_object();
        put(o, "device", json_integer(s->device));
        put(o, "stream", json_integer(s->stream));
        put(o, "kernels", json_integer(s->kernels));
        put(o, "copies", json_integer(s->copies));
        put(o, "memsets", json_integer(s->memsets));
        put(o, "graphs", json_integer(s->graphs));
        put(o, "busy_ms", ms(s->busy_ns));
        json_array_append_new(list, o);
    }
    return list;
}

json_t *survey_json(const AtlasSurvey *survey) {
    json_t *o = json_object(), *about = json_object(), *step = json_object();
    g_autofree char *file = g_utf8_make_valid(survey->name, -1);
    put(o, "schema", json_string("atlas-survey/1"));
    put(o, "file", json_string(file));
    put(o, "format", json_string(survey->format));
    for (guint i = 0; i < survey->about->len; i++) {
        const AtlasAbout *a = &g_array_index(survey->about, AtlasAbout, i);
        put(about, a->key, atlas_json_string(a->value));
    }
    put(o, "about", about);
    put(o, "totals", totals(survey));
    put(o, "steps", steps(survey));
    put(o, "time", time_parts(survey));
    put_counts(step, survey->step);
    put(o, "step", step);
    put(o, "stages", stages(survey));
    put(o, "kernels", kernels(survey));
    put(o, "parts", parts(survey));
    put(o, "graphs", graphs(survey));
    put(o, "streams", streams(survey));
    put(o, "between", whole(survey->between));
    put(o, "elsewhere", whole(survey->elsewhere));
    put(o, "lost", whole(survey->lost));
    put(o, "doubled", whole(survey->doubled));
    put(o, "failed", whole(survey->failed));
    put(o, "open", whole(survey->open));
    put(o, "whole_graphs", json_boolean(survey->whole_graphs));
    put(o, "cut", atlas_json_string(survey->cut));
    return o;
}
