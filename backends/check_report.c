/* --report: the document that graphs/report.h makes, written to a file. */
#include "backends/check.h"
#include "graphs/report.h"
#include "model/base/output.h"
#include "model/solve/next.h"

/* A file that cannot be written whole is not written at all. */
static int write_file(CheckRequest *request, const char *path, const char *text) {
    g_autoptr(GError) error = NULL;
    if (atlas_output_replace(path, text, &error))
        return ATLAS_EXIT_PASS;
    atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    return atlas_cli_problems(&request->cli);
}

int check_report(CheckRequest *request, AtlasStudy *study) {
    AtlasDiags *diags = request->cli.diags;
    const char *path = request->option->report;
    g_autoptr(AtlasResult) result = atlas_result_new();
    g_autoptr(AtlasClaims) claims =
        study->model->spec->claims.text ? check_claims(request, study, result) : NULL;
    AtlasReportOf of = {study, request->launch_us, ATLAS_NEXT_COST, claims ? result : NULL,
                        claims ? claims->of.text : NULL};
    gboolean tsv = g_str_has_suffix(path, ".tsv") || g_strcmp0(request->option->format, "tsv") == 0;
    gboolean clear = g_str_equal(path, "-") || check_output(request, study, NULL, path);
    g_autofree char *text = atlas_diags_errors(diags) || !clear ? NULL
                            : tsv                               ? atlas_report_tsv(&of, diags)
                                                                : atlas_report_markdown(&of, diags);
    if (!text)
        return atlas_cli_problems(&request->cli);
    return g_str_equal(path, "-") ? atlas_cli_finish(&request->cli, text, ATLAS_EXIT_PASS)
                                  : write_file(request, path, text);
}
