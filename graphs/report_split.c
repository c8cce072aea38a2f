/* What the runs tell apart, how, and what they leave open. */
#include "graphs/report_part.h"
#include "graphs/span.h"
#include "model/solve/next.h"

/* ---- split ---- */

static const AtlasTableColumn split_columns[] = {
    {"populations", NULL, FALSE}, {"measured", NULL, TRUE}, {"how measured", NULL, FALSE},
    {"smear", NULL, TRUE},        {"bounds", NULL, TRUE},   {"part", NULL, FALSE},
    {NULL, NULL, FALSE},
};

/* How far a measured value can be from the launches: every reading is within a lag of them. */
static void smear_cell(const Report *r, AtlasTable *table, const Formula *formula) {
    AtlasRat most = atlas_rat_mul(r->ground.study->lag, formula->weight);
    g_autofree char *number = report_number(most, REPORT_PLACES);
    if (most.num == 0)
        atlas_table_skip(table);
    else
        atlas_table_number_as(table, most, "\u00b1%s", number);
}

/* Whether an earlier formula measures the same value. */
static gboolean is_known(const SplitCell *cell, guint index) {
    const Formula *formula = g_ptr_array_index(cell->formulas, index);
    for (guint i = 0; i < index; i++) {
        const Formula *other = g_ptr_array_index(cell->formulas, i);
        if (atlas_rat_cmp(other->value.lo, formula->value.lo) == 0 &&
            atlas_rat_cmp(other->value.hi, formula->value.hi) == 0)
            return TRUE;
    }
    return FALSE;
}

/* One row for each formula that gives another number: they differ by what smears. */
static void split_rows(const Report *r, AtlasTable *table, const SplitCell *cell) {
    const char *stage = ATLAS_STAGE(r->ground.model, cell->stage)->name;
    g_autofree char *name = report_cell_name(r, cell);
    AtlasInterval bounds = ground_bounds(&r->ground, cell->form, cell->steps);
    for (guint i = 0; i < MAX(cell->formulas->len, 1); i++) {
        const Formula *formula = cell->formulas->len ? g_ptr_array_index(cell->formulas, i) : NULL;
        if (i && is_known(cell, i))
            continue;
        atlas_table_row(table);
        atlas_table_text(table, "%s", i ? "" : name);
        if (formula) {
            g_autofree char *how = formula_text(&r->ground, formula);
            report_interval_cell(table, &formula->value);
            atlas_table_text(table, "%s: %s", stage, how);
            smear_cell(r, table, formula);
        } else {
            atlas_table_number(table, ATLAS_RAT_NONE, 0);
            atlas_table_text(table, "no difference of runs");
            atlas_table_skip(table);
        }
        if (i)
            atlas_table_skip(table);
        else
            report_interval_cell(table, &bounds);
        atlas_table_text(table, "%s", i ? "" : cell->off ? "off" : cell->part ? "yes" : "");
    }
}

void report_split(Report *r) {
    g_autoptr(AtlasTable) table = atlas_table_new(split_columns);
    gboolean off = FALSE;
    for (guint i = 0; i < r->split->cells->len; i++) {
        const SplitCell *cell = g_ptr_array_index(r->split->cells, i);
        if (cell->shown)
            split_rows(r, table, cell);
        off = off || cell->off;
    }
    report_say(r, "## The split\n\n");
    report_say(r,
               "Sums of populations that differences of runs measure, whatever the counts are, and "
               "how; formulas of at most %u runs were tried. Smear is how far a measured number "
               "can be off, the counter's lag for every reading in it; a second row is another "
               "formula for the same. The parts do not overlap and make up the step%s.%s\n\n",
               r->split->most,
               r->by_measure ? ": as measured they add up to what the base run counted" : "",
               off ? " What is off is not in the base." : "");
    report_table(r, table);
}

/* ---- what is open ---- */

static const AtlasTableColumn open_columns[] = {
    {"population", NULL, FALSE}, {"launches", NULL, TRUE},       {"bounds", NULL, TRUE},
    {"width", NULL, TRUE},       {"share, at most", NULL, TRUE}, {NULL, NULL, FALSE},
};

/* The equations that runs give, whatever they counted. */
static Span *run_span(const Ground *g) {
    Span *span = span_new(g->model->unknowns->len);
    for (guint k = 0; k < g->study->evidence->observations->len; k++) {
        const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
        AtlasLinear *total = atlas_linear_new(g->model->unknowns->len, 1);
        for (guint s = 0; !o->excluded && s < g->model->stages->len; s++) {
            if (o->sums[s].known)
                span_add(span, &o->stages[s]);
            atlas_linear_add(total, &o->stages[s], atlas_rat(1));
        }
        if (!o->excluded && o->total.known)
            span_add(span, total);
        atlas_linear_free(total, 1);
    }
    return span;
}

/* How many equations more the base's populations would need. Changes the span. */
static guint missing_equations(const Ground *g, Span *span) {
    guint missing = 0;
    for (guint i = 0; i < g->model->populations->len; i++)
        missing += !span_add(span, &g->forms[i]);
    return missing;
}

static AtlasRat width_of(const AtlasInterval *b) {
    return b->lo_known && b->hi_known ? atlas_rat_sub(b->hi, b->lo) : ATLAS_RAT_NONE;
}

static void open_row(const Report *r, AtlasTable *table, guint population,
                     const AtlasInterval *bounds) {
    const Ground *g = &r->ground;
    AtlasRat hi = bounds->hi_known ? bounds->hi : ATLAS_RAT_NONE;
    atlas_table_row(table);
    atlas_table_text(table, "%s", ATLAS_POPULATION(g->model, population)->key);
    atlas_table_number(table, ground_point(g, &g->forms[population], g->steps), REPORT_PLACES);
    report_interval_cell(table, bounds);
    atlas_table_number(table, width_of(bounds), REPORT_PLACES);
    atlas_table_share(table, hi, r->total);
}

static void say_next(Report *r) {
    AtlasStudy *study = r->ground.study;
    AtlasProgress *progress = atlas_progress_start("comparing runs");
    g_autoptr(AtlasNextRun) next = study->point ? atlas_next_run(study->evidence, r->ground.base,
                                                                 study->lag, study->point, progress)
                                                : NULL;
    atlas_progress_stop(progress);
    if (!next) {
        report_say(r, "No run that the spec can express is known to narrow them.\n\n");
        return;
    }
    g_autofree char *settings = atlas_config_describe(next->config);
    g_autofree char *before = report_number(next->before.width, REPORT_PLACES);
    g_autofree char *after = report_number(next->after.width, REPORT_PLACES);
    report_say(
        r,
        "The next run to make is **%s**, %u setting%s away from %s: of %u runs that the spec "
        "can express and that could teach something it narrows most. If it counts what is "
        "predicted, the widths of all populations sum to %s launches, not %s",
        settings, next->changes, next->changes == 1 ? "" : "s",
        next->near ? next->near->run->name : "the base, which no run measured", next->looked_at,
        after, before);
    if (next->before.unbounded)
        report_say(r, ", and %u of them have no upper bound, not %u", next->after.unbounded,
                   next->before.unbounded);
    g_autoptr(Span) span = run_span(&r->ground);
    AtlasWalkFault fault;
    AtlasLinear *forms = atlas_walk_linear_stages(next->config, r->ground.window.first,
                                                  r->ground.window.last, &fault);
    for (guint s = 0; forms && s < study->model->stages->len; s++)
        span_add(span, &forms[s]);
    guint left = missing_equations(&r->ground, span);
    if (forms && span_fits(span))
        report_say(r, "; %u free parameter%s left", left, left == 1 ? " is" : "s are");
    atlas_linear_free(forms, study->model->stages->len);
    report_say(r, ".\n\n");
}

/* Populations that are determined but for what the counter smears, and the greatest width. */
typedef struct {
    guint count;
    AtlasRat width;
} Smeared;

static void note_smeared(Smeared *smeared, const AtlasInterval *bounds) {
    AtlasRat width = width_of(bounds);
    smeared->count++;
    if (atlas_rat_ok(width) && atlas_rat_cmp(width, smeared->width) > 0)
        smeared->width = width;
}

void report_open(Report *r) {
    const Ground *g = &r->ground;
    g_autoptr(AtlasTable) table = atlas_table_new(open_columns);
    g_autoptr(Span) span = run_span(g);
    Smeared smeared = {0, atlas_rat(0)};
    guint open = 0, exact = 0;
    for (guint i = 0; i < g->model->populations->len; i++) {
        AtlasInterval bounds = ground_bounds(g, &g->forms[i], g->steps);
        if (!g->has[i] || interval_single(&bounds)) {
            exact += g->has[i];
        } else if (span_has(span, &g->forms[i])) {
            note_smeared(&smeared, &bounds);
        } else {
            open++;
            open_row(r, table, i, &bounds);
        }
    }
    guint missing = missing_equations(g, span);
    report_say(r, "## What stays open\n\n");
    if (!open && !smeared.count) {
        report_say(r, "Every population of the base is determined: %u.\n\n", exact);
        return;
    }
    if (open && span_fits(span))
        report_say(
            r,
            "The runs leave %u free parameter%s: the launches of these %u populations can be "
            "moved against each other, within their bounds, and no run would show it. "
            "Launches are one solution of many.\n\n",
            missing, missing == 1 ? "" : "s", open);
    else if (open)
        report_say(r,
                   "The launches of these %u populations are not determined; launches are one "
                   "solution of many.\n\n",
                   open);
    report_table(r, table);
    g_autofree char *width = report_number(smeared.width, REPORT_PLACES);
    if (smeared.count)
        report_say(r, "%u more %s determined but for the counter's lag, to within %s launches. ",
                   smeared.count, smeared.count == 1 ? "is" : "are", width);
    if (exact)
        report_say(r, "%u %s determined exactly. ", exact, exact == 1 ? "is" : "are");
    report_end(r);
    say_next(r);
}
