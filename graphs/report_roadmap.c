/* What could be captured, what that would save, and what the spec says of it. */
#include "graphs/report_part.h"

/* ---- sets of targets ---- */

typedef enum { LOOPS, LOOPS_AND_PLAIN, EVERYTHING } Ceiling;

static gboolean belongs(const Report *r, const Target *target, Ceiling ceiling) {
    return ceiling == EVERYTHING || target->whole ||
           (ceiling == LOOPS_AND_PLAIN && !r->targets->looped[target->stage]);
}

/* Launches of the base that a ceiling captures; the caller frees the form. */
static AtlasLinear *ceiling_form(const Report *r, Ceiling ceiling, AtlasRat *graphs) {
    const Ground *g = &r->ground;
    g_autofree gboolean *in = g_new0(gboolean, g->model->populations->len + 1);
    *graphs = ceiling == EVERYTHING ? r->targets->pieces : atlas_rat(0);
    for (guint t = 0; t < r->targets->list->len; t++) {
        const Target *target = g_ptr_array_index(r->targets->list, t);
        if (!belongs(r, target, ceiling))
            continue;
        for (guint i = 0; i < g->model->populations->len; i++)
            in[i] = in[i] || target->in[i];
        if (ceiling != EVERYTHING)
            *graphs = atlas_rat_add(*graphs, target->graphs);
    }
    return ground_form(g, in);
}

gboolean report_ceiling(const Report *r, AtlasInterval *launches, AtlasRat *graphs) {
    if (!r->targets)
        return FALSE;
    AtlasLinear *form = ceiling_form(r, EVERYTHING, graphs);
    *launches = ground_bounds(&r->ground, form, r->ground.steps);
    atlas_linear_free(form, 1);
    return TRUE;
}

/* ---- what the spec says ---- */

/* Appends a fact about some names, which stand between `before` and `after`. */
static void append_fact(GString *out, const char *before, const GPtrArray *names,
                        const char *after) {
    g_autoptr(GString) list = g_string_new(NULL);
    for (guint i = 0; i < names->len; i++)
        g_string_append_printf(list, "%s%s", i ? ", " : "",
                               (const char *)g_ptr_array_index(names, i));
    if (names->len)
        g_string_append_printf(out, "%s%s%s%s", out->len ? "; " : "", before, list->str, after);
}

/* What a copy of a group launches more than what it is like. */
static void append_twin(const Report *r, const Target *target, GString *out) {
    const Ground *g = &r->ground;
    if (!target->twin)
        return;
    const Target *twin = g_ptr_array_index(r->targets->list, target->twin - 1);
    AtlasLinear *form = ground_form(g, target->in), *other = ground_form(g, twin->in);
    atlas_linear_add(form, other, atlas_rat(-1));
    AtlasInterval more = ground_bounds(g, form, g->steps);
    g_autofree char *text = report_interval(&more);
    atlas_linear_free(form, 1);
    atlas_linear_free(other, 1);
    if (interval_single(&more) && more.lo.num == 0)
        g_string_append_printf(out, "%slike %s: one graph can serve both", out->len ? "; " : "",
                               twin->name);
    else
        g_string_append_printf(out,
                               "%slike %s, but for %s launches: one graph serves both only where "
                               "they are equal",
                               out->len ? "; " : "", twin->name, text);
}

static char *facts(const Report *r, const Target *target) {
    GString *out = g_string_new(NULL);
    append_fact(out, "to be written in place, not to new memory: ", target->fresh, "");
    append_fact(out, "", target->scalars, " by value, new in every step");
    append_fact(out, "each iteration has its own part of ", target->parts, "");
    if (target->kinds > 1)
        g_string_append_printf(out, "%s%u kinds of iteration", out->len ? "; " : "", target->kinds);
    if (target->every > 1)
        g_string_append_printf(out, "%severy %" G_GINT64_FORMAT " steps", out->len ? "; " : "",
                               target->every);
    append_twin(r, target, out);
    append_fact(out, "the host ", g_ptr_array_index(r->targets->reads, target->stage),
                " in this stage, outside of it");
    return g_string_free(out, FALSE);
}

/* ---- targets ---- */

static const AtlasTableColumn target_columns[] = {
    {"#", NULL, TRUE},        {"target", NULL, FALSE}, {"launches", NULL, TRUE},
    {"bounds", NULL, TRUE},   {"share", NULL, TRUE},   {"graphs", NULL, TRUE},
    {"ms saved", NULL, TRUE}, {"so far", NULL, TRUE},  {"what the spec says of it", NULL, FALSE},
    {NULL, NULL, FALSE},
};

typedef struct {
    const Target *target;
    AtlasRat launches;
    AtlasInterval bounds;
} Row;

static int by_launches(gconstpointer a, gconstpointer b) {
    AtlasRat x = ((const Row *)a)->launches, y = ((const Row *)b)->launches;
    if (atlas_rat_ok(x) != atlas_rat_ok(y))
        return atlas_rat_ok(x) ? -1 : 1;
    return atlas_rat_ok(x) ? atlas_rat_cmp(y, x) : 0;
}

static GArray *rank_targets(const Report *r) {
    const Ground *g = &r->ground;
    GArray *rows = g_array_new(FALSE, FALSE, sizeof(Row));
    for (guint t = 0; t < r->targets->list->len; t++) {
        const Target *target = g_ptr_array_index(r->targets->list, t);
        AtlasLinear *form = ground_form(g, target->in);
        Row row = {target, ground_point(g, form, g->steps), ground_bounds(g, form, g->steps)};
        atlas_linear_free(form, 1);
        g_array_append_val(rows, row);
    }
    g_array_sort(rows, by_launches);
    return rows;
}

/* Launches, bounds, share, graphs, ms saved. */
static void captured_cells(const Report *r, AtlasTable *table, AtlasRat launches,
                           const AtlasInterval *bounds, AtlasRat graphs) {
    atlas_table_number(table, launches, REPORT_PLACES);
    report_interval_cell(table, bounds);
    atlas_table_share(table, launches, r->total);
    atlas_table_number(table, graphs, REPORT_PLACES);
    atlas_table_number(table, report_ms(r, atlas_rat_sub(launches, graphs)), REPORT_MS_PLACES);
}

static void target_table(Report *r) {
    g_autoptr(AtlasTable) table = atlas_table_new(target_columns);
    g_autoptr(GArray) rows = rank_targets(r);
    AtlasRat so_far = atlas_rat(0);
    for (guint i = 0; i < rows->len; i++) {
        const Row *row = &g_array_index(rows, Row, i);
        g_autofree char *known = facts(r, row->target);
        AtlasRat saved = atlas_rat_sub(row->launches, row->target->graphs);
        so_far = atlas_rat_add(so_far, saved);
        atlas_table_row(table);
        atlas_table_text(table, "%u", i + 1);
        atlas_table_text(table, "%s", row->target->name);
        captured_cells(r, table, row->launches, &row->bounds, row->target->graphs);
        atlas_table_number(table, report_ms(r, so_far), REPORT_MS_PLACES);
        atlas_table_text(table, "%s", known);
    }
    report_table(r, table);
}

/* ---- ceilings ---- */

static const AtlasTableColumn ceiling_columns[] = {
    {"ceiling", NULL, FALSE}, {"launches", NULL, TRUE}, {"bounds", NULL, TRUE},
    {"share", NULL, TRUE},    {"graphs", NULL, TRUE},   {"ms saved", NULL, TRUE},
    {NULL, NULL, FALSE},
};

static void ceiling_table(Report *r) {
    static const char *const names[] = {"iterations of loops",
                                        "iterations, and stages without loops",
                                        "everything between what the host reads"};
    g_autoptr(AtlasTable) table = atlas_table_new(ceiling_columns);
    const Ground *g = &r->ground;
    for (Ceiling c = LOOPS; c <= EVERYTHING; c++) {
        AtlasRat graphs;
        AtlasLinear *form = ceiling_form(r, c, &graphs);
        AtlasInterval bounds = ground_bounds(g, form, g->steps);
        atlas_table_row(table);
        atlas_table_text(table, "%s", names[c]);
        captured_cells(r, table, ground_point(g, form, g->steps), &bounds, graphs);
        atlas_linear_free(form, 1);
    }
    report_table(r, table);
}

/* ---- levers ---- */

static const AtlasTableColumn lever_columns[] = {
    {"toggle", NULL, FALSE},
    {"launches", NULL, TRUE},
    {"share", NULL, TRUE},
    {REPORT_PRICE, NULL, TRUE},
    {"what else it changes", NULL, FALSE},
    {NULL, NULL, FALSE},
};

/* The marginal of a toggle, or of a run that had its settings. */
static const ReportMarginal *find_marginal(const Report *r, guint toggle) {
    const AtlasToggle *t = ATLAS_TOGGLE(r->ground.model, toggle);
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(r->ground.model);
    AtlasText name = {t->name, t->spec->name.at};
    atlas_config_apply(config, &name, ignored);
    atlas_config_finish(config, ignored);
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        if (m->run ? atlas_config_equal(m->run->config, config) : m->name == t->name)
            return m;
    }
    return NULL;
}

static void lever_table(Report *r) {
    const AtlasModel *model = r->ground.model;
    g_autofree AtlasTableColumn *columns = report_columns(r, lever_columns);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    gboolean any = FALSE;
    for (guint i = 0; i < model->toggles->len; i++) {
        const AtlasToggle *toggle = ATLAS_TOGGLE(model, i);
        const ReportMarginal *m = toggle->spec->changes.text ? find_marginal(r, i) : NULL;
        if (!m)
            continue;
        AtlasInterval change = m->solved[model->stages->len];
        AtlasRat middle = interval_middle(&change);
        any = TRUE;
        atlas_table_row(table);
        atlas_table_text(table, "%s", toggle->name);
        report_change_cell(table, &change);
        atlas_table_share(table, middle, r->total);
        atlas_table_signed(table, report_ms(r, middle), REPORT_MS_PLACES);
        atlas_table_text(table, "%s", toggle->spec->changes.text);
    }
    if (!any)
        return;
    report_say(r,
               "Levers, toggles that state what else they change (share and ms are of the middle "
               "of the bounds):\n\n");
    report_table(r, table);
}

void report_roadmap(Report *r) {
    report_say(r, "## Merge roadmap\n\n");
    if (!r->targets) {
        report_say(r, "The base cannot be written as a program: targets are unknown.\n\n");
    } else {
        report_say(r,
                   "Targets are runs of launches that no sync, host read or host write parts, as "
                   "the spec has them: the iterations of each loop, one graph an iteration, and "
                   "what a stage launches around its loops, one graph a piece. They do not "
                   "overlap. Launches are one solution in whole numbers; ms saved is for launches "
                   "less those of the graphs, as %s. Whether a capture is legal and computes the "
                   "same is not decided here: these are counts, and what the spec states.\n\n",
                   r->price);
        target_table(r);
        report_say(r, "Ceilings, where all of these are captured:\n\n");
        ceiling_table(r);
    }
    lever_table(r);
}
