#include "sim/order.h"

#include "sim/execute.h"

gboolean atlas_is_straight(const AtlasProgram *program) {
    for (guint i = 0; i < program->ops->len; i++) {
        AtlasOpKind kind = g_array_index(program->ops, AtlasOp, i).kind;
        if (kind == ATLAS_OP_STEP || kind == ATLAS_OP_LOOP)
            return FALSE;
    }
    return TRUE;
}

const char *atlas_order_shows(const AtlasProgram *program, const AtlasProof *race) {
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    const AtlasSeen *first = NULL, *other = NULL;
    g_assert(atlas_is_straight(program));
    g_autoptr(AtlasExecution) called = atlas_execute(program, (AtlasSteps){0, 0, 0}, diags);
    g_autoptr(AtlasExecution) late = called ? atlas_execute_late(program, race, diags) : NULL;
    if (late)
        atlas_execution_compare(called, late, &first, &other);
    return first ? first->buffer : NULL;
}
