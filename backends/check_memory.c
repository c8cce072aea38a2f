/* What races do to memory: on the simulated machine, and on a GPU. */
#include "backends/cuda/tries.h"
#include "backends/programs.h"
#include "sim/order.h"

static void find_proved(Checked *checked) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(checked->program, NULL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    gboolean raced = race->verdict == ATLAS_PROOF_REFUTED;
    if (race->verdict == ATLAS_PROOF_HOLDS) {
        checked->found = "equal";
        checked->how = g_strdup("no race: every schedule leaves what the order of the calls does");
    } else if (!raced || !race->schedule) {
        checked->how = g_strdup_printf(
            "open: %s", raced ? "its race has no schedule, or too long a one" : race->why);
    } else {
        const char *buffer = atlas_order_shows(checked->program, race);
        checked->found = buffer ? "differs" : NULL;
        checked->how = buffer ? g_strdup_printf("the fingerprint of '%s' differs where the second "
                                                "access comes first",
                                                buffer)
                              : g_strdup("open: it races, and no fingerprint differs where the "
                                         "second access comes first");
    }
}

static gboolean find_tried(Checked *checked, const CheckRequest *request) {
    CudaTries tries = {.most = MEMORY_TRIES, .limit_s = request->driver.limit_s};
    if (!cuda_tries(checked->program, &tries, request->cli.diags))
        return FALSE;
    checked->found = tries.buffer ? "differs" : "equal";
    checked->how = tries.buffer
                       ? g_strdup_printf("the fingerprint of '%s' differed from the "
                                         "program's order on try %u of %u",
                                         tries.buffer, tries.made, tries.most)
                       : g_strdup_printf("no fingerprint differed from the program's order "
                                         "in %u tries",
                                         tries.made);
    return TRUE;
}

gboolean programs_memory(Programs *p, const CheckRequest *request) {
    for (guint i = 0; i < p->list->len; i++) {
        Checked *checked = &g_array_index(p->list, Checked, i);
        if (!checked->memory || programs_outcome(checked)->state != ATLAS_OUTCOME_FINISHED)
            continue;
        if (!p->pool)
            find_proved(checked);
        else if (!find_tried(checked, request))
            return FALSE;
    }
    return TRUE;
}
