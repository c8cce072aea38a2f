#include "tests/unit/solve_kit.h"

#include <string.h>

#include "tests/unit/suites.h"

static AtlasSource *source(const char *name, const char *text) {
    GError *error = NULL;
    AtlasSource *made = atlas_source_new(name, text, strlen(text), &error);
    ck_assert_msg(made, "%s", error ? error->message : "");
    return made;
}

static void assert_quiet(const AtlasDiags *diags) {
    g_autofree char *text = atlas_diags_render(diags, FALSE);
    ck_assert_msg(atlas_diags_errors(diags) == 0, "%s", text);
}

Kit kit_new(const char *spec, const char *runs) {
    Kit kit = {.spec_source = source("s.yaml", spec),
               .runs_source = runs ? source("r.tsv", runs) : NULL,
               .diags = atlas_diags_new(),
               .runs = atlas_runs_new()};
    kit.model = atlas_model_read(kit.spec_source, kit.diags);
    const char *rows = runs ? strchr(runs, '\n') : NULL;
    if (rows && rows[1])
        atlas_runs_read_table(kit.runs, kit.runs_source, kit.diags);
    assert_quiet(kit.diags);
    kit.evidence = atlas_evidence_new(kit.model);
    for (guint i = 0; i < atlas_runs_count(kit.runs); i++)
        atlas_evidence_add(kit.evidence, atlas_runs_get(kit.runs, i), kit.diags);
    kit.system = atlas_system_new(kit.evidence, -1);
    return kit;
}

void kit_clear(Kit *kit) {
    atlas_system_free(kit->system);
    atlas_evidence_free(kit->evidence);
    atlas_runs_free(kit->runs);
    atlas_model_free(kit->model);
    atlas_diags_free(kit->diags);
    atlas_source_free(kit->spec_source);
    atlas_source_free(kit->runs_source);
}

char *kit_read(const char *path) {
    char *text = NULL;
    ck_assert_msg(g_file_get_contents(path, &text, NULL, NULL), "cannot read '%s'", path);
    return text;
}

AtlasConfig *kit_config(const AtlasModel *model, const char *settings) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasConfig *config = atlas_config_new(model);
    atlas_config_apply(config, &(AtlasText){settings, {NULL, 0, 0}}, diags);
    atlas_config_finish(config, diags);
    assert_quiet(diags);
    return config;
}

AtlasLinear *kit_form(const AtlasModel *model, const gint64 *coefs, gint64 denominator) {
    AtlasLinear *form = atlas_linear_new(model->unknowns->len, 1);
    for (guint i = 0; i < form->n; i++)
        form->coefs[i] = atlas_rat_make(coefs[i], denominator);
    return form;
}

void kit_assert_rat(AtlasRat got, gint64 num, gint64 den) {
    AtlasRat expected = atlas_rat_make(num, den);
    ck_assert_msg(got.num == expected.num && got.den == expected.den,
                  "%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT ", expected %" G_GINT64_FORMAT
                  "/%" G_GINT64_FORMAT,
                  got.num, got.den, num, den);
}

void kit_assert_interval(const AtlasInterval *interval, gint64 lo, gint64 hi) {
    ck_assert(interval->lo_known && interval->hi_known);
    kit_assert_rat(interval->lo, lo, 1);
    kit_assert_rat(interval->hi, hi, 1);
}

gboolean kit_within(const AtlasInterval *inner, const AtlasInterval *outer) {
    return (!outer->lo_known || (inner->lo_known && atlas_rat_cmp(inner->lo, outer->lo) >= 0)) &&
           (!outer->hi_known || (inner->hi_known && atlas_rat_cmp(inner->hi, outer->hi) <= 0));
}

gboolean kit_contains(const AtlasInterval *interval, AtlasRat value) {
    return kit_within(&(AtlasInterval){TRUE, TRUE, value, value}, interval);
}

gboolean kit_same(const AtlasInterval *a, const AtlasInterval *b) {
    return kit_within(a, b) && kit_within(b, a);
}
