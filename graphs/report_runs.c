/* Sections about runs: where they come from, and what the base counted. */
#include "graphs/report_part.h"
#include "model/base/markdown.h"

/* ---- stage totals ---- */

static const AtlasTableColumn total_columns[] = {
    {"stage", NULL, FALSE},      {"launches", NULL, TRUE},   {"share", NULL, TRUE},
    {"ms as timed", NULL, TRUE}, {REPORT_PRICE, NULL, TRUE}, {"bounds", NULL, TRUE},
    {"long run", NULL, TRUE},    {NULL, NULL, FALSE},
};

/* What the rows of a column add up to as they are printed. */
typedef struct {
    AtlasRat launches, priced;
} Sums;

ReportTotal report_total(const Report *r, guint stage) {
    const Ground *g = &r->ground;
    guint n = g->model->stages->len;
    ReportTotal total = {.timed = stage < n ? report_stage_time(r, stage) : r->timed};
    AtlasLinear *form = ground_stage_form(g, g->forms, stage);
    total.bounds = ground_bounds(g, form, g->steps);
    total.given = form_is_given(form);
    if (g->run)
        total.counted = ground_counted(g, g->run, stage);
    total.launches = g->run ? interval_middle(&total.counted) : ground_point(g, form, g->steps);
    atlas_linear_free(form, 1);
    if (!g->uneven)
        return total;
    AtlasLinear *lasting = ground_stage_form(g, g->lasting, stage);
    total.lasting = ground_bounds(g, lasting, g->period);
    atlas_linear_free(lasting, 1);
    return total;
}

static void total_row(Report *r, AtlasTable *table, guint stage, Sums *sums) {
    const Ground *g = &r->ground;
    ReportTotal total = report_total(r, stage);
    atlas_table_row(table);
    atlas_table_text(table, "%s", report_stage(r, stage));
    if (g->run)
        report_interval_cell(table, &total.counted);
    else
        atlas_table_number(table, total.launches, REPORT_PLACES);
    atlas_table_share(table, total.launches, r->total);
    if (atlas_rat_ok(total.timed))
        atlas_table_number(table, total.timed, REPORT_MS_PLACES);
    else
        atlas_table_skip(table);
    atlas_table_number(table, report_ms(r, total.launches), r->ms_places);
    report_interval_cell(table, &total.bounds);
    if (g->uneven)
        report_interval_cell(table, &total.lasting);
    if (stage == g->model->stages->len)
        return;
    sums->launches = atlas_rat_add(sums->launches, report_printed(total.launches, REPORT_PLACES));
    sums->priced =
        atlas_rat_add(sums->priced, report_printed(report_ms(r, total.launches), r->ms_places));
}

/* How a total was formed, and whether its rows add up as they are printed. */
static void say_total(Report *r, const char *what, AtlasRat rows, AtlasRat total, guint places) {
    AtlasRat shown = report_printed(total, places);
    if (!atlas_rat_ok(rows) || !atlas_rat_ok(shown) || atlas_rat_cmp(rows, shown) == 0)
        return;
    g_autofree char *sum = report_number(rows, places), *is = report_number(shown, places);
    report_say(r, "%s: the rows, which are rounded, add up to %s, not %s. ", what, sum, is);
}

static void say_totals(Report *r, const Sums *sums) {
    const Ground *g = &r->ground;
    g_autofree char *us = report_number(r->of->launch_us, REPORT_PRICE_PLACES);
    if (g->run) {
        gint64 lo = 0, hi = 0;
        for (guint s = 0; s < g->model->stages->len; s++) {
            lo += g->run->sums[s].lo;
            hi += g->run->sums[s].hi;
        }
        if (lo == hi)
            report_say(r,
                       "Launches are what run '%s' counted; their total is the sum of the stages: "
                       "%" G_GINT64_FORMAT " launches in %" G_GINT64_FORMAT " steps. ",
                       g->run->run->name, lo, g->steps);
        else
            report_say(r,
                       "Launches are what run '%s' counted, as means that are rounded, or stated, "
                       "too coarsely to be exact; shares and ms are of the middle. ",
                       g->run->run->name);
    } else if (r->given) {
        report_say(r, "Launches are what the spec gives. ");
    } else {
        report_say(r, "No run counted every stage of the base: launches are one solution in whole "
                      "numbers, and shares and ms are of it. ");
    }
    if (g->uneven)
        report_say(r,
                   "Some launches run every few steps: in the long run, over whole periods of "
                   "%" G_GINT64_FORMAT " steps, they are as the last column says, which is what "
                   "atlas-sim predicts. ",
                   g->period);
    report_say(r, "%s is launches x %s us. ", r->price, us);
    say_total(r, "Launches", sums->launches, r->total, REPORT_PLACES);
    say_total(r, r->price, sums->priced, report_ms(r, r->total), r->ms_places);
    report_say_stage_times(r);
    report_end(r);
}

void report_stage_totals(Report *r) {
    g_autofree AtlasTableColumn *columns = report_columns(r, total_columns);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    Sums sums = {atlas_rat(0), atlas_rat(0)};
    for (guint s = 0; s <= r->ground.model->stages->len; s++)
        total_row(r, table, s, &sums);
    report_say(r, "## Stage totals\n\n");
    report_table(r, table);
    say_totals(r, &sums);
}

/* ---- method ---- */

static const AtlasTableColumn run_columns[] = {
    {"run", NULL, FALSE},     {"configuration", NULL, FALSE}, {"steps", NULL, TRUE},
    {"launches", NULL, TRUE}, {"counted", NULL, FALSE},       {"note", NULL, FALSE},
    {NULL, NULL, FALSE},
};

/* "all stages", "fwd, bwd", "total only". */
static char *stages_counted(const AtlasModel *model, const AtlasObservation *o) {
    g_autoptr(GString) names = g_string_new(NULL);
    guint known = 0;
    for (guint s = 0; s < model->stages->len; s++) {
        if (!o->sums[s].known)
            continue;
        known++;
        g_string_append_printf(names, "%s%s", names->len ? ", " : "", ATLAS_STAGE(model, s)->name);
    }
    return g_strdup(known == model->stages->len ? "all stages" : known ? names->str : "total only");
}

static void run_row(AtlasTable *table, const Ground *g, const AtlasObservation *o) {
    const AtlasRun *run = o->run;
    g_autofree char *stages = stages_counted(g->model, o);
    AtlasInterval total = ground_counted(g, o, g->model->stages->len);
    g_autofree char *settings = atlas_config_describe(o->config);
    atlas_table_row(table);
    atlas_table_text(table, "%s", run->name);
    atlas_table_text(table, "%s", settings);
    if (run->window_known)
        atlas_table_text(table, "%" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, run->window.first,
                         run->window.last);
    else
        atlas_table_text(table, "%" G_GINT64_FORMAT " steps", o->steps);
    if (total.lo_known)
        report_interval_cell(table, &total);
    else
        atlas_table_skip(table);
    atlas_table_text(table, "%s", stages);
    atlas_table_text(table, "%s%s%s%s", o->excluded ? "left out: " : "",
                     o->excluded ? o->excluded : "", o->excluded && *run->note ? "; " : "",
                     run->note);
}

static void say_recipe(Report *r) {
    const GArray *recipe = r->ground.model->spec->recipe;
    for (guint i = 0; recipe && i < recipe->len; i++) {
        const AtlasPair *pair = &g_array_index(recipe, AtlasPair, i);
        report_say(r, "%s %s=%s", i ? "," : "Recipe:", pair->key.text, pair->value.text);
    }
    report_say(r, recipe && recipe->len ? ". " : "");
}

const char *report_lag_source(const Report *r) {
    const AtlasStudy *study = r->ground.study;
    const AtlasSpecCounter *counter = study->model->spec->counter;
    const char *source = counter ? counter->source.text : NULL;
    if (atlas_rat_cmp(study->lag, study->model->lag) != 0)
        return "which was asked for, not the spec's";
    if (!source)
        return "which the spec gives without saying why";
    return g_str_equal(source, "assumed")    ? "which the spec assumes"
           : g_str_equal(source, "measured") ? "which was measured"
                                             : "which the study says";
}

static void say_lag(Report *r) {
    const AtlasStudy *study = r->ground.study;
    const AtlasSpecCounter *counter = study->model->spec->counter;
    g_autofree char *lag = report_number(study->lag, REPORT_PLACES);
    gboolean own = atlas_rat_cmp(study->lag, study->model->lag) == 0;
    report_say(r,
               "The counter is taken to lag: when a stage ends, up to %s launches can be enqueued "
               "and not yet counted; they are counted in the next stage. That is a lag %s",
               lag, report_lag_source(r));
    if (own && counter && counter->about.text) {
        g_autofree char *about = atlas_markdown_escape(counter->about.text, FALSE);
        report_say(r, ": %s", about);
    }
    report_say(r,
               ". All bounds rest on it. The least lag at which all runs can be explained together "
               "is %.2f. ",
               study->least_lag);
}

static void say_counter(Report *r) {
    const AtlasStudy *study = r->ground.study;
    if (study->lag.num == 0)
        report_say(r, "The counter is exact: lag 0. ");
    else
        say_lag(r);
    if (!study->point)
        report_say(r, "No whole numbers were found that explain all runs at this lag: there are "
                      "bounds only. ");
    else if (study->lag.num)
        report_say(r,
                   "The one solution in whole numbers that is shown needs %.2f; others may need "
                   "less. ",
                   study->point->lag);
    report_end(r);
}

/* What was never switched on is no measurement of nothing. */
static void say_never_on(Report *r) {
    g_autoptr(GPtrArray) names = report_never_on(r);
    for (guint i = 0; i < names->len; i++)
        report_say(r, "%s%s", i ? ", " : "Arms that no run switched on: ",
                   (const char *)g_ptr_array_index(names, i));
    if (names->len)
        report_say(r, ". They are off in the base, so that it launches none of theirs: that is "
                      "structure, not a measurement. What they would launch is unknown.\n\n");
}

void report_method(Report *r) {
    const AtlasStudy *study = r->ground.study;
    g_autoptr(AtlasTable) table = atlas_table_new(run_columns);
    report_say(r, "## Method and provenance\n\n");
    for (guint k = 0; k < study->evidence->observations->len; k++)
        run_row(table, &r->ground, atlas_evidence_get(study->evidence, k));
    if (study->evidence->observations->len)
        report_table(r, table);
    else
        report_say(r, "No run is given: counts are the spec's own.\n\n");
    say_recipe(r);
    if (study->evidence->observations->len)
        say_counter(r);
    say_never_on(r);
}
