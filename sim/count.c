#include "sim/count.h"

#include "model/launch/walk.h"

/* A program being counted. */
typedef struct {
    AtlasCounts *counts;
    GHashTable *stages, *populations; /* name to place in counts; names are interned */
    gint64 first, last;
    const char *stage; /* the last mark; NULL before any */
    gboolean in_step;
    gint64 times;  /* how often what comes next is performed: the product of the loops around it */
    GArray *outer; /* of gint64: `times` outside of each block that is open */
} Counter;

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

static gboolean open_block(Counter *c, const AtlasOp *op) {
    g_array_append_val(c->outer, c->times);
    if (op->kind == ATLAS_OP_STEP) {
        c->in_step = TRUE;
        c->stage = NULL;
        return TRUE;
    }
    gint64 iterations = MAX(op->last - op->first + 1, 0);
    return !__builtin_mul_overflow(c->times, iterations, &c->times);
}

static void close_block(Counter *c) {
    c->times = g_array_index(c->outer, gint64, c->outer->len - 1);
    g_array_set_size(c->outer, c->outer->len - 1);
    c->in_step = c->in_step && c->outer->len > 0; /* a step stands in no block */
}

static gboolean count_launch(Counter *c, const AtlasOp *op) {
    gint64 steps = c->in_step ? atlas_multiples(c->first, c->last, op->every) : 1, launches;
    if (__builtin_mul_overflow(c->times, op->count, &launches) ||
        __builtin_mul_overflow(launches, steps, &launches) ||
        __builtin_add_overflow(c->counts->total, launches, &c->counts->total))
        return FALSE;
    if (c->stage)
        add(c->counts->stages, c->stages, c->stage, launches);
    if (op->of)
        add(c->counts->populations, c->populations, op->of, launches);
    return TRUE;
}

/* FALSE if a sum does not fit. */
static gboolean count_op(Counter *c, const AtlasOp *op) {
    switch (op->kind) {
    case ATLAS_OP_STEP:
    case ATLAS_OP_LOOP:
        return open_block(c, op);
    case ATLAS_OP_END_BLOCK:
        close_block(c);
        return TRUE;
    case ATLAS_OP_STAGE:
        c->stage = op->operands[0];
        add(c->counts->stages, c->stages, c->stage, 0);
        return TRUE;
    case ATLAS_OP_LAUNCH:
        return count_launch(c, op);
    default:
        return TRUE;
    }
}

AtlasCounts *atlas_count(const AtlasProgram *program, gint64 first, gint64 last) {
    g_autoptr(AtlasCounts) counts = g_new0(AtlasCounts, 1);
    g_autoptr(GHashTable) stages = g_hash_table_new(NULL, NULL);
    g_autoptr(GHashTable) populations = g_hash_table_new(NULL, NULL);
    g_autoptr(GArray) outer = g_array_new(FALSE, FALSE, sizeof(gint64));
    Counter c = {counts, stages, populations, first, last, NULL, FALSE, 1, outer};
    gboolean fits = TRUE;
    counts->stages = g_array_new(FALSE, FALSE, sizeof(AtlasCount));
    counts->populations = g_array_new(FALSE, FALSE, sizeof(AtlasCount));
    for (guint i = 0; fits && i < program->ops->len; i++)
        fits = count_op(&c, &g_array_index(program->ops, AtlasOp, i));
    return fits ? g_steal_pointer(&counts) : NULL;
}

void atlas_counts_free(AtlasCounts *counts) {
    if (!counts)
        return;
    g_array_unref(counts->stages);
    g_array_unref(counts->populations);
    g_free(counts);
}
