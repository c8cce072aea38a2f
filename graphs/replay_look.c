#include "graphs/replay_look.h"

#include "graphs/plan_part.h"
#include "model/proof/prove.h"

/* ---- host memory that a step changes without the host's doing ---- */

static gboolean writes_host(const AtlasProgram *program, guint i) {
    AtlasOpKind kind = plan_op(program, i)->kind;
    return kind == ATLAS_OP_DTOH_ASYNC || kind == ATLAS_OP_HOST_FN ||
           kind == ATLAS_OP_STREAM_CALLBACK;
}

static void add_name(GPtrArray *names, const char *name) {
    if (!g_ptr_array_find(names, name, NULL))
        g_ptr_array_add(names, (gpointer)name);
}

/* A copy with one side left out is to the other side of the same buffer. */
static GPtrArray *written(const AtlasProgram *program) {
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        const GArray *list = op->writes ? op->writes : op->reads;
        for (guint k = 0; writes_host(program, i) && list && k < list->len; k++)
            if (op->writes || op->kind == ATLAS_OP_DTOH_ASYNC)
                add_name(names, g_array_index(list, AtlasAccess, k).buffer);
    }
    return names;
}

/* ---- a look at the end of the step ---- */

static guint end_of_step(const AtlasProgram *program) {
    guint depth = 0;
    gboolean in_step = FALSE;
    for (guint i = 0; i < program->ops->len; i++) {
        AtlasOpKind kind = plan_op(program, i)->kind;
        in_step = in_step || kind == ATLAS_OP_STEP;
        depth += kind == ATLAS_OP_STEP || kind == ATLAS_OP_LOOP;
        if (kind == ATLAS_OP_END_BLOCK && --depth == 0 && in_step)
            return i;
    }
    return G_MAXUINT;
}

/* The program with a look at each buffer before the op at which its step ends. */
static AtlasProofs *prove_looks(const AtlasProgram *program, const GPtrArray *names, guint at) {
    AtlasProgram looked = *program;
    g_autoptr(GPtrArray) lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    looked.ops = g_array_sized_new(FALSE, FALSE, sizeof(AtlasOp), program->ops->len + names->len);
    g_array_append_vals(looked.ops, program->ops->data, at);
    for (guint i = 0; i < names->len; i++) {
        AtlasAccess access = {.buffer = g_ptr_array_index(names, i)};
        AtlasOp read = {.kind = ATLAS_OP_HOST_READ, .thread = 1, .count = 1, .every = 1};
        read.reads = g_array_new(FALSE, FALSE, sizeof(AtlasAccess));
        g_array_append_val(read.reads, access);
        g_ptr_array_add(lists, read.reads);
        g_array_append_val(looked.ops, read);
    }
    g_array_append_vals(looked.ops, plan_op(program, at), program->ops->len - at);
    AtlasProofs *proofs = atlas_prove(&looked, &(AtlasProveOptions){.brief = TRUE});
    g_array_unref(looked.ops);
    return proofs;
}

/* The first look that races, by name, and what with; FALSE: none does, or it is not known. */
static gboolean find_race(const AtlasProgram *program, const GPtrArray *names, guint at,
                          guint *name, AtlasWhen *with) {
    g_autoptr(AtlasProofs) proofs = prove_looks(program, names, at);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    for (guint k = 0; race->verdict == ATLAS_PROOF_REFUTED && k < 2; k++)
        if (at <= race->at[k].op && race->at[k].op < at + names->len) {
            *name = race->at[k].op - at;
            *with = race->at[1 - k];
            with->op -= with->op >= at + names->len ? names->len : 0;
            return TRUE;
        }
    return FALSE;
}

gboolean atlas_replay_looks_early(const AtlasProgram *eager, const AtlasProgram *planned,
                                  AtlasReplayLook *look) {
    g_autoptr(GPtrArray) names = written(eager);
    guint at[2] = {end_of_step(eager), end_of_step(planned)}, name;
    AtlasWhen with;
    if (at[0] == G_MAXUINT || at[1] == G_MAXUINT)
        return FALSE;
    while (names->len > 0 && find_race(eager, names, at[0], &name, &with))
        g_ptr_array_remove_index(names, name); /* eagerly, too, nothing is known of it */
    if (names->len == 0 || !find_race(planned, names, at[1], &name, &with))
        return FALSE;
    *look = (AtlasReplayLook){g_ptr_array_index(names, name), with.op, (gint64)with.step};
    return TRUE;
}

char *atlas_replay_look_why(const AtlasReplayLook *look) {
    return g_strdup_printf(
        "eagerly the host has waited for %s by the end of the step; here nothing "
        "tells it when it is there",
        look->buffer);
}
