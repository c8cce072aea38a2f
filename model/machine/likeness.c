#include "model/machine/likeness.h"

/* A graph spread out: for each node the position of its last kernel, all weights counted, so that a
 * launch x3 is like three launches. */
typedef struct {
    const AtlasMachine *m;
    GArray *refs; /* of Ref */
    GArray *ends; /* of gint64: 1 + the position of the node's last */
    guint node;   /* where a walk stands: in this node, at this position */
    gint64 at;
} Spread;

static Spread spread_new(const AtlasMachine *m, Ref graph) {
    Spread s = {m, g_array_new(FALSE, FALSE, sizeof(Ref)),
                g_array_new(FALSE, FALSE, sizeof(gint64)), 0, 0};
    gint64 end = 0;
    for (Ref at = graph_at(m, graph)->first; at; at = node_at(m, at)->next) {
        end += node_weight(m, node_at(m, at));
        g_array_append_val(s.refs, at);
        g_array_append_val(s.ends, end);
    }
    return s;
}

static void spread_clear(Spread *s) {
    g_array_unref(s->refs);
    g_array_unref(s->ends);
}

static gint64 end_of(const Spread *s, guint index) {
    return g_array_index(s->ends, gint64, index);
}

static gint64 total(const Spread *s) {
    return s->ends->len ? end_of(s, s->ends->len - 1) : 0;
}

static const Node *current(const Spread *s) {
    return node_at(s->m, g_array_index(s->refs, Ref, s->node));
}

static gboolean done(const Spread *s) {
    return s->node == s->refs->len;
}

static void advance(Spread *s, gint64 by) {
    s->at += by;
    if (s->at == end_of(s, s->node))
        s->node++;
}

static int compare_refs(gconstpointer a, gconstpointer b) {
    return *(const Ref *)a < *(const Ref *)b ? -1 : *(const Ref *)a > *(const Ref *)b;
}

/* Position of a node's last, by its Ref. */
static gint64 position(const Spread *s, Ref node) {
    guint index = 0;
    gboolean found = g_array_binary_search(s->refs, &node, compare_refs, &index);
    g_assert(found);
    return end_of(s, index) - 1;
}

/* The current node's place: how many follow it... */
static gboolean same_dependencies(const Spread *a, const Spread *b) {
    const Node *x = current(a), *y = current(b);
    gint64 first_x = end_of(a, a->node) - node_weight(a->m, x);
    gint64 first_y = end_of(b, b->node) - node_weight(b->m, y);
    guint len_x, len_y;
    const Ref *deps_x = set_members(a->m, &x->deps, &len_x);
    const Ref *deps_y = set_members(b->m, &y->deps, &len_y);
    gboolean starts_x = a->at == first_x, starts_y = b->at == first_y;
    if (!starts_x && !starts_y)
        return TRUE;
    if ((starts_x ? len_x : 1) != (starts_y ? len_y : 1))
        return FALSE;
    guint len = starts_x ? len_x : 1;
    for (guint i = 0; i < len; i++)
        if ((starts_x ? position(a, deps_x[i]) : a->at - 1) !=
            (starts_y ? position(b, deps_y[i]) : b->at - 1))
            return FALSE;
    return TRUE;
}

AtlasRule likeness_fault(const AtlasMachine *m, Ref exec, Ref graph) {
    Spread a = spread_new(m, exec), b = spread_new(m, graph);
    AtlasRule fault = ATLAS_RULE_NONE;
    if (total(&a) != total(&b))
        fault = ATLAS_RULE_UPDATE_TOPOLOGY;
    while (!fault && !done(&a)) {
        gint64 step = MIN(end_of(&a, a.node) - a.at, end_of(&b, b.node) - b.at);
        if (!same_dependencies(&a, &b))
            fault = ATLAS_RULE_UPDATE_TOPOLOGY;
        advance(&a, step);
        advance(&b, step);
    }
    if (!fault)
        for (guint i = a.refs->len; !fault && i-- > 0;) {
            const Node *x = node_at(m, g_array_index(a.refs, Ref, i));
            const Node *y = node_at(m, g_array_index(b.refs, Ref, i));
            if (node_type(m, x) != node_type(m, y))
                fault = ATLAS_RULE_UPDATE_TYPE;
            else if (node_type(m, x) == ATLAS_NODE_MEMCPY &&
                     op_at(m, x->op)->kind != op_at(m, y->op)->kind)
                fault = ATLAS_RULE_UPDATE_PARAMETERS;
        }
    spread_clear(&a);
    spread_clear(&b);
    return fault;
}
