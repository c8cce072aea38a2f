/* What a reader sees first. */
#include "graphs/report_part.h"
#include "model/base/markdown.h"

/* Parts that the headline names. */
enum { GREATEST = 3 };

static void say_total(Report *r) {
    const Ground *g = &r->ground;
    g_autofree char *solved = report_interval(&r->bounds);
    g_autofree char *lasting = report_interval(&r->lasting);
    g_autofree char *measured = report_interval(&r->counted);
    report_say(r, "- A step makes **%s** launches", solved);
    if (g->uneven)
        report_say(
            r,
            " in the mean of the steps that were measured, and **%s** in the long run, which "
            "repeats every %" G_GINT64_FORMAT " steps",
            lasting, g->period);
    if (g->run) {
        report_say(r, "; run '%s' counted %s a step", g->run->run->name, measured);
        if (g->run->run->window_known)
            report_say(r, " over steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT, g->window.first,
                       g->window.last);
    }
    report_say(r, ".\n");
    report_say_times(r);
}

/* What the bounds rest on, where the counter lags. */
static void say_lag(Report *r) {
    const AtlasStudy *study = r->ground.study;
    g_autofree char *lag = report_number(study->lag, REPORT_PLACES);
    if (study->lag.num == 0)
        return;
    report_say(r,
               "- What is solved holds for a counter that lags by up to %s launches, %s; by one "
               "that lags more it would be wider.\n",
               lag, report_lag_source(r));
}

static void say_greatest(Report *r) {
    const Ground *g = &r->ground;
    for (guint i = 0; i < MIN(r->ranked->len, GREATEST); i++) {
        const ReportRanked *part = &g_array_index(r->ranked, ReportRanked, i);
        g_autofree char *name = report_cell_name(r, part->cell);
        g_autofree char *bounds = report_interval(&part->bounds);
        report_say(r, "%s  - %s: ", i ? "" : "- The greatest parts:\n", name);
        if (form_is_given(part->cell->form)) {
            g_autofree char *share = report_percent(part->launches, r->total);
            report_say(r, "%s (%s), given by the spec\n", bounds, share);
        } else if (r->by_measure) {
            g_autofree char *launches = report_number(part->launches, REPORT_PLACES);
            g_autofree char *share = report_percent(part->launches, r->total);
            g_autofree char *how = formula_text(g, g_ptr_array_index(part->cell->formulas, 0));
            report_say(r, "%s (%s), measured as %s of %s, solved %s\n", launches, share,
                       report_stage(r, part->cell->stage), how, bounds);
        } else {
            AtlasInterval share = ground_share(g, part->cell->form);
            g_autofree char *of = report_share_bounds(&share);
            report_say(r, "solved %s (%s)\n", bounds, of);
        }
    }
}

/* Runs by what they take away or add, as measured. */
static void say_changes(Report *r) {
    guint n = r->ground.model->stages->len, said = 0;
    for (guint i = 0; i < r->marginals->len; i++) {
        const ReportMarginal *m = &g_array_index(r->marginals, ReportMarginal, i);
        const AtlasInterval *change = &m->measured[n];
        if (!m->run || !change->lo_known || !change->hi_known || r->total.num == 0)
            continue;
        g_autofree char *number = report_interval(change);
        g_autofree char *share = report_share_text(change, &r->counted);
        report_say(r, "%s%s %s%s (%s)", said++ ? ", " : "- Against the base: ", m->name,
                   change->lo.num > 0 ? "+" : "", number, share);
    }
    report_say(r, said ? ". These overlap: they do not add up.\n" : "");
}

static void say_graphs(Report *r) {
    if (!r->targets)
        return;
    g_autofree char *launches = report_interval(&r->bounds);
    g_autofree char *stages = report_number(r->targets->by_stage, REPORT_PLACES);
    g_autofree char *host = report_number(r->targets->by_host, REPORT_PLACES);
    report_say(r,
               "- A ceiling for graphs: the %s launches as %s graph launch%s a step, one for each "
               "run of launches between what the host reads, writes or waits for",
               launches, host, g_str_equal(host, "1") ? "" : "es");
    if (!g_str_equal(stages, host))
        report_say(r, "; as %s if a graph ends with its stage, too", stages);
    report_say(r, " (see Merge roadmap).\n");
}

static void say_claims(Report *r) {
    const AtlasResult *claims = r->of->claims;
    if (!claims)
        return;
    g_autofree char *of = atlas_markdown_escape(r->of->claims_of, FALSE);
    guint fail = atlas_result_count(claims, ATLAS_FAIL);
    guint open = atlas_result_count(claims, ATLAS_INCONCLUSIVE);
    report_say(r,
               "- Of %u statement%s of \"%s\", %u do%s not hold and %u %s left open by the runs: "
               "see Slips.\n",
               claims->checks->len, report_plural(claims->checks->len), of, fail,
               fail == 1 ? "es" : "", open, open == 1 ? "is" : "are");
}

/* What the figures are. */
static void say_figures(Report *r) {
    const Ground *g = &r->ground;
    report_say(r, "Figures are launches a step");
    if (g->uneven)
        report_say(r,
                   ", in the mean of steps %" G_GINT64_FORMAT "-%" G_GINT64_FORMAT
                   " unless the long run is named",
                   g->window.first, g->window.last);
    report_say(r, ". ");
    if (g->study->evidence->observations->len)
        report_say(r, "What was measured is the mean of what a run counted. ");
    report_say(r,
               "Bounds are solved: no launches that explain all runs together%s lie outside of "
               "them. What neither tells is unknown.\n\n",
               g->study->lag.num ? ", at the lag that the counter is given," : "");
}

void report_headline(Report *r) {
    const AtlasSpec *spec = r->ground.model->spec;
    report_say(r, "# %s: where the launches of a step come from\n\n", r->ground.model->name);
    if (spec->about.text) {
        g_autofree char *about = atlas_markdown_escape(spec->about.text, FALSE);
        report_say(r, "%s\n\n", about);
    }
    say_figures(r);
    report_say(r, "## Headline\n\n");
    say_total(r);
    say_lag(r);
    say_greatest(r);
    say_changes(r);
    say_graphs(r);
    say_claims(r);
    report_say(r, "\n");
}
