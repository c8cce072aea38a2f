#include "backends/cuda/tries.h"

#include "backends/cuda/image.h"
#include "backends/cuda/replay.h"
#include "backends/cuda/watch.h"
#include "sim/execute.h"

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
    gint64 limit = tries->limit_s ? tries->limit_s : CUDA_LIMIT_S;
    cuda_watch_limit((gint64)(tries->limit_s ? tries->limit_s : CUDA_LOAD_LIMIT_S) *
                     G_TIME_SPAN_SECOND);
    if (!cuda_image(error) || !cuda_driver_open(&driver, &opened, error))
        return FALSE;
    /* One that waits may wait for all kernels of the program. */
    cuda_watch_limit(limit * G_TIME_SPAN_SECOND + expected->cost_ns / 1000);
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
    g_autoptr(AtlasExecution) expected = atlas_execute(program, (AtlasSteps){0, 0, 0}, diags);
    if (!expected || !cuda_replay_can(expected, diags))
        return FALSE;
    gboolean ok = open_and_try(program, expected, tries, &error);
    cuda_watch_limit(0);
    if (!ok)
        atlas_diags_error(diags, (AtlasSpan){NULL, 0, 0}, "%s", error->message);
    return ok;
}
