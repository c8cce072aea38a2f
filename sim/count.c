#include "sim/count.h"

static void add(GArray *counts, GHashTable *index, const char *name, gint64 launches) {
    gpointer found;
    if (!g_hash_table_lookup_extended(index, name, NULL, &found)) {
        AtlasCount count = {name, 0};
        found = GUINT_TO_POINTER(counts->len);
        g_hash_table_insert(index, (gpointer)name, found);
        g_array_append_val(counts, count);
    }
    g_array_index(counts, AtlasCount, GPOINTER_TO_UINT(found)).launches += launches;
}

/* Steps of first..last that are multiples of `every`. */
static gint64 steps_with(gint64 first, gint64 last, gint64 every) {
    return last / every - (first > 0 ? (first - 1) / every : -1);
}

AtlasCounts *atlas_count(const AtlasProgram *program, gint64 first, gint64 last) {
    g_autoptr(AtlasCounts) counts = g_new0(AtlasCounts, 1);
    /* Names are interned: equal strings are equal pointers. */
    g_autoptr(GHashTable) stages = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) populations = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) times = g_array_new(FALSE, FALSE, sizeof(gint64)); /* of the blocks around */
    const char *stage = NULL;
    gboolean in_step = FALSE, fits = TRUE;
    gint64 here = 1;
    counts->stages = g_array_new(FALSE, FALSE, sizeof(AtlasCount));
    counts->populations = g_array_new(FALSE, FALSE, sizeof(AtlasCount));
    for (guint i = 0; fits && i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        gint64 launches;
        switch (op->kind) {
        case ATLAS_OP_STEP:
        case ATLAS_OP_LOOP:
            g_array_append_val(times, here);
            in_step |= op->kind == ATLAS_OP_STEP;
            if (op->kind == ATLAS_OP_LOOP)
                fits = !__builtin_mul_overflow(here, MAX(op->last - op->first + 1, 0), &here);
            break;
        case ATLAS_OP_END_BLOCK:
            here = g_array_index(times, gint64, times->len - 1);
            g_array_set_size(times, times->len - 1);
            in_step &= times->len > 0; /* a step is always outermost */
            break;
        case ATLAS_OP_STAGE:
            stage = op->operands[0];
            add(counts->stages, stages, stage, 0);
            break;
        case ATLAS_OP_LAUNCH:
            fits = !__builtin_mul_overflow(here, op->count, &launches) &&
                   (!in_step || !__builtin_mul_overflow(
                                    launches, steps_with(first, last, op->every), &launches)) &&
                   !__builtin_add_overflow(counts->total, launches, &counts->total);
            if (stage)
                add(counts->stages, stages, stage, launches);
            if (op->of)
                add(counts->populations, populations, op->of, launches);
            break;
        default:
            break;
        }
    }
    return fits ? g_steal_pointer(&counts) : NULL;
}

void atlas_counts_free(AtlasCounts *counts) {
    if (!counts)
        return;
    g_array_unref(counts->stages);
    g_array_unref(counts->populations);
    g_free(counts);
}
