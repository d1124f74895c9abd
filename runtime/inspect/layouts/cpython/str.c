/* Finds the characters of a str. */
#include "layouts/cpython/internal.h"

int js_str_read(js_bytes *bytes, js_python_object *object)
{
    bool is_old = object->facts->version < PY_3_12;
    uint64_t state, data;
    int status = js_bytes_read_word(bytes, js_object_member(object, 16), &object->length);
    if (status == JS_OK) {
        status = js_bytes_read_uint(bytes, js_object_member(object, 32), 4, &state);
    }
    if (status) {
        return status;
    }
    /* interned:2 kind:3 compact:1 ascii:1; without a GIL interned is a char, since 3.14 */
    state >>= object->facts->shift && object->facts->version >= PY_3_14 ? 8 : 2;
    bool is_compact = state >> 3 & 1, is_ascii = state >> 4 & 1;
    object->width = state & 7;
    if ((object->width != 1 && object->width != 2 && object->width != 4) || object->length > INT64_MAX) {
        return JS_EBAD;
    }
    uint64_t ascii = is_old ? 48 : 40, compact = is_old ? 72 : 56;
    object->data = js_object_member(object, is_ascii ? ascii : compact);
    if (!is_compact) {
        status = js_bytes_read_word(bytes, js_object_member(object, compact), &data);
        object->data = data;
    }
    return status;
}

bool js_str_short(js_bytes *bytes, const js_object_facts *facts, uint64_t address, char *out, size_t room)
{
    js_python_object text = {.facts = facts, .address = address};
    if (!address || address % 8 || js_str_read(bytes, &text) || text.width != 1 || text.length >= room ||
        js_bytes_read(bytes, text.data, out, text.length)) {
        return false;
    }
    out[text.length] = '\0';
    for (size_t i = 0; i < text.length; i++) {
        if ((unsigned char)out[i] >= 0x80) {
            return false;
        }
    }
    return true;
}
