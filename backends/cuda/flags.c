/* Which waits for flags a replay can make. */
#include "backends/cuda/replay.h"
#include "sim/flow.h"

/* The flag that an op sets or waits for; NULL: it is no such op. */
static const char *flag_of(const AtlasOp *op, gboolean *sets) {
    *sets = op->kind == ATLAS_OP_FLAG_SET || op->kind == ATLAS_OP_HOST_FLAG_SET;
    if (op->kind == ATLAS_OP_FLAG_SET || op->kind == ATLAS_OP_FLAG_WAIT)
        return op->operands[1];
    return *sets || op->kind == ATLAS_OP_HOST_FLAG_WAIT ? op->operands[0] : NULL;
}

static gboolean waits_for_any(const AtlasProgram *program) {
    gboolean sets;
    for (guint i = 0; i < program->ops->len; i++)
        if (flag_of(&g_array_index(program->ops, AtlasOp, i), &sets) && !sets)
            return TRUE;
    return FALSE;
}

static void refuse(const AtlasProgram *program, const AtlasOp *wait, const char *flag,
                   AtlasDiags *diags) {
    gboolean sets;
    atlas_diags_error(diags, wait->at,
                      "cannot replay a wait for flag '%s' that nothing before it has set", flag);
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (flag_of(op, &sets) != flag || !sets)
            continue;
        atlas_diags_note(diags, op->at, "it is set here, too late or in vain");
        break;
    }
    atlas_diags_hint(diags, "what waits is compared with a run on the CPU, which takes ops in the "
                            "order of the program: set the flag above its wait");
    atlas_diags_hint(diags, "without --steps it is run, and judged by what it states");
}

gboolean cuda_replay_can(const AtlasExecution *expected, AtlasDiags *diags) {
    const AtlasProgram *program = expected->program;
    if (!waits_for_any(program))
        return TRUE;
    g_autoptr(GHashTable) set = g_hash_table_new(NULL, NULL); /* of interned names */
    g_autoptr(AtlasFlow) flow =
        atlas_flow_new(program, expected->steps.first, expected->steps.last);
    while (atlas_flow_next(flow)) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, flow->op);
        gboolean sets;
        const char *flag = flag_of(op, &sets);
        int answer = atlas_outcome_get(expected->outcome, flow->op)->code;
        if (!flag || (answer != ATLAS_RESULT_OK && answer != ATLAS_RESULT_NONE))
            continue;
        if (sets) {
            g_hash_table_add(set, (gpointer)flag);
        } else if (!g_hash_table_contains(set, flag)) {
            refuse(program, op, flag, diags);
            return FALSE;
        }
    }
    return TRUE;
}
