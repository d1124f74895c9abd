/* Reads the first bytes of a class, and finds the version of CPython. */
#include "layouts/cpython/internal.h"

#include <string.h>

static const js_object_facts known[] = {
    {880, PY_3_9, 864}, {888, PY_3_10, 872}, {904, PY_3_11, 872}, {920, PY_3_12, 880}, {928, PY_3_13, 880},
};
static const js_object_facts newest = {0, PY_3_14, 880};

uint64_t js_class_word(const js_class_head *type, unsigned offset)
{
    uint64_t value;
    memcpy(&value, type->bytes + offset, sizeof value);
    return value;
}

int js_class_read(js_bytes *bytes, uint64_t address, js_class_head *out)
{
    return address == 0 || address % 8 != 0 ? JS_EBAD : js_bytes_read(bytes, address, out, sizeof *out);
}

/* Find the type of all classes, from any class: `type`, or a metaclass that leads to it; its size is the
 * version's. */
int js_class_facts(js_bytes *bytes, uint64_t type, const js_object_facts **out)
{
    js_class_head class;
    uint64_t bases, tuple, size;
    for (unsigned depth = 0; depth < 8; depth++) {
        int status = js_class_read(bytes, type, &class);
        if (status) {
            return status;
        }
        if (js_class_word(&class, OBJECT_TYPE) != type) {
            type = js_class_word(&class, OBJECT_TYPE);
            continue;
        }
        char name[8];
        if (js_bytes_read_string(bytes, js_class_word(&class, TYPE_NAME), sizeof name, name) ||
            strcmp(name, "type") != 0 || js_class_word(&class, TYPE_ITEMSIZE) != 40) {
            return JS_EBAD;
        }
        size = js_class_word(&class, TYPE_BASICSIZE);
        if (js_bytes_read_word(bytes, type + TYPE_BASES, &bases) == JS_OK && bases &&
            js_bytes_read_word(bytes, bases + OBJECT_TYPE, &tuple) == JS_OK && tuple &&
            js_bytes_read_word(bytes, tuple + TYPE_BASICSIZE, &bases) == JS_OK && bases == 32) {
            *out = &newest; /* tuples have their hash, as since 3.14 */
            return JS_OK;
        }
        for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
            if (known[i].type_size == size) {
                *out = &known[i];
                return JS_OK;
            }
        }
        return JS_EBAD;
    }
    return JS_EBAD;
}
