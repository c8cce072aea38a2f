/* A survey of a trace, from its parts. */
#include <string.h>

#include "model/measure/survey_part.h"

/* ---- the typical step ---- */

static guint64 mix(guint64 hash, guint64 value) {
    return (hash ^ value) * G_GUINT64_CONSTANT(0x100000001b3);
}

static guint64 step_hash(const Survey *s, guint step) {
    guint64 hash = G_GUINT64_CONSTANT(0xcbf29ce484222325);
    for (guint i = g_array_index(s->starts, guint, step);
         i < g_array_index(s->starts, guint, step + 1); i++) {
        const AtlasSeen *seen = &g_array_index(s->items, AtlasSeen, i);
        hash = mix(hash, seen->kind | (guint64)seen->part << 8 | (guint64)seen->stage << 16 |
                             (guint64)seen->stream << 32 | (guint64)seen->pageable << 48);
        hash = mix(mix(hash, seen->of), (guint64)seen->nodes);
    }
    return hash;
}

static guint step_length(const Survey *s, guint step) {
    return g_array_index(s->starts, guint, step + 1) - g_array_index(s->starts, guint, step);
}

/* Of the sequences that most steps share, and that hold anything, the longest, since a trace may
 * begin or end inside of a step; of several, the one that came last. */
static void choose_typical(Survey *s) {
    guint steps = s->parts->steps->len, typical = 0, most = 0;
    g_autofree guint64 *hash = g_new(guint64, steps + 1);
    g_autoptr(GHashTable) count = g_hash_table_new(g_int64_hash, g_int64_equal);
    for (guint i = 0; i < steps; i++) {
        hash[i] = step_hash(s, i);
        guint n = GPOINTER_TO_UINT(g_hash_table_lookup(count, &hash[i])) + 1;
        g_hash_table_insert(count, &hash[i], GUINT_TO_POINTER(n));
    }
    for (guint i = 0; i < steps; i++) {
        guint n = GPOINTER_TO_UINT(g_hash_table_lookup(count, &hash[i]));
        if (step_length(s, i) == 0)
            continue;
        if (n > most || (n == most && step_length(s, i) >= step_length(s, typical))) {
            most = n;
            typical = i;
        }
    }
    if (!s->items->len)
        return;
    s->survey->alike = most;
    guint from = g_array_index(s->starts, guint, typical);
    g_array_append_vals(s->survey->sequence, &g_array_index(s->items, AtlasSeen, from),
                        step_length(s, typical));
}

/* ---- stages ---- */

static void add_stages(Survey *s) {
    for (guint i = 0; i <= s->parts->stages->len; i++) {
        AtlasSurveyStage stage = {.host_ns = 0, .starved_ns = -1};
        if (i < s->parts->stages->len)
            stage.name = atlas_survey_string(
                s->survey, atlas_trace_name(s->trace, g_array_index(s->parts->stages, guint32, i)));
        stage.brief = atlas_survey_cut(s->survey, stage.name);
        g_array_append_val(s->survey->stages, stage);
    }
}

/* ---- before and after ---- */

static void find_caused(Survey *s) {
    for (guint i = 0; i < s->trace->calls->len; i++)
        s->caused[i] = s->step_of[i] = ATLAS_TRACE_NONE;
    for (guint i = 0; i < s->trace->activities->len; i++) {
        guint32 call = g_array_index(s->trace->activities, AtlasTraceActivity, i).call;
        if (call != ATLAS_TRACE_NONE && s->caused[call] == ATLAS_TRACE_NONE)
            s->caused[call] = i;
    }
    for (guint i = 0; i <= s->trace->names->len; i++)
        s->kernel_of[i] = ATLAS_TRACE_NONE;
    for (guint i = 0; i < s->trace->streams->len; i++)
        s->stream_of[i] = ATLAS_SEEN_NONE;
}

static void finish_counts(Survey *s) {
    AtlasSurvey *survey = s->survey;
    gboolean untold = FALSE;
    for (guint i = 0; i < survey->stages->len; i++) {
        AtlasSurveyStage *stage = atlas_survey_stage(survey, i);
        for (guint k = 0; k < ATLAS_TALLIES; k++)
            stage->counts[k] = survey_counted(
                &g_array_index(s->counts, SurveyCount, i * ATLAS_TALLIES + k), survey->steps);
        stage->counts[ATLAS_TALLY_NODES].known = !s->untold_nodes[i];
        untold |= s->untold_nodes[i];
    }
    for (guint k = 0; k < ATLAS_TALLIES; k++)
        survey->step[k] = survey_counted(&s->step[k], survey->steps);
    survey->step[ATLAS_TALLY_NODES].known = survey->nodes_by_kernel = !untold;
    for (guint i = 0; i < survey->parts->len; i++)
        g_array_index(survey->parts, AtlasSurveyPart, i).count =
            survey_counted(&g_array_index(s->part_counts, SurveyCount, i), survey->steps);
    for (guint i = 0; i < survey->graphs->len; i++)
        g_array_index(survey->graphs, AtlasSurveyGraph, i).launches =
            survey_counted(&g_array_index(s->graph_counts, SurveyCount, i), survey->steps);
}

/* Of calls that were not recorded nothing was counted. */
static void forget_counts(AtlasSurvey *survey) {
    const AtlasTally unknown = {.known = FALSE};
    for (guint k = 0; k < ATLAS_TALLIES; k++) {
        survey->step[k] = unknown;
        for (guint i = 0; i < survey->stages->len; i++)
            atlas_survey_stage(survey, i)->counts[k] = unknown;
    }
    survey->between = survey->elsewhere = -1;
}

/* What the trace says of itself, and how its steps were found. */
static void take_facts(Survey *s) {
    AtlasSurvey *survey = s->survey;
    const AtlasTrace *trace = s->trace;
    const GArray *steps = s->parts->steps;
    survey->totals = trace->totals;
    survey->lost = trace->lost;
    survey->doubled = trace->doubled;
    survey->failed = trace->failed;
    survey->open = trace->open;
    survey->whole_graphs = trace->whole_graph;
    survey->cut = atlas_survey_string(survey, trace->cut);
    survey->by = s->parts->by;
    survey->ranges = s->parts->thread != ATLAS_TRACE_NONE;
    survey->steps = steps->len;
    if (s->parts->name != ATLAS_TRACE_NONE)
        survey->by_name = atlas_survey_string(survey, atlas_trace_name(trace, s->parts->name));
    if (steps->len) {
        survey->first = g_array_index(steps, AtlasTraceStep, 0).number;
        survey->last = g_array_index(steps, AtlasTraceStep, steps->len - 1).number;
    }
    for (guint i = 0; i < trace->about->len; i++) {
        const AtlasAbout *from = &g_array_index(trace->about, AtlasAbout, i);
        AtlasAbout about = {atlas_survey_string(survey, from->key),
                            atlas_survey_string(survey, from->value)};
        g_array_append_val(survey->about, about);
    }
}

static void survey_init(Survey *s, const AtlasTrace *trace, const AtlasTraceParts *parts,
                        AtlasSurvey *survey) {
    guint calls = trace->calls->len + 1, stages = parts->stages->len + 1;
    *s = (Survey){.trace = trace, .parts = parts, .survey = survey};
    s->step_of = g_new(guint32, calls);
    s->stage_of = g_new0(guint16, calls);
    s->caused = g_new(guint32, calls);
    s->kernel_of = g_new(guint32, trace->names->len + 1);
    s->stream_of = g_new(guint16, trace->streams->len + 1);
    s->counts = g_array_new(FALSE, TRUE, sizeof(SurveyCount));
    g_array_set_size(s->counts, stages * ATLAS_TALLIES);
    s->untold_nodes = g_new0(gboolean, stages);
    s->part_counts = g_array_new(FALSE, TRUE, sizeof(SurveyCount));
    s->graph_counts = g_array_new(FALSE, TRUE, sizeof(SurveyCount));
    s->part_index = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    s->threads = g_new0(SurveyThread, trace->threads->len + 1);
    s->between = g_array_new(FALSE, FALSE, sizeof(gint64));
    s->items = g_array_new(FALSE, TRUE, sizeof(AtlasSeen));
    s->starts = g_array_new(FALSE, FALSE, sizeof(guint));
}

static void survey_clear(Survey *s) {
    g_free(s->step_of);
    g_free(s->stage_of);
    g_free(s->caused);
    g_free(s->kernel_of);
    g_free(s->stream_of);
    g_array_unref(s->counts);
    g_free(s->untold_nodes);
    g_array_unref(s->part_counts);
    g_array_unref(s->graph_counts);
    g_hash_table_unref(s->part_index);
    g_free(s->threads);
    g_array_unref(s->between);
    g_array_unref(s->items);
    g_array_unref(s->starts);
}

static int by_length(gconstpointer a, gconstpointer b) {
    gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return x < y ? -1 : x > y;
}

/* The lower one of the two in the middle; -1: there is none. */
static gint64 median(GArray *lengths) {
    g_array_sort(lengths, by_length);
    return lengths->len ? g_array_index(lengths, gint64, (lengths->len - 1) / 2) : -1;
}

AtlasSurvey *atlas_survey_trace(const AtlasTrace *trace, const AtlasTraceParts *parts,
                                const char *name, const char *format) {
    AtlasSurvey *survey = atlas_survey_new(name, format);
    Survey s;
    survey_init(&s, trace, parts, survey);
    take_facts(&s);
    find_caused(&s);
    add_stages(&s);
    survey_sweep(&s);
    survey->time.launch = median(s.between);
    survey_activities(&s);
    finish_counts(&s);
    if (!atlas_trace_has_calls(trace))
        forget_counts(survey);
    survey_time_stages(&s);
    choose_typical(&s);
    survey_clear(&s);
    return survey;
}
