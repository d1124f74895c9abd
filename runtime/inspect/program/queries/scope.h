/* What a frame runs: a function, or code that was inlined there. */
#ifndef JS_PROGRAM_QUERIES_SCOPE_H
#define JS_PROGRAM_QUERIES_SCOPE_H

#include "program/model/frame.h"
#include "program/model/objects.h"

/* What a frame runs: a function, or code that was inlined there, which has variables of its own. */
typedef struct js_scope {
    const js_function *function;
    const js_inline *item; /* NULL: the function itself */
    const js_local *locals;
    size_t nlocals;
} js_scope;

/* False: no compiled function is there. */
bool js_scope_init(js_scope *scope, const js_program *program, const js_frame *frame);
const js_local *js_scope_local(const js_scope *scope, const char *name, size_t length);

#endif
