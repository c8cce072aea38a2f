/* Tests of the second pass: what names refer to, what expressions may use, what groups that are
 * `like` others hold; every fault is one error, at its place, with a hint. */
#include <string.h>

#include "tests/unit/models.h"
#include "tests/unit/suites.h"

#define PARAMS "params: {n: {default: 2, min: 1, max: 4}}\n"
#define BUFFERS "buffers: {h: {}, k: {}, act: {per: 4}, tact: {per: 4}}\n"
#define UNKNOWNS "unknowns: {u: {}, v: {}, w: {}}\n"
#define ARMS "arms: {kda: {}, jepa: {}}\n"
#define DO "stages:\n- stage: fwd\n  do:\n"
/* DO has three lines: the first item stands in the fourth. */

#define NO_UNKNOWN                                                                                 \
    "this is needed before unknowns are solved for: use numbers, parameters, loop indices and "    \
    "arms"
#define OTHER_NAME "choose another name"
#define SHARED "parameters, arms, unknowns and loop indices share their names"
#define INDEX_HINT "put the loop inside the group, or the groups into one loop"
#define OF_ITSELF "one group of the circle needs a 'do' of its own"

static const ModelFault faults[] = {
    /* parameters */
    {"params: {n: {default: 5, min: 1, max: 4}}", "1:23",
     "the default of 'n' is not within min..max", "min is 1, max is 4"},
    {"params: {n: {default: 0, min: 1, max: 4}}", "1:23",
     "the default of 'n' is not within min..max", "min is 1, max is 4"},
    {"params: {n: {default: 3, min: 4, max: 2}}", "1:31", "the min of 'n' is above its max",
     "exchange the two"},
    {"params: {max: {default: 1, min: 1, max: 1}}", "1:10", "'max' means something in expressions",
     OTHER_NAME},
    {"arms: {on: {}}", "1:8", "'on' means something in expressions", OTHER_NAME},
    {"unknowns: {floor: {}}", "1:12", "'floor' means something in expressions", OTHER_NAME},
    {PARAMS "arms: {n: {}}", "2:8", "the name 'n' is taken", SHARED},
    {PARAMS "unknowns: {n: {}}", "2:12", "the name 'n' is taken", SHARED},
    {ARMS "unknowns: {kda: {}}", "2:12", "the name 'kda' is taken", "it is declared here"},
    /* arms and toggles */
    {"arms: {a: {needs: kad}, kda: {}}", "1:19", "no arm named 'kad'", "did you mean 'kda'?"},
    {"arms: {a: {needs: a}}", "1:19", "arm 'a' needs itself", "take one 'needs' out"},
    {"arms: {a: {needs: b}, b: {needs: c}, c: {needs: b}}", "1:34", "arm 'b' needs itself",
     "take one 'needs' out of the circle"},
    {ARMS "toggles: {t: {set: {kdaa: off}}}", "2:21", "no parameter or arm named 'kdaa'",
     "did you mean 'kda'?"},
    {"toggles: {t: {set: {kda: off}}}", "1:21", "no parameter or arm named 'kda'",
     "name one that is declared under 'params' or 'arms'"},
    {UNKNOWNS "toggles: {t: {set: {u: 1}}}", "2:21", "no parameter or arm named 'u'", "declared"},
    {ARMS "toggles: {t: {set: {kda: 0}}}", "2:26", "an arm is set to on or off, not to '0'", NULL},
    {PARAMS "toggles: {t: {set: {n: 5}}}", "2:24",
     "expected a whole number from 1 to 4 for 'n', not '5'", "'n' is declared here"},
    {PARAMS "toggles: {t: {set: {n: off}}}", "2:24",
     "expected a whole number from 1 to 4 for 'n', not 'off'", NULL},
    {"toggles: {base: {set: {}}}", "1:11", "a toggle cannot be named 'base'", "nothing is set"},
    /* streams and buffers */
    {"streams: {legacy: {}}", "1:11", "a stream of kind 'nonblocking' cannot be named 'legacy'",
     "give it 'kind: legacy'"},
    {"streams: {ptds: {}}", "1:11", "a stream of kind 'nonblocking' cannot be named 'ptds'",
     OTHER_NAME},
    {"streams: {context: {kind: legacy}}", "1:11",
     "a stream of kind 'legacy' cannot be named 'context'", OTHER_NAME},
    {"buffers: {b: {per: n}}", "1:20", "no value is named 'n'", NULL},
    {UNKNOWNS "buffers: {b: {per: u}}", "2:20", "unknown 'u' cannot stand here", NO_UNKNOWN},
    {DO "  - {launch: a, stream: man}", "4:25", "no stream named 'man'", "did you mean 'main'?"},
    {"streams: {s: {}}\n" DO "  - {group: g, stream: main, do: [{launch: a}]}", "5:24",
     "no stream named 'main'", "there are: s"},
    {DO "  - {launch: a, thread: 0}", "4:25", "no host thread has the number 0", "from 1 to 64"},
    {DO "  - {loop: 2, thread: 65, do: []}", "4:23", "no host thread has the number 65", "to 64"},
    {BUFFERS DO "  - {launch: a, reads: [h, loss]}", "5:28", "no buffer named 'loss'",
     "there are: h, k, act, tact"},
    {BUFFERS DO "  - {launch: a, writes: acd}", "5:25", "no buffer named 'acd'",
     "did you mean 'act'?"},
    {DO "  - {read: loss}", "4:12", "no buffer named 'loss'", "declared under 'buffers'"},
    {BUFFERS DO "  - {copy: dtod, from: hh, to: h}", "5:24", "no buffer named 'hh'", "'h'"},
    {BUFFERS DO "  - {alloc: tmp}", "5:13", "no buffer named 'tmp'", NULL},
    {BUFFERS DO "  - {launch: a, reads: [\"h[0]\"]}", "5:26", "buffer 'h' has no parts to index",
     "say how many it has with 'per'"},
    {BUFFERS DO "  - {launch: a, reads: [\"act[0\"]}", "5:26",
     "expected 'buffer' or 'buffer[index]', not 'act[0'", "one index stands in []"},
    {BUFFERS DO "  - {launch: a, reads: [\"act[0]x\"]}", "5:26",
     "expected 'buffer' or 'buffer[index]', not 'act[0]x'", NULL},
    {BUFFERS DO "  - {launch: a, reads: [\"act[]\"]}", "5:30",
     "expected an expression, found nothing", NULL},
    {BUFFERS DO "  - {launch: a, reads: [\"act[1 + i]\"]}", "5:34", "no value is named 'i'", NULL},
    {BUFFERS UNKNOWNS DO "  - {launch: a, reads: [\"act[u]\"]}", "6:30",
     "unknown 'u' cannot stand here", NO_UNKNOWN},
    {BUFFERS DO "  - {launch: a, fresh: [h]}", "5:25", "'h' is fresh but not written",
     "list it in 'writes' too"},
    {DO "  - {launch: a, args: {Lr: const}}", "4:24", "'Lr' is not a valid name of an argument",
     "small letters"},
    /* expressions */
    {DO "  - {launch: a, when: kda}", "4:23", "no value is named 'kda'", NULL},
    {ARMS DO "  - {launch: a, when: kdaa and jepa}", "5:23", "no value is named 'kdaa'",
     "did you mean 'kda'?"},
    {ARMS DO "  - {launch: a, when: kda and not jpea}", "5:35", "no value is named 'jpea'",
     "did you mean 'jepa'?"},
    {UNKNOWNS DO "  - {launch: a, when: u > 0}", "5:23", "unknown 'u' cannot stand here",
     NO_UNKNOWN},
    {UNKNOWNS DO "  - {launch: a, every: u}", "5:24", "unknown 'u' cannot stand here", NO_UNKNOWN},
    {UNKNOWNS DO "  - {loop: u, do: []}", "5:12", "unknown 'u' cannot stand here", NO_UNKNOWN},
    {UNKNOWNS DO "  - {launch: a, count: u * v}", "5:28",
     "unknown 'v' cannot stand in a product of unknowns", "values are linear in unknowns"},
    {DO "  - {launch: a, count: 2 +}", "4:27", "expected a value, found the end", NULL},
    {DO "  - {launch: a, count: \"2 + x\"}", "4:29", "no value is named 'x'", NULL},
    {DO "  - launch: a\n    count: >-\n      2 +\n      x", "6:7", "no value is named 'x'", NULL},
    {DO "  - {launch: a, when: true}", "4:23", "no value is named 'true'", NULL},
    {PARAMS DO "  - {launch: a, count: on(n)}", "5:27", "'n' is a parameter, not an arm", NULL},
    /* loops */
    {DO "  - {loop: 3, as: i, do: [{launch: a}]}\n  - {launch: b, when: i > 0}", "5:23",
     "no value is named 'i'", NULL},
    {DO "  - {loop: i, as: i, do: []}", "4:12", "no value is named 'i'", NULL},
    {PARAMS DO "  - {loop: 3, as: n, do: []}", "5:19", "the name 'n' is taken", SHARED},
    {DO "  - {loop: 3, as: i, do: [{loop: 2, as: i, do: []}]}", "4:41", "the name 'i' is taken",
     "it is declared here"},
    {DO "  - {loop: 3, as: if, do: []}", "4:19", "'if' means something in expressions", OTHER_NAME},
    /* events */
    {DO "  - {record: ready}\n  - {wait: redy}", "5:12",
     "no event named 'redy' is recorded anywhere", "did you mean 'ready'?"},
    {DO "  - {wait: e}", "4:12", "no event named 'e' is recorded anywhere", "an item 'record: e'"},
    {DO "  - {sync: copies}", "4:12", "no stream or event named 'copies'",
     "there are: main, context"},
    {DO "  - {record: main}", "4:14", "the name 'main' is taken", "could not tell the two apart"},
    {DO "  - {record: context}", "4:14", "an event cannot be named 'context'", "waits for every"},
    /* groups */
    {DO "  - {group: g}", "4:13", "a group needs either 'do' or 'like'", "'do' lists its items"},
    {DO "  - {group: h, do: []}\n  - {group: g, do: [], like: h}", "5:13",
     "a group needs either 'do' or 'like'", "'do' lists its items"},
    {BUFFERS DO "  - {group: g, do: [], rename: {h: k}}", "5:13",
     "'rename' and 'counts' need 'like'", "they say what differs"},
    {DO "  - {group: main, do: []}\n  - {group: g, like: mian}", "5:22", "no group named 'mian'",
     "did you mean 'fwd.main'?"},
    {DO "  - {group: g, like: g}", "4:22", "group 'g' is made of itself", OF_ITSELF},
    {DO "  - {group: a, like: b}\n  - {group: b, like: a}", "5:22", "group 'a' is made of itself",
     OF_ITSELF},
    {DO "  - {group: a, like: b}\n  - {group: b, like: c}\n  - {group: c, like: b}", "6:22",
     "group 'b' is made of itself", OF_ITSELF},
    {DO "  - {group: a, do: [{group: x, like: a}]}", "4:38", "group 'a' is made of itself",
     OF_ITSELF},
    {DO "  - {group: a, do: [{loop: 2, do: [{group: x, like: b}]}]}\n"
        "  - {group: b, do: [{group: y, like: a}]}",
     "5:38", "group 'a' is made of itself", OF_ITSELF},
    {DO "  - {group: a, do: []}\n  - {group: a, do: []}\n  - {group: b, like: a}", "6:22",
     "there are two groups 'fwd.a'", "give one of them another name"},
    {BUFFERS DO "  - {group: a, do: []}\n  - {group: b, like: a, rename: {hh: k}}", "6:34",
     "no buffer named 'hh'", "did you mean 'h'?"},
    {BUFFERS DO "  - {group: a, do: []}\n  - {group: b, like: a, rename: {h: kk}}", "6:37",
     "no buffer named 'kk'", "did you mean 'k'?"},
    {BUFFERS DO "  - {group: a, do: []}\n  - {group: b, like: a, rename: {act: h}}", "6:39",
     "buffer 'h' has no parts, unlike 'act'", "give it the same 'per'"},
    {UNKNOWNS PARAMS DO "  - {group: a, do: []}\n  - {group: b, like: a, counts: {u: n}}", "7:37",
     "no unknown named 'n'", "did you mean 'u'?"},
    {DO "  - {loop: 3, as: i, do: [{group: a, do: [{launch: x, when: i > 0}]}]}\n"
        "  - {group: b, like: a}",
     "5:22", "'a' uses the index of a loop that is not around 'b'", INDEX_HINT},
    {BUFFERS DO "  - {loop: 3, as: i, do: [{group: a, do: [{launch: x, reads: [\"act[i]\"]}, "
                "{launch: y, reads: [\"act[i]\"]}]}]}\n"
                "  - {loop: 3, as: i, do: [{group: b, like: a}]}",
     "6:44", "'a' uses the index of a loop that is not around 'b'", INDEX_HINT},
    /* one fault in a group that is copied is one fault */
    {DO "  - {group: a, do: [{launch: x, when: q}]}\n  - {group: b, like: a}\n"
        "  - {group: c, like: b}",
     "4:39", "no value is named 'q'", NULL},
    {DO "  - {group: a, do: [{launch: x, thread: 99}, {launch: y}]}\n  - {group: b, like: a}",
     "4:41", "no host thread has the number 99", NULL},
    {DO "  - {group: a, do: [{wait: e}]}\n  - {group: b, like: a}", "4:28",
     "no event named 'e' is recorded anywhere", NULL},
    {DO "  - {group: a, do: [{group: x, like: q}]}\n  - {group: b, like: a}", "4:38",
     "no group named 'q'", "by its path: stage.group"},
    {DO "  - {group: a, do: [{group: x, like: q}]}\n  - {group: b, like: a.x}", "4:38",
     "no group named 'q'", NULL},
    {BUFFERS DO
     "  - {group: z, do: []}\n  - {group: a, do: [{group: x, like: z, rename: {q: h}}]}\n"
     "  - {group: b, like: a}",
     "6:50", "no buffer named 'q'", NULL},
    {DO "  - {group: a, do: [{launch: x}, {launch: x}]}\n  - {group: b, like: a}", "4:43",
     "population 'fwd.a.x' stands here a second time", "give the item a name of its own"},
    /* populations and stages */
    {DO "  - {launch: a}\n  - {launch: a}", "5:14", "population 'fwd.a' stands here a second time",
     "first here"},
    {DO "  - {loop: 2, do: [{launch: a}]}\n  - {loop: 2, do: [{launch: a}]}", "5:29",
     "population 'fwd.a' stands here a second time", "or put it into a group"},
    {DO "  - {group: m, do: [{launch: a}, {launch: b}]}\n  - {group: g, like: m}\n"
        "  - {group: g, like: m}",
     "6:13", "population 'fwd.g.a' stands here a second time", "give the group a name of its own"},
    {DO "  - {group: m, do: [{launch: a}]}\n  - {launch: m}\n  - {group: m, do: [{launch: a}]}",
     "6:30", "population 'fwd.m.a' stands here a second time", "first here"},
    {"stages: [{stage: a, do: []}, {stage: b, do: []}, {stage: a, do: []}]", "1:58",
     "the name 'a' is taken", "stages have names of their own"},
    {"stages: [{stage: total, do: []}]", "1:18", "the name 'total' is taken",
     "the sum of all stages"},
};

START_TEST(test_fault) {
    model_check_fault(&faults[_i]);
}
END_TEST

/* ---- several faults at once ---- */

/* Specs with several faults: the places of all, in order. */
static const struct {
    const char *text, *places[12];
} several[] = {
    {"atlas: 1\n"
     "name: five\n"
     "parms: {n: {default: 2, min: 1, max: 4}}\n"
     "arms: {kda: {default: of}}\n"
     "stages:\n"
     "- stage: fwd\n"
     "  do:\n"
     "  - {launch: a, count: m}\n"
     "  - {launch: a, when: kda}\n"
     "  - {loop: n, does: []}\n",
     {"3:1: error: a spec has no key 'parms'", "4:23: error: 'of' is none of: on, off",
      "8:24: error: no value is named 'm'",
      "9:14: error: population 'fwd.a' stands here a second time",
      "10:15: error: a loop item has no key 'does'"}},
    {"atlas: 1\n"
     "about: [no name]\n"
     "params:\n"
     "  n: {default: 9, min: 1, max: 4}\n"
     "  m: {default: 1, min: x, max: 4}\n"
     "arms: {a: {needs: b}, b: {needs: a}, c: {needs: d}}\n"
     "toggles: {t: {set: {n: 8, a: of, z: 1}}, t: {set: {}}}\n"
     "stages:\n"
     "- {stage: fwd, do: [{wait: e}, {sync: f}]}\n",
     {"1:1: error: a spec needs the key 'name'", "2:9: error: expected text, not a list",
      "4:16: error: the default of 'n' is not within min..max",
      "5:24: error: expected a whole number >= 0, not 'x'", "6:19: error: arm 'a' needs itself",
      "6:49: error: no arm named 'd'",
      "7:24: error: expected a whole number from 1 to 4 for 'n', not '8'",
      "7:30: error: an arm is set to on or off, not to 'of'",
      "7:34: error: no parameter or arm named 'z'",
      "7:42: error: key 't' stands here a second time",
      "9:28: error: no event named 'e' is recorded anywhere",
      "9:39: error: no stream or event named 'f'"}},
    {"atlas: 1\n"
     "name: groups\n"
     "buffers: {h: {}, act: {per: iters}}\n"
     "stages:\n"
     "- stage: fwd\n"
     "  do:\n"
     "  - group: main\n"
     "    do:\n"
     "    - {launch: a, reads: [hh], writes: [\"h[0]\"]}\n"
     "    - {launch: b, fresh: [h], stream: side}\n"
     "    - {group: inner, like: outer, rename: {q: h}}\n"
     "  - {group: outer, like: fwd.main}\n"
     "  - {group: other, like: mein}\n"
     "  - {read: [h]}\n",
     {"3:29: error: no value is named 'iters'", "9:27: error: no buffer named 'hh'",
      "9:42: error: buffer 'h' has no parts to index", "10:27: error: 'h' is fresh but not written",
      "10:39: error: no stream named 'side'", "11:44: error: no buffer named 'q'",
      "12:26: error: group 'main' is made of itself", "13:26: error: no group named 'mein'",
      "14:13: error: expected text, not a list"}},
};

START_TEST(test_several) {
    const char *text = several[_i].text;
    guint count = 0;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("s", text, strlen(text), NULL);
    g_autoptr(AtlasModel) model = atlas_model_read(source, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    for (const char *at = report; count < G_N_ELEMENTS(several[_i].places); count++) {
        const char *place = several[_i].places[count];
        const char *found = place ? strstr(at, place) : NULL;
        if (!place)
            break;
        ck_assert_msg(found != NULL, "no %s in\n%s", place, report);
        at = found + 1;
    }
    ck_assert_msg(atlas_diags_errors(diags) == count, "%u errors, not %u:\n%s",
                  atlas_diags_errors(diags), count, report);
    ck_assert_ptr_null(model);
}
END_TEST

/* ---- what is built ---- */

START_TEST(test_declarations) {
    AtlasSource *source;
    AtlasModel *model =
        model_read("params: {n: {default: 2, min: 1, max: 4}, m: {default: 0, min: 0, max: 0}}\n"
                   "arms: {a: {}, b: {default: off, needs: a}}\n"
                   "toggles: {t-1: {set: {m: 0, b: on, n: 3}}}\n"
                   "counter: {lag: 9.5}\n"
                   "unknowns: {u: {}, r: {kind: real, min: 2}}\n"
                   "buffers: {h: {}, act: {per: n}}\n" DO
                   "  - {launch: x, count: u}\n  - {record: e}\n  - {record: f}\n  - {record: e}\n",
                   &source);
    ck_assert_str_eq(model->name, "m");
    ck_assert_uint_eq(model->params->len, 2);
    ck_assert_int_eq(ATLAS_PARAM(model, 0)->standard, 2);
    ck_assert_int_eq(ATLAS_PARAM(model, 0)->low, 1);
    ck_assert_int_eq(ATLAS_PARAM(model, 0)->high, 4);
    ck_assert(ATLAS_ARM(model, 0)->standard && !ATLAS_ARM(model, 1)->standard);
    ck_assert_int_eq(ATLAS_ARM(model, 0)->needs, -1);
    ck_assert_int_eq(ATLAS_ARM(model, 1)->needs, 0);
    const GArray *settings = ATLAS_TOGGLE(model, 0)->settings;
    static const AtlasSetting expected[] = {
        {FALSE, 1, 0, {NULL, 0, 0}}, {TRUE, 1, 1, {NULL, 0, 0}}, {FALSE, 0, 3, {NULL, 0, 0}}};
    ck_assert_uint_eq(settings->len, G_N_ELEMENTS(expected));
    for (guint i = 0; i < settings->len; i++) {
        const AtlasSetting *setting = &g_array_index(settings, AtlasSetting, i);
        ck_assert_int_eq(setting->is_arm, expected[i].is_arm);
        ck_assert_uint_eq(setting->index, expected[i].index);
        ck_assert_int_eq(setting->value, expected[i].value);
    }
    ck_assert(!ATLAS_UNKNOWN(model, 0)->real && ATLAS_UNKNOWN(model, 1)->real);
    ck_assert_int_eq(ATLAS_UNKNOWN(model, 1)->low, 2);
    ck_assert_str_eq(ATLAS_STREAM(model, 0)->name, "main"); /* where none is declared */
    ck_assert_str_eq(ATLAS_STREAM(model, 0)->kind, "nonblocking");
    ck_assert(!ATLAS_BUFFER(model, 0)->parts && ATLAS_BUFFER(model, 1)->parts);
    ck_assert_uint_eq(model->events->len, 2);
    ck_assert_str_eq(g_ptr_array_index(model->events, 1), "f");
    ck_assert_int_eq(atlas_rat_cmp(model->lag, atlas_rat_make(19, 2)), 0);
    ck_assert_int_eq(atlas_model_find_param(model, "m"), 1);
    ck_assert_int_eq(atlas_model_find_arm(model, "b"), 1);
    ck_assert_int_eq(atlas_model_find_arm(model, "n"), -1);
    ck_assert_int_eq(atlas_model_find_toggle(model, "t-1"), 0);
    ck_assert_int_eq(atlas_model_find_stage(model, "fwd"), 0);
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

/* Keys are full paths in the order of the spec; loops add nothing; groups that are `like` others
 * add their own name, however deep; later groups and stages can be copied. */
START_TEST(test_populations) {
    static const char *const keys[] = {"fwd.a",      "fwd.g.b",      "fwd.g.in.c", "fwd.h.b",
                                       "fwd.h.in.c", "bwd.i.b",      "bwd.i.in.c", "bwd.j.c",
                                       "bwd.k.n.b",  "bwd.k.n.in.c", "bwd.k.d"};
    AtlasSource *source;
    AtlasModel *model = model_read(
        "stages:\n- stage: fwd\n  do:\n  - {launch: a}\n"
        "  - {group: g, do: [{loop: 2, do: [{launch: b}]}, {group: in, do: [{launch: c}]}]}\n"
        "  - {group: h, like: bwd.i}\n"
        "- stage: bwd\n  do:\n  - {group: i, like: fwd.g}\n  - {group: j, like: fwd.g.in}\n"
        "  - {group: k, do: [{group: n, like: fwd.h}, {launch: d}]}\n",
        &source);
    ck_assert_uint_eq(model->populations->len, G_N_ELEMENTS(keys));
    for (guint i = 0; i < G_N_ELEMENTS(keys); i++) {
        ck_assert_str_eq(ATLAS_POPULATION(model, i)->key, keys[i]);
        ck_assert_uint_eq(ATLAS_POPULATION(model, i)->stage, i < 5 ? 0 : 1);
        ck_assert_uint_eq(ATLAS_POPULATION(model, i)->node->population, i);
    }
    atlas_model_free(model);
    atlas_source_free(source);
}
END_TEST

static gboolean varies(const char *items) {
    AtlasSource *source;
    g_autofree char *text = g_strconcat(PARAMS DO, items, NULL);
    AtlasModel *model = model_read(text, &source);
    const AtlasNode *loop = g_ptr_array_index(ATLAS_STAGE(model, 0)->nodes, 0);
    gboolean result = loop->varying->len > 0;
    atlas_model_free(model);
    atlas_source_free(source);
    return result;
}

/* A loop whose iterations launch the same is looked at once. */
START_TEST(test_varies) {
    ck_assert(!varies("  - {loop: n, as: i, do: [{launch: a, when: n > 1, count: n}]}\n"));
    ck_assert(varies("  - {loop: n, as: i, do: [{launch: a, when: i > 0}]}\n"));
    ck_assert(varies("  - {loop: n, as: i, do: [{launch: a, count: i + 1}]}\n"));
    ck_assert(varies("  - {loop: n, as: i, do: [{launch: a, every: i + 1}]}\n"));
    ck_assert(
        varies("  - {loop: n, as: i, do: [{group: g, do: [{loop: i, do: [{launch: a}]}]}]}\n"));
    ck_assert(
        !varies("  - {loop: n, as: i, do: [{loop: 2, as: j, do: [{launch: a, when: j > 0}]}]}\n"));
}
END_TEST

Suite *model_suite(void) {
    Suite *suite = suite_create("model");
    TCase *wrong = tcase_create("faults"), *right = tcase_create("models");
    tcase_add_loop_test(wrong, test_fault, 0, G_N_ELEMENTS(faults));
    tcase_add_loop_test(wrong, test_several, 0, G_N_ELEMENTS(several));
    tcase_add_test(right, test_declarations);
    tcase_add_test(right, test_populations);
    tcase_add_test(right, test_varies);
    suite_add_tcase(suite, wrong);
    suite_add_tcase(suite, right);
    return suite;
}
