/* Atoms, and what may stand behind them: subscripts, calls, attributes. */
#include "expressions/front/parse.h"

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

static const js_node *closed(js_parser *s, const js_node *inside, const char *bracket, const char *opened)
{
    if (s->status || js_parse_eat(s, bracket)) {
        return s->status ? NULL : inside;
    }
    if (s->token.kind == JS_TOKEN_END) {
        js_parse_fail(s, opened, *opened == '(' ? "'(' was never closed" : "'[' was never closed");
        return NULL;
    }
    return js_parse_expected(s, "invalid syntax");
}

/* "a, b" up to the bracket, behind the first item; the node has it. */
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
        if (!made || js_parse_number(s, at, s->token.size, made)) {
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
        if (is_keyword(&s->token)) {
            return js_parse_expected(s, "invalid syntax");
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
    return js_parse_expected(s, js_parse_is(s, ")")   ? "unmatched ')'"
                                : js_parse_is(s, "]") ? "unmatched ']'"
                                                      : "invalid syntax");
}

static bool ends_slice(const js_parser *s)
{
    return js_parse_is(s, ":") || js_parse_is(s, "]") || js_parse_is(s, ",");
}

/* One item of a subscript: an expression or a slice. */
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
    if (!made || !js_parse_add(s, made, function)) {
        return NULL;
    }
    made->names = js_arena_alloc(s->arena, (JS_TREE_ITEMS + 1) * sizeof *made->names);
    if (!made->names) {
        s->status = JS_ENOMEM;
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
        if (!js_parse_add(s, made, js_parse_expression(s))) {
            return NULL;
        }
        made->names[made->count - 1] = name;
        if (!js_parse_eat(s, ",")) {
            break;
        }
    }
    return closed(s, made, ")", opened);
}

const js_node *js_parse_primary(js_parser *s)
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
            if (s->token.kind != JS_TOKEN_NAME || is_keyword(&s->token)) {
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
