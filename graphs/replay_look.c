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

/* The program with a look at the end of each step. The caller frees them. */
static AtlasProofs *prove_look(const AtlasProgram *program, const char *buffer, guint at) {
    AtlasAccess access = {.buffer = buffer};
    AtlasOp read = {.kind = ATLAS_OP_HOST_READ, .thread = 1, .count = 1, .every = 1};
    AtlasProgram looked = *program;
    looked.ops = g_array_sized_new(FALSE, FALSE, sizeof(AtlasOp), program->ops->len + 1);
    g_array_append_vals(looked.ops, program->ops->data, program->ops->len);
    read.reads = g_array_new(FALSE, FALSE, sizeof(AtlasAccess));
    g_array_append_val(read.reads, access);
    g_array_insert_val(looked.ops, at, read);
    AtlasProofs *proofs = atlas_prove(&looked, &(AtlasProveOptions){.brief = TRUE});
    g_array_unref(read.reads);
    g_array_unref(looked.ops);
    return proofs;
}

static const AtlasProof *race_of(const AtlasProofs *proofs) {
    return atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
}

gboolean atlas_replay_looks_early(const AtlasProgram *eager, const AtlasProgram *planned,
                                  AtlasReplayLook *look) {
    g_autoptr(GPtrArray) names = written(eager);
    guint at[2] = {end_of_step(eager), end_of_step(planned)};
    for (guint i = 0; at[0] != G_MAXUINT && at[1] != G_MAXUINT && i < names->len; i++) {
        const char *buffer = g_ptr_array_index(names, i);
        g_autoptr(AtlasProofs) before = prove_look(eager, buffer, at[0]);
        if (race_of(before)->verdict != ATLAS_PROOF_HOLDS)
            continue;
        g_autoptr(AtlasProofs) after = prove_look(planned, buffer, at[1]);
        const AtlasProof *race = race_of(after);
        if (race->verdict != ATLAS_PROOF_REFUTED)
            continue;
        const AtlasWhen *other = &race->at[race->at[0].op == at[1] ? 1 : 0];
        *look = (AtlasReplayLook){buffer, other->op > at[1] ? other->op - 1 : other->op,
                                  (gint64)other->step};
        return TRUE;
    }
    return FALSE;
}

char *atlas_replay_look_why(const AtlasReplayLook *look) {
    return g_strdup_printf(
        "eagerly the host has waited for %s by the end of the step; here nothing "
        "tells it when it is there",
        look->buffer);
}
