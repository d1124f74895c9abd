/* Classes of native frames, by which those are found that a Python programmer does not want to see. */
#ifndef JS_STACKS_FOLDING_H
#define JS_STACKS_FOLDING_H

#include "bytes/status.h"

typedef enum js_frame_class {
    JS_FRAME_NATIVE,      /* the user's own: a library, an extension, libc */
    JS_FRAME_EVALUATION,  /* runs Python frames */
    JS_FRAME_INTERPRETER, /* the rest of the interpreter, and what starts a thread */
    JS_FRAME_DISPATCHER,
    JS_FRAME_POOL,
    JS_FRAME_RUNTIME, /* jitscope's own */
} js_frame_class;

/* `path`: the file that the code comes from; NULL or "": not known. `name`: the function's; NULL: it has
 * none. */
JS_API js_frame_class js_frame_classify(const char *path, const char *name);

/* As js_cpython_phase. */
JS_API const char *js_frame_phase(const char *name);

#endif
