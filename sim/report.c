#include "sim/report.h"

#include <math.h>

/* Decimals that people see: counts over a window of ten steps have one, over four steps two. */
enum { PLACES = 2 };

void atlas_launch_us(AtlasCli *cli, const char *value, AtlasRat *launch_us) {
    enum { MOST = 1000000 };
    AtlasText text;
    atlas_cli_number(cli, "--launch-us", value, launch_us);
    if (!atlas_rat_ok(*launch_us) || atlas_rat_cmp(*launch_us, atlas_rat(MOST)) <= 0 ||
        !atlas_cli_text(cli, "--launch-us", value, &text))
        return;
    atlas_diags_error(cli->diags, text.at, "a launch of '%s' microseconds is more than a second",
                      value);
    atlas_diags_hint(cli->diags,
                     "the host's time of one launch is some microseconds: %d is the "
                     "default",
                     ATLAS_LAUNCH_US);
}

static const AtlasTableColumn stage_columns[] = {
    {"stage", "stage", FALSE},
    {"launches", "launches", TRUE},
    {"bounds", NULL, TRUE},
    {NULL, "lo", TRUE},
    {NULL, "hi", TRUE},
    {"vs base", "delta", TRUE},
    {NULL, "delta_lo", TRUE},
    {NULL, "delta_hi", TRUE},
    {"share", "share", TRUE},
    {"host ms", "host_ms", TRUE},
    {"measured", "measured", TRUE},
    {NULL, NULL, FALSE},
};

/* The two ends, for programs. */
static void end_cells(AtlasTable *table, const AtlasInterval *bounds) {
    atlas_table_number(table, bounds->lo_known ? bounds->lo : ATLAS_RAT_NONE, PLACES);
    atlas_table_number(table, bounds->hi_known ? bounds->hi : ATLAS_RAT_NONE, PLACES);
}

static void bounds_cells(AtlasTable *table, const AtlasInterval *bounds) {
    g_autofree char *text = atlas_interval_text(bounds);
    atlas_table_text(table, "%s", text);
    end_cells(table, bounds);
}

static void stage_row(AtlasTable *table, const AtlasPredicted *p, const AtlasPredicted *total,
                      AtlasRat launch_us) {
    AtlasRat ms = atlas_rat_div(atlas_rat_mul(p->launches, launch_us), atlas_rat(1000));
    atlas_table_row(table);
    atlas_table_text(table, "%s", p->name);
    atlas_table_number(table, p->launches, PLACES);
    bounds_cells(table, &p->bounds);
    atlas_table_signed(table, p->delta, PLACES);
    end_cells(table, &p->delta_bounds);
    atlas_table_share(table, p->launches, total->launches);
    atlas_table_number(table, ms, 1);
    if (atlas_rat_ok(p->measured))
        atlas_table_number(table, p->measured, PLACES);
}

AtlasTable *atlas_report_stages(const AtlasPrediction *prediction, AtlasRat launch_us) {
    AtlasTable *table = atlas_table_new(stage_columns);
    for (guint i = 0; i < prediction->stages->len; i++)
        stage_row(table, &g_array_index(prediction->stages, AtlasPredicted, i), &prediction->total,
                  launch_us);
    atlas_table_rule(table);
    stage_row(table, &prediction->total, &prediction->total, launch_us);
    return table;
}

static const AtlasTableColumn population_columns[] = {
    {"population", "population", FALSE},
    {"launches", "launches", TRUE},
    {"bounds", NULL, TRUE},
    {NULL, "lo", TRUE},
    {NULL, "hi", TRUE},
    {"width", "width", TRUE},
    {"share", "share", TRUE},
    {NULL, NULL, FALSE},
};

AtlasTable *atlas_report_populations(const AtlasPrediction *prediction) {
    AtlasTable *table = atlas_table_new(population_columns);
    for (guint i = 0; i < prediction->populations->len; i++) {
        const AtlasPredicted *p = &g_array_index(prediction->populations, AtlasPredicted, i);
        AtlasRat width = p->bounds.lo_known && p->bounds.hi_known
                             ? atlas_rat_sub(p->bounds.hi, p->bounds.lo)
                             : ATLAS_RAT_NONE;
        if (p->bounds.lo_known && p->bounds.hi_known && p->bounds.hi.num == 0)
            continue; /* not there under this configuration */
        atlas_table_row(table);
        atlas_table_text(table, "%s", p->name);
        atlas_table_number(table, p->launches, PLACES);
        bounds_cells(table, &p->bounds);
        atlas_table_number(table, width, PLACES);
        atlas_table_share(table, p->launches, prediction->total.launches);
    }
    return table;
}

AtlasTableColumn *atlas_report_marginal_columns(const AtlasModel *model) {
    guint stages = model->stages->len, n = 0;
    AtlasTableColumn *columns = g_new0(AtlasTableColumn, stages + 4);
    columns[n++] = (AtlasTableColumn){"toggle", NULL, FALSE};
    for (guint i = 0; i < stages; i++)
        columns[n++] = (AtlasTableColumn){ATLAS_STAGE(model, i)->name, NULL, TRUE};
    columns[n++] = (AtlasTableColumn){"total", NULL, TRUE};
    columns[n++] = (AtlasTableColumn){"of base", NULL, TRUE};
    return columns;
}

AtlasTable *atlas_report_marginals(const AtlasModel *model, const GPtrArray *predictions,
                                   const AtlasTableColumn *columns) {
    AtlasTable *table = atlas_table_new(columns);
    for (guint i = 0; i < predictions->len; i++) {
        const AtlasPrediction *p = g_ptr_array_index(predictions, i);
        if (!p)
            continue;
        atlas_table_row(table);
        atlas_table_text(table, "%s", ATLAS_TOGGLE(model, i)->name);
        for (guint j = 0; j < p->stages->len; j++)
            atlas_table_signed(table, g_array_index(p->stages, AtlasPredicted, j).delta, PLACES);
        atlas_table_signed(table, p->total.delta, PLACES);
        atlas_table_share(table, p->total.delta, atlas_rat_sub(p->total.launches, p->total.delta));
    }
    return table;
}

static const AtlasTableColumn marginal_row_columns[] = {
    {NULL, "toggle", FALSE}, {NULL, "stage", FALSE},   {NULL, "delta", TRUE}, {NULL, "lo", TRUE},
    {NULL, "hi", TRUE},      {NULL, "launches", TRUE}, {NULL, NULL, FALSE},
};

static void marginal_row(AtlasTable *table, const char *toggle, const AtlasPredicted *p) {
    atlas_table_row(table);
    atlas_table_text(table, "%s", toggle);
    atlas_table_text(table, "%s", p->name);
    atlas_table_number(table, p->delta, PLACES);
    end_cells(table, &p->delta_bounds);
    atlas_table_number(table, p->launches, PLACES);
}

AtlasTable *atlas_report_marginal_rows(const AtlasModel *model, const GPtrArray *predictions) {
    AtlasTable *table = atlas_table_new(marginal_row_columns);
    for (guint i = 0; i < predictions->len; i++) {
        const AtlasPrediction *p = g_ptr_array_index(predictions, i);
        const char *toggle = ATLAS_TOGGLE(model, i)->name;
        for (guint j = 0; p && j < p->stages->len; j++)
            marginal_row(table, toggle, &g_array_index(p->stages, AtlasPredicted, j));
        if (p)
            marginal_row(table, toggle, &p->total);
    }
    return table;
}

static const AtlasTableColumn leave_columns[] = {
    {"run", "run", FALSE},
    {"stage", "stage", FALSE},
    {"predicted", "predicted", TRUE},
    {"reading", NULL, TRUE},
    {NULL, "lo", TRUE},
    {NULL, "hi", TRUE},
    {"measured", "measured", TRUE},
    {"verdict", "verdict", FALSE},
    {"lag w/o", "least_lag_of_others", TRUE},
    {NULL, NULL, FALSE},
};

/* A reading that is known as an interval only may be any of it. */
static const char *verdict(const AtlasInterval *reading, const AtlasSum *measured) {
    if ((reading->hi_known && atlas_rat_cmp(atlas_rat(measured->lo), reading->hi) > 0) ||
        (reading->lo_known && atlas_rat_cmp(atlas_rat(measured->hi), reading->lo) < 0))
        return "outside";
    return reading->hi_known && reading->lo_known ? "within" : "undecided";
}

static void leave_row(AtlasTable *table, const AtlasObservation *o, const AtlasLeftOut *left,
                      guint index, const AtlasSum *sum, const char *stage) {
    AtlasRat scale = atlas_rat_make(1, o->steps), launches = ATLAS_RAT_NONE;
    AtlasInterval reading = {FALSE, FALSE, ATLAS_RAT_NONE, ATLAS_RAT_NONE};
    const char *says = "undecided";
    if (left->feasible) {
        reading = left->readings[index];
        says = verdict(&reading, sum);
        reading.lo = atlas_rat_mul(reading.lo, scale);
        reading.hi = atlas_rat_mul(reading.hi, scale);
        if (left->launches && reading.hi_known)
            launches = atlas_rat_mul(left->launches[index], scale);
    }
    atlas_table_row(table);
    atlas_table_text(table, "%s", o->run->name);
    atlas_table_text(table, "%s", stage);
    atlas_table_number(table, launches, PLACES);
    bounds_cells(table, &reading);
    atlas_table_number(table, atlas_rat_mul(atlas_sum_middle(sum), scale), PLACES);
    atlas_table_text(table, "%s", says);
    atlas_table_number(table, atlas_rat_make((gint64)llround(left->least_lag * 100), 100), PLACES);
}

AtlasTable *atlas_report_leave_one_out(const AtlasStudy *study) {
    AtlasTable *table = atlas_table_new(leave_columns);
    guint n = study->model->stages->len;
    gboolean first = TRUE;
    for (guint i = 0; i < study->evidence->observations->len; i++) {
        const AtlasObservation *o = atlas_evidence_get(study->evidence, i);
        if (o->excluded)
            continue;
        g_autoptr(AtlasLeftOut) left = atlas_leave_out(study->evidence, i, study->lag);
        if (!first)
            atlas_table_rule(table);
        first = FALSE;
        for (guint j = 0; j < n; j++)
            if (o->sums[j].known)
                leave_row(table, o, left, j, &o->sums[j], ATLAS_STAGE(study->model, j)->name);
        if (o->total.known)
            leave_row(table, o, left, n, &o->total, "total");
    }
    return table;
}
