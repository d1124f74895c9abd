/* Recognises native frames between a Python call and compiled code: the dispatcher that chose the code, and
 * the pools of threads that run parallel loops. stacks/folding.c folds these frames in `jit bt`. */
#ifndef JS_PROGRAM_NAMES_NUMBA_FRAME_KINDS_H
#define JS_PROGRAM_NAMES_NUMBA_FRAME_KINDS_H

#include <stdbool.h>

#include "bytes/status.h"

typedef enum js_numba_frame {
    JS_NUMBA_FRAME_NONE, /* no frame of Numba's */
    JS_NUMBA_FRAME_DISPATCHER,
    JS_NUMBA_FRAME_POOL,
} js_numba_frame;

/* Return the kind of a frame by the file that its code comes from. */
js_numba_frame js_numba_frame_in_file(const char *path);
/* Return the kind of a frame by its function's name, for builds that link these sources into other files. */
js_numba_frame js_numba_frame_of_name(const char *name);

/* True for a compiled function that asks for a stop on behalf of its caller (numba/misc/special.py); true for
 * the file of a Python function that does. */
JS_API bool js_numba_asks(const char *function);
bool js_numba_file_asks(const char *path);

/* Return the threading layer that a file's code belongs to, as NUMBA_THREADING_LAYER names it; NULL: none. */
JS_API const char *js_numba_layer(const char *path);

#endif
