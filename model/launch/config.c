#include "model/launch/config.h"

#include <string.h>

/* An arm is on if it is switched on and what it needs is on; needs are no circle (declare.c). */
static gboolean settled(const AtlasConfig *config, int arm) {
    for (; arm >= 0; arm = ATLAS_ARM(config->model, arm)->needs)
        if (!config->switches[arm])
            return FALSE;
    return TRUE;
}

static void settle(AtlasConfig *config) {
    for (guint i = 0; i < config->model->arms->len; i++) {
        guint64 bit = (guint64)1 << (i % 64);
        if (settled(config, (int)i))
            config->arms[i / 64] |= bit;
        else
            config->arms[i / 64] &= ~bit;
    }
}

AtlasConfig *atlas_config_new(const AtlasModel *model) {
    AtlasConfig *config = g_new0(AtlasConfig, 1);
    config->model = model;
    config->params = g_new0(gint64, model->params->len + 1);
    config->switches = g_new0(gboolean, model->arms->len + 1);
    config->arms = g_new0(guint64, atlas_model_arm_words(model));
    config->settings = g_array_new(FALSE, FALSE, sizeof(AtlasSetting));
    config->toggles = g_ptr_array_new();
    for (guint i = 0; i < model->params->len; i++)
        config->params[i] = ATLAS_PARAM(model, i)->standard;
    for (guint i = 0; i < model->arms->len; i++)
        config->switches[i] = ATLAS_ARM(model, i)->standard;
    settle(config);
    return config;
}

AtlasConfig *atlas_config_copy(const AtlasConfig *config) {
    AtlasConfig *copy = atlas_config_new(config->model);
    const AtlasModel *model = config->model;
    memcpy(copy->params, config->params, sizeof *copy->params * model->params->len);
    memcpy(copy->switches, config->switches, sizeof *copy->switches * model->arms->len);
    memcpy(copy->arms, config->arms, sizeof *copy->arms * atlas_model_arm_words(model));
    g_array_append_vals(copy->settings, config->settings->data, config->settings->len);
    for (guint i = 0; i < config->toggles->len; i++)
        g_ptr_array_add(copy->toggles, g_ptr_array_index(config->toggles, i));
    return copy;
}

void atlas_config_free(AtlasConfig *config) {
    if (!config)
        return;
    g_free(config->params);
    g_free(config->switches);
    g_free(config->arms);
    g_array_unref(config->settings);
    g_ptr_array_unref(config->toggles);
    g_free(config);
}

static void store(AtlasConfig *config, const AtlasSetting *setting) {
    if (setting->is_arm)
        config->switches[setting->index] = setting->value != 0;
    else
        config->params[setting->index] = setting->value;
}

static char *setting_text(const AtlasModel *model, const AtlasSetting *setting) {
    if (setting->is_arm)
        return g_strdup_printf("%s=%s", ATLAS_ARM(model, setting->index)->name,
                               setting->value ? "on" : "off");
    return g_strdup_printf("%s=%" G_GINT64_FORMAT, ATLAS_PARAM(model, setting->index)->name,
                           setting->value);
}

/* Applies one setting that stands at `at` (its own place or that of the toggle it came from). */
static void apply(AtlasConfig *config, AtlasSetting setting, AtlasSpan at, AtlasDiags *diags) {
    setting.at = at;
    for (guint i = 0; i < config->settings->len; i++) {
        const AtlasSetting *before = &g_array_index(config->settings, AtlasSetting, i);
        if (before->is_arm != setting.is_arm || before->index != setting.index)
            continue;
        if (before->value == setting.value)
            return;
        g_autofree char *old = setting_text(config->model, before);
        g_autofree char *new = setting_text(config->model, &setting);
        atlas_diags_error(diags, at, "this sets %s, which contradicts %s", new, old);
        atlas_diags_note(diags, before->at, "%s is set here", old);
        atlas_diags_hint(diags, "leave one of the two out");
        return;
    }
    g_array_append_val(config->settings, setting);
    store(config, &setting);
}

static void apply_toggle(AtlasConfig *config, const char *name, AtlasSpan at, AtlasDiags *diags) {
    const AtlasModel *model = config->model;
    int found = atlas_model_find_toggle(model, name);
    if (found < 0) {
        g_autoptr(GPtrArray) names = g_ptr_array_new();
        for (guint i = 0; i < model->toggles->len; i++)
            g_ptr_array_add(names, (gpointer)ATLAS_TOGGLE(model, i)->name);
        g_ptr_array_add(names, NULL);
        atlas_diags_error(diags, at, "no toggle named '%s' in '%s'", name, model->name);
        if (atlas_model_find_arm(model, name) >= 0)
            atlas_diags_hint(diags, "'%s' is an arm: set it with %s=on or %s=off", name, name,
                             name);
        else if (atlas_model_find_param(model, name) >= 0)
            atlas_diags_hint(diags, "'%s' is a parameter: set it with %s=N", name, name);
        else
            atlas_diags_suggest(diags, name, "toggles are", (const char *const *)names->pdata);
        return;
    }
    const AtlasToggle *toggle = ATLAS_TOGGLE(model, found);
    if (!g_ptr_array_find(config->toggles, toggle->name, NULL))
        g_ptr_array_add(config->toggles, (gpointer)toggle->name);
    for (guint i = 0; i < toggle->settings->len; i++)
        apply(config, g_array_index(toggle->settings, AtlasSetting, i), at, diags);
}

static void unknown_name(const AtlasModel *model, const char *name, AtlasSpan at,
                         AtlasDiags *diags) {
    g_autoptr(GPtrArray) names = g_ptr_array_new();
    for (guint i = 0; i < model->params->len; i++)
        g_ptr_array_add(names, (gpointer)ATLAS_PARAM(model, i)->name);
    for (guint i = 0; i < model->arms->len; i++)
        g_ptr_array_add(names, (gpointer)ATLAS_ARM(model, i)->name);
    g_ptr_array_add(names, NULL);
    atlas_diags_error(diags, at, "no parameter or arm named '%s' in '%s'", name, model->name);
    if (atlas_model_find_toggle(model, name) >= 0)
        atlas_diags_hint(diags, "'%s' is a toggle: give it without '='", name);
    else
        atlas_diags_suggest(diags, name, "there are", (const char *const *)names->pdata);
}

static void apply_param(AtlasConfig *config, guint index, const char *value, AtlasSpan at,
                        AtlasDiags *diags) {
    const AtlasParam *param = ATLAS_PARAM(config->model, index);
    AtlasRat number = atlas_rat_parse(value, strlen(value), NULL);
    if (atlas_rat_is_whole(number) && number.num >= param->low && number.num <= param->high) {
        apply(config, (AtlasSetting){FALSE, index, number.num, at}, at, diags);
        return;
    }
    atlas_diags_error(diags, at,
                      "expected a whole number from %" G_GINT64_FORMAT " to %" G_GINT64_FORMAT
                      " for '%s', not '%s'",
                      param->low, param->high, param->name, value);
    atlas_diags_note(diags, param->at, "'%s' is declared here", param->name);
    atlas_diags_hint(diags,
                     "its default is %" G_GINT64_FORMAT
                     "; widen min..max there if the program allows more",
                     param->standard);
}

static void apply_value(AtlasConfig *config, const char *name, const char *value, AtlasSpan at,
                        AtlasDiags *diags) {
    int param = atlas_model_find_param(config->model, name);
    int arm = atlas_model_find_arm(config->model, name);
    if (param < 0 && arm < 0) {
        unknown_name(config->model, name, at, diags);
    } else if (param >= 0) {
        apply_param(config, (guint)param, value, at, diags);
    } else if (!g_str_equal(value, "on") && !g_str_equal(value, "off")) {
        atlas_diags_error(diags, at, "arm '%s' is set to on or off, not to '%s'", name, value);
        atlas_diags_hint(diags, "write %s=on or %s=off", name, name);
    } else {
        apply(config, (AtlasSetting){TRUE, (guint)arm, g_str_equal(value, "on"), at}, at, diags);
    }
}

void atlas_config_apply(AtlasConfig *config, const AtlasText *settings, AtlasDiags *diags) {
    const char *p = settings->text;
    if (!*p || g_str_equal(p, "-") || g_str_equal(p, "base"))
        return;
    for (const char *end; p; p = end ? end + 1 : NULL) {
        end = strchr(p, ',');
        g_autofree char *part = g_strstrip(end ? g_strndup(p, (gsize)(end - p)) : g_strdup(p));
        gsize blanks = *part ? strspn(p, " \t\n\v\f\r") : 0; /* those that g_strstrip took */
        gsize from = settings->at.start + (gsize)(p - settings->text) + blanks;
        AtlasSpan at = {settings->at.source, from, from + strlen(part)};
        char *equals = strchr(part, '=');
        if (!*part) {
            atlas_diags_error(diags, at, "expected a setting, not nothing");
            atlas_diags_hint(diags, "settings are joined by one comma: no-kda,iters=2");
        } else if (equals) {
            *equals = '\0';
            apply_value(config, g_strchomp(part), g_strchug(equals + 1), at, diags);
        } else {
            apply_toggle(config, part, at, diags);
        }
    }
}

void atlas_config_finish(AtlasConfig *config, AtlasDiags *diags) {
    settle(config);
    for (guint i = 0; i < config->settings->len; i++) {
        const AtlasSetting *setting = &g_array_index(config->settings, AtlasSetting, i);
        if (!setting->is_arm || !setting->value || atlas_config_arm(config, setting->index))
            continue;
        const AtlasArm *arm = ATLAS_ARM(config->model, setting->index);
        int needed = arm->needs;
        while (config->switches[needed])
            needed = ATLAS_ARM(config->model, needed)->needs;
        const char *name = ATLAS_ARM(config->model, needed)->name;
        atlas_diags_error(diags, setting->at, "arm '%s' needs '%s', which is off", arm->name, name);
        atlas_diags_note(diags, arm->at, "'%s' is declared here", arm->name);
        atlas_diags_hint(diags, "set %s=on too", name);
    }
}

static void apply_options(AtlasConfig *config, AtlasCli *cli, const char *option, char **values) {
    AtlasText text;
    for (guint i = 0; values && values[i]; i++)
        if (atlas_cli_text(cli, option, values[i], &text))
            atlas_config_apply(config, &text, cli->diags);
}

void atlas_config_options(AtlasConfig *config, AtlasCli *cli, char **toggles, char **sets) {
    apply_options(config, cli, "--toggle", toggles);
    apply_options(config, cli, "--set", sets);
    if (atlas_diags_errors(cli->diags) == 0)
        atlas_config_finish(config, cli->diags);
}

AtlasConfig *atlas_config_read(const AtlasModel *model, const AtlasText *settings,
                               AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    g_autoptr(AtlasConfig) config = atlas_config_new(model);
    atlas_config_apply(config, settings, diags);
    if (atlas_diags_errors(diags) == before)
        atlas_config_finish(config, diags);
    return atlas_diags_errors(diags) == before ? g_steal_pointer(&config) : NULL;
}

void atlas_config_put(AtlasConfig *config, gboolean is_arm, guint index, gint64 value) {
    store(config, &(AtlasSetting){is_arm, index, value, {NULL, 0, 0}});
    settle(config);
}

gboolean atlas_config_arm(const AtlasConfig *config, guint arm) {
    return config->arms[arm / 64] >> (arm % 64) & 1;
}

gboolean atlas_config_equal(const AtlasConfig *a, const AtlasConfig *b) {
    const AtlasModel *model = a->model;
    return memcmp(a->params, b->params, sizeof *a->params * model->params->len) == 0 &&
           memcmp(a->arms, b->arms, sizeof *a->arms * atlas_model_arm_words(model)) == 0;
}

/* ---- describing ---- */

/* What is left to be said, by setting: index * 2, and 1 more for an arm. */
static gpointer todo_key(gboolean is_arm, guint index) {
    return GUINT_TO_POINTER(index * 2 + (is_arm != 0));
}

/* The settings without which the base would not become the configuration. An arm that is off where
 * what it needs is off needs none: two configurations that are equal are described alike. */
static GHashTable *needed_settings(const AtlasConfig *config, const AtlasConfig *base) {
    const AtlasModel *model = config->model;
    GHashTable *todo = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < model->params->len; i++)
        if (config->params[i] != base->params[i])
            g_hash_table_add(todo, todo_key(FALSE, i));
    for (guint i = 0; i < model->arms->len; i++) {
        int needs = ATLAS_ARM(model, i)->needs;
        gboolean on = atlas_config_arm(config, i);
        gboolean follows = !on && needs >= 0 && !atlas_config_arm(config, (guint)needs);
        if (on != base->switches[i] && !follows)
            g_hash_table_add(todo, todo_key(TRUE, i));
    }
    return todo;
}

/* Whether the configuration has what the setting says. */
static gboolean agrees(const AtlasConfig *config, const AtlasSetting *s) {
    return s->is_arm ? atlas_config_arm(config, s->index) == (s->value != 0)
                     : config->params[s->index] == s->value;
}

/* Removes from `todo` what the toggle sets, if all of it is still there. */
static gboolean covers(const AtlasConfig *config, const AtlasToggle *toggle, GHashTable *todo) {
    const GArray *list = toggle->settings;
    for (guint i = 0; i < list->len; i++) {
        const AtlasSetting *s = &g_array_index(list, AtlasSetting, i);
        if (!agrees(config, s) || !g_hash_table_contains(todo, todo_key(s->is_arm, s->index)))
            return FALSE;
    }
    for (guint i = 0; i < list->len; i++) {
        const AtlasSetting *s = &g_array_index(list, AtlasSetting, i);
        g_hash_table_remove(todo, todo_key(s->is_arm, s->index));
    }
    return list->len > 0;
}

static void append_part(GString *out, const char *part) {
    if (out->len)
        g_string_append_c(out, ',');
    g_string_append(out, part);
}

char *atlas_config_describe(const AtlasConfig *config) {
    const AtlasModel *model = config->model;
    g_autoptr(AtlasConfig) base = atlas_config_new(model);
    g_autoptr(GHashTable) todo = needed_settings(config, base);
    GString *out = g_string_new(NULL);
    /* Toggles that set more come first: one name for two settings is shorter than two names. */
    for (guint most = g_hash_table_size(todo); most > 0; most--)
        for (guint i = 0; i < model->toggles->len; i++)
            if (ATLAS_TOGGLE(model, i)->settings->len == most &&
                covers(config, ATLAS_TOGGLE(model, i), todo))
                append_part(out, ATLAS_TOGGLE(model, i)->name);
    for (guint i = 0; i < model->params->len + model->arms->len; i++) {
        gboolean is_arm = i >= model->params->len;
        guint index = is_arm ? i - model->params->len : i;
        if (!g_hash_table_contains(todo, todo_key(is_arm, index)))
            continue;
        AtlasSetting s = {is_arm,
                          index,
                          is_arm ? atlas_config_arm(config, index) : config->params[index],
                          {NULL, 0, 0}};
        g_autofree char *text = setting_text(model, &s);
        append_part(out, text);
    }
    if (out->len == 0)
        g_string_append(out, "base");
    return g_string_free(out, FALSE);
}

AtlasEnv atlas_config_env(const AtlasConfig *config) {
    return (AtlasEnv){config->params, config->arms, NULL, NULL};
}
