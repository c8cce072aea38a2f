/* What each run changes, against the base: measured, and solved. */
#include "graphs/report_part.h"

/* What every solution allows of the difference between two forms, each over its own steps. */
static AtlasInterval solve_difference(const Ground *g, const AtlasLinear *form, gint64 form_steps,
                                      const AtlasLinear *base, gint64 base_steps) {
    AtlasInterval none = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    gint64 steps = atlas_lcm(form_steps, base_steps);
    if (steps % form_steps != 0 || steps % base_steps != 0)
        return none; /* it does not fit */
    AtlasLinear *difference = atlas_linear_new(g->model->unknowns->len, 1);
    atlas_linear_add(difference, form, atlas_rat(steps / form_steps));
    atlas_linear_add(difference, base, atlas_rat(-(steps / base_steps)));
    AtlasInterval bounds = ground_bounds(g, difference, steps);
    atlas_linear_free(difference, 1);
    return bounds;
}

/* Of each stage, then of the total, against the base's populations over some steps. The caller
 * frees it. */
static AtlasInterval *solve(const Ground *g, const AtlasLinear *stages, gint64 steps,
                            const AtlasLinear *base, gint64 base_steps) {
    guint n = g->model->stages->len;
    AtlasInterval *solved = g_new0(AtlasInterval, n + 1);
    AtlasLinear *all = atlas_linear_new(g->model->unknowns->len, 2); /* this one's, the base's */
    for (guint s = 0; s < n; s++) {
        AtlasLinear *own = ground_stage_form(g, base, s);
        solved[s] = solve_difference(g, &stages[s], steps, own, base_steps);
        atlas_linear_add(&all[0], &stages[s], atlas_rat(1));
        atlas_linear_add(&all[1], own, atlas_rat(1));
        atlas_linear_free(own, 1);
    }
    solved[n] = solve_difference(g, &all[0], steps, &all[1], base_steps);
    atlas_linear_free(all, 2);
    return solved;
}

/* The same in the long run, over whole periods of both. NULL where nothing is known of it. */
static AtlasInterval *solve_lasting(const Ground *g, const AtlasConfig *config, gint64 *period) {
    AtlasWalkFault fault;
    *period = atlas_walk_period(config, &fault);
    AtlasLinear *stages =
        *period && g->lasting ? atlas_walk_linear_stages(config, 0, *period - 1, &fault) : NULL;
    if (!stages)
        return NULL;
    AtlasInterval *lasting = solve(g, stages, *period, g->lasting, g->period);
    atlas_linear_free(stages, g->model->stages->len);
    return lasting;
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

/* What a run changes: over its own steps, and, where that is something else, in the long run. */
static void add_run(const Ground *g, GArray *marginals, const AtlasObservation *o) {
    guint n = g->model->stages->len;
    gint64 period;
    ReportMarginal m = {.name = o->run->name, .run = o, .measured = g_new0(AtlasInterval, n + 1)};
    gboolean same = TRUE;
    measure(g, o, m.measured);
    m.solved = solve(g, o->stages, o->steps, g->forms, g->steps);
    m.lasting = solve_lasting(g, o->config, &period);
    for (guint s = 0; m.lasting && s <= n; s++)
        same = same && interval_equal(&m.solved[s], &m.lasting[s]);
    if (same)
        g_clear_pointer(&m.lasting, g_free);
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

/* A toggle that no run measured; one that makes no sense is left out. */
static void add_toggle(const Ground *g, GArray *marginals, guint toggle) {
    g_autoptr(AtlasConfig) config = ground_toggle(g, toggle);
    gint64 period;
    if (!config || was_measured(g, config) || atlas_config_equal(config, g->base))
        return;
    ReportMarginal m = {.name = ATLAS_TOGGLE(g->model, toggle)->name,
                        .lasting = solve_lasting(g, config, &period)};
    if (!m.lasting)
        return;
    m.measured = g_new0(AtlasInterval, g->model->stages->len + 1);
    if (period == 1 && !g->uneven) /* any steps are as good */
        m.solved = g_steal_pointer(&m.lasting);
    g_array_append_val(marginals, m);
}

GArray *report_marginals(const Report *r) {
    const Ground *g = &r->ground;
    GArray *marginals = g_array_new(FALSE, FALSE, sizeof(ReportMarginal));
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        if (!o->excluded && !atlas_config_equal(o->config, g->base))
            add_run(g, marginals, o);
    }
    for (guint i = 0; i < g->model->toggles->len; i++)
        add_toggle(g, marginals, i);
    return marginals;
}

void report_marginals_free(GArray *marginals) {
    for (guint i = 0; marginals && i < marginals->len; i++) {
        g_free(g_array_index(marginals, ReportMarginal, i).measured);
        g_free(g_array_index(marginals, ReportMarginal, i).solved);
        g_free(g_array_index(marginals, ReportMarginal, i).lasting);
    }
    if (marginals)
        g_array_unref(marginals);
}

const AtlasInterval *report_lasting(const ReportMarginal *m) {
    return m->lasting ? m->lasting : m->solved;
}

/* ---- the table ---- */

/* `of` is what the total is a share of. */
static void change_row(AtlasTable *table, const char *name, const char *what,
                       const AtlasInterval *changes, guint stages, const AtlasInterval *of) {
    atlas_table_row(table);
    atlas_table_text(table, "%s", name);
    atlas_table_text(table, "%s", what);
    for (guint s = 0; s <= stages; s++) {
        if (!changes[s].lo_known && !changes[s].hi_known)
            atlas_table_number(table, ATLAS_RAT_NONE, 0);
        else
            report_change_cell(table, &changes[s]);
    }
    g_autofree char *share = report_share_text(&changes[stages], of);
    atlas_table_text(table, "%s", share);
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
    gboolean any = FALSE;
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        any = any || m->run;
        for (guint s = 0; m->run && s <= model->stages->len; s++) {
            if (!is_smear(&m->measured[s], &m->solved[s]))
                continue;
            g_autofree char *got = report_interval(&m->measured[s]);
            g_autofree char *can = report_interval(&m->solved[s]);
            g_string_append_printf(list, "%s%s %s %s%s (solved %s)", list->len ? "; " : "", m->name,
                                   report_stage(r, s), m->measured[s].lo.num > 0 ? "+" : "", got,
                                   can);
        }
    }
    if (list->len)
        report_say(r,
                   "Smear, which the counter moved from one stage or step into another and no "
                   "solution has: %s.\n\n",
                   list->str);
    else if (any && r->ground.run)
        report_say(r, "No measured difference lies outside of what is solved.\n\n");
}

/* The rows of one run or toggle: as many as it has figures of. */
static void change_rows(const Report *r, AtlasTable *table, const ReportMarginal *m) {
    guint n = r->ground.model->stages->len;
    const char *name = m->name;
    if (m->run && r->ground.run) {
        change_row(table, name, "measured", m->measured, n, &r->counted);
        name = "";
    }
    if (m->solved) {
        change_row(table, name, "solved", m->solved, n, &r->bounds);
        name = "";
    }
    if (m->lasting)
        change_row(table, name, "long run", m->lasting, n, &r->lasting);
}

static void say_what(Report *r) {
    gboolean toggles = FALSE, lasting = FALSE;
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        toggles = toggles || !m->run;
        lasting = lasting || m->lasting;
    }
    report_say(r,
               "Each run less the base run: measured, and as all runs together allow it (solved), "
               "over the steps that were measured. ");
    if (lasting)
        report_say(r, "What runs every few steps makes the long run, over whole periods, another "
                      "mean: that is what atlas-sim predicts. ");
    if (toggles)
        report_say(r, "What has no measured row is a toggle that no run tried. ");
    report_say(r, "The rows overlap, so they do not add up: what two settings both switch off "
                  "counts for each.\n\n");
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
    for (guint i = 0; i < r->marginals->len; i++)
        change_rows(r, table, &g_array_index(r->marginals, ReportMarginal, i));
    report_say(r, "## What each run changes\n\n");
    if (r->marginals->len == 0) {
        report_say(r, "No run or toggle changes the base.\n\n");
        return;
    }
    say_what(r);
    report_table(r, table);
    say_smear(r);
}
