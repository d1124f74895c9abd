/* Parses Python's grammar of expressions (The Python Language Reference, chapters 6 and 10), without the
 * forms that parse.c names as not supported: atoms and what may follow them (subscripts, calls, attributes),
 * then operators, the loosest ones last. */
#include <stdio.h>
#include <string.h>

#include "expressions/front/parse.h"

static const js_node *closed(js_parser *s, const js_node *inside, const char *bracket, const char *opened)
{
    if (s->status || js_parse_eat(s, bracket)) {
        return s->status ? NULL : inside;
    }
    if (s->token.kind == JS_TOKEN_END) {
        js_parse_fail(s, opened, *opened == '(' ? "'(' was never closed" : "'[' was never closed");
        return NULL;
    }
    bool is_generator = *opened == '(' && (js_parse_is(s, "for") || js_parse_is(s, "async"));
    return is_generator ? js_parse_expected(s, JS_NOT_SUPPORTED("generator expressions are"))
                        : js_parse_unexpected(s);
}

/* Parse ", b" up to the bracket, after the first item, which the node has. */
static bool more_items(js_parser *s, js_node *list, const char *bracket)
{
    while (!s->status && js_parse_eat(s, ",")) {
        if (js_parse_is(s, bracket)) {
            break;
        }
        js_parse_add(s, list, js_parse_expression(s));
    }
    return !s->status;
}

static const js_node *parenthesis(js_parser *s)
{
    const char *opened = s->token.at;
    js_parse_advance(s);
    js_node *tuple = js_parse_node(s, JS_NODE_TUPLE, opened);
    if (js_parse_is(s, ")")) {
        return closed(s, tuple, ")", opened);
    }
    const js_node *first = js_parse_expression(s);
    if (!js_parse_is(s, ",")) {
        return closed(s, first, ")", opened);
    }
    js_parse_add(s, tuple, first);
    more_items(s, tuple, ")");
    return closed(s, tuple, ")", opened);
}

static const js_node *list(js_parser *s)
{
    const char *opened = s->token.at;
    js_parse_advance(s);
    js_node *made = js_parse_node(s, JS_NODE_LIST, opened);
    if (!js_parse_is(s, "]") && js_parse_add(s, made, js_parse_expression(s))) {
        more_items(s, made, "]");
    }
    return closed(s, made, "]", opened);
}

static const js_node *atom(js_parser *s)
{
    const char *at = s->token.at;
    js_node *made;
    switch (s->token.kind) {
    case JS_TOKEN_NUMBER:
        made = js_parse_node(s, JS_NODE_NUMBER, at);
        if (!made || js_parse_number(s, at, s->token.size, made) || !(made->text = js_parse_name(s))) {
            return NULL;
        }
        js_parse_advance(s);
        return made;
    case JS_TOKEN_STRING:
        made = js_parse_node(s, JS_NODE_TEXT, at);
        while (made && s->token.kind == JS_TOKEN_STRING) {
            if (js_parse_string(s, s->token.at, s->token.size, made)) {
                return NULL;
            }
            js_parse_advance(s);
        }
        return made;
    case JS_TOKEN_NAME:
        if (js_token_is_keyword(&s->token)) {
            return js_parse_unexpected(s);
        }
        made = js_parse_node(s, JS_NODE_NAME, at);
        if (!made || !(made->text = js_parse_name(s))) {
            return NULL;
        }
        if (js_parse_is(s, "None") || js_parse_is(s, "True") || js_parse_is(s, "False")) {
            made->kind = js_parse_is(s, "None") ? JS_NODE_CONSTANT : JS_NODE_NUMBER;
            made->number = (js_number){.type = JS_BOOL, .is_weak = true, .integer = js_parse_is(s, "True")};
        }
        js_parse_advance(s);
        return made;
    default:
        break;
    }
    if (js_parse_is(s, "(")) {
        return parenthesis(s);
    }
    if (js_parse_is(s, "[")) {
        return list(s);
    }
    if (js_parse_is(s, "...")) {
        made = js_parse_node(s, JS_NODE_CONSTANT, at);
        if (made) {
            made->text = "...";
        }
        js_parse_advance(s);
        return made;
    }
    return js_parse_unexpected(s);
}

static bool ends_slice(const js_parser *s)
{
    return js_parse_is(s, ":") || js_parse_is(s, "]") || js_parse_is(s, ",");
}

/* Parse one item of a subscript: an expression or a slice. */
static const js_node *item(js_parser *s)
{
    const char *at = s->token.at;
    const js_node *start = ends_slice(s) ? NULL : js_parse_expression(s);
    if (s->status || !js_parse_is(s, ":")) {
        return start ? start : js_parse_expected(s, "invalid syntax");
    }
    js_node *slice = js_parse_node(s, JS_NODE_SLICE, at);
    js_parse_add(s, slice, start);
    for (int part = 1; part < 3; part++) {
        bool has_colon = js_parse_eat(s, ":");
        js_parse_add(s, slice, has_colon && !ends_slice(s) ? js_parse_expression(s) : NULL);
    }
    return slice;
}

static const js_node *subscript(js_parser *s, const js_node *value)
{
    const char *opened = s->token.at;
    js_parse_advance(s);
    if (js_parse_is(s, "]")) {
        return js_parse_expected(s, "invalid syntax");
    }
    const js_node *key = item(s);
    if (js_parse_is(s, ",")) {
        js_node *tuple = js_parse_node(s, JS_NODE_TUPLE, opened);
        js_parse_add(s, tuple, key);
        while (!s->status && js_parse_eat(s, ",") && !js_parse_is(s, "]")) {
            js_parse_add(s, tuple, item(s));
        }
        key = tuple;
    }
    return closed(s, js_parse_join(s, JS_NODE_SUBSCRIPT, 0, opened, value, key), "]", opened);
}

static const js_node *call(js_parser *s, const js_node *function)
{
    const char *opened = s->token.at;
    js_node *made = js_parse_node(s, JS_NODE_CALL, function ? s->text + function->at : opened);
    js_parse_advance(s);
    if (!made || !js_parse_add_argument(s, made, function, NULL)) {
        return NULL;
    }
    while (!s->status && !js_parse_is(s, ")") && s->token.kind != JS_TOKEN_END) {
        js_token after = js_token_next(s->token.at + s->token.size);
        const char *name = NULL;
        if (s->token.kind == JS_TOKEN_NAME && js_token_is(&after, "=")) {
            name = js_parse_name(s);
            js_parse_advance(s);
            js_parse_advance(s);
        } else if (made->count > 1 && made->names[made->count - 1]) {
            return js_parse_expected(s, "positional argument follows keyword argument");
        }
        if (!js_parse_add_argument(s, made, js_parse_expression(s), name)) {
            return NULL;
        }
        if (!js_parse_eat(s, ",")) {
            break;
        }
    }
    return closed(s, made, ")", opened);
}

static const js_node *primary(js_parser *s)
{
    const js_node *value = atom(s);
    while (!s->status) {
        if (js_parse_is(s, "[")) {
            value = subscript(s, value);
        } else if (js_parse_is(s, "(")) {
            value = call(s, value);
        } else if (js_parse_is(s, ".")) {
            const char *at = s->token.at;
            js_parse_advance(s);
            if (s->token.kind != JS_TOKEN_NAME || js_token_is_keyword(&s->token)) {
                return js_parse_expected(s, "invalid syntax");
            }
            js_node *made = js_parse_node(s, JS_NODE_ATTRIBUTE, at);
            if (!made || !js_parse_add(s, made, value) || !(made->text = js_parse_name(s))) {
                return NULL;
            }
            js_parse_advance(s);
            value = made;
        } else {
            return value;
        }
    }
    return NULL;
}

/* ---- operators ---- */

static const js_node *power(js_parser *s);

static const js_node *signed_operand(js_parser *s, js_operator op, const char *at, const js_node *operand)
{
    js_node *made = (js_node *)js_parse_join(s, JS_NODE_UNARY, op, at, operand, NULL);
    if (made && operand && op == JS_NEG && operand->kind == JS_NODE_NUMBER) {
        size_t size = strlen(operand->text) + 2;
        char *text = js_arena_alloc(s->arena, size);
        if (!text) {
            s->status = JS_ENOMEM;
            return NULL;
        }
        snprintf(text, size, "-%s", operand->text);
        made->text = text;
    }
    return made;
}

static const js_node *unary(js_parser *s)
{
    static const struct {
        const char *sign;
        js_operator op;
    } signs[] = {{"-", JS_NEG}, {"+", JS_POS}, {"~", JS_INVERT}};
    const char *at = s->token.at;
    for (size_t i = 0; i < 3; i++) {
        if (js_parse_is(s, signs[i].sign)) {
            js_parse_advance(s);
            const js_node *operand = js_parse_enter(s) ? unary(s) : NULL;
            s->depth--;
            return signed_operand(s, signs[i].op, at, operand);
        }
    }
    return power(s);
}

static const js_node *power(js_parser *s)
{
    const js_node *base = primary(s);
    if (!s->status && js_parse_is(s, "**")) {
        const char *at = s->token.at;
        js_parse_advance(s);
        const js_node *exponent = js_parse_enter(s) ? unary(s) : NULL;
        s->depth--;
        return js_parse_join(s, JS_NODE_BINARY, JS_POW, at, base, exponent);
    }
    return base;
}

/* Left-associative operators, loosest first. */
static const struct {
    const char *sign;
    js_operator op;
    unsigned level;
} operators[] = {
    {"|", JS_OR, 0},      {"^", JS_XOR, 1},       {"&", JS_AND, 2}, {"<<", JS_LSHIFT, 3},
    {">>", JS_RSHIFT, 3}, {"+", JS_ADD, 4},       {"-", JS_SUB, 4}, {"*", JS_MUL, 5},
    {"/", JS_DIV, 5},     {"//", JS_FLOORDIV, 5}, {"%", JS_MOD, 5}, {"@", JS_MATMUL, 5},
};
enum { LEVELS = 6 };

static const js_node *binary(js_parser *s, unsigned level)
{
    if (level == LEVELS) {
        return unary(s);
    }
    const js_node *left = binary(s, level + 1);
    while (!s->status) {
        size_t i = 0, count = sizeof operators / sizeof operators[0];
        while (i < count && (operators[i].level != level || !js_parse_is(s, operators[i].sign))) {
            i++;
        }
        if (i == count) {
            return left;
        }
        const char *at = s->token.at;
        js_parse_advance(s);
        left = js_parse_join(s, JS_NODE_BINARY, operators[i].op, at, left, binary(s, level + 1));
    }
    return NULL;
}

static bool comparison_operator(js_parser *s, js_operator *op)
{
    static const struct {
        const char *sign;
        js_operator op;
    } signs[] = {{"<", JS_LT},  {"<=", JS_LE}, {"==", JS_EQ}, {"!=", JS_NE},
                 {">=", JS_GE}, {">", JS_GT},  {"in", JS_IN}};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (js_parse_eat(s, signs[i].sign)) {
            *op = signs[i].op;
            return true;
        }
    }
    if (js_parse_eat(s, "is")) {
        *op = js_parse_eat(s, "not") ? JS_IS_NOT : JS_IS;
        return true;
    }
    js_token after = js_token_next(s->token.at + s->token.size);
    if (js_parse_is(s, "not") && js_token_is(&after, "in")) {
        js_parse_advance(s);
        js_parse_advance(s);
        *op = JS_NOT_IN;
        return true;
    }
    return false;
}

/* Parse an operand of a comparison. A set is allowed after `in` only, where a tuple of its items gives the
 * same result. */
static const js_node *compared(js_parser *s, js_operator op)
{
    if ((op != JS_IN && op != JS_NOT_IN) || !js_parse_is(s, "{")) {
        return binary(s, 0);
    }
    js_token first = js_token_next(s->token.at + s->token.size);
    if (js_token_is(&first, "}")) {
        return js_parse_unexpected(s);
    }
    js_node *items = js_parse_node(s, JS_NODE_TUPLE, s->token.at);
    do {
        js_parse_advance(s);
    } while (!(items && items->count && js_parse_is(s, "}")) &&
             js_parse_add(s, items, js_parse_expression(s)) && js_parse_is(s, ","));
    if (!s->status && js_parse_is(s, ":")) {
        return js_parse_expected(s, JS_NOT_SUPPORTED("a dictionary is"));
    }
    return s->status || js_parse_eat(s, "}") ? items : js_parse_unexpected(s);
}

static const js_node *comparison(js_parser *s)
{
    const char *at = s->token.at;
    const js_node *left = binary(s, 0);
    js_operator op;
    if (s->status || !comparison_operator(s, &op)) {
        return left;
    }
    js_node *made = js_parse_node(s, JS_NODE_COMPARE, at);
    if (!js_parse_add(s, made, left)) {
        return NULL;
    }
    do {
        size_t before = made->count - 1;
        js_operator *found = js_parse_grow(s, made->operators, before, sizeof *found);
        if (!found) {
            return NULL;
        }
        made->operators = found;
        found[before] = op;
    } while (js_parse_add(s, made, compared(s, op)) && made->count < JS_TREE_ITEMS &&
             comparison_operator(s, &op));
    return s->status ? NULL : made;
}

static const js_node *inversion(js_parser *s)
{
    const char *at = s->token.at;
    if (!js_parse_eat(s, "not")) {
        return comparison(s);
    }
    const js_node *operand = js_parse_enter(s) ? inversion(s) : NULL;
    s->depth--;
    return js_parse_join(s, JS_NODE_NOT, 0, at, operand, NULL);
}

static const js_node *conjunction(js_parser *s)
{
    const js_node *left = inversion(s);
    while (!s->status && js_parse_is(s, "and")) {
        const char *at = s->token.at;
        js_parse_advance(s);
        left = js_parse_join(s, JS_NODE_AND, 0, at, left, inversion(s));
    }
    return left;
}

static const js_node *disjunction(js_parser *s)
{
    const js_node *left = conjunction(s);
    while (!s->status && js_parse_is(s, "or")) {
        const char *at = s->token.at;
        js_parse_advance(s);
        left = js_parse_join(s, JS_NODE_OR, 0, at, left, conjunction(s));
    }
    return left;
}

const js_node *js_parse_expression(js_parser *s)
{
    const js_node *result = NULL;
    if (js_parse_enter(s)) {
        result = disjunction(s);
        const char *at = s->token.at;
        if (!s->status && js_parse_eat(s, "if")) {
            js_node *choice = js_parse_node(s, JS_NODE_IF, at);
            js_parse_add(s, choice, disjunction(s));
            js_parse_add(s, choice, result);
            if (!s->status && !js_parse_eat(s, "else")) {
                return js_parse_expected(s, "expected 'else' after 'if' expression");
            }
            js_parse_add(s, choice, s->status ? NULL : js_parse_expression(s));
            result = choice;
        }
    }
    s->depth--;
    return s->status ? NULL : result;
}

int js_tree_parse(js_arena *arena, const char *text, const js_node **out, js_text *why, size_t *at)
{
    js_parser s = {.arena = arena, .text = text, .why = why, .bad = (size_t)-1};
    *out = NULL;
    if (strlen(text) > JS_TREE_TEXT) {
        js_text_printf(why, "MemoryError: the expression has more than %d bytes", JS_TREE_TEXT);
        return JS_ELIMIT;
    }
    s.token = js_token_next(text);
    const js_node *root = js_parse_expression(&s);
    if (!s.status && js_parse_is(&s, ",")) { /* a tuple without parentheses */
        js_node *tuple = js_parse_node(&s, JS_NODE_TUPLE, text);
        js_parse_add(&s, tuple, root);
        while (!s.status && js_parse_eat(&s, ",") && s.token.kind != JS_TOKEN_END) {
            js_parse_add(&s, tuple, js_parse_expression(&s));
        }
        root = tuple;
    }
    if (!s.status && s.token.kind != JS_TOKEN_END) {
        js_parse_unexpected(&s);
    }
    *at = s.bad;
    *out = root;
    return s.status;
}
