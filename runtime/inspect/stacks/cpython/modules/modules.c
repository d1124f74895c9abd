/* Finds modules in sys.modules, and objects in dicts by name. */
#include "stacks/cpython/modules/modules.h"

#include <string.h>

#include "stacks/cpython/object.h"

enum {
    SLOTS_MAX = 1 << 16, /* places of a dict that are looked at */
};

/* Compare a key with a name: 1: it is the name; 0: it is another one; negative: it cannot be read. */
static int compare_key(js_python *python, uint64_t key, const char *name)
{
    char text[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    int status = js_python_read_str(&python->memory, &python->offsets, key, text, &length);
    return status ? status : length == strlen(name) && memcmp(text, name, length) == 0;
}

/* Look for a name where it was found the last time. JS_EBAD: the keys are others now. */
static int find_again(js_python *python, const js_python_object *dict, const js_item_place *place,
                      js_python_object *out)
{
    uint64_t key, value, hash = 0;
    int status = JS_OK;
    if (place->slot != UINT64_MAX) {
        status = js_object_item(python->bytes, dict, place->slot, &key, &value);
        if (status || key != place->key || compare_key(python, key, place->name) != 1) {
            return JS_EBAD;
        }
        return js_object_read(python->bytes, value, out);
    }
    for (uint64_t slot = 0; slot < dict->slots && status == JS_OK; slot++) {
        status = js_object_item(python->bytes, dict, slot, &key, &value);
        hash = js_item_cache_hash(hash, key);
    }
    return status == JS_OK && hash == place->key ? JS_ENOTFOUND : JS_EBAD;
}

/* Remember where a name was looked for, if the keys are of one instant. */
static void remember(js_python *python, const js_python_object *dict, const char *name, uint64_t slot,
                     uint64_t key)
{
    js_item_place place = {dict->data, dict->slots, name, slot, key};
    if (!python->is_running) {
        js_item_cache_add(&python->items, &place);
    }
}

int js_python_find_item(js_python *python, const js_python_object *dict, const char *name,
                        js_python_object *out)
{
    uint64_t slots = dict->kind == JS_OBJECT_DICT ? dict->slots : 0, key, value, hash = 0;
    const js_item_place *known = js_item_cache_find(&python->items, dict->data, slots, name);
    int status = known && slots <= SLOTS_MAX ? find_again(python, dict, known, out) : JS_EBAD;
    if (status != JS_EBAD) {
        return status;
    }
    bool is_whole = true; /* the text of each key could be read */
    for (uint64_t slot = 0; slot < slots && slot < SLOTS_MAX; slot++) {
        status = js_object_item(python->bytes, dict, slot, &key, &value);
        if (status) {
            return status;
        }
        int is_it = key ? compare_key(python, key, name) : 0;
        is_whole &= is_it >= 0;
        if (is_it == 1) {
            remember(python, dict, name, slot, key);
            return js_object_read(python->bytes, value, out);
        }
        hash = js_item_cache_hash(hash, key);
    }
    if (is_whole) {
        remember(python, dict, name, UINT64_MAX, hash);
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

/* Find the state of the first interpreter. */
static int find_interpreter(js_python *python, uint64_t *out)
{
    int status =
        js_memory_read_word(&python->memory, python->runtime + python->offsets.interpreters_head, out);
    return status || *out ? status : JS_ENOTFOUND;
}

int js_python_list_modules(js_python *python, js_python_object *out)
{
    uint64_t interpreter;
    int status = find_interpreter(python, &interpreter);
    return status ? status : find_modules(python, interpreter, out);
}

int js_python_find_module(js_python *python, const char *name, js_python_object *out)
{
    uint64_t interpreter;
    js_memory_reset(&python->memory);
    int status = find_interpreter(python, &interpreter);
    return status ? status : js_python_find_module_in(python, interpreter, name, out);
}
