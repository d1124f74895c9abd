/* Reads one frame of CPython. */
#include "stacks/cpython/frame.h"

#include <string.h>

enum {
    MAX_FRAME_SIZE = 512, /* PyFrameObject of 3.9 has 368 bytes */
    OWNED_BY_C = 3, /* pycore_frame.h 3.12, 3.13: FRAME_OWNED_BY_CSTACK; 3.14: INTERPRETER, then CSTACK */
    STACK_REFERENCE_TAG = 3 /* pycore_stackref.h 3.14: Py_TAG_BITS */
};

int js_python_read_frame(js_python *python, uint64_t address, js_python_frame *out)
{
    const js_python_offsets *o = &python->offsets;
    uint8_t frame[MAX_FRAME_SIZE];
    *out = (js_python_frame){0};
    if (address == 0 || address % 8 != 0 || o->frame_size > sizeof frame) {
        return JS_EBAD;
    }
    int status = js_memory_read(&python->memory, address, frame, o->frame_size);
    if (status < 0) {
        return status;
    }
    out->address = address;
    memcpy(&out->previous, frame + o->frame_previous, sizeof out->previous);
    memcpy(&out->code, frame + o->frame_code, sizeof out->code);
    if (o->version >= JS_PYTHON_3_14) {
        out->code &= ~(uint64_t)STACK_REFERENCE_TAG;
    }
    memcpy(&out->instruction, frame + o->frame_instruction, o->version < JS_PYTHON_3_11 ? 4 : 8);
    out->shim = o->version >= JS_PYTHON_3_12 && frame[o->frame_owner] >= OWNED_BY_C;
    out->is_entry = o->version < JS_PYTHON_3_11 || (o->version == JS_PYTHON_3_11 && frame[o->frame_is_entry]);
    return JS_OK;
}
