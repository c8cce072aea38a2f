/* What stands in a column of the picture, from top to bottom. */
#include "graphs/plan_column.h"

#include <string.h>

/* Rows that are shown of work without anything between, and of all. */
enum { ROWS_MOST = 14, ITEMS_MOST = 100 };

typedef struct {
    const AtlasPlan *plan;
    const PlanTree *tree;
    GArray *notes;                    /* of DotNote */
    GArray *into;                     /* of DotItem */
    GArray *work;                     /* of DotItem: rows of work that are being gathered */
    gint64 left, left_rows, left_out; /* launches, rows of work beyond ROWS_MOST; kept out */
    guint stages;                     /* that it holds */
    gint64 graphs, launches, times;   /* beyond ITEMS_MOST: windows; launches and what
                                         is left of them over a period */
} Column;

static void item_clear(gpointer data) {
    DotItem *item = data;
    g_free(item->name);
    g_free(item->value);
}

static void add(Column *c, DotItemKind kind, char *name, char *value) {
    DotItem item = {kind, name, value};
    g_array_append_val(c->into, item);
}

/* ---- work ---- */

static void flush(Column *c) {
    g_array_append_vals(c->into, c->work->data, c->work->len);
    g_array_set_size(c->work, 0);
    if (c->left_rows) {
        g_autofree char *rows = dot_number(c->left_rows), *out = dot_number(c->left_out);
        add(c, c->left_out ? DOT_ITEM_OUT : DOT_ITEM_WORK,
            c->left_out ? g_strdup_printf("%s more, %s kept out", rows, out)
                        : g_strdup_printf("%s more", rows),
            dot_number(c->left));
    }
    c->left = c->left_rows = c->left_out = 0;
}

/* Without the stage, where it is said above. */
static char *work_name(const Column *c, const AtlasOp *op) {
    const char *point = op->of && c->stages < 2 ? strchr(op->of, '.') : NULL;
    const char *name = point                         ? point + 1
                       : op->of                      ? op->of
                       : op->kind != ATLAS_OP_LAUNCH ? atlas_op_word(op->kind)
                       : op->operands[1]             ? op->operands[1]
                                                     : "kernel";
    return op->every > 1 ? g_strdup_printf("%s, every %" G_GINT64_FORMAT " steps", name, op->every)
                         : g_strdup(name);
}

/* The note on an op: one that keeps it out rather than one on what was changed; NULL: none. */
static const DotNote *note_on(const Column *c, guint op) {
    const DotNote *found = NULL;
    for (guint i = 0; i < c->notes->len; i++) {
        const DotNote *note = &g_array_index(c->notes, DotNote, i);
        if (g_hash_table_contains(note->ops, GUINT_TO_POINTER(op)) && (!found || note->out))
            found = note;
    }
    return found;
}

static void add_work(Column *c, guint i) {
    const AtlasOp *op = plan_op(c->plan->eager, i);
    const DotNote *note = note_on(c, i);
    gboolean out = note && note->out;
    gint64 launches = op->kind == ATLAS_OP_LAUNCH ? op->count : 0;
    if (c->work->len == ROWS_MOST) {
        c->left += launches;
        c->left_rows++;
        c->left_out += out;
        return;
    }
    DotItem item = {out    ? DOT_ITEM_OUT
                    : note ? DOT_ITEM_CHANGED
                           : DOT_ITEM_WORK,
                    work_name(c, op), launches ? dot_number(launches) : g_strdup("")};
    g_array_append_val(c->work, item);
}

/* ---- the host ---- */

/* What the host does between windows; NULL: nothing that is seen. */
static char *host_text(const AtlasOp *op, const AtlasOp *next) {
    const GArray *uses = op->reads ? op->reads : op->writes;
    const char *buffer = uses ? g_array_index(uses, AtlasAccess, 0).buffer : "";
    switch (op->kind) {
    case ATLAS_OP_HOST_READ:
        return g_strdup_printf("host reads %s", buffer);
    case ATLAS_OP_HOST_WRITE:
        return g_strdup_printf("host writes %s", buffer);
    case ATLAS_OP_HOST_SET:
        return g_strdup_printf("host sets %s", op->operands[0]);
    case ATLAS_OP_SYNC_STREAM:
    case ATLAS_OP_SYNC_EVENT:
        return next->kind == ATLAS_OP_HOST_READ
                   ? NULL /* the read says it */
                   : g_strdup_printf("host waits for %s", op->operands[0]);
    case ATLAS_OP_SYNC_CTX:
        return g_strdup("host waits for the device");
    case ATLAS_OP_GRAPH_LAUNCH:
        return g_strdup_printf("launches %s", op->operands[0]);
    case ATLAS_OP_DTOH_ASYNC: /* with what waits for it */
        return next[1].kind == ATLAS_OP_HOST_READ
                   ? NULL
                   : g_strdup_printf("%s is copied to the host", buffer);
    case ATLAS_OP_COMMENT:
    case ATLAS_OP_STAGE:
    case ATLAS_OP_END_BLOCK:
        return NULL;
    default:
        return g_strdup(atlas_op_word(op->kind));
    }
}

static void add_op(Column *c, guint i) {
    const AtlasOp *op = plan_op(c->plan->eager, i);
    if (plan_stream_operand(op->kind) >= 0 && !c->tree->parts[i]) {
        add_work(c, i);
        return;
    }
    char *text = host_text(op, op + 1);
    if (!text)
        return;
    flush(c);
    add(c, DOT_ITEM_HOST, text, g_strdup(""));
}

/* ---- blocks ---- */

static void add_block(Column *c, guint from, guint to, gboolean in_window);

static void add_loop(Column *c, guint i, gboolean in_window) {
    gint64 times = plan_iterations(plan_op(c->plan->eager, i));
    if (times != 1) {
        add(c, DOT_ITEM_OPEN_LOOP, NULL, NULL);
        add(c, DOT_ITEM_LOOP, g_strdup_printf("repeated \303\227 %" G_GINT64_FORMAT, times),
            g_strdup(""));
    }
    add_block(c, i + 1, c->tree->end[i], in_window);
    if (times != 1)
        add(c, DOT_ITEM_CLOSE, NULL, NULL);
}

static void add_window(Column *c, const AtlasPlanWindow *w) {
    g_autofree char *launches = dot_number(w->launches), *times = dot_number(w->times);
    add(c, DOT_ITEM_OPEN_WINDOW, NULL, NULL);
    add(c, DOT_ITEM_GRAPH,
        w->graphs > 1    ? g_strdup_printf("graphs %u (%" G_GINT64_FORMAT ")", w->number, w->graphs)
        : w->graphs == 1 ? g_strdup_printf("graph %u", w->number)
                         : g_strdup_printf("graph %u again", w->of + 1),
        dot_saved(w->saved_ns));
    add(c, DOT_ITEM_GRAPH_MORE,
        w->every > 1 ? g_strdup_printf("launches, every %" G_GINT64_FORMAT " steps", w->every)
                     : g_strdup("launches"),
        g_strdup_printf("%s \342\206\222 %s", launches, times));
    if (w->copies)
        add(c, DOT_ITEM_GRAPH_MORE, g_strdup("copies"), dot_number(w->copies));
    add_block(c, w->first, w->last + 1, TRUE);
    add(c, DOT_ITEM_CLOSE, NULL, NULL);
}

/* Counts a window, or an op outside of windows, that is not shown. */
static void leave_out(Column *c, const AtlasPlanWindow *w, guint i) {
    const AtlasOp *op = plan_op(c->plan->eager, i);
    gint64 steps = c->plan->period / (w ? w->every : op->every);
    gint64 alone = op->kind == ATLAS_OP_LAUNCH ? op->count * plan_tree_times(c->tree, i) : 0;
    c->graphs += w != NULL;
    c->launches += (w ? w->launches : alone) * steps;
    c->times += (w ? w->times : alone) * steps;
}

static void add_block(Column *c, guint from, guint to, gboolean in_window) {
    for (guint i = from; i < to; i++) {
        const AtlasPlanWindow *w = in_window ? NULL : plan_window_of(c->plan->windows, i);
        if (!in_window && c->into->len >= ITEMS_MOST) {
            leave_out(c, w, i);
            i = w ? w->last : i;
        } else if (w) {
            flush(c);
            add_window(c, w);
            i = w->last;
        } else if (plan_op(c->plan->eager, i)->kind == ATLAS_OP_LOOP) {
            flush(c);
            add_loop(c, i, in_window);
            i = c->tree->end[i];
        } else {
            add_op(c, i);
        }
    }
    flush(c);
}

/* ---- all of it ---- */

/* What is below, in a row. */
static void add_rest(Column *c) {
    g_autofree char *graphs = dot_number(c->graphs);
    g_autofree char *launches = dot_mean(c->plan, c->launches);
    g_autofree char *times = dot_mean(c->plan, c->times);
    add(c, DOT_ITEM_GRAPH_MORE, g_strdup_printf("%s more graphs, a step", graphs),
        g_strdup_printf("%s \342\206\222 %s", launches, times));
}

gsize dot_column_width(const GArray *items) {
    glong width = 0;
    for (guint i = 0; i < items->len; i++) {
        const DotItem *item = &g_array_index(items, DotItem, i);
        if (item->name)
            width = MAX(width, g_utf8_strlen(item->name, -1) + 2 + g_utf8_strlen(item->value, -1));
    }
    return (gsize)width;
}

GArray *dot_column(const AtlasPlan *plan, const PlanTree *tree, GArray *notes, guint from,
                   guint to) {
    Column c = {.plan = plan, .tree = tree, .notes = notes};
    c.into = g_array_new(FALSE, FALSE, sizeof(DotItem));
    c.work = g_array_new(FALSE, FALSE, sizeof(DotItem));
    g_array_set_clear_func(c.into, item_clear);
    for (guint i = from; i < to; i++)
        c.stages += plan_op(plan->eager, i)->kind == ATLAS_OP_STAGE;
    add_block(&c, from, to, FALSE);
    if (c.launches)
        add_rest(&c);
    g_array_unref(c.work);
    return c.into;
}
