/* The native frames of one thread, unwound as far as they are asked for, each with its function. */
#ifndef JS_STACKS_UNWIND_NATIVE_STACK_H
#define JS_STACKS_UNWIND_NATIVE_STACK_H

#include "stacks/folding.h"
#include "stacks/unwind/unwinder.h"

typedef struct js_native_frame {
    js_unwound registers;
    struct js_function *function; /* function of compiled code; NULL: other code, which `place` describes */
    js_module_place place;
    js_frame_class frame_class;
    bool is_classified;
} js_native_frame;

typedef struct js_native_stack {
    js_unwinder *unwinder; /* borrowed */
    js_native_frame *frames;
    size_t count, capacity;
    int status; /* why there is no further frame: JS_OK: not looked at yet; JS_ENOTFOUND: the last one is the
                   outermost; else the error of js_unwinder_older() */
} js_native_stack;

/* Begin with the innermost frame's registers, by DWARF number. JS_ENOMEM. */
int js_native_stack_init(js_native_stack *stack, js_unwinder *unwinder,
                         const uint64_t registers[JS_UNWIND_REGISTERS]);
void js_native_stack_deinit(js_native_stack *stack);
/* Return the frame of an index, 0 for the innermost, valid until the next call; NULL: there are fewer. */
js_native_frame *js_native_stack_at(js_native_stack *stack, size_t index);
/* True if another frame of the same call into the C library is shown: the library itself has called the
 * frame's function. */
bool js_native_stack_is_inner(js_native_stack *stack, size_t index);

#endif
