/* Evaluates Python expressions on memory that is read: no code runs in the target. Arrays that are computed
 * stay unevaluated until elements are asked for, a chunk at a time. The entry of expressions/ for the rest of
 * the library. */
#ifndef JS_EXPRESSIONS_API_EXPRESSION_H
#define JS_EXPRESSIONS_API_EXPRESSION_H

#include "expressions/lazy/surroundings.h"

typedef struct js_expression js_expression;

/* Evaluate `text`; the caller frees *out with js_expression_destroy. On an error `why` gets one line as
 * Python would write it ("IndexError: …"), or a label ("<optimized out>"); *at is the byte in `text` of a
 * SyntaxError, else SIZE_MAX. */
JS_API int js_expression_create(const js_surroundings *surroundings, const char *text, js_expression **out,
                                js_text *why, size_t *at);
JS_API void js_expression_destroy(js_expression *expression);

/* Return the JIT's text of the value's type, or Python's name of it if the JIT has no such type ("list").
 * Valid as long as the expression. */
JS_API const char *js_expression_type(const js_expression *expression);
/* Write the value like js_value_render_text() and js_value_render_json(). Errors of the evaluation go to
 * `why`. */
JS_API int js_expression_text(js_expression *expression, const js_render_options *options, js_text *out,
                              bool *exact, js_text *why);
JS_API int js_expression_json(js_expression *expression, js_text *out, bool *exact, js_text *why);
/* Give Python's bool() of the value. On an error `why` gets one line as Python would write it. */
JS_API int js_expression_truth(js_expression *expression, bool *out, js_text *why);

#endif
