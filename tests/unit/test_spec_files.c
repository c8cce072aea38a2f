/* Tests of whole files: no text, however malformed or large, does worse than an error that is soon
 * said; and large ones that are right are read. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/models.h"
#include "tests/unit/suites.h"

/* Reads a file while standard error goes into another one; returns the report. What libfyaml may
 * have printed comes first. */
static char *report_of(const char *text, gsize length, guint *errors) {
    g_autofree char *folder = g_dir_make_tmp("atlas-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "s", NULL);
    g_autofree char *printed = g_build_filename(folder, "stderr", NULL);
    g_autofree char *said = NULL;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(GError) error = NULL;
    ck_assert(g_file_set_contents(path, text, (gssize)length, NULL));
    fflush(stderr);
    int before = dup(2);
    ck_assert_ptr_nonnull(freopen(printed, "w", stderr));
    g_autoptr(AtlasSource) source = atlas_source_load(path, &error);
    g_autoptr(AtlasModel) model = source ? atlas_model_read(source, diags) : NULL;
    fflush(stderr);
    dup2(before, 2);
    close(before);
    ck_assert(g_file_get_contents(printed, &said, NULL, NULL));
    remove(path);
    remove(printed);
    rmdir(folder);
    *errors = source ? atlas_diags_errors(diags) : 1;
    ck_assert_int_eq(model == NULL, *errors > 0);
    g_autofree char *report =
        source ? atlas_diags_render(diags, FALSE) : g_strdup_printf("%s\n", error->message);
    const char *shown = g_str_has_prefix(report, folder) ? report + strlen(folder) + 1 : report;
    return g_strconcat(said, shown, NULL);
}

#define M *1000000
#define HEAD "atlas: 1\nname: m\n"
#define DO "stages:\n- stage: fwd\n  do:\n"
#define EMPTY "1:1: error: the file is empty; expected a spec"
#define TOO_LARGE "1:1: error: a spec of "
#define TOO_LONG "error: a line of more than 1048576 bytes"
#define OPEN "10001: error: more than 10000 brackets are open here"
#define DEEP "error: mappings and lists stand too deep inside each other here"

/* A text is `head`, `times` times `body`, and `tail`. In bodies '$' becomes the number of the
 * repetition, from 0; where '@' stands too, '@' does, and '$' is the next one. The report starts
 * with `report`, or, where that begins with "error:", has it at any place. */
static const struct {
    const char *head, *body, *tail;
    guint times;
    const char *report;
    guint errors;
} texts[] = {
    /* nearly nothing */
    {"", "", "", 0, EMPTY, 1},
    {"\xef\xbb\xbf", "", "", 0, EMPTY, 1},
    {"# a\n# b\n", "", "", 0, EMPTY, 1},
    {" \n\n   \n", "", "", 0, EMPTY, 1},
    {"---\n", "", "", 0, EMPTY, 1},
    {"...\n", "", "", 0, EMPTY, 1},
    {"", "\n", "", 500000, EMPTY, 1},
    {"", "# x\n", "", 200000, EMPTY, 1},
    {"foo", "", "", 0, "1:1: error: expected a mapping, not text", 1},
    {"- a\n- b\n", "", "", 0, "1:3: error: expected a mapping, not a list", 1},
    {"!t", "", "", 0, "1:1: error: a value cannot have a tag", 4},
    {"a\001b", "", "", 0, "1:1: error: expected a mapping, not text", 1},
    {"\xff\xfe", "", "", 0, "1:1: error: byte 0xff is not text; expected UTF-8", 1},
    {"a: \xc3\x28", "", "", 0, "1:4: error: byte 0xc3 is not text; expected UTF-8", 1},
    /* good ones */
    {"\xef\xbb\xbf" HEAD DO "  - {launch: a}\n", "", "", 0, "", 0},
    {"atlas: 1\r\nname: m\r\nstages:\r\n- stage: fwd\r\n  do:\r\n  - {launch: a}\r\n", "", "", 0,
     "", 0},
    {"---\n" HEAD DO "  - {launch: a}\n...\n", "", "", 0, "", 0},
    {HEAD DO, "  - {launch: a$, count: 2, stream: main}\n", "", 20000, "", 0},
    {HEAD DO "  - {group: g, do: [{launch: a}]}\n", "  - {group: g$, like: g}\n", "", 20000, "", 0},
    {HEAD "about: >-\n", "  aaaaaaaaaa aaaaaaaaaaaa aaaaaaaa\n", DO "  - {launch: a}\n", 100, "",
     0},
    /* directives: libfyaml 0.7.12 loops on some */
    {"%\xc2\xae", "", "", 0, "1:1: error: a line cannot start with '%'", 1},
    {"\xef\xbb\xbf%\xc2\xae", "", "", 0, "1:2: error: a line cannot start with '%'", 1},
    {"#\r%\xc2\xae", "", "", 0, "1:2: error: a carriage return without a line feed", 1},
    {"#\xe2\x80\xa8%\xc2\xae", "", "", 0, EMPTY, 1},
    {"a: |\n x\n%YAML 1.2\n", "", "", 0, "3:1: error: a line cannot start with '%'", 1},
    {"", "%\n", "", 300000, "1:1: error: a line cannot start with '%'", 1000},
    /* large */
    {"", "a", "", 10 M, TOO_LARGE, 1},
    {"", "[", "", 10 M, TOO_LARGE, 1},
    {"", "{", "", 10 M, TOO_LARGE, 1},
    {HEAD "about: ", "aaaaaaaaaa", "\n" DO "  - {launch: a}\n", 1 M, TOO_LARGE, 1},
    {HEAD "about: ", "aaaaaaaaaa", "\n" DO "  - {launch: a}\n", 200000, "3:1: " TOO_LONG, 1},
    {HEAD "about: ", "aaaaaaaaaa", "\n" DO "  - {launch: a}\n", 100000,
     "3:8: error: expected text of at most 16384 bytes, not of 1000000", 1},
    {HEAD DO "  - {launch: a, count: \"1", "+1", "\"}\n", 100000,
     "6:25: error: expected an expression of at most 16384 bytes, not of 200001", 1},
    {HEAD "counter: {lag: 1", "0", "}\n" DO "  - {launch: a}\n", 1000,
     "3:16: error: expected a decimal number >= 0 of at most 64 bytes, not of 1001", 1},
    {"", "a", ": 1\n", 2000, "1:1: error: expected a key of at most 64 bytes, not of 2000", 4},
    {"", "[", "", 1000000, "1:" OPEN, 1},
    {"", "{", "", 1000000, "1:" OPEN, 1},
    {"", "[\n", "", 300000, "10001:1: error: more than 10000 brackets are open here", 1},
    {"", "{a: [\n", "", 100000, "5001:1: error: more than 10000 brackets are open here", 1},
    {"", "[", "", 5000, "1:64: " DEEP, 1},
    {"", "- ", "", 400000, "1:127: " DEEP, 1},
    {"", "? ", "", 400000, "1:127: " DEEP, 1},
    {"[", "a,\n", "]", 300000, "1:2: error: expected a mapping, not a list", 1},
    {"", "- a\n", "", 300000, "1:3: error: expected a mapping, not a list", 1},
    {"", "-\n", "", 300000, "1:1: error: expected a mapping, not a list", 1},
    {"", "a$: 1\n", "", 50000, "1:1: error: a spec has no key 'a0'", 1000},
    {"\"", "a\n", "", 300000, "1:2: error: no valid YAML: double-quoted scalar", 1},
    {"", "---\n", "", 200000, "200000:4: error: this belongs to a second YAML document", 1},
    {"", "&a ", "", 300000, "1:", 1},
    {"", "*a ", "", 300000, "1:5: error: no valid YAML", 1},
    {"", "!", "", 1000000, "1:1: error: a value cannot have a tag", 4},
    /* many problems: reading ends */
    {HEAD DO, "  - {lunch: a$}\n", "", 20000, "6:6: error: an item needs a key that tells its kind",
     1000},
    {HEAD DO, "  - {launch: a$, when: foo}\n", "", 20000, "6:24: error: no value is named 'foo'",
     1000},
    {HEAD DO, "  - {launch: a$, reads: [h]}\n", "", 20000, "6:26: error: no buffer named 'h'",
     1000},
    {HEAD DO, "  - {launch: a}\n", "", 20000,
     "7:14: error: population 'fwd.a' stands here a second time", 1000},
    {HEAD "arms:\n", "  a$:\n", DO "  - {launch: a}\n", 5000, "1004:3: error: more than 1000 arms",
     1},
    /* work that would grow with the square of the size */
    {HEAD DO, "  - {group: g$, like: z}\n", "  - {group: z, do: [{launch: a}]}\n", 30000, "", 0},
    {HEAD DO, "  - {record: e$}\n  - {wait: e$}\n", "", 30000, "", 0},
    {HEAD "unknowns:\n", "  u$: {}\n",
     DO "  - {group: g, do: [{launch: a, count: u1}]}\n"
        "  - {group: h, like: g, counts: {u1: u2}}\n",
     30000, "", 0},
    {HEAD DO, "  - {launch: a$}\n", "unknowns: {u: {}}\n", 30000, "", 0},
    {HEAD DO "  - {group: g0, do: [{launch: a}]}\n", "  - {group: g$, like: g@}\n", "", 2000,
     "71:24: error: 'like' leads from group to group more than 64 times", 1},
    {HEAD DO "  - {group: g0, do: [{launch: a}]}\n",
     "  - {group: g$, do: [{group: x, like: g@}, {group: y, like: g@}]}\n", "", 40,
     "error: the model has more than 200000 items", 1},
    {HEAD DO "  - {group: g0, do: [{launch: a}]}\n",
     "  - {group: g$, do: [{group: x, like: g@}]}\n", "", 100,
     "error: groups and loops stand more than 60 deep inside each other", 1},
};

static char *text_of(guint row) {
    GString *text = g_string_new(texts[row].head);
    for (guint i = 0; i < texts[row].times; i++) {
        if (!strpbrk(texts[row].body, "$@")) {
            g_string_append(text, texts[row].body);
            continue;
        }
        gboolean counted = strchr(texts[row].body, '@') != NULL; /* these count from 1 */
        for (const char *p = texts[row].body; *p; p++)
            if (*p == '$' || *p == '@')
                g_string_append_printf(text, "%u", i + (counted && *p == '$'));
            else
                g_string_append_c(text, *p);
    }
    g_string_append(text, texts[row].tail);
    return g_string_free(text, FALSE);
}

/* As many unknowns as launches: a table that no one could solve. */
START_TEST(test_forms) {
    g_autoptr(GString) text = g_string_new(HEAD "unknowns:\n");
    guint errors;
    for (guint i = 0; i < 5000; i++)
        g_string_append_printf(text, "  u%u: {}\n", i);
    g_string_append(text, DO);
    for (guint i = 0; i < 5000; i++)
        g_string_append_printf(text, "  - {launch: a%u, count: u%u}\n", i, i);
    g_autofree char *report = report_of(text->str, text->len, &errors);
    ck_assert_uint_eq(errors, 1);
    ck_assert(g_str_has_prefix(report, "s:4:3: error: the model has 5000 unknowns and 5000 "
                                       "populations; their product is at most 16777216\n"));
}
END_TEST

START_TEST(test_text) {
    guint errors;
    g_autofree char *text = text_of((guint)_i);
    g_autofree char *report = report_of(text, strlen(text), &errors);
    const char *start = g_str_has_prefix(report, "s:") ? report + 2 : report;
    if (g_str_has_prefix(texts[_i].report, "error:"))
        start = strstr(start, "error:") ? strstr(start, "error:") : start;
    ck_assert_msg(errors == texts[_i].errors && g_str_has_prefix(start, texts[_i].report) &&
                      strlen(report) < 60000 && (errors > 0 || !*report),
                  "expected %u errors, '%s', got %u: %.2000s", texts[_i].errors, texts[_i].report,
                  errors, report);
}
END_TEST

/* Bytes of every kind, of no meaning: no crash, and an error. */
START_TEST(test_binary) {
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    for (guint i = 0; i < 200; i++) {
        char bytes[300];
        guint errors;
        for (gsize j = 0; j < sizeof bytes; j++)
            bytes[j] = (char)g_rand_int_range(rand, 0, i % 2 ? 256 : 128);
        g_autofree char *report = report_of(bytes, sizeof bytes, &errors);
        ck_assert_uint_gt(errors, 0);
        ck_assert_msg(strstr(report, "error: ") != NULL, "%s", report);
    }
}
END_TEST

/* Every prefix of a shipped spec is read, or refused, without harm. */
START_TEST(test_prefixes) {
    g_autoptr(AtlasSource) source = atlas_source_load("specs/minimouse.yaml", NULL);
    const char *text = atlas_source_text(source);
    for (gsize length = 0; length < atlas_source_length(source); length += 31) {
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasSource) part = atlas_source_new("s", text, length, NULL);
        g_autoptr(AtlasModel) model = part ? atlas_model_read(part, diags) : NULL;
        ck_assert(!part || (model == NULL) == (atlas_diags_errors(diags) > 0));
    }
}
END_TEST

Suite *spec_files_suite(void) {
    Suite *suite = suite_create("spec-files");
    TCase *whole = tcase_create("texts"), *random = tcase_create("random");
    tcase_add_loop_test(whole, test_text, 0, G_N_ELEMENTS(texts));
    tcase_add_test(whole, test_forms);
    tcase_add_test(random, test_binary);
    tcase_add_test(random, test_prefixes);
    suite_add_tcase(suite, whole);
    suite_add_tcase(suite, random);
    return suite;
}
