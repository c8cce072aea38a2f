#include "model/base/output.h"

#include <errno.h>
#include <fcntl.h>
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

guint atlas_output_columns(int fd) {
    struct winsize size;
    gboolean known = isatty(fd) && ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : ATLAS_OUTPUT_COLUMNS;
}

gboolean atlas_output_write(const char *text) {
    size_t length = strlen(text);
    return fwrite(text, 1, length, stdout) == length && fflush(stdout) == 0 && !ferror(stdout);
}

gboolean atlas_output_same_file(const char *a, const char *b) {
    struct stat at[2];
    return stat(a, &at[0]) == 0 && stat(b, &at[1]) == 0 && S_ISREG(at[0].st_mode) &&
           S_ISREG(at[1].st_mode) && at[0].st_dev == at[1].st_dev && at[0].st_ino == at[1].st_ino;
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

/* What a path leads to where it is a symbolic link, which may lead to another one. */
static char *follow(const char *path) {
    enum { LINKS_MAX = 40 }; /* as many as Linux follows */
    char *at = g_strdup(path);
    for (int i = 0; i < LINKS_MAX && g_file_test(at, G_FILE_TEST_IS_SYMLINK); i++) {
        g_autofree char *link = g_file_read_link(at, NULL), *folder = g_path_get_dirname(at);
        if (!link)
            break;
        g_free(at);
        at = g_path_is_absolute(link) ? g_strdup(link) : g_build_filename(folder, link, NULL);
    }
    return at;
}

gboolean atlas_output_replace(const char *path, const char *text, GError **error) {
    gboolean plain =
        !g_file_test(path, G_FILE_TEST_EXISTS) || g_file_test(path, G_FILE_TEST_IS_REGULAR);
    g_autofree char *target = follow(path);
    errno = 0;
    if (plain ? replace(target, text) : write_as_it_is(path, text))
        return TRUE;
    g_set_error(error, G_FILE_ERROR, (int)g_file_error_from_errno(errno), "cannot write '%s': %s",
                path, g_strerror(errno));
    return FALSE;
}
