/* Finds modules in sys.modules, and objects in dicts by name. */
#include "stacks/cpython/modules.h"

#include <string.h>

#include "stacks/cpython/object.h"

enum {
    SLOTS_MAX = 1 << 16, /* places of a dict that are looked at */
};

static bool is_text(js_python *python, uint64_t address, const char *wanted)
{
    char text[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    return js_python_read_str(&python->memory, &python->offsets, address, text, &length) == JS_OK &&
           length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

int js_python_find_item(js_python *python, const js_python_object *dict, const char *name,
                        js_python_object *out)
{
    for (uint64_t slot = 0; dict->kind == JS_OBJECT_DICT && slot < dict->slots && slot < SLOTS_MAX; slot++) {
        uint64_t key, value;
        int status = js_object_item(python->bytes, dict, slot, &key, &value);
        if (status) {
            return status;
        }
        if (key && is_text(python, key, name)) {
            return js_object_read(python->bytes, value, out);
        }
    }
    return JS_ENOTFOUND;
}

int js_python_find_attribute(js_python *python, const js_python_object *object, const char *name,
                             js_python_object *out)
{
    js_python_object attributes;
    int status = js_object_attributes(python->bytes, object, &attributes);
    return status ? status : js_python_find_item(python, &attributes, name, out);
}

/* Find sys.modules. */
static int find_modules(js_python *python, uint64_t interpreter, js_python_object *out)
{
    uint64_t address;
    int status = js_memory_read_word(&python->memory, interpreter + python->offsets.interp_modules, &address);
    status = status ? status : address ? js_object_read(python->bytes, address, out) : JS_ENOTFOUND;
    return status || out->kind == JS_OBJECT_DICT ? status : JS_EBAD;
}

int js_python_find_module_in(js_python *python, uint64_t interpreter, const char *name, js_python_object *out)
{
    js_python_object modules;
    int status = find_modules(python, interpreter, &modules);
    return status ? status : js_python_find_item(python, &modules, name, out);
}

int js_python_find_module(js_python *python, const char *name, js_python_object *out)
{
    uint64_t interpreter;
    js_memory_reset(&python->memory);
    int status = js_memory_read_word(&python->memory, python->runtime + python->offsets.interpreters_head,
                                     &interpreter);
    status = status || interpreter ? status : JS_ENOTFOUND;
    return status ? status : js_python_find_module_in(python, interpreter, name, out);
}
