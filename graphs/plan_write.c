/* The planned program: captures, then the step with graph launches in the windows' places. */
#include "graphs/plan_part.h"

/* The value of a loop's index while its body is written out. */
typedef struct {
    const char *name;
    gint64 value;
} Index;

typedef struct {
    AtlasProgramFile *file;
    const PlanTree *tree;
    const GArray *windows;
    guint with;
    AtlasProgram *into;
    GArray *origin;
    GArray *env;       /* of Index: loops that are written out, outermost first */
    guint *window_at;  /* by op: 1 + the window that begins there */
    gboolean *unroll;  /* by op: loops that are written out */
    const char *aside; /* the stream that captures for the legacy one */
    const GArray *own; /* of AtlasPlanSlot: those of the window that is captured; NULL: none */
    guint owner;       /* ... that window */
    GHashTable *taken; /* set of names that the program gives */
} Writer;

static const char *intern(Writer *w, const char *text) {
    return atlas_program_file_intern(w->file, text);
}

static AtlasOp *append(Writer *w, AtlasOpKind kind, guint origin) {
    g_array_append_val(w->origin, origin);
    return atlas_program_append(w->into, kind);
}

/* ---- ops ---- */

/* The name, or a longer one that the program does not have. */
static const char *unused(Writer *w, const char *name) {
    g_autoptr(GString) longer = g_string_new(name);
    while (g_hash_table_contains(w->taken, longer->str))
        g_string_append_c(longer, '_');
    return intern(w, longer->str);
}

/* The graph's own place in a slot's stead. */
static const char *own_name(Writer *w, guint window, guint slot) {
    g_autofree char *name = g_strdup_printf("g%u_%u", window + 1, slot + 1);
    return unused(w, name);
}

/* An access to a place that the graph has of its own. */
static gboolean to_own(Writer *w, AtlasAccess *access) {
    for (guint k = 0; w->own && k < w->own->len; k++) {
        const AtlasPlanSlot *slot = &g_array_index(w->own, AtlasPlanSlot, k);
        if (!slot->copied || !plan_slot_holds(slot, access))
            continue;
        access->buffer = own_name(w, w->owner, k);
        if (slot->whole)
            return TRUE;
        access->loop = NULL;
        access->offset = access->sign = 0;
        access->indexed = FALSE;
        return TRUE;
    }
    return FALSE;
}

static gboolean is_kept(Writer *w, const AtlasAccess *access) {
    AtlasAccess moved = *access;
    for (guint k = 0; k < w->env->len; k++)
        if (access->loop == g_array_index(w->env, Index, k).name)
            return FALSE;
    return !to_own(w, &moved);
}

/* Accesses with the indices that are written out replaced by their values, and to places of the
 * graph's own where it has some. */
static GArray *substitute(Writer *w, GArray *list) {
    gboolean any = FALSE;
    for (guint i = 0; list && i < list->len; i++)
        any |= !is_kept(w, &g_array_index(list, AtlasAccess, i));
    if (!any)
        return list;
    GArray *copy = atlas_program_list_new(w->file, sizeof(AtlasAccess));
    for (guint i = 0; i < list->len; i++) {
        AtlasAccess access = g_array_index(list, AtlasAccess, i);
        to_own(w, &access);
        for (guint k = w->env->len; access.loop && k-- > 0;) {
            const Index *index = &g_array_index(w->env, Index, k);
            if (index->name != access.loop)
                continue;
            access.offset += access.sign * index->value;
            access.loop = NULL;
            access.sign = 0;
        }
        g_array_append_val(copy, access);
    }
    return copy;
}

static AtlasOp *copy_op(Writer *w, guint i) {
    AtlasOp op = *plan_op(w->tree->program, i);
    op.reads = substitute(w, op.reads);
    op.writes = substitute(w, op.writes);
    op.fresh = substitute(w, op.fresh);
    AtlasOp *copy = append(w, op.kind, i);
    *copy = op;
    return copy;
}

static const char *stream_of(const Writer *w, guint op) {
    const AtlasOp *o = plan_op(w->tree->program, op);
    return o->operands[plan_stream_operand(o->kind)];
}

static const char *captured_stream(const Writer *w, const char *stream) {
    return w->aside && g_str_equal(stream, "legacy") ? w->aside : stream;
}

static const AtlasPlanWindow *window_at(const Writer *w, guint window) {
    return &g_array_index(w->windows, AtlasPlanWindow, window);
}

/* The loops whose index says which graph the window launches. */
static GArray *indices_of(const Writer *w, guint window) {
    const AtlasPlanWindow *at = window_at(w, window);
    return at->slots ? g_array_new(FALSE, FALSE, sizeof(guint))
                     : plan_tree_indices(w->tree, at->first, at->last);
}

/* ---- captures ---- */

/* "g2", or "g2_3" of iteration 3. */
static const char *graph_name(Writer *w, char letter, guint window, const GArray *indices) {
    g_autoptr(GString) name = g_string_new(NULL);
    g_string_printf(name, "%c%u", letter, window + 1);
    for (guint k = 0; k < indices->len; k++) {
        const char *loop = plan_op(w->tree->program, g_array_index(indices, guint, k))->operands[0];
        for (guint e = w->env->len; e-- > 0;)
            if (g_array_index(w->env, Index, e).name == loop) {
                g_string_append_printf(name, "_%" G_GINT64_FORMAT,
                                       g_array_index(w->env, Index, e).value);
                break;
            }
    }
    return unused(w, name->str);
}

static guint first_work(const PlanTree *tree, const AtlasPlanWindow *window) {
    guint i = window->first;
    while (plan_stream_operand(plan_op(tree->program, i)->kind) < 0)
        i++;
    return i;
}

static void capture_once(Writer *w, guint window, const GArray *indices) {
    const AtlasPlanWindow *at = window_at(w, window);
    w->own = at->slots;
    w->owner = window;
    guint work = first_work(w->tree, at);
    guint thread = plan_op(w->tree->program, work)->thread;
    const char *stream = captured_stream(w, stream_of(w, work));
    const char *graph = graph_name(w, 'g', window, indices);
    AtlasOp *op = append(w, ATLAS_OP_BEGIN, at->first);
    op->thread = thread;
    op->operands[0] = stream;
    op->operands[1] = intern(w, "global");
    for (guint i = at->first; i <= at->last; i++) {
        AtlasOpKind kind = plan_op(w->tree->program, i)->kind;
        if (kind == ATLAS_OP_STAGE || kind == ATLAS_OP_COMMENT)
            continue;
        op = copy_op(w, i);
        op->every = 1;
        int operand = plan_stream_operand(kind);
        if (operand >= 0)
            op->operands[operand] = captured_stream(w, op->operands[operand]);
    }
    op = append(w, ATLAS_OP_END_CAPTURE, at->first);
    op->thread = thread;
    op->operands[0] = stream;
    op->operands[1] = graph;
    op = append(w, ATLAS_OP_INSTANTIATE, at->first);
    op->thread = thread;
    op->operands[0] = graph;
    op->operands[1] = graph_name(w, 'x', window, indices);
    w->own = NULL;
}

/* A graph for each value of the indices that the window uses. */
static void capture(Writer *w, guint window, const GArray *indices, guint from) {
    if (from == indices->len) {
        capture_once(w, window, indices);
        return;
    }
    const AtlasOp *loop = plan_op(w->tree->program, g_array_index(indices, guint, from));
    for (gint64 value = loop->first; value <= loop->last; value++) {
        Index index = {loop->operands[0], value};
        g_array_append_val(w->env, index);
        capture(w, window, indices, from + 1);
        g_array_set_size(w->env, w->env->len - 1);
    }
}

/* ---- the step ---- */

static GArray *list_of(Writer *w, AtlasAccess access) {
    GArray *list = atlas_program_list_new(w->file, sizeof(AtlasAccess));
    g_array_append_val(list, access);
    return substitute(w, list);
}

/* Copies to the places of the graph's own, or back. */
static void write_copies(Writer *w, guint window, gboolean back) {
    const AtlasPlanWindow *at = window_at(w, window);
    const AtlasOp *first = plan_op(w->tree->program, first_work(w->tree, at));
    for (guint k = 0; at->slots && k < at->slots->len; k++) {
        const AtlasPlanSlot *slot = &g_array_index(at->slots, AtlasPlanSlot, k);
        if (!slot->copied || !(back ? slot->out : slot->in))
            continue;
        AtlasAccess there = slot->access, own = {.buffer = own_name(w, at->of, k)};
        if (slot->whole)
            there = (AtlasAccess){.buffer = there.buffer};
        AtlasOp *op = append(w, ATLAS_OP_DTOD_ASYNC, at->first);
        op->thread = first->thread;
        op->every = first->every;
        op->operands[0] = stream_of(w, first_work(w->tree, at));
        op->reads = list_of(w, back ? own : there);
        op->writes = list_of(w, back ? there : own);
    }
}

static void launch_graph(Writer *w, guint window) {
    const AtlasPlanWindow *at = window_at(w, window);
    g_autoptr(GArray) indices = indices_of(w, window);
    guint work = first_work(w->tree, at);
    const AtlasOp *first = plan_op(w->tree->program, work);
    write_copies(w, window, FALSE);
    AtlasOp *op = append(w, ATLAS_OP_GRAPH_LAUNCH, at->first);
    op->thread = first->thread;
    op->every = first->every;
    op->operands[0] = graph_name(w, 'x', at->of, indices);
    op->operands[1] = stream_of(w, work);
    write_copies(w, window, TRUE);
    for (guint i = at->first; i <= at->last; i++)
        if (plan_op(w->tree->program, i)->kind == ATLAS_OP_STAGE)
            copy_op(w, i);
}

static void write_body(Writer *w, guint from, guint to);

static void write_loop(Writer *w, guint i) {
    const AtlasOp *loop = plan_op(w->tree->program, i);
    guint end = w->tree->end[i];
    if (!w->unroll[i]) {
        copy_op(w, i);
        write_body(w, i + 1, end);
        copy_op(w, end);
        return;
    }
    for (gint64 value = loop->first; value <= loop->last; value++) {
        Index index = {loop->operands[0], value};
        g_array_append_val(w->env, index);
        write_body(w, i + 1, end);
        g_array_set_size(w->env, w->env->len - 1);
    }
}

static void write_body(Writer *w, guint from, guint to) {
    for (guint i = from; i < to; i++) {
        guint window = w->window_at[i];
        AtlasOpKind kind = plan_op(w->tree->program, i)->kind;
        if (window) {
            launch_graph(w, window - 1);
            i = g_array_index(w->windows, AtlasPlanWindow, window - 1).last;
        } else if (kind == ATLAS_OP_LOOP) {
            write_loop(w, i);
            i = w->tree->end[i];
        } else {
            copy_op(w, i);
        }
    }
}

/* ---- all of it ---- */

/* A stream to capture on, where some window holds the legacy stream's work and may not be
 * captured there. */
static void declare_aside(Writer *w) {
    for (guint i = 0; w->with & ATLAS_WITH_CAPTURE_STREAM && i < w->windows->len; i++) {
        const AtlasPlanWindow *at = &g_array_index(w->windows, AtlasPlanWindow, i);
        if (!g_str_equal(stream_of(w, first_work(w->tree, at)), "legacy"))
            continue;
        w->aside = unused(w, "capture");
        AtlasOp *op = append(w, ATLAS_OP_STREAM, G_MAXUINT);
        op->operands[0] = w->aside;
        op->operands[1] = intern(w, "nonblocking");
        return;
    }
}

/* What graphs work on in the stead of what is copied. */
static void declare_own(Writer *w) {
    for (guint i = 0; i < w->windows->len; i++) {
        const AtlasPlanWindow *at = window_at(w, i);
        for (guint k = 0; at->of == i && at->slots && k < at->slots->len; k++) {
            const AtlasPlanSlot *slot = &g_array_index(at->slots, AtlasPlanSlot, k);
            if (!slot->copied)
                continue;
            AtlasOp *op = append(w, ATLAS_OP_BUFFER, G_MAXUINT);
            op->operands[0] = own_name(w, i, k);
            op->count = slot->parts;
        }
    }
}

static void write_captures(Writer *w) {
    for (guint i = 0; i < w->windows->len; i++) {
        const AtlasPlanWindow *at = window_at(w, i);
        g_autoptr(GArray) indices = indices_of(w, i);
        w->window_at[at->first] = i + 1;
        for (guint k = 0; k < indices->len; k++)
            w->unroll[g_array_index(indices, guint, k)] = TRUE;
        if (at->of == i)
            capture(w, i, indices, 0);
    }
}

/* A set of the names that nothing of the plan's may have. */
static GHashTable *names_of(const AtlasProgram *program) {
    GHashTable *names = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = plan_op(program, i);
        switch (op->kind) {
        case ATLAS_OP_BUFFER:
        case ATLAS_OP_STREAM:
        case ATLAS_OP_MALLOC:
        case ATLAS_OP_MALLOC_ASYNC:
            g_hash_table_add(names, (gpointer)op->operands[0]);
            break;
        case ATLAS_OP_END_CAPTURE:
        case ATLAS_OP_INSTANTIATE:
        case ATLAS_OP_INSTANTIATE_AUTOFREE:
            g_hash_table_add(names, (gpointer)op->operands[1]);
            break;
        default:
            break;
        }
    }
    return names;
}

const AtlasProgram *plan_write(AtlasProgramFile *file, const PlanTree *tree, const GArray *windows,
                               guint with, const char *name, GArray **origin) {
    guint n = tree->program->ops->len;
    Writer w = {.file = file, .tree = tree, .windows = windows, .with = with};
    w.into = atlas_program_file_add(file, name);
    w.origin = g_array_new(FALSE, FALSE, sizeof(guint));
    w.env = g_array_new(FALSE, FALSE, sizeof(Index));
    w.window_at = g_new0(guint, n + 1);
    w.unroll = g_new0(gboolean, n + 1);
    w.taken = names_of(tree->program);
    for (guint i = 0; i < tree->step; i++)
        copy_op(&w, i);
    declare_aside(&w);
    declare_own(&w);
    write_captures(&w);
    copy_op(&w, tree->step);
    write_body(&w, tree->step + 1, tree->step_end);
    for (guint i = tree->step_end; i < n; i++)
        copy_op(&w, i);
    g_array_unref(w.env);
    g_hash_table_unref(w.taken);
    g_free(w.window_at);
    g_free(w.unroll);
    *origin = w.origin;
    return w.into;
}
