#include "sim/execute.h"

#include <string.h>

#include "model/machine/machine.h"
#include "sim/late.h"

/* A graph, or what one was instantiated to: its ops in the order of capture. Shared by name. */
typedef GArray Frozen; /* of AtlasWork */

typedef struct {
    const AtlasProgram *program;
    AtlasDiags *diags;
    AtlasFlow *flow;
    AtlasBinding *binding;
    AtlasMachine *machine;
    AtlasExecution *result;
    const AtlasWatch *watch;
    Late *late; /* NULL: work is performed as soon as it is enqueued */
    guint64 *host, *scalars;
    GArray *device;             /* of guint64: as many as are in use */
    GArray **pending;           /* by op: of AtlasWork, captured, and of no graph yet */
    GHashTable *graphs, *execs; /* interned name -> Frozen* */
    gint64 ops, launches;
    gboolean captures; /* the op that is performed is captured */
} Run;

static const AtlasOp *op_at(const Run *run, guint op) {
    return &g_array_index(run->program->ops, AtlasOp, op);
}

static gboolean refuse(const Run *run, const char *problem, const char *hint) {
    const AtlasOp *op = op_at(run, run->flow->op);
    atlas_diags_error(run->diags, op->at, "cannot execute '%s': %s", atlas_op_word(op->kind),
                      problem);
    if (hint)
        atlas_diags_hint(run->diags, "%s", hint);
    return FALSE;
}

/* ---- effects ---- */

static guint64 *device(const Run *run) {
    return (guint64 *)(void *)run->device->data;
}

static void launch(const Run *run, const AtlasWork *work, guint64 from, guint64 to) {
    if (run->watch->blind)
        return;
    guint64 *cells = work->kind == ATLAS_OP_LAUNCH ? device(run) : run->host;
    AtlasLaunch one = from == 0 ? work->first : work->rest;
    for (guint64 i = from; i < to; i++) {
        if (i == 1)
            one = work->rest;
        one.index = i;
        atlas_launch_write(&one, atlas_launch_mix(&one, cells, run->scalars), cells);
    }
}

static void copy(const Run *run, const AtlasWork *work) {
    gboolean to_host = atlas_copy_to_host(work->kind);
    gboolean from_host = atlas_copy_from_host(work->kind);
    guint64 *to = (to_host ? run->host : device(run)) + work->to.first;
    const guint64 *from = (from_host ? run->host : device(run)) + work->from.first;
    if (work->to.count > 0) /* else there may be no memory at all */
        memmove(to, from, work->to.count * sizeof *to);
}

/* The device performs repetitions from … to - 1 of a work. */
static gboolean perform_part(gpointer user, const AtlasWork *work, guint64 from, guint64 to) {
    Run *run = user;
    if (run->watch->work)
        run->watch->work(run->watch->user, work, run->flow, run->binding, run->scalars);
    switch (work->kind) {
    case ATLAS_OP_LAUNCH:
        run->launches += (gint64)(to - from);
        if (run->launches > ATLAS_EXECUTE_LAUNCHES_MAX)
            return refuse(run, "more than 2,000,000,000 launches in all", "run fewer steps");
        launch(run, work, from, to);
        if (op_at(run, work->op)->cost_ns) {
            run->result->costed += (gint64)(to - from);
            run->result->cost_ns += (gint64)(to - from) * op_at(run, work->op)->cost_ns;
        }
        atlas_execution_add_population(run->result, run->flow->row, work->op,
                                       ATLAS_COUNT_ACTIVITIES, (gint64)(to - from));
        return TRUE;
    case ATLAS_OP_HOST_FN:
    case ATLAS_OP_STREAM_CALLBACK:
        launch(run, work, from, to);
        return TRUE;
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_MEMSET_SYNC:
        memset(device(run) + work->to.first, 0, work->to.count * sizeof(guint64));
        return TRUE;
    default:
        copy(run, work);
        return TRUE;
    }
}

static gboolean perform(Run *run, const AtlasWork *work) {
    return run->late ? late_add(run->late, run->flow->op, work, 1, NULL)
                     : perform_part(run, work, 0, work->count);
}

/* The same of all that a graph holds. */
static gboolean perform_graph(Run *run, const Frozen *frozen) {
    if (run->late)
        return late_add(run->late, run->flow->op, (const AtlasWork *)(const void *)frozen->data,
                        frozen->len, atlas_machine_graph(run->machine, run->flow->op));
    for (guint i = 0; i < frozen->len; i++) {
        const AtlasWork *work = &g_array_index(frozen, AtlasWork, i);
        if (!perform_part(run, work, 0, work->count))
            return FALSE;
    }
    return TRUE;
}

/* ---- graphs ---- */

static void keep(const Run *run, const AtlasWork *work) {
    GArray **pending = &run->pending[work->op];
    if (!*pending)
        *pending = g_array_new(FALSE, FALSE, sizeof(AtlasWork));
    g_array_append_vals(*pending, work, 1);
}

/* Takes the ops of the capture that just ended, in its order. What an op was captured with most
 * recently is this capture's: an older one, that ended without a graph, comes before. */
static Frozen *freeze(const Run *run, const AtlasGraph *graph) {
    Frozen *frozen = g_array_new(FALSE, FALSE, sizeof(AtlasWork));
    g_autoptr(GHashTable) next = g_hash_table_new(NULL, NULL); /* op -> place in pending */
    for (guint i = graph->nodes->len; i-- > 0;) {
        guint op = g_array_index(graph->nodes, AtlasGraphNode, i).op;
        if (run->pending[op]) {
            guint at = GPOINTER_TO_UINT(g_hash_table_lookup(next, GUINT_TO_POINTER(op)));
            g_hash_table_insert(next, GUINT_TO_POINTER(op), GUINT_TO_POINTER(at + 1));
        }
    }
    for (guint i = 0; i < graph->nodes->len; i++) {
        guint op = g_array_index(graph->nodes, AtlasGraphNode, i).op;
        guint left = GPOINTER_TO_UINT(g_hash_table_lookup(next, GUINT_TO_POINTER(op)));
        if (!left)
            continue;
        GArray *pending = run->pending[op];
        g_assert(left <= pending->len);
        g_array_append_vals(frozen, &g_array_index(pending, AtlasWork, pending->len - left), 1);
        g_hash_table_insert(next, GUINT_TO_POINTER(op), GUINT_TO_POINTER(left - 1));
    }
    for (guint i = 0; i < graph->nodes->len; i++) {
        GArray *pending = run->pending[g_array_index(graph->nodes, AtlasGraphNode, i).op];
        if (pending)
            g_array_set_size(pending, pending->len - 1);
    }
    return frozen;
}

static gboolean launch_graph(Run *run, const AtlasOp *op) {
    const Frozen *frozen = g_hash_table_lookup(run->execs, op->operands[0]);
    AtlasFlow *at = run->flow;
    gint64 kernels = 0;
    g_assert(frozen != NULL);
    if (!perform_graph(run, frozen))
        return FALSE;
    for (guint i = 0; i < frozen->len; i++) {
        const AtlasWork *work = &g_array_index(frozen, AtlasWork, i);
        if (work->kind != ATLAS_OP_LAUNCH)
            continue;
        kernels += (gint64)work->count;
        atlas_execution_add_population(run->result, at->row, work->op, ATLAS_COUNT_GRAPH_NODES,
                                       (gint64)work->count);
    }
    atlas_execution_add(run->result, at->row, at->stage, ATLAS_COUNT_SUBMISSIONS, 1);
    atlas_execution_add(run->result, at->row, at->stage, ATLAS_COUNT_ACTIVITIES, kernels);
    atlas_execution_add(run->result, at->row, at->stage, ATLAS_COUNT_GRAPH_NODES, kernels);
    return TRUE;
}

static void name_frozen(GHashTable *table, const char *name, Frozen *frozen) {
    g_hash_table_insert(table, (gpointer)name, frozen);
}

/* Ops on graphs that succeeded. */
static gboolean on_graph(Run *run, const AtlasOp *op, const AtlasAnswer *answer) {
    switch (op->kind) {
    case ATLAS_OP_END_CAPTURE:
        if (answer->details == ATLAS_DETAILS_GRAPH) {
            g_autoptr(AtlasGraph) graph = atlas_machine_graph(run->machine, run->flow->op);
            name_frozen(run->graphs, op->operands[1], freeze(run, graph));
        }
        return TRUE;
    case ATLAS_OP_INSTANTIATE:
    case ATLAS_OP_INSTANTIATE_AUTOFREE:
        name_frozen(run->execs, op->operands[1],
                    g_array_ref(g_hash_table_lookup(run->graphs, op->operands[0])));
        return TRUE;
    case ATLAS_OP_UPDATE:
        name_frozen(run->execs, op->operands[0],
                    g_array_ref(g_hash_table_lookup(run->graphs, op->operands[1])));
        return TRUE;
    case ATLAS_OP_GRAPH_LAUNCH:
        return launch_graph(run, op);
    default:
        return TRUE;
    }
}

/* ---- ops ---- */

/* A launch, copy, memset or host function whose call succeeded. */
static gboolean enqueue(Run *run, const AtlasWork *work, gboolean captures) {
    AtlasFlow *at = run->flow;
    gboolean kernel = work->kind == ATLAS_OP_LAUNCH;
    for (guint k = 0; kernel && k < ATLAS_COUNT_GRAPH_NODES; k++) {
        if (captures && k != ATLAS_COUNT_CALLS)
            break;
        atlas_execution_add(run->result, at->row, at->stage, k, (gint64)work->count);
        if (k != ATLAS_COUNT_ACTIVITIES)
            atlas_execution_add_population(run->result, at->row, work->op, k, (gint64)work->count);
    }
    if (captures) {
        keep(run, work);
        return TRUE;
    }
    return perform(run, work);
}

static gboolean has_status(AtlasOpKind kind) {
    return kind != ATLAS_OP_MEMSET_SYNC && kind != ATLAS_OP_HTOD_SYNC && kind != ATLAS_OP_DTOH_SYNC;
}

gboolean atlas_execute_frees(AtlasOpKind kind) {
    return kind == ATLAS_OP_FREE || kind == ATLAS_OP_FREE_ASYNC;
}

/* An op that the driver knows, and that succeeded. */
static gboolean succeed(Run *run, const AtlasWork *work, const AtlasAnswer *answer) {
    const AtlasOp *op = op_at(run, run->flow->op);
    if (work)
        return enqueue(run, work, run->captures);
    if (atlas_execute_frees(op->kind) && !run->captures && run->watch->host)
        run->watch->host(run->watch->user, run->flow, run->binding);
    return on_graph(run, op, answer);
}

static gboolean perform_op(Run *run) {
    const AtlasOp *op = op_at(run, run->flow->op);
    AtlasWork work;
    gboolean works = atlas_binding_bind(run->binding, run->flow, &work);
    const char *fault = atlas_binding_fault(run->binding);
    if (fault)
        return refuse(run, fault, "run fewer steps");
    if (++run->ops > ATLAS_EXECUTE_OPS_MAX)
        return refuse(run, "more than 100,000,000 ops in all", "run fewer steps");
    g_array_set_size(run->device, atlas_binding_device_cells(run->binding));
    if (run->late && !late_call(run->late, run->flow->op))
        return FALSE;
    run->captures = (works ? has_status(op->kind) : op->kind == ATLAS_OP_FREE_ASYNC) &&
                    atlas_machine_status(run->machine, run->flow->op) == ATLAS_CAPTURE_ACTIVE;
    AtlasAnswer answer = atlas_machine_apply(run->machine, run->flow->op);
    if (answer.code == ATLAS_RESULT_UNDEFINED)
        return refuse(run, "CUDA leaves undefined what it does", NULL);
    if (answer.code == ATLAS_RESULT_NONE) {
        if (op->kind == ATLAS_OP_HOST_READ)
            atlas_execution_read(run->result, run->binding, run->flow, run->host);
        if (run->watch->host)
            run->watch->host(run->watch->user, run->flow, run->binding);
        atlas_binding_host(run->binding, run->flow, run->host, run->scalars);
        return TRUE;
    }
    atlas_outcome_put(run->result->outcome, run->flow->op, &answer);
    run->result->outcome->calls++;
    if (answer.code != ATLAS_RESULT_OK)
        return TRUE;
    return succeed(run, works ? &work : NULL, &answer);
}

static gboolean run_all(Run *run) {
    guint parts = atlas_binding_device_cells(run->binding);
    g_array_set_size(run->device, parts);
    atlas_binding_init(run->binding, device(run), run->host, run->scalars);
    guint row = G_MAXUINT;
    while (atlas_flow_next(run->flow)) {
        for (; run->watch->row && row != run->flow->row; row++)
            run->watch->row(run->watch->user, run->binding, row + 1);
        if (!perform_op(run))
            return FALSE;
    }
    for (; run->watch->row && row + 1 <= run->flow->rows; row++)
        run->watch->row(run->watch->user, run->binding, row + 1);
    if (run->late && !late_end(run->late))
        return FALSE;
    atlas_execution_end(run->result, run->binding, device(run));
    run->result->outcome->state = ATLAS_OUTCOME_FINISHED;
    run->result->outcome->executed = atlas_machine_executed(run->machine);
    return TRUE;
}

static gboolean start(Run *run, AtlasSteps steps) {
    if (steps.last - steps.first >= ATLAS_EXECUTE_STEPS_MAX) {
        atlas_diags_error(run->diags, (AtlasSpan){NULL, 0, 0}, "more than %d steps to execute",
                          ATLAS_EXECUTE_STEPS_MAX);
        atlas_diags_hint(run->diags, "a window of a few steps shows as much");
        return FALSE;
    }
    run->binding = atlas_binding_new(run->program, run->diags);
    return run->binding != NULL;
}

static void end(Run *run) {
    for (guint i = 0; i < run->program->ops->len; i++)
        if (run->pending[i])
            g_array_unref(run->pending[i]);
    g_free(run->pending);
    g_free(run->host);
    g_free(run->scalars);
    g_array_unref(run->device);
    g_hash_table_unref(run->graphs);
    g_hash_table_unref(run->execs);
    atlas_machine_free(run->machine);
    atlas_flow_free(run->flow);
    late_free(run->late);
}

static void free_frozen(gpointer data) {
    g_array_unref(data);
}

AtlasExecution *atlas_execute(const AtlasProgram *program, AtlasSteps steps, AtlasDiags *diags) {
    return atlas_execute_watched(program, steps, &(AtlasWatch){.blind = FALSE}, diags);
}

AtlasExecution *atlas_execute_late(const AtlasProgram *program, const AtlasProof *race,
                                   AtlasDiags *diags) {
    AtlasWatch watch = {.race = race};
    return atlas_execute_watched(program, (AtlasSteps){0, 0, 0}, &watch, diags);
}

AtlasExecution *atlas_execute_watched(const AtlasProgram *program, AtlasSteps steps,
                                      const AtlasWatch *watch, AtlasDiags *diags) {
    g_autoptr(AtlasScript) script = atlas_script_new(program, diags);
    Run run = {.program = program, .watch = watch, .diags = diags};
    if (!script || !start(&run, steps))
        return NULL;
    g_autoptr(AtlasBinding) binding = run.binding;
    run.flow = atlas_flow_new(program, steps.first, steps.last);
    run.machine = atlas_machine_new(script);
    run.host = g_new0(guint64, atlas_binding_host_cells(binding));
    run.scalars = g_new0(guint64, atlas_binding_scalars(binding) + 1);
    run.device = g_array_new(FALSE, TRUE, sizeof(guint64));
    run.pending = g_new0(GArray *, program->ops->len + 1);
    run.graphs = g_hash_table_new_full(NULL, NULL, NULL, free_frozen);
    run.execs = g_hash_table_new_full(NULL, NULL, NULL, free_frozen);
    run.late = watch->race ? late_new(watch->race, perform_part, &run) : NULL;
    g_autoptr(AtlasExecution) result = atlas_execution_new(run.flow, steps.window);
    run.result = result;
    gboolean ok = run_all(&run);
    end(&run);
    return ok ? g_steal_pointer(&result) : NULL;
}
