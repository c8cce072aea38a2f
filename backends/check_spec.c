/* Checks that need no measurement: the spec's runs and claims, and budgets. */
#include <string.h>

#include "backends/check.h"
#include "model/check/agree.h"
#include "model/check/budget.h"

/* Without a measurement, budgets are judged by what a configuration is predicted to launch. */
static void check_predicted(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    g_autoptr(GArray) budgets = check_budgets(request, study->model);
    if (budgets->len == 0 || atlas_diags_errors(request->cli.diags))
        return;
    atlas_config_options(config, &request->cli, request->option->toggles, request->option->sets);
    g_autofree char *label = atlas_config_describe(config);
    atlas_study_require(study, request->cli.diags);
    g_autoptr(AtlasPrediction) p = atlas_diags_errors(request->cli.diags)
                                       ? NULL
                                       : atlas_predict(study, config, NULL, request->cli.diags);
    for (guint i = 0; p && i < budgets->len; i++)
        atlas_budget_predicted(&g_array_index(budgets, AtlasBudget, i), p, label, result);
}

/* The spec's claims file, which stands beside it. */
static AtlasSource *load_claims(const AtlasStudy *study, AtlasDiags *diags) {
    const AtlasSpec *spec = study->model->spec;
    GError *error = NULL;
    if (!spec->claims.text) {
        atlas_diags_error(diags, spec->name.at, "spec '%s' names no claims", spec->name.text);
        atlas_diags_hint(diags, "give it the line 'claims: FILE', a file beside the spec");
        return NULL;
    }
    g_autofree char *folder = g_path_get_dirname(atlas_source_path(study->source));
    g_autofree char *path = g_path_is_absolute(spec->claims.text) || g_str_equal(folder, ".")
                                ? g_strdup(spec->claims.text)
                                : g_build_filename(folder, spec->claims.text, NULL);
    AtlasSource *source = atlas_source_load(path, &error);
    if (!source && g_error_matches(error, ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_READ))
        atlas_diags_error(diags, spec->claims.at, "%s", error->message + strlen("error: "));
    else if (!source)
        atlas_diags_take(diags, g_steal_pointer(&error));
    g_clear_error(&error);
    return source;
}

AtlasClaims *check_claims(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    AtlasDiags *diags = request->cli.diags;
    AtlasSource *source = load_claims(study, diags);
    AtlasClaims *claims = source ? atlas_claims_read(source, diags) : NULL;
    if (source)
        g_ptr_array_add(request->cli.sources, source);
    if (claims)
        atlas_claims_evaluate(claims, study, result, diags);
    return claims;
}

/* Runs that are asked for must be there. Without being asked, there is always the program to prove.
 */
static void require_runs(const CheckRequest *request, const AtlasStudy *study) {
    const AtlasSpec *spec = study->model->spec;
    AtlasDiags *diags = request->cli.diags;
    if (!request->option->runs || atlas_runs_count(study->runs) > 0)
        return;
    atlas_diags_error(diags, spec->name.at, "spec '%s' has no runs", spec->name.text);
    atlas_diags_hint(diags, "give it the line 'runs: FILE', a table of what was measured; "
                            "--budget judges its prediction");
}

const char *check_spec(CheckRequest *request, AtlasStudy *study, AtlasResult *result) {
    const CheckOptions *option = request->option;
    AtlasDiags *diags = request->cli.diags;
    gboolean every = !option->runs && !option->claims && !option->prove && !option->budgets;
    gboolean runs = option->runs || every;
    gboolean claims = option->claims || (every && study->model->spec->claims.text);
    gboolean several = runs || option->budgets || (claims && option->prove);
    require_runs(request, study);
    if (runs && atlas_diags_errors(diags) == 0)
        atlas_agree_runs(study, study->lag, result);
    if (claims && !study->consistent && !option->claims)
        return "checks"; /* the runs' own checks say why there is nothing to judge claims by */
    if (claims && atlas_diags_errors(diags) == 0)
        atlas_study_require(study, diags);
    if (claims && atlas_diags_errors(diags) == 0)
        atlas_claims_free(check_claims(request, study, result));
    if (option->prove && atlas_diags_errors(diags) == 0)
        check_proved(request, study, result);
    else if (every)
        check_proved_base(request, study, result);
    check_predicted(request, study, result);
    return several ? "checks" : option->prove ? "proofs" : "claims";
}
