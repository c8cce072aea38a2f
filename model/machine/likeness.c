#include "model/machine/likeness.h"

/* A node spread out: the positions [start, end) of what it stands for, one after another. */
typedef struct {
    Ref ref;
    const Node *node;
    gint64 start, end;
} Piece;

typedef struct {
    const AtlasMachine *m;
    GArray *pieces; /* of Piece */
    gint64 total;
} Spread;

static Spread spread_new(const AtlasMachine *m, Ref graph) {
    Spread s = {m, g_array_new(FALSE, FALSE, sizeof(Piece)), 0};
    for (Ref at = graph_at(m, graph)->first; at; at = node_at(m, at)->next) {
        Piece piece = {at, node_at(m, at), s.total, s.total + node_weight(m, node_at(m, at))};
        g_array_append_val(s.pieces, piece);
        s.total = piece.end;
    }
    return s;
}

static const Piece *piece_at(const Spread *s, guint index) {
    return &g_array_index(s->pieces, Piece, index);
}

static int compare_refs(gconstpointer a, gconstpointer b) {
    const Piece *x = a, *y = b;
    return x->ref < y->ref ? -1 : x->ref > y->ref;
}

/* The position of a node's last. */
static gint64 position(const Spread *s, Ref ref) {
    Piece wanted = {.ref = ref};
    guint index = 0;
    gboolean found = g_array_binary_search(s->pieces, &wanted, compare_refs, &index);
    g_assert(found);
    return piece_at(s, index)->end - 1;
}

/* What stands at a position inside a piece depends on the one before it, its first on the node's
 * dependencies. */
static guint count_dependencies(const Spread *s, const Piece *piece, gint64 at) {
    guint len = 1;
    if (at == piece->start)
        set_members(s->m, &piece->node->deps, &len);
    return len;
}

static gint64 dependency(const Spread *s, const Piece *piece, gint64 at, guint index) {
    guint len;
    if (at > piece->start)
        return at - 1;
    return position(s, set_members(s->m, &piece->node->deps, &len)[index]);
}

static gboolean same_dependencies(const Spread *a, const Piece *x, const Spread *b, const Piece *y,
                                  gint64 at) {
    guint len = count_dependencies(a, x, at);
    if (len != count_dependencies(b, y, at))
        return FALSE;
    for (guint i = 0; i < len; i++)
        if (dependency(a, x, at, i) != dependency(b, y, at, i))
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

/* Walks both at once, from where a piece of either begins to where one of either ends. */
static AtlasRule compare(const Spread *a, const Spread *b) {
    AtlasRule last = ATLAS_RULE_NONE;
    if (a->total != b->total)
        return ATLAS_RULE_UPDATE_TOPOLOGY;
    for (guint i = 0, j = 0; i < a->pieces->len;) {
        const Piece *x = piece_at(a, i), *y = piece_at(b, j);
        gint64 at = MAX(x->start, y->start), end = MIN(x->end, y->end);
        AtlasRule fault = node_fault(a->m, x->node, y->node);
        if (!same_dependencies(a, x, b, y, at))
            return ATLAS_RULE_UPDATE_TOPOLOGY;
        if (fault)
            last = fault;
        i += x->end == end;
        j += y->end == end;
    }
    return last;
}

AtlasRule likeness_fault(const AtlasMachine *m, Ref exec, Ref graph) {
    Spread a = spread_new(m, exec), b = spread_new(m, graph);
    AtlasRule fault = exec == graph ? ATLAS_RULE_NONE : compare(&a, &b);
    g_array_unref(a.pieces);
    g_array_unref(b.pieces);
    return fault;
}
