#include "model/proof/deal.h"

#include <string.h>

#include "model/op/op.h"
#include "model/proof/legal.h"

Deal *deal_new(const AtlasProgram *program, gint64 steps) {
    g_autoptr(Deal) d = g_new0(Deal, 1);
    LegalRange range = {legal_opening(program), program->ops->len};
    d->program = program;
    d->opening = range.first;
    d->blocking = g_hash_table_new(NULL, NULL);
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_STREAM && strcmp(op->operands[1], "blocking") == 0)
            g_hash_table_add(d->blocking, (gpointer)op->operands[0]);
    }
    return legal_threads_init(&d->threads, program, range, steps, 1) ? g_steal_pointer(&d) : NULL;
}

void deal_free(Deal *d) {
    if (!d)
        return;
    legal_threads_clear(&d->threads);
    g_hash_table_unref(d->blocking);
    g_free(d);
}

/* ---- what ops touch ---- */

static guint touch_hash(gconstpointer key) {
    const DealTouch *touch = key;
    return g_direct_hash(touch->name) * 31 + touch->thing;
}

static gboolean touch_equal(gconstpointer a, gconstpointer b) {
    const DealTouch *x = a, *y = b;
    return x->thing == y->thing && x->name == y->name;
}

GHashTable *deal_table_new(void) {
    return g_hash_table_new_full(touch_hash, touch_equal, g_free, g_free);
}

typedef struct {
    DealTouch *touches;
    guint len;
} List;

static void touch(List *list, DealThing thing, const char *name, DealMode mode) {
    g_assert(list->len < DEAL_TOUCHES);
    list->touches[list->len++] = (DealTouch){thing, name, mode};
}

gboolean deal_enqueues(AtlasOpKind kind) {
    return (kind >= ATLAS_OP_LAUNCH && kind <= ATLAS_OP_FLAG_SET) || kind == ATLAS_OP_RECORD ||
           kind == ATLAS_OP_RECORD_EXTERNAL || kind == ATLAS_OP_WAIT ||
           kind == ATLAS_OP_WAIT_EXTERNAL || kind == ATLAS_OP_GRAPH_LAUNCH ||
           kind == ATLAS_OP_MEMSET_SYNC || kind == ATLAS_OP_HTOD_SYNC || kind == ATLAS_OP_DTOH_SYNC;
}

/* The one name of the legacy stream, which synchronous copies touch without naming it. */
static const char legacy_stream[] = "legacy";

/* The stream of a thread's own is nobody else's; what it is given the legacy stream waits for. */
static void touch_stream(List *list, const Deal *d, const AtlasOp *op, const char *name) {
    gboolean legacy = strcmp(name, legacy_stream) == 0, own = strcmp(name, "ptds") == 0;
    gboolean looks = op->kind == ATLAS_OP_SYNC_STREAM || op->kind == ATLAS_OP_QUERY_STREAM ||
                     op->kind == ATLAS_OP_STATUS;
    if (!own)
        touch(list, DEAL_STREAM, legacy ? legacy_stream : name, looks ? DEAL_READ : DEAL_WRITE);
    if (looks)
        return;
    if (legacy || own || g_hash_table_contains(d->blocking, name))
        touch(list, DEAL_LEGACY, NULL, legacy ? DEAL_RIGHT : DEAL_LEFT);
}

static DealMode mode_of(AtlasOpKind kind, OpRole role) {
    gboolean looks = role == OP_EVENT ? kind != ATLAS_OP_RECORD && kind != ATLAS_OP_RECORD_EXTERNAL
                     : role == OP_GRAPH
                         ? kind != ATLAS_OP_END_CAPTURE && kind != ATLAS_OP_DESTROY_GRAPH
                     : role == OP_FLAG ? kind != ATLAS_OP_FLAG_SET && kind != ATLAS_OP_HOST_FLAG_SET
                                       : FALSE;
    return looks ? DEAL_READ : DEAL_WRITE;
}

static void touch_operand(List *list, const Deal *d, const AtlasOp *op, OpRole role,
                          const char *name) {
    switch (role) {
    case OP_STREAM:
    case OP_NEW_STREAM:
        touch_stream(list, d, op, name);
        break;
    case OP_EVENT:
    case OP_NEW_EVENT:
        touch(list, DEAL_EVENT, name, mode_of(op->kind, role));
        break;
    case OP_GRAPH:
        touch(list, DEAL_GRAPH, name, mode_of(op->kind, role));
        break;
    case OP_EXEC:
        touch(list, DEAL_EXEC, name, DEAL_WRITE);
        break;
    case OP_MEMORY:
        touch(list, DEAL_MEMORY, name, DEAL_WRITE);
        break;
    case OP_FLAG: /* a stream's wait may be enqueued before the flag is set or after that */
        if (op->kind != ATLAS_OP_FLAG_WAIT)
            touch(list, DEAL_FLAG, name, mode_of(op->kind, role));
        break;
    default:
        break;
    }
}

guint deal_touches(const Deal *deal, const AtlasOp *op, DealTouch touches[DEAL_TOUCHES]) {
    List list = {touches, 0};
    const OpRow *row = op_row(op->kind);
    gboolean sync = op->kind == ATLAS_OP_MEMSET_SYNC || op->kind == ATLAS_OP_HTOD_SYNC ||
                    op->kind == ATLAS_OP_DTOH_SYNC;
    for (guint i = 0; i < OP_OPERANDS; i++)
        if (op->operands[i])
            touch_operand(&list, deal, op, row->operands[i], op->operands[i]);
    if (sync)
        touch_stream(&list, deal, op, legacy_stream);
    if (deal_enqueues(op->kind))
        touch(&list, DEAL_CONTEXT, NULL, DEAL_LEFT);
    if (op->kind == ATLAS_OP_SYNC_CTX)
        touch(&list, DEAL_CONTEXT, NULL, DEAL_RIGHT);
    return list.len;
}

gboolean deal_conflict(const Deal *deal, const AtlasOp *a, const AtlasOp *b) {
    DealTouch left[DEAL_TOUCHES], right[DEAL_TOUCHES];
    guint lefts = deal_touches(deal, a, left), rights = deal_touches(deal, b, right);
    for (guint i = 0; i < lefts; i++)
        for (guint k = 0; k < rights; k++)
            if (touch_equal(&left[i], &right[k]) &&
                deal_modes_conflict(left[i].mode, right[k].mode))
                return TRUE;
    return FALSE;
}
