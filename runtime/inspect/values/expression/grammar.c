/* Python's grammar of expressions (The Python Language Reference, chapter 6 and 10), without lambda,
 * comprehensions, await and assignment. */
#include <string.h>

#include "values/expression/lex.h"
#include "values/expression/tree.h"

typedef struct state {
    js_parser parser;
    js_token token;
} state;

static const js_node *expression(state *s);
static const js_node *binary(state *s, unsigned level);

int js_parse_fail(js_parser *parser, const char *at, const char *why)
{
    if (parser->status == JS_OK) {
        parser->status = JS_EBAD;
        parser->bad = (size_t)(at - parser->text);
        js_text_printf(parser->why, "SyntaxError: %s", why);
    }
    return parser->status;
}

static const js_node *fail(state *s, const char *why)
{
    const js_token *token = &s->token;
    js_parse_fail(&s->parser, token->at, token->kind == JS_TOKEN_BAD ? token->why : why);
    return NULL;
}

static void advance(state *s)
{
    s->token = js_token_next(s->token.at + s->token.size);
}

static bool is(const state *s, const char *text)
{
    return js_token_is(&s->token, text);
}

static bool eat(state *s, const char *text)
{
    if (!is(s, text)) {
        return false;
    }
    advance(s);
    return true;
}

static js_node *node(state *s, js_node_kind kind, const char *at)
{
    js_node *made = s->parser.status ? NULL : js_arena_alloc(s->parser.arena, sizeof *made);
    if (!made) {
        s->parser.status = s->parser.status ? s->parser.status : JS_ENOMEM;
        return NULL;
    }
    made->kind = kind;
    made->at = (size_t)(at - s->parser.text);
    return made;
}

static bool add(state *s, js_node *to, const js_node *item)
{
    if (s->parser.status || !to) {
        return false;
    }
    if (to->count == JS_TREE_ITEMS || (item && item->depth >= JS_TREE_DEPTH)) {
        fail(s, "too much in one expression");
        return false;
    }
    if ((to->count & (to->count - 1)) == 0) { /* room for twice as many, at each power of two */
        size_t room = to->count ? 2 * to->count : 1;
        const js_node **items = js_arena_alloc(s->parser.arena, room * sizeof *items);
        if (!items) {
            s->parser.status = JS_ENOMEM;
            return false;
        }
        if (to->count) {
            memcpy((void *)items, (const void *)to->items, to->count * sizeof *items);
        }
        to->items = items;
    }
    to->items[to->count++] = item;
    if (item && to->depth <= item->depth) {
        to->depth = item->depth + 1;
    }
    return true;
}

static const js_node *join(state *s, js_node_kind kind, js_operator op, const char *at, const js_node *a,
                           const js_node *b)
{
    js_node *made = node(s, kind, at);
    if (!made || !add(s, made, a) || (b && !add(s, made, b))) {
        return NULL;
    }
    made->op = op;
    return made;
}

static bool is_keyword(const js_token *token)
{
    static const char *const words[] = {
        "and",    "or",    "not",    "in",       "is",     "if",     "else",     "lambda",
        "for",    "while", "def",    "class",    "return", "yield",  "await",    "async",
        "import", "from",  "as",     "with",     "try",    "except", "finally",  "raise",
        "assert", "del",   "global", "nonlocal", "pass",   "break",  "continue", "elif",
    };
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (js_token_is(token, words[i])) {
            return true;
        }
    }
    return false;
}

static const char *name_text(state *s)
{
    char *text = js_arena_strndup(s->parser.arena, s->token.at, s->token.size);
    if (!text) {
        s->parser.status = JS_ENOMEM;
    }
    return text;
}

static const js_node *closed(state *s, const js_node *inside, const char *bracket, const char *opened)
{
    if (s->parser.status || eat(s, bracket)) {
        return s->parser.status ? NULL : inside;
    }
    if (s->token.kind == JS_TOKEN_END) {
        js_parse_fail(&s->parser, opened, *opened == '(' ? "'(' was never closed" : "'[' was never closed");
        return NULL;
    }
    return fail(s, "invalid syntax");
}

/* "a, b" up to the bracket, behind the first item; the node has it. */
static bool more_items(state *s, js_node *list, const char *bracket)
{
    while (!s->parser.status && eat(s, ",")) {
        if (is(s, bracket)) {
            break;
        }
        add(s, list, expression(s));
    }
    return !s->parser.status;
}

static const js_node *parenthesis(state *s)
{
    const char *opened = s->token.at;
    advance(s);
    js_node *tuple = node(s, JS_NODE_TUPLE, opened);
    if (is(s, ")")) {
        return closed(s, tuple, ")", opened);
    }
    const js_node *first = expression(s);
    if (!is(s, ",")) {
        return closed(s, first, ")", opened);
    }
    add(s, tuple, first);
    more_items(s, tuple, ")");
    return closed(s, tuple, ")", opened);
}

static const js_node *list(state *s)
{
    const char *opened = s->token.at;
    advance(s);
    js_node *made = node(s, JS_NODE_LIST, opened);
    if (!is(s, "]") && add(s, made, expression(s))) {
        more_items(s, made, "]");
    }
    return closed(s, made, "]", opened);
}

static const js_node *atom(state *s)
{
    const char *at = s->token.at;
    js_node *made;
    switch (s->token.kind) {
    case JS_TOKEN_NUMBER:
        made = node(s, JS_NODE_NUMBER, at);
        if (!made || js_parse_number(&s->parser, at, s->token.size, made)) {
            return NULL;
        }
        advance(s);
        return made;
    case JS_TOKEN_STRING:
        made = node(s, JS_NODE_TEXT, at);
        while (made && s->token.kind == JS_TOKEN_STRING) {
            if (js_parse_string(&s->parser, s->token.at, s->token.size, made)) {
                return NULL;
            }
            advance(s);
        }
        return made;
    case JS_TOKEN_NAME:
        if (is_keyword(&s->token)) {
            return fail(s, "invalid syntax");
        }
        made = node(s, JS_NODE_NAME, at);
        if (!made || !(made->text = name_text(s))) {
            return NULL;
        }
        if (is(s, "None") || is(s, "True") || is(s, "False")) {
            made->kind = is(s, "None") ? JS_NODE_CONSTANT : JS_NODE_NUMBER;
            made->number = (js_number){.type = JS_BOOL, .is_weak = true, .integer = is(s, "True")};
        }
        advance(s);
        return made;
    default:
        break;
    }
    if (is(s, "(")) {
        return parenthesis(s);
    }
    if (is(s, "[")) {
        return list(s);
    }
    if (is(s, "...")) {
        made = node(s, JS_NODE_CONSTANT, at);
        if (made) {
            made->text = "...";
        }
        advance(s);
        return made;
    }
    return fail(s, is(s, ")") ? "unmatched ')'" : is(s, "]") ? "unmatched ']'" : "invalid syntax");
}

static bool ends_slice(const state *s)
{
    return is(s, ":") || is(s, "]") || is(s, ",");
}

/* One item of a subscript: an expression or a slice. */
static const js_node *item(state *s)
{
    const char *at = s->token.at;
    const js_node *start = ends_slice(s) ? NULL : expression(s);
    if (s->parser.status || !is(s, ":")) {
        return start ? start : fail(s, "invalid syntax");
    }
    js_node *slice = node(s, JS_NODE_SLICE, at);
    add(s, slice, start);
    for (int part = 1; part < 3; part++) {
        bool has_colon = eat(s, ":");
        add(s, slice, has_colon && !ends_slice(s) ? expression(s) : NULL);
    }
    return slice;
}

static const js_node *subscript(state *s, const js_node *value)
{
    const char *opened = s->token.at;
    advance(s);
    if (is(s, "]")) {
        return fail(s, "invalid syntax");
    }
    const js_node *key = item(s);
    if (is(s, ",")) {
        js_node *tuple = node(s, JS_NODE_TUPLE, opened);
        add(s, tuple, key);
        while (!s->parser.status && eat(s, ",") && !is(s, "]")) {
            add(s, tuple, item(s));
        }
        key = tuple;
    }
    return closed(s, join(s, JS_NODE_SUBSCRIPT, 0, opened, value, key), "]", opened);
}

static const js_node *call(state *s, const js_node *function)
{
    const char *opened = s->token.at;
    js_node *made = node(s, JS_NODE_CALL, function ? s->parser.text + function->at : opened);
    advance(s);
    if (!made || !add(s, made, function)) {
        return NULL;
    }
    made->names = js_arena_alloc(s->parser.arena, (JS_TREE_ITEMS + 1) * sizeof *made->names);
    if (!made->names) {
        s->parser.status = JS_ENOMEM;
        return NULL;
    }
    while (!s->parser.status && !is(s, ")") && s->token.kind != JS_TOKEN_END) {
        js_token after = js_token_next(s->token.at + s->token.size);
        const char *name = NULL;
        if (s->token.kind == JS_TOKEN_NAME && js_token_is(&after, "=")) {
            name = name_text(s);
            advance(s);
            advance(s);
        } else if (made->count > 1 && made->names[made->count - 1]) {
            return fail(s, "positional argument follows keyword argument");
        }
        if (!add(s, made, expression(s))) {
            return NULL;
        }
        made->names[made->count - 1] = name;
        if (!eat(s, ",")) {
            break;
        }
    }
    return closed(s, made, ")", opened);
}

static const js_node *primary(state *s)
{
    const js_node *value = atom(s);
    while (!s->parser.status) {
        if (is(s, "[")) {
            value = subscript(s, value);
        } else if (is(s, "(")) {
            value = call(s, value);
        } else if (is(s, ".")) {
            const char *at = s->token.at;
            advance(s);
            if (s->token.kind != JS_TOKEN_NAME || is_keyword(&s->token)) {
                return fail(s, "invalid syntax");
            }
            js_node *made = node(s, JS_NODE_ATTRIBUTE, at);
            if (!made || !add(s, made, value) || !(made->text = name_text(s))) {
                return NULL;
            }
            advance(s);
            value = made;
        } else {
            return value;
        }
    }
    return NULL;
}

static bool enter(state *s)
{
    if (++s->parser.depth > 2 * JS_TREE_DEPTH) {
        fail(s, "too much in one expression");
    }
    return s->parser.status == JS_OK;
}

static const js_node *power(state *s);

static const js_node *unary(state *s)
{
    static const struct {
        const char *sign;
        js_operator op;
    } signs[] = {{"-", JS_NEG}, {"+", JS_POS}, {"~", JS_INVERT}};
    const char *at = s->token.at;
    for (size_t i = 0; i < 3; i++) {
        if (is(s, signs[i].sign)) {
            advance(s);
            const js_node *operand = enter(s) ? unary(s) : NULL;
            s->parser.depth--;
            return join(s, JS_NODE_UNARY, signs[i].op, at, operand, NULL);
        }
    }
    return power(s);
}

static const js_node *power(state *s)
{
    const js_node *base = primary(s);
    if (!s->parser.status && is(s, "**")) {
        const char *at = s->token.at;
        advance(s);
        const js_node *exponent = enter(s) ? unary(s) : NULL;
        s->parser.depth--;
        return join(s, JS_NODE_BINARY, JS_POW, at, base, exponent);
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

static const js_node *binary(state *s, unsigned level)
{
    if (level == LEVELS) {
        return unary(s);
    }
    const js_node *left = binary(s, level + 1);
    while (!s->parser.status) {
        size_t i = 0, count = sizeof operators / sizeof operators[0];
        while (i < count && (operators[i].level != level || !is(s, operators[i].sign))) {
            i++;
        }
        if (i == count) {
            return left;
        }
        const char *at = s->token.at;
        advance(s);
        left = join(s, JS_NODE_BINARY, operators[i].op, at, left, binary(s, level + 1));
    }
    return NULL;
}

static bool comparison_operator(state *s, js_operator *op)
{
    static const struct {
        const char *sign;
        js_operator op;
    } signs[] = {{"<", JS_LT},  {"<=", JS_LE}, {"==", JS_EQ}, {"!=", JS_NE},
                 {">=", JS_GE}, {">", JS_GT},  {"in", JS_IN}};
    for (size_t i = 0; i < sizeof signs / sizeof signs[0]; i++) {
        if (eat(s, signs[i].sign)) {
            *op = signs[i].op;
            return true;
        }
    }
    if (eat(s, "is")) {
        *op = eat(s, "not") ? JS_IS_NOT : JS_IS;
        return true;
    }
    js_token after = js_token_next(s->token.at + s->token.size);
    if (is(s, "not") && js_token_is(&after, "in")) {
        advance(s);
        advance(s);
        *op = JS_NOT_IN;
        return true;
    }
    return false;
}

static const js_node *comparison(state *s)
{
    const char *at = s->token.at;
    const js_node *left = binary(s, 0);
    js_operator op;
    if (s->parser.status || !comparison_operator(s, &op)) {
        return left;
    }
    js_node *made = node(s, JS_NODE_COMPARE, at);
    js_operator *found = js_arena_alloc(s->parser.arena, JS_TREE_ITEMS * sizeof *found);
    if (!made || !found) {
        s->parser.status = s->parser.status ? s->parser.status : JS_ENOMEM;
        return NULL;
    }
    made->operators = found;
    add(s, made, left);
    do {
        found[made->count - 1] = op;
    } while (add(s, made, binary(s, 0)) && made->count < JS_TREE_ITEMS && comparison_operator(s, &op));
    return s->parser.status ? NULL : made;
}

static const js_node *inversion(state *s)
{
    const char *at = s->token.at;
    if (!eat(s, "not")) {
        return comparison(s);
    }
    const js_node *operand = enter(s) ? inversion(s) : NULL;
    s->parser.depth--;
    return join(s, JS_NODE_NOT, 0, at, operand, NULL);
}

static const js_node *conjunction(state *s)
{
    const js_node *left = inversion(s);
    while (!s->parser.status && is(s, "and")) {
        const char *at = s->token.at;
        advance(s);
        left = join(s, JS_NODE_AND, 0, at, left, inversion(s));
    }
    return left;
}

static const js_node *disjunction(state *s)
{
    const js_node *left = conjunction(s);
    while (!s->parser.status && is(s, "or")) {
        const char *at = s->token.at;
        advance(s);
        left = join(s, JS_NODE_OR, 0, at, left, conjunction(s));
    }
    return left;
}

static const js_node *expression(state *s)
{
    const js_node *result = NULL;
    if (enter(s)) {
        result = disjunction(s);
        const char *at = s->token.at;
        if (!s->parser.status && eat(s, "if")) {
            js_node *choice = node(s, JS_NODE_IF, at);
            add(s, choice, disjunction(s));
            add(s, choice, result);
            if (!s->parser.status && !eat(s, "else")) {
                return fail(s, "expected 'else' after 'if' expression");
            }
            add(s, choice, s->parser.status ? NULL : expression(s));
            result = choice;
        }
    }
    s->parser.depth--;
    return s->parser.status ? NULL : result;
}

int js_tree_parse(js_arena *arena, const char *text, const js_node **out, js_text *why, size_t *at)
{
    state s = {.parser = {.arena = arena, .text = text, .why = why, .bad = (size_t)-1}};
    *out = NULL;
    if (strlen(text) > JS_TREE_TEXT) {
        js_text_put(why, "MemoryError: the expression is too long");
        return JS_ELIMIT;
    }
    s.token = js_token_next(text);
    const js_node *root = expression(&s);
    if (!s.parser.status && is(&s, ",")) { /* a tuple without parentheses */
        js_node *tuple = node(&s, JS_NODE_TUPLE, text);
        add(&s, tuple, root);
        while (!s.parser.status && eat(&s, ",") && s.token.kind != JS_TOKEN_END) {
            add(&s, tuple, expression(&s));
        }
        root = tuple;
    }
    if (!s.parser.status && s.token.kind != JS_TOKEN_END) {
        fail(&s, is(&s, ")") ? "unmatched ')'" : is(&s, "]") ? "unmatched ']'" : "invalid syntax");
    }
    *at = s.parser.bad;
    *out = root;
    return s.parser.status;
}
