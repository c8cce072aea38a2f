#include "model/machine/explain.h"

#include <string.h>

#include "model/machine/machine.h"
#include "model/machine/rules.h"
#include "model/op/op.h"

/* What a sentence is about. */
typedef struct {
    const AtlasProgram *program;
    const AtlasOp *op;
    const AtlasAnswer *answer;
} Subject;

static const AtlasOp *op_at(const Subject *s, guint index) {
    return &g_array_index(s->program->ops, AtlasOp, index);
}

/* The op's operand of a kind; NULL where it has none. */
static const char *operand(const AtlasOp *op, OpRole role) {
    const OpRow *row = op_row(op->kind);
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++)
        if (row->operands[i] == role)
            return op->operands[i];
    return NULL;
}

/* "cuMemAllocAsync(m0, s1)": the call with the objects it is given. */
static void write_objects(const AtlasOp *op, GString *out) {
    static const OpRole objects[] = {OP_STREAM, OP_EVENT, OP_GRAPH, OP_EXEC, OP_MEMORY};
    const OpRow *row = op_row(op->kind);
    const char *parted = ", ";
    guint shown = 0;
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++)
        for (guint j = 0; j < G_N_ELEMENTS(objects); j++)
            if (row->operands[i] == objects[j])
                g_string_append_printf(out, "%s%s", shown++ ? parted : "(", op->operands[i]);
    g_string_append(out, shown ? ")" : "");
}

/* Of two calls that an op stands for, the first; the op's answer is that one's. */
static void write_call(const AtlasOp *op, GString *out) {
    const char *call = atlas_op_call(op->kind);
    g_string_append_len(out, call, (gssize)strcspn(call, ","));
    write_objects(op, out);
}

/* What an unsafe call does. */
static const char *act(AtlasOpKind kind) {
    switch (kind) {
    case ATLAS_OP_SYNC_STREAM:
    case ATLAS_OP_SYNC_EVENT:
        return "synchronize";
    case ATLAS_OP_QUERY_STREAM:
    case ATLAS_OP_QUERY_EVENT:
        return "query";
    case ATLAS_OP_MALLOC:
    case ATLAS_OP_MALLOC_ASYNC:
    case ATLAS_OP_HOST_ALLOC:
        return "allocate";
    case ATLAS_OP_FREE:
    case ATLAS_OP_FREE_ASYNC:
    case ATLAS_OP_HOST_FREE:
        return "free";
    case ATLAS_OP_INSTANTIATE:
    case ATLAS_OP_INSTANTIATE_AUTOFREE:
        return "instantiate";
    case ATLAS_OP_MODULE_LOAD:
        return "unload modules";
    case ATLAS_OP_DESTROY_EXEC:
        return "destroy it";
    default:
        return "call it";
    }
}

/* The stream on which the capture was begun. */
static void write_origin(const Subject *s, GString *out) {
    if (!s->answer->origin) {
        g_string_append(out, "ptds");
        return;
    }
    const AtlasOp *mention = op_at(s, s->answer->origin - 1);
    const char *name = operand(mention, OP_NEW_STREAM);
    g_string_append(out, name ? name : operand(mention, OP_STREAM));
}

static void write_captor(const Subject *s, GString *out) {
    if (s->answer->thread == s->op->thread)
        g_string_append(out, "this thread");
    else
        g_string_append_printf(out, "thread %d", s->answer->thread);
}

/* The call that invalidated the capture, and its line. Of two calls it is the last: the first was
 * allowed. */
static void write_cause(const Subject *s, GString *out) {
    const AtlasOp *cause = op_at(s, s->answer->cause - 1);
    const char *calls = atlas_op_call(cause->kind), *second = strstr(calls, ", ");
    guint line, column;
    g_string_append(out, second ? second + 2 : calls);
    write_objects(cause, out);
    if (!cause->at.source)
        return;
    atlas_source_position(cause->at.source, cause->at.start, &line, &column);
    g_string_append_printf(out, " (line %u)", line);
}

static void write_place(const Subject *s, const char *place, gsize length, GString *out) {
    static const char *const modes[] = {"global", "thread-local", "relaxed"};
    static const struct {
        const char *place;
        OpRole role;
    } operands[] = {{"stream", OP_STREAM},
                    {"event", OP_EVENT},
                    {"graph", OP_GRAPH},
                    {"exec", OP_EXEC},
                    {"memory", OP_MEMORY}};
    for (guint i = 0; i < G_N_ELEMENTS(operands); i++)
        if (strlen(operands[i].place) == length && strncmp(place, operands[i].place, length) == 0)
            g_string_append(out, operand(s->op, operands[i].role));
    if (strncmp(place, "act", length) == 0)
        g_string_append(out, act(s->op->kind));
    else if (strncmp(place, "call", length) == 0)
        write_call(s->op, out);
    else if (strncmp(place, "origin", length) == 0)
        write_origin(s, out);
    else if (strncmp(place, "captor", length) == 0)
        write_captor(s, out);
    else if (strncmp(place, "cause", length) == 0)
        write_cause(s, out);
    else if (strncmp(place, "mode", length) == 0)
        g_string_append(out, modes[s->answer->mode]);
}

/* Fills the places of a sentence: "{call} is unsafe". */
static void write_sentence(const Subject *s, const char *sentence, GString *out) {
    const char *at = sentence, *open;
    while ((open = strchr(at, '{')) != NULL) {
        gsize length = strcspn(open, "}");
        g_string_append_len(out, at, open - at);
        write_place(s, open + 1, length - 1, out);
        at = open + length + 1;
    }
    g_string_append(out, at);
}

gboolean atlas_explain(const AtlasProgram *program, guint op, const AtlasAnswer *answer,
                       GString *out) {
    const AtlasRuleRow *row = atlas_rule(answer->rule);
    Subject s = {program, &g_array_index(program->ops, AtlasOp, op), answer};
    if (answer->rule == ATLAS_RULE_NONE)
        return FALSE;
    if (answer->times > 1)
        g_string_append_printf(out, "time %" G_GINT64_FORMAT " of %" G_GINT64_FORMAT ": ",
                               answer->time, answer->times);
    write_sentence(&s, row->why, out);
    g_string_append(out, ": ");
    write_sentence(&s, row->mend, out);
    return TRUE;
}

/* Whether some op before this one sets the flag that it waits for. */
static gboolean is_set_before(const AtlasProgram *program, guint op, const char *flag) {
    for (guint i = 0; i < op; i++) {
        const AtlasOp *other = &g_array_index(program->ops, AtlasOp, i);
        gboolean sets = other->kind == ATLAS_OP_FLAG_SET || other->kind == ATLAS_OP_HOST_FLAG_SET;
        if (sets && g_str_equal(other->operands[other->kind == ATLAS_OP_FLAG_SET], flag))
            return TRUE;
    }
    return FALSE;
}

gboolean atlas_explain_wait(const AtlasProgram *program, guint index, GString *out) {
    const AtlasOp *op = &g_array_index(program->ops, AtlasOp, index);
    gboolean on_stream = op->kind == ATLAS_OP_FLAG_WAIT;
    if (!on_stream && op->kind != ATLAS_OP_HOST_FLAG_WAIT)
        return FALSE;
    const char *flag = op->operands[on_stream];
    if (is_set_before(program, index, flag))
        return FALSE;
    g_string_append_printf(out,
                           "nothing before this sets %s: a real driver waits until something does; "
                           "the simulated one takes it as set",
                           flag);
    return TRUE;
}
