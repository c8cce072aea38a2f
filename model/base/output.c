#include "model/base/output.h"

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
