/* Tests of the first pass: every fault of form is one error, at its place, with a hint. */
#include <string.h>

#include "model/launch/locate.h"
#include "tests/unit/models.h"
#include "tests/unit/suites.h"

#define NAME_HINT "a name is small letters, digits and '_'"
#define VALUE_HINT "write the value itself"
#define ITEM "stages:\n  - stage: fwd\n    do:\n      - "

/* 65 characters, one more than names have. */
#define LONG_NAME "a1234567890123456789012345678901234567890123456789012345678901234"

static const ModelFault faults[] = {
    /* keys */
    {"parms: {}", "1:1", "a spec has no key 'parms'", "did you mean 'params'?"},
    {"xyzzy: {}", "1:1", "a spec has no key 'xyzzy'", "its keys are: atlas, name, about"},
    {"params: {n: {defalt: 1, min: 0, max: 2}}", "1:14", "a parameter has no key 'defalt'",
     "did you mean 'default'?"},
    {"arms: {a: {on: true}}", "1:12", "an arm has no key 'on'", "its keys are: default, needs"},
    {"toggles: {t: {sets: {}}}", "1:15", "a toggle has no key 'sets'", "did you mean 'set'?"},
    {"counter: {lags: 0}", "1:11", "the counter has no key 'lags'", "did you mean 'lag'?"},
    {"streams: {s: {knd: legacy}}", "1:15", "a stream has no key 'knd'", "did you mean 'kind'?"},
    {"buffers: {b: {pr: 2}}", "1:15", "a buffer has no key 'pr'", "did you mean 'per'?"},
    {"unknowns: {u: {mn: 1}}", "1:16", "an unknown has no key 'mn'", "did you mean 'min'?"},
    {"stages: [{stage: fwd, do: [], abuot: x}]", "1:31", "a stage has no key 'abuot'",
     "did you mean 'about'?"},
    {ITEM "{launch: a, cuont: 3}", "4:21", "a launch item has no key 'cuont'",
     "did you mean 'count'?"},
    {ITEM "{launch: a, wen: 1}", "4:21", "a launch item has no key 'wen'", "did you mean 'when'?"},
    {ITEM "{record: e, count: 2}", "4:21", "a record item has no key 'count'", "its keys are: "},
    {ITEM "{loop: 2, like: a, do: []}", "4:19", "a loop item has no key 'like'", NULL},
    {ITEM "{launch: a, count: max(1, 2)}", "4:35", "a launch item has no key '2)'",
     "quote an expression with a comma"},
    {ITEM "{launch: a, count: if(1, 2, max(3, 4))}", "4:34", "a launch item has no key '2'",
     "'count' ends before the comma"},
    {ITEM "{lunch: a}", "4:10", "an item needs a key that tells its kind",
     "did you mean 'launch'?"},
    {ITEM "{name: a}", "4:10", "an item needs a key that tells its kind",
     "one of: launch, copy, record"},
    {ITEM "{launch: a, sync: main}", "4:21", "an item cannot be 'launch' and 'sync' at once",
     "make two items"},
    /* a slip in a key does not make the names in its value unknown */
    {"buffer: {h: {}}\n" ITEM "{launch: a, reads: [h]}", "1:1", "a spec has no key 'buffer'",
     "did you mean 'buffers'?"},
    {ITEM "{grop: g, do: [{launch: a}]}\n      - {group: h, like: g}", "4:10",
     "an item needs a key that tells its kind", "did you mean 'group'?"},
    /* keys that are missing or stand twice */
    {"atlas: 1\nstages: [{stage: fwd, do: []}]\n", "1:1", "a spec needs the key 'name'",
     "the model's name"},
    {"params: {n: {default: 1, max: 2}}", "1:10", "a parameter needs the key 'min'",
     "min: the least value"},
    {"toggles: {t: {}}", "1:11", "a toggle needs the key 'set'", "the parameters and arms it sets"},
    {"toggles: {t: }", "1:11", "a toggle needs the key 'set'", "the parameters and arms it sets"},
    {"counter: {}", "1:1", "the counter needs the key 'lag'", "lag: the most launches"},
    {"stages: [{stage: fwd}]", "1:11", "a stage needs the key 'do'", "what the host enqueues"},
    {"stages: [{do: []}]", "1:11", "a stage needs the key 'stage'", "the stage's name"},
    {ITEM "{copy: dtod, from: a}\nbuffers: {a: {}}", "4:10", "a copy item needs the key 'to'",
     "the buffer copied to"},
    {ITEM "{loop: 3, as: i}", "4:10", "a loop item needs the key 'do'", "what is repeated"},
    {"about: x\nabout: y", "2:1", "key 'about' stands here a second time", "first here"},
    {"arms: {a: {}, b: {}, a: {}}", "1:22", "key 'a' stands here a second time", "keep one"},
    {ITEM "{launch: a, when: 1, when: 0}", "4:30", "key 'when' stands here a second time",
     "keep one"},
    {"params: {n: {default: 1, min: 0, max: 2}}\ntoggles: {t: {set: {n: 1, n: 2}}}", "2:27",
     "key 'n' stands here a second time", "keep one"},
    /* values of another type */
    {"about: [a]", "1:9", "expected text, not a list", "about: what is modelled"},
    {"about: {a: b}", "1:9", "expected text, not a mapping", "about: what is modelled"},
    {"about:", "1:1", "expected text, not nothing", "about: what is modelled"},
    {"about: ''", "1:9", "expected text, not nothing", "about: what is modelled"},
    {"params: 3", "1:9", "expected a mapping, not text", "write 'key: value' lines"},
    {"params: [n]", "1:10", "expected a mapping, not a list", "write 'key: value' lines"},
    {"params:", "1:1", "expected a mapping, not nothing", "write 'key: value' lines"},
    {"params: {n: 3}", "1:13", "expected a mapping, not text", "write 'key: value' lines"},
    {"recipe: [a]", "1:10", "expected a mapping, not a list", NULL},
    {"recipe: {a: [b]}", "1:14", "expected a value, not a list", "recipe: what else a run"},
    {"recipe: {[a]: b}", "1:11", "expected a key, not a list", "lines 'key: value'"},
    {"stages: {fwd: []}", "1:10", "expected a list, not a mapping", "write '- item' lines"},
    {"stages: fwd", "1:9", "expected a list, not text", "write '- item' lines"},
    {"stages:", "1:1", "expected a list, not nothing", "write '- item' lines"},
    {"stages: []", "1:1", "expected a stage, not an empty list", "the launch graph"},
    {"stages: [fwd]", "1:10", "expected a mapping, not text", "write 'key: value' lines"},
    {"stages: [{stage: fwd, do: {launch: a}}]", "1:28", "expected a list, not a mapping", NULL},
    {"stages: [{stage: fwd, do: [launch]}]", "1:28", "expected a mapping, not text", NULL},
    {"stages: [{stage: fwd, do: [[]]}]", "1:23", "expected a mapping, not a list", NULL},
    {"runs: [a, [b]]", "1:12", "expected text, not a list", "runs: run tables"},
    {"runs: {a: b}", "1:8", "expected text or a list of texts, not a mapping", "runs: run tables"},
    {ITEM "{launch: [a]}", "4:19", "expected a name, not a list", "launch: kernel launches"},
    {ITEM "{launch: a, reads: [h, ]}\nbuffers: {h: {}}\nabout: [", "6:9",
     "no valid YAML: flow sequence without a closing bracket", "needs its end"},
    /* names */
    {"params: {1: {default: 1, min: 0, max: 1}}", "1:10", "'1' is not a valid name", NAME_HINT},
    {"arms: {Kda: {}}", "1:8", "'Kda' is not a valid name", NAME_HINT},
    {"arms: {größe: {}}", "1:8", "'größe' is not a valid name", NAME_HINT},
    {"about: größe\narms: {ö: {}}", "2:8", "'ö' is not a valid name", NAME_HINT},
    {"arms: {\"a b\": {}}", "1:9", "'a b' is not a valid name", NAME_HINT},
    {"unknowns: {a-b: {}}", "1:12", "'a-b' is not a valid name", NAME_HINT},
    {"toggles: {-a: {set: {}}}", "1:11", "'-a' is not a valid name", "or '-', and starts"},
    {"stages: [{stage: a.b, do: []}]", "1:18", "'a.b' is not a valid name", NAME_HINT},
    {ITEM "{launch: 3}", "4:18", "'3' is not a valid name", NAME_HINT},
    {ITEM "{launch: a, kernel: a/b}", "4:29", "'a/b' is not a valid name", NAME_HINT},
    {"arms: {" LONG_NAME ": {}}", "1:8", "expected a key of at most 64 bytes, not of 65", NULL},
    {ITEM "{launch: " LONG_NAME "}", "4:18", "expected a name of at most 64 bytes, not of 65",
     NULL},
    /* numbers and choices */
    {"counter: {lag: .nan}", "1:16", "expected a decimal number >= 0, not '.nan'", "lag: the most"},
    {"counter: {lag: 1e400}", "1:16", "expected a decimal number >= 0, not '1e400'", NULL},
    {"counter: {lag: -1}", "1:16", "expected a decimal number >= 0, not '-1'", NULL},
    {"params: {n: {default: 1, min: 0, max: .inf}}", "1:39",
     "expected a whole number >= 0, not '.inf'", "max: the greatest value"},
    {"params: {n: {default: 4, min: 0, max: many}}", "1:39",
     "expected a whole number >= 0, not 'many'", "max: the greatest value"},
    {"params: {n: {default: 4, min: 0, max: 1.5}}", "1:39",
     "expected a whole number >= 0, not '1.5'", NULL},
    {"params: {n: {default: 4, min: 0, max: 99999999999999999999}}", "1:39",
     "expected a whole number >= 0, not '99999999999999999999'", NULL},
    {ITEM "{launch: a, cost_us: 0}", "4:30", "expected a decimal number > 0, not '0'",
     "cost_us: how long each launch's kernel takes"},
    {ITEM "{launch: a, cost_us: -2.5}", "4:30", "expected a decimal number > 0, not '-2.5'", NULL},
    {ITEM "{launch: a, cost_us: long}", "4:30", "expected a decimal number > 0, not 'long'", NULL},
    {ITEM "{launch: a, cost_us: 1e3}", "4:30", "expected a decimal number > 0, not '1e3'", NULL},
    {ITEM "{launch: a, cost_us: [1]}", "4:31", "expected a decimal number > 0, not a list", NULL},
    {ITEM "{launch: a, cost_us: 0.0005}", "4:30", "no launch can cost '0.0005' microseconds",
     "at most three digits"},
    {ITEM "{launch: a, cost_us: 1000000.5}", "4:30", "no launch can cost '1000000.5' microseconds",
     "up to 1000000"},
    {ITEM "{copy: dtod, from: a, to: a, cost_us: 1}\nbuffers: {a: {}}", "4:38",
     "a copy item has no key 'cost_us'", "its keys are: copy, from, to"},
    {"arms: {a: {default: yes}}", "1:21", "'yes' is none of: on, off", "whether the arm is on"},
    {"streams: {s: {kind: nonbloking}}", "1:21",
     "'nonbloking' is none of: nonblocking, blocking, legacy", "did you mean 'nonblocking'?"},
    {"unknowns: {u: {kind: int}}", "1:22", "'int' is none of: whole, real", "whole numbers >= 0"},
    {ITEM "{copy: dtoh, from: a, to: a}\nbuffers: {a: {}}", "4:16",
     "'dtoh' is none of: dtoh_pinned, dtoh_pageable, htod_pinned, htod_pageable, dtod", NULL},
    {ITEM "{launch: a, source: guessed}", "4:29", "'guessed' is none of: measured, study, assumed",
     "where the fact comes from"},
    {ITEM "{launch: a, args: {lr: host_per_step}}", "4:32",
     "'host_per_step' is none of: const, host-per-step, device", "did you mean 'host-per-step'?"},
    {"atlas: 2\nname: m\n", "1:8", "unknown version '2' of the spec language", "reads version 1"},
    /* what a spec does without */
    {"about: &x y", "1:11", "a value cannot have an anchor", VALUE_HINT},
    {"arms: {a: &x }", "1:8", "a value cannot have an anchor", VALUE_HINT},
    {"arms: &x {a: {}}", "1:11", "a value cannot have an anchor", VALUE_HINT},
    {"arms: {a: *x}", "1:12", "a value cannot be an alias", VALUE_HINT},
    {"about: *x", "1:9", "a value cannot be an alias", VALUE_HINT},
    {"about: !!str y", "1:14", "a value cannot have a tag", VALUE_HINT},
    {"arms: {a: !t {}}", "1:8", "a value cannot have a tag", VALUE_HINT},
    {"&x about: y", "1:4", "a value cannot have an anchor", VALUE_HINT},
    {"arms: {a: {<<: {default: on}}}", "1:12", "an arm has no key '<<'", "its keys are: default"},
    {"about: \"a\\0b\"", "1:9", "expected text, not text with a NUL in it", "about: what is"},
    {"\"a\\0\": b", "1:2", "expected a key, not text with a NUL in it", NULL},
    {ITEM "{launch: \"a\\0\"}", "4:19", "expected a name, not text with a NUL in it", NULL},
    {ITEM "{\"launch\\0\": a, launch: b}", "4:11", "expected a key, not text with a NUL in it",
     NULL},
    {"about: 'a ''b'' ''''c'''' d'", "1:9", "text in quotes cannot be written like this",
     "write it between double quotes"},
    {"about: \"a\n  b \\t c\"", "1:9", "text in quotes cannot be written like this",
     "write it in one line"},
    {"'''''a''': b", "1:2", "text in quotes cannot be written like this", "double quotes"},
    /* YAML */
    {"about: a: b", "1:9", "no valid YAML: invalid nested block mapping on the same line",
     "quote a text that has ': ' in it"},
    {"arms:\n\ta: {}", "2:1", "no valid YAML: tab character may not be used as indentation",
     "indent with spaces"},
    {"about: \"a", "1:8", "no valid YAML: wrongly indented double-quoted scalar",
     "needs another one that closes it"},
    {"about: \"\\q\"", "1:9", "no valid YAML: invalid escape 'q' in double-quoted string", NULL},
    {"about: @a", "1:8", "no valid YAML: plain scalar cannot start with '@'", "quote a text"},
    {"%TAG a", "1:1", "a line cannot start with '%'", "directives are not used"},
    {"about: x\rparams: {}", "1:9", "a carriage return without a line feed", "write \\r"},
    {"about: x\n---\nabout: y", "3:1", "this belongs to a second YAML document",
     "remove the '---'"},
    {"atlas: 1\nname: m\nstages: []\n--- y", "4:5", "this belongs to a second YAML document",
     "remove the '---'"},
};

START_TEST(test_fault) {
    model_check_fault(&faults[_i]);
}
END_TEST

/* ---- what is read ---- */

START_TEST(test_values) {
    static const char text[] =
        "atlas: 1\nname: a-b\nabout: >-\n  two\n  lines\nrecipe: {amp: true, precision: fp32}\n"
        "params: {n: {default: 2, min: 1, max: 3, about: depth}}\n"
        "arms:\n  kda:\n  jepa: {default: off, needs: kda}\n"
        "counter: {lag: 9.5}\nruns: [a.tsv, 'b.log@kda=off']\nclaims: c.yaml\n"
        "stages:\n- stage: fwd\n  about: \"x\\ty\"\n  do:\n"
        "  - launch: a\n    reads: h\n    writes: [h, \"act[0]\"]\n    args: {lr: device}\n"
        "    source: study\n    thread: 2\n"
        "  - {group: g, like: fwd.h, rename: {h: k}, counts: {u: v}}\n";
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("s", text, strlen(text), NULL);
    g_autoptr(AtlasSpec) spec = atlas_spec_read(source, diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert_str_eq(spec->name.text, "a-b");
    ck_assert_str_eq(spec->about.text, "two lines");
    ck_assert_uint_eq(spec->recipe->len, 2);
    ck_assert_str_eq(g_array_index(spec->recipe, AtlasPair, 0).value.text, "true");
    const AtlasSpecParam *param = g_ptr_array_index(spec->params, 0);
    ck_assert_str_eq(param->name.text, "n");
    ck_assert_str_eq(param->standard.text, "2");
    ck_assert_str_eq(param->low.text, "1");
    ck_assert_str_eq(param->high.text, "3");
    const AtlasSpecArm *kda = g_ptr_array_index(spec->arms, 0);
    const AtlasSpecArm *jepa = g_ptr_array_index(spec->arms, 1);
    ck_assert_str_eq(kda->name.text, "kda");
    ck_assert_ptr_null(kda->standard.text);
    ck_assert_str_eq(jepa->standard.text, "off");
    ck_assert_str_eq(jepa->needs.text, "kda");
    ck_assert_str_eq(spec->counter->lag.text, "9.5");
    ck_assert_uint_eq(spec->runs->len, 2);
    ck_assert_str_eq(g_array_index(spec->runs, AtlasText, 1).text, "b.log@kda=off");
    ck_assert_str_eq(spec->claims.text, "c.yaml");
    ck_assert_ptr_null(spec->toggles);
    const AtlasSpecStage *stage = g_ptr_array_index(spec->stages, 0);
    ck_assert_str_eq(stage->about.text, "x\ty");
    const AtlasSpecItem *launch = g_ptr_array_index(stage->body, 0);
    ck_assert_int_eq(launch->kind, ATLAS_ITEM_LAUNCH);
    ck_assert_str_eq(launch->what.text, "a");
    ck_assert_uint_eq(launch->reads->len, 1);
    ck_assert_str_eq(g_array_index(launch->writes, AtlasText, 1).text, "act[0]");
    ck_assert_str_eq(g_array_index(launch->args, AtlasPair, 0).key.text, "lr");
    ck_assert_str_eq(launch->source.text, "study");
    ck_assert_str_eq(launch->thread.text, "2");
    const AtlasSpecItem *group = g_ptr_array_index(stage->body, 1);
    ck_assert_int_eq(group->kind, ATLAS_ITEM_GROUP);
    ck_assert_str_eq(group->like.text, "fwd.h");
    ck_assert_ptr_null(group->body);
    ck_assert_str_eq(g_array_index(group->rename, AtlasPair, 0).value.text, "k");
    ck_assert_str_eq(g_array_index(group->counts, AtlasPair, 0).key.text, "u");
}
END_TEST

/* Places are those of the text inside quotes; of a folded text, from its first character. */
START_TEST(test_places) {
    static const char text[] = "atlas: 1\nname: 'm'\nabout: >-\n   é f\n   g\nclaims: \"ü\"\n";
    static const struct {
        gsize member;
        guint line, column, end_line, end_column;
    } places[] = {
        {offsetof(AtlasSpec, version), 1, 8, 1, 9},
        {offsetof(AtlasSpec, name), 2, 8, 2, 9},
        {offsetof(AtlasSpec, about), 4, 4, 6, 1},
        {offsetof(AtlasSpec, claims), 6, 10, 6, 11},
    };
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("s", text, strlen(text), NULL);
    g_autoptr(AtlasSpec) spec = atlas_spec_read(source, diags);
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        guint line, column;
        const AtlasText *value = (const AtlasText *)(const void *)((char *)spec + places[i].member);
        atlas_source_position(source, value->at.start, &line, &column);
        ck_assert_uint_eq(line, places[i].line);
        ck_assert_uint_eq(column, places[i].column);
        atlas_source_position(source, value->at.end, &line, &column);
        ck_assert_uint_eq(line, places[i].end_line);
        ck_assert_uint_eq(column, places[i].end_column);
    }
}
END_TEST

/* A path is one where something is there, unless it is a folder without a path before it. */
START_TEST(test_locate) {
    g_autoptr(GError) error = NULL, folder = NULL;
    g_autofree char *path = atlas_spec_locate("specs/first.yaml", NULL);
    g_autofree char *input = atlas_spec_locate("-", NULL);
    g_autofree char *slash = atlas_spec_locate("./specs", NULL);
    ck_assert_str_eq(path, "specs/first.yaml");
    ck_assert_str_eq(input, "-");
    ck_assert_str_eq(slash, "./specs");
    ck_assert_ptr_null(atlas_spec_locate("nosuchspec", &error));
    ck_assert(
        g_str_has_prefix(error->message, "error: no spec 'nosuchspec': it is neither a file"));
    ck_assert_ptr_null(atlas_spec_locate("specs", &folder));
    ck_assert(g_str_has_prefix(folder->message, "error: no spec 'specs': "));
}
END_TEST

Suite *spec_suite(void) {
    Suite *suite = suite_create("spec");
    TCase *form = tcase_create("faults"), *values = tcase_create("values");
    tcase_add_loop_test(form, test_fault, 0, G_N_ELEMENTS(faults));
    tcase_add_test(values, test_values);
    tcase_add_test(values, test_places);
    tcase_add_test(values, test_locate);
    suite_add_tcase(suite, form);
    suite_add_tcase(suite, values);
    return suite;
}
