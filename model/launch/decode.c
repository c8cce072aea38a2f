#include <string.h>

#include "model/base/names.h"
#include "model/launch/decode.h"
#include "model/launch/spec.h"

static void decode_object(Decoder *d, const AtlasObjectKind *kind, struct fy_node *node,
                          AtlasSpan at, void *object);

static void *new_object(Decoder *d, gsize size) {
    void *object = g_malloc0(size);
    g_ptr_array_add(d->tree->objects, object);
    return object;
}

static GArray *new_array(Decoder *d, gsize element) {
    GArray *array = g_array_new(FALSE, TRUE, (guint)element);
    g_ptr_array_add(d->tree->arrays, array);
    return array;
}

static GPtrArray *new_list(Decoder *d) {
    GPtrArray *list = g_ptr_array_new();
    g_ptr_array_add(d->tree->lists, list);
    return list;
}

static gboolean is_empty(const Decoder *d, struct fy_node *node) {
    gsize length = 0;
    const char *refused;
    return !node ||
           (fy_node_is_scalar(node) && !fy_node_is_alias(node) &&
            (!atlas_yaml_text(d->yaml, node, &length, &refused) || length == 0) && !refused);
}

/* Whether a node is the collection that is expected; reports if not. */
static gboolean collection(Decoder *d, struct fy_node *node, AtlasSpan key, gboolean sequence) {
    AtlasSpan at = node ? atlas_yaml_span(d->yaml, node, key) : key;
    if (node && !decode_plain(d, node, at))
        return FALSE;
    if (node && (sequence ? fy_node_is_sequence(node) : fy_node_is_mapping(node)))
        return TRUE;
    atlas_diags_error(d->diags, at, "expected a %s, not %s", sequence ? "list" : "mapping",
                      is_empty(d, node)         ? "nothing"
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
    if (!decode_text(d, NULL, fy_node_pair_key(pair), around, "a key", key))
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

static void decode_list(Decoder *d, const AtlasSpecField *field, struct fy_node *node,
                        AtlasSpan key, void *object) {
    GArray *list = MEMBER(GArray *, object, field) = new_array(d, sizeof(AtlasText));
    AtlasText text;
    if (!node || !fy_node_is_sequence(node)) {
        if (decode_text(d, field, node, key, "text or a list of texts", &text))
            g_array_append_val(list, text);
        return;
    }
    if (!decode_plain(d, node, atlas_yaml_span(d->yaml, node, key)))
        return;
    void *iterator = NULL;
    struct fy_node *element;
    while (decode_goes_on(d) && (element = fy_node_sequence_iterate(node, &iterator)))
        if (decode_text(d, field, element, key, "text", &text))
            g_array_append_val(list, text);
}

static void decode_pairs(Decoder *d, const AtlasSpecField *field, struct fy_node *node,
                         AtlasSpan key, void *object) {
    GArray *pairs = MEMBER(GArray *, object, field) = new_array(d, sizeof(AtlasPair));
    if (!collection(d, node, key, FALSE))
        return;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while (decode_goes_on(d) && (pair = fy_node_mapping_iterate(node, &iterator))) {
        AtlasPair made;
        if (!pair_key(d, pair, key, seen, &made.key) ||
            !decode_text(d, field, fy_node_pair_value(pair), made.key.at, "a value", &made.value))
            continue;
        if (field->choices)
            decode_choice(d, field, &made.value);
        if (made.value.text)
            g_array_append_val(pairs, made);
    }
}

static void decode_named(Decoder *d, const AtlasSpecField *field, struct fy_node *node,
                         AtlasSpan key, void *object) {
    GPtrArray *list = MEMBER(GPtrArray *, object, field) = new_list(d);
    if (!collection(d, node, key, FALSE))
        return;
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while (decode_goes_on(d) && (pair = fy_node_mapping_iterate(node, &iterator))) {
        AtlasText called;
        if (!pair_key(d, pair, key, seen, &called))
            continue;
        decode_name(d, &called, field->type == ATLAS_FIELD_LABELLED);
        void *made = new_object(d, field->object->size);
        *(AtlasText *)made = called; /* every named object begins with its name */
        decode_object(d, field->object, fy_node_pair_value(pair), called.at, made);
        g_ptr_array_add(list, made);
    }
}

/* A pair's key, "" where it is no text. The caller frees it. */
static char *key_of(const Decoder *d, struct fy_node_pair *pair) {
    gsize length = 0;
    const char *refused;
    const char *text = atlas_yaml_text(d->yaml, fy_node_pair_key(pair), &length, &refused);
    return text ? g_strndup(text, length) : g_strdup("");
}

/* The word that is nearest to a key, in the order of the keys; NULL if none is near. */
static const char *nearest_word(const Decoder *d, struct fy_node *mapping,
                                const char *const *words) {
    void *iterator = NULL;
    struct fy_node_pair *pair;
    const char *near = NULL;
    while (!near && (pair = fy_node_mapping_iterate(mapping, &iterator))) {
        g_autofree char *key = key_of(d, pair);
        near = atlas_name_nearest(key, words);
    }
    return near;
}

static const AtlasObjectKind *kind_of_word(const char *word) {
    for (guint i = 0; word && i < ATLAS_ITEM_KINDS; i++)
        if (g_str_equal(atlas_fields_items[i].fields[0].key, word))
            return &atlas_fields_items[i];
    return NULL;
}

/* The kind of an item: the one whose telling key it has, else the one that was probably meant. */
static const AtlasObjectKind *item_kind(Decoder *d, struct fy_node *node, AtlasSpan at) {
    const AtlasObjectKind *found = NULL;
    void *iterator = NULL;
    struct fy_node_pair *pair;
    while ((pair = fy_node_mapping_iterate(node, &iterator))) {
        g_autofree char *key = key_of(d, pair);
        const AtlasObjectKind *kind = kind_of_word(key);
        if (found && kind && found != kind) {
            atlas_diags_error(d->diags, atlas_yaml_span(d->yaml, fy_node_pair_key(pair), at),
                              "an item cannot be '%s' and '%s' at once", found->fields[0].key, key);
            atlas_diags_hint(d->diags, "make two items of it");
            return NULL;
        }
        found = kind ? kind : found;
    }
    if (found)
        return found;
    const char *words[ATLAS_ITEM_KINDS + 1] = {NULL};
    for (guint i = 0; i < ATLAS_ITEM_KINDS; i++)
        words[i] = atlas_fields_items[i].fields[0].key;
    const char *near = nearest_word(d, node, words);
    g_autofree char *all = g_strjoinv(", ", (char **)words);
    atlas_diags_error(d->diags, at, "an item needs a key that tells its kind");
    if (near)
        atlas_diags_hint(d->diags, "did you mean '%s'?", near);
    else
        atlas_diags_hint(d->diags, "one of: %s", all);
    return kind_of_word(near);
}

/* Objects of one kind, at least one, or items of several. */
static void decode_sequence(Decoder *d, const AtlasSpecField *field, struct fy_node *node,
                            AtlasSpan key, void *object) {
    GPtrArray *list = MEMBER(GPtrArray *, object, field) = new_list(d);
    if (!collection(d, node, key, TRUE))
        return;
    void *iterator = NULL;
    struct fy_node *element;
    if (field->object && fy_node_sequence_is_empty(node)) {
        atlas_diags_error(d->diags, key, "expected %s, not an empty list", field->object->what);
        decode_hint(d, field);
    }
    while (decode_goes_on(d) && (element = fy_node_sequence_iterate(node, &iterator))) {
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

static void decode_field(Decoder *d, const AtlasSpecField *field, struct fy_node *node,
                         AtlasSpan key, void *object) {
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

/* Reports a key that the object does not have. Returns the field that was probably meant. Where
 * that is the key that tells an item's kind, item_kind has reported it. */
static const AtlasSpecField *unknown_key(Decoder *d, const AtlasObjectKind *kind,
                                         const AtlasText *key, GHashTable *seen) {
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    for (const AtlasSpecField *field = kind->fields; field->key; field++)
        g_ptr_array_add(keys, (gpointer)field->key);
    for (const AtlasSpecField *field = atlas_fields_item; atlas_fields_is_item(kind) && field->key;
         field++)
        g_ptr_array_add(keys, (gpointer)field->key);
    g_ptr_array_add(keys, NULL);
    const char *const *words = (const char *const *)keys->pdata;
    const char *near = atlas_name_nearest(key->text, words);
    if (atlas_fields_is_item(kind) && !g_hash_table_contains(seen, words[0]) && near == words[0])
        return &kind->fields[0];
    atlas_diags_error(d->diags, key->at, "%s has no key '%s'", kind->what, key->text);
    g_autofree char *all = g_strjoinv(", ", (char **)words);
    if (near)
        atlas_diags_hint(d->diags, "did you mean '%s'?", near);
    else
        atlas_diags_hint(d->diags, "its keys are: %s", all);
    return near ? atlas_fields_find(kind, near) : NULL;
}

/* A pair whose key the object does not have. */
typedef struct {
    AtlasText key;
    struct fy_node *value;
    const AtlasSpecField *before; /* the last field before it, or NULL */
} Stranger;

static gboolean is_open(const AtlasText *text) {
    int open = 0;
    for (const char *p = text->text; p && *p; p++)
        open += (*p == '(') - (*p == ')');
    return open > 0;
}

/* YAML takes {count: max(a, b)} for two pairs, and keys without values for what follows commas:
 * these keys are one mistake, and the first half is the same one. */
static gboolean split_expression(Decoder *d, const AtlasObjectKind *kind, const Stranger *stranger,
                                 const AtlasSpecField **split, void *object) {
    const AtlasSpecField *before = stranger->before;
    if (!before || before->type != ATLAS_FIELD_EXPRESSION || !is_empty(d, stranger->value))
        return FALSE;
    AtlasText *text = &MEMBER(AtlasText, object, before);
    if (before != *split && !is_open(text))
        return FALSE;
    if (before != *split) {
        atlas_diags_error(d->diags, stranger->key.at, "%s has no key '%s'", kind->what,
                          stranger->key.text);
        atlas_diags_note(d->diags, text->at, "'%s' ends before the comma", before->key);
        atlas_diags_hint(d->diags, "quote an expression with a comma in it: \"min(a, b)\"");
    }
    text->text = NULL;
    *split = before;
    return TRUE;
}

static void decode_strangers(Decoder *d, const AtlasObjectKind *kind, const GArray *strangers,
                             GHashTable *seen, void *object) {
    const AtlasSpecField *split = NULL;
    for (guint i = 0; i < strangers->len && decode_goes_on(d); i++) {
        Stranger *stranger = &g_array_index(strangers, Stranger, i);
        if (split_expression(d, kind, stranger, &split, object))
            continue;
        const AtlasSpecField *meant = unknown_key(d, kind, &stranger->key, seen);
        if (!meant || g_hash_table_contains(seen, meant->key))
            continue;
        g_hash_table_insert(seen, (gpointer)meant->key, &stranger->key);
        decode_field(d, meant, stranger->value, stranger->key.at, object);
    }
}

/* Decodes a mapping into `object`. An empty value ("main:") is an object without keys. Unknown keys
 * come last: where the one that was probably meant is missing, its value is read as that one's, so
 * that a slip does not make names unknown all over the file. */
static void decode_object(Decoder *d, const AtlasObjectKind *kind, struct fy_node *node,
                          AtlasSpan at, void *object) {
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    g_autoptr(GArray) strangers = g_array_new(FALSE, FALSE, sizeof(Stranger));
    gboolean empty = is_empty(d, node);
    if (empty ? node && !decode_plain(d, node, at) : !collection(d, node, at, FALSE))
        return;
    void *iterator = NULL;
    struct fy_node_pair *pair;
    const AtlasSpecField *last = NULL;
    while (!empty && decode_goes_on(d) && (pair = fy_node_mapping_iterate(node, &iterator))) {
        AtlasText key;
        if (!pair_key(d, pair, at, seen, &key))
            continue;
        const AtlasSpecField *field = atlas_fields_find(kind, key.text);
        if (field)
            decode_field(d, field, fy_node_pair_value(pair), key.at, object);
        else
            g_array_append_val(strangers, ((Stranger){key, fy_node_pair_value(pair), last}));
        last = field ? field : last;
    }
    decode_strangers(d, kind, strangers, seen, object);
    for (const AtlasSpecField *field = kind->fields; field->key && decode_goes_on(d); field++) {
        if (!field->required || g_hash_table_contains(seen, field->key))
            continue;
        atlas_diags_error(d->diags, at, "%s needs the key '%s'", kind->what, field->key);
        decode_hint(d, field);
    }
}

void atlas_tree_init(AtlasTree *tree) {
    tree->strings = g_string_chunk_new(4096);
    tree->objects = g_ptr_array_new_with_free_func(g_free);
    tree->arrays = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    tree->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
}

void atlas_tree_clear(AtlasTree *tree) {
    g_string_chunk_free(tree->strings);
    g_ptr_array_unref(tree->objects);
    g_ptr_array_unref(tree->arrays);
    g_ptr_array_unref(tree->lists);
}

gboolean atlas_tree_read(AtlasTree *tree, const AtlasSource *source, const AtlasObjectKind *root,
                         void *object, AtlasDiags *diags) {
    g_autoptr(AtlasYaml) yaml = atlas_yaml_load(source, root, diags);
    if (!yaml)
        return FALSE;
    AtlasSpan top =
        atlas_yaml_span(yaml, fy_document_root(yaml->document), (AtlasSpan){source, 0, 0});
    Decoder d = {yaml, tree, diags};
    decode_object(&d, root, fy_document_root(yaml->document), top, object);
    const AtlasText *version = &MEMBER(AtlasText, object, root->fields);
    if (version->text && !g_str_equal(version->text, "1")) {
        atlas_diags_error(diags, version->at, "unknown version '%s' of the %s language",
                          version->text, root->what + strcspn(root->what, " ") + 1);
        atlas_diags_hint(diags, "this program reads version 1");
    }
    return TRUE;
}

AtlasSpec *atlas_spec_read(const AtlasSource *source, AtlasDiags *diags) {
    AtlasSpec *spec = g_new0(AtlasSpec, 1);
    spec->source = source;
    atlas_tree_init(&spec->tree);
    if (atlas_tree_read(&spec->tree, source, &atlas_fields_root, spec, diags))
        return spec;
    atlas_spec_free(spec);
    return NULL;
}

void atlas_spec_free(AtlasSpec *spec) {
    if (!spec)
        return;
    atlas_tree_clear(&spec->tree);
    g_free(spec);
}
