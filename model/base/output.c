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

/* Writes to an open file, which is closed whatever happens; `through`: down to the disk, since a
 * rename must not outrun what it names. */
static gboolean write_all(int fd, const char *text, gboolean through) {
    gsize left = strlen(text);
    while (left > 0) {
        gssize written = write(fd, text, left);
        if (written < 0 && errno == EINTR)
            continue;
        if (written < 0)
            break;
        text += written;
        left -= (gsize)written;
    }
    gboolean ok = left == 0 && (!through || fsync(fd) == 0);
    int reason = errno;
    ok = close(fd) == 0 && ok;
    errno = reason ? reason : errno;
    return ok;
}

static gboolean replace(const char *path, const char *text) {
    g_autofree char *beside = g_strconcat(path, ".XXXXXX", NULL);
    int fd = g_mkstemp_full(beside, O_RDWR, 0666);
    if (fd < 0)
        return FALSE;
    if (write_all(fd, text, TRUE) && g_rename(beside, path) == 0)
        return TRUE;
    int reason = errno;
    g_unlink(beside);
    errno = reason;
    return FALSE;
}

static gboolean write_as_it_is(const char *path, const char *text) {
    int fd = g_open(path, O_WRONLY, 0);
    return fd >= 0 && write_all(fd, text, FALSE);
}

gboolean atlas_output_replace(const char *path, const char *text, GError **error) {
    gboolean plain =
        !g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_REGULAR);
    errno = 0;
    if (plain ? replace(path, text) : write_as_it_is(path, text))
        return TRUE;
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(errno), "cannot write '%s': %s",
                path, g_strerror(errno));
    return FALSE;
}
