#include "model/solve/steps.h"

#include "model/solve/certify.h"

/* A run being put together. */
typedef struct {
    const AtlasRun *run;
    const AtlasModel *model;
    const GArray **counts; /* of each of the model's stages */
    gint64 *counted;       /* up to the end of stage s of step i: at i * stages + s */
    AtlasLogSteps *steps;
    AtlasLinear *period; /* the launches of a period */
} Making;

const GArray *atlas_steps_counts(const AtlasRun *run, const char *name) {
    const AtlasRunStage *stage = atlas_run_stage(run, name);
    return stage ? stage->counts : NULL;
}

gboolean atlas_steps_vary(const AtlasModel *model, const AtlasLinear *form) {
    for (guint i = 0; i < form->n; i++)
        if (form->coefs[i].num != 0 && ATLAS_UNKNOWN(model, i)->real)
            return TRUE;
    return FALSE;
}

/* Whether every stage has counts. */
static gboolean find_counts(Making *m) {
    for (guint s = 0; s < m->model->stages->len; s++) {
        m->counts[s] = atlas_steps_counts(m->run, ATLAS_STAGE(m->model, s)->name);
        if (!m->counts[s])
            return FALSE;
    }
    return m->run->window_known;
}

/* The launches of each place, and of all of them. */
static gboolean walk_places(Making *m, const AtlasConfig *config) {
    AtlasWalkFault fault;
    guint n = m->model->stages->len;
    for (guint place = 0; place < m->steps->places; place++) {
        gint64 step = m->run->window.first + place;
        AtlasLinear *forms = atlas_walk_linear_stages(config, step, step, &fault);
        if (!forms)
            return FALSE;
        g_ptr_array_add(m->steps->forms, forms);
        for (guint s = 0; s < n; s++) {
            atlas_linear_add(m->period, &forms[s], atlas_rat(1));
            if (atlas_steps_vary(m->model, &forms[s]))
                return FALSE;
        }
    }
    return TRUE;
}

static void add_up_counts(Making *m) {
    guint n = m->model->stages->len;
    gint64 steps = atlas_window_steps(m->run->window), sum = 0;
    for (gint64 i = 0; i < steps; i++)
        for (guint s = 0; s < n; s++) {
            gint64 step = m->run->window.first + i;
            sum += g_array_index(m->counts[s], gint64, step - m->run->log_first);
            m->counted[i * n + s] = sum;
        }
}

/* ---- corners ---- */

typedef struct {
    gint64 q, counted;
} Point;

/* Above 0 where the way from a over b to c bends to the left. */
static int bend(const Point *a, const Point *b, const Point *c) {
    AtlasWide left = (AtlasWide)(b->q - a->q) * (c->counted - a->counted);
    AtlasWide right = (AtlasWide)(b->counted - a->counted) * (c->q - a->q);
    return left > right ? 1 : left < right ? -1 : 0;
}

/* One side of the hull of points that stand in the order of q: the lower one for side 1, the upper
 * one for -1. */
static GArray *hull(const GArray *points, int side) {
    GArray *corners = g_array_new(FALSE, FALSE, sizeof(Point));
    for (guint i = 0; i < points->len; i++) {
        const Point *at = &g_array_index(points, Point, i);
        while (corners->len >= 2 &&
               side * bend(&g_array_index(corners, Point, corners->len - 2),
                           &g_array_index(corners, Point, corners->len - 1), at) <=
                   0)
            g_array_set_size(corners, corners->len - 1);
        g_array_append_val(corners, *at);
    }
    return corners;
}

static void add_boundary(Making *m, const AtlasLinear *within, const Point *at) {
    AtlasBoundary boundary = {atlas_linear_new(m->model->unknowns->len, 1), at->counted};
    atlas_linear_add(boundary.launched, within, atlas_rat(1));
    atlas_linear_add(boundary.launched, m->period, atlas_rat(at->q));
    g_array_append_val(m->steps->boundaries, boundary);
}

/* The boundaries of a stage at a place; `within` is launched from the period's start up to there.
 */
static void add_corners(Making *m, guint place, guint stage, const AtlasLinear *within) {
    gint64 steps = atlas_window_steps(m->run->window);
    g_autoptr(GArray) points = g_array_new(FALSE, FALSE, sizeof(Point));
    for (gint64 i = place; i < steps; i += m->steps->places) {
        Point point = {i / m->steps->places, m->counted[i * m->model->stages->len + stage]};
        g_array_append_val(points, point);
    }
    g_autoptr(GArray) lower = hull(points, 1), upper = hull(points, -1);
    for (guint i = 0; i < lower->len; i++)
        add_boundary(m, within, &g_array_index(lower, Point, i));
    for (guint i = 1; i + 1 < upper->len; i++) /* both sides have the ends */
        add_boundary(m, within, &g_array_index(upper, Point, i));
}

static void add_boundaries(Making *m) {
    AtlasLinear *within = atlas_linear_new(m->model->unknowns->len, 1);
    for (guint place = 0; place < m->steps->places; place++)
        for (guint s = 0; s < m->model->stages->len; s++) {
            atlas_linear_add(within, atlas_steps_form(m->steps, place, s), atlas_rat(1));
            if (m->steps->boundaries->len <= ATLAS_STEPS_ROWS)
                add_corners(m, place, s, within);
        }
    atlas_linear_free(within, 1);
}

/* ---- a run ---- */

static gboolean make(Making *m, const AtlasConfig *config) {
    if (!find_counts(m) || !walk_places(m, config))
        return FALSE;
    add_up_counts(m);
    add_boundaries(m);
    return m->steps->boundaries->len <= ATLAS_STEPS_ROWS;
}

static void boundary_clear(gpointer data) {
    atlas_linear_free(((AtlasBoundary *)data)->launched, 1);
}

AtlasLogSteps *atlas_steps_new(const AtlasRun *run, const AtlasConfig *config) {
    AtlasWalkFault fault;
    guint n = config->model->stages->len;
    gint64 steps = atlas_window_steps(run->window), period = atlas_walk_period(config, &fault);
    if (!run->log || period == 0 || MIN(period, steps) * n > ATLAS_STEPS_ROWS)
        return NULL;
    g_autofree const GArray **counts = g_new0(const GArray *, n + 1);
    g_autofree gint64 *counted = g_new(gint64, (gsize)steps * n + 1);
    g_autoptr(AtlasLogSteps) made = g_new0(AtlasLogSteps, 1);
    made->places = (guint)MIN(period, steps);
    made->stages = n;
    made->forms = g_ptr_array_new();
    made->boundaries = g_array_new(FALSE, FALSE, sizeof(AtlasBoundary));
    g_array_set_clear_func(made->boundaries, boundary_clear);
    Making m = {run,     config->model, counts,
                counted, made,          atlas_linear_new(config->model->unknowns->len, 1)};
    gboolean ok = make(&m, config);
    atlas_linear_free(m.period, 1);
    return ok ? g_steal_pointer(&made) : NULL;
}

void atlas_steps_free(AtlasLogSteps *steps) {
    if (!steps)
        return;
    for (guint i = 0; i < steps->forms->len; i++)
        atlas_linear_free(g_ptr_array_index(steps->forms, i), steps->stages);
    g_ptr_array_unref(steps->forms);
    g_array_unref(steps->boundaries);
    g_free(steps);
}
