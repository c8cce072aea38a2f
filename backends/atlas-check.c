/* atlas-check: judges what a spec claims. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "model/base/output.h"
#include "model/base/version.h"
#include "model/check/claims.h"
#include "model/launch/locate.h"

enum { EXIT_PASS = 0, EXIT_FAIL = 1, EXIT_USAGE = 2, EXIT_INCONCLUSIVE = 3 };

static struct {
    char **spec;
    char *lag, *format, *color;
    gboolean claims, all, version, help;
} option;

/* The one table of options: parsing and --help both come from it. */
static const GOptionEntry entries[] = {
    {"claims", 0, 0, G_OPTION_ARG_NONE, &option.claims,
     "check the statements of the spec's claims file (the default)", NULL},
    {"all", 'a', 0, G_OPTION_ARG_NONE, &option.all,
     "show every check, not only what fails or is open", NULL},
    {"lag", 0, 0, G_OPTION_ARG_STRING, &option.lag,
     "the counter's greatest lag, instead of the spec's", "L"},
    {"format", 'f', 0, G_OPTION_ARG_STRING, &option.format, "table, json or tsv", "F"},
    {"color", 0, 0, G_OPTION_ARG_STRING, &option.color, "auto, always or never", "WHEN"},
    {"version", 0, 0, G_OPTION_ARG_NONE, &option.version, "print the version", NULL},
    {"help", 'h', 0, G_OPTION_ARG_NONE, &option.help, "print this help", NULL},
    {G_OPTION_REMAINING, 0, 0, G_OPTION_ARG_STRING_ARRAY, &option.spec, NULL, NULL},
    {NULL, 0, 0, 0, NULL, NULL, NULL},
};

static void print_help(GString *out) {
    g_string_append(out, "usage: atlas-check [OPTION...] [SPEC]\n"
                         "Judges the statements of SPEC's claims file by the runs it names.\n"
                         "SPEC is a file, or a shipped spec's name (default: " ATLAS_DEFAULT_SPEC
                         ").\n");
    for (const GOptionEntry *e = entries; e->description; e++) {
        const char *arg = e->arg_description;
        g_autofree char *name =
            g_strdup_printf("--%s%s%s", e->long_name, arg ? " " : "", arg ? arg : "");
        char letter[5] = "    ";
        if (e->short_name)
            g_snprintf(letter, sizeof letter, "-%c, ", e->short_name);
        g_string_append_printf(out, "  %s%-17s %s\n", letter, name, e->description);
    }
    g_string_append(out, "exit status: 0 all pass; 1 one fails; 2 usage or input error; 3 none "
                         "fails, one is\ninconclusive\n");
}

/* ---- problems ---- */

static int usage(const char *format, ...) G_GNUC_PRINTF(1, 2);
static int usage(const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    fprintf(stderr, "atlas-check: %s\nhint: atlas-check --help lists the options\n", message);
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
    fprintf(stderr, "atlas-check: cannot write the output: %s\n", g_strerror(errno));
    return EXIT_USAGE;
}

/* ---- the check ---- */

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

static int print_result(const AtlasResult *result) {
    static const int statuses[ATLAS_VERDICTS] = {[ATLAS_PASS] = EXIT_PASS,
                                                 [ATLAS_FAIL] = EXIT_FAIL,
                                                 [ATLAS_INCONCLUSIVE] = EXIT_INCONCLUSIVE};
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
        text = atlas_result_render(result, "claims", option.all,
                                   atlas_output_colour(STDOUT_FILENO, option.color));
    }
    return finish(text, statuses[atlas_result_verdict(result)]);
}

static int check_claims(AtlasStudy *study, AtlasDiags *diags) {
    g_autoptr(AtlasSource) source = load_claims(study, diags);
    g_autoptr(AtlasClaims) claims = source ? atlas_claims_read(source, diags) : NULL;
    g_autoptr(AtlasResult) result = atlas_result_new();
    if (claims)
        atlas_claims_evaluate(claims, study, result, diags);
    return atlas_diags_errors(diags) ? show(diags) : print_result(result);
}

static int run(AtlasDiags *diags) {
    AtlasRat lag = ATLAS_RAT_NONE;
    if (option.lag) {
        lag = atlas_rat_parse(option.lag, strlen(option.lag), NULL);
        if (!atlas_rat_ok(lag) || lag.num < 0)
            return usage("--lag is a decimal number >= 0, not '%s'", option.lag);
    }
    const char *spec = option.spec ? option.spec[0] : ATLAS_DEFAULT_SPEC;
    g_autoptr(AtlasStudy) study = atlas_study_load(spec, NULL, lag, diags);
    return atlas_diags_errors(diags) ? show(diags) : check_claims(study, diags);
}

/* Options that hold no value they can have. */
static int check_options(void) {
    static const char *const formats[] = {"table", "json", "tsv", NULL};
    static const char *const colours[] = {"auto", "always", "never", NULL};
    if (option.spec && option.spec[1])
        return usage("one spec at a time, not '%s' and '%s'", option.spec[0], option.spec[1]);
    if (option.format && !g_strv_contains(formats, option.format))
        return usage("--format is table, json or tsv, not '%s'", option.format);
    if (option.color && !g_strv_contains(colours, option.color))
        return usage("--color is auto, always or never, not '%s'", option.color);
    return EXIT_PASS;
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
    if (status != EXIT_PASS)
        return status;
    if (option.help || option.version) {
        GString *out = g_string_new(NULL);
        if (option.help)
            print_help(out);
        else
            g_string_append(out, "atlas-check " ATLAS_VERSION "\n");
        status = finish(out->str, EXIT_PASS);
        g_string_free(out, TRUE);
        return status;
    }
    AtlasDiags *diags = atlas_diags_new();
    status = run(diags);
    atlas_diags_free(diags);
    return status;
}
