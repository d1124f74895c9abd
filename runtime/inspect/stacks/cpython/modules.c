/* Finds modules in sys.modules, and objects in dicts by name. */
#include "stacks/cpython/modules.h"

#include <string.h>

#include "stacks/cpython/object.h"

enum {
    INTERPRETER = 1 << 15, /* bytes of PyInterpreterState that are searched for its modules */
    SLOTS_MAX = 1 << 16,
    FIRST = 64, /* places of sys.modules in which its first modules are */
};

static bool is_text(js_python *python, uint64_t address, const char *wanted)
{
    char text[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    return js_python_read_str(&python->memory, &python->offsets, address, text, &length) == JS_OK &&
           length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

/* Find dict[name] in the first `limit` places of a dict, and read that object. */
static int find_item(js_python *python, const js_python_object *dict, const char *name, uint64_t limit,
                     js_python_object *out)
{
    for (uint64_t slot = 0; slot < dict->slots && slot < limit; slot++) {
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

/* Find sys.modules: the one of the interpreter's dicts in which modules are under their names. */
static int find_modules(js_python *python, uint64_t interpreter, js_python_object *out)
{
    for (uint64_t at = 0; at < INTERPRETER; at += 8) {
        uint64_t word;
        js_python_object sys;
        if (js_memory_read_word(&python->memory, interpreter + at, &word)) {
            return JS_ENOTFOUND;
        }
        if (word < 1 << 16 || word % 8 || word >> 47) {
            continue;
        }
        if (js_object_read(python->bytes, word, out) == JS_OK && out->kind == JS_OBJECT_DICT &&
            find_item(python, out, "sys", FIRST, &sys) == JS_OK && strcmp(sys.class_name, "module") == 0 &&
            find_item(python, out, "builtins", FIRST, &sys) == JS_OK) {
            return JS_OK;
        }
    }
    return JS_ENOTFOUND;
}

int js_python_find_item(js_python *python, const js_python_object *dict, const char *name,
                        js_python_object *out)
{
    return dict->kind == JS_OBJECT_DICT ? find_item(python, dict, name, SLOTS_MAX, out) : JS_ENOTFOUND;
}

int js_python_find_attribute(js_python *python, const js_python_object *object, const char *name,
                             js_python_object *out)
{
    js_python_object attributes;
    int status = js_object_attributes(python->bytes, object, &attributes);
    return status ? status : js_python_find_item(python, &attributes, name, out);
}

int js_python_find_module(js_python *python, const char *name, js_python_object *out)
{
    uint64_t interpreter;
    js_python_object modules;
    js_memory_reset(&python->memory);
    int status = js_memory_read_word(&python->memory, python->runtime + python->offsets.interpreters_head,
                                     &interpreter);
    if (!status) {
        status = interpreter ? find_modules(python, interpreter, &modules) : JS_ENOTFOUND;
    }
    return status ? status : js_python_find_item(python, &modules, name, out);
}
