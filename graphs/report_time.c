/* Time: what launches cost at a price, and what was timed. */
#include <math.h>
#include <string.h>

#include "graphs/report_part.h"
#include "model/base/markdown.h"

AtlasRat report_ms(const Report *r, AtlasRat launches) {
    return atlas_rat_div(atlas_rat_mul(launches, r->of->launch_us), atlas_rat(1000));
}

/* Of a time as it was read; no number where there is none, or it is beyond all sense. */
static AtlasRat time_of(double ms) {
    enum { MOST = 1000000000 };
    return ms >= 0 && ms < MOST ? atlas_rat_make((gint64)llround(ms * 1000), 1000) : ATLAS_RAT_NONE;
}

AtlasRat report_time(const AtlasObservation *run, const char *stage) {
    const AtlasRunStage *timed = run ? atlas_run_stage(run->run, stage) : NULL;
    return timed ? time_of(timed->ms) : ATLAS_RAT_NONE;
}

AtlasRat report_stage_time(const Report *r, guint stage) {
    return report_time(r->ground.run, ATLAS_STAGE(r->ground.model, stage)->name);
}

void report_find_times(Report *r) {
    r->timed = atlas_rat(0);
    for (guint s = 0; s < r->ground.model->stages->len; s++)
        r->timed = atlas_rat_add(r->timed, report_stage_time(r, s));
    r->step_ms = r->ground.run ? time_of(r->ground.run->run->step_ms) : ATLAS_RAT_NONE;
}

/* "581.5 ms, 27.14 us a launch" */
static void say_time(Report *r, AtlasRat ms) {
    g_autofree char *text = report_ms_text(ms);
    AtlasRat us = atlas_rat_div(atlas_rat_mul(ms, atlas_rat(1000)), r->total);
    g_autofree char *each = report_number(us, REPORT_PLACES);
    report_say(r, "%s ms, %s us a launch", text, each);
}

/* The stages' timers cannot add up to more than the step they are part of. */
static gboolean contradict(const Report *r) {
    return atlas_rat_ok(r->timed) && atlas_rat_ok(r->step_ms) &&
           atlas_rat_cmp(r->timed, r->step_ms) > 0;
}

static void say_timed(Report *r) {
    const char *run = r->ground.run->run->name, *note = r->ground.run->run->note;
    if (atlas_rat_ok(r->timed)) {
        report_say(r, "; as timed, the stages of run '%s' took ", run);
        say_time(r, r->timed);
    }
    if (atlas_rat_ok(r->step_ms)) {
        report_say(r, "; a whole step took ");
        say_time(r, r->step_ms);
    }
    report_say(r, contradict(r) ? ". These two contradict each other." : ".");
    if (*note) {
        g_autofree char *text = atlas_markdown_escape(note, FALSE);
        report_say(r, " What is noted of that run: %s.", text);
    }
    if (atlas_rat_ok(r->step_ms)) {
        g_autofree char *most = report_ms_text(r->step_ms);
        report_say(r, " No change saves more than %s ms a step.", most);
    }
}

void report_say_times(Report *r) {
    AtlasInterval launches = r->ground.run ? r->counted : r->bounds;
    g_autofree char *ms = report_ms_bounds(r, &launches);
    g_autofree char *us = report_number(r->of->launch_us, REPORT_PRICE_PLACES);
    report_say(r, "- Host time at %s us a launch: %s ms, which is a price, not a measurement", us,
               ms);
    if (atlas_rat_ok(r->timed) || atlas_rat_ok(r->step_ms))
        say_timed(r);
    else
        report_say(r, r->ground.run ? "; the base run was not timed."
                                    : "; no run of the base was timed.");
    report_say(r, "\n");
}

void report_say_stage_times(Report *r) {
    guint said = 0;
    for (guint s = 0; r->ground.run && s < r->ground.model->stages->len; s++) {
        AtlasInterval counted = ground_counted(&r->ground, r->ground.run, s);
        AtlasRat priced = report_ms(r, counted.lo), timed = report_stage_time(r, s);
        if (!atlas_rat_ok(timed) || !atlas_rat_ok(priced) || atlas_rat_cmp(priced, timed) <= 0)
            continue;
        g_autofree char *more = report_ms_text(priced), *less = report_ms_text(timed);
        report_say(r, "%s %s (%s, of %s ms)",
                   said++ ? "," : "Priced above what was timed:", report_stage(r, s), more, less);
    }
    report_say(r, said ? ": there the price and the timers contradict each other. " : "");
}
