/* atlas-sim: predicts what a training step launches under toggles. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/base/output.h"
#include "model/base/version.h"
#include "model/launch/locate.h"
#include "model/launch/lower.h"
#include "model/solve/next.h"
#include "sim/document.h"

enum { EXIT_DECIDED = 0, EXIT_USAGE = 2, EXIT_UNDECIDED = 3 };

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

static void print_help(GString *out) {
    g_string_append(
        out, "usage: atlas-sim [OPTION...] [SPEC]\n"
             "Predicts the kernel launches of a training step, stage by stage, with bounds.\n"
             "SPEC is a file, or a shipped spec's name (default: " ATLAS_DEFAULT_SPEC ").\n");
    for (const GOptionEntry *e = entries; e->description; e++) {
        const char *arg = e->arg_description;
        g_autofree char *name =
            g_strdup_printf("--%s%s%s", e->long_name, arg ? " " : "", arg ? arg : "");
        char letter[5] = "    ";
        if (e->short_name)
            g_snprintf(letter, sizeof letter, "-%c, ", e->short_name);
        g_string_append_printf(out, "  %s%-17s %s\n", letter, name, e->description);
    }
    g_string_append(out,
                    "exit status: 0 predicted; 2 usage or input error; 3 the runs do not tell\n");
}

/* ---- problems ---- */

static int usage(const char *format, ...) G_GNUC_PRINTF(1, 2);
static int usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    fprintf(stderr, "atlas-sim: %s\nhint: atlas-sim --help lists the options\n", message);
    return EXIT_USAGE;
}

static int show(const AtlasDiags *diags) {
    g_autofree char *text =
        atlas_diags_render(diags, atlas_output_colour(STDERR_FILENO, option.color));
    fputs(text, stderr);
    return EXIT_USAGE;
}

static int finish(const char *text, int status) {
    if (atlas_output_write(text))
        return status;
    fprintf(stderr, "atlas-sim: cannot write the output: %s\n", g_strerror(errno));
    return EXIT_USAGE;
}

/* ---- what was asked for ---- */

/* Texts given on the command line, as sources of their own so that problems show their place. */
typedef struct {
    GPtrArray *sources; /* of AtlasSource* */
    AtlasDiags *diags;
    AtlasRat lag, launch_us;
    AtlasWindow window;
    gboolean window_given;
    GArray *runs; /* of AtlasText */
} Request;

static gboolean as_text(Request *request, const char *name, const char *value, AtlasText *text) {
    GError *error = NULL;
    AtlasSource *source = atlas_source_new(name, value, strlen(value), &error);
    if (!source) {
        atlas_diags_take(request->diags, error);
        return FALSE;
    }
    g_ptr_array_add(request->sources, source);
    *text = (AtlasText){atlas_source_text(source), {source, 0, strlen(value)}};
    return TRUE;
}

static void read_number(Request *request, const char *name, const char *value, AtlasRat *number) {
    AtlasText text;
    if (!value || !as_text(request, name, value, &text))
        return;
    *number = atlas_rat_parse(value, strlen(value), NULL);
    if (atlas_rat_ok(*number) && number->num >= 0)
        return;
    atlas_diags_error(request->diags, text.at, "expected a decimal number >= 0, not '%s'", value);
}

static void read_request(Request *request) {
    AtlasText text;
    request->launch_us = atlas_rat(24); /* the study's price of one launch */
    request->lag = ATLAS_RAT_NONE;
    read_number(request, "--lag", option.lag, &request->lag);
    read_number(request, "--launch-us", option.launch_us, &request->launch_us);
    if (option.steps && as_text(request, "--steps", option.steps, &text)) {
        request->window_given = atlas_window_parse(option.steps, &request->window);
        if (!request->window_given) {
            atlas_diags_error(request->diags, text.at, "expected steps as A-B, not '%s'",
                              option.steps);
            atlas_diags_hint(request->diags, "both are inclusive and A <= B: --steps 20-29");
        }
    }
    for (guint i = 0; option.runs && option.runs[i]; i++)
        if (as_text(request, "--runs", option.runs[i], &text))
            g_array_append_val(request->runs, text);
}

static void read_settings(Request *request, AtlasConfig *config) {
    AtlasText text;
    for (guint i = 0; option.toggles && option.toggles[i]; i++)
        if (as_text(request, "--toggle", option.toggles[i], &text))
            atlas_config_apply(config, &text, request->diags);
    for (guint i = 0; option.sets && option.sets[i]; i++)
        if (as_text(request, "--set", option.sets[i], &text))
            atlas_config_apply(config, &text, request->diags);
    if (atlas_diags_errors(request->diags) == 0)
        atlas_config_finish(config, request->diags);
}

/* ---- the program ---- */

static void advise(AtlasStudy *study, const AtlasConfig *config) {
    g_autoptr(AtlasConfig) run =
        atlas_settling_run(study->evidence, config, study->lag, study->point);
    g_autofree char *label = atlas_config_describe(run);
    fprintf(stderr, "atlas-sim: the runs do not bound this prediction; a run of '%s' would\n",
            label);
}

static int print_views(AtlasStudy *study, const AtlasConfig *config, Request *request) {
    const AtlasWindow *window = request->window_given ? &request->window : NULL;
    g_autoptr(AtlasPrediction) p = atlas_predict(study, config, window, request->diags);
    if (!p)
        return show(request->diags);
    g_autoptr(AtlasDocument) document = atlas_document_new(study, p, request->launch_us, window);
    gboolean others =
        option.marginals || option.populations || option.next_run || option.leave_one_out;
    gboolean decided = p->decided || (others && !option.populations);
    if (!others || g_strcmp0(option.format, "json") == 0)
        atlas_document_add_stages(document);
    if (option.marginals)
        decided = atlas_document_add_marginals(document, request->diags) && decided;
    if (option.populations)
        atlas_document_add_populations(document);
    if (option.next_run)
        atlas_document_add_next_run(document);
    if (option.leave_one_out)
        atlas_document_add_leave_one_out(document);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    g_autofree char *text = atlas_document_render(document, option.format);
    int status = finish(text, decided ? EXIT_DECIDED : EXIT_UNDECIDED);
    if (status == EXIT_UNDECIDED && !p->decided)
        advise(study, config);
    return status;
}

static int print_program(const AtlasStudy *study, const AtlasConfig *config, Request *request) {
    if (!study->point)
        return usage(
            "no whole numbers are known that explain the runs: there is no program to print");
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    GString *out = g_string_new(NULL);
    const AtlasProgram *program = atlas_lower(config, study->point->unknowns, file, request->diags);
    if (program)
        atlas_program_write(program, out);
    int status = program ? finish(out->str, EXIT_DECIDED) : show(request->diags);
    g_string_free(out, TRUE);
    return status;
}

static int run(Request *request) {
    read_request(request);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    const char *spec = option.spec ? option.spec[0] : ATLAS_DEFAULT_SPEC;
    g_autoptr(AtlasStudy) study =
        atlas_study_load(spec, request->runs, request->lag, request->diags);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    g_autoptr(AtlasConfig) config = atlas_config_new(study->model);
    read_settings(request, config);
    if (atlas_diags_errors(request->diags))
        return show(request->diags);
    return option.emit_program ? print_program(study, config, request)
                               : print_views(study, config, request);
}

/* Options that contradict each other or hold no value they can have. */
static int check_options(void) {
    static const char *const formats[] = {"table", "json", "tsv", NULL};
    static const char *const colours[] = {"auto", "always", "never", NULL};
    int views = option.marginals + option.populations + option.next_run + option.leave_one_out;
    if (option.spec && option.spec[1])
        return usage("one spec at a time, not '%s' and '%s'", option.spec[0], option.spec[1]);
    if (option.format && !g_strv_contains(formats, option.format))
        return usage("--format is table, json or tsv, not '%s'", option.format);
    if (option.color && !g_strv_contains(colours, option.color))
        return usage("--color is auto, always or never, not '%s'", option.color);
    if (g_strcmp0(option.format, "tsv") == 0 && views > 1)
        return usage("--format tsv prints one table: ask for one view at a time");
    if (option.emit_program && (views || option.format))
        return usage("--emit-program prints a program: no view or --format goes with it");
    return EXIT_DECIDED;
}

int main(int argc, char **argv) {
    g_autoptr(GError) error = NULL;
    GOptionContext *context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE);
    g_option_context_add_main_entries(context, entries, NULL);
    gboolean parsed = g_option_context_parse(context, &argc, &argv, &error);
    g_option_context_free(context);
    if (!parsed)
        return usage("%s", error->message);
    int status = check_options();
    if (status != EXIT_DECIDED)
        return status;
    if (option.help || option.version || option.print_schema) {
        GString *out = g_string_new(NULL);
        g_autofree char *schema = option.print_schema ? atlas_spec_schema() : NULL;
        if (option.help)
            print_help(out);
        else
            g_string_append(out, schema ? schema : "atlas-sim " ATLAS_VERSION "\n");
        status = finish(out->str, EXIT_DECIDED);
        g_string_free(out, TRUE);
        return status;
    }
    Request request = {.sources = g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free),
                       .diags = atlas_diags_new(),
                       .runs = g_array_new(FALSE, FALSE, sizeof(AtlasText))};
    status = run(&request);
    atlas_diags_free(request.diags);
    g_array_unref(request.runs);
    g_ptr_array_unref(request.sources);
    return status;
}
