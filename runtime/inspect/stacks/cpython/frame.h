/* One frame of the interpreter's linked list. */
#ifndef JS_STACKS_CPYTHON_FRAME_H
#define JS_STACKS_CPYTHON_FRAME_H

#include <stdbool.h>

#include "stacks/cpython/interpreter.h"

typedef struct js_python_frame {
    uint64_t address;
    uint64_t previous;
    uint64_t code;
    uint64_t instruction; /* <= 3.10: f_lasti, else prev_instr or instr_ptr */
    bool shim;            /* >= 3.12: not of Python code, it marks where an evaluation in C begins */
    bool is_entry;        /* <= 3.11 */
} js_python_frame;

int js_python_read_frame(js_python *python, uint64_t address, js_python_frame *out);

#endif
