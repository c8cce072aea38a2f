#include "model/base/json.h"
#include "model/check/result.h"
#include "model/measure/measurement.h"

/* One key: what it holds, in JSON Schema's words ("text?" is text or null), and what that means. */
typedef struct {
    const char *key, *holds, *doc;
} Key;

#define LAST                                                                                       \
    { NULL, NULL, NULL }

static const Key check_keys[] = {
    {"property", "text",
     "the kind of check: count, budget, baseline, difference, claim, lag; what is proved: legal, "
     "race, "
     "race at depth, deadlock, smear, count, window"},
    {"subject", "text?", "what was checked"},
    {"place", "text?", "where it stands: in a document, or baseline:LINE"},
    {"verdict", "verdict", "external: no arithmetic settles it, and it counts for nothing"},
    {"expected", "text?", "what would pass"},
    {"measured", "number?", "the value, where it is one number; launches are means of a step"},
    {"lo", "number?", "the least it can be; null: not known"},
    {"hi", "number?", "the greatest it can be; null: not known"},
    {"measured_ms", "number?", "milliseconds a step that what was measured took"},
    {"why", "text?", "what the verdict rests on"},
    {"note", "text?", "what the author of the check says about it"},
    {"proof", "object?",
     "of proofs: verdict, over, method, assumes, why, accesses, buffer, further, schedule (a "
     "list), "
     "mend; of many configurations: how many there are, fail, and the smallest that fails"},
    LAST,
};

static const Key measurement_keys[] = {
    {"run", "text", "its name"},
    {"configuration", "text", "its settings as written; empty: the base"},
    {"recipe", "text", "what else it depended on; empty: the spec's"},
    {"source", "text", "the backend that measured"},
    {"replay", "boolean", "whether the model's own program ran, not the user's"},
    {"steps", "steps", NULL},
    {"counted", "kind?", "which launches the stages hold; null: not said"},
    {"counts", "counts", NULL},
    {"launches", "launches", "for each stage the sum over all steps"},
    {"ms", "milliseconds", "for each stage the mean of a step"},
    {"lag", "number?", "the counter's greatest lag, in launches; null: not said"},
    {"lost", "integer", "records that were lost: with any, counts are lower bounds"},
    {"device", "text?", "as it was said"},
    {"driver", "text?", "as it was said"},
    {"about", "texts", "all that was said of the measuring setup, under its keys"},
    LAST,
};

static const Key steps_keys[] = {
    {"first", "integer?", "null: only their number is known"},
    {"last", "integer?", "null: only their number is known"},
    {"count", "integer", "how many they are"},
    LAST,
};

static const Key counts_keys[] = {{"calls", "sum", NULL},
                                  {"submissions", "sum", NULL},
                                  {"activities", "sum", NULL},
                                  {"graph_nodes", "sum", NULL},
                                  LAST};

static const Key interval_keys[] = {
    {"lo", "integer", "the least"}, {"hi", "integer", "the greatest"}, LAST};

static json_t *reference(const char *name) {
    g_autofree char *path = g_strconcat("#/definitions/", name, NULL);
    return json_pack("{s:s}", "$ref", path);
}

static json_t *map_of(json_t *value) {
    return json_pack("{s:s, s:o}", "type", "object", "additionalProperties", value);
}

static json_t *names(const char *const *list) {
    json_t *made = json_array();
    for (; *list; list++)
        json_array_append_new(made, json_string(*list));
    return json_pack("{s:o}", "enum", made);
}

/* Verdicts: of one check, or of all of them. */
static json_t *verdicts(gboolean overall) {
    const char *list[ATLAS_VERDICTS + 1] = {NULL};
    for (guint i = 0, n = 0; i < ATLAS_VERDICTS; i++)
        if (!overall || i != ATLAS_EXTERNAL)
            list[n++] = atlas_verdict_name((AtlasVerdict)i);
    return names(list);
}

static json_t *kinds(void) {
    const char *list[ATLAS_COUNT_KINDS + 1] = {NULL};
    for (guint i = 0; i < ATLAS_COUNT_KINDS; i++)
        list[i] = atlas_count_name((AtlasCountKind)i);
    json_t *made = names(list);
    json_array_append_new(json_object_get(made, "enum"), json_null());
    return made;
}

static json_t *value_schema(const char *holds) {
    static const struct {
        const char *holds, *type, *or_null;
    } plain[] = {{"text", "string", NULL},       {"text?", "string", "null"},
                 {"number?", "number", "null"},  {"boolean", "boolean", NULL},
                 {"object?", "object", "null"},  {"integer", "integer", NULL},
                 {"integer?", "integer", "null"}};
    for (guint i = 0; i < G_N_ELEMENTS(plain); i++)
        if (g_str_equal(holds, plain[i].holds))
            return plain[i].or_null
                       ? json_pack("{s:[s,s]}", "type", plain[i].type, plain[i].or_null)
                       : json_pack("{s:s}", "type", plain[i].type);
    return g_str_equal(holds, "verdict")        ? verdicts(FALSE)
           : g_str_equal(holds, "kind?")        ? kinds()
           : g_str_equal(holds, "milliseconds") ? map_of(value_schema("number?"))
           : g_str_equal(holds, "texts")        ? map_of(value_schema("text"))
           : g_str_equal(holds, "launches")     ? map_of(reference("sum"))
                                                : reference(holds);
}

/* An object with all these keys, and others that later versions may add. */
static json_t *object_schema(const Key *keys) {
    json_t *properties = json_object(), *required = json_array();
    for (; keys->key; keys++) {
        json_t *value = value_schema(keys->holds);
        if (keys->doc)
            json_object_set_new(value, "description", json_string(keys->doc));
        json_object_set_new(properties, keys->key, value);
        json_array_append_new(required, json_string(keys->key));
    }
    return json_pack("{s:s, s:o, s:o}", "type", "object", "properties", properties, "required",
                     required);
}

static json_t *list_of(const char *name) {
    return json_pack("{s:s, s:o}", "type", "array", "items", reference(name));
}

static json_t *definitions(void) {
    json_t *all = json_object();
    json_object_set_new(all, "check", object_schema(check_keys));
    json_object_set_new(all, "measurement", object_schema(measurement_keys));
    json_object_set_new(all, "steps", object_schema(steps_keys));
    json_object_set_new(all, "counts", object_schema(counts_keys));
    json_object_set_new(all, "sum",
                        json_pack("{s:[o,o], s:s}", "anyOf", value_schema("integer?"),
                                  object_schema(interval_keys), "description",
                                  "launches of all steps; null: not known"));
    return all;
}

char *atlas_result_schema(void) {
    json_t *properties = json_pack("{s:{s:s}, s:o, s:o, s:o}", "schema", "const", "atlas-check/1",
                                   "verdict", verdicts(TRUE), "checks", list_of("check"),
                                   "measurements", list_of("measurement"));
    json_t *root =
        json_pack("{s:s, s:s, s:s, s:[s,s,s], s:o, s:o}", "$schema",
                  "http://json-schema.org/draft-07/schema#", "title",
                  "Launch Atlas: what atlas-check found", "type", "object", "required", "schema",
                  "verdict", "checks", "properties", properties, "definitions", definitions());
    return atlas_json_text(root, JSON_SORT_KEYS);
}
