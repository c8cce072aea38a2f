#include "backends/traced.h"

#include <string.h>

#include "backends/name_map.h"
#include "backends/traced_run.h"
#include "model/measure/field.h"
#include "model/measure/load.h"

/* What stands before a stage's name in a range's, beside the name alone. */
#define STAGE_PREFIX "stage:"

/* Ranges named in a hint, at most. */
enum { NAMED_MOST = 8 };

typedef struct {
    const AtlasAsk *ask;
    const char *source;
    GPtrArray *stages, *arms; /* of const char*: names, NULL-terminated */
    NameMap *stage_map, *arm_map;
    AtlasMeasurements *into;
    AtlasDiags *diags;
} Traced;

/* ---- what names stand for ---- */

static guint32 stage_of(const Traced *t, const char *name) {
    int found = name_map_find(t->stage_map, name);
    if (g_str_has_prefix(name, STAGE_PREFIX))
        name += strlen(STAGE_PREFIX);
    for (guint i = 0; found < 0 && t->stages->pdata[i]; i++)
        if (g_str_equal(t->stages->pdata[i], name))
            found = (int)i;
    return found < 0 ? ATLAS_TRACE_NONE : (guint32)found;
}

static guint32 mapped(const NameMap *map, const char *name) {
    int found = name_map_find(map, name);
    return found < 0 ? ATLAS_TRACE_NONE : (guint32)found;
}

/* Old traces hold annotations among the operators. */
static gboolean wants_op(const char *name, gpointer data) {
    const Traced *t = data;
    return stage_of(t, name) != ATLAS_TRACE_NONE || mapped(t->arm_map, name) != ATLAS_TRACE_NONE;
}

static gboolean maps_kernels(const Traced *t) {
    return !name_map_empty(t->stage_map) || !name_map_empty(t->arm_map);
}

/* ---- attributing ---- */

/* The names of some ranges, for people whose ranges are no stages. */
static char *some_ranges(const AtlasTrace *trace) {
    GString *text = g_string_new(NULL);
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < trace->ranges->len && g_hash_table_size(seen) < NAMED_MOST; i++) {
        guint32 number = g_array_index(trace->ranges, AtlasTraceRange, i).name;
        if (!g_hash_table_add(seen, GUINT_TO_POINTER(number + 1)))
            continue;
        const char *name = atlas_trace_name(trace, number);
        g_autofree char *quoted = atlas_field_quote((AtlasField){name, strlen(name)});
        g_string_append_printf(text, "%s'%s'", text->len ? ", " : "", quoted);
    }
    return g_string_free(text, FALSE);
}

static void no_stages(const Traced *t, const char *path, const AtlasTrace *trace) {
    g_autofree char *ranges = some_ranges(trace);
    atlas_diags_error(t->diags, (AtlasSpan){NULL, 0, 0},
                      "'%s' has no range that is a stage of '%s'%s%s", path,
                      t->ask->study->model->name, trace->cut ? "; it is incomplete: " : "",
                      trace->cut ? trace->cut : "");
    if (*ranges)
        atlas_diags_hint(t->diags, "--stage-map 'REGEX=STAGE' says what ranges mean; there are %s",
                         ranges);
    else
        atlas_diags_hint(t->diags, "it has no ranges at all: record_function(\"NAME\") and "
                                   "torch.cuda.nvtx.range_push(\"NAME\") make them; "
                                   "--stage-map '=STAGE' takes all of it for a stage");
}

/* What --arm-map says of each arm, of TracedArm; `arm_of` is the arm of each name. */
static guint8 *arms_asked(const Traced *t, const AtlasTrace *trace, const guint32 *arm_of) {
    guint8 *asked = g_new0(guint8, t->arms->len);
    for (guint i = 0; i + 1 < t->arms->len; i++)
        if (name_map_names(t->arm_map, i))
            asked[i] = TRACED_ARM_UNSEEN;
    for (guint i = 0; i < trace->ranges->len; i++) {
        guint32 arm = arm_of[g_array_index(trace->ranges, AtlasTraceRange, i).name];
        if (arm != ATLAS_TRACE_NONE)
            asked[arm] = TRACED_ARM_SEEN;
    }
    for (guint i = 0; i < trace->activities->len; i++) {
        const AtlasTraceActivity *a = &g_array_index(trace->activities, AtlasTraceActivity, i);
        if (a->kind == ATLAS_ACTIVITY_KERNEL && a->name != ATLAS_TRACE_NONE &&
            arm_of[a->name] != ATLAS_TRACE_NONE)
            asked[arm_of[a->name]] = TRACED_ARM_SEEN;
    }
    return asked;
}

static gboolean add_runs(const Traced *t, const char *path, const AtlasText *named, const char *at,
                         const AtlasTrace *trace) {
    guint names = trace->names->len;
    path = g_str_equal(path, "-") ? "<stdin>" : path;
    g_autofree guint32 *stages = g_new(guint32, names + 1), *kernels = g_new(guint32, names + 1),
                       *arms = g_new(guint32, names + 1);
    for (guint32 i = 0; i < names; i++) {
        const char *name = atlas_trace_name(trace, i);
        stages[i] = stage_of(t, name);
        kernels[i] = mapped(t->stage_map, name);
        arms[i] = mapped(t->arm_map, name);
    }
    gboolean all = trace->wants == ATLAS_TRACE_ALL;
    int found = name_map_rest(t->stage_map);
    guint32 rest = (guint32)found;
    AtlasTraceMap stage_map = {stages, all ? kernels : NULL, found < 0 ? NULL : &rest,
                               t->stages->len - 1};
    AtlasTraceMap arm_map = {arms, arms, NULL, t->arms->len - 1};
    g_autoptr(GPtrArray) runs =
        atlas_trace_stages(trace, &stage_map, name_map_empty(t->arm_map) ? NULL : &arm_map);
    g_autofree guint8 *asked = arms_asked(t, trace, arms);
    if (runs->len == 0)
        no_stages(t, path, trace);
    for (guint i = 0; i < runs->len; i++) {
        TracedRun run = {.trace = trace,
                         .run = g_ptr_array_index(runs, i),
                         .path = path,
                         .source = t->source,
                         .several = runs->len > 1,
                         .stages = (const char *const *)t->stages->pdata,
                         .arms = (const char *const *)t->arms->pdata,
                         .arms_asked = asked,
                         .window = t->ask->window};
        AtlasMeasurement *m = traced_run_measure(&run, t->into, t->diags);
        if (m)
            atlas_named_configure(t->into->runs, m->run, named, at);
    }
    return atlas_diags_errors(t->diags) == 0;
}

static void read_file(Traced *t, TracedRead read, const AtlasText *named) {
    g_autofree char *path = NULL;
    const char *at = atlas_named_part(named, &path);
    if (!atlas_named_check(named, at, t->diags))
        return;
    AtlasTraceBuilder *builder =
        atlas_trace_builder_new(maps_kernels(t) ? ATLAS_TRACE_ALL : ATLAS_TRACE_COUNTS);
    atlas_trace_want_ops(builder, wants_op, t);
    if (!read(path, builder, t->diags)) {
        atlas_trace_builder_free(builder);
        return;
    }
    g_autoptr(AtlasTrace) trace = atlas_trace_finish(builder);
    add_runs(t, path, named, at, trace);
}

/* ---- the whole ---- */

static GPtrArray *names_of_stages(const AtlasModel *model) {
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < model->stages->len; i++)
        g_ptr_array_add(names, (gpointer)ATLAS_STAGE(model, i)->name);
    g_ptr_array_add(names, NULL);
    return names;
}

static GPtrArray *names_of_arms(const AtlasModel *model) {
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < model->arms->len; i++)
        g_ptr_array_add(names, (gpointer)ATLAS_ARM(model, i)->name);
    g_ptr_array_add(names, NULL);
    return names;
}

gboolean traced_measure(const AtlasAsk *ask, const char *source, TracedRead read,
                        AtlasMeasurements *into, AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    g_autoptr(GPtrArray) stages = names_of_stages(ask->study->model);
    g_autoptr(GPtrArray) arms = names_of_arms(ask->study->model);
    g_autoptr(NameMap) stage_map =
        name_map_new(ask->stage_maps, "stage", TRUE, (const char *const *)stages->pdata, diags);
    g_autoptr(NameMap) arm_map =
        name_map_new(ask->arm_maps, "arm", FALSE, (const char *const *)arms->pdata, diags);
    Traced t = {ask, source, stages, arms, stage_map, arm_map, into, diags};
    for (guint i = 0; stage_map && arm_map && ask->files && i < ask->files->len; i++)
        read_file(&t, read, &g_array_index(ask->files, AtlasText, i));
    return atlas_diags_errors(diags) == before;
}
