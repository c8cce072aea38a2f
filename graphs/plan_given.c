/* What a program is before it is planned: whether a plan of it can mean anything. */
#include "graphs/plan_part.h"
#include "graphs/plan_show.h"
#include "model/proof/prove.h"
#include "sim/reads_from.h"

static gboolean refuse(AtlasDiags *diags, const AtlasPlan *plan, const AtlasOp *at,
                       const char *what, const char *hint) {
    g_autofree char *with = atlas_plan_with_text(plan->with & PLAN_EDITS);
    gboolean changed = plan->eager != plan->given;
    atlas_diags_error(diags, at ? at->at : (AtlasSpan){NULL, 0, 0}, "cannot plan '%s'%s%s%s: %s",
                      plan->given->name, changed ? " with '" : "", changed ? with : "",
                      changed ? "'" : "", what);
    atlas_diags_hint(diags, "%s", hint);
    return FALSE;
}

static const AtlasOp *op_of(const AtlasProgram *program, const AtlasProof *proof) {
    return proof->ats && proof->at[0].op < program->ops->len ? plan_op(program, proof->at[0].op)
                                                             : NULL;
}

/* ---- the given program ---- */

static gboolean is_open(const AtlasProof *proof) {
    return proof->verdict != ATLAS_PROOF_HOLDS;
}

static gboolean judge_given(const AtlasPlan *plan, char **open, AtlasDiags *diags) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(plan->given, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *legal = atlas_proofs_find(proofs, ATLAS_PROPERTY_LEGAL);
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    if (legal->verdict == ATLAS_PROOF_REFUTED) {
        const AtlasOp *op = op_of(plan->given, legal);
        atlas_diags_error(diags, op ? op->at : (AtlasSpan){NULL, 0, 0},
                          "cannot plan '%s': without graphs, too, a call fails: %s",
                          plan->given->name, legal->why);
        atlas_diags_hint(diags, "--prove shows when; plan a program whose calls succeed");
        return FALSE;
    }
    if (race->verdict == ATLAS_PROOF_REFUTED)
        *open = g_strdup_printf("the program races without graphs: %s (--prove shows where)",
                                race->why);
    else if (is_open(legal) || is_open(race))
        *open =
            g_strdup_printf("%s, without graphs: %s",
                            atlas_property_name(is_open(legal) ? legal->property : race->property),
                            is_open(legal) ? legal->why : race->why);
    return TRUE;
}

/* ---- the changed one ---- */

/* Every read of the given program sees the same writer in the changed one. */
static gboolean judge_reads(const AtlasPlan *plan, AtlasDiags *diags) {
    g_autoptr(AtlasReadsFrom) reads = atlas_reads_from(plan->given, plan->eager, diags);
    if (!reads)
        return FALSE;
    if (reads->unequal->len == 0)
        return TRUE;
    const AtlasUnequal *u = &g_array_index(reads->unequal, AtlasUnequal, 0);
    const AtlasProgram *of = u->missing ? plan->given : plan->eager;
    g_autofree char *what = g_strdup_printf("the change is not the same program: %s (step "
                                            "%" G_GINT64_FORMAT ")",
                                            u->why, u->step);
    return refuse(diags, plan, u->op < of->ops->len ? plan_op(of, u->op) : NULL, what,
                  "plan without the change, or change the program by hand");
}

/* Neither writing in place nor setting a scalar may meet what the device still does. */
static gboolean judge_schedules(const AtlasPlan *plan, AtlasDiags *diags) {
    g_autoptr(AtlasProofs) proofs = atlas_prove(plan->eager, &(AtlasProveOptions){.brief = TRUE});
    const AtlasProof *race = atlas_proofs_find(proofs, ATLAS_PROPERTY_RACE);
    if (race->verdict != ATLAS_PROOF_REFUTED)
        return TRUE;
    g_autofree char *what = g_strdup_printf("the changed program races: %s", race->why);
    const AtlasOp *op = op_of(plan->eager, race);
    if (op && !op->at.source && race->ats > 1) /* the change's own */
        op = plan_op(plan->eager, race->at[1].op);
    return refuse(diags, plan, op, what,
                  "let the host wait for the step's work before the step ends, or plan without the "
                  "change");
}

gboolean plan_given(const AtlasPlan *plan, char **open, AtlasDiags *diags) {
    *open = NULL;
    if (!judge_given(plan, open, diags))
        return FALSE;
    if (plan->eager == plan->given)
        return TRUE;
    return judge_reads(plan, diags) && (*open || judge_schedules(plan, diags));
}
