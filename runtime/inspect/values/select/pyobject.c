/* Takes attributes and items of objects of the interpreter. */
#include <string.h>

#include "layouts/cpython/object.h"

#include "values/base/numbers.h"
#include "values/base/path.h"
#include "values/base/value.h"
#include "values/select/select.h"
#include "values/text/strings.h"

enum { SLOTS = 1 << 20 /* most places of one table in which a key is searched */ };

static int give(const js_selection *selection, uint64_t address, js_value *out)
{
    return js_value_init(out, selection->value->type, &address, sizeof address);
}

static int read(const js_selection *selection, js_python_object *out)
{
    uint64_t address = js_load_uint(selection->value->contents, 8);
    int status = selection->bytes ? js_object_read(selection->bytes, address, out) : JS_EFAULT;
    return status ? js_select_fail(selection, status, "<%s at 0x%llx>", selection->value->type->name,
                                   (unsigned long long)address)
                  : JS_OK;
}

/* True if the object is this str. */
static bool is_text(js_bytes *bytes, const js_python_object *object, const char *wanted)
{
    uint8_t raw[4 * JS_PATH_NAME];
    uint32_t codes[JS_PATH_NAME];
    js_text text;
    if (object->kind != JS_OBJECT_STR || object->length > JS_PATH_NAME ||
        js_bytes_read(bytes, object->data, raw, object->length * object->width)) {
        return false;
    }
    for (uint64_t i = 0; i < object->length; i++) {
        codes[i] = (uint32_t)js_load_uint(raw + i * object->width, object->width);
    }
    js_text_init(&text, 0);
    js_put_utf8(&text, codes, object->length);
    bool same =
        text.length == strlen(wanted) && (!text.length || memcmp(text.data, wanted, text.length) == 0);
    js_text_deinit(&text);
    return same;
}

static bool is_number(js_bytes *bytes, const js_python_object *object, int64_t wanted)
{
    uint32_t digits[3] = {0};
    uint64_t size = wanted < 0 ? 0 - (uint64_t)wanted : (uint64_t)wanted;
    if ((object->kind != JS_OBJECT_INT && object->kind != JS_OBJECT_BOOL) || object->length > 3 ||
        js_bytes_read(bytes, object->data, digits, object->length * 4)) {
        return false;
    }
    unsigned __int128 number = (unsigned __int128)digits[2] << 60 | (uint64_t)digits[1] << 30 | digits[0];
    return number == size && (size == 0 || object->is_negative == (wanted < 0));
}

/* Find the value of a key, which is a str, or with `number` an integer. */
static int look_up(const js_selection *selection, const js_python_object *dict, const char *name,
                   const int64_t *number, js_value *out)
{
    uint64_t key, value;
    for (uint64_t i = 0; i < dict->slots && i < SLOTS; i++) {
        js_python_object object;
        int status = js_object_item(selection->bytes, dict, i, &key, &value);
        if (status) {
            return status;
        }
        if (key && js_object_read(selection->bytes, key, &object) == JS_OK &&
            (number ? is_number(selection->bytes, &object, *number)
                    : is_text(selection->bytes, &object, name))) {
            return give(selection, value, out);
        }
    }
    return JS_ENOTFOUND;
}

int js_select_pyobject_attribute(const js_selection *selection, js_value *out)
{
    js_python_object object, attributes;
    int status = read(selection, &object);
    if (status) {
        return status;
    }
    status = js_object_attributes(selection->bytes, &object, &attributes);
    if (status == JS_OK) {
        status = look_up(selection, &attributes, selection->step->name, NULL, out);
    }
    uint64_t slot =
        status == JS_ENOTFOUND ? js_object_attribute(selection->bytes, &object, selection->step->name) : 0;
    if (slot) {
        return give(selection, slot, out);
    }
    return status == JS_ENOTFOUND
               ? js_select_fail(selection, status,
                                "AttributeError: '%s' object has no attribute '%s' of its own",
                                object.class_name, selection->step->name)
               : status;
}

int js_select_pyobject_item(const js_selection *selection, js_value *out)
{
    js_python_object object;
    int status = read(selection, &object);
    const js_path_step *step = selection->step;
    bool is_index = !step->is_field && step->count == 1 && step->items[0].kind == JS_ITEM_INDEX;
    if (status) {
        return status;
    }
    if (object.kind == JS_OBJECT_DICT && (is_index || step->is_field)) {
        status = look_up(selection, &object, step->name, is_index ? &step->items[0].index : NULL, out);
        if (status == JS_ENOTFOUND && is_index) {
            return js_select_fail(selection, status, "KeyError: %lld", (long long)step->items[0].index);
        }
        return status == JS_ENOTFOUND ? js_select_fail(selection, status, "KeyError: '%s'", step->name)
                                      : status;
    }
    if ((object.kind == JS_OBJECT_LIST || object.kind == JS_OBJECT_TUPLE) && is_index) {
        int64_t index;
        uint64_t key, value;
        if (js_select_wrap(step->items[0].index, (int64_t)object.length, &index)) {
            return js_select_fail(selection, JS_ELIMIT, "IndexError: %s index out of range",
                                  object.class_name);
        }
        status = js_object_item(selection->bytes, &object, (uint64_t)index, &key, &value);
        return status ? status : give(selection, key, out);
    }
    return js_select_fail(selection, JS_EUNSUP, "TypeError: this subscript of '%s' is not known here",
                          object.class_name);
}
