/* A spec as it is written: the tree of a YAML file, typed, with the place of every value.
 *
 * This is the first of two passes. It knows the form only: which keys stand where, which are
 * required, what kind of value each takes. The form is one table (fields.h) that drives decoding,
 * hints and the JSON Schema for editors. What names refer to, whether expressions make sense and
 * what a group that is `like` another holds is found out by the second pass (model.h).
 *
 * Life cycle: atlas_spec_read / atlas_spec_free. The spec owns everything in it; the source is
 * borrowed and must outlive it. An absent value has a NULL text (or list).
 *
 * Guards against the YAML library (yaml.c): a line that starts with '%', on some of which libfyaml
 * 0.7.12 loops for ever, is refused before it sees the text, as are sizes that would keep it busy.
 * Anchors, aliases, tags and duplicate keys are refused with their place: a spec reads from top to
 * bottom.
 */
#ifndef ATLAS_MODEL_LAUNCH_SPEC_H
#define ATLAS_MODEL_LAUNCH_SPEC_H

#include "model/launch/tree.h"

/* A key and its value where the keys are free: `set`, `rename`, `counts`, `args`, `recipe`. */
typedef struct {
    AtlasText key, value;
} AtlasPair;

/* Every object that stands under a name begins with that name. */
typedef struct {
    AtlasText name, about, low, high, standard; /* min, max, default */
} AtlasSpecParam;

typedef struct {
    AtlasText name, about, standard, needs;
} AtlasSpecArm;

typedef struct {
    AtlasText name, about, changes;
    GArray *set; /* of AtlasPair */
} AtlasSpecToggle;

typedef struct {
    AtlasText name, kind, about;
} AtlasSpecStream;

typedef struct {
    AtlasText name, per, about;
} AtlasSpecBuffer;

typedef struct {
    AtlasText name, kind, low, about; /* low: min */
} AtlasSpecUnknown;

typedef struct {
    AtlasText lag, source, about;
} AtlasSpecCounter;

typedef enum {
    ATLAS_ITEM_LAUNCH,
    ATLAS_ITEM_COPY,
    ATLAS_ITEM_RECORD,
    ATLAS_ITEM_WAIT,
    ATLAS_ITEM_SYNC,
    ATLAS_ITEM_READ,
    ATLAS_ITEM_HOST_WRITE,
    ATLAS_ITEM_ALLOC,
    ATLAS_ITEM_FREE,
    ATLAS_ITEM_LOOP,
    ATLAS_ITEM_GROUP,
    ATLAS_ITEM_KINDS
} AtlasItemKind;

/* One item of a `do` list. `what` is the value of the key that names the kind: the launch's name,
 * the copy's kind, the event, the buffer, the loop's count. The fields that a kind does not have
 * stay absent. */
typedef struct AtlasSpecItem {
    AtlasText what;
    AtlasItemKind kind;
    AtlasText about, source, stream, thread, when, every;
    AtlasText count, kernel, cost;  /* launch; cost: `cost_us` */
    GArray *reads, *writes, *fresh; /* launch: of AtlasText */
    GArray *args;                   /* launch: of AtlasPair */
    AtlasText from, to;             /* copy */
    AtlasText index;                /* loop: `as` */
    AtlasText like;                 /* group */
    GArray *rename, *counts;        /* group: of AtlasPair */
    GPtrArray *body;                /* loop, group: `do`, of AtlasSpecItem* */
} AtlasSpecItem;

typedef struct {
    AtlasText name, about;
    GPtrArray *body; /* `do`, of AtlasSpecItem* */
} AtlasSpecStage;

typedef struct AtlasSpec {
    const AtlasSource *source;
    AtlasText version, name, about, claims;
    GArray *recipe;    /* of AtlasPair */
    GPtrArray *params; /* of AtlasSpecParam*, and so on */
    GPtrArray *arms;
    GPtrArray *toggles;
    AtlasSpecCounter *counter;
    GPtrArray *streams;
    GPtrArray *buffers;
    GPtrArray *stages;
    GPtrArray *unknowns;
    GArray *runs; /* of AtlasText: FILE[@CONFIGURATION] */

    AtlasTree tree; /* owns everything */
} AtlasSpec;

/* Decodes a spec. Adds every problem of form to `diags`; returns NULL only where no tree could be
 * made at all (no YAML); with a tree, the second pass can report its own problems beside these. */
AtlasSpec *atlas_spec_read(const AtlasSource *source, AtlasDiags *diags);
void atlas_spec_free(AtlasSpec *spec);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasSpec, atlas_spec_free)

/* The JSON Schema (draft 07) of specs, for editors. The caller frees it. */
char *atlas_spec_schema(void);

#endif
