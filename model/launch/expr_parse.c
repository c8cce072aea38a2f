/* A parser by precedence climbing that writes code as it goes. Its functions return FALSE where
 * they added an error; then everything stops. */
#include "model/launch/expr_code.h"

#include <string.h>

typedef struct {
    Lex lex;
    const AtlasScope *scope;
    AtlasDiags *diags;
    GArray *code;      /* of Code */
    GArray *numbers;   /* of AtlasRat */
    guint depth, peak; /* of the stack when the code runs */
    guint nesting;
} Parser;

enum { OR = 1, AND, NOT, COMPARE, SUM, PRODUCT, SIGN };

/* Operators with two sides, by their tokens. Priority 0: no such operator. */
static const struct {
    guint8 priority, op;
} binary[T_FOREIGN + 1] = {
    [T_OR] = {OR, OP_JUMP_FALSE}, [T_AND] = {AND, OP_JUMP_FALSE}, [T_EQ] = {COMPARE, OP_EQ},
    [T_LT] = {COMPARE, OP_LT},    [T_LE] = {COMPARE, OP_LE},      [T_GT] = {COMPARE, OP_GT},
    [T_GE] = {COMPARE, OP_GE},    [T_ADD] = {SUM, OP_ADD},        [T_SUB] = {SUM, OP_SUB},
    [T_MUL] = {PRODUCT, OP_MUL},  [T_DIV] = {PRODUCT, OP_DIV},
};

static guint emit(Parser *p, Op op, From from, guint arg, int pushes) {
    Code code = {(guint16)op, (guint16)from, arg};
    g_array_append_val(p->code, code);
    p->depth = (guint)((int)p->depth + pushes);
    p->peak = MAX(p->peak, p->depth);
    return p->code->len - 1;
}

static void push(Parser *p, From from, guint arg) {
    emit(p, OP_PUSH, from, arg, 1);
}

static void push_number(Parser *p, AtlasRat value) {
    push(p, FROM_NUMBER, p->numbers->len);
    g_array_append_val(p->numbers, value);
}

static void change(Parser *p, Op op) {
    emit(p, op, FROM_STACK, 0, 0);
}

/* Writes an operation on two values, of which the second one's code begins at index `second`. */
static void combine(Parser *p, Op op, guint second) {
    Code *code = &g_array_index(p->code, Code, second);
    if (p->code->len > second + 1) {
        emit(p, op, FROM_STACK, 0, -1);
        return;
    }
    code->op = (guint16)op; /* a single push: the operation gets the value itself */
    p->depth--;
}

/* Writes a jump whose end `land` will fill in. */
static guint jump_from(Parser *p, Op op) {
    return emit(p, op, FROM_STACK, 0, -1);
}

/* Lets the jump at index `jump` skip what was written since. */
static void land(Parser *p, guint jump) {
    g_array_index(p->code, Code, jump).arg = p->code->len - jump - 1;
}

static gboolean empty(Range range) {
    return range.start == range.end;
}

/* The rules of linearity: adds an error if a part of the expression holds an unknown. `held` is
 * where its first one stands, or empty. */
static gboolean holds_none(Parser *p, Range held, const char *where) {
    if (empty(held))
        return TRUE;
    atlas_diags_error(p->diags, atlas_lex_span(&p->lex, held), "unknown '%.*s' cannot stand in %s",
                      LEX_QUOTE(&p->lex, held), where);
    atlas_diags_hint(p->diags, "values are linear in unknowns: add or subtract them, multiply or "
                               "divide them by what holds none, or use them as branches of 'if'");
    return FALSE;
}

static gboolean subexpr(Parser *p, guint limit, Range *held);

static gboolean enter(Parser *p) {
    if (p->nesting++ < NESTING_MAX)
        return TRUE;
    atlas_diags_error(p->diags, atlas_lex_span(&p->lex, p->lex.token),
                      "expression nests deeper than %d levels", NESTING_MAX);
    atlas_diags_hint(p->diags, "leave out parentheses and signs that change nothing");
    return FALSE;
}

/* Eats the ')' that belongs to the '(' at `open`. */
static gboolean leave(Parser *p, Range open) {
    p->nesting--;
    if (p->lex.kind == T_CLOSE)
        return atlas_lex_next(&p->lex);
    atlas_lex_unexpected(&p->lex, p->lex.kind == T_END ? "')'" : "an operator or ')'");
    atlas_diags_note(p->diags, atlas_lex_span(&p->lex, open), "the '(' stands here");
    return FALSE;
}

/* Names by their kind: how it is called, and where values are. */
static const struct {
    const char *what;
    From from;
} kinds[] = {
    [ATLAS_NAME_PARAM] = {"a parameter", FROM_PARAM},
    [ATLAS_NAME_LOOP] = {"a loop index", FROM_LOOP},
    [ATLAS_NAME_UNKNOWN] = {"an unknown", FROM_UNKNOWN},
    [ATLAS_NAME_ARM] = {"an arm", FROM_ARM},
};

/* name := a parameter, loop index, unknown or arm */
static gboolean name(Parser *p, Range *held) {
    const AtlasScope *scope = p->scope;
    AtlasSpan at = atlas_lex_span(&p->lex, p->lex.token);
    g_autofree char *word = g_strdup_printf("%.*s", LEX_QUOTE(&p->lex, p->lex.token));
    guint index = 0;
    AtlasNameKind kind = scope->lookup(word, &index, scope->data);
    gboolean called = atlas_lex_before_open(&p->lex);
    if (kind == ATLAS_NAME_NONE) {
        atlas_diags_error(p->diags, at, "no %s is named '%s'", called ? "function" : "value", word);
        atlas_lex_suggest(&p->lex, word, called ? "functions are" : "names are",
                          called ? NULL : scope->candidates, TRUE);
        return FALSE;
    }
    if (called) {
        atlas_diags_error(p->diags, at, "'%s' is %s, not a function", word, kinds[kind].what);
        atlas_diags_hint(p->diags, "for a product write '%s * (...)'", word);
        return FALSE;
    }
    if (kind == ATLAS_NAME_UNKNOWN && !scope->allow_unknowns) {
        atlas_diags_error(p->diags, at, "unknown '%s' cannot stand here", word);
        atlas_diags_hint(p->diags, "this is needed before unknowns are solved for: use numbers, "
                                   "parameters, loop indices and arms");
        return FALSE;
    }
    if (kind == ATLAS_NAME_UNKNOWN)
        *held = p->lex.token;
    push(p, kinds[kind].from, index);
    return atlas_lex_next(&p->lex);
}

/* The argument of 'on': a name that means an arm. */
static gboolean arm(Parser *p) {
    const AtlasScope *scope = p->scope;
    if (p->lex.kind != T_NAME)
        return atlas_lex_unexpected(&p->lex, "the name of an arm");
    g_autofree char *word = g_strdup_printf("%.*s", LEX_QUOTE(&p->lex, p->lex.token));
    guint index = 0;
    AtlasNameKind kind = scope->lookup(word, &index, scope->data);
    if (kind == ATLAS_NAME_ARM) {
        push(p, FROM_ARM, index);
        if (!atlas_lex_next(&p->lex))
            return FALSE;
        if (p->lex.kind == T_CLOSE || p->lex.kind == T_COMMA || p->lex.kind == T_END)
            return TRUE;
        return atlas_lex_unexpected(&p->lex, "')'");
    }
    AtlasSpan at = atlas_lex_span(&p->lex, p->lex.token);
    if (kind == ATLAS_NAME_NONE)
        atlas_diags_error(p->diags, at, "no arm is named '%s'", word);
    else
        atlas_diags_error(p->diags, at, "'%s' is %s, not an arm", word, kinds[kind].what);
    atlas_lex_suggest(&p->lex, word, "arms are", scope->arms, FALSE);
    return FALSE;
}

/* An argument of a function of numbers; `first` is the first one. */
static gboolean operand(Parser *p, const Function *f, gboolean first) {
    Range held = {0, 0};
    guint mark = p->code->len;
    g_autofree char *where = g_strdup_printf("an argument of '%s'", f->name);
    if (!subexpr(p, 0, &held) || !holds_none(p, held, where))
        return FALSE;
    if (f->most == 1)
        change(p, f->op);
    else if (!first)
        combine(p, f->op, mark);
    return TRUE;
}

/* Argument `i` of 'if'. `jump` is the one written behind the argument before it. */
static gboolean branch(Parser *p, guint i, guint *jump, Range *held) {
    Range part = {0, 0};
    if (!subexpr(p, 0, &part))
        return FALSE;
    if (i == 0) {
        *jump = jump_from(p, OP_JUMP_FALSE);
        return holds_none(p, part, "a condition");
    }
    if (empty(*held))
        *held = part;
    guint over = *jump;
    if (i == 1)
        *jump = jump_from(p, OP_JUMP);
    land(p, over);
    return TRUE;
}

static gboolean argument(Parser *p, const Function *f, guint i, guint *jump, Range *held) {
    switch (f->op) {
    case OP_PUSH:
        return arm(p);
    case OP_JUMP_FALSE:
        return branch(p, i, jump, held);
    default:
        return operand(p, f, i == 0);
    }
}

static gboolean wrong_count(Parser *p, const Function *f, const char *what) {
    atlas_diags_error(p->diags, atlas_lex_span(&p->lex, p->lex.token), "too %s arguments for '%s'",
                      what, f->name);
    atlas_diags_hint(p->diags, "write '%s'", f->form);
    return FALSE;
}

/* call := FUNCTION '(' argument {',' argument} ')' */
static gboolean call(Parser *p, Range *held) {
    const Function *f = p->lex.function;
    if (!enter(p) || !atlas_lex_next(&p->lex))
        return FALSE;
    Range open = p->lex.token;
    if (p->lex.kind != T_OPEN) {
        g_autofree char *expected = g_strdup_printf("'(' behind '%s'", f->name);
        atlas_lex_unexpected(&p->lex, expected);
        atlas_diags_hint(p->diags, "write '%s'", f->form);
        return FALSE;
    }
    if (!atlas_lex_next(&p->lex))
        return FALSE;
    guint count = 0, jump = 0;
    while (count > 0 || p->lex.kind != T_CLOSE) {
        if (!argument(p, f, count++, &jump, held))
            return FALSE;
        if (p->lex.kind != T_COMMA)
            break;
        if (count == f->most)
            return wrong_count(p, f, "many");
        if (!atlas_lex_next(&p->lex))
            return FALSE;
    }
    if (p->lex.kind == T_CLOSE && count < f->least)
        return wrong_count(p, f, "few");
    return leave(p, open);
}

/* primary := NUMBER | name | call | '(' expression ')' */
static gboolean primary(Parser *p, Range *held) {
    Range open = p->lex.token;
    switch (p->lex.kind) {
    case T_NUMBER:
        push_number(p, p->lex.number);
        return atlas_lex_next(&p->lex);
    case T_NAME:
        return name(p, held);
    case T_FUNCTION:
        return call(p, held);
    case T_OPEN:
        return enter(p) && atlas_lex_next(&p->lex) && subexpr(p, 0, held) && leave(p, open);
    default:
        return atlas_lex_unexpected(&p->lex, "a value");
    }
}

/* prefix := 'not' subexpr | '-' subexpr | primary */
static gboolean prefix(Parser *p, guint limit, Range *held) {
    TokenKind kind = p->lex.kind;
    if (kind != T_NOT && kind != T_SUB)
        return primary(p, held);
    if (kind == T_NOT && limit > NOT) {
        atlas_lex_unexpected(&p->lex, "a value");
        atlas_diags_hint(p->diags, "behind an operator that binds tighter write '(not a)'");
        return FALSE;
    }
    if (!enter(p) || !atlas_lex_next(&p->lex) || !subexpr(p, kind == T_NOT ? NOT : SIGN, held))
        return FALSE;
    p->nesting--;
    change(p, kind == T_NOT ? OP_NOT : OP_NEG);
    return kind == T_SUB || holds_none(p, *held, "a condition");
}

/* The rest of 'a and b', which is if(a, b, 0), or 'a or b', which is if(a, 1, b), with b made 1
 * or 0. `left` is where a holds an unknown. */
static gboolean logic(Parser *p, Range left) {
    gboolean both = p->lex.kind == T_AND;
    Range right = {0, 0};
    if (!holds_none(p, left, "a condition"))
        return FALSE;
    guint over = jump_from(p, OP_JUMP_FALSE), end = 0;
    if (!both) {
        push_number(p, atlas_rat(1));
        end = jump_from(p, OP_JUMP);
        land(p, over);
    }
    if (!atlas_lex_next(&p->lex) || !subexpr(p, both ? AND : OR, &right) ||
        !holds_none(p, right, "a condition"))
        return FALSE;
    change(p, OP_BOOL);
    if (both) {
        end = jump_from(p, OP_JUMP);
        land(p, over);
        push_number(p, atlas_rat(0));
    }
    land(p, end);
    return TRUE;
}

/* The rest of 'a operator b'. `held` is where a holds an unknown, and then where the whole does. */
static gboolean infix(Parser *p, Range *held) {
    TokenKind kind = p->lex.kind;
    guint priority = binary[kind].priority;
    Range right = {0, 0};
    if (priority <= AND)
        return logic(p, *held);
    if (priority == COMPARE && !holds_none(p, *held, "a comparison"))
        return FALSE;
    guint mark = p->code->len;
    if (!atlas_lex_next(&p->lex) || !subexpr(p, priority, &right))
        return FALSE;
    if (priority == COMPARE && !holds_none(p, right, "a comparison"))
        return FALSE;
    if (kind == T_DIV && !holds_none(p, right, "a divisor"))
        return FALSE;
    if (kind == T_MUL && !empty(*held) && !holds_none(p, right, "a product of unknowns"))
        return FALSE;
    if (priority == COMPARE && binary[p->lex.kind].priority == COMPARE) {
        atlas_diags_error(p->diags, atlas_lex_span(&p->lex, p->lex.token),
                          "comparisons do not chain");
        atlas_diags_hint(p->diags, "for 'a < b < c' write 'a < b and b < c'");
        return FALSE;
    }
    if (empty(*held))
        *held = right;
    combine(p, binary[kind].op, mark);
    return TRUE;
}

/* subexpr := prefix {operator subexpr}, with operators that bind tighter than `limit`. `held` is
 * empty, and gets the place of the first unknown. */
static gboolean subexpr(Parser *p, guint limit, Range *held) {
    if (!prefix(p, limit, held))
        return FALSE;
    while (binary[p->lex.kind].priority > limit)
        if (!infix(p, held))
            return FALSE;
    return TRUE;
}

static gboolean at_end(Parser *p) {
    if (p->lex.kind == T_END)
        return TRUE;
    atlas_lex_unexpected(&p->lex, "an operator or the end");
    if (p->lex.kind == T_CLOSE)
        atlas_diags_hint(p->diags, "there is no '(' for this ')'");
    else if (p->lex.kind != T_COMMA)
        atlas_diags_hint(p->diags, "for a product write 'a * b'");
    return FALSE;
}

static gboolean whole(Parser *p) {
    Range held = {0, 0};
    if (!atlas_lex_next(&p->lex))
        return FALSE;
    if (p->lex.kind != T_END)
        return subexpr(p, 0, &held) && at_end(p);
    atlas_diags_error(p->diags, p->lex.at, "expected an expression, found nothing");
    return FALSE;
}

static AtlasExpr *parse(Lex lex, const AtlasScope *scope) {
    AtlasExpr *expr = NULL;
    Parser parser = {.lex = lex,
                     .scope = scope,
                     .diags = lex.diags,
                     .code = g_array_new(FALSE, FALSE, sizeof(Code)),
                     .numbers = g_array_new(FALSE, FALSE, sizeof(AtlasRat))};
    if (whole(&parser)) {
        g_assert(parser.depth == 1 && parser.peak <= STACK_MAX);
        expr =
            atlas_expr_make((const Code *)(gpointer)parser.code->data, parser.code->len,
                            (const AtlasRat *)(gpointer)parser.numbers->data, parser.numbers->len);
    }
    g_array_unref(parser.code);
    g_array_unref(parser.numbers);
    return expr;
}

AtlasExpr *atlas_expr_parse(AtlasSpan at, const AtlasScope *scope, AtlasDiags *diags) {
    return parse((Lex){.text = atlas_source_text(at.source) + at.start,
                       .length = at.end - at.start,
                       .at = at,
                       .exact = TRUE,
                       .diags = diags},
                 scope);
}

AtlasExpr *atlas_expr_parse_text(const char *text, AtlasSpan at, const AtlasScope *scope,
                                 AtlasDiags *diags) {
    return parse((Lex){.text = text, .length = strlen(text), .at = at, .diags = diags}, scope);
}
