/* Any text is a model or has errors. A model's base is lowered or has errors; its program launches
 * what the walk says, and reads back to the same text. */
#include <stdint.h>
#include <string.h>

#include "model/launch/lower.h"
#include "sim/count.h"

static void check_counts(const AtlasConfig *config, const AtlasProgram *program,
                         const AtlasRat *ones) {
    const AtlasModel *model = config->model;
    AtlasWalkFault fault;
    g_autofree AtlasRat *stages = g_new(AtlasRat, model->stages->len + 1);
    g_autoptr(AtlasCounts) counts = atlas_count(program, 20, 29);
    gboolean walked = atlas_walk_stages(config, ones, 20, 29, stages, &fault);
    g_assert(counts && walked && counts->stages->len == model->stages->len);
    for (guint i = 0; i < model->stages->len; i++)
        g_assert(atlas_rat_is_whole(stages[i]) &&
                 stages[i].num == g_array_index(counts->stages, AtlasCount, i).launches);
}

static void check_text(const AtlasProgram *program) {
    g_autoptr(GString) text = g_string_new(NULL);
    g_autoptr(GString) again = g_string_new(NULL);
    atlas_program_write(program, text);
    g_autoptr(AtlasSource) source = atlas_source_new("program", text->str, text->len, NULL);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasProgramFile) file = atlas_program_read(source, diags);
    g_autofree char *report = atlas_diags_render(diags, FALSE);
    g_assert_cmpstr(report, ==, "");
    atlas_program_write(atlas_program_file_get(file, 0), again);
    g_assert_cmpstr(again->str, ==, text->str);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("x", (const char *)data, size, NULL);
    g_autoptr(AtlasModel) model = source ? atlas_model_read(source, diags) : NULL;
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_assert(!source || (model == NULL) == (*errors != '\0'));
    if (!model)
        return 0;
    g_autoptr(AtlasConfig) config = atlas_config_new(model);
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    g_autofree AtlasRat *ones = g_new(AtlasRat, model->unknowns->len + 1);
    for (guint i = 0; i < model->unknowns->len; i++)
        ones[i] = atlas_rat(1);
    const AtlasProgram *program = atlas_lower(config, ones, file, diags);
    g_assert((program == NULL) == (atlas_diags_errors(diags) > 0));
    if (program) {
        check_counts(config, program, ones);
        check_text(program);
    }
    return 0;
}
