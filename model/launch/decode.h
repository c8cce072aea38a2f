/* The first pass's parts: decode.c goes through mappings and lists, scalars.c reads what stands in
 * them. Internal to these two.
 *
 * What is wrong is reported and, where that makes sense, taken as if it were right or absent, so
 * that no other error follows from it.
 */
#ifndef ATLAS_MODEL_LAUNCH_DECODE_H
#define ATLAS_MODEL_LAUNCH_DECODE_H

#include "model/launch/tree.h"
#include "model/launch/yaml.h"

typedef struct {
    AtlasYaml *yaml;
    AtlasTree *tree;
    AtlasDiags *diags;
} Decoder;

/* The member of an object that a field fills. */
#define MEMBER(type, object, field) (*(type *)(void *)((char *)(object) + (field)->offset))

/* Whether to go on: reading ends at ATLAS_SPEC_ERRORS_MAX. */
gboolean decode_goes_on(const Decoder *d);

/* Anchors, aliases and tags would make a spec mean something that cannot be read off its page.
 * They are reported; FALSE if there is no value to go on with either. */
gboolean decode_plain(Decoder *d, struct fy_node *node, AtlasSpan at);

/* Hints at what a field is for. */
void decode_hint(Decoder *d, const AtlasSpecField *field);

/* The text of a scalar that must be there; reports what stands there instead. It is the value of
 * `field`, or part of it; NULL: a key. */
gboolean decode_text(Decoder *d, const AtlasSpecField *field, struct fy_node *node, AtlasSpan key,
                     const char *expected, AtlasText *out);

/* Reports text that is no name (in which '-' may stand, with `dash`). */
void decode_name(Decoder *d, const AtlasText *text, gboolean dash);

/* Reports text that is none of the field's choices, and makes it absent. */
void decode_choice(Decoder *d, const AtlasSpecField *field, AtlasText *text);

/* Reads the value of a field that is a scalar. */
void decode_scalar(Decoder *d, const AtlasSpecField *field, struct fy_node *node, AtlasSpan key,
                   void *object);

#endif
