#include "model/base/json.h"

#include <stdlib.h>

json_t *atlas_json_number(AtlasRat number) {
    if (!atlas_rat_ok(number))
        return json_null();
    return atlas_rat_is_whole(number) ? json_integer(number.num)
                                      : json_real(atlas_rat_double(number));
}

json_t *atlas_json_string(const char *text) {
    return text ? json_string(text) : json_null();
}

char *atlas_json_text(json_t *root, size_t flags) {
    char *dumped = json_dumps(root, JSON_INDENT(2) | JSON_REAL_PRECISION(12) | flags);
    char *text = g_strconcat(dumped, "\n", NULL);
    free(dumped);
    json_decref(root);
    return text;
}
