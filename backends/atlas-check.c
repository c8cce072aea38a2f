/* atlas-check: judges measurements, runs and claims by a model. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/backend.h"
#include "model/base/cli.h"
#include "model/base/output.h"
#include "model/base/version.h"
#include "model/check/agree.h"
#include "model/check/budget.h"
#include "model/check/claims.h"
#include "model/check/difference.h"
#include "model/launch/locate.h"

static struct {
    char **toggles, **sets, **changes, **budgets, **files;
    char *backend, *steps, *lag, *counter_lag, *seed, *format, *color;
    gboolean runs, claims, all, version, help;
} option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"backend", 'b', 0, G_OPTION_ARG_STRING, &option.backend,
     "judge measurements: log (files) or sim (simulated)", "B"},
    {"toggle", 't', 0, G_OPTION_ARG_STRING_ARRAY, &option.toggles,
     "sim: switch a toggle of the spec; repeats, takes commas", "T"},
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &option.sets,
     "sim: set a parameter or an arm: iters=2, kda=off", "NAME=V"},
    {"steps", 0, 0, G_OPTION_ARG_STRING, &option.steps, "sim: the steps it runs (20-29)", "A-B"},
    {"counter-lag", 0, 0, G_OPTION_ARG_STRING, &option.counter_lag,
     "sim: its counter's greatest lag (the spec's)", "L"},
    {"seed", 0, 0, G_OPTION_ARG_STRING, &option.seed, "sim: which lags its counter shows", "N"},
    {"change", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.changes,
     "sim: launch N more (or -N fewer) of a population", "KEY=N"},
    {"budget", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.budgets,
     "the most launches a step: fwd=9100,total=21500", "STAGE=N"},
    {"runs", 0, 0, G_OPTION_ARG_NONE, &option.runs,
     "judge the spec's own runs: can all be explained", NULL},
    {"claims", 0, 0, G_OPTION_ARG_NONE, &option.claims,
     "judge the statements of the spec's claims file", NULL},
    {"lag", 0, 0, G_OPTION_ARG_STRING, &option.lag,
     "the lag of the runs' counter, instead of the spec's", "L"},
    {"all", 'a', 0, G_OPTION_ARG_NONE, &option.all,
     "show every check, not only what fails or is open", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format, "table, json or tsv", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.files, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static int print_help(const AtlasCli *cli) {
    g_autoptr(GString) out = g_string_new(
        "usage: atlas-check [OPTION...] [SPEC] [FILE[@CONFIG]...]\n"
        "Judges by SPEC (a file, or a shipped spec; default: " ATLAS_DEFAULT_SPEC ") measurements\n"
        "in FILEs, or, without a backend, the spec's own runs and claims.\n");
    atlas_cli_help(out, entries);
    g_string_append(
        out, "exit status: 0 all pass; 1 one fails; 2 usage or input error; 3 one is open\n");
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

/* ---- what was asked for ---- */

typedef struct {
    AtlasCli cli;
    const AtlasBackend *backend; /* NULL: none */
    const char *spec;
    AtlasRat lag, counter_lag;
    AtlasWindow window;
    gboolean window_given;
    guint64 seed;
    GArray *files;    /* of AtlasText */
    GArray *changes;  /* of AtlasChange */
    GPtrArray *names; /* of char*: populations of changes */
} Request;

/* Whether a positional argument is a spec: a shipped one's name, or a file with the key `atlas`. */
static gboolean is_spec(const char *name) {
    g_autofree char *path = atlas_spec_locate(name, NULL), *text = NULL;
    if (!path || g_str_equal(path, "-") || !g_file_get_contents(path, &text, NULL, NULL))
        return FALSE;
    return g_str_has_prefix(text, "atlas:") || strstr(text, "\natlas:") != NULL;
}

static void read_files(Request *request) {
    AtlasText text;
    guint i = 0;
    request->spec = ATLAS_DEFAULT_SPEC;
    if (option.files &&
        (!request->backend || !request->backend->reads_files || is_spec(option.files[0])))
        request->spec = option.files[i++];
    for (; option.files && option.files[i]; i++)
        if (atlas_cli_text(&request->cli, "FILE", option.files[i], &text))
            g_array_append_val(request->files, text);
}

static void read_change(Request *request, const char *value) {
    AtlasText text;
    const char *equals = strrchr(value, '=');
    if (!atlas_cli_text(&request->cli, "--change", value, &text))
        return;
    const char *by = equals ? equals + 1 : "";
    AtlasRat number = atlas_rat_parse(*by == '+' ? by + 1 : by, strlen(by) - (*by == '+'), NULL);
    if (!atlas_rat_is_whole(number)) {
        atlas_diags_error(request->cli.diags, text.at, "expected POPULATION=N, not '%s'", value);
        atlas_diags_hint(request->cli.diags, "for example fwd.main.kda=+1");
        return;
    }
    char *name = g_strndup(value, (gsize)(equals - value));
    AtlasChange change = {name, number.num};
    g_ptr_array_add(request->names, name);
    g_array_append_val(request->changes, change);
}

static void read_request(Request *request) {
    AtlasText text;
    AtlasRat seed = atlas_rat(1);
    request->lag = request->counter_lag = ATLAS_RAT_NONE;
    read_files(request);
    atlas_cli_number(&request->cli, "--lag", option.lag, &request->lag);
    atlas_cli_number(&request->cli, "--counter-lag", option.counter_lag, &request->counter_lag);
    atlas_cli_number(&request->cli, "--seed", option.seed, &seed);
    request->seed = (guint64)atlas_rat_floor(seed).num;
    for (guint i = 0; option.changes && option.changes[i]; i++)
        read_change(request, option.changes[i]);
    if (!option.steps || !atlas_cli_text(&request->cli, "--steps", option.steps, &text))
        return;
    request->window_given = atlas_window_parse(option.steps, &request->window);
    if (!request->window_given)
        atlas_diags_error(request->cli.diags, text.at, "expected steps as A-B, not '%s'",
                          option.steps);
}

/* ---- checks ---- */

/* What a replay should have shown: the launches of the program of its configuration, by stage and
 * step. */
static gint64 *replay_counts(const AtlasStudy *study, const AtlasConfig *config,
                             AtlasWindow window) {
    guint n = study->model->stages->len;
    gint64 steps = atlas_window_steps(window);
    gint64 *counts = g_new0(gint64, n * (gsize)steps + 1);
    g_autofree AtlasRat *stages = g_new(AtlasRat, n + 1);
    AtlasWalkFault fault;
    for (gint64 i = 0; i < steps; i++) {
        gint64 step = window.first + i;
        atlas_walk_stages(config, study->point->unknowns, step, step, stages, &fault);
        for (guint s = 0; s < n; s++)
            counts[s * (gsize)steps + (gsize)i] = stages[s].num;
    }
    return counts;
}

static GArray *read_budgets(Request *request, const AtlasModel *model) {
    GArray *budgets = g_array_new(FALSE, FALSE, sizeof(AtlasBudget));
    AtlasText text;
    for (guint i = 0; option.budgets && option.budgets[i]; i++)
        if (atlas_cli_text(&request->cli, "--budget", option.budgets[i], &text))
            atlas_budgets_parse(&text, model, budgets, request->cli.diags);
    return budgets;
}

/* Without a measurement, budgets are judged by what the base is predicted to launch. */
static void check_predicted(Request *request, AtlasStudy *study, AtlasResult *result) {
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    g_autoptr(GArray) budgets = read_budgets(request, study->model);
    if (budgets->len == 0)
        return;
    atlas_study_require(study, request->cli.diags);
    g_autoptr(AtlasPrediction) p = atlas_diags_errors(request->cli.diags)
                                       ? NULL
                                       : atlas_predict(study, config, NULL, request->cli.diags);
    for (guint i = 0; p && i < budgets->len; i++)
        atlas_budget_predicted(&g_array_index(budgets, AtlasBudget, i), p, "base", result);
}

static void check_measurements(Request *request, AtlasStudy *study, AtlasResult *result) {
    g_autoptr(AtlasMeasurements) measurements = atlas_measurements_new();
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    AtlasDiags *diags = request->cli.diags;
    atlas_config_options(config, &request->cli, option.toggles, option.sets);
    AtlasAsk ask = {study,
                    config,
                    request->files,
                    request->window_given ? &request->window : NULL,
                    atlas_rat_ok(request->counter_lag) ? request->counter_lag : study->lag,
                    request->seed,
                    request->changes,
                    request->cli.sources};
    g_autoptr(GArray) budgets = read_budgets(request, study->model);
    if (atlas_diags_errors(diags) || !request->backend->measure(&ask, measurements, diags))
        return;
    for (guint i = 0; i < measurements->list->len; i++) {
        const AtlasMeasurement *m = g_ptr_array_index(measurements->list, i);
        if (m->replay) {
            g_autofree gint64 *counts = replay_counts(study, config, m->run->window);
            atlas_agree_program(m, counts, m->lag, result);
        } else {
            atlas_agree_model(study, m, result, diags);
        }
        for (guint k = 0; k < budgets->len; k++)
            atlas_budget_measured(&g_array_index(budgets, AtlasBudget, k), m,
                                  m->replay ? m->lag : study->lag, result);
    }
    /* Two logs ask what changed between them. */
    if (measurements->list->len == 2 && request->files->len == 2)
        atlas_difference(study, g_ptr_array_index(measurements->list, 0),
                         g_ptr_array_index(measurements->list, 1), result, diags);
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
    if (!source)
        atlas_diags_error(diags, spec->claims.at, "%s", error->message);
    g_clear_error(&error);
    return source;
}

static void check_claims(Request *request, AtlasStudy *study, AtlasResult *result) {
    AtlasDiags *diags = request->cli.diags;
    AtlasSource *source = load_claims(study, diags);
    g_autoptr(AtlasClaims) claims = source ? atlas_claims_read(source, diags) : NULL;
    if (source)
        g_ptr_array_add(request->cli.sources, source);
    if (claims)
        atlas_claims_evaluate(claims, study, result, diags);
}

/* Without a backend: the runs, and the claims where there are some, unless one was asked for. */
static const char *check_spec(Request *request, AtlasStudy *study, AtlasResult *result) {
    gboolean runs = option.runs || !option.claims;
    gboolean claims = option.claims || (!option.runs && study->model->spec->claims.text);
    if (runs)
        atlas_agree_runs(study, study->lag, result);
    if (claims && !study->consistent && !option.claims)
        return "checks"; /* the runs' own checks say why there is nothing to judge claims by */
    if (claims)
        atlas_study_require(study, request->cli.diags);
    if (claims && atlas_diags_errors(request->cli.diags) == 0)
        check_claims(request, study, result);
    check_predicted(request, study, result);
    return runs ? "checks" : "claims";
}

static int print_result(const Request *request, const AtlasResult *result, const char *what) {
    static const int statuses[ATLAS_VERDICTS] = {[ATLAS_PASS] = ATLAS_EXIT_PASS,
                                                 [ATLAS_FAIL] = ATLAS_EXIT_FAIL,
                                                 [ATLAS_INCONCLUSIVE] = ATLAS_EXIT_OPEN};
    g_autofree char *text = NULL;
    if (g_strcmp0(option.format, "json") == 0) {
        json_t *root = atlas_result_json(result);
        char *json = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12));
        text = g_strconcat(json, "\n", NULL);
        free(json);
        json_decref(root);
    } else if (g_strcmp0(option.format, "tsv") == 0) {
        g_autoptr(AtlasTable) table = atlas_result_table(result);
        text = atlas_table_render_tsv(table);
    } else {
        text = atlas_result_render(result, what, option.all,
                                   atlas_output_colour(STDOUT_FILENO, option.color));
    }
    return atlas_cli_finish(&request->cli, text, statuses[atlas_result_verdict(result)]);
}

static int run(Request *request) {
    AtlasDiags *diags = request->cli.diags;
    const char *what = "checks";
    read_request(request);
    if (atlas_diags_errors(diags))
        return atlas_cli_problems(&request->cli);
    g_autoptr(AtlasStudy) study = atlas_study_open(request->spec, NULL, request->lag, diags);
    g_autoptr(AtlasResult) result = atlas_result_new();
    if (request->backend && atlas_diags_errors(diags) == 0)
        atlas_study_require(study, diags);
    if (atlas_diags_errors(diags) == 0) {
        if (request->backend)
            check_measurements(request, study, result);
        else
            what = check_spec(request, study, result);
    }
    return atlas_diags_errors(diags) ? atlas_cli_problems(&request->cli)
                                     : print_result(request, result, what);
}

/* Options that contradict each other or hold no value they can have. */
static int check_options(Request *request) {
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    const AtlasCli *cli = &request->cli;
    for (guint i = 0; atlas_backends[i]; i++)
        g_ptr_array_add(names, (gpointer)atlas_backends[i]->name);
    g_ptr_array_add(names, NULL);
    if (!atlas_cli_output(&request->cli, option.format, option.color) ||
        !atlas_cli_word(cli, "--backend", option.backend, (const char *const *)names->pdata))
        return ATLAS_EXIT_USAGE;
    request->backend = option.backend ? atlas_backend_find(option.backend) : NULL;
    gboolean simulates = request->backend == &atlas_backend_sim;
    if (!simulates && (option.toggles || option.sets || option.steps || option.changes ||
                       option.counter_lag || option.seed))
        return atlas_cli_usage(cli,
                               "--toggle, --set, --steps, --counter-lag, --seed and --change go "
                               "with --backend sim");
    if (request->backend && (option.runs || option.claims))
        return atlas_cli_usage(cli, "--runs and --claims go without a backend");
    if (request->backend && request->backend->reads_files && !option.files)
        return atlas_cli_usage(cli, "--backend %s needs a FILE to judge", option.backend);
    if (option.files && option.files[1] && !(request->backend && request->backend->reads_files))
        return atlas_cli_usage(cli, "one spec at a time, not '%s' and '%s'", option.files[0],
                               option.files[1]);
    return ATLAS_EXIT_PASS;
}

static int dispatch(Request *request) {
    int status = check_options(request);
    if (status != ATLAS_EXIT_PASS)
        return status;
    if (option.help)
        return print_help(&request->cli);
    if (option.version)
        return atlas_cli_finish(&request->cli, "atlas-check " ATLAS_VERSION "\n", ATLAS_EXIT_PASS);
    return run(request);
}

int main(int argc, char **argv) {
    Request request = {.files = g_array_new(FALSE, FALSE, sizeof(AtlasText)),
                       .changes = g_array_new(FALSE, FALSE, sizeof(AtlasChange)),
                       .names = g_ptr_array_new_with_free_func(g_free)};
    atlas_cli_init(&request.cli, "atlas-check");
    int status = atlas_cli_parse(&request.cli, entries, &argc, &argv) ? dispatch(&request)
                                                                      : ATLAS_EXIT_USAGE;
    g_array_unref(request.files);
    g_array_unref(request.changes);
    g_ptr_array_unref(request.names);
    atlas_cli_clear(&request.cli);
    return status;
}
