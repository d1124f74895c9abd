/* What a native function was called with, argued from machine code: without its debug information. */
#ifndef JS_PROGRAM_MACHINE_CALL_ARGUMENTS_H
#define JS_PROGRAM_MACHINE_CALL_ARGUMENTS_H

#include "program/model/frame.h"

/* `frame` runs the code [lo, hi). callee 0: what its own function was called with. Else: what its function
 * passes to the one that begins at `callee`, which the call that the frame waits for must lead to.
 * `argument`: of integer class, 0 is the first. x86-64 alone. JS_ENOTFOUND: it cannot be argued; the value
 * may be gone, or the control flow or the target of the call be unknown. */
JS_API int js_passed(const js_frame *frame, uint64_t lo, uint64_t hi, uint64_t callee, unsigned argument,
                     uint64_t *out);

#endif
