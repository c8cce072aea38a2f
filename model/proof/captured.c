#include "model/proof/captured.h"

#include "model/machine/machine.h"

/* Nodes of one graph times branches that may run side by side; beyond, the engine does not look
 * inside. */
#define CLOCKS_MAX (1u << 24)

/* An op that became a node. */
typedef struct {
    guint flow;
    guint index; /* of the loops' values, in Captured.indices */
} Instance;

struct Captured {
    const Flow *flow;
    AtlasDiags *diags;
    AtlasScript *script;
    AtlasMachine *machine;
    GArray *instances;  /* of Instance: since the first capture that is open began */
    GArray *indices;    /* of gint64 */
    GPtrArray *all;     /* of CapturedGraph, owned */
    GHashTable *graphs; /* name to CapturedGraph */
    GHashTable *execs;
    guint open;
    const char *refusal;
};

static void graph_free(gpointer data) {
    CapturedGraph *graph = data;
    g_array_unref(graph->accesses);
    g_array_unref(graph->races);
    g_array_unref(graph->nodes);
    g_free(graph);
}

Captured *captured_new(const Flow *flow, char **refusal) {
    AtlasDiags *diags = atlas_diags_new();
    AtlasScript *script = atlas_script_new(flow->program, diags);
    if (!script) {
        *refusal = g_strdup("the program exceeds the limits of the simulated driver");
        atlas_diags_free(diags);
        return NULL;
    }
    Captured *c = g_new0(Captured, 1);
    c->flow = flow;
    c->diags = diags;
    c->script = script;
    c->machine = atlas_machine_new(script);
    c->instances = g_array_new(FALSE, FALSE, sizeof(Instance));
    c->indices = g_array_new(FALSE, FALSE, sizeof(gint64));
    c->all = g_ptr_array_new_with_free_func(graph_free);
    c->graphs = g_hash_table_new(NULL, NULL);
    c->execs = g_hash_table_new(NULL, NULL);
    return c;
}

void captured_free(Captured *c) {
    if (!c)
        return;
    atlas_machine_free(c->machine);
    atlas_script_free(c->script);
    atlas_diags_free(c->diags);
    g_array_unref(c->instances);
    g_array_unref(c->indices);
    g_ptr_array_unref(c->all);
    g_hash_table_unref(c->graphs);
    g_hash_table_unref(c->execs);
    g_free(c);
}

guint64 captured_mark(const Captured *c) {
    return atlas_machine_hash(c->machine, ATLAS_HASH_BY_NAME);
}

const char *captured_refusal(const Captured *c) {
    return c->refusal;
}

/* ---- the accesses of nodes ---- */

/* The accesses of a captured op, their parts fixed. A copy's source is read when it runs: the node
 * keeps the address (measured: what a captured copy reads is what the host holds at the launch). */
static FlowAccess fixed_access(const Captured *c, const Instance *instance, guint i) {
    const FlowOp *f = flow_op(c->flow, instance->flow);
    FlowAccess access = g_array_index(c->flow->accesses, FlowAccess, f->access + i);
    if (access.level != FLOW_NONE)
        access.offset +=
            access.sign * g_array_index(c->indices, gint64, instance->index + access.level);
    access.level = FLOW_NONE;
    access.sign = 0;
    access.host = FALSE;
    return access;
}

static void add_access(CapturedGraph *graph, GHashTable *known, const FlowAccess *access,
                       guint flow) {
    guint64 key = (guint64)access->cell + (access->part ? 1 + (guint64)access->offset : 0);
    CapturedAccess made = {*access, flow};
    gpointer id = GSIZE_TO_POINTER(key * 4 + (access->part ? 2 : 0) + (access->write ? 1 : 0) + 1);
    if (g_hash_table_add(known, id))
        g_array_append_val(graph->accesses, made);
}

/* ---- races between nodes ---- */

/* The clocks of a graph's nodes: branches are chains, each node the next of one. */
typedef struct {
    guint width;
    guint *branch;    /* of each node */
    gint64 *position; /* on it */
    gint64 *rows;     /* what is complete before each node */
} Branches;

/* Puts each node behind one that it depends on and nothing else continues, else on a branch of its
 * own; returns how many branches there are. */
static guint assign_branches(const AtlasGraph *g, guint *branch, gint64 *position) {
    g_autoptr(GArray) tails = g_array_new(FALSE, FALSE, sizeof(guint)); /* last node of each */
    for (guint i = 0; i < g->nodes->len; i++) {
        const AtlasGraphNode *node = &g_array_index(g->nodes, AtlasGraphNode, i);
        branch[i] = tails->len;
        position[i] = 1;
        for (guint d = 0; d < node->deps_len && branch[i] == tails->len; d++) {
            guint before = node->deps[d];
            if (g_array_index(tails, guint, branch[before]) != before)
                continue;
            branch[i] = branch[before];
            position[i] = position[before] + 1;
        }
        if (branch[i] == tails->len)
            g_array_append_val(tails, i);
        else
            g_array_index(tails, guint, branch[i]) = i;
    }
    return tails->len;
}

static void fill_row(const AtlasGraph *g, const Branches *b, guint i) {
    const AtlasGraphNode *node = &g_array_index(g->nodes, AtlasGraphNode, i);
    gint64 *row = b->rows + (gsize)i * b->width;
    for (guint d = 0; d < node->deps_len; d++) {
        guint before = node->deps[d];
        const gint64 *other = b->rows + (gsize)before * b->width;
        for (guint c = 0; c < b->width; c++)
            row[c] = MAX(row[c], other[c]);
        row[b->branch[before]] = MAX(row[b->branch[before]], b->position[before]);
    }
}

static void find_races(Captured *c, const AtlasGraph *g, const Instance *instances,
                       CapturedGraph *graph) {
    guint len = g->nodes->len;
    g_autofree guint *branch = g_new0(guint, len + 1);
    g_autofree gint64 *position = g_new0(gint64, len + 1);
    Branches b = {assign_branches(g, branch, position), branch, position, NULL};
    if ((guint64)b.width * len > CLOCKS_MAX) {
        c->refusal = "a graph has too many nodes and branches";
        return;
    }
    g_autofree gint64 *rows = g_new0(gint64, (gsize)len * b.width + 1);
    RaceTable *table = race_table_new(c->flow->cells, b.width);
    b.rows = rows;
    for (guint i = 0; i < len; i++) {
        const FlowOp *f = flow_op(c->flow, instances[i].flow);
        fill_row(g, &b, i);
        for (guint a = 0; a < f->accesses; a++) {
            FlowAccess access = fixed_access(c, &instances[i], a);
            race_access(table, &access, 0, branch[i], position[i], rows + (gsize)i * b.width,
                        (RacePlace){instances[i].flow, 0, 0}, instances[i].flow);
        }
    }
    g_array_append_vals(graph->races, race_found(table)->data, race_found(table)->len);
    if (race_is_full(table))
        c->refusal = "a graph accesses too much on too many branches";
    race_table_free(table);
}

/* ---- graphs ---- */

/* Which captured op each node is: the machine keeps the order of capture. */
static gboolean match_nodes(const Captured *c, const AtlasGraph *g, Instance *found) {
    guint next = 0;
    for (guint i = 0; i < g->nodes->len; i++) {
        guint op = g_array_index(g->nodes, AtlasGraphNode, i).op;
        while (next < c->instances->len &&
               flow_op(c->flow, g_array_index(c->instances, Instance, next).flow)->op != op)
            next++;
        if (next == c->instances->len)
            return FALSE;
        found[i] = g_array_index(c->instances, Instance, next++);
    }
    return TRUE;
}

static CapturedGraph *make_graph(Captured *c, const AtlasGraph *g) {
    g_autofree Instance *instances = g_new0(Instance, g->nodes->len + 1);
    g_autoptr(GHashTable) known = g_hash_table_new(NULL, NULL);
    CapturedGraph *graph = g_new0(CapturedGraph, 1);
    graph->accesses = g_array_new(FALSE, FALSE, sizeof(CapturedAccess));
    graph->races = g_array_new(FALSE, FALSE, sizeof(Race));
    graph->nodes = g_array_new(FALSE, FALSE, sizeof(guint));
    g_ptr_array_add(c->all, graph);
    if (!match_nodes(c, g, instances)) {
        c->refusal = "two captures that are open at once share their ops";
        return graph;
    }
    for (guint i = 0; i < g->nodes->len; i++) {
        const AtlasGraphNode *node = &g_array_index(g->nodes, AtlasGraphNode, i);
        const FlowOp *f = flow_op(c->flow, instances[i].flow);
        graph->kernels += node->type == ATLAS_NODE_KERNEL ? node->weight : 0;
        g_array_append_val(graph->nodes, instances[i].flow);
        for (guint a = 0; a < f->accesses; a++) {
            FlowAccess access = fixed_access(c, &instances[i], a);
            add_access(graph, known, &access, instances[i].flow);
        }
    }
    find_races(c, g, instances, graph);
    return graph;
}

static void end_capture(Captured *c, const AtlasOp *op, guint index, int code) {
    c->open--;
    if (code == ATLAS_RESULT_OK) {
        g_autoptr(AtlasGraph) graph = atlas_machine_graph(c->machine, index);
        g_hash_table_insert(c->graphs, (gpointer)op->operands[1],
                            graph ? make_graph(c, graph) : NULL);
    }
    if (c->open == 0) {
        g_array_set_size(c->instances, 0);
        g_array_set_size(c->indices, 0);
    }
}

/* ---- calls ---- */

static CapturedFate concerns_captures(Captured *c, const AtlasOp *op, guint index, int code) {
    switch (op->kind) {
    case ATLAS_OP_BEGIN:
        c->open += code == ATLAS_RESULT_OK;
        break;
    case ATLAS_OP_END_CAPTURE:
        end_capture(c, op, index, code);
        break;
    case ATLAS_OP_INSTANTIATE:
    case ATLAS_OP_INSTANTIATE_AUTOFREE:
        g_hash_table_insert(c->execs, (gpointer)op->operands[1],
                            g_hash_table_lookup(c->graphs, op->operands[0]));
        break;
    case ATLAS_OP_UPDATE:
        g_hash_table_insert(c->execs, (gpointer)op->operands[0],
                            g_hash_table_lookup(c->graphs, op->operands[1]));
        break;
    default:
        break;
    }
    return code == ATLAS_RESULT_OK ? CAPTURED_RUNS : CAPTURED_FAILED;
}

static void keep_instance(Captured *c, guint at, const gint64 *index) {
    Instance instance = {at, c->indices->len};
    g_array_append_vals(c->indices, index, c->flow->levels);
    g_array_append_val(c->instances, instance);
}

CapturedFate captured_apply(Captured *c, guint at, const gint64 *index) {
    const FlowOp *f = flow_op(c->flow, at);
    const AtlasOp *op = &g_array_index(c->flow->program->ops, AtlasOp, f->op);
    gboolean enqueues =
        (f->act == FLOW_TASK && !f->sync) || f->act == FLOW_RECORD || f->act == FLOW_WAIT;
    if (!atlas_op_call(op->kind))
        return CAPTURED_RUNS;
    gboolean captures = enqueues && atlas_machine_status(c->machine, f->op) == ATLAS_CAPTURE_ACTIVE;
    AtlasAnswer answer = atlas_machine_apply(c->machine, f->op);
    if (answer.code != ATLAS_RESULT_OK || !enqueues)
        return concerns_captures(c, op, f->op, answer.code);
    if (!captures && f->act != FLOW_WAIT)
        return CAPTURED_RUNS;
    if (atlas_machine_status(c->machine, f->op) != ATLAS_CAPTURE_ACTIVE)
        return CAPTURED_RUNS;
    if (op->kind == ATLAS_OP_RECORD_EXTERNAL || op->kind == ATLAS_OP_WAIT_EXTERNAL)
        c->refusal = "graphs that record events or wait for them";
    if (f->act == FLOW_TASK)
        keep_instance(c, at, index);
    return CAPTURED_HELD;
}

CapturedGraph *captured_launch(Captured *c, guint at) {
    const FlowOp *f = flow_op(c->flow, at);
    const AtlasOp *op = &g_array_index(c->flow->program->ops, AtlasOp, f->op);
    return g_hash_table_lookup(c->execs, op->operands[0]);
}
