/* A frame of the target: its registers and its memory. */
#ifndef JS_PROGRAM_MODEL_FRAME_H
#define JS_PROGRAM_MODEL_FRAME_H

#include "bytes/reader.h"

/* Value of DWARF register `regnum` in the frame at hand into 8 (general) or 16..64 (vector) bytes; number of
 * bytes that were written, or negative when it is not known. */
typedef int (*js_register_fn)(void *context, unsigned regnum, void *buffer, size_t capacity);

typedef struct js_frame {
    uint64_t pc; /* the frame's pc; `is_caller`: the call returns there, so pc - 1 is looked up */
    int is_caller;
    uint64_t cfa; /* 0 when unknown */
    js_register_fn registers;
    void *context;
    js_bytes *memory;
    unsigned depth; /* how many inlined bodies, of those around pc, are at or outside the frame; 0: none */
} js_frame;

/* The address that the frame is in: of a caller, that of the call. */
uint64_t js_frame_lookup_pc(const js_frame *frame);

#endif
