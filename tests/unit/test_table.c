/* Tables: what people see, and what programs get. */
#include <stdlib.h>

#include "model/base/table.h"
#include "tests/unit/suites.h"

/* A stage, a count, a note for people, a share for both, a limit for programs. */
static const AtlasTableColumn columns[] = {
    {"stage", "stage", FALSE}, {"launches", "launches", TRUE}, {"note", NULL, FALSE},
    {"share", "share", TRUE},  {NULL, "limit", TRUE},          {NULL, NULL, FALSE},
};

static AtlasTable *example(void) {
    AtlasTable *table = atlas_table_new(columns);
    atlas_table_row(table);
    atlas_table_text(table, "%s", "fwd");
    atlas_table_number(table, atlas_rat_make(90025, 10), 2);
    atlas_table_text(table, "%d of %d", 1, 2);
    atlas_table_number_as(table, atlas_rat_make(1, 3), "%.1f%%", 100.0 / 3);
    atlas_table_number(table, atlas_rat(-5), 2);
    atlas_table_row(table);
    atlas_table_text(table, "R\u00fcckw\u00e4rts");
    atlas_table_number(table, atlas_rat(7), 2);
    atlas_table_skip(table);
    atlas_table_number(table, ATLAS_RAT_NONE, 2);
    atlas_table_rule(table);
    atlas_table_row(table); /* cells behind the last one given are empty */
    atlas_table_text(table, "total");
    atlas_table_number(table, atlas_rat_make(1, 3), 2);
    return table;
}

/* Points stand below one another, letters count as one character each, lines end without blanks. */
START_TEST(people) {
    g_autoptr(AtlasTable) table = example();
    static const char expected[] = "stage      launches  note    share\n"
                                   "fwd         9002.50  1 of 2  33.3%\n"
                                   "R\u00fcckw\u00e4rts      7.00              ?\n"
                                   "----------------------------------\n"
                                   "total          0.33\n";
    g_autofree char *text = atlas_table_render(table);
    g_autofree char *again = atlas_table_render(table);
    ck_assert_str_eq(text, expected);
    ck_assert_str_eq(again, expected);
}
END_TEST

/* The source is aligned as well as what is made of it; nothing in a cell ends the table or the
 * line.
 */
START_TEST(markdown) {
    g_autoptr(AtlasTable) table = example();
    atlas_table_row(table);
    atlas_table_text(table, "a|b *.c_d_ ~1 <x>\n`y`");
    g_autofree char *text = atlas_table_render_markdown(table);
    ck_assert_str_eq(text,
                     "| stage                        | launches | note   |   share |\n"
                     "| ---------------------------- | -------: | ------ | ------: |\n"
                     "| fwd                          |  9002.50 | 1 of 2 |   33.3% |\n"
                     "| R\u00fcckw\u00e4rts                    |     7.00 |        | unknown |\n"
                     "| total                        |     0.33 |        |         |\n"
                     "| a\\|b \\*.c_d\\_ \\~1 \\<x> \\`y\\` |          |        |         |\n");
    g_autoptr(AtlasTable) empty = atlas_table_new(columns);
    g_autofree char *none = atlas_table_render_markdown(empty);
    ck_assert_str_eq(none, "");
}
END_TEST

/* A share of nothing is not known. */
START_TEST(shares) {
    static const AtlasTableColumn one[] = {{"share", "share", TRUE}, {NULL, NULL, FALSE}};
    g_autoptr(AtlasTable) table = atlas_table_new(one);
    atlas_table_row(table);
    atlas_table_share(table, atlas_rat(-1), atlas_rat(3));
    atlas_table_row(table);
    atlas_table_share(table, atlas_rat(1), atlas_rat(0));
    g_autofree char *text = atlas_table_render(table);
    ck_assert_str_eq(text, " share\n-33.3%\n     ?\n");
}
END_TEST

/* Programs get whole numbers, up to nine decimals, and nothing where nothing is known. */
START_TEST(tsv) {
    g_autoptr(AtlasTable) table = example();
    g_autofree char *before = atlas_table_render_tsv(table);
    g_free(atlas_table_render(table)); /* which changes nothing for programs */
    g_autofree char *after = atlas_table_render_tsv(table);
    static const char expected[] = "stage\tlaunches\tshare\tlimit\n"
                                   "fwd\t9002.5\t0.333333333\t-5\n"
                                   "R\u00fcckw\u00e4rts\t7\t\t\n"
                                   "total\t0.333333333\t\t\n";
    ck_assert_str_eq(before, expected);
    ck_assert_str_eq(after, expected);
}
END_TEST

START_TEST(json) {
    g_autoptr(AtlasTable) table = example();
    json_t *rows = atlas_table_json(table);
    char *text = json_dumps(rows, JSON_COMPACT | JSON_REAL_PRECISION(6));
    ck_assert_str_eq(text,
                     "[{\"stage\":\"fwd\",\"launches\":9002.5,\"share\":0.333333,\"limit\":-5},"
                     "{\"stage\":\"R\u00fcckw\u00e4rts\",\"launches\":7,\"share\":null,"
                     "\"limit\":null},"
                     "{\"stage\":\"total\",\"launches\":0.333333,\"share\":null,\"limit\":null}]");
    free(text);
    json_decref(rows);
}
END_TEST

/* A sign stands before what people see as more than nothing. */
START_TEST(signs) {
    static const AtlasTableColumn one[] = {{"d", "d", TRUE}, {NULL, NULL, FALSE}};
    static const struct {
        gint64 num, den;
        const char *shown;
    } cases[] = {{5, 1, "+5"},     {-5, 1, "-5"},   {0, 1, "0"},        {1, 2, "+0.5"},
                 {1, 1000, "0"},   {-1, 1000, "0"}, {5, 1000, "+0.01"}, {0, 0, "?"},
                 {-1, 4, "-0.25"}, {200, 100, "+2"}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AtlasTable) table = atlas_table_new(one);
        atlas_table_row(table);
        atlas_table_signed(table, atlas_rat_make(cases[i].num, cases[i].den), 2);
        g_autofree char *text = atlas_table_render(table);
        g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
        ck_assert_str_eq(lines[1], cases[i].shown);
    }
}
END_TEST

/* Columns without anything in them are left out, for people; so is everything without rows. */
START_TEST(empty) {
    g_autoptr(AtlasTable) table = atlas_table_new(columns);
    g_autofree char *nothing = atlas_table_render(table);
    g_autofree char *names = atlas_table_render_tsv(table);
    json_t *rows = atlas_table_json(table);
    ck_assert_str_eq(nothing, "");
    ck_assert_str_eq(names, "stage\tlaunches\tshare\tlimit\n");
    ck_assert_uint_eq(json_array_size(rows), 0);
    json_decref(rows);
    atlas_table_row(table);
    atlas_table_skip(table);
    atlas_table_number(table, atlas_rat(3), 0);
    atlas_table_text(table, "%s", "");
    g_autofree char *one = atlas_table_render(table);
    g_autofree char *line = atlas_table_render_tsv(table);
    ck_assert_str_eq(one, "launches\n       3\n");
    ck_assert_str_eq(line, "stage\tlaunches\tshare\tlimit\n\t3\t\t\n");
}
END_TEST

START_TEST(json_numbers) {
    static const struct {
        AtlasRat number;
        json_type type;
    } cases[] = {{{7, 1}, JSON_INTEGER},
                 {{G_MAXINT64, 1}, JSON_INTEGER},
                 {{1, 2}, JSON_REAL},
                 {{0, 0}, JSON_NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        json_t *number = atlas_json_number(cases[i].number);
        ck_assert_int_eq(json_typeof(number), cases[i].type);
        if (json_is_integer(number))
            ck_assert_int_eq(json_integer_value(number), cases[i].number.num);
        json_decref(number);
    }
}
END_TEST

Suite *table_suite(void) {
    Suite *suite = suite_create("table");
    TCase *all = tcase_create("all");
    tcase_add_test(all, people);
    tcase_add_test(all, markdown);
    tcase_add_test(all, shares);
    tcase_add_test(all, tsv);
    tcase_add_test(all, json);
    tcase_add_test(all, signs);
    tcase_add_test(all, empty);
    tcase_add_test(all, json_numbers);
    suite_add_tcase(suite, all);
    return suite;
}
