/* Surveys for people and for programs. The caller frees or owns what these return.
 *
 * People see means of a step; a column whose every cell would be 0 is left out. Programs see sums
 * over all steps, with the least and the most of one step:
 *
 *     {"schema": "atlas-survey/1", "file", "format", "about": {KEY: value},
 *      "totals": {"calls", "graph_launches", "copies", "memsets", "activities", "graph_nodes",
 *                 "orphans", "uncaused"},           as trace.h defines them, of the whole recording
 *      "steps": {"count", "by", "name", "first", "last", "alike", "ms"},
 *      "time": {"busy_ms", "starved_ms", "waiting_ms", "queued_ms", "untold_ms", "host_ms",
 *               "launch_us", "launch_bound_share"},
 *      "step": COUNTS, "stages": [{"stage", "host_ms", "starved_ms", COUNTS}...],
 *      "kernels": [{"kernel", "brief", "launches", "graph_nodes", "gpu_ms", "stages": {}}...],
 *      "parts": [{"kind", "call", "stage", "after", "sum", "least", "most", "host_ms"}...],
 *      "graphs": [{"stage", "nodes", "sum", "least", "most"}...],
 *      "streams": [{"device", "stream", "kernels", "copies", "memsets", "graphs", "busy_ms"}...],
 *      "between", "elsewhere", "lost", "doubled", "failed", "open", "whole_graphs", "cut"}
 *
 * COUNTS are {"launches": {"sum", "least", "most"}, "graph_launches", ...}, the stage's or the
 * step's. What is not known is null; so is the stage of what is outside of all stages, whose key in
 * "stages" of a kernel is "". Of several files it is {"schema", "surveys": [...]}, and of two also
 * "difference": {"stages": [{"stage", "in", "before", "after"}...], "kernels": [the same with
 * "kernel"]}: launches of all steps, of kernels those in graphs too, as {"sum", "steps",
 * "graph_nodes"}, of stages also "graph_launches"; "in" is
 * "both", "first" or "second"; stages are called as in specs, "fwd" where a range is "stage:fwd".
 * Keys are only ever added.
 */
#ifndef ATLAS_BACKENDS_SURVEY_SHOW_H
#define ATLAS_BACKENDS_SURVEY_SHOW_H

#include <jansson.h>

#include "model/base/table.h"
#include "model/measure/survey.h"

char *survey_text(const AtlasSurvey *survey);
/* What a user can do next with this file. */
char *survey_next(const AtlasSurvey *survey);
json_t *survey_json(const AtlasSurvey *survey);
/* One table of all surveys: a row of each total, stage, kernel and so on. */
char *survey_tsv(const GPtrArray *surveys);

/* Why counts of it are not all, in one line; NULL: they are. */
char *survey_gap(const AtlasSurvey *survey);

/* How the second differs from the first. */
char *survey_difference_text(const AtlasSurvey *a, const AtlasSurvey *b);
json_t *survey_difference_json(const AtlasSurvey *a, const AtlasSurvey *b);

/* ---- shared ---- */

/* "outside" of every stage. */
const char *survey_stage_name(const AtlasSurvey *survey, guint stage);
/* A mean of a step; no number where it is not known. */
AtlasRat survey_mean(const AtlasSurvey *survey, const AtlasTally *tally);
/* Milliseconds a step; no number of -1. */
AtlasRat survey_step_ms(const AtlasSurvey *survey, gint64 ns);

/* Kernels of the same short name, the most launches first. */
typedef struct {
    const char *brief;
    gint64 launches, nodes, gpu_ns;
    gint64 *by_stage;
} SurveyKernels;
GArray *survey_kernels(const AtlasSurvey *survey);

/* Decimals that people see. */
enum { SURVEY_PLACES = 2, SURVEY_MS_PLACES = 2 };

/* text_more.c: the last tables of survey_text. */
void survey_append_graphs(GString *out, const AtlasSurvey *survey);
void survey_append_streams(GString *out, const AtlasSurvey *survey);
void survey_append_notes(GString *out, const AtlasSurvey *survey);

#endif
