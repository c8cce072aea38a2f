#include "model/base/output.h"

#include <errno.h>
#include <fcntl.h>
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

/* Writes and closes; FALSE with errno of what failed first. */
static gboolean write_and_close(FILE *file, const char *text) {
    if (!file)
        return FALSE;
    size_t length = strlen(text);
    gboolean written = fwrite(text, 1, length, file) == length && fflush(file) == 0;
    int reason = errno;
    gboolean closed = fclose(file) == 0;
    if (!written)
        errno = reason;
    return written && closed;
}

gboolean atlas_output_file(const char *path, const char *text) {
    if (g_file_test(path, G_FILE_TEST_EXISTS) && !g_file_test(path, G_FILE_TEST_IS_REGULAR))
        return write_and_close(g_fopen(path, "w"), text);
    g_autofree char *temporary = g_strconcat(path, ".XXXXXX", NULL);
    int fd = g_mkstemp_full(temporary, O_WRONLY | O_CREAT, 0666);
    if (fd < 0)
        return FALSE;
    close(fd);
    if (write_and_close(g_fopen(temporary, "w"), text) && g_rename(temporary, path) == 0)
        return TRUE;
    int reason = errno;
    g_unlink(temporary);
    errno = reason;
    return FALSE;
}
