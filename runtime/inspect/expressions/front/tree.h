/* A Python expression as a tree, which `jit print`, conditions and the formulas of the source
 * (program/source/formula.h) evaluate. */
#ifndef JS_EXPRESSIONS_FRONT_TREE_H
#define JS_EXPRESSIONS_FRONT_TREE_H

#include <stdint.h>

#include "expressions/numbers/number.h"
#include "expressions/numbers/operator.h"

enum {
    JS_TREE_DEPTH = 100, /* most nesting of the tree */
    JS_TREE_ITEMS = 256, /* most items of one tuple, list, call or subscript */
    JS_TREE_TEXT = 1 << 16,
};

typedef enum js_node_kind {
    JS_NODE_NUMBER,
    JS_NODE_TEXT,
    JS_NODE_CONSTANT, /* None, Ellipsis: `text` says which */
    JS_NODE_NAME,
    JS_NODE_TUPLE,
    JS_NODE_LIST,
    JS_NODE_ATTRIBUTE, /* items[0], text */
    JS_NODE_SUBSCRIPT, /* items[0], items[1] */
    JS_NODE_SLICE,     /* items[0..2]; NULL where left out */
    JS_NODE_CALL, /* items[0] is called, the arguments follow; `names` has the names of keyword arguments */
    JS_NODE_UNARY,
    JS_NODE_BINARY,
    JS_NODE_COMPARE, /* `items` are the operands, `operators` are between them */
    JS_NODE_AND,
    JS_NODE_OR,
    JS_NODE_NOT,
    JS_NODE_IF, /* condition, then, else */
} js_node_kind;

typedef struct js_node js_node;
struct js_node {
    js_node_kind kind;
    js_operator op;
    unsigned depth;
    size_t at; /* byte in the expression's text */
    js_number number;
    const char *text; /* a name, or the text of a number with the minus before it; JS_NODE_TEXT has `codes` */
    const uint32_t *codes;
    size_t ncodes;
    bool is_bytes;
    const js_node **items;
    const char **names;
    js_operator *operators;
    size_t count;
};

/* True for range(…), which is allowed only as the right operand of `in`, because a range cannot be shown. */
bool js_tree_is_range(const js_node *node);

/* Parse `text` into a tree in the arena. JS_EBAD: `why` gets "SyntaxError: …", and *at the byte. */
int js_tree_parse(js_arena *arena, const char *text, const js_node **out, js_text *why, size_t *at);
#endif
