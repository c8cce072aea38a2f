#include "model/proof/search_build.h"

#include "model/op/copies.h"

static void free_node(gpointer data) {
    BuildNode *node = data;
    if (node->before)
        g_array_unref(node->before);
}

static void free_stream(gpointer data) {
    BuildStream *stream = data;
    if (stream->places)
        g_array_unref(stream->places);
}

void build_init(Builder *b) {
    b->streams = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    b->events = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    b->flags = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    b->sided = atlas_program_sided(b->model->program);
    b->kinds = g_array_new(FALSE, FALSE, sizeof(BuildStream));
    g_array_set_clear_func(b->kinds, free_stream);
    b->loops = g_array_new(FALSE, FALSE, sizeof(BuildLoop));
    b->waits = g_array_new(FALSE, FALSE, sizeof(SearchNeed));
    b->held = g_array_new(FALSE, FALSE, sizeof(BuildNode));
    b->graphs = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    b->by_name = g_hash_table_new(g_str_hash, g_str_equal);
    b->by_exec = g_hash_table_new(g_str_hash, g_str_equal);
    b->launched = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    b->node_streams =
        g_hash_table_new_full(g_str_hash, g_str_equal, NULL, (GDestroyNotify)g_array_unref);
}

void build_clear(Builder *b) {
    GHashTable *tables[] = {b->streams, b->events,  b->flags,    b->sided,
                            b->by_name, b->by_exec, b->launched, b->node_streams};
    GArray *arrays[] = {b->kinds, b->loops, b->waits, b->held};
    for (guint i = 0; i < G_N_ELEMENTS(tables); i++)
        g_hash_table_unref(tables[i]);
    for (guint i = 0; i < G_N_ELEMENTS(arrays); i++)
        g_array_unref(arrays[i]);
    g_ptr_array_unref(b->graphs);
    atlas_machine_free(b->machine);
    atlas_script_free(b->script);
    atlas_diags_free(b->diags);
}

void build_captures_init(Builder *b) {
    if (!b->captures)
        return;
    b->diags = atlas_diags_new();
    b->script = atlas_script_new(b->model->program, b->diags);
    if (b->script)
        b->machine = atlas_machine_new(b->script);
    else if (!b->model->why)
        b->model->why = g_strdup("the program exceeds the limits of the simulated driver");
}

/* ---- captures ---- */

/* What a graph's nodes do, which were captured in the order in which the machine lists them. */
static void take_graph(Builder *b, const AtlasOp *op) {
    g_autoptr(AtlasGraph) graph = atlas_machine_graph(b->machine, b->op);
    GArray *made = g_array_new(FALSE, FALSE, sizeof(BuildNode));
    guint next = 0;
    g_array_set_clear_func(made, free_node);
    g_ptr_array_add(b->graphs, made);
    g_hash_table_insert(b->by_name, (gpointer)op->operands[1], made);
    for (guint i = 0; graph && i < graph->nodes->len; i++) {
        const AtlasGraphNode *node = &g_array_index(graph->nodes, AtlasGraphNode, i);
        while (next < b->held->len && g_array_index(b->held, BuildNode, next).op != node->op)
            next++;
        if (next == b->held->len) {
            b->model->why = g_strdup("two captures that are open at once share their ops");
            return;
        }
        BuildNode copy = g_array_index(b->held, BuildNode, next++);
        copy.repetitions = node->weight;
        copy.kernel = node->type == ATLAS_NODE_KERNEL;
        copy.before = g_array_new(FALSE, FALSE, sizeof(guint));
        g_array_append_vals(copy.before, node->deps, node->deps_len);
        g_array_append_val(made, copy);
    }
}

/* Whether an op gives work to a stream that it names. */
static gboolean is_enqueued(AtlasOpKind kind) {
    return (kind >= ATLAS_OP_LAUNCH && kind <= ATLAS_OP_FLAG_SET) || kind == ATLAS_OP_RECORD ||
           kind == ATLAS_OP_RECORD_EXTERNAL || kind == ATLAS_OP_WAIT ||
           kind == ATLAS_OP_WAIT_EXTERNAL;
}

static void hold(Builder *b, const AtlasOp *op) {
    BuildNode node = {.op = b->op};
    if (op->kind == ATLAS_OP_RECORD || op->kind == ATLAS_OP_WAIT)
        return;
    if (op->kind == ATLAS_OP_RECORD_EXTERNAL || op->kind == ATLAS_OP_WAIT_EXTERNAL)
        b->model->why = g_strdup("graphs that record events or wait for them");
    node.accesses = build_task_accesses(b, op, TRUE);
    g_array_append_val(b->held, node);
}

gboolean build_captured(Builder *b, const AtlasOp *op) {
    if (!b->machine || !atlas_op_call(op->kind))
        return FALSE;
    gboolean enqueued = is_enqueued(op->kind), active = FALSE;
    AtlasAnswer answer = atlas_machine_apply(b->machine, b->op);
    if (answer.code != ATLAS_RESULT_OK) {
        g_free(b->model->why);
        b->model->why = g_strdup("a call fails");
        return TRUE;
    }
    if (enqueued)
        active = atlas_machine_status(b->machine, b->op) == ATLAS_CAPTURE_ACTIVE;
    if (active)
        hold(b, op);
    if (op->kind == ATLAS_OP_END_CAPTURE)
        take_graph(b, op);
    if (op->kind == ATLAS_OP_INSTANTIATE || op->kind == ATLAS_OP_INSTANTIATE_AUTOFREE) {
        g_hash_table_insert(b->by_exec, (gpointer)op->operands[1],
                            g_hash_table_lookup(b->by_name, op->operands[0]));
        /* Another exec: not ordered behind the old one's launches, and with nodes of its own. */
        g_hash_table_remove(b->launched, op->operands[1]);
        g_hash_table_remove(b->node_streams, op->operands[1]);
    }
    if (op->kind == ATLAS_OP_UPDATE)
        g_hash_table_insert(b->by_exec, (gpointer)op->operands[0],
                            g_hash_table_lookup(b->by_name, op->operands[1]));
    return active;
}

/* ---- launches ---- */

static SearchNeed done(const Builder *b, guint stream) {
    const SearchModel *m = b->model;
    return (SearchNeed){stream, search_tasks(m, stream) * m->unit};
}

/* The stream that node i of an exec runs on: one of its own. */
static guint node_stream(Builder *b, const char *exec, guint i) {
    GArray *streams = g_hash_table_lookup(b->node_streams, exec);
    if (!streams) {
        streams = g_array_new(FALSE, FALSE, sizeof(guint));
        g_hash_table_insert(b->node_streams, (gpointer)exec, streams);
    }
    while (streams->len <= i) {
        guint stream = build_stream(b, " node", FALSE, TRUE);
        g_array_append_val(streams, stream);
    }
    return g_array_index(streams, guint, i);
}

static void enqueue_node(Builder *b, const char *exec, const GArray *nodes, guint i,
                         SearchNeed fork) {
    const BuildNode *node = &g_array_index(nodes, BuildNode, i);
    SearchTask task = {.awaits = SEARCH_NONE, .kernels = node->kernel, .accesses = node->accesses};
    g_autoptr(GArray) needs = g_array_new(FALSE, FALSE, sizeof(SearchNeed));
    guint launch = b->op;
    g_array_append_val(needs, fork);
    for (guint d = 0; d < node->before->len; d++) {
        SearchNeed need = done(b, node_stream(b, exec, g_array_index(node->before, guint, d)));
        g_array_append_val(needs, need);
    }
    b->op = node->op;
    for (gint64 r = 0; r < node->repetitions && !b->model->too_large; r++)
        build_task(b, node_stream(b, exec, i), task, needs, FALSE);
    b->op = launch;
}

void build_graph_launch(Builder *b, const AtlasOp *op) {
    const char *exec = op->operands[0];
    const GArray *nodes = g_hash_table_lookup(b->by_exec, exec);
    guint stream = build_stream(b, op->operands[1], FALSE, FALSE);
    SearchTask task = {.awaits = SEARCH_NONE};
    SearchNeed *last = g_hash_table_lookup(b->launched, exec);
    g_autoptr(GArray) needs = g_array_new(FALSE, FALSE, sizeof(SearchNeed));
    if (last)
        g_array_append_val(needs, *last);
    build_task(b, stream, task, needs, TRUE);
    SearchNeed fork = done(b, stream);
    g_array_set_size(needs, 0);
    for (guint i = 0; nodes && i < nodes->len; i++) {
        enqueue_node(b, exec, nodes, i, fork);
        SearchNeed node = done(b, node_stream(b, exec, i));
        g_array_append_val(needs, node);
    }
    build_task(b, stream, task, needs, FALSE);
    /* Where a place is free when its work ends, that is when the graph does. */
    GArray *places = g_array_index(b->kinds, BuildStream, stream).places;
    if (!b->model->slot_start)
        g_array_index(places, guint, places->len - 1) = search_tasks(b->model, stream) - 1;
    SearchNeed *end = g_new(SearchNeed, 1);
    *end = done(b, stream);
    g_hash_table_replace(b->launched, (gpointer)exec, end);
}
