/* Captures and the launches of graphs. */
#include "tests/peers/read.h"

/* ---- captures ---- */

void graphs_node(Reader *r, Thing *stream, PeerTask task, gint64 repetitions) {
    guint number = stream->capture->len;
    Node node = {task, repetitions, stream->behind};
    g_array_append_val(stream->capture, node);
    stream->behind = read_list(r, sizeof(guint));
    g_array_append_val(stream->behind, number);
}

void graphs_begin(Reader *r, Thing *stream) {
    stream->capture = read_list(r, sizeof(Node));
    stream->behind = read_list(r, sizeof(guint));
}

/* The stream joins the event's capture, or goes on behind more of its own. */
void graphs_wait(Reader *r, Thing *stream, const Thing *event) {
    if (stream->capture && stream->capture != event->capture) {
        read_refuse(r, "a wait that leaves its capture");
        return;
    }
    GArray *behind = read_copy(r, stream->capture ? stream->behind : NULL);
    g_array_append_vals(behind, event->behind->data, event->behind->len);
    stream->capture = event->capture;
    stream->behind = behind;
}

/* Streams are looked through in any order: each is treated for itself. */
void graphs_end(Reader *r, const Thing *origin, const char *graph) {
    GArray *nodes = origin->capture;
    GHashTableIter i;
    gpointer stream;
    if (!nodes) {
        read_refuse(r, "an end without a begin");
        return;
    }
    g_hash_table_insert(r->graphs, (gpointer)graph, nodes);
    g_hash_table_iter_init(&i, r->streams);
    while (g_hash_table_iter_next(&i, NULL, &stream))
        if (((Thing *)stream)->capture == nodes)
            ((Thing *)stream)->capture = NULL;
}

/* ---- graphs ---- */

void graphs_instantiate(Reader *r, const char *graph, const char *name) {
    Exec *exec = g_new0(Exec, 1);
    exec->nodes = g_hash_table_lookup(r->graphs, graph);
    g_hash_table_replace(r->execs, (gpointer)name, exec);
    if (!exec->nodes) {
        read_refuse(r, "an exec of no graph");
        return;
    }
    exec->streams = read_list(r, sizeof(guint));
    for (guint i = 0; i < exec->nodes->len; i++) {
        guint stream = read_new_stream(r);
        g_array_append_val(exec->streams, stream);
    }
}

static GArray *marks_of(Reader *r, guint first, const guint *ends, const GArray *nodes) {
    GArray *marks = read_list(r, sizeof(guint));
    g_array_append_val(marks, first);
    for (guint i = 0; i < nodes->len; i++)
        g_array_append_val(marks, ends[g_array_index(nodes, guint, i)]);
    return marks;
}

/* A task that begins the graph, its nodes on streams of their own, and one that ends it. */
void graphs_launch(Reader *r, const AtlasOp *op) {
    Exec *exec = g_hash_table_lookup(r->execs, op->operands[0]);
    const Thing *stream = read_stream(r, op->operands[1]);
    if (!exec || !exec->nodes || !stream || stream->capture) {
        read_refuse(r, atlas_op_word(op->kind));
        return;
    }
    guint launch = r->op, count = exec->nodes->len;
    g_autofree guint *ends = g_new0(guint, count + 1);
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(guint));
    PeerTask first = {.mark = ++r->model->marks, .frees = r->model->slot};
    first.behind = read_list(r, sizeof(guint));
    g_array_append_val(first.behind, exec->last);
    read_give(r, stream->number, first, TRUE);
    for (guint i = 0; i < count; i++) {
        const Node *node = &g_array_index(exec->nodes, Node, i);
        PeerTask task = node->task;
        task.behind = marks_of(r, first.mark, ends, node->before);
        r->op = node->task.op;
        for (gint64 n = 1; n <= node->repetitions; n++) {
            task.mark = n == node->repetitions ? ++r->model->marks : 0;
            read_give(r, g_array_index(exec->streams, guint, i), task, FALSE);
        }
        ends[i] = task.mark;
        g_array_append_val(all, i);
    }
    r->op = launch;
    PeerTask last = {.mark = ++r->model->marks, .frees = !r->model->slot};
    last.behind = marks_of(r, first.mark, ends, all);
    read_give(r, stream->number, last, FALSE);
    exec->last = last.mark;
}
