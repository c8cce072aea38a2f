#include "backends/cuda/replay.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/image.h"
#include "backends/cuda/kernels.h"
#include "backends/cuda/objects.h"
#include "backends/cuda/ranges.h"
#include "backends/cuda/watch.h"
#include "model/machine/machine.h"

enum { PAGE = 4096 };

/* A host function, as the driver is given it. */
typedef struct {
    AtlasLaunch launch;
    guint64 *host, *scalars;
} HostWork;

typedef struct {
    const CudaReplayAsk *ask;
    const CudaDriver *cuda;
    CudaPlace *place;
    CudaSession *session;
    AtlasFlow *flow;
    AtlasBinding *binding;
    CudaReplay *result;
    CudaModule module;
    CudaFunction functions[CUDA_KERNELS];
    CudaMemory cells;
    guint64 *host, *scalars; /* registered: all scalars, and the first half of the host's cells */
    CudaMemory counter;      /* on the device; 0: nothing counts there */
    guint64 *late;           /* where the host reads it */
    CudaStream reader;
    CudaWorld world;
    GPtrArray *host_works; /* of HostWork */
    guint *lines;          /* of each op; 0 where it has none */
    gint64 start_us, enqueued;
    CudaRangesAt at; /* ranges that are open */
    guint open;      /* captures */
    gboolean untidy; /* an end of a capture failed: some may be open that are not counted */
    GError *lost;
} Run;

/* ---- ops that work on cells ---- */

/* What an op's thread is to do. */
typedef struct {
    Run *run;
    const AtlasOp *op;
    const AtlasWork *work; /* NULL: the session performs the op */
    AtlasAnswer answer;
} Job;

static unsigned launch(const Run *run, const AtlasOp *op, const AtlasWork *work) {
    AtlasLaunch one = work->first;
    CudaWorld world = run->world;
    if (op->cost_ns)
        world.ns = (guint64)op->cost_ns;
    void *parameters[] = {&one, &world};
    CudaFunction function = run->functions[run->result->run->population_of[work->op]];
    CudaStream stream = cuda_stream(run->session, op, 0);
    unsigned result = CUDA_OK;
    for (guint64 i = 0; i < work->count && result == CUDA_OK; i++) {
        if (i == 1)
            one = work->rest;
        one.index = i;
        result = run->cuda->cuLaunchKernel(function, 1, 1, 1, 1, 1, 1, 0, stream, parameters, NULL);
        cuda_beat();
    }
    return result;
}

static void on_host(void *data) {
    HostWork *work = data;
    atlas_launch_write(&work->launch, atlas_launch_mix(&work->launch, work->host, work->scalars),
                       work->host);
}

static void on_host_of(CudaStream stream, unsigned status, void *data) {
    (void)stream;
    (void)status;
    on_host(data);
}

static HostWork *host_work(const Run *run, const AtlasWork *work) {
    HostWork *kept = g_new(HostWork, 1);
    *kept = (HostWork){work->first, run->host, run->scalars};
    g_ptr_array_add(run->host_works, kept);
    return kept;
}

static unsigned copy(const Run *run, const AtlasOp *op, const AtlasWork *work) {
    const CudaDriver *cuda = run->cuda;
    size_t bytes = work->to.count * sizeof(guint64);
    CudaMemory to = run->cells + work->to.first * sizeof(guint64);
    CudaMemory from = run->cells + work->from.first * sizeof(guint64);
    guint64 *host_to = run->host + work->to.first, *host_from = run->host + work->from.first;
    switch (op->kind) {
    case ATLAS_OP_DTOD_ASYNC:
        return cuda->cuMemcpyDtoDAsync_v2(to, from, bytes, cuda_stream(run->session, op, 0));
    case ATLAS_OP_HTOD_ASYNC:
        return cuda->cuMemcpyHtoDAsync_v2(to, host_from, bytes, cuda_stream(run->session, op, 0));
    case ATLAS_OP_DTOH_ASYNC:
        return cuda->cuMemcpyDtoHAsync_v2(host_to, from, bytes, cuda_stream(run->session, op, 0));
    case ATLAS_OP_HTOD_SYNC:
        return cuda->cuMemcpyHtoD_v2(to, host_from, bytes);
    case ATLAS_OP_DTOH_SYNC:
        return cuda->cuMemcpyDtoH_v2(host_to, from, bytes);
    case ATLAS_OP_MEMSET_ASYNC:
        return cuda->cuMemsetD8Async(to, 0, bytes, cuda_stream(run->session, op, 0));
    default:
        return cuda->cuMemsetD8_v2(to, 0, bytes);
    }
}

static unsigned work_on_cells(const Run *run, const AtlasOp *op, const AtlasWork *work) {
    switch (op->kind) {
    case ATLAS_OP_LAUNCH: {
        const AtlasExecution *e = run->result->run;
        cuda_range_push(g_ptr_array_index(e->populations, e->population_of[work->op]));
        unsigned result = launch(run, op, work);
        cuda_range_pop();
        return result;
    }
    case ATLAS_OP_HOST_FN:
        return run->cuda->cuLaunchHostFunc(cuda_stream(run->session, op, 0), on_host,
                                           host_work(run, work));
    case ATLAS_OP_STREAM_CALLBACK:
        return run->cuda->cuStreamAddCallback(cuda_stream(run->session, op, 0), on_host_of,
                                              host_work(run, work), 0);
    default:
        return copy(run, op, work);
    }
}

static void perform_job(gpointer data) {
    Job *job = data;
    if (job->work)
        job->answer = atlas_answer((int)work_on_cells(job->run, job->op, job->work));
    else
        job->answer = cuda_call(job->run->session, job->op);
}

/* ---- ops ---- */

/* Takes down a refusal that ends the replay, and where: in the program's op, or behind it. */
static void lose(Run *run, const char *where, unsigned result, const char *call) {
    if (run->lost || cuda_check(result, call, &run->lost))
        return;
    g_autofree char *doing = cuda_watch_describe(cuda_watch);
    const char *bare = g_str_has_prefix(doing, "in ") ? doing + strlen("in ") : NULL;
    g_prefix_error(&run->lost, "the replay broke off %s%s: ", bare ? where : "",
                   bare ? bare : doing);
}

static void note_answer(Run *run, const AtlasOp *op, const AtlasAnswer *answer) {
    gboolean ok = answer->code == ATLAS_RESULT_OK;
    atlas_outcome_put(run->result->run->outcome, run->flow->op, answer);
    run->result->run->outcome->calls++;
    if (ok && op->kind == ATLAS_OP_BEGIN)
        run->open++;
    if (op->kind == ATLAS_OP_END_CAPTURE) {
        run->open -= run->open > 0;
        run->untidy |= !ok;
    }
    if (ok && op->kind == ATLAS_OP_LAUNCH)
        run->enqueued += op->count;
    if (ok && op->kind == ATLAS_OP_STREAM)
        run->result->streams++;
    if (answer->code == ATLAS_RESULT_OUT_OF_MEMORY || cuda_is_lost((unsigned)answer->code))
        lose(run, "in ", (unsigned)answer->code, atlas_op_call(op->kind));
}

static void perform(Run *run) {
    const AtlasOp *op = &g_array_index(run->ask->program->ops, AtlasOp, run->flow->op);
    AtlasWork work;
    gboolean works = atlas_binding_bind(run->binding, run->flow, &work);
    gboolean cells = works && (op->kind == ATLAS_OP_LAUNCH || op->kind == ATLAS_OP_HOST_FN ||
                               op->kind == ATLAS_OP_STREAM_CALLBACK || work.to.count > 0);
    if (op->kind == ATLAS_OP_HOST_READ)
        atlas_execution_read(run->result->run, run->binding, run->flow, run->host);
    if (op->kind == ATLAS_OP_HOST_WRITE || op->kind == ATLAS_OP_HOST_SET)
        atlas_binding_host(run->binding, run->flow, run->host, run->scalars);
    if (!cuda_session_performs(op->kind))
        return;
    Job job = {run, op, cells ? &work : NULL, atlas_answer(ATLAS_RESULT_NONE)};
    cuda_watch_op(run->flow->op, op->kind, run->lines[run->flow->op], run->flow->step);
    if (op->thread == 1)
        perform_job(&job);
    else
        cuda_threads_perform(run->session->threads, op->thread, perform_job, &job,
                             run->lost ? NULL : &run->lost);
    if (job.answer.code != ATLAS_RESULT_NONE)
        note_answer(run, op, &job.answer);
}

/* ---- marks ---- */

/* What the device has counted by now. Its stream waits for nothing else. */
static gint64 read_late(Run *run) {
    const CudaDriver *cuda = run->cuda;
    if (!run->counter || run->open > 0 || run->untidy)
        return -1;
    lose(run, "behind ",
         cuda->cuMemcpyDtoHAsync_v2(run->late, run->counter, sizeof *run->late, run->reader),
         "cuMemcpyDtoHAsync");
    if (!run->lost)
        lose(run, "behind ", cuda->cuStreamSynchronize(run->reader), "cuStreamSynchronize");
    if (run->lost)
        return -1;
    return (gint64)*run->late;
}

static void mark(Run *run, guint row, guint stage) {
    CudaMark m = {row, stage, g_get_monotonic_time() - run->start_us, run->enqueued,
                  read_late(run)};
    g_array_append_val(run->result->marks, m);
    gboolean in_step = row > 0 && row < run->flow->rows - 1;
    cuda_ranges_go(&run->at, in_step ? run->flow->first + row - 1 : -1,
                   stage ? g_ptr_array_index(run->flow->stages, stage - 1) : NULL);
    if (run->ask->counter)
        cuda_counter_mark(run->ask->counter, row, stage);
}

static void perform_all(Run *run) {
    guint row = 0, stage = 0;
    cuda_watch_phase("the replay began");
    run->start_us = g_get_monotonic_time();
    mark(run, 0, 0);
    while (!run->lost && atlas_flow_next(run->flow)) {
        if (run->flow->row != row || run->flow->stage != stage) {
            row = run->flow->row;
            stage = run->flow->stage;
            mark(run, row, stage);
        }
        perform(run);
    }
}

/* ---- preparing ---- */

static guint *find_lines(const AtlasProgram *program) {
    guint *lines = g_new0(guint, program->ops->len + 1), column;
    for (guint i = 0; i < program->ops->len; i++) {
        AtlasSpan at = g_array_index(program->ops, AtlasOp, i).at;
        if (at.source)
            atlas_source_position(at.source, at.start, &lines[i], &column);
    }
    return lines;
}

static gboolean find_kernels(Run *run, GError **error) {
    guint count = run->result->run->populations->len;
    const void *image = cuda_image(error);
    if (!image)
        return FALSE;
    if (count > CUDA_KERNELS) {
        g_set_error(error, CUDA_ERROR, CUDA_ERROR_MISSING,
                    "%u populations: a replay tells %d apart at most", count, CUDA_KERNELS);
        return FALSE;
    }
    unsigned loaded = run->cuda->cuModuleLoadData(&run->module, image);
    if (!cuda_check(loaded, "cuModuleLoadData", error)) {
        if (loaded != ATLAS_RESULT_OUT_OF_MEMORY && !cuda_is_lost(loaded))
            g_prefix_error(error, "these kernels do not run on this device: ");
        return FALSE;
    }
    for (guint i = 0; i < count; i++) {
        g_autofree char *name = g_strdup_printf(CUDA_KERNEL_PREFIX "%u", i);
        if (!cuda_check(run->cuda->cuModuleGetFunction(&run->functions[i], run->module, name),
                        "cuModuleGetFunction", error))
            return FALSE;
    }
    return TRUE;
}

/* Memory of the host that the device can reach. */
static gboolean register_host(const Run *run, void *memory, gsize bytes, GError **error) {
    return bytes == 0 ||
           cuda_check(run->cuda->cuMemHostRegister_v2(memory, bytes, CUDA_HOST_ON_DEVICE),
                      "cuMemHostRegister", error);
}

static void *whole_pages(gsize bytes) {
    gsize rounded = (bytes + PAGE - 1) / PAGE * PAGE + PAGE;
    void *memory = aligned_alloc(PAGE, rounded);
    g_assert(memory); /* as g_malloc does */
    return memset(memory, 0, rounded);
}

/* Scalars and the late counter share one page or more; the host's cells have their own. */
static gboolean prepare_host(Run *run, GError **error) {
    gsize cells = atlas_binding_host_cells(run->binding) * sizeof(guint64);
    gsize scalars = (atlas_binding_scalars(run->binding) + 1) * sizeof(guint64);
    CudaMemory scalars_there = 0;
    run->host = whole_pages(cells);
    run->scalars = whole_pages(scalars);
    run->late = run->scalars + atlas_binding_scalars(run->binding);
    if (!register_host(run, run->host, cells / 2, error) ||
        !register_host(run, run->scalars, (scalars + PAGE - 1) / PAGE * PAGE, error) ||
        !cuda_check(run->cuda->cuMemHostGetDevicePointer_v2(&scalars_there, run->scalars, 0),
                    "cuMemHostGetDevicePointer", error))
        return FALSE;
    run->world.scalars = scalars_there;
    return TRUE;
}

static gboolean prepare_device(Run *run, GError **error) {
    const CudaDriver *cuda = run->cuda;
    gsize bytes = MAX(run->ask->cells, atlas_binding_device_cells(run->binding)) * sizeof(guint64);
    g_autofree guint64 *first = g_malloc0(bytes + sizeof(guint64));
    atlas_binding_init(run->binding, first, run->host, run->scalars);
    if (!cuda_check(cuda->cuMemAlloc_v2(&run->cells, bytes + sizeof(guint64)), "cuMemAlloc",
                    error) ||
        !cuda_check(cuda->cuMemcpyHtoD_v2(run->cells, first, bytes + sizeof(guint64)),
                    "cuMemcpyHtoD", error))
        return FALSE;
    run->world.cells = run->cells;
    run->world.ns = run->ask->kernel_ns;
    if (run->ask->counter)
        return TRUE;
    if (!cuda_check(cuda->cuMemAlloc_v2(&run->counter, sizeof(guint64)), "cuMemAlloc", error) ||
        !cuda_check(cuda->cuMemsetD8_v2(run->counter, 0, sizeof(guint64)), "cuMemsetD8", error) ||
        !cuda_check(cuda->cuStreamCreate(&run->reader, CUDA_STREAM_NONBLOCKING), "cuStreamCreate",
                    error))
        return FALSE;
    run->world.counter = run->counter;
    return TRUE;
}

/* The first host thread is this one, in which an earlier program may have chosen another mode. */
static gboolean set_mode(const Run *run, GError **error) {
    unsigned mode = ATLAS_MODE_GLOBAL;
    return cuda_check(run->cuda->cuThreadExchangeStreamCaptureMode(&mode),
                      "cuThreadExchangeStreamCaptureMode", error);
}

static gboolean prepare(Run *run, CudaDevice device, GError **error) {
    run->place = run->ask->place ? run->ask->place : cuda_place_new(run->cuda, device, error);
    run->session = run->place ? cuda_session_new(run->place, error) : NULL;
    return run->session && find_kernels(run, error) && prepare_host(run, error) &&
           prepare_device(run, error) && set_mode(run, error) &&
           cuda_check(run->cuda->cuCtxSynchronize(), "cuCtxSynchronize", error);
}

/* ---- the end ---- */

/* Ends captures that are still open, and waits until the device is idle. */
static void settle(Run *run) {
    if (run->open > 0 || run->untidy)
        cuda_session_finish(run->session, NULL);
    if (!run->lost)
        lose(run, "behind ", run->cuda->cuCtxSynchronize(), "cuCtxSynchronize");
    run->open = 0;
    run->untidy = FALSE;
}

static gboolean finish(Run *run, GError **error) {
    const CudaDriver *cuda = run->cuda;
    guint32 cells = atlas_binding_device_cells(run->binding);
    g_autofree guint64 *last = g_new0(guint64, cells + 1);
    cuda_watch_phase("the device ran to its end");
    settle(run);
    if (!run->lost) {
        mark(run, run->flow->rows - 1, 0);
        run->result->counted = read_late(run);
    }
    if (!run->lost)
        lose(run, "behind ", cuda->cuMemcpyDtoH_v2(last, run->cells, cells * sizeof *last),
             "cuMemcpyDtoH");
    if (run->lost) {
        g_propagate_error(error, g_steal_pointer(&run->lost));
        return FALSE;
    }
    atlas_execution_end(run->result->run, run->binding, last);
    run->result->run->outcome->state = ATLAS_OUTCOME_FINISHED;
    if (!run->ask->counter) {
        run->result->run->outcome->executed = run->result->counted;
        return TRUE;
    }
    return cuda_counter_close(run->ask->counter, error);
}

/* What a place that others use goes on without. */
static void leave(const Run *run) {
    if (run->cells)
        run->cuda->cuMemFree_v2(run->cells);
    if (run->counter)
        run->cuda->cuMemFree_v2(run->counter);
    if (run->reader)
        run->cuda->cuStreamDestroy_v2(run->reader);
    if (run->module)
        run->cuda->cuModuleUnload(run->module);
}

/* Frees what the device uses only after the context. */
static void clear(Run *run) {
    cuda_ranges_go(&run->at, -1, NULL);
    cuda_watch_phase("the replay's context was closed");
    if (run->session)
        cuda_session_free(run->session);
    if (run->place) {
        run->cuda->cuMemHostUnregister(run->host);
        run->cuda->cuMemHostUnregister(run->scalars);
        if (run->ask->place)
            leave(run);
        else
            cuda_place_free(run->place);
    }
    free(run->host);
    free(run->scalars);
    g_ptr_array_unref(run->host_works);
    g_free(run->lines);
    atlas_binding_free(run->binding);
    atlas_flow_free(run->flow);
    g_clear_error(&run->lost);
}

CudaReplay *cuda_replay(const CudaDriver *driver, CudaDevice device, const CudaReplayAsk *ask,
                        GError **error) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(CudaReplay) result = g_new0(CudaReplay, 1);
    Run run = {.ask = ask, .cuda = driver, .result = result, .at = CUDA_RANGES_NOWHERE};
    run.flow = atlas_flow_new(ask->program, ask->steps.first, ask->steps.last);
    run.binding = atlas_binding_new(ask->program, diags);
    g_assert(run.binding); /* the CPU's run bound it */
    run.host_works = g_ptr_array_new_with_free_func(g_free);
    run.lines = find_lines(ask->program);
    cuda_watch_program(ask->program->name);
    result->run = atlas_execution_new(run.flow, ask->steps.window);
    result->marks = g_array_new(FALSE, FALSE, sizeof(CudaMark));
    result->counted = -1;
    gboolean ok = prepare(&run, device, error);
    if (ok) {
        if (ask->counter)
            cuda_counter_open(ask->counter, result->run);
        perform_all(&run);
        ok = finish(&run, error);
        if (!ok && ask->counter)
            cuda_counter_drop(ask->counter);
    }
    clear(&run);
    return ok ? g_steal_pointer(&result) : NULL;
}

void cuda_replay_free(CudaReplay *replay) {
    if (!replay)
        return;
    atlas_execution_free(replay->run);
    if (replay->marks)
        g_array_unref(replay->marks);
    g_free(replay);
}
