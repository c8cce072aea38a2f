/* What the runs tell apart, how, and what they leave open. */
#include "graphs/report_part.h"

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

gboolean report_formula_known(const SplitCell *cell, guint index) {
    const Formula *formula = g_ptr_array_index(cell->formulas, index);
    for (guint i = 0; i < index; i++) {
        const Formula *other = g_ptr_array_index(cell->formulas, i);
        if (atlas_rat_cmp(other->value.lo, formula->value.lo) == 0 &&
            atlas_rat_cmp(other->value.hi, formula->value.hi) == 0)
            return TRUE;
    }
    return FALSE;
}

/* "off", "yes" for a part, or "". */
static const char *kind_of(const SplitCell *cell) {
    return cell->off ? "off" : cell->part ? "yes" : "";
}

/* One row for each formula that gives another number: they differ by what smears. */
static void split_rows(const Report *r, AtlasTable *table, const SplitCell *cell) {
    const char *stage = ATLAS_STAGE(r->ground.model, cell->stage)->name;
    g_autofree char *name = report_cell_name(r, cell);
    AtlasInterval bounds = ground_bounds(&r->ground, cell->form, cell->steps);
    for (guint i = 0; i < MAX(cell->formulas->len, 1); i++) {
        const Formula *formula = cell->formulas->len ? g_ptr_array_index(cell->formulas, i) : NULL;
        if (i && report_formula_known(cell, i))
            continue;
        atlas_table_row(table);
        atlas_table_text(table, "%s", i ? "" : name);
        if (formula) {
            g_autofree char *how = formula_text(&r->ground, formula);
            report_interval_cell(table, &formula->value);
            atlas_table_text(table, "%s: %s", stage, how);
            smear_cell(r, table, formula);
        } else {
            if (form_is_given(cell->form))
                atlas_table_skip(table);
            else
                atlas_table_number(table, ATLAS_RAT_NONE, 0);
            atlas_table_text(table, form_is_given(cell->form) ? "given by the spec"
                                                              : "no difference of runs");
            atlas_table_skip(table);
        }
        if (i)
            atlas_table_skip(table);
        else
            report_interval_cell(table, &bounds);
        atlas_table_text(table, "%s", i ? "" : kind_of(cell));
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
