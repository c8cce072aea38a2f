#include "model/base/progress.h"

#include <stdio.h>
#include <unistd.h>

enum { DELAY_US = 1000000, REPAINT_US = 100000 };

struct AtlasProgress {
    const char *title;
    gint64 next; /* when to paint, by the monotonic clock */
    guint percent;
    gboolean painted;
};

static gboolean in_foreground(void) {
    pid_t group = tcgetpgrp(STDERR_FILENO);
    return group < 0 || group == getpgrp();
}

AtlasProgress *atlas_progress_start(const char *title) {
    if (!isatty(STDERR_FILENO))
        return NULL;
    AtlasProgress *progress = g_new0(AtlasProgress, 1);
    progress->title = title;
    progress->next = g_get_monotonic_time() + DELAY_US;
    progress->percent = G_MAXUINT;
    return progress;
}

void atlas_progress_update(AtlasProgress *progress, guint done, guint total) {
    guint percent = total ? (guint)(100 * (guint64)done / total) : 0;
    if (!progress || percent == progress->percent || !in_foreground())
        return;
    gint64 now = g_get_monotonic_time();
    if (now < progress->next)
        return;
    progress->next = now + REPAINT_US;
    progress->percent = percent;
    progress->painted = TRUE;
    fprintf(stderr, "\r%s: %3u%% (%u/%u)", progress->title, percent, done, total);
    fflush(stderr);
}

void atlas_progress_stop(AtlasProgress *progress) {
    if (progress && progress->painted)
        fputs("\r\033[K", stderr);
    g_free(progress);
}
