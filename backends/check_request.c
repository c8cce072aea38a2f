/* The values of atlas-check's options. */
#include <stdio.h>
#include <string.h>

#include <glib/gstdio.h>

#include "backends/check.h"
#include "graphs/plan.h"
#include "model/check/budget.h"
#include "model/launch/locate.h"
#include "sim/report.h"

/* The most that an option may say that counts something. */
enum { WHOLE_MOST = 1000000 };

/* Whether a text is a spec's: its root has the key `atlas`. */
static gboolean has_key(const char *text) {
    return g_str_has_prefix(text, "atlas:") || strstr(text, "\natlas:") != NULL;
}

/* Whether a positional argument is a spec: a shipped one's name, or a file with the key `atlas` in
 * its first part. A measurement may be longer than memory, or a pipe, which is read once. */
static gboolean is_spec(const char *name) {
    enum { PART = 1 << 20 };
    g_autofree char *path = atlas_spec_locate(name, NULL), *text = g_malloc0(PART + 1);
    gboolean regular = path && g_file_test(path, G_FILE_TEST_IS_REGULAR);
    FILE *file = regular ? g_fopen(path, "rb") : NULL;
    gboolean is = file && fread(text, 1, PART, file) > 0 && has_key(text);
    if (file)
        fclose(file);
    return is;
}

/* A word that is no file reads as a spec's name. */
static gboolean is_misspelt_spec(const char *name) {
    return !g_str_equal(name, "-") && !strpbrk(name, "/.@") &&
           !g_file_test(name, G_FILE_TEST_EXISTS);
}

/* A spec and measurements of it, for backends that read those. */
static void read_measurements(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    AtlasText text;
    char **files = request->option->files;
    GError *error = NULL;
    guint i = 0;
    if (is_spec(files[0])) {
        request->spec = files[i++];
    } else if (is_misspelt_spec(files[0])) {
        g_free(atlas_spec_locate(files[0], &error));
        atlas_diags_take(diags, error);
        return;
    }
    for (; files[i]; i++) {
        atlas_cli_file(&request->cli, "FILE@CONFIG", files[i], &text);
        g_array_append_val(request->files, text);
    }
    if (request->files->len > 0 || atlas_diags_errors(diags))
        return;
    atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "--backend %s needs a FILE to judge by '%s'",
                      request->backend->name, request->spec);
    atlas_diags_hint(diags,
                     "a log or a run table of what was measured: FILE or FILE@CONFIGURATION");
}

static void add_spec(CheckRequest *request, const char *name, AtlasSource *source, guint *specs) {
    if (++*specs == 1) {
        request->spec = name;
        request->spec_source = source;
        return;
    }
    atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                      "one spec at a time, not '%s' and '%s'", request->spec, name);
    if (source)
        atlas_source_free(source);
}

/* Takes a positional argument for what it is: a program, or a spec where its root has the key
 * `atlas` or its name says so. Each is read once, since it may be a pipe. */
static void read_input(CheckRequest *request, const char *name, guint *specs) {
    GError *error = NULL;
    gboolean is_file = strchr(name, '/') || (strchr(name, '.') && !g_str_has_suffix(name, ".yaml"));
    g_autofree char *path = is_file ? g_strdup(name) : atlas_spec_locate(name, &error);
    gboolean shipped = path && !g_str_equal(path, name);
    AtlasSource *source = path && !shipped ? atlas_source_load(path, &error) : NULL;
    if (error)
        atlas_diags_take(request->cli.diags, error);
    else if (shipped || g_str_has_suffix(name, ".yaml") || has_key(atlas_source_text(source)))
        add_spec(request, name, source, specs);
    else
        g_ptr_array_add(request->programs, source);
}

static void read_inputs(CheckRequest *request) {
    AtlasDiags *diags = request->cli.diags;
    guint specs = 0, standard = 0;
    for (char **name = request->option->files; name && *name; name++) {
        standard += g_str_equal(*name, "-");
        if (standard == 2)
            atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0},
                              "standard input ('-') can be read only once");
        else
            read_input(request, *name, &specs);
        if (standard == 2)
            break;
    }
    if (specs > 0 && (request->programs->len > 0 || request->option->random)) {
        const char *program = request->programs->len > 0
                                  ? atlas_source_path(g_ptr_array_index(request->programs, 0))
                                  : "--random";
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "'%s' is a spec, and '%s' is none",
                          request->spec, program);
        atlas_diags_hint(diags, "atlas-sim --emit-program writes the program of a spec; specs and "
                                "programs are checked apart");
    }
}

static void read_change(CheckRequest *request, const char *part, AtlasSpan at) {
    const char *equals = strrchr(part, '=');
    const char *by = equals ? equals + 1 : "";
    AtlasRat number = atlas_rat_parse(*by == '+' ? by + 1 : by, strlen(by) - (*by == '+'), NULL);
    if (!atlas_rat_is_whole(number)) {
        atlas_diags_error(request->cli.diags, at, "expected POPULATION=N, not '%s'", part);
        atlas_diags_hint(request->cli.diags, "for example fwd.main.kda=+1: a whole number of "
                                             "launches, below 9.2e18, digits only");
        return;
    }
    char *name = g_strndup(part, (gsize)(equals - part));
    AtlasChange change = {name, number.num, at};
    g_ptr_array_add(request->names, name);
    g_array_append_val(request->changes, change);
}

/* "fwd.main.kda=+1,opt.kda=-2" */
static void read_changes(CheckRequest *request, const char *value) {
    AtlasText text;
    if (!atlas_cli_text(&request->cli, "--change", value, &text))
        return;
    g_auto(GStrv) parts = g_strsplit(value, ",", -1);
    gsize from = text.at.start;
    for (guint i = 0; parts[i]; i++) {
        AtlasSpan at = {text.at.source, from, from + strlen(parts[i])};
        read_change(request, parts[i], at);
        from = at.end + 1;
    }
}

static void read_texts(CheckRequest *request, const char *option, char **values, GArray *into) {
    AtlasText text;
    for (guint i = 0; values && values[i]; i++)
        if (atlas_cli_text(&request->cli, option, values[i], &text))
            g_array_append_val(into, text);
}

static void read_about(CheckRequest *request, const char *value) {
    AtlasText text;
    const char *equals = strchr(value, '=');
    if (!atlas_cli_text(&request->cli, "--about", value, &text))
        return;
    if (!equals) {
        atlas_diags_error(request->cli.diags, text.at, "expected KEY=VALUE, not '%s'", value);
        atlas_diags_hint(request->cli.diags, "for example device='NVIDIA H200', or counted=calls");
        return;
    }
    CheckAbout about = {g_strndup(value, (gsize)(equals - value)), equals + 1, text.at};
    g_ptr_array_add(request->names, (gpointer)about.key);
    g_array_append_val(request->abouts, about);
}

/* A whole number from 1 to `most` where the option was given. */
static gint64 read_up_to(CheckRequest *request, const char *name, const char *value, gint64 most,
                         gint64 otherwise) {
    AtlasText text;
    if (!value || !atlas_cli_text(&request->cli, name, value, &text))
        return otherwise;
    AtlasRat number = atlas_rat_parse(value, strlen(value), NULL);
    if (atlas_rat_is_whole(number) && number.num >= 1 && number.num <= most)
        return number.num;
    atlas_diags_error(request->cli.diags, text.at,
                      "expected a whole number from 1 to %" G_GINT64_FORMAT ", not '%s'", most,
                      value);
    return otherwise;
}

static gint64 read_whole(CheckRequest *request, const char *name, const char *value,
                         gint64 otherwise) {
    return read_up_to(request, name, value, WHOLE_MOST, otherwise);
}

/* No number where it was not given. */
static AtlasRat read_optional(CheckRequest *request, const char *name, const char *value,
                              gint64 most) {
    return value ? atlas_rat(read_up_to(request, name, value, most, 1)) : ATLAS_RAT_NONE;
}

static guint64 read_seed(CheckRequest *request) {
    AtlasText text;
    const char *value = request->option->seed;
    if (!value || !atlas_cli_text(&request->cli, "--seed", value, &text))
        return 1;
    AtlasRat seed = atlas_rat_parse(value, strlen(value), NULL);
    if (atlas_rat_is_whole(seed) && seed.num >= 0)
        return (guint64)seed.num;
    atlas_diags_error(request->cli.diags, text.at, "expected a whole number >= 0, not '%s'", value);
    return 1;
}

void check_request_read(CheckRequest *request) {
    AtlasText text;
    request->lag = request->counter_lag = ATLAS_RAT_NONE;
    request->launch_us = atlas_rat(ATLAS_LAUNCH_US);
    request->spec = ATLAS_DEFAULT_SPEC;
    if (request->backend && request->backend->reads_files)
        read_measurements(request);
    else
        read_inputs(request);
    request->random = (guint)read_whole(request, "--random", request->option->random, 0);
    request->depth = read_whole(request, "--depth", request->option->depth, 0);
    request->kernel_us = (guint64)read_whole(request, "--kernel-us", request->option->kernel_us, 0);
    request->driver.jobs = (guint)read_whole(request, "--jobs", request->option->jobs, 0);
    request->driver.sharing = (guint)read_whole(request, "--sharing", request->option->sharing, 0);
    request->driver.limit_s = (guint)read_whole(request, "--time-limit", request->option->limit, 0);
    atlas_cli_number(&request->cli, "--lag", request->option->lag, &request->lag);
    atlas_cli_number(&request->cli, "--counter-lag", request->option->counter_lag,
                     &request->counter_lag);
    atlas_launch_us(&request->cli, request->option->launch_us, &request->launch_us);
    request->plan_steps =
        read_optional(request, "--plan-steps", request->option->plan_steps, WHOLE_MOST);
    request->plan_nodes =
        read_optional(request, "--plan-nodes", request->option->plan_nodes, WHOLE_MOST);
    request->plan_graphs = read_optional(request, "--plan-graphs", request->option->plan_graphs,
                                         ATLAS_PLAN_GRAPHS_MAX);
    request->seed = read_seed(request);
    for (guint i = 0; request->option->changes && request->option->changes[i]; i++)
        read_changes(request, request->option->changes[i]);
    read_texts(request, "--stage-map", request->option->stage_maps, request->stage_maps);
    read_texts(request, "--arm-map", request->option->arm_maps, request->arm_maps);
    for (guint i = 0; request->option->abouts && request->option->abouts[i]; i++)
        read_about(request, request->option->abouts[i]);
    if (!request->option->steps ||
        !atlas_cli_text(&request->cli, "--steps", request->option->steps, &text))
        return;
    request->window_given = atlas_window_parse(request->option->steps, &request->window);
    if (request->window_given)
        return;
    atlas_diags_error(request->cli.diags, text.at, "expected steps as A-B, not '%s'",
                      request->option->steps);
    atlas_diags_hint(request->cli.diags, ATLAS_WINDOW_HINT);
}

GArray *check_budgets(CheckRequest *request, const AtlasModel *model) {
    GArray *budgets = g_array_new(FALSE, FALSE, sizeof(AtlasBudget));
    AtlasText text;
    for (guint i = 0; request->option->budgets && request->option->budgets[i]; i++)
        if (atlas_cli_text(&request->cli, "--budget", request->option->budgets[i], &text))
            atlas_budgets_parse(&text, model, budgets, request->cli.diags);
    return budgets;
}

void check_request_init(CheckRequest *request, const CheckOptions *option) {
    *request = (CheckRequest){.option = option,
                              .files = g_array_new(FALSE, FALSE, sizeof(AtlasText)),
                              .stage_maps = g_array_new(FALSE, FALSE, sizeof(AtlasText)),
                              .arm_maps = g_array_new(FALSE, FALSE, sizeof(AtlasText)),
                              .changes = g_array_new(FALSE, FALSE, sizeof(AtlasChange)),
                              .abouts = g_array_new(FALSE, FALSE, sizeof(CheckAbout)),
                              .programs =
                                  g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free),
                              .names = g_ptr_array_new_with_free_func(g_free)};
    atlas_cli_init(&request->cli, "atlas-check");
}

void check_request_clear(CheckRequest *request) {
    g_array_unref(request->files);
    g_array_unref(request->stage_maps);
    g_array_unref(request->arm_maps);
    g_ptr_array_unref(request->programs);
    if (request->spec_source)
        atlas_source_free(request->spec_source);
    g_array_unref(request->changes);
    g_array_unref(request->abouts);
    g_ptr_array_unref(request->names);
    g_free(request->notice);
    atlas_cli_clear(&request->cli);
}
