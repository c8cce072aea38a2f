/* What the three files of expressions share: expr_lex.c reads words and signs, expr_parse.c writes
 * code from them, expr_eval.c runs it. Internal to these files.
 *
 * Code is postfix for a stack machine on rationals. No number is sticky in every operation, and a
 * branch that is not taken is jumped over; so the machine stops at the first operation that gives
 * no number, and values on its stack are numbers.
 */
#ifndef ATLAS_MODEL_LAUNCH_EXPR_CODE_H
#define ATLAS_MODEL_LAUNCH_EXPR_CODE_H

#include "model/launch/expr.h"

typedef enum {
    OP_PUSH, /* a value that is not FROM_STACK */
    OP_ADD,  /* these replace the top value a and a value b by one */
    OP_SUB,
    OP_MUL,
    OP_DIV,
    OP_EQ,
    OP_LT,
    OP_LE,
    OP_GT,
    OP_GE,
    OP_MIN,
    OP_MAX,
    OP_NEG, /* these change the top value; OP_BOOL makes it 1 or 0 */
    OP_NOT,
    OP_BOOL,
    OP_CEIL,
    OP_FLOOR,
    OP_JUMP,       /* skips arg instructions */
    OP_JUMP_FALSE, /* takes the top value, and skips arg instructions if it is 0 */
} Op;

/* Where an instruction gets its value. Taking most right sides from where they are halves the
 * instructions to be run. */
typedef enum {
    FROM_STACK,  /* the top; a is below it */
    FROM_NUMBER, /* numbers[arg] */
    FROM_PARAM,  /* the value of the name with index arg */
    FROM_LOOP,
    FROM_UNKNOWN,
    FROM_ARM,
} From;

typedef struct {
    guint16 op, from;
    guint32 arg;
} Code;

/* Levels of parentheses, calls and prefixes. Each holds back at most four values: the left sides
 * of a comparison, a sum and a product, and an argument of min or max. */
enum { NESTING_MAX = 64, STACK_MAX = 4 * (NESTING_MAX + 1) };

/* Makes an expression of code that leaves one value, and of the numbers it refers to; copies both.
 * Code that refers to no name is run at once, and becomes a constant. */
AtlasExpr *atlas_expr_make(const Code *code, guint n_code, const AtlasRat *numbers,
                           guint n_numbers);

typedef enum {
    T_END,
    T_NUMBER,
    T_NAME,
    T_FUNCTION,
    T_OPEN,
    T_CLOSE,
    T_COMMA,
    T_OR,
    T_AND,
    T_NOT,
    T_EQ,
    T_LT,
    T_LE,
    T_GT,
    T_GE,
    T_ADD,
    T_SUB,
    T_MUL,
    T_DIV,
    T_FOREIGN, /* never left by atlas_lex_next */
} TokenKind;

/* Bytes [start, end) of the text. */
typedef struct {
    gsize start, end;
} Range;

typedef struct {
    const char *name, *form;
    guint least, most; /* arguments */
    Op op;
} Function;

/* A text and the token in it that is to be parsed next. */
typedef struct {
    const char *text;
    gsize length;
    AtlasSpan at;   /* of the whole text */
    gboolean exact; /* ranges of the text are spans of the source */
    AtlasDiags *diags;
    TokenKind kind;
    Range token;
    AtlasRat number;          /* of T_NUMBER */
    const Function *function; /* of T_FUNCTION */
} Lex;

/* Reads the next token. Adds an error and returns FALSE where there is none. T_END stands where
 * the last token ends, not behind the blanks that follow it. */
gboolean atlas_lex_next(Lex *lex);

/* Whether the next token will be '('. */
gboolean atlas_lex_before_open(const Lex *lex);

AtlasSpan atlas_lex_span(const Lex *lex, Range range);

/* A range as arguments for "%.*s". */
#define LEX_QUOTE(lex, range)                                                                      \
    (int)MIN((range).end - (range).start, (gsize)G_MAXINT), (lex)->text + (range).start

/* Adds the error that the token is not what was expected; always FALSE. */
gboolean atlas_lex_unexpected(const Lex *lex, const char *expected);

/* Adds to the last error what may have been meant: one of the candidates (NULL: none) or, with
 * `functions`, a function. */
void atlas_lex_suggest(const Lex *lex, const char *word, const char *what,
                       const char *const *candidates, gboolean functions);

#endif
