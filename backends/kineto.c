/* Traces of PyTorch's profiler: launches per annotated stage of the user's own program. */
#include "model/measure/kineto.h"

#include "backends/traced.h"
#include "model/measure/nsys.h"

static const AtlasSpan nowhere = {NULL, 0, 0};

static gboolean read(const char *path, AtlasTraceBuilder *builder, AtlasDiags *diags) {
    const char *fault, *head;
    gsize length;
    g_autoptr(AtlasFile) file = atlas_file_open(path, &fault);
    if (!file) {
        atlas_diags_error(diags, nowhere, "cannot read the trace '%s': %s", path, fault);
        atlas_diags_hint(diags, "name a trace: FILE or FILE@CONFIGURATION");
        return FALSE;
    }
    head = atlas_file_peek(file, &length);
    if (!atlas_nsys_recognise(head, length))
        return atlas_kineto_read(file, builder, diags);
    atlas_diags_error(diags, nowhere, "'%s' is a database, not a trace of PyTorch's profiler",
                      path);
    atlas_diags_hint(diags, "--backend nsys reads those of Nsight Systems");
    return FALSE;
}

static gboolean measure(const AtlasAsk *ask, AtlasMeasurements *into, AtlasDiags *diags) {
    return traced_measure(ask, "kineto", read, into, diags);
}

const AtlasBackend atlas_backend_kineto = {
    "kineto", "traces of PyTorch's profiler (JSON, compressed or not)", TRUE, measure, NULL};
