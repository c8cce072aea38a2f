#include "model/check/agree_steps.h"

#include <math.h>

/* The steps of a window that launch the same. */
typedef struct {
    const GArray *counts; /* of gint64, from step `first` on */
    gint64 first;
    gint64 from, by, last; /* steps from, from + by, ... up to last */
} Alike;

static gint64 count_of(const Alike *a, gint64 step) {
    return g_array_index(a->counts, gint64, step - a->first);
}

static gint by_number(gconstpointer a, gconstpointer b) {
    gint64 x = *(const gint64 *)a, y = *(const gint64 *)b;
    return x < y ? -1 : x > y;
}

/* What most of them count: the middle one, of two the first. */
static gint64 median(const Alike *a) {
    g_autoptr(GArray) sorted = g_array_new(FALSE, FALSE, sizeof(gint64));
    for (gint64 step = a->from; step <= a->last; step += a->by) {
        gint64 count = count_of(a, step);
        g_array_append_val(sorted, count);
    }
    g_array_sort(sorted, by_number);
    return g_array_index(sorted, gint64, (sorted->len - 1) / 2);
}

/* Appends those that count less than lo or more than hi; an end that is no number bounds nothing.
 */
static void add_outside(const Alike *a, AtlasRat lo, AtlasRat hi, GArray *wrong) {
    for (gint64 step = a->from; step <= a->last; step += a->by) {
        AtlasRat got = atlas_rat(count_of(a, step));
        if ((atlas_rat_ok(lo) && atlas_rat_cmp(got, lo) < 0) ||
            (atlas_rat_ok(hi) && atlas_rat_cmp(got, hi) > 0))
            g_array_append_val(wrong, step);
    }
}

/* The narrower of two bounds, either of which may be no number. */
static AtlasRat narrower(AtlasRat a, AtlasRat b, int side) {
    if (!atlas_rat_ok(a) || !atlas_rat_ok(b))
        return atlas_rat_ok(a) ? a : b;
    return side * atlas_rat_cmp(a, b) > 0 ? a : b;
}

static void judge_alike(const Alike *a, const AtlasInterval *launches, AtlasRat lag, gboolean least,
                        GArray *wrong) {
    AtlasRat none = ATLAS_RAT_NONE, twice = atlas_rat_add(lag, lag);
    AtlasRat usual = atlas_rat(median(a));
    AtlasRat lo = launches->lo_known ? atlas_rat_sub(launches->lo, lag) : none;
    AtlasRat hi = launches->hi_known ? atlas_rat_add(launches->hi, lag) : none;
    if (least) {
        add_outside(a, none, hi, wrong);
        return;
    }
    add_outside(a, narrower(lo, atlas_rat_sub(usual, twice), 1),
                narrower(hi, atlas_rat_add(usual, twice), -1), wrong);
}

GArray *agree_wrong_steps(const AtlasStudy *study, const AtlasObservation *o, guint stage,
                          AtlasRat lag) {
    GArray *wrong = g_array_new(FALSE, FALSE, sizeof(gint64));
    const AtlasModel *model = study->model;
    const GArray *counts = atlas_steps_counts(o->run, ATLAS_STAGE(model, stage)->name);
    AtlasWalkFault fault;
    AtlasWindow w = o->run->window;
    if (!counts)
        return wrong;
    gint64 period = atlas_walk_period(o->config, &fault);
    if (period > 1 && !o->run->window_known) /* which of its steps they were nobody knows */
        return wrong;
    for (gint64 place = w.first; place <= w.last && place - w.first < period; place++) {
        Alike alike = {counts, o->run->log_first, place, period, w.last};
        AtlasLinear *forms = atlas_walk_linear_stages(o->config, place, place, &fault);
        AtlasInterval launches = atlas_lp_interval(study->lp, &forms[stage]);
        gboolean vary = atlas_steps_vary(model, &forms[stage]);
        atlas_linear_free(forms, model->stages->len);
        if (!vary) /* else what is launched is a mean */
            judge_alike(&alike, &launches, lag, o->run->by.lost > 0, wrong);
    }
    g_array_sort(wrong, by_number);
    return wrong;
}

/* ---- drift ---- */

/* The mean count of a stage over the steps that launch as `step` does. */
static double usual(const AtlasObservation *o, const GArray *counts, gint64 step) {
    AtlasWindow w = o->run->window;
    double sum = 0;
    gint64 places = o->single->places, n = 0;
    for (gint64 i = w.first + (step - w.first) % places; i <= w.last; i += places, n++)
        sum += (double)g_array_index(counts, gint64, i - o->run->log_first);
    return sum / (double)n;
}

/* A boundary, and how many more were counted up to there than is usual. */
typedef struct {
    gint64 step;
    guint stage;
    double more;
} Place;

char *agree_drift(const AtlasObservation *o) {
    const AtlasModel *model = o->config->model;
    AtlasWindow w = o->run->window;
    guint n = model->stages->len;
    g_autofree double *mean = g_new(double, (gsize)o->single->places *n + 1);
    for (guint i = 0; i < o->single->places * n; i++)
        mean[i] =
            usual(o, atlas_steps_counts(o->run, ATLAS_STAGE(model, i % n)->name), w.first + i / n);
    Place at = {w.first - 1, n - 1, 0}, least = at, most = at;
    for (at.step = w.first; at.step <= w.last; at.step++)
        for (at.stage = 0; at.stage < n; at.stage++) {
            const GArray *counts = atlas_steps_counts(o->run, ATLAS_STAGE(model, at.stage)->name);
            guint place = (guint)((at.step - w.first) % o->single->places);
            at.more += (double)g_array_index(counts, gint64, at.step - o->run->log_first) -
                       mean[place * n + at.stage];
            least = at.more < least.more ? at : least;
            most = at.more > most.more ? at : most;
        }
    gboolean up = least.step < most.step || (least.step == most.step && least.stage < most.stage);
    const Place *from = up ? &least : &most, *to = up ? &most : &least;
    return g_strdup_printf(
        "from the end of %s in step %" G_GINT64_FORMAT " to that of %s in step %" G_GINT64_FORMAT
        ", %.1f %s were counted than is usual",
        ATLAS_STAGE(model, from->stage)->name, from->step, ATLAS_STAGE(model, to->stage)->name,
        to->step, fabs(to->more - from->more), up ? "more" : "fewer");
}
