/* Finds where the contents of an object of a builtin class are. */
#include "layouts/cpython/internal.h"

static int read_int(js_bytes *bytes, js_python_object *object)
{
    uint64_t size;
    int status = js_bytes_read_word(bytes, js_object_member(object, VAR_SIZE), &size);
    if (object->facts->version >= PY_3_12) {
        object->is_negative = (size & 3) == 2;
        object->length = (size & 3) == 1 ? 0 : size >> 3;
    } else {
        object->is_negative = (int64_t)size < 0;
        object->length = (int64_t)size < 0 ? 0 - size : size;
    }
    object->data = js_object_member(object, VAR_ITEMS);
    return status ? status : object->length > (uint64_t)1 << 40 ? JS_EBAD : JS_OK;
}

int js_builtin_contents(js_bytes *bytes, js_python_object *object)
{
    uint64_t fields[4];
    int status = js_bytes_read_word(bytes, js_object_member(object, VAR_SIZE), &object->length);
    object->stride = 8;
    object->value = UINT64_MAX;
    switch (object->kind) {
    case JS_OBJECT_BOOL:
    case JS_OBJECT_INT:
        return read_int(bytes, object);
    case JS_OBJECT_FLOAT:
    case JS_OBJECT_COMPLEX:
        object->data = js_object_member(object, 16);
        return JS_OK;
    case JS_OBJECT_STR:
        return js_str_read(bytes, object);
    case JS_OBJECT_BYTES:
        object->data = js_object_member(object, 32);
        break;
    case JS_OBJECT_BYTEARRAY:
        status = status ? status : js_bytes_read_word(bytes, js_object_member(object, 40), &object->data);
        break;
    case JS_OBJECT_LIST:
        status =
            status ? status : js_bytes_read_word(bytes, js_object_member(object, VAR_ITEMS), &object->data);
        object->slots = object->length;
        break;
    case JS_OBJECT_TUPLE:
        object->data = js_object_member(object, object->facts->version >= PY_3_14 ? 32 : VAR_ITEMS);
        object->slots = object->length;
        break;
    case JS_OBJECT_SET:
    case JS_OBJECT_FROZENSET:
        status = js_bytes_read(bytes, js_object_member(object, 16), fields,
                               sizeof fields); /* fill, used, mask, table */
        object->length = fields[1];
        object->slots = fields[2] + 1;
        object->data = fields[3];
        object->stride = 16;
        if (status == JS_OK && ((object->slots & fields[2]) != 0 || object->length > object->slots)) {
            return JS_EBAD;
        }
        break;
    case JS_OBJECT_DICT:
        return js_dict_read(bytes, object);
    default:
        object->length = 0;
        return JS_OK;
    }
    return status ? status : object->length > (uint64_t)1 << 48 ? JS_EBAD : JS_OK;
}
