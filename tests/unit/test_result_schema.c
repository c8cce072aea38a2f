/* What atlas-check prints as JSON obeys its schema, and the schema knows every key of it; what is
 * committed is what the program prints. The README's workflow is YAML.
 */
#include <libfyaml.h>
#include <string.h>

#include "model/check/agree.h"
#include "model/check/baseline.h"
#include "model/check/budget.h"
#include "model/check/claims.h"
#include "model/measure/log.h"
#include "tests/unit/suites.h"

/* ---- as much of JSON Schema as our schema uses ---- */

static const char *wrong(const json_t *root, const json_t *schema, const json_t *value);

static gboolean is_type(const json_t *value, const char *type) {
    return g_str_equal(type, "string")    ? json_is_string(value)
           : g_str_equal(type, "integer") ? json_is_integer(value)
           : g_str_equal(type, "number")  ? json_is_number(value)
           : g_str_equal(type, "boolean") ? json_is_boolean(value)
           : g_str_equal(type, "null")    ? json_is_null(value)
           : g_str_equal(type, "object")  ? json_is_object(value)
                                          : json_is_array(value);
}

static gboolean has_type(const json_t *value, const json_t *types) {
    gboolean found = json_is_string(types) && is_type(value, json_string_value(types));
    for (gsize i = 0; i < json_array_size(types); i++)
        found |= is_type(value, json_string_value(json_array_get(types, i)));
    return found;
}

static gboolean among(const json_t *value, const json_t *list) {
    for (gsize i = 0; i < json_array_size(list); i++)
        if (json_equal(value, json_array_get(list, i)))
            return TRUE;
    return FALSE;
}

/* Stricter than JSON Schema: a key must be described. */
static const char *wrong_object(const json_t *root, const json_t *schema, json_t *value) {
    const json_t *properties = json_object_get(schema, "properties");
    const json_t *others = json_object_get(schema, "additionalProperties");
    const json_t *required = json_object_get(schema, "required");
    const char *key, *fault;
    json_t *member;
    for (gsize i = 0; i < json_array_size(required); i++) {
        key = json_string_value(json_array_get(required, i));
        if (!json_object_get(value, key))
            return key;
    }
    json_object_foreach(value, key, member) {
        const json_t *described = json_object_get(properties, key);
        if (!described && !others)
            return key;
        if ((fault = wrong(root, described ? described : others, member)))
            return fault;
    }
    return NULL;
}

/* NULL if the value is as the schema says, else what is wrong. */
static const char *wrong(const json_t *root, const json_t *schema, const json_t *value) {
    const json_t *reference = json_object_get(schema, "$ref"), *rule;
    if (reference) {
        const char *name = json_string_value(reference) + strlen("#/definitions/");
        schema = json_object_get(json_object_get(root, "definitions"), name);
        ck_assert_msg(schema != NULL, "nothing defines '%s'", name);
    }
    if ((rule = json_object_get(schema, "type")) && !has_type(value, rule))
        return "type";
    if ((rule = json_object_get(schema, "enum")) && !among(value, rule))
        return "enum";
    if ((rule = json_object_get(schema, "const")) && !json_equal(value, (json_t *)rule))
        return "const";
    rule = json_object_get(schema, "anyOf");
    gboolean any = !rule;
    for (gsize i = 0; i < json_array_size(rule); i++)
        any |= !wrong(root, json_array_get(rule, i), value);
    if (!any)
        return "anyOf";
    rule = json_object_get(schema, "items");
    for (gsize i = 0; rule && i < json_array_size(value); i++) {
        const char *fault = wrong(root, rule, json_array_get(value, i));
        if (fault)
            return fault;
    }
    return json_is_object(value) && !json_object_get(schema, "anyOf")
               ? wrong_object(root, schema, (json_t *)value)
               : NULL;
}

static void check_document(AtlasResult *result) {
    g_autofree char *text = atlas_result_schema();
    json_t *schema = json_loads(text, JSON_REJECT_DUPLICATES, NULL);
    json_t *document = atlas_result_json(result);
    ck_assert_ptr_nonnull(schema);
    const char *fault = wrong(schema, schema, document);
    ck_assert_msg(!fault, "not as the schema says: %s", fault);
    /* What is changed is found. */
    json_t *check = json_array_get(json_object_get(document, "checks"), 0);
    json_object_set_new(check, "lo", json_string("1"));
    ck_assert_str_eq(wrong(schema, schema, document), "type");
    json_object_del(check, "lo");
    ck_assert_str_eq(wrong(schema, schema, document), "lo");
    json_object_set_new(check, "lo", json_null());
    json_object_set_new(check, "more", json_null());
    ck_assert_str_eq(wrong(schema, schema, document), "more");
    json_decref(document);
    json_decref(schema);
}

/* A log and a table whose total is an interval, with all that is judged by them. */
START_TEST(measurements) {
    static const char log[] = "ATLAS\t0\tfwd\t1\t1\nATLAS\t1\tfwd\t1297\t1.5\n"
                              "ATLAS-ABOUT\tdevice\tX\nATLAS-ABOUT\tcounted\tcalls\n";
    static const char table[] = "run\tconfiguration\tsteps\tfwd\ttotal\nt\t-\t100\t-\t1297\n";
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasStudy) study = atlas_study_load("specs/first.yaml", NULL, ATLAS_RAT_NONE, diags);
    g_autoptr(AtlasMeasurements) list = atlas_measurements_new();
    g_autoptr(AtlasResult) result = atlas_result_new();
    g_autoptr(GArray) budgets = g_array_new(FALSE, FALSE, sizeof(AtlasBudget));
    AtlasSource *source = atlas_source_new("t.tsv", table, strlen(table), NULL);
    AtlasText text = {"fwd=1000,total=2000", {NULL, 0, 0}};
    AtlasRun *run = atlas_log_parse(list->runs, "x.log", log, strlen(log), NULL, diags);
    atlas_measurements_add(list, run, "log");
    ck_assert(atlas_runs_read_table(list->runs, source, diags));
    atlas_measurements_add(list, atlas_runs_get(list->runs, 1), "log");
    atlas_budgets_parse(&text, study->model, budgets, diags);
    AtlasMeasured measured = {list, study->model, study->lag};
    g_autofree char *written = atlas_baseline_write(&measured, diags);
    AtlasSource *kept = atlas_source_new("b.yaml", written, strlen(written), NULL);
    g_autoptr(AtlasBaseline) baseline = atlas_baseline_read(kept, diags);
    for (guint i = 0; i < 2; i++) {
        const AtlasMeasurement *m = g_ptr_array_index(list->list, i);
        atlas_agree_model(study, m, result, diags);
        atlas_budget_measured(&g_array_index(budgets, AtlasBudget, i), study->model, m, study->lag,
                              result);
    }
    atlas_baseline_compare(baseline, &measured, result, diags);
    ck_assert_uint_eq(atlas_diags_errors(diags), 0);
    ck_assert_uint_eq(result->checks->len, 6);
    result->measurements = atlas_measurements_json(list);
    check_document(result);
    atlas_source_free(kept);
    atlas_source_free(source);
}
END_TEST

START_TEST(claims_alone) {
    static const char text[] = "claims: 1\nof: a page\nlist:\n"
                               "  - {says: few, at: top, check: fwd == 1297, note: 25 and more}\n"
                               "  - {says: fast, at: end, external: nothing counts time}\n";
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasStudy) study = atlas_study_load("specs/first.yaml", NULL, ATLAS_RAT_NONE, diags);
    g_autoptr(AtlasResult) result = atlas_result_new();
    AtlasSource *source = atlas_source_new("c.yaml", text, strlen(text), NULL);
    g_autoptr(AtlasClaims) claims = atlas_claims_read(source, diags);
    atlas_claims_evaluate(claims, study, result, diags);
    ck_assert_uint_eq(result->checks->len, 2);
    check_document(result);
    atlas_source_free(source);
}
END_TEST

static const struct {
    const char *word, *file;
} schemas[] = {{"claims", "specs/atlas-claims.schema.json"},
               {"baseline", "specs/atlas-baseline.schema.json"},
               {"result", "specs/atlas-check.schema.json"}};

START_TEST(committed) {
    g_autofree char *kept = NULL;
    g_autofree char *made = _i == 0 ? atlas_fields_schema(&atlas_claims_root, "Launch Atlas claims")
                            : _i == 1
                                ? atlas_fields_schema(&atlas_baseline_root, "Launch Atlas baseline")
                                : atlas_result_schema();
    ck_assert(g_file_get_contents(schemas[_i].file, &kept, NULL, NULL));
    ck_assert_msg(g_str_equal(made, kept), "run: build/bin/atlas-check --print-schema %s >%s",
                  schemas[_i].word, schemas[_i].file);
}
END_TEST

/* The README's workflow for GitHub Actions is YAML, with the steps that it must have. */
START_TEST(workflow) {
    g_autofree char *page = NULL;
    ck_assert(g_file_get_contents("README.md", &page, NULL, NULL));
    const char *from = strstr(page, "```yaml\n"), *to = from ? strstr(from + 8, "\n```\n") : NULL;
    ck_assert_ptr_nonnull(to);
    g_autofree char *text = g_strndup(from + 8, (gsize)(to + 1 - (from + 8)));
    struct fy_document *document = fy_document_build_from_string(NULL, text, strlen(text));
    ck_assert_ptr_nonnull(document);
    static const char *const paths[] = {"/on", "/jobs/launches/runs-on",
                                        "/jobs/launches/steps/0/uses",
                                        "/jobs/launches/steps/4/run"};
    for (gsize i = 0; i < G_N_ELEMENTS(paths); i++)
        ck_assert_msg(fy_node_by_path(fy_document_root(document), paths[i], (size_t)-1,
                                      FYNWF_DONT_FOLLOW) != NULL,
                      "no %s", paths[i]);
    fy_document_destroy(document);
}
END_TEST

Suite *result_schema_suite(void) {
    Suite *suite = suite_create("result-schema");
    TCase *all = tcase_create("all");
    tcase_add_test(all, measurements);
    tcase_add_test(all, claims_alone);
    tcase_add_loop_test(all, committed, 0, G_N_ELEMENTS(schemas));
    tcase_add_test(all, workflow);
    suite_add_tcase(suite, all);
    return suite;
}
