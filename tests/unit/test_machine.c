/* The machine answers as a real driver did, and says why. */
#include <string.h>

#include "model/machine/explain.h"
#include "model/machine/rules.h"
#include "tests/unit/machine_kit.h"
#include "tests/unit/suites.h"

/* ---- conformance ---- */

static const struct {
    const char *path;
    guint programs;
    gint64 calls, undefined;
} files[] = {
    {"tests/programs/rules.txt", 148, 1400, 0},     {"tests/programs/random.txt", 96, 2014, 0},
    {"tests/programs/deep.txt", 95, 2016, 0},       {"tests/programs/undefined.txt", 14, 144, 14},
    {"tests/programs/probed.txt", 190, 3214, 0},    {"../shared/truth/rules.txt", 104, 791, 0},
    {"../shared/truth/random.txt", 3000, 61610, 0}, {"../shared/truth/deep.txt", 2500, 56806, 0},
};

static void report(const AtlasProgram *program, const AtlasDifference *difference, GString *out) {
    guint line = 0, column;
    if (difference->at.source)
        atlas_source_position(difference->at.source, difference->at.start, &line, &column);
    g_string_append_printf(out, "%s, line %u: expected '%s', got '%s'\n", program->name, line,
                           difference->expected, difference->got);
}

START_TEST(conformance) {
    Programs programs;
    gint64 calls = 0, undefined = 0;
    if (!programs_of_file(files[_i].path, &programs))
        return;
    g_autoptr(GString) wrong = g_string_new(NULL);
    for (guint i = 0; i < programs_count(&programs); i++) {
        const AtlasProgram *program = programs_get(&programs, i);
        g_autoptr(AtlasOutcome) outcome = atlas_run(program, 1, programs.diags);
        ck_assert_ptr_nonnull(outcome);
        g_autoptr(GArray) differences = atlas_outcome_compare(program, outcome);
        for (guint j = 0; j < differences->len; j++)
            report(program, &g_array_index(differences, AtlasDifference, j), wrong);
        calls += outcome->calls;
        undefined += outcome->state == ATLAS_OUTCOME_UNDEFINED;
    }
    ck_assert_msg(wrong->len == 0, "%s", wrong->str);
    ck_assert_uint_eq(programs_count(&programs), files[_i].programs);
    ck_assert_int_eq(calls, files[_i].calls);
    ck_assert_int_eq(undefined, files[_i].undefined);
    programs_clear(&programs);
}
END_TEST

/* What is written of a run's outcome is the file that expected it. */
START_TEST(outcomes_read_back) {
    Programs programs;
    g_autoptr(GString) out = g_string_new(NULL);
    ck_assert(programs_of_file("tests/programs/rules.txt", &programs));
    for (guint i = 0; i < programs_count(&programs); i++) {
        const AtlasProgram *program = programs_get(&programs, i);
        g_autoptr(AtlasOutcome) outcome = atlas_run(program, 1, programs.diags);
        atlas_outcome_write(program, outcome, out);
    }
    ck_assert_str_eq(out->str, atlas_source_text(programs.source));
    programs_clear(&programs);
}
END_TEST

/* ---- explanations ---- */

/* Every rule gives some answer of the conformance files, each with a whole sentence; only the
 * machine's own two need more than a file. */
START_TEST(every_rule_fires) {
    gboolean fired[ATLAS_RULES] = {FALSE};
    for (guint f = 0; conformance_files[f]; f++) {
        Programs programs;
        ck_assert(programs_of_file(conformance_files[f], &programs));
        for (guint i = 0; i < programs_count(&programs); i++) {
            Driver d = driver_new(&programs, i);
            for (guint op = 0; op < d.program->ops->len; op++) {
                AtlasAnswer answer = atlas_machine_apply(d.machine, op);
                g_autoptr(GString) why = g_string_new(NULL);
                gboolean explained = atlas_explain(d.program, op, &answer, why);
                fired[answer.rule] = TRUE;
                ck_assert_int_eq(explained, answer.rule != ATLAS_RULE_NONE);
                ck_assert_int_eq(explained, why->len > 0);
                ck_assert_msg(!strpbrk(why->str, "{}\n"), "%s", why->str);
                ck_assert(explained || answer.code == ATLAS_RESULT_OK ||
                          answer.code == ATLAS_RESULT_NONE);
            }
            driver_clear(&d);
        }
        programs_clear(&programs);
    }
    for (guint i = 0; i < ATLAS_RULES; i++)
        ck_assert_msg(fired[i] != (i == ATLAS_RULE_LIMIT), "%s", atlas_rule(i)->name);
}
END_TEST

/* The last line's answer and its explanation. */
static const struct {
    const char *program, *answer, *rule, *why;
} explained[] = {
    {"stream s0 nonblocking\nstream s1 nonblocking\nbegin s0 global\nsync_stream s1\n",
     "STREAM_CAPTURE_UNSUPPORTED", "unsafe-call",
     "cuStreamSynchronize(s1) is unsafe while this thread captures s0 in global mode: synchronize "
     "before begin, or begin in relaxed mode"},
    {"begin ptds global\n@2 malloc m0\n", "STREAM_CAPTURE_UNSUPPORTED", "unsafe-call",
     "cuMemAlloc(m0) is unsafe while thread 1 captures ptds in global mode: allocate before begin, "
     "or begin in relaxed mode"},
    {"stream s0 nonblocking\nbegin s0 thread_local\nmodule_load\n", "OK", "module-load",
     "cuModuleLoad succeeds, but cuModuleUnload behind it is unsafe while this thread captures s0 "
     "in "
     "thread-local mode: unload modules before begin, or begin in relaxed mode"},
    {"stream s0 nonblocking\nbegin s0 global\nmodule_load\nlaunch s0\n",
     "STREAM_CAPTURE_INVALIDATED", "stream-invalidated",
     "s0 takes part in the capture of s0, which cuModuleUnload (line 4) invalidated: mend that "
     "call"},
    {"stream b0 blocking\nbegin b0 relaxed\nhtod_sync\n", "STREAM_CAPTURE_IMPLICIT", "legacy-use",
     "cuMemcpyHtoD uses the legacy stream, which waits for blocking streams, while one takes part "
     "in the capture of b0: use a stream of your own, or capture non-blocking streams only"},
    {"stream s0 nonblocking\nevent e0\nrecord e0 s0\nbegin s0 global\nwait s0 e0\n",
     "STREAM_CAPTURE_ISOLATION", "wait-outside",
     "e0 was recorded outside of the capture of s0: record it in the capture, or wait with the "
     "external flag"},
    {"stream s0 nonblocking\nbegin s0 global\nend s0 g0\ninstantiate g0 x0\nbegin s0 global\n"
     "destroy_exec x0\n",
     "STREAM_CAPTURE_UNSUPPORTED", "unsafe-call",
     "cuGraphExecDestroy(x0) is unsafe while this thread captures s0 in global mode: destroy it "
     "before begin, or begin in relaxed mode"},
    {"stream s0 nonblocking\nstream s1 nonblocking\nevent e0\nbegin s0 relaxed\nrecord e0 s0\n"
     "begin s1 relaxed\nwait_external s1 e0\nend s1 g0\ninstantiate g0 x0\ngraph_launch x0 s1\n",
     "OK", "launch-joins",
     "x0 waits for an event that was recorded in the capture of s0, so that s1 takes part in that "
     "from now on: launch it before begin or after the end, or record the event outside of the "
     "capture"},
    {"instantiate g7 x0\n", "INVALID_VALUE", "no-graph",
     "there is no graph g7: capture it first, successfully"},
    {"stream s0 nonblocking\nlaunch s0\n", "OK", NULL, ""},
};

START_TEST(explanations) {
    g_autofree char *text = g_strconcat("# p\n", explained[_i].program, NULL);
    Programs programs = programs_of_text(text);
    Driver d = driver_new(&programs, 0);
    guint last = d.program->ops->len - 1;
    driver_apply(&d, 0, last);
    AtlasAnswer answer = atlas_machine_apply(d.machine, last);
    g_autoptr(GString) code = g_string_new(NULL);
    g_autoptr(GString) why = g_string_new(NULL);
    atlas_answer_write(&answer, code);
    ck_assert_str_eq(code->str, explained[_i].answer);
    ck_assert_pstr_eq(atlas_rule(answer.rule)->name, explained[_i].rule);
    atlas_explain(d.program, last, &answer, why);
    ck_assert_str_eq(why->str, explained[_i].why);
    driver_clear(&d);
    programs_clear(&programs);
}
END_TEST

/* Each rule has a name of its own, a sentence, a mend and a source. */
START_TEST(rules_are_documented) {
    g_autoptr(GHashTable) names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 1; i < ATLAS_RULES; i++) {
        const AtlasRuleRow *row = atlas_rule(i);
        ck_assert_msg(row->name && row->why && row->mend && row->source, "rule %u", i);
        ck_assert_msg(g_hash_table_add(names, (gpointer)row->name), "%s", row->name);
        ck_assert(!g_str_has_suffix(row->why, ".") && !g_str_has_suffix(row->mend, "."));
    }
}
END_TEST

Suite *machine_suite(void) {
    Suite *suite = suite_create("machine");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, conformance, 0, G_N_ELEMENTS(files));
    tcase_add_test(all, outcomes_read_back);
    tcase_add_test(all, every_rule_fires);
    tcase_add_loop_test(all, explanations, 0, G_N_ELEMENTS(explained));
    tcase_add_test(all, rules_are_documented);
    suite_add_tcase(suite, all);
    return suite;
}
