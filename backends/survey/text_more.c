/* A survey for people: graphs, streams, and what is not known. */
#include <string.h>

#include "backends/survey/show.h"
#include "model/base/visible.h"

/* ---- graphs and streams ---- */

static const AtlasTableColumn graph_columns[] = {{"graph launches", NULL, FALSE},
                                                 {"a step", NULL, TRUE},
                                                 {"kernels each", NULL, TRUE},
                                                 {NULL, NULL, FALSE}};

void survey_append_graphs(GString *out, const AtlasSurvey *survey) {
    g_autoptr(AtlasTable) table = atlas_table_new(graph_columns);
    for (guint i = 0; i < survey->graphs->len; i++) {
        const AtlasSurveyGraph *g = &g_array_index(survey->graphs, AtlasSurveyGraph, i);
        atlas_table_row(table);
        atlas_table_text(table, "%s", survey_stage_name(survey, g->stage));
        atlas_table_number(table, survey_mean(survey, &g->launches), SURVEY_PLACES);
        atlas_table_number(table, g->nodes < 0 ? ATLAS_RAT_NONE : atlas_rat(g->nodes), 0);
    }
    g_autofree char *text = atlas_table_render(table);
    if (survey->graphs->len)
        g_string_append_printf(out, "\n%s", text);
}

static const AtlasTableColumn stream_columns[] = {{"stream", NULL, FALSE}, {"device", NULL, TRUE},
                                                  {"kernels", NULL, TRUE}, {"copies", NULL, TRUE},
                                                  {"memsets", NULL, TRUE}, {"GPU ms", NULL, TRUE},
                                                  {NULL, NULL, FALSE}};

/* One stream is nothing to tell. */
void survey_append_streams(GString *out, const AtlasSurvey *survey) {
    g_autoptr(AtlasTable) table = atlas_table_new(stream_columns);
    for (guint i = 0; i < survey->streams->len; i++) {
        const AtlasSurveyStream *s = &g_array_index(survey->streams, AtlasSurveyStream, i);
        atlas_table_row(table);
        atlas_table_text(table, "%" G_GINT64_FORMAT, s->stream);
        atlas_table_number(table, atlas_rat(s->device), 0);
        atlas_table_number(table, atlas_rat_make(s->kernels, survey->steps), SURVEY_PLACES);
        atlas_table_number(table, atlas_rat_make(s->copies, survey->steps), SURVEY_PLACES);
        atlas_table_number(table, atlas_rat_make(s->memsets, survey->steps), SURVEY_PLACES);
        atlas_table_number(table, survey_step_ms(survey, s->busy_ns), SURVEY_MS_PLACES);
    }
    g_autofree char *text = atlas_table_render(table);
    if (survey->streams->len > 1)
        g_string_append_printf(out, "\n%s", text);
}

/* ---- what is not known ---- */

static void append_count(GString *out, gint64 n, const char *one, const char *more) {
    if (n > 0)
        g_string_append_printf(out, "%" G_GINT64_FORMAT " %s\n", n, n == 1 ? one : more);
}

char *survey_gap(const AtlasSurvey *survey) {
    GString *out = g_string_new(survey->cut);
    if (survey->lost > 0)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT " records are missing",
                               out->len ? "; " : "", survey->lost);
    if (survey->doubled > 0)
        g_string_append_printf(out, "%s%" G_GINT64_FORMAT " calls have others' correlation ids",
                               out->len ? "; " : "", survey->doubled);
    return g_string_free(out, out->len == 0);
}

void survey_append_notes(GString *out, const AtlasSurvey *survey) {
    gsize before = out->len;
    if (survey->steps)
        g_string_append_c(out, '\n');
    g_autofree char *cut = atlas_visible_text(survey->cut ? survey->cut : "");
    if (*cut)
        g_string_append_printf(out, "incomplete: %s\n", cut);
    append_count(out, survey->lost, "record is missing: counts are lower bounds",
                 "records are missing: counts are lower bounds");
    append_count(out, survey->doubled,
                 "call has the correlation id of another one: who caused what is not sure",
                 "calls have the correlation ids of others: who caused what is not sure");
    append_count(out, survey->failed, "call failed, and is not counted",
                 "calls failed, and are not counted");
    append_count(out, survey->open, "range was open when the recording ended: it is no step",
                 "ranges were open when the recording ended: they are no steps");
    append_count(out, survey->totals.orphans, "activity of the GPU has no recorded call",
                 "activities of the GPU have no recorded call");
    append_count(out, survey->totals.uncaused,
                 "launch has no kernel: it was captured, or its kernel was not recorded",
                 "launches have no kernel: they were captured, or their kernels were not recorded");
    append_count(out, survey->between, "launch is in no step", "launches are in no step");
    append_count(out, survey->elsewhere, "launch is of another process, and not in these tables",
                 "launches are of other processes, and not in these tables");
    if (survey->whole_graphs)
        g_string_append(out, "what graphs ran was not recorded kernel by kernel\n");
    if (survey->alike == 1 && survey->steps > 1)
        g_string_append(out, "no two steps make the same calls in the same order\n");
    else if (survey->alike && survey->alike < survey->steps)
        g_string_append_printf(out, "%u of %u steps make the same calls in the same order\n",
                               survey->alike, survey->steps);
    if (survey->totals.calls == 0 && !survey->step[ATLAS_TALLY_LAUNCHES].known)
        g_string_append(out, ATLAS_TRACE_NO_CALLS "\n");
    else if (!survey->step[ATLAS_TALLY_COPIES].known)
        g_string_append(out, "kernels, graphs, copies and syncs are not in a log: a recording or a "
                             "trace has them\n");
    if (survey->by == ATLAS_STEPS_NONE && survey->steps)
        g_string_append(out, survey->ranges
                                 ? "no range was found to be a step: --step NAME names one\n"
                                 : "no range could be a step: record_function(\"NAME\") and NVTX "
                                   "make ranges\n");
    if (survey->by == ATLAS_STEPS_FIRST)
        g_string_append(out, "a step was taken to begin with each of its first range: --step NAME "
                             "names another one\n");
    if (survey->totals.activities == 0)
        g_string_append(out, "no kernel was recorded: was the GPU's activity asked for?\n");
    if (survey->time.busy >= 0)
        g_string_append(out, "times are those of a program with a profiler on it\n");
    if (out->len == before + (survey->steps > 0))
        g_string_truncate(out, before);
}

char *survey_next(const AtlasSurvey *survey) {
    static const struct {
        const char *ending, *what;
    } rows[] = {{"--plan step.dot", "draw what could be captured"},
                {"--emit-spec", "start a spec of this step"},
                {"OTHER", "compare it with another one"}};
    GString *out = g_string_new(NULL);
    if (!survey->sequence->len)
        return g_string_free(out, FALSE);
    g_autofree char *name = atlas_visible_word(survey->name);
    g_string_append(out, "\nnext:\n");
    for (guint i = 0; i < G_N_ELEMENTS(rows); i++)
        g_string_append_printf(out, "  atlas-record %s %-15s   %s\n", name, rows[i].ending,
                               rows[i].what);
    return g_string_free(out, FALSE);
}
