/* js_python_find_held, js_python_freed_held: the memory that an object of Python holds. */
#include "layouts/numba/boxed.h"
#include "stacks/cpython/variables.h"

enum {
    BASES = 32,       /* views of views */
    EFFORT = 1 << 26, /* effort to find one name (js_question) */
};

static int find_block(js_bytes *bytes, js_python_object *object, js_python_held *out)
{
    js_object_array array;
    uint64_t stride;
    for (int i = 0; i < BASES; i++) {
        if (object->kind != JS_OBJECT_NDARRAY && !js_object_is_array(bytes, object)) {
            return js_boxed_meminfo(bytes, object, &out->meminfo);
        }
        int status = js_object_array_read(bytes, object, &array);
        if (status == JS_OK && i == 0 && array.ndim == 1 &&
            js_bytes_read_word(bytes, array.strides, &stride) == JS_OK && stride == array.itemsize) {
            out->data = array.data;
            out->itemsize = array.itemsize;
        }
        if (status == JS_OK && array.is_owner) {
            out->block = array.data;
            return JS_OK;
        }
        status = status ? status : array.base ? js_object_read(bytes, array.base, object) : JS_ENOTFOUND;
        if (status) {
            return status;
        }
    }
    return JS_ENOTFOUND;
}

static int read_held(js_python *python, uint64_t address, bool is_freed, js_python_held *out)
{
    js_python_object object;
    js_question question;
    *out = (js_python_held){0};
    js_question_begin(&question, python->bytes, EFFORT);
    int status = is_freed ? js_object_read_freed(python->bytes, address, &object)
                          : js_object_read(python->bytes, address, &object);
    status = status ? status : find_block(python->bytes, &object, out);
    js_question_end(&question, python->bytes);
    return status;
}

int js_python_freed_held(js_python *python, uint64_t address, js_python_held *out)
{
    return read_held(python, address, true, out);
}

int js_python_find_held(js_python *python, uint64_t address, const char *name, js_python_held *out)
{
    const char *reason;
    uint64_t place;
    js_question question;
    js_memory_reset(&python->memory);
    js_question_begin(&question, python->bytes, EFFORT);
    int status = js_python_find_variable(python, address, name, &place, &reason);
    js_question_end(&question, python->bytes);
    status = status || place ? status : JS_ENOTFOUND;
    return status ? status : read_held(python, place, false, out);
}
