/* What the wrapper that Python calls still holds of a function's arguments while that runs. */
#ifndef JS_PROGRAM_MACHINE_CALLER_FRAME_H
#define JS_PROGRAM_MACHINE_CALLER_FRAME_H

#include <stdint.h>

#include "bytes/arena.h"

struct js_function;

enum { JS_CALLER_ARGUMENTS = 64, JS_CALLER_TEXT = 4 };

/* Offsets from the called function's canonical frame address; JS_TRACK_NOWHERE: not known. */
typedef struct js_held_argument {
    int64_t object;               /* the slot of the Python object's address */
    int64_t array;                /* the array's structure */
    int64_t text[JS_CALLER_TEXT]; /* a str's length, kind, is_ascii, hash */
} js_held_argument;

typedef struct js_caller {
    uint64_t returns_to; /* the function was called from here, if that is where it returns to */
    js_held_argument arguments[JS_CALLER_ARGUMENTS];
    size_t count;
} js_caller;

/* sizes: of each argument of the function. JS_ENOTFOUND: no such wrapper is in the object, or its code is not
 * understood. */
int js_caller_init(js_caller *caller, js_arena *arena, const struct js_function *function,
                   const uint64_t *sizes, size_t narguments);

#endif
