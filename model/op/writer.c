#include <string.h>

#include "model/base/rational.h"
#include "model/op/op.h"

static void write_number(GString *out, gint64 number) {
    g_string_append_printf(out, "%" G_GINT64_FORMAT, number);
}

static void write_access(GString *out, const AtlasAccess *access) {
    g_string_append(out, access->buffer);
    if (!access->indexed)
        return;
    g_string_append_c(out, '[');
    if (!access->loop) {
        write_number(out, access->offset);
    } else if (access->sign < 0) {
        write_number(out, access->offset);
        g_string_append_c(out, '-');
        g_string_append(out, access->loop);
    } else {
        g_string_append(out, access->loop);
        if (access->offset > 0)
            g_string_append_c(out, '+');
        if (access->offset != 0)
            write_number(out, access->offset);
    }
    g_string_append_c(out, ']');
}

static void write_accesses(GString *out, const char *prefix, const GArray *list) {
    if (!list || list->len == 0)
        return;
    g_string_append_printf(out, " %s", prefix);
    for (guint i = 0; i < list->len; i++) {
        if (i > 0)
            g_string_append_c(out, ',');
        write_access(out, &g_array_index(list, AtlasAccess, i));
    }
}

static void write_args(GString *out, const char *prefix, const GArray *list) {
    static const char *const kinds[] = {[ATLAS_ARG_CONST] = "",
                                        [ATLAS_ARG_HOST_PER_STEP] = "@step",
                                        [ATLAS_ARG_DEVICE] = "@device"};
    if (!list || list->len == 0)
        return;
    g_string_append_printf(out, " %s", prefix);
    for (guint i = 0; i < list->len; i++) {
        const AtlasArg *arg = &g_array_index(list, AtlasArg, i);
        if (i > 0)
            g_string_append_c(out, ',');
        g_string_append(out, arg->name);
        g_string_append(out, kinds[arg->kind]);
    }
}

static void write_cost(GString *out, const char *prefix, gint64 ns) {
    char us[32];
    if (ns)
        g_string_append_printf(out, " %s%s", prefix,
                               atlas_rat_format(atlas_rat_make(ns, 1000), 3, us, sizeof us));
}

/* A kernel whose name reads as a count ("x1") is one only before a count that stands. */
static gboolean count_stands(const AtlasOp *op) {
    const char *kernel = op->kind == ATLAS_OP_LAUNCH ? op->operands[1] : NULL;
    return op->count != 1 || (kernel && op_like_count(kernel, strlen(kernel)));
}

static void write_attr(GString *out, const OpAttr *attr, const AtlasOp *op) {
    switch (attr->bit) {
    case OP_COUNT:
        if (count_stands(op)) {
            g_string_append(out, " x");
            write_number(out, op->count);
        }
        break;
    case OP_READS:
        write_accesses(out, attr->prefix, op->reads);
        break;
    case OP_WRITES:
        write_accesses(out, attr->prefix, op->writes);
        break;
    case OP_FRESH:
        write_accesses(out, attr->prefix, op->fresh);
        break;
    case OP_ARGS:
        write_args(out, attr->prefix, op->args);
        break;
    case OP_EVERY:
        if (op->every != 1) {
            g_string_append_printf(out, " %s", attr->prefix);
            write_number(out, op->every);
        }
        break;
    case OP_OF:
        if (op->of)
            g_string_append_printf(out, " %s%s", attr->prefix, op->of);
        break;
    case OP_COST:
        write_cost(out, attr->prefix, op->cost_ns);
        break;
    }
}

static void write_range(GString *out, const AtlasOp *op) {
    if (op->first == 0) {
        write_number(out, MAX(op->last + 1, 0));
    } else {
        write_number(out, op->first);
        g_string_append(out, "..");
        write_number(out, op->last);
    }
}

/* Writes the operands; a text that is missing or empty is left out, as every other operand is. */
static void write_operands(GString *out, const OpRow *row, const AtlasOp *op) {
    guint next = 0; /* of op->operands */
    for (guint i = 0; i < OP_OPERANDS && row->operands[i]; i++) {
        const OpRoleRow *role = op_role(row->operands[i]);
        const char *text = NULL;
        switch (role->form) {
        case OP_FORM_FILLER:
            text = role->shown;
            break;
        case OP_FORM_TEXT:
            text = op->text && *op->text ? op->text : NULL;
            break;
        case OP_FORM_RANGE:
            g_string_append_c(out, ' ');
            write_range(out, op);
            break;
        case OP_FORM_NUMBER:
            g_string_append_c(out, ' ');
            write_number(out, op->count);
            break;
        default:
            text = op->operands[next++];
        }
        if (text) {
            g_string_append_c(out, ' ');
            g_string_append(out, text);
        }
    }
}

void atlas_op_write_call(const AtlasOp *op, GString *out) {
    const OpRow *row = op_row(op->kind);
    if (op->thread != 1)
        g_string_append_printf(out, "@%u ", op->thread);
    g_string_append(out, row->word);
    write_operands(out, row, op);
    for (guint i = 0; i < OP_ATTRS; i++)
        if (row->takes & op_attr(i)->bit)
            write_attr(out, op_attr(i), op);
}

void atlas_op_write(const AtlasOp *op, GString *out) {
    atlas_op_write_call(op, out);
    if (op->result) {
        g_string_append(out, " => ");
        g_string_append(out, op->result);
        if (op->details && *op->details) {
            g_string_append_c(out, ' ');
            g_string_append(out, op->details);
        }
    }
}

void atlas_program_write(const AtlasProgram *program, GString *out) {
    guint level = 0;
    g_string_append_printf(out, "# %s\n", program->name);
    for (guint i = 0; i < program->ops->len; i++) {
        const AtlasOp *op = &g_array_index(program->ops, AtlasOp, i);
        if (op->kind == ATLAS_OP_END_BLOCK) {
            g_assert(level > 0);
            level--;
        }
        for (guint j = 0; j < level; j++)
            g_string_append(out, "  ");
        atlas_op_write(op, out);
        g_string_append_c(out, '\n');
        if (op->kind == ATLAS_OP_STEP || op->kind == ATLAS_OP_LOOP)
            level++;
    }
    if (program->executed >= 0)
        g_string_append_printf(out, "executed %" G_GINT64_FORMAT "\n", program->executed);
    g_string_append_c(out, '\n');
}
