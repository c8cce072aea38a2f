#include "model/check/agree_text.h"

enum { PLACES = 2, STEPS_NAMED = 5 };

char *agree_number(AtlasRat value) {
    char text[64];
    return g_strdup(atlas_rat_format(value, PLACES, text, sizeof text));
}

char *agree_steps(const GArray *steps) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < MIN(steps->len, STEPS_NAMED); i++)
        g_string_append_printf(text, "%s%" G_GINT64_FORMAT, i ? ", " : "",
                               g_array_index(steps, gint64, i));
    if (steps->len > STEPS_NAMED)
        g_string_append_printf(text, " and %u more", steps->len - STEPS_NAMED);
    return g_string_free(text, FALSE);
}

AtlasRat agree_mean(const AtlasSum *sum, gint64 steps) {
    return atlas_rat_div(atlas_sum_middle(sum), atlas_rat(steps));
}

gboolean agree_outside(const AtlasInterval *reading, AtlasRat measured) {
    return (reading->lo_known && atlas_rat_cmp(measured, reading->lo) < 0) ||
           (reading->hi_known && atlas_rat_cmp(measured, reading->hi) > 0);
}

void agree_mark_least(AtlasCheck *check) {
    g_autofree char *least = agree_number(check->lo);
    g_free(check->measured);
    check->measured = g_strdup_printf(">= %s", least);
    check->hi = ATLAS_RAT_NONE;
}

AtlasCheck *agree_check(AtlasResult *result, const AtlasRun *run, const char *stage,
                        AtlasRat measured) {
    const AtlasRunStage *timed = atlas_run_stage(run, stage);
    AtlasCheck *check = atlas_result_add(result, "count");
    check->subject = g_strdup_printf("%s %s", run->name, stage);
    check->measured = agree_number(measured);
    check->lo = check->hi = measured;
    if (timed)
        check->ms = timed->ms;
    return check;
}
