/* What the runs leave open, and the run that would narrow it. */
#include "graphs/report_part.h"
#include "graphs/span.h"

/* ---- what is open ---- */

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

/* Populations that are determined but for what the counter smears, and the greatest width. */
static void note_smeared(ReportOpenness *openness, const AtlasInterval *bounds) {
    AtlasRat width = width_of(bounds);
    openness->smeared++;
    if (atlas_rat_ok(width) && atlas_rat_cmp(width, openness->width) > 0)
        openness->width = width;
}

static AtlasNextRun *find_next(const Report *r) {
    AtlasStudy *study = r->ground.study;
    if (!study->point)
        return NULL;
    AtlasProgress *progress = atlas_progress_start("comparing runs");
    AtlasNextRun *next = atlas_next_run(study->evidence, r->ground.base, study->lag, study->point,
                                        r->of->next_cost, progress);
    atlas_progress_stop(progress);
    return next;
}

ReportOpenness report_openness(const Report *r) {
    const Ground *g = &r->ground;
    g_autoptr(Span) span = run_span(g);
    ReportOpenness openness = {.list = g_array_new(FALSE, FALSE, sizeof(ReportOpen)),
                               .width = atlas_rat(0)};
    for (guint i = 0; i < g->model->populations->len; i++) {
        AtlasInterval bounds = ground_bounds(g, &g->forms[i], g->steps);
        if (!g->has[i] || interval_single(&bounds)) {
            openness.exact += g->has[i];
        } else if (span_has(span, &g->forms[i])) {
            note_smeared(&openness, &bounds);
        } else {
            ReportOpen open = {i, bounds, ground_share(g, &g->forms[i])};
            g_array_append_val(openness.list, open);
        }
    }
    openness.missing = missing_equations(g, span);
    openness.missing_known = span_fits(span);
    if (openness.list->len || openness.smeared)
        openness.next = find_next(r);
    return openness;
}

void report_openness_clear(ReportOpenness *openness) {
    if (openness->list)
        g_array_unref(openness->list);
    atlas_next_run_free(openness->next);
}

GPtrArray *report_never_on(const Report *r) {
    const Ground *g = &r->ground;
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < g->model->arms->len; i++) {
        gboolean on = atlas_config_arm(g->base, i);
        for (guint k = 0; k < g->study->evidence->observations->len; k++) {
            const AtlasObservation *o = atlas_evidence_get(g->study->evidence, k);
            on = on || (!o->excluded && atlas_config_arm(o->config, i));
        }
        if (!on)
            g_ptr_array_add(names, (gpointer)ATLAS_ARM(g->model, i)->name);
    }
    return names;
}

/* ---- what is said of it ---- */

static const AtlasTableColumn open_columns[] = {
    {"population", NULL, FALSE}, {"launches", NULL, TRUE},       {"bounds", NULL, TRUE},
    {"width", NULL, TRUE},       {"share, at most", NULL, TRUE}, {NULL, NULL, FALSE},
};

static void open_row(const Report *r, AtlasTable *table, const ReportOpen *open) {
    const Ground *g = &r->ground;
    AtlasRat most = open->share.hi_known ? open->share.hi : ATLAS_RAT_NONE;
    atlas_table_row(table);
    atlas_table_text(table, "%s", ATLAS_POPULATION(g->model, open->population)->key);
    atlas_table_number(table, ground_point(g, &g->forms[open->population], g->steps),
                       REPORT_PLACES);
    report_interval_cell(table, &open->bounds);
    atlas_table_number(table, width_of(&open->bounds), REPORT_PLACES);
    atlas_table_share(table, most, atlas_rat(1));
}

/* What the search did not look at. */
static void say_left_out(Report *r, const AtlasNextRun *next) {
    if (next->left_out)
        report_say(r,
                   " Not searched: %u candidate%s, since the report limits the search; atlas-sim "
                   "--next-run looks at %s.",
                   next->left_out, report_plural(next->left_out),
                   next->left_out == 1 ? "it" : "them");
}

static guint free_parameters(const Report *r, const AtlasConfig *config, gboolean *known) {
    const Ground *g = &r->ground;
    g_autoptr(Span) span = run_span(g);
    AtlasWalkFault fault;
    AtlasLinear *forms = atlas_walk_linear_stages(config, g->window.first, g->window.last, &fault);
    for (guint s = 0; forms && s < g->model->stages->len; s++)
        span_add(span, &forms[s]);
    guint left = missing_equations(g, span);
    *known = forms && span_fits(span);
    atlas_linear_free(forms, g->model->stages->len);
    return left;
}

/* What narrows: bounds that become narrower, and ends that come to be known. */
static void say_narrowed(Report *r, const AtlasNextRun *next) {
    g_autofree char *before = report_number(next->before.width, REPORT_PLACES);
    g_autofree char *after = report_number(next->after.width, REPORT_PLACES);
    guint unbounded = next->before.unbounded;
    report_say(r, "If it counts what is predicted, ");
    if (!g_str_equal(before, after) || !unbounded)
        report_say(r, "the widths of all %spopulations sum to %s launches, not %s%s",
                   unbounded ? "bounded " : "", after, before, unbounded ? ", and " : "");
    if (unbounded)
        report_say(r, "%u population%s no upper bound, not %u", next->after.unbounded,
                   next->after.unbounded == 1 ? " has" : "s have", unbounded);
}

static void say_next(Report *r) {
    const AtlasNextRun *next = r->openness.next;
    gboolean known;
    if (!next) {
        report_say(r, "No run that the spec can express is known to narrow them.\n\n");
        return;
    }
    if (!next->config) {
        report_say(r, "Of %u run%s that the spec can express none is known to narrow them.",
                   next->looked_at, report_plural(next->looked_at));
        say_left_out(r, next);
        report_say(r, "\n\n");
        return;
    }
    g_autofree char *settings = atlas_config_describe(next->config);
    report_say(
        r,
        "The next run to make is **%s**, %u setting%s away from %s: of %u run%s that the spec "
        "can express and that could teach something it narrows most. ",
        settings, next->changes, report_plural(next->changes),
        next->near ? next->near->run->name : "the base, which no run measured", next->looked_at,
        report_plural(next->looked_at));
    say_narrowed(r, next);
    guint left = free_parameters(r, next->config, &known);
    if (known)
        report_say(r, "; %u free parameter%s left", left, left == 1 ? " is" : "s are");
    report_say(r, ".");
    say_left_out(r, next);
    report_say(r, "\n\n");
}

static void say_list(Report *r) {
    const ReportOpenness *o = &r->openness;
    g_autoptr(AtlasTable) table = atlas_table_new(open_columns);
    gboolean one = o->list->len == 1;
    if (o->missing_known)
        report_say(r, "The runs leave %u free parameter%s: ", o->missing,
                   report_plural(o->missing));
    if (one)
        report_say(r, "the launches of this population can be others, within its bounds, and no "
                      "run would show it");
    else
        report_say(r,
                   "the launches of these %u populations can be moved against each other, within "
                   "their bounds, and no run would show it",
                   o->list->len);
    report_say(r, ". Launches are one solution of many.\n\n");
    for (guint i = 0; i < o->list->len; i++)
        open_row(r, table, &g_array_index(o->list, ReportOpen, i));
    report_table(r, table);
}

void report_open(Report *r) {
    const ReportOpenness *o = &r->openness;
    report_say(r, "## What stays open\n\n");
    if (!o->list->len && !o->smeared) {
        report_say(r, "Every population of the base is determined: %u.\n\n", o->exact);
        return;
    }
    if (o->list->len)
        say_list(r);
    g_autofree char *width = report_number(o->width, REPORT_PLACES);
    if (o->smeared)
        report_say(r, "%u more %s determined but for the counter's lag, to within %s launches. ",
                   o->smeared, o->smeared == 1 ? "is" : "are", width);
    if (o->exact)
        report_say(r, "%u %s determined exactly. ", o->exact, o->exact == 1 ? "is" : "are");
    if (o->smeared || o->exact)
        report_end(r);
    say_next(r);
}
