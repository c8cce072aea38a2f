/* Sections about runs: where they come from, and what the base counted. */
#include "graphs/report_part.h"

/* ---- stage totals ---- */

static const AtlasTableColumn total_columns[] = {
    {"stage", NULL, FALSE},      {"launches", NULL, TRUE},   {"share", NULL, TRUE},
    {"ms as timed", NULL, TRUE}, {REPORT_PRICE, NULL, TRUE}, {"bounds", NULL, TRUE},
    {NULL, NULL, FALSE},
};

/* What the rows of a column add up to as they are printed. */
typedef struct {
    AtlasRat launches, priced, timed;
} Sums;

static AtlasLinear *stage_form(const Ground *g, guint stage) {
    g_autofree gboolean *in = g_new0(gboolean, g->model->populations->len + 1);
    for (guint i = 0; i < g->model->populations->len; i++)
        in[i] = stage == g->model->stages->len || ATLAS_POPULATION(g->model, i)->stage == stage;
    return ground_form(g, in);
}

static void total_row(Report *r, AtlasTable *table, guint stage, Sums *sums) {
    const Ground *g = &r->ground;
    guint n = g->model->stages->len;
    const char *name = stage < n ? ATLAS_STAGE(g->model, stage)->name : "total";
    AtlasLinear *form = stage_form(g, stage);
    AtlasInterval bounds = ground_bounds(g, form, g->steps);
    AtlasInterval mean = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    if (g->run)
        mean = ground_counted(g, g->run, stage);
    else
        mean.lo = mean.hi = ground_point(g, form, g->steps);
    atlas_linear_free(form, 1);
    AtlasRat launches = g->run ? interval_middle(&mean) : mean.lo;
    AtlasRat timed = stage < n ? report_time(g->run, name) : sums->timed;
    atlas_table_row(table);
    atlas_table_text(table, "%s", name);
    if (g->run)
        report_interval_cell(table, &mean);
    else
        atlas_table_number(table, launches, REPORT_PLACES);
    atlas_table_share(table, launches, r->total);
    if (atlas_rat_ok(timed))
        atlas_table_number(table, timed, REPORT_MS_PLACES);
    else
        atlas_table_skip(table);
    atlas_table_number(table, report_ms(r, launches), REPORT_MS_PLACES);
    report_interval_cell(table, &bounds);
    if (stage == n)
        return;
    sums->launches = atlas_rat_add(sums->launches, report_printed(launches, REPORT_PLACES));
    sums->priced =
        atlas_rat_add(sums->priced, report_printed(report_ms(r, launches), REPORT_MS_PLACES));
    sums->timed = atlas_rat_add(sums->timed, timed);
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
    g_autofree char *us = report_number(r->of->launch_us, REPORT_PLACES);
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
                       "Launches are what run '%s' counted, as means that are rounded too coarsely "
                       "to be exact. ",
                       g->run->run->name);
    } else {
        report_say(r, "No run counted every stage of the base: launches are one solution in whole "
                      "numbers. ");
    }
    report_say(r, "%s is launches x %s us. ", r->price, us);
    say_total(r, "Launches", sums->launches, r->total, REPORT_PLACES);
    say_total(r, r->price, sums->priced, report_ms(r, r->total), REPORT_MS_PLACES);
    if (atlas_rat_ok(sums->timed)) {
        AtlasRat each = atlas_rat_div(atlas_rat_mul(sums->timed, atlas_rat(1000)), r->total);
        g_autofree char *price = report_number(each, REPORT_PLACES);
        report_say(r, "As timed, a launch takes %s us in the mean. ", price);
    }
    report_end(r);
}

void report_stage_totals(Report *r) {
    g_autofree AtlasTableColumn *columns = report_columns(r, total_columns);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    Sums sums = {atlas_rat(0), atlas_rat(0), atlas_rat(0)};
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

static void say_counter(Report *r) {
    const AtlasStudy *study = r->ground.study;
    g_autofree char *lag = report_number(study->lag, REPORT_PLACES);
    if (study->lag.num == 0)
        report_say(r, "The counter is exact: lag 0. ");
    else
        report_say(r,
                   "The counter lags: when a stage ends, up to %s launches can be enqueued and not "
                   "yet counted; they are counted in the next stage. The least lag at which all "
                   "runs can be explained together is %.2f. ",
                   lag, study->least_lag);
    if (!study->point)
        report_say(r, "No whole numbers were found that explain all runs at this lag: there are "
                      "bounds only. ");
    else if (study->lag.num)
        report_say(r, "Whole numbers of launches that explain them need %.2f. ", study->point->lag);
    report_end(r);
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
}
