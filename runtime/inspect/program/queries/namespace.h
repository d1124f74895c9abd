/* The variables of a frame as an expression sees them, for print.c, arrays.c and condition.c. */
#ifndef JS_PROGRAM_QUERIES_NAMESPACE_H
#define JS_PROGRAM_QUERIES_NAMESPACE_H

#include "expressions/lazy/surroundings.h"
#include "program/queries/scope.h"
#include "program/queries/variable_at.h"

/* A frame's variables for an expression. A variable that is not exact is an error with the variable's label.
 */
typedef struct js_namespace {
    const js_scope *scope;
    const js_frame *frame;
    const char *expression;
    js_program *program; /* js_namespace_surroundings sets it */
} js_namespace;
/* Return the surroundings of an expression over these variables; `in` must outlive them. `data` reads
 * elements; NULL: the frame's memory. `progress`, which may be NULL, is called with `context`. */
js_surroundings js_namespace_surroundings(js_namespace *in, js_program *program, js_bytes *data,
                                          js_progress_fn progress, void *context);

/* Find the variable of this name in the frame; if it has no value there, in the function that started the
 * parallel loop. After JS_OK the caller releases `out` by js_sight_deinit(). JS_ENOTFOUND: there is none. */
int js_namespace_find(const js_program *program, const js_scope *own, const js_frame *frame, const char *name,
                      js_found_variable *out);

#endif
