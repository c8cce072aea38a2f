#define _POSIX_C_SOURCE 200809L
#include "backends/cuda/guard.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cuda/driver.h"

/* How often the page is looked at, in milliseconds. */
enum { LOOK_MS = 50 };

/* The process that is watched. Its end of the pipe is closed when it ends. */
typedef struct {
    GPid pid;
    int pipe;
    CudaWatch *page;
} Watched;

static gboolean spawn(Watched *w, char **argv, const int *fds, GError **error) {
    static const int places[] = {CUDA_WATCH_FD, CUDA_WATCH_END_FD};
    g_autoptr(GPtrArray) all = g_ptr_array_new();
    g_autofree char *self = g_strdup_printf("%d", (int)getpid());
    g_ptr_array_add(all, (gpointer) "/proc/self/exe");
    g_ptr_array_add(all, (gpointer)CUDA_WATCHED_OPTION);
    g_ptr_array_add(all, self);
    for (guint i = 1; argv[i]; i++)
        g_ptr_array_add(all, argv[i]);
    g_ptr_array_add(all, NULL);
    return g_spawn_async_with_pipes_and_fds(
        NULL, (const char *const *)all->pdata, NULL,
        G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_CHILD_INHERITS_STDIN, NULL, NULL, -1, -1, -1, fds,
        places, G_N_ELEMENTS(places), &w->pid, NULL, NULL, NULL, error);
}

static gboolean start(Watched *w, char **argv, GError **error) {
    int fds[2], ends[2];
    w->page = cuda_watch_new(&fds[0], error);
    if (!w->page)
        return FALSE;
    if (pipe(ends) != 0) {
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "cannot make a pipe: %s",
                    g_strerror(errno));
        close(fds[0]);
        return FALSE;
    }
    fds[1] = ends[1];
    w->pipe = ends[0];
    gboolean started = spawn(w, argv, fds, error);
    close(fds[0]);
    close(fds[1]);
    return started;
}

/* Waits until the process has ended (TRUE) or has done nothing for longer than it may (FALSE). Time
 * in which this process was stopped counts for nothing. */
static gboolean wait_for(const Watched *w) {
    struct pollfd end = {w->pipe, POLLIN, 0};
    gint64 beats = -1, idle = 0;
    for (;;) {
        gint64 before = g_get_monotonic_time();
        if (poll(&end, 1, LOOK_MS) > 0)
            return TRUE;
        gint64 passed = g_get_monotonic_time() - before;
        gint64 limit = __atomic_load_n(&w->page->limit_us, __ATOMIC_RELAXED);
        gint64 now = cuda_watch_beats(w->page);
        idle = limit == 0 || now != beats ? 0 : idle + MIN(passed, 2 * LOOK_MS * 1000);
        beats = now;
        if (limit > 0 && idle >= limit)
            return FALSE;
    }
}

static int give_up(const Watched *w, GError **error) {
    g_autofree char *doing = cuda_watch_describe(w->page);
    gboolean ended = cuda_watch_end(w->pid) != -1;
    g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                "the CUDA driver hung %s: nothing came back within %.3g s%s", doing,
                (double)w->page->limit_us / G_TIME_SPAN_SECOND,
                ended ? "" : "; its process cannot be ended and stays behind");
    return -1;
}

/* The exit status of a process that has ended by itself. */
static int judge(const Watched *w, GError **error) {
    int status = 0;
    while (waitpid(w->pid, &status, 0) < 0 && errno == EINTR)
        continue;
    gboolean in_driver = w->page->limit_us > 0;
    if (WIFEXITED(status) && !in_driver)
        return WEXITSTATUS(status);
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGPIPE) /* who reads has enough */
        return 128 + SIGPIPE;
    g_autofree char *doing = cuda_watch_describe(w->page);
    if (WIFEXITED(status))
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "the CUDA driver ended the process (status %d) %s", WEXITSTATUS(status), doing);
    else if (in_driver && cuda_watch_is_fault(WTERMSIG(status)))
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "the CUDA driver crashed (%s) %s",
                    g_strsignal(WTERMSIG(status)), doing);
    else
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "the process that replays was ended (%s), and not by the driver",
                    g_strsignal(WTERMSIG(status)));
    return -1;
}

int cuda_guard(char **argv, GError **error) {
    Watched w = {.pipe = -1};
    int status = -1;
    if (start(&w, argv, error))
        status = wait_for(&w) ? judge(&w, error) : give_up(&w, error);
    if (w.pipe >= 0)
        close(w.pipe);
    cuda_watch_free(w.page);
    return status;
}
