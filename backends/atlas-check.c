/* atlas-check: judges measurements, runs and claims by a model. */
#include <stdlib.h>
#include <unistd.h>

#include "backends/check.h"
#include "model/base/output.h"
#include "model/base/version.h"
#include "model/check/baseline.h"
#include "model/check/claims.h"
#include "model/launch/locate.h"

static CheckOptions option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"backend", 'b', 0, G_OPTION_ARG_STRING, &option.backend,
     "judge measurements: log (files) or sim (simulated)", "B"},
    {"toggle", 't', 0, G_OPTION_ARG_STRING_ARRAY, &option.toggles,
     "sim: switch a toggle of the spec; repeats, takes commas", "T"},
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &option.sets,
     "sim: set a parameter or an arm: iters=2, kda=off", "NAME=V"},
    {"steps", 0, 0, G_OPTION_ARG_STRING, &option.steps,
     "steps that count: a log's last third, 20-29 of sim", "A-B"},
    {"counter-lag", 0, 0, G_OPTION_ARG_STRING, &option.counter_lag,
     "sim: its counter's greatest lag (the spec's)", "L"},
    {"seed", 0, 0, G_OPTION_ARG_STRING, &option.seed, "sim: which lags its counter shows", "N"},
    {"change", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.changes,
     "sim: launch N more (or -N fewer) of a population", "KEY=N"},
    {"budget", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.budgets,
     "the most launches a step: fwd=9100,total=21500", "STAGE=N"},
    {"baseline", 0, 0, G_OPTION_ARG_FILENAME, &option.baseline,
     "compare measurements with those that F has", "F"},
    {"write-baseline", 0, 0, G_OPTION_ARG_FILENAME, &option.write_baseline,
     "write what was measured to F, to be compared with", "F"},
    {"about", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.abouts,
     "what counted, where the log does not say: device=NAME", "KEY=V"},
    {"runs", 0, 0, G_OPTION_ARG_NONE, &option.runs,
     "judge the spec's own runs: can all be explained", NULL},
    {"claims", 0, 0, G_OPTION_ARG_NONE, &option.claims,
     "judge the statements of the spec's claims file", NULL},
    {"report", 0, 0, G_OPTION_ARG_STRING, &option.report,
     "write a report of the spec's runs and claims: .md, .tsv, -", "FILE"},
    {"launch-us", 0, 0, G_OPTION_ARG_STRING, &option.launch_us,
     "report: host time of one launch in microseconds (24)", "U"},
    {"lag", 0, 0, G_OPTION_ARG_STRING, &option.lag,
     "the lag of the runs' counter, instead of the spec's", "L"},
    {"all", 'a', 0, G_OPTION_ARG_NONE, &option.all,
     "show every check, not only what fails or is open", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format, "table, json or tsv", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"print-schema", 0, 0, G_OPTION_ARG_STRING, &option.schema,
     "print a JSON Schema: of claims, baseline or result", "OF"},
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
    g_string_append(out,
                    "exit status: 0 all pass; 1 one fails; 2 usage or input error; 3 one is open;\n"
                    "with --report 0 if it was written, whatever it says\n");
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

static int print_result(const CheckRequest *request, const AtlasResult *result, const char *what) {
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

static int run(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    const char *what = "checks";
    check_request_read(request);
    if (atlas_diags_errors(diags))
        return atlas_cli_problems(&request->cli);
    g_autoptr(AtlasStudy) study = atlas_study_open(request->spec, NULL, request->lag, diags);
    g_autoptr(AtlasResult) result = atlas_result_new();
    if ((request->backend || option.report) && atlas_diags_errors(diags) == 0)
        atlas_study_require(study, diags);
    if (option.report && atlas_diags_errors(diags) == 0)
        return check_report(request, study);
    if (atlas_diags_errors(diags) == 0) {
        if (request->backend)
            check_measured(request, study, result);
        else
            what = check_spec(request, study, result);
    }
    return atlas_diags_errors(diags) ? atlas_cli_problems(&request->cli)
                                     : print_result(request, result, what);
}

/* Options that contradict each other or hold no value they can have. */
static int check_options(CheckRequest *request) {
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
    if (!simulates &&
        (option.toggles || option.sets || option.changes || option.counter_lag || option.seed))
        return atlas_cli_usage(cli, "--toggle, --set, --counter-lag, --seed and --change go with "
                                    "--backend sim");
    if (!request->backend &&
        (option.steps || option.baseline || option.write_baseline || option.abouts))
        return atlas_cli_usage(cli, "--steps, --baseline, --write-baseline and --about go with a "
                                    "--backend");
    if (request->backend && (option.runs || option.claims || option.report))
        return atlas_cli_usage(cli, "--runs, --claims and --report go without a backend");
    if (option.report && (option.runs || option.claims || option.budgets || option.all ||
                          g_strcmp0(option.format, "json") == 0))
        return atlas_cli_usage(cli, "--report writes a document: --runs, --claims, --budget, --all "
                                    "and --format json do not go with it");
    if (option.launch_us && !option.report)
        return atlas_cli_usage(cli, "--launch-us goes with --report");
    if (request->backend && request->backend->reads_files && !option.files)
        return atlas_cli_usage(cli, "--backend %s needs a FILE to judge", option.backend);
    if (option.files && option.files[1] && !(request->backend && request->backend->reads_files))
        return atlas_cli_usage(cli, "one spec at a time, not '%s' and '%s'", option.files[0],
                               option.files[1]);
    return ATLAS_EXIT_PASS;
}

static int print_schema(const AtlasCli *cli) {
    static const char *const words[] = {"claims", "baseline", "result", NULL};
    if (!atlas_cli_word(cli, "--print-schema", option.schema, words))
        return ATLAS_EXIT_USAGE;
    g_autofree char *schema =
        g_str_equal(option.schema, "claims")
            ? atlas_fields_schema(&atlas_claims_root, "Launch Atlas claims")
        : g_str_equal(option.schema, "baseline")
            ? atlas_fields_schema(&atlas_baseline_root, "Launch Atlas baseline")
            : atlas_result_schema();
    return atlas_cli_finish(cli, schema, ATLAS_EXIT_PASS);
}

static int dispatch(CheckRequest *request) {
    int status = check_options(request);
    if (status != ATLAS_EXIT_PASS)
        return status;
    if (option.help)
        return print_help(&request->cli);
    if (option.version)
        return atlas_cli_finish(&request->cli, "atlas-check " ATLAS_VERSION "\n", ATLAS_EXIT_PASS);
    return option.schema ? print_schema(&request->cli) : run(request);
}

int main(int argc, char **argv) {
    CheckRequest request;
    check_request_init(&request, &option);
    int status = atlas_cli_parse(&request.cli, entries, &argc, &argv) ? dispatch(&request)
                                                                      : ATLAS_EXIT_USAGE;
    check_request_clear(&request);
    return status;
}
