/* Tests of lowering: programs by their text; what cannot be lowered; and, for every shipped spec
 * and many configurations, that a program launches what the walk says and reads back. */
#include <string.h>

#include "sim/count.h"
#include "tests/unit/models.h"
#include "tests/unit/suites.h"

/* ---- programs ---- */

#define HEAD                                                                                       \
    "params: {n: {default: 4, min: 0, max: 9}}\narms: {a: {}}\n"                                   \
    "buffers: {h: {}, k: {}, act: {per: \"max(n, 1)\"}, tact: {per: 4}}\n"                         \
    "unknowns: {u: {}, v: {}}\n"
#define DO "stages:\n- stage: fwd\n  do:\n"

/* The text of a program from its streams on, without the lines that declare buffers. */
static const struct {
    const char *spec, *settings, *program;
} programs[] = {
    {DO "  - {launch: a}\n  - {launch: b, count: 1 + u, kernel: add}\n  - {launch: c, count: 0}\n",
     "",
     "stream main nonblocking\nstep\n"
     "  stage fwd\n"
     "  launch main a of:fwd.a\n"
     "  launch main add x2 of:fwd.b\n"
     "end\n"},
    /* costs, in the shortest form; a group that is like another has them, too */
    {DO "  - group: g\n    do: [{launch: a, cost_us: 12.50, count: 2}, {launch: b, cost_us: 007}]\n"
        "  - {group: h, like: g}\n  - {launch: c, cost_us: 0.001}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  launch main a x2 of:fwd.g.a us:12.5\n  launch main b of:fwd.g.b us:7\n"
     "  launch main a x2 of:fwd.h.a us:12.5\n  launch main b of:fwd.h.b us:7\n"
     "  launch main c of:fwd.c us:0.001\nend\n"},
    /* conditions */
    {DO "  - {launch: x, when: a}\n  - {group: g, when: not a, do: [{launch: y}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n  launch main x of:fwd.x\nend\n"},
    {DO "  - {launch: x, when: a}\n  - {group: g, when: not a, do: [{launch: y}]}\n", "a=off",
     "stream main nonblocking\nstep\n  stage fwd\n  launch main y of:fwd.g.y\nend\n"},
    /* loops are kept; their names are their own */
    {DO "  - {loop: n, as: i, do: [{launch: a, count: 3}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 4 as i\n    launch main a x3 of:fwd.a\n  end\nend\n"},
    {DO "  - {loop: n, do: [{loop: 2, do: [{launch: a}]}]}\n", "n=1",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1 as i\n    loop 2 as i_2\n      launch main a of:fwd.a\n    end\n  end\nend\n"},
    {DO "  - {loop: n, do: [{launch: a}]}\n", "n=0",
     "stream main nonblocking\nstep\n  stage fwd\nend\n"},
    {DO "  - {loop: n, do: [{launch: x, when: not a}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\nend\n"},
    {DO "  - {loop: 1000000, as: i, do: [{launch: a}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1000000 as i\n    launch main a of:fwd.a\n  end\nend\n"},
    /* ranges of equal iterations */
    {DO "  - {loop: n, as: i, do: [{launch: a}, {launch: b, when: i > 0}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1 as i\n    launch main a of:fwd.a\n  end\n"
     "  loop 1..3 as i\n    launch main a of:fwd.a\n    launch main b of:fwd.b\n  end\nend\n"},
    {DO "  - {loop: n, as: i, do: [{launch: b, when: i > 0 and i < 3}]}\n", "n=6",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1..2 as i\n    launch main b of:fwd.b\n  end\nend\n"},
    {DO "  - {loop: n, as: i, do: [{launch: b, count: i}]}\n", "n=3",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1..1 as i\n    launch main b of:fwd.b\n  end\n"
     "  loop 2..2 as i\n    launch main b x2 of:fwd.b\n  end\nend\n"},
    {DO
     "  - {loop: 3, as: i, do: [{loop: 2, as: j, do: [{launch: b, when: i == 1 and j == 1}]}]}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1..1 as i\n    loop 1..1 as j\n      launch main b of:fwd.b\n    end\n  end\nend\n"},
    /* indices */
    {HEAD DO "  - {loop: n, as: i, do: [{launch: b, reads: [h, \"act[i]\"], "
             "writes: [\"act[n - 1 - i]\", \"act[0]\"]}]}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 4 as i\n    launch main b r:h,act[i] w:act[3-i],act[0] of:fwd.b\n  end\nend\n"},
    {HEAD DO "  - {loop: n - 1, as: i, do: [{launch: b, reads: [\"act[i + 1]\"]}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 3 as i\n    launch main b r:act[i+1] of:fwd.b\n  end\nend\n"},
    {HEAD DO "  - {loop: n, as: i, do: [{launch: b, when: i > 0, reads: [\"act[i - 1]\"], "
             "writes: [\"act[i]\"]}]}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1..3 as i\n    launch main b r:act[i-1] w:act[i] of:fwd.b\n  end\nend\n"},
    {HEAD DO "  - {loop: n, as: i, do: [{launch: b, reads: [\"act[floor(i / 2)]\"]}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 2 as i\n    launch main b r:act[0] of:fwd.b\n  end\n"
     "  loop 2..3 as i\n    launch main b r:act[1] of:fwd.b\n  end\nend\n"},
    {HEAD DO "  - {loop: 2, as: i, do: [{loop: 2, as: j, do: [{launch: b, "
             "reads: [\"act[2 * i + j]\", \"tact[i]\"]}]}]}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1 as i\n    loop 2 as j\n      launch main b r:act[j],tact[i] of:fwd.b\n    end\n  "
     "end\n"
     "  loop 1..1 as i\n    loop 2 as j\n      launch main b r:act[j+2],tact[i] of:fwd.b\n    end\n"
     "  end\nend\n"},
    {HEAD DO "  - {loop: 1, as: i, do: [{launch: b, reads: [\"act[n - 1 - i]\"]}]}\n", "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 1 as i\n    launch main b r:act[3] of:fwd.b\n  end\nend\n"},
    /* every */
    {DO "  - {launch: a, every: n}\n"
        "  - {group: g, every: 6, do: [{loop: 2, every: 2, do: [{launch: b, every: 4}]}]}\n",
     "n=3",
     "stream main nonblocking\nstep\n  stage fwd\n  launch main a every:3 of:fwd.a\n"
     "  loop 2 as i\n    launch main b every:12 of:fwd.g.b\n  end\nend\n"},
    /* groups that are like others: nested, renamed twice over, exchanged */
    {HEAD DO "  - {group: g, do: [{launch: a, count: 10 * u + v, reads: [h], writes: [k]}]}\n"
             "  - {group: x, like: g, counts: {u: v, v: u}, rename: {h: k, k: h}}\n"
             "  - {group: y, do: [{group: z, like: x}, {launch: b, reads: [h]}]}\n"
             "  - {group: w, like: y, rename: {h: act}}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  launch main a x11 r:h w:k of:fwd.g.a\n"
     "  launch main a x11 r:k w:h of:fwd.x.a\n"
     "  launch main a x11 r:k w:h of:fwd.y.z.a\n"
     "  launch main b r:h of:fwd.y.b\n"
     "  launch main a x11 r:k w:act of:fwd.w.z.a\n"
     "  launch main b r:act of:fwd.w.b\n"
     "end\n"},
    {HEAD DO "  - {group: g, do: [{loop: n, as: i, do: [{launch: a, writes: [\"act[i]\"]}]}]}\n"
             "  - {loop: 2, as: i, do: [{group: x, like: g, rename: {act: tact}}]}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 4 as i\n    launch main a w:act[i] of:fwd.g.a\n  end\n"
     "  loop 2 as i\n    loop 4 as i_2\n      launch main a w:tact[i_2] of:fwd.x.a\n    end\n  "
     "end\n"
     "end\n"},
    {HEAD DO "  - loop: n\n    as: i\n    do:\n"
             "    - {group: g, do: [{launch: a, when: i > 2, writes: [\"act[i]\"]}]}\n"
             "    - {group: x, like: g, rename: {act: tact}}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  loop 3..3 as i\n    launch main a w:act[i] of:fwd.g.a\n"
     "    launch main a w:tact[i] of:fwd.x.a\n  end\nend\n"},
    {HEAD DO "  - {group: g, when: not a, stream: main, do: [{alloc: h}, {launch: x}, {free: h}]}\n"
             "  - {group: copy, like: g, rename: {h: k}}\n",
     "",
     "stream main nonblocking\nstep\n  stage fwd\n"
     "  malloc_async k main\n  launch main x of:fwd.copy.x\n  free_async k main\nend\n"},
    /* streams, threads, events, copies, the host */
    {"streams: {s: {}, b: {kind: blocking}, main: {kind: legacy}}\n"
     "buffers: {h: {}, k: {}, p: {per: 3}}\n" DO
     "  - {launch: x, fresh: [h], writes: [h], args: {n: const, lr: host-per-step, t: device}}\n"
     "  - {record: ready}\n"
     "  - group: side\n    stream: b\n    thread: 2\n    do:\n"
     "    - {wait: ready}\n"
     "    - {launch: y, reads: [h]}\n"
     "    - {loop: 2, stream: main, do: [{launch: z}, {launch: w, thread: 1, stream: s}]}\n"
     "    - {copy: dtoh_pageable, from: h, to: \"p[2]\"}\n"
     "    - {record: done}\n"
     "  - {sync: done}\n  - {sync: b}\n  - {sync: main, thread: 3}\n  - {sync: context}\n"
     "  - {copy: dtod, from: h, to: k}\n  - {copy: htod_pinned, from: k, to: h, every: 2}\n"
     "  - {read: \"p[1]\"}\n  - {host_write: k}\n",
     "",
     "stream s nonblocking\nstream b blocking\nevent ready\nevent done\nstep\n"
     "  stage fwd\n"
     "  launch s x w:h f:h a:n,lr@step,t@device of:fwd.x\n"
     "  record ready s\n"
     "  @2 wait b ready\n"
     "  @2 launch b y r:h of:fwd.side.y\n"
     "  loop 2 as i\n"
     "    @2 launch legacy z of:fwd.side.z\n"
     "    launch s w of:fwd.side.w\n"
     "  end\n"
     "  @2 dtoh_async b pageable r:h w:p[2]\n"
     "  @2 record done b\n"
     "  sync_event done\n"
     "  sync_stream b\n"
     "  @3 sync_stream legacy\n"
     "  sync_ctx\n"
     "  dtod_async s r:h w:k\n"
     "  htod_async s pinned r:k w:h every:2\n"
     "  dtoh_async s pinned r:p[1]\n"
     "  sync_stream s\n"
     "  host_read r:p[1]\n"
     "  host_write w:k\n"
     "end\n"},
};

/* What a program is read back as and written again. */
static char *rewritten(const char *text) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("program", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(report, "");
    ck_assert_uint_eq(atlas_program_file_count(file), 1);
    GString *out = g_string_new(NULL);
    atlas_program_write(atlas_program_file_get(file, 0), out);
    return g_string_free(out, FALSE);
}

static char *without_buffers(const char *program) {
    g_auto(GStrv) lines = g_strsplit(program, "\n", -1);
    GString *out = g_string_new(NULL);
    for (guint i = 1; lines[i] && *lines[i]; i++) /* behind the title */
        if (!g_str_has_prefix(lines[i], "buffer "))
            g_string_append_printf(out, "%s\n", lines[i]);
    return g_string_free(out, FALSE);
}

START_TEST(test_program) {
    AtlasSource *source;
    gboolean bare = !strstr(programs[_i].spec, "buffers:");
    g_autofree char *spec = g_strconcat(bare ? HEAD : "", programs[_i].spec, NULL);
    AtlasModel *model = model_read(spec, &source);
    g_autofree char *text = model_program(model, programs[_i].settings);
    g_autofree char *again = rewritten(text), *shown = without_buffers(text);
    ck_assert_str_eq(shown, programs[_i].program);
    ck_assert_str_eq(again, text);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* The title is the model's name and the configuration, cut where it would be too long to be read
 * back; buffers are declared with their parts. */
START_TEST(test_title) {
    AtlasSource *source;
    g_autoptr(GString) spec = g_string_new("params:\n");
    g_autoptr(GString) settings = g_string_new(NULL);
    for (guint i = 0; i < 60; i++) {
        g_string_append_printf(spec, "  param%u: {default: 1, min: 0, max: 9}\n", i);
        g_string_append_printf(settings, "%sparam%u=2", i ? "," : "", i);
    }
    g_string_append(spec, "buffers: {act: {per: 2 * param0}, h: {}}\n");
    AtlasModel *model = model_read(spec->str, &source);
    g_autofree char *one = model_program(model, "param0=3,param7=9");
    ck_assert_str_eq(one,
                     "# m param0=3,param7=9\nstream main nonblocking\nbuffer act x6\nbuffer h\n"
                     "step\n  stage fwd\nend\n\n");
    g_autofree char *all = model_program(model, settings->str), *again = rewritten(all);
    ck_assert_str_eq(again, all);
    ck_assert_uint_eq(strcspn(all, "\n"), strlen("# ") + 255);
    ck_assert(strstr(all, "param2...\n") || strstr(all, "...\n"));
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* ---- faults ---- */

static const struct {
    const char *items, *settings, *place, *hint;
} faults[] = {
    {"{loop: n + 1, as: i, do: [{launch: x, reads: [\"act[i]\"]}]}", "",
     "9:52: error: part 4 of 'act' is used under 'base'\n", "it has 4 parts, numbered from 0"},
    {"{launch: x, reads: [\"act[n - 4]\"]}", "n=3",
     "9:26: error: part -1 of 'act' is used under 'n=3'\n", "mend the index, or 'per'"},
    {"{launch: x, reads: [\"act[n / 2]\"]}", "n=3",
     "9:26: error: part 1.5 of 'act' is used under 'n=3'\n", "mend the index"},
    {"{loop: n, as: i, do: [{launch: x, when: i > 1, reads: [\"act[i - 3]\"]}]}", "",
     "9:61: error: part -1 of 'act' is used under 'base'\n", "mend the index"},
    {"{loop: n, as: i, do: [{launch: x, writes: [\"act[1 / i]\"]}]}", "",
     "9:49: error: part ? of 'act' is used under 'base'\n", "mend the index"},
    {"{loop: n, as: i, do: [{loop: n, as: j, do: [{launch: x, reads: [\"act[i + j]\"]}]}]}", "n=2",
     "9:70: error: part 2 of 'act' is used under 'n=2'\n", "it has 2 parts"},
    {"{launch: x, count: u / 2}", "",
     "9:24: error: this count is 0.5 under 'base'; expected a whole number >= 0", "guard it"},
    {"{launch: x, count: u - 2}", "", "9:24: error: this count is -1 under 'base'; expected",
     "guard it"},
    {"{launch: x, every: n}", "n=0", "9:24: error: this every is 0 under 'n=0'; expected",
     "guard it"},
    {"{loop: 100000, do: [{launch: x, count: 100001}]}", "",
     "9:44: error: this count is 100001 under 'base'; expected a whole number >= 0, not too large",
     "narrow"},
    {"{loop: 4097, as: i, do: [{launch: x, when: i > 0}]}", "",
     "9:12: error: this loop count is 4097 under 'base'; expected", "guard it"},
    {"{loop: 4097, as: i, do: [{launch: x, reads: [\"big[i]\"]}]}", "",
     "9:12: error: this loop count is 4097 under 'base'; expected", "guard it"},
    {"{loop: 4000, as: i, do: [{loop: 4000, as: j, do: [{launch: x, when: i > j}]}]}", "",
     "error: under 'base' there are more than 4194304 items to be looked at\n",
     "looked at one by one"},
    {"{launch: x, reads: [\"part[0]\"]}", "n=8", "3:68: error: 'part' has 0 parts under 'n=8'\n",
     "mend 'per': expected a whole number from 1 to 1048576"},
    {"{launch: x, reads: [part]}", "n=9", "3:68: error: 'part' has 1048577 parts under 'n=9'\n",
     "mend 'per'"},
};

START_TEST(test_fault) {
    g_autofree char *text =
        g_strdup_printf("buffers: {h: {}, k: {}, act: {per: \"max(n, 1)\"}, "
                        "big: {per: 9000}, part: {per: \"%s\"}}\n"
                        "params: {n: {default: 4, min: 0, max: 9}}\n"
                        "unknowns: {u: {}}\n" DO "  - %s\n",
                        "if(n == 9, 1048577, if(n == 8, 0, 1))", faults[_i].items);
    g_autofree char *report = model_lower_errors(text, faults[_i].settings);
    ck_assert_msg(strstr(report, faults[_i].place) && strstr(report, faults[_i].hint), "%s",
                  report);
    ck_assert_msg(!strstr(strstr(report, "error: ") + 1, "error: "), "%s", report);
}
END_TEST

/* Every fault of a configuration is reported, not only the first. */
START_TEST(test_faults) {
    g_autofree char *report = model_lower_errors(
        "params: {n: {default: 2, min: 0, max: 9}}\nbuffers: {act: {per: 2}}\n"
        "stages:\n"
        "- {stage: a, do: [{launch: x, count: n / 4}, {launch: y, every: n - 2}]}\n"
        "- {stage: b, do: [{copy: dtod, from: \"act[2]\", to: \"act[3]\"}]}\n",
        "");
    ck_assert_ptr_nonnull(strstr(report, "s:6:38: error: this count is 0.5 under 'base'"));
    ck_assert_ptr_nonnull(strstr(report, "s:6:65: error: this every is 0 under 'base'"));
    ck_assert_ptr_nonnull(strstr(report, "s:7:39: error: part 2 of 'act' is used"));
    ck_assert_ptr_nonnull(strstr(report, "s:7:53: error: part 3 of 'act' is used"));
}
END_TEST

/* ---- shipped specs ---- */

/* Launches of the program, the walk and its linear forms over a window, by stage and population. */
static void compare(const AtlasConfig *config, const AtlasProgram *program,
                    const AtlasRat *unknowns, gint64 first, gint64 last) {
    const AtlasModel *model = config->model;
    AtlasWalkFault fault;
    g_autofree AtlasRat *stages = g_new(AtlasRat, model->stages->len);
    g_autoptr(AtlasCounts) counts = atlas_count(program, first, last);
    g_autoptr(GHashTable) populations = g_hash_table_new(g_str_hash, g_str_equal);
    AtlasLinear *forms = atlas_walk_linear(config, first, last, &fault);
    gint64 total = 0, sum = 0;
    ck_assert(counts && forms);
    ck_assert(atlas_walk_stages(config, unknowns, first, last, stages, &fault));
    ck_assert_uint_eq(counts->stages->len, model->stages->len);
    for (guint i = 0; i < model->stages->len; i++) {
        const AtlasCount *count = &g_array_index(counts->stages, AtlasCount, i);
        ck_assert_str_eq(count->name, ATLAS_STAGE(model, i)->name);
        ck_assert(atlas_rat_is_whole(stages[i]));
        ck_assert_int_eq(count->launches, stages[i].num);
        total += count->launches;
    }
    ck_assert_int_eq(counts->total, total);
    for (guint i = 0; i < counts->populations->len; i++) {
        AtlasCount *count = &g_array_index(counts->populations, AtlasCount, i);
        g_hash_table_insert(populations, (gpointer)count->name, count);
    }
    for (guint i = 0; i < model->populations->len; i++) {
        const AtlasCount *count = g_hash_table_lookup(populations, ATLAS_POPULATION(model, i)->key);
        AtlasRat value = atlas_linear_value(&forms[i], unknowns);
        ck_assert(atlas_rat_is_whole(value));
        ck_assert_int_eq(value.num, count ? count->launches : 0);
        sum += value.num;
    }
    ck_assert_int_eq(sum, total);
    atlas_linear_free(forms, model->populations->len);
}

static void check_config(const AtlasConfig *config, const AtlasRat *unknowns) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    const AtlasProgram *program = atlas_lower(config, unknowns, file, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    AtlasWalkFault fault;
    gint64 period = atlas_walk_period(config, &fault);
    ck_assert_str_eq(report, "");
    ck_assert_ptr_nonnull(program);
    ck_assert_int_ge(period, 1);
    compare(config, program, unknowns, 0, period - 1);
    compare(config, program, unknowns, 20, 29);
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_program_write(program, text);
    g_autofree char *again = rewritten(text->str);
    ck_assert_str_eq(again, text->str);
}

static void fill(AtlasRat *unknowns, guint count, GRand *rand) {
    for (guint i = 0; i < count; i++)
        unknowns[i] = atlas_rat(g_rand_int_range(rand, 0, 4) ? g_rand_int_range(rand, 0, 900) : 0);
}

static const char *const shipped[] = {"dormouse-small", "minimouse", "first"};

START_TEST(test_shipped) {
    AtlasSource *source;
    AtlasModel *model = model_shipped(shipped[_i], &source);
    g_autoptr(GRand) rand = g_rand_new_with_seed((guint32)_i + 11);
    g_autofree AtlasRat *unknowns = g_new(AtlasRat, model->unknowns->len + 1);
    for (guint i = 0; i < model->toggles->len; i++) {
        AtlasConfig *config = model_config(model, ATLAS_TOGGLE(model, i)->name);
        fill(unknowns, model->unknowns->len, rand);
        check_config(config, unknowns);
        atlas_config_free(config);
    }
    for (guint i = 0; i < 500; i++) {
        AtlasConfig *config = atlas_config_new(model);
        for (guint j = 0; j < model->params->len; j++)
            atlas_config_put(config, FALSE, j,
                             g_rand_int_range(rand, (int)ATLAS_PARAM(model, j)->low,
                                              (int)ATLAS_PARAM(model, j)->high + 1));
        for (guint j = 0; j < model->arms->len; j++)
            atlas_config_put(config, TRUE, j, g_rand_boolean(rand));
        fill(unknowns, model->unknowns->len, rand);
        check_config(config, unknowns);
        atlas_config_free(config);
    }
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

Suite *lower_suite(void) {
    Suite *suite = suite_create("lower");
    TCase *text = tcase_create("programs"), *wrong = tcase_create("faults");
    TCase *real = tcase_create("shipped");
    tcase_add_loop_test(text, test_program, 0, G_N_ELEMENTS(programs));
    tcase_add_test(text, test_title);
    tcase_add_loop_test(wrong, test_fault, 0, G_N_ELEMENTS(faults));
    tcase_add_test(wrong, test_faults);
    tcase_add_loop_test(real, test_shipped, 0, G_N_ELEMENTS(shipped));
    suite_add_tcase(suite, text);
    suite_add_tcase(suite, wrong);
    suite_add_tcase(suite, real);
    return suite;
}
