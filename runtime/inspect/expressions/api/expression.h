/* What is the value of this Python expression? Evaluated here, on memory that is read: nothing runs in the
 * target. Arrays that are computed stay unevaluated until elements are asked for, a chunk a time. */
#ifndef JS_EXPRESSIONS_API_EXPRESSION_H
#define JS_EXPRESSIONS_API_EXPRESSION_H

#include "values/value.h"

/* The value of a variable, which the callee owns afterwards. JS_ENOTFOUND: there is none of this name; any
 * other error: `why` says in a line why it is not to be had. */
typedef int (*js_name_fn)(void *context, const char *name, js_value *out, js_text *why);
/* Called now and then with elements done and elements in all; other than 0: give up (JS_ECANCEL). */
typedef int (*js_progress_fn)(void *context, uint64_t done, uint64_t total);

typedef struct js_surroundings {
    js_types *types;
    js_bytes *bytes; /* NULL: nothing can be read */
    js_name_fn name;
    void *name_context;
    js_progress_fn poll; /* may be NULL */
    void *poll_context;
} js_surroundings;

typedef struct js_expression js_expression;

/* The value of `text`. On error `why` receives one line as Python would say it ("IndexError: …"), or a label
 * ("<optimized out>"); *at is the byte in `text` where a SyntaxError is, else SIZE_MAX. */
JS_API int js_expression_create(const js_surroundings *surroundings, const char *text, js_expression **out,
                                js_text *why, size_t *at);
JS_API void js_expression_destroy(js_expression *expression);

/* The JIT's text of its type, or Python's name for what the JIT has no type for ("list"). */
JS_API const char *js_expression_type(const js_expression *expression);
/* As js_value_render_text and js_value_render_json; errors of the evaluation go to `why`. */
JS_API int js_expression_text(js_expression *expression, const js_render_options *options, js_text *out,
                              bool *exact, js_text *why);
JS_API int js_expression_json(js_expression *expression, js_text *out, bool *exact, js_text *why);
/* bool() of it, as Python has it. On error `why` receives one line as Python would say it. */
JS_API int js_expression_truth(js_expression *expression, bool *out, js_text *why);

#endif
