#include "sim/trace.h"

static TraceOrigin *cell(GArray *cells, guint i) {
    if (cells->len <= i)
        g_array_set_size(cells, i + 1);
    return &g_array_index(cells, TraceOrigin, i);
}

gboolean trace_same(const TraceOrigin *a, const TraceOrigin *b, gint64 later) {
    return a->kind == b->kind && a->name == b->name && a->nth == b->nth && a->out == b->out &&
           a->step + later == b->step;
}

/* ---- instances ---- */

static guint count_up(Trace *t, const char *name, TraceKind kind) {
    guint nth = GPOINTER_TO_UINT(g_hash_table_lookup(t->nths[kind], name));
    g_hash_table_insert(t->nths[kind], (gpointer)name, GUINT_TO_POINTER(nth + 1));
    return nth;
}

static TraceEvent *begin(Trace *t, TraceKind kind, const char *name, guint op, guint by) {
    TraceEvent event = {.kind = kind, .name = name, .step = t->step, .op = op, .by = by};
    event.nth = count_up(t, name, kind);
    event.count = trace_op(t, op)->count;
    event.look = t->looks->len;
    g_array_append_val(t->events, event);
    return &g_array_index(t->events, TraceEvent, t->events->len - 1);
}

static TraceOrigin output(const TraceEvent *event, guint out) {
    return (TraceOrigin){event->kind, event->name, event->step, event->nth, out};
}

static void look(Trace *t, TraceLook one) {
    g_array_append_val(t->looks, one);
    g_array_index(t->events, TraceEvent, t->events->len - 1).looks++;
}

/* ---- work ---- */

/* There may be new memory. */
static void follow(Trace *t, const AtlasBinding *binding) {
    g_array_set_size(t->held, atlas_binding_device_cells(binding));
    g_array_set_size(t->gone, atlas_binding_device_cells(binding));
}

static void look_at_cells(Trace *t, const AtlasLaunch *launch, GArray *cells, gboolean node,
                          const AtlasBinding *binding) {
    gboolean device = cells == t->device;
    for (guint s = 0; s < launch->reads; s++)
        for (guint k = 0; k < launch->slots[s].cells.count; k++) {
            guint at = launch->slots[s].cells.first + k;
            TraceLook one = {.from = *cell(cells, at), .what = ""};
            if (device)
                one.what = atlas_binding_owner(binding, at)->name;
            one.stale = device && node && atlas_binding_moved(binding, at);
            look(t, one);
        }
}

static void look_at_scalars(Trace *t, const AtlasLaunch *launch, const AtlasOp *op,
                            const guint64 *scalars) {
    const AtlasSlot *slot = launch->slots + launch->reads + launch->writes;
    for (guint i = 0; i < launch->scalars; i++) {
        gboolean in_memory = launch->in_memory >> i & 1;
        TraceLook one = {.scalar = TRUE, .frozen = !in_memory};
        one.what = g_array_index(op->args, AtlasArg, i).name;
        one.value = in_memory ? scalars[slot[i].value] : slot[i].value;
        look(t, one);
    }
}

/* Work on cells of the device, by an op or by a graph that it launches. */
static void use(Trace *t, const AtlasWork *work, guint by, AtlasCells run,
                const AtlasBinding *binding) {
    for (guint k = 0; k < run.count; k++) {
        guint at = run.first + k;
        TraceFreed one = {work->op, by, t->step, atlas_binding_owner(binding, at)->name};
        if (by != work->op)
            g_array_index(t->held, gboolean, at) = TRUE;
        if (g_array_index(t->gone, gboolean, at))
            g_array_append_val(t->freed, one);
    }
}

static void launch(Trace *t, const AtlasWork *work, guint by, const AtlasBinding *binding,
                   const guint64 *scalars) {
    const AtlasOp *op = trace_op(t, work->op);
    const AtlasLaunch *first = &work->first;
    gboolean device = work->kind == ATLAS_OP_LAUNCH;
    GArray *cells = device ? t->device : t->host;
    const char *name = device ? op->operands[1] ? op->operands[1] : "" : atlas_op_word(op->kind);
    begin(t, TRACE_LAUNCH, name, work->op, by);
    look_at_cells(t, first, cells, by != work->op, binding);
    look_at_scalars(t, first, op, scalars);
    TraceEvent *last = &g_array_index(t->events, TraceEvent, t->events->len - 1), event = *last;
    guint out = 0;
    for (guint s = 0; s < (guint)first->reads + first->writes; s++) {
        AtlasCells run = first->slots[s].cells;
        if (device)
            use(t, work, by, run, binding);
        for (guint k = 0; s >= first->reads && k < run.count; k++) {
            *cell(cells, run.first + k) = output(&event, out++);
            last->astray |= device && by != work->op && atlas_binding_moved(binding, run.first + k);
        }
    }
}

static void copy(Trace *t, const AtlasWork *work, guint by, const AtlasBinding *binding) {
    gboolean to_host = atlas_copy_to_host(work->kind);
    gboolean from_host = atlas_copy_from_host(work->kind);
    if (!to_host)
        use(t, work, by, work->to, binding);
    if (!from_host)
        use(t, work, by, work->from, binding);
    if (!work->to.count)
        return;
    g_autofree TraceOrigin *moved = g_new(TraceOrigin, work->to.count);
    for (guint k = 0; k < work->to.count; k++)
        moved[k] = *cell(from_host ? t->host : t->device, work->from.first + k);
    for (guint k = 0; k < work->to.count; k++)
        *cell(to_host ? t->host : t->device, work->to.first + k) = moved[k];
}

static void on_work(gpointer user, const AtlasWork *work, const AtlasFlow *at,
                    const AtlasBinding *binding, const guint64 *scalars) {
    Trace *t = user;
    const AtlasOp *op = trace_op(t, work->op);
    t->step = at->step;
    t->acted = TRUE;
    follow(t, binding);
    switch (work->kind) {
    case ATLAS_OP_LAUNCH:
    case ATLAS_OP_HOST_FN:
    case ATLAS_OP_STREAM_CALLBACK:
        launch(t, work, at->op, binding, scalars);
        break;
    case ATLAS_OP_MEMSET_ASYNC:
    case ATLAS_OP_MEMSET_SYNC: {
        const char *name = op->writes ? g_array_index(op->writes, AtlasAccess, 0).buffer : "";
        TraceEvent event = *begin(t, TRACE_MEMSET, name, work->op, at->op);
        use(t, work, at->op, work->to, binding);
        for (guint k = 0; k < work->to.count; k++)
            *cell(t->device, work->to.first + k) = output(&event, k);
        break;
    }
    default:
        copy(t, work, at->op, binding);
    }
}

/* A buffer's memory is given back. */
static void freed(Trace *t, const AtlasBinding *binding, const char *name) {
    const GArray *buffers = atlas_binding_buffers(binding);
    follow(t, binding);
    for (guint i = 0; i < buffers->len; i++) {
        const AtlasBound *buffer = &g_array_index(buffers, AtlasBound, i);
        for (guint32 part = 0; buffer->name == name && part < buffer->parts; part++) {
            guint32 at = atlas_binding_where(binding, buffer, part);
            g_array_index(t->gone, gboolean, at) = TRUE;
        }
    }
}

static void on_host(gpointer user, const AtlasFlow *at, const AtlasBinding *binding) {
    Trace *t = user;
    const AtlasOp *op = trace_op(t, at->op);
    t->acted = TRUE;
    if (atlas_execute_frees(op->kind))
        freed(t, binding, op->operands[0]);
    const GArray *uses = op->kind == ATLAS_OP_HOST_READ    ? op->reads
                         : op->kind == ATLAS_OP_HOST_WRITE ? op->writes
                                                           : NULL;
    t->step = at->step;
    for (guint i = 0; uses && i < uses->len; i++) {
        AtlasCells parts;
        const AtlasBound *buffer =
            atlas_binding_access(binding, at, &g_array_index(uses, AtlasAccess, i), &parts);
        TraceKind kind = op->kind == ATLAS_OP_HOST_READ ? TRACE_SEEN : TRACE_HOST;
        TraceEvent event = *begin(t, kind, buffer->name, at->op, at->op);
        for (guint k = 0; k < parts.count; k++) {
            TraceOrigin *origin = cell(t->host, buffer->host + parts.first + k);
            if (kind == TRACE_SEEN)
                look(t, (TraceLook){.from = *origin, .what = buffer->name});
            else
                *origin = output(&event, k);
        }
    }
}

/* ---- ends of steps ---- */

static void start(Trace *t, const AtlasBinding *binding) {
    const GArray *buffers = atlas_binding_buffers(binding);
    follow(t, binding);
    for (guint i = 0; i < buffers->len; i++) {
        const AtlasBound *buffer = &g_array_index(buffers, AtlasBound, i);
        for (guint32 part = 0; part < buffer->parts; part++) {
            TraceOrigin origin = trace_first(buffer->name, part);
            *cell(t->device, buffer->base + part) = origin;
            *cell(t->host, buffer->host + part) = origin;
        }
    }
}

/* Host memory that holds what it held at first is left out: few buffers have any. */
static void end_host(Trace *t, const AtlasBound *buffer) {
    gboolean same = TRUE;
    for (guint32 part = 0; part < buffer->parts; part++) {
        TraceOrigin first = trace_first(buffer->name, part);
        same = same && trace_same(cell(t->host, buffer->host + part), &first, 0);
    }
    if (same)
        return;
    begin(t, TRACE_HOST_END, buffer->name, 0, 0);
    for (guint32 part = 0; part < buffer->parts; part++)
        look(t, (TraceLook){.from = *cell(t->host, buffer->host + part), .what = buffer->name});
}

/* What each buffer holds when a step is over: whatever comes next, or the run's end, sees it. */
static void end_step(Trace *t, const AtlasBinding *binding) {
    const GArray *buffers = atlas_binding_buffers(binding);
    for (guint i = 0; i < buffers->len; i++) {
        const AtlasBound *buffer = &g_array_index(buffers, AtlasBound, i);
        begin(t, TRACE_END, buffer->name, 0, 0);
        for (guint32 part = 0; part < buffer->parts; part++)
            look(t,
                 (TraceLook){.from = *cell(t->device, atlas_binding_where(binding, buffer, part)),
                             .what = buffer->name});
        end_host(t, buffer);
    }
}

/* Memory by name; where names stand at cells that graphs have in them; those cells. */
static GArray *state(Trace *t, const AtlasBinding *binding) {
    GArray *state = g_array_new(FALSE, FALSE, sizeof(TraceOrigin));
    const GArray *buffers = atlas_binding_buffers(binding);
    for (guint i = 0; i < buffers->len; i++) {
        const AtlasBound *buffer = &g_array_index(buffers, AtlasBound, i);
        for (guint32 part = 0; part < buffer->parts; part++) {
            guint at = atlas_binding_where(binding, buffer, part);
            gboolean held = g_array_index(t->held, gboolean, at);
            TraceOrigin stands = {TRACE_END, buffer->name, 0, held ? at : 0, held};
            g_array_append_val(state, stands);
            g_array_append_val(state, *cell(t->device, at));
            g_array_append_val(state, *cell(t->host, buffer->host + part));
        }
    }
    for (guint at = 0; at < t->held->len; at++)
        if (g_array_index(t->held, gboolean, at))
            g_array_append_val(state, *cell(t->device, at));
    return state;
}

static void on_row(gpointer user, const AtlasBinding *binding, guint row) {
    Trace *t = user;
    follow(t, binding);
    if (row == 0) {
        start(t, binding);
        return;
    }
    if (row > 1 && (row < t->rows || t->acted)) { /* the end of the run is one, too */
        t->step = row - 2;
        end_step(t, binding);
        t->acted = FALSE;
    }
    for (guint kind = 0; kind < TRACE_KINDS; kind++)
        g_hash_table_remove_all(t->nths[kind]);
    if (row < t->rows && (row - 1) % t->period == 0)
        g_ptr_array_add(t->states, state(t, binding));
}

/* ---- life cycle ---- */

Trace *trace_run(const AtlasProgram *program, gint64 steps, gint64 period, AtlasDiags *diags) {
    g_autoptr(Trace) t = g_new0(Trace, 1);
    t->program = program;
    t->period = period;
    t->step = ATLAS_NO_STEP;
    t->events = g_array_new(FALSE, FALSE, sizeof(TraceEvent));
    t->looks = g_array_new(FALSE, FALSE, sizeof(TraceLook));
    t->freed = g_array_new(FALSE, FALSE, sizeof(TraceFreed));
    t->states = g_ptr_array_new_with_free_func((GDestroyNotify)g_array_unref);
    t->device = g_array_new(FALSE, TRUE, sizeof(TraceOrigin));
    t->host = g_array_new(FALSE, TRUE, sizeof(TraceOrigin));
    t->held = g_array_new(FALSE, TRUE, sizeof(gboolean));
    t->gone = g_array_new(FALSE, TRUE, sizeof(gboolean));
    t->rows = (guint)steps + 2;
    for (guint kind = 0; kind < TRACE_KINDS; kind++)
        t->nths[kind] = g_hash_table_new(NULL, NULL);
    AtlasWatch watch = {.row = on_row, .work = on_work, .host = on_host, .user = t, .blind = TRUE};
    g_autoptr(AtlasExecution) execution =
        atlas_execute_watched(program, (AtlasSteps){0, 0, steps - 1}, &watch, diags);
    return execution ? g_steal_pointer(&t) : NULL;
}

void trace_free(Trace *t) {
    if (!t)
        return;
    g_array_unref(t->events);
    g_array_unref(t->looks);
    g_array_unref(t->freed);
    g_ptr_array_unref(t->states);
    g_array_unref(t->device);
    g_array_unref(t->host);
    g_array_unref(t->held);
    g_array_unref(t->gone);
    for (guint kind = 0; kind < TRACE_KINDS; kind++)
        g_hash_table_unref(t->nths[kind]);
    g_free(t);
}
