/* Traces of Nsight Systems: launches per NVTX range of the user's own program. */
#include "model/measure/nsys.h"

#include "backends/traced.h"
#include "model/measure/file.h"

static const AtlasSpan nowhere = {NULL, 0, 0};

/* What a file is, before SQLite says of anything that it is no database. */
static gboolean check(const char *path, AtlasDiags *diags) {
    const char *fault, *head;
    gsize length;
    g_autoptr(AtlasFile) file = g_str_equal(path, "-") ? NULL : atlas_file_open(path, &fault);
    if (!file) {
        atlas_diags_error(diags, nowhere, "cannot read the trace '%s': %s", path,
                          g_str_equal(path, "-") ? "a database is no stream" : fault);
        atlas_diags_hint(diags, "name what 'nsys export --type sqlite' wrote");
        return FALSE;
    }
    head = atlas_file_peek(file, &length);
    if (atlas_nsys_recognise(head, length))
        return TRUE;
    atlas_diags_error(diags, nowhere, "'%s' is no SQLite database", path);
    atlas_diags_hint(diags, "'nsys export --type sqlite FILE.nsys-rep' makes one of a report; "
                            "--backend kineto reads traces of PyTorch's profiler");
    return FALSE;
}

static gboolean read(const char *path, AtlasTraceBuilder *builder, AtlasDiags *diags) {
    return check(path, diags) && atlas_nsys_read(path, builder, diags);
}

static gboolean measure(const AtlasAsk *ask, AtlasMeasurements *into, AtlasDiags *diags) {
    return traced_measure(ask, "nsys", read, into, diags);
}

const AtlasBackend atlas_backend_nsys = {
    "nsys", "traces of Nsight Systems, exported with nsys export --type sqlite", TRUE, measure,
    NULL};
