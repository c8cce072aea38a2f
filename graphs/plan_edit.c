/* What must change in a program before it can be captured: toggles. */
#include "graphs/plan_part.h"
#include "graphs/stretch.h"

const AtlasPlanWithRow atlas_plan_withs[ATLAS_WITHS] = {
    {"in-place", ATLAS_WITH_IN_PLACE},
    {"device-scalars", ATLAS_WITH_DEVICE_SCALARS},
    {"capture-stream", ATLAS_WITH_CAPTURE_STREAM},
    {"iterations", ATLAS_WITH_ITERATIONS},
    {"across-stages", ATLAS_WITH_ACROSS_STAGES},
    {"rename", ATLAS_WITH_RENAME},
};

/* What is written afresh becomes a write like others, where it is none yet. */
static void in_place(AtlasProgramFile *file, AtlasOp *op) {
    GArray *writes = atlas_program_list_new(file, sizeof(AtlasAccess));
    atlas_op_written(op, writes);
    op->writes = writes;
    op->fresh = NULL;
}

/* The names of the scalars that the program has in device memory. */
static GHashTable *device_scalars(const AtlasProgram *program) {
    GHashTable *names = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        if (op->kind == ATLAS_OP_HOST_SET)
            g_hash_table_add(names, (gpointer)op->operands[0]);
        for (guint k = 0; op->args && k < op->args->len; k++)
            if (g_array_index(op->args, AtlasArg, k).kind == ATLAS_ARG_DEVICE)
                g_hash_table_add(names, (gpointer)g_array_index(op->args, AtlasArg, k).name);
    }
    return names;
}

gboolean plan_scalar_is_device(const AtlasProgram *program, const char *name) {
    g_autoptr(GHashTable) names = device_scalars(program);
    return g_hash_table_contains(names, name);
}

/* A scalar that is in device memory already keeps what the program sets there. */
static void in_memory(AtlasProgramFile *file, GHashTable *given, AtlasOp *op, GPtrArray *scalars) {
    GArray *args = atlas_program_list_new(file, sizeof(AtlasArg));
    for (guint i = 0; i < op->args->len; i++) {
        AtlasArg arg = g_array_index(op->args, AtlasArg, i);
        if (arg.kind == ATLAS_ARG_HOST_PER_STEP && !g_hash_table_contains(given, arg.name)) {
            arg.kind = ATLAS_ARG_DEVICE;
            if (!g_ptr_array_find(scalars, arg.name, NULL))
                g_ptr_array_add(scalars, (gpointer)arg.name);
        }
        g_array_append_val(args, arg);
    }
    op->args = args;
}

/* The step's ops before any of which the host may set a scalar: behind the last sync before the
 * first op that reads it, where the host knows that the last step's readers are done; else where
 * the step begins. */
static guint place_of_sets(const AtlasProgram *program, GPtrArray *scalars) {
    guint place = 0, loops = 0;
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        if (op->kind == ATLAS_OP_STEP)
            place = i + 1;
        loops += op->kind == ATLAS_OP_LOOP;
        loops -= op->kind == ATLAS_OP_END_BLOCK && loops > 0;
        if (place && loops == 0 && (stretch_waits(op->kind) || op->kind == ATLAS_OP_HOST_READ))
            place = i + 1;
        for (guint k = 0; op->kind == ATLAS_OP_LAUNCH && op->args && k < op->args->len; k++)
            if (g_ptr_array_find(scalars, g_array_index(op->args, AtlasArg, k).name, NULL))
                return place;
    }
    return place;
}

static void insert_sets(AtlasProgram *program, GPtrArray *scalars) {
    guint place = place_of_sets(program, scalars);
    for (guint i = 0; i < scalars->len; i++) {
        AtlasOp set = {.kind = ATLAS_OP_HOST_SET, .thread = 1, .count = 1, .every = 1};
        set.operands[0] = g_ptr_array_index(scalars, i);
        g_array_insert_val(program->ops, place + i, set);
    }
}

const AtlasProgram *plan_edit(AtlasProgramFile *file, const AtlasProgram *program, guint with) {
    if (!(with & PLAN_EDITS))
        return program;
    g_autoptr(GPtrArray) scalars = g_ptr_array_new();
    g_autoptr(GHashTable) given = device_scalars(program);
    g_autofree char *name = g_strdup_printf("%s changed", program->name);
    AtlasProgram *edited = atlas_program_file_add(file, name);
    g_array_append_vals(edited->ops, program->ops->data, program->ops->len);
    for (guint i = 0; i < edited->ops->len; i++) {
        AtlasOp *op = plan_op(edited, i);
        if (with & ATLAS_WITH_IN_PLACE && op->fresh)
            in_place(file, op);
        if (with & ATLAS_WITH_DEVICE_SCALARS && op->kind == ATLAS_OP_LAUNCH && op->args)
            in_memory(file, given, op, scalars);
    }
    insert_sets(edited, scalars);
    return edited;
}
