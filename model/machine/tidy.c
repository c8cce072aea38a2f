/* Tidying a machine's block: graphs that nothing reaches are dropped, the rest is laid out anew. */
#include <string.h>

#include "model/machine/state.h"

static void find(const AtlasMachine *m, GArray *found, Ref graph) {
    if (!graph || graph_at(m, graph)->marked)
        return;
    graph_at(m, graph)->marked = TRUE;
    g_array_append_val(found, graph);
}

static void find_memory(const AtlasMachine *m, GArray *found, Memory memory) {
    if (memory >= MEMORY_STATES)
        find(m, found, node_at(m, memory)->memory);
}

GArray *state_reachable(const AtlasMachine *m) {
    const guint *names = m->script->names;
    GArray *found = g_array_new(FALSE, FALSE, sizeof(Ref));
    for (Ref c = head_of(m)->open; c; c = graph_at(m, c)->next_open)
        find(m, found, c);
    for (guint i = 0; i < names[NAMED_GRAPH]; i++)
        find(m, found, *graph_named(m, i));
    for (guint i = 0; i < names[NAMED_EXEC]; i++) {
        find(m, found, exec_at(m, i)->graph);
        find(m, found, exec_at(m, i)->taken);
    }
    for (guint i = 0; i < names[NAMED_MEMORY]; i++)
        find_memory(m, found, *memory_at(m, i));
    for (guint i = 0; i < found->len; i++) {
        const Graph *graph = graph_at(m, g_array_index(found, Ref, i));
        for (Ref at = graph->memory ? graph->first : 0; at; at = node_at(m, at)->next)
            if (node_type(m, node_at(m, at)) == ATLAS_NODE_MEM_FREE)
                find_memory(m, found, node_at(m, at)->memory);
    }
    return found;
}

/* A block that is being laid out anew. */
typedef struct {
    AtlasMachine from, to;
    Ref *places; /* where each record of `from` came to stand; 0: nowhere */
} Move;

static Ref move_record(Move *move, Ref at, guint words) {
    Ref place = state_append(&move->to, words);
    memcpy(move->to.block + place, move->from.block + at, words * sizeof(guint32));
    move->places[at] = place;
    return place;
}

/* A set whose members have moved. */
static Set move_set(Move *move, Set set) {
    Ref at = set & ~SET_LIST;
    if (!(set & SET_LIST) || move->places[at])
        return move->places[at] | (set & SET_LIST);
    guint len = move->from.block[at];
    guint32 *list = move->to.block + move_record(move, at, 1 + len);
    for (guint i = 1; i <= len; i++)
        list[i] = move->places[list[i]];
    return move->places[at] | SET_LIST;
}

static void move_graph(Move *move, Ref at) {
    const Graph *old = graph_at(&move->from, at);
    Ref place = move_record(move, at, WORDS(Graph)), *link = &graph_at(&move->to, place)->first;
    graph_at(&move->to, place)->marked = FALSE;
    for (Ref n = old->first; n; n = node_at(&move->from, n)->next) {
        *link = move_record(move, n, WORDS(Node));
        Node *node = node_at(&move->to, *link);
        node->deps = move_set(move, node->deps);
        link = &node->next;
    }
    graph_at(&move->to, place)->last = move->places[old->last];
    graph_at(&move->to, place)->end = move_set(move, old->end);
}

/* Memory by name, or that a node frees. */
static Memory moved_memory(const Move *move, Memory memory) {
    return memory >= MEMORY_STATES ? move->places[memory] : memory;
}

/* What a graph and its nodes say of other graphs, once all have moved. */
static void connect_graph(Move *move, Ref place) {
    Graph *graph = graph_at(&move->to, place);
    graph->next_open = move->places[graph->next_open];
    for (Ref at = graph->memory ? graph->first : 0; at; at = node_at(&move->to, at)->next) {
        Node *node = node_at(&move->to, at);
        if (node_type(&move->to, node) == ATLAS_NODE_MEM_ALLOC)
            node->memory = place;
        else if (node_type(&move->to, node) == ATLAS_NODE_MEM_FREE)
            node->memory = moved_memory(move, node->memory);
    }
}

static void connect_names(Move *move) {
    AtlasMachine *m = &move->to;
    const guint *names = m->script->names;
    head_of(m)->open = move->places[head_of(m)->open];
    for (guint i = 0; i < names[NAMED_STREAM]; i++) {
        Stream *stream = stream_at(m, i);
        stream->capture = move->places[stream->capture];
        stream->deps = move_set(move, stream->deps);
    }
    for (guint i = 0; i < names[NAMED_EVENT]; i++) {
        Event *event = event_at(m, i);
        gboolean active = is_active(&move->from, event->capture);
        event->deps = active ? move_set(move, event->deps) : 0;
        event->capture = active ? move->places[event->capture] : 0;
    }
    for (guint i = 0; i < names[NAMED_GRAPH]; i++)
        *graph_named(m, i) = move->places[*graph_named(m, i)];
    for (guint i = 0; i < names[NAMED_EXEC]; i++) {
        exec_at(m, i)->graph = move->places[exec_at(m, i)->graph];
        exec_at(m, i)->taken = move->places[exec_at(m, i)->taken];
    }
    for (guint i = 0; i < names[NAMED_MEMORY]; i++)
        *memory_at(m, i) = moved_memory(move, *memory_at(m, i));
}

void state_tidy(AtlasMachine *m) {
    Move move = {.from = *m, .to = *m};
    guint fixed = m->script->fixed;
    GArray *graphs = state_reachable(m);
    m->looked_at += head_of(m)->used;
    move.to.block = g_new(guint32, m->capacity);
    move.places = g_new0(Ref, m->capacity);
    memcpy(move.to.block, m->block, fixed * sizeof(guint32));
    head_of(&move.to)->used = fixed;
    for (guint i = 0; i < graphs->len; i++)
        move_graph(&move, g_array_index(graphs, Ref, i));
    for (guint i = 0; i < graphs->len; i++)
        connect_graph(&move, move.places[g_array_index(graphs, Ref, i)]);
    connect_names(&move);
    g_array_unref(graphs);
    g_free(move.places);
    g_free(m->block);
    m->block = move.to.block;
}
