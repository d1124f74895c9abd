/* Evaluates Python expressions here, on memory that is read: nothing runs in the target. Arrays that are
 * computed stay unevaluated until elements are asked for, a chunk at a time. */
#ifndef JS_EXPRESSIONS_API_EXPRESSION_H
#define JS_EXPRESSIONS_API_EXPRESSION_H

#include "expressions/lazy/surroundings.h"

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
