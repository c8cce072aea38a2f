/* What a window works on, so that one graph may serve several windows, or several iterations.
 *
 * A window's slots are the places that it works on, in the order in which it comes to them: whole
 * buffers, or, where the index of a loop around says which part of a buffer, that part. Places do
 * not overlap, so a window does to its slots whatever it does, wherever they are; two windows of one
 * signature do the same to theirs.
 */
#include "graphs/plan_part.h"

typedef struct {
    const PlanTree *tree;
    guint outer; /* the block that the window stands in */
    GArray *slots;
} Slots;

/* ---- places ---- */

/* Whether an access of an op uses the index of a loop around the window. */
static gboolean is_outer(const Slots *s, guint op, const AtlasAccess *access) {
    if (!access->loop)
        return FALSE;
    for (guint loop = s->tree->loop[op]; loop != s->outer; loop = s->tree->loop[loop])
        if (plan_op(s->tree->program, loop)->operands[0] == access->loop)
            return FALSE;
    return TRUE;
}

gboolean plan_slot_holds(const AtlasPlanSlot *slot, const AtlasAccess *access) {
    if (slot->access.buffer != access->buffer)
        return FALSE;
    return slot->whole || (slot->access.loop == access->loop && slot->access.sign == access->sign &&
                           slot->access.offset == access->offset);
}

static AtlasPlanSlot *find(const GArray *slots, const AtlasAccess *access) {
    for (guint i = 0; i < slots->len; i++)
        if (plan_slot_holds(&g_array_index(slots, AtlasPlanSlot, i), access))
            return &g_array_index(slots, AtlasPlanSlot, i);
    return NULL;
}

/* Parts of one buffer are apart if the same index says which, plus something else; a part and the
 * whole are not, nor may parts be that two indices say. */
static gboolean is_apart(const GArray *slots, const AtlasPlanSlot *one) {
    for (guint i = 0; i < slots->len; i++) {
        const AtlasPlanSlot *slot = &g_array_index(slots, AtlasPlanSlot, i);
        if (slot->access.buffer != one->access.buffer)
            continue;
        if (slot->whole || one->whole || slot->access.loop != one->access.loop ||
            slot->access.sign != one->access.sign)
            return FALSE;
    }
    return TRUE;
}

static gint64 parts_of(const AtlasProgram *program, const char *buffer) {
    for (guint i = 0; i < program->ops->len; i++)
        if (plan_op(program, i)->kind == ATLAS_OP_BUFFER &&
            plan_op(program, i)->operands[0] == buffer)
            return plan_op(program, i)->count;
    return 1;
}

static gboolean add_accesses(Slots *s, guint op, const GArray *list, gboolean writes) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *access = &g_array_index(list, AtlasAccess, i);
        AtlasPlanSlot *slot = find(s->slots, access);
        AtlasPlanSlot one = {.access = *access, .whole = !is_outer(s, op, access)};
        if (slot && slot->whole != one.whole)
            return FALSE;
        if (slot) {
            slot->out |= writes;
            slot->in |= slot->whole && access->indexed;
            continue;
        }
        one.in = !writes || (one.whole && access->indexed);
        one.out = writes;
        one.copied = !one.whole;
        one.parts = one.whole ? parts_of(s->tree->program, access->buffer) : 1;
        if (!is_apart(s->slots, &one))
            return FALSE;
        g_array_append_val(s->slots, one);
    }
    return TRUE;
}

/* Of what is done on the device alone: host memory has no other name. */
static gboolean may_move(const AtlasOp *op) {
    switch (op->kind) {
    case ATLAS_OP_LAUNCH:
        return !op->fresh;
    case ATLAS_OP_LOOP:
        return plan_iterations(op) > 0;
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_DTOD_ASYNC:
    case ATLAS_OP_RECORD:
    case ATLAS_OP_WAIT:
    case ATLAS_OP_END_BLOCK:
    case ATLAS_OP_COMMENT:
        return TRUE;
    default:
        return FALSE;
    }
}

GArray *plan_slots(const PlanTree *tree, guint first, guint last) {
    g_autoptr(GArray) slots = g_array_new(FALSE, FALSE, sizeof(AtlasPlanSlot));
    Slots s = {tree, tree->loop[first], slots};
    for (guint i = first; i <= last; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        if (!may_move(op) || !add_accesses(&s, i, op->reads, FALSE) ||
            !add_accesses(&s, i, op->writes, TRUE))
            return NULL;
    }
    return g_steal_pointer(&slots);
}

static gboolean same_place(const AtlasPlanSlot *a, const AtlasPlanSlot *b) {
    return a->whole && b->whole && a->access.buffer == b->access.buffer;
}

gboolean plan_slots_mark(const GPtrArray *all) {
    const GArray *first = g_ptr_array_index(all, 0);
    gboolean none = TRUE;
    for (guint n = 0; n < first->len; n++) {
        gboolean same = TRUE;
        for (guint k = 0; k < all->len; k++)
            same = same && same_place(&g_array_index((GArray *)all->pdata[k], AtlasPlanSlot, n),
                                      &g_array_index(first, AtlasPlanSlot, n));
        for (guint k = 0; k < all->len; k++)
            g_array_index((GArray *)all->pdata[k], AtlasPlanSlot, n).copied = !same;
        none = none && same;
    }
    return none;
}

guint plan_slots_copies(const GArray *slots) {
    guint copies = 0;
    for (guint i = 0; slots && i < slots->len; i++) {
        const AtlasPlanSlot *slot = &g_array_index(slots, AtlasPlanSlot, i);
        copies += slot->copied ? (guint)slot->in + (guint)slot->out : 0;
    }
    return copies;
}

/* ---- signatures ---- */

static void sign_accesses(GString *text, const GArray *slots, const GArray *list, char what) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *access = &g_array_index(list, AtlasAccess, i);
        const AtlasPlanSlot *slot = find(slots, access);
        g_string_append_printf(text, " %c%ld", what,
                               (long)(slot - (const AtlasPlanSlot *)(void *)slots->data));
        if (slot->whole && access->indexed)
            g_string_append_printf(text, "[%s %d %" G_GINT64_FORMAT "]",
                                   access->loop ? access->loop : "", access->sign, access->offset);
    }
}

static void sign_op(GString *text, const AtlasOp *op) {
    g_string_append_printf(text,
                           "\n%d @%u x%" G_GINT64_FORMAT " %" G_GINT64_FORMAT "..%" G_GINT64_FORMAT
                           " every %" G_GINT64_FORMAT,
                           op->kind, op->thread, op->count, op->first, op->last, op->every);
    g_string_append_printf(text, " us %" G_GINT64_FORMAT, op->cost_ns);
    for (guint k = 0; k < G_N_ELEMENTS(op->operands); k++)
        g_string_append_printf(text, " %s", op->operands[k] ? op->operands[k] : "-");
    for (guint k = 0; op->args && k < op->args->len; k++)
        g_string_append_printf(text, " a:%s %d", g_array_index(op->args, AtlasArg, k).name,
                               g_array_index(op->args, AtlasArg, k).kind);
}

char *plan_signature(const PlanTree *tree, guint first, guint last, const GArray *slots) {
    GString *text = g_string_new(NULL);
    for (guint i = first; i <= last; i++) {
        const AtlasOp *op = plan_op(tree->program, i);
        if (op->kind == ATLAS_OP_COMMENT)
            continue;
        sign_op(text, op);
        sign_accesses(text, slots, op->reads, 'r');
        sign_accesses(text, slots, op->writes, 'w');
    }
    for (guint i = 0; i < slots->len; i++)
        g_string_append_printf(text, "\n%" G_GINT64_FORMAT,
                               g_array_index(slots, AtlasPlanSlot, i).parts);
    return g_string_free(text, FALSE);
}
