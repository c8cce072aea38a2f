/* JSON values and documents, as every program writes them. The caller owns what is returned. */
#ifndef ATLAS_MODEL_BASE_JSON_H
#define ATLAS_MODEL_BASE_JSON_H

#include <jansson.h>

#include "model/base/rational.h"

/* An integer where the number is whole, null where it is unknown. */
json_t *atlas_json_number(AtlasRat number);

/* Null where there is no text (NULL), which is UTF-8. */
json_t *atlas_json_string(const char *text);

/* A document as indented text with a line end, reals to 12 digits; `flags` are more of jansson's
 * (JSON_SORT_KEYS), or 0. Takes over the reference to `root`. */
char *atlas_json_text(json_t *root, size_t flags);

#endif
