/* Finds what a native function was called with from its machine code, without debug information.
 * gdbext/jitscope_gdb/frames/c_library.py calls it for functions of the C library. */
#ifndef JS_PROGRAM_MACHINE_CALL_ARGUMENTS_H
#define JS_PROGRAM_MACHINE_CALL_ARGUMENTS_H

#include "program/model/frame.h"

/* Find the 64 bits of an argument. `frame` runs the code [lo, hi). callee 0: an argument that the frame's own
 * function was called with. Else: an argument that this function passes to the one that begins at `callee`;
 * the call that the frame waits for must lead there. `argument` counts those of integer class from 0.
 * JS_ENOTFOUND: the value is gone, the control flow or the target of the call is unknown, or the machine is
 * not x86-64. JS_ENOMEM. */
JS_API int js_find_passed_argument(const js_frame *frame, uint64_t lo, uint64_t hi, uint64_t callee,
                                   unsigned argument, uint64_t *out);

#endif
