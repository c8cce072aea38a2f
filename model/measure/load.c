#include "model/measure/load.h"

#include <string.h>

#include "model/measure/log.h"

/* A table's first line that is no comment holds a tab and the column "run"; anything else is a
 * log. */
static gboolean is_table(AtlasFile *file) {
    gsize length;
    const char *peeked = atlas_file_peek(file, &length);
    g_autofree char *text = g_strndup(peeked, length);
    const char *line = text + atlas_lines_mark(peeked, length);
    while (*line == '#' || *line == '\n' || *line == '\r') {
        line = strchr(line, '\n');
        if (!line++)
            return FALSE;
    }
    g_autofree char *header = g_strndup(line, strcspn(line, "\r\n"));
    g_auto(GStrv) cells = g_strsplit(header, "\t", -1);
    for (guint i = 0; cells[i]; i++)
        if (g_str_equal(g_strstrip(cells[i]), "run"))
            return TRUE;
    return FALSE;
}

static gboolean read_table(AtlasRuns *runs, AtlasFile *file, GPtrArray *sources,
                           AtlasDiags *diags) {
    GError *error = NULL;
    const char *fault;
    g_autoptr(GString) text = g_string_new(NULL);
    if (!atlas_file_read_all(file, text, ATLAS_SOURCE_MAX, &fault)) {
        atlas_file_fault(file, fault, diags);
        return FALSE;
    }
    AtlasSource *source = atlas_source_new(atlas_file_name(file), text->str, text->len, &error);
    if (!source) {
        atlas_diags_take(diags, error);
        return FALSE;
    }
    g_ptr_array_add(sources, source);
    return atlas_runs_read_table(runs, source, diags);
}

static gboolean read_log(AtlasRuns *runs, AtlasFile *file, const AtlasText *named, const char *at,
                         const AtlasWindow *window, AtlasDiags *diags) {
    if (!atlas_named_check(named, at, diags))
        return FALSE;
    AtlasRun *run = atlas_log_read(runs, file, window, diags);
    if (run)
        atlas_named_configure(runs, run, named, at);
    return run != NULL;
}

const char *atlas_named_part(const AtlasText *named, char **name) {
    const char *at = strrchr(named->text, '@');
    if (at && strchr(at, '/')) /* a folder's name holds it */
        at = NULL;
    *name = at ? g_strndup(named->text, (gsize)(at - named->text)) : g_strdup(named->text);
    return at;
}

gboolean atlas_named_check(const AtlasText *named, const char *at, AtlasDiags *diags) {
    if (!at || g_utf8_validate(at + 1, -1, NULL))
        return TRUE;
    atlas_diags_error(diags, named->at, "the configuration behind '@' is not UTF-8");
    return FALSE;
}

void atlas_named_configure(AtlasRuns *runs, AtlasRun *run, const AtlasText *named, const char *at) {
    if (!at)
        return;
    /* From the end: what stands before it may be no text, and shown in other bytes. */
    gsize length = strlen(at + 1);
    run->configuration.text = atlas_runs_string(runs, at + 1, length);
    run->configuration.at = (AtlasSpan){named->at.source, named->at.end - length, named->at.end};
}

/* Where a file is named, if that is anywhere: a source that is its name says nothing more. */
static AtlasSpan place_of(const AtlasText *named) {
    gboolean alone = named->at.source && named->at.start == 0 &&
                     named->at.end == atlas_source_length(named->at.source);
    return alone ? (AtlasSpan){NULL, 0, 0} : named->at;
}

/* A table says of its runs what would have to be said of a log. */
static gboolean table_says(const AtlasText *named, const char *name, const char *at,
                           const AtlasWindow *window, AtlasDiags *diags) {
    if (!at && !window)
        return TRUE;
    atlas_diags_error(diags, place_of(named), "'%s' is a table, which states its %s", name,
                      at ? "configurations" : "steps");
    atlas_diags_hint(diags, "leave '%s' out", at ? at : "--steps");
    return FALSE;
}

gboolean atlas_runs_load(AtlasRuns *runs, const AtlasText *named, const char *directory,
                         const AtlasWindow *window, GPtrArray *sources, AtlasDiags *diags) {
    const char *fault;
    g_autofree char *name = NULL;
    const char *at = atlas_named_part(named, &name);
    gboolean is_stdin = g_str_equal(name, "-");
    g_autofree char *path = directory && !g_path_is_absolute(name) && !is_stdin
                                ? g_build_filename(directory, name, NULL)
                                : g_strdup(name);
    g_autoptr(AtlasFile) file = atlas_file_open(path, &fault);
    if (!file) {
        atlas_diags_error(diags, place_of(named), "cannot read the runs '%s': %s", path, fault);
        if (at && g_file_test(named->text, G_FILE_TEST_EXISTS))
            atlas_diags_hint(diags,
                             "the last '@' parts the file from its configuration: '%s@' has "
                             "none",
                             named->text);
        else
            atlas_diags_hint(diags, is_stdin ? "name '-' once, and files for what else there is"
                                             : "name a run table or a log: FILE or "
                                               "FILE@CONFIGURATION");
        return FALSE;
    }
    if (!is_table(file))
        return read_log(runs, file, named, at, window, diags);
    return table_says(named, name, at, window, diags) && read_table(runs, file, sources, diags);
}
