#include <string.h>

#include "model/base/names.h"
#include "model/base/rational.h"
#include "model/launch/fields.h"
#include "model/launch/spec.h"
#include "model/launch/yaml.h"

typedef struct {
    AtlasYaml *yaml;
    AtlasSpec *spec;
    AtlasDiags *diags;
} Decoder;

#define MEMBER(type, object, field) (*(type *)(void *)((char *)(object) + (field)->offset))

static void decode_object(Decoder *d, const AtlasObjectKind *kind, struct fy_node *node,
                          AtlasSpan at, void *object);

static void *new_object(Decoder *d, gsize size) {
    void *object = g_malloc0(size);
    g_ptr_array_add(d->spec->objects, object);
    return object;
}

static GArray *new_array(Decoder *d, gsize element) {
    GArray *array = g_array_new(FALSE, TRUE, (guint)element);
    g_ptr_array_add(d->spec->arrays, array);
    return array;
}

static GPtrArray *new_list(Decoder *d) {
    GPtrArray *list = g_ptr_array_new();
    g_ptr_array_add(d->spec->lists, list);
    return list;
}

/* Anchors, aliases and tags would make a spec mean something that cannot be read off its page. */
static gboolean plain_node(Decoder *d, struct fy_node *node, AtlasSpan at) {
    gsize length = 0;
    if (fy_node_is_alias(node))
        atlas_diags_error(d->diags, at, "a value cannot be an alias");
    else if (fy_node_get_anchor(node))
        atlas_diags_error(d->diags, at, "a value cannot have an anchor");
    else if (fy_node_get_tag(node, &length))
        atlas_diags_error(d->diags, at, "a value cannot have a tag");
    else
        return TRUE;
    atlas_diags_hint(d->diags, "write the value itself; a group can be 'like' another one");
    return FALSE;
}

/* The text of a scalar that must be there; reports what stands there instead. */
static gboolean scalar(Decoder *d, struct fy_node *node, AtlasSpan key, const char *expected,
                       AtlasText *out) {
    gsize length = 0;
    const char *text = NULL;
    AtlasSpan at = node ? atlas_yaml_span(d->yaml, node, key) : key;
    if (node && !plain_node(d, node, at))
        return FALSE;
    if (node && fy_node_is_scalar(node))
        text = fy_node_get_scalar(node, &length);
    if (!text || length == 0) {
        atlas_diags_error(d->diags, at, "expected %s, not %s", expected,
                          !node || fy_node_is_scalar(node) ? "nothing"
                          : fy_node_is_sequence(node)      ? "a list"
                                                           : "a mapping");
        return FALSE;
    }
    if (memchr(text, '\0', length)) {
        atlas_diags_error(d->diags, at, "expected %s, not text with a NUL in it", expected);
        return FALSE;
    }
    /* g_string_chunk_insert_len copies with a closing NUL. */
    *out = (AtlasText){g_string_chunk_insert_len(d->spec->strings, text, (gssize)length), at};
    return TRUE;
}

static void name(Decoder *d, const AtlasText *text, gboolean dash) {
    if (atlas_name_valid(text->text, dash))
        return;
    atlas_diags_error(d->diags, text->at, "'%s' is not a valid name", text->text);
    atlas_diags_hint(d->diags,
                     "a name is small letters, digits and '_'%s, and starts with a letter",
                     dash ? " or '-'" : "");
}

static void number(Decoder *d, const AtlasText *text, gboolean whole) {
    AtlasRat value = atlas_rat_parse(text->text, strlen(text->text), NULL);
    if (atlas_rat_ok(value) && value.num >= 0 && (!whole || atlas_rat_is_whole(value)))
        return;
    atlas_diags_error(d->diags, text->at, "expected %s, not '%s'",
                      whole ? "a whole number >= 0" : "a decimal number >= 0", text->text);
}

static void choice(Decoder *d, const AtlasText *text, const char *const *choices) {
    if (g_strv_contains(choices, text->text))
        return;
    g_autofree char *all = g_strjoinv(", ", (char **)choices);
    atlas_diags_error(d->diags, text->at, "'%s' is none of: %s", text->text, all);
    const char *near = atlas_name_nearest(text->text, choices);
    if (near)
        atlas_diags_hint(d->diags, "did you mean '%s'?", near);
}

static const char *expectation(const AtlasField *field) {
    switch (field->type) {
    case ATLAS_FIELD_NAME:
    case ATLAS_FIELD_LABEL:
        return "a name";
    case ATLAS_FIELD_INT:
        return "a whole number >= 0";
    case ATLAS_FIELD_NUMBER:
        return "a decimal number >= 0";
    case ATLAS_FIELD_EXPRESSION:
        return "an expression";
    default:
        return "text";
    }
}

static void decode_scalar(Decoder *d, const AtlasField *field, struct fy_node *node, AtlasSpan key,
                          void *object) {
    AtlasText *text = &MEMBER(AtlasText, object, field);
    if (!scalar(d, node, key, expectation(field), text))
        return;
    switch (field->type) {
    case ATLAS_FIELD_NAME:
        name(d, text, FALSE);
        break;
    case ATLAS_FIELD_LABEL:
        name(d, text, TRUE);
        break;
    case ATLAS_FIELD_INT:
    case ATLAS_FIELD_NUMBER:
        number(d, text, field->type == ATLAS_FIELD_INT);
        break;
    case ATLAS_FIELD_CHOICE:
        choice(d, text, field->choices);
        break;
    default: /* expressions are parsed by the second pass, which knows the names */
        break;
    }
}

static gboolean is_empty(struct fy_node *node) {
    return !node || (fy_node_is_scalar(node) && !*fy_node_get_scalar0(node));
}

/* Whether a node is the collection that is expected; reports if not. */
static gboolean collection(Decoder *d, struct fy_node *node, AtlasSpan key, gboolean sequence) {
    AtlasSpan at = node ? atlas_yaml_span(d->yaml, node, key) : key;
    if (node && !plain_node(d, node, at))
        return FALSE;
    if (node && (sequence ? fy_node_is_sequence(node) : fy_node_is_mapping(node)))
        return TRUE;
    atlas_diags_error(d->diags, at, "expected a %s, not %s", sequence ? "list" : "mapping",
                      is_empty(node)            ? "nothing"
                      : fy_node_is_scalar(node) ? "text"
                      : sequence                ? "a mapping"
                                                : "a list");
    atlas_diags_hint(d->diags, sequence ? "write '- item' lines below it, or [a, b]"
                                        : "write 'key: value' lines below it, or {key: value}");
    return FALSE;
}

/* The key of a pair. Reports a key that is no text, or that came before in the same mapping. */
static gboolean pair_key(Decoder *d, struct fy_node_pair *pair, AtlasSpan around, GHashTable *seen,
                         AtlasText *key) {
    if (!scalar(d, fy_node_pair_key(pair), around, "a key", key))
        return FALSE;
    AtlasText *before = g_hash_table_lookup(seen, key->text);
    if (before) {
        atlas_diags_error(d->diags, key->at, "key '%s' stands here a second time", key->text);
        atlas_diags_note(d->diags, before->at, "first here");
        atlas_diags_hint(d->diags, "keep one of the two");
        return FALSE;
    }
    AtlasText *kept = new_object(d, sizeof *kept);
    *kept = *key;
    g_hash_table_insert(seen, (gpointer)key->text, kept);
    return TRUE;
}

static void decode_list(Decoder *d, const AtlasField *field, struct fy_node *node, AtlasSpan key,
                        void *object) {
    GArray *list = MEMBER(GArray *, object, field) = new_array(d, sizeof(AtlasText));
    AtlasText text;
    if (!node || !fy_node_is_sequence(node)) {
        if (scalar(d, node, key, "text or a list of texts", &text))
            g_array_append_val(list, text);
        return;
    }
    if (!plain_node(d, node, atlas_yaml_span(d->yaml, node, key)))
        return;
    void *iterator = NULL;
    struct fy_node *element;
    while ((element = fy_node_sequence_iterate(node, &iterator)))
        if (scalar(d, element, key, "text", &text))
            g_array_append_val(list, text);
}

static void decode_pairs(Decoder *d, const AtlasField *field, struct fy_node *node, AtlasSpan key,
                         void *object) {
    GArray *pairs = MEMBER(GArray *, object, field) = new_array(d, sizeof(AtlasPair));
    if (!collection(d, node, key, FALSE))
        return;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(node, &iterator))) {
        AtlasPair made;
        if (pair_key(d, pair, key, seen, &made.key) &&
            scalar(d, fy_node_pair_value(pair), made.key.at, "a value", &made.value))
            g_array_append_val(pairs, made);
    }
}

static void decode_named(Decoder *d, const AtlasField *field, struct fy_node *node, AtlasSpan key,
                         void *object) {
    GPtrArray *list = MEMBER(GPtrArray *, object, field) = new_list(d);
    if (!collection(d, node, key, FALSE))
        return;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(node, &iterator))) {
        AtlasText called;
        if (!pair_key(d, pair, key, seen, &called))
            continue;
        name(d, &called, field->type == ATLAS_FIELD_LABELLED);
        void *made = new_object(d, field->object->size);
        *(AtlasText *)made = called; /* every named object begins with its name */
        decode_object(d, field->object, fy_node_pair_value(pair), called.at, made);
        g_ptr_array_add(list, made);
    }
}

/* The kind of an item: the one whose telling key it has. */
static const AtlasObjectKind *item_kind(Decoder *d, struct fy_node *node, AtlasSpan at) {
    const AtlasObjectKind *found = NULL;
    const char *words[ATLAS_ITEM_KINDS + 1] = {NULL};
    for (guint i = 0; i < ATLAS_ITEM_KINDS; i++)
        words[i] = atlas_fields_items[i].fields[0].key;
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(node, &iterator))) {
        struct fy_node *key = fy_node_pair_key(pair);
        for (guint i = 0; key && fy_node_is_scalar(key) && i < ATLAS_ITEM_KINDS; i++) {
            if (!g_str_equal(fy_node_get_scalar0(key), words[i]))
                continue;
            if (found && found != &atlas_fields_items[i]) {
                atlas_diags_error(d->diags, atlas_yaml_span(d->yaml, key, at),
                                  "an item cannot be '%s' and '%s' at once", found->fields[0].key,
                                  words[i]);
                atlas_diags_hint(d->diags, "make two items of it");
                return NULL;
            }
            found = &atlas_fields_items[i];
        }
    }
    if (found)
        return found;
    g_autofree char *all = g_strjoinv(", ", (char **)words);
    atlas_diags_error(d->diags, at, "an item needs a key that tells its kind");
    iterator = NULL;
    const char *near = NULL;
    while (!near && (pair = fy_node_mapping_iterate(node, &iterator)))
        if (fy_node_pair_key(pair) && fy_node_is_scalar(fy_node_pair_key(pair)))
            near = atlas_name_nearest(fy_node_get_scalar0(fy_node_pair_key(pair)), words);
    if (near)
        atlas_diags_hint(d->diags, "did you mean '%s'?", near);
    else
        atlas_diags_hint(d->diags, "one of: %s", all);
    return NULL;
}

/* Objects of one kind, or items of several. */
static void decode_sequence(Decoder *d, const AtlasField *field, struct fy_node *node,
                            AtlasSpan key, void *object) {
    GPtrArray *list = MEMBER(GPtrArray *, object, field) = new_list(d);
    if (!collection(d, node, key, TRUE))
        return;
    void *iterator = NULL;
    struct fy_node *element;
    while ((element = fy_node_sequence_iterate(node, &iterator))) {
        AtlasSpan at = atlas_yaml_span(d->yaml, element, key);
        const AtlasObjectKind *kind = field->object;
        if (!collection(d, element, at, FALSE))
            continue;
        if (!kind && !(kind = item_kind(d, element, at)))
            continue;
        void *made = new_object(d, kind->size);
        if (!field->object)
            ((AtlasSpecItem *)made)->kind = (AtlasItemKind)(kind - atlas_fields_items);
        decode_object(d, kind, element, at, made);
        g_ptr_array_add(list, made);
    }
}

static void decode_field(Decoder *d, const AtlasField *field, struct fy_node *node, AtlasSpan key,
                         void *object) {
    switch (field->type) {
    case ATLAS_FIELD_LIST:
        decode_list(d, field, node, key, object);
        break;
    case ATLAS_FIELD_PAIRS:
        decode_pairs(d, field, node, key, object);
        break;
    case ATLAS_FIELD_OBJECT: {
        void *made = new_object(d, field->object->size);
        memcpy((char *)object + field->offset, &made, sizeof made); /* a pointer of its own type */
        decode_object(d, field->object, node, key, made);
        break;
    }
    case ATLAS_FIELD_NAMED:
    case ATLAS_FIELD_LABELLED:
        decode_named(d, field, node, key, object);
        break;
    case ATLAS_FIELD_SEQUENCE:
    case ATLAS_FIELD_ITEMS:
        decode_sequence(d, field, node, key, object);
        break;
    default:
        decode_scalar(d, field, node, key, object);
        break;
    }
}

/* Reports a key that the object does not have. Returns the field that was probably meant, where
 * the mapping has no such key already: reading the value as that field's keeps one slip from
 * making names unknown all over the file. */
static const AtlasField *unknown_key(Decoder *d, const AtlasObjectKind *kind,
                                     struct fy_node *mapping, const AtlasText *key) {
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    for (const AtlasField *field = kind->fields; field->key; field++)
        g_ptr_array_add(keys, (gpointer)field->key);
    for (const AtlasField *field = atlas_fields_item; atlas_fields_is_item(kind) && field->key;
         field++)
        g_ptr_array_add(keys, (gpointer)field->key);
    g_ptr_array_add(keys, NULL);
    atlas_diags_error(d->diags, key->at, "%s has no key '%s'", kind->what, key->text);
    if (strchr(key->text, ')')) {
        atlas_diags_hint(d->diags, "quote an expression with a comma in it: \"min(a, b)\"");
        return NULL;
    }
    atlas_diags_suggest(d->diags, key->text, "its keys are", (const char *const *)keys->pdata);
    const char *near = atlas_name_nearest(key->text, (const char *const *)keys->pdata);
    return near && !fy_node_mapping_lookup_by_string(mapping, near, strlen(near))
               ? atlas_fields_find(kind, near)
               : NULL;
}

/* Decodes a mapping into `object`. An empty value ("main:") is an object without keys. */
static void decode_object(Decoder *d, const AtlasObjectKind *kind, struct fy_node *node,
                          AtlasSpan at, void *object) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    gboolean empty = is_empty(node);
    if (!empty && !collection(d, node, at, FALSE))
        return;
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while (!empty && (pair = fy_node_mapping_iterate(node, &iterator))) {
        AtlasText key;
        if (!pair_key(d, pair, at, seen, &key))
            continue;
        const AtlasField *field = atlas_fields_find(kind, key.text);
        if (!field && (field = unknown_key(d, kind, node, &key)))
            g_hash_table_insert(seen, (gpointer)field->key, g_hash_table_lookup(seen, key.text));
        if (field)
            decode_field(d, field, fy_node_pair_value(pair), key.at, object);
    }
    for (const AtlasField *field = kind->fields; field->key; field++) {
        if (!field->required || g_hash_table_contains(seen, field->key))
            continue;
        atlas_diags_error(d->diags, at, "%s needs the key '%s'", kind->what, field->key);
        atlas_diags_hint(d->diags, "%s: %s", field->key, field->doc);
    }
}

AtlasSpec *atlas_spec_read(const AtlasSource *source, AtlasDiags *diags) {
    g_autoptr(AtlasYaml) yaml = atlas_yaml_load(source, diags);
    if (!yaml)
        return NULL;
    AtlasSpan top =
        atlas_yaml_span(yaml, fy_document_root(yaml->document), (AtlasSpan){source, 0, 0});
    AtlasSpec *spec = g_new0(AtlasSpec, 1);
    spec->source = source;
    spec->strings = g_string_chunk_new(4096);
    spec->objects = g_ptr_array_new_with_free_func(g_free);
    spec->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    spec->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    Decoder d = {yaml, spec, diags};
    decode_object(&d, &atlas_fields_root, fy_document_root(yaml->document), top, spec);
    if (spec->version.text && !g_str_equal(spec->version.text, "1")) {
        atlas_diags_error(diags, spec->version.at, "unknown version '%s' of the spec language",
                          spec->version.text);
        atlas_diags_hint(diags, "this program reads version 1");
    }
    return spec;
}

void atlas_spec_free(AtlasSpec *spec) {
    if (!spec)
        return;
    g_string_chunk_free(spec->strings);
    g_ptr_array_unref(spec->objects);
    g_ptr_array_unref(spec->arrays);
    g_ptr_array_unref(spec->lists);
    g_free(spec);
}
