#include "model/op/copies.h"

#include <string.h>

gboolean atlas_copy_to_host(AtlasOpKind kind) {
    return kind == ATLAS_OP_DTOH_ASYNC || kind == ATLAS_OP_DTOH_SYNC;
}

gboolean atlas_copy_from_host(AtlasOpKind kind) {
    return kind == ATLAS_OP_HTOD_ASYNC || kind == ATLAS_OP_HTOD_SYNC;
}

gboolean atlas_copy_is_pageable(const AtlasOp *op) {
    if (op->kind == ATLAS_OP_HTOD_ASYNC || op->kind == ATLAS_OP_DTOH_ASYNC)
        return strcmp(op->operands[1], "pageable") == 0;
    return op->kind == ATLAS_OP_HTOD_SYNC || op->kind == ATLAS_OP_DTOH_SYNC;
}

gboolean atlas_copy_reads_at_call(const AtlasOp *op) {
    return atlas_copy_from_host(op->kind) && atlas_copy_is_pageable(op);
}

gboolean atlas_copy_is_waited(const AtlasOp *op) {
    return atlas_copy_to_host(op->kind) && atlas_copy_is_pageable(op);
}

static const GArray *named(const GArray *list, const GArray *otherwise) {
    return list && list->len ? list : otherwise;
}

const GArray *atlas_copy_source(const AtlasOp *op) {
    return named(op->reads, atlas_copy_from_host(op->kind) ? op->writes : NULL);
}

const GArray *atlas_copy_target(const AtlasOp *op) {
    return named(op->writes, atlas_copy_to_host(op->kind) ? op->reads : NULL);
}

const GArray *atlas_copy_host_end(const AtlasOp *op) {
    return atlas_copy_to_host(op->kind)     ? atlas_copy_target(op)
           : atlas_copy_from_host(op->kind) ? atlas_copy_source(op)
                                            : NULL;
}

gboolean atlas_op_on_host(AtlasOpKind kind) {
    return kind == ATLAS_OP_HOST_READ || kind == ATLAS_OP_HOST_WRITE || kind == ATLAS_OP_HOST_FN ||
           kind == ATLAS_OP_STREAM_CALLBACK;
}

GHashTable *atlas_program_sided(const AtlasProgram *program) {
    GHashTable *sided = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < program->ops->len; i++) {
        const GArray *end = atlas_copy_host_end(&g_array_index(program->ops, AtlasOp, i));
        for (guint j = 0; end && j < end->len; j++)
            g_hash_table_add(sided, (gpointer)g_array_index(end, AtlasAccess, j).buffer);
    }
    return sided;
}
