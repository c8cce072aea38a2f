/* What could be captured, what that would save, and what the spec says of it. */
#include "graphs/report_part.h"

/* ---- what is captured ---- */

typedef enum { LOOPS, LOOPS_AND_PLAIN, BY_STAGE, BY_HOST, CEILINGS } Ceiling;

/* Launches less the graph launches that take their place. */
static AtlasInterval less_graphs(AtlasInterval launches, AtlasRat graphs) {
    launches.lo = atlas_rat_sub(launches.lo, graphs);
    launches.hi = atlas_rat_sub(launches.hi, graphs);
    return launches;
}

/* What the stages of a set of populations took together. */
static AtlasRat time_of_stages(const Report *r, const gboolean *in) {
    AtlasRat sum = atlas_rat(0);
    for (guint s = 0; s < r->ground.model->stages->len; s++) {
        gboolean touched = FALSE;
        for (guint i = 0; i < r->ground.model->populations->len; i++)
            touched = touched || (in[i] && ATLAS_POPULATION(r->ground.model, i)->stage == s);
        if (touched)
            sum = atlas_rat_add(sum, report_stage_time(r, s));
    }
    return sum;
}

static ReportCapture capture(const Report *r, const char *name, const gboolean *in,
                             AtlasRat graphs) {
    const Ground *g = &r->ground;
    AtlasLinear *form = ground_form(g, in);
    ReportCapture made = {.name = name,
                          .launches = ground_point(g, form, g->steps),
                          .bounds = ground_bounds(g, form, g->steps),
                          .share = ground_share(g, form),
                          .graphs = graphs,
                          .timed = time_of_stages(r, in)};
    made.saved = made.so_far = less_graphs(made.bounds, graphs);
    atlas_linear_free(form, 1);
    return made;
}

static int by_launches(gconstpointer a, gconstpointer b) {
    return ground_order(((const ReportCapture *)a)->launches, ((const ReportCapture *)b)->launches);
}

static void add_set(const Ground *g, gboolean *into, const gboolean *in) {
    for (guint i = 0; i < g->model->populations->len; i++)
        into[i] = into[i] || in[i];
}

GArray *report_targets(const Report *r) {
    const Ground *g = &r->ground;
    GArray *list = g_array_new(FALSE, FALSE, sizeof(ReportCapture));
    g_autofree gboolean *all = g_new0(gboolean, g->model->populations->len + 1);
    AtlasRat graphs = atlas_rat(0);
    for (guint t = 0; t < r->targets->list->len; t++) {
        const Target *target = g_ptr_array_index(r->targets->list, t);
        ReportCapture made = capture(r, target->name, target->in, target->graphs);
        made.target = target;
        g_array_append_val(list, made);
    }
    g_array_sort(list, by_launches);
    for (guint i = 0; i < list->len; i++) {
        ReportCapture *c = &g_array_index(list, ReportCapture, i);
        add_set(g, all, c->target->in);
        graphs = atlas_rat_add(graphs, c->graphs);
        c->so_far = capture(r, NULL, all, graphs).saved;
    }
    return list;
}

static gboolean belongs(const Report *r, const Target *target, Ceiling ceiling) {
    return ceiling >= BY_STAGE || target->whole ||
           (ceiling == LOOPS_AND_PLAIN && !r->targets->looped[target->stage]);
}

GArray *report_ceilings(const Report *r) {
    static const char *const names[] = {
        "iterations of loops", "iterations, and stages without loops",
        "everything, graphs that end with their stage", "everything, graphs that cross stage ends"};
    GArray *list = g_array_new(FALSE, FALSE, sizeof(ReportCapture));
    for (Ceiling c = LOOPS; c < CEILINGS; c++) {
        g_autofree gboolean *in = g_new0(gboolean, r->ground.model->populations->len + 1);
        AtlasRat graphs = atlas_rat(0);
        for (guint t = 0; t < r->targets->list->len; t++) {
            const Target *target = g_ptr_array_index(r->targets->list, t);
            if (!belongs(r, target, c))
                continue;
            add_set(&r->ground, in, target->in);
            graphs = atlas_rat_add(graphs, target->graphs);
        }
        if (c >= BY_STAGE)
            graphs = c == BY_STAGE ? r->targets->by_stage : r->targets->by_host;
        ReportCapture made = capture(r, names[c], in, graphs);
        g_array_append_val(list, made);
    }
    return list;
}

/* ---- targets and ceilings ---- */

static const AtlasTableColumn target_columns[] = {
    {"#", NULL, TRUE},
    {"target", NULL, FALSE},
    {"launches", NULL, TRUE},
    {"bounds", NULL, TRUE},
    {"share", NULL, TRUE},
    {"graphs", NULL, TRUE},
    {REPORT_PRICE, NULL, TRUE},
    {"so far", NULL, TRUE},
    {"stage as timed", NULL, TRUE},
    {"what the spec says of it", NULL, FALSE},
    {NULL, NULL, FALSE},
};

static const AtlasTableColumn ceiling_columns[] = {
    {"ceiling", NULL, FALSE},        {"launches", NULL, TRUE}, {"bounds", NULL, TRUE},
    {"share", NULL, TRUE},           {"graphs", NULL, TRUE},   {REPORT_PRICE, NULL, TRUE},
    {"stages as timed", NULL, TRUE}, {NULL, NULL, FALSE},
};

static void timed_cell(const Report *r, AtlasTable *table, AtlasRat timed) {
    if (atlas_rat_ok(r->timed))
        atlas_table_number(table, timed, REPORT_MS_PLACES);
    else
        atlas_table_skip(table);
}

/* Launches, bounds, share, graphs, ms at the price. */
static void captured_cells(const Report *r, AtlasTable *table, const ReportCapture *c) {
    g_autofree char *share = report_share_bounds(&c->share);
    g_autofree char *ms = report_ms_bounds(r, &c->saved);
    atlas_table_number(table, c->launches, REPORT_PLACES);
    report_interval_cell(table, &c->bounds);
    atlas_table_text(table, "%s", share);
    atlas_table_number(table, c->graphs, REPORT_PLACES);
    atlas_table_text(table, "%s", ms);
}

static void target_table(Report *r) {
    g_autofree AtlasTableColumn *columns = report_columns(r, target_columns);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    g_autoptr(GArray) list = report_targets(r);
    for (guint i = 0; i < list->len; i++) {
        const ReportCapture *c = &g_array_index(list, ReportCapture, i);
        g_autofree char *known = report_facts(r, c->target);
        g_autofree char *so_far = report_ms_bounds(r, &c->so_far);
        atlas_table_row(table);
        atlas_table_text(table, "%u", i + 1);
        atlas_table_text(table, "%s", c->name);
        captured_cells(r, table, c);
        atlas_table_text(table, "%s", so_far);
        timed_cell(r, table, c->timed);
        atlas_table_text(table, "%s", known);
    }
    report_table(r, table);
}

static void ceiling_table(Report *r) {
    g_autofree AtlasTableColumn *columns = report_columns(r, ceiling_columns);
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    g_autoptr(GArray) list = report_ceilings(r);
    for (guint i = 0; i < list->len; i++) {
        const ReportCapture *c = &g_array_index(list, ReportCapture, i);
        atlas_table_row(table);
        atlas_table_text(table, "%s", c->name);
        captured_cells(r, table, c);
        timed_cell(r, table, c->timed);
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

const ReportMarginal *report_lever(const Report *r, guint toggle) {
    const AtlasToggle *t = ATLAS_TOGGLE(r->ground.model, toggle);
    if (!t->spec->changes.text)
        return NULL;
    g_autoptr(AtlasConfig) config = ground_toggle(&r->ground, toggle);
    for (guint i = 0; config && i < r->marginals->len; i++) {
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
        const ReportMarginal *m = report_lever(r, i);
        if (!m)
            continue;
        const AtlasInterval *change = &report_lasting(m)[model->stages->len];
        g_autofree char *share =
            report_share_text(change, r->ground.lasting ? &r->lasting : &r->bounds);
        g_autofree char *ms = report_ms_bounds(r, change);
        any = TRUE;
        atlas_table_row(table);
        atlas_table_text(table, "%s", toggle->name);
        report_change_cell(table, change);
        atlas_table_text(table, "%s", share);
        atlas_table_text(table, "%s", ms);
        atlas_table_text(table, "%s", toggle->spec->changes.text);
    }
    if (!any)
        return;
    report_say(r,
               "Levers, toggles that state what else they change, as solved for the long run:\n\n");
    report_table(r, table);
}

static void say_targets(Report *r) {
    report_say(r,
               "Targets are runs of launches that no sync, host read or host write parts, as the "
               "spec has them: the iterations of each loop, one graph an iteration, and what a "
               "stage launches around its loops, one graph a piece. They do not overlap. Launches "
               "are %s. %s is the host's time for launches less those "
               "of the graphs, at that price: a way to rank, not a saving that was measured. ",
               r->given ? "what the spec gives" : "one solution in whole numbers", r->price);
    if (atlas_rat_ok(r->timed))
        report_say(r, "No target saves more than its stage took (stage as timed). ");
    if (atlas_rat_ok(r->step_ms)) {
        g_autofree char *most = report_ms_text(r->step_ms);
        report_say(r, "All together save no more than a step took, %s ms. ", most);
    }
    report_say(r, "Whether a capture is legal and computes the same is not decided here: these are "
                  "counts, and what the spec states.\n\n");
}

void report_roadmap(Report *r) {
    report_say(r, "## Merge roadmap\n\n");
    if (!r->targets) {
        report_say(r, "The base cannot be written as a program: targets are unknown.\n\n");
    } else {
        say_targets(r);
        target_table(r);
        report_say(r, "Ceilings, where all of these are captured. A graph ends where the host "
                      "reads, writes or waits; whether it has to end where a stage does is up to "
                      "who captures:\n\n");
        ceiling_table(r);
    }
    lever_table(r);
}
