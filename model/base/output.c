#include "model/base/output.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static gboolean is_set(const char *name) {
    const char *value = g_getenv(name);
    return value && *value;
}

gboolean atlas_output_colour(int fd, const char *when) {
    if (when && g_str_equal(when, "always"))
        return TRUE;
    if ((when && g_str_equal(when, "never")) || is_set("NO_COLOR"))
        return FALSE;
    if (is_set("CLICOLOR_FORCE"))
        return TRUE;
    return isatty(fd) && g_strcmp0(g_getenv("TERM"), "dumb") != 0;
}

gboolean atlas_output_write(const char *text) {
    size_t length = strlen(text);
    return fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0 && !ferror(stdout);
}

/* What is there and no plain file is written to as it is. */
static gboolean write_special(const char *path, const char *text) {
    FILE *file = g_fopen(path, "w");
    if (!file)
        return FALSE;
    gsize length = strlen(text);
    gboolean written = fwrite(text, 1, length, file) == length && fflush(file) == 0;
    int reason = errno;
    gboolean closed = fclose(file) == 0;
    if (!written)
        errno = reason;
    return written && closed;
}

gboolean atlas_output_replace(const char *path, const char *text, GError **error) {
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
        if (write_special(path, text))
            return TRUE;
        g_set_error(error, G_FILE_ERROR, (gint)g_file_error_from_errno(errno),
                    "cannot write '%s': %s", path, g_strerror(errno));
        return FALSE;
    }
    GError *reason = NULL;
    if (g_file_set_contents(path, text, -1, &reason))
        return TRUE;
    g_set_error(error, reason->domain, reason->code, "cannot write '%s': %s", path,
                reason->message);
    g_error_free(reason);
    return FALSE;
}
