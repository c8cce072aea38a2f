/* The form of what programs print as JSON. */
#include "backends/programs.h"

static json_t *text(const char *about) {
    return json_pack("{s:s, s:s}", "type", "string", "description", about);
}

static json_t *text_or_null(const char *about) {
    return json_pack("{s:[s,s], s:s}", "type", "string", "null", "description", about);
}

static json_t *count(const char *about) {
    return json_pack("{s:s, s:i, s:s}", "type", "integer", "minimum", 0, "description", about);
}

/* An object; all of its keys are there, but those that `optional` has. */
static json_t *object(json_t *properties, json_t *optional) {
    json_t *required = json_array();
    const char *key;
    json_t *value;
    json_object_foreach(properties, key, value) json_array_append_new(required, json_string(key));
    json_object_update(properties, optional);
    json_decref(optional);
    return json_pack("{s:s, s:o, s:o}", "type", "object", "required", required, "properties",
                     properties);
}

static json_t *answers(void) {
    json_t *keys = json_object();
    json_object_set_new(keys, "file", text_or_null("where the program stands"));
    json_object_set_new(keys, "line", count("in that file, or in the text of a generated program"));
    json_object_set_new(keys, "program", text("its name"));
    json_object_set_new(keys, "op",
                        text("as in the file, without its result; 'executed' at the end"));
    json_object_set_new(keys, "expected", text_or_null("what was stated; null: nothing was"));
    json_object_set_new(keys, "got", text_or_null("what was answered"));
    json_object_set_new(keys, "why",
                        text_or_null("with --explain, where there is a reason; of fingerprints, "
                                     "what was found"));
    return json_pack("{s:s, s:s, s:o}", "type", "array", "description",
                     "of programs that are judged, what differs, and what becomes of "
                     "fingerprints that they speak of; of others, every answer",
                     "items", object(keys, json_object()));
}

char *programs_schema(void) {
    json_t *keys = json_object(), *optional = json_object();
    json_object_set_new(keys, "schema", json_pack("{s:s}", "const", "atlas-programs/1"));
    json_object_set_new(keys, "verdict",
                        json_pack("{s:[s,s,s]}", "enum", "pass", "fail", "inconclusive"));
    json_object_set_new(keys, "backend", json_pack("{s:[s,s]}", "enum", "sim", "cuda"));
    json_object_set_new(keys, "programs", count("how many were run"));
    json_object_set_new(keys, "calls", count("driver calls in all of them"));
    json_object_set_new(keys, "differ", count("programs that came out otherwise than stated"));
    json_object_set_new(keys, "open",
                        count("of the others, those whose fingerprints are not known"));
    json_object_set_new(keys, "answers", answers());
    json_object_set_new(keys, "shrunk",
                        json_pack("{s:s, s:s, s:{s:s}}", "type", "array", "description",
                                  "--against: the smallest programs found that differ", "items",
                                  "type", "string"));
    json_object_set_new(optional, "device", text("the GPU's name"));
    json_object_set_new(optional, "cuda", text("the version that the driver speaks"));
    json_object_set_new(optional, "driver", text("its own version"));
    json_t *root = object(keys, optional);
    json_object_set_new(root, "$schema", json_string("http://json-schema.org/draft-07/schema#"));
    json_object_set_new(root, "title", json_string("Launch Atlas: what programs answered"));
    return atlas_json_text(root, 0);
}
