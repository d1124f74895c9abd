/* Unwinds a thread's native stack, across files and in-memory objects, without a debugger. */
#ifndef JS_STACKS_UNWIND_UNWINDER_H
#define JS_STACKS_UNWIND_UNWINDER_H

#include "stacks/unwind/modules.h"
#include "stacks/unwind/registers.h"

struct js_function;
struct js_program;

/* Returns the compiled function whose code holds pc, or NULL. */
typedef struct js_function *(*js_function_at_fn)(void *context, uint64_t pc);

typedef struct js_unwinder {
    struct js_program *program;    /* borrowed; has the functions that function_at() has returned */
    js_function_at_fn function_at; /* NULL: there is no compiled code */
    void *context;
    js_modules *modules; /* borrowed */
    js_bytes *stack;     /* borrowed; reads the stack, and need not read anything else */
    js_bytes *code;      /* borrowed; reads the code */
} js_unwinder;

/* Return the address by which the frame's code is looked up: that of an instruction it is at. */
uint64_t js_unwound_lookup_pc(const js_unwound *frame);

/* Return the compiled function whose code holds pc, or NULL. */
struct js_function *js_unwinder_function(const js_unwinder *unwinder, uint64_t pc);

/* Unwind one frame: `frame` gets its CFA, *older is its caller. Where there are no rules, the frame pointer
 * is followed, and else the stack is searched for a return address of a call. JS_ENOTFOUND: the frame is the
 * outermost one. JS_EBAD: the stack is damaged; JS_EFAULT: it cannot be read; JS_EUNSUP: there are no rules,
 * and nothing else leads on. */
int js_unwinder_older(js_unwinder *unwinder, js_unwound *frame, js_unwound *older);

#endif
