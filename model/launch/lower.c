#include "model/launch/lower.h"

#include <string.h>

typedef struct {
    const AtlasConfig *config;
    const AtlasModel *model;
    AtlasProgramFile *file;
    AtlasDiags *diags;
    AtlasEnv env;
    gint64 *loops;      /* the indices' values, by slot */
    gint64 *counts;     /* how many iterations the loops being lowered have, by slot */
    const char **names; /* their names in the program, by slot; NULL: not being lowered */
} Lowering;

static gboolean lower_nodes(Lowering *l, const GPtrArray *nodes, gint64 every, AtlasProgram *into);

static gboolean fault_reported(Lowering *l, const AtlasWalkFault *fault) {
    atlas_walk_report(fault, l->config, l->diags);
    return FALSE;
}

/* ---- buffers and indices ---- */

/* The loop that an index expression depends on, or -1. */
static int index_slot(const Lowering *l, const AtlasExpr *index) {
    for (guint slot = 0; slot < l->model->loops; slot++)
        if (l->names[slot] && atlas_expr_uses_loop(index, slot))
            return (int)slot;
    return -1;
}

static gboolean check_bounds(Lowering *l, const AtlasUse *use, AtlasRat index) {
    const AtlasBuffer *buffer = ATLAS_BUFFER(l->model, use->buffer);
    AtlasRat parts = atlas_expr_value(buffer->parts, &l->env);
    char shown[64], last[64];
    if (atlas_rat_is_whole(index) && index.num >= 0 && atlas_rat_ok(parts) &&
        atlas_rat_cmp(index, parts) < 0)
        return TRUE;
    g_autofree char *where = atlas_config_describe(l->config);
    atlas_diags_error(l->diags, use->at, "part %s of '%s' is used under '%s'",
                      atlas_rat_format(index, 6, shown, sizeof shown), buffer->name, where);
    atlas_diags_note(l->diags, buffer->at, "it has %s parts, numbered from 0",
                     atlas_rat_format(parts, 6, last, sizeof last));
    atlas_diags_hint(l->diags, "mend the index, or 'per'");
    return FALSE;
}

/* Writes the index as a loop's name plus or minus a number, where it is one in all iterations;
 * else as the number it is in this iteration. */
static gboolean lower_index(Lowering *l, const AtlasUse *use, AtlasAccess *access) {
    int slot = index_slot(l, use->index);
    AtlasRat here = atlas_expr_value(use->index, &l->env);
    access->indexed = TRUE;
    access->offset = here.num;
    if (slot < 0 || l->counts[slot] < 2)
        return check_bounds(l, use, here);
    gint64 at = l->loops[slot], sign = 0, offset = 0;
    gboolean affine = TRUE, ok = TRUE;
    for (gint64 i = 0; ok && i < l->counts[slot]; i++) {
        l->loops[slot] = i;
        AtlasRat value = atlas_expr_value(use->index, &l->env);
        ok = check_bounds(l, use, value);
        if (i == 0)
            offset = value.num;
        if (i == 1)
            sign = value.num - offset;
        affine = affine && ABS(sign) <= 1 && value.num == offset + sign * i;
    }
    l->loops[slot] = at;
    if (affine) {
        access->offset = offset;
        access->sign = (int)sign;
        access->loop = sign ? l->names[slot] : NULL;
    }
    return ok;
}

static gboolean lower_uses(Lowering *l, const GArray *uses, GArray **list) {
    gboolean ok = TRUE;
    if (!uses || uses->len == 0)
        return TRUE;
    *list = atlas_program_list_new(l->file, sizeof(AtlasAccess));
    for (guint i = 0; i < uses->len; i++) {
        const AtlasUse *use = &g_array_index(uses, AtlasUse, i);
        const char *name = ATLAS_BUFFER(l->model, use->buffer)->name;
        AtlasAccess access = {.buffer = atlas_program_file_intern(l->file, name)};
        if (use->index)
            ok &= lower_index(l, use, &access);
        g_array_append_val(*list, access);
    }
    return ok;
}

/* ---- items ---- */

static const char *intern(Lowering *l, const char *text) {
    return atlas_program_file_intern(l->file, text);
}

static const char *stream_name(Lowering *l, guint stream) {
    const AtlasStream *s = ATLAS_STREAM(l->model, stream);
    return intern(l, g_str_equal(s->kind, "legacy") ? "legacy" : s->name);
}

static AtlasOp *append(AtlasProgram *into, AtlasOpKind kind, const AtlasNode *node, gint64 every) {
    AtlasOp *op = atlas_program_append(into, kind);
    op->thread = node->thread;
    op->every = every;
    return op;
}

static gboolean lower_launch(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    static const struct {
        const char *word;
        AtlasArgKind kind;
    } kinds[] = {{"const", ATLAS_ARG_CONST},
                 {"host-per-step", ATLAS_ARG_HOST_PER_STEP},
                 {"device", ATLAS_ARG_DEVICE}};
    const AtlasSpecItem *item = node->item;
    AtlasWalkFault fault;
    gint64 count;
    if (!atlas_walk_count(node, &l->env, 1, &count, &fault))
        return fault_reported(l, &fault);
    if (count == 0)
        return TRUE;
    AtlasOp *op = append(into, ATLAS_OP_LAUNCH, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op->operands[1] = intern(l, item->kernel.text ? item->kernel.text : item->what.text);
    op->count = count;
    op->of = intern(l, ATLAS_POPULATION(l->model, node->population)->key);
    for (guint i = 0; item->args && i < item->args->len; i++) {
        const AtlasPair *pair = &g_array_index(item->args, AtlasPair, i);
        AtlasArg arg = {intern(l, pair->key.text), ATLAS_ARG_CONST};
        for (guint j = 0; j < G_N_ELEMENTS(kinds); j++)
            if (g_str_equal(kinds[j].word, pair->value.text))
                arg.kind = kinds[j].kind;
        if (!op->args)
            op->args = atlas_program_list_new(l->file, sizeof(AtlasArg));
        g_array_append_val(op->args, arg);
    }
    gboolean ok = lower_uses(l, node->reads, &op->reads);
    ok &= lower_uses(l, node->writes, &op->writes);
    return lower_uses(l, node->fresh, &op->fresh) && ok;
}

static gboolean lower_copy(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    const char *what = node->item->what.text, *kind = strchr(what, '_');
    AtlasOpKind op_kind = g_str_has_prefix(what, "dtoh")   ? ATLAS_OP_DTOH_ASYNC
                          : g_str_has_prefix(what, "htod") ? ATLAS_OP_HTOD_ASYNC
                                                           : ATLAS_OP_DTOD_ASYNC;
    AtlasOp *op = append(into, op_kind, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op->operands[1] = kind ? intern(l, kind + 1) : NULL;
    return lower_uses(l, node->reads, &op->reads) && lower_uses(l, node->writes, &op->writes);
}

/* The host sees a device value by copying it, waiting for the copy, and looking. */
static gboolean lower_read(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    AtlasOp *op = append(into, ATLAS_OP_DTOH_ASYNC, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op->operands[1] = intern(l, "pinned");
    gboolean ok = lower_uses(l, node->reads, &op->reads);
    op = append(into, ATLAS_OP_SYNC_STREAM, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op = append(into, ATLAS_OP_HOST_READ, node, every);
    return lower_uses(l, node->reads, &op->reads) && ok;
}

static int stream_index(const AtlasModel *model, const char *name) {
    for (guint i = 0; i < model->streams->len; i++)
        if (g_str_equal(ATLAS_STREAM(model, i)->name, name))
            return (int)i;
    g_assert_not_reached(); /* graph.c has checked it */
}

static gboolean lower_simple(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    const char *what = node->item->what.text, *stream = stream_name(l, node->stream);
    gboolean is_event = g_ptr_array_find_with_equal_func(l->model->events, what, g_str_equal, NULL);
    AtlasOp *op;
    switch (node->kind) {
    case ATLAS_ITEM_RECORD:
        op = append(into, ATLAS_OP_RECORD, node, every);
        op->operands[0] = intern(l, what);
        op->operands[1] = stream;
        return TRUE;
    case ATLAS_ITEM_WAIT:
        op = append(into, ATLAS_OP_WAIT, node, every);
        op->operands[0] = stream;
        op->operands[1] = intern(l, what);
        return TRUE;
    case ATLAS_ITEM_SYNC:
        if (g_str_equal(what, "context")) {
            append(into, ATLAS_OP_SYNC_CTX, node, every);
            return TRUE;
        }
        op = append(into, is_event ? ATLAS_OP_SYNC_EVENT : ATLAS_OP_SYNC_STREAM, node, every);
        op->operands[0] =
            is_event ? intern(l, what) : stream_name(l, (guint)stream_index(l->model, what));
        return TRUE;
    case ATLAS_ITEM_HOST_WRITE:
        op = append(into, ATLAS_OP_HOST_WRITE, node, every);
        return lower_uses(l, node->writes, &op->writes);
    default: /* alloc, free */
        op = append(into,
                    node->kind == ATLAS_ITEM_ALLOC ? ATLAS_OP_MALLOC_ASYNC : ATLAS_OP_FREE_ASYNC,
                    node, every);
        op->operands[0] = intern(l, what);
        op->operands[1] = stream;
        return TRUE;
    }
}

/* ---- loops ---- */

/* A name for the loop's index that no loop around it has: copies of a group may nest, and programs
 * name every index. */
static const char *loop_name(Lowering *l, const AtlasNode *node) {
    const char *wanted = node->item->index.text ? node->item->index.text : "i";
    g_autofree char *name = g_strdup(wanted);
    for (guint slot = 0, n = 2; slot < l->model->loops; slot++) {
        if (!l->names[slot] || !g_str_equal(l->names[slot], name))
            continue;
        g_free(name);
        name = g_strdup_printf("%s_%u", wanted, n++);
        slot = G_MAXUINT; /* start again */
    }
    return intern(l, name);
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

/* Ops of one iteration, or of all where they do not differ; NULL on failure. */
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

static gboolean lower_ranges(Lowering *l, const AtlasNode *node, gint64 every, const char *name,
                             AtlasProgram *into) {
    gint64 count = l->counts[node->loop], first = 0;
    g_autoptr(GArray) last_body = NULL;
    g_autofree char *last_text = NULL;
    for (gint64 i = 0; i < count; i++) {
        l->loops[node->loop] = i;
        g_autoptr(GArray) body = lower_body(l, node, every);
        if (!body)
            return FALSE;
        g_autofree char *text = body_text(body);
        if (last_text && g_str_equal(text, last_text))
            continue;
        if (last_body) {
            append_loop(name, first, i - 1, last_body, into);
            g_array_unref(last_body);
            g_free(last_text);
        }
        last_body = g_steal_pointer(&body);
        last_text = g_steal_pointer(&text);
        first = i;
    }
    if (last_body)
        append_loop(name, first, count - 1, last_body, into);
    return TRUE;
}

/* An index can make iterations differ in what they touch, even where all launch the same. */
static gboolean lower_loop(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    AtlasWalkFault fault;
    gint64 count;
    gboolean ok = TRUE;
    if (!atlas_walk_count(node, &l->env, 1, &count, &fault))
        return fault_reported(l, &fault);
    if (count == 0)
        return TRUE;
    if (node->item->index.text && count > ATLAS_ITERATIONS_MAX)
        return fault_reported(l, &(AtlasWalkFault){node, "loop count", atlas_rat(count)});
    const char *name = loop_name(l, node);
    l->names[node->loop] = name;
    l->counts[node->loop] = count;
    l->loops[node->loop] = 0;
    if (node->item->index.text) {
        ok = lower_ranges(l, node, every, name, into);
    } else {
        g_autoptr(GArray) body = lower_body(l, node, every);
        ok = body != NULL;
        if (body)
            append_loop(name, 0, count - 1, body, into);
    }
    l->names[node->loop] = NULL;
    return ok;
}

static gboolean lower_node(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    switch (node->kind) {
    case ATLAS_ITEM_LAUNCH:
        return lower_launch(l, node, every, into);
    case ATLAS_ITEM_COPY:
        return lower_copy(l, node, every, into);
    case ATLAS_ITEM_READ:
        return lower_read(l, node, every, into);
    case ATLAS_ITEM_LOOP:
        return lower_loop(l, node, every, into);
    case ATLAS_ITEM_GROUP:
        return lower_nodes(l, node->children, every, into);
    default:
        return lower_simple(l, node, every, into);
    }
}

static gboolean lower_nodes(Lowering *l, const GPtrArray *nodes, gint64 every, AtlasProgram *into) {
    gboolean ok = TRUE;
    for (guint i = 0; i < nodes->len; i++) {
        const AtlasNode *node = g_ptr_array_index(nodes, i);
        gint64 own_every = every;
        gboolean present;
        AtlasWalkFault fault;
        if (!atlas_walk_present(node, &l->env, &own_every, &present, &fault))
            ok = fault_reported(l, &fault);
        else if (present && !lower_node(l, node, own_every, into))
            ok = FALSE;
    }
    return ok;
}

/* ---- the program ---- */

static gboolean declare(Lowering *l, AtlasProgram *into) {
    for (guint i = 0; i < l->model->streams->len; i++) {
        const AtlasStream *stream = ATLAS_STREAM(l->model, i);
        if (g_str_equal(stream->kind, "legacy"))
            continue; /* it is always there */
        AtlasOp *op = atlas_program_append(into, ATLAS_OP_STREAM);
        op->operands[0] = intern(l, stream->name);
        op->operands[1] = intern(l, stream->kind);
    }
    for (guint i = 0; i < l->model->events->len; i++)
        atlas_program_append(into, ATLAS_OP_EVENT)->operands[0] =
            intern(l, g_ptr_array_index(l->model->events, i));
    for (guint i = 0; i < l->model->buffers->len; i++) {
        const AtlasBuffer *buffer = ATLAS_BUFFER(l->model, i);
        AtlasRat parts = buffer->parts ? atlas_expr_value(buffer->parts, &l->env) : atlas_rat(1);
        AtlasOp *op = atlas_program_append(into, ATLAS_OP_BUFFER);
        op->operands[0] = intern(l, buffer->name);
        op->count = parts.num;
        if (atlas_rat_is_whole(parts) && parts.num >= 1)
            continue;
        atlas_diags_error(l->diags, buffer->at, "'%s' needs a whole number of parts, at least 1",
                          buffer->name);
        atlas_diags_hint(l->diags, "mend 'per'");
        return FALSE;
    }
    return TRUE;
}

AtlasProgram *atlas_lower(const AtlasConfig *config, const AtlasRat *unknowns,
                          AtlasProgramFile *file, AtlasDiags *diags) {
    const AtlasModel *model = config->model;
    g_autofree gint64 *loops = g_new0(gint64, model->loops + 1);
    g_autofree gint64 *counts = g_new0(gint64, model->loops + 1);
    g_autofree const char **names = g_new0(const char *, model->loops + 1);
    Lowering l = {config, model, file, diags, atlas_config_env(config), loops, counts, names};
    l.env.loops = loops;
    l.env.unknowns = unknowns;
    g_autofree char *label = atlas_config_describe(config);
    g_autofree char *name = g_strdup_printf("%s %s", model->name, label);
    AtlasProgram *program = atlas_program_file_add(file, name);
    gboolean ok = declare(&l, program);
    atlas_program_append(program, ATLAS_OP_STEP);
    for (guint i = 0; i < model->stages->len; i++) {
        const AtlasStage *stage = ATLAS_STAGE(model, i);
        atlas_program_append(program, ATLAS_OP_STAGE)->operands[0] = intern(&l, stage->name);
        ok &= lower_nodes(&l, stage->nodes, 1, program);
    }
    atlas_program_append(program, ATLAS_OP_END_BLOCK);
    return ok ? program : NULL;
}
