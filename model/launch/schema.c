#include <string.h>

#include "model/base/json.h"
#include "model/launch/fields.h"
#include "model/launch/spec.h"

static json_t *object_schema(json_t *definitions, const AtlasObjectKind *kind);

static json_t *typed(const char *type) {
    return json_pack("{s:s}", "type", type);
}

static json_t *pattern(const char *text) {
    return json_pack("{s:s, s:s, s:i}", "type", "string", "pattern", text, "maxLength",
                     ATLAS_FIELDS_NAME_MAX);
}

static json_t *reference(const char *name) {
    g_autofree char *path = g_strconcat("#/definitions/", name, NULL);
    return json_pack("{s:s}", "$ref", path);
}

/* "a parameter" is defined as "parameter", "a host_write item" as "host_write". */
static char *definition_name(const AtlasObjectKind *kind) {
    if (atlas_fields_is_item(kind))
        return g_strdup(kind->fields[0].key);
    const char *space = strchr(kind->what, ' ');
    return g_strdup(space + 1);
}

/* Kinds that are referred to are written once, under their names. */
static json_t *object_reference(json_t *definitions, const AtlasObjectKind *kind) {
    g_autofree char *name = definition_name(kind);
    if (!json_object_get(definitions, name)) {
        json_object_set_new(definitions, name, json_object()); /* holds its place */
        json_object_set_new(definitions, name, object_schema(definitions, kind));
    }
    return reference(name);
}

static json_t *items_schema(json_t *definitions) {
    json_t *any = json_array();
    for (guint i = 0; i < ATLAS_ITEM_KINDS; i++)
        json_array_append_new(any, object_reference(definitions, &atlas_fields_items[i]));
    return json_pack("{s:s, s:{s:o}}", "type", "array", "items", "anyOf", any);
}

static json_t *choices_schema(const char *const *choices) {
    json_t *list = json_array();
    for (; *choices; choices++)
        json_array_append_new(list, json_string(*choices));
    return json_pack("{s:o}", "enum", list);
}

static json_t *value_schema(json_t *definitions, const AtlasSpecField *field) {
    static const char name[] = "^[a-z][a-z0-9_]*$", label[] = "^[a-z][a-z0-9_-]*$";
    switch (field->type) {
    case ATLAS_FIELD_NAME:
        return pattern(name);
    case ATLAS_FIELD_LABEL:
        return pattern(label);
    case ATLAS_FIELD_INT:
        return json_pack("{s:s, s:i}", "type", "integer", "minimum", 0);
    case ATLAS_FIELD_NUMBER:
        return json_pack("{s:s, s:i}", "type", "number", "minimum", 0);
    case ATLAS_FIELD_POSITIVE:
        return json_pack("{s:s, s:i}", "type", "number", "exclusiveMinimum", 0);
    case ATLAS_FIELD_EXPRESSION:
        return json_pack("{s:[s,s]}", "type", "string", "number");
    case ATLAS_FIELD_CHOICE:
        return choices_schema(field->choices);
    case ATLAS_FIELD_LIST:
        return json_pack("{s:[s,s], s:{s:s}}", "type", "string", "array", "items", "type",
                         "string");
    case ATLAS_FIELD_PAIRS: /* {amp: true} is text to us, and a boolean to an editor */
        return json_pack("{s:s, s:o}", "type", "object", "additionalProperties",
                         field->choices
                             ? choices_schema(field->choices)
                             : json_pack("{s:[s,s,s]}", "type", "string", "number", "boolean"));
    case ATLAS_FIELD_OBJECT:
        return object_reference(definitions, field->object);
    case ATLAS_FIELD_NAMED:
    case ATLAS_FIELD_LABELLED:
        return json_pack("{s:s, s:o, s:o}", "type", "object", "additionalProperties",
                         object_reference(definitions, field->object), "propertyNames",
                         pattern(field->type == ATLAS_FIELD_NAMED ? name : label));
    case ATLAS_FIELD_SEQUENCE:
        return json_pack("{s:s, s:i, s:o}", "type", "array", "minItems", 1, "items",
                         object_reference(definitions, field->object));
    case ATLAS_FIELD_ITEMS:
        return items_schema(definitions);
    default:
        return typed("string");
    }
}

static void add_fields(json_t *definitions, const AtlasSpecField *fields, json_t *properties,
                       json_t *required) {
    for (; fields->key; fields++) {
        json_t *value = value_schema(definitions, fields);
        json_object_set_new(value, "description", json_string(fields->doc));
        json_object_set_new(properties, fields->key, value);
        if (fields->required)
            json_array_append_new(required, json_string(fields->key));
    }
}

static json_t *object_schema(json_t *definitions, const AtlasObjectKind *kind) {
    json_t *properties = json_object(), *required = json_array();
    add_fields(definitions, kind->fields, properties, required);
    if (atlas_fields_is_item(kind))
        add_fields(definitions, atlas_fields_item, properties, required);
    json_t *made = json_pack("{s:o, s:b}", "properties", properties, "additionalProperties", 0);
    if (json_array_size(required) > 0) {
        json_object_set_new(made, "type", json_string("object"));
        json_object_set(made, "required", required);
    } else { /* "main:" with nothing behind it is enough */
        json_object_set_new(made, "type", json_pack("[s,s]", "object", "null"));
    }
    json_decref(required);
    return made;
}

char *atlas_fields_schema(const AtlasObjectKind *kind, const char *title) {
    json_t *definitions = json_object();
    json_t *root = object_schema(definitions, kind);
    json_object_set_new(root, "$schema", json_string("http://json-schema.org/draft-07/schema#"));
    json_object_set_new(root, "title", json_string(title));
    json_object_set_new(root, "definitions", definitions);
    return atlas_json_text(root, JSON_SORT_KEYS);
}

char *atlas_spec_schema(void) {
    return atlas_fields_schema(&atlas_fields_root, "Launch Atlas spec");
}
