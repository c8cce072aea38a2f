/* What everything stands on: sources, diagnostics and names. */
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

#include "model/base/diag.h"
#include "model/base/names.h"
#include "model/base/visible.h"
#include "tests/unit/suites.h"

#define NOWHERE ((AtlasSpan){NULL, 0, 0})

static AtlasSource *source_of(const char *text) {
    AtlasSource *source = atlas_source_new("a.yaml", text, strlen(text), NULL);
    ck_assert_ptr_nonnull(source);
    return source;
}

/* --- sources --- */

START_TEST(test_positions) {
    static const struct {
        const char *text;
        gsize offset;
        guint line, column;
    } cases[] = {
        {"", 0, 1, 1},
        {"", 9, 1, 1},
        {"ab\ncd", 0, 1, 1},
        {"ab\ncd", 1, 1, 2},
        {"ab\ncd", 2, 1, 3}, /* the line end */
        {"ab\ncd", 3, 2, 1},
        {"ab\ncd", 5, 2, 3},
        {"ab\ncd", 99, 2, 3},
        {"ab\n", 3, 1, 3},     /* the end: no line begins behind the last line end */
        {"ab\r\ncd", 2, 1, 3}, /* a line end of two bytes is one place */
        {"ab\r\ncd", 3, 1, 3},
        {"ab\r\ncd", 4, 2, 1},
        {"ab\r\n", 4, 1, 3},
        {"\n\n\nx", 3, 4, 1},
        {"\n\n\nx", 1, 2, 1},
        {"größe: 1", 4, 1, 4}, /* characters, not bytes: ö and ß have two */
        {"größe: 1", 6, 1, 5},
        {"größe: 1", 9, 1, 8},
        {"日本\n語x", 3, 1, 2},
        {"日本\n語x", 10, 2, 2},
        {"a\tb", 2, 1, 3}, /* a tab is one column */
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AtlasSource) source = source_of(cases[i].text);
        guint line = 0, column = 0;
        atlas_source_position(source, cases[i].offset, &line, &column);
        ck_assert_msg(line == cases[i].line && column == cases[i].column, "case %u: %u:%u", i, line,
                      column);
    }
}
END_TEST

START_TEST(test_lines) {
    static const struct {
        const char *text;
        const char *lines[4];
    } cases[] = {
        {"", {""}},
        {"one", {"one"}},
        {"one\n", {"one"}},
        {"one\r\n", {"one"}},
        {"one\ntwo\n", {"one", "two"}},
        {"one\r\ntwo\r\n\nfour", {"one", "two", "", "four"}},
        {"\n", {""}},
        {"\n\n", {"", ""}},
        {"\r", {""}},
        {"a\rb\r\r\n", {"a\rb\r"}},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AtlasSource) source = source_of(cases[i].text);
        guint count = 0;
        for (; count < 4 && cases[i].lines[count]; count++) {
            gsize start, end;
            ck_assert_uint_lt(count, atlas_source_lines(source));
            atlas_source_line(source, count + 1, &start, &end);
            g_autofree char *line = g_strndup(atlas_source_text(source) + start, end - start);
            ck_assert_str_eq(line, cases[i].lines[count]);
        }
        ck_assert_uint_eq(atlas_source_lines(source), count);
    }
}
END_TEST

START_TEST(test_encoding) {
    static const struct {
        const char *text;
        gsize length;
        const char *error; /* NULL: text is right */
    } cases[] = {
        {"h\xc3\xb6h", 4, NULL},
        {"a\xff", 2, "a.yaml:1:2: error: byte 0xff is not text; expected UTF-8"},
        {"\xc3\xb6\nb\xc3", 5, "a.yaml:2:2: error: byte 0xc3 is not text; expected UTF-8"},
        {"ab\0c", 4, "a.yaml:1:3: error: byte 0x00 is not text; expected UTF-8"},
        {"\xc0\x80", 2, "a.yaml:1:1: error: byte 0xc0 is not text; expected UTF-8"},
        {"\xed\xa0\x80", 3, "a.yaml:1:1: error: byte 0xed is not text; expected UTF-8"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(AtlasSource) source =
            atlas_source_new("a.yaml", cases[i].text, cases[i].length, &error);
        ck_assert((source != NULL) == (cases[i].error == NULL));
        ck_assert((error == NULL) == (cases[i].error == NULL));
        if (error) {
            ck_assert_str_eq(error->message, cases[i].error);
            ck_assert(g_error_matches(error, ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_ENCODING));
        } else {
            ck_assert_str_eq(atlas_source_path(source), "a.yaml");
            ck_assert_str_eq(atlas_source_text(source), cases[i].text);
            ck_assert_uint_eq(atlas_source_length(source), cases[i].length);
        }
    }
}
END_TEST

START_TEST(test_load) {
    g_autoptr(GError) error = NULL;
    g_autofree char *path = NULL;
    int file = g_file_open_tmp("atlas-XXXXXX", &path, NULL);
    ck_assert_int_ge(file, 0);
    close(file);
    g_autofree char *text = g_strnfill(100000, 'x');
    text[70000] = '\n';
    ck_assert(g_file_set_contents(path, text, 100000, NULL));
    AtlasSource *source = atlas_source_load(path, &error);
    g_remove(path);
    ck_assert_ptr_nonnull(source);
    ck_assert_str_eq(atlas_source_path(source), path);
    ck_assert_str_eq(atlas_source_text(source), text);
    ck_assert_uint_eq(atlas_source_lines(source), 2);
    atlas_source_free(source);

    ck_assert_ptr_null(atlas_source_load("no/such/file", &error));
    ck_assert_str_eq(error->message,
                     "error: cannot read 'no/such/file': No such file or directory");
    ck_assert(g_error_matches(error, ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_READ));
    g_clear_error(&error);
    ck_assert_ptr_null(atlas_source_load("/", &error));
    ck_assert_str_eq(error->message, "error: cannot read '/': Is a directory");
    atlas_source_free(NULL);
}
END_TEST

/* --- diagnostics --- */

#define A20 "aaaaaaaaaaaaaaaaaaaa"
#define S20 "                    "
#define T20 "~~~~~~~~~~~~~~~~~~~~"

/* One error over bytes [start, end) of a text, and how it is shown. */
static const struct {
    const char *text;
    gsize start, end;
    const char *shown;
} snippets[] = {
    {"stream: compue\n", 8, 14,
     "1:9: error: oops\n    1 | stream: compue\n      |         ^~~~~~\n"},
    {"a\nbc d\n", 5, 6, "2:4: error: oops\n    2 | bc d\n      |    ^\n"},
    /* a place between characters, at the end of a line, at the end, and in nothing */
    {"abc\n", 1, 1, "1:2: error: oops\n    1 | abc\n      |  ^\n"},
    {"abc\ndef\n", 3, 3, "1:4: error: oops\n    1 | abc\n      |    ^\n"},
    {"abc\n", 4, 4, "1:4: error: oops\n    1 | abc\n      |    ^\n"},
    {"", 0, 0, "1:1: error: oops\n    1 | \n      | ^\n"},
    /* the line end is no part of the line */
    {"abc\r\ndef\r\n", 1, 3, "1:2: error: oops\n    1 | abc\n      |  ^~\n"},
    {"abc\r\ndef\r\n", 5, 8, "2:1: error: oops\n    2 | def\n      | ^~~\n"},
    {"abc\r\ndef\r\n", 3, 5, "1:4: error: oops\n    1 | abc\n      |    ^\n"},
    /* of several lines the first is shown */
    {"ab cd\nef\n", 3, 8, "1:4: error: oops\n    1 | ab cd\n      |    ^~\n"},
    /* columns are characters */
    {"größe: weiß nicht\n", 9, 14,
     "1:8: error: oops\n    1 | größe: weiß nicht\n      |        ^~~~\n"},
    /* but marks stand under what a terminal shows: wide ones, and an accent that takes no room */
    {"日本: 語x\n", 8, 12, "1:5: error: oops\n    1 | 日本: 語x\n      |       ^~~\n"},
    {"e\xcc\x81 x\n", 4, 5, "1:4: error: oops\n    1 | e\xcc\x81 x\n      |   ^\n"},
    /* tabs take one column; a terminal obeys nothing */
    {"\tx:\ty\n", 4, 5, "1:5: error: oops\n    1 |  x: y\n      |     ^\n"},
    {"a\033[2Jb\177 c\n", 8, 9, "1:9: error: oops\n    1 | a?[2Jb? c\n      |         ^\n"},
    {"\xc2\x9b"
     "2J c\n",
     5, 6, "1:5: error: oops\n    1 | ?2J c\n      |     ^\n"},
    /* of long lines 68 characters are shown, the place among them */
    {A20 A20 A20 A20 "bb\n", 10, 12,
     "1:11: error: oops\n    1 | " A20 A20 A20 "aaaaaaaa\n      |           ^~\n"},
    {A20 A20 A20 A20 "bb\n", 80, 82,
     "1:81: error: oops\n    1 | " A20 A20 "bb\n      | " S20 S20 "^~\n"},
    {A20 A20 A20 "b" A20 A20 "cc\n", 60, 103,
     "1:61: error: oops\n    1 | " A20 A20 "b" A20 "aaaaaaa\n      | " S20 S20 "^" T20 "~~~~~~~\n"},
    {A20 A20 A20 A20 "\n", 0, 80,
     "1:1: error: oops\n    1 | " A20 A20 A20 "aaaaaaaa\n      | ^" T20 T20 T20 "~~~~~~~\n"},
};

START_TEST(test_snippets) {
    g_autoptr(AtlasSource) source = source_of(snippets[_i].text);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    atlas_diags_error(diags, (AtlasSpan){source, snippets[_i].start, snippets[_i].end}, "oops");
    g_autofree char *got = atlas_diags_render(diags, FALSE);
    ck_assert(g_str_has_prefix(got, "a.yaml:"));
    ck_assert_str_eq(got + strlen("a.yaml:"), snippets[_i].shown);
}
END_TEST

/* Errors come in the order of files as they were first named, and of places; what was said of one
 * stays with it. */
START_TEST(test_order) {
    g_autoptr(AtlasSource) a = source_of("x y z\n");
    g_autoptr(AtlasSource) b = atlas_source_new("b.yaml", "p q\n", 4, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    atlas_diags_error(diags, (AtlasSpan){a, 4, 5}, "no '%s' %d", "z", 1);
    atlas_diags_note(diags, (AtlasSpan){b, 2, 3}, "q is %s", "here");
    atlas_diags_hint(diags, "write '%c'", 'y');
    atlas_diags_error(diags, (AtlasSpan){b, 0, 1}, "no p");
    atlas_diags_error(diags, (AtlasSpan){a, 0, 1}, "no x");
    atlas_diags_hint(diags, "first");
    atlas_diags_hint(diags, "second");
    atlas_diags_error(diags, (AtlasSpan){a, 0, 1}, "no x again");
    atlas_diags_error(diags, NOWHERE, "in no place");
    ck_assert_uint_eq(atlas_diags_errors(diags), 5);
    g_autofree char *got = atlas_diags_render(diags, FALSE);
    g_autofree char *again = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(got, "a.yaml:1:1: error: no x\n"
                          "    1 | x y z\n"
                          "      | ^\n"
                          "hint: first\n"
                          "hint: second\n"
                          "a.yaml:1:1: error: no x again\n"
                          "    1 | x y z\n"
                          "      | ^\n"
                          "a.yaml:1:5: error: no 'z' 1\n"
                          "    1 | x y z\n"
                          "      |     ^\n"
                          "b.yaml:1:3: note: q is here\n"
                          "hint: write 'y'\n"
                          "b.yaml:1:1: error: no p\n"
                          "    1 | p q\n"
                          "      | ^\n"
                          "error: in no place\n");
    ck_assert_str_eq(got, again);
}
END_TEST

START_TEST(test_colour) {
    g_autoptr(AtlasSource) source = source_of("x\n");
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    atlas_diags_error(diags, (AtlasSpan){source, 0, 1}, "bad \033[31m\xc2\x9b\r");
    atlas_diags_note(diags, (AtlasSpan){source, 0, 1}, "why");
    atlas_diags_hint(diags, "how");
    g_autofree char *got = atlas_diags_render(diags, TRUE);
    ck_assert_str_eq(got, "a.yaml:1:1: \033[1;31merror:\033[0m bad ?[31m???\n"
                          "    1 | x\n"
                          "      | ^\n"
                          "a.yaml:1:1: \033[1;36mnote:\033[0m why\n"
                          "\033[1;36mhint:\033[0m how\n");
}
END_TEST

/* A message taken from a GError of source.h says "error:" itself; others get it. */
START_TEST(test_take) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    GError *error = NULL;
    ck_assert_ptr_null(atlas_source_new("b.yaml", "\xff", 1, &error));
    atlas_diags_take(diags, error);
    atlas_diags_take(diags, g_error_new(ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_READ, "plain"));
    g_autofree char *got = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(got, "b.yaml:1:1: error: byte 0xff is not text; expected UTF-8\n"
                          "error: plain\n");
}
END_TEST

START_TEST(test_many) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    for (guint i = 0; i < ATLAS_DIAGS_SHOWN + 7; i++)
        atlas_diags_error(diags, NOWHERE, "e");
    g_autofree char *got = atlas_diags_render(diags, FALSE);
    ck_assert_uint_eq(atlas_diags_errors(diags), ATLAS_DIAGS_SHOWN + 7);
    ck_assert(g_str_has_suffix(got, "error: e\nand 7 more errors\n"));
    ck_assert_uint_eq(strlen(got),
                      ATLAS_DIAGS_SHOWN * strlen("error: e\n") + strlen("and 7 more errors\n"));
}
END_TEST

/* --- names --- */

START_TEST(test_valid_names) {
    static const struct {
        const char *name;
        gboolean plain, dash;
    } cases[] = {
        {"a", TRUE, TRUE},
        {"kda_fwd2", TRUE, TRUE},
        {"no-kda", FALSE, TRUE},
        {"", FALSE, FALSE},
        {"2a", FALSE, FALSE},
        {"_a", FALSE, FALSE},
        {"-a", FALSE, FALSE},
        {"Kda", FALSE, FALSE},
        {"kDa", FALSE, FALSE},
        {"a b", FALSE, FALSE},
        {"a.b", FALSE, FALSE},
        {"gr\xc3\xb6\xc3\x9f"
         "e",
         FALSE, FALSE},
        {"a-", FALSE, TRUE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        ck_assert_msg(atlas_name_valid(cases[i].name, FALSE) == cases[i].plain, "%s",
                      cases[i].name);
        ck_assert_msg(atlas_name_valid(cases[i].name, TRUE) == cases[i].dash, "%s", cases[i].name);
    }
}
END_TEST

#define W64 "abcdefghijklmnopabcdefghijklmnopabcdefghijklmnopabcdefghijklmnop"

START_TEST(test_nearest_names) {
    static const struct {
        const char *word, *nearest; /* NULL: none */
    } cases[] = {
        {"compute", "compute"},
        {"compue", "compute"},
        {"ocmpute", "compute"},
        {"computer", "compute"},
        {"xompxtx", "compute"},
        {"xxmpxtx", NULL},
        {"copute", "compute"},
        {"cpoy", "copy"},
        {"cop", "copy"},
        {"cp", "copy"},
        {"ab", NULL},
        {"", NULL},
        {"zzzzz", NULL},
        {"ix", "iy"}, /* as near as iz, which comes later */
        {W64, W64},
        {W64 "q", NULL},
    };
    static const char *const candidates[] = {"compute", "copy", "iy", "iz", W64 "x", W64, NULL};
    static const char *const none[] = {NULL};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *got = atlas_name_nearest(cases[i].word, candidates);
        ck_assert_msg(g_strcmp0(got, cases[i].nearest) == 0, "%s: %s", cases[i].word, got);
    }
    ck_assert_ptr_null(atlas_name_nearest("compute", none));
}
END_TEST

START_TEST(test_suggest) {
    static const char *const few[] = {"alpha", "beta", NULL};
    static const char *const many[] = {"a", "b", "c", "d", "e", "f", "g",
                                       "h", "i", "j", "k", "l", "m", NULL};
    static const char *const none[] = {NULL};
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    atlas_diags_error(diags, NOWHERE, "e");
    atlas_diags_suggest(diags, "aplha", "names are", few);
    atlas_diags_suggest(diags, "gamma-ray", "names are", few);
    atlas_diags_suggest(diags, "gamma-ray", "names are", many + 1);
    atlas_diags_suggest(diags, "gamma-ray", "names are", many);
    atlas_diags_suggest(diags, "gamma-ray", "names are", none);
    g_autofree char *got = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(got, "error: e\n"
                          "hint: did you mean 'alpha'?\n"
                          "hint: names are: alpha, beta\n"
                          "hint: names are: b, c, d, e, f, g, h, i, j, k, l, m\n");
}
END_TEST

/* ---- text of others ---- */

START_TEST(test_visible) {
    static const struct {
        const char *text, *visible, *word;
    } cases[] = {
        {"fwd", "fwd", "fwd"},
        {"a b", "a b", "'a b'"},
        {"it's", "it's", "'it'\\''s'"},
        {"f\tw\nd", "f\\tw\\x0ad", "$'f\\011w\\012d'"},
        {"\x1b[31m'\\", "\\x1b[31m'\\", "$'\\033[31m\\'\\\\'"},
        {"\xc3\xa9 \xff", "\xc3\xa9 \\xff", "$'\xc3\xa9 \\377'"},
        {"\xe2\x80\xae", "\\xe2\\x80\\xae", "$'\\342\\200\\256'"}, /* turns what follows round */
        {"", "", "''"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *visible = atlas_visible_text(cases[i].text);
        g_autofree char *word = atlas_visible_word(cases[i].text);
        ck_assert_str_eq(visible, cases[i].visible);
        ck_assert_str_eq(word, cases[i].word);
    }
    g_autofree char *cut = atlas_visible("abcdef", 6, 3);
    ck_assert_str_eq(cut, "abc...");
}
END_TEST

Suite *base_suite(void) {
    const TTest *const tests[] = {
        test_positions,   test_lines,         test_encoding, test_load,
        test_order,       test_colour,        test_take,     test_many,
        test_valid_names, test_nearest_names, test_suggest,  test_visible,
    };
    Suite *suite = suite_create("base");
    TCase *cases = tcase_create("cases"), *table = tcase_create("snippets");
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        tcase_add_test(cases, tests[i]);
    tcase_add_loop_test(table, test_snippets, 0, G_N_ELEMENTS(snippets));
    suite_add_tcase(suite, cases);
    suite_add_tcase(suite, table);
    return suite;
}
