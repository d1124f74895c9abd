/* The variables of a frame, as an expression sees them. */
#ifndef JS_PROGRAM_QUERIES_NAMESPACE_H
#define JS_PROGRAM_QUERIES_NAMESPACE_H

#include "expressions/lazy/surroundings.h"
#include "program/queries/scope.h"
#include "program/queries/variable_at.h"

/* A frame's variables for an expression; one that is not exact gives its label. */
typedef struct js_namespace {
    const js_scope *scope;
    const js_frame *frame;
    const char *expression;
    js_program *program; /* js_namespace_surroundings sets it */
} js_namespace;
/* Return the surroundings of an expression over them; `in` must outlive these. `data`: where elements are
 * read, NULL: where the frame's memory is. */
js_surroundings js_namespace_surroundings(js_namespace *in, js_program *program, js_bytes *data,
                                          js_progress_fn progress, void *context);

/* The variable of that name, of the frame, or where it has no value there, of the function that started the
 * loop. JS_ENOTFOUND: there is none. */
int js_namespace_find(const js_program *program, const js_scope *own, const js_frame *frame, const char *name,
                      js_sight *out);

#endif
