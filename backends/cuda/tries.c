#include "backends/cuda/tries.h"

#include "backends/cuda/replay.h"
#include "backends/cuda/watch.h"
#include "sim/execute.h"

/* How long a call may take: one that waits may wait for all kernels of the program. */
static gint64 limit_of(const AtlasProgram *program, guint limit_s) {
    gint64 us = (limit_s ? limit_s : CUDA_LIMIT_S) * G_TIME_SPAN_SECOND;
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        us += op->cost_ns / 1000 * op->count;
    }
    return us;
}

static gboolean try_all(const CudaDriver *driver, CudaReplayAsk *ask,
                        const AtlasExecution *expected, CudaTries *tries, GError **error) {
    while (tries->made < tries->most && !tries->buffer) {
        const AtlasSeen *first, *other;
        g_autoptr(CudaReplay) replay = cuda_replay(driver, 0, ask, error);
        if (!replay)
            return FALSE;
        tries->made++;
        atlas_execution_compare(expected, replay->run, &first, &other);
        tries->buffer = first ? first->buffer : NULL;
    }
    return TRUE;
}

static gboolean open_and_try(const AtlasProgram *program, const AtlasExecution *expected,
                             CudaTries *tries, GError **error) {
    CudaDriver driver;
    CudaOpened opened = {0};
    cuda_watch_limit((gint64)(tries->limit_s ? tries->limit_s : CUDA_LOAD_LIMIT_S) *
                     G_TIME_SPAN_SECOND);
    if (!cuda_driver_open(&driver, &opened, error))
        return FALSE;
    cuda_watch_limit(limit_of(program, tries->limit_s));
    CudaPlace *place = cuda_place_new(&driver, opened.device, error);
    if (!place)
        return FALSE;
    CudaReplayAsk ask = {
        .program = program, .steps = expected->steps, .cells = expected->cells, .place = place};
    gboolean ok = try_all(&driver, &ask, expected, tries, error);
    cuda_place_free(place);
    return ok;
}

gboolean cuda_tries(const AtlasProgram *program, CudaTries *tries, AtlasDiags *diags) {
    g_autoptr(GError) error = NULL;
    if (!cuda_replay_can(program, diags))
        return FALSE;
    g_autoptr(AtlasExecution) expected = atlas_execute(program, (AtlasSteps){0, 0, 0}, diags);
    if (!expected)
        return FALSE;
    gboolean ok = open_and_try(program, expected, tries, &error);
    cuda_watch_limit(0);
    if (!ok)
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    return ok;
}
