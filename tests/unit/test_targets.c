/* Targets: which launches a graph could hold, in how many graphs. */
#include "graphs/targets.h"

#include <string.h>

#include "tests/unit/report_kit.h"
#include "tests/unit/suites.h"

/* One line a target: name, graphs a step, kinds of iteration, what is said of it. */
static char *describe(const Targets *targets) {
    GString *out = g_string_new(NULL);
    char text[64], other[64];
    for (guint i = 0; i < targets->list->len; i++) {
        const Target *t = g_ptr_array_index(targets->list, i);
        const GPtrArray *said[] = {t->fresh, t->scalars, t->parts};
        g_string_append_printf(out, "%s x%s kinds %u", t->name,
                               atlas_rat_format(t->graphs, 4, text, sizeof text), t->kinds);
        for (guint k = 0; k < G_N_ELEMENTS(said); k++)
            for (guint j = 0; j < said[k]->len; j++)
                g_string_append_printf(out, " %s:%s",
                                       k == 0   ? "fresh"
                                       : k == 1 ? "new"
                                                : "part",
                                       (const char *)g_ptr_array_index(said[k], j));
        if (t->twin)
            g_string_append_printf(out, " like:%s",
                                   ((Target *)g_ptr_array_index(targets->list, t->twin - 1))->name);
        if (t->every > 1)
            g_string_append_printf(out, " every:%d", (int)t->every);
        g_string_append_c(out, '\n');
    }
    g_string_append_printf(out, "all x%s, over stage ends x%s\n",
                           atlas_rat_format(targets->by_stage, 4, text, sizeof text),
                           atlas_rat_format(targets->by_host, 4, other, sizeof other));
    return g_string_free(out, FALSE);
}

/* Every population that the base launches is in one target. */
static void check_whole(const Ground *g, const Targets *targets) {
    for (guint i = 0; i < g->model->populations->len; i++) {
        int in = 0;
        for (guint k = 0; k < targets->list->len; k++)
            in += ((Target *)g_ptr_array_index(targets->list, k))->in[i];
        ck_assert_int_eq(in, g->has[i]);
    }
}

static void check_targets(const char *spec, const char *runs, const char *expected) {
    ReportKit kit = report_kit_new(spec, runs);
    g_autoptr(Targets) targets = targets_new(&kit.ground);
    ck_assert_ptr_nonnull(targets);
    g_autofree char *text = describe(targets);
    ck_assert_str_eq(text, expected);
    check_whole(&kit.ground, targets);
    report_kit_clear(&kit);
}

/* The teacher repeats the main part's items; the first iteration of bwd accumulates nothing; the
 * host reads the loss behind all of bwd. */
START_TEST(study) {
    check_targets("dormouse-small", NULL,
                  "rest of fwd x3 kinds 0\n"
                  "iterations of fwd.main x4 kinds 1 part:act\n"
                  "iterations of fwd.teacher x4 kinds 1 part:tact like:iterations of fwd.main\n"
                  "rest of bwd x1 kinds 0\n"
                  "iterations of bwd x4 kinds 2 part:act\n"
                  "opt x1 kinds 0 fresh:params new:lr\n"
                  "retr x1 kinds 0\n"
                  "ema x1 kinds 0\n"
                  "all x5, over stage ends x2\n");
}
END_TEST

#define HEAD                                                                                       \
    "atlas: 1\nname: t\nparams: {n: {default: 3, min: 1, max: 8}}\nbuffers: {x: {}}\n"             \
    "streams: {main: {kind: nonblocking}}\nstages:\n- stage: fwd\n  do:\n"
#define LAUNCH(name) "{launch: " name ", count: 5, reads: [x], writes: [x]}\n"

static const struct {
    const char *body, *expected;
} cases[] = {
    /* A loop that the host reads in is no graph: each iteration has two pieces, and the loop
     * inside of it, which is whole, is captured by itself: 2 iterations in each of 3. */
    {"  - " LAUNCH("a") "  - loop: n\n    do:\n    - " LAUNCH(
         "b") "    - loop: 2\n      do:\n      - " LAUNCH("c") "    - {read: x}\n    "
                                                               "- " LAUNCH("d"),
     "rest of fwd x1 kinds 0\npieces of iterations of fwd x6 kinds 0\n"
     "iterations of fwd x6 kinds 1\nall x4, over stage ends x4\n"},
    /* A loop inside of one that is whole belongs to its graph. */
    {"  - loop: n\n    do:\n    - " LAUNCH("b") "    - loop: 2\n      do:\n      - " LAUNCH("c"),
     "iterations of fwd x3 kinds 1\nall x1, over stage ends x1\n"},
    /* A sync parts what is around it; without a loop the stage has its own name. */
    {"  - " LAUNCH("a") "  - {sync: main}\n  - " LAUNCH("b") "  - " LAUNCH("c"),
     "fwd x2 kinds 0\nall x2, over stage ends x2\n"},
    /* What the host writes, too; a piece that runs in every 4th step is a quarter of a graph.
     */
    {"  - " LAUNCH("a") "  - {host_write: x}\n"
                        "  - {launch: b, every: 4, count: 5, reads: [x], writes: [x]}\n",
     "fwd x1.25 kinds 0\nall x1.25, over stage ends x1.25\n"},
    {"  - {launch: b, every: 4, count: 5, reads: [x], writes: [x]}\n",
     "fwd x0.25 kinds 0 every:4\nall x0.25, over stage ends x0.25\n"},
    /* Of twelve steps 0, 4, 6 and 8 launch something: a third. */
    {"  - {launch: b, every: 4, count: 5}\n  - {launch: c, every: 6, count: 5}\n",
     "fwd x0.3333 kinds 0 every:2\nall x0.3333, over stage ends x0.3333\n"},
    /* The host reads in the middle of the second of three stages: nothing parts fwd from what
     * stands before the read, nor what stands behind it from opt. */
    {"  - " LAUNCH("a") "- stage: bwd\n  do:\n  - " LAUNCH("b") "  - {read: x}\n  - " LAUNCH(
         "c") "- stage: opt\n  do:\n  - " LAUNCH("d"),
     "fwd x1 kinds 0\nbwd x2 kinds 0\nopt x1 kinds 0\nall x4, over stage ends x2\n"},
    /* Of three iterations the read of the last parts nothing behind it. */
    {"  - loop: n\n    do:\n    - " LAUNCH("b") "    - {read: x}\n",
     "pieces of iterations of fwd x3 kinds 0\nall x3, over stage ends x3\n"},
};

START_TEST(parted) {
    g_autofree char *spec = g_strconcat(HEAD, cases[_i].body, NULL);
    check_targets(spec, NULL, cases[_i].expected);
}
END_TEST

Suite *targets_suite(void) {
    Suite *suite = suite_create("targets");
    TCase *all = tcase_create("targets");
    tcase_add_test(all, study);
    tcase_add_loop_test(all, parted, 0, G_N_ELEMENTS(cases));
    suite_add_tcase(suite, all);
    return suite;
}
