/* Run tables: whatever is read keeps the promises of run.h. */
#include <stdint.h>

#include "model/measure/run.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_sum(const AtlasSum *sum, const AtlasSource *source) {
    g_assert(sum->at.source == NULL || sum->at.source == source);
    g_assert(sum->at.start <= sum->at.end && sum->at.end <= atlas_source_length(source));
    g_assert(!sum->known || (0 <= sum->lo && sum->lo <= sum->hi));
}

static void check_run(const AtlasRun *run, const AtlasSource *source, gboolean ok) {
    gboolean any = run->total.known, all = TRUE;
    gint64 lo = 0, hi = 0;
    g_assert(run->window.first >= 0 && atlas_window_steps(run->window) >= 1);
    g_assert(run->window_known || run->window.first == 0);
    check_sum(&run->total, source);
    for (guint i = 0; i < run->stages->len; i++) {
        const AtlasRunStage *stage = &g_array_index(run->stages, AtlasRunStage, i);
        check_sum(&stage->sum, source);
        any = any || stage->sum.known;
        all = all && stage->sum.known;
        if (ok) { /* then they fit */
            lo += stage->sum.lo;
            hi += stage->sum.hi;
        }
    }
    if (!ok)
        return;
    g_assert(any && *run->name && run->at.source == source);
    g_assert(!run->total.known || lo <= run->total.hi);
    g_assert(!run->total.known || !all || hi >= run->total.lo);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    g_autoptr(AtlasSource) source =
        atlas_source_new("fuzz", size > 0 ? (const char *)data : "", size, NULL);
    if (!source)
        return 0;
    g_autoptr(AtlasRuns) runs = atlas_runs_new();
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    gboolean ok = atlas_runs_read_table(runs, source, diags);
    g_autofree char *errors = atlas_diags_render(diags, FALSE);
    g_assert(ok == (*errors == '\0'));
    for (guint i = 0; i < atlas_runs_count(runs); i++)
        check_run(atlas_runs_get(runs, i), source, ok);
    return 0;
}
