/* Kineto's traces: one either has problems or adds up, the same whatever is kept of it; and every
 * launch is in a stage or outside. */
#include <stdint.h>
#include <string.h>

#include "model/measure/kineto.h"
#include "model/measure/trace_stages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static AtlasTrace *read_trace(const char *text, size_t size, AtlasTraceWants wants) {
    g_autoptr(AtlasFile) file = atlas_file_memory("fuzz", text, size);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasTraceBuilder *builder = atlas_trace_builder_new(wants);
    gboolean ok = atlas_kineto_read(file, builder, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_assert(ok == (*errors == '\0'));
    if (ok)
        return atlas_trace_finish(builder);
    atlas_trace_builder_free(builder);
    return NULL;
}

/* Every third name is a stage. */
static void check_stages(const AtlasTrace *trace) {
    g_autofree guint32 *of = g_new(guint32, trace->names->len + 1);
    for (guint i = 0; i < trace->names->len; i++)
        of[i] = i % 3 < 2 ? i % 3 : ATLAS_TRACE_NONE;
    AtlasTraceMap map = {of, of, NULL, 2};
    g_autoptr(GPtrArray) runs = atlas_trace_stages(trace, &map, &map);
    gint64 launches = 0;
    for (guint i = 0; i < runs->len; i++) {
        const AtlasTraceRun *run = g_ptr_array_index(runs, i);
        launches += run->outside;
        for (guint k = 0; k < run->steps * run->stages; k++) {
            g_assert(run->counts[k].captured <= run->counts[k].calls && run->counts[k].ns >= 0);
            launches += run->counts[k].calls + run->counts[k].graph_launches;
        }
    }
    g_assert(launches <= trace->totals.calls + trace->totals.graph_launches);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    const char *text = size > 0 ? (const char *)data : "";
    g_autoptr(AtlasTrace) all = read_trace(text, size, ATLAS_TRACE_ALL);
    g_autoptr(AtlasTrace) counts = read_trace(text, size, ATLAS_TRACE_COUNTS);
    g_assert(!all || !counts || memcmp(&all->totals, &counts->totals, sizeof all->totals) == 0);
    if (!all)
        return 0;
    g_assert(all->totals.orphans >= all->totals.orphan_kernels &&
             all->totals.activities >= all->totals.graph_nodes && all->totals.orphans >= all->lost);
    check_stages(all);
    return 0;
}
