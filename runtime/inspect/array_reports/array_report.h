/* Writes the report of an array: `jit array`. */
#ifndef JS_ARRAY_REPORTS_ARRAY_REPORT_H
#define JS_ARRAY_REPORTS_ARRAY_REPORT_H

#include "expressions/lazy/surroundings.h"
#include "values/base/array_place.h"

/* The parts of a report that are wanted; texts may be NULL. */
typedef struct js_array_request {
    const char *slice;      /* "2:5, ::2": a part of the expression's value */
    const char *where;      /* a condition in which x is the array, whose true elements are listed */
    const char *other;      /* an expression that the array is compared with */
    const char *save;       /* path of a file for the elements: as text if it ends in .csv, else as .npy */
    unsigned columns, rows; /* size of a plot; 0: none */
    unsigned limit;         /* most indices that `where` lists */
    int members;            /* other than 0: the bytes of the descriptor too */
    uint64_t most;          /* elements, beyond which there are no statistics and no plot; 0: no limit */
} js_array_request;

/* Write the members of the JSON of docs/schema/array.json, without the braces, or "name", "error" and
 * "offset". *place: where the array's elements lie. */
int js_array_put(const js_surroundings *surroundings, const char *expression, const js_array_request *request,
                 const js_render_options *options, js_text *out, js_array_place *place);

/* Like js_array_put(), for callers that hold only pointers (gdbext, by ctypes). `variables` are those of
 * js_api_evaluate(). *out, the JSON, is freed with js_free. */
struct js_api_variable;
JS_API int js_api_array(js_types *types, js_bytes *bytes, const struct js_api_variable *variables,
                        size_t count, const char *expression, const js_array_request *request,
                        const js_render_options *options, js_progress_fn progress, void *context, char **out);
#endif
