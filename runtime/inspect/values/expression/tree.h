/* An expression as a tree. Internal to expression/. */
#ifndef JS_EXPRESSION_TREE_H
#define JS_EXPRESSION_TREE_H

#include <stdint.h>

#include "bytes/arena.h"
#include "bytes/text.h"
#include "values/expression/number.h"

enum {
    JS_TREE_DEPTH = 100, /* nesting of the tree */
    JS_TREE_ITEMS = 256, /* of one tuple, list, call or subscript */
    JS_TREE_TEXT = 1 << 16,
};

typedef enum js_operator {
    JS_ADD,
    JS_SUB,
    JS_MUL,
    JS_DIV,
    JS_FLOORDIV,
    JS_MOD,
    JS_POW,
    JS_MATMUL,
    JS_LSHIFT,
    JS_RSHIFT,
    JS_AND,
    JS_OR,
    JS_XOR, /* binary */
    JS_LT,
    JS_LE,
    JS_EQ,
    JS_NE,
    JS_GE,
    JS_GT, /* comparisons */
    JS_IN,
    JS_NOT_IN,
    JS_IS,
    JS_IS_NOT, /* comparisons that are no ufuncs */
    JS_NEG,
    JS_POS,
    JS_INVERT,
    JS_ABS,
    JS_ISNAN,
    JS_ISINF,
    JS_ISFINITE,
    JS_REAL,
    JS_IMAG,
    JS_CAST,
    JS_ROUND,
    JS_CONJ,
    JS_SQUARE,
    JS_SIGN, /* of one operand */
    JS_SQRT,
    JS_EXP,
    JS_EXP2,
    JS_EXPM1,
    JS_LOG,
    JS_LOG2,
    JS_LOG10,
    JS_LOG1P,
    JS_SIN,
    JS_COS,
    JS_TAN,
    JS_ARCSIN,
    JS_ARCCOS,
    JS_ARCTAN,
    JS_SINH,
    JS_COSH,
    JS_TANH,
    JS_CBRT,
    JS_FLOOR,
    JS_CEIL,
    JS_TRUNC, /* of a float */
    JS_MAXIMUM,
    JS_MINIMUM, /* of two of a type */
    JS_HYPOT,
    JS_ARCTAN2,
    JS_FMOD,
    JS_COPYSIGN, /* of two floats */
    JS_WHERE,    /* of three */
    JS_OPERATORS,
} js_operator;

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
    JS_NODE_CALL,      /* items[0], arguments behind; names of keyword arguments in `names` */
    JS_NODE_UNARY,
    JS_NODE_BINARY,
    JS_NODE_COMPARE, /* items: operands; operators: between them */
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
    const char *text; /* of names; JS_NODE_TEXT: UTF-8 is decoded to `codes` */
    const uint32_t *codes;
    size_t ncodes;
    bool is_bytes;
    const js_node **items;
    const char **names;
    js_operator *operators;
    size_t count;
};

/* Is it range(…)? Known as what `in` looks into only: nothing shows a range. */
bool js_tree_is_range(const js_node *node);

/* JS_EBAD: `why` has "SyntaxError: …" and *at the byte. */
int js_tree_parse(js_arena *arena, const char *text, const js_node **out, js_text *why, size_t *at);
#endif
