/* Finds Numba's types by their numbers, which names of functions have for some types. The table of all types
 * is _typecache in numba/core/types/abstract.py, a dict whose keys are weak references. */
#include "layouts/numba/boxed.h"

#include <string.h>

#include "layouts/cpython/internal.h"

/* EFFORT: enough for some 10 000 types. */
enum { WEAK_OBJECT = 16, TYPES_MAX = 1 << 16, EFFORT = JS_CALL << 16 };

/* True if this is the type with that number. */
static bool is_coded(js_bytes *bytes, const js_python_object *type, const js_python_object *attributes,
                     uint64_t code)
{
    js_python_object number;
    uint32_t digit;
    return strcmp(js_object_last_name(type), "Record") == 0 &&
           js_object_read(bytes, js_dict_find(bytes, attributes, "_code"), &number) == JS_OK &&
           number.kind == JS_OBJECT_INT && number.length == 1 && !number.is_negative &&
           js_bytes_read(bytes, number.data, &digit, sizeof digit) == JS_OK && digit == code;
}

static int find(js_bytes *bytes, uint64_t table, uint64_t code, char *text, size_t room)
{
    js_python_object types, type, attributes;
    int status = js_object_read(bytes, table, &types);
    if (status || types.kind != JS_OBJECT_DICT) {
        return status ? status : JS_ENOTFOUND;
    }
    for (uint64_t i = 0; i < types.slots && i < TYPES_MAX; i++) {
        uint64_t key, unused, address;
        status = js_object_item(bytes, &types, i, &key, &unused);
        if (status) {
            return status;
        }
        if (!key || js_bytes_read_word(bytes, key + types.facts->shift + WEAK_OBJECT, &address) ||
            js_object_read(bytes, address, &type) || js_object_attributes(bytes, &type, &attributes) ||
            !is_coded(bytes, &type, &attributes, code)) {
            continue;
        }
        return js_str_short(bytes, type.facts, js_dict_find(bytes, &attributes, "name"), text, room)
                   ? JS_OK
                   : JS_ENOTFOUND;
    }
    return JS_ENOTFOUND;
}

int js_boxed_coded(js_bytes *bytes, uint64_t table, uint64_t code, char *text, size_t room)
{
    js_question question;
    js_question_begin(&question, bytes, EFFORT);
    int status = find(bytes, table, code, text, room);
    js_question_end(&question, bytes);
    return status;
}

enum { CLASSES_MAX = 64 };

/* The classes of Numba's types that were met, and whether each has what is asked for. */
typedef struct js_kinds {
    uint64_t address[CLASSES_MAX];
    bool has_class[CLASSES_MAX];
    size_t count;
} js_kinds;

static bool has_class(js_bytes *bytes, js_kinds *known, const js_object_facts *facts, uint64_t address)
{
    static const char *const kinds[] = {"NamedTuple", "NamedUniTuple", "NamedTupleClass", "EnumMember",
                                        "EnumClass",  "IntEnumMember", "IntEnumClass"};
    uint64_t of;
    js_python_object type;
    if (js_bytes_read_word(bytes, address + facts->shift + OBJECT_TYPE, &of)) {
        return false;
    }
    for (size_t i = 0; i < known->count; i++) {
        if (known->address[i] == of) {
            return known->has_class[i];
        }
    }
    bool is_one = false;
    bool is_read = js_object_read(bytes, address, &type) == JS_OK;
    for (size_t i = 0; is_read && i < sizeof kinds / sizeof kinds[0]; i++) {
        is_one = is_one || strcmp(js_object_last_name(&type), kinds[i]) == 0;
    }
    if (known->count < CLASSES_MAX) {
        known->address[known->count] = of;
        known->has_class[known->count++] = is_one;
    }
    return is_one;
}

static void put_class(js_bytes *bytes, uint64_t address, js_text *out)
{
    js_python_object type, attributes, class;
    if (js_object_read(bytes, address, &type) == JS_OK &&
        js_object_attributes(bytes, &type, &attributes) == JS_OK &&
        js_object_read(bytes, js_dict_find(bytes, &attributes, "instance_class"), &class) == JS_OK &&
        class.kind == JS_OBJECT_CLASS) {
        js_text_printf(out, "%llu %s\n", (unsigned long long)class.address, js_object_last_name(&class));
    }
}

static int put_classes(js_bytes *bytes, uint64_t table, js_boxed_cursor *cursor, js_text *out)
{
    js_kinds known = {.count = 0};
    js_python_object types;
    uint64_t key = 0, unused, address;
    int status = js_object_read(bytes, table, &types);
    if (status || types.kind != JS_OBJECT_DICT || types.slots > TYPES_MAX) {
        return status ? status : JS_ENOTFOUND;
    }
    bool is_same = cursor->slots && types.data == cursor->entries && cursor->slots <= types.slots &&
                   js_object_item(bytes, &types, cursor->slots - 1, &key, &unused) == JS_OK &&
                   key == cursor->last;
    for (uint64_t i = is_same ? cursor->slots : 0; i < types.slots; i++) {
        status = js_object_item(bytes, &types, i, &key, &unused);
        if (status) {
            return status;
        }
        if (key && js_bytes_read_word(bytes, key + types.facts->shift + WEAK_OBJECT, &address) == JS_OK &&
            has_class(bytes, &known, types.facts, address)) {
            put_class(bytes, address, out);
        }
    }
    *cursor = (js_boxed_cursor){types.data, types.slots, key};
    return out->status;
}

int js_boxed_classes(js_bytes *bytes, uint64_t table, js_boxed_cursor *cursor, js_text *out)
{
    js_question question;
    js_question_begin(&question, bytes, EFFORT);
    int status = put_classes(bytes, table, cursor, out);
    js_question_end(&question, bytes);
    return status;
}
