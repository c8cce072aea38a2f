/* Plans: a text, a plan file or two programs, is refused with an error or read. What is then proved
 * of its two programs holds when they are run; what is planned of the eager one is proved or open,
 * reads back, and leaves what the eager one leaves. Texts with long numbers are left out, since what
 * they make may take long. */
#include <stdint.h>
#include <string.h>

#include "graphs/plan_account.h"
#include "graphs/plan_show.h"
#include "graphs/replay_verdict.h"
#include "sim/execute.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static gboolean has_long_numbers(const uint8_t *data, size_t size) {
    guint digits = 0;
    for (size_t i = 0; i < size; i++) {
        digits = g_ascii_isdigit(data[i]) ? digits + 1 : 0;
        if (digits == 3)
            return TRUE;
    }
    return FALSE;
}

static void check_alike(const AtlasProgram *eager, const AtlasProgram *planned) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasSteps steps = {0, 0, 6};
    g_autoptr(AtlasExecution) a = atlas_execute(eager, steps, diags);
    g_autoptr(AtlasExecution) b = a ? atlas_execute(planned, steps, diags) : NULL;
    const AtlasSeen *right, *wrong;
    if (!b || a->reads->len != b->reads->len)
        return; /* a plan may read more before its step */
    atlas_execution_compare(a, b, &right, &wrong);
    g_assert(!right && !wrong);
}

static void check_account(const AtlasPlanFile *file) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasExecution) e = atlas_execute(file->planned, (AtlasSteps){0, 0, 1}, diags);
    if (e && file->is_plan)
        g_free(atlas_plan_account(file, e->outcome));
}

static void plan(AtlasPlanFile *file, guint with) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasPlanCosts costs = atlas_plan_costs();
    costs.over = 2;
    costs.most_graphs = with % 3;
    g_autoptr(AtlasPlan) made = atlas_plan_make(file->file, file->eager, with, &costs, diags);
    g_assert((made == NULL) == (atlas_diags_errors(diags) > 0));
    if (made && made->proved)
        check_alike(made->given, made->planned);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    if (size > 1500 || has_long_numbers(data, size))
        return 0;
    g_autoptr(GPtrArray) sources =
        g_ptr_array_new_with_free_func((GDestroyNotify)atlas_source_free);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    g_autoptr(AtlasSource) source = atlas_source_new("fuzz", (const char *)data, size, NULL);
    g_autoptr(AtlasPlanFile) file = source ? atlas_plan_read(source, sources, diags) : NULL;
    g_assert(!source || (file == NULL) == (atlas_diags_errors(diags) > 0));
    if (!file)
        return 0;
    g_autoptr(AtlasReplayVerdict) v = atlas_replay_verdict(file->eager, file->planned, diags);
    if (v && v->faults->len == 0 && !v->open)
        check_alike(file->eager, file->planned);
    check_account(file);
    plan(file, size % (1 << ATLAS_WITHS));
    return 0;
}
