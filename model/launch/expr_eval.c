#include "model/launch/expr_code.h"

#include <stdlib.h>
#include <string.h>

/* One allocation: the arrays follow the struct. */
struct AtlasExpr {
    AtlasRat value;   /* of a constant */
    const Code *code; /* NULL: a constant */
    const AtlasRat *numbers;
    const guint *unknowns; /* ascending, each once */
    guint n_code, n_numbers, n_unknowns;
};

/* The operations of rational.h with a short way for whole numbers, which nearly all are. Operands
 * are numbers, so that both denominators are 1 where (a.den | b.den) is. */

static inline AtlasRat whole(gint64 value) {
    return value == G_MININT64 ? ATLAS_RAT_NONE : atlas_rat(value);
}

static inline AtlasRat add(AtlasRat a, AtlasRat b) {
    gint64 sum;
    if ((a.den | b.den) == 1 && !__builtin_add_overflow(a.num, b.num, &sum))
        return whole(sum);
    return atlas_rat_add(a, b);
}

static inline AtlasRat sub(AtlasRat a, AtlasRat b) {
    gint64 difference;
    if ((a.den | b.den) == 1 && !__builtin_sub_overflow(a.num, b.num, &difference))
        return whole(difference);
    return atlas_rat_sub(a, b);
}

static inline AtlasRat mul(AtlasRat a, AtlasRat b) {
    gint64 product;
    if ((a.den | b.den) == 1 && !__builtin_mul_overflow(a.num, b.num, &product))
        return whole(product);
    return atlas_rat_mul(a, b);
}

static inline AtlasRat quotient(AtlasRat a, AtlasRat b) {
    if ((a.den | b.den) == 1 && b.num != 0 && a.num % b.num == 0)
        return atlas_rat(a.num / b.num);
    return atlas_rat_div(a, b);
}

static inline int compare(AtlasRat a, AtlasRat b) {
    if ((a.den | b.den) == 1)
        return (a.num > b.num) - (a.num < b.num);
    return atlas_rat_cmp(a, b);
}

/* The values of names and numbers. `unknowns` NULL: all are 0 but the unknown `one`, which is 1. */
typedef struct {
    const AtlasEnv *env;
    const AtlasRat *numbers, *unknowns;
    guint one;
} Values;

static inline AtlasRat load(const Values *values, From from, guint i) {
    switch (from) {
    case FROM_NUMBER:
        return values->numbers[i];
    case FROM_PARAM:
        return whole(values->env->params[i]);
    case FROM_LOOP:
        return whole(values->env->loops[i]);
    case FROM_UNKNOWN:
        return values->unknowns ? values->unknowns[i] : atlas_rat(i == values->one);
    default:
        return atlas_rat(values->env->arms[i / 64] >> i % 64 & 1);
    }
}

static inline AtlasRat binary(Op op, AtlasRat a, AtlasRat b) {
    switch (op) {
    case OP_ADD:
        return add(a, b);
    case OP_SUB:
        return sub(a, b);
    case OP_MUL:
        return mul(a, b);
    case OP_DIV:
        return quotient(a, b);
    case OP_EQ:
        return atlas_rat(compare(a, b) == 0);
    case OP_LT:
        return atlas_rat(compare(a, b) < 0);
    case OP_LE:
        return atlas_rat(compare(a, b) <= 0);
    case OP_GT:
        return atlas_rat(compare(a, b) > 0);
    case OP_GE:
        return atlas_rat(compare(a, b) >= 0);
    case OP_MIN:
        return compare(a, b) < 0 ? a : b;
    default:
        return compare(a, b) > 0 ? a : b;
    }
}

static inline AtlasRat unary(Op op, AtlasRat a) {
    switch (op) {
    case OP_NEG:
        return (AtlasRat){-a.num, a.den};
    case OP_NOT:
        return atlas_rat(a.num == 0);
    case OP_BOOL:
        return atlas_rat(a.num != 0);
    case OP_CEIL:
        return atlas_rat_ceil(a);
    default:
        return atlas_rat_floor(a);
    }
}

static AtlasRat run(const AtlasExpr *expr, const AtlasEnv *env, const AtlasRat *unknowns,
                    guint one) {
    const Values values = {env, expr->numbers, unknowns, one};
    AtlasRat stack[STACK_MAX]; /* what is below the top; the first push finds a top of no meaning */
    AtlasRat *below = stack, top = atlas_rat(0);
    const Code *end = expr->code + expr->n_code;
    for (const Code *code = expr->code; code < end; code++) {
        Op op = code->op;
        if (op == OP_PUSH) {
            *below++ = top;
            top = load(&values, code->from, code->arg);
        } else if (op <= OP_MAX) {
            AtlasRat left = top, right = top;
            if (code->from == FROM_STACK)
                left = *--below;
            else
                right = load(&values, code->from, code->arg);
            top = atlas_rat_ok(right) ? binary(op, left, right) : ATLAS_RAT_NONE;
        } else if (op <= OP_FLOOR) {
            top = unary(op, top);
        } else if (op == OP_JUMP) {
            code += code->arg;
        } else {
            code += top.num == 0 ? code->arg : 0;
            top = *--below;
        }
        if (!atlas_rat_ok(top))
            return ATLAS_RAT_NONE;
    }
    return top;
}

AtlasRat atlas_expr_value(const AtlasExpr *expr, const AtlasEnv *env) {
    if (!expr->code)
        return expr->value;
    g_assert(env->unknowns || expr->n_unknowns == 0);
    return run(expr, env, env->unknowns, 0);
}

AtlasRat atlas_expr_value_at(const AtlasExpr *expr, const AtlasEnv *env, guint unknown) {
    if (!expr->code)
        return expr->value;
    return run(expr, env, NULL, unknown);
}

static int ascending(const void *a, const void *b) {
    guint x = *(const guint *)a, y = *(const guint *)b;
    return (x > y) - (x < y);
}

/* Writes the unknowns of the code, each once and ascending; returns how many. */
static guint list_unknowns(const Code *code, guint n_code, guint *unknowns) {
    guint found = 0, kept = 0;
    for (guint i = 0; i < n_code; i++)
        if (code[i].from == FROM_UNKNOWN)
            unknowns[found++] = code[i].arg;
    qsort(unknowns, found, sizeof *unknowns, ascending);
    for (guint i = 0; i < found; i++)
        if (i == 0 || unknowns[i] != unknowns[kept - 1])
            unknowns[kept++] = unknowns[i];
    return kept;
}

AtlasExpr *atlas_expr_make(const Code *code, guint n_code, const AtlasRat *numbers,
                           guint n_numbers) {
    guint names = 0, mentions = 0;
    for (guint i = 0; i < n_code; i++) {
        names += code[i].from >= FROM_PARAM;
        mentions += code[i].from == FROM_UNKNOWN;
    }
    AtlasExpr *expr = g_malloc0(sizeof *expr + n_numbers * sizeof *numbers + n_code * sizeof *code +
                                mentions * sizeof(guint));
    AtlasRat *own_numbers = (AtlasRat *)(expr + 1);
    Code *own_code = (Code *)(own_numbers + n_numbers);
    guint *unknowns = (guint *)(own_code + n_code);
    if (n_numbers > 0) /* else there may be no array */
        memcpy(own_numbers, numbers, n_numbers * sizeof *numbers);
    memcpy(own_code, code, n_code * sizeof *code);
    *expr = (AtlasExpr){.code = own_code,
                        .numbers = own_numbers,
                        .unknowns = unknowns,
                        .n_code = n_code,
                        .n_numbers = n_numbers,
                        .n_unknowns = list_unknowns(code, n_code, unknowns)};
    if (names > 0)
        return expr;
    AtlasRat value = run(expr, NULL, NULL, 0);
    atlas_expr_free(expr);
    return atlas_expr_constant(value);
}

AtlasExpr *atlas_expr_constant(AtlasRat value) {
    AtlasExpr *expr = g_new0(AtlasExpr, 1);
    expr->value = value;
    return expr;
}

AtlasExpr *atlas_expr_rename(const AtlasExpr *expr, const guint *map) {
    if (!expr->code)
        return atlas_expr_constant(expr->value);
    g_autofree Code *code = g_memdup2(expr->code, expr->n_code * sizeof *code);
    for (guint i = 0; i < expr->n_code; i++)
        if (code[i].from == FROM_UNKNOWN)
            code[i].arg = map[code[i].arg];
    return atlas_expr_make(code, expr->n_code, expr->numbers, expr->n_numbers);
}

void atlas_expr_free(AtlasExpr *expr) {
    g_free(expr);
}

const guint *atlas_expr_unknowns(const AtlasExpr *expr, guint *count) {
    *count = expr->n_unknowns;
    return expr->unknowns;
}

gboolean atlas_expr_uses_loop(const AtlasExpr *expr, guint index) {
    for (guint i = 0; i < expr->n_code; i++)
        if (expr->code[i].from == FROM_LOOP && expr->code[i].arg == index)
            return TRUE;
    return FALSE;
}
