/* Reads one frame of the interpreter's linked list of frames. */
#ifndef JS_STACKS_CPYTHON_FRAME_H
#define JS_STACKS_CPYTHON_FRAME_H

#include <stdbool.h>

#include "stacks/cpython/interpreter.h"

/* A frame that was read; addresses. */
typedef struct js_python_frame {
    uint64_t address;
    uint64_t previous;
    uint64_t code;
    uint64_t
        instruction; /* <= 3.10: f_lasti, else prev_instr or instr_ptr, in the code object's own bytecode */
    bool shim;       /* >= 3.12: no frame of Python code, but a mark where an evaluation in C begins */
    bool is_entry;   /* <= 3.11: the first frame that its evaluation in C runs */
} js_python_frame;

/* Read the frame at an address. JS_EBAD: no frame can be there; JS_EFAULT. */
int js_python_read_frame(js_python *python, uint64_t address, js_python_frame *out);

#endif
