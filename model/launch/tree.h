/* A YAML file read into structs, as a table of fields (fields.h) describes them: the first pass of
 * specs, and all there is to files that have no names to resolve.
 *
 * Life cycle: atlas_tree_init, atlas_tree_read, atlas_tree_clear. The tree owns every text, object,
 * array and list that reading made below the root object; the root object is the caller's, and the
 * source must outlive both.
 */
#ifndef ATLAS_MODEL_LAUNCH_TREE_H
#define ATLAS_MODEL_LAUNCH_TREE_H

#include "model/base/diag.h"
#include "model/launch/fields.h"

typedef struct {
    GStringChunk *strings;               /* every text */
    GPtrArray *objects, *arrays, *lists; /* every object, GArray and GPtrArray */
} AtlasTree;

/* Reading a file ends at this many problems. */
#define ATLAS_SPEC_ERRORS_MAX 1000

void atlas_tree_init(AtlasTree *tree);
void atlas_tree_clear(AtlasTree *tree);

/* Fills `object`, which is zeroed and of kind `root`. The root's first field is the version of the
 * form, of which this program reads 1. Adds every problem of form to `diags`; FALSE only where no
 * tree could be made at all (no YAML). */
gboolean atlas_tree_read(AtlasTree *tree, const AtlasSource *source, const AtlasObjectKind *root,
                         void *object, AtlasDiags *diags);

#endif
