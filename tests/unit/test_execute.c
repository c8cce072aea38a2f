/* Executing programs on the CPU: counts, fingerprints computed here by hand, and what a graph
 * freezes and what it reads anew. */
#include <string.h>

#include "sim/count.h"
#include "sim/execute.h"
#include "tests/unit/models.h"
#include "tests/unit/suites.h"

/* ---- running ---- */

typedef struct {
    AtlasSource *source;
    AtlasDiags *diags;
    AtlasProgramFile *file;
    AtlasExecution *run;
} Subject;

static Subject run_text(const char *text, gint64 first, gint64 window, gint64 last) {
    Subject s = {atlas_source_new("p.program", text, strlen(text), NULL), atlas_diags_new(), NULL,
                 NULL};
    s.file = atlas_program_read(s.source, s.diags);
    if (s.file)
        s.run = atlas_execute(atlas_program_file_get(s.file, 0), (AtlasSteps){first, window, last},
                              s.diags);
    return s;
}

static void clear(Subject *s) {
    atlas_execution_free(s->run);
    atlas_program_file_free(s->file);
    atlas_diags_free(s->diags);
    atlas_source_free(s->source);
}

static Subject run_good(const char *text, gint64 first, gint64 window, gint64 last) {
    Subject s = run_text(text, first, window, last);
    g_autofree char *errors = atlas_diags_render(s.diags, FALSE);
    ck_assert_msg(s.run != NULL, "%s", errors);
    return s;
}

static guint64 end_of(const AtlasExecution *run, const char *buffer) {
    for (guint i = 0; i < run->ends->len; i++)
        if (g_str_equal(g_array_index(run->ends, AtlasSeen, i).buffer, buffer))
            return g_array_index(run->ends, AtlasSeen, i).value;
    ck_abort_msg("no buffer %s", buffer);
}

/* ---- the rule of fingerprints, once more ---- */

static guint64 m(guint64 a, guint64 b) {
    guint64 swapped = a << 32 | a >> 32, product = (swapped ^ b) * 11400714819323198485u;
    product ^= product / ((guint64)1 << 29);
    product *= 15485907386658061715u;
    return product ^ product / ((guint64)1 << 32);
}

static guint64 name(const char *text) {
    guint64 h = strlen(text);
    for (gsize i = 0; i < strlen(text); i++)
        h = m(h, (guint64)text[i]);
    return h;
}

/* One part as it is taken down. */
static guint64 one(guint64 value) {
    return m(1, value);
}

#define HEAD "# p\nstream s nonblocking\nbuffer a\nbuffer b\nbuffer d x3\n"

START_TEST(launches) {
    Subject s = run_good(HEAD "launch s k x2 r:a,b w:b,a a:c\n"
                              "step\n launch s l r:a w:d[1] a:lr@step,x@device\n host_set x\nend\n",
                         4, 4, 5);
    guint64 a = m(name("a"), 0), b = m(name("b"), 0), h;
    for (guint64 i = 0; i < 2; i++) {
        h = m(m(m(m(name("k"), i), a), b), name("c"));
        b = m(h, 0);
        a = m(h, 1);
    }
    ck_assert_uint_eq(end_of(s.run, "a"), one(a));
    ck_assert_uint_eq(end_of(s.run, "b"), one(b));
    /* In step 5 the scalar in memory is what the host set in step 4. */
    h = m(m(m(m(name("l"), 0), a), m(name("lr"), 5)), m(name("x"), 4));
    h = m(m(m(3, m(name("d"), 0)), m(h, 0)), m(name("d"), 2));
    ck_assert_uint_eq(end_of(s.run, "d"), h);
    clear(&s);
}
END_TEST

START_TEST(host) {
    Subject s = run_good(HEAD "step\n host_write w:a\n htod_async s pinned r:a w:b\n"
                              " dtoh_async s pageable r:b\n host_read r:b,a\nend\n"
                              "memset_async s w:a\n",
                         0, 1, 1);
    guint64 written = m(m(name("a"), 0), 1);
    ck_assert_uint_eq(s.run->reads->len, 4);
    for (guint i = 2; i < 4; i++) {
        const AtlasSeen *seen = &g_array_index(s.run->reads, AtlasSeen, i);
        ck_assert_uint_eq(seen->value, one(written));
        ck_assert_int_eq(seen->step, 1);
        ck_assert_str_eq(seen->buffer, i == 2 ? "b" : "a");
    }
    ck_assert_uint_eq(end_of(s.run, "a"), one(0));
    ck_assert_uint_eq(end_of(s.run, "b"), one(written));
    clear(&s);
}
END_TEST

/* ---- programs that must leave the same, or must not ---- */

#define CAPTURED(body) "begin s global\n" body "end s g\ninstantiate g x\n"
#define REPLAYED "step\n graph_launch x s\nend\n"

static const struct {
    const char *what, *first, *second;
    gboolean same;
} pairs[] = {
    {"a captured body replayed is the body", "step\n launch s k x3 r:a w:a,b\nend\n",
     CAPTURED("launch s k x3 r:a w:a,b\n") REPLAYED, TRUE},
    {"bodies are shared between iterations, iterations keep their own parts",
     "step\n loop 3 as i\n  launch s k r:a,d[i] w:a,d[i]\n end\nend\n",
     CAPTURED("loop 3 as i\n launch s k r:a,d[i] w:a,d[i]\nend\n") REPLAYED, TRUE},
    {"which iteration a launch is of does not show",
     "step\n loop 3 as i\n  launch s k r:a w:a\n end\nend\n",
     "step\n launch s k r:a w:a\n launch s k r:a w:a\n launch s k r:a w:a\nend\n", TRUE},
    {"xN is no loop: the index shows", "step\n launch s k x2 r:a w:a\nend\n",
     "step\n loop 2 as i\n  launch s k r:a w:a\n end\nend\n", FALSE},
    {"one launch more shows", "step\n launch s k x2 r:a w:a\nend\n",
     "step\n launch s k x3 r:a w:a\nend\n", FALSE},
    {"another kernel shows", "step\n launch s k w:a\nend\n", "step\n launch s l w:a\nend\n", FALSE},
    {"outputs that are swapped show", "launch s k w:a,b\n", "launch s k w:b,a\n", FALSE},
    {"a scalar that is frozen shows", "step\n launch s k r:a w:a a:lr@step\nend\n",
     CAPTURED("launch s k r:a w:a a:lr@step\n") REPLAYED, FALSE},
    {"a constant does not", "step\n launch s k r:a w:a a:n\nend\n",
     CAPTURED("launch s k r:a w:a a:n\n") REPLAYED, TRUE},
    {"a scalar in memory is read anew", "step\n launch s k r:a w:a a:lr@step\nend\n",
     CAPTURED("launch s k r:a w:a a:lr@device\n") "step\n host_set lr\n graph_launch x s\nend\n",
     TRUE},
    {"a scalar is alike by value and in memory", "launch s k w:a a:n,m\n",
     "launch s k w:a a:n@device,m\n", TRUE},
    {"a graph keeps addresses: what moved is not seen",
     "step\n launch s k r:a w:a f:a\n launch s l r:a w:b\nend\n",
     CAPTURED("launch s l r:a w:b\n") "step\n launch s k r:a w:a f:a\n graph_launch x s\nend\n",
     FALSE},
    {"what is written in place is seen", "step\n launch s k r:a w:a\n launch s l r:a w:b\nend\n",
     CAPTURED("launch s l r:a w:b\n") "step\n launch s k r:a w:a\n graph_launch x s\nend\n", TRUE},
    {"writing afresh is writing, as long as nothing is captured",
     "step\n launch s k x2 r:a w:a\nend\n", "step\n launch s k x2 r:a w:a f:a\nend\n", TRUE},
    {"f: alone writes, too", "step\n launch s k x2 r:a f:a\nend\n",
     "step\n launch s k x2 r:a w:a\nend\n", TRUE},
    {"parts that moved apart are read in order",
     "step\n launch s k w:d[1]\n launch s l r:d w:a\nend\n",
     "step\n launch s k f:d[1]\n launch s l r:d w:a\nend\n", TRUE},
    {"a captured copy takes what the host holds at the launch",
     "step\n host_write w:a\n htod_async s pageable r:a w:b\nend\n",
     CAPTURED("htod_async s pageable r:a w:b\n") "step\n host_write w:a\n graph_launch x s\nend\n",
     TRUE},
    {"a host function runs at each launch",
     "step\n host_fn s r:a w:a\nend\nhtod_async s pinned r:a\n",
     CAPTURED("host_fn s r:a w:a\n") REPLAYED "htod_async s pinned r:a\n", TRUE},
    {"an exec that is updated runs the other graph", "launch s k r:a w:a\nlaunch s k r:b w:b\n",
     CAPTURED("launch s k r:a w:a\n") "graph_launch x s\nbegin s global\nlaunch s k r:b w:b\n"
                                      "end s h\nupdate x h\ngraph_launch x s\n",
     TRUE},
    {"an exec lives on without its graph", "launch s k r:a w:a\n",
     CAPTURED("launch s k r:a w:a\n") "destroy_graph g\ngraph_launch x s\n", TRUE},
    {"what an invalidated capture held is gone", "step\n launch s k r:a w:a a:lr@step\nend\n",
     "step\n begin s global\n launch s k r:a w:a a:lr@step\n sync_stream s\n end s bad\n"
     " begin s global\n launch s k r:a w:a a:lr@step\n end s g\n instantiate g x\n"
     " graph_launch x s\nend\n",
     TRUE},
    {"a call that fails does nothing", "launch s k w:a\n",
     "launch s k w:a\nbegin s global\nsync_stream s\nlaunch s k r:a w:a\nend s g\n", TRUE},
    {"a missing wait changes nothing on the CPU's schedule",
     "stream t nonblocking\nevent e\nstep\n launch s k w:a\n record e s\n wait t e\n"
     " launch t l r:a w:b\nend\n",
     "stream t nonblocking\nevent e\nstep\n launch s k w:a\n launch t l r:a w:b\nend\n", TRUE},
    {"every", "step\n launch s k r:a w:a every:2\nend\n",
     "launch s k r:a w:a\nlaunch s k r:a w:a\n", TRUE},
    {"new memory holds 0", "memset_async s w:a\n", "malloc_async a s\n", TRUE},
};

START_TEST(equal_or_not) {
    g_autofree char *x = g_strconcat(HEAD, pairs[_i].first, NULL);
    g_autofree char *y = g_strconcat(HEAD, pairs[_i].second, NULL);
    Subject a = run_good(x, 0, 0, 3), b = run_good(y, 0, 0, 3);
    const AtlasSeen *first, *other;
    guint equal = atlas_execution_compare(a.run, b.run, &first, &other);
    ck_assert_msg((first == NULL) == pairs[_i].same, "%s", pairs[_i].what);
    ck_assert_msg(!pairs[_i].same || equal == a.run->ends->len, "%s", pairs[_i].what);
    clear(&a);
    clear(&b);
}
END_TEST

/* ---- counts ---- */

static const struct {
    const char *body, *expected; /* calls, submissions, activities, graph nodes of each stage */
} counts[] = {
    {"step\n stage f\n launch s k x5\n stage g\n launch s k every:2\nend\n",
     "f 15 15 15 0; g 1 1 1 0; k 16"},
    /* Calls while capturing execute nothing; a graph's kernels count where it is launched. */
    {"begin s global\nlaunch s k x4\nend s g\ninstantiate g x\n"
     "step\n stage f\n launch s l\n graph_launch x s\n stage g\n graph_launch x s\nend\n",
     "f 3 6 15 12; g 0 3 12 12; k 24 l 3"},
    {"step\n stage f\n begin s relaxed\n launch s k x4\n stage g\n launch s k\n end s g\nend\n",
     "f 12 0 0 0; g 3 0 0 0; k 0"},
    /* A launch that fails counts nowhere. */
    {"step\n stage f\n begin s global\n sync_stream s\n launch s k x4\n end s g\nend\n",
     "f 0 0 0 0; k 0"},
    /* Neither copies nor host functions are launches, in graphs or out of them. */
    {"step\n stage f\n begin s global\n launch s k\n memset_async s w:a\n host_fn s\n end s g\n"
     " instantiate g x\n graph_launch x s\n dtoh_async s pinned r:a\nend\n",
     "f 3 3 3 3; k 3"},
};

START_TEST(counting) {
    g_autofree char *text = g_strconcat(HEAD, counts[_i].body, NULL);
    Subject s = run_good(text, 0, 1, 3); /* step 0 is before the window */
    g_autoptr(GString) out = g_string_new(NULL);
    for (guint i = 1; i < s.run->stages->len; i++) {
        AtlasTally t = atlas_execution_stage(s.run, i);
        g_string_append_printf(out, "%s %d %d %d %d; ",
                               (const char *)g_ptr_array_index(s.run->stages, i), (int)t.of[0],
                               (int)t.of[1], (int)t.of[2], (int)t.of[3]);
    }
    for (guint i = 0; i < s.run->populations->len; i++)
        g_string_append_printf(out, "%s%s %d", i ? " " : "",
                               (const char *)g_ptr_array_index(s.run->populations, i),
                               (int)s.run->window[i].of[ATLAS_COUNT_ACTIVITIES]);
    ck_assert_str_eq(out->str, counts[_i].expected);
    clear(&s);
}
END_TEST

/* The study's step, by stage and population, is what counting its text says. */
START_TEST(whole_step) {
    AtlasSource *source;
    AtlasModel *model = model_shipped("dormouse-small", &source);
    g_autofree char *text = model_program(model, "");
    Subject s = run_good(text, 18, 20, 23);
    g_autoptr(AtlasCounts) expected = atlas_count(atlas_program_file_get(s.file, 0), 20, 23);
    ck_assert_uint_eq(s.run->stages->len, expected->stages->len + 1);
    for (guint i = 0; i < expected->stages->len; i++)
        ck_assert_int_eq(atlas_execution_stage(s.run, i + 1).of[ATLAS_COUNT_SUBMISSIONS],
                         g_array_index(expected->stages, AtlasCount, i).launches);
    ck_assert_uint_eq(s.run->populations->len, expected->populations->len);
    for (guint i = 0; i < expected->populations->len; i++)
        ck_assert_int_eq(s.run->window[i].of[ATLAS_COUNT_ACTIVITIES],
                         g_array_index(expected->populations, AtlasCount, i).launches);
    ck_assert_int_eq(atlas_execution_total(s.run).of[ATLAS_COUNT_CALLS], expected->total);
    ck_assert_uint_eq(s.run->reads->len, 6); /* the loss, once a step */
    clear(&s);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* ---- what cannot be executed ---- */

static const struct {
    const char *body, *message;
} faults[] = {
    {"dtod_async s r:a w:d\n", "copies 1 parts of 'a' to 3 of 'd'"},
    {"dtod_async s r:a,b w:d\n", "'dtod_async' moves one buffer, not several"},
    {"memset_async s w:a,b\n", "'memset_async' moves one buffer, not several"},
    {"launch s k f:d[1]\nmemset_async s w:d\n", "one call cannot copy them"},
    {"buffer e x1048576\nstep\n launch s k f:e\nend\n", "more memory is written to afresh"},
    {"malloc m\nfree m\nfree m\n", "CUDA leaves undefined what it does"},
    {"launch s k w:a,b,d[0],d[1],d[2],a,b,d[0],d[1],d[2],a,b,d[0],d[1],d[2],a,b,d[0],d[1],d[2],"
     "a,b,d[0],d[1],d[2],a,b,d[0],d[1],d[2],a\n",
     "31 buffers and scalars: a launch is given 30 at most"},
};

START_TEST(refused) {
    g_autofree char *text = g_strconcat(HEAD, faults[_i].body, NULL);
    Subject s = run_text(text, 0, 0, 99);
    g_autofree char *errors = atlas_diags_render(s.diags, FALSE);
    ck_assert_ptr_null(s.run);
    ck_assert_msg(strstr(errors, faults[_i].message) != NULL, "%s", errors);
    ck_assert_uint_eq(atlas_diags_errors(s.diags), 1);
    clear(&s);
}
END_TEST

START_TEST(undeclared) {
    Subject s = run_text("# p\nstream s nonblocking\nlaunch s k w:a\n", 0, 0, 0);
    ck_assert_uint_eq(s.run->ends->len, 1);
    clear(&s);
    s = run_text("# p\nstream s nonblocking\nlaunch s k w:a[1]\n", 0, 0, 0);
    g_autofree char *errors = atlas_diags_render(s.diags, FALSE);
    ck_assert_ptr_null(s.run);
    ck_assert_msg(strstr(errors, "declare it: buffer a xN") != NULL, "%s", errors);
    clear(&s);
}
END_TEST

/* What launches cost is added up, those of graphs each time; it is no part of a fingerprint, and
 * counts nowhere. */
START_TEST(costs) {
    static const char form[] = HEAD "begin s relaxed\nlaunch s k x3 w:a%s\nend s g\n"
                                    "instantiate g x\nstep\n launch s l x2 r:a w:b%s every:2\n"
                                    " graph_launch x s\n launch s m r:b w:a\nend\n";
    g_autofree char *with_text = g_strdup_printf(form, " us:0.5", " us:1000000");
    g_autofree char *without_text = g_strdup_printf(form, "", "");
    Subject with = run_good(with_text, 0, 2, 3), without = run_good(without_text, 0, 2, 3);
    ck_assert_int_eq(with.run->costed, 4 * 3 + 2 * 2);
    ck_assert_int_eq(with.run->cost_ns, 4 * 3 * 500 + 2 * 2 * G_GINT64_CONSTANT(1000000000));
    ck_assert_int_eq(without.run->costed, 0);
    ck_assert_int_eq(without.run->cost_ns, 0);
    const AtlasSeen *first, *other;
    ck_assert_uint_eq(atlas_execution_compare(with.run, without.run, &first, &other), 3);
    AtlasTally a = atlas_execution_total(with.run), b = atlas_execution_total(without.run);
    for (guint k = 0; k < ATLAS_COUNT_KINDS; k++)
        ck_assert_int_eq(a.of[k], b.of[k]);
    clear(&with);
    clear(&without);
}
END_TEST

Suite *execute_suite(void) {
    Suite *suite = suite_create("execute");
    TCase *all = tcase_create("all");
    tcase_add_test(all, launches);
    tcase_add_test(all, host);
    tcase_add_loop_test(all, equal_or_not, 0, G_N_ELEMENTS(pairs));
    tcase_add_loop_test(all, counting, 0, G_N_ELEMENTS(counts));
    tcase_add_test(all, whole_step);
    tcase_add_loop_test(all, refused, 0, G_N_ELEMENTS(faults));
    tcase_add_test(all, undeclared);
    tcase_add_test(all, costs);
    suite_add_tcase(suite, all);
    return suite;
}
