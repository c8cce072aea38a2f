/* Hashing a state without regard to handles, and to names where that is asked for.
 *
 * Every record has a colour, kept at the record's place. It starts from what the record itself says
 * (and its name); then, in each round, every two records that refer to each other mix the other's
 * colour into their own. The hash is the sum of all colours, so that no order matters.
 */
#include <string.h>

#include "model/machine/state.h"

/* By name one round is enough: what has no name refers to something that has, or to nodes, which
 * their ops tell apart. Without names, colours have to travel. */
enum { ROUNDS_BY_NAME = 1, ROUNDS_ANY_NAME = 3 };

/* What a record is, or how two are related. */
typedef enum {
    TINT_THREAD = 1,
    TINT_LEGACY,
    TINT_PTDS,
    TINT_STREAM,
    TINT_EVENT,
    TINT_GRAPH_NAME,
    TINT_EXEC,
    TINT_MEMORY,
    TINT_GRAPH,
    TINT_NODE,
    TINT_OWNER,   /* thread and its own stream */
    TINT_CAPTURE, /* stream or event and capture */
    TINT_BEGAN,   /* thread and capture */
    TINT_ORIGIN,  /* stream and capture */
    TINT_HOLDS,   /* name and graph */
    TINT_TAKES,   /* exec and the graph that only it may perform */
    TINT_PART,    /* graph and node */
    TINT_FREES,   /* node or name and allocating node */
    TINT_MEANS,   /* node and event */
    TINT_DEPENDS  /* stream, event or node and node; plus the node's place in the set */
} Tint;

typedef struct {
    const AtlasMachine *m;
    gboolean by_name;
    GArray *graphs;         /* of Ref: those that can be reached */
    GArray *records;        /* of Ref: all that have a colour */
    guint64 *colours, *sum; /* by place; what a round adds */
} Painting;

/* Spreads every bit over all bits. */
static guint64 mix(guint64 a, guint64 b) {
    guint64 x = (a ^ (b + G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) + (a << 6) + (a >> 2))) *
                G_GUINT64_CONSTANT(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * G_GUINT64_CONSTANT(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* ---- what records say of themselves ---- */

static void seed(Painting *p, Ref place, Tint what, guint64 says, guint64 name) {
    g_array_append_val(p->records, place);
    p->colours[place] = mix(mix(what, says), p->by_name ? name + 1 : 0);
}

static Ref place_of(const Painting *p, const void *of) {
    return (Ref)((const guint32 *)of - p->m->block);
}

static Tint stream_tint(const AtlasMachine *m, guint number) {
    return number == LEGACY ? TINT_LEGACY : number <= m->script->threads ? TINT_PTDS : TINT_STREAM;
}

/* Never recorded, recorded, recorded in an open capture, stale. */
static guint64 event_says(const AtlasMachine *m, const Event *event) {
    return event->state != EVENT_CAPTURED ? event->state : is_active(m, event->capture) ? 2 : 3;
}

static void seed_names(Painting *p) {
    const AtlasMachine *m = p->m;
    const guint *names = m->script->names;
    for (guint i = 0; i < m->script->threads; i++)
        seed(p, place_of(p, thread_of(m, i)), TINT_THREAD, thread_of(m, i)->mode, i);
    for (guint i = 0; i < names[NAMED_STREAM]; i++)
        seed(p, place_of(p, stream_at(m, i)), stream_tint(m, i), stream_at(m, i)->blocking, i);
    for (guint i = 0; i < names[NAMED_EVENT]; i++)
        seed(p, place_of(p, event_at(m, i)), TINT_EVENT, event_says(m, event_at(m, i)), i);
    for (guint i = 0; i < names[NAMED_GRAPH]; i++)
        seed(p, place_of(p, graph_named(m, i)), TINT_GRAPH_NAME, 0, i);
    for (guint i = 0; i < names[NAMED_EXEC]; i++)
        seed(p, place_of(p, exec_at(m, i)), TINT_EXEC,
             (guint32)exec_at(m, i)->autofree << 16 | exec_at(m, i)->itself, i);
    for (guint i = 0; i < names[NAMED_MEMORY]; i++)
        seed(p, place_of(p, memory_at(m, i)), TINT_MEMORY, MIN(*memory_at(m, i), MEMORY_STATES), i);
}

/* Of all that a node comes behind: its dependencies were seeded before it. */
static guint64 past(const Painting *p, const Node *node) {
    guint64 sum = 0;
    guint len;
    const Ref *deps = set_members(p->m, &node->deps, &len);
    for (guint i = 0; i < len; i++)
        sum += mix(TINT_DEPENDS + i, p->colours[deps[i]]);
    return sum;
}

static void seed_graph(Painting *p, Ref place) {
    const Graph *graph = graph_at(p->m, place);
    guint64 says = graph->state | (guint64)graph->mode << 8 | (guint64)graph->blocking << 16 |
                   (guint64)graph->orphan << 24 | (guint64)graph->memory << 32;
    /* A capture that is over is only what it holds and, for its memory, whether it exists. */
    if (graph->state >= GRAPH_ENDED)
        says = graph->memory ? 1 | graph->state << 8 | graph->taken << 16 : 0;
    seed(p, place, TINT_GRAPH, says, 0);
    for (Ref at = graph->first; at; at = node_at(p->m, at)->next) {
        const Node *node = node_at(p->m, at);
        AtlasNodeType type = node_type(p->m, node);
        guint64 live = type == ATLAS_NODE_MEM_ALLOC && node->live;
        guint64 freed = graph->state < GRAPH_ENDED && node->freed;
        guint64 weight = (guint64)node_weight(p->m, node);
        guint64 kind = op_at(p->m, node->op)->kind;
        guint64 which = is_event_node(p->m, node) ? node->memory : node->own;
        guint64 says_it = weight << 5 | (guint64)node->unsure << 4 | freed << 3 | which << 1 | live;
        seed(p, at, TINT_NODE, mix(past(p, node), mix(kind, says_it)), node->op);
    }
}

/* ---- what they say of each other ---- */

static void relate(Painting *p, Ref a, Ref b, guint64 how) {
    if (!a || !b)
        return;
    p->sum[a] += mix(how, p->colours[b]);
    p->sum[b] += mix(~how, p->colours[a]);
}

static void relate_set(Painting *p, Ref a, const Set *deps) {
    guint len;
    const Ref *members = set_members(p->m, deps, &len);
    for (guint i = 0; i < len; i++)
        relate(p, a, members[i], TINT_DEPENDS + i);
}

static void relate_names(Painting *p) {
    const AtlasMachine *m = p->m;
    const guint *names = m->script->names;
    for (guint i = 0; i < m->script->threads; i++)
        relate(p, place_of(p, thread_of(m, i)), place_of(p, stream_at(m, 1 + i)), TINT_OWNER);
    for (guint i = 0; i < names[NAMED_STREAM]; i++) {
        const Stream *stream = stream_at(m, i);
        relate(p, place_of(p, stream), stream->capture, TINT_CAPTURE);
        relate_set(p, place_of(p, stream), &stream->deps);
    }
    for (guint i = 0; i < names[NAMED_EVENT]; i++) {
        const Event *event = event_at(m, i);
        if (event_says(m, event) != 2)
            continue;
        relate(p, place_of(p, event), event->capture, TINT_CAPTURE);
        relate_set(p, place_of(p, event), &event->deps);
    }
    for (guint i = 0; i < names[NAMED_GRAPH]; i++)
        relate(p, place_of(p, graph_named(m, i)), *graph_named(m, i), TINT_HOLDS);
    for (guint i = 0; i < names[NAMED_EXEC]; i++) {
        relate(p, place_of(p, exec_at(m, i)), exec_at(m, i)->graph, TINT_HOLDS);
        relate(p, place_of(p, exec_at(m, i)), exec_at(m, i)->taken, TINT_TAKES);
    }
    for (guint i = 0; i < names[NAMED_MEMORY]; i++)
        if (*memory_at(m, i) >= MEMORY_STATES)
            relate(p, place_of(p, memory_at(m, i)), *memory_at(m, i), TINT_FREES);
}

/* In what order a graph's last nodes come. */
static void relate_exits(Painting *p, Ref place, const Graph *graph) {
    guint len, exits = 0;
    const Ref *members = set_members(p->m, &graph->end, &len);
    for (guint i = 0; i < len; i++)
        if (!node_at(p->m, members[i])->followed)
            relate(p, place, members[i], TINT_DEPENDS + exits++);
}

static void relate_graph(Painting *p, Ref place) {
    const AtlasMachine *m = p->m;
    const Graph *graph = graph_at(m, place);
    if (graph->state < GRAPH_ENDED) {
        relate(p, place, place_of(p, thread_of(m, graph->thread)), TINT_BEGAN);
        if (!graph->orphan)
            relate(p, place, place_of(p, stream_at(m, graph->origin)), TINT_ORIGIN);
    }
    for (Ref at = graph->first; at; at = node_at(m, at)->next) {
        const Node *node = node_at(m, at);
        relate(p, place, at, TINT_PART);
        relate_set(p, at, &node->deps);
        if (node_type(m, node) == ATLAS_NODE_MEM_FREE)
            relate(p, at, node->memory, TINT_FREES);
        if (is_event_node(m, node) && node->memory == NODE_EVENT_NAMED)
            relate(p, at, place_of(p, event_of(m, op_at(m, node->op))), TINT_MEANS);
    }
    relate_exits(p, place, graph);
}

static void paint(Painting *p) {
    for (guint i = 0; i < p->records->len; i++)
        p->sum[g_array_index(p->records, Ref, i)] = 0;
    relate_names(p);
    for (guint i = 0; i < p->graphs->len; i++)
        relate_graph(p, g_array_index(p->graphs, Ref, i));
    for (guint i = 0; i < p->records->len; i++) {
        Ref at = g_array_index(p->records, Ref, i);
        p->colours[at] = mix(p->colours[at], p->sum[at]);
    }
}

guint64 atlas_machine_hash(const AtlasMachine *machine, AtlasHashKind kind) {
    guint used = head_of(machine)->used;
    Painting p = {machine,
                  kind == ATLAS_HASH_BY_NAME,
                  state_reachable(machine),
                  g_array_new(FALSE, FALSE, sizeof(Ref)),
                  g_new(guint64, used),
                  g_new(guint64, used)};
    guint64 hash = head_of(machine)->undefined;
    seed_names(&p);
    for (guint i = 0; i < p.graphs->len; i++)
        seed_graph(&p, g_array_index(p.graphs, Ref, i));
    for (guint i = 0; i < (p.by_name ? ROUNDS_BY_NAME : ROUNDS_ANY_NAME); i++)
        paint(&p);
    for (guint i = 0; i < p.records->len; i++)
        hash += mix(0, p.colours[g_array_index(p.records, Ref, i)]);
    for (guint i = 0; i < p.graphs->len; i++)
        graph_at(machine, g_array_index(p.graphs, Ref, i))->marked = FALSE;
    g_array_unref(p.graphs);
    g_array_unref(p.records);
    g_free(p.colours);
    g_free(p.sum);
    return hash;
}
