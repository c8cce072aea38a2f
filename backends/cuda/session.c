#include "backends/cuda/objects.h"

static void things_init(Things *things) {
    things->named = g_hash_table_new(g_str_hash, g_str_equal);
    things->made = g_ptr_array_new();
}

static void things_clear(Things *things) {
    g_hash_table_unref(things->named);
    g_ptr_array_unref(things->made);
}

void cuda_name(Things *things, const char *name, void *thing) {
    g_hash_table_insert(things->named, (gpointer)name, thing);
    if (thing)
        g_ptr_array_add(things->made, thing);
}

void cuda_forget(Things *things, const char *name) {
    g_ptr_array_remove_fast(things->made, g_hash_table_lookup(things->named, name));
    g_hash_table_remove(things->named, name);
}

static void enter_context(gpointer data) {
    const CudaPlace *place = data;
    place->cuda->cuCtxSetCurrent(place->context);
}

CudaSession *cuda_session_new(CudaPlace *place, GError **error) {
    const CudaDriver *cuda = place->cuda;
    if (!cuda_check(cuda->cuCtxSetCurrent(place->context), "cuCtxSetCurrent", error) ||
        !cuda_check(cuda->cuMemsetD8_v2(place->counter, 0, sizeof(guint64)), "cuMemsetD8", error) ||
        !cuda_check(cuda->cuCtxSynchronize(), "cuCtxSynchronize", error))
        return NULL;
    CudaSession *s = g_new0(CudaSession, 1);
    s->cuda = cuda;
    s->place = place;
    s->threads = cuda_threads_new(enter_context, place);
    things_init(&s->streams);
    things_init(&s->events);
    things_init(&s->graphs);
    things_init(&s->execs);
    s->memory = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    s->flags = g_hash_table_new(g_str_hash, g_str_equal);
    return s;
}

/* Destroys all that was made; FALSE where a call refused. */
static gboolean destroy_all(const CudaSession *s) {
    unsigned refused = CUDA_OK;
    for (guint i = 0; i < s->execs.made->len; i++)
        refused |= s->cuda->cuGraphExecDestroy(g_ptr_array_index(s->execs.made, i));
    for (guint i = 0; i < s->graphs.made->len; i++)
        refused |= s->cuda->cuGraphDestroy(g_ptr_array_index(s->graphs.made, i));
    for (guint i = 0; i < s->events.made->len; i++)
        refused |= s->cuda->cuEventDestroy_v2(g_ptr_array_index(s->events.made, i));
    for (guint i = 0; i < s->streams.made->len; i++)
        refused |= s->cuda->cuStreamDestroy_v2(g_ptr_array_index(s->streams.made, i));
    return refused == CUDA_OK;
}

gboolean cuda_session_free(CudaSession *s) {
    cuda_threads_free(s->threads);
    gboolean clean = destroy_all(s);
    things_clear(&s->streams);
    things_clear(&s->events);
    things_clear(&s->graphs);
    things_clear(&s->execs);
    g_hash_table_unref(s->memory);
    g_hash_table_unref(s->flags);
    g_free(s);
    return clean;
}

/* An op on its way to its thread. */
typedef struct {
    CudaSession *session;
    const AtlasOp *op;
    AtlasAnswer answer;
} Order;

static void perform(gpointer data) {
    Order *order = data;
    order->answer = cuda_call(order->session, order->op);
}

gboolean cuda_session_perform(CudaSession *session, const AtlasOp *op, AtlasAnswer *answer,
                              GError **error) {
    Order order = {session, op, atlas_answer(ATLAS_RESULT_NONE)};
    gboolean ok = !cuda_session_performs(op->kind) ||
                  cuda_threads_perform(session->threads, op->thread, perform, &order, error);
    *answer = order.answer;
    return ok;
}

/* Ends a capture that a stream may be part of. What this answers is of no interest: a joined stream
 * invalidates its capture, which its origin then ends. */
static void end_capture(const CudaSession *s, CudaStream stream) {
    CudaGraph graph = NULL;
    s->cuda->cuStreamEndCapture(stream, &graph);
    if (graph)
        g_ptr_array_add(s->graphs.made, graph);
}

static void end_own_capture(gpointer data) {
    end_capture(data, CUDA_STREAM_PER_THREAD);
}

gint64 cuda_session_finish(CudaSession *s, GError **error) {
    guint64 executed = 0;
    for (guint pass = 0; pass < 2; pass++) { /* the second one ends what the first invalidated */
        for (guint i = 0; i < s->streams.made->len; i++)
            end_capture(s, g_ptr_array_index(s->streams.made, i));
        cuda_threads_perform_all(s->threads, end_own_capture, s);
        end_own_capture(s);
    }
    if (cuda_check(s->cuda->cuCtxSynchronize(), "cuCtxSynchronize", error) &&
        cuda_check(s->cuda->cuMemcpyDtoH_v2(&executed, s->place->counter, sizeof executed),
                   "cuMemcpyDtoH", error))
        return (gint64)executed;
    return -1;
}
