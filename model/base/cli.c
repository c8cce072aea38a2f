#include "model/base/cli.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "model/base/output.h"

void atlas_cli_init(AtlasCli *cli, const char *program) {
    *cli =
        (AtlasCli){program, NULL, g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free),
                   atlas_diags_new()};
}

void atlas_cli_clear(AtlasCli *cli) {
    atlas_diags_free(cli->diags);
    g_ptr_array_unref(cli->sources);
}

/* The values of one text option, as often as it was given. */
typedef struct {
    char **values;
    char **into; /* where the only one belongs */
    const char *name;
} Given;

/* Entries that take texts as the bytes they are (GLib would convert them from the locale, and
 * refuse what it cannot), and gather those that belong to one option. */
static GArray *raw_entries(const GOptionEntry *entries, Given *given) {
    GArray *raw = g_array_new(TRUE, TRUE, sizeof(GOptionEntry));
    for (const GOptionEntry *e = entries; e->long_name; e++) {
        GOptionEntry entry = *e;
        if (entry.arg == G_OPTION_ARG_STRING || entry.arg == G_OPTION_ARG_FILENAME) {
            *given = (Given){NULL, entry.arg_data, entry.long_name};
            entry.arg_data = &given++->values;
        }
        if (entry.arg != G_OPTION_ARG_NONE)
            entry.arg = G_OPTION_ARG_FILENAME_ARRAY;
        g_array_append_val(raw, entry);
    }
    return raw;
}

/* Takes the only value of each option; FALSE where one has two, of which neither counts. */
static gboolean take_values(const AtlasCli *cli, Given *given) {
    gboolean ok = TRUE;
    for (; given->name; given++) {
        if (!given->values)
            continue;
        if (ok && given->values[1])
            atlas_cli_usage(cli, "--%s is given twice: '%s' and '%s'", given->name,
                            given->values[0], given->values[1]);
        ok = ok && !given->values[1];
        *given->into = g_strdup(given->values[0]);
        g_strfreev(given->values);
    }
    return ok;
}

gboolean atlas_cli_parse(const AtlasCli *cli, const GOptionEntry *entries, int *argc,
                         char ***argv) {
    g_autoptr(GError) error = NULL;
    guint count = 0;
    while (entries[count].long_name)
        count++;
    g_autofree Given *given = g_new0(Given, count + 1);
    g_autoptr(GArray) raw = raw_entries(entries, given);
    g_autoptr(GOptionContext) context = g_option_context_new(NULL);
    g_option_context_set_help_enabled(context, FALSE); /* help is printed from the same table */
    g_option_context_add_main_entries(context, (const GOptionEntry *)(gpointer)raw->data, NULL);
    if (!g_option_context_parse(context, argc, argv, &error)) {
        gboolean in = strstr(error->message, " -@") != NULL;
        atlas_cli_usage(cli, "%s%s", error->message,
                        in ? ": standard input with a configuration stands behind '--'" : "");
        return FALSE;
    }
    return take_values(cli, given);
}

void atlas_cli_help(GString *out, const GOptionEntry *entries) {
    static const AtlasCliHeading none = {NULL, NULL};
    atlas_cli_help_grouped(out, entries, &none);
}

void atlas_cli_help_grouped(GString *out, const GOptionEntry *entries,
                            const AtlasCliHeading *headings) {
    for (const GOptionEntry *e = entries; e->description; e++) {
        for (const AtlasCliHeading *h = headings; h->option; h++)
            if (g_str_equal(h->option, e->long_name))
                g_string_append_printf(out, "\n%s:\n", h->heading);
        const char *arg = e->arg_description;
        g_autofree char *name =
            g_strdup_printf("--%s%s%s", e->long_name, arg ? " " : "", arg ? arg : "");
        char letter[5] = "    ";
        if (e->short_name)
            g_snprintf(letter, sizeof letter, "-%c, ", e->short_name);
        g_string_append_printf(out, "  %s%-17s %s\n", letter, name, e->description);
    }
}

int atlas_cli_usage(const AtlasCli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *message = g_strdup_vprintf(format, args);
    va_end(args);
    fprintf(stderr, "%s: %s\nhint: %s --help lists the options\n", cli->program, message,
            cli->program);
    return ATLAS_EXIT_USAGE;
}

void atlas_cli_notice(const AtlasCli *cli, const char *format, ...) {
    va_list args;
    va_start(args, format);
    g_autofree char *text = atlas_diags_safe(g_strdup_vprintf(format, args));
    va_end(args);
    fprintf(stderr, "%s: %s\n", cli->program, text);
}

int atlas_cli_problems(const AtlasCli *cli) {
    g_autofree char *text =
        atlas_diags_render(cli->diags, atlas_output_colour(STDERR_FILENO, cli->color));
    fputs(text, stderr);
    return ATLAS_EXIT_USAGE;
}

int atlas_cli_finish(const AtlasCli *cli, const char *text, int status) {
    if (atlas_output_write(text))
        return status;
    fprintf(stderr, "%s: cannot write the output: %s\n", cli->program, g_strerror(errno));
    return ATLAS_EXIT_USAGE;
}

gboolean atlas_cli_text(AtlasCli *cli, const char *option, const char *value, AtlasText *text) {
    GError *error = NULL;
    AtlasSource *source = atlas_source_new(option, value, strlen(value), &error);
    if (!source) {
        atlas_diags_take(cli->diags, error);
        return FALSE;
    }
    g_ptr_array_add(cli->sources, source);
    *text = (AtlasText){atlas_source_text(source), {source, 0, strlen(value)}};
    return TRUE;
}

void atlas_cli_file(AtlasCli *cli, const char *option, const char *value, AtlasText *text) {
    g_autofree char *valid = g_utf8_make_valid(value, -1);
    AtlasSource *source = atlas_source_new(option, valid, strlen(valid), NULL);
    g_ptr_array_add(cli->sources, source);
    *text = (AtlasText){value, {source, 0, strlen(valid)}};
}

static void number_problem(AtlasCli *cli, const AtlasText *text) {
    atlas_diags_error(cli->diags, text->at, "expected a decimal number >= 0, not '%s'", text->text);
    atlas_diags_hint(cli->diags, "digits and at most one point, no exponent, below 9.2e18");
}

void atlas_cli_number(AtlasCli *cli, const char *option, const char *value, AtlasRat *number) {
    AtlasText text;
    if (!value || !atlas_cli_text(cli, option, value, &text))
        return;
    *number = atlas_rat_parse(value, strlen(value), NULL);
    if (!atlas_rat_ok(*number) || number->num < 0)
        number_problem(cli, &text);
}

gboolean atlas_cli_word(const AtlasCli *cli, const char *option, const char *value,
                        const char *const *words) {
    if (!value || g_strv_contains(words, value))
        return TRUE;
    g_autofree char *all = g_strjoinv(", ", (char **)words);
    atlas_cli_usage(cli, "%s is one of %s, not '%s'", option, all, value);
    return FALSE;
}

gboolean atlas_cli_output(AtlasCli *cli, const char *format, const char *color) {
    static const char *const formats[] = {"table", "json", "tsv", NULL};
    static const char *const colours[] = {"auto", "always", "never", NULL};
    cli->color = color;
    return atlas_cli_word(cli, "--format", format, formats) &&
           atlas_cli_word(cli, "--color", color, colours);
}
