/* Tests of the JSON Schema for editors: it says what the table of fields says, and what is
 * committed is what the program prints. */
#include <jansson.h>
#include <string.h>

#include "model/base/names.h"
#include "model/launch/fields.h"
#include "tests/unit/models.h"
#include "tests/unit/suites.h"

static json_t *load(void) {
    g_autofree char *text = atlas_spec_schema();
    json_error_t error;
    json_t *schema = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(schema != NULL, "%d: %s", error.line, error.text);
    return schema;
}

START_TEST(test_committed) {
    g_autofree char *text = atlas_spec_schema(), *committed = NULL;
    ck_assert(g_file_get_contents("specs/atlas.schema.json", &committed, NULL, NULL));
    ck_assert_msg(strcmp(text, committed) == 0,
                  "run: build/bin/atlas-sim --print-schema >specs/atlas.schema.json");
}
END_TEST

static const json_t *get(const json_t *object, const char *key) {
    const json_t *value = json_object_get(object, key);
    ck_assert_msg(value != NULL, "no key '%s'", key);
    return value;
}

/* The object that a $ref names. */
static const json_t *target(const json_t *schema, const json_t *reference) {
    const char *path = json_string_value(get(reference, "$ref"));
    ck_assert(g_str_has_prefix(path, "#/definitions/"));
    return get(get(schema, "definitions"), path + strlen("#/definitions/"));
}

static gboolean lists(const json_t *array, const char *text) {
    for (gsize i = 0; i < json_array_size(array); i++)
        if (g_str_equal(json_string_value(json_array_get(array, i)), text))
            return TRUE;
    return FALSE;
}

static gboolean has_type(const json_t *value, const char *type) {
    const json_t *types = get(value, "type");
    return json_is_array(types) ? lists(types, type) : g_str_equal(json_string_value(types), type);
}

static void check_kind(const json_t *schema, const AtlasObjectKind *kind, const json_t *object,
                       GHashTable *seen);

static void check_items(const json_t *schema, const json_t *value, GHashTable *seen) {
    const json_t *any = get(get(value, "items"), "anyOf");
    ck_assert_uint_eq(json_array_size(any), ATLAS_ITEM_KINDS);
    for (guint i = 0; i < ATLAS_ITEM_KINDS; i++) {
        const json_t *item = target(schema, json_array_get(any, i));
        /* Kinds are told apart by the key that only one of them requires first. */
        ck_assert(lists(get(item, "required"), atlas_fields_items[i].fields[0].key));
        check_kind(schema, &atlas_fields_items[i], item, seen);
    }
}

static void check_field(const json_t *schema, const AtlasSpecField *field, const json_t *value,
                        GHashTable *seen) {
    switch (field->type) {
    case ATLAS_FIELD_TEXT:
    case ATLAS_FIELD_NAME:
    case ATLAS_FIELD_LABEL:
        ck_assert(has_type(value, "string") && !has_type(value, "number"));
        break;
    case ATLAS_FIELD_INT:
        ck_assert(has_type(value, "integer"));
        break;
    case ATLAS_FIELD_NUMBER:
        ck_assert(has_type(value, "number"));
        ck_assert_int_eq(json_integer_value(get(value, "minimum")), 0);
        break;
    case ATLAS_FIELD_POSITIVE:
        ck_assert(has_type(value, "number"));
        ck_assert_int_eq(json_integer_value(get(value, "exclusiveMinimum")), 0);
        break;
    case ATLAS_FIELD_EXPRESSION:
        ck_assert(has_type(value, "string") && has_type(value, "number"));
        break;
    case ATLAS_FIELD_CHOICE:
        for (guint i = 0; field->choices[i]; i++)
            ck_assert(lists(get(value, "enum"), field->choices[i]));
        break;
    case ATLAS_FIELD_LIST:
        ck_assert(has_type(value, "string") && has_type(value, "array"));
        break;
    case ATLAS_FIELD_PAIRS:
        ck_assert(has_type(value, "object"));
        for (guint i = 0; field->choices && field->choices[i]; i++)
            ck_assert(lists(get(get(value, "additionalProperties"), "enum"), field->choices[i]));
        break;
    case ATLAS_FIELD_OBJECT:
        check_kind(schema, field->object, target(schema, value), seen);
        break;
    case ATLAS_FIELD_NAMED:
    case ATLAS_FIELD_LABELLED:
        ck_assert(has_type(value, "object"));
        check_kind(schema, field->object, target(schema, get(value, "additionalProperties")), seen);
        break;
    case ATLAS_FIELD_SEQUENCE:
        ck_assert(has_type(value, "array"));
        check_kind(schema, field->object, target(schema, get(value, "items")), seen);
        break;
    case ATLAS_FIELD_ITEMS:
        check_items(schema, value, seen);
        break;
    }
}

static guint check_fields(const json_t *schema, const AtlasSpecField *fields, const json_t *object,
                          GHashTable *seen) {
    guint count = 0;
    for (; fields->key; fields++, count++) {
        const json_t *value = get(get(object, "properties"), fields->key);
        ck_assert_str_eq(json_string_value(get(value, "description")), fields->doc);
        ck_assert_int_eq(lists(json_object_get(object, "required"), fields->key) != 0,
                         fields->required != 0);
        check_field(schema, fields, value, seen);
    }
    return count;
}

/* Every key of the table, and no other one; what has no required keys may stand empty. */
static void check_kind(const json_t *schema, const AtlasObjectKind *kind, const json_t *object,
                       GHashTable *seen) {
    if (!g_hash_table_add(seen, (gpointer)kind))
        return;
    guint count = check_fields(schema, kind->fields, object, seen);
    if (atlas_fields_is_item(kind))
        count += check_fields(schema, atlas_fields_item, object, seen);
    ck_assert_uint_eq(json_object_size(get(object, "properties")), count);
    ck_assert(json_is_false(get(object, "additionalProperties")));
    ck_assert(has_type(object, "object"));
    ck_assert_int_eq(has_type(object, "null") != 0, json_object_get(object, "required") == NULL);
}

START_TEST(test_fields) {
    g_autoptr(GHashTable) seen = g_hash_table_new(NULL, NULL);
    json_t *schema = load();
    ck_assert_str_eq(json_string_value(get(schema, "$schema")),
                     "http://json-schema.org/draft-07/schema#");
    check_kind(schema, &atlas_fields_root, schema, seen);
    /* All that was defined was referred to: the root is not among the definitions. */
    ck_assert_uint_eq(json_object_size(get(schema, "definitions")), g_hash_table_size(seen) - 1);
    json_decref(schema);
}
END_TEST

/* Draft 07: only keys that it has, with values of their form; references lead somewhere. */
static void check_form(const json_t *root, const json_t *schema) {
    static const char *const words[] = {"$ref",     "$schema",     "additionalProperties",
                                        "anyOf",    "definitions", "enum",
                                        "items",    "description", "maxLength",
                                        "minItems", "minimum",     "exclusiveMinimum",
                                        "pattern",  "properties",  "propertyNames",
                                        "required", "title",       "type",
                                        NULL};
    static const char *const types[] = {"string",  "number", "integer", "object",
                                        "boolean", "array",  "null",    NULL};
    const char *key;
    json_t *value;
    if (json_is_boolean(schema))
        return;
    json_object_foreach((json_t *)schema, key, value) {
        gboolean named = g_str_equal(key, "properties") || g_str_equal(key, "definitions");
        ck_assert_msg(g_strv_contains(words, key), "%s", key);
        if (g_str_equal(key, "$ref"))
            target(root, schema);
        if (g_str_equal(key, "type") && json_is_string(value))
            ck_assert(g_strv_contains(types, json_string_value(value)));
        for (gsize i = 0; g_str_equal(key, "type") && i < json_array_size(value); i++)
            ck_assert(g_strv_contains(types, json_string_value(json_array_get(value, i))));
        for (gsize i = 0; g_str_equal(key, "anyOf") && i < json_array_size(value); i++)
            check_form(root, json_array_get(value, i));
        if (g_str_equal(key, "items") || g_str_equal(key, "propertyNames") ||
            g_str_equal(key, "additionalProperties"))
            check_form(root, value);
        const char *name;
        json_t *inner;
        if (named)
            json_object_foreach(value, name, inner) check_form(root, inner);
    }
}

START_TEST(test_form) {
    json_t *schema = load();
    check_form(schema, schema);
    json_decref(schema);
}
END_TEST

/* The patterns take what the reader takes. */
START_TEST(test_patterns) {
    static const char *const names[] = {"a",  "a1", "a_b", "a-b", "A", "1a",
                                        "-a", "",   "a.b", "ab ", "é", "a\n"};
    json_t *schema = load();
    const json_t *definitions = get(schema, "definitions");
    const char *name = json_string_value(
        get(get(get(get(definitions, "launch"), "properties"), "launch"), "pattern"));
    const char *label = json_string_value(get(get(get(schema, "properties"), "name"), "pattern"));
    for (guint i = 0; i < G_N_ELEMENTS(names); i++) {
        GRegexCompileFlags whole = G_REGEX_DOLLAR_ENDONLY; /* as in ECMAScript */
        ck_assert_int_eq(g_regex_match_simple(name, names[i], whole, 0) != 0,
                         atlas_name_valid(names[i], FALSE) != 0);
        ck_assert_int_eq(g_regex_match_simple(label, names[i], whole, 0) != 0,
                         atlas_name_valid(names[i], TRUE) != 0);
    }
    json_decref(schema);
}
END_TEST

Suite *schema_suite(void) {
    Suite *suite = suite_create("schema");
    TCase *test = tcase_create("schema");
    tcase_add_test(test, test_committed);
    tcase_add_test(test, test_fields);
    tcase_add_test(test, test_form);
    tcase_add_test(test, test_patterns);
    suite_add_tcase(suite, test);
    return suite;
}
