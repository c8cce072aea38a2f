/* Wrong expressions: what is said, at which columns. */
#include <string.h>

#include "tests/unit/expr_scope.h"
#include "tests/unit/suites.h"

static AtlasSource *source_of(const char *text) {
    return atlas_source_new("s.yaml", text, strlen(text), NULL);
}

#define LINEAR                                                                                     \
    "hint: values are linear in unknowns: add or subtract them, multiply or divide them by what "  \
    "holds none, or use them as branches of 'if'\n"
#define FUNCTIONS "hint: functions are: min, max, if, ceil, floor, on\n"
#define ARMS "hint: arms are: kda, jepa_off, far\n"
#define DECIMAL "hint: write numbers like 4 or 0.5, and products like 2 * a\n"
#define BUILTIN(form) "hint: write '" form "'\n"

/* `marks` stand under the text. */
typedef struct {
    const char *text, *marks, *message, *hint;
} Fault;

static const Fault errors[] = {
    /* names */
    {"2 * expertz", "    ^~~~~~~", "no value is named 'expertz'",
     "hint: did you mean 'experts'?\n"},
    {"no", "^~", "no value is named 'no'", "hint: did you mean 'on'?\n"},
    {"flor + 1", "^~~~", "no value is named 'flor'", "hint: did you mean 'floor'?\n"},
    {"qqqqqqqqqq", "^~~~~~~~~~", "no value is named 'qqqqqqqqqq'", ""},
    {"Iters_", "^~~~~~", "no value is named 'Iters_'", "hint: did you mean 'iters'?\n"},
    {"flor(1)", "^~~~", "no function is named 'flor'", "hint: did you mean 'floor'?\n"},
    {"1 + mod(7, 2)", "    ^~~", "no function is named 'mod'", FUNCTIONS},
    {"experts (2)", "^~~~~~~", "'experts' is a parameter, not a function",
     "hint: for a product write 'experts * (...)'\n"},
    {"kda(1)", "^~~", "'kda' is an arm, not a function",
     "hint: for a product write 'kda * (...)'\n"},
    {"2 * u(i)", "    ^", "'u' is an unknown, not a function",
     "hint: for a product write 'u * (...)'\n"},
    /* arms */
    {"on(experts)", "   ^~~~~~~", "'experts' is a parameter, not an arm", ARMS},
    {"on(i)", "   ^", "'i' is a loop index, not an arm", ARMS},
    {"on(jepa_of)", "   ^~~~~~~", "no arm is named 'jepa_of'", "hint: did you mean 'jepa_off'?\n"},
    {"on(3)", "   ^", "expected the name of an arm, found '3'", ""},
    {"on(min)", "   ^~~", "expected the name of an arm, found 'min'", ""},
    {"on(kda + 1)", "       ^", "expected ')', found '+'", ""},
    {"on(kda, far)", "      ^", "too many arguments for 'on'", BUILTIN("on(arm)")},
    {"on(kda !", "       ^", "'!' means nothing in expressions", "hint: write 'not'\n"},
    {"on()", "   ^", "too few arguments for 'on'", BUILTIN("on(arm)")},
    /* signs of other languages */
    {"!kda", "^", "'!' means nothing in expressions", "hint: write 'not'\n"},
    {"iters != 2", "      ^~", "'!=' means nothing in expressions",
     "hint: for 'a != b' write 'not a == b'\n"},
    {"iters <> 2", "      ^~", "'<>' means nothing in expressions",
     "hint: for 'a <> b' write 'not a == b'\n"},
    {"kda && far", "    ^~", "'&&' means nothing in expressions", "hint: write 'and'\n"},
    {"kda & far", "    ^", "'&' means nothing in expressions", "hint: write 'and'\n"},
    {"kda || far", "    ^~", "'||' means nothing in expressions", "hint: write 'or'\n"},
    {"kda | far", "    ^", "'|' means nothing in expressions", "hint: write 'or'\n"},
    {"kda ? 1 : 2", "    ^", "'?' means nothing in expressions",
     "hint: for 'c ? a : b' write 'if(c, a, b)'\n"},
    {"if(kda, 1: 2)", "         ^", "':' means nothing in expressions",
     "hint: for 'c ? a : b' write 'if(c, a, b)'\n"},
    {"i % 2", "  ^", "'%' means nothing in expressions",
     "hint: for 'a % b' write 'a - b * floor(a / b)'\n"},
    {"i // 2", "  ^~", "'//' means nothing in expressions",
     "hint: for 'a // b' write 'floor(a / b)'\n"},
    {"i ** 2", "  ^~", "'**' means nothing in expressions",
     "hint: there are no powers; for 'a ** 2' write 'a * a'\n"},
    {"i ^ 2", "  ^", "'^' means nothing in expressions",
     "hint: there are no powers; for 'a ^ 2' write 'a * a'\n"},
    {"i = 2", "  ^", "'=' means nothing in expressions", "hint: to compare write '=='\n"},
    {"i => 2", "  ^~", "'=>' means nothing in expressions", "hint: write '>='\n"},
    {"i =< 2", "  ^~", "'=<' means nothing in expressions", "hint: write '<='\n"},
    {"act[i]", "^~~", "no value is named 'act'", ""},
    {"iters[i]", "     ^", "expected a number, a name or an operator, found '['", ""},
    {"iters $ 2", "      ^", "expected a number, a name or an operator, found '$'", ""},
    {"iters × 2", "      ^", "expected a number, a name or an operator, found '×'", ""},
    {"2 * \001", "    ^", "expected a number, a name or an operator, found '?'", ""},
    /* numbers */
    {"1e400", "^~~~~", "'1e400' is not a number", DECIMAL},
    {"2 + 1e-3", "    ^~", "'1e' is not a number", DECIMAL},
    {"0x10", "^~~~", "'0x10' is not a number", DECIMAL},
    {"2iters", "^~~~~~", "'2iters' is not a number", DECIMAL},
    {"1.2.3", "^~~~~", "'1.2.3' is not a number", DECIMAL},
    {"1.", "^~", "'1.' is not a number", DECIMAL},
    {".5", "^~", "'.5' is not a number", DECIMAL},
    {"1 + .", "    ^", "'.' is not a number", DECIMAL},
    {"99999999999999999999", "^~~~~~~~~~~~~~~~~~~~", "number '99999999999999999999' is too long",
     "hint: numbers are exact, and have up to 18 digits\n"},
    {"9223372036854775808", "^~~~~~~~~~~~~~~~~~~", "number '9223372036854775808' is too long",
     "hint: numbers are exact, and have up to 18 digits\n"},
    {"0.0000000000000000001", "^~~~~~~~~~~~~~~~~~~~~", "number '0.0000000000000000001' is too long",
     "hint: numbers are exact, and have up to 18 digits\n"},
    /* form */
    {"", "^", "expected an expression, found nothing", ""},
    {"   ", "^~~", "expected an expression, found nothing", ""},
    {"1 +", "   ^", "expected a value, found the end", ""},
    {"1 +   ", "   ^", "expected a value, found the end", ""},
    {"1 + * 2", "    ^", "expected a value, found '*'", ""},
    {"2 *", "   ^", "expected a value, found the end", ""},
    {"+1", "^", "expected a value, found '+'", ""},
    {"* 2", "^", "expected a value, found '*'", ""},
    {"1 and and 2", "      ^~~", "expected a value, found 'and'", ""},
    {"not", "   ^", "expected a value, found the end", ""},
    {"-", " ^", "expected a value, found the end", ""},
    {"()", " ^", "expected a value, found ')'", ""},
    {"2 == not 1", "     ^~~", "expected a value, found 'not'",
     "hint: behind an operator that binds tighter write '(not a)'\n"},
    {"-not 1", " ^~~", "expected a value, found 'not'",
     "hint: behind an operator that binds tighter write '(not a)'\n"},
    {"2 iters", "  ^~~~~", "expected an operator or the end, found 'iters'",
     "hint: for a product write 'a * b'\n"},
    {"iters 2", "      ^", "expected an operator or the end, found '2'",
     "hint: for a product write 'a * b'\n"},
    {"2 (3)", "  ^", "expected an operator or the end, found '('",
     "hint: for a product write 'a * b'\n"},
    {"2, 3", " ^", "expected an operator or the end, found ','", ""},
    {"(1 + 2))", "       ^", "expected an operator or the end, found ')'",
     "hint: there is no '(' for this ')'\n"},
    {"1 < 2 < 3", "      ^", "comparisons do not chain",
     "hint: for 'a < b < c' write 'a < b and b < c'\n"},
    {"iters == 2 == 1", "           ^~", "comparisons do not chain",
     "hint: for 'a < b < c' write 'a < b and b < c'\n"},
    /* arguments */
    {"min(1)", "     ^", "too few arguments for 'min'", BUILTIN("min(a, b, ...)")},
    {"max()", "    ^", "too few arguments for 'max'", BUILTIN("max(a, b, ...)")},
    {"min(1,)", "      ^", "expected a value, found ')'", ""},
    {"if(1, 2)", "       ^", "too few arguments for 'if'", BUILTIN("if(condition, a, b)")},
    {"if(1, 2, 3, 4)", "          ^", "too many arguments for 'if'",
     BUILTIN("if(condition, a, b)")},
    {"ceil(1, 2)", "      ^", "too many arguments for 'ceil'", BUILTIN("ceil(a)")},
    {"ceil = 1", "     ^", "'=' means nothing in expressions", "hint: to compare write '=='\n"},
    {"ceil(=", "     ^", "'=' means nothing in expressions", "hint: to compare write '=='\n"},
    {"min(1, =", "       ^", "'=' means nothing in expressions", "hint: to compare write '=='\n"},
    {"floor()", "      ^", "too few arguments for 'floor'", BUILTIN("floor(a)")},
    {"min + 1", "    ^", "expected '(' behind 'min', found '+'", BUILTIN("min(a, b, ...)")},
    {"2 * if", "      ^", "expected '(' behind 'if', found the end",
     BUILTIN("if(condition, a, b)")},
    /* linearity */
    {"u * v", "    ^", "unknown 'v' cannot stand in a product of unknowns", LINEAR},
    {"(1 + u) * 2 * (iters - w)", "                       ^",
     "unknown 'w' cannot stand in a product of unknowns", LINEAR},
    {"if(kda, 1, u) * if(kda, 2, v)", "                           ^",
     "unknown 'v' cannot stand in a product of unknowns", LINEAR},
    {"if(kda, u, 1) * v", "                ^", "unknown 'v' cannot stand in a product of unknowns",
     LINEAR},
    {"1 / u", "    ^", "unknown 'u' cannot stand in a divisor", LINEAR},
    {"u / (2 + none)", "         ^~~~", "unknown 'none' cannot stand in a divisor", LINEAR},
    {"2 + u > 3", "    ^", "unknown 'u' cannot stand in a comparison", LINEAR},
    {"3 == 2 * u", "         ^", "unknown 'u' cannot stand in a comparison", LINEAR},
    {"kda and u", "        ^", "unknown 'u' cannot stand in a condition", LINEAR},
    {"u or kda", "^", "unknown 'u' cannot stand in a condition", LINEAR},
    {"not u", "    ^", "unknown 'u' cannot stand in a condition", LINEAR},
    {"if(u, 1, 2)", "   ^", "unknown 'u' cannot stand in a condition", LINEAR},
    {"min(1, u)", "       ^", "unknown 'u' cannot stand in an argument of 'min'", LINEAR},
    {"1 + max(-u, 2)", "         ^", "unknown 'u' cannot stand in an argument of 'max'", LINEAR},
    {"ceil(v / 2)", "     ^", "unknown 'v' cannot stand in an argument of 'ceil'", LINEAR},
    {"floor(if(kda, 1, w))", "                 ^",
     "unknown 'w' cannot stand in an argument of 'floor'", LINEAR},
};

/* What is not closed: a note shows the column of its '('. */
static const struct {
    Fault error;
    int open;
} unclosed[] = {
    {{"2 * (iters", "          ^", "expected ')', found the end", ""}, 5},
    {{"ceil(iters * experts / 4  ", "                        ^", "expected ')', found the end", ""},
     5},
    {{"(1 2)", "   ^", "expected an operator or ')', found '2'", ""}, 1},
    {{"(1, 2)", "  ^", "expected an operator or ')', found ','", ""}, 1},
};

/* Parses a wrong text that stands behind `before` in its line, and before a character that would
 * change its meaning. */
static void assert_error(const Fault *error, int open, const char *before) {
    g_autofree char *line = g_strdup_printf("%s%s*", before, error->text);
    g_autoptr(AtlasSource) source = source_of(line);
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasSpan at = {source, strlen(before), strlen(line) - 1};
    g_autoptr(AtlasExpr) expr = atlas_expr_parse(at, &expr_test_scope, diags);
    g_autofree char *got = atlas_diags_render(diags, FALSE);

    int indent = (int)g_utf8_strlen(before, -1);
    int column = indent + (int)strspn(error->marks, " ") + 1;
    g_autofree char *shown = g_strdelimit(g_strdup(line), "\001", '?');
    g_autofree char *note =
        g_strdup_printf("s.yaml:1:%d: note: the '(' stands here\n", indent + open);
    g_autofree char *expected = g_strdup_printf(
        "s.yaml:1:%d: error: %s\n    1 | %s\n      | %*s%s\n%s%s", column, error->message, shown,
        indent, "", error->marks, open ? note : "", error->hint);
    ck_assert_ptr_null(expr);
    ck_assert_str_eq(got, expected);
}

START_TEST(test_errors) {
    assert_error(&errors[_i], 0, "");
    assert_error(&errors[_i], 0, "größe: ");
}
END_TEST

START_TEST(test_unclosed) {
    assert_error(&unclosed[_i].error, unclosed[_i].open, "");
    assert_error(&unclosed[_i].error, unclosed[_i].open, "größe: ");
}
END_TEST

/* Text that stands in no source at exact places: the span is all there is to show. */
START_TEST(test_error_in_text) {
    g_autoptr(AtlasSource) source = source_of("count: \"1 +\\n u * v\"\n");
    g_autoptr(AtlasDiags) diags = atlas_diags_new();
    AtlasExpr *expr =
        atlas_expr_parse_text("1 +\n u * v", (AtlasSpan){source, 7, 20}, &expr_test_scope, diags);
    g_autofree char *got = atlas_diags_render(diags, FALSE);
    ck_assert_ptr_null(expr);
    ck_assert_str_eq(got, "s.yaml:1:8: error: unknown 'v' cannot stand in a product of unknowns\n"
                          "    1 | count: \"1 +\\n u * v\"\n"
                          "      |        ^~~~~~~~~~~~~\n" LINEAR);
}
END_TEST

/* A scope may allow no unknowns, and may have nothing to suggest. */
START_TEST(test_scopes) {
    static const AtlasScope conditions = {expr_test_lookup, expr_test_candidates, expr_test_arms,
                                          NULL, FALSE};
    static const AtlasScope silent = {expr_test_lookup, NULL, NULL, NULL, TRUE};
    static const struct {
        const AtlasScope *scope;
        const char *text, *errors;
    } cases[] = {
        {&conditions, "iters > 2 and kda", ""},
        {&conditions, "1 + u",
         "error: unknown 'u' cannot stand here\nhint: this is needed before unknowns are solved "
         "for: use numbers, parameters, loop indices and arms\n"},
        {&silent, "u", ""},
        {&silent, "flor", "error: no value is named 'flor'\nhint: did you mean 'floor'?\n"},
        {&silent, "sum",
         "error: no value is named 'sum'\n"
         "hint: names are: min, max, if, ceil, floor, on\n"},
        {&silent, "on(xyz)", "error: no arm is named 'xyz'\n"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(AtlasDiags) diags = atlas_diags_new();
        g_autoptr(AtlasExpr) expr =
            atlas_expr_parse_text(cases[i].text, (AtlasSpan){NULL, 0, 0}, cases[i].scope, diags);
        g_autofree char *got = atlas_diags_render(diags, FALSE);
        ck_assert_str_eq(got, cases[i].errors);
        ck_assert(!expr == (cases[i].errors[0] != '\0'));
    }
}
END_TEST

Suite *expr_errors_suite(void) {
    Suite *suite = suite_create("expr-errors");
    TCase *table = tcase_create("table"), *spans = tcase_create("spans");
    tcase_add_loop_test(table, test_errors, 0, G_N_ELEMENTS(errors));
    tcase_add_loop_test(table, test_unclosed, 0, G_N_ELEMENTS(unclosed));
    tcase_add_test(spans, test_error_in_text);
    tcase_add_test(spans, test_scopes);
    suite_add_tcase(suite, table);
    suite_add_tcase(suite, spans);
    return suite;
}
