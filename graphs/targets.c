#include "graphs/targets.h"

#include <string.h>

#include "graphs/stretch.h"
#include "model/launch/lower.h"

/* Launches that go into one graph, while they are being read. */
typedef struct {
    gint64 times;        /* how often a step performs it */
    StretchSteps *steps; /* in which it launches anything; empty: nothing yet */
    Target *target;
} Piece;

typedef struct {
    const Ground *ground;
    const AtlasProgram *program;
    Targets *targets;
    GPtrArray **loops;  /* for each population, the loops around it, outermost first */
    GHashTable *keys;   /* population's key to its index + 1 */
    GHashTable *parted; /* set of loop ops that hold something that parts them */
    GArray *open;       /* of gint64: of each loop around, how often a step performs its body */
    guint stage;
    guint depth; /* how many loops are open with the one that is captured; 0: none is */
    Piece piece;
} Reader;

static void target_free(gpointer data) {
    Target *target = data;
    g_free(target->name);
    g_free(target->in);
    g_ptr_array_unref(target->fresh);
    g_ptr_array_unref(target->scalars);
    g_ptr_array_unref(target->parts);
    g_free(target);
}

/* ---- the model's loops ---- */

static void find_loops(Reader *r, const GPtrArray *nodes, GPtrArray *around) {
    for (guint i = 0; i < nodes->len; i++) {
        const AtlasNode *node = g_ptr_array_index(nodes, i);
        gboolean loop = node->kind == ATLAS_ITEM_LOOP;
        if (node->kind == ATLAS_ITEM_LAUNCH) {
            r->loops[node->population] = g_ptr_array_new();
            for (guint k = 0; k < around->len; k++)
                g_ptr_array_add(r->loops[node->population], g_ptr_array_index(around, k));
        }
        if (loop)
            g_ptr_array_add(around, (gpointer)node);
        if (node->children)
            find_loops(r, node->children, around);
        if (loop)
            g_ptr_array_set_size(around, (int)around->len - 1);
    }
}

/* ---- targets ---- */

static Target *find_target(Reader *r, const AtlasNode *loop, gboolean whole) {
    for (guint i = 0; i < r->targets->list->len; i++) {
        Target *target = g_ptr_array_index(r->targets->list, i);
        if (target->stage == r->stage && target->loop == loop)
            return target;
    }
    Target *target = g_new0(Target, 1);
    target->stage = r->stage;
    target->loop = loop;
    target->whole = whole;
    target->in = g_new0(gboolean, r->ground->model->populations->len + 1);
    target->graphs = atlas_rat(0);
    target->fresh = g_ptr_array_new_with_free_func(g_free);
    target->scalars = g_ptr_array_new_with_free_func(g_free);
    target->parts = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; loop && i < r->targets->list->len; i++) {
        const Target *other = g_ptr_array_index(r->targets->list, i);
        if (other->loop && other->loop->item == loop->item && !target->twin)
            target->twin = i + 1;
    }
    g_ptr_array_add(r->targets->list, target);
    return target;
}

static void end_piece(Reader *r) {
    Piece *piece = &r->piece;
    if (piece->steps->len == 0)
        return;
    AtlasRat graphs =
        atlas_rat_mul(stretch_steps_mean(piece->steps, r->ground->window), atlas_rat(piece->times));
    piece->target->graphs = atlas_rat_add(piece->target->graphs, graphs);
    g_array_set_size(piece->steps, 0);
}

static void add_name(GPtrArray *names, const char *name) {
    for (guint i = 0; i < names->len; i++)
        if (g_str_equal(g_ptr_array_index(names, i), name))
            return;
    g_ptr_array_add(names, g_strdup(name));
}

static void note_uses(const GArray *uses, GPtrArray *names, gboolean indexed) {
    for (guint i = 0; uses && i < uses->len; i++) {
        const AtlasAccess *use = &g_array_index(uses, AtlasAccess, i);
        if (!indexed || use->loop)
            add_name(names, use->buffer);
    }
}

/* How often a step performs the body of the outermost `loops` that are open. */
static gint64 times_in(const Reader *r, guint loops) {
    return loops ? g_array_index(r->open, gint64, loops - 1) : 1;
}

static void read_launch(Reader *r, const AtlasOp *op) {
    guint population = GPOINTER_TO_UINT(g_hash_table_lookup(r->keys, op->of)) - 1;
    guint inside = r->depth ? r->depth : r->open->len;
    Target *target = find_target(
        r, inside ? g_ptr_array_index(r->loops[population], inside - 1) : NULL, r->depth > 0);
    target->in[population] = TRUE;
    target->every = atlas_gcd(op->every, target->every);
    target->kinds += r->depth && r->piece.steps->len == 0;
    note_uses(op->fresh, target->fresh, FALSE);
    if (r->depth) {
        note_uses(op->reads, target->parts, TRUE);
        note_uses(op->writes, target->parts, TRUE);
    }
    for (guint i = 0; op->args && i < op->args->len; i++)
        if (g_array_index(op->args, AtlasArg, i).kind == ATLAS_ARG_HOST_PER_STEP)
            add_name(target->scalars, g_array_index(op->args, AtlasArg, i).name);
    r->piece.times = times_in(r, inside);
    r->piece.target = target;
    stretch_steps_add(r->piece.steps, op->every);
}

/* ---- the program ---- */

/* Marks the loops that hold something that parts them. */
static void find_parted(Reader *r) {
    g_autoptr(GPtrArray) open = g_ptr_array_new();
    for (guint i = 0; i < r->program->ops->len; i++) {
        AtlasOp *op = &g_array_index(r->program->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_LOOP || op->kind == ATLAS_OP_STEP)
            g_ptr_array_add(open, op);
        else if (op->kind == ATLAS_OP_END_BLOCK)
            g_ptr_array_set_size(open, (int)open->len - 1);
        for (guint k = 0; stretch_parts(op->kind) && k < open->len; k++)
            g_hash_table_add(r->parted, g_ptr_array_index(open, k));
    }
}

static void open_loop(Reader *r, const AtlasOp *op) {
    gint64 times = times_in(r, r->open->len) * (op->last - op->first + 1);
    g_array_append_val(r->open, times);
    r->targets->looped[r->stage] = TRUE;
    if (r->depth)
        return;
    end_piece(r);
    if (!g_hash_table_contains(r->parted, op))
        r->depth = r->open->len;
}

static void close_loop(Reader *r) {
    if (!r->depth || r->depth == r->open->len)
        end_piece(r);
    if (r->depth == r->open->len)
        r->depth = 0;
    g_array_set_size(r->open, r->open->len - 1);
}

/* Says what the host does; a read says it all, the sync before it nothing. */
static void note_host(Reader *r, const AtlasOp *op) {
    if (op->kind == ATLAS_OP_SYNC_STREAM && op[1].kind == ATLAS_OP_HOST_READ)
        return; /* the step's end is behind it, at least */
    GPtrArray *said = g_ptr_array_index(r->targets->reads, r->stage);
    const GArray *uses = op->reads ? op->reads : op->writes;
    g_autofree char *what = g_strdup_printf("%s %s",
                                            op->kind == ATLAS_OP_HOST_READ    ? "reads"
                                            : op->kind == ATLAS_OP_HOST_WRITE ? "writes"
                                                                              : "waits for",
                                            uses ? g_array_index(uses, AtlasAccess, 0).buffer
                                            : op->kind == ATLAS_OP_SYNC_CTX ? "the device"
                                                                            : op->operands[0]);
    add_name(said, what);
}

static void read_op(Reader *r, const AtlasOp *op) {
    if (stretch_parts(op->kind)) {
        end_piece(r);
        note_host(r, op);
    } else if (op->kind == ATLAS_OP_STAGE) {
        end_piece(r);
        r->stage = (guint)atlas_model_find_stage(r->ground->model, op->operands[0]);
    } else if (op->kind == ATLAS_OP_LOOP) {
        open_loop(r, op);
    } else if (op->kind == ATLAS_OP_END_BLOCK && r->open->len) {
        close_loop(r);
    } else if (op->kind == ATLAS_OP_LAUNCH) {
        read_launch(r, op);
    }
}

/* ---- names ---- */

/* The path that all populations of a target share, whole names of it. */
static char *shared_path(const Ground *g, const Target *target) {
    g_autofree char *path = NULL;
    for (guint i = 0; i < g->model->populations->len; i++) {
        const char *key = ATLAS_POPULATION(g->model, i)->key;
        if (!target->in[i])
            continue;
        if (!path)
            path = g_strndup(key, (gsize)(strrchr(key, '.') - key));
        while (!(g_str_has_prefix(key, path) && key[strlen(path)] == '.'))
            *strrchr(path, '.') = '\0';
    }
    return g_steal_pointer(&path);
}

static void name_targets(const Ground *g, Targets *targets) {
    for (guint i = 0; i < targets->list->len; i++) {
        Target *target = g_ptr_array_index(targets->list, i);
        const char *stage = ATLAS_STAGE(g->model, target->stage)->name;
        g_autofree char *path = shared_path(g, target);
        target->name = target->whole  ? g_strdup_printf("iterations of %s", path)
                       : target->loop ? g_strdup_printf("pieces of iterations of %s", path)
                       : targets->looped[target->stage] ? g_strdup_printf("rest of %s", stage)
                                                        : g_strdup(stage);
    }
}

/* ---- life cycle ---- */

/* Every unknown at least 1, so that no item is missing for being 0 at the point. */
static const AtlasProgram *lower(const Ground *g, AtlasProgramFile *file) {
    g_autoptr(AtlasDiags) ignored = atlas_diags_new();
    guint n = g->model->unknowns->len;
    g_autofree AtlasRat *unknowns = g_new(AtlasRat, n + 1);
    for (guint i = 0; i < n; i++) {
        AtlasRat at = g->study->point ? g->study->point->unknowns[i] : atlas_rat(1);
        unknowns[i] = atlas_rat_cmp(at, atlas_rat(1)) < 0 ? atlas_rat(1) : at;
    }
    return atlas_lower(g->base, unknowns, file, ignored);
}

static void read_program(Reader *r) {
    const AtlasModel *model = r->ground->model;
    g_autoptr(GPtrArray) around = g_ptr_array_new();
    for (guint i = 0; i < model->stages->len; i++)
        find_loops(r, ATLAS_STAGE(model, i)->nodes, around);
    for (guint i = 0; i < model->populations->len; i++)
        g_hash_table_insert(r->keys, (gpointer)ATLAS_POPULATION(model, i)->key,
                            GUINT_TO_POINTER(i + 1));
    find_parted(r);
    for (guint i = 0; i < r->program->ops->len; i++)
        read_op(r, &g_array_index(r->program->ops, AtlasOp, i));
    end_piece(r);
}

Targets *targets_new(const Ground *ground) {
    guint stages = ground->model->stages->len, populations = ground->model->populations->len;
    g_autoptr(AtlasProgramFile) file = atlas_program_file_new();
    const AtlasProgram *program = lower(ground, file);
    if (!program)
        return NULL;
    Targets *targets = g_new0(Targets, 1);
    targets->list = g_ptr_array_new_with_free_func(target_free);
    targets->by_stage = stretch_count(program, ground->window, TRUE);
    targets->by_host = stretch_count(program, ground->window, FALSE);
    targets->reads = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
    for (guint i = 0; i < stages; i++)
        g_ptr_array_add(targets->reads, g_ptr_array_new_with_free_func(g_free));
    targets->looped = g_new0(gboolean, stages + 1);
    Reader r = {.ground = ground, .program = program, .targets = targets};
    r.loops = g_new0(GPtrArray *, populations + 1);
    r.keys = g_hash_table_new(g_str_hash, g_str_equal);
    r.parted = g_hash_table_new(NULL, NULL);
    r.piece.steps = stretch_steps_new();
    r.open = g_array_new(FALSE, FALSE, sizeof(gint64));
    read_program(&r);
    name_targets(ground, targets);
    for (guint i = 0; i < populations; i++)
        g_ptr_array_unref(r.loops[i]);
    g_free(r.loops);
    g_hash_table_unref(r.keys);
    g_hash_table_unref(r.parted);
    g_array_unref(r.open);
    g_array_unref(r.piece.steps);
    return targets;
}

void targets_free(Targets *targets) {
    if (!targets)
        return;
    g_ptr_array_unref(targets->list);
    g_ptr_array_unref(targets->reads);
    g_free(targets->looped);
    g_free(targets);
}
