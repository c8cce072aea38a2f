#include "model/measure/load.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "model/measure/log.h"

/* How far into a file its form must show. */
enum { LOOK_BYTES = 1 << 16 };

/* A table's first line that is no comment holds a tab and the column "run"; anything else is a
 * log. Standard input can be read once only, and is a log. */
static gboolean is_table(const char *path, gboolean *readable) {
    char text[LOOK_BYTES + 1];
    FILE *file = g_str_equal(path, "-") ? NULL : fopen(path, "rb");
    *readable = file || g_str_equal(path, "-");
    if (!file)
        return FALSE;
    gsize length = fread(text, 1, LOOK_BYTES, file);
    fclose(file);
    text[length] = '\0';
    const char *line = text;
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

gboolean atlas_runs_load(AtlasRuns *runs, const AtlasText *named, const char *directory,
                         GPtrArray *sources, AtlasDiags *diags) {
    const char *at = strrchr(named->text, '@');
    if (at && strchr(at, '/')) /* a folder's name holds it */
        at = NULL;
    g_autofree char *file =
        at ? g_strndup(named->text, (gsize)(at - named->text)) : g_strdup(named->text);
    g_autofree char *path = directory && !g_path_is_absolute(file) && !g_str_equal(file, "-")
                                ? g_build_filename(directory, file, NULL)
                                : g_strdup(file);
    gboolean readable;
    gboolean table = is_table(path, &readable);
    if (!readable) {
        atlas_diags_error(diags, named->at, "cannot read the runs '%s': %s", path,
                          g_strerror(errno));
        atlas_diags_hint(diags, "name a run table or a log: FILE or FILE@CONFIGURATION");
        return FALSE;
    }
    if (!table) {
        AtlasRun *run = atlas_log_read(runs, path, NULL, diags);
        if (run && at) {
            gsize from = named->at.start + (gsize)(at + 1 - named->text);
            run->configuration.text = atlas_runs_string(runs, at + 1, strlen(at + 1));
            run->configuration.at = (AtlasSpan){named->at.source, from, named->at.end};
        }
        return run != NULL;
    }
    if (at) {
        atlas_diags_error(diags, named->at, "'%s' is a table, which states its configurations",
                          file);
        atlas_diags_hint(diags, "leave '%s' out", at);
        return FALSE;
    }
    GError *error = NULL;
    AtlasSource *source = atlas_source_load(path, &error);
    if (!source) {
        atlas_diags_take(diags, error);
        return FALSE;
    }
    g_ptr_array_add(sources, source);
    return atlas_runs_read_table(runs, source, diags);
}
