/* The registers of one frame while a stack is unwound. */
#ifndef JS_STACKS_UNWIND_REGISTERS_H
#define JS_STACKS_UNWIND_REGISTERS_H

#include <stdbool.h>
#include <stdint.h>

#include "stacks/nested/frame_rule.h"

/* How a frame was found. */
typedef enum js_unwound_by {
    JS_UNWOUND_BY_REGISTERS, /* the innermost frame */
    JS_UNWOUND_BY_RULES,     /* call frame information */
    JS_UNWOUND_BY_FRAME_POINTER,
    JS_UNWOUND_BY_SCAN, /* a return address that was found on the stack; frames may be missing before it */
} js_unwound_by;

typedef struct js_unwound {
    uint64_t values[JS_UNWIND_REGISTERS]; /* by DWARF number; the last is the pc */
    bool is_known[JS_UNWIND_REGISTERS];
    bool is_caller; /* a call returns to the pc; false: a signal has interrupted the code there */
    js_unwound_by by;
    uint64_t cfa;      /* canonical frame address; 0: not known */
    unsigned switches; /* stacks that the unwinding has left for one at a lower address: signals' */
} js_unwound;

#endif
