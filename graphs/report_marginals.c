/* What each run changes, against the base: measured, and solved. */
#include "graphs/report_part.h"

/* What every solution allows of the difference between two forms, each over its own steps. */
static AtlasInterval solve_difference(const Ground *g, const AtlasLinear *form, gint64 form_steps,
                                      const AtlasLinear *base) {
    AtlasInterval none = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    gint64 steps = atlas_lcm(form_steps, g->steps);
    if (steps % form_steps != 0 || steps % g->steps != 0)
        return none; /* it does not fit */
    AtlasLinear *difference = atlas_linear_new(g->model->unknowns->len, 1);
    atlas_linear_add(difference, form, atlas_rat(steps / form_steps));
    atlas_linear_add(difference, base, atlas_rat(-(steps / g->steps)));
    AtlasInterval bounds = ground_bounds(g, difference, steps);
    atlas_linear_free(difference, 1);
    return bounds;
}

/* Fills in what is solved, from the forms of each stage. */
static void solve(const Ground *g, const AtlasLinear *stages, gint64 steps, AtlasInterval *solved) {
    guint n = g->model->stages->len;
    AtlasLinear *all = atlas_linear_new(g->model->unknowns->len, 2); /* this one's, the base's */
    for (guint s = 0; s <= n; s++) {
        AtlasLinear *base = atlas_linear_new(g->model->unknowns->len, 1);
        for (guint i = 0; i < g->model->populations->len; i++)
            if (ATLAS_POPULATION(g->model, i)->stage == s)
                atlas_linear_add(base, &g->forms[i], atlas_rat(1));
        solved[s] = s < n ? solve_difference(g, &stages[s], steps, base)
                          : solve_difference(g, &all[0], steps, &all[1]);
        if (s < n) {
            atlas_linear_add(&all[0], &stages[s], atlas_rat(1));
            atlas_linear_add(&all[1], base, atlas_rat(1));
        }
        atlas_linear_free(base, 1);
    }
    atlas_linear_free(all, 2);
}

static void measure(const Ground *g, const AtlasObservation *o, AtlasInterval *measured) {
    guint n = g->model->stages->len;
    for (guint s = 0; s <= n; s++) {
        AtlasInterval base = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
        measured[s] = base;
        if (!o || !g->run)
            continue;
        measured[s] = ground_counted(g, o, s);
        base = ground_counted(g, g->run, s);
        interval_add(&measured[s], &base, atlas_rat(-1));
    }
}

static void add_marginal(const Ground *g, GArray *marginals, const char *name,
                         const AtlasObservation *run, const AtlasLinear *stages, gint64 steps) {
    guint n = g->model->stages->len;
    ReportMarginal m = {name, run, g_new0(AtlasInterval, n + 1), g_new0(AtlasInterval, n + 1)};
    measure(g, run, m.measured);
    solve(g, stages, steps, m.solved);
    g_array_append_val(marginals, m);
}

static gboolean was_measured(const Ground *g, const AtlasConfig *config) {
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        if (!o->excluded && atlas_config_equal(o->config, config))
            return TRUE;
    }
    return FALSE;
}

/* A toggle that no run measured, over one period; one that makes no sense is left out. */
static void add_toggle(const Ground *g, GArray *marginals, guint toggle) {
    const AtlasToggle *t = ATLAS_TOGGLE(g->model, toggle);
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(g->model);
    AtlasText name = {t->name, t->spec->name.at};
    AtlasWalkFault fault;
    atlas_config_apply(config, &name, ignored);
    atlas_config_finish(config, ignored);
    gint64 period = atlas_diags_errors(ignored) ? 0 : atlas_walk_period(config, &fault);
    AtlasLinear *stages = period ? atlas_walk_linear_stages(config, 0, period - 1, &fault) : NULL;
    if (stages && !was_measured(g, config) && !atlas_config_equal(config, g->base))
        add_marginal(g, marginals, t->name, NULL, stages, period);
    atlas_linear_free(stages, g->model->stages->len);
}

GArray *report_marginals(const Report *r) {
    const Ground *g = &r->ground;
    GArray *marginals = g_array_new(FALSE, FALSE, sizeof(ReportMarginal));
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        if (!o->excluded && !atlas_config_equal(o->config, g->base))
            add_marginal(g, marginals, o->run->name, o, o->stages, o->steps);
    }
    for (guint i = 0; i < g->model->toggles->len; i++)
        add_toggle(g, marginals, i);
    return marginals;
}

void report_marginals_free(GArray *marginals) {
    for (guint i = 0; marginals && i < marginals->len; i++) {
        g_free(g_array_index(marginals, ReportMarginal, i).measured);
        g_free(g_array_index(marginals, ReportMarginal, i).solved);
    }
    if (marginals)
        g_array_unref(marginals);
}

static void change_row(AtlasTable *table, const char *name, const char *what,
                       const AtlasInterval *changes, guint stages) {
    atlas_table_row(table);
    atlas_table_text(table, "%s", name);
    atlas_table_text(table, "%s", what);
    for (guint s = 0; s <= stages; s++) {
        if (!changes[s].lo_known && !changes[s].hi_known)
            atlas_table_number(table, ATLAS_RAT_NONE, 0);
        else
            report_change_cell(table, &changes[s]);
    }
}

/* A measured difference that no solution has: it holds launches of a neighbour stage. */
static gboolean is_smear(const AtlasInterval *measured, const AtlasInterval *solved) {
    return (measured->lo_known && solved->hi_known &&
            atlas_rat_cmp(measured->lo, solved->hi) > 0) ||
           (measured->hi_known && solved->lo_known && atlas_rat_cmp(measured->hi, solved->lo) < 0);
}

static void say_smear(Report *r) {
    const AtlasModel *model = r->ground.model;
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        for (guint s = 0; s <= model->stages->len; s++) {
            if (!is_smear(&m->measured[s], &m->solved[s]))
                continue;
            g_autofree char *got = report_interval(&m->measured[s]);
            g_autofree char *can = report_interval(&m->solved[s]);
            g_string_append_printf(list, "%s%s %s %s%s (solved %s)", list->len ? "; " : "", m->name,
                                   s < model->stages->len ? ATLAS_STAGE(model, s)->name : "total",
                                   m->measured[s].lo.num > 0 ? "+" : "", got, can);
        }
    }
    if (list->len)
        report_say(r,
                   "Smear, which the counter moved from one stage or step into another and no "
                   "solution has: %s.\n\n",
                   list->str);
    else if (r->marginals->len && r->ground.run)
        report_say(r, "No measured difference lies outside of what is solved.\n\n");
}

void report_marginal_table(Report *r) {
    const AtlasModel *model = r->ground.model;
    guint n = model->stages->len, c = 0;
    g_autofree AtlasTableColumn *columns = g_new0(AtlasTableColumn, n + 5);
    columns[c++] = (AtlasTableColumn){"run", NULL, FALSE};
    columns[c++] = (AtlasTableColumn){"difference", NULL, FALSE};
    for (guint i = 0; i < n; i++)
        columns[c++] = (AtlasTableColumn){ATLAS_STAGE(model, i)->name, NULL, TRUE};
    columns[c++] = (AtlasTableColumn){"total", NULL, TRUE};
    columns[c++] = (AtlasTableColumn){"of base", NULL, TRUE};
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    gboolean toggles = FALSE;
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        if (m->run && r->ground.run) {
            change_row(table, m->name, "measured", m->measured, n);
            atlas_table_share(table, interval_middle(&m->measured[n]), r->total);
        }
        toggles = toggles || !m->run;
        change_row(table, m->run && r->ground.run ? "" : m->name, "solved", m->solved, n);
        if (interval_single(&m->solved[n]) || !(m->run && r->ground.run))
            atlas_table_share(table, interval_middle(&m->solved[n]), r->total);
    }
    report_say(r, "## What each run changes\n\n");
    if (r->marginals->len == 0) {
        report_say(r, "No run or toggle changes the base.\n\n");
        return;
    }
    report_say(r,
               "Each run less the base run: measured, and as all runs together allow it (solved)."
               "%s The rows overlap, so they do not add up: what two settings both switch off "
               "counts for each.\n\n",
               toggles ? " What has no measured row is a toggle that no run tried." : "");
    report_table(r, table);
    say_smear(r);
}
