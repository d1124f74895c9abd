/* Numba's types by their numbers, under which some stand in the names of functions: the table of all of them
 * is _typecache in numba/core/types/abstract.py, a dict whose keys are weak references. */
#include "layouts/numba/boxed.h"

#include <string.h>

#include "layouts/cpython/internal.h"

/* EFFORT: some 10 000 types are found within it. */
enum { WEAK_OBJECT = 16, TYPES_MAX = 1 << 16, EFFORT = JS_CALL << 16 };

/* Is this a type of that number? */
static bool is_coded(js_bytes *bytes, const js_object *type, const js_object *attributes, uint64_t code)
{
    js_object number;
    uint32_t digit;
    return strcmp(js_object_last_name(type), "Record") == 0 &&
           js_object_read(bytes, js_dict_find(bytes, attributes, "_code"), &number) == JS_OK &&
           number.kind == JS_OBJECT_INT && number.length == 1 && !number.is_negative &&
           js_bytes_read(bytes, number.data, &digit, sizeof digit) == JS_OK && digit == code;
}

static int find(js_bytes *bytes, uint64_t table, uint64_t code, char *text, size_t room)
{
    js_object types, type, attributes;
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
        if (!key || js_bytes_read_word(bytes, key + WEAK_OBJECT, &address) ||
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
