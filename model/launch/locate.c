#include "model/launch/locate.h"

#include <string.h>

#include "model/base/source.h"

static char *shipped_folder(void) {
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    g_autofree char *folder = program ? g_path_get_dirname(program) : g_strdup(".");
    g_autofree char *specs = g_build_filename(folder, "..", "share", "launch-atlas", "specs", NULL);
    return g_canonicalize_filename(specs, NULL); /* errors show it: without "bin/.." */
}

static int by_name(gconstpointer a, gconstpointer b) {
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names of the specs in a folder, sorted, joined by commas. */
static char *shipped_names(const char *folder) {
    g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *entry;
    while (dir && (entry = g_dir_read_name(dir)))
        if (g_str_has_suffix(entry, ".yaml") && !g_str_has_suffix(entry, ".claims.yaml"))
            g_ptr_array_add(names, g_strndup(entry, strlen(entry) - strlen(".yaml")));
    g_ptr_array_sort(names, by_name);
    g_ptr_array_add(names, NULL);
    return g_strjoinv(", ", (char **)names->pdata);
}

/* A folder of the same name does not hide a shipped spec. */
static gboolean is_path(const char *name) {
    return g_str_equal(name, "-") ||
           (g_file_test(name, G_FILE_TEST_EXISTS) &&
            (strchr(name, '/') || !g_file_test(name, G_FILE_TEST_IS_DIR)));
}

char *atlas_spec_locate(const char *name, GError **error) {
    if (is_path(name))
        return g_strdup(name);
    g_autofree char *folder = shipped_folder();
    g_autofree char *file =
        g_str_has_suffix(name, ".yaml") ? g_strdup(name) : g_strconcat(name, ".yaml", NULL);
    g_autofree char *path = g_build_filename(folder, file, NULL);
    if (!strchr(name, '/') && g_file_test(path, G_FILE_TEST_EXISTS))
        return g_steal_pointer(&path);
    g_autofree char *names = shipped_names(folder);
    g_set_error(error, ATLAS_SOURCE_ERROR, ATLAS_SOURCE_ERROR_READ,
                "error: no spec '%s': it is neither a file nor shipped (shipped specs: %s)", name,
                *names ? names : "none found");
    return NULL;
}
