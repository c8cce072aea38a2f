#include "graphs/plan_account.h"

#include "graphs/plan_part.h"
#include "sim/flow.h"

/* A graph that the plan adds. */
typedef struct {
    gint64 nodes, kernels;
} Graph;

/* Launches of one, in a step in which they are. */
typedef struct {
    guint graph;
    gint64 times, every;
    const char *stage;
} Launch;

typedef struct {
    const AtlasPlanFile *file;
    const AtlasOutcome *answers;
    GArray *graphs;   /* of Graph, in the order in which they are made */
    GArray *launches; /* of Launch */
    guint *first; /* by window: of the graphs that it launches; `graphs` of the window whose they
                         are */
    GHashTable *given, *given_execs; /* sets of names: buffers; execs of the eager program */
    GHashTable *execs;               /* name -> index in `graphs` */
    gint64 period;                   /* of the eager program */
    gint64 kernels, copies;          /* over it: launched eagerly; added by the plan */
    char *why;
} Account;

static void differs(Account *a, const char *what, gint64 said, gint64 is) {
    if (said != is && !a->why)
        a->why = g_strdup_printf("%s: %" G_GINT64_FORMAT " in the file, %" G_GINT64_FORMAT
                                 " in its programs",
                                 what, said, is);
}

static void window_differs(Account *a, guint window, const char *what, gint64 said, gint64 is) {
    g_autofree char *text = g_strdup_printf("window %u, %s", window + 1, what);
    differs(a, text, said, is);
}

static const AtlasPlanWindow *window_of(const Account *a, guint i) {
    return &g_array_index(a->file->windows, AtlasPlanWindow, i);
}

/* ---- what the programs say ---- */

/* Buffers and execs that the plan did not add. */
static void find_given(Account *a) {
    for (guint i = 0; i < a->file->eager->ops->len; i++) {
        const AtlasOp *op = plan_op(a->file->eager, i);
        if (op->kind == ATLAS_OP_BUFFER)
            g_hash_table_add(a->given, (gpointer)op->operands[0]);
        else if (op->kind == ATLAS_OP_INSTANTIATE)
            g_hash_table_add(a->given_execs, (gpointer)op->operands[1]);
    }
}

/* Each exec of the plan's with what its capture, the last before it, came to. */
static void find_graphs(Account *a) {
    const AtlasProgram *planned = a->file->planned;
    Graph graph = {0};
    for (guint i = 0; i < planned->ops->len; i++) {
        const AtlasOp *op = plan_op(planned, i);
        if (op->kind == ATLAS_OP_END_CAPTURE) {
            const AtlasAnswer *answer = atlas_outcome_get(a->answers, i);
            graph.nodes = answer->nodes;
            graph.kernels = answer->of[ATLAS_NODE_KERNEL];
        }
        if (op->kind != ATLAS_OP_INSTANTIATE ||
            g_hash_table_contains(a->given_execs, op->operands[1]))
            continue;
        g_hash_table_insert(a->execs, (gpointer)op->operands[1], GUINT_TO_POINTER(a->graphs->len));
        g_array_append_val(a->graphs, graph);
    }
}

/* A copy to or from memory that the plan has for its graphs. */
static gboolean is_added(const Account *a, const AtlasOp *op) {
    const GArray *lists[] = {op->reads, op->writes};
    for (guint k = 0; op->kind == ATLAS_OP_DTOD_ASYNC && k < G_N_ELEMENTS(lists); k++)
        if (lists[k] &&
            !g_hash_table_contains(a->given, g_array_index(lists[k], AtlasAccess, 0).buffer))
            return TRUE;
    return FALSE;
}

static void add_op(Account *a, gboolean eager, const AtlasOp *op, gint64 times, const char *stage) {
    if (eager)
        a->kernels += op->kind == ATLAS_OP_LAUNCH ? op->count * times * (a->period / op->every) : 0;
    else if (is_added(a, op))
        a->copies += times * (a->period / op->every);
    gpointer graph;
    if (eager || op->kind != ATLAS_OP_GRAPH_LAUNCH ||
        !g_hash_table_lookup_extended(a->execs, op->operands[0], NULL, &graph))
        return;
    Launch launch = {GPOINTER_TO_UINT(graph), times, op->every, stage};
    g_array_append_val(a->launches, launch);
}

/* What a step does: launches of graphs as in one in which they are performed, all else in a period. */
static void walk_step(Account *a, gboolean eager) {
    const AtlasProgram *program = eager ? a->file->eager : a->file->planned;
    g_autoptr(GArray) around = g_array_new(FALSE, FALSE, sizeof(gint64));
    gint64 times = 0;
    const char *stage = atlas_program_file_intern(a->file->file, "");
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_LOOP) {
            g_array_append_val(around, times);
            times = op->kind == ATLAS_OP_STEP ? 1 : times * plan_iterations(op);
        } else if (op->kind == ATLAS_OP_END_BLOCK) {
            times = g_array_index(around, gint64, around->len - 1);
            g_array_set_size(around, around->len - 1);
        } else if (op->kind == ATLAS_OP_STAGE && times > 0) {
            stage = op->operands[0];
        } else if (times > 0) {
            add_op(a, eager, op, times, stage);
        }
    }
}

/* ---- what the file says ---- */

/* Windows with graphs of their own have them in their order. */
static void assign_graphs(Account *a) {
    guint next = 0;
    for (guint i = 0; i < a->file->windows->len && !a->why; i++) {
        const AtlasPlanWindow *w = window_of(a, i);
        a->first[i] = w->of == i ? next : a->first[w->of];
        if (w->of == i && w->graphs > (gint64)(a->graphs->len - next))
            window_differs(a, i, "graphs", w->graphs, a->graphs->len - next);
        else if (w->of == i)
            next += (guint)w->graphs;
    }
    if (!a->why)
        differs(a, "graphs of all windows", next, a->graphs->len);
}

static gboolean is_alike(const AtlasPlanWindow *a, const AtlasPlanWindow *b) {
    return a->of == b->of && a->every == b->every && a->stage == b->stage;
}

static void check_window(Account *a, guint i) {
    const AtlasPlanWindow *w = window_of(a, i);
    guint first = a->first[i], graphs = (guint)window_of(a, w->of)->graphs;
    gint64 said = 0, is = 0, kernels = 0;
    for (guint k = first; k < first + graphs; k++) {
        const Graph *graph = &g_array_index(a->graphs, Graph, k);
        window_differs(a, i, "nodes", w->nodes, graph->nodes);
        kernels = graph->kernels;
    }
    for (guint k = 0; k < a->file->windows->len; k++)
        said += is_alike(window_of(a, k), w) ? window_of(a, k)->times : 0;
    for (guint k = 0; k < a->launches->len; k++) {
        const Launch *launch = &g_array_index(a->launches, Launch, k);
        gboolean own = first <= launch->graph && launch->graph < first + graphs;
        is += own && launch->every == w->every && launch->stage == w->stage ? launch->times : 0;
    }
    window_differs(a, i, "graph launches in its stage and steps", said, is);
    if (__builtin_mul_overflow(w->times, kernels, &is))
        is = G_MAXINT64;
    window_differs(a, i, "launches", w->launches, is);
}

static void check_totals(Account *a) {
    const AtlasPlanTotals *t = &a->file->totals;
    if (a->why)
        return;
    AtlasPlanTotals sum = {.launches = a->kernels};
    for (guint i = 0; i < a->file->windows->len; i++) {
        const AtlasPlanWindow *w = window_of(a, i);
        gint64 steps = a->period / MAX(w->every, 1);
        sum.captured += w->launches * steps;
        sum.graph_launches += w->times * steps;
        sum.copies += w->copies * steps;
        sum.graphs += w->graphs;
        sum.nodes += w->graphs * w->nodes;
        sum.saved_ns += w->saved_ns;
    }
    differs(a, "launches", t->launches, sum.launches);
    differs(a, "launches captured", t->captured, sum.captured);
    differs(a, "graph launches", t->graph_launches, sum.graph_launches);
    differs(a, "copies of all windows", sum.copies, a->copies);
    differs(a, "copies", t->copies, a->copies);
    differs(a, "graphs", t->graphs, sum.graphs);
    differs(a, "nodes", t->nodes, sum.nodes);
    if (!a->why && t->saved_ns != sum.saved_ns)
        a->why = g_strdup_printf("saved_ms: %.6f in all, but %.6f by the windows",
                                 (double)t->saved_ns / 1e6, (double)sum.saved_ns / 1e6);
}

char *atlas_plan_account(const AtlasPlanFile *file, const AtlasOutcome *answers) {
    Account a = {.file = file, .answers = answers, .period = atlas_flow_period(file->eager)};
    a.graphs = g_array_new(FALSE, FALSE, sizeof(Graph));
    a.launches = g_array_new(FALSE, FALSE, sizeof(Launch));
    a.first = g_new0(guint, file->windows->len + 1);
    a.given = g_hash_table_new(NULL, NULL);
    a.given_execs = g_hash_table_new(NULL, NULL);
    a.execs = g_hash_table_new(NULL, NULL);
    find_given(&a);
    find_graphs(&a);
    walk_step(&a, TRUE);
    walk_step(&a, FALSE);
    assign_graphs(&a);
    for (guint i = 0; !a.why && i < file->windows->len; i++)
        check_window(&a, i);
    check_totals(&a);
    g_array_unref(a.graphs);
    g_array_unref(a.launches);
    g_hash_table_unref(a.given);
    g_hash_table_unref(a.given_execs);
    g_hash_table_unref(a.execs);
    g_free(a.first);
    return a.why;
}
