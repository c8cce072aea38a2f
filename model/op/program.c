#include "model/op/program.h"

struct AtlasProgramFile {
    GPtrArray *programs;   /* of AtlasProgram* */
    GPtrArray *lists;      /* of GArray* */
    GStringChunk *strings; /* each string once */
};

static void program_free(gpointer data) {
    AtlasProgram *program = data;
    g_array_unref(program->ops);
    g_free(program);
}

static void list_free(gpointer data) {
    g_array_unref(data);
}

AtlasProgramFile *atlas_program_file_new(void) {
    AtlasProgramFile *file = g_new0(AtlasProgramFile, 1);
    file->programs = g_ptr_array_new_with_free_func(program_free);
    file->lists = g_ptr_array_new_with_free_func(list_free);
    file->strings = g_string_chunk_new(4096);
    return file;
}

void atlas_program_file_free(AtlasProgramFile *file) {
    if (!file)
        return;
    g_ptr_array_unref(file->programs);
    g_ptr_array_unref(file->lists);
    g_string_chunk_free(file->strings);
    g_free(file);
}

guint atlas_program_file_count(const AtlasProgramFile *file) {
    return file->programs->len;
}

AtlasProgram *atlas_program_file_get(AtlasProgramFile *file, guint index) {
    g_assert(index < file->programs->len);
    return g_ptr_array_index(file->programs, index);
}

const char *atlas_program_file_intern(AtlasProgramFile *file, const char *text) {
    return g_string_chunk_insert_const(file->strings, text);
}

AtlasProgram *atlas_program_file_add(AtlasProgramFile *file, const char *name) {
    AtlasProgram *program = g_new0(AtlasProgram, 1);
    program->name = atlas_program_file_intern(file, name);
    program->ops = g_array_new(FALSE, FALSE, sizeof(AtlasOp));
    program->executed = -1;
    g_ptr_array_add(file->programs, program);
    return program;
}

AtlasOp *atlas_program_append(AtlasProgram *program, AtlasOpKind kind) {
    AtlasOp op = {.kind = kind, .thread = 1, .count = 1, .every = 1};
    g_array_append_val(program->ops, op);
    return &g_array_index(program->ops, AtlasOp, program->ops->len - 1);
}

GArray *atlas_program_list_new(AtlasProgramFile *file, gsize element_size) {
    GArray *list = g_array_new(FALSE, FALSE, (guint)element_size);
    g_ptr_array_add(file->lists, list);
    return list;
}

static gboolean has_access(const GArray *list, const AtlasAccess *access) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *other = &g_array_index(list, AtlasAccess, i);
        if (other->buffer == access->buffer && other->loop == access->loop &&
            other->offset == access->offset && other->sign == access->sign &&
            other->indexed == access->indexed)
            return TRUE;
    }
    return FALSE;
}

void atlas_op_written(const AtlasOp *op, GArray *into) {
    if (op->writes)
        g_array_append_vals(into, op->writes->data, op->writes->len);
    for (guint i = 0; op->fresh && i < op->fresh->len; i++) {
        const AtlasAccess *access = &g_array_index(op->fresh, AtlasAccess, i);
        if (!has_access(op->writes, access))
            g_array_append_vals(into, access, 1);
    }
}
