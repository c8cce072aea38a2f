/* Files that are written: never over something that is read, or that is something else. */
#include <string.h>

#include "backends/check.h"
#include "model/base/output.h"

/* What a command reads, beside the output that must be none of it. */
typedef struct {
    const char *output;
    AtlasDiags *diags;
    gboolean clear;
} Guard;

/* The same file under another name is the same file. */
static void guard(Guard *g, const char *input) {
    if (!g->clear || !input || !atlas_output_same_file(g->output, input))
        return;
    atlas_diags_error(g->diags, (AtlasSpan){NULL, 0, 0},
                      "'%s' is read by this command, and would be overwritten", g->output);
    atlas_diags_hint(g->diags, "name another file to write");
    g->clear = FALSE;
}

static void guard_logs(Guard *g, AtlasRuns *runs) {
    for (guint i = 0; i < atlas_runs_count(runs); i++)
        guard(g, atlas_runs_get(runs, i)->log);
}

static void guard_sources(Guard *g, const GPtrArray *sources) {
    for (guint i = 0; i < sources->len; i++)
        guard(g, atlas_source_path(g_ptr_array_index(sources, i)));
}

gboolean check_output(CheckRequest *request, const AtlasStudy *study, AtlasRuns *measured,
                      const char *path) {
    Guard g = {.output = path, .diags = request->cli.diags, .clear = TRUE};
    guard_sources(&g, request->cli.sources);
    guard_sources(&g, request->programs);
    if (study) {
        guard(&g, atlas_source_path(study->source));
        guard_sources(&g, study->sources);
        guard_logs(&g, study->runs);
    }
    if (measured)
        guard_logs(&g, measured);
    return g.clear;
}

gboolean check_may_replace(CheckRequest *request, const char *path) {
    g_autofree char *text = NULL;
    if (!g_file_test(path, G_FILE_TEST_IS_REGULAR) ||
        !g_file_get_contents(path, &text, NULL, NULL) || !*text ||
        g_str_has_prefix(text, "baseline:") || strstr(text, "\nbaseline:"))
        return TRUE;
    atlas_diags_error(request->cli.diags, (AtlasSpan){NULL, 0, 0},
                      "'%s' is there, and is no baseline", path);
    atlas_diags_hint(request->cli.diags, "name another file, or remove it first");
    return FALSE;
}
