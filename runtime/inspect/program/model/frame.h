/* A frame of the target: its registers and its memory. The caller of a query fills it
 * (gdbext/jitscope_shared/base/native.py). */
#ifndef JS_PROGRAM_MODEL_FRAME_H
#define JS_PROGRAM_MODEL_FRAME_H

#include "bytes/reader.h"

/* A callback that writes the value that DWARF register `regnum` has in the frame to `buffer`: 8 bytes for a
 * general register, 16 to 64 for a vector register. It returns the number of bytes; negative: the value is
 * not known. */
typedef int (*js_register_fn)(void *context, unsigned regnum, void *buffer, size_t capacity);

typedef struct js_frame {
    uint64_t pc;
    int is_caller; /* the frame waits for a callee that returns to pc, so pc - 1 is looked up */
    uint64_t cfa;  /* canonical frame address; 0: unknown */
    js_register_fn registers;
    void *context;
    js_bytes *memory;
    unsigned depth; /* which code at pc the frame runs; 0: the function itself, 1: the outermost inlined … */
} js_frame;

/* Return the address by which the frame's code is looked up: pc, or pc - 1 if is_caller. */
uint64_t js_frame_lookup_pc(const js_frame *frame);

#endif
