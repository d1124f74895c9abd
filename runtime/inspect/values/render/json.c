/* Writes one value as JSON: numbers, {"re", "im"}, {"shape", "data"}, {"tuple"}, strings; other values as
 * their text. */
#include <string.h>

#include "values/base/array.h"
#include "values/base/numbers.h"
#include "values/base/rendering.h"
#include "values/base/unbox.h"
#include "values/base/value.h"
#include "values/objects/pyobject.h"
#include "values/render/render.h"
#include "values/text/scalars.h"
#include "values/text/strings.h"

static void put_text(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_text text, *out = render->out;
    js_text_init(&text, 0);
    render->out = &text;
    js_render_value(render, type, contents);
    render->out = out;
    if (text.status) {
        out->status = out->status ? out->status : text.status;
    }
    js_text_json_string(out, text.data ? text.data : "", text.length);
    js_text_deinit(&text);
}

static void put_complex(js_render *render, const uint8_t *contents, uint64_t size)
{
    js_text_put(render->out, "{\"re\": ");
    js_text_json_double(render->out, js_load_float(contents, size / 2));
    js_text_put(render->out, ", \"im\": ");
    js_text_json_double(render->out, js_load_float(contents + size / 2, size / 2));
    js_text_put(render->out, "}");
}

static void put_items(js_render *render, const js_type *type, const uint8_t *contents)
{
    js_text_put(render->out, "{\"tuple\": [");
    for (size_t i = 0; i < type->nmembers && render->out->status == JS_OK; i++) {
        js_text_put(render->out, i ? ", " : "");
        js_json_value(render, type->members[i].type, contents + type->members[i].offset);
    }
    js_text_put(render->out, "]}");
}

static void put_optional(js_render *render, const js_type *type, const uint8_t *contents)
{
    const js_member *valid = js_type_member(type, JS_ROLE_VALID);
    const js_member *value = js_type_member(type, JS_ROLE_VALUE);
    if (valid && value && contents[valid->offset] == 1) {
        js_json_value(render, value->type, contents + value->offset);
    } else if (valid && value && contents[valid->offset] == 0) {
        js_text_put(render->out, "null");
    } else {
        put_text(render, type, contents);
    }
}

static void put_pointer(js_render *render, const js_type *type, const uint8_t *contents)
{
    const js_type *target = type->target;
    js_value record = {0};
    bool is_record = target && target->kind == JS_KIND_RECORD && strcmp(type->name, target->name) == 0;
    if (is_record && render->bytes && target->size <= render->left &&
        js_value_init_at(&record, target, render->bytes, js_load_uint(contents, 8)) == JS_OK) {
        render->left -= target->size;
        js_json_value(render, target, record.contents);
        js_value_deinit(&record);
        return;
    }
    put_text(render, type, contents);
}

static void put_array(js_render *render, const js_type *type, const uint64_t *shape, const uint8_t *raw,
                      uint64_t count)
{
    js_text *out = render->out;
    js_text_put(out, "{\"shape\": [");
    for (unsigned i = 0; i < type->ndim; i++) {
        js_text_printf(out, "%s%llu", i ? ", " : "", (unsigned long long)shape[i]);
    }
    js_text_put(out, "], \"data\": [");
    for (uint64_t i = 0; i < count && out->status == JS_OK; i++) {
        js_text_put(out, i ? ", " : "");
        js_json_value(render, type->target, raw + i * type->target->size);
    }
    js_text_put(out, "]}");
}

static void put_array_value(js_render *render, const js_type *type, const uint8_t *contents)
{
    if (type->dims) {
        uint64_t count = type->count < JS_JSON_ELEMENTS ? type->count : JS_JSON_ELEMENTS;
        put_array(render, type, type->dims, contents, count);
        return;
    }
    js_array_view view;
    js_elements elements;
    js_text why;
    js_text_init(&why, 0);
    int status = js_array_check(&view, type, contents, &why);
    if (status) {
        render->exact = false;
        js_text_json_string(render->out, why.data ? why.data : "", why.length);
    }
    js_text_deinit(&why);
    if (status) {
        return;
    }
    status = js_elements_init(&elements, render, &view, JS_JSON_ELEMENTS);
    if (status) {
        render->out->status = render->out->status ? render->out->status : status;
        return;
    }
    js_make_native(type->target, elements.storage, elements.count);
    uint64_t expected = view.nitems < JS_JSON_ELEMENTS ? view.nitems : JS_JSON_ELEMENTS;
    render->exact &= elements.count == expected;
    if (elements.count == 0 && elements.bad_size) {
        put_text(render, type, contents);
    } else {
        put_array(render, type, (const uint64_t *)view.shape, elements.raw, elements.count);
    }
    js_elements_deinit(&elements);
}

static void put_value(js_render *render, const js_type *type, const uint8_t *contents)
{
    switch (type->kind) {
    case JS_KIND_NONE:
        js_text_put(render->out, "null");
        break;
    case JS_KIND_BOOL:
        js_text_put(render->out, *contents ? "true" : "false");
        break;
    case JS_KIND_INT:
        js_render_scalar(render, type, contents);
        break;
    case JS_KIND_FLOAT:
        js_text_json_double(render->out, js_load_float(contents, type->size));
        break;
    case JS_KIND_COMPLEX:
        put_complex(render, contents, type->size);
        break;
    case JS_KIND_CHARSEQ:
    case JS_KIND_STR:
    case JS_KIND_BYTES:
        js_json_string(render, type, contents);
        break;
    case JS_KIND_ARRAY:
        put_array_value(render, type, contents);
        break;
    case JS_KIND_TUPLE:
    case JS_KIND_RECORD:
        put_items(render, type, contents);
        break;
    case JS_KIND_OPTIONAL:
        put_optional(render, type, contents);
        break;
    case JS_KIND_POINTER:
        put_pointer(render, type, contents);
        break;
    case JS_KIND_LIST:
    case JS_KIND_SET:
    case JS_KIND_DICT:
        js_json_items(render, type, contents);
        break;
    case JS_KIND_OBJECT:
        js_json_object(render, type, contents);
        break;
    case JS_KIND_PYOBJECT:
        js_json_pyobject(render, type, contents);
        break;
    case JS_KIND_LITERAL:
        js_json_literal(render, type);
        break;
    case JS_KIND_DEFERRED:
        if (js_render_deferred(render, type, contents, true)) {
            break;
        }
        put_text(render, type, contents);
        break;
    default:
        put_text(render, type, contents);
    }
}

void js_write_json(js_render *render, const js_type *type, const uint8_t *contents)
{
    bool is_spent = js_render_is_spent(render);
    if (render->depth >= JS_RENDER_DEPTH || is_spent) {
        render->exact = false;
        js_text_put(render->out, is_spent ? "\"...\"" : "\"{...}\"");
        return;
    }
    render->values++;
    render->depth++;
    put_value(render, type, contents);
    render->depth--;
}
