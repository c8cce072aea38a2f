#include "tests/unit/models.h"

#include <check.h>
#include <string.h>

char *model_spec(const char *text, guint *shift) {
    gboolean bare = !g_str_has_prefix(text, "atlas"), staged = strstr(text, "stages") != NULL;
    *shift = bare ? 2 : 0;
    return g_strconcat(bare ? "atlas: 1\nname: m\n" : "", text,
                       staged ? "" : "\nstages: [{stage: fwd, do: []}]\n", NULL);
}

void model_check_fault(const ModelFault *fault) {
    guint shift, line = (guint)g_ascii_strtoull(fault->place, NULL, 10);
    g_autofree char *text = model_spec(fault->text, &shift);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("s", text, strlen(text), NULL);
    ck_assert_ptr_nonnull(source);
    g_autoptr(AtlasModel) model = atlas_model_read(source, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    g_autofree char *expected = g_strdup_printf("s:%u%s: error: %s\n", line + shift,
                                                strchr(fault->place, ':'), fault->message);
    ck_assert_ptr_null(model);
    ck_assert_msg(atlas_diags_errors(diags) == 1 && g_str_has_prefix(report, expected) &&
                      (!fault->hint || strstr(report + strlen(expected), fault->hint)),
                  "of\n%s\nexpected %swith '%s', got\n%s", text, expected, fault->hint, report);
}

AtlasModel *model_read(const char *text, AtlasSource **source) {
    guint shift;
    g_autofree char *whole = model_spec(text, &shift);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    *source = atlas_source_new("s", whole, strlen(whole), NULL);
    AtlasModel *model = atlas_model_read(*source, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(report, "");
    ck_assert_ptr_nonnull(model);
    return model;
}

AtlasModel *model_shipped(const char *name, AtlasSource **source) {
    g_autofree char *path = g_strdup_printf("specs/%s.yaml", name);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    *source = atlas_source_load(path, NULL);
    ck_assert_ptr_nonnull(*source);
    AtlasModel *model = atlas_model_read(*source, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(report, "");
    return model;
}

AtlasConfig *model_config(const AtlasModel *model, const char *settings) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasConfig *config = atlas_config_new(model);
    atlas_config_apply(config, &(AtlasText){settings, {NULL, 0, 0}}, diags);
    atlas_config_finish(config, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(report, "");
    return config;
}

AtlasRat *model_ones(const AtlasModel *model) {
    AtlasRat *unknowns = g_new(AtlasRat, model->unknowns->len + 1);
    for (guint i = 0; i < model->unknowns->len; i++)
        unknowns[i] = atlas_rat(1);
    return unknowns;
}

char *model_program(const AtlasModel *model, const char *settings) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasConfig) config = model_config(model, settings);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autofree AtlasRat *unknowns = model_ones(model);
    const AtlasProgram *program = atlas_lower(config, unknowns, file, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    ck_assert_str_eq(report, "");
    ck_assert_ptr_nonnull(program);
    GString *text = g_string_new(NULL);
    atlas_program_write(program, text);
    return g_string_free(text, FALSE);
}

char *model_lower_errors(const char *text, const char *settings) {
    AtlasSource *source;
    AtlasModel *model = model_read(text, &source);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autofree AtlasRat *unknowns = model_ones(model);
    AtlasConfig *config = model_config(model, settings);
    ck_assert_ptr_null(atlas_lower(config, unknowns, file, diags));
    char *report = atlas_diags_render(diags, FALSE);
    atlas_config_free(config);
    atlas_model_free(model);
    atlas_source_free(source);
    return report;
}
