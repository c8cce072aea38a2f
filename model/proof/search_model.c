#include "model/proof/search_model.h"

#include <string.h>

#include "model/op/copies.h"
#include "model/proof/search_build.h"

/* ---- names ---- */

static gpointer keep(GHashTable *names, const char *name, gsize size) {
    gpointer found = g_hash_table_lookup(names, name);
    if (!found) {
        found = g_malloc0(size);
        g_hash_table_insert(names, (gpointer)name, found);
    }
    return found;
}

guint build_stream(Builder *b, const char *name, gboolean blocking, gboolean anew) {
    guint *number = keep(b->streams, name, sizeof *number);
    if (*number == 0 || anew) {
        GArray *queue = g_array_new(FALSE, FALSE, sizeof(SearchTask));
        BuildStream stream = {strcmp(name, "legacy") == 0, blocking || strcmp(name, "ptds") == 0,
                              NULL};
        g_ptr_array_add(b->model->queues, queue);
        g_array_append_val(b->kinds, stream);
        *number = b->model->queues->len;
    }
    return *number - 1;
}

static guint flag_of(Builder *b, const char *name) {
    guint *number = keep(b->flags, name, sizeof *number);
    if (*number == 0)
        *number = ++b->flag_count;
    return *number - 1;
}

/* ---- accesses ---- */

static gint64 index_value(const Builder *b, const char *loop) {
    for (guint i = b->loops->len; i-- > 0;)
        if (g_array_index(b->loops, BuildLoop, i).name == loop)
            return g_array_index(b->loops, BuildLoop, i).value;
    return 0;
}

/* What stands for the host side of a buffer. */
static const char *host_side(const char *buffer) {
    g_autofree char *name = g_strdup_printf("%s@host", buffer);
    return g_intern_string(name);
}

static void add_list(Builder *b, const GArray *list, gboolean on_host, gboolean write) {
    for (guint i = 0; list && i < list->len; i++) {
        const AtlasAccess *a = &g_array_index(list, AtlasAccess, i);
        gint64 part = -1;
        if (a->indexed)
            part = a->offset + (a->loop ? a->sign * index_value(b, a->loop) : 0);
        SearchAccess access = {a->buffer, part, write};
        if (on_host && g_hash_table_contains(b->sided, a->buffer))
            access.buffer = host_side(a->buffer);
        g_array_append_val(b->model->accesses, access);
    }
}

static const char *scalar_name(const char *scalar) {
    g_autofree char *name = g_strdup_printf("%s@device", scalar);
    return g_intern_string(name);
}

static void add_scalars(Builder *b, const GArray *args) {
    for (guint i = 0; args && i < args->len; i++) {
        const AtlasArg *arg = &g_array_index(args, AtlasArg, i);
        if (arg->kind != ATLAS_ARG_DEVICE)
            continue;
        SearchAccess access = {scalar_name(arg->name), -1, FALSE};
        g_array_append_val(b->model->accesses, access);
    }
}

/* Whether a copy reads its source during the call. */
static gboolean reads_at_call(const AtlasOp *op) {
    return op->kind == ATLAS_OP_HTOD_SYNC ||
           (op->kind == ATLAS_OP_HTOD_ASYNC && strcmp(op->operands[1], "pageable") == 0);
}

SearchRange build_task_accesses(Builder *b, const AtlasOp *op, gboolean captured) {
    SearchRange range = {b->model->accesses->len, 0};
    gboolean on_host = atlas_op_on_host(op->kind);
    if (captured || !reads_at_call(op))
        add_list(b, atlas_copy_source(op), on_host || atlas_copy_from_host(op->kind), FALSE);
    add_list(b, atlas_copy_target(op), on_host || atlas_copy_to_host(op->kind), TRUE);
    add_list(b, op->fresh, FALSE, TRUE);
    add_scalars(b, op->args);
    range.len = b->model->accesses->len - range.first;
    return range;
}

/* ---- calls ---- */

static SearchNeed all_of(const SearchModel *m, guint stream) {
    return (SearchNeed){stream, search_tasks(m, stream) * m->unit};
}

/* Something that the host's next call waits for. */
static void host_need(Builder *b, SearchNeed need) {
    if (need.value)
        g_array_append_val(b->waits, need);
}

static SearchCall *add_call(Builder *b, SearchAct act) {
    SearchModel *m = b->model;
    SearchCall call = {.act = act,
                       .op = b->op,
                       .instance = b->performed,
                       .awaits = b->awaits,
                       .needs = {m->needs->len, b->waits->len}};
    g_array_append_vals(m->needs, b->waits->data, b->waits->len);
    g_array_set_size(b->waits, 0);
    b->awaits = SEARCH_NONE;
    m->too_large |= m->calls->len >= SEARCH_TASKS_MAX;
    g_array_append_val(m->calls, call);
    return &g_array_index(m->calls, SearchCall, m->calls->len - 1);
}

/* The place that the stream's next task takes is that of the task `depth` places before. */
static void need_place(Builder *b, guint stream) {
    const SearchModel *m = b->model;
    GArray *places = g_array_index(b->kinds, BuildStream, stream).places;
    if (m->options.depth == 0 || places->len < m->options.depth)
        return;
    guint task = g_array_index(places, guint, places->len - (guint)m->options.depth);
    host_need(b, (SearchNeed){stream, m->slot_start ? task * m->unit + 1 : (task + 1) * m->unit});
}

void build_task(Builder *b, guint stream, SearchTask task, const GArray *needs, gboolean place) {
    SearchModel *m = b->model;
    GArray *queue = m->queues->pdata[stream];
    BuildStream *kind = &g_array_index(b->kinds, BuildStream, stream);
    guint number = queue->len;
    task.stream = stream;
    task.op = b->op;
    task.needs.first = m->needs->len;
    if (needs)
        g_array_append_vals(m->needs, needs->data, needs->len);
    for (guint s = 0; s < b->kinds->len; s++) {
        const BuildStream *other = &g_array_index(b->kinds, BuildStream, s);
        SearchNeed need = all_of(m, s);
        if (((kind->legacy && other->blocking) || (kind->blocking && other->legacy)) && need.value)
            g_array_append_val(m->needs, need);
    }
    task.needs.len = m->needs->len - task.needs.first;
    if (place) {
        if (!kind->places)
            kind->places = g_array_new(FALSE, FALSE, sizeof(guint));
        else
            need_place(b, stream);
        g_array_append_val(kind->places, number);
    }
    SearchCall *call = add_call(b, SEARCH_ENQUEUE);
    call->stream = stream;
    call->task = number;
    g_array_append_val(queue, task);
}

/* Records and waits are tasks, which take no time. */
static void record(Builder *b, guint stream, const char *event) {
    build_task(b, stream, (SearchTask){.awaits = SEARCH_NONE}, NULL, b->model->entries);
    *(SearchNeed *)keep(b->events, event, sizeof(SearchNeed)) = all_of(b->model, stream);
}

static void wait(Builder *b, guint stream, const char *event) {
    const SearchNeed *bound = keep(b->events, event, sizeof *bound);
    g_autoptr(GArray) needs = g_array_new(FALSE, FALSE, sizeof(SearchNeed));
    if (bound->value)
        g_array_append_vals(needs, bound, 1);
    build_task(b, stream, (SearchTask){.awaits = SEARCH_NONE}, needs, b->model->entries);
}

static void host_access(Builder *b, const AtlasOp *op, gboolean reads, gboolean writes) {
    SearchRange range = {b->model->accesses->len, 0};
    if (reads)
        add_list(b, atlas_copy_source(op), TRUE, FALSE);
    if (writes)
        add_list(b, atlas_copy_target(op), TRUE, TRUE);
    if (op->kind == ATLAS_OP_HOST_SET) {
        SearchAccess access = {scalar_name(op->operands[0]), -1, TRUE};
        g_array_append_val(b->model->accesses, access);
    }
    range.len = b->model->accesses->len - range.first;
    if (range.len)
        add_call(b, SEARCH_ACCESS)->accesses = range;
}

static void work(Builder *b, const AtlasOp *op, const char *stream_name) {
    guint stream = build_stream(b, stream_name, FALSE, FALSE);
    SearchTask task = {.awaits = SEARCH_NONE, .kernels = op->kind == ATLAS_OP_LAUNCH};
    if (reads_at_call(op))
        host_access(b, op, TRUE, FALSE);
    task.accesses = build_task_accesses(b, op, FALSE);
    if (op->kind == ATLAS_OP_FLAG_WAIT)
        task.awaits = flag_of(b, op->operands[1]);
    gint64 count = op->kind == ATLAS_OP_LAUNCH ? op->count : 1;
    for (gint64 i = 0; i < count && !b->model->too_large; i++)
        build_task(b, stream, task, NULL, TRUE);
    if (op->kind == ATLAS_OP_FLAG_SET) {
        SearchSetter setter = {flag_of(b, op->operands[1]), FALSE, all_of(b->model, stream)};
        g_array_append_val(b->model->setters, setter);
    }
    if (op->kind == ATLAS_OP_DTOH_SYNC ||
        (op->kind == ATLAS_OP_DTOH_ASYNC && strcmp(op->operands[1], "pageable") == 0))
        host_need(b, all_of(b->model, stream));
}

static void read_counter(Builder *b, guint op) {
    GArray *readings = b->model->readings;
    guint i = 0;
    while (i < readings->len && g_array_index(readings, SearchReading, i).op != op)
        i++;
    if (i == readings->len) {
        SearchReading reading = {.op = op};
        g_array_append_val(readings, reading);
    }
    add_call(b, SEARCH_READ)->reading = i;
    b->model->last_read = b->model->calls->len;
}

static void set_flag(Builder *b, const char *flag) {
    add_call(b, SEARCH_SET);
    SearchSetter setter = {flag_of(b, flag), TRUE, {0, b->model->calls->len}};
    g_array_append_val(b->model->setters, setter);
}

static void sync_all(Builder *b) {
    for (guint s = 0; s < b->model->queues->len; s++)
        host_need(b, all_of(b->model, s));
}

/* The stream that an op gives work to; NULL where it gives none. */
static const char *stream_of_work(const AtlasOp *op) {
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
        return op->operands[0];
    case ATLAS_OP_MALLOC_ASYNC:
    case ATLAS_OP_FREE_ASYNC:
        return op->operands[1];
    case ATLAS_OP_MEMSET_SYNC:
    case ATLAS_OP_HTOD_SYNC:
    case ATLAS_OP_DTOH_SYNC:
        return "legacy";
    default:
        return NULL;
    }
}

/* What only the host does. */
static void perform_on_host(Builder *b, const AtlasOp *op) {
    switch (op->kind) {
    case ATLAS_OP_HOST_READ:
    case ATLAS_OP_HOST_WRITE:
    case ATLAS_OP_HOST_SET:
        host_access(b, op, TRUE, TRUE);
        break;
    case ATLAS_OP_HOST_FLAG_SET:
        set_flag(b, op->operands[0]);
        break;
    case ATLAS_OP_HOST_FLAG_WAIT:
        b->awaits = flag_of(b, op->operands[0]);
        add_call(b, SEARCH_SET); /* a step of its own: another wait may follow */
        break;
    case ATLAS_OP_COUNTER_READ:
        read_counter(b, b->op);
        break;
    case ATLAS_OP_STAGE:
        if (!b->counter)
            read_counter(b, b->op);
        b->stages = TRUE;
        break;
    default:
        break;
    }
}

static void perform(Builder *b, const AtlasOp *op) {
    const char *stream = stream_of_work(op), *first = op->operands[0], *second = op->operands[1];
    if (stream) {
        work(b, op, stream);
        return;
    }
    switch (op->kind) {
    case ATLAS_OP_STREAM:
        build_stream(b, first, strcmp(second, "blocking") == 0, TRUE);
        break;
    case ATLAS_OP_EVENT:
        ((SearchNeed *)keep(b->events, first, sizeof(SearchNeed)))->value = 0;
        break;
    case ATLAS_OP_RECORD:
        record(b, build_stream(b, second, FALSE, FALSE), first);
        break;
    case ATLAS_OP_WAIT:
        wait(b, build_stream(b, first, FALSE, FALSE), second);
        break;
    case ATLAS_OP_SYNC_STREAM:
        host_need(b, all_of(b->model, build_stream(b, first, FALSE, FALSE)));
        break;
    case ATLAS_OP_SYNC_EVENT:
        host_need(b, *(SearchNeed *)keep(b->events, first, sizeof(SearchNeed)));
        break;
    case ATLAS_OP_SYNC_CTX:
        sync_all(b);
        break;
    case ATLAS_OP_GRAPH_LAUNCH:
        build_graph_launch(b, op);
        break;
    default:
        perform_on_host(b, op);
    }
}

/* ---- unrolling ---- */

static guint end_of(const AtlasProgram *program, guint block) {
    guint open = 0;
    for (guint i = block;; i++) {
        AtlasOpKind kind = g_array_index(program->ops, AtlasOp, i).kind;
        open += kind == ATLAS_OP_LOOP || kind == ATLAS_OP_STEP;
        open -= kind == ATLAS_OP_END_BLOCK;
        if (open == 0)
            return i;
    }
}

static void unroll(Builder *b, guint first, guint end);

static void unroll_block(Builder *b, const AtlasOp *op, guint at, guint end) {
    if (op->kind == ATLAS_OP_STEP) {
        for (b->step = 0; b->step < MAX(b->model->options.steps, 1); b->step++)
            unroll(b, at + 1, end);
        return;
    }
    BuildLoop loop = {op->operands[0], op->first};
    g_array_append_val(b->loops, loop);
    for (gint64 i = op->first; i <= op->last && !b->model->too_large; i++) {
        g_array_index(b->loops, BuildLoop, b->loops->len - 1).value = i;
        unroll(b, at + 1, end);
    }
    g_array_set_size(b->loops, b->loops->len - 1);
}

static void unroll(Builder *b, guint first, guint end) {
    const GArray *ops = b->model->program->ops;
    for (guint i = first; i < end && !b->model->why && !b->model->too_large; i++) {
        const AtlasOp *op = &g_array_index(ops, AtlasOp, i);
        b->op = i;
        b->model->too_large |= ++b->performed > SEARCH_TASKS_MAX;
        if (op->kind == ATLAS_OP_LOOP || op->kind == ATLAS_OP_STEP) {
            guint close = end_of(b->model->program, i);
            unroll_block(b, op, i, close);
            i = close;
        } else if (op->every <= 1 || b->step % op->every == 0) {
            if (!build_captured(b, op))
                perform(b, op);
        }
    }
}

/* What holds for the whole program. */
static void look_ahead(Builder *b) {
    SearchModel *m = b->model;
    for (guint i = 0; i < m->program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(m->program->ops, AtlasOp, i);
        b->counter |= op->kind == ATLAS_OP_COUNTER_READ;
        b->captures |= op->kind == ATLAS_OP_BEGIN || op->kind == ATLAS_OP_GRAPH_LAUNCH;
        if (op->kind == ATLAS_OP_SLOT)
            m->slot_start = strcmp(op->operands[0], "start") == 0;
        if (op->kind == ATLAS_OP_DEPTH)
            m->entries = op->operands[0] != NULL;
        if (op->thread > 1 && !m->why)
            m->why = g_strdup("several host threads call the driver");
    }
    m->options.starts |= m->slot_start;
    m->unit = m->options.starts ? 2 : 1;
}

SearchModel *search_model_new(const AtlasProgram *program, const SearchOptions *options) {
    SearchModel *m = g_new0(SearchModel, 1);
    Builder b = {.model = m, .awaits = SEARCH_NONE};
    m->program = program;
    m->options = *options;
    m->queues = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    m->calls = g_array_new(FALSE, FALSE, sizeof(SearchCall));
    m->needs = g_array_new(FALSE, FALSE, sizeof(SearchNeed));
    m->accesses = g_array_new(FALSE, FALSE, sizeof(SearchAccess));
    m->setters = g_array_new(FALSE, FALSE, sizeof(SearchSetter));
    m->readings = g_array_new(FALSE, FALSE, sizeof(SearchReading));
    build_init(&b);
    look_ahead(&b);
    build_captures_init(&b);
    unroll(&b, 0, program->ops->len);
    b.op = G_MAXUINT;
    if (!b.counter && b.stages && !m->why)
        read_counter(&b, G_MAXUINT);
    if (b.waits->len || b.awaits != SEARCH_NONE)
        add_call(&b, SEARCH_FINISH);
    build_clear(&b);
    return m;
}

void search_model_free(SearchModel *m) {
    GArray *arrays[] = {m->calls, m->needs, m->accesses, m->setters, m->readings};
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    g_ptr_array_unref(m->queues);
    g_free(m->why);
    g_free(m);
}
