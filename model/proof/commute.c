#include "model/proof/commute.h"

#include <string.h>

#include "model/op/op.h"
#include "model/proof/unroll.h"

/* Bits above those of names. */
#define BEGINS (G_GUINT64_CONSTANT(1) << 63) /* opens or closes a capture */
#define UNSAFE (G_GUINT64_CONSTANT(1) << 62) /* looks at which are open */
#define WAITS (G_GUINT64_CONSTANT(1) << 61)  /* may make a capture one of a blocking stream */
#define STREAM (G_GUINT64_CONSTANT(1) << 60) /* fails where its stream's capture is invalidated */
enum { NAME_BITS = 60 };

/* Names that belong together: trees, whose root stands for all. */
typedef struct {
    GHashTable *numbers; /* name to number + 1 */
    GArray *parents;     /* of guint */
    GArray *threads;     /* of guint, by root: a thread that names it; 0: several */
} Names;

static guint root_of(const Names *n, guint name) {
    while (g_array_index(n->parents, guint, name) != name)
        name = g_array_index(n->parents, guint, name);
    return name;
}

static guint number_of(Names *n, const char *name) {
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(n->numbers, name));
    if (number == 0) {
        guint next = n->parents->len;
        g_array_append_val(n->parents, next);
        number = next + 1;
        g_hash_table_insert(n->numbers, g_strdup(name), GUINT_TO_POINTER(number));
    }
    return number - 1;
}

/* Whether an operand names something that the driver or the threads know. Names of different kinds
 * that are spelt alike are taken for one. */
static gboolean is_name(OpRole role) {
    switch (role) {
    case OP_NEW_STREAM:
    case OP_NEW_EVENT:
    case OP_NEW_FLAG:
    case OP_STREAM:
    case OP_EVENT:
    case OP_FLAG:
    case OP_GRAPH:
    case OP_EXEC:
    case OP_MEMORY:
        return TRUE;
    default:
        return FALSE;
    }
}

/* A root of the names of an op, which are joined; G_MAXUINT: it has none. */
static guint join_names(Names *n, const AtlasOp *op) {
    const OpRow *row = op_row(op->kind);
    guint root = G_MAXUINT;
    for (guint i = 0; i < OP_OPERANDS; i++) {
        if (!op->operands[i] || !is_name(row->operands[i]))
            continue;
        /* Each thread has a default stream of its own. */
        g_autofree char *own = g_strdup_printf("ptds %u", op->thread);
        gboolean ptds = strcmp(op->operands[i], "ptds") == 0;
        guint next = root_of(n, number_of(n, ptds ? own : op->operands[i]));
        if (root != G_MAXUINT)
            g_array_index(n->parents, guint, root) = next;
        root = next;
    }
    return root;
}

static gboolean is_legacy(const AtlasOp *op) {
    const char *stream = unroll_stream(op);
    return g_strcmp0(stream, "legacy") == 0 || op->kind == ATLAS_OP_MEMSET_SYNC ||
           op->kind == ATLAS_OP_HTOD_SYNC || op->kind == ATLAS_OP_DTOH_SYNC;
}

/* What an op is beside its names. */
static Touch kind_of(const AtlasOp *op) {
    if (is_legacy(op))
        return (Touch){G_MAXUINT64, ~STREAM};
    switch (op->kind) {
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_DTOD_ASYNC:
    case ATLAS_OP_HTOD_ASYNC:
    case ATLAS_OP_DTOH_ASYNC:
    case ATLAS_OP_HOST_FN:
    case ATLAS_OP_STREAM_CALLBACK:
    case ATLAS_OP_FLAG_WAIT:
    case ATLAS_OP_FLAG_SET:
    case ATLAS_OP_RECORD:
    case ATLAS_OP_RECORD_EXTERNAL:
    case ATLAS_OP_STATUS:
    case ATLAS_OP_MODE:
    case ATLAS_OP_EVENT_CREATE:
    case ATLAS_OP_STREAM_CREATE:
    case ATLAS_OP_MEM_INFO:
        return (Touch){0, 0};
    case ATLAS_OP_WAIT:
    case ATLAS_OP_WAIT_EXTERNAL:
    case ATLAS_OP_GRAPH_LAUNCH:
    case ATLAS_OP_UPDATE:
    case ATLAS_OP_DESTROY_GRAPH:
        return (Touch){WAITS, 0};
    case ATLAS_OP_BEGIN:
    case ATLAS_OP_END_CAPTURE:
        return (Touch){BEGINS, UNSAFE};
    case ATLAS_OP_SYNC_STREAM:
    case ATLAS_OP_QUERY_STREAM:
    case ATLAS_OP_SYNC_EVENT:
    case ATLAS_OP_QUERY_EVENT:
    case ATLAS_OP_SYNC_CTX:
    case ATLAS_OP_MALLOC:
    case ATLAS_OP_FREE:
    case ATLAS_OP_HOST_ALLOC:
    case ATLAS_OP_HOST_FREE:
    case ATLAS_OP_MALLOC_ASYNC:
    case ATLAS_OP_FREE_ASYNC:
    case ATLAS_OP_INSTANTIATE:
    case ATLAS_OP_INSTANTIATE_AUTOFREE:
    case ATLAS_OP_DESTROY_EXEC:
        return (Touch){UNSAFE, BEGINS};
    default:
        return atlas_op_call(op->kind) ? (Touch){G_MAXUINT64, G_MAXUINT64} : (Touch){0, 0};
    }
}

/* Which threads name what, from an op on: 0 where several do. */
static void note_threads(Names *n, const AtlasProgram *program, guint first, const guint *names) {
    g_array_set_size(n->threads, n->parents->len);
    for (guint i = 0; i < n->threads->len; i++)
        g_array_index(n->threads, guint, i) = G_MAXUINT;
    for (guint i = first; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (names[i] == G_MAXUINT)
            continue;
        guint *thread = &g_array_index(n->threads, guint, root_of(n, names[i]));
        *thread = *thread == G_MAXUINT || *thread == op->thread ? op->thread : 0;
    }
}

Touch *commute_touches(const AtlasProgram *program, guint first) {
    guint count = program->ops->len;
    Touch *touches = g_new0(Touch, count + 1);
    g_autofree guint *names = g_new(guint, count + 1);
    Names n = {g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
               g_array_new(FALSE, FALSE, sizeof(guint)), g_array_new(FALSE, FALSE, sizeof(guint))};
    for (guint i = 0; i < count; i++)
        names[i] = join_names(&n, &g_array_index(program->ops, AtlasOp, i));
    note_threads(&n, program, first, names);
    for (guint i = 0; i < count; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        guint root = names[i] == G_MAXUINT ? G_MAXUINT : root_of(&n, names[i]);
        touches[i] = kind_of(op);
        touches[i].is |= unroll_stream(op) ? STREAM : 0;
        /* What one thread alone names clashes with nothing of the others. */
        if (root == G_MAXUINT || g_array_index(n.threads, guint, root) != 0)
            continue;
        touches[i].is |= G_GUINT64_CONSTANT(1) << root % NAME_BITS;
        touches[i].against |= G_GUINT64_CONSTANT(1) << root % NAME_BITS;
    }
    g_hash_table_unref(n.numbers);
    g_array_unref(n.parents);
    g_array_unref(n.threads);
    return touches;
}
