#include "sim/binding_plan.h"

/* Cells in a page of memory. */
enum { PAGE = 4096 / sizeof(guint64) };

const GArray *atlas_binding_buffers(const AtlasBinding *binding) {
    return binding->buffers;
}
guint atlas_binding_host_cells(const AtlasBinding *binding) {
    return (binding->parts + PAGE - 1) / PAGE * PAGE * 2;
}
guint atlas_binding_device_cells(const AtlasBinding *binding) {
    return binding->next_device;
}
guint atlas_binding_scalars(const AtlasBinding *binding) {
    return binding->scalars->len;
}
const char *atlas_binding_fault(const AtlasBinding *binding) {
    return binding->fault;
}
guint32 atlas_binding_where(const AtlasBinding *binding, const AtlasBound *buffer, guint32 part) {
    return binding->where[buffer->base + part];
}

const AtlasBound *atlas_binding_owner(const AtlasBinding *b, guint32 cell) {
    guint32 buffer = g_array_index(b->owners, BindingOwner, cell).buffer;
    return &g_array_index(b->buffers, AtlasBound, buffer);
}
gboolean atlas_binding_moved(const AtlasBinding *b, guint32 cell) {
    return b->where[g_array_index(b->owners, BindingOwner, cell).part] != cell;
}

/* ---- values ---- */

static guint64 first_value(const AtlasBound *buffer, guint32 part) {
    return atlas_mix(buffer->hash, part);
}

static guint64 scalar_hash(const AtlasBinding *b, guint scalar) {
    return g_array_index(b->scalars, guint64, scalar);
}

/* Of a scalar that is new in each step. */
static guint64 step_value(const AtlasBinding *b, const AtlasFlow *flow, guint scalar) {
    return atlas_mix(scalar_hash(b, scalar), (guint64)flow->step);
}

void atlas_binding_init(const AtlasBinding *b, guint64 *device, guint64 *host, guint64 *scalars) {
    for (guint i = 0; i < b->buffers->len; i++) {
        const AtlasBound *buffer = &g_array_index(b->buffers, AtlasBound, i);
        for (guint32 part = 0; part < buffer->parts; part++)
            device[buffer->base + part] = host[buffer->host + part] = first_value(buffer, part);
    }
    for (guint i = 0; i < b->scalars->len; i++)
        scalars[i] = scalar_hash(b, i);
}

/* ---- places ---- */

const AtlasBound *atlas_binding_access(const AtlasBinding *b, const AtlasFlow *flow,
                                       const AtlasAccess *access, AtlasCells *parts) {
    const AtlasBound *buffer = binding_buffer(b, access->buffer);
    *parts = (AtlasCells){0, buffer->parts};
    if (access->indexed) {
        gint64 loop = access->loop ? atlas_flow_index(flow, access->loop) : 0;
        gint64 part = access->offset + access->sign * loop;
        g_assert(0 <= part && part < buffer->parts); /* the reader saw to it */
        *parts = (AtlasCells){(guint32)part, 1};
    }
    return buffer;
}

/* Moves parts of a buffer to new memory. */
static void move(AtlasBinding *b, const AtlasBound *buffer, AtlasCells parts) {
    if (parts.count > ATLAS_CELLS_MAX - b->next_device) {
        b->fault = "more memory is written to afresh than can be followed (2^24 parts)";
        return;
    }
    for (guint32 i = 0; i < parts.count; i++) {
        BindingOwner owner = {(guint32)(buffer - (const AtlasBound *)(void *)b->buffers->data),
                              buffer->base + parts.first + i};
        b->where[owner.part] = b->next_device++;
        g_array_append_val(b->owners, owner);
    }
}

/* The longest run of cells on the device that begins with these parts. */
static AtlasCells run_of(const AtlasBinding *b, const AtlasBound *buffer, AtlasCells parts) {
    const guint32 *where = b->where + buffer->base + parts.first;
    AtlasCells run = {where[0], 1};
    while (run.count < parts.count && where[run.count] == run.first + run.count)
        run.count++;
    return run;
}

/* Adds what stands for parts on the device: one slot, or several where they moved apart. */
static guint8 add_runs(AtlasBinding *b, const AtlasBound *buffer, AtlasCells parts,
                       AtlasLaunch *launch, guint *used) {
    guint8 added = 0;
    while (parts.count) {
        AtlasCells run = run_of(b, buffer, parts);
        if (*used == ATLAS_SLOTS) {
            b->fault = "parts of the buffers have moved apart: too many places for one launch";
            return added;
        }
        launch->slots[(*used)++].cells = run;
        parts = (AtlasCells){parts.first + run.count, parts.count - run.count};
        added++;
    }
    return added;
}

static guint8 add_accesses(AtlasBinding *b, const AtlasFlow *flow, const GArray *list,
                           gboolean on_host, AtlasLaunch *launch, guint *used) {
    guint8 added = 0;
    for (guint i = 0; list && i < list->len; i++) {
        AtlasCells parts;
        const AtlasBound *buffer =
            atlas_binding_access(b, flow, &g_array_index(list, AtlasAccess, i), &parts);
        if (!on_host) {
            added = (guint8)(added + add_runs(b, buffer, parts, launch, used));
            continue;
        }
        launch->slots[(*used)++].cells = (AtlasCells){buffer->host + parts.first, parts.count};
        added++; /* there is room: plan_launch counted */
    }
    return added;
}

/* ---- launches ---- */

static void add_scalars(const AtlasBinding *b, const AtlasFlow *flow, const AtlasOp *op,
                        AtlasLaunch *launch, guint used) {
    const Plan *plan = &b->plans[flow->op];
    launch->in_memory = 0;
    launch->scalars = 0;
    for (guint i = 0; op->args && i < op->args->len && used < ATLAS_SLOTS; i++, used++) {
        AtlasArgKind kind = g_array_index(op->args, AtlasArg, i).kind;
        guint scalar = plan->scalars[i];
        launch->slots[used].value = kind == ATLAS_ARG_CONST           ? scalar_hash(b, scalar)
                                    : kind == ATLAS_ARG_HOST_PER_STEP ? step_value(b, flow, scalar)
                                                                      : scalar;
        if (kind == ATLAS_ARG_DEVICE)
            launch->in_memory |= 1u << launch->scalars;
        launch->scalars++;
    }
}

/* Fills in reads, then writes, then scalars. */
static void bind_launch(AtlasBinding *b, const AtlasFlow *flow, const AtlasOp *op,
                        AtlasWork *work) {
    const Plan *plan = &b->plans[flow->op];
    gboolean on_host = op->kind != ATLAS_OP_LAUNCH;
    guint reads = 0, used;
    work->count = (guint64)op->count;
    work->first.kernel = plan->kernel;
    work->first.index = 0;
    work->first.reads = add_accesses(b, flow, op->reads, on_host, &work->first, &reads);
    for (guint i = 0; op->fresh && i < op->fresh->len; i++) {
        AtlasCells parts;
        const AtlasBound *buffer =
            atlas_binding_access(b, flow, &g_array_index(op->fresh, AtlasAccess, i), &parts);
        move(b, buffer, parts);
    }
    used = reads;
    work->first.writes = add_accesses(b, flow, plan->writes, on_host, &work->first, &used);
    add_scalars(b, flow, op, &work->first, used);
    if (op->count == 1)
        return;
    work->rest = work->first;
    if (!op->fresh)
        return;
    used = 0;
    work->rest.reads = add_accesses(b, flow, op->reads, on_host, &work->rest, &used);
    work->rest.writes = add_accesses(b, flow, plan->writes, on_host, &work->rest, &used);
    add_scalars(b, flow, op, &work->rest, used);
}

/* ---- copies ---- */

/* The cells of a copy's one end: those of its own access, else of the other end's buffer. */
static void bind_end(AtlasBinding *b, const AtlasFlow *flow, const GArray *own, const GArray *other,
                     gboolean on_host, AtlasCells *cells) {
    const GArray *list = own && own->len ? own : other;
    AtlasCells parts;
    *cells = (AtlasCells){0, 0};
    if (!list || list->len == 0)
        return;
    const AtlasBound *buffer =
        atlas_binding_access(b, flow, &g_array_index(list, AtlasAccess, 0), &parts);
    *cells = (AtlasCells){buffer->host + parts.first, parts.count};
    if (!on_host)
        *cells = run_of(b, buffer, parts);
    if (cells->count != parts.count)
        b->fault = "parts of the buffer have moved apart: one call cannot copy them";
}

static void bind_copy(AtlasBinding *b, const AtlasFlow *flow, const AtlasOp *op, AtlasWork *work) {
    bind_end(b, flow, op->writes, op->reads, atlas_copy_to_host(op->kind), &work->to);
    if (binding_copies(op->kind))
        bind_end(b, flow, op->reads, op->writes, atlas_copy_from_host(op->kind), &work->from);
}

gboolean atlas_binding_bind(AtlasBinding *b, const AtlasFlow *flow, AtlasWork *work) {
    const AtlasOp *op = binding_op(b, flow->op);
    guint allocates = b->plans[flow->op].allocates;
    if (allocates) {
        const AtlasBound *buffer = &g_array_index(b->buffers, AtlasBound, allocates - 1);
        move(b, buffer, (AtlasCells){0, buffer->parts});
    }
    work->op = flow->op;
    work->kind = op->kind;
    work->count = 1;
    if (binding_launches(op->kind))
        bind_launch(b, flow, op, work);
    else if (binding_copies(op->kind) || binding_sets(op->kind))
        bind_copy(b, flow, op, work);
    else
        return FALSE;
    return TRUE;
}

/* ---- the host ---- */

void atlas_binding_host(const AtlasBinding *b, const AtlasFlow *flow, volatile guint64 *host,
                        volatile guint64 *scalars) {
    const AtlasOp *op = binding_op(b, flow->op);
    if (op->kind == ATLAS_OP_HOST_SET) {
        guint scalar = b->plans[flow->op].scalar;
        scalars[scalar] = step_value(b, flow, scalar);
        return;
    }
    for (guint i = 0; op->kind == ATLAS_OP_HOST_WRITE && i < op->writes->len; i++) {
        AtlasCells parts;
        const AtlasBound *buffer =
            atlas_binding_access(b, flow, &g_array_index(op->writes, AtlasAccess, i), &parts);
        for (guint32 part = parts.first; part < parts.first + parts.count; part++)
            host[buffer->host + part] = atlas_mix(first_value(buffer, part), (guint64)flow->step);
    }
}
