/* Claims: what verdicts they get, and what they are worth. */
#include "model/check/claims.h"

#include <glib/gstdio.h>
#include <string.h>

#include "tests/unit/suites.h"

/* Counted with a lag of at most 1 over ten steps each: a total is right to the launch, x + y + z =
 * 32 and y + z = 22, so x = 10; y and x + y, which end before a counter was read, within 1: y is
 * 1..3, and z = 22 - y is 19..21. */
static const char spec_text[] =
    "atlas: 1\n"
    "name: small\n"
    "params: {n: {default: 1, min: 1, max: 4}}\n"
    "arms: {a: {}, b: {default: off}}\n"
    "counter: {lag: 1}\n"
    "unknowns: {x: {}, y: {}, z: {}, w: {}}\n"
    "stages:\n"
    "- stage: fwd\n"
    "  do: [{launch: one, when: a, count: x}, {launch: two, count: y}]\n"
    "- stage: bwd\n"
    "  do: [{launch: three, every: n, count: z}, {launch: four, when: b, count: w}]\n"
    "runs: runs.tsv\n";
/* 20.0 over 300 steps with one decimal: any sum from 5985 to 6015. */
static const char runs_text[] = "run\tconfiguration\tsteps\tfwd\tbwd\tfwd_ms\tbwd_ms\trecipe\n"
                                "base\t-\t0-9\t12.0\t20.0\t1.5\t2.25\t-\n"
                                "none\ta=off\t0-9\t2.0\t20.0\t1\t-\t-\n"
                                "coarse\t-\t0-299\t-\t20.0\t-\t-\tother=1\n";

static AtlasStudy *study;
static AtlasDiags *diags;
static AtlasSource *claims_source; /* outlives what is said of it */

static char *write_file(const char *name, const char *text, char *folder) {
    char *path = g_build_filename(folder, name, NULL);
    ck_assert(g_file_set_contents(path, text, -1, NULL));
    return path;
}

static void setup(void) {
    g_autofree char *folder = g_dir_make_tmp("atlas-claims-XXXXXX", NULL);
    ck_assert_ptr_nonnull(folder);
    g_autofree char *spec = write_file("small.yaml", spec_text, folder);
    g_autofree char *runs = write_file("runs.tsv", runs_text, folder);
    diags = atlas_diags_new();
    study = atlas_study_load(spec, NULL, ATLAS_RAT_NONE, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    ck_assert_msg(study && !*errors, "%s", errors);
    g_unlink(spec);
    g_unlink(runs);
    g_rmdir(folder);
}

static void teardown(void) {
    g_clear_pointer(&claims_source, atlas_source_free);
    atlas_study_free(study);
    atlas_diags_free(diags);
}

/* A claims file with one check (and two lets); the result of evaluating it. */
static AtlasResult *judged(const char *check, AtlasDiags *problems) {
    g_autofree char *text = g_strdup_printf("claims: 1\nof: test\n"
                                            "let: {gain: run(base).fwd - run(none).fwd, less: 3}\n"
                                            "list:\n- {says: it, at: here, check: \"%s\"}\n",
                                            check);
    g_clear_pointer(&claims_source, atlas_source_free);
    claims_source = atlas_source_new("c.yaml", text, strlen(text), NULL);
    g_autoptr(AtlasClaims) claims = atlas_claims_read(claims_source, problems);
    AtlasResult *result = atlas_result_new();
    ck_assert_ptr_nonnull(claims);
    atlas_claims_evaluate(claims, study, result, problems);
    ck_assert_uint_eq(result->checks->len, 1);
    return result;
}

static const struct {
    const char *check;
    AtlasVerdict verdict;
    const char *measured, *why;
} cases[] = {
    /* runs: exact arithmetic */
    {"run(base).fwd == 12", ATLAS_PASS, "12", NULL},
    {"run(base).total == 32 and gain == 10", ATLAS_PASS, "32", NULL},
    {"run(base).fwd < 12", ATLAS_FAIL, "12", NULL},
    {"run(base).fwd <= 12", ATLAS_PASS, "12", NULL},
    {"run(base).fwd > 12", ATLAS_FAIL, "12", NULL},
    {"run(base).fwd >= 12 and run(base).bwd == 21", ATLAS_FAIL, "20", NULL},
    {"gain / run(base).total == 31.2 % +- 0.05", ATLAS_PASS, "31.25%", NULL},
    {"gain / run(base).total == 31.2% \xc2\xb1 0.04%", ATLAS_FAIL, "31.25%", NULL},
    {"-gain * 0.024 + 1 == 0.76", ATLAS_PASS, "0.76", NULL},
    {"2 * (1 + 2) / 4 - 1 == 0.5", ATLAS_PASS, "0.5", NULL},
    {"gain != 10", ATLAS_FAIL, "10", NULL},
    {"gain != 9 +- 0.5", ATLAS_PASS, "10", NULL},
    {"12 / run(none).fwd == 6", ATLAS_PASS, "6", NULL},
    {"run(base).ms.bwd == 2.25", ATLAS_PASS, "2.25", NULL},
    {"run(base).ms.total * 1000 / run(base).total <= 117", ATLAS_FAIL, "117.188", NULL},
    /* a mean too coarse to be exact: 19.95..20.05 */
    {"run(coarse).bwd == 20 +- 0.05", ATLAS_PASS, "19.95..20.05", NULL},
    {"run(coarse).bwd == 20 +- 0.01", ATLAS_INCONCLUSIVE, "19.95..20.05", NULL},
    {"run(coarse).bwd - run(coarse).bwd == 0", ATLAS_PASS, "0", NULL},
    {"run(coarse).bwd * -2 <= -40.2", ATLAS_FAIL, "-40.1..-39.9", NULL},
    {"run(coarse).bwd / 2 > 10", ATLAS_INCONCLUSIVE, "9.975..10.025", NULL},
    /* predictions */
    {"fwd.one == 10", ATLAS_PASS, "10", "up to lag 4.99; inconclusive beyond"},
    {"fwd == 12 +- 1", ATLAS_PASS, "11..13", "up to lag 1.99; inconclusive beyond"},
    {"fwd == 12", ATLAS_INCONCLUSIVE, "11..13", "pass up to lag 0.99"},
    {"fwd == 13", ATLAS_INCONCLUSIVE, "11..13", "fail up to lag 0.99"},
    {"fwd == 12.5", ATLAS_FAIL, "11..13", "at any lag up to 1000"},
    {"fwd == 12.5 +- 0.4", ATLAS_FAIL, "11..13", "at any lag up to 1000"},
    {"bwd <= 18", ATLAS_FAIL, "19..21", "up to lag 1.99; inconclusive beyond"},
    {"bwd < 21", ATLAS_INCONCLUSIVE, "19..21", "pass up to lag 0.99"},
    {"bwd + fwd.two == 22", ATLAS_PASS, "22", "up to lag 9.99; inconclusive beyond"},
    {"total == 32", ATLAS_PASS, "32", "up to lag 9.99; inconclusive beyond"},
    {"total - fwd - bwd == 0", ATLAS_PASS, "0", NULL},
    {"pop(fwd.*) == fwd", ATLAS_PASS, "11..13", "at any lag up to 1000"},
    {"pop(*.one, fwd.o*) - fwd.one == 0", ATLAS_PASS, "0", NULL},
    {"a == 10", ATLAS_PASS, "10", "up to lag 4.99; inconclusive beyond"},
    {"share(a) == 31.25%", ATLAS_PASS, "31.25%", "up to lag 4.99; inconclusive beyond"},
    {"b >= 0", ATLAS_PASS, "0..?", "at any lag up to 1000"},
    {"b < 5", ATLAS_INCONCLUSIVE, "0..?", "at every lag that explains the runs"},
    {"fwd.two / bwd <= 0.158", ATLAS_PASS, "0.048..0.158", "up to lag 1; inconclusive beyond"},
    {"fwd.two / bwd > 0.16", ATLAS_FAIL, "0.048..0.158", "up to lag 1.06; inconclusive beyond"},
    {"fwd.two / bwd == 10% +- 1", ATLAS_INCONCLUSIVE, "4.76..15.79%", "pass up to lag 0.99"},
    /* under settings */
    {"at(a=off).fwd.one == 0", ATLAS_PASS, "0", NULL},
    {"at(a=off).total == 22", ATLAS_PASS, "22", "up to lag 9.99; inconclusive beyond"},
    {"bwd - at(n=4).bwd * 4 == 0", ATLAS_PASS, "0", NULL},
    {"at(n=4).bwd >= 5", ATLAS_INCONCLUSIVE, "4.75..5.25", "pass up to lag 0.99"},
    {"at(n=2, a=off).pop(*) == at(n=2, a=off).total", ATLAS_PASS, NULL, "at any lag up to 1000"},
    /* lists */
    {"rank(bwd in fwd, bwd) == 1", ATLAS_PASS, "1", "up to lag 4.49; inconclusive beyond"},
    {"rank(fwd.two in *.*) == 3", ATLAS_PASS, "3", "up to lag 6.66; inconclusive beyond"},
    {"rank(less in gain, less) != 2", ATLAS_FAIL, "2", NULL},
    {"count(fwd, bwd) == 2 and count(fwd.*) == 2 and count(gain) == 1", ATLAS_PASS, "2", NULL},
    {"sum(gain, l*) == 13", ATLAS_PASS, "13", NULL},
};

START_TEST(test_verdicts) {
    g_autoptr(AtlasDiags) problems = atlas_diags_new();
    g_autoptr(AtlasResult) result = judged(cases[_i].check, problems);
    const AtlasCheck *check = atlas_result_get(result, 0);
    g_autofree char *errors = atlas_diags_render(problems, FALSE);
    ck_assert_msg(!*errors, "%s", errors);
    ck_assert_msg(check->verdict == cases[_i].verdict, "%s: %s %s (%s)", cases[_i].check,
                  atlas_verdict_name(check->verdict), check->measured, check->why);
    if (cases[_i].measured)
        ck_assert_msg(g_str_equal(check->measured, cases[_i].measured), "%s: %s", cases[_i].check,
                      check->measured);
    ck_assert_msg(g_strcmp0(check->why, cases[_i].why) == 0, "%s: %s", cases[_i].check, check->why);
}
END_TEST

/* Checks that make no sense, and the first words of what is said of each. */
static const char *const faults[][2] = {
    {"fwd", "expected a comparison, found the end"},
    {"fwd ==", "expected a value, found the end"},
    {"fwd == 1 bwd", "expected 'and' or the end, found 'bwd'"},
    {"fwd = 1", "'=' means nothing in claims"},
    {"fwd == 1 & bwd == 2", "'&' means nothing in claims"},
    {"1 < fwd < 2", "comparisons do not chain"},
    {"fwd * bwd == 1", "not linear in what is unknown"},
    {"fwd / bwd / fwd == 1", "not linear in what is unknown"},
    {"fwd / 0 == 1", "this divides by zero"},
    {"fwd == 1 / (1 - 1)", "this divides by zero"},
    {"fwd * 9223372036854775807 * 4 == 1", "this does not fit 64 bits"},
    {"fwd == 1.2.3", "'1.2.3' is not a number"},
    {"fwd # 2 == 3", "expected a number, a name or an operator, found '#'"},
    {"twd == 1", "no stage, population or arm is named 'twd'"},
    {"fwd.tw == 1", "no stage, population or arm is named 'fwd.tw'"},
    {"run(bas).fwd == 1", "no run is named 'bas'"},
    {"run(base) == 1", "expected '.' and a name, found '=='"},
    {"run(base.fwd == 1", "expected ')', found the end"},
    {"run(base).opt == 1", "run 'base' does not tell 'opt'"},
    {"run(coarse).total == 1", "run 'coarse' does not tell 'total'"},
    {"run(none).ms.bwd == 1", "run 'none' does not tell 'ms.bwd'"},
    {"run(none).ms.total == 1", "run 'none' does not tell 'ms.total'"},
    {"at(n=9).fwd == 1", "expected a whole number from 1 to 4 for 'n', not '9'"},
    {"at(n=2).a == 1", "no stage or population is named 'a'"},
    {"pop(x.*) == 1", "no population matches 'x.*'"},
    {"pop() == 0", "the list is empty"},
    {"count() == 0", "the list is empty"},
    {"rank(fwd in ) == 1", "the list is empty"},
    {"shar(fwd) == 1", "no function is named 'shar'"},
    {"rank(fwd in bwd) == 1 + rank(bwd in fwd)", "a rank stands left, and a number right of it"},
    {"rank(fwd in bwd) + rank(bwd in fwd) == 3", "one rank in a comparison"},
    {"fwd / bwd == bwd / fwd", "the two sides divide by different sums"},
    {"rank(fwd in bwd) == fwd", "a rank stands left, and a number right of it"},
    {"1 == rank(fwd in bwd)", "a rank stands left, and a number right of it"},
    {"rank(fwd) == 1", "expected 'in' and a list, found ')'"},
    {"fwd == 1 +- bwd", "a tolerance is a number >= 0"},
    {"fwd == 1 +- -1", "a tolerance is a number >= 0"},
    {"fwd <= 1 +- 1", "a tolerance goes with '==' and '!=' only"},
};

START_TEST(test_faults) {
    g_autoptr(AtlasDiags) problems = atlas_diags_new();
    atlas_result_free(judged(faults[_i][0], problems));
    g_autofree char *errors = atlas_diags_render(problems, FALSE);
    const char *message = strstr(errors, "error: ");
    ck_assert_uint_eq(atlas_diags_errors(problems), 1);
    ck_assert_msg(message && g_str_has_prefix(message + 7, faults[_i][1]), "%s: %s", faults[_i][0],
                  errors);
}
END_TEST

START_TEST(test_nesting) {
    GString *text = g_string_new(NULL);
    g_autoptr(AtlasDiags) problems = atlas_diags_new();
    for (guint i = 0; i < 5000; i++)
        g_string_append_c(text, '(');
    atlas_result_free(judged(text->str, problems));
    g_autofree char *errors = atlas_diags_render(problems, FALSE);
    ck_assert_ptr_nonnull(strstr(errors, "claim nests deeper than 64 levels"));
    g_string_free(text, TRUE);
}
END_TEST

/* Files whose form is wrong, and what is said of them. */
static const char *const forms[][2] = {
    {"", "the file is empty; expected a claims file"},
    {"claims: 2\nof: x\nlist: [{says: a, at: b, external: c}]\n", "unknown version '2'"},
    {"claims: 1\nlist: [{says: a, at: b, external: c}]\n", "a claims file needs the key 'of'"},
    {"claims: 1\nof: x\nlist: []\n", "expected a claim, not an empty list"},
    {"claims: 1\nof: x\nlist: [{says: a, at: b}]\n", "a claim has either 'check' or 'external'"},
    {"claims: 1\nof: x\nlist: [{says: a, at: b, check: c, external: d}]\n",
     "a claim has either 'check' or 'external'"},
    {"claims: 1\nof: x\nlist: [{says: a, external: d}]\n", "a claim needs the key 'at'"},
    {"claims: 1\nof: x\nlist: [{says: a, at: b, chek: d}]\n", "a claim has no key 'chek'"},
};

START_TEST(test_forms) {
    const char *text = forms[_i][0];
    g_autoptr(AtlasDiags) problems = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("c.yaml", text, strlen(text), NULL);
    atlas_claims_free(atlas_claims_read(source, problems));
    g_autofree char *errors = atlas_diags_render(problems, FALSE);
    ck_assert_msg(strstr(errors, forms[_i][1]) != NULL, "%s", errors);
}
END_TEST

START_TEST(test_result) {
    g_autoptr(AtlasResult) result = atlas_result_new();
    /* Where nothing was judged, nothing passes. */
    ck_assert_int_eq(atlas_result_verdict(result), ATLAS_INCONCLUSIVE);
    atlas_result_add(result, "claim")->verdict = ATLAS_EXTERNAL;
    ck_assert_int_eq(atlas_result_verdict(result), ATLAS_INCONCLUSIVE);
    atlas_result_add(result, "claim")->verdict = ATLAS_PASS;
    ck_assert_int_eq(atlas_result_verdict(result), ATLAS_PASS);
    atlas_result_add(result, "claim")->verdict = ATLAS_INCONCLUSIVE;
    ck_assert_int_eq(atlas_result_verdict(result), ATLAS_INCONCLUSIVE);
    atlas_result_add(result, "claim")->verdict = ATLAS_FAIL;
    ck_assert_int_eq(atlas_result_verdict(result), ATLAS_FAIL);
    g_autofree char *text = atlas_result_render(result, "claims", FALSE, FALSE, 80);
    ck_assert_ptr_nonnull(strstr(text, "4 claims: 1 pass, 1 fail, 1 inconclusive, 1 external\n"));
}
END_TEST

/* Words stay whole, a number with a gap in it too, and no line is wider than there are columns, or
 * than 80 where there are fewer; more of them are used. */
START_TEST(test_lines) {
    g_autoptr(AtlasResult) result = atlas_result_new();
    AtlasCheck *check = atlas_result_add(result, "claim");
    check->verdict = ATLAS_INCONCLUSIVE;
    check->subject = g_strdup("a statement of so many words, twelve: 21 427 launches, and "
                              "thisverylongwordwithoutanyblankinit_which_must_be_cut");
    check->place = g_strdup("a place with a long name");
    check->measured = g_strdup("1234567.123..1234567.125");
    check->lo = check->hi = ATLAS_RAT_NONE;
    static const guint columns[] = {1, 80, 120};
    guint height = G_MAXUINT;
    for (guint k = 0; k < G_N_ELEMENTS(columns); k++) {
        g_autofree char *text = atlas_result_render(result, "claims", FALSE, FALSE, columns[k]);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        for (guint i = 0; lines[i]; i++)
            ck_assert_int_le(g_utf8_strlen(lines[i], -1), MAX(columns[k], 80));
        ck_assert_ptr_nonnull(strstr(text, "21 427"));
        ck_assert_uint_le(g_strv_length(lines), height - (columns[k] > 80));
        height = g_strv_length(lines);
    }
}
END_TEST

Suite *claims_suite(void) {
    Suite *suite = suite_create("claims");
    TCase *tests = tcase_create("claims");
    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_loop_test(tests, test_verdicts, 0, (int)G_N_ELEMENTS(cases));
    tcase_add_loop_test(tests, test_faults, 0, (int)G_N_ELEMENTS(faults));
    tcase_add_loop_test(tests, test_forms, 0, (int)G_N_ELEMENTS(forms));
    tcase_add_test(tests, test_nesting);
    tcase_add_test(tests, test_result);
    tcase_add_test(tests, test_lines);
    suite_add_tcase(suite, tests);
    return suite;
}
