#include "backends/survey/show.h"

#include <string.h>

const char *survey_stage_name(const AtlasSurvey *survey, guint stage) {
    const char *name = atlas_survey_stage(survey, stage)->brief;
    return name ? name : "(outside)";
}

AtlasRat survey_mean(const AtlasSurvey *survey, const AtlasTally *tally) {
    return tally->known ? atlas_rat_make(tally->sum, survey->steps) : ATLAS_RAT_NONE;
}

AtlasRat survey_step_ms(const AtlasSurvey *survey, gint64 ns) {
    return ns < 0 ? ATLAS_RAT_NONE
                  : atlas_rat_div(atlas_rat_make(ns, 1000000), atlas_rat(survey->steps));
}

static void clear_kernels(gpointer data) {
    g_free(((SurveyKernels *)data)->by_stage);
}

static int by_launches(gconstpointer a, gconstpointer b) {
    const SurveyKernels *x = a, *y = b;
    gint64 of_x = x->launches + x->nodes, of_y = y->launches + y->nodes;
    return of_x != of_y ? (of_x > of_y ? -1 : 1) : strcmp(x->brief, y->brief);
}

GArray *survey_kernels(const AtlasSurvey *survey) {
    GArray *all = g_array_new(FALSE, TRUE, sizeof(SurveyKernels));
    g_autoptr(GHashTable) index = g_hash_table_new(g_str_hash, g_str_equal);
    guint stages = survey->stages->len;
    g_array_set_clear_func(all, clear_kernels);
    for (guint i = 0; i < survey->kernels->len; i++) {
        const AtlasSurveyKernel *k = atlas_survey_kernel(survey, i);
        guint at = GPOINTER_TO_UINT(g_hash_table_lookup(index, k->brief));
        if (!at) {
            SurveyKernels one = {.brief = k->brief, .by_stage = g_new0(gint64, stages)};
            g_array_append_val(all, one);
            at = all->len;
            g_hash_table_insert(index, (gpointer)k->brief, GUINT_TO_POINTER(at));
        }
        SurveyKernels *sum = &g_array_index(all, SurveyKernels, at - 1);
        sum->launches += k->launches;
        sum->nodes += k->nodes;
        sum->gpu_ns = sum->gpu_ns < 0 || k->gpu_ns < 0 ? -1 : sum->gpu_ns + k->gpu_ns;
        for (guint s = 0; s < stages; s++)
            sum->by_stage[s] += k->by_stage[s];
    }
    g_array_sort(all, by_launches);
    return all;
}
