/* The scope of a frame, where names of an expression are looked up. Used by all of queries/ and by elements/.
 */
#ifndef JS_PROGRAM_QUERIES_SCOPE_H
#define JS_PROGRAM_QUERIES_SCOPE_H

#include "program/model/frame.h"
#include "program/model/objects.h"

/* The function that a frame runs, or the code inlined there, which has variables of its own. */
typedef struct js_scope {
    const js_function *function;
    const js_inline *item; /* NULL: the function itself */
    const js_local *locals;
    size_t nlocals;
} js_scope;

/* Find the frame's scope. False: no compiled function is at the frame's pc. In stock code the scope is always
 * the function. */
bool js_scope_init(js_scope *scope, const js_program *program, const js_frame *frame);
/* Return the local of this name (`length` bytes), or NULL. */
const js_local *js_scope_local(const js_scope *scope, const char *name, size_t length);

#endif
