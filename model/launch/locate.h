/* Where specs are: named by path, or shipped with the programs. */
#ifndef ATLAS_MODEL_LAUNCH_LOCATE_H
#define ATLAS_MODEL_LAUNCH_LOCATE_H

#include <glib.h>

/* The spec that is used where none is named. */
#define ATLAS_DEFAULT_SPEC "dormouse-small"

/* The path of a spec: `name` itself where that is a file, a path or "-", else NAME or NAME.yaml
 * among the specs that stand beside the running program (in ../share/launch-atlas/specs, which is
 * where both a build and an installation keep them). If there is none, returns NULL and sets
 * `error` to a message that lists the shipped ones. The caller frees the path. */
char *atlas_spec_locate(const char *name, GError **error);

#endif
