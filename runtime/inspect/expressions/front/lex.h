/* Splits an expression into tokens. Internal to expressions/. */
#ifndef JS_EXPRESSIONS_FRONT_LEX_H
#define JS_EXPRESSIONS_FRONT_LEX_H

#include <stdbool.h>
#include <stddef.h>

typedef enum js_token_kind {
    JS_TOKEN_END,
    JS_TOKEN_NAME, /* keywords too */
    JS_TOKEN_NUMBER,
    JS_TOKEN_STRING, /* with prefix and quotes */
    JS_TOKEN_SIGN,   /* operators and brackets */
    JS_TOKEN_BAD,
} js_token_kind;

/* The error text for a form that Python has and expressions here do not. */
#define JS_NOT_SUPPORTED(form) form " not supported in an expression; 'help jit print' lists what is"

/* A token: `size` bytes of the expression. */
typedef struct js_token {
    js_token_kind kind;
    const char *at;
    size_t size;
    const char *why; /* JS_TOKEN_BAD: Python's message */
} js_token;

/* Return the first token from `at` on; blanks are skipped. */
js_token js_token_next(const char *at);
/* True if the token is this text; true if it is a keyword of Python. */
bool js_token_is(const js_token *token, const char *text);
bool js_token_is_keyword(const js_token *token);
#endif
