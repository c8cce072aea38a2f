/* --change: counts of launch ops that differ from the program's. */
#include "backends/replayed.h"

/* Says that no launch op belongs to a population: a name that does not exist, or one that is off.
 */
static void nothing_to_change(const AtlasModel *model, const AtlasChange *change,
                              AtlasDiags *diags) {
    g_autoptr(GPtrArray) keys = g_ptr_array_new();
    for (guint i = 0; model && i < model->populations->len; i++)
        g_ptr_array_add(keys, (gpointer)ATLAS_POPULATION(model, i)->key);
    g_ptr_array_add(keys, NULL);
    if (!model || g_strv_contains((const char *const *)keys->pdata, change->population)) {
        atlas_diags_error(diags, change->at, "population '%s' launches nothing %s",
                          change->population,
                          model ? "under this configuration" : "in this program");
        if (model)
            atlas_diags_hint(diags, "atlas-sim --populations lists those that do");
        return;
    }
    atlas_diags_error(diags, change->at, "no population named '%s' in '%s'", change->population,
                      model->name);
    atlas_diags_suggest(diags, change->population, "populations are",
                        (const char *const *)keys->pdata);
    atlas_diags_hint(diags, "atlas-sim --populations lists them");
}

/* Changes the count of one launch op, which is performed `times` times in a step. */
static void change_op(AtlasOp *op, const AtlasChange *change, gint64 times, AtlasDiags *diags) {
    gint64 most = ATLAS_PROGRAM_TIMES_MAX / MAX(times, 1), count;
    if (__builtin_add_overflow(op->count, change->by, &count) || count > most)
        atlas_diags_error(diags, change->at,
                          "population '%s' cannot launch that many: at most %" G_GINT64_FORMAT
                          " more",
                          change->population, most - op->count);
    else if (count < 0)
        atlas_diags_error(diags, change->at,
                          "population '%s' launches %" G_GINT64_FORMAT
                          " each time, and cannot launch %" G_GINT64_FORMAT " fewer",
                          change->population, op->count, -change->by);
    else
        op->count = count;
}

/* Applies one change to the program's launch ops. */
static void apply(AtlasProgram *program, const AtlasChange *change, const AtlasModel *model,
                  AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    g_autoptr(GArray) outer = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 times = 1;
    gboolean found = FALSE;
    for (guint k = 0; k < program->ops->len && atlas_diags_errors(diags) == before; k++) {
        AtlasOp *op = &g_array_index(program->ops, AtlasOp, k);
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_LOOP) {
            g_array_append_val(outer, times);
            times *= op->kind == ATLAS_OP_LOOP ? MAX(op->last - op->first + 1, 0) : 1;
        } else if (op->kind == ATLAS_OP_END_BLOCK) {
            times = g_array_index(outer, gint64, outer->len - 1);
            g_array_set_size(outer, outer->len - 1);
        } else if (op->kind == ATLAS_OP_LAUNCH && g_strcmp0(op->of, change->population) == 0) {
            change_op(op, change, times, diags);
            found = TRUE;
        }
    }
    if (!found)
        nothing_to_change(model, change, diags);
}

gboolean replayed_change(AtlasProgram *program, const AtlasModel *model, const GArray *changes,
                         AtlasDiags *diags) {
    guint before = atlas_diags_errors(diags);
    for (guint i = 0; changes && i < changes->len; i++)
        apply(program, &g_array_index(changes, AtlasChange, i), model, diags);
    return atlas_diags_errors(diags) == before;
}
