/* Writes objects of the interpreter as JSON: numbers and strings, containers like those of compiled code, and
 * for other objects their attributes. */
#include <stdlib.h>
#include <string.h>

#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/unbox.h"
#include "values/objects/pyobject.h"
#include "values/text/strings.h"

static void put_label(js_render *render, const js_type *type, uint64_t address)
{
    uint8_t contents[8];
    memcpy(contents, &address, sizeof contents);
    js_text text, *out = render->out;
    js_text_init(&text, 0);
    render->out = &text;
    js_render_pyobject(render, type, contents);
    render->out = out;
    js_text_json_string(out, text.data ? text.data : "", text.length);
    js_text_deinit(&text);
}

static void json(js_render *render, const js_type *type, uint64_t address, unsigned depth);

static void json_items(js_render *render, const js_type *type, const js_python_object *object,
                       const char *name, unsigned depth)
{
    uint64_t shown = 0, key, value;
    js_text_printf(render->out, "{\"%s\": [", name);
    for (uint64_t i = 0; i < object->slots && i < JS_OBJECT_SLOTS && render->out->status == JS_OK; i++) {
        if (shown == JS_JSON_ELEMENTS || !js_render_charge(render, object->stride) ||
            js_object_item(render->bytes, object, i, &key, &value)) {
            render->exact &= shown == JS_JSON_ELEMENTS;
            break;
        }
        if (!key) {
            continue;
        }
        js_text_put(render->out, shown++ ? ", " : "");
        js_text_put(render->out, object->kind == JS_OBJECT_DICT ? "[" : "");
        json(render, type, key, depth + 1);
        if (object->kind == JS_OBJECT_DICT) {
            js_text_put(render->out, ", ");
            json(render, type, value, depth + 1);
            js_text_put(render->out, "]");
        }
    }
    js_text_put(render->out, "]");
    if (object->kind != JS_OBJECT_TUPLE) {
        js_text_printf(render->out, ", \"length\": %llu", (unsigned long long)object->length);
    }
    js_text_put(render->out, "}");
}

static void json_instance(js_render *render, const js_type *type, const js_python_object *object,
                          unsigned depth)
{
    js_python_object attributes;
    uint64_t key, value;
    bool is_first = true;
    int status = js_object_attributes(render->bytes, object, &attributes);
    if (status == JS_ENOTFOUND) {
        put_label(render, type, object->address);
        return;
    }
    js_text_put(render->out, "{\"class\": ");
    js_text_json_string(render->out, object->class_name, strlen(object->class_name));
    js_text_put(render->out, ", \"attributes\": {");
    render->exact &= status == JS_OK;
    for (uint64_t i = 0; status == JS_OK && i < attributes.slots && render->out->status == JS_OK; i++) {
        js_python_object name;
        if (i == JS_JSON_ELEMENTS || !js_render_charge(render, JS_OBJECT_COST) ||
            js_object_item(render->bytes, &attributes, i, &key, &value)) {
            render->exact = false;
            break;
        }
        if (!key) {
            continue;
        }
        if (js_object_read(render->bytes, key, &name) || name.kind != JS_OBJECT_STR) {
            render->exact = false;
            continue;
        }
        js_text_put(render->out, is_first ? "" : ", ");
        is_first = false;
        json(render, type, key, JS_RENDER_DEPTH);
        js_text_put(render->out, ": ");
        json(render, type, value, depth + 1);
    }
    js_text_put(render->out, "}}");
}

/* Write the characters as a JSON string; put() would quote them. */
static void json_str(js_render *render, const js_python_object *object)
{
    uint64_t limit = 4096, count = object->length < limit ? object->length : limit;
    uint8_t *raw = malloc(count * object->width + 1);
    uint32_t *codes = malloc((count + 1) * sizeof *codes);
    bool is_read = raw && codes && js_render_read(render, object->data, raw, count * object->width) == JS_OK;
    for (uint64_t i = 0; is_read && i < count; i++) {
        codes[i] = (uint32_t)js_load_uint(raw + i * object->width, object->width);
    }
    js_put_json(render->out, codes, is_read ? count : 0);
    render->exact &= is_read && count == object->length;
    free(raw);
    free(codes);
}

/* Write a number, or the label of one whose digits cannot be read. */
static void json_int(js_render *render, const js_python_object *object)
{
    js_text text, *out = render->out;
    js_text_init(&text, 0);
    render->out = &text;
    js_render_pyobject_int(render, object);
    render->out = out;
    const char *digits = text.data ? text.data : "";
    if (digits[0] == '-' || (digits[0] >= '0' && digits[0] <= '9')) {
        js_text_put(out, digits);
    } else {
        js_text_json_string(out, digits, strlen(digits));
    }
    js_text_deinit(&text);
}

static void json(js_render *render, const js_type *type, uint64_t address, unsigned depth)
{
    enum { DEPTH = 8 };
    js_python_object object, base;
    if (!address || !render->bytes || !js_render_charge(render, JS_OBJECT_COST) ||
        js_object_read(render->bytes, address, &object)) {
        render->exact = false;
        put_label(render, type, address);
        return;
    }
    bool is_shallow = depth < DEPTH;
    if (object.kind == JS_OBJECT_INSTANCE && js_object_as_base(render->bytes, &object, &base) == JS_OK) {
        object = base;
    }
    if (object.kind == JS_OBJECT_NONE) {
        js_text_put(render->out, "null");
    } else if (object.kind == JS_OBJECT_BOOL) {
        js_text_put(render->out, object.length ? "true" : "false");
    } else if (object.kind == JS_OBJECT_INT && object.length <= JS_OBJECT_DIGITS) {
        json_int(render, &object);
    } else if (object.kind == JS_OBJECT_FLOAT) {
        uint8_t contents[8];
        if (js_render_read(render, object.data, contents, 8)) {
            render->exact = false;
            put_label(render, type, address);
        } else {
            js_text_json_double(render->out, js_load_float(contents, 8));
        }
    } else if (object.kind == JS_OBJECT_STR) {
        json_str(render, &object);
    } else if (object.kind == JS_OBJECT_LIST && is_shallow) {
        json_items(render, type, &object, "list", depth);
    } else if (object.kind == JS_OBJECT_TUPLE && is_shallow) {
        json_items(render, type, &object, "tuple", depth);
    } else if ((object.kind == JS_OBJECT_SET || object.kind == JS_OBJECT_FROZENSET) && is_shallow) {
        json_items(render, type, &object, "set", depth);
    } else if (object.kind == JS_OBJECT_DICT && is_shallow) {
        json_items(render, type, &object, "dict", depth);
    } else if (js_render_pyobject_unboxed(render, type, &object, true)) {
        return;
    } else if (object.kind == JS_OBJECT_INSTANCE && is_shallow) {
        json_instance(render, type, &object, depth);
    } else {
        put_label(render, type, address);
    }
}

void js_json_pyobject(js_render *render, const js_type *type, const uint8_t *contents)
{
    json(render, type, js_load_uint(contents, 8), 0);
}
