#include "backends/cuda/threads.h"

#include "model/op/program.h"

typedef struct {
    CudaJob *job; /* NULL: the thread ends */
    gpointer data;
} Order;

typedef struct {
    GThread *thread;     /* NULL: does not exist */
    GAsyncQueue *orders; /* of Order*, borrowed from who waits for it */
    GAsyncQueue *done;   /* of the same, when it was performed */
} Worker;

struct CudaThreads {
    CudaJob *enter;
    gpointer data;
    GAsyncQueue *done;
    Worker workers[ATLAS_PROGRAM_THREADS_MAX + 1];
};

static gpointer work(gpointer data) {
    Worker *worker = data;
    for (;;) {
        Order *order = g_async_queue_pop(worker->orders);
        if (!order->job)
            return NULL;
        order->job(order->data);
        g_async_queue_push(worker->done, order);
    }
}

CudaThreads *cuda_threads_new(CudaJob *enter, gpointer data) {
    CudaThreads *threads = g_new0(CudaThreads, 1);
    threads->enter = enter;
    threads->data = data;
    threads->done = g_async_queue_new();
    return threads;
}

static void perform(CudaThreads *threads, Worker *worker, CudaJob *job, gpointer data) {
    Order order = {job, data};
    g_async_queue_push(worker->orders, &order);
    g_async_queue_pop(threads->done);
}

/* Makes a worker's thread, whose first job is `enter`. */
static gboolean begin(CudaThreads *threads, Worker *worker, GError **error) {
    worker->orders = g_async_queue_new();
    worker->done = threads->done;
    worker->thread = g_thread_try_new("host", work, worker, error);
    if (worker->thread) {
        perform(threads, worker, threads->enter, threads->data);
        return TRUE;
    }
    g_async_queue_unref(worker->orders);
    g_prefix_error(error, "no more host threads: ");
    return FALSE;
}

gboolean cuda_threads_perform(CudaThreads *threads, guint number, CudaJob *job, gpointer data,
                              GError **error) {
    g_assert(number >= 1 && number <= ATLAS_PROGRAM_THREADS_MAX);
    Worker *worker = &threads->workers[number];
    if (!worker->thread && !begin(threads, worker, error))
        return FALSE;
    perform(threads, worker, job, data);
    return TRUE;
}

void cuda_threads_perform_all(CudaThreads *threads, CudaJob *job, gpointer data) {
    for (guint i = 1; i <= ATLAS_PROGRAM_THREADS_MAX; i++)
        if (threads->workers[i].thread)
            perform(threads, &threads->workers[i], job, data);
}

void cuda_threads_free(CudaThreads *threads) {
    Order last = {NULL, NULL};
    for (guint i = 1; i <= ATLAS_PROGRAM_THREADS_MAX; i++) {
        Worker *worker = &threads->workers[i];
        if (!worker->thread)
            continue;
        g_async_queue_push(worker->orders, &last);
        g_thread_join(worker->thread);
        g_async_queue_unref(worker->orders);
    }
    g_async_queue_unref(threads->done);
    g_free(threads);
}
