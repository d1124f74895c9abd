/* Reads classes of CPython: their names and attributes, and which class has their __repr__. */
#include "layouts/cpython/internal.h"

#include <stdio.h>
#include <string.h>

#include "bytes/utf8.h"

enum { PART = 150 }; /* most bytes of a name that are read */

/* True if the text is printable UTF-8, as a name is; *length without a part of a character at its end. */
static bool is_name(const char *text, size_t *length)
{
    size_t size = strlen(text), at = 0;
    while (at < size) {
        uint32_t code;
        size_t used = js_utf8_decode(text + at, size - at, &code);
        if (used == 0 && size == PART - 1 && size - at < 4) {
            break; /* cut within a character */
        }
        if (used == 0 || code < 0x20 || code == 0x7f) {
            return false;
        }
        at += used;
    }
    *length = at;
    return size != 0;
}

/* Give "module.name": a static class has it in its name, another class in its attributes. */
int js_class_name(js_bytes *bytes, const js_object_facts *facts, uint64_t address, const js_class_head *type,
                  char out[JS_OBJECT_NAME], size_t *module_length)
{
    char module[100] = "", name[PART];
    size_t length;
    int status = js_bytes_read_string(bytes, js_class_word(type, TYPE_NAME), sizeof name, name);
    if (status && status != JS_ELIMIT) {
        return status;
    }
    if (!is_name(name, &length)) {
        return JS_EBAD;
    }
    name[length] = '\0';
    js_python_object attributes = {
        .facts = facts, .kind = JS_OBJECT_DICT, .address = js_class_word(type, TYPE_DICT)};
    if ((js_class_word(type, TYPE_FLAGS) & FLAG_HEAP) && attributes.address && attributes.address % 8 == 0 &&
        js_dict_read(bytes, &attributes) == JS_OK) {
        uint64_t found = js_dict_find(bytes, &attributes, "__module__");
        if (!found || !js_str_short(bytes, facts, found, module, sizeof module) ||
            !strcmp(module, "builtins")) {
            module[0] = '\0';
        }
        uint64_t qualified; /* the qualified name Outer.Foo, which precedes the keys */
        char longer[sizeof name];
        if (js_bytes_read_word(bytes, address + facts->shift + facts->cached_keys - 8, &qualified) == JS_OK &&
            js_str_short(bytes, facts, qualified, longer, sizeof longer)) {
            memcpy(name, longer, sizeof name);
        }
    }
    snprintf(out, JS_OBJECT_NAME, "%s%s%s", module, module[0] ? "." : "", name);
    *module_length = module[0] ? strlen(module) + 1 : 0;
    return JS_OK;
}

int js_object_type_name(js_bytes *bytes, const js_python_object *object, char out[JS_OBJECT_NAME])
{
    js_class_head type;
    size_t length;
    int status = js_class_read(bytes, object->facts, object->type, &type);
    status =
        status ? status : js_bytes_read_string(bytes, js_class_word(&type, TYPE_NAME), JS_OBJECT_NAME, out);
    return status || is_name(out, &length) ? status : JS_EBAD;
}

uint64_t js_class_find(js_bytes *bytes, const js_object_facts *facts, uint64_t type, const char *name,
                       uint64_t *owner)
{
    enum { CLASSES = 32 };
    js_python_object classes = {.facts = facts, .kind = JS_OBJECT_TUPLE};
    if (js_bytes_read_word(bytes, type + facts->shift + TYPE_MRO, &classes.address) || !classes.address ||
        classes.address % 8 || js_builtin_contents(bytes, &classes)) {
        return 0;
    }
    for (uint64_t i = 0; i < classes.slots && i < CLASSES; i++) {
        uint64_t class, unused, found = 0;
        js_python_object attributes = {.facts = facts, .kind = JS_OBJECT_DICT};
        if (js_object_item(bytes, &classes, i, &class, &unused) || !class || class % 8) {
            return 0;
        }
        if (js_bytes_read_word(bytes, class + facts->shift + TYPE_DICT, &attributes.address) == JS_OK &&
            attributes.address && attributes.address % 8 == 0 && js_dict_read(bytes, &attributes) == JS_OK) {
            found = js_dict_find(bytes, &attributes, name);
        }
        if (found) {
            if (owner) {
                *owner = class;
            }
            return found;
        }
    }
    return 0;
}

bool js_object_is_a(js_bytes *bytes, const js_python_object *object, uint64_t class)
{
    enum { CLASSES = 32 };
    js_python_object classes = {.facts = object->facts, .kind = JS_OBJECT_TUPLE};
    uint64_t each, unused;
    if (js_bytes_read_word(bytes, object->type + object->facts->shift + TYPE_MRO, &classes.address) ||
        !classes.address || classes.address % 8 || js_builtin_contents(bytes, &classes)) {
        return false;
    }
    for (uint64_t i = 0; i < classes.slots && i < CLASSES; i++) {
        if (js_object_item(bytes, &classes, i, &each, &unused)) {
            return false;
        }
        if (each == class) {
            return true;
        }
    }
    return false;
}

bool js_object_is_array(js_bytes *bytes, const js_python_object *object)
{
    char name[JS_OBJECT_NAME];
    return object->kind == JS_OBJECT_INSTANCE &&
           js_class_writer(bytes, object->facts, object->type, name) == JS_OK &&
           strcmp(name, "numpy.ndarray") == 0;
}

int js_class_writer(js_bytes *bytes, const js_object_facts *facts, uint64_t type, char out[JS_OBJECT_NAME])
{
    enum { BASES = 16 };
    js_class_head head, base;
    uint64_t owner = 0;
    size_t module;
    int status = js_class_read(bytes, facts, type, &head);
    if (status) {
        return status;
    }
    uint64_t repr = js_class_word(&head, TYPE_REPR);
    bool is_found = js_class_find(bytes, facts, type, "__repr__", &owner) != 0 &&
                    js_class_read(bytes, facts, owner, &base) == JS_OK &&
                    js_class_word(&base, TYPE_REPR) == repr;
    if (!is_found) { /* the __repr__ of a builtin, whose attributes may be elsewhere */
        owner = type;
        for (unsigned i = 0; i < BASES; i++) {
            uint64_t next = js_class_word(&head, TYPE_BASE);
            if (!next || js_class_read(bytes, facts, next, &head) ||
                js_class_word(&head, TYPE_REPR) != repr) {
                break;
            }
            owner = next;
        }
        status = js_class_read(bytes, facts, owner, &base);
    }
    return status ? status : js_class_name(bytes, facts, owner, &base, out, &module);
}

/* Lib/enum.py, EnumType.__repr__; EnumMeta of CPython 3.10 and older calls flags enums, too. */
const char *js_object_class_kind(js_bytes *bytes, const js_python_object *object, char writer[JS_OBJECT_NAME])
{
    int status = js_class_writer(bytes, object->facts, object->type, writer);
    if (status || strcmp(writer, "type") == 0) {
        return "class";
    }
    if (strcmp(writer, "enum.EnumType") != 0) {
        return strcmp(writer, "enum.EnumMeta") == 0 ? "enum" : NULL;
    }
    bool is_flag = js_class_find(bytes, object->facts, object->address, "_iter_member_by_value_", NULL);
    return is_flag ? "flag" : "enum";
}
