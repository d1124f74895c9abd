/* The functions of expressions/ for callers that hold only pointers, integers and strings: gdbext, by ctypes.
 */
#ifndef JS_EXPRESSIONS_API_EXPRESSION_API_H
#define JS_EXPRESSIONS_API_EXPRESSION_API_H

#include "expressions/lazy/surroundings.h"

/* A variable that the expression may name: its name, its type's text, and the `size` bytes of its value. */
typedef struct js_api_variable {
    const char *name, *type;
    const void *contents;
    size_t size;
} js_api_variable;

/* Evaluate an expression, and give {"type", "state", "value", "text"}, or {"error", "offset"}, where "offset"
 * is the byte of a SyntaxError or null. *out is freed with js_free. JS_ECANCEL: `poll` asked to stop. */
JS_API int js_api_evaluate(js_types *types, js_bytes *bytes, const js_api_variable *variables, size_t count,
                           const char *expression, const js_render_options *options, js_progress_fn poll,
                           void *poll_context, char **out);

/* Variables that are given to an expression, and the surroundings of an expression over them, which borrow
 * `variables`. */
typedef struct js_api_variables {
    js_types *types;
    const js_api_variable *at;
    size_t count;
} js_api_variables;
js_surroundings js_api_surroundings(js_api_variables *variables, js_bytes *bytes, js_progress_fn poll,
                                    void *poll_context);

/* Append the members of js_api_evaluate's result, without the braces. Of the evaluation's errors only
 * JS_ECANCEL is returned. */
int js_expression_put(const js_surroundings *surroundings, const char *expression,
                      const js_render_options *options, js_text *out);
#endif
