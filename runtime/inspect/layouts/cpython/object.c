/* Reads an object: its class, its kind, and its contents. */
#include "layouts/cpython/internal.h"

#include <string.h>

static const struct builtin {
    const char *name;
    js_object_kind kind;
} builtins[] = {
    {"NoneType", JS_OBJECT_NONE},
    {"ellipsis", JS_OBJECT_ELLIPSIS},
    {"bool", JS_OBJECT_BOOL},
    {"int", JS_OBJECT_INT},
    {"float", JS_OBJECT_FLOAT},
    {"complex", JS_OBJECT_COMPLEX},
    {"str", JS_OBJECT_STR},
    {"bytes", JS_OBJECT_BYTES},
    {"bytearray", JS_OBJECT_BYTEARRAY},
    {"list", JS_OBJECT_LIST},
    {"tuple", JS_OBJECT_TUPLE},
    {"set", JS_OBJECT_SET},
    {"frozenset", JS_OBJECT_FROZENSET},
    {"dict", JS_OBJECT_DICT},
    {"numpy.ndarray", JS_OBJECT_NDARRAY},
    {"numpy.str_", JS_OBJECT_STR},
    {"numpy.bytes_", JS_OBJECT_BYTES},
};

static js_object_kind kind_of_builtin(const char *name)
{
    for (size_t i = 0; i < sizeof builtins / sizeof builtins[0]; i++) {
        if (strcmp(name, builtins[i].name) == 0) {
            return builtins[i].kind;
        }
    }
    return JS_OBJECT_INSTANCE;
}

static int read_object(js_bytes *bytes, uint64_t address, bool is_freed, js_python_object *out)
{
    js_class_head type;
    uint64_t start[2];
    *out = (js_python_object){.address = address};
    if (!bytes || address == 0 || address % 8 != 0) {
        return JS_EBAD;
    }
    int status = js_bytes_read(bytes, address, start, sizeof start);
    if (status == JS_OK) {
        out->type = start[1];
        status = js_class_read(bytes, out->type, &type);
    }
    if (status == JS_OK) {
        status = js_class_facts(bytes, out->type, &out->facts);
    }
    if (status) {
        return status;
    }
    if (is_freed ? start[0] != 0 : (int64_t)start[0] <= 0) {
        return JS_EBAD; /* no references: it was freed, or is no object */
    }
    if (js_class_word(&type, TYPE_FLAGS) & FLAG_CLASS) {
        js_class_head itself;
        out->kind = JS_OBJECT_CLASS;
        status = js_class_read(bytes, address, &itself);
        return status ? status
                      : js_class_name(bytes, out->facts, address, &itself, out->class_name, &out->module);
    }
    status = js_class_name(bytes, out->facts, out->type, &type, out->class_name, &out->module);
    if (status == JS_OK && !(js_class_word(&type, TYPE_FLAGS) & FLAG_HEAP)) {
        out->kind = kind_of_builtin(out->class_name);
    }
    return status || out->kind == JS_OBJECT_INSTANCE ? status : js_builtin_contents(bytes, out);
}

int js_object_read(js_bytes *bytes, uint64_t address, js_python_object *out)
{
    return read_object(bytes, address, false, out);
}

int js_object_read_freed(js_bytes *bytes, uint64_t address, js_python_object *out)
{
    return read_object(bytes, address, true, out);
}

int js_object_as(js_bytes *bytes, js_object_kind kind, js_python_object *object)
{
    object->kind = kind;
    return js_builtin_contents(bytes, object);
}

int js_object_as_base(js_bytes *bytes, const js_python_object *object, js_python_object *out)
{
    enum { BASES = 16 };
    js_class_head type;
    char name[32];
    int status = js_class_read(bytes, object->type, &type);
    uint64_t repr = status ? 0 : js_class_word(&type, TYPE_REPR);
    *out = *object;
    for (unsigned i = 0; status == JS_OK && i < BASES; i++) {
        uint64_t base = js_class_word(&type, TYPE_BASE);
        status = base ? js_class_read(bytes, base, &type) : JS_ENOTFOUND;
        if (status || js_class_word(&type, TYPE_REPR) != repr) {
            return status ? status : JS_ENOTFOUND;
        }
        if (!(js_class_word(&type, TYPE_FLAGS) & FLAG_HEAP) &&
            js_bytes_read_string(bytes, js_class_word(&type, TYPE_NAME), sizeof name, name) == JS_OK &&
            kind_of_builtin(name) != JS_OBJECT_INSTANCE && kind_of_builtin(name) != JS_OBJECT_NDARRAY) {
            return js_object_as(bytes, kind_of_builtin(name), out);
        }
    }
    return JS_ENOTFOUND;
}
