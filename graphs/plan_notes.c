/* What a plan's picture says beside its columns: what was changed first, and what is kept out. */
#include "graphs/plan_dot.h"
#include "graphs/plan_part.h"

static void note_clear(gpointer data) {
    DotNote *note = data;
    g_free(note->what);
    g_free(note->why);
    g_ptr_array_unref(note->stages);
    g_hash_table_unref(note->ops);
}

/* Notes an op, with the stage that it is in; takes over what and why. */
static void add(GArray *notes, const PlanTree *tree, guint op, gboolean out, char *what,
                char *why) {
    DotNote *note = NULL;
    for (guint i = 0; i < notes->len && !note; i++) {
        DotNote *n = &g_array_index(notes, DotNote, i);
        if (n->out == out && g_str_equal(n->what, what) && g_str_equal(n->why, why))
            note = n;
    }
    if (note) {
        g_free(what);
        g_free(why);
    } else {
        DotNote made = {out, what, why, g_ptr_array_new(), g_hash_table_new(NULL, NULL)};
        g_array_append_val(notes, made);
        note = &g_array_index(notes, DotNote, notes->len - 1);
    }
    guint mark = tree->stage[op];
    const char *stage = mark == G_MAXUINT ? "" : plan_op(tree->program, mark)->operands[0];
    if (*stage && !g_ptr_array_find(note->stages, stage, NULL))
        g_ptr_array_add(note->stages, (gpointer)stage);
    g_hash_table_add(note->ops, GUINT_TO_POINTER(op));
}

/* The ops of the changed program are those of the given one, but for the sets that were added. */
static gboolean is_added(const AtlasPlan *plan, const AtlasOp *op) {
    return op->kind == ATLAS_OP_HOST_SET && plan->eager->ops->len > plan->given->ops->len;
}

static void add_changes(GArray *notes, const AtlasPlan *plan, const PlanTree *tree) {
    guint given = 0;
    for (guint i = 0; i < tree->step_end; i++) {
        if (is_added(plan, plan_op(plan->eager, i)))
            continue;
        const AtlasOp *op = plan_op(plan->given, given++);
        if (op->kind != ATLAS_OP_LAUNCH)
            continue;
        for (guint k = 0; plan->with & ATLAS_WITH_IN_PLACE && op->fresh && k < op->fresh->len; k++)
            add(notes, tree, i, FALSE, g_strdup(g_array_index(op->fresh, AtlasAccess, k).buffer),
                g_strdup("is written in place, not to new memory"));
        for (guint k = 0; plan->with & ATLAS_WITH_DEVICE_SCALARS && op->args && k < op->args->len;
             k++)
            if (g_array_index(op->args, AtlasArg, k).kind == ATLAS_ARG_HOST_PER_STEP)
                add(notes, tree, i, FALSE, g_strdup(g_array_index(op->args, AtlasArg, k).name),
                    g_strdup("is in device memory, and set by the host"));
    }
}

GArray *dot_notes(const AtlasPlan *plan, const PlanTree *tree) {
    GArray *notes = g_array_new(FALSE, FALSE, sizeof(DotNote));
    g_array_set_clear_func(notes, note_clear);
    add_changes(notes, plan, tree);
    for (guint i = 0; i < plan->blocks->len; i++) {
        const AtlasPlanBlock *b = &g_array_index(plan->blocks, AtlasPlanBlock, i);
        g_autofree char *property = atlas_plan_property(b);
        add(notes, tree, b->op, TRUE,
            g_strdup_printf("%s%s%s", property, b->buffer ? " " : "", b->buffer ? b->buffer : ""),
            g_strdup(b->mend));
    }
    return notes;
}
