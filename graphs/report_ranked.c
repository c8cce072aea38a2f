/* The parts of the step, ranked. */
#include "graphs/report_part.h"

/* ---- ranks ---- */

static int by_launches(gconstpointer a, gconstpointer b) {
    return ground_order(((const ReportRanked *)a)->launches, ((const ReportRanked *)b)->launches);
}

/* Whether x lies above y, or reaches down to its end. */
static gboolean is_above(const AtlasInterval *x, const AtlasInterval *y, gboolean touching) {
    int side = x->lo_known && y->hi_known ? atlas_rat_cmp(x->lo, y->hi) : -1;
    return side > 0 || (touching && side == 0);
}

/* Which of two parts some solution has more launches in: a than b, and b than a. */
static void compare(const Ground *g, const ReportRanked *a, const ReportRanked *b, gboolean *a_more,
                    gboolean *b_more) {
    *a_more = !is_above(&b->bounds, &a->bounds, TRUE);
    *b_more = !is_above(&a->bounds, &b->bounds, TRUE);
    if (is_above(&a->bounds, &b->bounds, FALSE) || is_above(&b->bounds, &a->bounds, FALSE))
        return;
    AtlasLinear *form = atlas_linear_new(g->model->unknowns->len, 1);
    atlas_linear_add(form, a->cell->form, atlas_rat(1)); /* both over the same steps */
    atlas_linear_add(form, b->cell->form, atlas_rat(-1));
    AtlasInterval difference = atlas_lp_interval(g->study->lp, form);
    atlas_linear_free(form, 1);
    *a_more = *a_more && (!difference.hi_known || difference.hi.num > 0);
    *b_more = *b_more && (!difference.lo_known || difference.lo.num < 0);
}

static void note_rank(ReportRanked *part, gboolean more, gboolean less) {
    part->last += less;
    part->first += less && !more;
}

/* The ranks that a part can have: 1 + those that are greater in every solution, or in some. */
static void find_ranks(const Ground *g, GArray *ranked) {
    for (guint i = 0; i < ranked->len; i++) {
        ReportRanked *part = &g_array_index(ranked, ReportRanked, i);
        part->first = part->last = 1;
    }
    for (guint i = 0; i < ranked->len; i++)
        for (guint k = i + 1; k < ranked->len; k++) {
            ReportRanked *a = &g_array_index(ranked, ReportRanked, i);
            ReportRanked *b = &g_array_index(ranked, ReportRanked, k);
            gboolean a_more, b_more;
            compare(g, a, b, &a_more, &b_more);
            note_rank(a, a_more, b_more);
            note_rank(b, b_more, a_more);
        }
}

GArray *report_ranked(const Report *r) {
    GArray *ranked = g_array_new(FALSE, FALSE, sizeof(ReportRanked));
    for (guint i = 0; i < r->split->parts->len; i++) {
        const SplitCell *cell = g_ptr_array_index(r->split->parts, i);
        ReportRanked part = {cell, ATLAS_RAT_NONE,
                             ground_bounds(&r->ground, cell->form, cell->steps), 0, 0};
        part.launches = r->by_measure ? split_measured(cell)
                                      : ground_point(&r->ground, cell->form, cell->steps);
        g_array_append_val(ranked, part);
    }
    g_array_sort(ranked, by_launches); /* a stable sort: ties stay in the step's order */
    find_ranks(&r->ground, ranked);
    return ranked;
}

char *report_rank_text(const ReportRanked *part) {
    return part->first == part->last ? g_strdup_printf("%u", part->first)
                                     : g_strdup_printf("%u..%u", part->first, part->last);
}

/* ---- what could merge them ---- */

/* "iterations of fwd.main + rest of fwd": the targets that hold a part. */
static void append_targets(const Report *r, const SplitCell *cell, GString *out) {
    for (guint t = 0; r->targets && t < r->targets->list->len; t++) {
        const Target *target = g_ptr_array_index(r->targets->list, t);
        gboolean holds = FALSE;
        for (guint i = 0; i < r->ground.model->populations->len; i++)
            holds = holds || (cell->in[i] && target->in[i]);
        if (holds)
            g_string_append_printf(out, "%s%s", out->len ? " + " : "graph: ", target->name);
    }
}

/* Whether a toggle changes what a part launches, in the long run; `all`: nothing of it is left. */
static gboolean is_lever(const Report *r, const SplitCell *cell, guint toggle, gboolean *all) {
    const Ground *g = &r->ground;
    const AtlasModel *model = g->model;
    g_autoptr(AtlasConfig) config = ground_toggle(g, toggle);
    AtlasWalkFault fault;
    gint64 period = config ? atlas_walk_period(config, &fault) : 0;
    AtlasLinear *forms =
        period && g->lasting ? atlas_walk_linear(config, 0, period - 1, &fault) : NULL;
    gboolean some = FALSE;
    *all = forms != NULL;
    for (guint i = 0; forms && i < model->populations->len; i++) {
        if (!cell->in[i])
            continue;
        AtlasLinear *change = atlas_linear_new(model->unknowns->len, 1);
        atlas_linear_add(change, &forms[i], atlas_rat_make(1, period));
        atlas_linear_add(change, &g->lasting[i], atlas_rat_make(-1, g->period));
        some = some || !form_is_zero(change);
        *all = *all && form_is_zero(&forms[i]);
        atlas_linear_free(change, 1);
    }
    atlas_linear_free(forms, model->populations->len);
    return some;
}

char *report_mergeable(const Report *r, const SplitCell *cell) {
    GString *out = g_string_new(NULL);
    append_targets(r, cell, out);
    for (guint i = 0; i < r->ground.model->toggles->len; i++) {
        const AtlasToggle *toggle = ATLAS_TOGGLE(r->ground.model, i);
        gboolean all;
        if (toggle->spec->changes.text && is_lever(r, cell, i, &all))
            g_string_append_printf(out, "%s%s%s", out->len ? "; or " : "", toggle->name,
                                   all ? "" : " (in part)");
    }
    if (!out->len)
        g_string_append(out, "unknown");
    return g_string_free(out, FALSE);
}

/* ---- the table ---- */

static const AtlasTableColumn ranking_columns[] = {
    {"#", NULL, TRUE},          {"part", NULL, FALSE},      {"launches", NULL, TRUE},
    {"bounds", NULL, TRUE},     {"share", NULL, TRUE},      {"so far", NULL, TRUE},
    {REPORT_PRICE, NULL, TRUE}, {"mergeable", NULL, FALSE}, {NULL, NULL, FALSE},
};

static void ranking_row(const Report *r, AtlasTable *table, const ReportRanked *part,
                        AtlasRat so_far) {
    g_autofree char *name = report_cell_name(r, part->cell);
    g_autofree char *how = report_mergeable(r, part->cell), *rank = report_rank_text(part);
    atlas_table_row(table);
    atlas_table_text(table, "%s", rank);
    atlas_table_text(table, "%s", name);
    atlas_table_number(table, part->launches, REPORT_PLACES);
    report_interval_cell(table, &part->bounds);
    atlas_table_share(table, part->launches, r->total);
    atlas_table_share(table, so_far, r->total);
    atlas_table_number(table, report_ms(r, part->launches), r->ms_places);
    atlas_table_text(table, "%s", how);
}

static void say_sum(Report *r, AtlasRat printed) {
    g_autofree char *sum = report_number(printed, REPORT_PLACES);
    g_autofree char *total = report_number(report_printed(r->total, REPORT_PLACES), REPORT_PLACES);
    if (r->ranked->len == 1)
        return;
    report_say(r, "The %u parts add up to %s", r->ranked->len, sum);
    if (!g_str_equal(sum, total))
        report_say(r, " as they are printed, to %s before they are rounded", total);
    if (r->by_measure)
        report_say(r, ", which is what run '%s' counted", r->ground.run->run->name);
    report_say(r, ".\n\n");
}

void report_ranking(Report *r) {
    g_autofree AtlasTableColumn *columns = report_columns(r, ranking_columns);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    AtlasRat so_far = atlas_rat(0), printed = atlas_rat(0);
    for (guint i = 0; i < r->ranked->len; i++) {
        const ReportRanked *part = &g_array_index(r->ranked, ReportRanked, i);
        so_far = atlas_rat_add(so_far, part->launches);
        printed = atlas_rat_add(printed, report_printed(part->launches, REPORT_PLACES));
        ranking_row(r, table, part, so_far);
    }
    report_say(r, "## Populations, ranked\n\n");
    report_say(r,
               "The parts of the split, as fine as differences of runs go; none overlaps another. "
               "Launches are %s. Where a part has two ranks, the bounds allow either. Mergeable "
               "names the targets of the roadmap that hold it, and the toggles that take it away "
               "at a price.\n\n",
               r->by_measure ? "as measured"
               : r->given    ? "what the spec gives"
                             : "one solution in whole numbers, and shares and ms are of it");
    report_table(r, table);
    if (atlas_rat_ok(so_far))
        say_sum(r, printed);
}
