/* Everything there is to say of one array: `jit array`. */
#ifndef JS_ARRAY_REPORTS_ARRAY_REPORT_H
#define JS_ARRAY_REPORTS_ARRAY_REPORT_H

#include "expressions/lazy/surroundings.h"
#include "values/base/array_place.h"

/* The parts of a report that are wanted; texts may be NULL. */
typedef struct js_array_request {
    const char *slice;      /* "2:5, ::2": of the expression's value */
    const char *where;      /* a condition, in which x is the array */
    const char *other;      /* an expression that the array is compared with */
    const char *save;       /* path of a file; its elements as .npy or, when it ends in .csv, as text */
    unsigned columns, rows; /* size of a plot; 0: none */
    unsigned limit;         /* indices that `where` gives at most */
    int members;            /* the descriptor's bytes too */
} js_array_request;

/* Members of the JSON of docs/schema/array.json, without the braces; or "name", "error" and "offset". */
int js_array_put(const js_surroundings *surroundings, const char *expression, const js_array_request *request,
                 const js_render_options *options, js_text *out, js_array_place *place);

/* For callers that hold only pointers (ctypes); `variables` as js_api_evaluate's. */
struct js_api_variable;
JS_API int js_api_array(js_types *types, js_bytes *bytes, const struct js_api_variable *variables,
                        size_t count, const char *expression, const js_array_request *request,
                        const js_render_options *options, js_progress_fn progress, void *context, char **out);
#endif
