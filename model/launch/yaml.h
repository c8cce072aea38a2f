/* The YAML library behind the reader of trees: one document, its nodes with their places.
 *
 * Life cycle: atlas_yaml_load / atlas_yaml_free; the source outlives the document. Only decode.c
 * uses this.
 */
#ifndef ATLAS_MODEL_LAUNCH_YAML_H
#define ATLAS_MODEL_LAUNCH_YAML_H

#include <libfyaml.h>

#include "model/base/diag.h"
#include "model/launch/fields.h"

typedef struct {
    const AtlasSource *source;
    struct fy_diag *diag;
    struct fy_parser *parser;
    struct fy_document *document;
} AtlasYaml;

/* Parses the source's only document, which is to be `root`. Adds syntax errors to `diags` and
 * returns NULL if there were any, or if the source holds no document or more than one. */
AtlasYaml *atlas_yaml_load(const AtlasSource *source, const AtlasObjectKind *root,
                           AtlasDiags *diags);
void atlas_yaml_free(AtlasYaml *yaml);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasYaml, atlas_yaml_free)

/* The text of a scalar, `*length` bytes of it; NULL for anything else. NULL too, with a hint in
 * `*refused`, for quotes that libfyaml 0.7.12 reads with a loss of memory: doubled ' one behind the
 * other, and escapes where the text between " has several lines. */
const char *atlas_yaml_text(const AtlasYaml *yaml, struct fy_node *node, gsize *length,
                            const char **refused);

/* The place of a scalar; of the first scalar inside anything else; `otherwise` where there is
 * none. */
AtlasSpan atlas_yaml_span(const AtlasYaml *yaml, struct fy_node *node, AtlasSpan otherwise);

#endif
