/* Any text is a claims file or has errors; any text is a check, which says the same twice, or an
 * error. */
#include <glib/gstdio.h>
#include <stdint.h>
#include <string.h>

#include "model/check/claims.h"

static const char spec[] = "atlas: 1\nname: s\nparams: {n: {default: 1, min: 1, max: 4}}\n"
                           "arms: {a: {}, b: {default: off}}\ncounter: {lag: 1}\n"
                           "unknowns: {x: {}, y: {}, z: {kind: real}, w: {}}\nruns: r.tsv\n"
                           "stages:\n- {stage: f, do: [{launch: p, when: a, count: x}, {launch: q, "
                           "count: y}]}\n- {stage: g, do: [{launch: r, every: n, count: z}, "
                           "{launch: s, when: b, count: w}]}\n";
static const char runs[] = "run\tconfiguration\tsteps\tf\tg\nb\t-\t0-9\t12.0\t20.0\n"
                           "o\ta=off\t0-9\t2.0\t20.0\nc\t-\t0-299\t-\t20.0\n";

static AtlasStudy *load(AtlasDiags *diags) {
    g_autofree char *folder = g_dir_make_tmp("fuzz-claims-XXXXXX", NULL);
    g_autofree char *a = g_build_filename(folder, "s.yaml", NULL);
    g_autofree char *b = g_build_filename(folder, "r.tsv", NULL);
    g_assert(g_file_set_contents(a, spec, -1, NULL) && g_file_set_contents(b, runs, -1, NULL));
    AtlasStudy *study = atlas_study_load(a, NULL, ATLAS_RAT_NONE, diags);
    g_assert(study && atlas_diags_errors(diags) == 0);
    g_unlink(a);
    g_unlink(b);
    g_rmdir(folder);
    return study;
}

/* A file of the same check twice; its texts are borrowed. */
static AtlasClaims *twice(const char *check) {
    static const AtlasSpan nowhere = {NULL, 0, 0};
    AtlasClaims *claims = g_new0(AtlasClaims, 1);
    atlas_tree_init(&claims->tree);
    claims->list = g_ptr_array_new();
    g_ptr_array_add(claims->tree.lists, claims->list);
    for (guint i = 0; i < 2; i++) {
        AtlasClaim *claim = g_new0(AtlasClaim, 1);
        claim->says = claim->at = claim->check = (AtlasText){check, nowhere};
        g_ptr_array_add(claims->tree.objects, claim);
        g_ptr_array_add(claims->list, claim);
    }
    return claims;
}

/* libfyaml loses some memory of long quoted texts, lp_solve of bases that are singular. */
const char *__lsan_default_suppressions(void) {
    return "leak:libfyaml\nleak:LUSOL";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static AtlasStudy *study;
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    study = study ? study : load(diags);
    g_autoptr(AtlasSource) source = atlas_source_new("c", (const char *)data, size, NULL);
    if (!source)
        return 0;
    const char *text = atlas_source_text(source);
    gboolean file = g_str_has_prefix(text, "claims:");
    g_autoptr(AtlasClaims) claims = file ? atlas_claims_read(source, diags) : twice(text);
    if (claims && atlas_diags_errors(diags) == 0)
        atlas_claims_evaluate(claims, study, result, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_autofree char *shown = atlas_result_render(result, "claims", TRUE, FALSE, 80);
    g_assert(g_str_has_suffix(shown, " external\n"));
    if (!file && !*errors) {
        const AtlasCheck *one = atlas_result_get(result, 0), *two = atlas_result_get(result, 1);
        g_assert(one->verdict == two->verdict && g_strcmp0(one->measured, two->measured) == 0);
    }
    return 0;
}
