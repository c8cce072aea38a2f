/* Capture plans: what they hold, that they are right, that they cost least, what they promise. */
#include "graphs/plan.h"

#include <stdlib.h>
#include <string.h>

#include "graphs/plan_part.h"
#include "graphs/plan_show.h"
#include "model/launch/lower.h"
#include "sim/execute.h"
#include "tests/unit/report_kit.h"
#include "tests/unit/suites.h"

/* ---- a study's plan ---- */

typedef struct {
    AtlasDiags *diags;
    AtlasStudy *study;
    AtlasConfig *config;
    AtlasProgramFile *file;
    AtlasPlan *bare, *plan;
} Kit;

static Kit kit_with(const char *spec, const char *settings, guint with,
                    const AtlasPlanCosts *costs) {
    Kit k = {.diags = atlas_diags_new()};
    k.study = report_study(spec, NULL);
    ck_assert_ptr_nonnull(k.study);
    k.config = atlas_config_new(k.study->model);
    AtlasText text = {settings, {NULL, 0, 0}};
    atlas_config_apply(k.config, &text, k.diags);
    atlas_config_finish(k.config, k.diags);
    k.file = atlas_program_file_new();
    const AtlasProgram *program = atlas_lower(k.config, k.study->point->unknowns, k.file, k.diags);
    k.bare = atlas_plan_make(k.file, program, 0, costs, k.diags);
    k.plan = atlas_plan_make(k.file, program, with, costs, k.diags);
    ck_assert(k.bare && k.plan);
    return k;
}

static Kit kit_new(const char *spec, const char *settings, guint with) {
    AtlasPlanCosts costs = atlas_plan_costs();
    return kit_with(spec, settings, with, &costs);
}

static void kit_clear(Kit *k) {
    atlas_plan_free(k->bare);
    atlas_plan_free(k->plan);
    atlas_program_file_free(k->file);
    atlas_config_free(k->config);
    atlas_study_free(k->study);
    atlas_diags_free(k->diags);
}

/* "fwd 9001/1 bwd 7025/1": each window's launches and graph launches, then graphs where there are
 * several, copies, and the window whose graph it is. */
static char *describe(const AtlasPlan *plan) {
    GString *out = g_string_new(plan->proved ? "proved" : "open");
    for (guint i = 0; i < plan->windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(plan->windows, AtlasPlanWindow, i);
        g_string_append_printf(out, " %s %" G_GINT64_FORMAT "/%" G_GINT64_FORMAT, w->name,
                               w->launches, w->times);
        if (w->graphs > 1)
            g_string_append_printf(out, "/%" G_GINT64_FORMAT, w->graphs);
        if (w->copies)
            g_string_append_printf(out, "+%" G_GINT64_FORMAT, w->copies);
        if (w->of != i)
            g_string_append_printf(out, " as %u", w->of + 1);
    }
    return g_string_free(out, FALSE);
}

#define ALL (ATLAS_WITH_IN_PLACE | ATLAS_WITH_DEVICE_SCALARS)

static const struct {
    const char *spec, *settings;
    guint with;
    const char *windows;
} plans[] = {
    /* Whatever reads params, which are new memory in each step, is out; the teacher is not. */
    {"dormouse-small", "base", 0, "proved fwd 4458/1 bwd.accumulate 492/3"},
    /* The scalar that is new in each step keeps the optimizer out. */
    {"dormouse-small", "base", ATLAS_WITH_IN_PLACE,
     "proved fwd 9001/1 bwd 7025/1 retr.factors 1312/1 ema.lerp 167/1"},
    {"dormouse-small", "base", ALL,
     "proved fwd 9001/1 bwd 7025/1 opt 3922/1 retr.factors 1312/1 ema.lerp 167/1"},
    /* A part of act for each iteration: a graph for each. */
    {"dormouse-small", "base", ALL | ATLAS_WITH_ITERATIONS,
     "proved fwd.main 4540/4/4 fwd.teacher 4356/4/4 bwd 1501/1 bwd 4995/3/3"},
    /* The host's drain parts the optimizer. */
    {"dormouse-small", "engram", ALL,
     "proved fwd 9338/1 bwd 7488/1 opt 3922/1 opt.engram 152/1 retr.factors 1312/1 "
     "ema.lerp 167/1"},
    {"dormouse-small", "retract-4", ALL | ATLAS_WITH_ACROSS_STAGES,
     "proved fwd 8998/1 fwd+bwd 7028/1 opt 3922/1 retr.factors 1312/1 ema.lerp 167/1"},
    /* The legacy stream cannot be captured. */
    {"minimouse", "base", 0, "proved"},
    {"minimouse", "base", ATLAS_WITH_CAPTURE_STREAM,
     "proved fwd 1297/1 bwd 1517/1 opt 272/1 retr.factors 229/1 ema.lerp 30/1"},
    {"minimouse", "base", ATLAS_WITH_CAPTURE_STREAM | ATLAS_WITH_ACROSS_STAGES,
     "proved fwd+bwd 2814/1 opt+retr+ema 531/1"},
};

/* The planned program can be read back, runs, and leaves what the eager one leaves; each stage of
 * it counts what was promised. */
static void check_run(const AtlasPlan *plan) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(GArray) promises = atlas_plan_promises(plan);
    gint64 period = atlas_flow_period(plan->eager);
    AtlasSteps steps = {0, period, 2 * period - 1};
    g_autoptr(AtlasExecution) eager = atlas_execute(plan->eager, steps, diags);
    g_autoptr(AtlasExecution) planned = atlas_execute(plan->planned, steps, diags);
    const AtlasSeen *right, *wrong;
    atlas_execution_compare(eager, planned, &right, &wrong);
    ck_assert(!right && !wrong);
    for (guint s = 1; s < planned->stages->len; s++) {
        AtlasTally got = atlas_execution_stage(planned, s);
        const AtlasPlanPromise *p = NULL;
        for (guint i = 0; i < promises->len; i++)
            if (g_array_index(promises, AtlasPlanPromise, i).stage ==
                g_ptr_array_index(planned->stages, s))
                p = &g_array_index(promises, AtlasPlanPromise, i);
        ck_assert_ptr_nonnull(p);
        ck_assert_int_eq(got.of[ATLAS_COUNT_CALLS], p->calls);
        ck_assert_int_eq(got.of[ATLAS_COUNT_SUBMISSIONS], p->submissions);
        ck_assert_int_eq(got.of[ATLAS_COUNT_ACTIVITIES], p->activities);
        ck_assert_int_eq(got.of[ATLAS_COUNT_GRAPH_NODES], p->graph_nodes);
    }
}

START_TEST(of_specs) {
    Kit k = kit_new(plans[_i].spec, plans[_i].settings, plans[_i].with);
    g_autofree char *windows = describe(k.plan);
    ck_assert_str_eq(windows, plans[_i].windows);
    check_run(k.plan);
    kit_clear(&k);
}
END_TEST

/* ---- the roadmap ---- */

/* The study's five targets: its figure lies in what the runs allow, or within the counter's lag of
 * it for each run that the figure is a difference of. */
static const struct {
    const char *name;
    double study;
    int runs;
    guint needs;
} targets[] = {
    {"opt", 3921.0, 1, ALL},
    {"kda in them", 6245.5, 2, ATLAS_WITH_IN_PLACE},
    {"kda in them", 5729.9, 2, ATLAS_WITH_IN_PLACE},
    {"retr", 1311.5, 1, ATLAS_WITH_IN_PLACE},
    {"toggle jepa-precompute", 4567.6, 2, 0},
};

static gboolean is_target(const AtlasRoad *road, guint i) {
    double lag = 9.5 * targets[i].runs;
    return g_str_equal(road->name, targets[i].name) && road->bounds.lo_known &&
           road->bounds.hi_known && atlas_rat_double(road->bounds.lo) - lag <= targets[i].study &&
           targets[i].study <= atlas_rat_double(road->bounds.hi) + lag &&
           road->needs == targets[i].needs && !road->blocked;
}

START_TEST(roadmap) {
    Kit k = kit_new("dormouse-small", "base", ALL);
    g_autoptr(AtlasRoadmap) map = atlas_roadmap_make(k.study, k.config, k.bare, k.diags);
    guint found = 0;
    for (guint i = 0; i < G_N_ELEMENTS(targets); i++)
        for (guint r = 0; r < map->roads->len; r++)
            found += is_target(&g_array_index(map->roads, AtlasRoad, r), i);
    ck_assert_uint_eq(found, G_N_ELEMENTS(targets));
    /* Both ceilings: a graph an iteration; five pieces that hold all there is. */
    ck_assert_int_eq(map->ceilings[0].graphs.num, 12);
    ck_assert_int_eq(map->ceilings[1].graphs.num, 5);
    ck_assert_int_eq(map->ceilings[1].launches.num, map->total.num);
    for (guint r = 1; r < map->roads->len; r++) {
        const AtlasRoad *a = &g_array_index(map->roads, AtlasRoad, r - 1);
        const AtlasRoad *b = &g_array_index(map->roads, AtlasRoad, r);
        if (a->kind != ATLAS_ROAD_PART && b->kind != ATLAS_ROAD_PART)
            ck_assert_int_ge(atlas_rat_cmp(a->launches, b->launches), 0);
    }
    kit_clear(&k);
}
END_TEST

/* The roadmap's prices are the plan's: to the nanosecond that a window is rounded down by. */
static const struct {
    const char *spec;
    guint with, ceiling;
    gint64 over;
} prices[] = {
    {"dormouse-small", ALL, 1, 1000},
    {"dormouse-small", ALL, 1, 3},
    {"dormouse-small", ALL | ATLAS_WITH_ITERATIONS, 0, 1000},
    {"dormouse-small", ALL | ATLAS_WITH_ITERATIONS, 0, 3},
    {"minimouse", ATLAS_WITH_CAPTURE_STREAM, 1, 1000},
};

START_TEST(same_prices) {
    AtlasPlanCosts costs = atlas_plan_costs();
    costs.over = prices[_i].over;
    Kit k = kit_with(prices[_i].spec, "base", prices[_i].with, &costs);
    g_autoptr(AtlasRoadmap) map = atlas_roadmap_make(k.study, k.config, k.bare, k.diags);
    AtlasRat saved = map->ceilings[prices[_i].ceiling].saved_ms;
    ck_assert_int_eq(atlas_rat_cmp(saved, atlas_rat_make(k.plan->saved_ns, 1000000)), 0);
    kit_clear(&k);
}
END_TEST

/* ---- programs ---- */

static const struct {
    const char *body; /* of the step */
    guint with;
    const char *windows;
    gint64 over, graphs; /* 0: as usual */
} programs[] = {
    /* A fork and its join: one window of two streams. */
    {"launch s a x9 w:x\nrecord e s\nwait t e\nlaunch t b x9 r:x w:y\nrecord f t\nwait s f\n"
     "launch s c x9 r:y w:z\n",
     0, "proved step 27/1", 0, 0},
    /* Without the join a capture cannot end: each stream by itself. */
    {"launch s a x9 w:x\nrecord e s\nwait t e\nlaunch t b x9 r:x w:y\nsync_ctx\n", 0,
     "proved a 9/1 b 9/1", 0, 0},
    /* Other steps, other windows. */
    {"launch s a x9 r:x w:x\nlaunch s b x9 r:x w:x every:4\n", 0, "proved a 9/1 b 9/1", 0, 0},
    /* Too dear for one launch. */
    {"launch s a w:x\nsync_stream s\n", 0, "proved a 1/1", 0, 0},
    /* A loop whose body is the same each time is one graph, if not one window. */
    {"loop 3 as i\nlaunch s a x9 r:x w:x\nsync_stream s\nend\n", 0, "proved a 27/3", 0, 0},
    {"loop 3 as i\nlaunch s a x9 r:p[i] w:x\nsync_stream s\nend\n", 0, "proved a 27/3/3", 0, 0},
    {"loop 2 as i\nloop 2 as j\nlaunch s a x9 r:p[i] w:p[j]\nsync_stream s\nend\nend\n", 0,
     "proved a 36/4/4", 0, 0},
    /* ... or one of all, and copies there and back: 3 graphs of 900 nodes, at 9.13 us a node, cost
     * more than 6 copies at 24 us in 20 steps, not in 200. */
    {"loop 3 as i\nlaunch s a x900 r:x,p[i] w:x,p[i]\nsync_stream s\nend\n", ATLAS_WITH_RENAME,
     "proved a 2700/3+6", 20, 0},
    {"loop 3 as i\nlaunch s a x900 r:x,p[i] w:x,p[i]\nsync_stream s\nend\n", ATLAS_WITH_RENAME,
     "proved a 2700/3/3", 200, 0},
    /* What is read only is copied there, what is written first only back. */
    {"loop 3 as i\nlaunch s a x900 r:p[i] w:x\nsync_stream s\nend\n", ATLAS_WITH_RENAME,
     "proved a 2700/3+3", 20, 0},
    {"loop 3 as i\nlaunch s a x900 r:x w:p[i]\nsync_stream s\nend\n", ATLAS_WITH_RENAME,
     "proved a 2700/3+3", 20, 0},
    /* Parts that meet in some iteration cannot be copied apart. */
    {"loop 0..3 as i\nlaunch s a x900 r:p[i] w:p[3-i]\nsync_stream s\nend\n", ATLAS_WITH_RENAME,
     "proved a 3600/4/4", 20, 0},
    {"loop 0..2 as i\nlaunch s a x900 r:p[i] w:p[i+1]\nsync_stream s\nend\n", ATLAS_WITH_RENAME,
     "proved a 2700/3+6", 20, 0},
    /* The same on the same buffers is one graph, with or without copies. */
    {"launch s a x9 r:x w:x\nsync_stream s\nlaunch s a x9 r:x w:x\nsync_stream s\n", 0,
     "proved a 9/1 a 9/1 as 1", 0, 0},
    /* Other buffers, but alike: one graph with copies, if the windows end there. */
    {"launch s a x900 r:x w:x\nlaunch s b x300 r:x w:y\nlaunch s a x900 r:z w:z\n"
     "launch s b x300 r:z w:y\n",
     ATLAS_WITH_RENAME, "proved step 1200/1+2 step 1200/1+2 as 1", 20, 0},
    {"launch s a x900 r:x w:x\nlaunch s b x300 r:x w:y\nlaunch s a x900 r:z w:z\n"
     "launch s b x300 r:z w:y\n",
     0, "proved step 2400/1", 20, 0},
    /* A buffer that is written in part is copied there, too, for the rest of it. */
    {"launch s a x900 r:x w:x\nloop 2 as i\nlaunch s b x9 r:x w:p[i]\nend\nsync_stream s\n"
     "launch s a x900 r:x w:x\nloop 2 as i\nlaunch s b x9 r:x w:q[i]\nend\n",
     ATLAS_WITH_RENAME, "proved step 918/1+2 step 918/1+2 as 1", 20, 1},
    /* ... where a graph of what is the same, and one each of the rest, would cost more. */
    {"launch s a x900 r:x w:x\nloop 2 as i\nlaunch s b x9 r:x w:p[i]\nend\nsync_stream s\n"
     "launch s a x900 r:x w:x\nloop 2 as i\nlaunch s b x9 r:x w:q[i]\nend\n",
     ATLAS_WITH_RENAME, "proved a 900/1 b 18/1 a 900/1 as 1 b 18/1", 20, 0},
    /* Windows end where a graph begins that another one can launch, too: a launch and the like are
     * cheaper than so many nodes, or the only graphs that may be held. */
    {"launch s a x100 r:x w:x\nlaunch s b x10 r:y w:y\nsync_stream s\n"
     "launch s a x100 r:x w:x\nlaunch s c x10 r:z w:z\nsync_stream s\n"
     "launch s a x100 r:x w:x\nlaunch s d x10 r:z w:z\nsync_stream s\n",
     0, "proved a 100/1 b 10/1 a 100/1 as 1 c 10/1 a 100/1 as 1 d 10/1", 1, 0},
    {"launch s a x100 r:x w:x\nlaunch s b x10 r:y w:y\nsync_stream s\n"
     "launch s a x100 r:x w:x\nlaunch s c x10 r:z w:z\nsync_stream s\n"
     "launch s a x100 r:x w:x\nlaunch s d x10 r:z w:z\nsync_stream s\n",
     0, "proved a 100/1 a 100/1 as 1 a 100/1 as 1", 0, 1},
    {"launch s a x100 r:x w:x\nsync_stream s\nlaunch s a x100 r:x w:x\nsync_stream s\n"
     "launch s a x100 r:x w:x\nsync_stream s\nlaunch s b x250 r:y w:y\nsync_stream s\n",
     0, "proved a 100/1 a 100/1 as 1 a 100/1 as 1", 0, 1},
    /* Copies cost more than the graph that they save, and are made where it may not be held. */
    {"launch s a x100 r:x w:x\nsync_stream s\nlaunch s a x100 r:y w:y\nsync_stream s\n",
     ATLAS_WITH_RENAME, "proved a 100/1+2 a 100/1+2 as 1", 0, 1},
    /* Not alike: twice the same buffer, another count, another kernel. */
    {"launch s a x900 r:x,x w:y\nlaunch s a x900 r:p,z w:z\n", ATLAS_WITH_RENAME, "proved a 1800/1",
     20, 0},
    {"launch s a x900 r:x w:y\nsync_stream s\nlaunch s a x901 r:y w:z\n", ATLAS_WITH_RENAME,
     "proved a 900/1 a 901/1", 20, 0},
    /* The dearest windows, where only so many graphs are held. */
    {"launch s a x9 r:x w:x\nsync_stream s\nlaunch s b x90 r:x w:x\nsync_stream s\n"
     "launch s c x30 r:x w:x\n",
     0, "proved b 90/1 c 30/1", 0, 2},
    {"loop 3 as i\nlaunch s a x90 r:p[i] w:x\nsync_stream s\nend\nlaunch s c x100 r:x w:x\n", 0,
     "proved c 100/1", 0, 2},
    {"loop 3 as i\nlaunch s a x90 r:p[i] w:x\nsync_stream s\nend\nlaunch s c x100 r:x w:x\n", 0,
     "proved a 270/3/3", 0, 3},
    {"loop 3 as i\nlaunch s a x90 r:p[i] w:x\nsync_stream s\nend\nlaunch s c x100 r:x w:x\n",
     ATLAS_WITH_RENAME, "proved a 270/3+3 c 100/1", 0, 2},
};

START_TEST(of_programs) {
    g_autofree char *text = g_strdup_printf(
        "# t\nstream s nonblocking\nstream t nonblocking\nevent e\nevent f\nbuffer x\nbuffer y\n"
        "buffer z\nbuffer p x4\nbuffer q x4\nstep\n%send\n",
        programs[_i].body);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("t", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    ck_assert_ptr_nonnull(file);
    AtlasPlanCosts costs = atlas_plan_costs();
    costs.most_graphs = programs[_i].graphs;
    costs.over = programs[_i].over ? programs[_i].over : costs.over;
    g_autoptr(AtlasPlan) plan =
        atlas_plan_make(file, atlas_program_file_get(file, 0), programs[_i].with, &costs, diags);
    g_autofree char *problems = atlas_diags_render(diags, FALSE);
    ck_assert_msg(plan != NULL, "%s", problems);
    g_autofree char *windows = describe(plan);
    ck_assert_str_eq(windows, programs[_i].windows);
    check_run(plan);
}
END_TEST

/* ---- random programs ---- */

/* A launch of one kernel on few buffers, so that many are alike; in a loop it may use the
 * part that the index says. */
static void random_launch(GRand *random, GString *text, gboolean in_loop) {
    static const char *const whole[] = {"x", "y", "z"};
    static const char *const part[] = {"p[i]", "p[3-i]", "p[i+1]", "q[i]"};
    const char *names[2];
    for (guint k = 0; k < 2; k++)
        names[k] = in_loop && g_rand_boolean(random) ? part[g_rand_int_range(random, 0, 4)]
                                                     : whole[g_rand_int_range(random, 0, 3)];
    g_string_append_printf(text, "launch s k x%d", g_rand_int_range(random, 0, 4) ? 90 : 1);
    if (g_rand_boolean(random))
        g_string_append_printf(text, " r:%s", names[0]);
    g_string_append_printf(text, " w:%s\n", names[1]);
}

static void random_block(GRand *random, GString *text, gboolean in_loop) {
    for (gint32 n = g_rand_int_range(random, 1, 6); n > 0; n--) {
        gint32 what = g_rand_int_range(random, 0, 9);
        if (what == 0)
            g_string_append(text, "sync_stream s\n");
        else if (what == 1)
            g_string_append(text, "memset_async s w:y\n");
        else if (what == 2 && !in_loop) {
            g_string_append(text, "loop 3 as i\n");
            random_block(random, text, TRUE);
            g_string_append(text, "end\n");
        } else
            random_launch(random, text, in_loop);
    }
}

/* On one stream, with nothing that is new in a step, all may be in graphs: whatever graphs are
 * shared and copied, nothing breaks, and what is proved to be right leaves what it should. */
START_TEST(random_programs) {
    g_autoptr(GRand) random = g_rand_new_with_seed(11);
    guint shared = 0, copied = 0;
    for (guint round = 0; round < 400; round++) {
        g_autoptr(GString) text = g_string_new(
            "# t\nstream s nonblocking\nbuffer x\nbuffer y\nbuffer z\nbuffer p x4\nbuffer q x4\n"
            "step\n");
        random_block(random, text, FALSE);
        random_block(random, text, FALSE);
        g_string_append(text, "end\n");
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasSource) source = atlas_source_new("t", text->str, text->len, NULL);
        g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
        AtlasPlanCosts costs = atlas_plan_costs();
        costs.over = g_rand_int_range(random, 1, 50);
        costs.most_graphs = round % 4;
        g_autoptr(AtlasPlan) plan = atlas_plan_make(file, atlas_program_file_get(file, 0),
                                                    ATLAS_WITH_RENAME, &costs, diags);
        ck_assert_ptr_nonnull(plan);
        ck_assert_msg(plan->proved && plan->blocks->len == 0, "%s%s", text->str, plan->proof);
        ck_assert(!costs.most_graphs || plan->graphs <= costs.most_graphs);
        check_run(plan);
        g_autoptr(AtlasPlan) apart =
            atlas_plan_make(file, atlas_program_file_get(file, 0), 0, &costs, diags);
        ck_assert_int_ge(plan->saved_ns + plan->windows->len, apart->saved_ns);
        for (guint i = 0; i < plan->windows->len; i++)
            shared += g_array_index(plan->windows, AtlasPlanWindow, i).of != i;
        copied += plan->copies > 0;
    }
    ck_assert_uint_gt(shared, 50);
    ck_assert_uint_gt(copied, 20);
}
END_TEST

/* ---- files ---- */

START_TEST(plan_file) {
    Kit k = kit_new("minimouse", "base", ATLAS_WITH_CAPTURE_STREAM);
    AtlasPlanShown shown = {k.plan, NULL};
    json_t *root = atlas_plan_json(&shown);
    char *text = json_dumps(root, 0);
    g_autoptr(GPtrArray) sources =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free);
    AtlasSource *source = atlas_source_new("plan.json", text, strlen(text), NULL);
    g_ptr_array_add(sources, source);
    g_autoptr(AtlasPlanFile) file = atlas_plan_read(source, sources, k.diags);
    ck_assert_ptr_nonnull(file);
    g_autoptr(GString) a = g_string_new(NULL), b = g_string_new(NULL);
    atlas_program_write(k.plan->planned, a);
    atlas_program_write(file->planned, b);
    ck_assert_str_eq(a->str, b->str);
    ck_assert_uint_eq(file->promises->len, 5);
    free(text);
    json_decref(root);
    kit_clear(&k);
}
END_TEST

Suite *plan_suite(void) {
    Suite *suite = suite_create("plan");
    TCase *all = tcase_create("plan");
    tcase_add_loop_test(all, of_specs, 0, G_N_ELEMENTS(plans));
    tcase_add_test(all, roadmap);
    tcase_add_loop_test(all, same_prices, 0, G_N_ELEMENTS(prices));
    tcase_add_loop_test(all, of_programs, 0, G_N_ELEMENTS(programs));
    tcase_add_test(all, random_programs);
    tcase_add_test(all, plan_file);
    suite_add_tcase(suite, all);
    return suite;
}
