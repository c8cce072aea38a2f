#include "model/launch/model.h"

#include <string.h>

#include "model/launch/build.h"

static void node_free(gpointer data) {
    AtlasNode *node = data;
    g_clear_pointer(&node->children, g_ptr_array_unref);
    g_clear_pointer(&node->steady, g_ptr_array_unref);
    g_clear_pointer(&node->varying, g_ptr_array_unref);
    g_free(node);
}

static AtlasModel *model_new(AtlasSpec *spec) {
    AtlasModel *model = g_new0(AtlasModel, 1);
    model->spec = spec;
    model->name = spec->name.text ? spec->name.text : "";
    model->exprs = g_ptr_array_new_with_free_func((GDestroyNotify)atlas_expr_free);
    model->nodes = g_ptr_array_new_with_free_func(node_free);
    model->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    model->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    model->params = atlas_build_array(model, sizeof(AtlasParam));
    model->arms = atlas_build_array(model, sizeof(AtlasArm));
    model->toggles = atlas_build_array(model, sizeof(AtlasToggle));
    model->unknowns = atlas_build_array(model, sizeof(AtlasUnknown));
    model->streams = atlas_build_array(model, sizeof(AtlasStream));
    model->buffers = atlas_build_array(model, sizeof(AtlasBuffer));
    model->stages = atlas_build_array(model, sizeof(AtlasStage));
    model->populations = atlas_build_array(model, sizeof(AtlasPopulation));
    model->events = g_ptr_array_new();
    model->lag = atlas_rat(0);
    return model;
}

static void group_free(gpointer data) {
    g_free(((AtlasGroup *)data)->path);
    g_free(data);
}

static void builder_init(AtlasBuilder *b, AtlasModel *model, AtlasDiags *diags) {
    *b = (AtlasBuilder){
        .model = model,
        .spec = model->spec,
        .diags = diags,
        .names = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free),
        .candidates = g_ptr_array_new(),
        .arm_names = g_ptr_array_new(),
        .indices = g_hash_table_new_full(NULL, NULL, NULL, (GDestroyNotify)g_hash_table_unref),
        .events = g_hash_table_new(g_str_hash, g_str_equal),
        .parsed = g_hash_table_new_full(NULL, NULL, NULL, g_free),
        .groups = g_ptr_array_new_with_free_func(group_free),
        .paths = g_hash_table_new(g_str_hash, g_str_equal),
        .waiting = g_ptr_array_new(),
        .loops = g_array_new(FALSE, FALSE, sizeof(guint)),
    };
    g_ptr_array_add(b->candidates, NULL);
    g_ptr_array_add(b->arm_names, NULL);
}

static void builder_clear(AtlasBuilder *b) {
    g_hash_table_unref(b->names);
    g_ptr_array_unref(b->candidates);
    g_ptr_array_unref(b->arm_names);
    g_hash_table_unref(b->indices);
    g_hash_table_unref(b->events);
    g_hash_table_unref(b->parsed);
    g_ptr_array_unref(b->groups);
    g_hash_table_unref(b->paths);
    g_ptr_array_unref(b->waiting);
    g_array_unref(b->loops);
}

AtlasModel *atlas_model_build(AtlasSpec *spec, AtlasDiags *diags) {
    g_autoptr(AtlasModel) model = model_new(spec);
    AtlasBuilder builder;
    builder_init(&builder, model, diags);
    if (atlas_build_goes_on(&builder)) {
        atlas_build_declarations(&builder);
        atlas_build_graph(&builder);
    }
    builder_clear(&builder);
    return atlas_diags_errors(diags) == 0 ? g_steal_pointer(&model) : NULL;
}

AtlasModel *atlas_model_read(const AtlasSource *source, AtlasDiags *diags) {
    AtlasSpec *spec = atlas_spec_read(source, diags);
    return spec ? atlas_model_build(spec, diags) : NULL;
}

void atlas_model_free(AtlasModel *model) {
    if (!model)
        return;
    g_ptr_array_unref(model->events);
    g_ptr_array_unref(model->exprs);
    g_ptr_array_unref(model->nodes);
    g_ptr_array_unref(model->arrays);
    g_ptr_array_unref(model->lists);
    atlas_spec_free(model->spec);
    g_free(model);
}

/* Every array searched holds elements that begin with their name. */
static int find(const GArray *array, gsize size, const char *name) {
    for (guint i = 0; i < array->len; i++)
        if (strcmp(*(const char *const *)(const void *)(array->data + i * size), name) == 0)
            return (int)i;
    return -1;
}

int atlas_model_find_param(const AtlasModel *model, const char *name) {
    return find(model->params, sizeof(AtlasParam), name);
}

int atlas_model_find_arm(const AtlasModel *model, const char *name) {
    return find(model->arms, sizeof(AtlasArm), name);
}

int atlas_model_find_toggle(const AtlasModel *model, const char *name) {
    return find(model->toggles, sizeof(AtlasToggle), name);
}

int atlas_model_find_stage(const AtlasModel *model, const char *name) {
    return find(model->stages, sizeof(AtlasStage), name);
}

gboolean atlas_key_is_below(const char *key, const char *path) {
    gsize length = strlen(path);
    return strncmp(key, path, length) == 0 && (key[length] == '\0' || key[length] == '.');
}
