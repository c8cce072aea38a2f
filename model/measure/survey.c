#include "model/measure/survey.h"

#include "model/measure/kernel_name.h"

const char *atlas_tally_name(AtlasTallyKind kind) {
    static const char *const names[ATLAS_TALLIES] = {
        [ATLAS_TALLY_LAUNCHES] = "launches", [ATLAS_TALLY_GRAPHS] = "graph_launches",
        [ATLAS_TALLY_NODES] = "graph_nodes", [ATLAS_TALLY_COPIES] = "copies",
        [ATLAS_TALLY_MEMSETS] = "memsets",   [ATLAS_TALLY_SYNCS] = "syncs",
        [ATLAS_TALLY_READS] = "host_reads",  [ATLAS_TALLY_ALLOCS] = "allocations"};
    return names[kind];
}

const char *atlas_part_name(AtlasPartKind kind) {
    static const char *const names[ATLAS_PARTS] = {
        [ATLAS_PART_READ] = "host read", [ATLAS_PART_SYNC] = "sync",
        [ATLAS_PART_COPY] = "host copy", [ATLAS_PART_ALLOC] = "allocation",
        [ATLAS_PART_FREE] = "free",      [ATLAS_PART_CAPTURE] = "capture"};
    return names[kind];
}

static void clear_kernel(gpointer data) {
    g_free(((AtlasSurveyKernel *)data)->by_stage);
}

AtlasSurvey *atlas_survey_new(const char *name, const char *format) {
    AtlasSurvey *survey = g_new0(AtlasSurvey, 1);
    survey->strings = g_string_chunk_new(1024);
    survey->name = atlas_survey_string(survey, name);
    survey->format = atlas_survey_string(survey, format);
    survey->totals = (AtlasTraceTotals){-1, -1, -1, -1, -1, -1, -1, -1, -1, -1};
    survey->by = ATLAS_STEPS_NONE;
    survey->first = survey->last = survey->between = survey->elsewhere = -1;
    survey->time = (AtlasSurveyTime){-1, -1, -1, -1, -1, -1, -1, -1};
    survey->stages = g_array_new(FALSE, TRUE, sizeof(AtlasSurveyStage));
    survey->kernels = g_array_new(FALSE, TRUE, sizeof(AtlasSurveyKernel));
    g_array_set_clear_func(survey->kernels, clear_kernel);
    survey->parts = g_array_new(FALSE, TRUE, sizeof(AtlasSurveyPart));
    survey->graphs = g_array_new(FALSE, TRUE, sizeof(AtlasSurveyGraph));
    survey->streams = g_array_new(FALSE, TRUE, sizeof(AtlasSurveyStream));
    survey->sequence = g_array_new(FALSE, TRUE, sizeof(AtlasSeen));
    survey->about = g_array_new(FALSE, TRUE, sizeof(AtlasAbout));
    return survey;
}

void atlas_survey_free(AtlasSurvey *survey) {
    if (!survey)
        return;
    g_array_unref(survey->stages);
    g_array_unref(survey->kernels);
    g_array_unref(survey->parts);
    g_array_unref(survey->graphs);
    g_array_unref(survey->streams);
    g_array_unref(survey->sequence);
    g_array_unref(survey->about);
    g_string_chunk_free(survey->strings);
    g_free(survey);
}

const char *atlas_survey_cut(AtlasSurvey *survey, const char *text) {
    g_autofree char *cut = text ? atlas_name_cut(text, ATLAS_SURVEY_STAGE_LONGEST) : NULL;
    return atlas_survey_string(survey, cut);
}

const char *atlas_survey_string(AtlasSurvey *survey, const char *text) {
    return text ? g_string_chunk_insert_const(survey->strings, text) : NULL;
}
