#include "tests/unit/report_kit.h"

#include <check.h>
#include <glib/gstdio.h>
#include <string.h>

AtlasStudy *report_study(const char *spec, const char *runs) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autofree char *folder = g_dir_make_tmp("atlas-report-XXXXXX", NULL);
    g_autofree char *spec_path = g_build_filename(folder, "spec.yaml", NULL);
    g_autofree char *runs_path = g_build_filename(folder, "runs.tsv", NULL);
    g_autofree char *shipped = g_strdup_printf("specs/%.64s.yaml", spec);
    gboolean made = strchr(spec, '\n') != NULL;
    ck_assert(!made || g_file_set_contents(spec_path, spec, -1, NULL));
    ck_assert(!runs || g_file_set_contents(runs_path, runs, -1, NULL));
    AtlasStudy *study = atlas_study_load(made ? spec_path : shipped, NULL, ATLAS_RAT_NONE, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    ck_assert_msg(study && !*errors, "of\n%s\n%s\n%s", spec, runs ? runs : "", errors);
    g_unlink(spec_path);
    g_unlink(runs_path);
    g_rmdir(folder);
    return study;
}

ReportKit report_kit_new(const char *spec, const char *runs) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    ReportKit kit = {.study = report_study(spec, runs)};
    ck_assert(ground_init(&kit.ground, kit.study, diags));
    return kit;
}

void report_kit_clear(ReportKit *kit) {
    ground_clear(&kit->ground);
    atlas_study_free(kit->study);
}
