/* The report's tables for programs: one table in long form. */
#include "graphs/report_part.h"

static const AtlasTableColumn columns[] = {
    {NULL, "section", FALSE}, {NULL, "name", FALSE},  {NULL, "stage", FALSE},
    {NULL, "launches", TRUE}, {NULL, "lo", TRUE},     {NULL, "hi", TRUE},
    {NULL, "ms", TRUE},       {NULL, "share", TRUE},  {NULL, "how", FALSE},
    {NULL, "host_ms", TRUE},  {NULL, "graphs", TRUE}, {NULL, "kind", FALSE},
    {NULL, "place", FALSE},   {NULL, NULL, FALSE},
};

/* One row; what it leaves out is empty. Numbers must be set, to ATLAS_RAT_NONE where there is none:
 * begin with `empty`. */
typedef struct {
    const char *section, *name, *stage, *how, *kind, *place;
    AtlasRat launches, lo, hi, ms, share, host_ms, graphs;
} Row;

static const Row empty = {NULL,   NULL,   NULL,   NULL,   NULL,   NULL,  {0, 0},
                          {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}, {0, 0}};

static void text(AtlasTable *table, const char *shown) {
    atlas_table_text(table, "%s", shown ? shown : "");
}

static void add(AtlasTable *table, const Row *row) {
    const AtlasRat numbers[] = {row->launches, row->lo, row->hi, row->ms, row->share};
    atlas_table_row(table);
    text(table, row->section);
    text(table, row->name);
    text(table, row->stage);
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        atlas_table_number(table, numbers[i], REPORT_PLACES);
    text(table, row->how);
    atlas_table_number(table, row->host_ms, REPORT_PLACES);
    atlas_table_number(table, row->graphs, REPORT_PLACES);
    text(table, row->kind);
    text(table, row->place);
}

static Row row_of(const char *section, const char *name, const char *stage,
                  const AtlasInterval *bounds) {
    Row row = empty;
    row.section = section;
    row.name = name;
    row.stage = stage;
    if (bounds && bounds->lo_known)
        row.lo = bounds->lo;
    if (bounds && bounds->hi_known)
        row.hi = bounds->hi;
    return row;
}

/* ---- runs, and what they change ---- */

static void add_runs(const Report *r, AtlasTable *table) {
    const Ground *g = &r->ground;
    guint n = g->model->stages->len;
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        AtlasRat ms = atlas_rat(0);
        for (guint s = 0; s <= n; s++) {
            AtlasInterval mean = ground_counted(g, o, s);
            Row row = row_of("runs", o->run->name, report_stage(r, s), &mean);
            row.launches = interval_middle(&mean);
            row.ms = s < n ? report_time(o, row.stage) : ms;
            ms = atlas_rat_add(ms, row.ms);
            row.how = o->excluded;
            if (atlas_rat_ok(row.launches) || atlas_rat_ok(row.ms))
                add(table, &row);
        }
    }
}

/* Of the base run: what the table of stage totals says. */
static void add_stages(const Report *r, AtlasTable *table) {
    for (guint s = 0; s <= r->ground.model->stages->len; s++) {
        ReportTotal total = report_total(r, s);
        Row row = row_of("stages", "base", report_stage(r, s), &total.bounds);
        row.launches = total.launches;
        row.ms = total.timed;
        row.share = atlas_rat_div(total.launches, r->total);
        row.host_ms = report_ms(r, total.launches);
        row.how = r->ground.run ? r->ground.run->run->name : total.given ? "given" : "one solution";
        add(table, &row);
        if (!r->ground.uneven)
            continue;
        row = row_of("stages", "base", report_stage(r, s), &total.lasting);
        row.kind = "long run";
        add(table, &row);
    }
    if (!atlas_rat_ok(r->step_ms))
        return;
    Row row = row_of("stages", "base", "step", NULL);
    row.ms = r->step_ms;
    add(table, &row);
}

static void add_marginals(const Report *r, AtlasTable *table) {
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        const AtlasInterval *const solved[] = {m->solved, m->lasting};
        for (guint k = 0; k < 2; k++)
            for (guint s = 0; solved[k] && s <= r->ground.model->stages->len; s++) {
                Row row = row_of("marginals", m->name, report_stage(r, s), &solved[k][s]);
                row.launches = k == 0 ? interval_middle(&m->measured[s]) : ATLAS_RAT_NONE;
                row.share = atlas_rat_div(row.launches, r->total);
                row.how = m->run ? NULL : "not measured";
                row.kind = k == 0 ? NULL : "long run";
                add(table, &row);
            }
    }
}

/* ---- populations ---- */

static void add_split(const Report *r, AtlasTable *table) {
    for (guint i = 0; i < r->split->cells->len; i++) {
        const SplitCell *cell = g_ptr_array_index(r->split->cells, i);
        g_autofree char *name = report_set_name(&r->ground, cell->in);
        AtlasInterval bounds = ground_bounds(&r->ground, cell->form, cell->steps);
        for (guint k = 0; cell->shown && k < MAX(cell->formulas->len, 1); k++) {
            const Formula *formula =
                cell->formulas->len ? g_ptr_array_index(cell->formulas, k) : NULL;
            if (formula && report_formula_known(cell, k))
                continue;
            g_autofree char *how = formula ? formula_text(&r->ground, formula) : NULL;
            Row row = row_of("split", name, report_stage(r, cell->stage), &bounds);
            row.launches = formula ? interval_middle(&formula->value) : ATLAS_RAT_NONE;
            row.share = atlas_rat_div(row.launches, r->total);
            row.how = how ? how : form_is_given(cell->form) ? "given" : NULL;
            row.kind = cell->off ? "off" : k ? "again" : cell->part ? "part" : NULL;
            add(table, &row);
        }
    }
}

static void add_open(const Report *r, AtlasTable *table) {
    const Ground *g = &r->ground;
    const AtlasNextRun *next = r->openness.next;
    for (guint i = 0; i < r->openness.list->len; i++) {
        const ReportOpen *open = &g_array_index(r->openness.list, ReportOpen, i);
        const AtlasPopulation *population = ATLAS_POPULATION(g->model, open->population);
        Row row =
            row_of("open", population->key, report_stage(r, population->stage), &open->bounds);
        row.launches = ground_point(g, &g->forms[open->population], g->steps);
        row.share = open->share.hi_known ? open->share.hi : ATLAS_RAT_NONE;
        row.kind = "share at most";
        add(table, &row);
    }
    if (!next)
        return;
    g_autofree char *settings = next->config ? atlas_config_describe(next->config) : NULL;
    g_autofree char *before = report_number(next->before.width, REPORT_PLACES);
    g_autofree char *after = report_number(next->after.width, REPORT_PLACES);
    g_autofree char *how = g_strdup_printf(
        "widths %s, not %s; no upper bound: %u, not %u; candidates looked at: %u, not searched: %u",
        after, before, next->after.unbounded, next->before.unbounded, next->looked_at,
        next->left_out);
    Row row = row_of("next_run", settings, NULL, NULL);
    row.how = how;
    add(table, &row);
}

static void add_parts(const Report *r, AtlasTable *table) {
    for (guint i = 0; i < r->ranked->len; i++) {
        const ReportRanked *part = &g_array_index(r->ranked, ReportRanked, i);
        g_autofree char *name = report_set_name(&r->ground, part->cell->in);
        g_autofree char *how = report_mergeable(r, part->cell), *rank = report_rank_text(part);
        Row row = row_of("populations", name, report_stage(r, part->cell->stage), &part->bounds);
        row.launches = part->launches;
        row.share = atlas_rat_div(part->launches, r->total);
        row.host_ms = report_ms(r, part->launches);
        row.how = how;
        row.kind = rank;
        add(table, &row);
    }
}

/* ---- graphs and levers ---- */

static void add_captures(const Report *r, AtlasTable *table, const char *section, GArray *list) {
    for (guint i = 0; i < list->len; i++) {
        const ReportCapture *c = &g_array_index(list, ReportCapture, i);
        g_autofree char *how = c->target ? report_facts(r, c->target) : NULL;
        Row row = row_of(section, c->name, c->target ? report_stage(r, c->target->stage) : NULL,
                         &c->bounds);
        row.launches = c->launches;
        row.ms = c->timed;
        row.share = atlas_rat_div(c->launches, r->total);
        row.host_ms = report_ms(r, atlas_rat_sub(c->launches, c->graphs));
        row.graphs = c->graphs;
        row.how = how;
        add(table, &row);
    }
    g_array_unref(list);
}

static void add_levers(const Report *r, AtlasTable *table) {
    const AtlasModel *model = r->ground.model;
    for (guint i = 0; i < model->toggles->len; i++) {
        const ReportMarginal *m = report_lever(r, i);
        if (!m)
            continue;
        Row row = row_of("levers", ATLAS_TOGGLE(model, i)->name, "total",
                         &report_lasting(m)[model->stages->len]);
        row.how = ATLAS_TOGGLE(model, i)->spec->changes.text;
        add(table, &row);
    }
}

/* ---- claims ---- */

static void add_slips(const Report *r, AtlasTable *table) {
    const AtlasResult *claims = r->of->claims;
    for (guint i = 0; claims && i < claims->checks->len; i++) {
        const AtlasCheck *check = atlas_result_get(claims, i);
        if (check->verdict == ATLAS_PASS)
            continue;
        g_autoptr(GString) how = g_string_new(check->expected);
        const char *const more[] = {check->note, check->why};
        for (guint k = 0; k < G_N_ELEMENTS(more); k++)
            if (more[k])
                g_string_append_printf(how, "%s%s", how->len ? "; " : "", more[k]);
        Row row = row_of("slips", check->subject, NULL, NULL);
        row.lo = check->lo;
        row.hi = check->hi;
        row.how = how->str;
        row.kind = atlas_verdict_name(check->verdict);
        row.place = check->place;
        add(table, &row);
    }
}

char *atlas_report_tsv(const AtlasReportOf *of, AtlasDiags *diags) {
    Report r;
    if (!report_init(&r, of, diags))
        return NULL;
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    add_runs(&r, table);
    add_stages(&r, table);
    add_marginals(&r, table);
    add_split(&r, table);
    add_open(&r, table);
    add_parts(&r, table);
    if (r.targets) {
        add_captures(&r, table, "roadmap", report_targets(&r));
        add_captures(&r, table, "ceilings", report_ceilings(&r));
    }
    add_levers(&r, table);
    add_slips(&r, table);
    report_clear(&r);
    return atlas_table_render_tsv(table);
}
