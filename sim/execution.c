#include "sim/execution.h"

/* Gives each launch op the number of its population. */
static void number_populations(AtlasExecution *e) {
    g_autoptr(GHashTable) numbers = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < e->program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(e->program->ops, AtlasOp, i);
        gpointer number;
        if (op->kind != ATLAS_OP_LAUNCH)
            continue;
        const char *name = op->of ? op->of : op->operands[1] ? op->operands[1] : "";
        if (!g_hash_table_lookup_extended(numbers, name, NULL, &number)) {
            number = GUINT_TO_POINTER(e->populations->len);
            g_hash_table_insert(numbers, (gpointer)name, number);
            g_ptr_array_add(e->populations, (gpointer)name);
        }
        e->population_of[i] = GPOINTER_TO_UINT(number);
    }
}

AtlasExecution *atlas_execution_new(const AtlasFlow *flow, gint64 window) {
    AtlasExecution *e = g_new0(AtlasExecution, 1);
    e->program = flow->program;
    e->steps = (AtlasSteps){flow->first, window, flow->last};
    e->rows = flow->rows;
    e->stages = g_ptr_array_new();
    g_ptr_array_add(e->stages, (gpointer) "");
    for (guint i = 0; i < flow->stages->len; i++)
        g_ptr_array_add(e->stages, g_ptr_array_index(flow->stages, i));
    e->tallies = g_new0(AtlasTally, e->rows * (gsize)e->stages->len);
    e->populations = g_ptr_array_new();
    e->population_of = g_new0(guint, flow->program->ops->len + 1);
    number_populations(e);
    e->window = g_new0(AtlasTally, e->populations->len + 1);
    e->reads = g_array_new(FALSE, FALSE, sizeof(AtlasSeen));
    e->ends = g_array_new(FALSE, FALSE, sizeof(AtlasSeen));
    e->outcome = atlas_outcome_new(flow->program);
    return e;
}

void atlas_execution_free(AtlasExecution *e) {
    if (!e)
        return;
    g_ptr_array_unref(e->stages);
    g_ptr_array_unref(e->populations);
    g_array_unref(e->reads);
    g_array_unref(e->ends);
    g_free(e->tallies);
    g_free(e->window);
    g_free(e->population_of);
    atlas_outcome_free(e->outcome);
    g_free(e);
}

/* The rows of the window: from the first to the one before the last. */
static guint window_row(const AtlasExecution *e) {
    return 1 + (guint)(e->steps.window - e->steps.first);
}

void atlas_execution_add_population(AtlasExecution *e, guint row, guint op, AtlasCountKind kind,
                                    gint64 n) {
    if (window_row(e) <= row && row < e->rows - 1)
        e->window[e->population_of[op]].of[kind] += n;
}

void atlas_execution_read(AtlasExecution *e, const AtlasBinding *binding, const AtlasFlow *flow,
                          const volatile guint64 *host) {
    const AtlasOp *op = &g_array_index(e->program->ops, AtlasOp, flow->op);
    for (guint i = 0; i < op->reads->len; i++) {
        AtlasCells parts;
        const AtlasBound *buffer =
            atlas_binding_access(binding, flow, &g_array_index(op->reads, AtlasAccess, i), &parts);
        parts.first += buffer->host;
        AtlasSeen seen = {flow->op, flow->step, buffer->name, atlas_fold(host, parts)};
        g_array_append_val(e->reads, seen);
    }
}

void atlas_execution_end(AtlasExecution *e, const AtlasBinding *binding, const guint64 *device) {
    const GArray *buffers = atlas_binding_buffers(binding);
    e->cells = atlas_binding_device_cells(binding);
    for (guint i = 0; i < buffers->len; i++) {
        const AtlasBound *buffer = &g_array_index(buffers, AtlasBound, i);
        guint64 h = buffer->parts;
        for (guint32 part = 0; part < buffer->parts; part++)
            h = atlas_mix(h, device[atlas_binding_where(binding, buffer, part)]);
        AtlasSeen seen = {e->program->ops->len, ATLAS_NO_STEP, buffer->name, h};
        g_array_append_val(e->ends, seen);
    }
}

AtlasTally atlas_execution_stage(const AtlasExecution *e, guint stage) {
    AtlasTally sum = {{0}};
    for (guint row = window_row(e); row < e->rows - 1; row++)
        for (guint k = 0; k < ATLAS_COUNT_KINDS; k++)
            sum.of[k] += atlas_execution_at(e, row, stage)->of[k];
    return sum;
}

AtlasTally atlas_execution_total(const AtlasExecution *e) {
    AtlasTally sum = {{0}};
    for (guint stage = 0; stage < e->stages->len; stage++) {
        AtlasTally one = atlas_execution_stage(e, stage);
        for (guint k = 0; k < ATLAS_COUNT_KINDS; k++)
            sum.of[k] += one.of[k];
    }
    return sum;
}

static gboolean same(const AtlasSeen *a, const AtlasSeen *b) {
    return a && b && a->value == b->value && a->step == b->step &&
           g_str_equal(a->buffer, b->buffer);
}

/* Compares two lists; the first difference counts, if there was none before. */
static guint compare(const GArray *a, const GArray *b, const AtlasSeen **first,
                     const AtlasSeen **other) {
    guint equal = 0;
    for (guint i = 0; i < MAX(a->len, b->len); i++) {
        const AtlasSeen *x = i < a->len ? &g_array_index(a, AtlasSeen, i) : NULL;
        const AtlasSeen *y = i < b->len ? &g_array_index(b, AtlasSeen, i) : NULL;
        if (same(x, y)) {
            equal++;
        } else if (!*first && !*other) {
            *first = x;
            *other = y;
        }
    }
    return equal;
}

/* What the buffers of `a` hold at the end, by name. */
static guint compare_ends(const GArray *a, const GArray *b, const AtlasSeen **first,
                          const AtlasSeen **other) {
    guint equal = 0;
    g_autoptr(GHashTable) of_b = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < b->len; i++) {
        AtlasSeen *y = &g_array_index(b, AtlasSeen, i);
        g_hash_table_insert(of_b, (gpointer)y->buffer, y);
    }
    for (guint i = 0; i < a->len; i++) {
        const AtlasSeen *x = &g_array_index(a, AtlasSeen, i);
        const AtlasSeen *y = g_hash_table_lookup(of_b, x->buffer);
        if (same(x, y)) {
            equal++;
        } else if (!*first && !*other) {
            *first = x;
            *other = y;
        }
    }
    return equal;
}

guint atlas_execution_compare(const AtlasExecution *e, const AtlasExecution *with,
                              const AtlasSeen **first, const AtlasSeen **other) {
    *first = *other = NULL;
    guint equal = compare(e->reads, with->reads, first, other);
    return equal + compare_ends(e->ends, with->ends, first, other);
}
