/* Trails of programs made by chance: they read back, run as they say, and prove what they say. */
#include <string.h>

#include "model/check/proved.h"
#include "model/proof/trail.h"
#include "model/proof/unroll.h"
#include "model/machine/random.h"
#include "model/machine/run.h"
#include "tests/unit/flow_case.h"
#include "tests/unit/random_flow.h"
#include "tests/unit/suites.h"
#include "sim/order.h"

static gboolean order_shows(const AtlasProgram *program, const AtlasProof *race) {
    return atlas_order_shows(program, race) != NULL;
}

/* Runs and proves every program of a trail; how many there are. */
static guint replay(const char *text, const char *of) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("trail", text, strlen(text), NULL);
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    ck_assert_msg(file != NULL, "no program:\n%s\nof\n%s", text, of);
    for (guint i = 0; i < atlas_program_file_count(file); i++) {
        const AtlasProgram *program = atlas_program_file_get(file, i);
        g_autoptr(AtlasOutcome) outcome = atlas_run(program, 1, diags);
        g_autoptr(GArray) differences = atlas_outcome_compare(program, outcome);
        g_autoptr(AtlasProofs) proofs = atlas_prove(program, NULL);
        g_autoptr(AtlasResult) result = atlas_result_new();
        ck_assert_msg(differences->len == 0, "answered otherwise:\n%s\nof\n%s", text, of);
        ck_assert(atlas_proved_expects(program));
        atlas_proved_expected(proofs, program, FALSE, result, diags);
        ck_assert_uint_eq(atlas_diags_errors(diags), 0);
        ck_assert_msg(atlas_result_verdict(result) == ATLAS_PASS, "%s\n%s\nof\n%s",
                      result->below->str, text, of);
    }
    return atlas_program_file_count(file);
}

START_TEST(random_trails) {
    static const guint kinds[] = {0,
                                  RANDOM_FLAGS,
                                  RANDOM_LOOPS | RANDOM_STEP,
                                  RANDOM_LEGACY,
                                  RANDOM_CAPTURES,
                                  RANDOM_FLAGS | RANDOM_AGAIN};
    guint count = flow_case_programs(200), trails = 0, shown = 0;
    for (guint seed = 0; seed < count; seed++) {
        FlowCase c;
        flow_case_init(&c, random_flow(seed, kinds[_i]));
        g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
        for (guint i = 0; i < atlas_proofs_count(proofs); i++) {
            const AtlasProof *proof = atlas_proofs_get(proofs, i);
            g_autoptr(GError) error = NULL;
            if (proof->verdict != ATLAS_PROOF_REFUTED)
                continue;
            g_autofree char *trail = atlas_trail(c.program, proof, NULL, order_shows, &error);
            ck_assert_msg(trail != NULL, "%s: %s\n%s", atlas_property_name(proof->property),
                          error ? error->message : "", c.text);
            shown += replay(trail, c.text) - 1;
            trails++;
        }
        flow_case_clear(&c);
    }
    ck_assert_msg(trails * 4 > count && shown > 0, "%u trails, %u shown", trails, shown);
}
END_TEST

/* Programs of driver calls, of one host thread and of several: the trail ends with the call that
 * fails. */
START_TEST(illegal_trails) {
    guint count = flow_case_programs(150), failing = 0, threads = 0;
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    for (guint seed = 0; seed < count; seed++) {
        const AtlasProgram *program = atlas_random_program(file, 7, seed);
        AtlasProveOptions brief = {.brief = TRUE};
        g_autoptr(AtlasProofs) proofs = atlas_prove(program, &brief);
        const AtlasProof *legal = atlas_proofs_get(proofs, 0);
        g_autoptr(GString) text = g_string_new(NULL);
        g_autoptr(GError) error = NULL;
        if (legal->verdict != ATLAS_PROOF_REFUTED)
            continue;
        atlas_program_write(program, text);
        g_autofree char *trail = atlas_trail(program, legal, NULL, NULL, &error);
        ck_assert_msg(trail != NULL, "%s\n%s", error ? error->message : "", text->str);
        ck_assert_uint_eq(replay(trail, text->str), 1);
        failing++;
        threads += legal->schedule != NULL;
    }
    ck_assert_msg(failing * 4 > count && threads > 0, "%u fail, %u of threads", failing, threads);
}
END_TEST

/* The delay is longer than the work that may come before the second access: 5 s here, then the same
 * in a graph that is launched twice. Without stated times it is 2 ms and 20 us for each op. */
START_TEST(delays_outlast_what_is_stated) {
    static const struct {
        const char *text;
        gint64 least, most;
    } cases[] = {
        {"# p\nstream s nonblocking\nstream t nonblocking\nlaunch s k w:x\nlaunch t k r:x\n",
         2000000, 3000000},
        {"# p\nstream s nonblocking\nstream t nonblocking\nlaunch s k w:x\n"
         "launch t slow x5 us:1000000\nlaunch t k r:x\n",
         5000000001, 5003000000},
        {"# p\nstream s nonblocking\nstream t nonblocking\nbegin t relaxed\n"
         "launch t slow us:300000\nend t g\ninstantiate g i\nlaunch s k w:x\n"
         "graph_launch i t\ngraph_launch i t\nlaunch t k r:x\n",
         600000001, 1000000000},
    };
    FlowCase c;
    flow_case_init(&c, g_strdup(cases[_i].text));
    g_autoptr(AtlasProofs) proofs = atlas_prove(c.program, NULL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    g_autofree char *trail = atlas_trail(c.program, race, NULL, order_shows, NULL);
    ck_assert_uint_eq(replay(trail, c.text), 3);
    const char *delay = strstr(trail, "trail_delay"), *us = strstr(delay, "us:");
    gint64 count = delay[12] == 'x' ? g_ascii_strtoll(delay + 13, NULL, 10) : 1;
    gint64 ns = count * (gint64)(g_ascii_strtod(us + 3, NULL) * 1000 + 0.5);
    ck_assert_int_ge(ns, cases[_i].least);
    ck_assert_int_le(ns, cases[_i].most);
    flow_case_clear(&c);
}
END_TEST

/* What unrolling must give, derived by hand: an index by its iteration, an op every second step. */
START_TEST(straight_lines) {
    static const char text[] = "# p\nstream s nonblocking\nbuffer x x9\nstep\nloop 2 as i\n"
                               "loop 4..5 as j\nlaunch s k w:x[i],x[j-1]\nend\nend\n"
                               "launch s l every:2\nend\nsync_ctx\n";
    static const char expected[] =
        "stream s nonblocking|buffer x x9|"
        "launch s k w:x[0],x[3]|launch s k w:x[0],x[4]|launch s k w:x[1],x[3]|"
        "launch s k w:x[1],x[4]|launch s l|"
        "launch s k w:x[0],x[3]|launch s k w:x[0],x[4]|launch s k w:x[1],x[3]|"
        "launch s k w:x[1],x[4]|sync_ctx|";
    FlowCase c;
    Unroll u;
    g_autoptr(GString) found = g_string_new(NULL);
    flow_case_init(&c, g_strdup(text));
    unroll_init(&u, c.program);
    g_autoptr(GArray) all = unroll_all(&u, 2, 100);
    for (guint i = 0; i < all->len; i++) {
        g_autofree char *line = unroll_text(&u, g_array_index(all, AtlasWhen, i));
        g_string_append_printf(found, "%s|", line);
    }
    ck_assert_str_eq(found->str, expected);
    ck_assert(unroll_all(&u, 2, 11) == NULL);
    ck_assert(unroll_all(&u, G_MAXINT64, 1000) == NULL);
    unroll_clear(&u);
    flow_case_clear(&c);
}
END_TEST

/* Loops in loops in which nothing is performed take no time. */
START_TEST(empty_loops) {
    FlowCase c;
    Unroll u;
    flow_case_init(&c, g_strdup("# p\nloop 100000 as i\nloop 100000 as j\nend\nend\nsync_ctx\n"));
    unroll_init(&u, c.program);
    g_autoptr(GArray) all = unroll_all(&u, 1, 10);
    ck_assert(all != NULL);
    ck_assert_uint_eq(all->len, 1);
    unroll_clear(&u);
    flow_case_clear(&c);
}
END_TEST

Suite *trail_suite(void) {
    Suite *suite = suite_create("trail");
    TCase *tc = tcase_create("trails");
    tcase_add_loop_test(tc, random_trails, 0, 6);
    tcase_add_test(tc, illegal_trails);
    tcase_add_loop_test(tc, delays_outlast_what_is_stated, 0, 3);
    tcase_add_test(tc, straight_lines);
    tcase_add_test(tc, empty_loops);
    tcase_set_timeout(tc, 600);
    suite_add_tcase(suite, tc);
    return suite;
}
