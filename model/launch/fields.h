/* The form of a spec, as one table: for every kind of object its keys, what kind of value each
 * takes, whether it must be there, where it goes in memory, and one line of documentation.
 *
 * To add a key: add a member to the struct in spec.h and a line to the table in fields.c. The
 * decoder, the "did you mean" hints and the JSON Schema follow by themselves.
 */
#ifndef ATLAS_MODEL_LAUNCH_FIELDS_H
#define ATLAS_MODEL_LAUNCH_FIELDS_H

#include <glib.h>

typedef enum {
    ATLAS_FIELD_TEXT,       /* any text */
    ATLAS_FIELD_NAME,       /* [a-z][a-z0-9_]* */
    ATLAS_FIELD_LABEL,      /* a name in which '-' may stand too */
    ATLAS_FIELD_INT,        /* a whole number >= 0 */
    ATLAS_FIELD_NUMBER,     /* a decimal number >= 0 */
    ATLAS_FIELD_POSITIVE,   /* a decimal number > 0 */
    ATLAS_FIELD_EXPRESSION, /* expr.h; a number or text */
    ATLAS_FIELD_CHOICE,     /* one of `choices` */
    ATLAS_FIELD_LIST,       /* texts: a sequence, or one alone; GArray of AtlasText */
    ATLAS_FIELD_PAIRS,    /* free keys, scalar values (of `choices`, if any); GArray of AtlasPair */
    ATLAS_FIELD_OBJECT,   /* one object of kind `object`; a pointer */
    ATLAS_FIELD_NAMED,    /* objects under their names; GPtrArray */
    ATLAS_FIELD_LABELLED, /* the same under labels */
    ATLAS_FIELD_SEQUENCE, /* a sequence of objects, at least one; GPtrArray */
    ATLAS_FIELD_ITEMS     /* a sequence of items; GPtrArray of AtlasSpecItem* */
} AtlasFieldType;

typedef struct AtlasObjectKind AtlasObjectKind;

typedef struct {
    const char *key;
    AtlasFieldType type;
    gboolean required;
    gsize offset; /* in the object's struct */
    const char *doc;
    const char *const *choices;
    const AtlasObjectKind *object;
} AtlasSpecField;

struct AtlasObjectKind {
    const char *what; /* as an error calls it: "a parameter" */
    gsize size;
    const AtlasSpecField *fields; /* ended by one without a key */
};

/* The longest name, label or key in bytes. */
enum { ATLAS_FIELDS_NAME_MAX = 64 };

extern const AtlasObjectKind atlas_fields_root;

/* The kinds of item, in the order of AtlasItemKind; the first field of each is the key that tells
 * the kind. Item kinds share the fields of atlas_fields_item. */
extern const AtlasObjectKind atlas_fields_items[];
extern const AtlasSpecField atlas_fields_item[];

/* The field of that key; for item kinds among the shared ones too. NULL if there is none. */
const AtlasSpecField *atlas_fields_find(const AtlasObjectKind *kind, const char *key);
gboolean atlas_fields_is_item(const AtlasObjectKind *kind);

/* The form of files with that root, as a JSON Schema; the caller frees it. */
char *atlas_fields_schema(const AtlasObjectKind *root, const char *title);

#endif
