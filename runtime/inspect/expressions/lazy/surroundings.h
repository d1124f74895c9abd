/* The surroundings of an expression: its variables, its types and its memory. Callers of expressions/ fill
 * them in. */
#ifndef JS_EXPRESSIONS_LAZY_SURROUNDINGS_H
#define JS_EXPRESSIONS_LAZY_SURROUNDINGS_H

#include "values/base/value.h"

/* Gives the value of a variable, which the evaluation owns from then on. JS_ENOTFOUND: there is none of this
 * name; any other error: `why` gets a line that says why it has no value. */
typedef int (*js_name_fn)(void *context, const char *name, js_value *out, js_text *why);
/* Called now and then with the number of elements that are done and of all. Other than 0: stop, with
 * JS_ECANCEL. */
typedef int (*js_progress_fn)(void *context, uint64_t done, uint64_t total);

typedef struct js_surroundings {
    js_types *types;
    js_bytes *bytes; /* NULL: nothing can be read */
    js_name_fn name;
    void *name_context;
    js_progress_fn poll; /* may be NULL */
    void *poll_context;
} js_surroundings;

#endif
