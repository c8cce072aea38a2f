#include "model/proof/unroll.h"

#include <string.h>

#include "model/op/op.h"

static const AtlasOp *op_at(const Unroll *u, guint op) {
    return &g_array_index(u->program->ops, AtlasOp, op);
}

static gboolean opens(AtlasOpKind kind) {
    return kind == ATLAS_OP_STEP || kind == ATLAS_OP_LOOP;
}

void unroll_init(Unroll *unroll, const AtlasProgram *program) {
    guint now = UNROLL_NONE;
    *unroll =
        (Unroll){program, g_new(guint, program->ops->len + 1), atlas_program_file_new(), FALSE};
    for (guint i = 0; i < program->ops->len; i++) {
        AtlasOpKind kind = op_at(unroll, i)->kind;
        if (kind == ATLAS_OP_END_BLOCK)
            now = unroll->outer[now];
        unroll->outer[i] = now;
        unroll->threads |= op_at(unroll, i)->thread > 1;
        if (opens(kind))
            now = i;
    }
}

void unroll_clear(Unroll *unroll) {
    g_free(unroll->outer);
    atlas_program_file_free(unroll->file);
}

/* ---- one op ---- */

/* The value of a loop's index in the nth performance of an op inside of it: performances count the
 * iterations of all loops around it, the innermost the fastest. */
static gint64 index_value(const Unroll *u, AtlasWhen when, const char *loop) {
    gint64 n = when.nth;
    for (guint i = u->outer[when.op]; i != UNROLL_NONE; i = u->outer[i]) {
        const AtlasOp *op = op_at(u, i);
        if (op->kind != ATLAS_OP_LOOP)
            continue;
        gint64 length = op->last - op->first + 1;
        if (op->operands[0] == loop)
            return op->first + n % length;
        n /= length;
    }
    g_assert_not_reached(); /* the reader knows each index's loop */
}

static GArray *fix_parts(const Unroll *u, AtlasWhen when, const GArray *list) {
    if (!list)
        return NULL;
    GArray *fixed = atlas_program_list_new(u->file, sizeof(AtlasAccess));
    for (guint i = 0; i < list->len; i++) {
        AtlasAccess access = g_array_index(list, AtlasAccess, i);
        if (access.loop) {
            access.offset += access.sign * index_value(u, when, access.loop);
            access.loop = NULL;
            access.sign = 0;
        }
        g_array_append_val(fixed, access);
    }
    return fixed;
}

AtlasOp unroll_op(const Unroll *unroll, AtlasWhen when) {
    AtlasOp op = *op_at(unroll, when.op);
    op.every = 1;
    op.result = op.details = NULL;
    op.reads = fix_parts(unroll, when, op.reads);
    op.writes = fix_parts(unroll, when, op.writes);
    op.fresh = fix_parts(unroll, when, op.fresh);
    return op;
}

char *unroll_text(const Unroll *unroll, AtlasWhen when) {
    GString *text = g_string_new(NULL);
    AtlasOp op = unroll_op(unroll, when);
    atlas_op_write(&op, text);
    return g_string_free(text, FALSE);
}

const char *unroll_stream(const AtlasOp *op) {
    const OpRow *row = op_row(op->kind);
    for (guint i = 0; i < OP_OPERANDS; i++)
        if (row->operands[i] == OP_STREAM)
            return op->operands[i];
    return NULL;
}

const char *unroll_name(const AtlasOp *op) {
    return op->kind == ATLAS_OP_LAUNCH && op->operands[1] ? op->operands[1]
                                                          : atlas_op_word(op->kind);
}

/* ---- all ops ---- */

typedef struct {
    const Unroll *unroll;
    GArray *out;
    gint64 *nth; /* performances so far, in this step or outside of it */
    guint64 step;
    guint most;
} Walk;

static guint end_of(const Unroll *u, guint open) {
    guint i = open + 1;
    while (op_at(u, i)->kind != ATLAS_OP_END_BLOCK || u->outer[i] != u->outer[open])
        i++;
    return i;
}

static gboolean walk(Walk *w, guint first, guint end, gint64 steps) {
    for (guint i = first; i < end; i++) {
        const AtlasOp *op = op_at(w->unroll, i);
        gboolean is_step = op->kind == ATLAS_OP_STEP;
        if (opens(op->kind)) {
            guint close = end_of(w->unroll, i);
            gint64 times = is_step ? steps : op->last - op->first + 1;
            for (gint64 n = 0; n < times; n++) {
                guint before = w->out->len;
                if (is_step)
                    memset(w->nth + i, 0, sizeof *w->nth * (close - i));
                if (!walk(w, i + 1, close, steps) || w->out->len > w->most)
                    return FALSE;
                w->step += is_step;
                if (w->out->len == before && (!is_step || close == i + 1))
                    break; /* nothing in it is performed */
            }
            i = close;
        } else if (w->step % (guint64)op->every == 0) {
            AtlasWhen when = {i, w->step, w->nth[i]++};
            g_array_append_val(w->out, when);
        }
    }
    return w->out->len <= w->most;
}

GArray *unroll_all(const Unroll *unroll, gint64 steps, guint most) {
    guint count = unroll->program->ops->len;
    g_autofree gint64 *nth = g_new0(gint64, count + 1);
    Walk w = {unroll, g_array_new(FALSE, FALSE, sizeof(AtlasWhen)), nth, 0, most};
    if (walk(&w, 0, count, steps))
        return w.out;
    g_array_unref(w.out);
    return NULL;
}
