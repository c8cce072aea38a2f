#include "model/machine/shrink.h"

#include "model/op/op.h"

typedef struct {
    AtlasProgramFile *file;
    const char *name;
    AtlasShrinkTest *test;
    gpointer data;
    const AtlasProgram *original;
    AtlasProgram *best; /* the shortest so far */
} Shrinker;

static const AtlasOp *op_of(const AtlasProgram *program, guint index) {
    return &g_array_index(program->ops, AtlasOp, index);
}

/* What the driver never sees. */
static gboolean is_idle(AtlasOpKind kind) {
    switch (kind) {
    case ATLAS_OP_STAGE:
    case ATLAS_OP_COMMENT:
    case ATLAS_OP_EXPECT:
    case ATLAS_OP_DEPTH:
    case ATLAS_OP_SLOT:
    case ATLAS_OP_BUFFER:
    case ATLAS_OP_SCALAR:
    case ATLAS_OP_HOST_READ:
    case ATLAS_OP_HOST_WRITE:
    case ATLAS_OP_HOST_SET:
    case ATLAS_OP_COUNTER_READ:
        return TRUE;
    default:
        return FALSE;
    }
}

/* Whether every stream, event and flag that an op uses is in `declared`, a set of names by noun
 * (NULL where the program declares none of it: then any may be used); what it declares is added. */
static gboolean names_stand(const AtlasOp *op, GHashTable *declared[OP_NOUNS]) {
    const OpRow *row = op_row(op->kind);
    guint next = 0;
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++) {
        const OpRoleRow *role = op_role(row->operands[i]);
        if (role->form > OP_FORM_WORD)
            continue;
        const char *name = op->operands[next++];
        GHashTable *names = declared[role->noun];
        if (role->form == OP_FORM_DECLARE)
            g_hash_table_add(names, (gpointer)name);
        else if (role->form == OP_FORM_USE && names && !g_hash_table_contains(names, name))
            return FALSE;
    }
    return TRUE;
}

/* An op as it stands in candidates: `in_step` tells whether an `every:` may stand. */
static AtlasOp bare(const AtlasOp *op, gboolean in_step) {
    AtlasOp copy = *op;
    copy.reads = copy.writes = copy.fresh = copy.args = NULL;
    copy.of = copy.result = copy.details = NULL;
    copy.at = (AtlasSpan){NULL, 0, 0};
    copy.every = in_step ? op->every : 1;
    return copy;
}

typedef struct {
    gboolean kept;
    AtlasOpKind kind;
} Block;

/* Whether the ops stand in a step that is kept. */
static gboolean within_step(const GArray *blocks) {
    for (guint i = 0; i < blocks->len; i++) {
        const Block *block = &g_array_index(blocks, Block, i);
        if (block->kept && block->kind == ATLAS_OP_STEP)
            return TRUE;
    }
    return FALSE;
}

/* Appends what is kept of a program, op by op: a block's end goes with its begin, and an op whose
 * names are not declared goes too. */
static void keep_ops(const AtlasProgram *from, const gboolean *keep, AtlasProgram *to,
                     GHashTable *declared[OP_NOUNS]) {
    g_autoptr(GArray) blocks = g_array_new(FALSE, FALSE, sizeof(Block));
    for (guint i = 0; i < from->ops->len; i++) {
        const AtlasOp *op = op_of(from, i);
        gboolean kept = keep[i] && !is_idle(op->kind);
        if (op->kind == ATLAS_OP_END_BLOCK) {
            kept = g_array_index(blocks, Block, blocks->len - 1).kept;
            g_array_set_size(blocks, blocks->len - 1);
        } else if (kept) {
            kept = names_stand(op, declared);
        }
        if (kept) {
            AtlasOp copy = bare(op, within_step(blocks));
            g_array_append_val(to->ops, copy);
        }
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_LOOP) {
            Block block = {kept, op->kind};
            g_array_append_val(blocks, block);
        }
    }
}

static AtlasProgram *candidate(Shrinker *s, const gboolean *keep) {
    static const AtlasOpKind declares[OP_NOUNS] = {ATLAS_OP_STREAM, ATLAS_OP_EVENT, ATLAS_OP_BUFFER,
                                                   ATLAS_OP_SCALAR, ATLAS_OP_FLAG};
    AtlasProgram *program = atlas_program_file_add(s->file, s->name);
    GHashTable *declared[OP_NOUNS] = {0};
    for (guint i = 0; i < OP_NOUNS; i++)
        for (guint k = 0; k < s->original->ops->len && !declared[i]; k++)
            if (op_of(s->original, k)->kind == declares[i])
                declared[i] = g_hash_table_new(g_str_hash, g_str_equal);
    if (declared[OP_NOUN_STREAM]) {
        g_hash_table_add(declared[OP_NOUN_STREAM], (gpointer) "legacy");
        g_hash_table_add(declared[OP_NOUN_STREAM], (gpointer) "ptds");
    }
    keep_ops(s->best, keep, program, declared);
    for (guint i = 0; i < OP_NOUNS; i++)
        g_clear_pointer(&declared[i], g_hash_table_unref);
    return program;
}

/* Tests candidates that were made of the best program; the first that passes is the best one now.
 * FALSE where none does. */
static gboolean try_all(Shrinker *s, const GPtrArray *candidates) {
    gint passed = candidates->len > 0 ? s->test(candidates, s->data) : -1;
    if (passed < 0)
        return FALSE;
    s->best = g_ptr_array_index(candidates, (guint)passed);
    return TRUE;
}

/* Leaves out each of `parts` equal parts of the best program in turn. */
static gboolean leave_out(Shrinker *s, guint parts) {
    g_autoptr(GPtrArray) candidates = g_ptr_array_new();
    guint length = s->best->ops->len;
    g_autofree gboolean *keep = g_new(gboolean, length);
    for (guint part = 0; part < parts; part++) {
        guint first = (guint)((guint64)length * part / parts);
        guint last = (guint)((guint64)length * (part + 1) / parts);
        for (guint i = 0; i < length; i++)
            keep[i] = i < first || i >= last;
        AtlasProgram *program = candidate(s, keep);
        if (program->ops->len < length)
            g_ptr_array_add(candidates, program);
    }
    return try_all(s, candidates);
}

static void shorten(Shrinker *s) {
    for (guint parts = 2; s->best->ops->len > 0;) {
        guint length = s->best->ops->len;
        if (leave_out(s, MIN(parts, length)))
            parts = MAX(parts / 2, 2);
        else if (parts < length)
            parts *= 2;
        else
            return;
    }
}

/* Tries each op with count and thread 1. */
static void simplify(Shrinker *s) {
    gboolean again = TRUE;
    while (again) {
        g_autoptr(GPtrArray) candidates = g_ptr_array_new();
        guint length = s->best->ops->len;
        g_autofree gboolean *keep = g_new(gboolean, length);
        for (guint i = 0; i < length; i++)
            keep[i] = TRUE;
        for (guint i = 0; i < length; i++) {
            if (op_of(s->best, i)->count == 1 && op_of(s->best, i)->thread == 1)
                continue;
            AtlasProgram *program = candidate(s, keep);
            AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
            op->count = 1;
            op->thread = 1;
            g_ptr_array_add(candidates, program);
        }
        again = try_all(s, candidates);
    }
}

AtlasProgram *atlas_shrink(AtlasProgramFile *file, const AtlasProgram *program,
                           AtlasShrinkTest *test, gpointer data) {
    g_autofree char *name = g_strconcat(program->name, " shrunk", NULL);
    Shrinker s = {file, atlas_program_file_intern(file, name), test, data, program, NULL};
    g_autofree gboolean *keep = g_new(gboolean, program->ops->len + 1);
    for (guint i = 0; i < program->ops->len; i++)
        keep[i] = TRUE;
    /* The program itself, without what the driver never sees. */
    s.best = atlas_program_file_add(file, program->name);
    g_array_append_vals(s.best->ops, program->ops->data, program->ops->len);
    s.best = candidate(&s, keep);
    shorten(&s);
    simplify(&s);
    return s.best;
}
