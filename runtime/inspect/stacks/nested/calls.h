/* Walks frames of compiled code that call each other, such as those of a function that calls itself without
 * end. A debugger's unwinder would take a minute for them. Called by gdbext, by ctypes. */
#ifndef JS_STACKS_NESTED_CALLS_H
#define JS_STACKS_NESTED_CALLS_H

#include "bytes/reader.h"
#include "program/model/objects.h"

/* Registers of a frame that waits for a call: its pc, its stack pointer, and those that a callee preserves.
 */
enum { JS_NESTED_RBX, JS_NESTED_RBP, JS_NESTED_R12, JS_NESTED_KEPT = 6 }; /* r13, r14, r15 follow r12 */
typedef struct js_nested_frame {
    uint64_t pc, sp;
    uint64_t kept[JS_NESTED_KEPT];
} js_nested_frame;

/* Walk from a frame that waits for a call to the first frame that is not compiled code, each by the call
 * frame information of its object: {"count": frames of compiled code, "places": [{"pc", "function" (its
 * address), "count"}], "outermost": the last frames of compiled code, innermost first, and after them the
 * frame that has called them: [{"pc", "sp", "kept"}], "outside": true if the stack may hold more calls of a
 * function that fills it, between there and `limit`}. x86-64 only: JS_EUNSUP. JS_ENOTFOUND: the frame is not
 * of compiled code. JS_EBAD: a frame of compiled code has no rule by which it is unwound, or contradicts it.
 */
JS_API int js_program_nested_calls(js_program *program, js_bytes *memory, const js_nested_frame *from,
                                   uint64_t limit, char **out);

#endif
