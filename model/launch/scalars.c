#include <string.h>

#include "model/base/names.h"
#include "model/base/rational.h"
#include "model/launch/decode.h"

gboolean decode_goes_on(const Decoder *d) {
    return atlas_diags_errors(d->diags) < ATLAS_SPEC_ERRORS_MAX;
}

gboolean decode_plain(Decoder *d, struct fy_node *node, AtlasSpan at) {
    gsize length = 0;
    const char *what = fy_node_is_alias(node)           ? "be an alias"
                       : fy_node_get_anchor(node)       ? "have an anchor"
                       : fy_node_get_tag(node, &length) ? "have a tag"
                                                        : NULL;
    if (!what)
        return TRUE;
    atlas_diags_error(d->diags, at, "a value cannot %s", what);
    atlas_diags_hint(d->diags, "write the value itself; a group can be 'like' another one");
    return !fy_node_is_alias(node);
}

void decode_hint(Decoder *d, const AtlasSpecField *field) {
    if (field)
        atlas_diags_hint(d->diags, "%s: %s", field->key, field->doc);
    else
        atlas_diags_hint(d->diags, "a mapping is made of lines 'key: value', or of {key: value}");
}

/* Names, numbers and keys are quoted in messages, and names come together to those of populations,
 * which programs limit; nothing is as long as a page. */
static gsize longest(const AtlasSpecField *field) {
    enum { LONG = 16384 };
    if (!field)
        return ATLAS_FIELDS_NAME_MAX;
    switch (field->type) {
    case ATLAS_FIELD_NAME:
    case ATLAS_FIELD_LABEL:
    case ATLAS_FIELD_INT:
    case ATLAS_FIELD_NUMBER:
    case ATLAS_FIELD_POSITIVE:
    case ATLAS_FIELD_CHOICE:
        return ATLAS_FIELDS_NAME_MAX;
    default:
        return LONG;
    }
}

static void report_text(Decoder *d, struct fy_node *node, AtlasSpan at, const char *expected,
                        gsize length, gsize most) {
    if (length > most)
        atlas_diags_error(d->diags, at,
                          "expected %s of at most %" G_GSIZE_FORMAT
                          " bytes, not of %" G_GSIZE_FORMAT,
                          expected, most, length);
    else
        atlas_diags_error(d->diags, at, "expected %s, not %s", expected,
                          length > 0                         ? "text with a NUL in it"
                          : !node || fy_node_is_scalar(node) ? "nothing"
                          : fy_node_is_sequence(node)        ? "a list"
                                                             : "a mapping");
}

gboolean decode_text(Decoder *d, const AtlasSpecField *field, struct fy_node *node, AtlasSpan key,
                     const char *expected, AtlasText *out) {
    gsize length = 0, most = longest(field);
    const char *refused;
    AtlasSpan at = node ? atlas_yaml_span(d->yaml, node, key) : key;
    if (node && !decode_plain(d, node, at))
        return FALSE;
    const char *text = atlas_yaml_text(d->yaml, node, &length, &refused);
    if (refused) {
        atlas_diags_error(d->diags, at, "text in quotes cannot be written like this");
        atlas_diags_hint(d->diags, "%s", refused);
        return FALSE;
    }
    if (text && length > 0 && length <= most && !memchr(text, '\0', length)) {
        /* g_string_chunk_insert_len copies with a closing NUL. */
        *out = (AtlasText){g_string_chunk_insert_len(d->tree->strings, text, (gssize)length), at};
        return TRUE;
    }
    report_text(d, node, at, expected, length, most);
    decode_hint(d, field);
    return FALSE;
}

void decode_name(Decoder *d, const AtlasText *text, gboolean dash) {
    if (atlas_name_valid(text->text, dash))
        return;
    atlas_diags_error(d->diags, text->at, "'%s' is not a valid name", text->text);
    atlas_diags_hint(d->diags,
                     "a name is small letters, digits and '_'%s, and starts with a letter",
                     dash ? " or '-'" : "");
}

static const char *expectation(const AtlasSpecField *field) {
    switch (field->type) {
    case ATLAS_FIELD_NAME:
    case ATLAS_FIELD_LABEL:
        return "a name";
    case ATLAS_FIELD_INT:
        return "a whole number >= 0";
    case ATLAS_FIELD_NUMBER:
        return "a decimal number >= 0";
    case ATLAS_FIELD_POSITIVE:
        return "a decimal number > 0";
    case ATLAS_FIELD_EXPRESSION:
        return "an expression";
    default:
        return "text";
    }
}

static void number(Decoder *d, const AtlasSpecField *field, AtlasText *text) {
    gboolean whole = field->type == ATLAS_FIELD_INT;
    gint64 least = field->type == ATLAS_FIELD_POSITIVE ? 1 : 0; /* of the numerator */
    AtlasRat value = atlas_rat_parse(text->text, strlen(text->text), NULL);
    if (atlas_rat_ok(value) && value.num >= least && (!whole || atlas_rat_is_whole(value)))
        return;
    atlas_diags_error(d->diags, text->at, "expected %s, not '%s'", expectation(field), text->text);
    decode_hint(d, field);
    text->text = NULL;
}

void decode_choice(Decoder *d, const AtlasSpecField *field, AtlasText *text) {
    if (g_strv_contains(field->choices, text->text))
        return;
    g_autofree char *all = g_strjoinv(", ", (char **)field->choices);
    atlas_diags_error(d->diags, text->at, "'%s' is none of: %s", text->text, all);
    const char *near = atlas_name_nearest(text->text, field->choices);
    if (near)
        atlas_diags_hint(d->diags, "did you mean '%s'?", near);
    else
        decode_hint(d, field);
    text->text = NULL;
}

void decode_scalar(Decoder *d, const AtlasSpecField *field, struct fy_node *node, AtlasSpan key,
                   void *object) {
    AtlasText *text = &MEMBER(AtlasText, object, field);
    if (!decode_text(d, field, node, key, expectation(field), text))
        return;
    switch (field->type) {
    case ATLAS_FIELD_NAME:
        decode_name(d, text, FALSE);
        break;
    case ATLAS_FIELD_LABEL:
        decode_name(d, text, TRUE);
        break;
    case ATLAS_FIELD_INT:
    case ATLAS_FIELD_NUMBER:
    case ATLAS_FIELD_POSITIVE:
        number(d, field, text);
        break;
    case ATLAS_FIELD_CHOICE:
        decode_choice(d, field, text);
        break;
    default: /* expressions are parsed by the second pass, which knows the names */
        break;
    }
}
