/* Configurations: the values of all parameters and arms of a model.
 *
 * A configuration starts as the base and is changed by settings: toggles ("no-kda"), parameters
 * ("iters=2") and arms ("kda=off"), joined by commas. Two settings that give one name different
 * values contradict each other, whichever way they are written, and are an error: neither wins.
 * An arm whose needed arm is off is off too; only one that was switched on by a setting, by name,
 * is an error then.
 *
 * Life cycle: atlas_config_new (the base), settings, then atlas_config_finish; atlas_config_free.
 * The model is borrowed.
 */
#ifndef ATLAS_MODEL_LAUNCH_CONFIG_H
#define ATLAS_MODEL_LAUNCH_CONFIG_H

#include "model/base/cli.h"
#include "model/launch/model.h"

typedef struct {
    const AtlasModel *model;
    gint64 *params;
    gboolean *switches; /* arms as set */
    guint64 *arms;      /* arms as they are: set, and what they need is on; bits, see AtlasEnv */
    GArray *settings;   /* of AtlasSetting, in the order they were given */
    GPtrArray *toggles; /* of const char*: names, in the order they were given, each once */
} AtlasConfig;

AtlasConfig *atlas_config_new(const AtlasModel *model);
AtlasConfig *atlas_config_copy(const AtlasConfig *config);
void atlas_config_free(AtlasConfig *config);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasConfig, atlas_config_free)

/* Applies settings joined by commas: TOGGLE, PARAM=N, ARM=on|off. "", "-" and "base" change
 * nothing. Adds problems (unknown names, values out of range, contradictions) at their places. */
void atlas_config_apply(AtlasConfig *config, const AtlasText *settings, AtlasDiags *diags);

/* Settles which arms are on; reports an arm that was switched on by name and lacks what it needs.
 * To be called once, behind the last setting. */
void atlas_config_finish(AtlasConfig *config, AtlasDiags *diags);

/* Applies the values of --toggle and --set (NULL-terminated, or NULL) and settles the arms;
 * problems go to the command line's. */
void atlas_config_options(AtlasConfig *config, AtlasCli *cli, char **toggles, char **sets);

/* The configuration of settings, finished. NULL, with the problems added, where they make none. The
 * caller frees it. */
AtlasConfig *atlas_config_read(const AtlasModel *model, const AtlasText *settings,
                               AtlasDiags *diags);

/* Sets one value, without checks against earlier ones, and settles the arms again. */
void atlas_config_put(AtlasConfig *config, gboolean is_arm, guint index, gint64 value);

gboolean atlas_config_arm(const AtlasConfig *config, guint arm);

/* Whether both give every parameter and arm the same value. */
gboolean atlas_config_equal(const AtlasConfig *a, const AtlasConfig *b);

/* Settings that lead from the base to the configuration, none of them idle: toggles where they fit
 * entirely, those that set most first, then parameters, then arms, in the order of the spec; "base"
 * for the base. Equal configurations are described alike. The caller frees it. */
char *atlas_config_describe(const AtlasConfig *config);

/* The values as an environment for expressions, without loops and unknowns; borrows from config. */
AtlasEnv atlas_config_env(const AtlasConfig *config);

#endif
