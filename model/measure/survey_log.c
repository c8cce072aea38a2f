/* A survey of a log, which knows launches and times of its stages. */
#include "model/measure/survey_log.h"

#include <math.h>

static void count_steps(const AtlasRun *run, const GArray *counts, AtlasTally *tally) {
    *tally = (AtlasTally){TRUE, 0, G_MAXINT64, 0};
    for (gint64 step = run->window.first; step <= run->window.last; step++) {
        gint64 n = g_array_index(counts, gint64, step - run->log_first);
        tally->sum += n;
        tally->least = MIN(tally->least, n);
        tally->most = MAX(tally->most, n);
    }
}

/* All stages of each step. */
static GArray *step_counts(const AtlasRun *run) {
    GArray *all = g_array_new(FALSE, TRUE, sizeof(gint64));
    g_array_set_size(all, (guint)(run->window.last - run->log_first + 1));
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        for (guint k = 0; k < all->len; k++)
            g_array_index(all, gint64, k) += g_array_index(stage->counts, gint64, k);
    }
    return all;
}

static gint64 ns(double ms, guint steps) {
    return (gint64)(ms * 1e6 * steps + 0.5);
}

/* Which of the four counts the log has, it says itself. */
static AtlasTallyKind tally_of(const AtlasRun *run) {
    return run->by.counted == ATLAS_COUNT_GRAPH_NODES ? ATLAS_TALLY_NODES : ATLAS_TALLY_LAUNCHES;
}

AtlasSurvey *atlas_survey_log(const AtlasRun *run) {
    AtlasSurvey *survey = atlas_survey_new(run->log, "log");
    g_autoptr(GArray) all = step_counts(run);
    gboolean timed = TRUE;
    survey->by = ATLAS_STEPS_STATED;
    survey->steps = (guint)atlas_window_steps(run->window);
    survey->first = run->window.first;
    survey->last = run->window.last;
    survey->lost = run->by.lost;
    count_steps(run, all, &survey->step[tally_of(run)]);
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *from = &g_array_index(run->stages, AtlasRunStage, i);
        AtlasSurveyStage stage = {.name = atlas_survey_string(survey, from->name),
                                  .host_ns = isnan(from->ms) ? -1 : ns(from->ms, survey->steps),
                                  .starved_ns = -1};
        stage.brief = atlas_survey_cut(survey, stage.name);
        timed = timed && stage.host_ns >= 0;
        count_steps(run, from->counts, &stage.counts[tally_of(run)]);
        g_array_append_val(survey->stages, stage);
    }
    for (guint i = 0; timed && i < survey->stages->len; i++)
        survey->time.steps = MAX(survey->time.steps, 0) + atlas_survey_stage(survey, i)->host_ns;
    AtlasSurveyStage outside = {.host_ns = -1, .starved_ns = -1};
    g_array_append_val(survey->stages, outside);
    for (guint i = 0; i < run->by.about->len; i++) {
        const AtlasAbout *from = &g_array_index(run->by.about, AtlasAbout, i);
        AtlasAbout about = {atlas_survey_string(survey, from->key),
                            atlas_survey_string(survey, from->value)};
        g_array_append_val(survey->about, about);
    }
    return survey;
}
