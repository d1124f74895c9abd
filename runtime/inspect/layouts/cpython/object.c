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

/* True if the word at offset 8 of an object is no address of a class, but {flags, mutex, bits of the
 * collector, references}, which a free-threaded build has there. An address may have this form too. */
static bool seems_free_threaded(uint64_t word)
{
    enum { FLAGS = 64, MUTEX = 4 };
    return (word & 0xffff) < FLAGS && (word >> 16 & 0xff) < MUTEX && word >> 32;
}

/* Find the class of an object and the facts of a build with or without a GIL: the class proves which. `head`:
 * the first two words of the object. *references: its number; in a free-threaded build those of its thread
 * and of others are counted apart. */
static int prove_build(js_bytes *bytes, const uint64_t head[2], bool is_free_threaded, js_python_object *out,
                       int64_t *references)
{
    uint64_t rest[2];
    out->type = head[1];
    *references = (int64_t)head[0];
    if (is_free_threaded) {
        int status = js_bytes_read(bytes, out->address + 16, rest, sizeof rest);
        if (status) {
            return status;
        }
        out->type = rest[1];
        *references = (int64_t)(head[1] >> 32) + ((int64_t)rest[0] >> 2);
    }
    return js_class_facts(bytes, out->type, is_free_threaded, &out->facts);
}

static int read_head(js_bytes *bytes, js_python_object *out, int64_t *references)
{
    uint64_t head[2];
    int status = js_bytes_read(bytes, out->address, head, sizeof head);
    if (status) {
        return status;
    }
    bool is_free_threaded = seems_free_threaded(head[1]);
    status = prove_build(bytes, head, is_free_threaded, out, references);
    return status == JS_EBAD || status == JS_EFAULT
               ? prove_build(bytes, head, !is_free_threaded, out, references)
               : status;
}

static int read_object(js_bytes *bytes, uint64_t address, bool is_freed, js_python_object *out)
{
    js_class_head type;
    int64_t references;
    *out = (js_python_object){.address = address};
    if (!bytes || address == 0 || address % 8 != 0) {
        return JS_EBAD;
    }
    int status = read_head(bytes, out, &references);
    status = status ? status : js_class_read(bytes, out->facts, out->type, &type);
    if (status) {
        return status;
    }
    if (is_freed ? references != 0 : references <= 0) {
        return JS_EBAD; /* no references: it was freed, or is no object */
    }
    if (js_class_word(&type, TYPE_FLAGS) & FLAG_CLASS) {
        js_class_head itself;
        out->kind = JS_OBJECT_CLASS;
        status = js_class_read(bytes, out->facts, address, &itself);
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
    int status = js_class_read(bytes, object->facts, object->type, &type);
    uint64_t repr = status ? 0 : js_class_word(&type, TYPE_REPR);
    *out = *object;
    for (unsigned i = 0; status == JS_OK && i < BASES; i++) {
        uint64_t base = js_class_word(&type, TYPE_BASE);
        status = base ? js_class_read(bytes, object->facts, base, &type) : JS_ENOTFOUND;
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
