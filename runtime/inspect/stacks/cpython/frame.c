/* Reads one frame of CPython. */
#include "stacks/cpython/frame.h"

#include <string.h>

enum {
    MAX_FRAME_SIZE = 512, /* PyFrameObject of 3.9 has 368 bytes */
    OWNED_BY_C = 3, /* pycore_frame.h 3.12, 3.13: FRAME_OWNED_BY_CSTACK; 3.14: INTERPRETER, then CSTACK */
    STACK_REFERENCE_TAG = 3, /* pycore_stackref.h 3.14: Py_TAG_BITS */
    MAX_COPIES = 1 << 16,
};

/* Return the address in the code object of an instruction that is in a thread's copy of the bytecode. Source:
 * Include/cpython/code.h 3.14, _PyCodeArray {size, copies}, whose first entry is the code object's own.
 * `index`: the frame's copy; while a generator changes to the copy of another thread, its instruction may be
 * in a copy other than that one. */
static uint64_t original_instruction(js_python *python, const js_python_frame *frame, int32_t index)
{
    js_memory *memory = &python->memory;
    const js_python_offsets *o = &python->offsets;
    uint64_t units, array, count, copy, start = frame->code + o->code_code, at = frame->instruction;
    if (js_memory_read_word(memory, frame->code + o->object_size, &units) || units > INT32_MAX ||
        at - start < units * 2 || js_memory_read_word(memory, frame->code + o->code_copies, &array) ||
        js_memory_read_word(memory, array, &count)) {
        return at;
    }
    count = count < MAX_COPIES ? count : MAX_COPIES;
    for (uint64_t i = 0; i < count; i++) {
        /* The frame's own copy first. */
        uint64_t entry = i == 0 && index > 0 && (uint64_t)index < count ? (uint64_t)index : i;
        if (js_memory_read_word(memory, array + 8 + 8 * entry, &copy)) {
            return at;
        }
        if (copy && at - copy < units * 2) {
            return start + (at - copy);
        }
    }
    return at;
}

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
    out->shim = o->version >= JS_PYTHON_3_12 && frame[o->frame_owner] >= OWNED_BY_C;
    memcpy(&out->instruction, frame + o->frame_instruction, o->version < JS_PYTHON_3_11 ? 4 : 8);
    if (o->code_copies && !out->shim) {
        int32_t index;
        memcpy(&index, frame + o->frame_copy, sizeof index);
        out->instruction = original_instruction(python, out, index);
    }
    out->is_entry = o->version < JS_PYTHON_3_11 || (o->version == JS_PYTHON_3_11 && frame[o->frame_is_entry]);
    return JS_OK;
}
