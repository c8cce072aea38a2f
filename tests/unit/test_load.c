/* Loading runs from files: a table or a log, and FILE@CONFIGURATION. */
#include <glib/gstdio.h>
#include <string.h>

#include "model/measure/load.h"
#include "tests/unit/suites.h"

static const char log_text[] =
    "ATLAS\t0\tfwd\t7\t1.5\nATLAS\t1\tfwd\t7\t1.5\nATLAS\t2\tfwd\t8\t1.5\n";
static const char table_text[] =
    "# a comment\n\nrun\tconfiguration\tsteps\tfwd\na\tno-kda\t1-1\t7\n";

/* What becomes of a name, in a folder with a log "a.log" and a table "t.tsv", and of both of them
 * once more in a folder "at@no". */
static const struct {
    const char *name, *configuration; /* NULL: an error */
    const char *expected;             /* the run's name, or a part of the error */
} cases[] = {
    {"a.log", "", "a"},
    {"a.log@no-kda,iters=2", "no-kda,iters=2", "a"},
    {"a.log@", "", "a"},
    {"at@no/a.log", "", "a"},
    {"at@no/a.log@iters=2", "iters=2", "a"},
    {"t.tsv", "no-kda", "a"},
    {"at@no/t.tsv", "no-kda", "a"},
    {"t.tsv@base", NULL, "is a table, which states its configurations"},
    {"none.log", NULL, "cannot read the runs"},
    {"none@no.log", NULL, "cannot read the runs"},
};

static void write_both(const char *folder) {
    g_autofree char *log = g_build_filename(folder, "a.log", NULL);
    g_autofree char *table = g_build_filename(folder, "t.tsv", NULL);
    ck_assert(g_file_set_contents(log, log_text, -1, NULL));
    ck_assert(g_file_set_contents(table, table_text, -1, NULL));
}

static void remove_both(const char *folder) {
    g_autofree char *log = g_build_filename(folder, "a.log", NULL);
    g_autofree char *table = g_build_filename(folder, "t.tsv", NULL);
    g_remove(log);
    g_remove(table);
    g_rmdir(folder);
}

/* Relative to `directory`, or absolute. */
static void check(const char *name, const char *directory, guint i) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    g_autoptr(GPtrArray) sources =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free);
    AtlasText named = {name, {NULL, 0, strlen(name)}};
    gboolean ok = atlas_runs_load(runs, &named, directory, NULL, sources, diags);
    g_autofree char *text = atlas_diags_render(diags, FALSE);
    ck_assert_int_eq(ok, cases[i].configuration != NULL);
    if (!ok) {
        ck_assert_msg(strstr(text, cases[i].expected), "%s", text);
        return;
    }
    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(atlas_runs_count(runs), 1);
    const AtlasRun *run = atlas_runs_get(runs, 0);
    ck_assert_str_eq(run->configuration.text, cases[i].configuration);
    ck_assert_str_eq(run->name, cases[i].expected);
}

START_TEST(names) {
    g_autofree char *folder = g_dir_make_tmp("atlas-XXXXXX", NULL);
    g_autofree char *inner = g_build_filename(folder, "at@no", NULL);
    g_autofree char *absolute = g_build_filename(folder, cases[_i].name, NULL);
    g_mkdir(inner, 0700);
    write_both(folder);
    write_both(inner);
    check(cases[_i].name, folder, (guint)_i);
    check(absolute, "/nowhere", (guint)_i);
    remove_both(inner);
    remove_both(folder);
}
END_TEST

Suite *load_suite(void) {
    Suite *suite = suite_create("load");
    TCase *all = tcase_create("all");
    tcase_add_loop_test(all, names, 0, G_N_ELEMENTS(cases));
    suite_add_tcase(suite, all);
    return suite;
}
