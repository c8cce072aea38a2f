#include "graphs/report.h"

#include "graphs/report_part.h"

static AtlasRat find_total(const Report *r) {
    const Ground *g = &r->ground;
    AtlasRat total = atlas_rat(0);
    if (g->run) {
        AtlasInterval counted = ground_counted(g, g->run, g->model->stages->len);
        return interval_middle(&counted);
    }
    for (guint i = 0; i < g->model->populations->len; i++)
        total = atlas_rat_add(total, ground_point(g, &g->forms[i], g->steps));
    return total;
}

void report_clear(Report *r) {
    g_free(r->price);
    report_marginals_free(r->marginals);
    if (r->ranked)
        g_array_unref(r->ranked);
    targets_free(r->targets);
    report_openness_clear(&r->openness);
    split_free(r->split);
    ground_clear(&r->ground);
}

/* What every solution allows of all that some populations launch. */
static AtlasInterval solve_total(const Ground *g, const AtlasLinear *forms, gint64 steps) {
    if (!forms)
        return (AtlasInterval){FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    AtlasLinear *all = ground_stage_form(g, forms, g->model->stages->len);
    AtlasInterval bounds = ground_bounds(g, all, steps);
    atlas_linear_free(all, 1);
    return bounds;
}

/* At least three digits of what the base costs. */
static guint find_ms_places(const Report *r) {
    enum { MOST = 9 };
    double ms = atlas_rat_double(report_ms(r, r->total));
    guint places = REPORT_MS_PLACES;
    for (; places < MOST && ms > 0 && ms < 10; ms *= 10)
        places++;
    return places;
}

static void find_totals(Report *r) {
    const Ground *g = &r->ground;
    AtlasInterval none = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    r->total = find_total(r);
    r->given = TRUE;
    for (guint i = 0; i < g->model->populations->len; i++)
        r->given = r->given && form_is_given(&g->forms[i]);
    r->counted = g->run ? ground_counted(g, g->run, g->model->stages->len) : none;
    r->bounds = solve_total(g, g->forms, g->steps);
    r->lasting = solve_total(g, g->lasting, g->period);
    g_autofree char *us = report_number(r->of->launch_us, REPORT_PRICE_PLACES);
    r->price = g_strdup_printf("ms at %s us", us);
    r->ms_places = find_ms_places(r);
    report_find_times(r);
}

gboolean report_init(Report *r, const AtlasReportOf *of, AtlasDiags *diags) {
    *r = (Report){.of = of};
    if (!ground_init(&r->ground, of->study, diags)) {
        ground_clear(&r->ground);
        return FALSE;
    }
    find_totals(r);
    r->split = split_new(&r->ground);
    r->by_measure = r->ground.run && r->split->exact;
    r->marginals = report_marginals(r);
    r->targets = targets_new(&r->ground);
    r->ranked = report_ranked(r);
    r->openness = report_openness(r);
    return TRUE;
}

char *atlas_report_markdown(const AtlasReportOf *of, AtlasDiags *diags) {
    Report r;
    if (!report_init(&r, of, diags))
        return NULL;
    r.out = g_string_new(NULL);
    report_headline(&r);
    report_method(&r);
    report_stage_totals(&r);
    report_marginal_table(&r);
    report_split(&r);
    report_open(&r);
    report_ranking(&r);
    report_roadmap(&r);
    report_slips(&r);
    report_clear(&r);
    g_string_truncate(r.out, r.out->len - 1); /* sections end with a blank line */
    return g_string_free(r.out, FALSE);
}
