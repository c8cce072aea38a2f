#include "model/launch/lowering.h"

#include <string.h>

#define LOOP(l, i) (&g_array_index((l)->loops, Loop, i))

/* ---- indices ---- */

/* How an index depends on the innermost loop that it uses, while that is lowered once. */
typedef struct {
    guint serial;  /* of that loop */
    gboolean line; /* in every iteration it is offset + sign * the loop's own */
    int sign;
    gint64 offset;
} Index;

static AtlasRat value_in(Lowering *l, const AtlasUse *use, const Loop *loop, gint64 iteration) {
    guint slot = loop->node->loop;
    gint64 here = l->values[slot];
    l->values[slot] = iteration;
    AtlasRat value = atlas_expr_value(use->index, &l->env);
    l->values[slot] = here;
    return value;
}

static gboolean is_inside(const Lowering *l, const AtlasUse *use, AtlasRat index) {
    return atlas_rat_is_whole(index) && index.num >= 0 && index.num < l->parts[use->buffer];
}

static gboolean check_inside(Lowering *l, const AtlasUse *use, AtlasRat index) {
    const AtlasBuffer *buffer = ATLAS_BUFFER(l->model, use->buffer);
    char shown[64];
    if (is_inside(l, use, index))
        return TRUE;
    g_autofree char *where = atlas_config_describe(l->config);
    atlas_diags_error(l->diags, use->at, "part %s of '%s' is used under '%s'",
                      atlas_rat_format(index, 6, shown, sizeof shown), buffer->name, where);
    atlas_diags_note(l->diags, buffer->at, "it has %" G_GINT64_FORMAT " parts, numbered from 0",
                     l->parts[use->buffer]);
    atlas_diags_hint(l->diags, "mend the index, or 'per'");
    return FALSE;
}

/* The innermost loop around that the index uses, or NULL. The number that it gives to the index of
 * any other loop holds in that one's present iteration only. */
static Loop *loop_of(Lowering *l, const AtlasUse *use) {
    Loop *innermost = NULL;
    for (guint i = l->loops->len; i > 0; i--) {
        Loop *loop = LOOP(l, i - 1);
        if (!atlas_expr_uses_loop(use->index, loop->node->loop))
            continue;
        if (innermost)
            loop->differs = TRUE;
        else
            innermost = loop;
    }
    return innermost;
}

/* Looks at every iteration, also at those in which the item is not there: no bounds hold then. */
static void find_line(Lowering *l, const AtlasUse *use, const Loop *loop, Index *index) {
    AtlasRat first = value_in(l, use, loop, 0), second = value_in(l, use, loop, 1);
    AtlasRat slope = atlas_rat_sub(second, first);
    index->line = atlas_rat_is_whole(first) && atlas_rat_is_whole(slope) && ABS(slope.num) <= 1;
    index->offset = first.num;
    index->sign = index->line ? (int)slope.num : 0;
    for (gint64 i = 2; index->line && i < loop->count; i++) {
        AtlasRat expected = atlas_rat_add(first, atlas_rat(index->sign * i));
        AtlasRat value = value_in(l, use, loop, i);
        index->line =
            atlas_rat_ok(value) && atlas_rat_ok(expected) && atlas_rat_cmp(value, expected) == 0;
    }
}

/* NULL if something was reported. */
static const Index *index_in(Lowering *l, const AtlasNode *node, const AtlasUse *use,
                             const Loop *loop) {
    Index *index = g_hash_table_lookup(l->indices, use);
    if (index && index->serial == loop->serial)
        return index;
    if (loop->count > ATLAS_ITERATIONS_MAX) {
        lower_fault(l, (AtlasWalkFault){loop->node, "loop count", atlas_rat(loop->count)});
        return NULL;
    }
    if (!lower_works(l, node, loop->count))
        return NULL;
    index = g_new(Index, 1);
    index->serial = loop->serial;
    find_line(l, use, loop, index);
    g_hash_table_insert(l->indices, (gpointer)use, index);
    return index;
}

gboolean lower_index(Lowering *l, const AtlasNode *node, const AtlasUse *use, AtlasAccess *access) {
    Loop *loop = loop_of(l, use);
    AtlasRat here = atlas_expr_value(use->index, &l->env);
    access->indexed = TRUE;
    access->offset = here.num;
    if (!loop || loop->count < 2)
        return check_inside(l, use, here);
    const Index *index = index_in(l, node, use, loop);
    if (!index)
        return FALSE;
    if (!index->line) {
        loop->differs = TRUE;
        return check_inside(l, use, here);
    }
    access->offset = index->offset;
    access->sign = index->sign;
    access->loop = index->sign ? loop->name : NULL;
    if (loop->node->varying->len > 0) /* the item may be there in this iteration only */
        return check_inside(l, use, here);
    return check_inside(l, use, atlas_rat(index->offset)) &&
           check_inside(l, use, atlas_rat(index->offset + index->sign * (loop->count - 1)));
}

/* ---- loops ---- */

/* A name for the loop's index that no loop around it has: copies of a group may nest, and programs
 * name every index. */
static const char *loop_name(Lowering *l, const AtlasNode *node) {
    const char *wanted = node->item->index.text ? node->item->index.text : "i";
    g_autofree char *name = g_strdup(wanted);
    for (guint i = 0, n = 2; i < l->loops->len; i++) {
        if (!g_str_equal(LOOP(l, i)->name, name))
            continue;
        g_free(name);
        name = g_strdup_printf("%s_%u", wanted, n++);
        i = G_MAXUINT; /* start again */
    }
    return atlas_program_file_intern(l->file, name);
}

static void append_loop(const char *name, gint64 first, gint64 last, const GArray *body,
                        AtlasProgram *into) {
    if (body->len == 0)
        return;
    AtlasOp *op = atlas_program_append(into, ATLAS_OP_LOOP);
    op->operands[0] = name;
    op->first = first;
    op->last = last;
    g_array_append_vals(into->ops, body->data, body->len);
    atlas_program_append(into, ATLAS_OP_END_BLOCK);
}

/* Ops of the present iteration; NULL on failure. */
static GArray *lower_body(Lowering *l, const AtlasNode *node, gint64 every) {
    AtlasProgram body = {.ops = g_array_new(FALSE, TRUE, sizeof(AtlasOp)), .executed = -1};
    if (lower_nodes(l, node->children, every, &body))
        return body.ops;
    g_array_unref(body.ops);
    return NULL;
}

static char *body_text(const GArray *ops) {
    GString *text = g_string_new(NULL);
    for (guint i = 0; i < ops->len; i++) {
        atlas_op_write(&g_array_index(ops, AtlasOp, i), text);
        g_string_append_c(text, '\n');
    }
    return g_string_free(text, FALSE);
}

/* Appends a loop for each longest range of equal iterations. Whether iterations differ is known
 * behind the first one. */
static gboolean lower_iterations(Lowering *l, guint depth, gint64 every, AtlasProgram *into) {
    const Loop loop = *LOOP(l, depth); /* loops inside may move the array */
    const AtlasNode *node = loop.node;
    gint64 first = 0;
    g_autoptr(GArray) last_body = NULL;
    g_autofree char *last_text = NULL;
    for (gint64 i = 0; i < loop.count; i++) {
        l->values[node->loop] = i;
        g_autoptr(GArray) body = lower_body(l, node, every);
        if (!body)
            return FALSE;
        if (node->varying->len == 0 && !LOOP(l, depth)->differs) {
            append_loop(loop.name, 0, loop.count - 1, body, into);
            return TRUE;
        }
        if (loop.count > ATLAS_ITERATIONS_MAX)
            return lower_fault(l, (AtlasWalkFault){node, "loop count", atlas_rat(loop.count)});
        g_autofree char *text = body_text(body);
        if (last_text && g_str_equal(text, last_text))
            continue;
        if (last_body) {
            append_loop(loop.name, first, i - 1, last_body, into);
            g_array_unref(last_body);
            g_free(last_text);
        }
        last_body = g_steal_pointer(&body);
        last_text = g_steal_pointer(&text);
        first = i;
    }
    append_loop(loop.name, first, loop.count - 1, last_body, into);
    return TRUE;
}

gboolean lower_loop(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    AtlasWalkFault fault;
    gint64 count, times = l->times;
    if (!atlas_walk_count(node, &l->env, times, &count, &fault))
        return lower_fault(l, fault);
    if (count == 0)
        return TRUE;
    Loop loop = {node, loop_name(l, node), count, ++l->serial, FALSE};
    guint depth = l->loops->len;
    l->times *= count;
    g_array_append_val(l->loops, loop);
    gboolean ok = lower_iterations(l, depth, every, into);
    g_array_set_size(l->loops, depth);
    l->times = times;
    return ok;
}
