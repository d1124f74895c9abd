/* Parses expressions, by recursive descent. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_FRONT_PARSE_H
#define JS_EXPRESSIONS_FRONT_PARSE_H

#include "expressions/front/lex.h"
#include "expressions/front/tree.h"

/* The state of a parse. */
typedef struct js_parser {
    js_arena *arena;
    const char *text;
    struct js_text *why;
    size_t bad; /* byte of the error */
    int status; /* the first error; from then on functions that make nodes return NULL */
    unsigned depth;
    js_token token; /* the next token */
} js_parser;

/* Report an error at this place of the text, unless there is one already; returns the status. */
int js_parse_fail(js_parser *parser, const char *at, const char *why);
/* Report the error that the next token is not what is expected here; returns NULL. */
const js_node *js_parse_expected(js_parser *parser, const char *why);
/* Report the error that the next token is not allowed here, by the name of what it begins where Python knows
 * that; returns NULL. */
const js_node *js_parse_unexpected(js_parser *parser);

/* Go on to the next token; true if the next token is `text`. */
void js_parse_advance(js_parser *parser);
bool js_parse_is(const js_parser *parser, const char *text);
/* Skip the token if it is `text`; false: it is another. */
bool js_parse_eat(js_parser *parser, const char *text);
/* Return a copy of the token's text; NULL: there is no memory. */
const char *js_parse_name(js_parser *parser);
/* Enter a level of nesting: increase `depth`, which the caller decreases. False: the limit is reached. */
bool js_parse_enter(js_parser *parser);

/* Make a node without items; add an item to one. */
js_node *js_parse_node(js_parser *parser, js_node_kind kind, const char *at);
bool js_parse_add(js_parser *parser, js_node *to, const js_node *item);
/* Add an argument to a call, or the function itself as its first item. `name`: that of a keyword argument,
 * else NULL. */
bool js_parse_add_argument(js_parser *parser, js_node *call, const js_node *argument, const char *name);
/* Return a list with room for one more after its `count` items of this size: the list itself, or at each
 * power of two a copy that is twice as long. NULL: there is no memory. */
void *js_parse_grow(js_parser *parser, void *list, size_t count, size_t size);
/* Make a node of one item, or of two if `b` is not NULL. */
const js_node *js_parse_join(js_parser *parser, js_node_kind kind, js_operator op, const char *at,
                             const js_node *a, const js_node *b);

/* grammar.c: Parse all that may be between brackets and commas. */
const js_node *js_parse_expression(js_parser *parser);
/* literals.c: Read the number or the characters of a token into a node. */
int js_parse_number(js_parser *parser, const char *at, size_t size, js_node *node);
int js_parse_string(js_parser *parser, const char *at, size_t size, js_node *node);
#endif
