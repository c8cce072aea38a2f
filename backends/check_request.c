/* The values of atlas-check's options. */
#include <string.h>

#include "backends/check.h"
#include "model/check/budget.h"
#include "model/launch/locate.h"
#include "sim/report.h"

/* Whether a positional argument is a spec: a shipped one's name, or a file with the key `atlas`. */
static gboolean is_spec(const char *name) {
    g_autofree char *path = atlas_spec_locate(name, NULL), *text = NULL;
    if (!path || g_str_equal(path, "-") || !g_file_get_contents(path, &text, NULL, NULL))
        return FALSE;
    return g_str_has_prefix(text, "atlas:") || strstr(text, "\natlas:") != NULL;
}

static void read_files(CheckRequest *request) {
    AtlasText text;
    guint i = 0;
    request->spec = ATLAS_DEFAULT_SPEC;
    if (request->option->files &&
        (!request->backend || !request->backend->reads_files || is_spec(request->option->files[0])))
        request->spec = request->option->files[i++];
    for (; request->option->files && request->option->files[i]; i++)
        if (atlas_cli_text(&request->cli, "FILE", request->option->files[i], &text))
            g_array_append_val(request->files, text);
}

static void read_change(CheckRequest *request, const char *value) {
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

void check_request_read(CheckRequest *request) {
    AtlasText text;
    AtlasRat seed = atlas_rat(1);
    request->lag = request->counter_lag = ATLAS_RAT_NONE;
    request->launch_us = atlas_rat(ATLAS_LAUNCH_US);
    read_files(request);
    atlas_cli_number(&request->cli, "--lag", request->option->lag, &request->lag);
    atlas_cli_number(&request->cli, "--counter-lag", request->option->counter_lag,
                     &request->counter_lag);
    atlas_cli_number(&request->cli, "--launch-us", request->option->launch_us, &request->launch_us);
    atlas_cli_number(&request->cli, "--seed", request->option->seed, &seed);
    request->seed = (guint64)atlas_rat_floor(seed).num;
    for (guint i = 0; request->option->changes && request->option->changes[i]; i++)
        read_change(request, request->option->changes[i]);
    for (guint i = 0; request->option->abouts && request->option->abouts[i]; i++)
        read_about(request, request->option->abouts[i]);
    if (!request->option->steps ||
        !atlas_cli_text(&request->cli, "--steps", request->option->steps, &text))
        return;
    request->window_given = atlas_window_parse(request->option->steps, &request->window);
    if (!request->window_given)
        atlas_diags_error(request->cli.diags, text.at, "expected steps as A-B, not '%s'",
                          request->option->steps);
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
                              .changes = g_array_new(FALSE, FALSE, sizeof(AtlasChange)),
                              .abouts = g_array_new(FALSE, FALSE, sizeof(CheckAbout)),
                              .names = g_ptr_array_new_with_free_func(g_free)};
    atlas_cli_init(&request->cli, "atlas-check");
}

void check_request_clear(CheckRequest *request) {
    g_array_unref(request->files);
    g_array_unref(request->changes);
    g_array_unref(request->abouts);
    g_ptr_array_unref(request->names);
    atlas_cli_clear(&request->cli);
}
