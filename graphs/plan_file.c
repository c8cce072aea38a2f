/* Plan files, read back. */
#include <math.h>
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
    file->period = atlas_flow_period(file->eager);
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

#define COUNT_MAX G_GINT64_CONSTANT(1000000000000)

static gboolean read_count(const json_t *object, const char *key, gint64 *count) {
    const json_t *value = json_object_get(object, key);
    *count = json_integer_value(value);
    return json_is_integer(value) && 0 <= *count && *count <= COUNT_MAX;
}

static gboolean read_ns(const json_t *object, const char *key, gint64 *ns) {
    const json_t *value = json_object_get(object, key);
    double ms = json_number_value(value);
    gboolean ok = json_is_number(value) && fabs(ms) <= (double)COUNT_MAX / 1e6;
    *ns = ok ? llround(ms * 1e6) : 0;
    return ok;
}

static gboolean is_promised(const AtlasPlanFile *file, const char *stage) {
    for (guint i = 0; i < file->promises->len; i++)
        if (g_array_index(file->promises, AtlasPlanPromise, i).stage == stage)
            return TRUE;
    return FALSE;
}

static gboolean read_promises(AtlasPlanFile *file, const json_t *root, const AtlasSource *source,
                              AtlasDiags *diags) {
    const json_t *promises = json_object_get(root, "promises");
    const json_t *stages = json_object_get(promises, "stages");
    gint64 period;
    if (!read_count(promises, "period", &period) || !json_is_array(stages))
        return refuse(diags, source, "'promises' must hold a period and stages");
    if (period != file->period)
        return refuse(diags, source,
                      "the period of 'promises' is not the eager program's: the "
                      "least common multiple of its every:");
    for (gsize i = 0; i < json_array_size(stages); i++) {
        const json_t *o = json_array_get(stages, i);
        const char *stage = json_string_value(json_object_get(o, "stage"));
        AtlasPlanPromise p = {.stage = ""};
        if (!stage || !read_count(o, "eager", &p.eager) || !read_count(o, "calls", &p.calls) ||
            !read_count(o, "submissions", &p.submissions) ||
            !read_count(o, "activities", &p.activities) ||
            !read_count(o, "graph_nodes", &p.graph_nodes))
            return refuse(diags, source, "each stage must promise whole numbers up to 10^12");
        p.stage = atlas_program_file_intern(file->file, stage);
        if (is_promised(file, p.stage))
            return refuse(diags, source, "'promises' name a stage twice");
        g_array_append_val(file->promises, p);
    }
    return TRUE;
}

/* Windows are counted from 1, in order, and launch the graph of one that has its own. */
static gboolean read_window(AtlasPlanFile *file, const json_t *o, AtlasPlanWindow *w) {
    const char *stage = json_string_value(json_object_get(o, "stage"));
    gint64 number, of;
    if (!stage || !read_count(o, "number", &number) || !read_count(o, "graph_of", &of) ||
        !read_count(o, "launches", &w->launches) || !read_count(o, "every", &w->every) ||
        !read_count(o, "graph_launches", &w->times) || !read_count(o, "graphs", &w->graphs) ||
        !read_count(o, "copies", &w->copies) || !read_count(o, "nodes", &w->nodes) ||
        !read_ns(o, "saved_ms", &w->saved_ns))
        return FALSE;
    w->number = file->windows->len + 1;
    w->of = (guint)of - 1;
    w->stage = atlas_program_file_intern(file->file, stage);
    if (number != w->number || of < 1 || of > number)
        return FALSE;
    return of == number
               ? w->graphs > 0
               : w->graphs == 0 && g_array_index(file->windows, AtlasPlanWindow, w->of).of == w->of;
}

static gboolean read_windows(AtlasPlanFile *file, const json_t *root, const AtlasSource *source,
                             AtlasDiags *diags) {
    const json_t *windows = json_object_get(root, "windows");
    for (gsize i = 0; i < json_array_size(windows); i++) {
        AtlasPlanWindow w = {0};
        if (!read_window(file, json_array_get(windows, i), &w))
            return refuse(diags, source,
                          "'windows' must be numbered from 1 and hold whole numbers "
                          "up to 10^12, with a graph of their own or an earlier "
                          "window's");
        g_array_append_val(file->windows, w);
    }
    return json_is_array(windows) || refuse(diags, source, "'windows' must be an array");
}

static gboolean read_totals(AtlasPlanFile *file, const json_t *root, const AtlasSource *source,
                            AtlasDiags *diags) {
    const json_t *o = json_object_get(root, "totals");
    AtlasPlanTotals *t = &file->totals;
    if (read_count(o, "launches", &t->launches) && read_count(o, "captured", &t->captured) &&
        read_count(o, "graph_launches", &t->graph_launches) &&
        read_count(o, "copies", &t->copies) && read_count(o, "graphs", &t->graphs) &&
        read_count(o, "nodes", &t->nodes) && read_ns(o, "saved_ms", &t->saved_ns))
        return TRUE;
    return refuse(diags, source, "'totals' must hold whole numbers up to 10^12, and saved_ms");
}

static gboolean is_change(const char *name) {
    for (guint i = 0; name && i < ATLAS_WITHS; i++)
        if (g_str_equal(name, atlas_plan_withs[i].name))
            return TRUE;
    return FALSE;
}

/* What the plan is of. */
static gboolean read_claim(AtlasPlanFile *file, const json_t *root, const AtlasSource *source,
                           AtlasDiags *diags) {
    const json_t *with = json_object_get(root, "with"), *proved = json_object_get(root, "proved");
    for (gsize i = 0; i < json_array_size(with); i++)
        if (!is_change(json_string_value(json_array_get(with, i))))
            return refuse(diags, source, "'with' holds what is no change (--plan-with)");
    file->proved = json_is_true(proved);
    file->assumed = json_is_string(json_object_get(root, "assumed"));
    return (json_is_array(with) && json_is_boolean(proved)) ||
           refuse(diags, source, "'with' must hold changes, 'proved' be true or false");
}

/* Programs alone promise nothing. */
static gboolean read_pair(AtlasPlanFile *file, const AtlasSource *source, AtlasDiags *diags) {
    if (!take_programs(file, source, source, diags))
        return FALSE;
    file->name = g_strdup(file->planned->name);
    return TRUE;
}

static gboolean read_plan(AtlasPlanFile *file, const AtlasSource *source, GPtrArray *sources,
                          AtlasDiags *diags) {
    json_error_t error;
    json_t *root = json_loads(atlas_source_text(source), JSON_REJECT_DUPLICATES, &error);
    const char *schema = json_string_value(json_object_get(root, "schema"));
    const char *name = json_string_value(json_object_get(root, "name"));
    gboolean ok = root ? g_strcmp0(schema, "atlas-plan/1") == 0 ||
                             refuse(diags, source, "'schema' is not \"atlas-plan/1\"")
                       : refuse_json(diags, source, &error);
    file->is_plan = TRUE;
    file->name = g_strdup(name ? name : "plan");
    ok = ok && read_programs(file, root, source, sources, diags) &&
         read_claim(file, root, source, diags) && read_promises(file, root, source, diags) &&
         read_windows(file, root, source, diags) && read_totals(file, root, source, diags);
    json_decref(root);
    return ok;
}

static gboolean is_json(const AtlasSource *source) {
    const char *text = atlas_source_text(source);
    return text[strspn(text, " \t\r\n")] == '{';
}

AtlasPlanFile *atlas_plan_read(const AtlasSource *source, GPtrArray *sources, AtlasDiags *diags) {
    g_autoptr(AtlasPlanFile) file = g_new0(AtlasPlanFile, 1);
    file->promises = g_array_new(FALSE, FALSE, sizeof(AtlasPlanPromise));
    file->windows = g_array_new(FALSE, FALSE, sizeof(AtlasPlanWindow));
    gboolean ok =
        is_json(source) ? read_plan(file, source, sources, diags) : read_pair(file, source, diags);
    return ok ? g_steal_pointer(&file) : NULL;
}

void atlas_plan_file_free(AtlasPlanFile *file) {
    if (!file)
        return;
    atlas_program_file_free(file->file);
    g_array_unref(file->promises);
    g_array_unref(file->windows);
    g_free(file->name);
    g_free(file);
}
