/* The parser of an expression: its position, its errors, and the nodes that it makes. */
#include "expressions/front/parse.h"

#include <string.h>

int js_parse_fail(js_parser *parser, const char *at, const char *why)
{
    if (parser->status == JS_OK) {
        parser->status = JS_EBAD;
        parser->bad = (size_t)(at - parser->text);
        js_text_printf(parser->why, "SyntaxError: %s", why);
    }
    return parser->status;
}

/* True if an item of a list, a tuple or a call begins here. */
static bool begins_item(const js_parser *s)
{
    const char *before = s->token.at;
    while (before > s->text && (before[-1] == ' ' || before[-1] == '\t')) {
        before--;
    }
    return before == s->text || strchr("([{,", before[-1]);
}

/* Return the name of the form that begins here if Python's grammar has it and that of expressions here does
 * not. */
static const char *not_supported(const js_parser *s)
{
    static const struct {
        const char *token, *why;
    } known[] = {
        {"for", JS_NOT_SUPPORTED("comprehensions are")}, {"async", JS_NOT_SUPPORTED("comprehensions are")},
        {"lambda", JS_NOT_SUPPORTED("lambda is")},       {"await", JS_NOT_SUPPORTED("await is")},
        {"yield", JS_NOT_SUPPORTED("yield is")},         {":=", JS_NOT_SUPPORTED("':=' is")},
        {"=", JS_NOT_SUPPORTED("assignment (=) is")},    {"{", JS_NOT_SUPPORTED("a dictionary or a set is")},
    };
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (js_parse_is(s, known[i].token)) {
            return known[i].why;
        }
    }
    bool is_starred = (js_parse_is(s, "*") || js_parse_is(s, "**")) && begins_item(s);
    return is_starred ? JS_NOT_SUPPORTED("unpacking with * is") : NULL;
}

const js_node *js_parse_unexpected(js_parser *s)
{
    const char *why = not_supported(s);
    return js_parse_expected(s, why                   ? why
                                : js_parse_is(s, ")") ? "unmatched ')'"
                                : js_parse_is(s, "]") ? "unmatched ']'"
                                                      : "invalid syntax");
}

const js_node *js_parse_expected(js_parser *s, const char *why)
{
    const js_token *token = &s->token;
    js_parse_fail(s, token->at, token->kind == JS_TOKEN_BAD ? token->why : why);
    return NULL;
}

void js_parse_advance(js_parser *s)
{
    s->token = js_token_next(s->token.at + s->token.size);
}

bool js_parse_is(const js_parser *s, const char *text)
{
    return js_token_is(&s->token, text);
}

bool js_parse_eat(js_parser *s, const char *text)
{
    if (!js_parse_is(s, text)) {
        return false;
    }
    js_parse_advance(s);
    return true;
}

js_node *js_parse_node(js_parser *s, js_node_kind kind, const char *at)
{
    js_node *made = s->status ? NULL : js_arena_alloc(s->arena, sizeof *made);
    if (!made) {
        s->status = s->status ? s->status : JS_ENOMEM;
        return NULL;
    }
    made->kind = kind;
    made->at = (size_t)(at - s->text);
    return made;
}

void *js_parse_grow(js_parser *s, void *list, size_t count, size_t size)
{
    if (count & (count - 1)) {
        return list;
    }
    void *grown = js_arena_alloc(s->arena, (count ? 2 * count : 1) * size);
    if (!grown) {
        s->status = JS_ENOMEM;
    } else if (count) {
        memcpy(grown, list, count * size);
    }
    return grown;
}

bool js_parse_add(js_parser *s, js_node *to, const js_node *item)
{
    if (s->status || !to) {
        return false;
    }
    if (to->count == JS_TREE_ITEMS || (item && item->depth >= JS_TREE_DEPTH)) {
        js_parse_expected(s, "too much in one expression");
        return false;
    }
    to->items = js_parse_grow(s, (void *)to->items, to->count, sizeof *to->items);
    if (!to->items) {
        return false;
    }
    to->items[to->count++] = item;
    if (item && to->depth <= item->depth) {
        to->depth = item->depth + 1;
    }
    return true;
}

bool js_parse_add_argument(js_parser *s, js_node *call, const js_node *argument, const char *name)
{
    size_t before = call->count;
    if (!js_parse_add(s, call, argument)) {
        return false;
    }
    call->names = js_parse_grow(s, (void *)call->names, before, sizeof *call->names);
    if (call->names) {
        call->names[before] = name;
    }
    return call->names != NULL;
}

const js_node *js_parse_join(js_parser *s, js_node_kind kind, js_operator op, const char *at,
                             const js_node *a, const js_node *b)
{
    js_node *made = js_parse_node(s, kind, at);
    if (!made || !js_parse_add(s, made, a) || (b && !js_parse_add(s, made, b))) {
        return NULL;
    }
    made->op = op;
    return made;
}

const char *js_parse_name(js_parser *s)
{
    char *text = js_arena_strndup(s->arena, s->token.at, s->token.size);
    if (!text) {
        s->status = JS_ENOMEM;
    }
    return text;
}

bool js_parse_enter(js_parser *s)
{
    if (++s->depth > 2 * JS_TREE_DEPTH) {
        js_parse_expected(s, "too much in one expression");
    }
    return s->status == JS_OK;
}

bool js_tree_is_range(const js_node *node)
{
    return node->kind == JS_NODE_CALL && node->items[0]->kind == JS_NODE_NAME &&
           strcmp(node->items[0]->text, "range") == 0 && node->count >= 2 && node->count <= 4;
}
