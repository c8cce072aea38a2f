#include "model/machine/likeness.h"

G_STATIC_ASSERT(sizeof(gpointer) == 8);

/* One node of a graph in which a launch xN is N nodes: which of them, from 0. */
typedef struct {
    Ref node;
    gint64 index;
} Place;

typedef struct {
    Place a, b;
} Pair;

typedef struct {
    AtlasMachine *m;
    GArray *pairs;           /* of Pair, in the order in which they are met */
    GHashTable *of_a, *of_b; /* each one's partner, as keys */
} Pairing;

/* A place as a key that is not 0: Refs fit 24 bits, indices 34. */
static gpointer key(Place place) {
    return GSIZE_TO_POINTER((gsize)place.node << 34 | (gsize)place.index);
}

static Place last_of(const AtlasMachine *m, Ref node) {
    return (Place){node, node_weight(m, node_at(m, node)) - 1};
}

/* FALSE where one of the two has another partner already. */
static gboolean pair(Pairing *p, Place a, Place b) {
    gpointer to_a = g_hash_table_lookup(p->of_a, key(a));
    gpointer to_b = g_hash_table_lookup(p->of_b, key(b));
    Pair both = {a, b};
    if (to_a || to_b)
        return to_a == key(b) && to_b == key(a);
    g_hash_table_insert(p->of_a, key(a), key(b));
    g_hash_table_insert(p->of_b, key(b), key(a));
    g_array_append_val(p->pairs, both);
    return TRUE;
}

/* The last of the first `end` nodes that nothing follows, plus 1; 0 where there is none. */
static guint last_exit(const AtlasMachine *m, const Ref *nodes, guint end) {
    while (end > 0 && node_at(m, nodes[end - 1])->followed)
        end--;
    return end;
}

/* From the last to the first. */
static gboolean pair_exits(Pairing *p, const Graph *a, const Graph *b) {
    guint x, y;
    const Ref *xs = set_members(p->m, &a->end, &x), *ys = set_members(p->m, &b->end, &y);
    for (;;) {
        x = last_exit(p->m, xs, x);
        y = last_exit(p->m, ys, y);
        if (x == 0 || y == 0)
            return x == y;
        pair(p, last_of(p->m, xs[--x]), last_of(p->m, ys[--y]));
    }
}

/* Of N serial launches all but the first depend on the one before. */
static guint count_deps(const AtlasMachine *m, Place of) {
    guint len = 1;
    if (of.index == 0)
        set_members(m, &node_at(m, of.node)->deps, &len);
    return len;
}

static Place dependency(const AtlasMachine *m, Place of, guint which) {
    guint len;
    if (of.index > 0)
        return (Place){of.node, of.index - 1};
    return last_of(m, set_members(m, &node_at(m, of.node)->deps, &len)[which]);
}

static gboolean pair_dependencies(Pairing *p, Place a, Place b) {
    guint len = count_deps(p->m, a);
    p->m->looked_at += len;
    if (len != count_deps(p->m, b))
        return FALSE;
    for (guint i = 0; i < len; i++)
        if (!pair(p, dependency(p->m, a, i), dependency(p->m, b, i)))
            return FALSE;
    return TRUE;
}

/* The rule against making one node the other. */
static AtlasRule node_fault(const AtlasMachine *m, const Node *a, const Node *b) {
    AtlasNodeType type = node_type(m, a);
    if (type != node_type(m, b))
        return ATLAS_RULE_UPDATE_TYPE;
    if (type == ATLAS_NODE_MEMCPY && op_at(m, a->op)->kind != op_at(m, b->op)->kind)
        return ATLAS_RULE_UPDATE_PARAMETERS;
    return ATLAS_RULE_NONE;
}

/* Walks from the exits to the roots. Where both are in the midst of serial launches, the walk goes
 * to where one of them begins in one leap. */
static AtlasRule compare(Pairing *p, const Graph *a, const Graph *b) {
    const AtlasMachine *m = p->m;
    AtlasRule first = ATLAS_RULE_NONE;
    if (!pair_exits(p, a, b))
        return ATLAS_RULE_UPDATE_TOPOLOGY;
    for (guint i = 0; i < p->pairs->len; i++) {
        Pair at = g_array_index(p->pairs, Pair, i);
        gint64 leap = MIN(at.a.index, at.b.index);
        if (!first)
            first = node_fault(m, node_at(m, at.a.node), node_at(m, at.b.node));
        at.a.index -= leap;
        at.b.index -= leap;
        if (!pair_dependencies(p, at.a, at.b))
            return ATLAS_RULE_UPDATE_TOPOLOGY;
    }
    return first;
}

static gint64 count_nodes(AtlasMachine *m, const Graph *graph) {
    gint64 nodes = 0;
    m->looked_at += graph->len;
    for (Ref at = graph->first; at; at = node_at(m, at)->next)
        nodes += node_weight(m, node_at(m, at));
    return nodes;
}

AtlasRule likeness_fault(AtlasMachine *m, Ref exec, Ref graph) {
    const Graph *a = graph_at(m, exec), *b = graph_at(m, graph);
    if (a == b)
        return ATLAS_RULE_NONE;
    if (count_nodes(m, a) != count_nodes(m, b))
        return ATLAS_RULE_UPDATE_TOPOLOGY;
    Pairing p = {m, g_array_new(FALSE, FALSE, sizeof(Pair)), g_hash_table_new(NULL, NULL),
                 g_hash_table_new(NULL, NULL)};
    AtlasRule fault = compare(&p, a, b);
    g_array_unref(p.pairs);
    g_hash_table_unref(p.of_a);
    g_hash_table_unref(p.of_b);
    return fault;
}
