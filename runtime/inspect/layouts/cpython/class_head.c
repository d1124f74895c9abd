/* Reads the first bytes of a class, and finds the version of CPython. */
#include "layouts/cpython/internal.h"

#include <string.h>

static const js_object_facts known[] = {
    {880, PY_3_9, 864, 0},  {888, PY_3_10, 872, 0}, {904, PY_3_11, 872, 0},
    {920, PY_3_12, 880, 0}, {928, PY_3_13, 880, 0}, {944, PY_3_13, 880, FREE_THREADED_SHIFT},
};
/* Versions whose tuples have their hash. */
static const js_object_facts newest[] = {
    {936, PY_3_14, 880, 0},
    {944, PY_3_15, 888, 0},
    {960, PY_3_14, 880, FREE_THREADED_SHIFT},
};

uint64_t js_object_member(const js_python_object *object, uint64_t offset)
{
    return object->address + object->facts->shift + offset;
}

uint64_t js_class_word(const js_class_head *type, unsigned offset)
{
    uint64_t value;
    memcpy(&value, type->bytes + offset, sizeof value);
    return value;
}

static int read_class(js_bytes *bytes, uint64_t address, unsigned shift, js_class_head *out)
{
    return address == 0 || address % 8 != 0 ? JS_EBAD
                                            : js_bytes_read(bytes, address + shift, out, sizeof *out);
}

int js_class_read(js_bytes *bytes, const js_object_facts *facts, uint64_t address, js_class_head *out)
{
    return read_class(bytes, address, facts->shift, out);
}

/* True if tuples have their hash, as since 3.14. */
static bool has_tuple_hash(js_bytes *bytes, uint64_t type, unsigned shift)
{
    uint64_t bases, tuple, size;
    return js_bytes_read_word(bytes, type + shift + TYPE_BASES, &bases) == JS_OK && bases &&
           js_bytes_read_word(bytes, bases + shift + OBJECT_TYPE, &tuple) == JS_OK && tuple &&
           js_bytes_read_word(bytes, tuple + shift + TYPE_BASICSIZE, &size) == JS_OK && size == 32u + shift;
}

static const js_object_facts *find(const js_object_facts *facts, size_t count, uint64_t size, unsigned shift)
{
    for (size_t i = 0; i < count; i++) {
        if (facts[i].type_size == size && facts[i].shift == shift) {
            return &facts[i];
        }
    }
    return NULL;
}

/* Find the type of all classes, from any class: `type`, or a metaclass that leads to it; its size is the
 * version's. */
int js_class_facts(js_bytes *bytes, uint64_t type, bool is_free_threaded, const js_object_facts **out)
{
    js_class_head class;
    unsigned shift = is_free_threaded ? FREE_THREADED_SHIFT : 0;
    for (unsigned depth = 0; depth < 8; depth++) {
        int status = read_class(bytes, type, shift, &class);
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
        uint64_t size = js_class_word(&class, TYPE_BASICSIZE);
        *out = has_tuple_hash(bytes, type, shift) ? find(newest, sizeof newest / sizeof *newest, size, shift)
                                                  : find(known, sizeof known / sizeof *known, size, shift);
        return *out ? JS_OK : JS_EBAD;
    }
    return JS_EBAD;
}
