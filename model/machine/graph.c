/* Captured graphs for those who look inside. */
#include "model/machine/state.h"

/* The graph that an op's operands name, or what its stream is capturing; 0 where there is none. */
static Ref graph_meant(const AtlasMachine *m, const ScriptOp *op) {
    const guint *named = op->named;
    if (named[NAMED_EXEC] != NO_NUMBER && op->kind != ATLAS_OP_INSTANTIATE &&
        op->kind != ATLAS_OP_INSTANTIATE_AUTOFREE)
        return exec_at(m, named[NAMED_EXEC])->graph;
    if (named[NAMED_GRAPH] != NO_NUMBER)
        return *graph_named(m, named[NAMED_GRAPH]);
    return named[NAMED_STREAM] != NO_NUMBER ? stream_of(m, op)->capture : 0;
}

static void add_node(const AtlasMachine *m, Ref at, GHashTable *indices, AtlasGraph *graph) {
    const Node *node = node_at(m, at);
    guint len;
    const Ref *deps = set_members(m, &node->deps, &len);
    AtlasGraphNode seen = {node->op, node_type(m, node), node_weight(m, node), NULL, len};
    for (guint i = 0; i < len; i++) {
        guint index = GPOINTER_TO_UINT(g_hash_table_lookup(indices, GUINT_TO_POINTER(deps[i])));
        g_array_append_val(graph->words, index);
    }
    g_hash_table_insert(indices, GUINT_TO_POINTER(at), GUINT_TO_POINTER(graph->nodes->len));
    g_array_append_val(graph->nodes, seen);
    graph->total += seen.weight;
    graph->edges += len + seen.weight - 1;
}

AtlasGraph *atlas_machine_graph(const AtlasMachine *machine, guint op) {
    Ref meant = graph_meant(machine, op_at(machine, op));
    guint word = 0;
    if (!meant)
        return NULL;
    AtlasGraph *graph = g_new0(AtlasGraph, 1);
    g_autoptr(GHashTable) indices = g_hash_table_new(NULL, NULL);
    graph->nodes = g_array_new(FALSE, FALSE, sizeof(AtlasGraphNode));
    graph->words = g_array_new(FALSE, FALSE, sizeof(guint));
    for (Ref at = graph_at(machine, meant)->first; at; at = node_at(machine, at)->next)
        add_node(machine, at, indices, graph);
    for (guint i = 0; i < graph->nodes->len; i++) {
        AtlasGraphNode *node = &g_array_index(graph->nodes, AtlasGraphNode, i);
        node->deps = node->deps_len ? &g_array_index(graph->words, guint, word) : NULL;
        word += node->deps_len;
    }
    return graph;
}

void atlas_graph_free(AtlasGraph *graph) {
    if (!graph)
        return;
    g_array_unref(graph->nodes);
    g_array_unref(graph->words);
    g_free(graph);
}

AtlasCaptureStatus atlas_machine_status(const AtlasMachine *machine, guint op) {
    const ScriptOp *asked = op_at(machine, op);
    g_assert(asked->named[NAMED_STREAM] != NO_NUMBER);
    Ref capture = stream_of(machine, asked)->capture;
    return !capture                      ? ATLAS_CAPTURE_NONE
           : is_active(machine, capture) ? ATLAS_CAPTURE_ACTIVE
                                         : ATLAS_CAPTURE_INVALIDATED;
}
