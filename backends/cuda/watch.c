#define _GNU_SOURCE /* memfd_create, kill */
#include "backends/cuda/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cuda/driver.h"

/* How long the kernel may take to end a process, in rounds of 10 ms. */
enum { END_ROUNDS = 500 };

static CudaWatch unwatched;
CudaWatch *cuda_watch = &unwatched;

void cuda_watch_idle(CudaWatch *page) {
    page->op = G_MAXUINT;
    g_strlcpy(page->phase, "a program was begun", sizeof page->phase);
}

void cuda_watch_phase(const char *phase) {
    cuda_watch->op = G_MAXUINT;
    g_strlcpy(cuda_watch->phase, phase, sizeof cuda_watch->phase);
    cuda_beat();
}

void cuda_watch_limit(gint64 limit_us) {
    cuda_beat();
    __atomic_store_n(&cuda_watch->limit_us, limit_us, __ATOMIC_RELAXED);
}

void cuda_watch_program(const char *name) {
    const char *end;
    g_strlcpy(cuda_watch->program, name, sizeof cuda_watch->program);
    if (!g_utf8_validate(cuda_watch->program, -1, &end)) /* cut in the middle of a character */
        cuda_watch->program[end - cuda_watch->program] = '\0';
}

CudaWatch *cuda_watch_new(int *fd, GError **error) {
    void *page = MAP_FAILED;
    *fd = memfd_create("watch", MFD_CLOEXEC);
    if (*fd >= 0 && ftruncate(*fd, sizeof(CudaWatch)) == 0)
        page = mmap(NULL, sizeof(CudaWatch), PROT_READ | PROT_WRITE, MAP_SHARED, *fd, 0);
    if (page != MAP_FAILED) {
        CudaWatch *fresh = page;
        fresh->op = G_MAXUINT;
        g_strlcpy(fresh->phase, "it was loaded", sizeof fresh->phase);
        return fresh;
    }
    g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "cannot make shared memory: %s",
                g_strerror(errno));
    if (*fd >= 0)
        close(*fd);
    return NULL;
}

void cuda_watch_free(CudaWatch *page) {
    if (page)
        munmap(page, sizeof *page);
}

gboolean cuda_watch_attach(const char *parent) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != (pid_t)g_ascii_strtoll(parent, NULL, 10))
        return FALSE;
    void *page =
        mmap(NULL, sizeof(CudaWatch), PROT_READ | PROT_WRITE, MAP_SHARED, CUDA_WATCH_FD, 0);
    close(CUDA_WATCH_FD);
    fcntl(CUDA_WATCH_END_FD, F_SETFD, FD_CLOEXEC);
    if (page == MAP_FAILED)
        return FALSE;
    cuda_watch = page;
    return TRUE;
}

char *cuda_watch_describe(const CudaWatch *page) {
    if (page->op == G_MAXUINT)
        return g_strdup_printf("while %s", page->phase);
    const char *call = atlas_op_call(page->kind);
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_append_printf(text, "in %s (program '%s'", call ? call : atlas_op_word(page->kind),
                           page->program);
    if (page->line)
        g_string_append_printf(text, ", line %u", page->line);
    if (page->step >= 0)
        g_string_append_printf(text, ", step %" G_GINT64_FORMAT, page->step);
    g_string_append_c(text, ')');
    return g_string_free(g_steal_pointer(&text), FALSE);
}

int cuda_watch_end(GPid pid) {
    int status = 0;
    kill(pid, SIGKILL);
    for (guint i = 0; i < END_ROUNDS; i++) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid)
            return status;
        if (ended < 0 && errno != EINTR)
            return -1;
        g_usleep(i == 0 ? 500 : 10000);
    }
    return -1;
}

gboolean cuda_watch_is_fault(int signal) {
    static const int faults[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT, SIGSYS};
    for (guint i = 0; i < G_N_ELEMENTS(faults); i++)
        if (faults[i] == signal)
            return TRUE;
    return FALSE;
}
