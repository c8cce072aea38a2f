#include "model/machine/script.h"

#include <string.h>

#include "model/machine/state.h"
#include "model/op/op.h"

/* Numbers of the names of each kind. */
typedef struct {
    AtlasScript *script;
    GHashTable *numbers[NAMED_KINDS]; /* interned name to number + 1 */
} Naming;

static const struct {
    const char *plural;
    guint words; /* of a record */
} kinds[NAMED_KINDS] = {
    [NAMED_STREAM] = {"streams", WORDS(Stream)},     [NAMED_EVENT] = {"events", WORDS(Event)},
    [NAMED_GRAPH] = {"graphs", WORDS(Ref)},          [NAMED_EXEC] = {"execs", WORDS(Exec)},
    [NAMED_MEMORY] = {"allocations", WORDS(Memory)},
};

/* What an operand names; NAMED_KINDS where it names no object of the driver. */
static Named named_by(OpRole role) {
    switch (role) {
    case OP_NEW_STREAM:
    case OP_STREAM:
        return NAMED_STREAM;
    case OP_NEW_EVENT:
    case OP_EVENT:
        return NAMED_EVENT;
    case OP_GRAPH:
        return NAMED_GRAPH;
    case OP_EXEC:
        return NAMED_EXEC;
    case OP_MEMORY:
        return NAMED_MEMORY;
    default:
        return NAMED_KINDS;
    }
}

static guint number_of(Naming *n, Named kind, const char *name, const ScriptOp *op) {
    if (kind == NAMED_STREAM && strcmp(name, "legacy") == 0)
        return LEGACY;
    if (kind == NAMED_STREAM && strcmp(name, "ptds") == 0)
        return 1 + op->thread;
    guint found = GPOINTER_TO_UINT(g_hash_table_lookup(n->numbers[kind], name));
    if (found)
        return found - 1;
    guint mention = 1 + op->index;
    if (kind == NAMED_STREAM)
        g_array_append_val(n->script->mentions, mention);
    g_hash_table_insert(n->numbers[kind], (gpointer)name,
                        GUINT_TO_POINTER(++n->script->names[kind]));
    return n->script->names[kind] - 1;
}

AtlasCaptureMode atlas_capture_mode(const char *word) {
    return strcmp(word, "global") == 0         ? ATLAS_MODE_GLOBAL
           : strcmp(word, "thread_local") == 0 ? ATLAS_MODE_THREAD_LOCAL
                                               : ATLAS_MODE_RELAXED;
}

/* The type of the node that a call makes of itself in a capture. */
static AtlasNodeType type_of(AtlasOpKind kind) {
    switch (kind) {
    case ATLAS_OP_LAUNCH:
        return ATLAS_NODE_KERNEL;
    case ATLAS_OP_DTOD_ASYNC:
    case ATLAS_OP_HTOD_ASYNC:
    case ATLAS_OP_DTOH_ASYNC:
        return ATLAS_NODE_MEMCPY;
    case ATLAS_OP_MEMSET_ASYNC:
        return ATLAS_NODE_MEMSET;
    case ATLAS_OP_HOST_FN:
        return ATLAS_NODE_HOST;
    case ATLAS_OP_WAIT_EXTERNAL:
        return ATLAS_NODE_WAIT_EVENT;
    case ATLAS_OP_RECORD_EXTERNAL:
        return ATLAS_NODE_EVENT_RECORD;
    case ATLAS_OP_MALLOC_ASYNC:
        return ATLAS_NODE_MEM_ALLOC;
    case ATLAS_OP_FREE_ASYNC:
        return ATLAS_NODE_MEM_FREE;
    default:
        return ATLAS_NODE_TYPES;
    }
}

static void compile(Naming *n, const AtlasOp *op, guint index) {
    const OpRow *row = op_row(op->kind);
    ScriptOp compiled = {.kind = (guint8)op->kind,
                         .thread = (guint8)(op->thread - 1),
                         .type = (guint8)type_of(op->kind),
                         .index = index,
                         .count = op->count};
    for (guint i = 0; i < NAMED_KINDS; i++)
        compiled.named[i] = NO_NUMBER;
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++) {
        const char *operand = op->operands[i];
        Named kind = named_by(row->operands[i]);
        if (kind < NAMED_KINDS)
            compiled.named[kind] = number_of(n, kind, operand, &compiled);
        else if (row->operands[i] == OP_CAPTURE_MODE)
            compiled.mode = (guint8)atlas_capture_mode(operand);
        else if (row->operands[i] == OP_STREAM_KIND)
            compiled.blocking = strcmp(operand, "blocking") == 0;
    }
    g_array_append_val(n->script->ops, compiled);
}

/* Where a machine's records stand. */
static void lay_out(AtlasScript *script) {
    guint at = WORDS(Head);
    script->thread_offset = at;
    at += script->threads * WORDS(Thread);
    for (guint i = 0; i < NAMED_KINDS; i++) {
        script->offsets[i] = at;
        at += script->names[i] * kinds[i].words;
    }
    script->fixed = at;
}

static gboolean within_limits(const AtlasScript *script, AtlasDiags *diags) {
    guint errors = atlas_diags_errors(diags);
    if (script->ops->len > STATE_OPS_MAX)
        atlas_diags_error(diags, script->program->at, "program '%s' has more than %d ops",
                          script->program->name, STATE_OPS_MAX);
    for (guint i = 0; i < NAMED_KINDS; i++) {
        if (script->names[i] <= ATLAS_MACHINE_NAMES_MAX)
            continue;
        atlas_diags_error(diags, script->program->at, "program '%s' names %u %s",
                          script->program->name, script->names[i], kinds[i].plural);
        atlas_diags_hint(diags, "the machine holds at most %u of a kind", ATLAS_MACHINE_NAMES_MAX);
    }
    return atlas_diags_errors(diags) == errors;
}

AtlasScript *atlas_script_new(const AtlasProgram *program, AtlasDiags *diags) {
    AtlasScript *script = g_new0(AtlasScript, 1);
    Naming naming = {.script = script};
    script->program = program;
    script->ops = g_array_sized_new(FALSE, FALSE, sizeof(ScriptOp), program->ops->len);
    script->mentions = g_array_new(FALSE, TRUE, sizeof(guint));
    script->threads = 1;
    for (guint i = 0; i < program->ops->len; i++)
        script->threads = MAX(script->threads, g_array_index(program->ops, AtlasOp, i).thread);
    script->names[NAMED_STREAM] = 1 + script->threads;
    g_array_set_size(script->mentions, script->names[NAMED_STREAM]);
    for (guint i = 0; i < NAMED_KINDS; i++)
        naming.numbers[i] = g_hash_table_new(g_str_hash, g_str_equal);
    for (guint i = 0; i < program->ops->len; i++)
        compile(&naming, &g_array_index(program->ops, AtlasOp, i), i);
    for (guint i = 0; i < NAMED_KINDS; i++)
        g_hash_table_unref(naming.numbers[i]);
    lay_out(script);
    if (within_limits(script, diags))
        return script;
    atlas_script_free(script);
    return NULL;
}

void atlas_script_free(AtlasScript *script) {
    if (!script)
        return;
    g_array_unref(script->ops);
    g_array_unref(script->mentions);
    g_free(script);
}
