/* Finds texts that the module linecache keeps. */
#include "stacks/cpython/modules/linecache.h"

#include "stacks/cpython/modules/modules.h"
#include "stacks/cpython/object.h"

enum {
    TEXT_MAX = 4 << 20, /* most bytes of a text */
    ENTRY_LINES = 2,    /* (size, mtime, lines, fullname): Lib/linecache.py, 3.9 to 3.15 */
};

static int put_lines(js_python *python, const js_python_object *lines, js_text *out)
{
    for (uint64_t i = 0; i < lines->length; i++) {
        char line[JS_PYTHON_NAME_LIMIT + 4];
        uint64_t address, unused;
        size_t length;
        int status = js_object_item(python->bytes, lines, i, &address, &unused);
        if (!status) {
            status = js_python_read_str(&python->memory, &python->offsets, address, line, &length);
        }
        if (status) {
            return status;
        }
        if (out->length + length > TEXT_MAX) {
            return JS_ELIMIT;
        }
        js_text_putn(out, line, length);
        if (!length || line[length - 1] != '\n') { /* a line that was cut */
            js_text_put(out, "\n");
        }
    }
    return out->status;
}

int js_python_linecache(js_python *python, const char *name, js_text *out)
{
    js_python_object module, cache, entry, lines;
    uint64_t address, unused;
    int status = js_python_find_module(python, "linecache", &module);
    if (!status) {
        status = js_python_find_attribute(python, &module, "cache", &cache);
    }
    if (!status) {
        status = js_python_find_item(python, &cache, name, &entry);
    }
    if (!status && (entry.kind != JS_OBJECT_TUPLE || entry.length <= ENTRY_LINES)) {
        return JS_ENOTFOUND; /* the entry is a module's loader, which was not asked for the text yet */
    }
    if (!status) {
        status = js_object_item(python->bytes, &entry, ENTRY_LINES, &address, &unused);
    }
    if (!status) {
        status = js_object_read(python->bytes, address, &lines);
    }
    if (!status && lines.kind != JS_OBJECT_LIST) {
        return JS_ENOTFOUND;
    }
    return status ? status : put_lines(python, &lines, out);
}
