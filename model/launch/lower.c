#include "model/launch/lower.h"

#include <string.h>

#include "model/launch/lowering.h"

/* Units of work (ATLAS_WORK_MAX) that lowering a node takes, an index's value being one. */
enum { NODE_WORK = 4 };

/* The longest name of a program that can be read back. */
enum { NAME_LONGEST = 255 };

gboolean lower_fault(Lowering *l, AtlasWalkFault fault) {
    atlas_walk_report(&fault, l->config, l->diags);
    return FALSE;
}

gboolean lower_works(Lowering *l, const AtlasNode *node, gint64 units) {
    l->work += units;
    if (l->work > ATLAS_WORK_MAX && !l->full) {
        l->full = TRUE;
        lower_fault(l, (AtlasWalkFault){node, "work", ATLAS_RAT_NONE});
    }
    return !l->full;
}

/* ---- items ---- */

static const char *intern(Lowering *l, const char *text) {
    return atlas_program_file_intern(l->file, text);
}

static const char *buffer_name(const Lowering *l, const AtlasUse *use) {
    return ATLAS_BUFFER(l->model, use->buffer)->name;
}

static gboolean lower_uses(Lowering *l, const AtlasNode *node, const GArray *uses, GArray **list) {
    gboolean ok = TRUE;
    if (!uses || uses->len == 0)
        return TRUE;
    *list = atlas_program_list_new(l->file, sizeof(AtlasAccess));
    for (guint i = 0; i < uses->len; i++) {
        const AtlasUse *use = &g_array_index(uses, AtlasUse, i);
        AtlasAccess access = {.buffer = intern(l, buffer_name(l, use))};
        if (use->index)
            ok &= lower_index(l, node, use, &access);
        g_array_append_val(*list, access);
    }
    return ok;
}

static const char *stream_name(Lowering *l, guint stream) {
    const AtlasStream *s = ATLAS_STREAM(l->model, stream);
    return intern(l, g_str_equal(s->kind, "legacy") ? "legacy" : s->name);
}

static AtlasOp *append(AtlasProgram *into, AtlasOpKind kind, const AtlasNode *node, gint64 every) {
    AtlasOp *op = atlas_program_append(into, kind);
    op->at = node->item->what.at;
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
    if (!atlas_walk_count(node, &l->env, l->times, &count, &fault))
        return lower_fault(l, fault);
    if (count == 0)
        return TRUE;
    AtlasOp *op = append(into, ATLAS_OP_LAUNCH, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op->operands[1] = intern(l, item->kernel.text ? item->kernel.text : item->what.text);
    op->count = count;
    op->of = intern(l, ATLAS_POPULATION(l->model, node->population)->key);
    op->cost_ns =
        item->cost.text ? atlas_program_cost(item->cost.text, strlen(item->cost.text)) : 0;
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
    gboolean ok = lower_uses(l, node, node->reads, &op->reads);
    ok &= lower_uses(l, node, node->writes, &op->writes);
    return lower_uses(l, node, node->fresh, &op->fresh) && ok;
}

static gboolean lower_copy(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    const char *what = node->item->what.text, *kind = strchr(what, '_');
    AtlasOpKind op_kind = g_str_has_prefix(what, "dtoh")   ? ATLAS_OP_DTOH_ASYNC
                          : g_str_has_prefix(what, "htod") ? ATLAS_OP_HTOD_ASYNC
                                                           : ATLAS_OP_DTOD_ASYNC;
    AtlasOp *op = append(into, op_kind, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op->operands[1] = kind ? intern(l, kind + 1) : NULL;
    gboolean ok = lower_uses(l, node, node->reads, &op->reads);
    return lower_uses(l, node, node->writes, &op->writes) && ok;
}

/* The host sees a device value by copying it, waiting for the copy, and looking. */
static gboolean lower_read(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    AtlasOp *op = append(into, ATLAS_OP_DTOH_ASYNC, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op->operands[1] = intern(l, "pinned");
    gboolean ok = lower_uses(l, node, node->reads, &op->reads);
    op = append(into, ATLAS_OP_SYNC_STREAM, node, every);
    op->operands[0] = stream_name(l, node->stream);
    op = append(into, ATLAS_OP_HOST_READ, node, every);
    return lower_uses(l, node, node->reads, &op->reads) && ok;
}

static gboolean lower_simple(Lowering *l, const AtlasNode *node, gint64 every, AtlasProgram *into) {
    const char *what = node->item->what.text, *stream = stream_name(l, node->stream);
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
        op =
            append(into, node->waits < 0 ? ATLAS_OP_SYNC_EVENT : ATLAS_OP_SYNC_STREAM, node, every);
        op->operands[0] = node->waits < 0 ? intern(l, what) : stream_name(l, (guint)node->waits);
        return TRUE;
    case ATLAS_ITEM_HOST_WRITE:
        op = append(into, ATLAS_OP_HOST_WRITE, node, every);
        return lower_uses(l, node, node->writes, &op->writes);
    default: /* alloc, free */
        op = append(into,
                    node->kind == ATLAS_ITEM_ALLOC ? ATLAS_OP_MALLOC_ASYNC : ATLAS_OP_FREE_ASYNC,
                    node, every);
        op->operands[0] = intern(l, buffer_name(l, &g_array_index(node->writes, AtlasUse, 0)));
        op->operands[1] = stream;
        return TRUE;
    }
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

gboolean lower_nodes(Lowering *l, const GPtrArray *nodes, gint64 every, AtlasProgram *into) {
    gboolean ok = TRUE;
    for (guint i = 0; i < nodes->len && !l->full; i++) {
        const AtlasNode *node = g_ptr_array_index(nodes, i);
        gint64 own_every = every;
        gboolean present;
        AtlasWalkFault fault;
        if (!lower_works(l, node, NODE_WORK))
            ok = FALSE;
        else if (!atlas_walk_present(node, &l->env, &own_every, &present, &fault))
            ok = lower_fault(l, fault);
        else if (present && !lower_node(l, node, own_every, into))
            ok = FALSE;
    }
    return ok && !l->full;
}

/* ---- the program ---- */

static gboolean declare_buffer(Lowering *l, guint i, AtlasProgram *into) {
    const AtlasBuffer *buffer = ATLAS_BUFFER(l->model, i);
    AtlasRat parts = buffer->parts ? atlas_expr_value(buffer->parts, &l->env) : atlas_rat(1);
    AtlasOp *op = atlas_program_append(into, ATLAS_OP_BUFFER);
    op->operands[0] = intern(l, buffer->name);
    op->count = l->parts[i] = parts.num;
    if (atlas_rat_is_whole(parts) && parts.num >= 1 && parts.num <= ATLAS_PROGRAM_PARTS_MAX)
        return TRUE;
    char shown[64];
    g_autofree char *where = atlas_config_describe(l->config);
    atlas_diags_error(l->diags, buffer->at, "'%s' has %s parts under '%s'", buffer->name,
                      atlas_rat_format(parts, 6, shown, sizeof shown), where);
    atlas_diags_hint(l->diags, "mend 'per': expected a whole number from 1 to %" G_GINT64_FORMAT,
                     ATLAS_PROGRAM_PARTS_MAX);
    return FALSE;
}

static gboolean declare(Lowering *l, AtlasProgram *into) {
    gboolean ok = TRUE;
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
    for (guint i = 0; i < l->model->buffers->len; i++)
        ok &= declare_buffer(l, i, into);
    return ok;
}

static gboolean lower_stages(Lowering *l, AtlasProgram *into) {
    gboolean ok = TRUE;
    atlas_program_append(into, ATLAS_OP_STEP);
    for (guint i = 0; i < l->model->stages->len; i++) {
        const AtlasStage *stage = ATLAS_STAGE(l->model, i);
        AtlasOp *mark = atlas_program_append(into, ATLAS_OP_STAGE);
        mark->operands[0] = intern(l, stage->name);
        mark->at = stage->at;
        ok &= lower_nodes(l, stage->nodes, 1, into);
    }
    atlas_program_append(into, ATLAS_OP_END_BLOCK);
    return ok;
}

AtlasProgram *atlas_lower(const AtlasConfig *config, const AtlasRat *unknowns,
                          AtlasProgramFile *file, AtlasDiags *diags) {
    const AtlasModel *model = config->model;
    g_autofree gint64 *values = g_new0(gint64, model->loops + 1);
    g_autofree gint64 *parts = g_new0(gint64, model->buffers->len + 1);
    g_autoptr(GArray) loops = g_array_new(FALSE, FALSE, sizeof(Loop));
    g_autoptr(GHashTable) indices = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    Lowering l = {
        .config = config,
        .model = model,
        .file = file,
        .diags = diags,
        .env = atlas_config_env(config),
        .values = values,
        .parts = parts,
        .loops = loops,
        .times = 1,
        .indices = indices,
    };
    l.env.loops = values;
    l.env.unknowns = unknowns;
    g_autofree char *label = atlas_config_describe(config);
    g_autofree char *name = g_strdup_printf("%s %s", model->name, label);
    if (strlen(name) > NAME_LONGEST)
        memcpy(name + NAME_LONGEST - strlen("..."), "...", sizeof "...");
    AtlasProgram *program = atlas_program_file_add(file, name);
    return declare(&l, program) && lower_stages(&l, program) ? program : NULL;
}
