/* Sorts native frames into classes, so that those which a Python programmer does not want to see can be
 * folded. Called by gdbext for `jit bt`. */
#ifndef JS_STACKS_FOLDING_H
#define JS_STACKS_FOLDING_H

#include <stdbool.h>

#include "bytes/status.h"

typedef enum js_frame_class {
    JS_FRAME_NATIVE,      /* the user's code, a library, an extension module, libc */
    JS_FRAME_EVALUATION,  /* runs Python frames */
    JS_FRAME_INTERPRETER, /* other code of the interpreter, and code that starts a thread */
    JS_FRAME_DISPATCHER,  /* Numba's dispatcher */
    JS_FRAME_POOL,        /* a thread pool that runs parallel loops */
    JS_FRAME_RUNTIME,     /* jitscope's library in the program */
} js_frame_class;

/* Return the class of a frame. `path`: the file of its code; NULL or "": not known. `name`: its function;
 * NULL: not known. */
JS_API js_frame_class js_frame_classify(const char *path, const char *name);

/* True for the file of a Python function that asks for a stop on behalf of its caller. */
JS_API bool js_frame_asks(const char *path);

/* Return what the interpreter does in a function of this name; NULL: the name does not say
 * (js_cpython_phase). */
JS_API const char *js_frame_phase(const char *name);

#endif
