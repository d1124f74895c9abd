/* Expressions for callers that hold only pointers, integers and strings (ctypes). */
#ifndef JS_EXPRESSIONS_API_EXPRESSION_API_H
#define JS_EXPRESSIONS_API_EXPRESSION_API_H

#include "expressions/lazy/surroundings.h"

typedef struct js_api_variable {
    const char *name, *type;
    const void *contents;
    size_t size;
} js_api_variable;

/* {"type", "state", "value", "text"} or {"error", "offset" (null, or a byte)}; freed with js_free. */
JS_API int js_api_evaluate(js_types *types, js_bytes *bytes, const js_api_variable *variables, size_t count,
                           const char *expression, const js_render_options *options, js_progress_fn poll,
                           void *poll_context, char **out);

/* Given variables, and the surroundings of an expression over them; the variables must outlive these. */
typedef struct js_api_variables {
    js_types *types;
    const js_api_variable *at;
    size_t count;
} js_api_variables;
js_surroundings js_api_surroundings(js_api_variables *variables, js_bytes *bytes, js_progress_fn poll,
                                    void *poll_context);

/* The members of js_api_evaluate's, without the braces, into a text; JS_ECANCEL alone is an error. */
int js_expression_put(const js_surroundings *surroundings, const char *expression,
                      const js_render_options *options, js_text *out);
#endif
