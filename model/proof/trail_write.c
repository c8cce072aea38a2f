#include "model/proof/trail_write.h"

#include <string.h>

#include "model/machine/run.h"

/* ---- ops ---- */

AtlasOp *trail_put(Trail *t, AtlasOpKind kind, const char *first, const char *second) {
    AtlasOp *op = atlas_program_append(t->out, kind);
    op->operands[0] = first ? atlas_program_file_intern(t->unroll.file, first) : NULL;
    op->operands[1] = second ? atlas_program_file_intern(t->unroll.file, second) : NULL;
    return op;
}

/* Whether a name that is no object of the driver is declared there already: a step or a loop may
 * declare it again and again, a straight line may not. */
static gboolean is_declared(const Trail *t, const AtlasOp *op) {
    gboolean named =
        op->kind == ATLAS_OP_FLAG || op->kind == ATLAS_OP_BUFFER || op->kind == ATLAS_OP_SCALAR;
    for (guint i = 0; named && i < t->out->ops->len; i++) {
        const AtlasOp *other = &g_array_index(t->out->ops, AtlasOp, i);
        if (other->kind == op->kind && other->operands[0] == op->operands[0])
            return TRUE;
    }
    return FALSE;
}

void trail_put_op(Trail *t, AtlasWhen when) {
    AtlasOp op = unroll_op(&t->unroll, when);
    if (op.kind != ATLAS_OP_COMMENT && op.kind != ATLAS_OP_EXPECT && !is_declared(t, &op))
        g_array_append_val(t->out->ops, op);
}

/* ---- programs ---- */

/* Steps that are performed until an op is: ops behind the step count those before them. */
static gint64 steps_until(const Trail *t, AtlasWhen when) {
    gboolean inside = FALSE;
    for (guint i = when.op; i != UNROLL_NONE && i != ATLAS_PROOF_NO_OP; i = t->unroll.outer[i])
        inside |= trail_op(t, i)->kind == ATLAS_OP_STEP;
    return (gint64)when.step + inside;
}

/* Steps that the schedule reaches. */
static gint64 steps_of(const Trail *t) {
    const GArray *schedule = t->proof->schedule;
    gint64 steps = 0;
    for (guint i = 0; schedule && i < schedule->len; i++)
        steps = MAX(steps, steps_until(t, g_array_index(schedule, AtlasScheduleEvent, i).when));
    for (guint i = 0; i < t->proof->ats; i++)
        steps = MAX(steps, steps_until(t, t->proof->at[i]));
    return steps;
}

gboolean trail_begin(Trail *t, const char *suffix, gint64 steps) {
    unroll_init(&t->unroll, t->program);
    g_autofree char *name = g_strdup_printf("%s: %s", t->program->name, suffix);
    t->out = atlas_program_file_add(t->unroll.file, name);
    t->all = unroll_all(&t->unroll, steps < 0 ? steps_of(t) : steps, TRAIL_OPS_MAX);
    t->next = 0;
    return t->all != NULL;
}

void trail_end(Trail *t) {
    if (t->all)
        g_array_unref(t->all);
    unroll_clear(&t->unroll);
}

/* ---- reading it back ---- */

void again_init(Again *a, const AtlasProgram *program) {
    g_autoptr(GString) text = g_string_new(NULL);
    atlas_program_write(program, text);
    again_read(a, text->str);
}

void again_read(Again *a, const char *text) {
    a->stuck = FALSE;
    a->unstated = 0;
    a->diags = atlas_diags_new();
    a->source = atlas_source_new("trail", text, strlen(text), NULL);
    a->file = a->source ? atlas_program_read(a->source, a->diags) : NULL;
    a->program = a->file ? atlas_program_file_get(a->file, 0) : NULL;
}

void again_clear(Again *a) {
    g_clear_pointer(&a->file, atlas_program_file_free);
    g_clear_pointer(&a->source, atlas_source_free);
    atlas_diags_free(a->diags);
}

void again_open(Again *a, guint at, AtlasOpKind kind, const char *text) {
    AtlasOp op = {.kind = kind, .thread = 1, .count = 1, .every = 1};
    op.text = atlas_program_file_intern(a->file, text);
    g_array_insert_val(a->program->ops, at, op);
}

gboolean again_write(Again *a, GString *out) {
    g_autoptr(AtlasOutcome) outcome = atlas_run(a->program, 1, a->diags);
    if (!outcome)
        return FALSE;
    for (guint i = a->program->ops->len - a->unstated; i < a->program->ops->len; i++)
        g_array_index(outcome->answers, AtlasAnswer, i).code = ATLAS_RESULT_NONE;
    if (a->stuck)
        outcome->executed = -1;
    atlas_outcome_write(a->program, outcome, out);
    return TRUE;
}
