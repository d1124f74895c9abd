/* The arguments of a function that the wrapper which Python calls still holds while the function runs.
 * validity/recovered/arguments.c asks for them. */
#ifndef JS_PROGRAM_MACHINE_CALLER_FRAME_H
#define JS_PROGRAM_MACHINE_CALLER_FRAME_H

#include <stdint.h>

#include "bytes/arena.h"

struct js_function;

enum { JS_CALLER_ARGUMENTS = 64, JS_CALLER_TEXT = 4 };

/* Where the wrapper's frame holds one argument: offsets in bytes from the called function's canonical frame
 * address; JS_TRACK_NOWHERE: not known. */
typedef struct js_held_argument {
    int64_t object;               /* slot of the Python object's address */
    int64_t array;                /* the array's structure */
    int64_t text[JS_CALLER_TEXT]; /* slots of a str's length, kind, is_ascii, hash */
} js_held_argument;

typedef struct js_caller {
    uint64_t returns_to; /* the wrapper has called the function if its return address is this one */
    js_held_argument arguments[JS_CALLER_ARGUMENTS];
    size_t count;
} js_caller;

/* Fill `caller` from the code of the function's wrapper. sizes: bytes of each argument. The arena is for
 * scratch memory. JS_ENOTFOUND: the object has no such wrapper, or its code is not understood. JS_ENOMEM. */
int js_caller_init(js_caller *caller, js_arena *arena, const struct js_function *function,
                   const uint64_t *sizes, size_t narguments);

#endif
