/* Finds an instance's attribute by its name, and the name of its class. */
#include "layouts/cpython/internal.h"

#include <string.h>

/* Return the value of a slot, by its descriptor: PyMemberDescrObject {…, d_member @40}, PyMemberDef {name,
 * type, offset @16}. That offset is the one of this build. */
static uint64_t slot_value(js_bytes *bytes, const js_python_object *object, uint64_t descriptor)
{
    js_python_object member;
    uint64_t definition, offset, value = 0;
    if (js_object_read(bytes, descriptor, &member) || strcmp(member.class_name, "member_descriptor") != 0 ||
        js_bytes_read_word(bytes, js_object_member(&member, 40), &definition) ||
        js_bytes_read_word(bytes, definition + 16, &offset) || offset == 0 || offset > 1 << 16 ||
        offset % 8 || js_bytes_read_word(bytes, object->address + offset, &value)) {
        return 0;
    }
    return value;
}

uint64_t js_object_attribute(js_bytes *bytes, const js_python_object *object, const char *name)
{
    js_python_object attributes;
    uint64_t found = 0;
    if (js_object_attributes(bytes, object, &attributes) == JS_OK) {
        found = js_dict_find(bytes, &attributes, name);
    }
    if (!found) {
        uint64_t descriptor = js_class_find(bytes, object->facts, object->type, name, NULL);
        found = descriptor ? slot_value(bytes, object, descriptor) : 0;
    }
    return found;
}

bool js_object_field_shown(js_bytes *bytes, uint64_t field)
{
    js_python_object object, shown;
    return js_object_read(bytes, field, &object) == JS_OK &&
           js_object_read(bytes, js_object_attribute(bytes, &object, "repr"), &shown) == JS_OK &&
           shown.kind == JS_OBJECT_BOOL && shown.length;
}

bool js_object_short(js_bytes *bytes, const js_python_object *object, char *out, size_t room)
{
    return object->kind == JS_OBJECT_STR && js_str_short(bytes, object->facts, object->address, out, room);
}

const char *js_object_qualname(const js_python_object *object)
{
    return object->class_name + object->module;
}

const char *js_object_last_name(const js_python_object *object)
{
    const char *dot = strrchr(object->class_name, '.');
    return dot ? dot + 1 : object->class_name;
}
