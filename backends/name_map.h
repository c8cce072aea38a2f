/* What names stand for: 'REGEX=NAME' of --stage-map and --arm-map.
 *
 * A regular expression (GRegex's, which are Perl's) is searched for in names of ranges and kernels;
 * the first one that is found counts. NAME may hold \1 for what its first group matched, \2 and so
 * on: '^stage:(\w+)=\1'. The last '=' parts the two. Where `rest` says so, '=NAME' is what no other
 * map and no range says anything of.
 */
#ifndef ATLAS_BACKENDS_NAME_MAP_H
#define ATLAS_BACKENDS_NAME_MAP_H

#include "model/base/diag.h"

typedef struct NameMap NameMap;

/* Reads maps, of AtlasText, to `names`, which is NULL-terminated and outlives it. NULL, with all
 * problems added, where one is none. `what` is what a name is, for messages: "stage". */
NameMap *name_map_new(const GArray *maps, const char *what, gboolean rest, const char *const *names,
                      AtlasDiags *diags);
void name_map_free(NameMap *map);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(NameMap, name_map_free)

gboolean name_map_empty(const NameMap *map);

/* Whether a map says of a name what it is, without \1 and the like. */
gboolean name_map_names(const NameMap *map, guint index);

/* The index of the name of '=NAME'; -1: there is none. */
int name_map_rest(const NameMap *map);

/* The index of the name that a text stands for; -1: of none. */
int name_map_find(const NameMap *map, const char *text);

#endif
