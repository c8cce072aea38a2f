/* atlas-sim: predicts what a training step launches under toggles. */
#include <stdio.h>
#include <string.h>

#include "model/base/cli.h"
#include "model/base/version.h"
#include "model/launch/locate.h"
#include "model/launch/lower.h"
#include "model/solve/next.h"
#include "sim/document.h"
#include "sim/report.h"

/* Steps that can be predicted: sums over them stay exact. */
#define STEPS_MAX G_GINT64_CONSTANT(1000000000)

static struct {
    char **toggles, **sets, **runs, **spec;
    char *steps, *lag, *launch_us, *format, *color;
    gboolean marginals, populations, next_run, leave_one_out, emit_program, print_schema;
    gboolean version, help;
} option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"toggle", 't', 0, G_OPTION_ARG_STRING_ARRAY, &option.toggles,
     "switch a toggle of the spec; repeats, takes commas", "T"},
    {"set", 's', 0, G_OPTION_ARG_STRING_ARRAY, &option.sets,
     "set a parameter or an arm: iters=2, kda=off", "NAME=V"},
    {"steps", 0, 0, G_OPTION_ARG_STRING, &option.steps,
     "predict means over these steps (default: one period)", "A-B"},
    {"runs", 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.runs,
     "use these runs too: a table, or a log[@CONFIG]", "FILE"},
    {"lag", 0, 0, G_OPTION_ARG_STRING, &option.lag,
     "the counter's greatest lag, instead of the spec's", "L"},
    {"launch-us", 0, 0, G_OPTION_ARG_STRING, &option.launch_us,
     "host time of one launch in microseconds (24)", "U"},
    {"marginals", 0, 0, G_OPTION_ARG_NONE, &option.marginals,
     "what each toggle changes against the base", NULL},
    {"populations", 0, 0, G_OPTION_ARG_NONE, &option.populations,
     "launches of every item, with bounds", NULL},
    {"next-run", 0, 0, G_OPTION_ARG_NONE, &option.next_run,
     "which run would narrow this prediction most", NULL},
    {"leave-one-out", 0, 0, G_OPTION_ARG_NONE, &option.leave_one_out,
     "every run against what the others say", NULL},
    {"emit-program", 0, 0, G_OPTION_ARG_NONE, &option.emit_program,
     "print the program this configuration runs", NULL},
    {"print-schema", 0, 0, G_OPTION_ARG_NONE, &option.print_schema,
     "print the JSON Schema of specs, for editors", NULL},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format, "table, json or tsv", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.spec, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static int print_help(const AtlasCli *cli) {
    g_autoptr(GString) out = g_string_new(
        "usage: atlas-sim [OPTION...] [SPEC]\n"
        "Predicts the kernel launches of a training step, stage by stage, with bounds.\n"
        "SPEC is a file, or a shipped spec's name (default: " ATLAS_DEFAULT_SPEC ").\n");
    atlas_cli_help(out, entries);
    g_string_append(out,
                    "exit status: 0 predicted; 2 usage or input error; 3 the runs do not tell\n");
    return atlas_cli_finish(cli, out->str, ATLAS_EXIT_PASS);
}

/* What was asked for, apart from the configuration. */
typedef struct {
    AtlasCli cli;
    AtlasRat lag, launch_us;
    AtlasWindow window;
    gboolean window_given;
    GArray *runs; /* of AtlasText */
} Request;

static void read_request(Request *request) {
    AtlasText text;
    request->launch_us = atlas_rat(ATLAS_LAUNCH_US);
    request->lag = ATLAS_RAT_NONE;
    atlas_cli_number(&request->cli, "--lag", option.lag, &request->lag);
    atlas_launch_us(&request->cli, option.launch_us, &request->launch_us);
    if (option.steps && atlas_cli_text(&request->cli, "--steps", option.steps, &text)) {
        request->window_given = atlas_window_parse(option.steps, &request->window);
        if (request->window_given && request->window.last > STEPS_MAX) {
            atlas_diags_error(request->cli.diags, text.at, "steps go up to %" G_GINT64_FORMAT,
                              STEPS_MAX);
        } else if (!request->window_given) {
            atlas_diags_error(request->cli.diags, text.at, "expected steps as A-B, not '%s'",
                              option.steps);
            atlas_diags_hint(request->cli.diags, "both are inclusive and A <= B: --steps 20-29");
        }
    }
    for (guint i = 0; option.runs && option.runs[i]; i++) {
        atlas_cli_file(&request->cli, "--runs", option.runs[i], &text);
        g_array_append_val(request->runs, text);
    }
}

/* ---- the program ---- */

/* Says why something is not known, and what would help. */
static void advise(AtlasStudy *study, const AtlasConfig *config) {
    if (!study->point) {
        fputs("atlas-sim: no whole numbers were found that explain all runs at this lag\n"
              "hint: state a greater counter lag, or declare what varies 'kind: real'\n",
              stderr);
        return;
    }
    g_autoptr(AtlasConfig) run =
        atlas_settling_run(study->evidence, config, study->lag, study->point);
    g_autofree char *label = atlas_config_describe(run);
    fprintf(stderr, "atlas-sim: the runs do not bound this prediction; a run of '%s' would\n",
            label);
}

static int print_views(AtlasStudy *study, const AtlasConfig *config, Request *request) {
    const AtlasWindow *window = request->window_given ? &request->window : NULL;
    g_autoptr(AtlasPrediction) p = atlas_predict(study, config, window, request->cli.diags);
    if (!p)
        return atlas_cli_problems(&request->cli);
    g_autoptr(AtlasDocument) document = atlas_document_new(study, p, request->launch_us, window);
    gboolean others =
        option.marginals || option.populations || option.next_run || option.leave_one_out;
    gboolean decided = p->decided || (others && !option.populations);
    if (!others || g_strcmp0(option.format, "json") == 0)
        atlas_document_add_stages(document);
    if (option.marginals)
        decided = atlas_document_add_marginals(document, request->cli.diags) && decided;
    if (option.populations)
        atlas_document_add_populations(document);
    if (option.next_run)
        atlas_document_add_next_run(document);
    if (option.leave_one_out)
        atlas_document_add_leave_one_out(document);
    if (atlas_diags_errors(request->cli.diags))
        return atlas_cli_problems(&request->cli);
    g_autofree char *text = atlas_document_render(document, option.format);
    int status = atlas_cli_finish(&request->cli, text, decided ? ATLAS_EXIT_PASS : ATLAS_EXIT_OPEN);
    if (status == ATLAS_EXIT_OPEN && !p->decided)
        advise(study, config);
    return status;
}

static int print_program(AtlasStudy *study, const AtlasConfig *config, Request *request) {
    g_autoptr(AtlasPrediction) p = atlas_predict(study, config, NULL, request->cli.diags);
    if (!p)
        return atlas_cli_problems(&request->cli);
    if (!p->decided) { /* a program launches what is known, and guesses nothing */
        advise(study, config);
        return ATLAS_EXIT_OPEN;
    }
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autoptr(GString) out = g_string_new(NULL);
    const AtlasProgram *program =
        atlas_lower(config, study->point->unknowns, file, request->cli.diags);
    if (!program)
        return atlas_cli_problems(&request->cli);
    atlas_program_write(program, out);
    return atlas_cli_finish(&request->cli, out->str, ATLAS_EXIT_PASS);
}

static int run(Request *request) {
    read_request(request);
    if (atlas_diags_errors(request->cli.diags))
        return atlas_cli_problems(&request->cli);
    const char *spec = option.spec ? option.spec[0] : ATLAS_DEFAULT_SPEC;
    g_autoptr(AtlasStudy) study =
        atlas_study_load(spec, request->runs, request->lag, request->cli.diags);
    if (atlas_diags_errors(request->cli.diags))
        return atlas_cli_problems(&request->cli);
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    atlas_config_options(config, &request->cli, option.toggles, option.sets);
    if (atlas_diags_errors(request->cli.diags))
        return atlas_cli_problems(&request->cli);
    return option.emit_program ? print_program(study, config, request)
                               : print_views(study, config, request);
}

/* Options that contradict each other or hold no value they can have. */
static int check_options(AtlasCli *cli) {
    int views = option.marginals + option.populations + option.next_run + option.leave_one_out;
    if (!atlas_cli_output(cli, option.format, option.color))
        return ATLAS_EXIT_USAGE;
    if (option.spec && option.spec[1])
        return atlas_cli_usage(cli, "one spec at a time, not '%s' and '%s'", option.spec[0],
                               option.spec[1]);
    if (g_strcmp0(option.format, "tsv") == 0 && views > 1)
        return atlas_cli_usage(cli, "--format tsv prints one table: ask for one view at a time");
    if ((option.toggles || option.sets) && views > 0 && g_strcmp0(option.format, "json") != 0 &&
        views == option.marginals + option.leave_one_out)
        return atlas_cli_usage(cli, "--marginals and --leave-one-out take no --toggle or --set");
    if (option.emit_program && option.steps)
        return atlas_cli_usage(cli, "--emit-program prints one step: --steps does not go with it");
    if (option.emit_program && (views || option.format))
        return atlas_cli_usage(cli, "--emit-program prints a program: no view or --format goes "
                                    "with it");
    return ATLAS_EXIT_PASS;
}

static int print_schema(const AtlasCli *cli) {
    g_autofree char *schema = atlas_spec_schema();
    return atlas_cli_finish(cli, schema, ATLAS_EXIT_PASS);
}

static int dispatch(Request *request) {
    int status = check_options(&request->cli);
    if (status != ATLAS_EXIT_PASS)
        return status;
    if (option.help)
        return print_help(&request->cli);
    if (option.version)
        return atlas_cli_finish(&request->cli, "atlas-sim " ATLAS_VERSION "\n", ATLAS_EXIT_PASS);
    return option.print_schema ? print_schema(&request->cli) : run(request);
}

int main(int argc, char **argv) {
    Request request = {.runs = g_array_new(FALSE, FALSE, sizeof(AtlasText))};
    atlas_cli_init(&request.cli, "atlas-sim");
    int status = atlas_cli_parse(&request.cli, entries, &argc, &argv) ? dispatch(&request)
                                                                      : ATLAS_EXIT_USAGE;
    g_array_unref(request.runs);
    atlas_cli_clear(&request.cli);
    return status;
}
