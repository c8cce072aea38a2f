#include "sim/binding_plan.h"

#include <string.h>

AtlasBound *binding_buffer(const AtlasBinding *b, const char *name) {
    guint place = GPOINTER_TO_UINT(g_hash_table_lookup(b->by_name, name));
    return place ? &g_array_index(b->buffers, AtlasBound, place - 1) : NULL;
}

/* The hash that stands for a name. */
static guint64 name_hash(const char *name) {
    guint64 h = strlen(name);
    for (const char *c = name; *c; c++)
        h = atlas_mix(h, (guint8)*c);
    return h;
}

/* ---- binding the declarations ---- */

static guint scalar_number(AtlasBinding *b, const char *name) {
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(b->scalar_of, name));
    if (number)
        return number - 1;
    guint64 hash = name_hash(name);
    g_array_append_val(b->scalars, hash);
    g_hash_table_insert(b->scalar_of, (gpointer)name, GUINT_TO_POINTER(b->scalars->len));
    return b->scalars->len - 1;
}

static gboolean declare(AtlasBinding *b, const AtlasOp *op, const char *name, gint64 parts,
                        AtlasDiags *diags) {
    if (binding_buffer(b, name))
        return TRUE;
    if (parts > (gint64)ATLAS_CELLS_MAX - b->parts) {
        atlas_diags_error(diags, op->at, "buffers of more than %u parts in all", ATLAS_CELLS_MAX);
        atlas_diags_hint(diags, "give per-iteration buffers fewer parts");
        return FALSE;
    }
    AtlasBound bound = {name, name_hash(name), b->parts, 0, (guint32)parts, FALSE};
    g_array_append_val(b->buffers, bound);
    g_hash_table_insert(b->by_name, (gpointer)name, GUINT_TO_POINTER(b->buffers->len));
    b->parts += (guint32)parts;
    return TRUE;
}

/* A program that declares no buffer may name some: they have one part. */
static gboolean declare_accessed(AtlasBinding *b, const AtlasOp *op, const GArray *list,
                                 AtlasDiags *diags) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *access = &g_array_index(list, AtlasAccess, i);
        if (access->indexed && !binding_buffer(b, access->buffer)) {
            atlas_diags_error(diags, op->at, "'%s' has parts, and nothing says how many",
                              access->buffer);
            atlas_diags_hint(diags, "declare it: buffer %s xN", access->buffer);
            return FALSE;
        }
        if (!declare(b, op, access->buffer, 1, diags))
            return FALSE;
    }
    return TRUE;
}

gboolean binding_copies(AtlasOpKind kind) {
    return kind == ATLAS_OP_DTOD_ASYNC || kind == ATLAS_OP_HTOD_ASYNC ||
           kind == ATLAS_OP_DTOH_ASYNC || kind == ATLAS_OP_HTOD_SYNC || kind == ATLAS_OP_DTOH_SYNC;
}

gboolean binding_sets(AtlasOpKind kind) {
    return kind == ATLAS_OP_MEMSET_ASYNC || kind == ATLAS_OP_MEMSET_SYNC;
}

gboolean binding_launches(AtlasOpKind kind) {
    return kind == ATLAS_OP_LAUNCH || kind == ATLAS_OP_HOST_FN || kind == ATLAS_OP_STREAM_CALLBACK;
}

static guint length(const GArray *list) {
    return list ? list->len : 0;
}

static guint32 access_parts(const AtlasBinding *b, const AtlasAccess *access) {
    return access->indexed ? 1 : binding_buffer(b, access->buffer)->parts;
}

/* A copy is one call: it moves the cells of one access to those of another. */
static gboolean plan_copy(AtlasBinding *b, const AtlasOp *op, AtlasDiags *diags) {
    guint reads = length(op->reads), writes = length(op->writes);
    if (reads > 1 || writes > 1) {
        atlas_diags_error(diags, op->at, "'%s' moves one buffer, not several",
                          atlas_op_word(op->kind));
        atlas_diags_hint(diags, "write one line for each buffer");
        return FALSE;
    }
    if (reads && writes) {
        const AtlasAccess *from = &g_array_index(op->reads, AtlasAccess, 0);
        const AtlasAccess *to = &g_array_index(op->writes, AtlasAccess, 0);
        guint32 n = access_parts(b, from), m = access_parts(b, to);
        if (n != m) {
            atlas_diags_error(diags, op->at, "copies %u parts of '%s' to %u of '%s'", n,
                              from->buffer, m, to->buffer);
            atlas_diags_hint(diags, "name one part on both sides, as in %s[0], or declare as many",
                             from->buffer);
            return FALSE;
        }
    }
    const GArray *host_end = atlas_copy_host_end(op);
    if (atlas_copy_is_pageable(op) && length(host_end))
        binding_buffer(b, g_array_index(host_end, AtlasAccess, 0).buffer)->pageable = TRUE;
    return TRUE;
}

static gboolean plan_launch(AtlasBinding *b, const AtlasOp *op, Plan *plan, AtlasDiags *diags) {
    guint slots = length(op->reads) + length(plan->writes) + length(op->args);
    const char *name = op->kind == ATLAS_OP_LAUNCH ? op->operands[1] : "host_fn";
    plan->kernel = name_hash(name ? name : "");
    if (slots > ATLAS_SLOTS) {
        atlas_diags_error(diags, op->at, "%u buffers and scalars: a launch is given %u at most",
                          slots, ATLAS_SLOTS);
        atlas_diags_hint(diags, "name buffers that are used together as one");
        return FALSE;
    }
    if (length(op->args))
        plan->scalars = g_new(guint, op->args->len);
    for (guint i = 0; i < length(op->args); i++)
        plan->scalars[i] = scalar_number(b, g_array_index(op->args, AtlasArg, i).name);
    return TRUE;
}

static gboolean plan_op(AtlasBinding *b, guint at, AtlasDiags *diags) {
    const AtlasOp *op = binding_op(b, at);
    Plan *plan = &b->plans[at];
    if (op->writes || op->fresh) {
        plan->writes = g_array_new(FALSE, FALSE, sizeof(AtlasAccess));
        atlas_op_written(op, plan->writes);
    }
    if (!declare_accessed(b, op, op->reads, diags) || !declare_accessed(b, op, plan->writes, diags))
        return FALSE;
    if (op->kind == ATLAS_OP_HOST_SET)
        plan->scalar = scalar_number(b, op->operands[0]);
    if (op->kind == ATLAS_OP_MALLOC || op->kind == ATLAS_OP_MALLOC_ASYNC)
        plan->allocates = GPOINTER_TO_UINT(g_hash_table_lookup(b->by_name, op->operands[0]));
    if (binding_sets(op->kind) && length(plan->writes) > 1)
        return plan_copy(b, op, diags);
    return binding_copies(op->kind)     ? plan_copy(b, op, diags)
           : binding_launches(op->kind) ? plan_launch(b, op, plan, diags)
                                        : TRUE;
}

static gboolean plan_all(AtlasBinding *b, AtlasDiags *diags) {
    gboolean ok = TRUE;
    for (guint i = 0; i < b->program->ops->len; i++) {
        const AtlasOp *op = binding_op(b, i);
        if (op->kind == ATLAS_OP_BUFFER)
            ok = declare(b, op, op->operands[0], op->count, diags) && ok;
    }
    for (guint i = 0; ok && i < b->program->ops->len; i++)
        ok = plan_op(b, i, diags);
    return ok;
}

/* Buffers stand one behind the other, in the order of their declarations. */
static void put_at_first(AtlasBinding *b) {
    b->where = g_new(guint32, b->parts + 1);
    for (guint32 i = 0; i < b->buffers->len; i++) {
        AtlasBound *buffer = &g_array_index(b->buffers, AtlasBound, i);
        buffer->host = buffer->base + (buffer->pageable ? atlas_binding_host_cells(b) / 2 : 0);
        for (guint32 at = buffer->base; at < buffer->base + buffer->parts; at++) {
            BindingOwner owner = {i, at};
            g_array_append_val(b->owners, owner);
            b->where[at] = at;
        }
    }
    b->next_device = b->parts;
}

AtlasBinding *atlas_binding_new(const AtlasProgram *program, AtlasDiags *diags) {
    g_autoptr(AtlasBinding) b = g_new0(AtlasBinding, 1);
    b->program = program;
    b->buffers = g_array_new(FALSE, FALSE, sizeof(AtlasBound));
    b->by_name = g_hash_table_new(NULL, NULL);
    b->scalar_of = g_hash_table_new(NULL, NULL);
    b->scalars = g_array_new(FALSE, FALSE, sizeof(guint64));
    b->plans = g_new0(Plan, program->ops->len + 1);
    b->owners = g_array_new(FALSE, FALSE, sizeof(BindingOwner));
    if (!plan_all(b, diags))
        return NULL;
    put_at_first(b);
    return g_steal_pointer(&b);
}

void atlas_binding_free(AtlasBinding *b) {
    if (!b)
        return;
    for (guint i = 0; i < b->program->ops->len; i++) {
        if (b->plans[i].writes)
            g_array_unref(b->plans[i].writes);
        g_free(b->plans[i].scalars);
    }
    g_free(b->plans);
    g_free(b->where);
    g_array_unref(b->owners);
    g_array_unref(b->buffers);
    g_array_unref(b->scalars);
    g_hash_table_unref(b->by_name);
    g_hash_table_unref(b->scalar_of);
    g_free(b);
}
