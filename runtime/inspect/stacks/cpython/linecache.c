#include "stacks/cpython/linecache.h"

#include <string.h>

#include "layouts/cpython/object.h"
#include "stacks/cpython/object.h"

enum {
    INTERPRETER = 1 << 15, /* bytes of PyInterpreterState that are looked at for its modules */
    SLOTS_MAX = 1 << 16,
    FIRST = 64,         /* places in which sys.modules has what it begins with */
    TEXT_MAX = 4 << 20, /* bytes */
    ENTRY_LINES = 2,    /* (size, mtime, lines, fullname): Lib/linecache.py, 3.9 to 3.14 */
};

static bool is_text(js_python *python, uint64_t address, const char *wanted)
{
    char text[JS_PYTHON_NAME_LIMIT + 4];
    size_t length;
    return js_python_read_str(&python->memory, &python->offsets, address, text, &length) == JS_OK &&
           length == strlen(wanted) && memcmp(text, wanted, length) == 0;
}

/* The value of a str in the first places of a dict, and what it is. */
static int find_item(js_python *python, const js_object *dict, const char *name, uint64_t limit,
                     js_object *out)
{
    for (uint64_t slot = 0; slot < dict->slots && slot < limit; slot++) {
        uint64_t key, value;
        int status = js_object_item(python->bytes, dict, slot, &key, &value);
        if (status)
            return status;
        if (key && is_text(python, key, name))
            return js_object_read(python->bytes, value, out);
    }
    return JS_ENOTFOUND;
}

/* Of the dicts that the interpreter holds, sys.modules is the one in which modules have their names. */
static int find_modules(js_python *python, uint64_t interpreter, js_object *out)
{
    for (uint64_t at = 0; at < INTERPRETER; at += 8) {
        uint64_t word;
        js_object sys;
        if (js_memory_read_word(&python->memory, interpreter + at, &word))
            return JS_ENOTFOUND;
        if (word < 1 << 16 || word % 8 || word >> 47)
            continue;
        if (js_object_read(python->bytes, word, out) == JS_OK && out->kind == JS_OBJECT_DICT &&
            find_item(python, out, "sys", FIRST, &sys) == JS_OK && strcmp(sys.class_name, "module") == 0 &&
            find_item(python, out, "builtins", FIRST, &sys) == JS_OK)
            return JS_OK;
    }
    return JS_ENOTFOUND;
}

static int find_cache(js_python *python, js_object *out)
{
    uint64_t interpreter;
    js_object modules, module, attributes;
    int status = js_memory_read_word(&python->memory, python->runtime + python->offsets.interpreters_head,
                                     &interpreter);
    if (!status)
        status = interpreter ? find_modules(python, interpreter, &modules) : JS_ENOTFOUND;
    if (!status)
        status = find_item(python, &modules, "linecache", SLOTS_MAX, &module);
    if (!status)
        status = js_object_attributes(python->bytes, &module, &attributes);
    if (!status)
        status = find_item(python, &attributes, "cache", SLOTS_MAX, out);
    return status || out->kind == JS_OBJECT_DICT ? status : JS_ENOTFOUND;
}

static int put_lines(js_python *python, const js_object *lines, js_text *out)
{
    for (uint64_t i = 0; i < lines->length; i++) {
        char line[JS_PYTHON_NAME_LIMIT + 4];
        uint64_t address, unused;
        size_t length;
        int status = js_object_item(python->bytes, lines, i, &address, &unused);
        if (!status)
            status = js_python_read_str(&python->memory, &python->offsets, address, line, &length);
        if (status)
            return status;
        if (out->length + length > TEXT_MAX)
            return JS_ELIMIT;
        js_text_putn(out, line, length);
        if (!length || line[length - 1] != '\n') /* one that was cut */
            js_text_put(out, "\n");
    }
    return out->status;
}

int js_python_linecache(js_python *python, const char *name, js_text *out)
{
    js_object cache, entry, lines;
    uint64_t address, unused;
    js_memory_reset(&python->memory);
    int status = find_cache(python, &cache);
    if (!status)
        status = find_item(python, &cache, name, SLOTS_MAX, &entry);
    if (!status && (entry.kind != JS_OBJECT_TUPLE || entry.length <= ENTRY_LINES))
        return JS_ENOTFOUND; /* a module's loader, which has not been asked for the text */
    if (!status)
        status = js_object_item(python->bytes, &entry, ENTRY_LINES, &address, &unused);
    if (!status)
        status = js_object_read(python->bytes, address, &lines);
    if (!status && lines.kind != JS_OBJECT_LIST)
        return JS_ENOTFOUND;
    return status ? status : put_lines(python, &lines, out);
}
