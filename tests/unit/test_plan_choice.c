/* The choice of windows: no other one costs less, as far as the plan says. */
#include <string.h>

#include "graphs/plan_part.h"
#include "tests/unit/suites.h"

/* Under these it pays to cut what could be one graph. */
static const AtlasGraphCost steep[] = {{1, 500}, {10, 900}, {20, 9000}, {40, 60000}};

/* ---- nothing is alike ---- */

/* A step of launches one behind the other, each so often. */
typedef struct {
    gint64 counts[9];
    guint n;
} Chain;

static gint64 cost_of(const AtlasPlanCosts *c, const Chain *chain, guint from, guint to) {
    gint64 nodes = 0;
    for (guint i = from; i < to; i++)
        nodes += chain->counts[i];
    return c->over * atlas_clock_graph_ns(&c->clock, nodes) + c->graph_ns + c->node_ns * nodes;
}

/* The least cost of ops `from` on, over every way to cut them into so many windows at most. */
static gint64 least(const AtlasPlanCosts *c, const Chain *chain, guint from, guint windows) {
    if (from == chain->n)
        return 0;
    gint64 best =
        chain->counts[from] * c->clock.launch_ns * c->over + least(c, chain, from + 1, windows);
    for (guint to = from + 1; windows > 0 && to <= chain->n; to++)
        best = MIN(best, cost_of(c, chain, from, to) + least(c, chain, to, windows - 1));
    return best;
}

static Chain random_chain(GRand *random, GString *text) {
    Chain chain = {.n = (guint)g_rand_int_range(random, 1, 10)};
    g_string_assign(text, "# random\nstream s nonblocking\nbuffer b\nstep\n");
    for (guint i = 0; i < chain.n; i++) {
        chain.counts[i] = g_rand_int_range(random, 1, 16);
        g_string_append_printf(text, "launch s k%u x%" G_GINT64_FORMAT " r:b w:b\n", i,
                               chain.counts[i]);
    }
    g_string_append(text, "end\n");
    return chain;
}

/* What the windows and the rest of a chain cost. */
static gint64 cost_of_choice(const AtlasPlanCosts *c, const Chain *chain, const GArray *windows,
                             guint first) {
    gint64 cost = 0;
    for (guint i = 0; i < chain->n; i++)
        cost += chain->counts[i] * c->clock.launch_ns * c->over;
    for (guint i = 0; i < windows->len; i++) {
        const AtlasPlanWindow *w = &g_array_index(windows, AtlasPlanWindow, i);
        cost += cost_of(c, chain, w->first - first, w->last + 1 - first);
        for (guint k = w->first - first; k <= w->last - first; k++)
            cost -= chain->counts[k] * c->clock.launch_ns * c->over;
    }
    return cost;
}

/* No way to cut a block is cheaper than the one that is chosen, among those of no more graphs than
 * are allowed; prices under which it pays to cut are among those tried. */
START_TEST(choice) {
    g_autoptr(GRand) random = g_rand_new_with_seed(7);
    g_autoptr(GString) text = g_string_new(NULL);
    guint bound = 0;
    for (guint round = 0; round < 600; round++) {
        AtlasPlanCosts costs = atlas_plan_costs();
        costs.clock.graph = steep;
        costs.clock.graphs = G_N_ELEMENTS(steep);
        costs.clock.launch_ns = g_rand_int_range(random, 100, 3000);
        costs.over = g_rand_int_range(random, 1, 200);
        costs.most_graphs = round % 5; /* 0: any number */
        Chain chain = random_chain(random, text);
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasSource) source = atlas_source_new("t", text->str, text->len, NULL);
        g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
        g_autoptr(PlanTree) tree = plan_tree_new(atlas_program_file_get(file, 0), diags);
        gint64 gap = -1;
        g_autoptr(GArray) windows = plan_choose(tree, 0, &costs, &gap);
        ck_assert_int_eq(gap, 0); /* nothing is alike: it is exact */
        guint most = costs.most_graphs ? (guint)costs.most_graphs : chain.n;
        ck_assert_uint_le(windows->len, most);
        bound +=
            costs.most_graphs && least(&costs, &chain, 0, chain.n) < least(&costs, &chain, 0, most);
        ck_assert_int_eq(cost_of_choice(&costs, &chain, windows, tree->step + 1),
                         least(&costs, &chain, 0, most));
    }
    ck_assert_uint_gt(bound, 50); /* the limit was one */
}
END_TEST

/* ---- some is alike ---- */

/* A step of launches of few kernels, some of them with a sync before them. */
typedef struct {
    guint kernel[8];
    gboolean sync[8];
    guint n;
} Tune;

static const gint64 tune_counts[] = {3, 8, 15};

/* One way to cut it: the windows so far. */
typedef struct {
    const AtlasPlanCosts *costs;
    const Tune *tune;
    guint from[8], to[8], windows;
    gint64 best;
} Cutting;

static gint64 nodes_of(const Tune *tune, guint from, guint to) {
    gint64 nodes = 0;
    for (guint i = from; i < to; i++)
        nodes += tune_counts[tune->kernel[i]];
    return nodes;
}

static gboolean same_window(const Cutting *c, guint a, guint b) {
    guint n = c->to[a] - c->from[a];
    return n == c->to[b] - c->from[b] &&
           memcmp(&c->tune->kernel[c->from[a]], &c->tune->kernel[c->from[b]], n * sizeof(guint)) ==
               0;
}

/* With one graph for those that are the same; too many: what it costs without any. */
static gint64 cost_of_cut(const Cutting *c) {
    const AtlasPlanCosts *costs = c->costs;
    gint64 graphs = 0;
    gint64 all = nodes_of(c->tune, 0, c->tune->n) * costs->clock.launch_ns * costs->over;
    gint64 cost = all;
    for (guint i = 0; i < c->windows; i++) {
        gint64 nodes = nodes_of(c->tune, c->from[i], c->to[i]);
        gboolean is_new = TRUE;
        for (guint k = 0; k < i; k++)
            is_new = is_new && !same_window(c, i, k);
        cost += costs->over *
                (atlas_clock_graph_ns(&costs->clock, nodes) - nodes * costs->clock.launch_ns);
        cost += is_new ? costs->graph_ns + costs->node_ns * nodes : 0;
        graphs += is_new;
    }
    return costs->most_graphs && graphs > costs->most_graphs ? all : cost;
}

/* Every way to go on from `at`. */
static void cut_from(Cutting *c, guint at) {
    if (at == c->tune->n) {
        c->best = MIN(c->best, cost_of_cut(c));
        return;
    }
    cut_from(c, at + 1);
    for (guint to = at + 1; to <= c->tune->n && (to == at + 1 || !c->tune->sync[to - 1]); to++) {
        c->from[c->windows] = at;
        c->to[c->windows++] = to;
        cut_from(c, to);
        c->windows--;
    }
}

static Tune random_tune(GRand *random, GString *text) {
    Tune tune = {.n = (guint)g_rand_int_range(random, 2, 9)};
    g_string_assign(text, "# random\nstream s nonblocking\nbuffer b\nstep\n");
    for (guint i = 0; i < tune.n; i++) {
        tune.kernel[i] = (guint)g_rand_int_range(random, 0, 3);
        tune.sync[i] = g_rand_int_range(random, 0, 3) == 0;
        g_string_append_printf(text, "%slaunch s k%u x%" G_GINT64_FORMAT " r:b w:b\n",
                               tune.sync[i] ? "sync_stream s\n" : "", tune.kernel[i],
                               tune_counts[tune.kernel[i]]);
    }
    g_string_append(text, "end\n");
    return tune;
}

/* Of every way to cut a step, none costs less than the plan says at most; mostly none at all. */
START_TEST(sharing) {
    g_autoptr(GRand) random = g_rand_new_with_seed(8);
    g_autoptr(GString) text = g_string_new(NULL);
    guint exact = 0, least = 0;
    enum { ROUNDS = 600 };
    for (guint round = 0; round < ROUNDS; round++) {
        AtlasPlanCosts costs = atlas_plan_costs();
        if (round % 2) {
            costs.clock.graph = steep;
            costs.clock.graphs = G_N_ELEMENTS(steep);
        }
        costs.clock.launch_ns = g_rand_int_range(random, 2000, 30000);
        costs.over = g_rand_int_range(random, 1, 20);
        costs.most_graphs = round % 4; /* 0: any number */
        Tune tune = random_tune(random, text);
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasSource) source = atlas_source_new("t", text->str, text->len, NULL);
        g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
        g_autoptr(AtlasPlan) plan =
            atlas_plan_make(file, atlas_program_file_get(file, 0), 0, &costs, diags);
        Cutting c = {.costs = &costs, .tune = &tune, .best = G_MAXINT64};
        cut_from(&c, 0);
        gint64 saved = plan->base_ns - c.best / costs.over;
        /* a window's share of what is saved is rounded down */
        ck_assert_int_le(plan->saved_ns, saved + 1);
        ck_assert_msg(saved <= plan->saved_ns + plan->gap_ns + plan->windows->len + 2, "%s",
                      text->str);
        exact += plan->gap_ns == 0;
        least += saved <= plan->saved_ns + (gint64)plan->windows->len + 2;
    }
    ck_assert_uint_gt(exact, ROUNDS / 3);
    ck_assert_uint_eq(least, ROUNDS);
}
END_TEST

Suite *plan_choice_suite(void) {
    Suite *suite = suite_create("plan_choice");
    TCase *all = tcase_create("plan_choice");
    tcase_add_test(all, choice);
    tcase_add_test(all, sharing);
    suite_add_tcase(suite, all);
    return suite;
}
