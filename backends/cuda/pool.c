#define _POSIX_C_SOURCE 200809L
#include "backends/cuda/pool.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backends/cuda/child.h"
#include "backends/cuda/driver.h"
#include "backends/cuda/watch.h"

/* A process takes as long to start (half a second, one after another) as it then takes for so many
 * programs. */
enum { WORTH = 250 };

/* Processes at once where the caller names no number: more only wait for each other inside the
 * driver. */
enum { JOBS = 8, JOBS_MOST = 64, SHARING = 500 };

/* How often pages are looked at, in milliseconds. */
enum { LOOK_MS = 100 };

enum { NOBODY = -1 };

typedef struct {
    GPid pid;   /* 0: not started */
    int socket; /* -1: none */
    gboolean ready;
    gint64 program; /* the one that it performs; NOBODY: none */
    CudaWatch *page;
    gint64 beats;    /* when it was last looked at */
    gint64 deadline; /* monotonic time, microseconds, by which it must have done something */
    GByteArray *inbox;
} Child;

struct AtlasCudaPool {
    AtlasCudaConfig config;
    guint start_s;    /* seconds that a process may take to load the driver */
    GArray *children; /* of Child */
    char *device, *cuda, *driver;
};

/* What is being run. */
typedef struct {
    AtlasCudaPool *pool;
    const GPtrArray *programs;
    const GArray *steps;
    AtlasOutcome **outcomes;
    GQueue *waiting; /* indices of programs that no child has */
    guint done;
    guint refusals; /* contexts refused since a program was last finished */
    AtlasProgress *progress;
    GError *error;
} Run;

AtlasCudaPool *atlas_cuda_pool_new(const AtlasCudaConfig *config) {
    AtlasCudaPool *pool = g_new0(AtlasCudaPool, 1);
    pool->config = *config;
    if (pool->config.jobs == 0)
        pool->config.jobs = MIN(g_get_num_processors(), JOBS);
    pool->config.jobs = MIN(pool->config.jobs, JOBS_MOST);
    pool->start_s = config->limit_s ? config->limit_s : CUDA_LOAD_LIMIT_S;
    if (pool->config.limit_s == 0)
        pool->config.limit_s = CUDA_LIMIT_S;
    if (pool->config.sharing == 0)
        pool->config.sharing = SHARING;
    pool->children = g_array_new(FALSE, FALSE, sizeof(Child));
    for (guint i = 0; i < pool->config.jobs; i++) {
        Child child = {.socket = -1, .program = NOBODY, .inbox = g_byte_array_new()};
        g_array_append_val(pool->children, child);
    }
    return pool;
}

void atlas_cuda_pool_hurry(AtlasCudaPool *pool, guint limit_s) {
    pool->config.limit_s = MIN(pool->config.limit_s, limit_s);
}

/* Ends a child, whatever it does. */
static void stop(Child *child) {
    if (child->socket >= 0)
        close(child->socket);
    if (child->pid)
        cuda_watch_end(child->pid);
    cuda_watch_free(child->page);
    g_byte_array_set_size(child->inbox, 0);
    *child = (Child){.socket = -1, .program = NOBODY, .inbox = child->inbox};
}

void atlas_cuda_pool_free(AtlasCudaPool *pool) {
    for (guint i = 0; i < pool->children->len; i++) {
        Child *child = &g_array_index(pool->children, Child, i);
        stop(child);
        g_byte_array_unref(child->inbox);
    }
    g_array_unref(pool->children);
    g_free(pool->device);
    g_free(pool->cuda);
    g_free(pool->driver);
    g_free(pool);
}

const char *atlas_cuda_pool_device(const AtlasCudaPool *pool) {
    return pool->device;
}

const char *atlas_cuda_pool_cuda(const AtlasCudaPool *pool) {
    return pool->cuda;
}

const char *atlas_cuda_pool_driver(const AtlasCudaPool *pool) {
    return pool->driver;
}

static gint64 seconds_from_now(guint seconds) {
    return g_get_monotonic_time() + seconds * G_TIME_SPAN_SECOND;
}

static gboolean start(Child *child, guint limit_s, GError **error) {
    static const int place = CUDA_WATCH_FD;
    int ends[2], page;
    g_autofree char *parent = g_strdup_printf("%d", (int)getpid());
    const char *argv[] = {"/proc/self/exe", CUDA_CHILD_OPTION, parent, NULL};
    child->page = cuda_watch_new(&page, error);
    if (!child->page)
        return FALSE;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING, "cannot make a socket: %s",
                    g_strerror(errno));
        close(page);
        return FALSE;
    }
    gboolean started = g_spawn_async_with_pipes_and_fds(
        NULL, argv, NULL, G_SPAWN_DO_NOT_REAP_CHILD | G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL,
        ends[1], -1, -1, &page, &place, 1, &child->pid, NULL, NULL, NULL, error);
    close(ends[1]);
    close(page);
    child->socket = ends[0];
    child->deadline = seconds_from_now(limit_s);
    return started;
}

/* Gives a child its next program. One that does not take it has ended, which reading from it will
 * tell. */
static void assign(Run *run, Child *child) {
    guint index = GPOINTER_TO_UINT(g_queue_pop_head(run->waiting));
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_program_write(g_ptr_array_index(run->programs, index), text);
    CudaRequest request = {.steps = g_array_index(run->steps, gint64, index),
                           .length = text->len,
                           .sharing = run->pool->config.sharing};
    child->program = index;
    child->page->calls = 0;
    cuda_watch_idle(child->page);
    child->deadline = seconds_from_now(run->pool->config.limit_s);
    if (cuda_send(child->socket, &request, sizeof request))
        cuda_send(child->socket, text->str, text->len);
}

/* Gives programs to the children that are ready, and starts as many more as are worth it. */
static void employ(Run *run) {
    GArray *children = run->pool->children;
    guint starting = 0;
    for (guint i = 0; i < children->len; i++) {
        Child *child = &g_array_index(children, Child, i);
        if (child->ready && child->program == NOBODY && !g_queue_is_empty(run->waiting))
            assign(run, child);
        starting += child->pid && !child->ready;
    }
    guint wanted = (g_queue_get_length(run->waiting) + WORTH - 1) / WORTH;
    for (guint i = 0; i < children->len && starting < wanted; i++) {
        Child *child = &g_array_index(children, Child, i);
        if (child->pid)
            continue;
        if (!start(child, run->pool->start_s, &run->error))
            return;
        starting++;
    }
}

/* The child's program ended. */
static void finish(Run *run, Child *child, AtlasOutcomeState state, gint64 executed) {
    AtlasOutcome *outcome = run->outcomes[child->program];
    outcome->state = state;
    outcome->ended_at = child->page->op;
    outcome->executed = executed;
    outcome->calls = child->page->calls;
    child->program = NOBODY;
    atlas_progress_update(run->progress, ++run->done, run->programs->len);
}

static void refuse(Run *run, const char *why) {
    if (!run->error)
        run->error = g_error_new_literal(CUDA_ERROR, CUDA_ERROR_MISSING, why);
}

/* The child could not begin with its program, and ends; the program is tried once more, unless it
 * is the same with all children. */
static void retry(Run *run, Child *child, const char *why) {
    g_queue_push_head(run->waiting, GUINT_TO_POINTER((guint)child->program));
    if (++run->refusals > run->pool->config.jobs)
        refuse(run, why);
    stop(child);
}

/* The driver hung or crashed: at an op of the program, or before it began with it. */
static void fail(Run *run, Child *child, AtlasOutcomeState state, const char *what) {
    g_autofree char *doing = cuda_watch_describe(child->page);
    g_autofree char *why = g_strdup_printf("the CUDA driver %s %s", what, doing);
    if (!child->ready) {
        refuse(run, why);
    } else if (child->program != NOBODY && child->page->op == G_MAXUINT) {
        retry(run, child, why);
        return;
    } else if (child->program != NOBODY) {
        finish(run, child, state, -1);
    }
    stop(child);
}

static void meet(AtlasCudaPool *pool, Child *child, const CudaMessage *message) {
    child->ready = TRUE;
    if (pool->device)
        return;
    pool->device = g_strdup(message->text);
    pool->cuda = cuda_version_text((int)message->number);
    pool->driver = cuda_driver_release();
}

/* Takes one message down; FALSE where the child was stopped. */
static gboolean hear(Run *run, Child *child, const CudaMessage *message) {
    switch (message->says) {
    case CUDA_SAYS_READY:
        meet(run->pool, child, message);
        return TRUE;
    case CUDA_SAYS_REFUSED:
        refuse(run, message->text);
        return TRUE;
    case CUDA_SAYS_ANSWER:
        atlas_outcome_put(run->outcomes[child->program], message->op, &message->answer);
        return TRUE;
    case CUDA_SAYS_DONE:
        run->refusals = 0;
        if (message->number < 0)
            run->outcomes[child->program]->uncounted = g_strdup(message->text);
        finish(run, child, ATLAS_OUTCOME_FINISHED, message->number);
        return TRUE;
    case CUDA_SAYS_FAILED:
        retry(run, child, message->text);
        return FALSE;
    }
    g_assert_not_reached();
}

/* The child ended by itself. */
static void mourn(Run *run, Child *child) {
    int status = cuda_watch_end(child->pid);
    child->pid = 0;
    if (WIFSIGNALED(status) && !cuda_watch_is_fault(WTERMSIG(status))) {
        g_autofree char *why =
            g_strdup_printf("a process that runs programs was ended (%s), and not by the driver: "
                            "is there memory enough, and do limits allow threads?",
                            g_strsignal(WTERMSIG(status)));
        refuse(run, why);
        stop(child);
    } else {
        fail(run, child, ATLAS_OUTCOME_CRASHED, "crashed");
    }
}

static void read_messages(Run *run, Child *child) {
    guint8 buffer[64 * sizeof(CudaMessage)];
    gssize got = read(child->socket, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR)
        return;
    if (got <= 0) {
        mourn(run, child);
        return;
    }
    g_byte_array_append(child->inbox, buffer, (guint)got);
    guint at = 0;
    while (child->inbox->len - at >= sizeof(CudaMessage)) {
        CudaMessage message;
        memcpy(&message, child->inbox->data + at, sizeof message);
        at += sizeof message;
        if (!hear(run, child, &message))
            return;
    }
    g_byte_array_remove_range(child->inbox, 0, at);
}

static gboolean is_waited_for(const Child *child) {
    return child->pid && (!child->ready || child->program != NOBODY);
}

/* Whether a child has done nothing for too long. Time in which this process was stopped (`late`)
 * counts for nothing. */
static gboolean is_silent(const Run *run, Child *child, gint64 late) {
    gint64 beats = cuda_watch_beats(child->page);
    child->deadline += late;
    if (beats != child->beats && child->ready)
        child->deadline = seconds_from_now(run->pool->config.limit_s);
    child->beats = beats;
    return g_get_monotonic_time() > child->deadline;
}

/* Waits until a child says something or takes too long, and deals with it. */
static void listen_once(Run *run) {
    GArray *children = run->pool->children;
    struct pollfd polled[JOBS_MOST];
    for (guint i = 0; i < children->len; i++)
        polled[i] = (struct pollfd){g_array_index(children, Child, i).socket, POLLIN, 0};
    gint64 due = g_get_monotonic_time() + 2 * LOOK_MS * G_TIME_SPAN_MILLISECOND;
    if (poll(polled, children->len, LOOK_MS) < 0 && errno != EINTR)
        g_error("poll: %s", g_strerror(errno));
    gint64 late = MAX(g_get_monotonic_time() - due, 0);
    for (guint i = 0; i < children->len && !run->error; i++) {
        Child *child = &g_array_index(children, Child, i);
        if (polled[i].revents & (POLLIN | POLLHUP | POLLERR))
            read_messages(run, child);
        else if (is_waited_for(child) && is_silent(run, child, late))
            fail(run, child, ATLAS_OUTCOME_HUNG, "hung");
    }
}

gboolean atlas_cuda_run(AtlasCudaPool *pool, const GPtrArray *programs, const GArray *steps,
                        GPtrArray *outcomes, AtlasProgress *progress, GError **error) {
    Run run = {.pool = pool, .programs = programs, .steps = steps, .progress = progress};
    run.outcomes = g_new(AtlasOutcome *, programs->len + 1);
    run.waiting = g_queue_new();
    for (guint i = 0; i < programs->len; i++) {
        run.outcomes[i] = atlas_outcome_new(g_ptr_array_index(programs, i));
        g_ptr_array_add(outcomes, run.outcomes[i]);
        g_queue_push_tail(run.waiting, GUINT_TO_POINTER(i));
    }
    while (!run.error && run.done < programs->len) {
        employ(&run);
        if (!run.error)
            listen_once(&run);
    }
    if (run.error) /* what they were doing is of no use any more */
        for (guint i = 0; i < pool->children->len; i++)
            stop(&g_array_index(pool->children, Child, i));
    g_queue_free(run.waiting);
    g_free(run.outcomes);
    if (!run.error)
        return TRUE;
    g_propagate_error(error, run.error);
    return FALSE;
}
