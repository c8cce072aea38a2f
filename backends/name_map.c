#include "backends/name_map.h"

#include <string.h>

typedef struct {
    GRegex *regex; /* NULL: '=NAME' */
    char *name;    /* may hold references to groups */
    gboolean open; /* it does */
} Entry;

struct NameMap {
    GArray *entries; /* of Entry */
    const char *const *names;
};

static void entry_clear(gpointer data) {
    Entry *entry = data;
    g_clear_pointer(&entry->regex, g_regex_unref);
    g_free(entry->name);
}

static int index_of(const char *const *names, const char *name) {
    for (int i = 0; names[i]; i++)
        if (g_str_equal(names[i], name))
            return i;
    return -1;
}

/* The text around its last '='; FALSE where it has none. */
static gboolean part(const AtlasText *text, const char *what, gboolean rest, char **regex,
                     char **name, AtlasDiags *diags) {
    const char *equals = strrchr(text->text, '=');
    if (equals && (rest || equals > text->text) && equals[1]) {
        *regex = g_strndup(text->text, (gsize)(equals - text->text));
        *name = g_strdup(equals + 1);
        return TRUE;
    }
    atlas_diags_error(diags, text->at, "expected REGEX=%s, not '%s'", what, text->text);
    atlas_diags_hint(diags, "for example 'forward|loss=fwd': what names of ranges or kernels hold, "
                            "and what that is");
    return FALSE;
}

static gboolean check_name(const AtlasText *text, const char *what, const Entry *entry,
                           const char *const *names, AtlasDiags *diags) {
    gboolean references = FALSE;
    if (!g_regex_check_replacement(entry->name, &references, NULL)) {
        atlas_diags_error(diags, text->at,
                          "'%s' is no %s: '\\' stands before the number of a group", entry->name,
                          what);
        return FALSE;
    }
    if (references || index_of(names, entry->name) >= 0)
        return TRUE;
    g_autofree char *all = g_strdup_printf("%ss are", what);
    atlas_diags_error(diags, text->at, "no %s named '%s'", what, entry->name);
    atlas_diags_suggest(diags, entry->name, all, names);
    return FALSE;
}

static void add_entry(NameMap *map, const AtlasText *text, const char *what, gboolean rest,
                      AtlasDiags *diags) {
    g_autofree char *regex = NULL;
    g_autoptr(GError) error = NULL;
    Entry entry = {NULL, NULL, FALSE};
    if (!part(text, what, rest, &regex, &entry.name, diags))
        return;
    entry.regex = *regex ? g_regex_new(regex, G_REGEX_OPTIMIZE, 0, &error) : NULL;
    if (error)
        atlas_diags_error(diags, text->at, "'%s' is no regular expression: %s", regex,
                          error->message);
    if (error || !check_name(text, what, &entry, map->names, diags)) {
        entry_clear(&entry);
        return;
    }
    entry.open = strchr(entry.name, '\\') != NULL;
    g_array_append_val(map->entries, entry);
}

NameMap *name_map_new(const GArray *maps, const char *what, gboolean rest, const char *const *names,
                      AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    NameMap *map = g_new0(NameMap, 1);
    map->entries = g_array_new(FALSE, FALSE, sizeof(Entry));
    g_array_set_clear_func(map->entries, entry_clear);
    map->names = names;
    for (guint i = 0; maps && i < maps->len; i++)
        add_entry(map, &g_array_index(maps, AtlasText, i), what, rest, diags);
    if (atlas_diags_errors(diags) == before)
        return map;
    name_map_free(map);
    return NULL;
}

void name_map_free(NameMap *map) {
    if (!map)
        return;
    g_array_unref(map->entries);
    g_free(map);
}

gboolean name_map_empty(const NameMap *map) {
    return map->entries->len == 0;
}

gboolean name_map_names(const NameMap *map, guint index) {
    for (guint i = 0; i < map->entries->len; i++)
        if (g_str_equal(g_array_index(map->entries, Entry, i).name, map->names[index]))
            return TRUE;
    return FALSE;
}

int name_map_rest(const NameMap *map) {
    for (guint i = 0; i < map->entries->len; i++) {
        const Entry *entry = &g_array_index(map->entries, Entry, i);
        if (!entry->regex)
            return index_of(map->names, entry->name);
    }
    return -1;
}

int name_map_find(const NameMap *map, const char *text) {
    for (guint i = 0; i < map->entries->len; i++) {
        const Entry *entry = &g_array_index(map->entries, Entry, i);
        g_autoptr(GMatchInfo) match = NULL;
        if (!entry->regex || !g_regex_match(entry->regex, text, 0, &match))
            continue;
        g_autofree char *name =
            entry->open ? g_match_info_expand_references(match, entry->name, NULL) : NULL;
        return index_of(map->names, name ? name : entry->name);
    }
    return -1;
}
