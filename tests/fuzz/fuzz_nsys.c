/* Nsight Systems' traces: any database either has problems or is a trace that adds up, the same
 * whatever is kept of it. */
#define _GNU_SOURCE /* memfd_create */

#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "model/measure/nsys.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static AtlasTrace *read_trace(const char *path, AtlasTraceWants wants) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasTraceBuilder *builder = atlas_trace_builder_new(wants);
    gboolean ok = atlas_nsys_read(path, builder, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_assert(ok == (*errors == '\0'));
    if (ok)
        return atlas_trace_finish(builder);
    atlas_trace_builder_free(builder);
    return NULL;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    int fd = memfd_create("fuzz", 0);
    g_autofree char *path = g_strdup_printf("/proc/self/fd/%d", fd);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        return -1;
    g_autoptr(AtlasTrace) counts = read_trace(path, ATLAS_TRACE_COUNTS);
    g_autoptr(AtlasTrace) all = read_trace(path, ATLAS_TRACE_ALL);
    close(fd);
    g_assert(!all == !counts);
    if (!all)
        return 0;
    g_assert(memcmp(&all->totals, &counts->totals, sizeof all->totals) == 0);
    g_assert(all->totals.orphans >= all->totals.orphan_kernels && all->totals.orphans >= all->lost);
    return 0;
}
