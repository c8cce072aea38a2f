/* Expressions: counts, conditions and indices of a spec.
 *
 *     expression := binary with the usual precedences, lowest first:
 *                   or | and | not | == < <= > >= | + - | * / | unary -
 *     primary    := NUMBER | NAME | '(' expression ')'
 *                 | min(e, e, …) | max(e, e, …) | if(condition, e, e) | ceil(e) | floor(e)
 *                 | on(ARM)
 *
 * Comparisons do not chain (a < b < c is an error). Conditions are 1 or 0; any number other than
 * 0 is true. Words instead of signs (and, or, not) and if() instead of ?: because '!', '&', '|',
 * ':' mean something to YAML. Numbers are decimal ("4", "0.5"); arithmetic is exact (rational.h).
 * What decides lazily is lazy: if(x > 0, 1/x, 0) and x > 0 and 1/x < 2 are numbers where x is 0.
 *
 * Names stand for parameters, loop indices, unknowns and arms, as the scope says; an arm is 1 where
 * it is on, so that the name alone means on(ARM). The words of the grammar (atlas_expr_reserved)
 * cannot be names. Values must be linear in unknowns: an unknown may be added, subtracted,
 * multiplied or divided by what holds none, and stand in the branches of if(); in a condition, a
 * comparison, min, max, ceil, floor, a divisor or a product of two unknowns it is an error. So
 * counts can be solved for.
 *
 * An expression that was parsed is immutable and can be evaluated from several threads.
 */
#ifndef ATLAS_MODEL_LAUNCH_EXPR_H
#define ATLAS_MODEL_LAUNCH_EXPR_H

#include "model/base/diag.h"
#include "model/base/rational.h"

typedef enum {
    ATLAS_NAME_NONE,
    ATLAS_NAME_PARAM,
    ATLAS_NAME_LOOP,
    ATLAS_NAME_UNKNOWN,
    ATLAS_NAME_ARM
} AtlasNameKind;

/* What names mean where an expression stands. */
typedef struct {
    /* The meaning of a name, and its index among its kind. */
    AtlasNameKind (*lookup)(const char *name, guint *index, gpointer data);
    /* All names that are allowed, for hints; NULL-terminated, owned by the scope. */
    const char *const *candidates;
    const char *const *arms; /* names that on() takes */
    gpointer data;
    gboolean allow_unknowns; /* FALSE: an unknown is an error (conditions, loop counts, indices) */
} AtlasScope;

/* The values of names: arrays over the indices that lookup gave. `arms` holds one bit an arm (bit
 * i % 64 of arms[i / 64]). Arrays an expression does not refer to may be NULL. */
typedef struct {
    const gint64 *params;
    const guint64 *arms;
    const gint64 *loops;
    const AtlasRat *unknowns;
} AtlasEnv;

typedef struct AtlasExpr AtlasExpr;

/* Parses `at` of its source (the expression and nothing else). Adds one error with an exact column
 * for the first problem found, and returns NULL then. Nesting is bounded: 64 parentheses, calls and
 * prefixes inside one another. */
AtlasExpr *atlas_expr_parse(AtlasSpan at, const AtlasScope *scope, AtlasDiags *diags);

/* Parses text that stands in no source at exact places (a quoted or folded scalar): errors carry
 * the span `at` as a whole. */
AtlasExpr *atlas_expr_parse_text(const char *text, AtlasSpan at, const AtlasScope *scope,
                                 AtlasDiags *diags);

/* Whether a word means something in expressions (min, max, if, ceil, floor, on, and, or, not), so
 * that nothing can have it as a name. */
gboolean atlas_expr_reserved(const char *word);

/* The expression that is a constant. */
AtlasExpr *atlas_expr_constant(AtlasRat value);

/* A copy in which every unknown i is replaced by the unknown map[i]. */
AtlasExpr *atlas_expr_rename(const AtlasExpr *expr, const guint *map);

void atlas_expr_free(AtlasExpr *expr);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(AtlasExpr, atlas_expr_free)

/* The value. No number (rational.h) if it divides by zero or does not fit. Some 10 ns a term. */
AtlasRat atlas_expr_value(const AtlasExpr *expr, const AtlasEnv *env);

/* The same with every unknown 0 but `unknown`, which is 1 (G_MAXUINT: all 0). As expressions are
 * linear, value(u) - value(none) is the coefficient of u. */
AtlasRat atlas_expr_value_at(const AtlasExpr *expr, const AtlasEnv *env, guint unknown);

/* The unknowns that occur, ascending, each once; the array belongs to the expression. */
const guint *atlas_expr_unknowns(const AtlasExpr *expr, guint *count);

/* Whether a loop index occurs. */
gboolean atlas_expr_uses_loop(const AtlasExpr *expr, guint index);

#endif
