/* What the files of claims share: claim_lex.c reads words and signs, claim_scope.c knows what names
 * mean, claim_value.c calculates, claim_parse.c makes comparisons of all that, and claim_judge.c
 * decides them. Internal to these and claims.c.
 *
 * There is no tree: while a text is parsed, every part of it becomes a value, and a value is a
 * linear form, or one divided by another.
 */
#ifndef ATLAS_MODEL_CHECK_CLAIM_EXPR_H
#define ATLAS_MODEL_CHECK_CLAIM_EXPR_H

#include "model/check/claims.h"

/* ---- values ---- */

/* num / den; `den` NULL: 1. Forms are over the columns of a scope, and belong to it. */
typedef struct {
    const AtlasLinear *num, *den;
} Value;

typedef enum { CMP_EQ, CMP_NE, CMP_LT, CMP_LE, CMP_GT, CMP_GE } Compare;

/* left OP right; with a tolerance (0 where none is given) for == and !=. */
typedef struct {
    Compare op;
    Value left, right;
    AtlasRat tolerance;
    GArray *others;   /* of Value: left is its rank among them; NULL: left is a plain value */
    gboolean percent; /* people read the left side in percent */
    char *text;       /* operator and right side, as written */
} Comparison;

/* ---- scope ---- */

typedef struct {
    const char *name;
    Value value;
} Named;

/* Columns of forms: the model's unknowns, then the sums of runs that are known as intervals only.
 * Life cycle: claim_scope_init / claim_scope_clear. */
typedef struct {
    AtlasStudy *study;
    AtlasDiags *diags;
    guint unknowns, columns;
    GArray *rounded;        /* of AtlasInterval: the columns behind the unknowns, as means */
    GHashTable *columns_of; /* const AtlasSum* to its column, plus 1 */
    GPtrArray *forms;       /* own every form */
    GHashTable *configs;    /* settings to Launches* (claim_scope.c) */
    GArray *named;          /* of Named: `let`, in order */
} Scope;

void claim_scope_init(Scope *scope, AtlasStudy *study, AtlasDiags *diags);
void claim_scope_clear(Scope *scope);

/* A form of zeros, to be filled. */
AtlasLinear *claim_form(Scope *scope);
Value claim_constant(Scope *scope, AtlasRat number);

/* What names mean. Each adds an error at `at` and returns FALSE where there is no such thing. */
gboolean claim_name(Scope *scope, const char *name, const char *settings, AtlasSpan at, Value *out);
gboolean claim_run(Scope *scope, const char *run, const char *path, AtlasSpan at, Value *out);
/* The sum of the populations that match, under settings ("": the base). */
gboolean claim_populations(Scope *scope, const char *globs, const char *settings, AtlasSpan at,
                           Value *out);
/* Every thing of a list of names and globs, comma-separated: of `let`, else populations. */
gboolean claim_list(Scope *scope, const char *globs, AtlasSpan at, GArray *out);

/* ---- arithmetic; FALSE where the result is no quotient of linear forms ---- */

gboolean claim_add(Scope *scope, Value a, Value b, gint64 sign, Value *out);
gboolean claim_multiply(Scope *scope, Value a, Value b, Value *out);
gboolean claim_divide(Scope *scope, Value a, Value b, Value *out);
/* The number that a form is, or no number where it is not the same for all unknowns. */
AtlasRat claim_number(const AtlasLinear *form);
gboolean claim_form_ok(const AtlasLinear *form);

/* ---- parsing ---- */

typedef enum {
    K_END,
    K_NUMBER,
    K_NAME,   /* letters, digits, '_' and '.' */
    K_MEMBER, /* the same behind a ')', with a '.' before it */
    K_OPEN,
    K_CLOSE,
    K_COMPARE,
    K_PLUS,
    K_MINUS,
    K_TIMES,
    K_OVER,
    K_PERCENT,
    K_WITHIN,
} ClaimToken;

typedef struct {
    const char *text;
    gsize length;
    AtlasSpan at;   /* of the whole text */
    gboolean exact; /* offsets in the text are offsets in the source */
    AtlasDiags *diags;
    ClaimToken kind;
    gsize start, end; /* of the token */
    AtlasRat number;  /* K_NUMBER */
    Compare compare;  /* K_COMPARE */
} ClaimLex;

/* Starts with the first token. FALSE, with an error added, where a token makes no sense. */
gboolean claim_lex_start(ClaimLex *lex, const AtlasText *text, AtlasDiags *diags);
gboolean claim_lex_next(ClaimLex *lex);
/* Whether the token is this word. */
gboolean claim_lex_is(const ClaimLex *lex, const char *word);
/* With '(' as the token: what stands up to the next ')', trimmed, which becomes the token. The
 * caller frees it; NULL, with an error added, where there is none. */
char *claim_lex_raw(ClaimLex *lex, AtlasSpan *at);
AtlasSpan claim_lex_span(const ClaimLex *lex);
/* Adds the error that the token is not what was expected; always FALSE. */
gboolean claim_lex_unexpected(const ClaimLex *lex, const char *expected);

/* A value alone, as `let` has it. */
gboolean claim_parse_value(Scope *scope, const AtlasText *text, Value *out);
/* Comparisons joined by `and`: an array of Comparison that clears its elements; NULL and an error
 * otherwise. */
GArray *claim_parse(Scope *scope, const AtlasText *text);

/* ---- judging ---- */

/* The systems at the lags that were looked at. */
typedef struct {
    Scope *scope;
    GArray *systems; /* of Lagged (claim_judge.c) */
} Judge;

void claim_judge_init(Judge *judge, Scope *scope);
void claim_judge_clear(Judge *judge);

/* Fills verdict, expected, measured, lo, hi and why of a check. */
void claim_judge(Judge *judge, const GArray *comparisons, AtlasCheck *check);

#endif
