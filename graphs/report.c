#include "graphs/report.h"

#include "graphs/report_part.h"
#include "model/base/markdown.h"

/* Parts and stages that the headline names. */
enum { GREATEST = 3 };

/* ---- headline ---- */

static void say_total(Report *r) {
    const Ground *g = &r->ground;
    g_autofree gboolean *all = g_new0(gboolean, g->model->populations->len + 1);
    for (guint i = 0; i < g->model->populations->len; i++)
        all[i] = TRUE;
    AtlasLinear *form = ground_form(g, all);
    AtlasInterval bounds = ground_bounds(g, form, g->steps);
    atlas_linear_free(form, 1);
    g_autofree char *solved = report_interval(&bounds);
    g_autofree char *ms = report_number(report_ms(r, r->total), REPORT_MS_PLACES);
    report_say(r, "- A step makes **%s** launches", solved);
    if (g->run) {
        g_autofree char *measured = report_number(r->total, REPORT_PLACES);
        report_say(r, "; run '%s' counted %s a step", g->run->run->name, measured);
        if (g->run->run->window_known)
            report_say(r, " over steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, g->window.first,
                       g->window.last);
    }
    if (atlas_rat_ok(r->total)) {
        g_autofree char *us = report_number(r->of->launch_us, REPORT_PLACES);
        report_say(r, ". At %s us a launch that is %s ms of the host's time", us, ms);
    }
    report_say(r, ".\n");
}

static void say_greatest(Report *r) {
    for (guint i = 0; i < MIN(r->ranked->len, GREATEST); i++) {
        const ReportRanked *part = &g_array_index(r->ranked, ReportRanked, i);
        g_autofree char *name = report_cell_name(r, part->cell);
        g_autofree char *launches = report_number(part->launches, REPORT_PLACES);
        g_autofree char *share = report_percent(part->launches, r->total);
        g_autofree char *bounds = report_interval(&part->bounds);
        report_say(r, "%s  - %s: ", i ? "" : "- The greatest parts:\n", name);
        if (atlas_rat_ok(part->launches))
            report_say(r, "%s (%s), ", launches, share);
        if (r->by_measure) {
            g_autofree char *how =
                formula_text(&r->ground, g_ptr_array_index(part->cell->formulas, 0));
            report_say(r, "measured as %s of %s, ",
                       ATLAS_STAGE(r->ground.model, part->cell->stage)->name, how);
        }
        report_say(r, "solved %s\n", bounds);
    }
}

/* Runs by what they take away or add, as measured. */
static void say_changes(Report *r) {
    guint n = r->ground.model->stages->len, said = 0;
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        AtlasRat change = interval_middle(&m->measured[n]);
        if (!m->run || !atlas_rat_ok(change) || r->total.num == 0)
            continue;
        g_autofree char *number = report_number(change, REPORT_PLACES);
        g_autofree char *share = report_percent(change, r->total);
        report_say(r, "%s%s %s%s (%s)", said++ ? ", " : "- Against the base: ", m->name,
                   change.num > 0 ? "+" : "", number, share);
    }
    report_say(r, said ? ". These overlap: they do not add up.\n" : "");
}

static void say_claims(Report *r) {
    const AtlasResult *claims = r->of->claims;
    g_autofree char *of = claims ? atlas_markdown_escape(r->of->claims_of, FALSE) : NULL;
    if (claims)
        report_say(r,
                   "- Of %u statements of \"%s\", %u do not hold and %u are left open by the runs: "
                   "see Slips.\n",
                   claims->checks->len, of, atlas_result_count(claims, ATLAS_FAIL),
                   atlas_result_count(claims, ATLAS_INCONCLUSIVE));
}

static void say_headline(Report *r) {
    const AtlasSpec *spec = r->ground.model->spec;
    AtlasInterval captured;
    AtlasRat graphs;
    report_say(r, "# %s: where the launches of a step come from\n\n", r->ground.model->name);
    if (spec->about.text) {
        g_autofree char *about = atlas_markdown_escape(spec->about.text, FALSE);
        report_say(r, "%s\n\n", about);
    }
    report_say(r, "Figures are launches a step. What was measured is the mean of what a run "
                  "counted. Bounds are solved: no launches that explain all runs together lie "
                  "outside of them. What neither tells is unknown.\n\n## Headline\n\n");
    say_total(r);
    say_greatest(r);
    say_changes(r);
    if (report_ceiling(r, &captured, &graphs)) {
        g_autofree char *launches = report_interval(&captured);
        g_autofree char *left = report_number(graphs, REPORT_PLACES);
        report_say(r,
                   "- A ceiling for graphs: the %s launches as %s graph launch%s a step, one for "
                   "each run of launches that nothing on the host parts (see Merge roadmap).\n",
                   launches, left, g_str_equal(left, "1") ? "" : "es");
    }
    say_claims(r);
    report_say(r, "\n");
}

/* ---- life cycle ---- */

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

static void clear(Report *r) {
    g_free(r->price);
    report_marginals_free(r->marginals);
    if (r->ranked)
        g_array_unref(r->ranked);
    targets_free(r->targets);
    split_free(r->split);
    ground_clear(&r->ground);
}

/* FALSE, with everything cleared, if the spec makes no sense. */
static gboolean init(Report *r, const AtlasReportOf *of, AtlasDiags *diags) {
    *r = (Report){.of = of};
    if (!ground_init(&r->ground, of->study, diags)) {
        ground_clear(&r->ground);
        return FALSE;
    }
    r->split = split_new(&r->ground);
    r->total = find_total(r);
    r->by_measure = r->ground.run && r->split->exact;
    g_autofree char *us = report_number(of->launch_us, REPORT_PLACES);
    r->price = g_strdup_printf("ms at %s us", us);
    r->marginals = report_marginals(r);
    return TRUE;
}

char *atlas_report_markdown(const AtlasReportOf *of, AtlasDiags *diags) {
    Report r;
    if (!init(&r, of, diags))
        return NULL;
    r.out = g_string_new(NULL);
    r.targets = targets_new(&r.ground);
    r.ranked = report_ranked(&r);
    say_headline(&r);
    report_method(&r);
    report_stage_totals(&r);
    report_marginal_table(&r);
    report_split(&r);
    report_open(&r);
    report_ranking(&r);
    report_roadmap(&r);
    report_slips(&r);
    clear(&r);
    g_string_truncate(r.out, r.out->len - 1); /* sections end with a blank line */
    return g_string_free(r.out, FALSE);
}

/* ---- TSV ---- */

static const AtlasTableColumn tsv_columns[] = {
    {NULL, "section", FALSE}, {NULL, "name", FALSE}, {NULL, "stage", FALSE},
    {NULL, "launches", TRUE}, {NULL, "lo", TRUE},    {NULL, "hi", TRUE},
    {NULL, "ms", TRUE},       {NULL, "share", TRUE}, {NULL, "how", FALSE},
    {NULL, NULL, FALSE},
};

static void tsv_row(AtlasTable *table, const char *section, const char *name, const char *stage,
                    AtlasRat launches, const AtlasInterval *bounds, AtlasRat ms, AtlasRat share,
                    const char *how) {
    atlas_table_row(table);
    atlas_table_text(table, "%s", section);
    atlas_table_text(table, "%s", name);
    atlas_table_text(table, "%s", stage);
    atlas_table_number(table, launches, REPORT_PLACES);
    atlas_table_number(table, bounds->lo_known ? bounds->lo : ATLAS_RAT_NONE, REPORT_PLACES);
    atlas_table_number(table, bounds->hi_known ? bounds->hi : ATLAS_RAT_NONE, REPORT_PLACES);
    atlas_table_number(table, ms, REPORT_PLACES);
    atlas_table_number(table, share, REPORT_PLACES);
    atlas_table_text(table, "%s", how);
}

static const char *stage_name(const AtlasModel *model, guint stage) {
    return stage < model->stages->len ? ATLAS_STAGE(model, stage)->name : "total";
}

static void tsv_runs(const Report *r, AtlasTable *table) {
    const Ground *g = &r->ground;
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        AtlasRat ms = atlas_rat(0);
        for (guint s = 0; s <= g->model->stages->len; s++) {
            const char *stage = stage_name(g->model, s);
            AtlasInterval mean = ground_counted(g, o, s);
            AtlasRat launches = interval_middle(&mean);
            AtlasRat time = s < g->model->stages->len ? report_time(o, stage) : ms;
            ms = atlas_rat_add(ms, time);
            if (atlas_rat_ok(launches) || atlas_rat_ok(time))
                tsv_row(table, "runs", o->run->name, stage, launches, &mean, time, ATLAS_RAT_NONE,
                        o->excluded ? o->excluded : "");
        }
    }
}

static void tsv_marginals(const Report *r, AtlasTable *table) {
    guint n = r->ground.model->stages->len;
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        for (guint s = 0; s <= n; s++) {
            AtlasRat change = interval_middle(&m->measured[s]);
            tsv_row(table, "marginals", m->name, stage_name(r->ground.model, s), change,
                    &m->solved[s], ATLAS_RAT_NONE, atlas_rat_div(change, r->total),
                    m->run ? "" : "not measured");
        }
    }
}

static void tsv_split(const Report *r, AtlasTable *table) {
    for (guint i = 0; i < r->split->cells->len; i++) {
        const SplitCell *cell = g_ptr_array_index(r->split->cells, i);
        g_autofree char *name = report_set_name(&r->ground, cell->in), *how = NULL;
        AtlasInterval bounds = ground_bounds(&r->ground, cell->form, cell->steps);
        AtlasRat launches = split_measured(cell);
        if (!cell->shown)
            continue;
        if (cell->formulas->len)
            how = formula_text(&r->ground, g_ptr_array_index(cell->formulas, 0));
        tsv_row(table, "split", name, ATLAS_STAGE(r->ground.model, cell->stage)->name, launches,
                &bounds, ATLAS_RAT_NONE, atlas_rat_div(launches, r->total), how ? how : "");
    }
}

char *atlas_report_tsv(const AtlasReportOf *of, AtlasDiags *diags) {
    Report r;
    if (!init(&r, of, diags))
        return NULL;
    g_autoptr(AtlasTable) table = atlas_table_new(tsv_columns);
    tsv_runs(&r, table);
    tsv_marginals(&r, table);
    tsv_split(&r, table);
    clear(&r);
    return atlas_table_render_tsv(table);
}
