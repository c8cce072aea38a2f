/* Programs unrolled into what other checkers are given: peer.h. */
#include <string.h>

#include "tests/peers/read.h"

enum { OPS_MAX = 4000 };

/* ---- lists and names ---- */

GArray *read_list(Reader *r, gsize size) {
    GArray *list = g_array_new(FALSE, TRUE, size);
    g_ptr_array_add(r->model->lists, list);
    return list;
}

GArray *read_copy(Reader *r, const GArray *list) {
    GArray *copy = read_list(r, sizeof(guint));
    if (list)
        g_array_append_vals(copy, list->data, list->len);
    return copy;
}

void read_refuse(Reader *r, const char *what) {
    if (!r->model->refused)
        r->model->refused = g_strdup(what);
}

guint read_new_stream(Reader *r) {
    g_ptr_array_add(r->model->queues, read_list(r, sizeof(guint)));
    return r->model->streams++;
}

static Thing *add_thing(GHashTable *names, const char *name, guint number) {
    Thing *thing = g_new0(Thing, 1);
    thing->number = number;
    g_hash_table_replace(names, (gpointer)name, thing);
    return thing;
}

/* NULL, and a refusal: the legacy stream, or one that need not be declared. */
Thing *read_stream(Reader *r, const char *name) {
    Thing *stream = g_hash_table_lookup(r->streams, name);
    if (!stream && (strcmp(name, "legacy") == 0 || strcmp(name, "ptds") == 0))
        read_refuse(r, name);
    else if (!stream)
        stream = add_thing(r->streams, name, read_new_stream(r));
    return stream;
}

static Thing *event_of(Reader *r, const char *name) {
    Thing *event = g_hash_table_lookup(r->events, name);
    return event ? event : add_thing(r->events, name, r->model->events++);
}

static guint flag_of(Reader *r, const char *name) {
    guint number = GPOINTER_TO_UINT(g_hash_table_lookup(r->flags, name));
    if (number == 0) {
        number = ++r->model->flags;
        g_hash_table_insert(r->flags, (gpointer)name, GUINT_TO_POINTER(number));
    }
    return number;
}

/* ---- accesses ---- */

static guint cell_of(PeerModel *m, const char *buffer, gint64 part) {
    PeerCell cell = {buffer, part};
    for (guint i = 0; i < m->cells->len; i++) {
        const PeerCell *known = &g_array_index(m->cells, PeerCell, i);
        if (known->buffer == buffer && known->part == part)
            return i;
    }
    g_array_append_val(m->cells, cell);
    return m->cells->len - 1;
}

static void add_uses(Reader *r, GArray *uses, const GArray *list, gboolean write) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *a = &g_array_index(list, AtlasAccess, i);
        PeerUse use = {cell_of(r->model, a->buffer, a->indexed ? a->offset : -1), write};
        g_array_append_val(uses, use);
    }
}

static GArray *uses_of(Reader *r, const AtlasOp *op) {
    GArray *uses = read_list(r, sizeof(PeerUse));
    if (op->args && op->args->len)
        for (guint i = 0; i < op->args->len; i++)
            if (g_array_index(op->args, AtlasArg, i).kind == ATLAS_ARG_DEVICE)
                read_refuse(r, "a scalar in device memory");
    add_uses(r, uses, op->reads, FALSE);
    add_uses(r, uses, op->writes, TRUE);
    add_uses(r, uses, op->fresh, TRUE);
    return uses;
}

gboolean peer_conflict(const PeerModel *m, const PeerUse *a, const PeerUse *b) {
    const PeerCell *x = &g_array_index(m->cells, PeerCell, a->cell);
    const PeerCell *y = &g_array_index(m->cells, PeerCell, b->cell);
    return x->buffer == y->buffer && (a->write || b->write) &&
           (x->part < 0 || y->part < 0 || x->part == y->part);
}

/* ---- calls ---- */

static PeerCall *call(Reader *r, PeerAct act) {
    PeerCall made = {.act = act, .op = r->op, .syncs = r->syncs};
    r->syncs = NULL;
    g_array_append_val(r->model->calls, made);
    return &g_array_index(r->model->calls, PeerCall, r->model->calls->len - 1);
}

static void sync_with(Reader *r, gboolean event, guint which) {
    PeerSync sync = {event, which};
    if (!r->syncs)
        r->syncs = read_list(r, sizeof(PeerSync));
    g_array_append_val(r->syncs, sync);
}

PeerCall *read_give(Reader *r, guint stream, PeerTask task, gboolean takes) {
    PeerModel *m = r->model;
    guint number = m->tasks->len;
    task.stream = stream;
    task.op = r->op;
    g_array_append_val(m->tasks, task);
    g_array_append_val((GArray *)g_ptr_array_index(m->queues, stream), number);
    m->kernels += task.kernel;
    PeerCall *made = call(r, PEER_GIVE);
    made->task = number;
    made->takes = takes;
    return made;
}

/* ---- work on streams ---- */

static void work(Reader *r, const AtlasOp *op) {
    Thing *stream = read_stream(r, op->operands[0]);
    gboolean launch = op->kind == ATLAS_OP_LAUNCH;
    PeerTask task = {.op = r->op, .kernel = launch, .frees = TRUE};
    task.uses = uses_of(r, op);
    if (!stream)
        return;
    if (op->kind == ATLAS_OP_FLAG_WAIT)
        task.awaits = flag_of(r, op->operands[1]);
    if (op->kind == ATLAS_OP_FLAG_SET)
        task.sets = flag_of(r, op->operands[1]);
    if (stream->capture) {
        if (task.awaits || task.sets)
            read_refuse(r, "a flag in a capture");
        task.frees = FALSE;
        graphs_node(r, stream, task, launch ? op->count : 1);
        return;
    }
    for (gint64 i = 0; i < (launch ? op->count : 1); i++)
        read_give(r, stream->number, task, TRUE);
}

/* Records and waits; `entries`: they take a place. */
static void order(Reader *r, const AtlasOp *op, gboolean entries) {
    gboolean record = op->kind == ATLAS_OP_RECORD;
    Thing *event = event_of(r, op->operands[record ? 0 : 1]);
    Thing *stream = read_stream(r, op->operands[record ? 1 : 0]);
    PeerTask task = {.frees = entries};
    if (!stream)
        return;
    if (record) {
        event->capture = stream->capture;
        event->behind = stream->capture ? read_copy(r, stream->behind) : NULL;
        task.mark = stream->capture ? 0 : ++r->model->marks;
    } else if (event->capture) {
        graphs_wait(r, stream, event);
        return;
    } else {
        task.wait = ++r->model->waits;
    }
    if (stream->capture && !record)
        read_refuse(r, "a wait that leaves its capture");
    if (!stream->capture)
        read_give(r, stream->number, task, entries)->event = event->number + 1;
}

/* ---- the host ---- */

static void sync(Reader *r, const AtlasOp *op) {
    if (op->kind == ATLAS_OP_SYNC_EVENT)
        sync_with(r, TRUE, event_of(r, op->operands[0])->number);
    for (guint i = 0; i < r->model->streams && op->kind == ATLAS_OP_SYNC_CTX; i++)
        sync_with(r, FALSE, i);
    if (op->kind == ATLAS_OP_SYNC_STREAM) {
        const Thing *stream = read_stream(r, op->operands[0]);
        if (stream)
            sync_with(r, FALSE, stream->number);
    }
}

static void read_counter(Reader *r) {
    GArray *readings = r->model->readings;
    guint i = 0;
    while (i < readings->len && g_array_index(readings, guint, i) != r->op)
        i++;
    if (i == readings->len)
        g_array_append_val(readings, r->op);
    call(r, PEER_READ)->reading = i;
}

static void host(Reader *r, const AtlasOp *op) {
    GArray *uses;
    switch (op->kind) {
    case ATLAS_OP_HOST_READ:
    case ATLAS_OP_HOST_WRITE:
        uses = uses_of(r, op);
        call(r, PEER_ACCESS)->uses = uses;
        break;
    case ATLAS_OP_HOST_SET: /* scalars are taken by value only */
        uses = read_list(r, sizeof(PeerUse));
        call(r, PEER_ACCESS)->uses = uses;
        break;
    case ATLAS_OP_HOST_FLAG_SET:
        call(r, PEER_SET)->sets = flag_of(r, op->operands[0]);
        break;
    case ATLAS_OP_HOST_FLAG_WAIT:
        call(r, PEER_SET)->awaits = flag_of(r, op->operands[0]);
        break;
    case ATLAS_OP_COUNTER_READ:
        read_counter(r);
        break;
    default:
        sync(r, op);
    }
}

/* ---- programs ---- */

static void declare(Reader *r, const AtlasOp *op) {
    if (op->kind == ATLAS_OP_STREAM)
        add_thing(r->streams, op->operands[0], read_new_stream(r));
    if (op->kind == ATLAS_OP_EVENT)
        add_thing(r->events, op->operands[0], r->model->events++);
}

static void perform(Reader *r, const AtlasOp *op, gboolean entries) {
    switch (op->kind) {
    case ATLAS_OP_STREAM:
    case ATLAS_OP_EVENT:
    case ATLAS_OP_BUFFER:
    case ATLAS_OP_SCALAR:
    case ATLAS_OP_FLAG:
    case ATLAS_OP_COMMENT:
    case ATLAS_OP_EXPECT:
    case ATLAS_OP_DEPTH:
    case ATLAS_OP_SLOT:
        declare(r, op);
        break;
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_DTOD_ASYNC:
    case ATLAS_OP_FLAG_WAIT:
    case ATLAS_OP_FLAG_SET:
        work(r, op);
        break;
    case ATLAS_OP_RECORD:
    case ATLAS_OP_WAIT:
        order(r, op, entries);
        break;
    case ATLAS_OP_HOST_READ:
    case ATLAS_OP_HOST_WRITE:
    case ATLAS_OP_HOST_SET:
    case ATLAS_OP_HOST_FLAG_SET:
    case ATLAS_OP_HOST_FLAG_WAIT:
    case ATLAS_OP_COUNTER_READ:
    case ATLAS_OP_SYNC_STREAM:
    case ATLAS_OP_SYNC_EVENT:
    case ATLAS_OP_SYNC_CTX:
        host(r, op);
        break;
    case ATLAS_OP_BEGIN:
        if (read_stream(r, op->operands[0]))
            graphs_begin(r, read_stream(r, op->operands[0]));
        break;
    case ATLAS_OP_END_CAPTURE:
        if (read_stream(r, op->operands[0]))
            graphs_end(r, read_stream(r, op->operands[0]), op->operands[1]);
        break;
    case ATLAS_OP_INSTANTIATE:
        graphs_instantiate(r, op->operands[0], op->operands[1]);
        break;
    case ATLAS_OP_GRAPH_LAUNCH:
        graphs_launch(r, op);
        break;
    default:
        read_refuse(r, atlas_op_word(op->kind));
    }
}

/* Whether records and waits take places; when places are free. */
static gboolean look_ahead(Reader *r, const AtlasProgram *program) {
    gboolean entries = FALSE;
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_DEPTH)
            entries = op->operands[0] != NULL;
        if (op->kind == ATLAS_OP_SLOT)
            r->model->slot = strcmp(op->operands[0], "start") == 0;
        if (op->thread > 1)
            read_refuse(r, "several host threads");
    }
    r->model->starts |= r->model->slot;
    return entries;
}

static void read_all(Reader *r, const AtlasProgram *program) {
    gboolean entries = look_ahead(r, program);
    g_autoptr(GArray) all = unroll_all(&r->unroll, 1, OPS_MAX);
    if (!all) {
        read_refuse(r, "so many ops");
        return;
    }
    for (guint i = 0; i < all->len && !r->model->refused; i++) {
        AtlasWhen when = g_array_index(all, AtlasWhen, i);
        AtlasOp op = unroll_op(&r->unroll, when);
        r->op = when.op;
        perform(r, &op, entries);
    }
    if (r->syncs)
        call(r, PEER_END);
}

PeerModel *peer_model_new(const AtlasProgram *program, gint64 depth, gboolean starts) {
    PeerModel *m = g_new0(PeerModel, 1);
    Reader r = {.model = m};
    GHashTable **tables[] = {&r.streams, &r.events, &r.graphs, &r.execs, &r.flags};
    m->program = program;
    m->depth = depth;
    m->starts = starts;
    m->tasks = g_array_new(FALSE, TRUE, sizeof(PeerTask));
    m->calls = g_array_new(FALSE, TRUE, sizeof(PeerCall));
    m->cells = g_array_new(FALSE, TRUE, sizeof(PeerCell));
    m->readings = g_array_new(FALSE, TRUE, sizeof(guint));
    m->lists = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    m->queues = g_ptr_array_new();
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        *tables[i] =
            g_hash_table_new_full(g_str_hash, g_str_equal, NULL, i < 2 || i == 3 ? g_free : NULL);
    unroll_init(&r.unroll, program);
    read_all(&r, program);
    unroll_clear(&r.unroll);
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(*tables[i]);
    return m;
}

void peer_model_free(PeerModel *m) {
    if (!m)
        return;
    GArray *arrays[] = {m->tasks, m->calls, m->cells, m->readings};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    g_ptr_array_unref(m->queues);
    g_ptr_array_unref(m->lists);
    g_free(m->refused);
    g_free(m);
}
