/* Writes objects of the interpreter as repr() does; if the repr() of the class is not known, as "<Foo object
 * at 0x…>". */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/unbox.h"
#include "values/objects/pyobject.h"

static void put_address(js_render *render, const char *name, uint64_t address)
{
    js_text_printf(render->out, "<%s object at 0x%llx>", name, (unsigned long long)address);
}

/* Write {1}, or with a class other than set frozenset({1}). */
static void put_set(js_render *render, const js_type *type, const js_python_object *object)
{
    const char *name = js_object_last_name(object);
    if (object->length == 0) {
        js_text_printf(render->out, "%s()", name);
    } else if (strcmp(name, "set") == 0) {
        js_render_pyobject_items(render, type, object, "{", "}");
    } else {
        js_text_printf(render->out, "%s({", name);
        js_render_pyobject_items(render, type, object, "", "})");
    }
}

static void put_known(js_render *render, const js_type *type, const js_python_object *object);

/* Write an array; one of a subclass of ndarray as matrix([[1, 2]]). */
static bool put_array(js_render *render, const js_type *type, const js_python_object *object)
{
    static const char plain[] = "array(";
    js_python_object array = *object;
    js_text text, *out = render->out;
    if (!js_object_is_array(render->bytes, object)) {
        return false;
    }
    array.kind = JS_OBJECT_NDARRAY;
    js_text_init(&text, 0);
    render->out = &text;
    bool is_known = js_render_pyobject_unboxed(render, type, &array, false) && text.status == JS_OK &&
                    text.data && strncmp(text.data, plain, sizeof plain - 1) == 0;
    render->out = out;
    if (is_known) {
        js_text_printf(out, "%s(%s", js_object_last_name(object), text.data + sizeof plain - 1);
    }
    js_text_deinit(&text);
    return is_known;
}

/* Write the class and the address of an object whose repr() is not known: its class is not one of Numba's,
 * has not inherited its repr() from a builtin, and has none that is known here. */
static void put_instance(js_render *render, const js_type *type, const js_python_object *object)
{
    js_python_object base;
    if (js_render_pyobject_unboxed(render, type, object, false) || put_array(render, type, object)) {
        return;
    }
    if (js_object_as_base(render->bytes, object, &base) == JS_OK) {
        put_known(render, type, &base);
    } else if (js_render_pyobject_known(render, type, object)) {
        return;
    } else if (js_render_is_spent(render)) {
        js_text_put(render->out, "...");
    } else {
        put_address(render, object->class_name, object->address);
    }
}

static void put_class(js_render *render, const js_python_object *object)
{
    char writer[JS_OBJECT_NAME];
    const char *kind = js_object_class_kind(render->bytes, object, writer);
    const char *last = strrchr(object->class_name, '.');
    if (!kind) {
        put_address(render, writer, object->address);
    } else {
        bool is_plain = strcmp(kind, "class") == 0 || !last;
        js_text_printf(render->out, "<%s '%s'>", kind, is_plain ? object->class_name : last + 1);
    }
}

static void put_known(js_render *render, const js_type *type, const js_python_object *object)
{
    switch (object->kind) {
    case JS_OBJECT_NONE:
        js_text_put(render->out, "None");
        break;
    case JS_OBJECT_ELLIPSIS:
        js_text_put(render->out, "Ellipsis");
        break;
    case JS_OBJECT_BOOL:
        js_text_put(render->out, object->length ? "True" : "False");
        break;
    case JS_OBJECT_INT:
        js_render_pyobject_int(render, object);
        break;
    case JS_OBJECT_FLOAT:
    case JS_OBJECT_COMPLEX:
        js_render_pyobject_number(render, object, object->class_name);
        break;
    case JS_OBJECT_STR:
    case JS_OBJECT_BYTES:
    case JS_OBJECT_BYTEARRAY:
        js_render_pyobject_text(render, object, false);
        break;
    case JS_OBJECT_LIST:
        js_render_pyobject_items(render, type, object, "[", "]");
        break;
    case JS_OBJECT_TUPLE:
        js_render_pyobject_items(render, type, object, "(", ")");
        break;
    case JS_OBJECT_SET:
    case JS_OBJECT_FROZENSET:
        put_set(render, type, object);
        break;
    case JS_OBJECT_DICT:
        js_render_pyobject_items(render, type, object, "{", "}");
        break;
    case JS_OBJECT_CLASS:
        put_class(render, object);
        break;
    case JS_OBJECT_NDARRAY:
    case JS_OBJECT_INSTANCE:
        put_instance(render, type, object);
        break;
    }
}

/* Return what repr() writes for a container within itself. */
static const char *cycle_text(const js_python_object *object)
{
    bool is_list = object->kind == JS_OBJECT_LIST || strcmp(object->class_name, "collections.deque") == 0;
    return is_list                              ? "[...]"
           : object->kind == JS_OBJECT_TUPLE    ? "(...)"
           : object->kind == JS_OBJECT_INSTANCE ? "..."
                                                : "{...}";
}

void js_write_object(js_render *render, const js_type *type, const uint8_t *contents)
{
    uint64_t address = js_load_uint(contents, 8);
    js_python_object object;
    if (!address) {
        js_text_put(render->out, "<unknown: no object (NULL)>");
        render->exact = false;
        return;
    }
    if (!render->bytes || js_render_is_spent(render) || !js_render_charge(render, JS_OBJECT_COST)) {
        js_text_put(render->out, "...");
        return;
    }
    if (js_object_read(render->bytes, address, &object)) {
        if (js_render_is_spent(render)) {
            js_text_put(render->out, "...");
        } else {
            js_text_printf(render->out, "<%s at 0x%llx>", type->name, (unsigned long long)address);
        }
        return;
    }
    if (js_render_is_open(render, address)) {
        js_text_put(render->out, cycle_text(&object));
        return;
    }
    unsigned limit = render->options->depth && render->options->depth < JS_RENDER_DEPTH
                         ? render->options->depth
                         : JS_RENDER_DEPTH;
    if (render->depth >= limit) {
        js_text_put(render->out, "{...}");
        return;
    }
    js_open self = {address, render->open};
    bool was_in_record = render->in_record;
    bool was_in_array = render->in_array, is_list = was_in_array && object.kind == JS_OBJECT_LIST;
    render->open = &self;
    render->in_array = render->in_record = false;
    render->depth++;
    js_text_put(render->out, is_list ? "list(" : ""); /* as NumPy does, to distinguish it from a row */
    put_known(render, type, &object);
    js_text_put(render->out, is_list ? ")" : "");
    render->depth--;
    render->in_array = was_in_array;
    render->in_record = was_in_record;
    render->open = self.outer;
}
