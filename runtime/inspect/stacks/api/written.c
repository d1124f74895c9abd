/* What a step through Python code needs: the memory that a thread writes as it runs, and whose code it is. */
#include "stacks/cpython/interpreter.h"
#include "stacks/cpython/symbols.h"

enum { RETURN_OFFSET = 68 }; /* CPython 3.12, Include/internal/pycore_frame.h, _PyInterpreterFrame */

int js_python_find_written(js_python *python, uint64_t native_id, uint64_t pthread, js_python_written *out)
{
    const js_python_offsets *o = &python->offsets;
    js_python_chosen thread;
    *out = (js_python_written){0};
    js_memory_reset(&python->memory);
    int status = js_python_choose(python, native_id, pthread, &thread);
    if (status < 0) {
        return status;
    }
    bool by_cframe = o->version == JS_PYTHON_3_11 || o->version == JS_PYTHON_3_12;
    uint64_t cframe = 0;
    if (by_cframe && js_memory_read_word(&python->memory, thread.address + o->thread_frame, &cframe) < 0) {
        cframe = 0;
    }
    out->returned = o->version == JS_PYTHON_3_12 ? RETURN_OFFSET : 0;
    out->previous = o->frame_previous;
    out->instruction = o->frame_instruction;
    out->width = o->version < JS_PYTHON_3_11 ? sizeof(int32_t) : sizeof(uint64_t);
    out->entered[0] = thread.address + o->thread_frame;
    out->entered[1] = cframe ? cframe + o->cframe_current : 0;
    return JS_OK;
}

bool js_python_is_installed(const char *file)
{
    return js_cpython_is_installed(file);
}
