/* Plan files, read back. */
#include <string.h>

#include "graphs/plan_show.h"
#include "sim/flow.h"

static gboolean refuse(AtlasDiags *diags, const AtlasSource *source, const char *what) {
    atlas_diags_error(diags, (AtlasSpan){source, 0, 0}, "no plan file: %s", what);
    atlas_diags_hint(diags, "atlas-check --plan FILE.json writes one");
    return FALSE;
}

static gboolean refuse_json(AtlasDiags *diags, const AtlasSource *source,
                            const json_error_t *error) {
    gsize at = MIN((gsize)MAX(error->position, 1) - 1, atlas_source_length(source));
    atlas_diags_error(diags, (AtlasSpan){source, at, at + 1}, "no plan file: %s", error->text);
    return FALSE;
}

static gboolean take_programs(AtlasPlanFile *file, const AtlasSource *text,
                              const AtlasSource *source, AtlasDiags *diags) {
    file->file = atlas_program_read(text, diags);
    if (!file->file)
        return FALSE;
    if (atlas_program_file_count(file->file) != 2)
        return refuse(diags, source, "it must hold the eager program and the planned one");
    file->eager = atlas_program_file_get(file->file, 0);
    file->planned = atlas_program_file_get(file->file, 1);
    return TRUE;
}

/* Both texts become one source and one file, since programs are compared by their names'
 * pointers. */
static gboolean read_programs(AtlasPlanFile *file, const json_t *root, const AtlasSource *source,
                              GPtrArray *sources, AtlasDiags *diags) {
    const char *eager = json_string_value(json_object_get(root, "eager"));
    const char *planned = json_string_value(json_object_get(root, "program"));
    if (!eager || !planned)
        return refuse(diags, source, "'eager' and 'program' must hold programs");
    g_autofree char *name = g_strdup_printf("%s, its programs", atlas_source_path(source));
    g_autofree char *text = g_strconcat(eager, planned, NULL);
    g_autoptr(GError) error = NULL;
    AtlasSource *programs = atlas_source_new(name, text, strlen(text), &error);
    if (!programs)
        return refuse(diags, source, error->message);
    g_ptr_array_add(sources, programs);
    return take_programs(file, programs, source, diags);
}

static gboolean read_count(const json_t *object, const char *key, gint64 *count) {
    const json_t *value = json_object_get(object, key);
    *count = json_integer_value(value);
    return json_is_integer(value) && *count >= 0;
}

static gboolean read_promises(AtlasPlanFile *file, const json_t *root, const AtlasSource *source,
                              AtlasDiags *diags) {
    const json_t *promises = json_object_get(root, "promises");
    const json_t *stages = json_object_get(promises, "stages");
    if (!read_count(promises, "period", &file->period) || file->period < 1 ||
        !json_is_array(stages))
        return refuse(diags, source, "'promises' must hold a period and stages");
    for (gsize i = 0; i < json_array_size(stages); i++) {
        const json_t *o = json_array_get(stages, i);
        const char *stage = json_string_value(json_object_get(o, "stage"));
        AtlasPlanPromise p = {.stage = ""};
        if (!stage || !read_count(o, "eager", &p.eager) || !read_count(o, "calls", &p.calls) ||
            !read_count(o, "submissions", &p.submissions) ||
            !read_count(o, "activities", &p.activities) ||
            !read_count(o, "graph_nodes", &p.graph_nodes))
            return refuse(diags, source, "each stage must promise whole numbers");
        p.stage = atlas_program_file_intern(file->file, stage);
        g_array_append_val(file->promises, p);
    }
    return TRUE;
}

/* Programs alone promise nothing. */
static gboolean read_pair(AtlasPlanFile *file, const AtlasSource *source, AtlasDiags *diags) {
    if (!take_programs(file, source, source, diags))
        return FALSE;
    g_free(file->name);
    file->name = g_strdup(file->planned->name);
    file->period = atlas_flow_period(file->eager);
    return TRUE;
}

static gboolean is_json(const AtlasSource *source) {
    const char *text = atlas_source_text(source);
    return text[strspn(text, " \t\r\n")] == '{';
}

AtlasPlanFile *atlas_plan_read(const AtlasSource *source, GPtrArray *sources, AtlasDiags *diags) {
    g_autoptr(AtlasPlanFile) file = g_new0(AtlasPlanFile, 1);
    json_error_t error;
    if (!is_json(source)) {
        file->promises = g_array_new(FALSE, FALSE, sizeof(AtlasPlanPromise));
        file->saved_ns = -1;
        return read_pair(file, source, diags) ? g_steal_pointer(&file) : NULL;
    }
    json_t *root = json_loads(atlas_source_text(source), JSON_REJECT_DUPLICATES, &error);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const char *name = json_string_value(json_object_get(root, "name"));
    const json_t *saved = json_object_get(json_object_get(root, "totals"), "saved_ms");
    file->promises = g_array_new(FALSE, FALSE, sizeof(AtlasPlanPromise));
    file->name = g_strdup(name ? name : "plan");
    file->saved_ns = json_is_number(saved) ? (gint64)(json_number_value(saved) * 1e6) : -1;
    gboolean ok = root ? g_strcmp0(schema, "atlas-plan/1") == 0 ||
                             refuse(diags, source, "'schema' is not \"atlas-plan/1\"")
                       : refuse_json(diags, source, &error);
    ok = ok && read_programs(file, root, source, sources, diags) &&
         read_promises(file, root, source, diags);
    json_decref(root);
    return ok ? g_steal_pointer(&file) : NULL;
}

void atlas_plan_file_free(AtlasPlanFile *file) {
    if (!file)
        return;
    atlas_program_file_free(file->file);
    g_array_unref(file->promises);
    g_free(file->name);
    g_free(file);
}
