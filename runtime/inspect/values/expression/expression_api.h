/* Expressions for callers that hold only pointers, integers and strings (ctypes). */
#ifndef JS_VALUES_EXPRESSION_API_H
#define JS_VALUES_EXPRESSION_API_H

#include "values/expression/expression.h"

typedef struct js_api_variable {
    const char *name, *type;
    const void *contents;
    size_t size;
} js_api_variable;

/* {"type", "state", "value", "text"} or {"error", "offset" (null, or a byte)}; freed with js_free. */
JS_API int js_api_evaluate(js_types *types, js_bytes *bytes, const js_api_variable *variables, size_t count,
                           const char *expression, const js_render_options *options, js_progress_fn poll,
                           void *poll_context, char **out);

/* The value of the variable of this name; JS_ENOTFOUND. */
int js_api_variable_find(js_types *types, const js_api_variable *variables, size_t count, const char *name,
                         js_value *out);

/* The same members, without the braces, into a text; JS_ECANCEL alone is an error. */
int js_expression_put(const js_surroundings *surroundings, const char *expression,
                      const js_render_options *options, js_text *out);
#endif
